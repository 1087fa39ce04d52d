"""`cuox.cuda.bindings`: the driver's and NVRTC's functions, called as NVIDIA's `cuda.bindings` are."""

from __future__ import annotations

import ast
import ctypes
import gc
import inspect
import re
import subprocess
import sys
from pathlib import Path

import cuox.cuda.bindings as bindings
import pytest
from cuox import _native
from cuox.cuda.bindings import driver, nvrtc, runtime

np = pytest.importorskip("numpy")

DATA = Path(__file__).parent / "data"
OK = driver.CUresult.CUDA_SUCCESS

SAXPY = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def theirs() -> list[tuple[str, str, list[str], int]]:
    rows = []
    for line in (DATA / "cuda_bindings_signatures.txt").read_text().splitlines():
        if match := re.fullmatch(r"(\w+)\.(\w+)\((.*)\) -> (\d+)", line):
            module, name, parameters, results = match.groups()
            rows.append(
                (module, name, [part.partition("=")[0] for part in parameters.split(", ") if part], int(results))
            )
    return rows


def stub(module: str) -> dict[str, ast.FunctionDef]:
    path = Path(bindings.__file__).parent / f"{module}.pyi"
    return {node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("module", ["driver", "nvrtc", "runtime"])
def test_every_function_has_the_parameters_and_results_of_nvidias(module: str) -> None:
    ours = stub(module)
    wrong = []
    rows = [row for row in theirs() if row[0] == module]
    assert len(rows) > 20
    for _, name, parameters, results in rows:
        if name not in ours:
            wrong.append(f"{name}: missing")
            continue
        function = ours[name]
        names = [argument.arg for argument in function.args.args]
        given = function.returns.slice if isinstance(function.returns, ast.Subscript) else function.returns
        count = len(given.elts) if isinstance(given, ast.Tuple) else 1
        if names != parameters or count != results:
            wrong.append(f"{name}({', '.join(names)}) -> {count}, theirs ({', '.join(parameters)}) -> {results}")
    assert not wrong, "\n".join(wrong)


def test_functions_are_what_the_stub_says() -> None:
    missing = []
    for module, named in ((driver, stub("driver")), (nvrtc, stub("nvrtc"))):
        for name, function in named.items():
            try:
                found = getattr(module, name)
            except AttributeError as error:
                # The software GPU's driver has not all symbols.
                assert "has no symbol" in str(error), name
                missing.append(name)
                continue
            parameters = list(inspect.signature(found).parameters)
            assert parameters == [argument.arg for argument in function.args.args], name
    assert "cuLaunchKernel" not in missing and len(missing) < 300


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="cuNoSuchThing"):
        driver.cuNoSuchThing
    assert not hasattr(driver, "__path__")
    assert "cuMemAlloc" in dir(driver) and "CUresult" in driver.__all__


@pytest.mark.parametrize("module", ["driver", "nvrtc", "runtime"])
def test_everything_can_be_imported_at_once(module: str) -> None:
    there: dict[str, object] = {}
    exec(f"from cuox.cuda.bindings.{module} import *", there)
    assert len(there) > {"driver": 1000, "nvrtc": 40, "runtime": 500}[module]
    assert there.get({"driver": "cuLaunchKernel", "nvrtc": "nvrtcProgram", "runtime": "cudaMemcpyKind"}[module])


def test_importing_reads_nothing() -> None:
    code = "import cuox.cuda.bindings.driver as driver, cuox.cuda.bindings.nvrtc as nvrtc; print(driver._names._library, nvrtc._names._library)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["None", "None"]


def ptx(source: str) -> bytes:
    status, program = nvrtc.nvrtcCreateProgram(source, "saxpy.cu", 0, None, None)
    assert status == nvrtc.nvrtcResult.NVRTC_SUCCESS
    options = [b"--fmad=false", "--gpu-architecture=compute_75"]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    status_of_log, size = nvrtc.nvrtcGetProgramLogSize(program)
    log = bytearray(size)
    assert nvrtc.nvrtcGetProgramLog(program, log) == (nvrtc.nvrtcResult.NVRTC_SUCCESS,)
    assert status == 0, log.decode()
    status, size = nvrtc.nvrtcGetPTXSize(program)
    assert status == 0 and size > 100
    text = b" " * size
    assert nvrtc.nvrtcGetPTX(program, text) == (0,)
    assert nvrtc.nvrtcDestroyProgram(program) == (0,)
    assert int(program) == 0
    return text


@pytest.fixture(scope="module")
def code() -> bytes:
    return ptx(SAXPY)


@pytest.fixture
def context() -> object:
    assert driver.cuInit(0) == (OK,)
    status, device = driver.cuDeviceGet(0)
    assert status == OK
    status, made = driver.cuCtxCreate(None, 0, device)
    assert status == OK
    yield made
    assert driver.cuCtxDestroy(made) == (OK,)


def launches(x: object, y: object, n: int) -> list[object]:
    """The forms that a kernel's parameters can have."""
    scalars = [np.float32(2), np.int32(n)]
    return [
        ((2.0, x, y, n), (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)),
        ((ctypes.c_float(2), x, y, n), (ctypes.c_float, None, None, ctypes.c_int)),
        [scalars[0], x, y, scalars[1]],
        (np.float32(2), np.uint64(int(x)), np.uint64(int(y)), ctypes.c_int(n)),
    ]


@pytest.mark.parametrize("form", range(5))
def test_a_program_in_nvidias_shape(context: object, code: bytes, form: int) -> None:
    n = 1000
    status, module = driver.cuModuleLoadData(code)
    assert status == OK
    status, kernel = driver.cuModuleGetFunction(module, b"saxpy")
    assert status == OK
    host_x, host_y = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    (status, x), (status_y, y) = driver.cuMemAlloc(host_x.nbytes), driver.cuMemAlloc(host_y.nbytes)
    assert status == status_y == OK
    status, stream = driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING)
    assert status == OK
    assert driver.cuMemcpyHtoDAsync(x, host_x.ctypes.data, host_x.nbytes, stream) == (OK,)
    assert driver.cuMemcpyHtoDAsync(y, host_y, host_y.nbytes, stream) == (OK,)
    arrays = [
        np.array([2], np.float32),
        np.array([int(x)], np.uint64),
        np.array([int(y)], np.uint64),
        np.array([n], np.int32),
    ]
    packed = np.array([array.ctypes.data for array in arrays], np.uint64)
    parameters = [*launches(x, y, n), packed][form]
    assert driver.cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, stream, parameters, 0) == (OK,)
    assert driver.cuMemcpyDtoHAsync(host_y, y, host_y.nbytes, stream) == (OK,)
    assert driver.cuStreamSynchronize(stream) == (OK,)
    assert np.array_equal(host_y, 2 * host_x + 1)
    for call, handle in (
        (driver.cuStreamDestroy, stream),
        (driver.cuMemFree, x),
        (driver.cuMemFree, y),
        (driver.cuModuleUnload, module),
    ):
        assert call(handle) == (OK,)


def test_modules_tell_of_themselves_without_a_current_context(context: object, code: bytes) -> None:
    status, module = driver.cuModuleLoadData(code)
    assert status == OK
    assert driver.cuCtxSetCurrent(None) == (OK,)
    try:
        assert driver.cuModuleGetFunction(module, b"saxpy")[0] == OK
        assert driver.cuModuleGetFunction(module, b"nothing")[0].name == "CUDA_ERROR_NOT_FOUND"
        assert driver.cuModuleGetGlobal(module, b"nothing")[0].name == "CUDA_ERROR_NOT_FOUND"
    finally:
        assert driver.cuCtxSetCurrent(context) == (OK,)


COUNT = """
extern "C" __global__ void count(volatile unsigned *last, unsigned n) { for (unsigned i = 1; i <= n; i++) *last = i; }
"""


def test_copies_wait_for_the_null_stream_of_the_memorys_context(context: object) -> None:
    import cuox

    status, module = driver.cuModuleLoadData(bytes(cuox.Program(COUNT).compile("ptx").code))
    assert status == OK
    status, kernel = driver.cuModuleGetFunction(module, b"count")
    assert status == OK
    status, at = driver.cuMemAlloc(4)
    assert status == OK
    n = 3_000_000
    arguments = ((at, n), (ctypes.c_void_p, ctypes.c_uint))
    assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0) == (OK,)
    status, other = driver.cuCtxCreate(None, 0, 0)
    assert status == OK
    try:
        last = np.zeros(1, np.uint32)
        assert driver.cuMemcpy(last.ctypes.data, at, 4) == (OK,)
        assert last[0] == n
    finally:
        assert driver.cuCtxDestroy(other) == (OK,)
    assert driver.cuCtxSetCurrent(context) == (OK,)
    assert driver.cuMemFree(at) == (OK,)


def test_what_a_program_says_of_a_stream_is_read_back(context: object) -> None:
    names, policies = driver.CUstreamAttrID, driver.CUsynchronizationPolicy
    policy = names.CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
    status, stream = driver.cuStreamCreate(0)
    assert status == OK
    value = driver.CUstreamAttrValue()
    for number, expected in ((0, "INVALID_VALUE"), (5, "INVALID_VALUE"), (3, "CUDA_SUCCESS")):
        ctypes.c_int.from_address(value.getPtr()).value = number
        assert driver.cuStreamSetAttribute(stream, policy, value)[0].name.endswith(expected)
    status, other = driver.cuStreamCreate(0)
    assert driver.cuStreamCopyAttributes(other, stream) == (OK,)
    for one in (stream, other):
        status, got = driver.cuStreamGetAttribute(one, policy)
        assert status == OK and got.syncPolicy == policies.CU_SYNC_POLICY_YIELD
    status, got = driver.cuStreamGetAttribute(stream, names.CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP)
    assert status == OK and (got.memSyncDomainMap.default_, got.memSyncDomainMap.remote) == (0, 1)


def test_parameters_that_are_somewhere_already(context: object) -> None:
    source = """extern "C" __global__ void put(unsigned long long *handle, unsigned *size, unsigned long long value) {
        *handle = value; size[0] = 1; size[1] = 2; size[2] = 3;
    }"""
    _, module = driver.cuModuleLoadData(ptx(source))
    _, kernel = driver.cuModuleGetFunction(module, b"put")
    (status, handle), (status_size, size) = driver.cuMemHostAlloc(8, 2), driver.cuMemHostAlloc(12, 2)
    assert status == status_size == OK
    values = (runtime.cudaSurfaceObject_t(_ptr=handle), runtime.dim3(_ptr=size), runtime.cudaSurfaceObject_t(248))
    parameters = (values, (ctypes.c_void_p, ctypes.c_void_p, None))
    assert driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, 0) == driver.cuCtxSynchronize() == (OK,)
    assert int(values[0]) == int(runtime.cudaSurfaceObject_t(_ptr=handle)) == 248
    assert (values[1].x, values[1].y, values[1].z) == (1, 2, 3)
    assert driver.cuMemFreeHost(handle) == driver.cuMemFreeHost(size) == driver.cuModuleUnload(module) == (OK,)


def test_a_program_with_outputs_passed_in(code: bytes) -> None:
    device, made = driver.CUdevice(), driver.CUcontext()
    assert driver.cuInit(0) == (OK,)
    assert driver.cuDeviceGet(device, 0) == (OK,)
    assert driver.cuCtxCreate(made, None, 0, device) == (OK,)
    assert int(made) != 0
    module, kernel = driver.CUmodule(), driver.CUfunction()
    assert driver.cuModuleLoadData(module, code) == (OK,)
    assert driver.cuModuleGetFunction(kernel, module, "saxpy") == (OK,)
    x, y = driver.CUdeviceptr(), driver.CUdeviceptr()
    host = np.arange(64, dtype=np.float32)
    for pointer in (x, y):
        assert driver.cuMemAlloc(pointer, host.nbytes) == (OK,)
        assert driver.cuMemcpyHtoD(pointer, host, host.nbytes) == (OK,)
    assert driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, [np.float32(3), x, y, np.int32(64)], None) == (OK,)
    result = np.zeros_like(host)
    assert driver.cuMemcpyDtoH(result, y, result.nbytes) == (OK,)
    assert np.array_equal(result, 4 * host)
    for pointer in (x, y):
        assert driver.cuMemFree(pointer) == (OK,)
    assert driver.cuCtxDestroy(made) == (OK,)
    program = nvrtc.nvrtcProgram()
    assert nvrtc.nvrtcCreateProgram(program, SAXPY, "saxpy.cu", 0, None, None) == (0,)
    assert int(program) != 0
    assert nvrtc.nvrtcDestroyProgram(program) == (0,)


def test_contexts_are_created_in_every_shape() -> None:
    assert driver.cuInit(0) == (OK,)
    _, device = driver.cuDeviceGet(0)
    made = []
    # With and without parameters of creation, which came with CUDA 13.
    for arguments in ((None, 0, device), (0, device)):
        status, context = driver.cuCtxCreate(*arguments)
        assert status == OK
        made.append(context)
        context = driver.CUcontext()
        assert driver.cuCtxCreate(context, *arguments) == (OK,)
        made.append(context)
    assert len({int(context) for context in made}) == 4 and all(map(int, made))
    for context in reversed(made):
        assert driver.cuCtxDestroy(context) == (OK,)
    status, context = driver.cuCtxCreate(ctxCreateParams=None, flags=0, dev=device)
    assert status == OK and driver.cuCtxDestroy(context) == (OK,)


def test_failures_give_none(context: object) -> None:
    status, device = driver.cuDeviceGet(99)
    assert status == driver.CUresult.CUDA_ERROR_INVALID_DEVICE and device is None
    assert driver.cuGetErrorName(status) == (OK, b"CUDA_ERROR_INVALID_DEVICE")
    assert driver.cuGetErrorString(status) == (OK, b"invalid device ordinal")
    assert "ordinal" in (status.__doc__ or "")
    with pytest.raises(TypeError, match="cuDeviceGet"):
        driver.cuDeviceGet("zero")


def test_handles_are_values() -> None:
    a, b = driver.CUstream(0x123), driver.CUstream(0x456)
    assert a == driver.CUstream(0x123) and a != b
    assert hash(a) == hash(driver.CUstream(0x123)) and len({hash(driver.CUstream(i)) for i in range(1000)}) == 1000
    assert str(driver.CUdeviceptr(7)) == "<CUdeviceptr 7>" and str(a) == "<CUstream 0x123>"
    assert int(driver.CUdeviceptr(2**64 - 1)) == 2**64 - 1
    assert ctypes.c_uint64.from_address(a.getPtr()).value == 0x123
    assert int(driver.CUcontext()) == 0
    # As in NVIDIA's: `device or other` is the device, which may be 0.
    assert driver.CUcontext() and driver.CUdevice(0) and driver.CUhostFn()
    with pytest.raises(OverflowError):
        driver.cuuint32_t(2**32)
    assert int(driver.cuuint64_t(2**64 - 1)) == 2**64 - 1


@pytest.mark.parametrize(
    ("name", "size"),
    # sizeof() of nvcc 13.0 on x86-64.
    [("CUuuid", 16), ("CUDA_MEMCPY3D", 200), ("CUDA_MEMCPY2D", 128), ("CUDA_ARRAY3D_DESCRIPTOR", 40), ("CUtensorMap", 128),
     ("CUlaunchConfig", 56), ("CUlaunchAttribute", 72), ("CUipcMemHandle", 64), ("CUgraphEdgeData", 8), ("CUDA_KERNEL_NODE_PARAMS", 72)],
)  # fmt: skip
def test_records_have_the_size_of_c(name: str, size: int) -> None:
    assert driver.sizeof(getattr(driver, name)) == size


def test_records() -> None:
    config = driver.CUlaunchConfig(gridDimX=4, blockDimX=32)
    assert (config.gridDimX, config.blockDimX, config.sharedMemBytes) == (4, 32, 0)
    handle = driver.CUipcMemHandle_st()
    assert driver.CUipcMemHandle_st is driver.CUipcMemHandle is driver.CUipcMemHandle_v1
    assert handle.reserved == bytes(64)
    for value in (-128, -1, 0, 127, 255):
        handle.reserved = [value] * 64
        assert handle.reserved == bytes([value % 256]) * 64
    with pytest.raises(TypeError):
        handle.reserved = [256]
    value = driver.CUlaunchAttributeValue()
    value.clusterDim.x, value.clusterDim.y, value.clusterDim.z = 2, 3, 4
    attribute = driver.CUlaunchAttribute()
    attribute.value = value
    assert (attribute.value.clusterDim.y, attribute.value.clusterDim.z) == (3, 4)
    frame = driver.CUeglFrame()
    frame.frame.pArray = [driver.CUarray(4), 2, 3]
    assert [int(part) for part in frame.frame.pArray] == [4, 2, 3]


def test_records_are_shown_line_by_line() -> None:
    params = driver.CUDA_KERNEL_NODE_PARAMS_st()
    assert str(params).splitlines()[:2] == ["func : <CUfunction 0x0>", "gridDimX : 0"]
    assert str(driver.CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS()).splitlines()[:6] == [
        "params :", "    fence :", "        value : 0", "    nvSciSync :", "        fence : 0x0", "        reserved : 0"
    ]  # fmt: skip
    assert (
        "gridDimX" in dir(params)
        and "getPtr" in dir(params)
        and "address" not in dir(params)
        and "copy" not in dir(params)
    )
    # In a union nobody knows what is there: no pointer is followed.
    node = driver.CUgraphNodeParams()
    node.conditional.size, node.extSemSignal.extSemArray = 2**31, 64
    assert "phGraph_out" in str(node) and "0x40" in str(node)


def test_pointers_in_records_are_ints_and_lists() -> None:
    copy = driver.CUDA_MEMCPY2D()
    assert copy.srcHost == 0 and copy.srcArray == driver.CUarray()
    room = np.zeros(16, np.uint8)
    copy.srcHost = room
    assert copy.srcHost == room.ctypes.data
    config, attribute = driver.CUlaunchConfig(), driver.CUlaunchAttribute()
    assert config.attrs == []
    attribute.value.cooperative = 1
    config.attrs = [attribute, attribute]
    attribute.value.cooperative = 0
    assert [one.value.cooperative for one in config.attrs] == [1, 1]
    config.attrs[1].value.cooperative = 5
    # Another record at the same place has only the count to go by.
    seen = driver.CUlaunchConfig(_ptr=config.getPtr())
    assert seen.attrs == []
    config.numAttrs = 2
    assert [one.value.cooperative for one in seen.attrs] == [1, 5]
    copied = config.copy()
    del config, seen
    gc.collect()
    assert [one.value.cooperative for one in copied.attrs] == [1, 5]
    copied.attrs = []
    assert copied.attrs == []
    with pytest.raises(TypeError, match=r"attrs\[1\]"):
        copied.attrs = [attribute, 7]
    signal = driver.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS()
    signal.extSemArray = [driver.CUexternalSemaphore(3), 4]
    assert signal.extSemArray == [driver.CUexternalSemaphore(3), driver.CUexternalSemaphore(4)]
    conditional = driver.CUgraphNodeParams().conditional
    conditional.size = 2
    assert conditional.phGraph_out == [driver.CUgraph(), driver.CUgraph()]
    assert driver.CUlaunchConfig() == driver.CUlaunchConfig()
    # Arrays of records are copies, as those of numbers are.
    frame = driver.CUeglFrame()
    frame.frame.pPitch = [1, 2, 3]
    assert frame.frame.pPitch == [1, 2, 3]


def test_values_at_an_address() -> None:
    word = ctypes.c_uint64(0x1234)
    at = ctypes.addressof(word)
    assert int(driver.CUstream(_ptr=at)) == int(driver.CUdeviceptr(_ptr=at)) == int(driver.CUhostFn(_ptr=at)) == 0x1234
    assert int(driver.CUdevice(_ptr=at)) == 0x1234
    # It is passed on by where it is, as a kernel's parameter too.
    assert driver.CUstream(_ptr=at).getPtr() == driver.CUhostFn(_ptr=at).getPtr() == at
    copied = driver.CUstream(driver.CUstream(_ptr=at))
    assert int(copied) == 0x1234 and copied.getPtr() != at
    seen = driver.cuuint64_t(_ptr=at)
    word.value = 5
    assert int(seen) == 5 and seen.getPtr() == at
    assert str(driver.CUhostFn()) == "<CUhostFn 0x0>" and driver.CUDA_HOST_NODE_PARAMS().fn == driver.CUhostFn()
    space = (ctypes.c_uint32 * 2)()
    extent = runtime.dim3
    assert str(extent()) == "x : 1\ny : 1\nz : 1" and (extent(x=4).x, extent(x=4).y) == (4, 1)
    assert runtime.cudaKernelNodeParams().gridDim.z == 1
    offset = driver.CUgraphEdgeData(_ptr=ctypes.addressof(space))
    offset.to_port = 9
    assert space[0] == 9 << 8
    for wrong in ({"_ptr": "x"}, {"_ptr": at, "to_port": 1}, {"_ptr": -1}):
        with pytest.raises((TypeError, OverflowError)):
            driver.CUgraphEdgeData(**wrong)
    with pytest.raises(TypeError, match="to new objects only"):
        driver.CUgraphEdgeData().__init__(_ptr=at)
    with pytest.raises(TypeError, match="not both"):
        driver.CUstream(1, _ptr=at)


def test_values_are_read_where_they_are(context: object) -> None:
    word = ctypes.c_uint64(1)
    at = ctypes.addressof(word)
    stream, pointer, device, callback = (
        kind(_ptr=at) for kind in (driver.CUstream, driver.CUdeviceptr, driver.CUdevice, driver.CUhostFn)
    )
    for value in (2, 0, 0x7000_0010):
        word.value = value
        assert int(stream) == int(pointer) == int(device) == int(callback) == value
        assert (
            stream == driver.CUstream(value)
            and stream != driver.CUstream(value + 1)
            and callback == driver.CUhostFn(value)
        )
        assert hash(stream) == hash(driver.CUstream(value)) and hash(callback) == hash(driver.CUhostFn(value))
        for one in (stream, pointer, device, callback):
            assert repr(one) == repr(type(one)(value)) and one.getPtr() == at
    # A value read from a record stays as it was then, in a list too.
    config, signal = driver.CUlaunchConfig(hStream=stream), driver.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS()
    signal.extSemArray = [driver.CUexternalSemaphore(_ptr=at), driver.CUexternalSemaphore(4)]
    host = driver.CUDA_HOST_NODE_PARAMS()
    host.fn, copied = callback, driver.CUstream(stream)
    word.value = 3
    assert config.hStream == copied == driver.CUstream(0x7000_0010) and host.fn == driver.CUhostFn(0x7000_0010)
    assert signal.extSemArray == [driver.CUexternalSemaphore(0x7000_0010), driver.CUexternalSemaphore(4)]
    word.value = 0x7000_0010
    seen = host.fn
    word.value = 3
    assert int(seen) == 0x7000_0010
    # One of 32 bits is no more than that.
    word.value = 5 << 32
    assert int(device) == 0
    device.__init__(7)
    stream.__init__(_ptr=0)
    word.value = 6
    assert int(device) == 7 and int(stream) == 0 and stream.getPtr() != at and int(pointer) == 6


def test_values_are_passed_from_where_they_are(context: object) -> None:
    # Each call is also made with an ordinary handle, before and after: what is quick for one must not be taken for the
    # other.
    word = ctypes.c_uint64()
    at = ctypes.addressof(word)
    device, stream, callback = (kind(_ptr=at) for kind in (driver.CUdevice, driver.CUstream, driver.CUhostFn))
    wide = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE
    for _ in range(3):
        for value, status in ((0, OK), (99, driver.CUresult.CUDA_ERROR_INVALID_DEVICE)):
            word.value = value
            assert (
                driver.cuDeviceGetAttribute(wide, device)[0]
                == driver.cuDeviceGetAttribute(wide, driver.CUdevice(value))[0]
                == status
            )
        flags = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
        (status, one), (status2, other) = driver.cuStreamCreate(flags), driver.cuStreamCreateWithPriority(0, -1)
        assert status == status2 == OK
        for made in (one, other):
            word.value = int(made)
            assert driver.cuStreamGetFlags(stream) == driver.cuStreamGetFlags(made)
            assert driver.cuStreamGetFlags(stream)[1] == (flags if made is one else 0)
            assert driver.cuStreamDestroy(stream) == (OK,)
        # Null: the default stream.
        word.value = 0
        assert driver.cuStreamSynchronize(stream) == driver.cuStreamSynchronize(driver.CUstream()) == (OK,)
    # An output is written to where it is.
    pointer = driver.CUdeviceptr(_ptr=at)
    assert driver.cuMemAlloc(pointer, 64) == (OK,)
    assert word.value == int(pointer) != 0
    assert driver.cuMemsetD32(pointer, 7, 16) == (OK,)
    host = np.zeros(16, np.uint32)
    assert driver.cuMemcpyDtoH(host, pointer, 64) == (OK,)
    assert (host == 7).all() and driver.cuMemFree(pointer) == (OK,)
    # A function is the one that is there.
    called: list[tuple[str, int]] = []
    functions = [
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda data, name=name: called.append((name, data))) for name in "ab"
    ]
    for function in functions:
        word.value = ctypes.cast(function, ctypes.c_void_p).value or 0
        callback(1)
        assert driver.cuLaunchHostFunc(None, callback, 2) == driver.cuStreamSynchronize(None) == (OK,)
    assert called == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_sizes_of_all_kinds() -> None:
    assert [
        driver.sizeof(getattr(driver, name))
        for name in ("CUdevice", "CUdeviceptr", "CUcontext", "CUhostFn", "cuuint32_t")
    ] == [4, 8, 8, 8, 4]
    assert runtime.sizeof(runtime.dim3) == 12 and nvrtc.sizeof(nvrtc.nvrtcProgram) == 8
    with pytest.raises(TypeError):
        driver.sizeof(int)


def test_enumerations_are_not_flags() -> None:
    assert len(list(driver.CUdevice_attribute)) > 100
    with pytest.raises(ValueError):
        driver.CUctx_flags(3)


def test_floats_are_ints_without_their_fraction(context: object) -> None:
    status, pointer = driver.cuMemAlloc(64.0)
    assert status == OK and driver.cuMemsetD8(pointer, 1.0, 64) == driver.cuMemFree(pointer) == (OK,)
    status, pointer = driver.cuMemAlloc(64)
    assert status == OK
    assert driver.cuMemsetD8(float(int(pointer)), 1, 64) == driver.cuMemFree(np.float64(int(pointer))) == (OK,)
    for wrong in (int(pointer) + 0.5, float("inf"), 2.0**70):
        with pytest.raises((TypeError, OverflowError), match=r"cuMemFree\(\)"):
            driver.cuMemFree(wrong)
    with pytest.raises(TypeError, match="float"):
        driver.cuCtxSetCurrent(0.0)
    status, pointer = driver.cuMemAlloc(64.9)
    assert status == OK and driver.cuMemsetD8(pointer, 1.5, 64.9) == driver.cuMemFree(pointer) == (OK,)
    with pytest.raises(TypeError, match="float"):
        driver.cuMemAlloc(float("nan"))


def test_pointer_attributes(context: object) -> None:
    status, pointer = driver.cuMemAlloc(4096)
    assert status == OK
    attribute = driver.CUpointer_attribute
    wanted = [attribute.CU_POINTER_ATTRIBUTE_CONTEXT, attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
              attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER, attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED]  # fmt: skip
    one_by_one = []
    for each in wanted:
        status, value = driver.cuPointerGetAttribute(each, pointer)
        assert status == OK
        one_by_one.append(value)
    assert one_by_one == [context, driver.CUmemorytype.CU_MEMORYTYPE_DEVICE, pointer, False]
    status, together = driver.cuPointerGetAttributes(len(wanted), wanted, pointer)
    assert status == OK and together == one_by_one
    assert driver.cuMemFree(pointer) == (OK,)


def test_functions_of_a_module(context: object, code: bytes) -> None:
    status, module = driver.cuModuleLoadDataEx(code, 0, [], [])
    assert status == OK
    status, count = driver.cuModuleGetFunctionCount(module)
    assert (status, count) == (OK, 1)
    status, functions = driver.cuModuleEnumerateFunctions(count, module)
    assert status == OK
    assert driver.cuFuncGetName(functions[0]) == (OK, b"saxpy")
    assert driver.cuModuleUnload(module) == (OK,)


def test_jit_options(context: object) -> None:
    log = bytearray(1024)
    option = driver.CUjit_option
    options = [option.CU_JIT_ERROR_LOG_BUFFER, option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
    status, module = driver.cuModuleLoadDataEx(b"this is no PTX", len(options), options, [log, len(log)])
    assert status != OK and module is None
    assert log.rstrip(b"\0")


def test_callbacks_run_on_the_drivers_threads(context: object) -> None:
    called = []
    status, stream = driver.cuStreamCreate(0)
    assert status == OK
    assert driver.cuLaunchHostFunc(stream, lambda data: called.append(int(data)), 0x55) == (OK,)
    assert driver.cuStreamSynchronize(stream) == (OK,)
    assert called == [0x55]

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def raw(data: int) -> None:
        called.append(data)

    assert driver.cuLaunchHostFunc(stream, ctypes.cast(raw, ctypes.c_void_p).value, 0x66) == (OK,)
    assert driver.cuLaunchHostFunc(stream, driver.CUhostFn(ctypes.cast(raw, ctypes.c_void_p).value), 0x77) == (OK,)
    assert driver.cuStreamSynchronize(stream) == (OK,)
    assert called == [0x55, 0x66, 0x77]
    assert driver.cuStreamDestroy(stream) == (OK,)


def test_nvrtc_says_what_it_knows() -> None:
    status, major, minor = nvrtc.nvrtcVersion()
    assert status == 0 and (major, minor) == _native.nvrtc_info()[0]
    status, architectures = nvrtc.nvrtcGetSupportedArchs()
    assert status == 0 and 90 in architectures
    assert nvrtc.nvrtcGetErrorString(nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION) == (0, b"NVRTC_ERROR_COMPILATION")
    assert nvrtc.nvrtcGetLoweredName(None, b"f") == (nvrtc.nvrtcResult.NVRTC_ERROR_INVALID_PROGRAM, None)


def test_threads_that_use_a_module_first_at_once_get_the_same_objects():
    import threading
    import time

    from cuox.cuda.bindings._internal.module import Later, Names

    made = []

    def special(names):
        time.sleep(0.05)
        made.append("special")

        def make():
            time.sleep(0.05)
            made.append("name")
            return object()

        return {"name": Later(make)}

    names, found = Names("cuox.cuda.bindings.nvrtc", lambda symbol: None, "NVRTC", special), []
    threads = [threading.Thread(target=lambda: found.append((names.get("name", {}), names.library))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == ["special", "name"]
    assert len({tuple(map(id, pair)) for pair in found}) == 1 and len(found) == 4


def test_floats_are_integers_in_records() -> None:
    from cuox.cuda.bindings import driver, runtime

    size = runtime.dim3()
    size.x = 8.0
    node = driver.CUDA_KERNEL_NODE_PARAMS(gridDimX=4.0)
    assert (size.x, node.gridDimX) == (8, 4)
    size.x = 1000 / 256
    assert size.x == 3
    for wrong in (float("nan"), float("inf"), "8"):
        with pytest.raises(TypeError, match=r"dim3\.x"):
            size.x = wrong
    with pytest.raises(OverflowError):
        size.x = -1.0
