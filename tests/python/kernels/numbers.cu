#line 7 "numbers.py"
extern "C" __global__ void kernel(array<float64, 1, 'C'> found, int32 i, uint32 u, float32 f, complex64 z) {
    found(0ll) = float64(int64(i) + int64(i));
    found(1ll) = float64(py::floordiv(int64(i), 3ll) + py::mod(int64(i), 3ll)) + float64(i) / 2.0;
    found(2ll) = float64(uint64(u) + uint64(u));
    found(3ll) = float64(i) + float64(f);
    found(4ll) = float64(f * f) + 1.0;
    found(5ll) = float64((z * z).real() + py::abs(z));
    found(6ll) = float64(py::power(int64(i), 2ll)) + py::power(float64(f), 0.5) + float64(py::power(2ll, int64(i)));
    found(7ll) = float64(py::min(int64(i), 3ll)) + ::fmax(float64(f), 2.0) + float64(py::to_int<int64>(::rintf(f))) + float64(py::to_int<int64>(f)) + float64(i != 0);
    found(8ll) = float64(::sinf(f) + ::sqrtf(f)) + ::atan2(float64(f), float64(i)) + float64(float32(float16(f)));
    found(9ll) = float64(int64(i) << 3 & ~int64(i) | int64(i) >> 1 ^ 5);
    float64 tmp = i != 0 ? float64(f) : float64(i); found(10ll) = tmp != 0 ? tmp : float64(u);
    found(11ll) = f != 0 ? 1.0 : 2.5;
}
