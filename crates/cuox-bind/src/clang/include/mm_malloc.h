#ifndef CUOX_MM_MALLOC_H
#define CUOX_MM_MALLOC_H
#include <stddef.h>
void *_mm_malloc(size_t size, size_t align);
void _mm_free(void *memory);
#endif
