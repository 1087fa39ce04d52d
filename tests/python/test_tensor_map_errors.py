"""Tensor maps that the driver refuses, and those that kernels cannot use."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cuox
import pytest
from cuox.cuda.bindings import driver

FOLDER = str(Path(__file__).parent)

BASE = {
    "tensorDataType": 7,
    "tensorRank": 3,
    "globalDim": (64, 32, 8),
    "globalStrides": (256, 8192),
    "boxDim": (16, 8, 2),
    "elementStrides": (1, 1, 1),
    "interleave": 0,
    "swizzle": 0,
    "l2Promotion": 0,
    "oobFill": 0,
}
REFUSED = [
    ({"tensorRank": 0}, "tensorRank"),
    (
        {
            "tensorRank": 6,
            "globalDim": (64, 32, 8, 1, 1, 1),
            "globalStrides": (256,) + (8192,) * 4,
            "boxDim": (16, 8, 2, 1, 1, 1),
            "elementStrides": (1,) * 6,
        },
        "tensorRank",
    ),
    ({"globalAddress": 8}, "globalAddress"),
    ({"globalAddress": 16, "interleave": 2, "swizzle": 1}, "globalAddress"),
    ({"globalDim": (64, 0, 8)}, "globalDim[1]"),
    ({"globalDim": (64, 32, 2**32 + 1)}, "globalDim[2]"),
    ({"globalStrides": (260, 8192)}, "globalStrides[0]"),
    ({"globalStrides": (256, 2**40)}, "globalStrides[1]"),
    ({"boxDim": (16, 0, 2)}, "boxDim[1]"),
    ({"boxDim": (16, 257, 2)}, "boxDim[1]"),
    ({"boxDim": (15, 8, 2)}, "boxDim[0]"),
    ({"boxDim": (16, 8, 2), "swizzle": 1}, "boxDim[0]"),
    ({"boxDim": (64, 8, 2), "swizzle": 3}, "boxDim[0]"),
    ({"elementStrides": (1, 0, 1)}, "elementStrides[1]"),
    ({"elementStrides": (1, 1, 9)}, "elementStrides[2]"),
    ({"elementStrides": (0, 1, 1)}, "elementStrides[0]"),
    ({"elementStrides": (9, 1, 1)}, "elementStrides[0]"),
    ({"boxDim": (2, 8, 2), "interleave": 1}, "boxDim[0]"),
    ({"tensorDataType": 13}, "compute capability 10.0"),
    ({"tensorDataType": 14, "globalDim": (128, 32, 8), "boxDim": (128, 8, 2)}, "compute capability 10.0"),
    ({"tensorDataType": 15, "globalDim": (128, 32, 8), "boxDim": (128, 8, 2)}, "compute capability 10.0"),
    ({"swizzle": 4}, "compute capability 10.0"),
    ({"swizzle": 5}, "compute capability 10.0"),
    ({"swizzle": 6}, "compute capability 10.0"),
    ({"interleave": 1, "tensorRank": 2}, "tensorRank"),
    ({"tensorDataType": 3, "oobFill": 1}, "oobFill"),
    ({"tensorDataType": 99}, "tensorDataType"),
    ({"interleave": 3}, "interleave"),
    ({"swizzle": 7}, "swizzle"),
    ({"l2Promotion": 4}, "l2Promotion"),
    ({"oobFill": 2}, "oobFill"),
]


@pytest.mark.parametrize(("change", "said"), REFUSED)
def test_what_the_driver_refuses(device: cuox.Device, stream: cuox.Stream, change: dict[str, Any], said: str) -> None:
    buffer = device.allocate(64 * 32 * 8 * 4 + 64, stream=stream)
    address = int(buffer.handle)
    whole = BASE | {"globalAddress": address}
    assert int(driver.cuTensorMapEncodeTiled(**whole)[0]) == 0
    change = {name: address + value if name == "globalAddress" else value for name, value in change.items()}
    code, made = driver.cuTensorMapEncodeTiled(**(whole | change))
    assert code == driver.CUresult.CUDA_ERROR_INVALID_VALUE
    assert made is None
    if device.is_soft:
        assert said in cuox._native._last_fault()


# An H200's driver takes these too.
TAKEN: list[dict[str, Any]] = [
    {"globalAddress": 0},
    {"globalStrides": (0, 8192)},
    {"globalStrides": (16, 8192)},
    {"elementStrides": (1, 8, 1)},
    {"interleave": 1, "swizzle": 3, "boxDim": (8, 8, 2)},
    {"interleave": 2, "swizzle": 0},
    {"interleave": 2, "swizzle": 2},
]


@pytest.mark.parametrize("change", TAKEN)
def test_what_the_driver_takes(device: cuox.Device, stream: cuox.Stream, change: dict[str, Any]) -> None:
    whole = BASE | {"globalAddress": int(device.allocate(64 * 32 * 8 * 4, stream=stream).handle)}
    code, made = driver.cuTensorMapEncodeTiled(**(whole | change))
    assert code == driver.CUresult.CUDA_SUCCESS
    assert made is not None


IM2COL_REFUSED = [
    {"tensorRank": 2},
    {"pixelBoxLowerCorner": (-129, 0)},
    {"pixelBoxUpperCorner": (0, 128)},
    {"pixelBoxLowerCorner": (9, 0)},
    {"channelsPerPixel": 257},
    {"pixelsPerColumn": 1025},
]


@pytest.mark.parametrize("change", IM2COL_REFUSED)
def test_what_the_driver_refuses_of_pixels(device: cuox.Device, stream: cuox.Stream, change: dict[str, Any]) -> None:
    buffer = device.allocate(64 * 9 * 9 * 2 * 4, stream=stream)
    whole: dict[str, Any] = {name: value for name, value in BASE.items() if name != "boxDim"} | {
        "tensorRank": 4,
        "globalAddress": int(buffer.handle),
        "globalDim": (64, 9, 9, 2),
        "globalStrides": (256, 2304, 20736),
        "elementStrides": (1, 1, 1, 1),
        "pixelBoxLowerCorner": (-1, -1),
        "pixelBoxUpperCorner": (-1, -1),
        "channelsPerPixel": 32,
        "pixelsPerColumn": 64,
    }
    assert int(driver.cuTensorMapEncodeIm2col(**whole)[0]) == 0
    code, _ = driver.cuTensorMapEncodeIm2col(**(whole | change))
    assert code == driver.CUresult.CUDA_ERROR_INVALID_VALUE


@pytest.mark.parametrize("mode", [0, 1])
def test_maps_along_w_alone_are_made(device: cuox.Device, stream: cuox.Stream, mode: int) -> None:
    """For devices of compute capability 10.0, but the driver makes them elsewhere too."""
    whole: dict[str, Any] = {name: value for name, value in BASE.items() if name != "boxDim"} | {
        "globalAddress": int(device.allocate(64 * 32 * 8 * 4, stream=stream).handle),
        "pixelBoxLowerCornerWidth": 0,
        "pixelBoxUpperCornerWidth": 4,
        "channelsPerPixel": 32,
        "pixelsPerColumn": 4,
        "mode": mode,
        "swizzle": 3,
    }
    code, made = driver.cuTensorMapEncodeIm2colWide(**whole)
    assert code == driver.CUresult.CUDA_SUCCESS and made is not None
    code, _ = driver.cuTensorMapEncodeIm2colWide(**(whole | {"channelsPerPixel": 257}))
    assert code == driver.CUresult.CUDA_ERROR_INVALID_VALUE


def test_a_map_needs_a_context(device: cuox.Device, stream: cuox.Stream) -> None:
    whole = BASE | {"globalAddress": int(device.allocate(64 * 32 * 8 * 4, stream=stream).handle)}
    # A thread that has none.
    with ThreadPoolExecutor(1) as threads:
        code, _ = threads.submit(lambda: driver.cuTensorMapEncodeTiled(**whole)).result()
    assert code == driver.CUresult.CUDA_ERROR_INVALID_CONTEXT


PROGRAM = f"""
import sys
sys.path.insert(0, {FOLDER!r})
import cuox, numpy as np
from cuox.cuda.bindings import driver
from test_tensor_maps import *
device = cuox.Device()
device.set_current()
stream = device.create_stream()
tensor = Tensor(device, stream, values(np.int32, 32, 32))
images = Tensor(device, stream, values(np.int32, 2, 9, 16))

def load(made, *numbers, at=0, mode="tile", rank=2):
    run_load(device, stream, load_kernel(rank, mode), made, 256, at, *numbers)

def store(dtype, *at, operation="copy"):
    check_store(device, stream, values(dtype, 32, 32), (8, 16 // np.dtype(dtype).itemsize), at, operation=operation)

def bytes_of(made):
    return np.frombuffer(bytes(memoryview(made)), np.uint8).copy()

def pixels(at):
    load(im2col(images, ((), (), (0,), (0,), (), 16, 4, (1, 1, 1))), 0, at, 0, 0, mode="im2col", rank=3)

def wide():
    given = dict(images.parameters(), tensorDataType=3, pixelBoxLowerCornerWidth=0, pixelBoxUpperCornerWidth=0,
                 channelsPerPixel=16, pixelsPerColumn=4, elementStrides=(1, 1, 1), mode=0, swizzle=3)
    return encoded("cuTensorMapEncodeIm2colWide", **given)

made = tiled(tensor, (8, 8))
try:
    CASE
    stream.sync()
    print("no error")
except cuox.CUDAError as error:
    print(error)
"""

# What is done, what the software GPU says, and how an error of an H200 begins, as far as it was recorded.
FAULTS = {
    "damaged": ("other = bytes_of(made); other[64] ^= 1; load(other, 4, 1)", "are no tensor map", ""),
    "zero": ("load(np.zeros(128, np.uint8), 4, 1)", "are no tensor map", "CUDA_ERROR_"),
    "rank": ("load(made, 4, 1, 1, rank=3)", "names 3 dimensions", "CUDA_ERROR_"),
    "mode": (
        "load(tiled(images, (1, 4, 16)), 0, 1, 1, 0, mode='im2col', rank=3)",
        "is for tile mode",
        "",
    ),
    "shared memory": ("load(made, 4, 1, at=40 << 10)", "not all in shared memory", ""),
    "alignment": ("load(made, 4, 1, at=64)", "not a multiple of 128", "CUDA_ERROR_"),
    "load at 2": ("load(made, 2, 1)", "whose first coordinate is 2", "CUDA_ERROR_ILLEGAL_INSTRUCTION"),
    "load at -3": ("load(made, -3, 1)", "whose first coordinate is -3", "CUDA_ERROR_ILLEGAL_INSTRUCTION"),
    "store at 6": ("store(np.uint16, 0, 6)", "elements of 2 bytes it is 12 bytes", "CUDA_ERROR_ILLEGAL_INSTRUCTION"),
    "reduction at 30": (
        "store(np.uint32, 0, 30, operation='add')",
        "it is 120 bytes",
        "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    ),
    "add of int64": ("store(np.int64, 3, 8, operation='add')", "Add of Int64", "CUDA_ERROR_"),
    "min of float32": ("store(np.float32, 3, 8, operation='min')", "Min of Float32", "CUDA_ERROR_"),
    "pixels below": ("pixels(-2)", "coordinate 1 is -2", "CUDA_ERROR_"),
    "pixels above": ("pixels(9)", "coordinate 1 is 9", ""),
    "along w": ("load(wide(), 0, 0, 0, 0, mode='im2col', rank=3)", "im2col::w mode", ""),
}


@pytest.mark.parametrize("what", FAULTS)
def test_wrong_maps_and_places_are_faults(device: cuox.Device, run_script: Any, what: str) -> None:
    case, said, recorded = FAULTS[what]
    if not device.is_soft and not recorded:
        pytest.skip("what a GPU does is not recorded")
    result = run_script(PROGRAM.replace("CASE", case))
    assert result.returncode == 0, result.stderr
    assert (recorded or "CUDA_ERROR_") in result.stdout, result.stdout
    if device.is_soft:
        assert said in result.stdout, result.stdout


def test_memory_that_is_not_there_is_a_fault(device: cuox.Device, run_script: Any) -> None:
    script = f"""
    import sys
    sys.path.insert(0, {FOLDER!r})
    import cuox, numpy as np
    from cuox.cuda.bindings import driver
    from test_tensor_maps import Tensor, load_kernel, run_load, tiled, values
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    tensor = Tensor(device, stream, values(np.int32, 32, 32))
    made = tiled(tensor, (8, 8), globalDim=(32, 1 << 30))
    try:
        run_load(device, stream, load_kernel(2), made, 256, 0, 0, 1 << 29)
    except cuox.CUDAError as error:
        print(error)
    """
    result = run_script(script)
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in result.stdout, result.stdout + result.stderr


def test_random_bytes_are_no_maps(device: cuox.Device, run_script: Any) -> None:
    """Bytes of maps with a few others, whose checksum is right now and then: nothing but faults and copies."""
    if not device.is_soft:
        pytest.skip("the encoding is the software GPU's")
    script = f"""
    import sys
    sys.path.insert(0, {FOLDER!r})
    import cuox, numpy as np
    from test_tensor_maps import kernel, Tensor, load_kernel, store_kernel, run_load, tiled, values, BYTES, SHARED
    device = cuox.Device()
    rng = np.random.default_rng(11)
    outcomes = set()
    for round in range(60):
        device.set_current()
        stream = device.create_stream()
        tensor = Tensor(device, stream, values(np.int32, 32, 32))
        made = np.frombuffer(bytes(memoryview(tiled(tensor, (8, 8)))), np.uint8).copy()
        if round % 3:
            for place in rng.integers(8, 128, rng.integers(1, 4)):
                made[place] = rng.integers(0, 256)
            sum = 0x811c9dc5
            for byte in made[8:]:
                sum = (sum ^ int(byte)) * 0x01000193 & 0xffffffff
            made[4:8] = np.frombuffer(sum.to_bytes(4, "little"), np.uint8)
        else:
            made[:] = rng.integers(0, 256, 128)
        try:
            if round % 2:
                store_kernel(2)[1, 64, stream, SHARED](made, device.allocate(BYTES, stream=stream), BYTES, 0, 4, 2)
            else:
                run_load(device, stream, load_kernel(2), made, 0, 0, 4, 2)
            stream.sync()
            outcomes.add("done")
        except cuox.CUDAError as error:
            assert error.name in (
                "CUDA_ERROR_ILLEGAL_INSTRUCTION", "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_MISALIGNED_ADDRESS",
            ), error
            outcomes.add(error.name)
            device.reset()
            kernel.cache_clear()
    print(sorted(outcomes))
    """
    result = run_script(script, timeout=300)
    assert result.returncode == 0, result.stderr
    assert "CUDA_ERROR_ILLEGAL_INSTRUCTION" in result.stdout and "done" in result.stdout, result.stdout
