// <stddef.h>. NVRTC declares size_t, ptrdiff_t and NULL by itself.
#pragma once
typedef decltype(nullptr) nullptr_t;
typedef struct { long long cuox_integer; long double cuox_real; } max_align_t;
#ifndef offsetof
#define offsetof(type, __member) ((size_t)__INTADDR__(&(((type *)0)->__member)))
#endif
// C++11 has no `constexpr` functions of several statements.
#if __cplusplus >= 201402L
#define CUOX_CONSTEXPR constexpr
#else
#define CUOX_CONSTEXPR inline
#endif
