/* A library of every shape that a C library's functions have, for the tests of cuox.bind. */
#ifndef SHOP_H
#define SHOP_H
#include <stddef.h>
#include <stdint.h>

#define SHOP_VERSION 0x0103
#define SHOP_NAME "shop"
#define SHOP_PI 3.25
#define SHOP_LIMIT (SHOP_VERSION + 1)

/** What a call came to. */
typedef enum shop_status {
    SHOP_OK = 0,          /**< All is well. */
    SHOP_CLOSED = 1,      /**< The shop is closed. */
    SHOP_SOLD_OUT = 2,    /**< There are not that many. */
    SHOP_UNKNOWN = 3      /**< Nobody has heard of that. */
} shop_status;

typedef enum { SHOP_RED = 1, SHOP_GREEN = 2, SHOP_BLUE = 4 } shop_colour;

/** A place, in metres. */
typedef struct shop_point {
    double x; /**< to the east */
    double y; /**< to the north */
} shop_point;

typedef struct shop_item {
    char name[16];
    uint32_t count;
    shop_colour colour;
    shop_point where;
    int32_t sizes[3];
    unsigned fragile : 1;
    unsigned shelf : 5;
    union {
        int64_t code;
        unsigned char bytes[8];
    };
    struct shop_item *next;
} shop_item;

typedef struct { float r, g, b; } shop_rgb;
typedef struct { int64_t a, b, c; } shop_large;

/** A shop: only the library looks inside. */
typedef struct shop shop;

/** Opens a shop.
 *  @param out the new shop
 *  @param name what it is called */
shop_status shop_create(shop **out, const char *name);
/** Closes a shop and frees it. */
shop_status shop_destroy(shop *s);
/** Adds items.
 *  @param[out] total how many there are now */
shop_status shop_add(shop *s, const shop_item *item, uint32_t *total);
/** Takes items away; fails with SHOP_SOLD_OUT if there are too few. */
shop_status shop_take(shop *s, const char *name, uint32_t count, shop_item *taken);
/** How many there are of something.
 *  @param[out] count how many */
shop_status shop_count(const shop *s, const char *name, uint32_t *count);
const char *shop_name(const shop *s);
const char *shop_status_text(shop_status status);
int shop_open_shops(void);

double shop_distance(shop_point a, shop_point b);
shop_rgb shop_mix(shop_rgb a, shop_rgb b);
shop_large shop_shift(shop_large v, int64_t by);

double shop_sum(const double *values, size_t n);
void shop_scale(float *values, int n, float by);
size_t shop_copy_name(const shop *s, char *buf, size_t size);
void shop_swap(int *a, int *b);

/** Called for each item. A result other than 0 ends it. */
typedef int (*shop_visitor)(const shop_item *item, void *user);
int shop_visit(shop *s, shop_visitor visit, void *user);
void shop_sort(int *values, size_t n, int (*compare)(int a, int b));

int shop_total(int n, ...);
static inline int shop_twice(int x) { return 2 * x; }
extern int shop_errors;
extern const shop_point shop_home;
#endif
