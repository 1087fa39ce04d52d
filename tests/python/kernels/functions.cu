#line 23 "functions.py"
static __device__ inline int64 shifted(int32 value, int64 by) {
    return int64(value) + by;
}

#line 9 "functions.py"
static __device__ inline float64 length(float32 x, int64 y, float64 scale) {
#line 11 "functions.py"
    return scale * ::sqrt(float64(x * x) + float64(y * y));
}

#line 9 "functions.py"
static __device__ inline float64 length_2(float32 x, float32 y, float64 scale) {
#line 11 "functions.py"
    return scale * float64(::sqrtf(x * x + y * y));
}

#line 26 "functions.py"
static __device__ inline float64 lambda(float64 value) {
#line 26 "functions.py"
    return value * value;
}

#line 26 "functions.py"
static __device__ inline int64 lambda_2(int32 value) {
#line 26 "functions.py"
    return int64(value) * int64(value);
}

#line 15 "functions.py"
static __device__ inline tuple<float32, int32> both(int32 x, float32 y) {
    return tuple<float32, int32>{y, x};
}

#line 20 "functions.py"
extern "C" __global__ void kernel(array<float64, 1, 'C'> found, array<float32, 1, 'C'> x, int32 n) {
    int64 offset = 3ll;
#line 27 "functions.py"
    for (int32 i = 0; i < n; ++i) {
        float32 tmp_f32 = x(py::wrapped(i, x.shape[0])); int64 tmp = shifted(i, 3ll); float64 tmp_f64 = length(tmp_f32, tmp, 2.5);
#line 28 "functions.py"
        float64 tmp_2 = length_2(x(py::wrapped(i, x.shape[0])), x(py::wrapped(i, x.shape[0])), 1.0);
#line 28 "functions.py"
        found(py::wrapped(i, found.shape[0])) = tmp_f64 + tmp_2;
        float64 tmp_4 = found(py::wrapped(i, found.shape[0])); float64 tmp_3 = lambda(found(py::wrapped(i, found.shape[0])));
#line 29 "functions.py"
        int64 tmp_i64 = lambda_2(i); found(py::wrapped(i, found.shape[0])) = tmp_4 + (tmp_3 + float64(tmp_i64));
        tuple<float32, int32> tmp_ = both(i, x(py::wrapped(i, x.shape[0]))); float32 tmp_5 = py::get<0>(tmp_); int32 tmp_i32 = py::get<1>(tmp_);
#line 30 "functions.py"
        float32 first = tmp_5; int32 second = tmp_i32;
        found(py::wrapped(i, found.shape[0])) = found(py::wrapped(i, found.shape[0])) - (float64(first) + float64(second));
    }
}
