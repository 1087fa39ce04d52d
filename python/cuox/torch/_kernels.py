"""`cuox.torch.compile_kernel`: a kernel of CUDA C++, called with tensors."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import cuox
from cuox._internal.nvcc_options import translate
from cuox._internal.options import ProgramOptions
from cuox._native import Kernel as NativeKernel
from cuox._native import ObjectCode, Program

_Size = int | tuple[int, ...]


class Kernel:
    """A kernel for tensors: `kernel[grid, block](x, n)`, or with the arguments in a list as PyTorch's own compiled
    kernels take them, `kernel(grid=(4, 1, 1), block=(256, 1, 1), args=[x, n])`.

    A tensor passes its memory: it lies on the kernel's device or in pinned memory, is contiguous, and has the dtype of
    the parameter; numbers become the types that the kernel declares. The kernel runs on the device of its first tensor,
    without a stream in `torch.cuda.current_stream()`.
    """

    __slots__ = ("_code", "_kernels", "_name", "_shared", "_single")

    def __init__(self, code: ObjectCode, name: str) -> None:
        self._code, self._name = code, name
        self._kernels: dict[int, NativeKernel] = {}
        self._shared = 0
        # Now, as a wrong name is to be told of here.
        first = self.on()
        # Machines with one device need not ask which one is meant.
        self._single = first if len(cuox.Device.get_all_devices()) == 1 else None

    def on(self, device: int | None = None) -> NativeKernel:
        """Return the `cuox.Kernel` for a device, by its number; None is PyTorch's current one. Raises CUDAError."""
        number = _current() if device is None else device
        kernel = self._kernels.get(number)
        if kernel is None:
            here = cuox.Device()
            if number != here.device_id:
                cuox.Device(number).set_current()
            try:
                kernel = self._code.get_kernel(self._name)
            finally:
                if number != here.device_id:
                    here.set_current()
            if self._shared:
                kernel.attributes.max_dynamic_shared_size_bytes = self._shared
            self._kernels[number] = kernel
        return kernel

    def __getitem__(self, key: Any) -> Any:
        """Choose the launch: `kernel[grid, block]`, `kernel[grid, block, stream]`, `kernel[grid, block, stream,
        shared_mem]`, or `kernel[config]` with a `cuox.LaunchConfig`.
        """
        if self._single is not None:
            return self._single[key]
        return functools.partial(self._launch, key)

    def _launch(self, key: Any, *args: Any) -> None:
        """Launch on the device of the first tensor."""
        number = next((one.get_device() for one in args if getattr(one, "is_cuda", False)), None)
        self.on(number)[key](*args)

    def __call__(
        self,
        grid: _Size = (1, 1, 1),
        block: _Size = (1, 1, 1),
        args: Sequence[Any] | None = None,
        shared_mem: int = 0,
        stream: Any = None,
    ) -> None:
        """Launch the kernel.

        grid: blocks, an int or a tuple of up to three.
        block: threads of a block, likewise.
        args: one value for each parameter.
        shared_mem: bytes of dynamic shared memory of a block.
        stream: a stream of PyTorch's or cuox's; None is `torch.cuda.current_stream()` if there is a tensor in args.

        Raises TypeError for a value that a parameter does not take, with its name and type; OverflowError for a number
        out of its range; CUDAError. Driver API manual, `cuLaunchKernel`.
        """
        self[grid, block, stream, shared_mem](*(args or ()))

    def set_shared_memory_config(self, shared_mem_bytes: int) -> None:
        """Let blocks have so many bytes of dynamic shared memory. A launch that needs more than 48 KiB does this by
        itself. Raises CUDAError. Driver API manual, `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
        """
        self._shared = shared_mem_bytes
        self.on()
        for kernel in self._kernels.values():
            kernel.attributes.max_dynamic_shared_size_bytes = shared_mem_bytes

    @property
    def name(self) -> str:
        """The name in the code: that of an `extern "C"` kernel, else mangled."""
        return (self._single or self.on()).name

    @property
    def signature(self) -> str | None:
        """The signature as text: `scale(float *x, float a, int n)`."""
        return (self._single or self.on()).signature

    @property
    def code(self) -> ObjectCode:
        """The code that the kernel is in, with `get_global` for variables."""
        return self._code

    def __repr__(self) -> str:
        return f"<cuox.torch.Kernel {self.signature or self._name}>"


def _current() -> int:
    """The device that PyTorch works on; without it, cuox's."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        return int(torch.cuda.current_device())
    return cuox.Device().device_id


def words_for(function: str, options: Iterable[str], includes: Iterable[Any] = ()) -> tuple[list[str], str | None]:
    """Options of nvcc as NVRTC takes them, and the architecture that they name. Raises ValueError for what NVRTC does
    not have; warns of what is for the host compiler.
    """
    if isinstance(options, str):
        raise TypeError(f"{function}: expected a list of options, got {options!r}; write [{options!r}]")
    read = translate(list(options))
    if read.unknown:
        raise ValueError(
            f"{function}: kernels are compiled by NVRTC, which does not know the option {', '.join(read.unknown)}"
        )
    for option in read.ignored:
        warnings.warn(
            f"{function}: the option {option} is for the host compiler or the linker, and was ignored: kernels alone are compiled",
            stacklevel=4,
        )
    named = read.arch or (read.code or "").split(",")[0].strip("[]")
    arch = named if named and named not in ("native", "all", "all-major") else None
    return [f"--include-path={folder}" for folder in includes] + read.options, arch


def compiled(
    source: str, words: Sequence[str], arch: str | None, name: str, names: tuple[str, ...] = (), logs: Any = None
) -> ObjectCode:
    """Compile a source for the current device, or find what was compiled before."""
    options = ProgramOptions(name=name) if arch is None else ProgramOptions(name=name, arch=arch)
    program = Program(source, "c++", options)
    # Machine code needs no compiler when it is loaded, and runs on devices of its own kind only.
    is_for_all = arch is None and len({one.arch for one in cuox.Device.get_all_devices()}) == 1
    target = "cubin" if is_for_all else "ptx"
    return program.compile(target, name_expressions=list(names) or None, options=list(words) or None, logs=logs)


@functools.singledispatch
def text_of(source: object, function: str = "compile_kernel", parameter: str = "kernel_source") -> str:
    """The text of a source. Raises TypeError for what is no text."""
    raise TypeError(f"cuox.torch.{function}: {parameter}: expected a text, got {type(source).__name__}")


@text_of.register
def _(source: str, function: str = "", parameter: str = "") -> str:
    return source


@text_of.register
def _(source: bytes, function: str = "", parameter: str = "") -> str:
    return source.decode()


def compile_kernel(
    kernel_source: str,
    kernel_name: str,
    compute_capability: str | None = None,
    cuda_include_dirs: Sequence[Any] | None = None,
    nvcc_options: Sequence[str] | None = None,
) -> Kernel:
    """Compile a kernel of CUDA C++ with NVRTC. The parameters are those of `torch.cuda._compile_kernel`, whose kernels
    take any number for any parameter; these check each argument by the kernel's signature.

    kernel_source: the text.
    kernel_name: a kernel in it; of a template an instance, `"scale<float>"`.
    compute_capability: the one to compile for, such as "90"; None is the current device's.
    cuda_include_dirs: folders with headers.
    nvcc_options: further options of nvcc or NVRTC, in a list.

    What was compiled is kept on disk (docs/environment.md, `CUOX_CACHE_DIR`). Raises CompileError with the compiler's
    messages, NotFoundError for a name that the source does not have or without NVRTC, TypeError, ValueError. NVRTC
    manual, `nvrtcCompileProgram`.
    """
    function = "cuox.torch.compile_kernel"
    source = text_of(kernel_source)
    if not isinstance(kernel_name, str):
        raise TypeError(f"{function}: kernel_name: expected a text, got {type(kernel_name).__name__}")
    words, arch = words_for(function, nvcc_options or (), cuda_include_dirs or ())
    if compute_capability is not None:
        arch = f"compute_{str(compute_capability).replace('.', '')}"
    instances = (kernel_name,) if "<" in kernel_name or "::" in kernel_name else ()
    return Kernel(compiled(source, words, arch, f"{kernel_name}.cu", instances), kernel_name)
