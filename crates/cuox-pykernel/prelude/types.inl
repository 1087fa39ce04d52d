using int8 = signed char;
using int16 = short;
using int32 = int;
using int64 = long long;
using uint8 = unsigned char;
using uint16 = unsigned short;
using uint32 = unsigned int;
using uint64 = unsigned long long;
using float32 = float;
using float64 = double;
struct none {};
static __device__ inline float32 nan32() { return __int_as_float(0x7fc00000); }
static __device__ inline float64 nan64() { return __longlong_as_double(0x7ff8000000000000ll); }
static __device__ inline float32 inf32() { return __int_as_float(0x7f800000); }
static __device__ inline float64 inf64() { return __longlong_as_double(0x7ff0000000000000ll); }
