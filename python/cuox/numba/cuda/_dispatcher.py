"""`cuda.jit`'s objects: kernels, device functions, and their versions by types."""

from __future__ import annotations

import linecache
import os
import threading
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType, TracebackType
from typing import Any

import cuox
from cuox._internal import kernel_pickle
from cuox._internal.kernel_environment import Environment
from cuox._internal.kernel_errors import DivergenceWarning, KernelTypeError
from cuox._native import _ConfiguredPythonKernel, _KernelVersion, _packed, _PythonKernel, _translate, nvrtc_info

from . import _breakpoints, _disassembly, _linking, _overloads, _raised, _signatures, _tracebacks
from .core import config, errors

Codes = tuple[str, ...]
Launch = tuple[tuple[int, int, int], list[int | None]]
"""What a launch tells: the shape of its blocks, and the values of arguments that are ints."""
# The error of a kernel that can be compiled for a launch only.
_NEEDS_LAUNCH = "K010"
# The blocks of kernels that are compiled for the shape of their blocks, where no one says it.
_ANY_BLOCK = (256, 1, 1)

# Two threads that ask for a version of one kernel at once make it once.
_compiling = threading.RLock()


class Options:
    """What `cuda.jit` was told."""

    boundscheck: Any = None
    debug: Any = None
    fastmath: Any = None
    index32: Any = None
    launch_bounds: Any = None
    lineinfo: Any = None
    link: Any = None
    max_registers: Any = None
    opt: Any = None
    shared_memory_carveout: Any = None
    wraparound: Any = None

    NAMES = (
        "boundscheck",
        "debug",
        "fastmath",
        "index32",
        "launch_bounds",
        "lineinfo",
        "link",
        "max_registers",
        "opt",
        "shared_memory_carveout",
        "wraparound",
    )

    def __init__(self, **given: Any) -> None:
        for name, value in given.items():
            setattr(self, name, value)
        self.carveout = _carveout(self.shared_memory_carveout)

    def translation(self) -> dict[str, Any]:
        """Those for the translation into CUDA C++."""
        named: dict[str, Any] = {
            name: bool(getattr(self, name)) for name in ("boundscheck", "debug", "fastmath", "index32")
        }
        named["wraparound"] = self.wraparound is None or bool(self.wraparound)
        if self.launch_bounds is not None:
            named["launch_bounds"] = self.launch_bounds
        elif self.max_registers:
            if cuox.Device().is_soft:
                # NVRTC's option does not reach the PTX, which is all that the software GPU sees.
                named["max_registers"] = int(self.max_registers)
            else:
                named["limits_registers"] = True
        return named

    def nvrtc(self) -> list[str]:
        """Those for NVRTC."""
        # The declarations of the CUDA runtime, of textures and surfaces, which Python has no names for, take NVRTC a
        # fifth of a first call.
        flags = ["--std=c++17", "-w", "-default-device", "--minimal"]
        if self.opt is not None and not self.opt and nvrtc_info()[0] >= (13, 0):
            flags.append("--Ofast-compile=max")
        if self.fastmath:
            flags.append("--use_fast_math")
        # The reports of CUOX_SOFT_CHECK are to name the user's lines.
        if self.lineinfo or self.debug or os.environ.get("CUOX_SOFT_CHECK"):
            flags.append("-lineinfo")
        if self.max_registers:
            flags.append(f"--maxrregcount={int(self.max_registers)}")
        return flags


def _carveout(given: Any) -> int | None:
    """The part of a multiprocessor's memory that is to be shared memory, in percent; -1 leaves it to the driver. Driver
    API manual, `CUshared_carveout`.
    """
    if given is None:
        return None
    value = {"default": -1, "maxl1": 0, "maxshared": 100}.get(given.lower(), given) if isinstance(given, str) else given
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(
            f"Invalid carveout value: {given!r}: expected 'default', 'MaxL1', 'MaxShared' or a number of percent"
        )
    if not -1 <= value <= 100:
        raise ValueError(f"Carveout value must be between -1 and 100, got {value}")
    return value


class Version:
    """A kernel compiled for arguments of certain types; if it needs that, for the blocks and values of a launch."""

    def __init__(self, dispatcher: CUDADispatcher, types: Codes, launch: Launch | None = None) -> None:
        self.types = types
        self._launch = launch
        self._function = dispatcher.py_func
        self._options = dispatcher.options
        self._file = f"{dispatcher.py_func.__name__}.cu"
        self._translate(_breakpoints.kind_of(cuox.Device(), bool(self._options.debug)))
        # By device: what is launched there.
        self._loaded: dict[cuox.Device, _KernelVersion] = {}
        self.load()

    def _translate(self, breakpoints: str) -> None:
        self._environment = environment = Environment(self._function)
        self.translated = _translate(
            environment,
            list(self.types),
            breakpoints=breakpoints,
            launch=self._launch,
            for_software_gpu=cuox.Device().is_soft,
            **self._options.translation(),
        )
        self._breakpoints = breakpoints
        for message, file, line in self.translated.warnings:
            warnings.warn_explicit(message, DivergenceWarning, file, line)
        self._functions = list(environment.functions)
        self._linked = _linking.wanted(self._options.link or (), environment.functions)
        if self.translated.has_breakpoints and breakpoints == "ignored":
            _breakpoints.warn_ignored(self._function.__name__)

    def fits(self, launch: Launch | None) -> bool:
        """True if it can be launched so."""
        has_block, values = self.translated.launch
        if launch is None or self._launch is None:
            return True
        return (not has_block or launch[0] == self._launch[0]) and all(
            launch[1][index] == value for index, value in values
        )

    def load(self) -> _KernelVersion:
        """What is launched on the current device, loaded where it is not yet."""
        device = cuox.Device()
        native = self._loaded.get(device)
        if native is None or not native.is_loaded:
            native = self._loaded[device] = self._load()
        return native

    def _load(self) -> _KernelVersion:
        wanted = _breakpoints.kind_of(cuox.Device(), bool(self._options.debug))
        is_other = self.translated.has_breakpoints and wanted != self._breakpoints
        if is_other or (self.translated.has_checks and not cuox.Device().is_soft):
            # Compiled for a device that stops in another way, or checks what others do not.
            self._translate(wanted)
        translated, environment, options = self.translated, self._environment, self._options
        self.code = _linking.compiled(
            translated.source, self._file, self._linked, options.nvrtc(), options.max_registers
        )
        self.kernel = self.code.get_kernel(translated.symbol)
        if config.DUMP_ASSEMBLY:
            print(f"ASSEMBLY {self._function.__name__}".center(80, "-"), self.ptx(), "=" * 80, sep="\n")
        if options.carveout is not None:
            self.kernel.attributes.preferred_shared_memory_carveout = options.carveout
        watch = (
            _raised.Watch(self.code, self.kernel, translated.exceptions, environment) if translated.exceptions else None
        )
        # With debug each launch raises what it has raised, so that two threads are told so each.
        at_once = watch is not None and bool(options.debug)
        held = [_put_state(self.code, number, code, environment.state[number]) for number, code in translated.state]
        debugger = _breakpoints.debugger(self._functions) if translated.has_breakpoints and wanted == "called" else None
        _linking.set_up(self._linked, self.code, self)
        return _KernelVersion(
            self.kernel,
            translated.parameters,
            held,
            is_cooperative=self.cooperative,
            block=translated.block,
            launch=translated.launch,
            launched=None if watch is None else watch.check_alone if at_once else watch.note,
            launches=None if watch is None else watch.launches,
            alone=threading.RLock() if at_once else None,
            debugger=debugger,
        )

    def ptx(self) -> str:
        """The PTX, without what is linked to it."""
        return bytes(
            _linking.compiled(self.translated.source, self._file, self._linked, self._options.nvrtc(), target="ptx")
        ).decode()

    @property
    def cooperative(self) -> bool:
        """True if the kernel, or a function that was declared so, waits for the whole grid."""
        return bool(self.translated.is_cooperative) or any(
            getattr(function, "_use_cooperative", False) for function in self._environment.functions
        )

    def max_cooperative_grid_blocks(self, blockdim: int | tuple[int, ...], dynsmemsize: int = 0) -> int:
        """Return the largest number of blocks of `blockdim` threads that run at once. Driver API manual,
        `cuOccupancyMaxActiveBlocksPerMultiprocessor`.
        """
        threads = 1
        for size in blockdim if isinstance(blockdim, tuple) else (blockdim,):
            threads *= size
        active = self.kernel.occupancy.max_active_blocks_per_multiprocessor(threads, dynsmemsize)
        return int(active * self.kernel.device.properties.multiprocessor_count)


def _put_state(code: Any, number: int, type_code: str, value: Any) -> Any:
    """Put a captured array into the module's constant for it. Returns what must live as long as the module."""
    from cuox.cuda.bindings import driver

    array = value if isinstance(value, cuox.Array) else cuox.as_array(value)
    packed = _packed(type_code, array)
    driver.cuMemcpyHtoD(code.get_global(f"state_{number}")[0], packed, len(packed))
    return (value, array)


class CUDADispatcher(_PythonKernel):
    """A kernel in Python: `kernel[grid, block, stream, shared_bytes](*args)`.

    It is compiled for the types of the arguments when they are first seen; what was compiled is kept on disk.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> CUDADispatcher:
        made: CUDADispatcher = super().__new__(cls)
        return made

    def __init__(
        self, function: FunctionType, options: Options, signatures: Sequence[Any] = (), extensions: Sequence[Any] = ()
    ) -> None:
        self.py_func = function
        self.options = options
        self.extensions = list(extensions)
        self._versions: dict[Codes, Version] = {}
        # Of those that are made for a launch, those for others.
        self._for_launches: dict[Codes, list[Version]] = {}
        self.specializations: dict[Codes, CUDADispatcher] = {}
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._declared = [_checked(function, _signatures.read(given)) for given in signatures]
        for types in self._declared:
            self._compile_declared(types)

    def __repr__(self) -> str:
        return f"<kernel {self.__qualname__}>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    # One that is not found under its name in a module travels with its code and source.

    def __reduce__(self) -> Any:
        if kernel_pickle.is_global(self):
            return self.__qualname__
        return (
            _unfinished,
            (type(self),),
            (kernel_pickle.state_of(self.py_func), self.options, self._declared, self.extensions),
        )

    def __setstate__(self, state: Any) -> None:
        function, options, declared, extensions = state
        CUDADispatcher.__init__(self, kernel_pickle.function_of(function), options, (), extensions)
        self._declared = declared

    # Versions

    def compile_codes(self, types: Codes, launch: Launch | None = None) -> Version:
        """The version for arguments of these types, which are type codes, and for a launch."""
        with _compiling:
            first = self._versions.get(types)
            if first is None:
                first = self._versions[types] = Version(self, types, launch)
            others = self._for_launches.setdefault(types, [])
            for version in (first, *others):
                if version.fits(launch):
                    return version
            others.append(Version(self, types, launch))
            return others[-1]

    def _compile_declared(self, types: Codes) -> None:
        """Compile the kernel for a signature, unless only a launch tells what it is compiled for."""
        try:
            self.compile_codes(types)
        except KernelTypeError as error:
            if error.code != _NEEDS_LAUNCH:
                raise

    def compile(self, signature: Any) -> Version:
        """Compile the kernel for a signature, and return that version."""
        return self.compile_codes(_signatures.read(signature)[0])

    def _version_for(self, types: Codes, launch: Launch | None = None) -> Version:
        if self._declared and types not in self._declared:
            types = _overloads.best(self.py_func, self._declared, types)
        return self.compile_codes(types, launch)

    def _version(self, types: Codes, launch: Launch | None = None) -> _KernelVersion:
        version = self._version_for(types, launch)
        with _compiling:
            return version.load()

    def specialize(self, *args: Any) -> CUDADispatcher:
        """Return this kernel for the types of these arguments only: the same object for the same types. args: values,
        or
        types.

        Raises RuntimeError for a kernel that is specialized, or declared with a signature.
        """
        from ._arguments import type_code
        from .types import Type

        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        types = tuple(_signatures.code_of(arg) if isinstance(arg, (Type, type)) else type_code(arg) for arg in args)
        with _compiling:
            special = self.specializations.get(types)
            if special is None:
                special = CUDADispatcher(self.py_func, self.options, (), self.extensions)
                special._declared = [types]
                special._compile_declared(types)
                self.specializations[types] = special
            return special

    @property
    def specialized(self) -> bool:
        """True for a kernel of one signature."""
        return len(self._declared) == 1

    @property
    def signatures(self) -> list[Any]:
        """The types that the kernel is compiled for."""
        from . import types

        return [tuple(types.from_code(code) for code in codes) for codes in self._versions]

    @property
    def overloads(self) -> dict[Any, Version]:
        """The versions by the types of their arguments."""
        return dict(zip(self.signatures, self._versions.values(), strict=True))

    @property
    def definition(self) -> Version:
        """The only version of a kernel of one signature."""
        if not self.specialized:
            raise RuntimeError(f"{self.__name__} has several versions: overloads")
        return self.compile_codes(self._declared[0])

    # Launches

    def configure(self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> _ConfiguredPythonKernel:
        """The same as `kernel[griddim, blockdim, stream, sharedmem]`."""
        return self[griddim, blockdim, stream, sharedmem]

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> ForAll:
        """A configuration with a thread for each of `ntasks` tasks. tpb: threads of a block; 0 chooses what occupies
        the device best.
        """
        return ForAll(self, ntasks, tpb, stream, sharedmem)

    def _launch_converted(self, configured: _ConfiguredPythonKernel, args: tuple[Any, ...]) -> None:
        from ._arguments import Converted

        with Converted(self, configured, args) as converted:
            self._launch(configured, converted)

    def _traceback(self, error: BaseException) -> TracebackType | None:
        return _tracebacks.shown(error)

    def _warn_of_few_blocks(self, blocks: int) -> None:
        if not config.DISABLE_PERFORMANCE_WARNINGS:
            text = f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy."
            warnings.warn(errors.NumbaPerformanceWarning(text), stacklevel=2)

    # What was made of it

    def _each(self, signature: Any, told: Callable[[Version], Any]) -> Any:
        from . import types

        if signature is not None:
            return told(self.compile_codes(_signatures.read(signature)[0]))
        return {
            tuple(types.from_code(code) for code in codes): told(version) for codes, version in self._versions.items()
        }

    def _one(self, signature: Any, told: Callable[[Version], Any]) -> Any:
        if signature is None and self.specialized:
            return told(self.compile_codes(self._declared[0]))
        return self._each(signature, told)

    def inspect_cuda(self, signature: Any = None) -> Any:
        """The CUDA C++ of a version, or of all by their types."""
        return self._each(signature, lambda version: version.translated.text)

    def inspect_asm(self, signature: Any = None) -> Any:
        """The PTX of a version, or of all by their types."""
        return self._each(signature, Version.ptx)

    def inspect_lto_ptx(self, signature: Any = None) -> Any:
        """The same: all functions of a kernel are compiled at once, so that linking has nothing more to optimise."""
        return self.inspect_asm(signature)

    def inspect_llvm(self, signature: Any = None) -> Any:
        """Raises NotImplementedError: kernels are translated to CUDA C++ (`inspect_cuda`), not to LLVM's language."""
        raise NotImplementedError(
            "inspect_llvm: kernels are translated to CUDA C++, not to LLVM IR: inspect_cuda() shows it"
        )

    def inspect_sass(self, signature: Any = None) -> Any:
        """The machine code of a version, or of all by their types, as NVIDIA's nvdisasm shows it; that must be on the
        PATH.

        Raises RuntimeError without it.
        """
        return self._each(signature, lambda version: _disassembly.shown(version.code))

    def inspect_sass_cfg(self, signature: Any = None) -> Any:
        """The same as a graph of the code's blocks, in the language of Graphviz."""
        return self._each(signature, lambda version: _disassembly.shown(version.code, "-cfg"))

    def inspect_types(self, file: Any = None) -> None:
        """Print the CUDA C++ of all versions, which names the type of each variable."""
        for codes, version in self._versions.items():
            print(f"{self.__name__} ({', '.join(codes)})", "-" * 80, version.translated.text, sep="\n", file=file)

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        """Registers of a thread."""
        return self._one(signature, lambda version: version.kernel.attributes.num_regs)

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        """Bytes of static shared memory of a block."""
        return self._one(signature, lambda version: version.kernel.attributes.shared_size_bytes)

    def get_const_mem_size(self, signature: Any = None) -> Any:
        """Bytes of constant memory."""
        return self._one(signature, lambda version: version.kernel.attributes.const_size_bytes)

    def get_local_mem_per_thread(self, signature: Any = None) -> Any:
        """Bytes of local memory of a thread."""
        return self._one(signature, lambda version: version.kernel.attributes.local_size_bytes)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        """The most threads that a block can have."""
        return self._one(signature, lambda version: version.kernel.attributes.max_threads_per_block)


def _checked(function: FunctionType, read: tuple[Codes, str | None]) -> Codes:
    types, result = read
    if result not in (None, "none"):
        raise TypeError(f"{function.__name__}: a kernel returns nothing: its signature is void(...), not {result}(...)")
    return types


def _unfinished(kind: Any) -> Any:
    """A kernel without content, for `pickle`: what it refers to may refer to it."""
    return kind.__new__(kind)


class ForAll:
    """`kernel.forall(ntasks)`: to be called with the arguments."""

    def __init__(self, dispatcher: CUDADispatcher, ntasks: int, tpb: int, stream: Any, sharedmem: int) -> None:
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        self.dispatcher, self.ntasks, self.thread_per_block, self.stream, self.sharedmem = (
            dispatcher,
            ntasks,
            tpb,
            stream,
            sharedmem,
        )

    def __call__(self, *args: Any) -> None:
        if self.ntasks == 0:
            return
        with _tracebacks.trimmed:
            block = (self.thread_per_block, 1, 1) if self.thread_per_block else self._block(args)
            threads = block[0] * block[1] * block[2]
            blocks = (self.ntasks + threads - 1) // threads
            self.dispatcher[blocks, block, self.stream, self.sharedmem](*args)

    def _block(self, args: tuple[Any, ...]) -> tuple[int, int, int]:
        """The shape of blocks, where the caller leaves it to the kernel."""
        from ._arguments import type_code

        try:
            version = self.dispatcher._version_for(tuple(type_code(arg) for arg in args))
        except KernelTypeError as error:
            if error.code != _NEEDS_LAUNCH:
                raise
            return _ANY_BLOCK
        if version.translated.block:
            # That of a launch before is no reason to take it again.
            return _ANY_BLOCK if version.translated.launch[0] else version.translated.block[0]
        with _compiling:
            kernel = version.load().kernel
        return (kernel.occupancy.max_potential_block_size(self.sharedmem, 1024)[1], 1, 1)


class DeviceFunction:
    """A device function in Python: kernels call it."""

    def __init__(
        self, function: FunctionType, options: Options, signatures: Sequence[Any] = (), inline: Any = None
    ) -> None:
        self.py_func = function
        self.options = options
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._inline = inline
        self._link = tuple(options.link or ())
        read = map(_signatures.read, signatures)
        self._signatures: list[tuple[list[str], str | None]] = [(list(types), result) for types, result in read]

    def __getitem__(self, key: Any) -> None:
        raise RuntimeError(
            f"{self.__name__}: Cannot compile a device function as a kernel: kernels call it; without device=True it is one"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(
            f"{self.__name__}: a device function can be called by kernels only; {self.__name__}.py_func is the Python function"
        )

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __repr__(self) -> str:
        return f"<device function {self.__qualname__}>"

    def __reduce__(self) -> Any:
        if kernel_pickle.is_global(self):
            return self.__qualname__
        return (
            _unfinished,
            (type(self),),
            (kernel_pickle.state_of(self.py_func), self.options, self._inline, self._signatures),
        )

    def __setstate__(self, state: Any) -> None:
        function, options, inline, signatures = state
        DeviceFunction.__init__(self, kernel_pickle.function_of(function), options, (), inline)
        self._signatures = signatures

    def _translated(self, types: Codes) -> Any:
        return _translate(Environment(self.py_func), list(types), device=True, **self.options.translation())

    def inspect_cuda(self, signature: Any) -> str:
        """The CUDA C++ of the function for a signature."""
        return str(self._translated(_signatures.read(signature)[0]).text)

    def inspect_asm(self, signature: Any) -> str:
        """The PTX of the function for a signature, as `cuda.compile` makes it."""
        from ._compile import compiled

        return str(compiled(self.py_func, signature, self.options)[0])

    def inspect_sass(self, signature: Any) -> None:
        """Raises RuntimeError: a device function has no machine code of its own."""
        raise RuntimeError(
            f"{self.__name__}: Cannot inspect SASS of a device function: it becomes part of the kernels that call it"
        )

    def compile(self, signature: Any) -> Any:
        """Translate the function for a signature, and return the result."""
        return self._translated(_signatures.read(signature)[0])


class ExternFunction:
    """A device function of CUDA C++ that kernels call: `declare_device`."""

    def __init__(
        self, name: str, signature: Any, link: Sequence[Any], numba_abi: bool, use_cooperative: bool = False
    ) -> None:
        self.name = name
        self._use_cooperative = use_cooperative
        types, result = _signatures.read(signature)
        if result is None:
            raise TypeError(
                f"declare_device: {name}: Return type must be provided, as in int32(float32[:]); got {signature!r}"
            )
        self._signatures = [(list(types), result)]
        self._external = (name, numba_abi)
        self._link = tuple(link)
        if isinstance(signature, str):
            from .types import parse_signature

            signature = parse_signature(signature)
        self.sig = signature

        # Its parameters, as a function of Python has them.
        names = ", ".join(f"arg{index}" for index in range(len(types)))
        scope: dict[str, Any] = {}
        text, file = f"def declared({names}): pass\n", f"<declare_device {name} {id(self)}>"
        linecache.cache[file] = (len(text), None, [text], file)
        exec(compile(text, file, "exec"), scope)
        self.py_func = scope["declared"]

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(f"{self.name}: a device function can be called by kernels only")

    def __repr__(self) -> str:
        return f"<device function {self.name} of CUDA C++>"
