namespace py {
// NumPy's time that is none.
static const int64 nat = -0x7fffffffffffffffll - 1;
static __device__ inline bool is_nat(int64 x) { return x == nat; }
}
