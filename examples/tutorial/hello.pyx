# distutils: language = c
import ctypes

cdef object library = ctypes.CDLL("./libhello.so")


def run_cuda():
    return library.main()
