"""`cuox.pycuda.driver`: every name of PyCUDA's, contexts, memory, copies, launches and their errors."""

from __future__ import annotations

import gc
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cuox
import cuox.pycuda.driver as drv
import numpy as np
import pytest
from cuox.pycuda.driver import Context, Device

NAMES = (Path(__file__).parent / "data" / "pycuda_driver_names.txt").read_text().split()

SOURCE = r"""
struct Pair { int a; float b; };
extern "C" {
__device__ float offset[4];
__global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
__global__ void pair(float *out, Pair p) { *out = p.a + p.b; }
__global__ void shifted(float *x) { x[threadIdx.x] += offset[threadIdx.x]; }
__global__ void dynamic(int *out) { extern __shared__ int s[]; s[threadIdx.x] = threadIdx.x; __syncthreads(); out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }
}
"""


@pytest.fixture(autouse=True)
def context() -> Iterator[Context]:
    drv.init()
    made = Device(0).make_context()
    yield made
    if Context.get_current() is not None:
        Context.pop()


@pytest.fixture(scope="module")
def code() -> cuox.ObjectCode:
    return cuox.Program(SOURCE, code_type="c++").compile("ptx")


@pytest.fixture
def module(context: Context, code: cuox.ObjectCode) -> drv.Module:
    return drv.module_from_code(code)


@pytest.mark.parametrize("name", NAMES)
def test_a_name(name: str) -> None:
    found: Any = drv
    for part in name.split("."):
        if found is drv.ArrayDescriptor or found is drv.ArrayDescriptor3D:
            found = found()
        found = getattr(found, part)
    assert found is not None


def test_there_are_many_names() -> None:
    assert len(NAMES) > 450 and len(set(NAMES)) == len(NAMES)


def test_what_is_public_has_a_docstring() -> None:
    without = []
    for name, value in vars(drv).items():
        if name.startswith("_") or not callable(value) or getattr(value, "__module__", "").split(".")[0] != "cuox":
            continue
        members = vars(value).items() if isinstance(value, type) else ()
        for label, member in [
            (name, value),
            *((f"{name}.{key}", member) for key, member in members if not key.startswith("_")),
        ]:
            is_code = callable(member) or isinstance(member, (property, staticmethod, classmethod))
            if (
                is_code
                and not getattr(member, "__doc__", None)
                and not isinstance(member, type(drv.func_cache.PREFER_L1))
            ):
                without.append(label)
    assert not without


def test_device() -> None:
    device = Device(0)
    assert Device.count() >= 1 and device == Device(0) and hash(device) == hash(Device(0))
    assert device.name() == cuox.Device(0).name
    assert device.compute_capability() == tuple(cuox.Device(0).compute_capability)
    assert device.total_memory() > 0
    assert device.warp_size == device.WARP_SIZE == device.get_attribute(drv.device_attribute.WARP_SIZE) == 32
    assert device.get_attributes()[drv.device_attribute.MAX_THREADS_PER_BLOCK] == 1024
    assert isinstance(device.compute_mode, drv.compute_mode)
    assert Device(device.pci_bus_id()) == device
    with pytest.raises(AttributeError, match="no_such"):
        _ = device.no_such
    with pytest.raises(drv.LogicError, match="cuDeviceGet failed"):
        Device(10_000)
    assert drv.get_version() >= (13, 0, 0) and drv.get_driver_version() >= 12000
    assert drv.have_gl_ext() is False


def test_enumerations_are_as_boosts() -> None:
    assert str(drv.func_cache.PREFER_L1) == "PREFER_L1" and int(drv.func_cache.PREFER_L1) == 2
    assert drv.func_cache.names["PREFER_L1"] is drv.func_cache.values[2] is drv.func_cache.PREFER_L1
    assert getattr(drv.array3d_flags, "2DARRAY") == drv.array3d_flags.ARRAY3D_2DARRAY


@pytest.fixture
def only(context: Context) -> Iterator[None]:
    """Takes the contexts off the stack that modules imported before have pushed."""
    depth = 0
    while Context.get_current() is not None:
        Context.pop()
        depth += 1
    context.push()
    yield
    for _ in range(depth - 1):
        context.push()


@pytest.mark.usefixtures("only")
def test_context_stack(context: Context) -> None:
    assert Context.get_current() == context and context.handle and Context.get_device() == Device(0)
    other = Device(0).make_context()
    assert other == context and hash(other) == hash(context), "a device has one context"
    Context.pop()
    assert Context.get_current() == context
    Context.pop()
    assert Context.get_current() is None
    with pytest.raises(drv.LogicError, match="nothing to pop"):
        Context.pop()
    with pytest.raises(drv.LogicError, match="autoinit"):
        drv.mem_alloc(4)
    context.push()
    assert drv.mem_alloc(4)
    other.detach()
    with pytest.raises(drv.LogicError, match="detached"):
        other.push()
    with pytest.raises(TypeError, match="make_context"):
        Context()


@pytest.fixture
def settings(context: Context) -> Iterator[None]:
    """Puts back the context's settings: it is that of the whole process, whose occupancy depends on them."""
    stack, cache = Context.get_limit(drv.limit.STACK_SIZE), Context.get_cache_config()
    yield
    Context.set_limit(drv.limit.STACK_SIZE, stack)
    Context.set_cache_config(cache)


@pytest.mark.usefixtures("settings")
def test_context_settings(context: Context) -> None:
    assert Context.get_limit(drv.limit.STACK_SIZE) > 0
    Context.set_limit(drv.limit.STACK_SIZE, 4096)
    assert Context.get_limit(drv.limit.STACK_SIZE) >= 4096
    Context.set_cache_config(drv.func_cache.PREFER_L1)
    assert isinstance(Context.get_cache_config(), drv.func_cache)
    assert isinstance(Context.get_shared_config(), drv.shared_config)
    assert context.get_api_version() > 0
    assert Context.attach() == context


def test_a_thread_without_a_context_gets_the_processs() -> None:
    done: list[object] = []

    def work() -> None:
        try:
            memory = drv.to_device(np.arange(5))
            done.append(drv.from_device(memory, 5, np.int64).tolist())
            done.append(Context.get_current())
        except BaseException as error:
            done.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [[0, 1, 2, 3, 4], Context.get_current()]


def test_beside_cuoxs_own_objects(module: drv.Module) -> None:
    cuox.Device(0).set_current()
    array = cuox.to_device(np.ones(8, np.float32))
    module.get_function("scale")(array, 3.0, 8, block=(8, 1, 1))
    host = np.empty(8, np.float32)
    drv.memcpy_dtoh(host, array.__cuda_array_interface__["data"][0])
    assert (host == 3).all()
    memory = drv.to_device(np.arange(8, dtype=np.uint8))
    assert (
        drv.from_device(cuox.as_array(memory).__cuda_array_interface__["data"][0], 8, np.uint8) == np.arange(8)
    ).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_copies(order: Any) -> None:
    host = np.asarray(np.random.rand(5, 7), order=order)
    memory = drv.mem_alloc(host.nbytes)
    drv.memcpy_htod(memory, host)
    back = np.empty_like(host)
    drv.memcpy_dtoh(back, memory)
    assert (back == host).all()
    other = drv.mem_alloc_like(host)
    drv.memcpy_dtod(other, memory, host.nbytes)
    assert (drv.from_device_like(other, host) == host).all()
    drv.memcpy_peer(other, int(memory) + 8, 8)
    stream = drv.Stream()
    pinned = drv.pagelocked_zeros_like(host)
    drv.memcpy_dtoh_async(pinned, memory, stream)
    stream.synchronize()
    assert (pinned == host).all() and pinned.flags.f_contiguous == host.flags.f_contiguous
    pinned += 1
    drv.memcpy_htod_async(memory, pinned, stream)
    drv.memcpy_dtod_async(other, memory, host.nbytes, stream)
    stream.synchronize()
    assert (drv.from_device_like(other, host) == host + 1).all()


def test_copies_that_cannot_be() -> None:
    memory = drv.mem_alloc(16)
    host = np.zeros((4, 4), np.float32)
    with pytest.raises(ValueError, match="one after another"):
        drv.memcpy_htod(memory, host[:, ::2])
    with pytest.raises(drv.LogicError, match="16 bytes, fewer than the 64"):
        drv.memcpy_htod(memory, host)
    with pytest.raises(drv.LogicError, match="16 bytes"):
        drv.memcpy_dtoh(host, memory)
    with pytest.raises(TypeError, match="got int"):
        drv.memcpy_htod(memory, 3)
    with pytest.raises(ValueError, match="read-only"):
        drv.memcpy_dtoh(b"1234", memory)
    with pytest.raises(TypeError, match="stream: expected a Stream"):
        drv.memcpy_htod_async(memory, host[0], 7)
    drv.memcpy_htod(memory, b"")
    drv.memcpy_htod(memory, bytearray(b"abcd"))
    assert drv.from_device(memory, 4, np.uint8).tobytes() == b"abcd"


def test_fills() -> None:
    memory = drv.mem_alloc(64)
    stream = drv.Stream()
    for fill, later, dtype in (
        (drv.memset_d8, drv.memset_d8_async, np.uint8),
        (drv.memset_d16, drv.memset_d16_async, np.uint16),
        (drv.memset_d32, drv.memset_d32_async, np.uint32),
    ):
        count = 64 // np.dtype(dtype).itemsize
        fill(memory, 7, count)
        assert (drv.from_device(memory, count, dtype) == 7).all()
        later(memory, 9, count, stream)
        stream.synchronize()
        assert (drv.from_device(memory, count, dtype) == 9).all()
    drv.memset_d8(memory, 0, 64)
    for fill, later, dtype in (
        (drv.memset_d2d8, drv.memset_d2d8_async, np.uint8),
        (drv.memset_d2d16, drv.memset_d2d16_async, np.uint16),
        (drv.memset_d2d32, drv.memset_d2d32_async, np.uint32),
    ):
        drv.memset_d8(memory, 0, 64)
        fill(memory, 16, 5, 2, 4)
        rows = drv.from_device(memory, (4, 16 // np.dtype(dtype).itemsize), dtype)
        assert (rows[:, :2] == 5).all() and (rows[:, 2:] == 0).all()
        later(memory, 16, 6, 2, 2, stream)
        stream.synchronize()
        assert drv.from_device(memory, (4, 16 // np.dtype(dtype).itemsize), dtype)[:, 0].tolist() == [6, 6, 5, 5]


def test_allocations() -> None:
    memory = drv.mem_alloc(100)
    assert (
        isinstance(memory, cuox.Buffer) and int(memory) == memory.__index__() == np.intp(memory) and memory.size == 100
    )
    assert drv.mem_get_address_range(int(memory) + 3) == (int(memory), 100)
    assert drv.pointer_get_attribute(drv.pointer_attribute.MEMORY_TYPE, memory) == drv.memory_type.DEVICE
    memory.free()
    with pytest.raises(drv.LogicError, match="DeviceAllocation.free: the memory was freed before"):
        memory.free()
    with pytest.raises(ValueError, match="closed"):
        int(memory)
    pitched, pitch = drv.mem_alloc_pitch(100, 10, 4)
    assert pitch >= 100 and pitched.size == 10 * pitch
    drv.memset_d2d8(pitched, pitch, 1, 100, 10)
    free, total = drv.mem_get_info()
    assert 0 < free <= total
    with pytest.raises(drv.LogicError, match="from 1 on, got 0"):
        drv.mem_alloc(0)
    with pytest.raises(TypeError, match="mem_alloc"):
        drv.DeviceAllocation()
    with pytest.raises(drv.LogicError, match="memcpy_dtoh"):
        drv.mem_alloc(8).as_buffer(8)


def test_too_much_memory() -> None:
    with pytest.raises(drv.MemoryError, match=r"1125899906842624 bytes were asked for, \d+ of \d+ are free") as caught:
        drv.mem_alloc(1 << 50)
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, drv.Error) and caught.value.code == 2


def test_allocations_outlive_their_context(context: Context) -> None:
    memory = drv.to_device(np.arange(4))
    context.detach()
    # Other tests of the process may have left theirs below it.
    while Context.get_current() is not None:
        Context.pop()
    memory.free()
    del memory
    gc.collect()
    Device(0).make_context()
    assert drv.to_device(np.arange(4)).size == 32


def test_managed_memory(module: drv.Module) -> None:
    array = drv.managed_zeros((4, 8), np.float32)
    assert isinstance(array.base, drv.ManagedAllocation) and array.base.get_device_pointer() == array.ctypes.data
    array += 2
    scale = module.get_function("scale")
    scale(array, np.float32(4), np.int32(array.size), block=(32, 1, 1))
    Context.synchronize()
    assert (array == 8).all()
    scale(array[1:], np.float32(2), np.int32(8), block=(32, 1, 1))
    with pytest.raises(TypeError, match="not contiguous"):
        scale(array[:, ::2], np.float32(2), np.int32(8), block=(32, 1, 1))
    Context.synchronize()
    assert (array[1] == 16).all() and (array[0] == 8).all()
    array.base.attach(drv.mem_attach_flags.GLOBAL)
    assert bytes(array.base.as_buffer(4)) == struct.pack("f", 8)
    with pytest.raises(drv.LogicError, match="not within"):
        array.base.as_buffer(1000)
    assert drv.managed_empty_like(array.T).flags.f_contiguous and (drv.managed_zeros_like(array) == 0).all()


def test_host_memory() -> None:
    array = drv.pagelocked_empty((3, 4), np.float64, order="F", mem_flags=drv.host_alloc_flags.DEVICEMAP)
    assert array.flags.f_contiguous and isinstance(array.base, drv.HostAllocation)
    assert array.base.get_flags() & drv.host_alloc_flags.DEVICEMAP and array.base.get_device_pointer()
    array.base.free()
    array[:] = 1
    with pytest.raises(drv.LogicError, match="freed before"):
        array.base.free()
    assert (drv.pagelocked_zeros(5, np.int8) == 0).all() and drv.pagelocked_empty_like(array).flags.f_contiguous
    record = np.dtype([("a", np.int32), ("b", np.float32)])
    assert drv.pagelocked_zeros(3, record)["b"].tolist() == [0, 0, 0]
    aligned = drv.aligned_zeros((10, 3), np.float32, alignment=8192)
    assert (
        aligned.ctypes.data % 8192 == 0
        and isinstance(aligned.base, drv.AlignedHostAllocation)
        and aligned.flags.c_contiguous
    )
    assert drv.aligned_empty_like(aligned).shape == drv.aligned_zeros_like(aligned).shape == (10, 3)
    registered = drv.register_host_memory(aligned)
    assert isinstance(registered.base, drv.RegisteredHostMemory) and registered.ctypes.data == aligned.ctypes.data
    registered.base.unregister()
    with pytest.raises(drv.LogicError, match="unregistered before"):
        registered.base.unregister()
    with pytest.raises(drv.LogicError, match="power of two"):
        drv.aligned_empty(4, np.int8, alignment=3)


def test_streams_and_events() -> None:
    stream = drv.Stream()
    assert isinstance(stream, cuox.Stream) and stream.__cuda_stream__() == (0, stream.handle)
    start, end = drv.Event(), drv.Event(drv.event_flags.BLOCKING_SYNC)
    assert start.record(stream) is start and end.record(stream).synchronize() is end
    stream.wait_for_event(start)
    stream.synchronize()
    assert stream.is_done() and end.query()
    assert end.time_since(start) >= 0 and start.time_till(end) >= 0
    with pytest.raises(drv.Error):
        end.time_since(drv.Event(drv.event_flags.DISABLE_TIMING).record())
    with pytest.raises(drv.LogicError, match="event_flags"):
        drv.Event(64)


def test_launches(module: drv.Module) -> None:
    scale = module.get_function("scale")
    host = np.arange(100, dtype=np.float32)
    memory = drv.to_device(host)
    assert scale(memory, np.float32(2), np.int32(100), block=(32, 1, 1), grid=(4, 1)) is None
    scale(int(memory), 2.0, 100, block=(32, 1, 1), grid=(4, 1, 1), stream=drv.Stream())
    Context.synchronize()
    scale(np.intp(memory), 2, 100, block=(32, 1, 1), grid=(np.int64(4), 1), shared=64)
    assert (drv.from_device_like(memory, host) == 8 * host).all()
    taken = scale(memory, 1.0, 100, block=(32, 1, 1), grid=(4, 1), time_kernel=True)
    assert taken is not None and taken > 0
    there = host.copy()
    scale(drv.InOut(there), np.float32(3), np.int32(100), block=(128, 1, 1))
    assert (there == 3 * host).all()
    assert scale.num_regs > 0 and scale.shared_size_bytes == 0 and scale.max_threads_per_block == 1024
    scale.set_cache_config(drv.func_cache.PREFER_L1)
    scale.set_attribute(drv.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 50_000)
    assert scale.get_attribute(drv.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES) == 50_000
    with pytest.raises(AttributeError, match="no_such"):
        _ = scale.no_such
    scale.note = "functions have attributes of their own"


def test_structures_and_dynamic_shared_memory(module: drv.Module) -> None:
    pair = module.get_function("pair")
    out = np.zeros(1, np.float32)
    record = np.zeros(1, [("a", np.int32), ("b", np.float32)])
    record[0] = (2, 0.5)
    for value in (record[0], record, struct.pack("if", 2, 0.5)):
        out[0] = 0
        pair(drv.Out(out), value, block=(1, 1, 1))
        assert out[0] == 2.5
    order = np.zeros(64, np.int32)
    module.get_function("dynamic")(drv.Out(order), block=(64, 1, 1), shared=256)
    assert (order == np.arange(64)[::-1]).all()


def test_prepared_calls(module: drv.Module) -> None:
    scale = module.get_function("scale")
    assert scale.prepare("Pfi") is scale and scale.arg_format == "Pfi"
    memory = drv.to_device(np.ones(4, np.float32))
    scale.prepared_call((1, 1), (4, 1, 1), memory, 2, 4)
    scale.prepared_call((1, 1), (4, 1, 1), int(memory), 2.0, 4, shared_size=16)
    scale.prepared_async_call((1, 1), (4, 1, 1), drv.Stream(), memory, 2.0, 4)
    scale.prepared_async_call((1, 1), (4, 1, 1), None, memory, 2.0, 4)
    wait = scale.prepared_timed_call((1, 1), (4, 1, 1), memory, 2.0, 4)
    assert wait() >= 0
    Context.synchronize()
    assert (drv.from_device(memory, 4, np.float32) == 32).all()
    scale.prepare([np.intp, np.float32, "i"])
    assert scale.arg_format == "lfi"
    with pytest.raises(TypeError, match="prepared calls copy no arrays"):
        scale.prepared_call((1, 1), (4, 1, 1), drv.In(np.ones(4, np.float32)), 2.0, 4)
    with pytest.raises(TypeError, match="3 arguments|fit the format"):
        scale.prepared_call((1, 1), (4, 1, 1), memory)


def test_wrong_launches(module: drv.Module) -> None:
    scale = module.get_function("scale")
    memory = drv.mem_alloc(64)
    with pytest.raises(ValueError, match="must specify block size"):
        scale(memory, 1.0, 1)
    with pytest.raises(ValueError, match="extra keyword arguments: threads"):
        scale(memory, 1.0, 1, block=(1, 1, 1), threads=3)
    with pytest.raises(TypeError, match=r"invalid type on parameter #0 \(0-based\)"):
        scale("x", 1.0, 1, block=(1, 1, 1))
    with pytest.raises(TypeError, match=r"invalid type on parameter #2 \(0-based\): object"):
        scale(memory, 1.0, object(), block=(1, 1, 1))
    with pytest.raises(TypeError, match="takes 3 arguments, not 1"):
        scale(memory, block=(1, 1, 1))
    with pytest.raises(TypeError, match="device pointer, not numpy.ndarray"):
        scale(np.zeros(4, np.float32), 1.0, 1, block=(1, 1, 1))
    with pytest.raises((drv.Error, ValueError)):
        scale(memory, 1.0, 1, block=(2000, 1, 1))
    with pytest.raises(drv.LogicError, match="texture object"):
        scale(memory, 1.0, 1, block=(1, 1, 1), texrefs=[drv.TextureReference()])
    with pytest.raises(ValueError, match="one after another"):
        scale(drv.In(np.zeros((4, 4), np.float32)[:, 1]), 1.0, 1, block=(1, 1, 1))
    with pytest.raises(TypeError, match="could not determine the size"):
        scale(drv.In(3), 1.0, 1, block=(1, 1, 1))
    memory.free()
    with pytest.raises((drv.LogicError, ValueError), match="closed"):
        scale(memory, 1.0, 1, block=(1, 1, 1))


def test_modules(module: drv.Module, code: cuox.ObjectCode, tmp_path: Path) -> None:
    address, size = module.get_global("offset")
    assert size == 16
    drv.memcpy_htod(address, np.arange(4, dtype=np.float32))
    out = np.ones(4, np.float32)
    module.get_function("shifted")(drv.InOut(out), block=(4, 1, 1))
    assert out.tolist() == [1, 2, 3, 4]
    with pytest.raises(drv.LogicError, match='no kernel "skale"; available: '):
        module.get_function("skale")
    with pytest.raises(drv.LogicError):
        module.get_global("nothing")
    with pytest.raises(drv.LogicError, match="cudaTextureObject_t"):
        module.get_texref("t")
    with pytest.raises(drv.LogicError, match="cudaSurfaceObject_t"):
        module.get_surfref("s")
    path = tmp_path / "code.ptx"
    path.write_bytes(code.code)
    assert drv.module_from_file(str(path)).get_function("scale").num_regs > 0
    with pytest.raises(drv.RuntimeError, match="file not found"):
        drv.module_from_file("no such file")
    told: list[tuple[bool, str, str]] = []
    with pytest.raises(drv.Error):
        drv.module_from_buffer(b"this is no code", message_handler=lambda *message: told.append(message))
    assert told and told[0][0] is False


def test_linker(code: cuox.ObjectCode) -> None:
    told: list[tuple[bool, str, str]] = []
    linked = drv.module_from_buffer(
        code.code, [(drv.jit_option.OPTIMIZATION_LEVEL, 3)], lambda *message: told.append(message)
    )
    out = np.ones(4, np.float32)
    linked.get_function("scale")(drv.InOut(out), np.float32(3), np.int32(4), block=(4, 1, 1))
    assert (out == 3).all() and told[0][0] is True
    linker = drv.Linker()
    linker.add_data(code.code, drv.jit_input_type.PTX, "some.ptx")
    linker.link_module()
    with pytest.raises(drv.LogicError, match="make another Linker"):
        linker.link_module()
    with pytest.raises(drv.Error):
        drv.Linker().add_file("no such file", drv.jit_input_type.PTX)


def test_arrays() -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(3, 4)
    array = drv.matrix_to_array(matrix, "C")
    descriptor = array.get_descriptor()
    assert (descriptor.width, descriptor.height, descriptor.format, descriptor.num_channels) == (
        4,
        3,
        drv.array_format.FLOAT,
        1,
    )
    back = np.zeros_like(matrix)
    copy = drv.Memcpy2D()
    copy.set_src_array(array)
    copy.set_dst_host(back)
    copy.width_in_bytes = copy.dst_pitch = 16
    copy.height = 3
    copy(aligned=True)
    assert (back == matrix).all() and copy.height == 3 and copy.src_memory_type == drv.memory_type.ARRAY
    memory = drv.mem_alloc(48)
    copy.set_dst_device(memory)
    copy(drv.Stream())
    Context.synchronize()
    assert (drv.from_device_like(memory, matrix) == matrix).all()
    box = np.arange(24, dtype=np.complex64).reshape(2, 3, 4)
    deep = drv.np_to_array(box, "C")
    assert deep.get_descriptor_3d().depth == 2 and deep.get_descriptor_3d().num_channels == 2
    read = np.zeros_like(box)
    copy3 = drv.Memcpy3D()
    copy3.set_src_array(deep)
    copy3.set_dst_host(read)
    copy3.width_in_bytes = copy3.dst_pitch = 32
    copy3.dst_height = copy3.height = 3
    copy3.depth = 2
    copy3()
    assert (read == box).all()
    line = drv.ArrayDescriptor()
    line.width, line.format = 16, drv.array_format.UNSIGNED_INT8
    row = drv.Array(line)
    drv.memcpy_htoa(row, 0, b"0123456789abcdef")
    drv.memcpy_atoa(row, 0, row, 8, 4)
    text = bytearray(4)
    drv.memcpy_atoh(text, row, 0)
    assert text == b"89ab"
    drv.memcpy_atod(memory, row, 4, 4)
    drv.memcpy_dtoa(row, 0, memory, 4)
    row.free()
    with pytest.raises(drv.LogicError, match="freed"):
        row.free()
    assert drv.make_multichannel_2d_array(np.zeros((4, 5, 2), np.float32), "C").get_descriptor().num_channels == 2
    with pytest.raises(drv.LogicError, match="cudaTextureObject_t"):
        drv.matrix_to_texref(matrix, drv.TextureReference(), "C")
    with pytest.raises(TypeError, match="float32"):
        drv.dtype_to_array_format(np.int64)
    with pytest.raises(drv.LogicError, match="order"):
        drv.matrix_to_array(matrix, "X")


def test_compile_error_shows_what_the_compiler_said() -> None:
    error = drv.CompileError("it failed", ["nvcc", "-O3"], "out", "err")
    assert str(error) == "it failed\n[command: nvcc -O3]\n[stdout:\nout]\n[stderr:\nerr]" and isinstance(
        error, drv.Error
    )


def test_use_after_free(module: drv.Module) -> None:
    memory = drv.mem_alloc(16)
    host = np.zeros(4, np.float32)
    memory.free()
    for use in (
        lambda: drv.memcpy_htod(memory, host),
        lambda: drv.memcpy_dtoh(host, memory),
        lambda: drv.memset_d8(memory, 0, 16),
        lambda: drv.memcpy_dtod(memory, memory, 4),
        lambda: module.get_function("scale")(memory, 1.0, 4, block=(4, 1, 1)),
        lambda: module.get_function("scale").prepared_call((1, 1), (4, 1, 1), memory, 1.0, 4),
        lambda: memory + 1,  # type: ignore[operator]
        memory.free,
    ):
        with pytest.raises((drv.LogicError, ValueError, TypeError)):
            use()
