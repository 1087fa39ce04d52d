// <assert.h>: no `#pragma once`, since NDEBUG is looked at each time. NVRTC has assert() by itself.
#ifdef NDEBUG
#undef assert
#define assert(__condition) ((void)0)
#define CUOX_NO_ASSERT
#elif defined(CUOX_NO_ASSERT)
#undef CUOX_NO_ASSERT
#undef assert
#define assert(__condition) ((__condition) ? (void)0 : __assertfail(#__condition, __FILE__, __LINE__, __func__, sizeof(char)))
#endif
