// The header that PyCUDA's elementwise kernels include: complex numbers, and the names of types that its texture helpers had.
#ifndef PYCUDA_HELPERS_HPP_SEEN
#define PYCUDA_HELPERS_HPP_SEEN

#include <pycuda-complex.hpp>

extern "C++" {

typedef float fp_tex_float;
typedef int2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef int4 fp_tex_cdouble;

// Texture and surface references ended with CUDA 11, and with them the functions that read them.
template <class _Tp> struct _pycuda_reference_is_gone { static const bool __value = false; };
#define PYCUDA_REFERENCE_FUNCTION(name)                                                                                             \
  template <class _First, class... _Rest> __device__ inline float name(_First, _Rest...) {                                              \
    static_assert(_pycuda_reference_is_gone<_First>::__value,                                                                          \
                  #name ": CUDA 12 has no texture and surface references; read a cudaTextureObject_t with tex1Dfetch<T>, tex2D<T> and so on"); \
    return 0;                                                                                                                       \
  }
PYCUDA_REFERENCE_FUNCTION(fp_tex1Dfetch)
PYCUDA_REFERENCE_FUNCTION(fp_tex2D)
PYCUDA_REFERENCE_FUNCTION(fp_tex2DLayered)
PYCUDA_REFERENCE_FUNCTION(fp_tex3D)
PYCUDA_REFERENCE_FUNCTION(fp_surf2DLayeredread)
PYCUDA_REFERENCE_FUNCTION(fp_surf2DLayeredwrite)
PYCUDA_REFERENCE_FUNCTION(fp_surf3Dread)
PYCUDA_REFERENCE_FUNCTION(fp_surf3Dwrite)
#undef PYCUDA_REFERENCE_FUNCTION

}

#endif
