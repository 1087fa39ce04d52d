import ctypes
import os

library = ctypes.CDLL(os.environ.get("ADD_LIBRARY", "./libadd.so"))
floats = ctypes.POINTER(ctypes.c_float)
library.add.argtypes = [floats, floats, floats, ctypes.c_int]
library.add.restype = ctypes.c_int
library.error_text.argtypes = [ctypes.c_int]
library.error_text.restype = ctypes.c_char_p

n = 1000
a = (ctypes.c_float * n)(*range(n))
b = (ctypes.c_float * n)(*(2 * i for i in range(n)))
out = (ctypes.c_float * n)()
code = library.add(a, b, out, n)
print(code, library.error_text(code).decode())
print(sum(out) == sum(3 * i for i in range(n)))
