using complex64 = py::complex<float>;
using complex128 = py::complex<double>;
namespace py {
static __device__ inline bool truth(const complex64 &z) { return z._M_re != 0 || z._M_im != 0; }
static __device__ inline bool truth(const complex128 &z) { return z._M_re != 0 || z._M_im != 0; }
}
