"""What programs do with kernels of their own and PyTorch's tensors, one function each.
`test_torch_kernels.py` runs this file once, in a process of its own.

    python tests/python/torch_kernel_cases.py [NAME...]    prints a line of JSON for each
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCALE = r"""
extern "C" __global__ void scale(const float *x, float factor, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * factor;
}
"""
# The kernel of a long chain of work, which the next one in its stream must wait for.
SLOW_ADD = r"""
extern "C" __global__ void slow_add(float *x, int rounds)
{
    float sum = 0;
    for (int i = 0; i < rounds; ++i)
        sum += (i & 1) ? 1.0f : 0.0f;
    x[threadIdx.x] += sum - rounds / 2 + 1;
}
"""


def raises(kind: type[BaseException], words: str, call: Callable[[], Any]) -> None:
    """Check that a call raises an error with these words."""
    try:
        call()
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"did not raise {kind.__name__}: {words}")


def scale_operator(name: str, **more: Any) -> Any:
    """The operator of the kernel `scale`."""
    return cuox.torch.register(
        cuox.torch.compile_kernel(SCALE, "scale"),
        f"cuox_tests::{name}(Tensor x, float factor) -> Tensor",
        out=lambda x, factor: torch.empty_like(x, memory_format=torch.contiguous_format),
        grid=lambda x, factor: (x.numel() + 255) // 256,
        block=256,
        args=lambda x, factor, y: (x, factor, y, x.numel()),
        **more,
    )


def with_gradients(name: str, **more: Any) -> Any:
    """The same with its formula of gradients."""

    def keep(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.factor = inputs[1]

    def backward(ctx: Any, gradient: Any) -> Any:
        return operator(gradient, ctx.factor), None

    operator = scale_operator(name, setup_context=keep, backward=backward, **more)
    return operator


# Tensors as arguments


def case_a_launch_goes_to_the_current_stream() -> None:
    kernel = cuox.torch.compile_kernel(SLOW_ADD, "slow_add")
    plain = cuox.Program(SLOW_ADD).compile().get_kernel("slow_add")
    x, side = torch.zeros(8, device="cuda"), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        for one in (kernel, plain):
            one[1, 8](x, 200_000)
            # In order behind the kernel, as it is in the same stream.
            x *= 2
        kernel(grid=(1, 1, 1), block=(8, 1, 1), args=[x, 2000])
    side.synchronize()
    assert x.tolist() == [7.0] * 8


def case_a_launch_is_captured_with_its_stream() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    x, y = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")
    kernel[1, 8](x, 1.0, y, 8)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernel[1, 8](x, 3.0, y, 8)
        y += 1
    y.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert y.tolist() == [4.0] * 8


def case_a_named_stream_waits_for_the_current_one() -> None:
    kernel = cuox.torch.compile_kernel(SLOW_ADD, "slow_add")
    x, first, second = torch.zeros(8, device="cuda"), torch.cuda.Stream(), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(first):
        kernel[1, 8](x, 400_000)
        kernel[1, 8, second](x, 2000)
    second.synchronize()
    assert x.tolist() == [2.0] * 8
    cuox.launch(cuox.Device().default_stream, cuox.LaunchConfig(grid=1, block=8), kernel.on(), x, 2000)
    torch.cuda.synchronize()
    assert x.tolist() == [3.0] * 8


def case_tensors_of_autograd_are_arguments() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    x, y = torch.ones(8, device="cuda", requires_grad=True), torch.empty(8, device="cuda")
    kernel[1, 8](x, 2.0, y, 8)
    kernel[1, 8](torch.nn.Parameter(y), 2.0, y, 8)
    assert y.tolist() == [4.0] * 8


def case_arguments_are_checked() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    x, y = torch.ones(8, device="cuda"), torch.empty(8, device="cuda")
    raises(TypeError, 'parameter 1 "x" (const float *)', lambda: kernel[1, 8](x.double(), 2.0, y, 8))
    raises(TypeError, "not contiguous", lambda: kernel[1, 8](x[::2], 2.0, y, 4))
    raises(TypeError, "host memory", lambda: kernel[1, 8](x.cpu(), 2.0, y, 8))
    raises(TypeError, "takes 4 arguments", lambda: kernel[1, 8](x, 2.0, y))
    raises(TypeError, 'parameter 2 "factor" (float)', lambda: kernel[1, 8](x, "2", y, 8))
    raises(
        ValueError,
        'parameter 1 "x" (const float *): torch.Tensor shows no memory',
        lambda: torch.vmap(lambda t: kernel[1, 8](t, 2.0, y, 8))(x.view(2, 4)),
    )
    raises(TypeError, "a kernel is called with its grid and block", lambda: kernel.on()(x, 2.0, y, 8))


def case_pinned_memory_is_an_argument() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    x, y = torch.ones(8).pin_memory(), torch.empty(8, device="cuda")
    kernel[1, 8](x, 2.0, y, 8)
    assert y.tolist() == [2.0] * 8


def case_other_dtypes_are_arguments() -> None:
    source = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n" + "\n".join(
        f'extern "C" __global__ void copy_{place}(const {name} *x, {name} *y) {{ y[threadIdx.x] = x[threadIdx.x]; }}'
        for place, name in enumerate(("__half", "__nv_bfloat16", "double", "long long", "signed char", "bool"))
    )
    dtypes = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int8, torch.bool)
    extension = cuox.torch.load_inline("copies", cuda_sources=source)
    for place, dtype in enumerate(dtypes):
        x = torch.arange(4, device="cuda").to(dtype)
        y = torch.zeros_like(x)
        extension[f"copy_{place}"][1, 4](x, y)
        assert torch.equal(x.cpu(), y.cpu()), dtype


def case_complex_numbers_that_are_still_to_be_conjugated_are_refused() -> None:
    kernel = cuox.torch.compile_kernel(
        '#include <cuComplex.h>\nextern "C" __global__ void twice(cuFloatComplex *x) { x[threadIdx.x].x *= 2; }',
        "twice",
    )
    x = torch.full((4,), 1 + 1j, dtype=torch.complex64, device="cuda")
    kernel[1, 4](x)
    assert x.tolist() == [2 + 1j] * 4
    raises(BufferError, "conj", lambda: kernel[1, 4](x.conj()))


def case_kernels_in_python_take_tensors_in_their_stream() -> None:
    from cuox.numba import cuda

    @cuda.jit
    def add(x, y, n):
        i = cuda.grid(1)
        if i < n:
            x[i] += y[i]

    x, y, side = torch.zeros(64, device="cuda"), torch.ones(64, device="cuda"), torch.cuda.Stream()
    torch.cuda.synchronize()
    slow = cuox.torch.compile_kernel(SLOW_ADD, "slow_add")
    with warnings.catch_warnings(), torch.cuda.stream(side):
        warnings.simplefilter("ignore")
        slow[1, 64](x, 200_000)
        add[1, 64](x, y, 64)
        x *= 3
        host = np.ones(64, np.float32)  # copied by Python code
        add[1, 64](x, host, 64)
        add[1, 64](x.requires_grad_(False), y, 64)
    side.synchronize()
    assert x.tolist() == [8.0] * 64


def case_kernels_in_python_take_tensors_of_all_layouts() -> None:
    from cuox.numba import cuda

    @cuda.jit
    def negate(x):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            x[i, j] = -x[i, j]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dtype in (torch.float32, torch.int64, torch.complex64):
            whole = torch.arange(48, device="cuda").to(dtype).view(6, 8)
            for part in (whole, whole.t(), whole[1:4, ::3], whole[:, :0], whole[2:3]):
                wanted = part.cpu()
                for _ in range(3):  # compiled, then found by the types
                    negate[(1, 1), (8, 8)](part)
                    wanted = -wanted
                    assert torch.equal(part.cpu(), wanted), (dtype, part.shape, part.stride())
        raises(TypeError, "Tensor", lambda: negate[(1, 1), (8, 8)](torch.ones(2, 2)))
        raises(BufferError, "conj", lambda: negate[(1, 1), (8, 8)](whole.conj()))


def case_algorithms_take_tensors_in_their_stream() -> None:
    from cuox.cuda import compute

    side = torch.cuda.Stream()
    x, out = torch.ones(1000, dtype=torch.int32, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda")
    torch.cuda.synchronize()
    for round_ in range(3):
        with torch.cuda.stream(side):
            x += 1
            compute.reduce_into(
                d_in=x, d_out=out, num_items=1000, op=compute.OpKind.PLUS, h_init=np.array([0], np.int32)
            )
            out *= 2
        side.synchronize()
        assert out.item() == 2000 * (round_ + 2)


def case_algorithms_are_captured_with_tensors() -> None:
    from cuox.cuda import compute

    x, out = torch.ones(1000, dtype=torch.int64, device="cuda"), torch.zeros(1, dtype=torch.int64, device="cuda")

    def total() -> None:
        compute.reduce_into(
            d_in=x, d_out=out, num_items=1000, op=compute.OpKind.MAXIMUM, h_init=np.array([0], np.int64)
        )

    if not cuox.torch.is_active():
        total()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x += 1
        total()
    graph.replay()
    torch.cuda.synchronize()
    assert out.item() == 2


def case_cuda_core_launches_with_tensors() -> None:
    from cuox.cuda import core

    kernel = core.Program(SCALE, "c++").compile("ptx").get_kernel("scale")
    device = core.Device()
    device.set_current()
    x, y = torch.ones(8, device="cuda"), torch.empty(8, device="cuda")
    core.launch(torch_stream := device.create_stream(), core.LaunchConfig(grid=1, block=8), kernel, x, 2.0, y, 8)
    torch_stream.sync()
    assert y.tolist() == [2.0] * 8


# compile_kernel


def case_a_float_is_what_the_kernel_declares() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    x, y = torch.ones(8, device="cuda"), torch.empty(8, device="cuda")
    kernel(grid=(1, 1, 1), block=(8, 1, 1), args=[x, 2.5, y, 8])
    assert y.tolist() == [2.5] * 8
    assert kernel.signature == "scale(const float *x, float factor, float *y, int n)" and kernel.name == "scale"


def case_templates_and_options_are_compiled() -> None:
    source = "template <class T> __global__ void fill(T *x) { x[threadIdx.x] = VALUE; }"
    kernel = cuox.torch.compile_kernel(source, "fill<double>", nvcc_options=["-DVALUE=3", "-O3"])
    x = torch.zeros(4, dtype=torch.float64, device="cuda")
    kernel[1, 4](x)
    assert x.tolist() == [3.0] * 4
    folder = Path(tempfile.mkdtemp())
    (folder / "value.h").write_text("#define VALUE 5\n")
    source = '#include "value.h"\nextern "C" __global__ void fill(double *x) { x[threadIdx.x] = VALUE; }'
    cuox.torch.compile_kernel(source, "fill", cuda_include_dirs=[folder])[1, 4](x)
    assert x.tolist() == [5.0] * 4
    raises(cuox.CompileError, "value.h", lambda: cuox.torch.compile_kernel(source, "fill"))
    raises(ValueError, "--no-such", lambda: cuox.torch.compile_kernel(SCALE, "scale", nvcc_options=["--no-such"]))
    raises(cuox.NotFoundError, 'no kernel "scal"', lambda: cuox.torch.compile_kernel(SCALE, "scal"))
    raises(TypeError, "kernel_source", lambda: cuox.torch.compile_kernel(3, "scale"))


def case_dynamic_shared_memory() -> None:
    source = (
        'extern __shared__ float s[]; extern "C" __global__ void last(float *x, int n)'
        "{ s[n - 1] = 7; __syncthreads(); x[threadIdx.x] = s[n - 1]; }"
    )
    kernel = cuox.torch.compile_kernel(source, "last")
    x, size = torch.zeros(4, device="cuda"), 96 * 1024
    kernel.set_shared_memory_config(size)
    kernel(grid=1, block=4, args=[x, size // 4], shared_mem=size)
    assert x.tolist() == [7.0] * 4


# load


def case_files_are_extensions() -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "part.h").write_text("__device__ float part() { return 2; }\n")
    (folder / "a.cu").write_text('#include "part.h"\n__global__ void fill(float *x) { x[threadIdx.x] = part(); }\n')
    (folder / "b.cu").write_text(SCALE)
    extension = cuox.torch.load(
        "tests", [folder / "a.cu", str(folder / "b.cu")], extra_cuda_cflags=["-O3", "-lineinfo"]
    )
    x, y = torch.zeros(8, device="cuda"), torch.zeros(8, device="cuda")
    extension.fill[1, 8](x)
    extension.scale[1, 8](x, 3.0, y, 8)
    assert y.tolist() == [6.0] * 8
    assert "fill" in dir(extension) and "scale" in extension and "fill(float *x)" in repr(extension)
    raises(AttributeError, "no kernel 'other'; available: fill, scale", lambda: extension.other)
    # A header that has changed is seen.
    (folder / "part.h").write_text("__device__ float part() { return 4; }\n")
    cuox.torch.load("tests", folder / "a.cu").fill[1, 8](x)
    assert x.tolist() == [4.0] * 8
    raises(ValueError, "two sources have a kernel fill", lambda: cuox.torch.load("twice", [folder / "a.cu"] * 2))
    raises(OSError, "none.cu", lambda: cuox.torch.load("none", folder / "none.cu"))


def case_what_needs_a_c_compiler_is_refused_by_name() -> None:
    load_inline = cuox.torch.load_inline
    for given in (
        {"cpp_sources": "int f();"},
        {"extra_cflags": ["-O3"]},
        {"extra_ldflags": ["-lm"]},
        {"build_directory": "/tmp"},
        {"with_sycl": True},
        {"is_python_module": False},
    ):
        (name,) = given
        raises(ValueError, name, lambda given=given: load_inline("no", cuda_sources=SCALE, **given))
    raises(ValueError, "is_standalone", lambda: cuox.torch.load("no", "a.cu", is_standalone=True))
    raises(ValueError, "a.cpp is not a file of CUDA", lambda: cuox.torch.load("no", ["a.cpp"]))
    raises(ValueError, "torch/extension.h", lambda: load_inline("no", cuda_sources="#include <torch/extension.h>\n"))
    raises(ValueError, "cuda_sources is empty", lambda: load_inline("no"))
    raises(AttributeError, "no kernel 'other'", lambda: load_inline("no", cuda_sources=SCALE, functions=["other"]))


def case_inline_templates_are_compiled_when_they_are_asked_for() -> None:
    source = "namespace a { template <class T> __global__ void fill(T *x, T v) { x[threadIdx.x] = v; } }"
    extension = cuox.torch.load_inline("filled", "", [SCALE, source], functions=["scale", "a::fill<float>"])
    x = torch.zeros(4, device="cuda")
    extension["a::fill<float>"][1, 4](x, 2)
    assert x.tolist() == [2.0] * 4
    extension["a::fill<int>"][1, 4](x.int(), 2)
    raises(cuox.CompileError, "none", lambda: extension["a::fill<none>"])


def case_what_was_compiled_is_found_again() -> None:
    source = f"// {uuid.uuid4()}\n{SCALE}"
    cuox.torch.load_inline("kept", cuda_sources=source)
    started = time.perf_counter()
    cuox.torch.load_inline("kept", cuda_sources=source)
    assert time.perf_counter() - started < 0.05


# register


def case_operators_are_custom_operators() -> None:
    operator = with_gradients("scale_checked", vmap="elementwise")
    x = torch.randn(10, 30, device="cuda")
    assert torch.equal(operator(x, 2.0).cpu(), x.cpu() * 2)
    assert torch.equal(torch.ops.cuox_tests.scale_checked(x.t(), 2.0).cpu(), x.cpu().t() * 2)
    assert operator(x[:0], 2.0).shape == (0, 30)
    for given in (x, x.clone().requires_grad_(), x.t(), x[:, ::3].clone().requires_grad_()):
        results = torch.library.opcheck(operator, (given, 2.5))
        assert set(results.values()) == {"SUCCESS"}, results
    raises(NotImplementedError, "cuox_tests::scale_checked", lambda: operator(x.cpu(), 2.0))


def case_gradients_of_operators() -> None:
    operator = with_gradients("scale_gradients")
    x = torch.randn(64, device="cuda", requires_grad=True)
    operator(operator(x, 2.0), 4.0).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [8.0] * 64
    with torch.no_grad():
        assert not operator(x, 2.0).requires_grad
    without = scale_operator("scale_without_gradients")
    assert not without(x.detach(), 2.0).requires_grad
    result = without(x, 2.0)
    raises(RuntimeError, "scale_without_gradients has no formula of its gradients", lambda: result.sum().backward())


def case_batches_of_operators() -> None:
    x = torch.randn(5, 12, device="cuda")
    for rule in ("elementwise", "sequential"):
        operator = with_gradients(f"scale_{rule}", vmap=rule)
        for dim in (0, 1):
            batched = torch.vmap(lambda one, operator=operator: operator(one, 3.0), in_dims=dim, out_dims=dim)(x)
            assert torch.equal(batched.cpu(), x.cpu() * 3), rule

    def rule(info: Any, in_dims: Any, x: Any, factor: float) -> Any:
        return operator(x.movedim(in_dims[0], 0), factor), 0

    own = scale_operator("scale_own_rule", vmap=rule)
    assert torch.equal(torch.vmap(lambda one: own(one, 3.0))(x).cpu(), x.cpu() * 3)


def case_operators_that_write_to_their_inputs() -> None:
    kernel = cuox.torch.compile_kernel(
        'extern "C" __global__ void add(float *x, float a) { x[blockIdx.x * blockDim.x + threadIdx.x] += a; }', "add"
    )
    schema = "cuox_tests::add_(Tensor(a!) x, float a) -> ()"
    operator = cuox.torch.register(kernel, schema, grid=lambda x, a: x.numel() // 8, block=8)
    x = torch.zeros(16, device="cuda")
    before = x._version
    assert operator(x, 2.0) is None and x.tolist() == [2.0] * 16 and x._version > before
    results = torch.library.opcheck(operator, (x, 1.0))
    assert set(results.values()) == {"SUCCESS"}, results
    raises(TypeError, "not contiguous", lambda: operator(torch.zeros(8, 4, device="cuda").t(), 1.0))


def sum_operator(schema: str, out: Any = lambda xs: torch.empty_like(xs[0]), **more: Any) -> Any:
    """An operator of a list of two tensors, its result their sum."""
    kernel = cuox.torch.compile_kernel(
        'extern "C" __global__ void sum(const float *x, const float *y, float *z)\n'
        "{ int i = threadIdx.x; z[i] = x[i] + (y ? y[i] : 0); }",
        "sum",
    )
    args = lambda xs, *made: (*xs, made[0])
    return cuox.torch.register(
        kernel, f"cuox_tests::{schema}", out=out, grid=1, block=lambda xs: xs[0].numel(), args=args, **more
    )


def case_operators_of_lists() -> None:
    x, spread = torch.arange(4.0, device="cuda"), torch.arange(8.0, device="cuda")[::2]
    a, b = torch.arange(8.0, device="cuda").view(2, 4), torch.arange(8.0, device="cuda").view(4, 2)
    for vmap in ("elementwise", "sequential"):
        operator = sum_operator("sum(Tensor[] xs) -> Tensor", vmap=vmap)
        assert torch.equal(operator([x, spread]), x + spread)  # read only: made contiguous
        batches = torch.vmap(lambda p, q: operator([p, q]), in_dims=(0, 1))(a, b)
        assert torch.equal(batches, a + b.t())
        assert torch.equal(torch.vmap(lambda p: operator([p, x]))(a), a + x)
    operator = sum_operator("sum_some(Tensor?[] xs) -> Tensor")
    assert torch.equal(operator([x, None]), x)
    raises(RuntimeError, "has None in it", lambda: operator([x.clone().requires_grad_(), None]))


def case_operators_write_to_lists_and_options() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    given = {"grid": 1, "block": 4}
    many = cuox.torch.register(
        kernel, "cuox_tests::many_(Tensor x, Tensor(a!)[] ys) -> ()", args=lambda x, ys: (x, 2, ys[0], 4), **given
    )
    perhaps = cuox.torch.register(
        kernel, "cuox_tests::perhaps_(Tensor x, Tensor(a!)? y=None) -> ()", args=lambda x, y: (x, 2, y, 4), **given
    )
    x, y = torch.arange(4.0, device="cuda"), torch.zeros(4, device="cuda")
    many(x, [y])
    assert torch.equal(y, 2 * x) and y._version == 1
    perhaps(x[:1], y)
    assert y._version == 2
    nothing = cuox.torch.register(
        kernel, "cuox_tests::nothing_(Tensor x, Tensor(a!)? y=None) -> ()", args=lambda x, y: (x, 1, x, 4), **given
    )
    assert nothing(x) is None


def case_operators_that_write_refuse_gradients() -> None:
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    schema = "cuox_tests::twice_(Tensor(a!) x) -> ()"
    given = {"grid": 1, "block": lambda x: x.numel(), "args": lambda x: (x, 2, x, x.numel())}
    operator = cuox.torch.register(kernel, schema, vmap="sequential", **given)
    leaf = torch.ones(4, device="cuda", requires_grad=True)
    for x in (leaf, leaf * 1):
        raises(RuntimeError, "writes to x, which requires a gradient", lambda x=x: operator(x))
    with torch.no_grad():
        operator(leaf)
    assert leaf.tolist() == [2.0] * 4
    for vmap in ("elementwise", "sequential"):
        operator = cuox.torch.register(kernel, schema, vmap=vmap, **given)
        batch, one = torch.ones(2, 4, device="cuda"), torch.ones(4, device="cuda")
        torch.vmap(lambda x: (operator(x), x)[1])(batch)
        assert batch.tolist() == [[2.0] * 4] * 2
    both = cuox.torch.register(
        kernel,
        "cuox_tests::both_(Tensor x, Tensor(a!) y) -> ()",
        vmap="sequential",
        grid=1,
        block=4,
        args=lambda x, y: (x, 2, y, 4),
    )
    raises(RuntimeError, "no batch of", lambda: torch.vmap(lambda x: (both(x, one), x)[1])(batch))


def case_operators_run_on_the_device_of_their_tensors() -> None:
    if not cuox.torch.is_active():
        return  # the number of devices is made up
    program = f"""if True:
        import cuox.torch, torch
        kernel = cuox.torch.compile_kernel({SCALE!r}, "scale")
        operator = cuox.torch.register(
            kernel, "cuox_tests::of(Tensor x, Tensor[] ys) -> Tensor", out=lambda x, ys: torch.empty_like(ys[0]),
            grid=1, block=4, args=lambda x, ys, made: (x, 2, made, 4),
        )
        x, y = torch.arange(4.0).pin_memory(), torch.zeros(4, device="cuda:1")
        made = operator(x, [y])
        print(made.device, made.tolist())
    """
    environment = {**os.environ, "CUOX_SOFT_DEVICES": "2"}
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300
    )
    assert ended.stdout == "cuda:1 [0.0, 2.0, 4.0, 6.0]\n", ended.stderr


def case_operators_of_no_items() -> None:
    for vmap in ("elementwise", "sequential"):
        operator = scale_operator("none", vmap=vmap)
        assert torch.vmap(lambda x: operator(x, 2.0))(torch.empty(0, 3, device="cuda")).shape == (0, 3)


def case_outputs_are_checked() -> None:
    xs = [torch.ones(4, device="cuda")] * 2
    for made in (None, 3, (xs[0],), xs):
        operator = sum_operator("wrong(Tensor[] xs) -> Tensor", out=lambda xs, made=made: made)
        raises(TypeError, "out= must return a tensor", lambda: operator(xs))
    operator = sum_operator("wrong(Tensor[] xs) -> (Tensor, Tensor)", out=lambda xs: torch.empty_like(xs[0]))
    raises(TypeError, "a tuple of 2 tensors", lambda: operator(xs))
    operator = sum_operator(
        "wrong(Tensor[] xs) -> (Tensor, Tensor)", out=lambda xs: [torch.zeros(4, device="cuda")] * 2
    )
    assert operator(xs)[0].tolist() == [2.0] * 4


def case_operators_that_were_replaced_stay() -> None:
    before = scale_operator("replaced")
    x = torch.ones(4, device="cuda")
    sum_operator("replaced(Tensor[] xs) -> Tensor")
    raises(RuntimeError, "replaced()", lambda: before(x, 2.0))
    scale_operator("replaced")
    assert before(x, 2.0).tolist() == [2.0] * 4


def case_tensors_without_memory_are_refused() -> None:
    if not cuox.torch.is_active():
        return  # a GPU's results are not looked at
    from torch._subclasses.fake_tensor import FakeTensorMode

    kernel, y = cuox.torch.compile_kernel(SCALE, "scale"), torch.ones(4, device="cuda")
    with FakeTensorMode():
        fake = torch.empty(4, device="cuda")
    for x in (fake, fake[1:], torch._efficientzerotensor(4, device="cuda")):
        raises(ValueError, "shows no memory", lambda x=x: kernel[1, 4](x, 2, y, 4))
        raises(ValueError, "shows no memory", lambda x=x: cuox.from_dlpack(x))
    assert cuox.from_dlpack(y[:0]).shape == (0,)


def case_operators_have_defaults_and_several_outputs() -> None:
    kernel = cuox.torch.compile_kernel(
        'extern "C" __global__ void both(const float *x, const float *bias, float a, float *y, float *z)'
        "{ int i = threadIdx.x; y[i] = x[i] * a; z[i] = bias ? bias[i] : 0; }",
        "both",
    )
    operator = cuox.torch.register(
        kernel,
        "cuox_tests::both(Tensor x, Tensor? bias=None, float a=2.0) -> (Tensor, Tensor)",
        out=lambda x, bias, a: (torch.empty_like(x), torch.empty_like(x)),
        grid=1,
        block=lambda x, bias, a: x.numel(),
        vmap="sequential",
    )
    x = torch.ones(8, device="cuda")
    for given, wanted in (((x,), (2.0, 0.0)), ((x, x + 4), (2.0, 5.0)), ((x, None, 3.0), (3.0, 0.0))):
        assert [one.tolist() for one in operator(*given)] == [[value] * 8 for value in wanted]
        results = torch.library.opcheck(operator, given)
        assert set(results.values()) == {"SUCCESS"}, results
    y, z = torch.vmap(operator)(x.view(2, 4))
    assert y.tolist() == [[2.0] * 4] * 2 and z.tolist() == [[0.0] * 4] * 2
    assert operator(x, a=5.0)[0].tolist() == [5.0] * 8


def case_kernels_in_python_are_operators() -> None:
    from cuox.numba import cuda

    @cuda.jit
    def squares(x, y, n):
        i = cuda.grid(1)
        if i < n:
            y[i] = x[i] * x[i]

    operator = cuox.torch.register(
        squares,
        "cuox_tests::squares(Tensor x) -> Tensor",
        out=lambda x: torch.empty_like(x),
        grid=lambda x: (x.numel() + 63) // 64,
        block=64,
        args=lambda x, y: (x, y, x.numel()),
    )
    x = torch.arange(100.0, device="cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.equal(operator(x).cpu(), torch.arange(100.0) ** 2)


def case_operators_are_registered_again() -> None:
    x = torch.ones(4, device="cuda")
    first = scale_operator("scale_again")
    assert first(x, 2.0).tolist() == [2.0] * 4
    assert scale_operator("scale_again")(x, 3.0).tolist() == [3.0] * 4
    kernel = cuox.torch.compile_kernel(SCALE, "scale")
    launch: dict[str, Any] = {"grid": 1, "block": 1}
    register = cuox.torch.register
    raises(ValueError, "schema", lambda: register(kernel, "scale(Tensor x) -> Tensor", **launch))
    raises(ValueError, "out= is to allocate", lambda: register(kernel, "a::b(Tensor x) -> Tensor", **launch))
    raises(ValueError, "returns nothing", lambda: register(kernel, "a::b(Tensor x) -> ()", out=print, **launch))
    raises(ValueError, "keyword", lambda: register(kernel, "a::b(*, Tensor x) -> ()", **launch))
    raises(ValueError, "sequential", lambda: register(kernel, "a::b(Tensor x) -> ()", vmap="yes", **launch))
    raises(ValueError, "about outputs", lambda: register(kernel, "a::b(Tensor x) -> ()", backward=print, **launch))
    for wrong in (print, [], "text", {}):
        raises(TypeError, "expected a kernel", lambda wrong=wrong: register(wrong, "a::b(Tensor x) -> ()", **launch))
    raises(ValueError, "vmap must be", lambda: register(kernel, "a::b(Tensor x) -> ()", vmap=["a"], **launch))
    again = "cuox_tests::scale_again(Tensor x, float factor) -> Tensor"
    for what in ("out", "args", "backward", "setup_context"):
        wrong = {"out": torch.empty_like, what: 1, **launch}
        raises(TypeError, f"{what} must be a function", lambda wrong=wrong: register(kernel, again, **wrong))
    raises(ValueError, "vmap must be", lambda: register(kernel, again, out=torch.empty_like, vmap=1, **launch))
    assert torch.ops.cuox_tests.scale_again(x, 4.0).tolist() == [4.0] * 4, "the operator is still there"


def case_operators_are_compiled_without_graph_breaks() -> None:
    operator = with_gradients("scale_compiled")

    def loss(x: Any) -> Any:
        return operator(x.sin(), 2.0).cos().sum()

    x = torch.randn(300, device="cuda", requires_grad=True)
    compiled = torch.compile(loss, fullgraph=True)
    compiled(x).backward()
    ours, x.grad = x.grad, None
    loss(x).backward()
    torch.testing.assert_close(ours, x.grad, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    import cuox
    import cuox.torch
    import numpy as np
    import torch
    from torch_process import main

    torch.set_num_threads(1)
    main(globals(), sys.argv[1:])
