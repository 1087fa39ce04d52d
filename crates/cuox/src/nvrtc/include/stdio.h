// <stdio.h>. NVRTC declares printf() by itself; device code has no other function of it.
#pragma once
#include <stddef.h>
typedef struct cuox_file FILE;
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
