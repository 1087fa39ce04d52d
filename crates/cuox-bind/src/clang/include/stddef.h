#ifndef CUOX_STDDEF_H
#define CUOX_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifdef __cplusplus
#define NULL __null
namespace std { typedef decltype(nullptr) nullptr_t; }
using ::std::nullptr_t;
#else
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#endif
typedef struct {
    long long cuox_integer __attribute__((__aligned__(__alignof__(long long))));
    long double cuox_float __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#if defined(__need_wint_t) && !defined(CUOX_WINT_T)
#define CUOX_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#undef __need_NULL
#undef __need_ptrdiff_t
#undef __need_size_t
#undef __need_wchar_t
#undef __need_wint_t
