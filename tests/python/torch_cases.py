"""What PyTorch's programs do with `import cuox.torch`, one function each: on the software GPU the results are the CPU's
to the bit. `test_torch.py` runs this file once, in a process of its own, in which nothing has imported PyTorch before.

    python tests/python/torch_cases.py [NAME...]    prints a line of JSON for each
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

SCALE = r"""
extern "C" __global__ void scale(float *x, double factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}
"""


def same(ours: Any, theirs: Any) -> None:
    """On the software GPU a result is the CPU's, on a GPU nearly so."""
    assert ours.device.type == "cuda" and theirs.device.type == "cpu"
    exact = {"rtol": 0, "atol": 0} if cuox.torch.is_active() else {}
    torch.testing.assert_close(ours.cpu(), theirs, **exact)


def train(device: str, make: Callable[[], Any], shape: tuple[int, ...]) -> list[float]:
    """The losses of a tutorial's training on made-up data."""
    torch.manual_seed(0)
    x = torch.randn(128, *shape)
    y = (x.flatten(1).sum(1) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=32, pin_memory=device == "cuda")
    model = make().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(2):
        for images, labels in loader:
            images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]
    return losses


def check_training(make: Callable[[], Any], shape: tuple[int, ...]) -> None:
    ours, theirs = train("cuda", make, shape), train("cpu", make, shape)
    if cuox.torch.is_active():
        assert ours == theirs
    else:
        torch.testing.assert_close(ours, theirs, rtol=1e-2, atol=1e-2)


def case_the_device_is_there() -> None:
    assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
    assert torch.cuda.get_device_name() == cuox.Device().name
    assert torch.cuda.get_device_capability() == tuple(cuox.Device().compute_capability)


def case_tensors_are_in_the_memory_of_the_device() -> None:
    before = torch.cuda.memory_allocated()
    x = torch.ones(1 << 18, device="cuda")
    assert x.is_cuda and torch.cuda.memory_allocated() - before == 1 << 20
    y = x.view(512, 512)[3:5]
    y += 1
    assert y.untyped_storage().data_ptr() == x.data_ptr() and x.sum().item() == (1 << 18) + 1024
    try:
        x.numpy()
    except TypeError:
        return
    raise AssertionError("a tensor on the device became an array")


def case_operators() -> None:
    torch.manual_seed(1)
    a, b = torch.randn(9, 7), torch.randn(7, 5)
    x, y = a.cuda(), b.cuda()
    same(x @ y, a @ b)
    same(torch.linalg.svdvals(x), torch.linalg.svdvals(a))
    # Its results grow in memory that is there.
    solutions = torch.linalg.lstsq(x, x[:, :2]).solution.cpu(), torch.linalg.lstsq(a, a[:, :2]).solution
    torch.testing.assert_close(*solutions, rtol=1e-4, atol=1e-5)
    same(torch.fft.rfft(x).abs(), torch.fft.rfft(a).abs())
    same(x.sort(1).indices, a.sort(1).indices)
    same(torch.where(x > 0, x, 0.5), torch.where(a > 0, a, 0.5))
    same(x.nonzero(), a.nonzero())
    same(x.t().cumsum(0)[1:, ::2], a.t().cumsum(0)[1:, ::2])
    assert not torch._efficientzerotensor(3, device="cuda").sgn().any()
    for _ in range(2):  # results are allocated on the device from the second call on
        same(x.t() * 2, a.t() * 2)
        assert (x.t() * 2).stride() == (a.t() * 2).stride()


def case_large_results_are_allocated_on_the_device() -> None:
    a = torch.arange(20000.0).view(100, 200)
    x = a.cuda()
    for _ in range(3):
        same(x.t() * 2 + x.t(), a.t() * 2 + a.t())
        same(x.sin().sum(1), a.sin().sum(1))
        assert (x.t() * 2).stride() == (a.t() * 2).stride()


def case_writes_go_where_they_are_asked_to() -> None:
    a, x = torch.arange(12.0).view(3, 4), torch.arange(12.0, device="cuda").view(3, 4)
    place = x.data_ptr()
    assert x[1].mul_(3) is not None and x.data_ptr() == place
    a[1].mul_(3)
    out = torch.empty(4, 3, device="cuda")
    kept = out.data_ptr()
    assert torch.add(x.t(), 1, out=out) is out and out.data_ptr() == kept
    same(out, a.t() + 1)
    grown = torch.empty(0, device="cuda")
    torch.mul(x, 2, out=grown)
    same(grown, a * 2)
    x.index_put_((torch.tensor([0, 2]),), torch.tensor(-1.0, device="cuda"))
    a.index_put_((torch.tensor([0, 2]),), torch.tensor(-1.0))
    same(x, a)


def case_tensors_elsewhere_are_refused() -> None:
    try:
        torch.ones(3, device="cuda") + torch.ones(3)
    except RuntimeError as error:
        assert "Expected all tensors to be on the same device" in str(error), error
        return
    raise AssertionError("tensors on two devices were added")


def case_an_mlp_trains() -> None:
    check_training(
        lambda: nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.0), nn.Linear(32, 2)),
        (1, 8, 8),
    )


def case_a_convolution_net_trains() -> None:
    check_training(
        lambda: nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(64, 2),
        ),
        (1, 8, 8),
    )


def case_fake_tensors_know_the_memory_format_of_convolutions() -> None:
    """Compiled programs rely on it: channels last, but for float64, which cuDNN has contiguous only."""
    weight = torch.randn(4, 3, 3, 3, device="cuda", requires_grad=True)
    x = torch.randn(2, 3, 9, 9, device="cuda").to(memory_format=torch.channels_last).requires_grad_()
    flat = torch.randn(2, 3, 9, device="cuda")

    def strides(x: Any, weight: Any, flat: Any) -> list[Any]:
        found = nn.functional.conv2d(x, weight)
        gradients = torch.autograd.grad(found.sum(), (x, weight))
        line = nn.functional.conv1d(flat, weight[..., 0])
        up = nn.functional.conv_transpose2d(x, weight.transpose(0, 1))
        return [one.stride() for one in (found, *gradients, line, up)]

    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        operands = [one.detach().to(dtype).requires_grad_() for one in (x, weight, flat)]
        real = strides(*operands)
        with torch._subclasses.FakeTensorMode() as mode:
            fake = strides(*(mode.from_tensor(one) for one in operands))
        assert real == fake, (dtype, real, fake)
        assert (real[0] == (196, 49, 7, 1)) == (dtype is torch.float64), real


def case_results_are_laid_out_as_fake_tensors_are() -> None:
    """Where CUDA's kernels lay them out otherwise than the CPU's."""
    square = torch.randn(3, 5, 5, device="cuda")
    half = torch.fft.rfft2(torch.randn(5, 6, 12, device="cuda"))
    image = torch.randn(1, 2, 3, 6, device="cuda").to(memory_format=torch.channels_last)
    pooled, places = nn.functional.max_pool2d(image, 2, return_indices=True)

    def results(square: Any, half: Any, image: Any, pooled: Any, places: Any) -> list[Any]:
        found = [*torch.linalg.svd(square), *torch.linalg.eig(square), torch.fft.irfft2(half), torch.fft.hfft2(half)]
        found += [torch.fft.rfftn(square), torch.fft.rfftn(image), torch.fft.fftn(image), torch.fft.irfftn(half)]
        return [*found, nn.functional.max_unpool2d(pooled, places, 2), torch.nonzero_static(square, size=7)]

    operands = square, half, image.contiguous(), pooled, places
    real = results(*operands)
    with torch._subclasses.FakeTensorMode() as mode:
        fake = results(*(mode.from_tensor(one) for one in operands))

    def strides(found: list[Any]) -> list[Any]:
        # That of a dimension of one element is anything.
        return [[step for size, step in zip(one.shape, one.stride()) if size != 1] for one in found]

    assert strides(real) == strides(fake)
    again = results(*operands)
    for one, other in zip(again, results(*(one.cpu() for one in operands))):
        torch.testing.assert_close(one.cpu().abs(), other.abs())
    assert [one.stride() for one in real] == [one.stride() for one in again]


def case_results_are_laid_out_as_on_gpus() -> None:
    """As recorded on an H200: the CPU's are otherwise."""
    x = torch.randint(0, 2, (5, 5, 5), device="cuda")
    assert torch.unique_consecutive(x, dim=1).is_contiguous() and torch.unique(x, dim=1).is_contiguous()
    out = torch.empty(0, dtype=torch.complex64, device="cuda")
    torch.fft.rfft(torch.randn(5, 10, 7, device="cuda"), dim=1, out=out)
    assert out.shape == (5, 6, 7) and out.stride() == (42, 1, 6), out.stride()
    memory = torch.empty(5, 6, 7, dtype=torch.complex64, device="cuda")
    values = torch.randn(5, 10, 7, device="cuda")
    assert torch.fft.rfft(values, dim=1, out=memory) is memory and memory.is_contiguous()
    torch.testing.assert_close(memory.cpu(), torch.fft.rfft(values.cpu(), dim=1))


def case_dtypes_that_gpus_lack_are_refused() -> None:
    ones = torch.ones(3, 3, dtype=torch.int64, device="cuda")
    image = ones.view(1, 1, 3, 3)
    for call in (
        lambda: ones @ ones,
        lambda: ones @ ones[0],
        lambda: torch.dot(ones[0], ones[0]),
        lambda: torch.addmm(ones, ones, ones),
        lambda: nn.functional.linear(ones, ones),
        lambda: nn.functional.max_pool2d(image, 2),
        lambda: nn.functional.conv2d(image, image),
    ):
        try:
            call()
        except RuntimeError:
            continue
        raise AssertionError("integers in products of matrices were taken")
    assert (ones * ones).sum().item() == 9


def case_integers_are_divided_by_zero() -> None:
    """A GPU does not refuse it: programs choose among the results afterwards."""
    for dtype in (torch.int32, torch.int64):
        a = torch.tensor([7, -7, 0, 9], dtype=dtype, device="cuda")
        b = torch.tensor([0, 0, 0, -2], dtype=dtype, device="cuda")
        chosen = torch.where(b != 0, a // b, 0)
        assert chosen.tolist() == [0, 0, 0, -5] and chosen.dtype == dtype
        assert torch.div(a, b, rounding_mode="trunc")[3].item() == -4
        assert torch.remainder(a, b)[3].item() == -1 and torch.fmod(a, b)[3].item() == 1
        c = a.clone()
        c //= b
        assert c[3].item() == -5 and c.dtype == dtype
        out = torch.empty_like(a)
        assert torch.remainder(a, b, out=out) is out and out[3].item() == -1
        assert (a // 0).shape == (4,)
        if cuox.torch.is_active():
            assert (a // b).tolist() == [-1, -2, -1, -5]
            assert (a % b).tolist() == [7, -7, 0, -1] and torch.fmod(a, b).tolist() == [7, -7, 0, 1]
    for write in (lambda: a.clone().div_(b), lambda: a.clone().floor_divide_(b.float())):
        try:
            write()
        except RuntimeError as error:
            assert "can't be cast" in str(error), error
            continue
        raise AssertionError("floats were written to integers")
    x = torch.tensor([1.0, -1.0], device="cuda")
    x.floor_divide_(torch.zeros(2, dtype=torch.int64, device="cuda"))
    assert x.tolist() == [float("inf"), float("-inf")]


def case_integers_are_divided_by_zero_in_their_dtype() -> None:
    one = torch.tensor(7, dtype=torch.int32, device="cuda")
    for result in (one // 0, one % 0, 5 % (one * 0), one // (one * 0)):
        assert result.dtype == torch.int32
    small = torch.tensor([3], dtype=torch.int8, device="cuda")
    assert (small // torch.tensor([False], device="cuda")).dtype == torch.int8
    a = torch.tensor([6, 7], device="cuda")
    # What is written is an operand, too, and was begun with.
    assert torch.floor_divide(a, torch.tensor([2, 0], device="cuda"), out=a)[0].item() == 3
    for write in (
        lambda: torch.ones(1, dtype=torch.bool, device="cuda").floor_divide_(1),
        lambda: a[1:].floor_divide_(torch.zeros_like(a)),
    ):
        try:
            write()
        except RuntimeError:
            continue
        raise AssertionError("a quotient was written where it cannot be")
    if cuox.torch.is_active():
        b = torch.zeros(3, dtype=torch.int64, device="cuda")
        try:
            b[1:].floor_divide_(b[:-1])
        except RuntimeError as error:
            assert "single memory location" in str(error), error
        else:
            raise AssertionError("operands that overlap what is written were taken")


def case_the_least_integer_is_divided() -> None:
    """By -1 the quotient is none: the processor has a fault, and a GPU does not."""
    for dtype in (torch.int8, torch.int32, torch.int64):
        least = torch.iinfo(dtype).min
        a = torch.tensor([least, least, 9], dtype=dtype, device="cuda")
        b = torch.tensor([-1, 2, -1], dtype=dtype, device="cuda")
        out = torch.empty_like(a)
        for quotient in (
            torch.div(a, b, rounding_mode="trunc"),
            torch.div(a, b, rounding_mode="trunc", out=out),
            a.clone().div_(b, rounding_mode="trunc"),
        ):
            assert quotient[1:].tolist() == [least // 2, -9] and quotient.dtype == dtype
            assert not cuox.torch.is_active() or quotient[0].item() == least
        assert torch.div(a, -1, rounding_mode="trunc")[2].item() == -9
    c = torch.tensor([255, 3], dtype=torch.uint8, device="cuda")
    assert torch.div(c, torch.tensor([255, 255], dtype=torch.uint8, device="cuda"), rounding_mode="trunc").tolist() == [
        1,
        0,
    ]


def case_replays_divide_by_zero() -> None:
    a, b = torch.tensor([6, 7], device="cuda"), torch.tensor([2, 3], device="cuda")
    c = a.clone()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        quotient, rest = a // b, a % b
        c.floor_divide_(b)
    graph.replay()
    assert (quotient.tolist(), rest.tolist(), c.tolist()) == ([3, 2], [0, 1], [3, 2])
    b[0] = 0
    graph.replay()
    assert (quotient[1].item(), rest[1].item(), c[1].item()) == (2, 1, 0)
    if cuox.torch.is_active():
        assert (quotient[0].item(), rest[0].item(), c[0].item()) == (-1, 6, -1)


def case_optimizers() -> None:
    def step(device: str, make: Callable[[Any], Any]) -> Any:
        w = torch.linspace(-1, 1, 10, device=device).requires_grad_()
        optimizer = make([w])
        for _ in range(3):
            optimizer.zero_grad()
            (w.sin() * w).sum().backward()
            optimizer.step()
        return w.detach()

    for make in (
        lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
        lambda p: torch.optim.Adam(p, lr=0.1, foreach=True),
        lambda p: torch.optim.RMSprop(p, lr=0.1),
    ):
        same(step("cuda", make), step("cpu", make))
    torch.testing.assert_close(
        step("cuda", lambda p: torch.optim.AdamW(p, lr=0.1, fused=True)).cpu(),
        step("cpu", lambda p: torch.optim.AdamW(p, lr=0.1)),
    )


def case_recurrent_nets_and_attention() -> None:
    torch.backends.cudnn.allow_tf32 = False  # GPUs round factors to ten bits else
    torch.manual_seed(2)
    for module, shape in ((nn.LSTM(6, 5, 2), (4, 3, 6)), (nn.GRU(6, 5), (4, 3, 6))):
        x = torch.randn(shape)
        gradients = []
        for device in ("cpu", "cuda"):
            module.to(device).zero_grad()
            module(x.to(device))[0].square().sum().backward()
            gradients.append([one.grad.to("cpu", copy=True) for one in module.parameters()])
        torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-5)
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).eval()
    x = torch.randn(2, 5, 8)
    theirs = layer(x).detach()
    torch.testing.assert_close(layer.cuda()(x.cuda()).cpu().detach(), theirs, rtol=1e-4, atol=1e-5)


def case_mixed_precision() -> None:
    model = nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    scaler = torch.amp.GradScaler("cuda", init_scale=1024)
    before = model.weight.detach().clone()
    with torch.autocast("cuda", dtype=torch.float16):
        y = model(torch.ones(4, 8, device="cuda"))
    assert y.dtype is torch.float16
    scaler.scale(y.float().sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert torch.allclose(model.weight, before - 0.4)


def case_random_numbers_repeat() -> None:
    torch.cuda.manual_seed(7)
    state = torch.cuda.get_rng_state()
    first, second = torch.rand(5, device="cuda"), torch.rand(5, device="cuda")
    assert not torch.equal(first, second)
    torch.cuda.set_rng_state(state)
    assert torch.equal(torch.rand(5, device="cuda"), first)
    generator = torch.Generator("cuda").manual_seed(7)
    assert torch.equal(torch.rand(5, device="cuda", generator=generator), first)
    layer = nn.Dropout(0.5)
    kept = layer(torch.ones(1000, device="cuda"))
    assert set(kept.tolist()) == {0.0, 2.0}


def case_tensors_are_saved_and_loaded() -> None:
    with tempfile.TemporaryFile() as file:
        torch.save({"x": torch.arange(5.0, device="cuda")}, file)
        file.seek(0)
        there = torch.load(file)["x"]
        file.seek(0)
        here = torch.load(file, map_location="cpu")["x"]
    same(there, here)
    state = io.BytesIO()
    model = nn.Linear(2, 2).cuda()
    torch.save(model.state_dict(), state)
    state.seek(0)
    other = nn.Linear(2, 2)
    other.load_state_dict(torch.load(state, map_location="cpu"))
    same(model.weight.detach(), other.weight.detach())


def case_kernels_write_to_tensors() -> None:
    kernel = cuox.Program(SCALE).compile("ptx").get_kernel("scale")
    x = torch.arange(1000.0, device="cuda")
    kernel[4, 256](x, 0.5, 1000)
    kernel[4, 256, torch.cuda.current_stream()](x, 0.5, 1000)
    same(x + 1, torch.arange(1000.0) * 0.25 + 1)


def case_operations_come_after_kernels_of_their_stream() -> None:
    n = 1 << 18
    kernel = cuox.Program(SCALE).compile("ptx").get_kernel("scale")
    stream = torch.cuda.Stream()
    x = torch.ones(n, device="cuda")
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(10):
            kernel[n // 256, 256, stream](x, 2.0, n)
        y = x + 1
        x.zero_()
    stream.synchronize()
    assert torch.equal(y, torch.full((n,), 1025.0, device="cuda")) and not x.any()


def case_events_order_streams() -> None:
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    with torch.cuda.stream(first):
        x = torch.arange(1000.0, device="cuda")
        done = torch.cuda.Event()
        done.record()
    with torch.cuda.stream(second):
        done.wait()
        y = x * 2
    second.synchronize()
    end.record()
    end.synchronize()
    same(y, torch.arange(1000.0) * 2)
    assert start.elapsed_time(end) >= 0 and done.query()


def case_memory_is_shared_both_ways() -> None:
    x = torch.arange(8.0, device="cuda")
    array = cuox.from_dlpack(x)
    x += 1
    torch.cuda.synchronize()
    assert array.to_host().tolist() == [float(i + 1) for i in range(8)]
    there = torch.from_dlpack(array)
    assert there.data_ptr() == x.data_ptr()
    same(there, torch.arange(8.0) + 1)
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    buffer = device.allocate(16, stream=stream)
    buffer.fill(3, stream=stream)
    same(torch.from_dlpack(buffer), torch.full((16,), 3, dtype=torch.uint8))
    halves = cuox.to_device(np.arange(6, dtype=np.float16).reshape(2, 3))
    same(torch.from_dlpack(halves).t(), torch.arange(6, dtype=torch.float16).view(2, 3).t())
    assert torch.from_dlpack(torch.ones(2)).device.type == "cpu"


def case_kernels_in_python() -> None:
    from cuox.numba import cuda

    @cuda.jit
    def add(x, y, z):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < x.size:
            z[i] = x[i] + y[i]

    x = torch.arange(1000.0, device="cuda")
    z = torch.empty_like(x)
    add[4, 256](x, x.flip(0), z)
    same(z, torch.full((1000,), 999.0))


def case_kernels_of_cuda_core() -> None:
    from cuox.cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

    device = Device()
    device.set_current()
    stream = device.create_stream()
    program = Program(SCALE, code_type="c++", options=ProgramOptions(arch=f"sm_{device.arch}"))
    kernel = program.compile("cubin").get_kernel("scale")
    x = torch.ones(1000, device="cuda")
    torch.cuda.current_stream().synchronize()
    launch(stream, LaunchConfig(grid=4, block=256), kernel, x.data_ptr(), np.float64(3), np.int32(1000))
    stream.sync()
    same(x, torch.full((1000,), 3.0))


def case_kernels_that_torch_compiles() -> None:
    compile_kernel = getattr(torch.cuda, "compile_kernel", None) or torch.cuda._compile_kernel
    kernel = compile_kernel(SCALE, "scale")
    x = torch.ones(1000, device="cuda")
    kernel(grid=(4, 1, 1), block=(256, 1, 1), args=(x, 3.0, 1000))
    same(x, torch.full((1000,), 3.0))


def case_gradients_go_through_kernels() -> None:
    kernel = cuox.Program(SCALE).compile("ptx").get_kernel("scale")

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.clone()
            kernel[1, 256](y, 2.0, y.numel())
            return y

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            made = gradient.clone()
            kernel[1, 256](made, 2.0, made.numel())
            return made

    x = torch.arange(6.0, device="cuda", requires_grad=True)
    (Twice.apply(x) * x).sum().backward()
    same(x.grad, torch.arange(6.0) * 4)


def case_graphs_replay_operations_and_kernels() -> None:
    kernel = cuox.Program(SCALE).compile("ptx").get_kernel("scale")
    x = torch.ones(256, device="cuda")
    total = torch.zeros(256, device="cuda")
    places = torch.arange(256, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 2
        kernel[1, 256, torch.cuda.current_stream()](y, 3.0, 256)
        z = y[places].view(16, 16).sum(1)
        total += y
        noise = torch.rand(8, device="cuda")
    if cuox.torch.is_active():
        assert not total.any()  # nothing has run
    seen = []
    for value in (5.0, 7.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        same(z, torch.full((16,), value * 6 * 16))
        seen.append(noise.tolist())
    same(total, torch.full((256,), 72.0))
    assert seen[0] != seen[1] and 0 <= min(seen[0]) <= max(seen[0]) < 1


def case_a_training_step_is_a_graph() -> None:
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
    other = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    other.load_state_dict(model.state_dict())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, capturable=True)
    x, y = torch.randn(16, 8), torch.randn(16, 1)
    there, wanted = x.cuda(), y.cuda()

    def step() -> None:
        optimizer.zero_grad()
        functional.mse_loss(model(there), wanted).backward()
        optimizer.step()

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        step()  # gradients and the optimizer's state are made before the capture
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    for _ in range(3):
        graph.replay()
    theirs = torch.optim.Adam(other.parameters(), lr=0.01)
    for _ in range(4):
        theirs.zero_grad()
        functional.mse_loss(other(x), y).backward()
        theirs.step()
    for one, also in zip(model.parameters(), other.parameters()):
        torch.testing.assert_close(one.detach().cpu(), also.detach(), rtol=1e-4, atol=1e-5)


def case_replays_raise_what_operations_raise() -> None:
    if not cuox.torch.is_active():  # a GPU's assertion ends the process's use of it
        return
    x, index = torch.arange(4, device="cuda"), torch.zeros(2, dtype=torch.long, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x[index]
    index.fill_(99)
    try:
        graph.replay()
    except IndexError as error:
        assert "index 99 is out of bounds" in str(error), error
    else:
        raise AssertionError("an index out of bounds was taken")
    index.fill_(3)
    graph.replay()
    same(y, torch.full((2,), 3))


def case_torch_compile() -> None:
    # Processes to compile in, if there are to be some.
    from torch._inductor.async_compile import AsyncCompile

    AsyncCompile.warm_pool()
    AsyncCompile.wait_pool_ready()

    def function(x: Any) -> Any:
        return ((x.sin() * 2 + x) @ x.t()).softmax(-1).sum(0)

    x = torch.linspace(-1, 1, 64).view(8, 8)
    torch.testing.assert_close(torch.compile(function)(x.cuda()).cpu(), function(x), rtol=1e-4, atol=1e-5)
    torch.manual_seed(4)
    for module, shape in (
        (
            nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2)),
            (4, 1, 8, 8),
        ),
        (nn.LSTM(6, 5), (4, 3, 6)),
        (nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True), (2, 5, 16)),
    ):
        x, gradients = torch.randn(shape), []
        for device in ("cpu", "cuda"):
            module.to(device).zero_grad()
            model = torch.compile(module) if device == "cuda" else module
            result = model(x.to(device))
            (result[0] if isinstance(result, tuple) else result).square().mean().backward()
            gradients.append([one.grad.to("cpu", copy=True) for one in module.parameters()])
        torch.testing.assert_close(*gradients, rtol=1e-3, atol=1e-5)


def case_values_are_not_read_in_a_capture() -> None:
    x = torch.ones(4, device="cuda")
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            (x * 2).sum().item()
    except RuntimeError as error:
        assert "captur" in str(error), error
    else:
        raise AssertionError("a value was read while a graph was captured")
    torch.cuda.synchronize()
    same(x + 1, torch.full((4,), 2.0))


def case_several_processes_by_gloo() -> None:
    import torch.distributed as dist

    with tempfile.NamedTemporaryFile() as file:
        dist.init_process_group("gloo", init_method=f"file://{file.name}", rank=0, world_size=1)
        try:
            x = torch.ones(4, device="cuda")
            dist.all_reduce(x)
            model = nn.parallel.DistributedDataParallel(nn.Linear(4, 2).cuda())
            model(x).sum().backward()
            same(model.module.weight.grad, torch.ones(2, 4))
        finally:
            dist.destroy_process_group()


def case_libraries_with_machine_code_are_refused_by_name() -> None:
    if not cuox.torch.is_active():
        return
    import torch.distributed as dist

    def nccl() -> None:
        with tempfile.NamedTemporaryFile() as file:
            dist.init_process_group("nccl", init_method=f"file://{file.name}", rank=0, world_size=1)

    def weights() -> None:
        x = torch.ones(32, 32, dtype=torch.int32, device="cuda")
        torch.ops.aten._convert_weight_to_int4pack(x, 2)

    for call, words in (
        (torch.cuda.current_blas_handle, "no cuBLAS on the software GPU"),
        (nccl, "NCCL does not run on the software GPU"),
        (weights, "aten::_convert_weight_to_int4pack has only a kernel for CUDA"),
    ):
        try:
            call()
        except NotImplementedError as error:
            assert words in str(error), error
        else:
            raise AssertionError(f"not refused: {words}")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.backends.cudnn.enabled = True
    assert "there is no cuDNN" in str(said[0].message) and not torch.backends.cudnn.enabled


def case_the_profiler_tells_of_operations() -> None:
    try:
        with torch.profiler.profile() as found:
            torch.ones(3, device="cuda") * 2
    except NotImplementedError as error:
        assert cuox.torch.is_active() and torch.__version__ < "2.15" and "needs CUPTI" in str(error), error
        return
    assert "aten::mul" in {one.key for one in found.key_averages()}
    if cuox.torch.is_active():
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
                torch.ones(3, device="cuda")
        assert "there is no CUPTI" in str(said[0].message), said[0]


def case_the_device_is_not_reset_under_tensors() -> None:
    if not cuox.torch.is_active():
        return
    x = torch.ones(3, device="cuda")
    try:
        cuox.Device(0).reset()
    except BufferError as error:
        assert "PyTorch has" in str(error) and "start the process again" in str(error), error
    else:
        raise AssertionError("the device was reset")
    assert (x + 1).tolist() == [2.0] * 3


def case_the_device_is_not_reset_under_pinned_memory() -> None:
    if not cuox.torch.is_active():
        return
    program = """if True:
        import cuox.torch, torch
        x = torch.arange(1000).pin_memory()
        try:
            cuox.Device(0).reset()
        except BufferError:
            print(x.sum().item())
        del x
        cuox.Device(0).reset()
        print(torch.ones(1000).pin_memory().sum().item())
    """
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert ended.stdout == "499500\n1000.0\n", (ended.returncode, ended.stderr)


def case_where_there_is_a_gpu_nothing_is_loaded() -> None:
    if cuox.torch.is_active():
        return
    with open("/proc/self/maps") as file:
        assert "/cuox/lib/" not in file.read()
    assert not [name for name in sys.modules if name.startswith("cuox.torch._") and name.endswith("_operators")]


if __name__ == "__main__":
    import cuox
    import cuox.torch
    import numpy as np
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.utils.data import DataLoader, TensorDataset
    from torch_process import main

    torch.set_num_threads(1)
    main(globals(), sys.argv[1:])
