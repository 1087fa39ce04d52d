namespace py {
static __device__ inline int64 factorial(int64 n)
{
    int64 product = 1;
    for (int64 i = 2; i <= n && i < 67; ++i) product = int64(uint64(product) * uint64(i));
    return product;
}
static __device__ inline int64 gcd(int64 a, int64 b)
{
    while (b != 0) {
        int64 rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}
static __device__ inline int64 lcm(int64 a, int64 b)
{
    if (a == 0 || b == 0) return 0;
    int64 multiple = a / gcd(a, b) * b;
    return multiple < 0 ? -multiple : multiple;
}
static __device__ inline bool isclose(float64 a, float64 b, float64 relative, float64 absolute)
{
    if (a == b) return true;
    if (a - a != 0 || b - b != 0) return false;
    float64 difference = ::fabs(a - b);
    return difference <= relative * ::fmax(::fabs(a), ::fabs(b)) || difference <= absolute;
}
}
