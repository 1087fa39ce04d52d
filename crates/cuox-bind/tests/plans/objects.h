/* A library with objects, as most are. */
#include <stddef.h>

typedef struct lamp lamp_t;
typedef struct lamp_group *lamp_group_handle;

/** What can go wrong. */
typedef enum lamp_status {
    LAMP_SUCCESS = 0,
    LAMP_NO_MEMORY = 1, /**< There is no memory. */
    LAMP_BROKEN = -3
} lamp_status;

typedef enum { LAMP_RED = 1, LAMP_GREEN = 2, LAMP_BLUE = 4 } lamp_colour;

/* Makes a lamp. */
lamp_status lamp_create(lamp_t **out, size_t size);
lamp_status lamp_destroy(lamp_t *lamp);
/* The lamp stays the group's. */
lamp_status lamp_group_get_lamp(lamp_group_handle group, int index, lamp_t **lamp);
lamp_group_handle lamp_group_new(const char *name);
void lamp_group_free(lamp_group_handle group);
lamp_t *lamp_group_first(lamp_group_handle group);
const char *lamp_status_string(lamp_status status);
lamp_status lamp_last_error(void);
lamp_status lamp_set_colour(lamp_t *lamp, lamp_colour colour);
lamp_status lamp_get_colour(const lamp_t *lamp, lamp_colour *mode);
lamp_status lamp_hours(const lamp_t *lamp, const char *since, unsigned *count);
lamp_status lamp_mix(lamp_t *lamp, const lamp_t *other);
/* Before it is freed. */
void lamp_group_finish(lamp_group_handle group);
void lamp_group_check();
/* Ends it and sets it to null. */
lamp_status lamp_group_release(lamp_group_handle *group);

/* Called from a thread of the library's. */
typedef void (*lamp_watcher)(lamp_t *lamp, int level, void *user);
lamp_status lamp_watch(lamp_t *lamp, lamp_watcher watcher, void *user_data);
void lamp_sort(lamp_t *lamp, int (*compare)(const void *a, const void *b));
lamp_status lamp_wait_async(lamp_t *lamp, lamp_watcher watcher, void *arg);
lamp_status lamp_wait(lamp_t *lamp, unsigned milliseconds);

lamp_status lamp_send(lamp_t *lamp, const void *data, size_t size);
lamp_status lamp_load(lamp_t *lamp, const unsigned char *image, unsigned image_len);
lamp_status lamp_label(lamp_t *lamp, const char *text, size_t len);
lamp_status lamp_report(lamp_t *lamp, int class, const char *format, ...);
