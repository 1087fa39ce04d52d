import gc
import sys
import threading

import cuox
import numpy as np
import pytest
from conftest import SAXPY, download, upload
from cuox import LaunchConfig, Program, ProgramOptions, launch


def expected(a, x, y):
    return np.float32(a) * x + y


@pytest.fixture
def data(device, stream):
    x = np.arange(1000, dtype=np.float32)
    y = np.ones(1000, dtype=np.float32)
    return x, y, upload(device, x, stream), upload(device, y, stream)


def test_launch(saxpy, stream, data):
    x, y, dx, dy = data
    launch(stream, LaunchConfig(grid=4, block=256), saxpy, 2.0, dx, dy, 1000)
    assert (download(dy, np.float32, stream) == expected(2, x, y)).all()


def test_numpy_scalars_and_addresses(saxpy, stream, data):
    x, y, dx, dy = data
    launch(stream, LaunchConfig(grid=(4, 1, 1), block=(256,)), saxpy, np.float32(3), int(dx.handle), dy, np.int32(1000))
    assert (download(dy, np.float32, stream) == expected(3, x, y)).all()


def test_indexing_a_kernel(saxpy, stream, data):
    x, y, dx, dy = data
    saxpy[4, 256, stream](2.0, dx, dy, 1000)
    saxpy[(4, 1), (256, 1, 1), stream, 0](2.0, dx, dy, 1000)
    saxpy[LaunchConfig(grid=4, block=256), stream](2.0, dx, dy, 1000)
    stream.sync()
    saxpy[4, 256](2.0, dx, dy, 1000)
    cuox.Device().sync()
    assert (download(dy, np.float32, stream) == expected(8, x, y)).all()


def test_tutorial_shape(device, data, stream):
    x, y, dx, dy = data
    program = Program(SAXPY, "saxpy.cu")
    program.compile([f"--gpu-architecture=compute_{device.arch}"])
    stream.sync()
    program.saxpy[LaunchConfig(grid=4, block=256)](2.0, dx, dy, 1000)
    device.synchronize()
    assert (download(dy, np.float32, stream) == expected(2, x, y)).all()
    with pytest.raises(AttributeError, match="nosuch"):
        program.nosuch


def test_cubin_too(device, stream, data):
    x, y, dx, dy = data
    code = Program(SAXPY, code_type="c++", options=ProgramOptions(arch=f"sm_{device.arch}")).compile("cubin")
    launch(stream, LaunchConfig(grid=4, block=256), code.get_kernel("saxpy"), 2.0, dx, dy, 1000)
    assert (download(dy, np.float32, stream) == expected(2, x, y)).all()


def test_name_expressions(device, stream):
    source = "template <typename T> __global__ void set(T *p, T value) { p[threadIdx.x] = value; }"
    names = ("set<float>", "set<int>")
    code = Program(source, code_type="c++").compile("ptx", name_expressions=names)
    assert set(names) <= set(code.symbol_mapping)
    buffer = device.allocate(128, stream=stream)
    launch(stream, LaunchConfig(grid=1, block=32), code.get_kernel("set<float>"), buffer, 1.5)
    assert (download(buffer, np.float32, stream) == 1.5).all()
    launch(stream, LaunchConfig(grid=1, block=32), code.get_kernel("set<int>"), buffer, -7)
    assert (download(buffer, np.int32, stream) == -7).all()


def test_ptx_from_text(device, stream, data):
    x, y, dx, dy = data
    ptx = Program(SAXPY, code_type="c++").compile("ptx").code
    assert b".entry saxpy" in (ptx if isinstance(ptx, bytes) else ptx.encode())
    code = cuox.ObjectCode.from_ptx(ptx)
    assert code.code_type == "ptx"
    launch(stream, LaunchConfig(grid=4, block=256), code.get_kernel("saxpy"), 2.0, dx, dy, 1000)
    assert (download(dy, np.float32, stream) == expected(2, x, y)).all()


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        ("from_cubin", b"", "no bytes"),
        ("from_cubin", b"garbage", "its 7 bytes begin with 67 61 72 62, not with 7f 45 4c 46"),
        ("from_cubin", b"\x7fELF\2\1", "cut off"),
        ("from_cubin", b"\x7fELF\2\1" + bytes(58), "machine 0, not for CUDA"),
        ("from_cubin", b"\x50\xed\x55\xba" + bytes(12), "it is a fatbin"),
        ("from_fatbin", b"garbage", "its 7 bytes begin with 67 61 72 62, not with 50 ed 55 ba"),
        (
            "from_fatbin",
            b"\x50\xed\x55\xba\1\0\x10\0" + bytes([200] + [0] * 7),
            "cut off.* members would end at byte 216",
        ),
        ("from_ptx", b"\x7fELF", "it is an ELF file"),
    ],
)
def test_what_is_no_code(make, code, words, tmp_path):
    path = tmp_path / "code"
    path.write_bytes(code)
    for module in (code, path):
        kept = getattr(cuox.ObjectCode, make)(module)
        assert bytes(kept) == code
        with pytest.raises(ValueError, match=words):
            kept.get_kernel("k")


def test_code_that_was_compiled_can_be_loaded_again(device, stream):
    code = Program(SAXPY, code_type="c++").compile("cubin")
    again = cuox.ObjectCode.from_cubin(code.code)
    assert again.code_type == code.code_type
    assert again.get_kernel("saxpy").name == "saxpy"


def test_shared_memory_and_barriers(device, stream):
    source = r"""
    extern "C" __global__ void reverse(int *p)
    {
        extern __shared__ int tile[];
        tile[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
    }
    """
    kernel = Program(source, code_type="c++").compile("ptx").get_kernel("reverse")
    values = np.arange(128, dtype=np.int32)
    buffer = upload(device, values, stream)
    launch(stream, LaunchConfig(grid=1, block=128, shmem_size=512), kernel, buffer)
    assert (download(buffer, np.int32, stream) == values[::-1]).all()


def test_kernel_facts(saxpy):
    assert saxpy.num_arguments == 4
    assert [tuple(info) for info in saxpy.arguments_info] == [(0, 4), (8, 8), (16, 8), (24, 4)]
    assert saxpy.signature == "saxpy(float a, const float *x, float *y, int n)"
    assert saxpy.attributes.max_threads_per_block >= 256
    assert saxpy.occupancy.max_active_blocks_per_multiprocessor(128, 0) >= 1
    assert saxpy.occupancy.max_potential_block_size(0, 0).max_block_size >= 32
    assert int(saxpy.handle) != 0


def test_launch_config():
    config = LaunchConfig(grid=(2, 3), block=64, shmem_size=16)
    assert config.grid == (2, 3, 1) and config.block == (64, 1, 1) and config.shmem_size == 16
    assert config == LaunchConfig(grid=(2, 3, 1), block=(64, 1, 1), shmem_size=16)
    assert hash(config) == hash(LaunchConfig(grid=(2, 3, 1), block=(64, 1, 1), shmem_size=16))
    assert "grid=(2, 3, 1)" in repr(config)
    for bad in ({"grid": (1, 2, 3, 4), "block": 1}, {"grid": "x", "block": 1}, {"grid": 1}, {"block": 1}):
        with pytest.raises((TypeError, ValueError)):
            LaunchConfig(**bad)
    with pytest.raises((ValueError, OverflowError)):
        LaunchConfig(grid=-1, block=1)


def test_too_large_a_block(saxpy, stream, data):
    _, _, dx, dy = data
    with pytest.raises(cuox.CUDAError, match="CUDA_ERROR_INVALID_VALUE"):
        launch(stream, LaunchConfig(grid=1, block=5000), saxpy, 2.0, dx, dy, 1000)


def test_launch_wants_the_right_objects(saxpy, stream):
    config = LaunchConfig(grid=1, block=1)
    for arguments in ((), (stream,), (stream, config), (1, config, saxpy), (stream, 1, saxpy), (stream, config, 1)):
        with pytest.raises(TypeError, match="launch|stream|config|kernel"):
            launch(*arguments)


def test_eight_threads(saxpy, device):
    failures = []

    def work(number):
        try:
            device.set_current()
            stream = device.create_stream()
            x = np.full(512, number, np.float32)
            y = np.zeros(512, np.float32)
            dx, dy = upload(device, x, stream), upload(device, y, stream)
            config = LaunchConfig(grid=2, block=256)
            for _ in range(200):
                launch(stream, config, saxpy, 1.0, dx, dy, 512)
            result = download(dy, np.float32, stream)
            assert (result == 200 * number).all(), result[:4]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_thread_without_set_current(saxpy, device, stream, data):
    x, y, dx, dy = data
    errors = []

    def work():
        try:
            launch(stream, LaunchConfig(grid=4, block=256), saxpy, 2.0, dx, dy, 1000)
            stream.sync()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not errors
    assert (download(dy, np.float32, stream) == expected(2, x, y)).all()


def test_graphs(saxpy, device, stream, data, no_garbage):
    x, y, dx, dy = data
    stream.sync()
    builder = device.create_graph_builder()
    try:
        builder.begin_building()
    except cuox.CUDAError as error:
        if error.name == "CUDA_ERROR_NOT_SUPPORTED":
            pytest.skip("the software GPU has no graphs yet")
        raise
    assert builder.is_building
    for _ in range(3):
        launch(builder, LaunchConfig(grid=4, block=256), saxpy, 2.0, dx, dy, 1000)
    graph = builder.end_building().complete()
    builder.close()
    graph.upload(stream)
    graph.launch(stream)
    graph.launch(stream)
    assert (download(dy, np.float32, stream) == expected(12, x, y)).all()
    graph.close()
    with pytest.raises(cuox.CUDAError, match="closed"):
        graph.launch(stream)


def test_clusters(device, stream):
    if int(str(device.arch).rstrip("a")) < 90:
        pytest.skip("clusters need compute capability 9.0")
    source = r"""
    extern "C" __global__ void rotate(unsigned *r)
    {
        __shared__ unsigned mine[32];
        unsigned rank, blocks, there, got;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
        mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
        unsigned here = __cvta_generic_to_shared(&mine[threadIdx.x]);
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"((rank + 1) % blocks));
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(there) : "memory");
        r[blockIdx.x * 32 + threadIdx.x] = got;
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    }
    """
    kernel = Program(source, code_type="c++", options=ProgramOptions(arch="sm_90")).compile("ptx").get_kernel("rotate")
    buffer = device.allocate(4 * 32 * 8, stream=stream)
    # With a cluster, the grid counts clusters.
    launch(stream, LaunchConfig(grid=2, cluster=4, block=32), kernel, buffer)
    blocks = np.array([4 * (b // 4) + (b + 1) % 4 for b in range(8)], np.uint32)
    expected = (100 * blocks[:, None] + np.arange(32, dtype=np.uint32)).ravel()
    assert (download(buffer, np.uint32, stream) == expected).all()
    with pytest.raises(cuox.CUDAError, match="CLUSTER"):
        launch(stream, LaunchConfig(grid=1, cluster=17, block=32), kernel, buffer)
    stream.sync()


def test_configured_kernels_leave_no_references(device, stream, saxpy):
    class Foreign:
        def __cuda_stream__(self):
            return (0, stream.handle)

    foreign, x = Foreign(), device.allocate(64, stream=stream)
    # What earlier tests have left in cycles must not go meanwhile.
    gc.collect()
    before = [sys.getrefcount(thing) for thing in (saxpy, stream, foreign)]
    for _ in range(50):
        kept = [saxpy[1, 32, on] for on in (stream, foreign, None)]
        for configured in kept:
            configured(1.0, x, x, 4)
    del kept, configured
    stream.sync()
    assert [sys.getrefcount(thing) for thing in (saxpy, stream, foreign)] == before
    short_lived = device.create_stream()
    configured = saxpy[1, 32, short_lived]
    short_lived.close()
    configured(1.0, x, x, 4)
    device.sync()


def test_cooperative_launches_that_do_not_fit(device: cuox.Device, stream: cuox.Stream) -> None:
    kernel = cuox.Program('extern "C" __global__ void empty() {}').compile("ptx").get_kernel("empty")
    config = cuox.LaunchConfig(grid=1 << 22, block=128, is_cooperative=True)
    with pytest.raises(cuox.CooperativeLaunchError) as error:
        cuox.launch(stream, config, kernel)
    assert isinstance(error.value, ValueError) and error.value.name == "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=128, is_cooperative=True), kernel)
    stream.sync()


def test_the_module_of_code(device: cuox.Device, stream: cuox.Stream) -> None:
    from cuox.cuda.bindings import driver

    device.set_current()
    code = cuox.Program('__device__ int variable; extern "C" __global__ void empty() {}').compile("ptx")
    module = code.get_module()
    assert module and module == code.get_module() and module != code.handle
    status, kernel = driver.cuModuleGetFunction(module, b"empty")
    assert status == 0 and int(kernel)
    assert driver.cuModuleGetFunction(module, b"nothing")[0] == driver.CUresult.CUDA_ERROR_NOT_FOUND
