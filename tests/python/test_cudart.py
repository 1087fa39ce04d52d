"""cuox's libcudart called as C does, without nvcc: bad arguments of every function, codes and their texts, and which
driver it takes.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cuox import _native
from cuox._internal import cuda_runtime, links

SOFT = _native.choice_report()["chosen"] == "soft"
RUNTIME = links.LIBRARIES / links.RUNTIME
TYPES = Path(__file__).resolve().parents[2] / "crates" / "cuox-cudart" / "src" / "generated"

Run = Callable[..., subprocess.CompletedProcess[str]]

START = f"""
import ctypes
library = ctypes.CDLL({str(RUNTIME)!r})
library.cudaGetErrorName.restype = ctypes.c_char_p
library.cudaGetErrorString.restype = ctypes.c_char_p
def name(code):
    return library.cudaGetErrorName(code).decode()
"""


def codes() -> list[tuple[int, str]]:
    return [(int(code), name) for code, name in re.findall(r'\((\d+), c"(\w+)"\)', (TYPES / "results.rs").read_text())]


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    cuda_runtime.use_driver()
    library = ctypes.CDLL(str(RUNTIME))
    for function in (library.cudaGetErrorName, library.cudaGetErrorString):
        function.restype = ctypes.c_char_p
    return library


def test_every_code_has_a_name_and_words(library: ctypes.CDLL) -> None:
    assert len(codes()) == 134
    for code, name in codes():
        assert library.cudaGetErrorName(code).decode() == name
        words = library.cudaGetErrorString(code).decode()
        assert words and words != "unrecognized error code", name
    for code in (10, 99, 1000, -1, 2**31 - 1):
        assert library.cudaGetErrorName(code) == library.cudaGetErrorString(code) == b"unrecognized error code"


def test_codes_are_those_of_nvidia(library: ctypes.CDLL) -> None:
    """NVIDIA's library answers these without a driver."""
    try:
        path, _ = _native.find_library("cudart")
    except Exception:
        pytest.skip("needs the package nvidia-cuda-runtime")
    other = ctypes.CDLL(str(path))
    other.cudaGetErrorName.restype = other.cudaGetErrorString.restype = ctypes.c_char_p
    words = {}
    for code in itertools.chain(range(1100), (10000,)):
        assert library.cudaGetErrorName(code) == other.cudaGetErrorName(code)
        if library.cudaGetErrorString(code) != other.cudaGetErrorString(code):
            words[code] = (library.cudaGetErrorString(code), other.cudaGetErrorString(code))
    # The driver's descriptions, of which some are in other words.
    common = {
        0,
        1,
        2,
        3,
        4,
        9,
        13,
        17,
        18,
        21,
        35,
        98,
        100,
        101,
        200,
        201,
        209,
        218,
        400,
        500,
        600,
        700,
        701,
        702,
        716,
        719,
        720,
        800,
        801,
        999,
    }
    assert not common & set(words), words


def functions() -> list[tuple[str, list[str]]]:
    """Each function of the header's table, with the types of its parameters in Rust."""
    text = (TYPES / "functions.rs").read_text()
    found = re.findall(r"^\s+fn (\w+)\[[^\]]*\]\((.*)\) -> (.*);$", text, re.MULTILINE)
    return [
        (symbol, [part.split(": ", 1)[1] for part in parameters.split(", ")] if parameters else [])
        for symbol, parameters, _ in found
    ]


def passed_by_value(kind: str) -> bool:
    return kind.rsplit("::", 1)[-1] in {
        "dim3",
        "cudaExtent",
        "cudaPitchedPtr",
        "cudaMemLocation",
        "cudaIpcMemHandle_t",
        "cudaIpcEventHandle_t",
        "cudaPos",
    }


# They end the process's context, wait for something, or take words from their first argument.
APART = {"cudaDeviceReset", "cudaGetErrorName", "cudaGetErrorString", "cudaCreateChannelDesc"}


def test_the_table_is_whole(library: ctypes.CDLL) -> None:
    found = functions()
    assert len(found) == 380
    for symbol, _ in found:
        assert getattr(library, symbol)


@pytest.mark.parametrize("value", [0, 1, 8, -1])
def test_senseless_arguments_are_refused(run_script: Run, value: int) -> None:
    """Nulls in place of pointers; numbers and handles that mean nothing. The driver under test is this project's, or
    one that may crash by itself.
    """
    if not SOFT and value:
        pytest.skip("NVIDIA's driver looks into handles")
    calls = []
    for symbol, kinds in functions():
        if symbol in APART or any(passed_by_value(kind) for kind in kinds):
            continue
        # A pointer to what the function reads or writes, or to a function, is null; all else is the value.
        calls.append((symbol, [0 if re.search(r"^\*|(Fn|[cC]allback)(_t)?$", kind) else value for kind in kinds]))
    script = (
        START
        + f"""
known = {dict(codes())!r}
library.cudaFree(None)
for symbol, values in {calls!r}:
    function = getattr(library, symbol)
    function.restype = ctypes.c_int
    print(symbol, flush=True)
    code = function(*[ctypes.c_void_p(value) for value in values])
    assert code in known, (symbol, code)
    if not symbol.startswith(("cudaGetLast", "cudaPeek")):
        last = library.cudaGetLastError()
        assert last == code, (symbol, code, last)
print("all")
"""
    )
    ended = run_script(script, CUOX_SOFT_MEMORY="1G")
    assert ended.returncode == 0 and ended.stdout.endswith("all\n"), ended.stdout[-300:] + ended.stderr[-2000:]


@pytest.mark.skipif(not SOFT, reason="NVIDIA's driver looks into handles")
def test_handles_that_are_none(run_script: Run) -> None:
    """A handle that never was one, where every other argument is right."""
    script = (
        START
        + """
room = ctypes.create_string_buffer(4096)
bad = [ctypes.c_void_p(value) for value in (3, 0x1000, 0x7fff_ffff_f000, ctypes.addressof(room))]
expect = {}
library.cudaFree(None)
one, size = ctypes.c_int(1), ctypes.c_size_t(4)
for handle in bad:
    for symbol, arguments in {
        "cudaStreamSynchronize": [handle],
        "cudaStreamQuery": [handle],
        "cudaStreamDestroy": [handle],
        "cudaStreamGetFlags": [handle, room],
        "cudaStreamGetId": [handle, room],
        "cudaStreamWaitEvent": [None, handle, 0],
        "cudaEventRecord": [handle, None],
        "cudaEventQuery": [handle],
        "cudaEventSynchronize": [handle],
        "cudaEventDestroy": [handle],
        "cudaMemsetAsync": [room, 0, size, handle],
        "cudaFuncGetAttributes": [room, handle],
        "cudaFuncSetAttribute": [handle, 8, 0],
        "cudaLibraryUnload": [handle],
        "cudaLibraryGetKernelCount": [room, handle],
        "cudaMemPoolDestroy": [handle],
        "cudaGetKernel": [room, handle],
        "cudaGetSymbolAddress": [room, handle],
    }.items():
        code = getattr(library, symbol)(*arguments)
        assert name(code) in {"cudaErrorInvalidResourceHandle", "cudaErrorInvalidValue", "cudaErrorInvalidDeviceFunction", "cudaErrorInvalidSymbol", "cudaErrorContextIsDestroyed"}, (symbol, handle, name(code))
        assert library.cudaGetLastError() == code
print("all")
"""
    )
    ended = run_script(script)
    assert ended.returncode == 0 and ended.stdout.endswith("all\n"), ended.stdout[-300:] + ended.stderr[-2000:]


def test_registration_of_nonsense(run_script: Run) -> None:
    """The functions that code of nvcc's calls before `main`, out of order and with nulls."""
    script = (
        START
        + """
for function in (library.__getattr__("__cudaRegisterFatBinary"),):
    function.restype = ctypes.c_void_p
register = getattr(library, "__cudaRegisterFatBinary")
garbage = ctypes.create_string_buffer(b"no wrapper at all" * 10)
handle = ctypes.c_void_p(register(garbage))
function = ctypes.c_int(0)
register_function = getattr(library, "__cudaRegisterFunction")
register_function(None, ctypes.byref(function), None, b"nothing", -1, None, None, None, None, None)
register_function(handle, ctypes.byref(function), None, None, -1, None, None, None, None, None)
register_function(handle, ctypes.byref(function), None, b"kernel", -1, None, None, None, None, None)
getattr(library, "__cudaRegisterVar")(handle, ctypes.byref(ctypes.c_int()), None, None, 0, ctypes.c_size_t(4), 0, 0)
getattr(library, "__cudaRegisterManagedVar")(handle, None, None, b"managed", 0, ctypes.c_size_t(4), 0, 0)
getattr(library, "__cudaRegisterFatBinaryEnd")(handle)
kernel = ctypes.c_void_p()
get_kernel = getattr(library, "__cudaGetKernel")
assert name(get_kernel(None, ctypes.byref(function))) == "cudaErrorInvalidValue"
assert name(get_kernel(ctypes.byref(kernel), None)) == "cudaErrorInvalidDeviceFunction"
assert get_kernel(ctypes.byref(kernel), ctypes.byref(function)) == 0 and kernel.value

class dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

one = dim3(1, 1, 1)
launch = getattr(library, "__cudaLaunchKernel")
for _ in range(2):
    code = launch(kernel, one, one, None, ctypes.c_size_t(0), None)
    assert name(code) in ("cudaErrorInvalidKernelImage", "cudaErrorInvalidValue", "cudaErrorNoKernelImageForDevice", "cudaErrorInvalidSource"), name(code)
    assert library.cudaGetLastError() == code
for bad in (None, ctypes.c_void_p(8), ctypes.c_void_p(ctypes.addressof(garbage))):
    wanted = "cudaErrorInvalidDeviceFunction" if bad is None else "cudaErrorInvalidResourceHandle"
    assert name(launch(bad, one, one, None, ctypes.c_size_t(0), None)) == wanted
getattr(library, "__cudaUnregisterFatBinary")(handle)
getattr(library, "__cudaUnregisterFatBinary")(handle)
getattr(library, "__cudaUnregisterFatBinary")(None)
assert name(launch(kernel, one, one, None, ctypes.c_size_t(0), None)) == "cudaErrorInvalidResourceHandle"
assert getattr(library, "__cudaInitModule")(handle) & 0xFF == 0  # a char

push, pop = getattr(library, "__cudaPushCallConfiguration"), getattr(library, "__cudaPopCallConfiguration")
grid, block, shared, stream = dim3(), dim3(), ctypes.c_size_t(), ctypes.c_void_p()
out = [ctypes.byref(grid), ctypes.byref(block), ctypes.byref(shared), ctypes.byref(stream)]
assert name(pop(*out)) == "cudaErrorMissingConfiguration"
depth = 0
while not push(dim3(depth + 1, 2, 3), one, ctypes.c_size_t(7), ctypes.c_void_p(9)):
    depth += 1
    assert depth < 10000
assert depth >= 8 and name(library.cudaGetLastError()) == "cudaErrorLaunchMaxDepthExceeded"
for left in range(depth, 0, -1):
    assert pop(*out) == 0 and (grid.x, grid.y, shared.value, stream.value) == (left, 2, 7, 9)
assert name(pop(None, None, None, None)) == "cudaErrorMissingConfiguration"
print("all")
"""
    )
    ended = run_script(script)
    assert ended.returncode == 0 and ended.stdout.endswith("all\n"), ended.stdout[-300:] + ended.stderr[-2000:]


def test_functions_that_are_not_supported_are_named_once(run_script: Run) -> None:
    script = (
        START
        + """
for _ in range(3):
    assert name(library.cudaGLSetGLDevice(0)) == "cudaErrorNotSupported"
    assert name(library.cudaGetLastError()) == "cudaErrorNotSupported"
"""
    )
    ended = run_script(script, CUOX_LOG="1")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.splitlines() == ["cuox runtime: cudaGLSetGLDevice is not supported"]
    assert run_script(script, CUOX_LOG="0").stderr == ""


def test_the_driver_of_the_process_is_taken(run_script: Run) -> None:
    """`cuox` and a library of the user's have one context between them."""
    script = f"""
import ctypes, os, cuox
from cuox._internal import cuda_runtime, links
from cuox.cuda.bindings import driver
device = cuox.Device()
device.set_current()
library = ctypes.CDLL({str(RUNTIME)!r})
memory = ctypes.c_void_p()
assert library.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(64)) == 0
assert library.cudaMemset(memory, 5, ctypes.c_size_t(64)) == 0
status, kind = driver.cuPointerGetAttribute(driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory.value)
assert status == 0 and kind == driver.CUmemorytype.CU_MEMORYTYPE_DEVICE, (status, kind)
assert library.cuoxUseDriver(os.fsencode(cuox._native.driver_path())) == 0
print("one driver")
"""
    ended = run_script(script)
    assert ended.stdout == "one driver\n", ended.stderr


def test_another_driver_cannot_be_chosen_later(run_script: Run) -> None:
    script = (
        START
        + """
assert name(library.cuoxUseDriver(None)) == "cudaErrorInvalidValue"
assert name(library.cuoxUseDriver(b"/nowhere/libcuda.so.1")) == "cudaSuccess"
count = ctypes.c_int(7)
assert name(library.cudaGetDeviceCount(ctypes.byref(count))) == "cudaErrorInsufficientDriver" and count.value == 0
version = ctypes.c_int(7)
assert library.cudaDriverGetVersion(ctypes.byref(version)) == 0 and version.value == 0
assert name(library.cuoxUseDriver(b"/elsewhere/libcuda.so.1")) == "cudaErrorSetOnActiveProcess"
assert name(library.cudaFree(None)) == "cudaErrorInsufficientDriver"
"""
    )
    ended = run_script(script)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.skipif(not SOFT, reason="about finding the software GPU")
@pytest.mark.parametrize(
    "environment", [{}, {"CUOX_DEVICE": "soft"}, {"CUOX_DEVICE": "soft", "CUOX_SOFT_LIBRARY": "given"}]
)
def test_the_software_gpu_is_found(run_script: Run, tmp_path: Path, environment: dict[str, str]) -> None:
    """Also through links in other folders."""
    link = tmp_path / "libcudart.so"
    link.symlink_to(RUNTIME)
    if "CUOX_SOFT_LIBRARY" in environment:
        environment = {**environment, "CUOX_SOFT_LIBRARY": str(RUNTIME.with_name("libcuda.so.1"))}
    script = (
        START.replace(str(RUNTIME), str(link))
        + """
properties = ctypes.create_string_buffer(4096)
assert library.cudaGetDeviceProperties(properties, 0) == 0
print(properties.value.decode())
"""
    )
    if not environment and shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU, which goes first")
    assert run_script(script, **environment).stdout == "cuox software GPU\n"


@pytest.mark.skipif(not SOFT, reason="about a machine without a GPU")
def test_no_gpu_where_one_is_asked_for(run_script: Run) -> None:
    if shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU")
    ended = run_script(START + "print(name(library.cudaFree(None)))", CUOX_DEVICE="gpu", CUOX_LOG="1")
    assert ended.stdout == "cudaErrorInsufficientDriver\n"
    assert ended.stderr == "cuox runtime: no libcuda.so.1 was found\n"


def test_a_closed_standard_error_harms_nothing() -> None:
    script = START + "import os; os.close(2); print(name(library.cudaSetDevice(-1)))"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "CUOX_LOG": "runtime"},
        check=False,
    )
    assert ended.stdout == "cudaErrorInvalidDevice\n"
