"""Other packages' arrays as arguments, and buffers as their arrays. Skipped where they are not installed."""

import cuox
import numpy as np
import pytest
from conftest import download, upload
from cuox import LaunchConfig, launch

CONFIG = LaunchConfig(grid=4, block=256)


@pytest.fixture
def gpu(device):
    if device.is_soft:
        pytest.skip("needs a GPU")
    return device


def test_torch_tensors(gpu, saxpy, stream):
    torch = pytest.importorskip("torch")
    x = torch.arange(1000, device="cuda", dtype=torch.float32)
    y = torch.ones(1000, device="cuda")
    # Torch writes on its stream, the kernel runs on another: DLPack orders the two.
    for _ in range(20):
        y.mul_(1.0)
    launch(stream, CONFIG, saxpy, 2.0, x, y, 1000)
    stream.sync()
    assert torch.equal(y.cpu(), 2 * torch.arange(1000, dtype=torch.float32) + 1)
    with pytest.raises(TypeError, match='"x".*torch.Tensor.*host memory'):
        launch(stream, CONFIG, saxpy, 2.0, x.cpu(), y, 1000)
    with pytest.raises(TypeError, match='"x".*contiguous'):
        launch(stream, CONFIG, saxpy, 2.0, x[::2], y, 500)


@pytest.mark.filterwarnings("ignore::cuox.PortabilityWarning")
def test_torch_sees_buffers(device, stream):
    torch = pytest.importorskip("torch")
    data = np.arange(64, dtype=np.uint8)
    buffer = upload(device, data, stream)
    tensor = torch.from_dlpack(buffer)
    assert tensor.is_cuda is not device.is_soft
    assert tensor.data_ptr() == int(buffer.handle)
    assert (tensor.cpu().numpy() == data).all()
    tensor.fill_(7)
    if not device.is_soft:
        torch.cuda.synchronize()
    assert (download(buffer, np.uint8, stream) == 7).all()


def test_cupy_arrays(gpu, saxpy, stream):
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(1000, dtype=cupy.float32)
    y = cupy.ones(1000, dtype=cupy.float32)
    launch(stream, CONFIG, saxpy, 2.0, x, y, 1000)
    stream.sync()
    assert (cupy.asnumpy(y) == 2 * np.arange(1000, dtype=np.float32) + 1).all()
    buffer = gpu.allocate(16, stream=stream)
    buffer.fill(5, stream=stream)
    assert (cupy.asnumpy(cupy.asarray(buffer)) == 5).all()
    assert (cupy.asnumpy(cupy.from_dlpack(buffer)) == 5).all()


def test_cupy_streams(gpu, saxpy):
    cupy = pytest.importorskip("cupy")
    own = cupy.cuda.Stream(non_blocking=True)

    class Wrapped:
        def __cuda_stream__(self):
            return (0, own.ptr)

    buffer = gpu.allocate(4000, stream=Wrapped())
    buffer.fill(0, stream=Wrapped())
    launch(Wrapped(), CONFIG, saxpy, 2.0, buffer, buffer, 1000)
    own.synchronize()
    back = np.ones(1000, np.float32)
    buffer.copy_to_host(back, stream=Wrapped())
    own.synchronize()
    assert (back == 0).all()


def test_driver_calls_take_arrays_as_device_pointers() -> None:
    from cuox.cuda.bindings import driver

    cuox.Device().set_current()
    array = cuox.zeros((2, 4), np.int32)
    buffer = cuox.Device().allocate(16)
    for target in (array, buffer, array.ptr):
        assert driver.cuMemsetD32(target, 7, 4) == (driver.CUresult.CUDA_SUCCESS,)
    host = np.empty(4, np.int32)
    assert driver.cuMemcpyDtoH(host, array, 16)[0] == driver.CUresult.CUDA_SUCCESS
    assert host.tolist() == [7] * 4
    assert array.to_host().tolist() == [[7] * 4, [0] * 4]
    for wrong in (host, array[:, ::2], "text", 1.5, [1]):
        with pytest.raises(TypeError, match="dstDevice"):
            driver.cuMemsetD32(wrong, 7, 4)
