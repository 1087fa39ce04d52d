#line 2 "loops.py"
extern "C" __global__ void kernel(array<int64, 1, 'C'> found, array<int32, 1, 'A'> x, int64 n) {
    int64 at = 0ll;
    array<int32, 1, 'A'> tmp = x;
#line 4 "loops.py"
    for (int64 k = 0; k < tmp.shape[0]; ++k) {
#line 13 "loops.py"
        int64 tmp_4 = k + 0; int32 tmp_5 = tmp(k); int64 i = tmp_4; int32 value = tmp_5;
#line 5 "loops.py"
        if ((int64(value) & 1) != 0) {
            continue;
        }
#line 7 "loops.py"
        bool broken_2 = false;
#line 7 "loops.py"
        for (int64 divisor = 3ll; divisor < n; divisor += 2ll) {
            if (py::mod(int64(value), divisor) == 0) {
                found(py::wrapped(at, found.shape[0])) = divisor;
#line 7 "loops.py"
                broken_2 = true;
#line 10 "loops.py"
                break;
            }
        }
#line 7 "loops.py"
        if (!broken_2) {
#line 12 "loops.py"
            found(py::wrapped(at, found.shape[0])) = -i;
        }
#line 13 "loops.py"
        at = at + 1;
    }
#line 14 "loops.py"
    while (0 < at && at <= n && n != 7) {
        at = at - 1;
        int64 tmp_6 = found(py::wrapped(at, found.shape[0]));
#line 16 "loops.py"
        if (tmp_6 == 1 || tmp_6 == 5) {
            return;
        }
    }
}
