#include <stddef.h>

typedef enum { GAUGE_OK, GAUGE_BAD } gauge_result;
struct gauge_info {
    int kind;
    double scale;
};
struct gauge_options {
    unsigned version;
    int speed;
};
typedef struct gauge gauge;

/**
 * Reads a gauge.
 * @param[in] g       the gauge
 * @param[out] value  what it shows
 * @param[in,out] age how old that may be, and how old it is
 */
gauge_result gauge_read_value(gauge *g, double *value, int *age);

/**
 * \param info   - Returned information
 * \param flags  - Unused, must be 0
 */
gauge_result gauge_describe(struct gauge_info *info, unsigned flags);

/**
 * @param[out] options  filled in; the caller sets the version
 */
gauge_result gauge_options_read(struct gauge_options *options);

/**
 * @param name Reference in which to return the name
 * @param length The maximum length of the string returned in \a name
 */
gauge_result gauge_name(const gauge *g, char *name, unsigned int length);

/**
 * @param[out] samples  an array with room for count values
 * @param count how many
 */
gauge_result gauge_samples(gauge *g, double *samples, size_t count);

/**
 * @param[out] from  Location to return the ends
 * @param[out] to    Location to return the ends
 * @param num_ends   how many there is room for, and how many there are
 */
gauge_result gauge_ends(gauge *g, gauge **from, gauge **to, size_t *num_ends);

/** @param parent the gauge to follow; may be NULL */
gauge_result gauge_follow(gauge *parent, const char *why);
