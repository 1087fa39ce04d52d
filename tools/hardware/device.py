"""A GPU through its driver, with nothing but ctypes and numpy.

CUOX_LIBCUDA names another libcuda.so.1. `ptxas` is used if it is there, with the options in PTXAS_FLAGS, as the driver
alone compiles one module at a time.
"""

import concurrent.futures
import ctypes
import os
import shutil
import subprocess
import tempfile

import numpy

cuda = ctypes.CDLL(os.environ.get("CUOX_LIBCUDA", "libcuda.so.1"))


def call(name, *args):
    code = getattr(cuda, name)(*args)
    if code:
        raise RuntimeError(f"{name}: error {code}")


def start():
    """The device's name and the version of CUDA that its driver has."""
    device, context, version = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
    name = ctypes.create_string_buffer(100)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuDeviceGetName", name, 100, device)
    call("cuDriverGetVersion", ctypes.byref(version))
    return name.value.decode(), version.value


class Buffer:
    """Device memory with the bytes of an array."""

    def __init__(self, array):
        self.address = ctypes.c_uint64()
        self.array = numpy.ascontiguousarray(array)
        call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(max(8, self.array.nbytes)))
        call(
            "cuMemcpyHtoD_v2",
            self.address,
            self.array.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_size_t(self.array.nbytes),
        )

    def read(self):
        out = numpy.empty_like(self.array)
        call("cuMemcpyDtoH_v2", out.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(out.nbytes))
        return out

    def free(self):
        call("cuMemFree_v2", self.address)


def assemble(text):
    """PTX as machine code, if there is an assembler."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not os.path.exists(ptxas) or "CUOX_LIBCUDA" in os.environ:
        return text.encode() + b"\0"
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        with open(source, "w") as file:
            file.write(text)
        flags = os.environ.get("PTXAS_FLAGS", "").split()
        subprocess.run([ptxas, "-arch=sm_90", "-w", *flags, source, "-o", out], check=True)
        with open(out, "rb") as file:
            return file.read()


def assemble_all(texts):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(assemble, texts)


def load(image, kernel):
    """The module and a kernel of it."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoadData", ctypes.byref(module), image)
    call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
    return module, function


def launch(function, grid, block, *args):
    """Runs a kernel to its end; arguments are ctypes values."""
    pointers = (ctypes.c_void_p * len(args))(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in args])
    call("cuLaunchKernel", function, *grid, *block, 0, None, pointers, None)
    call("cuCtxSynchronize")


def mix(state, word):
    """One step of the hash of a list of words, for many lists at once."""
    with numpy.errstate(over="ignore"):
        state = (state ^ word) * numpy.uint64(0x100000001B3)
        return state ^ state >> numpy.uint64(32)


def hashes(rows, state=None):
    """The hash of each row."""
    if state is None:
        state = numpy.full(len(rows), 0xCBF29CE484222325, numpy.uint64)
    for column in numpy.ascontiguousarray(rows.astype(numpy.uint64).T):
        state = mix(state, column)
    return state
