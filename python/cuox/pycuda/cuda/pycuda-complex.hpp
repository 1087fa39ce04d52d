// Complex numbers for device code: pycuda::complex<float> and pycuda::complex<double>.
#ifndef PYCUDA_COMPLEX_HPP_SEEN
#define PYCUDA_COMPLEX_HPP_SEEN

extern "C++" {
namespace pycuda {
#include <cuox-complex.inl>
}
}

#endif
