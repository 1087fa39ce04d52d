#include <limits.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stream *stream_t;
enum level { LOW = 1, HIGH = LOW << 4 };
enum { ANONYMOUS = 0x80000000u, NEGATIVE = -1 };
int real_v2(int);
int direct(int);

#define FLAG
#define ONE 1 /* the first */
// Two lines
// of text.
#define TWO (ONE + ONE)
/** Documented. */
#define MASK 0xffffffffu
#define WIDE 0xffffffffffffffffULL
#define SMALL (-9223372036854775807LL - 1)
#define HALF 0.5f
#define TENTH .1
#define NAME "a" "b\n\x01"
#define WITH_NUL "a\0b"
#define WIDE_TEXT L"ab"
#define LETTER 'x'
#define NEWLINE '\n'
#define FROM_ENUM HIGH
#define CAST ((unsigned char)-1)
#define SIZE sizeof(long double)
#define LIMIT INT_MAX
#define LEGACY ((stream_t)0x1)
#define NONE ((stream_t)0)
#define NOTHING NULL
#define CHOICE (ONE ? 7 : 8)
#define real real_v2
#define alias real
#define VERSION(api) api##_v2
#define renamed VERSION(real)
#define same(api) api
#define also same(direct)
#define direct(x) direct((x) + 1)
#define CALLS(x) ((x) * 2)
#define CALLED CALLS(21)
#define PASTED(a, b) a##b
#define GLUED PASTED(TW, O)
#define LIST 1, 2
#define BEGIN {
#define END ; }
#define STATEMENT do { } while (0)
#define TYPE unsigned long
#define ATTRIBUTE __attribute__((unused))
#define RUNS real_v2(3)
#define UNKNOWN no_such_name
#define SELF SELF
#define AGAIN 1
#undef AGAIN
#define AGAIN 2
#define GONE 1
#undef GONE
#define LONGER \
    (1 + \
     2) /* three */
