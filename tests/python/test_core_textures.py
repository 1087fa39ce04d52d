"""Arrays, textures and surfaces (`cuox.cuda.core.texture`)."""

from __future__ import annotations

import array
import copy
import gc
import pickle
import subprocess
import weakref
from collections.abc import Callable
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.core import LaunchConfig, launch
from cuox.cuda.core.texture import (
    MipmappedArray,
    MipmappedArrayOptions,
    OpaqueArray,
    OpaqueArrayOptions,
    ResourceDescriptor,
    SurfaceObject,
    TextureObject,
    TextureObjectOptions,
)
from cuox.cuda.core.typing import AddressModeType, ArrayFormatType, FilterModeType, ReadModeType

Run = Callable[..., "subprocess.CompletedProcess[str]"]
SOURCE = r"""
extern "C" __global__ void sample(cudaTextureObject_t texture, const float *at, float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = tex2D<float>(texture, at[2 * i], at[2 * i + 1]);
}
extern "C" __global__ void sample_level(cudaTextureObject_t texture, const float *levels, float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = tex2DLod<float>(texture, 0.5f, 0.5f, levels[i]);
}
extern "C" __global__ void fetch(cudaTextureObject_t texture, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = tex1Dfetch<int>(texture, i);
}
extern "C" __global__ void channels(cudaTextureObject_t texture, float *out)
{
    float4 got = tex3D<float4>(texture, 1.5f, 0.5f, 1.5f);
    out[0] = got.x; out[1] = got.y; out[2] = got.z; out[3] = got.w;
}
extern "C" __global__ void twice(cudaSurfaceObject_t surface, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned value;
            surf2Dread(&value, surface, x * 4, y);
            surf2Dwrite(2 * value, surface, x * 4, y);
        }
}
"""
ONE = LaunchConfig(grid=1, block=1)


@pytest.fixture(scope="module")
def code(device: cuox.Device) -> cuox.ObjectCode:
    return cuox.Program(SOURCE).compile("ptx")


def filled(device: cuox.Device, stream: cuox.Stream, data: np.ndarray[Any, Any], channels: int = 1) -> OpaqueArray:
    """An array with the elements of an array of NumPy, whose last axis is the width."""
    shape = data.shape[::-1] if channels == 1 else data.shape[-2::-1]
    made = device.create_opaque_array(OpaqueArrayOptions(shape, data.dtype, channels, is_surface_load_store=True))
    made.copy_from(data, stream=stream)
    return made


def sampled(
    code: cuox.ObjectCode, stream: cuox.Stream, texture: TextureObject, at: list[tuple[float, float]]
) -> list[float]:
    points, out = cuox.to_device(np.array(at, np.float32)), cuox.zeros(len(at), np.float32)
    launch(stream, ONE, code.get_kernel("sample"), texture.handle, points, out, len(at))
    stream.sync()
    return out.to_host().tolist()  # type: ignore[no-any-return]


def test_an_array_knows_what_it_is(device: cuox.Device) -> None:
    flat = device.create_opaque_array({"shape": [8], "format": "float16", "num_channels": 2})
    assert (flat.shape, flat.format, flat.num_channels, flat.element_bytes, flat.size_bytes) == (
        (8,),
        "float16",
        2,
        4,
        32,
    )
    assert flat.device == device and flat.handle and not flat.is_surface_load_store and not flat.is_closed
    options = OpaqueArrayOptions((4, 3, 2), np.uint8, 1, is_surface_load_store=True)
    deep = device.create_opaque_array(options)
    options.shape = (400,)  # later changes are nothing to the array
    assert deep.size_bytes == 24 and deep.is_surface_load_store and deep.format is ArrayFormatType.UINT8
    assert repr(deep) == f"<OpaqueArray handle={deep.handle:#x} shape=(4, 3, 2) format='uint8' num_channels=1>"
    with deep:
        pass
    deep.close()
    assert deep.is_closed and deep.handle == 0 and deep.shape == (4, 3, 2)
    for use in (lambda: deep.device, lambda: deep.copy_to(bytearray(24), stream=device.default_stream)):
        with pytest.raises(cuox.ClosedError, match="the OpaqueArray is closed"):
            use()
    for one in (flat, weakref.ref(flat)()):
        with pytest.raises(TypeError, match="a OpaqueArray cannot be copied"):
            copy.copy(one)
        with pytest.raises(TypeError, match="cannot be copied"):
            pickle.dumps(one)


def test_copies_go_both_ways(device: cuox.Device, stream: cuox.Stream) -> None:
    data = np.arange(2 * 3 * 5 * 4, dtype=np.uint16).reshape(2, 3, 5, 4)
    made = filled(device, stream, data, channels=4)
    assert made.shape == (5, 3, 2) and made.size_bytes == data.nbytes
    back = np.zeros_like(data)
    assert made.copy_to(back, stream=stream) is back and (back == data).all()
    buffer, pinned = device.allocate(data.nbytes + 8), cuox.PinnedMemoryResource().allocate(data.nbytes)
    assert made.copy_to(buffer, stream=stream) is buffer
    other = device.create_opaque_array(OpaqueArrayOptions((5, 3, 2), "uint16", 4))
    other.copy_from(buffer, stream=stream)
    other.copy_to(pinned, stream=stream)
    stream.sync()
    assert bytes(memoryview(pinned)) == data.tobytes()


def test_a_copy_that_cannot_be_is_refused(device: cuox.Device, stream: cuox.Stream) -> None:
    made = device.create_opaque_array(OpaqueArrayOptions((16,), "uint32", 1))
    small = device.allocate(32)
    for memory in (array.array("I", range(8)), small):
        for copied in (made.copy_from, made.copy_to):
            with pytest.raises(ValueError, match="of 32 bytes is smaller than the array extent, 64 bytes"):
                copied(memory, stream=stream)
    with pytest.raises(ValueError, match="copy_to: dst: the memory is read-only"):
        made.copy_to(bytes(64), stream=stream)
    with pytest.raises(ValueError, match="do not lie one after another"):
        made.copy_from(np.zeros((64, 2), np.uint8)[:, 0], stream=stream)
    with pytest.raises(TypeError, match="copy_from: src: expected a Buffer or host memory, got list"):
        made.copy_from([1], stream=stream)
    for wrong in ("text", None, 0):
        with pytest.raises(TypeError, match="copy_from: stream: Stream or GraphBuilder expected, got"):
            made.copy_from(bytes(64), stream=wrong)  # type: ignore[arg-type]
    small.close()
    with pytest.raises(cuox.ClosedError):
        made.copy_from(small, stream=stream)


def test_elements_are_not_converted(device: cuox.Device, stream: cuox.Stream) -> None:
    made = device.create_opaque_array(OpaqueArrayOptions((4, 2), "float32", 2))
    for wrong in (np.float64, np.int32, np.float16, np.complex128):
        for copied in (made.copy_from, made.copy_to):
            with pytest.raises(TypeError, match=f"the elements are {np.dtype(wrong)} in the host's memory and float32"):
                copied(np.zeros(64, wrong), stream=stream)
    for copied in (made.copy_from, made.copy_to):
        with pytest.raises(ValueError, match="the memory has 68 bytes, and the array has 64"):
            copied(np.zeros(17, np.float32), stream=stream)
    numbers = np.arange(16, dtype=np.float32)
    pairs = np.dtype([("x", np.float32), ("y", np.float32)])
    for kind in (np.float32, np.complex64, np.uint8, pairs):
        made.copy_from(bytes(64), stream=stream)
        made.copy_from(numbers.view(kind), stream=stream)
        back = np.zeros_like(numbers)
        made.copy_to(back.view(kind), stream=stream)
        assert (back == numbers).all()
    signed = device.create_opaque_array(OpaqueArrayOptions((4,), "int32", 1))
    signed.copy_from(np.full(4, 2**32 - 1, np.uint32), stream=stream)
    assert signed.copy_to(np.zeros(4, np.int32), stream=stream).tolist() == [-1] * 4


def test_copies_are_captured_with_what_they_use(device: cuox.Device, stream: cuox.Stream) -> None:
    made = device.create_opaque_array(OpaqueArrayOptions((4,), "uint32", 1))
    out = cuox.PinnedMemoryResource().allocate(16)
    builder = device.create_graph_builder().begin_building()
    made.copy_from(np.arange(4, dtype=np.uint32), stream=builder)
    made.copy_to(out, stream=builder)
    graph = builder.end_building().complete()
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
    for _ in range(2):
        graph.launch(stream)
        stream.sync()
        assert np.frombuffer(out, np.uint32).tolist() == [0, 1, 2, 3]  # type: ignore[call-overload]
        memoryview(out)[:] = bytes(16)
    capturing = stream.create_graph_builder().begin_building()
    other = device.create_opaque_array(OpaqueArrayOptions((4,), "uint32", 1))
    with pytest.raises(ValueError, match="the stream is captured"):
        other.copy_from(bytes(16), stream=stream)
    capturing.end_building()


def test_textures_are_sampled_as_their_options_say(
    device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode
) -> None:
    image = filled(device, stream, np.array([[0, 1, 2, 3], [4, 5, 6, 7]], np.float32))
    resource = ResourceDescriptor.from_opaque_array(image)

    def values(at: list[tuple[float, float]], **options: Any) -> list[float]:
        texture = device.create_texture_object(resource=resource, options=TextureObjectOptions(**options))
        assert texture.resource is resource and texture.options.filter_mode == options.get("filter_mode", "point")
        return sampled(code, stream, texture, at)

    assert values([(0.5, 0.5), (3.5, 1.5), (9.0, 0.5)]) == [0, 7, 3]
    assert values([(1.0, 0.5), (0.5, 1.0)], filter_mode="linear") == [0.5, 2]
    assert values([(-1.0, 0.5), (0.5, 0.5)], address_mode="border", border_color=[9, 0, 0, 0]) == [9, 0]
    # In each direction another mode.
    modes = (AddressModeType.WRAP, AddressModeType.CLAMP)
    normalized: dict[str, Any] = {"normalized_coords": True, "address_mode": modes}
    assert values([(0.125, 0.25), (1.125, 5), (1.375, 0.25)], **normalized) == [0, 4, 1]
    assert device.create_texture_object(resource=resource).options == TextureObjectOptions()
    assert device.create_texture_object(resource=resource, options={"srgb": False}).handle
    bytes_ = filled(device, stream, np.array([[0, 255]], np.uint8))
    as_floats = device.create_texture_object(
        resource=ResourceDescriptor.from_opaque_array(bytes_),
        options=TextureObjectOptions(read_mode=ReadModeType.NORMALIZED_FLOAT, filter_mode=FilterModeType.LINEAR),
    )
    assert sampled(code, stream, as_floats, [(0.5, 0.5), (1.0, 0.5)]) == pytest.approx([0, 0.5], abs=5e-3)


def test_elements_have_several_numbers_and_arrays_three_axes(
    device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode
) -> None:
    cube = filled(device, stream, np.arange(2 * 1 * 2 * 4, dtype=np.float32).reshape(2, 1, 2, 4), channels=4)
    texture = device.create_texture_object(resource=ResourceDescriptor.from_opaque_array(cube))
    out = cuox.zeros(4, np.float32)
    launch(stream, ONE, code.get_kernel("channels"), texture, out)
    stream.sync()
    assert out.to_host().tolist() == [12, 13, 14, 15]


def test_textures_of_buffers(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    buffers = [device.allocate(size) for size in (1, 257, 1, 700, 5000, 1)]
    if device.is_soft:
        assert {int(buffer) % device.properties.texture_alignment for buffer in buffers} == {0}
    numbers = np.array([3, -1, 4], np.int32)
    buffer = device.allocate(64)
    buffer.copy_from_host(numbers, stream=stream)
    resource = ResourceDescriptor.from_linear(buffer, format=np.int32, num_channels=1, size_bytes=12)
    assert (resource.kind, resource.source, resource.format, resource.size_bytes) == ("linear", buffer, "int32", 12)
    assert repr(resource) == "<ResourceDescriptor kind='linear' format=int32 num_channels=1 size_bytes=12>"
    texture = device.create_texture_object(resource=resource)
    buffer.close()  # the texture keeps its memory
    out = cuox.full(4, 9, np.int32)
    launch(stream, ONE, code.get_kernel("fetch"), texture.handle, out, 4)
    stream.sync()
    assert out.to_host().tolist() == [3, -1, 4, 0]

    pitch = max(device.properties.texture_pitch_alignment, 32)
    rows = np.zeros((2, pitch // 4), np.float32)
    rows[:, :3] = [[1, 2, 3], [4, 5, 6]]
    memory = device.allocate(rows.nbytes)
    memory.copy_from_host(rows, stream=stream)
    image = ResourceDescriptor.from_pitch2d(
        memory, format="float32", num_channels=1, width=3, height=2, pitch_bytes=pitch
    )
    assert (image.kind, image.width, image.height, image.pitch_bytes, image.size_bytes) == (
        "pitch2d",
        3,
        2,
        pitch,
        None,
    )
    texture = device.create_texture_object(resource=image, options={"filter_mode": "linear"})
    assert sampled(code, stream, texture, [(0.5, 0.5), (2.5, 1.5), (1.0, 0.5)]) == [1, 6, 1.5]
    with pytest.raises(cuox.ClosedError):
        device.create_texture_object(resource=resource)


def test_levels_of_a_mipmapped_array(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    levels = device.create_mipmapped_array(MipmappedArrayOptions((8, 4), "float32", 1, num_levels=3))
    assert (levels.shape, levels.num_levels, levels.format, levels.device) == ((8, 4), 3, "float32", device)
    assert repr(levels).startswith("<MipmappedArray handle=0x") and repr(levels).endswith("num_levels=3>")
    shapes = [levels.get_level(number).shape for number in range(3)]
    assert shapes == [(8, 4), (4, 2), (2, 1)]
    for number in range(3):
        level = levels.get_level(number)
        level.copy_from(np.full(level.shape[::-1], 10.0 * number, np.float32), stream=stream)
    options = {"normalized_coords": True, "mipmap_filter_mode": "linear", "max_mipmap_level_clamp": 2.0}
    texture = device.create_texture_object(resource=ResourceDescriptor.from_mipmapped_array(levels), options=options)
    at, out = cuox.to_device(np.array([0, 1, 1.5, 9], np.float32)), cuox.zeros(4, np.float32)
    launch(stream, ONE, code.get_kernel("sample_level"), texture.handle, at, out, 4)
    stream.sync()
    assert out.to_host().tolist() == [0, 10, 15, 20]
    for wrong, match in ((3, "level must be less than num_levels, 3, got 3"), (-1, "level must be >= 0")):
        with pytest.raises(ValueError, match=match):
            levels.get_level(wrong)
    # A level keeps the memory of all.
    last = levels.get_level(2)
    texture.close()
    levels.close()
    del levels, texture
    gc.collect()
    back = np.zeros((1, 2), np.float32)
    last.copy_to(back, stream=stream)
    assert back.tolist() == [[20, 20]]


def test_surfaces_write_arrays(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    data = np.arange(6, dtype=np.uint32).reshape(2, 3)
    made = filled(device, stream, data)
    surface = device.create_surface_object(resource=ResourceDescriptor.from_opaque_array(made))
    assert surface.handle and surface.device == device and surface.resource.source is made
    launch(stream, ONE, code.get_kernel("twice"), surface.handle, 3, 2)
    back = np.zeros_like(data)
    made.copy_to(back, stream=stream)
    assert (back == 2 * data).all()
    plain = device.create_opaque_array(OpaqueArrayOptions((4,), "uint8", 1))
    levels = device.create_mipmapped_array({"shape": (4,), "format": "uint8", "num_channels": 1, "num_levels": 1})
    linear = ResourceDescriptor.from_linear(device.allocate(4), format="uint8", num_channels=1)
    for resource, match in (
        (ResourceDescriptor.from_opaque_array(plain), "is_surface_load_store=True"),
        (ResourceDescriptor.from_mipmapped_array(levels), "array-backed .*, not 'mipmapped_array'"),
        (linear, "array-backed .*, not 'linear'"),
    ):
        with pytest.raises(ValueError, match=match):
            device.create_surface_object(resource=resource)


def test_objects_keep_what_they_read(device: cuox.Device, stream: cuox.Stream, code: cuox.ObjectCode) -> None:
    image = filled(device, stream, np.array([[5, 6]], np.float32))
    texture = device.create_texture_object(resource=ResourceDescriptor.from_opaque_array(image))
    image.close()
    del image
    gc.collect()
    assert sampled(code, stream, texture, [(1.5, 0.5)]) == [6]
    assert [one for one in gc.get_referents(texture) if isinstance(one, ResourceDescriptor)] == [texture.resource]
    texture.close()
    texture.close()
    assert texture.is_closed and texture.handle == 0
    with pytest.raises(cuox.ClosedError, match="the TextureObject is closed"):
        launch(stream, ONE, code.get_kernel("channels"), texture, cuox.zeros(4, np.float32))
    with pytest.raises(cuox.ClosedError, match="the OpaqueArray is closed"):
        device.create_texture_object(resource=texture.resource)


@pytest.mark.parametrize(
    ("given", "kind", "match"),
    [
        ({"shape": 8}, TypeError, "shape must be a tuple of one to three ints, got 8"),
        ({"shape": (8, 1.5)}, TypeError, "shape must be a tuple of one to three ints"),
        ({"shape": (2, 2, 2, 2)}, ValueError, "shape rank must be 1, 2 or 3, got 4"),
        ({"shape": (8, 0)}, ValueError, r"shape\[1\] must be >= 1, got 0"),
        ({"format": np.float64}, ValueError, "float64 has no ArrayFormatType equivalent"),
        ({"format": None}, ValueError, "format"),
        ({"format": 0}, ValueError, "format must be an ArrayFormatType, one of 'uint8'"),
        ({"num_channels": 3}, ValueError, "num_channels must be 1, 2 or 4, got 3"),
        ({"num_channels": True}, ValueError, "num_channels"),
    ],
)
def test_options_of_arrays_are_checked(given: Any, kind: type[Exception], match: str) -> None:
    options = {"shape": (8,), "format": "uint8", "num_channels": 1, **given}
    for made in (lambda: OpaqueArrayOptions(**options), lambda: MipmappedArrayOptions(**options, num_levels=1)):
        with pytest.raises(kind, match=match):
            made()


def test_other_mistakes_are_named(device: cuox.Device, stream: cuox.Stream) -> None:
    def refused(kind: type[Exception], match: str, call: Callable[[], Any]) -> None:
        with pytest.raises(kind, match=match):
            call()

    refused(TypeError, "num_levels: expected an int, got str", lambda: MipmappedArrayOptions((8,), "uint8", 1, "2"))  # type: ignore[arg-type]
    refused(ValueError, "num_levels must be >= 1, got 0", lambda: MipmappedArrayOptions((8,), "uint8", 1, 0))
    for one in (OpaqueArray, MipmappedArray, TextureObject, SurfaceObject):
        refused(RuntimeError, f"^{one.__name__} cannot be instantiated directly; Device.create_", one)
    refused(RuntimeError, "^ResourceDescriptor cannot be instantiated directly", ResourceDescriptor)
    wrong: Any = "wrong"
    refused(TypeError, "array must be an OpaqueArray, got str", lambda: ResourceDescriptor.from_opaque_array(wrong))
    refused(TypeError, "must be a MipmappedArray, got str", lambda: ResourceDescriptor.from_mipmapped_array(wrong))
    kinds: Any = {"format": "uint32", "num_channels": 1}
    refused(TypeError, "buffer must be a Buffer, got str", lambda: ResourceDescriptor.from_linear(wrong, **kinds))
    buffer = device.allocate(1024)
    for size, match in (
        (2048, "exceeds buffer.size, 1024"),
        (0, "at least one element"),
        (10, "multiple of element size"),
    ):
        refused(ValueError, match, lambda size=size: ResourceDescriptor.from_linear(buffer, **kinds, size_bytes=size))
    for image, match in (
        ((0, 1, 64), "width must be >= 1"), ((1, 0, 64), "height must be >= 1"),
        ((16, 1, 32), "pitch_bytes, 32, must be at least a row's bytes, 64"), ((16, 99, 64), "exceeds buffer.size"),
    ):  # fmt: skip
        names = dict(zip(("width", "height", "pitch_bytes"), image, strict=True))
        refused(ValueError, match, lambda names=names: ResourceDescriptor.from_pitch2d(buffer, **kinds, **names))
    refused(
        TypeError, "object of type OpaqueArrayOptions, or a dict, got str", lambda: device.create_opaque_array(wrong)
    )
    create = device.create_texture_object
    refused(TypeError, "resource must be a ResourceDescriptor, got str", lambda: create(resource=wrong))
    refused(TypeError, "resource must be a ResourceDescriptor", lambda: device.create_surface_object(resource=wrong))
    resource = ResourceDescriptor.from_linear(buffer, **kinds)
    refused(TypeError, "object of type TextureObjectOptions", lambda: create(resource=resource, options=wrong))
    for field in ("filter_mode", "read_mode", "mipmap_filter_mode"):
        refused(ValueError, f"{field} must be a \\w+ModeType", lambda field=field: TextureObjectOptions(**{field: 0}))
    for given, kind, match in (
        ({"address_mode": 42}, TypeError, "address_mode must be an AddressModeType or a tuple"),
        ({"address_mode": ()}, ValueError, "must have 1-3 entries, got 0"),
        ({"address_mode": ("wrap", "bad")}, ValueError, r"address_mode\[1\] must be a AddressModeType"),
        ({"max_anisotropy": -1}, ValueError, "max_anisotropy must be >= 0"),
        ({"border_color": (0, 0)}, ValueError, "border_color must have 4 floats, got 2"),
    ):
        options = TextureObjectOptions(**given)  # type: ignore[arg-type]
        refused(kind, match, lambda options=options: create(resource=resource, options=options))
    refused(
        cuox.CUDAError,
        "cuArray3DCreate failed",
        lambda: device.create_opaque_array(OpaqueArrayOptions((1 << 31,) * 3, "uint8", 1)),
    )


def test_nothing_is_touched_after_a_reset(run_script: Run) -> None:
    done = run_script(
        """
        import cuox
        from cuox.cuda.core.texture import OpaqueArrayOptions, ResourceDescriptor
        device = cuox.Device()
        made = device.create_opaque_array(OpaqueArrayOptions((4,), "uint8", 1))
        texture = device.create_texture_object(resource=ResourceDescriptor.from_opaque_array(made))
        memory = ResourceDescriptor.from_linear(device.allocate(512), format="uint8", num_channels=1)
        other = device.create_texture_object(resource=memory)
        for elsewhere in cuox.Device.get_all_devices()[1:]:
            try:
                elsewhere.create_texture_object(resource=texture.resource)
            except ValueError as error:
                assert "its array is on <Device 0" in str(error)
            else:
                raise AssertionError("textures of other devices' arrays")
            far = elsewhere.create_opaque_array(OpaqueArrayOptions((4,), "uint8", 1))
            far.copy_from(b"far.", stream=elsewhere.create_stream())
            assert cuox.Device() == device != far.device
        context = device.context
        device.reset()
        assert context.is_closed and context.handle is None and device.context != context
        for use in (lambda: made.handle, lambda: texture.handle, lambda: made.copy_to(bytearray(4), stream=device.default_stream),
                    lambda: device.create_texture_object(resource=texture.resource), lambda: repr(made)):
            try:
                use()
            except cuox.ClosedError as error:
                assert "the device was reset" in str(error)
            else:
                raise AssertionError(use)
        again = device.create_opaque_array(OpaqueArrayOptions((4,), "uint8", 1))
        del made, texture, memory, other
        again.copy_from(b"abcd", stream=device.default_stream)
        print(bytes(again.copy_to(bytearray(4), stream=device.default_stream)))
    """,
        CUOX_SOFT_DEVICES="2",
    )
    assert (done.returncode, done.stdout) == (0, "b'abcd'\n"), done.stderr
