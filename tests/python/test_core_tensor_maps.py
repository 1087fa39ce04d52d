"""`TensorMapDescriptor` of cuda.core: maps of views, and launches with them."""

from __future__ import annotations

import pickle
from typing import Any

import cuox
import numpy as np
import pytest
from conftest import download, upload
from cuox.cuda.bindings import driver
from cuox.cuda.core import Device, Kernel, LaunchConfig, TensorMapDescriptor, TensorMapDescriptorOptions, launch
from cuox.cuda.core._tensor_map import (
    TensorMapDataType,
    TensorMapIm2ColWideMode,
    TensorMapInterleave,
    TensorMapL2Promotion,
    TensorMapOOBFill,
    TensorMapSwizzle,
)
from cuox.cuda.core.utils import StridedMemoryView
from tensor_models import into_shared, loaded, pixels, positions
from test_tensor_maps import BYTES, HEAD, LOAD, SHARED, filled, load_kernel, values


@pytest.fixture
def view(device: cuox.Device, stream: cuox.Stream) -> StridedMemoryView:
    return view_of(device, stream, values(np.float32, 16, 32))


def view_of(device: cuox.Device, stream: cuox.Stream, array: np.ndarray) -> StridedMemoryView:
    buffer = upload(device, array, stream)
    return StridedMemoryView.from_buffer(buffer, array.shape, dtype=array.dtype)


def loaded_by(stream: cuox.Stream, made: Any, rank: int, mode: str, tx: int, *numbers: int) -> np.ndarray:
    """Shared memory after a load, launched as cuda.core does it."""
    out = cuox.Device().allocate(BYTES, stream=stream)
    config = LaunchConfig(grid=1, block=32, shmem_size=SHARED)
    launch(stream, config, load_kernel(rank, mode), made, out, BYTES, tx, 0, *numbers)
    return download(out, np.uint8, stream)


def test_enumerations_have_the_drivers_numbers() -> None:
    pairs = {
        TensorMapDataType: driver.CUtensorMapDataType,
        TensorMapInterleave: driver.CUtensorMapInterleave,
        TensorMapL2Promotion: driver.CUtensorMapL2promotion,
        TensorMapOOBFill: driver.CUtensorMapFloatOOBfill,
        TensorMapSwizzle: driver.CUtensorMapSwizzle,
        TensorMapIm2ColWideMode: driver.CUtensorMapIm2ColWideMode,
    }
    for mine, of_driver in pairs.items():
        known = {member.name: int(member) for member in of_driver}
        for member in mine:
            assert int(member) in [number for name, number in known.items() if name.endswith(member.name)], member


def test_a_box_of_a_view(device: cuox.Device, stream: cuox.Stream) -> None:
    array = values(np.float16, 20, 32)
    options = TensorMapDescriptorOptions(
        (6, 16),
        element_strides=[2, 1],
        swizzle=TensorMapSwizzle.SWIZZLE_32B,
        oob_fill=TensorMapOOBFill.NAN_REQUEST_ZERO_FMA,
    )
    assert (options.box_dim, options.element_strides) == ((6, 16), (2, 1))
    made = view_of(device, stream, array).as_tensor_map(options=options)
    assert repr(made) == "TensorMapDescriptor(tiled, rank=2, dtype=FLOAT16, swizzle=SWIZZLE_32B)"
    assert made.device == Device() and isinstance(made, TensorMapDescriptor)
    rows = loaded(array, positions((6, 16), (-2, 24), (2, 1)), b"\xf7\x7f")
    got = loaded_by(stream, made, 2, "tile", sum(map(len, rows)), 24, -2)
    np.testing.assert_array_equal(got, into_shared(rows, 1, 0, BYTES))


def test_pixels_of_a_view(device: cuox.Device, stream: cuox.Stream) -> None:
    array = values(np.int32, 2, 5, 6, 16)
    made = TensorMapDescriptor._from_im2col(view_of(device, stream, array), (-1, 0), (0, -1), 16, 20)
    assert repr(made) == "TensorMapDescriptor(im2col, rank=4, dtype=INT32, swizzle=NONE)"
    rows = loaded(array, pixels(array.shape, (0, -1, 2, 0), (-1, 0), (0, -1), (1, 1), 16, 20, (1, 1, 1, 1)), bytes(4))
    got = loaded_by(stream, made, 4, "im2col", sum(map(len, rows)), 0, 2, -1, 0, 1, 1)
    np.testing.assert_array_equal(got, into_shared(rows, 0, 0, BYTES))


def test_other_memory_for_a_map(device: cuox.Device, stream: cuox.Stream, view: StridedMemoryView) -> None:
    made = view.as_tensor_map((8, 8))
    other = values(np.float32, 16, 32, seed=3)
    made.replace_address(view_of(device, stream, other))
    rows = loaded(other, positions((8, 8), (4, 16), (1, 1)), bytes(4))
    got = loaded_by(stream, made, 2, "tile", 256, 16, 4)
    np.testing.assert_array_equal(got, into_shared(rows, 0, 0, BYTES))
    with pytest.raises(ValueError, match="device-accessible"):
        made.replace_address(np.zeros(64, np.float32))


def test_an_array_and_a_type_of_elements_of_its_own(device: cuox.Device, stream: cuox.Stream) -> None:
    bits = values(np.uint16, 8, 16)
    view = view_of(device, stream, bits)
    made = view.as_tensor_map((4, 8), data_type=TensorMapDataType.BFLOAT16)
    assert "dtype=BFLOAT16" in repr(made)
    assert "dtype=FLOAT16" in repr(view.as_tensor_map((4, 8), data_type=np.float16))
    assert "dtype=FLOAT16" in repr(view.as_tensor_map(options={"box_dim": (4, 8), "data_type": "float16"}))
    rows = loaded(bits, positions((4, 8), (2, 8), (1, 1)), b"\0\0")
    np.testing.assert_array_equal(loaded_by(stream, made, 2, "tile", 64, 8, 2), into_shared(rows, 0, 0, BYTES))


REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({}, TypeError, "box_dim is required"),
    ({"box_dim": 3}, TypeError, "box_dim must be a tuple of ints, got int"),
    ({"box_dim": (8, 1.5)}, TypeError, r"box_dim\[1\] must be an int, got float"),
    ({"box_dim": (8,)}, ValueError, "box_dim must have 2 elements"),
    ({"box_dim": (8, 257)}, ValueError, r"box_dim\[1\] must be in \[1, 256\], got 257"),
    ({"box_dim": (8, 8), "element_strides": (1,)}, ValueError, "element_strides must have 2 elements"),
    ({"box_dim": (8, 8), "swizzle": 3}, TypeError, "swizzle must be a TensorMapSwizzle, got int"),
    ({"box_dim": (8, 8), "data_type": 42}, TypeError, "data_type must be"),
    ({"box_dim": (8, 8), "data_type": np.int8}, ValueError, "no elements of type int8"),
    (
        {"box_dim": (8, 8), "data_type": "f8"},
        ValueError,
        "FLOAT64 has elements of 8 bytes, and those of the view have 4",
    ),
    ({"box_dim": (8, 8), "data_type": TensorMapDataType.UINT8}, ValueError, "UINT8 has elements of 1 bytes"),
    ({"box_dim": (8, 8), "options": {"box_dim": (8, 8)}}, TypeError, "Specify either options or"),
    ({"options": {"box_dim": (8, 8), "swizle": 1}}, TypeError, "swizle"),
    ({"options": 3}, TypeError, "options must be a TensorMapDescriptorOptions"),
    ({"box_dim": (8, 3)}, cuox.CUDAError, "cuTensorMapEncodeTiled failed: .*INVALID_VALUE"),
]


@pytest.mark.parametrize(("arguments", "kind", "said"), REFUSED)
def test_what_a_view_refuses(
    view: StridedMemoryView, arguments: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        view.as_tensor_map(**arguments)


def test_views_that_have_no_map(device: cuox.Device, stream: cuox.Stream, view: StridedMemoryView) -> None:
    with pytest.raises(RuntimeError, match="cannot be instantiated directly"):
        TensorMapDescriptor()
    with pytest.raises(ValueError, match="device-accessible"):
        StridedMemoryView.from_any_interface(np.zeros((8, 8)), -1).as_tensor_map((8, 8))
    with pytest.raises(ValueError, match="rank must be between 1 and 5, got 6"):
        view_of(device, stream, values(np.int32, 1, 1, 1, 1, 2, 4)).as_tensor_map((1,) * 6)
    with pytest.raises(ValueError, match="Im2col tensor rank must be between 3 and 5, got 2"):
        TensorMapDescriptor._from_im2col(view, (), (), 16, 4)
    with pytest.raises(ValueError, match="pixel_box_lower_corner must have 1 elements"):
        TensorMapDescriptor._from_im2col(view_of(device, stream, values(np.int32, 2, 4, 16)), (0, 0), (0,), 16, 4)
    buffer = upload(device, values(np.int32, 8, 8), stream)
    columns = StridedMemoryView.from_buffer(buffer, (8, 8), (1, 8), dtype=np.int32)
    with pytest.raises(ValueError, match="last dimension must lie side by side"):
        columns.as_tensor_map((8, 8))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(view.as_tensor_map((8, 8)))


def test_bytes_are_those_of_elements(device: cuox.Device, stream: cuox.Stream) -> None:
    array = values(np.float32, 16, 32)
    buffer = upload(device, array, stream)
    box = StridedMemoryView.from_buffer(buffer, (16, 128), dtype=np.uint8).as_tensor_map((8, 8), data_type=np.float32)
    rows = loaded(array, positions((8, 8), (12, 28), (1, 1)), bytes(4))
    np.testing.assert_array_equal(loaded_by(stream, box, 2, "tile", 256, 28, 12), into_shared(rows, 0, 0, BYTES))
    line = StridedMemoryView.from_any_interface(buffer, -1).as_tensor_map((8,), data_type=np.float32)
    # Behind the last of the 512 there is nothing.
    rows = loaded(array.reshape(-1), positions((8,), (508,), (1,)), bytes(4))
    np.testing.assert_array_equal(loaded_by(stream, line, 1, "tile", 32, 508), into_shared(rows, 0, 0, BYTES))
    with pytest.raises(ValueError, match="last dimension of 6 bytes has no whole elements FLOAT32"):
        StridedMemoryView.from_buffer(buffer, (8, 6), (16, 1), dtype=np.uint8).as_tensor_map((8, 4), data_type="f4")


def test_a_map_of_memory_that_was_closed(device: cuox.Device, stream: cuox.Stream) -> None:
    buffer, other = (upload(device, values(np.float32, 16, 32), stream) for _ in range(2))
    view = StridedMemoryView.from_buffer(buffer, (16, 32), dtype=np.float32)
    made = view.as_tensor_map((8, 8))
    buffer.close(stream)
    with pytest.raises(cuox.ClosedError):
        loaded_by(stream, made, 2, "tile", 256, 0, 0)
    with pytest.raises(cuox.ClosedError):
        view.as_tensor_map((8, 8))
    with pytest.raises(cuox.ClosedError):
        made.replace_address(view)
    made.replace_address(StridedMemoryView.from_buffer(other, (16, 32), dtype=np.float32))
    rows = loaded(values(np.float32, 16, 32), positions((8, 8), (0, 0), (1, 1)), bytes(4))
    np.testing.assert_array_equal(loaded_by(stream, made, 2, "tile", 256, 0, 0), into_shared(rows, 0, 0, BYTES))


def test_a_map_is_no_other_argument(stream: cuox.Stream, view: StridedMemoryView, saxpy: cuox.Kernel) -> None:
    made = view.as_tensor_map((8, 8))
    with pytest.raises(TypeError, match='parameter 2 "x" .* takes a device pointer'):
        launch(stream, LaunchConfig(grid=1, block=1), saxpy, 1.0, made, 0, 0)


def test_maps_along_w_alone_are_made(device: cuox.Device, stream: cuox.Stream) -> None:
    view = view_of(device, stream, values(np.float32, 1, 32, 64))
    made = TensorMapDescriptor._from_im2col_wide(view, 0, 4, 32, 4)
    assert repr(made) == "TensorMapDescriptor(im2col_wide, rank=3, dtype=FLOAT32, swizzle=SWIZZLE_128B)"
    with pytest.raises(cuox.CUDAError, match="cuTensorMapEncodeIm2colWide failed"):
        TensorMapDescriptor._from_im2col_wide(view, 0, 4, 300, 4)


def test_a_map_for_a_kernel_of_which_only_sizes_are_known(
    device: cuox.Device, stream: cuox.Stream, view: StridedMemoryView
) -> None:
    """Kernels without PTX: whether a parameter is a structure is not known of them."""
    source = HEAD + filled(LOAD, 2, 3, MODE="tile", SPACE="shared::cluster")[0]
    image = bytes(cuox.Program(source, options=cuox.ProgramOptions(arch="sm_90a")).compile("ptx"))
    library = driver.cuLibraryLoadData(image.rstrip(b"\0") + b"\0", [], [], 0, [], [], 0)[1]
    launched = Kernel.from_handle(int(driver.cuLibraryGetKernel(library, b"k")[1]))
    assert launched.arguments_info[0].size == 128
    out = device.allocate(BYTES, stream=stream)
    config = LaunchConfig(grid=1, block=32, shmem_size=SHARED)
    launch(stream, config, launched, view.as_tensor_map((8, 8)), out, BYTES, 256, 0, 16, 4)
    rows = loaded(values(np.float32, 16, 32), positions((8, 8), (4, 16), (1, 1)), bytes(4))
    np.testing.assert_array_equal(download(out, np.uint8, stream), into_shared(rows, 0, 0, BYTES))
    with pytest.raises(TypeError, match="parameter 1 .* takes a value of 128 bytes"):
        launch(stream, config, launched, object(), out, BYTES, 256, 0, 16, 4)
