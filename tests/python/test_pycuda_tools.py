"""`cuox.pycuda.tools` and `cuox.pycuda.compyte`: C types, declarations, layouts, memoisation, contexts, occupancy,
pools.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import cuox
import cuox.pycuda.autoinit
import numpy as np
import pytest
from cuox.pycuda import _cluda, driver, tools
from cuox.pycuda.compiler import SourceModule
from cuox.pycuda.compyte import array, dtypes


@pytest.mark.parametrize(
    ("declaration", "kind", "dtype", "name", "letter"),
    [
        ("float x", tools.ScalarArg, "f4", "x", "f"),
        ("float *x", tools.VectorArg, "f4", "x", "P"),
        ("const float* __restrict__ x", tools.VectorArg, "f4", "x", "P"),
        ("volatile double x[16]", tools.VectorArg, "f8", "x", "P"),
        ("double *const x", tools.VectorArg, "f8", "x", "P"),
        ("int **x", tools.VectorArg, "i4", "x", "P"),
        ("unsigned n", tools.ScalarArg, "u4", "n", "I"),
        ("unsigned  long\tlong n", tools.ScalarArg, "u8", "n", "L"),
        ("long int n", tools.ScalarArg, "i8", "n", "l"),
        ("unsigned char c", tools.ScalarArg, "u1", "c", "B"),
        ("signed char c", tools.ScalarArg, "i1", "c", "b"),
        ("short unsigned int s", tools.ScalarArg, "u2", "s", "H"),
        ("bool b", tools.ScalarArg, "?", "b", "?"),
        ("pycuda::complex<float> *z", tools.VectorArg, "c8", "z", "P"),
        ("pycuda::complex<double> constant_", tools.ScalarArg, "c16", "constant_", "D"),
    ],
)
def test_declarations(declaration: str, kind: type, dtype: str, name: str, letter: str) -> None:
    argument = tools.parse_c_arg(declaration)
    assert (type(argument), argument.dtype, argument.name, argument.struct_char) == (
        kind,
        np.dtype(dtype),
        name,
        letter,
    )
    assert tools.get_arg_type(declaration) == letter
    # What it declares is the same argument.
    again = tools.parse_c_arg(argument.declarator())
    assert (type(again), again.dtype, again.name) == (kind, np.dtype(dtype), name)
    assert repr(argument) == f"{kind.__name__}({name!r}, {np.dtype(dtype)})"


@pytest.mark.parametrize("declaration", ["", "x", "float", "*x", "float 1", "float x y()"])
def test_what_declares_nothing_is_an_error(declaration: str) -> None:
    with pytest.raises(ValueError, match="declaration|unknown type"):
        tools.parse_c_arg(declaration)


def test_types_that_nobody_knows_are_named() -> None:
    with pytest.raises(ValueError, match="unknown type 'Particle'"):
        tools.parse_c_arg("Particle *p")
    with pytest.raises(ValueError, match="complex256|longdouble|float128"):
        tools.dtype_to_ctype(np.longdouble)
    with pytest.raises(ValueError, match="None"):
        tools.dtype_to_ctype(None)


def test_names_of_types() -> None:
    names = {
        "?": "bool",
        "i1": "signed char",
        "u1": "unsigned char",
        "i2": "short",
        "u2": "unsigned short",
        "i4": "int",
        "u4": "unsigned",
    }
    names |= {
        "i8": "long",
        "u8": "unsigned long",
        "f4": "float",
        "f8": "double",
        "c8": "pycuda::complex<float>",
        "c16": "pycuda::complex<double>",
    }
    assert {dtype: tools.dtype_to_ctype(dtype) for dtype in names} == names
    assert tools.dtype_to_ctype(np.float32, with_fp_tex_hack=True) == "fp_tex_float"
    assert tools.dtype_to_ctype(np.complex128, with_fp_tex_hack=True) == "fp_tex_cdouble"
    assert tools.dtype_to_ctype(np.int32, with_fp_tex_hack=True) == "int"


def test_structures_are_registered() -> None:
    registry = dtypes.DTypeRegistry()
    pair = np.dtype([("a", "i4"), ("b", "f4")])
    assert registry.get_or_register_dtype(["Pair", "struct Pair"], pair) == pair
    assert registry.get_or_register_dtype("Pair") == pair and registry.dtype_to_ctype(pair) == "Pair"
    # A further name for a dtype does not replace the first.
    registry.get_or_register_dtype("Two", pair)
    assert registry.dtype_to_ctype(pair) == "Pair" and registry.name_to_dtype["Two"] == pair
    with pytest.raises(RuntimeError, match="'Pair' is already registered"):
        registry.get_or_register_dtype(["Other", "Pair"], np.dtype("i4"))
    assert "Other" not in registry.name_to_dtype
    with pytest.raises(dtypes.TypeNameNotKnown, match="'Nothing'"):
        registry.get_or_register_dtype("Nothing")
    argument = dtypes.parse_c_arg_backend("const Pair *p", tools.ScalarArg, tools.VectorArg, registry)
    assert argument.dtype == pair
    assert tools.ScalarArg(pair, "p").struct_char == "8s"
    with pytest.warns(DeprecationWarning), pytest.raises(RuntimeError, match="already registered as 'float'"):
        dtypes.register_dtype(np.float32, "real")


def test_other_sets_of_types() -> None:
    registry = dtypes.DTypeRegistry()
    dtypes.fill_registry_with_c99_stdint_types(registry)
    dtypes.fill_registry_with_c99_complex_types(registry)
    assert (registry.dtype_to_ctype("u8"), registry.dtype_to_ctype("c8")) == ("uint64_t", "float complex")
    registry = dtypes.DTypeRegistry()
    dtypes.fill_registry_with_opencl_c_types(registry)
    assert (registry.dtype_to_ctype("u8"), registry.dtype_to_ctype("i1")) == ("ulong", "char")


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (4, 1, 5), (2, 0, 3), (1, 1)])
def test_strides_are_those_of_numpy(shape: tuple[int, ...]) -> None:
    for order, strides in (("C", array.c_contiguous_strides), ("F", array.f_contiguous_strides)):
        host = np.empty(shape, "f8", order=order)
        flags = array.ArrayFlags(host)
        assert (flags.c_contiguous, flags.f_contiguous, flags.forc) == (
            host.flags.c_contiguous,
            host.flags.f_contiguous,
            host.flags.forc,
        )
        if host.size:
            assert array.equal_strides(strides(8, shape), host.strides, shape)
    assert "C_CONTIGUOUS : True" in str(array.ArrayFlags(np.empty(shape)))


def test_gaps_are_not_contiguous() -> None:
    flags = array.ArrayFlags(np.empty((4, 6))[:, ::2])
    assert not flags.forc and not array.equal_strides((8,), (8, 8), (1,))
    assert array.as_strided(np.arange(4), (2, 2), (8, 8)).tolist() == [[0, 1], [1, 2]]


def test_common_dtypes() -> None:
    single, double = np.zeros(1, "f4"), np.zeros(1, "f8")
    assert array.get_common_dtype(single, double, True) == np.float64
    assert array.get_common_dtype(single, double, False) == np.float32
    assert array.get_common_dtype(single, 2.0, True) == np.float32
    assert array.get_common_dtype(double, 1j, False) == np.complex64


def test_results_are_kept_for_the_context() -> None:
    calls = []

    @tools.context_dependent_memoize
    def add(a: int, b: int = 0) -> int:
        calls.append((a, b))
        return a + b

    assert [add(1), add(1), add(1, b=2), add(1, b=2), add(1, 2)] == [1, 1, 3, 3, 3]
    assert calls == [(1, 0), (1, 2), (1, 2)]
    tools.clear_context_caches()
    assert add(1) == 1 and len(calls) == 4
    assert add.__name__ == "add"
    with pytest.raises(TypeError):
        add([])  # type: ignore[arg-type]


@tools.mark_cuda_test
@pytest.mark.parametrize("value", [3])
def test_marked_tests_get_a_context(value: int, tmp_path: Path) -> None:
    assert value == 3 and tmp_path.is_dir()
    assert driver.Context.get_current() is not None


def test_a_failure_leaves_a_marked_test_and_drops_its_context() -> None:
    before = driver.Context.get_current()

    @tools.mark_cuda_test
    def fails() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fails()
    assert driver.Context.get_current() == before


@pytest.fixture
def context() -> Iterator[None]:
    yield from tools.init_cuda_context_fixture()


def test_the_fixture_makes_a_context(context: None) -> None:
    assert driver.Context.get_device().name() == cuox.Device().name


def test_the_device_is_chosen_by_environment_and_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[object] = []

    def make(device: driver.Device) -> str:
        made.append(device)
        return "made"

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CUDA_DEVICE", "0")
    assert tools.make_default_context(make) == "made" and len(made) == 1
    monkeypatch.setenv("CUDA_DEVICE", "first")
    with pytest.raises(driver.RuntimeError, match="CUDA_DEVICE must be a number from 0 to .*, got 'first'"):
        tools.make_default_context(make)
    monkeypatch.delenv("CUDA_DEVICE")
    (tmp_path / ".cuda_device").write_text("zero\n")
    with pytest.raises(driver.RuntimeError, match="cuda_device must be"):
        tools.make_default_context(make)
    (tmp_path / ".cuda_device").write_text("0\n")
    assert tools.make_default_context(make) == "made"
    (tmp_path / ".cuda_device").unlink()
    assert tools.make_default_context(make) == "made" and len(made) == 3

    def fail(device: driver.Device) -> None:
        raise driver.Error("is taken")

    with pytest.raises(driver.RuntimeError, match="can be used: is taken"):
        tools.make_default_context(fail)
    with pytest.warns(DeprecationWarning):
        assert tools.get_default_device().name() == driver.Device(0).name()


def test_occupancy_is_what_the_driver_says() -> None:
    data = tools.DeviceData()
    source = 'extern "C" __global__ void k(float *p) { extern __shared__ float s[]; s[threadIdx.x % 2] = p[0]; __syncthreads(); p[1] = s[0]; }'
    kernel = cuox.Program(source).compile("cubin").get_kernel("k")
    registers = kernel.attributes.num_regs
    for threads in (1, 32, 33, 96, 128, 200, 256, 512, 1000, 1024):
        for shared in (0, 8, 1000, 1024, 5000, 20000, 49152):
            record = tools.OccupancyRecord(data, threads, shared, registers)
            assert record.tb_per_mp == kernel.occupancy.max_active_blocks_per_multiprocessor(threads, shared), (
                threads,
                shared,
                registers,
            )
            assert record.occupancy == record.warps_per_mp / data.warps_per_mp
    assert tools.OccupancyRecord(data, 32, 49152).limited_by == "smem"
    assert tools.OccupancyRecord(data, 1024).limited_by == "warps"
    assert tools.OccupancyRecord(data, 256, registers=255).limited_by == "regs"
    for wrong, text in (
        ((0,), "at least 1"),
        ((2048,), "threads"),
        ((1024, 0, 128), "registers"),
        ((32, 10**6), "shared memory"),
    ):
        with pytest.raises(ValueError, match=text):
            tools.OccupancyRecord(data, *wrong)


def test_alignment() -> None:
    data = tools.DeviceData()
    assert (data.align(65), data.align(65, 8), data.align_dtype(3, 4), data.align_words(16), data.coalesce(17)) == (
        128,
        128,
        16,
        8,
        32,
    )
    assert [data.make_valid_tex_channel_count(size) for size in (1, 2, 3, 4)] == [1, 2, 4, 4]
    with pytest.raises(ValueError, match="4, 8 or 16"):
        data.align_bytes(3)
    with pytest.raises(ValueError, match="4 channels"):
        data.make_valid_tex_channel_count(5)


def test_a_pool_that_tells_what_it_allocates() -> None:
    log = io.StringIO()
    pool = tools.DebugMemoryPool(interactive=False, logfile=log)
    kept = pool.allocate(1000)
    pool.allocate(2000)
    text = log.getvalue()
    assert "Allocation of size 1000" in text and "Allocation of size 2000" in text
    assert "test_a_pool_that_tells_what_it_allocates" in text and "(1000 bytes): 1x" in text
    assert pool.active_blocks == 1 and len(pool.blocks) == 1
    del kept
    assert pool.active_blocks == 0 and len(pool.blocks) == 0


def test_a_pool_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "a place", "", ""])
    monkeypatch.setattr("builtins.input", lambda text: next(answers))
    log = io.StringIO()
    pool = tools.DebugMemoryPool(logfile=log)
    for _ in range(2):
        pool.allocate(100)
    assert log.getvalue().count("at: a place") == 2 and "Stack" not in log.getvalue() and next(answers, None) is None


def test_names_of_the_driver_are_found_here() -> None:
    assert [tools.bitlog2(n) for n in (1, 2, 3, 1023, 1024)] == [0, 1, 1, 9, 10]
    for name in ("DeviceMemoryPool", "PageLockedMemoryPool", "PageLockedAllocator"):
        assert isinstance(getattr(tools, name), type)
    with pytest.raises(AttributeError, match="no_such_name"):
        tools.no_such_name


def test_cluda_macros_compile() -> None:
    source = (
        _cluda.CLUDA_PREAMBLE
        + "KERNEL void k(GLOBAL_MEM int *p) { p[LID_0 + LDIM_0 * GID_0] = LDIM_0 + GDIM_0; local_barrier(); }"
    )
    assert SourceModule(source, no_extern_c=True).get_function("k") is not None


def test_compyte_needs_no_driver(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = run_script(
        "import sys; import cuox.pycuda.compyte.dtypes, cuox.pycuda.compyte.array; print('cuox.pycuda.driver' in sys.modules)"
    )
    assert done.stdout.strip() == "False", done.stderr
