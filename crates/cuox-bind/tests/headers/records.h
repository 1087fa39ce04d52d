typedef unsigned long size_t;
typedef unsigned long uint64_t;
typedef __WCHAR_TYPE__ wide;

struct empty_names {
    struct { int x, y; };
    union { int i; float f; } value;
    struct inner { char c; } in[2];
};

/* Bits in units of their types. */
struct bits {
    unsigned a : 3;
    unsigned : 5;
    unsigned b : 24;
    signed char c : 2;
    unsigned : 0;
    uint64_t d : 40;
    _Bool flag : 1;
};

struct __attribute__((packed)) packed {
    char c;
    double d;
    short s;
};

struct aligned {
    char c;
    _Alignas(32) int i;
} __attribute__((aligned(64)));

struct flexible {
    size_t n;
    unsigned char bytes[];
};

union either {
    double d;
    void *p;
    char text[24];
};

typedef struct {
    long double ld;
    float _Complex z;
    __int128 big;
    wide w;
} no_tag;

typedef struct list {
    struct list *next;
    int (*compare)(const struct list *a, const struct list *b);
    const char *const *names;
    int matrix[3][4];
} list_t;

struct opaque;
typedef struct opaque *handle;
typedef const struct opaque *const_handle;

typedef struct { int a; } *only_pointed_at;
typedef int triple[3];
typedef float vector4 __attribute__((vector_size(16)));

struct with_vector {
    vector4 v;
    int i;
};

struct takes_all {
    handle h;
    triple t;
    no_tag n;
    only_pointed_at o;
    enum { RED, GREEN = 5 } colour;
    enum colour2 { BLUE = -1 } other;
};
