// <time.h>. NVRTC declares clock_t and clock(), which counts the multiprocessor's cycles.
#pragma once
typedef long long time_t;

struct tm;
#define CLOCKS_PER_SEC 1000000
