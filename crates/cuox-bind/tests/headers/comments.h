/* This file's licence. */

/**
 * \brief Opens it.
 *
 *     indented
 * \param name what
 */
int open_it(const char *name);

/// One
/// two.
int slashes(void);

//! Qt's.
int qt(void);

/* Plain, directly before. */
int plain(void);

/* Plain, further away. */

int far(void);

/**** A frame ****/
int framed(void);

/*
** As sqlite has it.
**
** Twice.
*/
int starred(void);

/* Behind a function it belongs to nothing, as Clang has it. */

int behind(void); /**< Behind it. */

/** A pair. */
typedef struct {
    int a; /**< The first. */
    /** The second. */
    int b;
    int c; //!< The third.
    int d; /* Plain. */
} pair;

/** Kinds. */
enum kind {
    KIND_A, /**< The a. */
    KIND_B = 4, ///< The b.
    /** The c. */
    KIND_C
};

/** A number. */
typedef int number;

/** How many. */
extern int count;
