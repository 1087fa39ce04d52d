"""cuox.cuda.bindings.nvfatbin: fat binaries of PTX and cubins. Skipped where the package nvidia-nvfatbin is not
installed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import nvfatbin, nvrtc

try:
    nvfatbin.version()
except cuox.NotFoundError as error:
    pytest.skip(str(error), allow_module_level=True)

SOURCE = 'extern "C" __global__ void put(int *p) { p[threadIdx.x] = 7 * threadIdx.x; }'


@pytest.fixture
def handle() -> Iterator[int]:
    made = nvfatbin.create([], 0)
    yield made
    nvfatbin.destroy(made)


def ptx_for(arch: str) -> bytes:
    return bytes(cuox.Program(SOURCE, options=cuox.ProgramOptions(arch=arch)).compile("ptx"))


def cubin_for(arch: str) -> bytes:
    program = nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"put.cu", 0, [], [])[1]
    assert int(nvrtc.nvrtcCompileProgram(program, 1, [f"-arch={arch}".encode()])[0]) == 0
    cubin = nvrtc.nvrtcGetCUBIN(program, nvrtc.nvrtcGetCUBINSize(program)[1])[1]
    nvrtc.nvrtcDestroyProgram(program)
    return cubin


def test_version_and_names() -> None:
    major, minor = nvfatbin.version()
    assert major >= 12 and minor >= 0
    names = {member.name.removeprefix("NVFATBIN_"): int(member) for member in nvfatbin._call.library["nvFatbinResult"]}
    assert {member.name: int(member) for member in nvfatbin.Result} == names
    for member in nvfatbin.Result:
        assert nvfatbin.get_error_string(member)


@pytest.mark.parametrize("options", [[], ["-compress=false"]])
def test_ptx_in_a_fat_binary_runs(device: cuox.Device, options: list[str]) -> None:
    made = nvfatbin.create(options, len(options))
    major, minor = device.compute_capability
    ptx = ptx_for(f"compute_{major}{minor}")
    nvfatbin.add_ptx(made, ptx, len(ptx), f"{major}{minor}", "put", "")
    image = bytearray(nvfatbin.size(made))
    nvfatbin.get(made, image)
    assert nvfatbin.get(made, len(image)) == image
    nvfatbin.destroy(made)
    out = cuox.zeros(32, np.int32)
    cuox.ObjectCode.from_fatbin(bytes(image)).get_kernel("put")[1, 32](out)
    assert (out.to_host() == 7 * np.arange(32)).all()


def test_code_for_several_devices(handle: int) -> None:
    cubin = cubin_for("sm_80")
    nvfatbin.add_cubin(handle, cubin, len(cubin), "80", "put")
    ptx = ptx_for("compute_90")
    nvfatbin.add_ptx(handle, ptx, len(ptx), "90", "put", "")
    assert nvfatbin.size(handle) > 0


def test_what_is_refused(handle: int) -> None:
    ptx = ptx_for("compute_80")
    with pytest.raises(nvfatbin.nvFatbinError, match=r"ERROR_UNRECOGNIZED_OPTION \(8\)") as refused:
        nvfatbin.create(["--nothing"], 1)
    assert pickle.loads(pickle.dumps(refused.value)).status == 8
    with pytest.raises(nvfatbin.nvFatbinError, match="ERROR_NULL_POINTER"):
        nvfatbin.size(handle + 8)
    with pytest.raises(TypeError, match="arch: expected a str, got int"):
        nvfatbin.add_ptx(handle, ptx, len(ptx), 80, "put", "")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="size: expected at most the buffer's"):
        nvfatbin.add_ptx(handle, ptx, len(ptx) + 1, "80", "put", "")
    with pytest.raises(nvfatbin.nvFatbinError):
        nvfatbin.add_cubin(handle, b"no code!", 8, "80", "put")
