namespace py {
// To a number of decimal digits, as CPython does it for numbers of common size.
// An int to tens, hundreds, …: halves to the even one.
static __device__ inline int64 round_int(int64 x, int64 digits)
{
    if (digits >= 0) return x;
    if (digits < -18) return 0;
    int64 scale = 1;
    for (int64 n = digits; n < 0; ++n) scale *= 10;
    int64 rest = x % scale;
    if (rest < 0) rest += scale;
    int64 low = x - rest;
    if (2 * rest > scale || (2 * rest == scale && low / scale % 2 != 0)) low += scale;
    return low;
}
template <class T> static __device__ inline T round(T x, int64 digits)
{
    if (!(x == x) || x - x != 0) return x;
    float64 scale = 1, value = x;
    bool negative = digits < 0;
    for (int64 n = negative ? -digits : digits; n > 0 && scale < 1e300; --n) scale *= 10;
    float64 scaled = negative ? value / scale : value * scale;
    if (scaled - scaled != 0) return x;
    float64 whole = ::round(scaled);
    if (::fabs(scaled - whole) == 0.5) whole = 2.0 * ::round(scaled / 2.0);
    return T(negative ? whole * scale : whole / scale);
}
}
