"""Options, copies, pickles and names of objects, and errors that name the call."""

from __future__ import annotations

import copy
import importlib.metadata
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cuox
import numpy as np
import pytest
from conftest import SAXPY
from cuox import LaunchConfig

TEMPLATE = "template<class T> __global__ void k2(T *p) { *p = 1; } template __global__ void k2<int>(int *); template __global__ void k2<double>(double *);"


def test_unknown_options_are_refused(device: cuox.Device, stream: cuox.Stream) -> None:
    for make in (lambda: device.create_stream(options={"prio": 5}), lambda: device.create_stream(options={5: 5})):
        with pytest.raises(TypeError, match="options: unknown key ('prio'|5); the keys are nonblocking, priority"):
            make()
    for make_event in (lambda: device.create_event({"timing": True}), lambda: stream.record(options={"timing": True})):
        with pytest.raises(
            TypeError, match="options: unknown key 'timing'; the keys are timing_enabled, blocking_sync, ipc_enabled"
        ):
            make_event()
    with pytest.raises(TypeError, match="unexpected keyword argument 'architecture'"):
        cuox.Program(SAXPY, options={"architecture": "sm_90"})
    assert device.create_stream(options={"priority": None}).is_nonblocking
    assert not device.create_stream(options={"nonblocking": False}).is_nonblocking


COPIES = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]


@pytest.mark.parametrize("again", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_copies_and_pickles(device: cuox.Device, stream: cuox.Stream, again: Callable[[object], object]) -> None:
    for config in (
        LaunchConfig(grid=(3, 2), block=(8, 4, 2), shmem_size=512, is_cooperative=True),
        LaunchConfig(grid=4, cluster=2, block=32, programmatic_stream_serialization=True),
    ):
        twin = again(config)
        assert (
            isinstance(twin, LaunchConfig)
            and twin == config
            and hash(twin) == hash(config)
            and repr(twin) == repr(config)
        )
    for options in (
        cuox.ProgramOptions(arch="sm_90", define_macro=[("N", "3")]),
        cuox.StreamOptions(priority=-1),
        cuox.EventOptions(timing_enabled=True),
    ):
        assert again(options) == options
    program = cuox.Program(TEMPLATE, options=cuox.ProgramOptions(name="t.cu", lineinfo=True))
    code = program.compile("ptx", name_expressions=["k2<int>"])
    twin = again(code)
    assert (
        isinstance(twin, cuox.ObjectCode)
        and twin == code
        and hash(twin) == hash(code)
        and twin != cuox.ObjectCode.from_ptx(code.code)
    )
    assert (twin.name, twin.code_type, twin.symbol_mapping, twin.code) == (
        code.name,
        code.code_type,
        code.symbol_mapping,
        code.code,
    )
    kernel = twin.get_kernel("k2<int>")
    cell = device.allocate(4, stream=stream)
    kernel[1, 1, stream](cell)
    result = np.zeros(1, np.int32)
    cell.copy_to_host(result)
    assert result[0] == 1 and kernel.signature == "k2<int>(int *p)"
    other = again(program)
    assert isinstance(other, cuox.Program) and other.name == "t.cu"
    assert other.compile("ptx", name_expressions=["k2<int>"]) == code


@pytest.mark.parametrize(
    "make",
    [lambda d: d.create_stream(), lambda d: d.allocate(4), lambda d: d.create_event()],
    ids=["stream", "buffer", "event"],
)
def test_what_is_on_a_device_is_not_pickled(device: cuox.Device, make: Callable[[cuox.Device], object]) -> None:
    with pytest.raises(TypeError, match="cannot pickle 'cuox.(Stream|Buffer|Event)' object"):
        pickle.dumps(make(device))


def test_modules_without_an_import(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    script = """
    import sys, cuox
    print("cuox.cuda" in sys.modules, cuox.__version__)
    print(cuox.cuda.core.Device is cuox.Device, cuox.cuda.bindings.driver.cuInit.__name__, cuox.cuda.pathfinder.__name__)
    for module in (cuox, cuox.cuda):
        try:
            module.nothing
        except AttributeError as error:
            print(error)
    """
    done = run_script(script)
    assert done.stdout.splitlines() == [
        f"False {cuox.__version__}", "True cuInit cuox.cuda.pathfinder",
        "module 'cuox' has no attribute 'nothing'", "module 'cuox.cuda' has no attribute 'nothing'",
    ], done  # fmt: skip


def test_versions_and_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "cuox", "--version"], capture_output=True, text=True)
    assert done.stdout == f"cuox {cuox.__version__}\n"
    assert (
        "usage: python -m cuox"
        in subprocess.run([sys.executable, "-m", "cuox", "--help"], capture_output=True, text=True).stdout
    )
    try:
        scripts = importlib.metadata.distribution("cuox").entry_points
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("cuox is used from its source tree")
    assert [(script.name, script.value) for script in scripts.select(group="console_scripts")] == [
        ("cuox", "cuox.__main__:main")
    ]


def test_errors_say_what_was_called(device: cuox.Device, stream: cuox.Stream) -> None:
    kernel = cuox.Program(SAXPY).compile("ptx").get_kernel("saxpy")
    unset, timed = device.create_event(), stream.record(options={"timing_enabled": True})
    for call, start in (
        (
            lambda: kernel[1, 100_000, stream](1.0, 0, 0, 0),
            r"launch of saxpy: CUDA_ERROR_INVALID_VALUE \(1, cuLaunchKernel\): ",
        ),
        (
            lambda: device.allocate(1 << 60, stream=stream),
            r"allocate\(\): CUDA_ERROR_OUT_OF_MEMORY \(2, cuMemAllocAsync\): ",
        ),
        (
            lambda: unset - timed,
            r"Both Events must be created with timing enabled .*: event - event: CUDA_ERROR_INVALID_HANDLE \(400, cuEventElapsedTime\)",
        ),
        (
            lambda: cuox.ObjectCode.from_ptx(".version 8.0\n.target sm_80\n.address_size 64\nx\n").get_kernel("k"),
            r"get_kernel\(\): CUDA_ERROR_INVALID_PTX",
        ),
    ):
        with pytest.raises(cuox.CUDAError, match=f"^{start}"):
            call()


def test_a_fault_says_what_was_called(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    script = """
    import cuox
    device = cuox.Device(); stream = device.create_stream()
    source = "template<class T> __global__ void stray(T *p) { *p = 1; }"
    kernel = cuox.Program(source).compile("ptx", name_expressions=["stray<int>"]).get_kernel("stray<int>")
    kernel[1, 1, stream](64)
    for use in (stream.sync, device.sync, device.create_event, lambda: stream.record()):
        try:
            use()
        except cuox.CUDAError as error:
            print(str(error).splitlines()[0])
    """
    lines = run_script(script).stdout.splitlines()
    assert lines[0].startswith("stream.sync(): CUDA_ERROR_ILLEGAL_ADDRESS (700, cuStream"), lines
    assert lines[1].startswith("device.sync(): CUDA_ERROR_ILLEGAL_ADDRESS (700, cuCtxSynchronize"), lines
    assert not any("_Z" in line for line in lines), lines


def test_kernels_are_named_as_in_the_source(device: cuox.Device, stream: cuox.Stream) -> None:
    program = cuox.Program(TEMPLATE)
    code = program.compile("ptx")
    with pytest.raises(cuox.NotFoundError) as caught:
        code.get_kernel("k2<float>")
    start = str(caught.value).split("; k2 is a template")[0]
    assert start in (
        'no kernel "k2<float>"; available: k2<int>, k2<double>',
        'no kernel "k2<float>"; available: k2<double>, k2<int>',
    )
    assert "_Z" not in str(caught.value)
    # Listed options are accepted.
    assert code.get_kernel("k2<int>").signature == "k2<int>(int *p)"
    with pytest.raises(cuox.NotFoundError, match='no kernel "k2<float>"; available: k2<'):
        code.get_kernel("_Z2k2IfEvPT_")
    with pytest.raises(AttributeError, match="has no attribute 'k3' and no such kernel; available: k2<"):
        program.k3
    with pytest.raises(AttributeError, match=r"call compile\(\) before asking for a kernel"):
        cuox.Program(SAXPY).saxpy
    mangled = next(name for name in code.kernel_names if "Ii" in name)
    assert code.get_kernel(mangled) == code.get_kernel("k2<int>")
    with pytest.raises(TypeError, match=r"^k2<int>: parameter 1 .* takes a device pointer, not str$"):
        code.get_kernel(mangled)[1, 1, stream]("x")


def test_a_kernel_that_is_called_without_its_grid(device: cuox.Device) -> None:
    kernel = cuox.Program(SAXPY).compile("ptx").get_kernel("saxpy")
    for call in (lambda: kernel(1.0, 0, 0, 0), lambda: kernel(grid=1), lambda: kernel()):
        with pytest.raises(
            TypeError,
            match=r"saxpy: a kernel is called with its grid and block: kernel\[grid, block\]\(\.\.\.\), or cuox.launch",
        ):
            call()


def test_arguments_of_the_wrong_kind(device: cuox.Device, stream: cuox.Stream) -> None:
    program = cuox.Program(SAXPY)
    code = program.compile("ptx")
    buffer = device.allocate(64, stream=stream)
    occupancy = code.get_kernel("saxpy").occupancy
    for call, message in (
        (lambda: program.compile("ptx", options="-G"), r"compile: options: expected a list of options such as .*, got '-G'"),
        (lambda: program.compile("ptx", options=3), "compile: options: expected a list of options such as .*, got int"),
        (lambda: program.compile(["-G", 3]), "expected a list of options such as .*, got int in it"),
        (lambda: program.compile(3), r'compile: target_type \("ptx", "cubin", "ltoir"\) or options: expected a list of options .*, got int'),
        (lambda: code.get_global(3), "get_global: name: expected a str, got int"),
        (lambda: code.get_kernel(3), "get_kernel: expected a name, got int"),
        (lambda: buffer.copy_to(3), "copy_to: dst: expected a cuox.Buffer or None, got int"),
        (lambda: cuox.Device(0, kind=3), "device kind: expected a str, got int"),
        (lambda: cuox.choose_device(3), "device kind: expected a str, got int"),
        (lambda: cuox.Program(SAXPY, 3), "Program: code_type: expected a str or None, got int"),
        (lambda: cuox.ObjectCode.from_ptx(code.code, name=3), "ObjectCode: name: expected a str or None, got int"),
        (lambda: cuox.ObjectCode.from_ptx(code.code, symbol_mapping="x"), "symbol_mapping: expected a dict of names, got str"),
        (lambda: LaunchConfig(grid=1, block=1, is_cooperative="yes"), "LaunchConfig: is_cooperative: expected a bool, got str"),
        (lambda: LaunchConfig(grid=1, block=1, shmem_size="16"), "LaunchConfig: shmem_size: expected an int, got str"),
        (lambda: LaunchConfig(grid="1", block=1), "LaunchConfig: grid must be an int or a tuple of up to 3 ints, not str"),
        (lambda: occupancy.max_active_blocks_per_multiprocessor("x", 0), "block_size: expected an int, got str"),
        (lambda: cuox.Buffer.from_handle(16, "x"), "size: expected an int, got str"),
        (lambda: device.allocate("x"), "size: expected an int, got str"),
        (lambda: cuox.launch(stream, 3, code.get_kernel("saxpy")), "launch: config: expected a cuox.LaunchConfig, got int"),
        (lambda: cuox.launch(stream, LaunchConfig(grid=1, block=1), code), "launch: kernel: expected a cuox.Kernel, got cuox.ObjectCode"),
        (lambda: cuox.launch(3, LaunchConfig(grid=1, block=1), code.get_kernel("saxpy")), "expected a cuox.Stream or an object with __cuda_stream__, got int"),
        (lambda: buffer.close(1, 2), r"Buffer.close\(\) takes at most 1 positional argument \(2 given\)"),
        (lambda: buffer.copy_from_host(b"", b""), r"Buffer.copy_from_host\(\) takes at most 1 positional argument \(2 given\)"),
        (lambda: cuox.launch(code.get_kernel("saxpy"), LaunchConfig(grid=1, block=1), stream), r"got cuox.Stream: launch\(stream, config, kernel, \*args\)"),
        (lambda: code.get_kernel("saxpy")[1, 1, 5](0), "got int; cuox.Stream.from_handle takes a handle"),
        (lambda: code.get_kernel("saxpy")[1, 1](1.0, x=0, y=0), r"given by position, not as \['x', 'y'\]: saxpy\(float a, const float \*x, float \*y, int n\)"),
        (lambda: cuox.Program(Path("saxpy.cu")), r"expected source code as a str, got pathlib.PosixPath; pass its text: path.read_text\(\)"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=message):
            call()
    with pytest.raises(ValueError, match='begin_building: mode must be "global", "thread_local" or "relaxed", not "3"'):
        device.create_graph_builder().begin_building(3)
    with pytest.raises(ValueError, match=r"'saxpy.cu' is a file's name, not source code: pass its text"):
        cuox.Program("saxpy.cu")
    with pytest.raises(
        AttributeError, match=r'what compile\(\) returns has it: program.compile\("ptx"\).get_kernel\(...\)'
    ):
        cuox.Program(SAXPY).get_kernel("saxpy")
    with pytest.raises(AttributeError, match="no device attribute 'WarpSize'; did you mean 'warp_size'?"):
        device.properties.WarpSize
    with pytest.raises(OverflowError, match="block_size: 4294967296 is out of its range"):
        occupancy.max_active_blocks_per_multiprocessor(1 << 32, 0)
    with pytest.raises(
        cuox.CompileError,
        match=r"^program.compile\(\): NVRTC_ERROR_COMPILATION \(6, nvrtcCompileProgram\), compilation log:\n",
    ):
        cuox.Program("x").compile("ptx")
    with pytest.raises(ValueError, match=r"Device\(999\): CUDA_ERROR_INVALID_DEVICE .*device 999 was asked for; there"):
        cuox.Device(999)
    assert LaunchConfig(grid=1, block=1, is_cooperative=np.bool_(True)).is_cooperative
