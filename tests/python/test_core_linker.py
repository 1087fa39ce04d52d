"""`cuda.core.Linker`: functions in one piece of code that another one calls."""

from __future__ import annotations

import cuox
import pytest
from cuox.cuda.bindings import nvjitlink
from cuox.cuda.core import Linker, LinkerOptions, ObjectCode, Program, ProgramOptions

CALLER = 'extern __device__ int base(); extern "C" __global__ void fill(int *out, int more) { *out = base() + more; }'
CALLED = "__device__ int base() { return 40; }"


def compiled(source: str) -> ObjectCode:
    return Program(source, "c++", ProgramOptions(relocatable_device_code=True)).compile("ptx")


@pytest.fixture(scope="module")
def pieces() -> tuple[ObjectCode, ObjectCode]:
    cuox.Device().set_current()
    return compiled(CALLER), compiled(CALLED)


@pytest.mark.parametrize("options", [None, {"name": "joined", "optimization_level": 3}, LinkerOptions(lineinfo=True)])
def test_functions_of_another_piece_are_called(pieces: tuple[ObjectCode, ObjectCode], options: object) -> None:
    linker = Linker(*pieces, options=options)  # type: ignore[arg-type]
    assert not linker.is_closed and int(linker.handle) and linker.which_backend() in repr(linker)
    code = linker.link("cubin")
    linker.close()
    linker.close()
    assert linker.is_closed and linker.handle == 0 and isinstance(linker.get_error_log(), str)
    assert code.name == ("joined" if isinstance(options, dict) else "<default linker>")
    assert code.code_type == ("fatbin" if cuox.Device().is_soft else "cubin")
    out = cuox.zeros(1, "i4")
    code.get_kernel("fill")[1, 1](out, 2)
    assert out.to_host().tolist() == [42]


def test_what_a_linker_does_not_take(pieces: tuple[ObjectCode, ObjectCode]) -> None:
    with pytest.raises(ValueError, match="At least one ObjectCode"):
        Linker()
    with pytest.raises(TypeError, match=r"expected cuox.ObjectCode objects, got str"):
        Linker("code")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="options: expected LinkerOptions, a dict or None, got int"):
        Linker(*pieces, options=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Unsupported target type: ltoir"):
        Linker(*pieces).link("ltoir")
    with pytest.raises((cuox.CUDAError, nvjitlink.nvJitLinkError)):
        Linker(ObjectCode.from_ptx(b"nothing of PTX")).link("cubin")
    linker = Linker(*pieces)
    linker.close()
    with pytest.raises(RuntimeError, match="it is closed"):
        linker.link("cubin")


def test_options_of_nvjitlink_alone(pieces: tuple[ObjectCode, ObjectCode]) -> None:
    options = LinkerOptions(arch="sm_90", time=True, ftz=True, kernels_used=["a", "b"], split_compile=0)
    assert options._prepare_nvjitlink_options() == [
        "-arch=sm_90",
        "-time",
        "-split-compile=0",
        "-ftz=true",
        "-kernels-used=a",
        "-kernels-used=b",
    ]
    with pytest.raises(ValueError, match="only supports 'nvjitlink' backend"):
        options.as_bytes("driver")
    with pytest.warns(DeprecationWarning, match="numba_debug has no effect"):
        LinkerOptions(numba_debug=True)
    if Linker.which_backend() == "nvJitLink":
        assert options.as_bytes()[0] == b"-arch=sm_90"
        return
    with pytest.raises(RuntimeError, match="nvJitLink backend is not available"):
        options.as_bytes()
    with pytest.raises(ValueError, match="time option is not supported by the driver API"):
        Linker(*pieces, options=options)
    with pytest.raises(ValueError, match="arch: the driver has no 'sm_1'"):
        Linker(*pieces, options={"arch": "sm_1"})
    assert Linker(*pieces).link("ptx").code_type != "ptx"
    with pytest.warns(DeprecationWarning, match="ftz option is deprecated"):
        Linker(*pieces, options={"ftz": True}).close()
