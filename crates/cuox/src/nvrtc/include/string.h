// <string.h>. NVRTC declares memcpy() and memset() by itself; the rest is what small kernels use.
#pragma once
#include <stddef.h>
__host__ __device__ inline void *memmove(void *to, const void *from, size_t bytes) {
  unsigned char *t = static_cast<unsigned char *>(to);
  const unsigned char *f = static_cast<const unsigned char *>(from);
  if (t < f)
    for (size_t i = 0; i < bytes; ++i) t[i] = f[i];
  else
    for (size_t i = bytes; i > 0; --i) t[i - 1] = f[i - 1];
  return to;
}
__host__ __device__ inline int memcmp(const void *a, const void *b, size_t bytes) {
  const unsigned char *x = static_cast<const unsigned char *>(a), *y = static_cast<const unsigned char *>(b);
  for (size_t i = 0; i < bytes; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
__host__ __device__ inline size_t strlen(const char *text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}
__host__ __device__ inline int strncmp(const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    unsigned char x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
    if (x != y) return x < y ? -1 : 1;
    if (!x) break;
  }
  return 0;
}
__host__ __device__ inline int strcmp(const char *a, const char *b) { return strncmp(a, b, ~size_t(0)); }
__host__ __device__ inline char *strcpy(char *to, const char *from) {
  for (size_t i = 0; (to[i] = from[i]) != 0; ++i) {}
  return to;
}
__host__ __device__ inline char *strncpy(char *to, const char *from, size_t bytes) {
  size_t i = 0;
  for (; i < bytes && from[i]; ++i) to[i] = from[i];
  for (; i < bytes; ++i) to[i] = 0;
  return to;
}
__host__ __device__ inline char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}
__host__ __device__ inline const char *strchr(const char *text, int letter) {
  for (;; ++text) {
    if (*text == static_cast<char>(letter)) return text;
    if (!*text) return 0;
  }
}
