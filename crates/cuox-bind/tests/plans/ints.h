/* Statuses that are plain ints. */
#define JAR_OK 0
#define JAR_ROW 100
typedef struct jar jar;
typedef struct jar_item jar_item;

int jar_open(const char *path, jar **ppJar);
int jar_close(jar *);
int jar_close_v2(jar *);
int jar_prepare(jar *db, const char *zText, int nByte, jar_item **ppItem, const char **pzTail);
int jar_step(jar_item *item);
int jar_finalize(jar_item *item);
int jar_changes(jar *db);
int jar_item_count(jar_item *item);
int jar_bind_int(jar_item *, int, int);
int jar_exec(jar *, const char *text, int (*callback)(void *, int, char **), void *, char **errmsg);
jar *jar_of_item(jar_item *);
const char *jar_errstr(int);
const unsigned char *jar_item_text(jar_item *, int);
int jar_vprintf(jar *db, const char *format, __builtin_va_list arguments);
