// <string.h>. NVRTC declares memcpy() and memset() by itself; the rest is what small kernels use.
#pragma once
#include <stddef.h>
__host__ __device__ inline void *memmove(void *__to, const void *__from, size_t __bytes) {
  unsigned char *__t = static_cast<unsigned char *>(__to);
  const unsigned char *__f = static_cast<const unsigned char *>(__from);
  if (__t < __f)
    for (size_t __i = 0; __i < __bytes; ++__i) __t[__i] = __f[__i];
  else
    for (size_t __i = __bytes; __i > 0; --__i) __t[__i - 1] = __f[__i - 1];
  return __to;
}
__host__ __device__ inline int memcmp(const void *__a, const void *__b, size_t __bytes) {
  const unsigned char *__x = static_cast<const unsigned char *>(__a), *__y = static_cast<const unsigned char *>(__b);
  for (size_t __i = 0; __i < __bytes; ++__i)
    if (__x[__i] != __y[__i]) return __x[__i] < __y[__i] ? -1 : 1;
  return 0;
}
__host__ __device__ inline size_t strlen(const char *__text) {
  size_t __n = 0;
  while (__text[__n]) ++__n;
  return __n;
}
__host__ __device__ inline int strncmp(const char *__a, const char *__b, size_t __most) {
  for (size_t __i = 0; __i < __most; ++__i) {
    unsigned char __x = static_cast<unsigned char>(__a[__i]), __y = static_cast<unsigned char>(__b[__i]);
    if (__x != __y) return __x < __y ? -1 : 1;
    if (!__x) break;
  }
  return 0;
}
__host__ __device__ inline int strcmp(const char *__a, const char *__b) { return strncmp(__a, __b, ~size_t(0)); }
__host__ __device__ inline char *strcpy(char *__to, const char *__from) {
  for (size_t __i = 0; (__to[__i] = __from[__i]) != 0; ++__i) {}
  return __to;
}
__host__ __device__ inline char *strncpy(char *__to, const char *__from, size_t __bytes) {
  size_t __i = 0;
  for (; __i < __bytes && __from[__i]; ++__i) __to[__i] = __from[__i];
  for (; __i < __bytes; ++__i) __to[__i] = 0;
  return __to;
}
__host__ __device__ inline char *strcat(char *__to, const char *__from) {
  strcpy(__to + strlen(__to), __from);
  return __to;
}
__host__ __device__ inline const char *strchr(const char *__text, int __letter) {
  for (;; ++__text) {
    if (*__text == static_cast<char>(__letter)) return __text;
    if (!*__text) return 0;
  }
}
