#include "shop.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct shop {
    char name[32];
    shop_item *first;
};

int shop_errors;
const shop_point shop_home = {1.5, -2.0};
static int open_shops;

shop_status shop_create(shop **out, const char *name) {
    if (!*name) {
        shop_errors++;
        return SHOP_UNKNOWN;
    }
    shop *s = calloc(1, sizeof *s);
    strncpy(s->name, name, sizeof s->name - 1);
    *out = s;
    open_shops++;
    return SHOP_OK;
}

shop_status shop_destroy(shop *s) {
    while (s->first) {
        shop_item *next = s->first->next;
        free(s->first);
        s->first = next;
    }
    free(s);
    open_shops--;
    return SHOP_OK;
}

static shop_item *find(const shop *s, const char *name) {
    shop_item *i = s->first;
    while (i && strcmp(i->name, name)) i = i->next;
    return i;
}

shop_status shop_add(shop *s, const shop_item *item, uint32_t *total) {
    shop_item *found = find(s, item->name);
    if (found) {
        found->count += item->count;
    } else {
        found = malloc(sizeof *found);
        *found = *item;
        found->next = s->first;
        s->first = found;
    }
    *total = found->count;
    return SHOP_OK;
}

shop_status shop_take(shop *s, const char *name, uint32_t count, shop_item *taken) {
    shop_item *found = find(s, name);
    if (!found) return SHOP_UNKNOWN;
    if (found->count < count) return SHOP_SOLD_OUT;
    found->count -= count;
    *taken = *found;
    taken->count = count;
    taken->next = NULL;
    return SHOP_OK;
}

shop_status shop_count(const shop *s, const char *name, uint32_t *count) {
    shop_item *found = find(s, name);
    if (!found) return SHOP_UNKNOWN;
    *count = found->count;
    return SHOP_OK;
}

const char *shop_name(const shop *s) { return s->name; }

const char *shop_status_text(shop_status status) {
    static const char *const texts[] = {"all is well", "the shop is closed", "there are not that many", "nobody has heard of that"};
    return (unsigned)status < 4 ? texts[status] : NULL;
}

int shop_open_shops(void) { return open_shops; }

double shop_distance(shop_point a, shop_point b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

shop_rgb shop_mix(shop_rgb a, shop_rgb b) { return (shop_rgb){(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2}; }

shop_large shop_shift(shop_large v, int64_t by) { return (shop_large){v.a + by, v.b + by, v.c + by}; }

double shop_sum(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return sum;
}

void shop_scale(float *values, int n, float by) {
    for (int i = 0; i < n; i++) values[i] *= by;
}

size_t shop_copy_name(const shop *s, char *buf, size_t size) {
    size_t n = strlen(s->name);
    if (size) {
        size_t m = n < size ? n : size - 1;
        memcpy(buf, s->name, m);
        buf[m] = 0;
    }
    return n;
}

void shop_swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

int shop_visit(shop *s, shop_visitor visit, void *user) {
    for (shop_item *i = s->first; i; i = i->next) {
        int result = visit(i, user);
        if (result) return result;
    }
    return 0;
}

void shop_sort(int *values, size_t n, int (*compare)(int a, int b)) {
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && compare(values[j - 1], values[j]) > 0; j--) shop_swap(&values[j - 1], &values[j]);
}

int shop_total(int n, ...) {
    va_list list;
    int sum = 0;
    va_start(list, n);
    while (n--) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
