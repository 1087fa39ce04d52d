#line 5 "saxpy.py"
extern "C" __global__ void kernel(float32 a, array<float32, 1, 'C'> x, array<float32, 1, 'C'> y) {
    int64 i = py::grid_x();
    if (i < py::size(x)) {
        y(i) = y(i) + a * x(i);
    }
}
