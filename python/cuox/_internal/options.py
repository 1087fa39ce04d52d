"""The options that objects are made with: plain dataclasses, so that they print, compare and copy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

_Text = str | Sequence[str]
_Macro = str | tuple[str, str]

__all__ = [
    "DeviceMemoryResourceOptions",
    "EventOptions",
    "ManagedMemoryResourceOptions",
    "PinnedMemoryResourceOptions",
    "ProgramOptions",
    "StreamOptions",
]


@dataclass
class StreamOptions:
    """The options of a new stream.

    nonblocking: the stream does not wait for the default stream, nor the other way round.
    priority: lower numbers run first; None is the device's lowest priority.
    """

    nonblocking: bool = True
    priority: int | None = None


@dataclass
class EventOptions:
    """The options of a new event.

    timing_enabled: keep the time, so that two events can be subtracted.
    blocking_sync: a thread that waits sleeps instead of polling.
    ipc_enabled: other processes may wait for the event, which keeps no time; for `Stream.record` alone.
    """

    timing_enabled: bool | None = False
    blocking_sync: bool | None = False
    ipc_enabled: bool | None = False


@dataclass
class DeviceMemoryResourceOptions:
    """The options of a DeviceMemoryResource with a memory pool of its own.

    ipc_enabled: other processes may map the pool and its memory.
    max_size: the most bytes that the pool gives; 0 is as many as there are.
    """

    ipc_enabled: bool = False
    max_size: int = 0


@dataclass
class PinnedMemoryResourceOptions:
    """The options of a PinnedMemoryResource with a memory pool of its own.

    ipc_enabled: other processes may map the pool and its memory.
    max_size: the most bytes that the pool gives; 0 is as many as there are.
    numa_id: the number of the host's NUMA node; None is any, with `ipc_enabled` that of the current device.
    """

    ipc_enabled: bool = False
    max_size: int = 0
    numa_id: int | None = None


@dataclass
class ManagedMemoryResourceOptions:
    """The options of a ManagedMemoryResource with a memory pool of its own.

    preferred_location: where the memory had better be, the number of a device or NUMA node. Without a type it is that
    of a device, -1 the host, None no preference.
    preferred_location_type: "device", "host" or "host_numa"; a NUMA node that is None is that of the current device.
    """

    preferred_location: int | None = None
    preferred_location_type: str | None = None


def _many(value: object) -> list[object]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return [value]
    return list(value)


# field -> how NVRTC spells it. A tuple is (when true, when false); "=" takes true/false, "%" the value, "*" each value.
_NVRTC: dict[str, str | tuple[str | None, str | None]] = {
    "relocatable_device_code": "--relocatable-device-code=",
    "extensible_whole_program": ("--extensible-whole-program", None),
    "debug": ("--device-debug", None),
    "lineinfo": ("--generate-line-info", None),
    "device_code_optimize": ("--dopt=on", None),
    "ptxas_options": "--ptxas-options=*",
    "max_register_count": "--maxrregcount=%",
    "ftz": "--ftz=",
    "prec_sqrt": "--prec-sqrt=",
    "prec_div": "--prec-div=",
    "fma": "--fmad=",
    "use_fast_math": ("--use_fast_math", None),
    "extra_device_vectorization": ("--extra-device-vectorization", None),
    "link_time_optimization": ("--dlink-time-opt", None),
    "gen_opt_lto": ("--gen-opt-lto", None),
    "undefine_macro": "--undefine-macro=*",
    "include_path": "--include-path=*",
    "pre_include": "--pre-include=*",
    "no_source_include": ("--no-source-include", None),
    "std": "--std=%",
    "builtin_move_forward": "--builtin-move-forward=",
    "builtin_initializer_list": "--builtin-initializer-list=",
    "disable_warnings": ("--disable-warnings", None),
    "restrict": ("--restrict", None),
    "device_as_default_execution_space": ("--device-as-default-execution-space", None),
    "device_int128": ("--device-int128", None),
    "device_float128": ("--device-float128", None),
    "optimization_info": "--optimization-info=%",
    "no_display_error_number": ("--no-display-error-number", None),
    "diag_error": "--diag-error=*",
    "diag_suppress": "--diag-suppress=*",
    "diag_warn": "--diag-warn=*",
    "brief_diagnostics": "--brief-diagnostics=",
    "time": "--time=%",
    "split_compile": "--split-compile=%",
    "fdevice_syntax_only": ("--fdevice-syntax-only", None),
    "minimal": ("--minimal", None),
    "no_cache": ("--no-cache", None),
    "fdevice_time_trace": "--fdevice-time-trace=%",
    "frandom_seed": "--frandom-seed=%",
    "ofast_compile": "--Ofast-compile=%",
    "pch": ("--pch", None),
    "create_pch": "--create-pch=%",
    "use_pch": "--use-pch=%",
    "pch_dir": "--pch-dir=%",
    "pch_verbose": "--pch-verbose=",
    "pch_messages": "--pch-messages=",
    "instantiate_templates_in_pch": "--instantiate-templates-in-pch=",
}
# Fields that other compilers read, or that `Program` reads itself.
_NOT_NVRTC = ("name", "arch", "define_macro", "use_bundled_headers", "extra_sources", "use_libdevice", "numba_debug")


def _macros(given: Any) -> list[str]:
    """Macros as a compiler takes them: of a name, a pair of a name and a value, or a sequence of these."""
    if given is None:
        return []
    if isinstance(given, tuple) and not any(isinstance(part, tuple) for part in given):
        if len(given) == 2 and all(isinstance(part, str) for part in given):
            return ["=".join(given)]
        if len(given) < 3 or not all(isinstance(part, str) for part in given):
            raise RuntimeError(f"Expected define_macro tuple of a name and a value, both str, got {given!r}")
    made: list[str] = []
    for macro in _many(given):
        if isinstance(macro, tuple) and len(macro) == 2 and all(isinstance(part, str) for part in macro):
            made.append("=".join(macro))
        elif isinstance(macro, str):
            made.append(macro)
        else:
            raise RuntimeError(f"Expected define_macro to have str or tuples of a name and a value, got {macro!r}")
    return made


def _check_sources(sources: Any) -> None:
    """Refuse what are no modules for NVVM."""
    if isinstance(sources, str) or not isinstance(sources, Sequence):
        raise TypeError(f"extra_sources must be a sequence of 2-tuples (name, source), got {type(sources).__name__}")
    for index, module in enumerate(sources):
        if not isinstance(module, tuple) or len(module) != 2:
            raise TypeError(f"Each extra module must be a 2-tuple (name, source), got {module!r} at index {index}")
        name, source = module
        if not isinstance(name, str):
            raise TypeError(f"Module name at index {index} must be a string, got {type(name).__name__}")
        if not isinstance(source, (str, bytes, bytearray)):
            raise TypeError(
                f"Module source at index {index} must be str, bytes or bytearray, got {type(source).__name__}"
            )
        if not source:
            raise ValueError(f"Module source for {name!r} (index {index}) cannot be empty")


@dataclass
class ProgramOptions:
    """The compiler's options. A field left at None leaves the compiler's own default. NVRTC manual, *Supported Compile
    Options*.

    `arch` is `sm_90`, `compute_90` or just `90`; without it, code is made for the current device.
    """

    name: str | None = "default_program"
    arch: str | None = None
    relocatable_device_code: bool | None = None
    extensible_whole_program: bool | None = None
    debug: bool | None = None
    lineinfo: bool | None = None
    device_code_optimize: bool | None = None
    ptxas_options: _Text | None = None
    max_register_count: int | None = None
    ftz: bool | None = None
    prec_sqrt: bool | None = None
    prec_div: bool | None = None
    fma: bool | None = None
    use_fast_math: bool | None = None
    extra_device_vectorization: bool | None = None
    link_time_optimization: bool | None = None
    gen_opt_lto: bool | None = None
    define_macro: _Macro | Sequence[_Macro] | None = None
    undefine_macro: _Text | None = None
    include_path: _Text | None = None
    use_bundled_headers: bool | None = None
    pre_include: _Text | None = None
    no_source_include: bool | None = None
    std: str | None = None
    builtin_move_forward: bool | None = None
    builtin_initializer_list: bool | None = None
    disable_warnings: bool | None = None
    restrict: bool | None = None
    device_as_default_execution_space: bool | None = None
    device_int128: bool | None = None
    optimization_info: str | None = None
    no_display_error_number: bool | None = None
    diag_error: int | Sequence[int] | None = None
    diag_suppress: int | Sequence[int] | None = None
    diag_warn: int | Sequence[int] | None = None
    brief_diagnostics: bool | None = None
    time: str | None = None
    split_compile: int | None = None
    fdevice_syntax_only: bool | None = None
    minimal: bool | None = None
    no_cache: bool | None = None
    fdevice_time_trace: str | None = None
    device_float128: bool | None = None
    frandom_seed: str | None = None
    ofast_compile: str | None = None
    pch: bool | None = None
    create_pch: str | None = None
    use_pch: str | None = None
    pch_dir: str | None = None
    pch_verbose: bool | None = None
    pch_messages: bool | None = None
    instantiate_templates_in_pch: bool | None = None
    extra_sources: Sequence[tuple[str, str | bytes | bytearray]] | None = None
    use_libdevice: bool | None = None
    numba_debug: bool | None = None

    def __post_init__(self) -> None:
        if self.extra_sources is not None:
            _check_sources(self.extra_sources)

    def as_bytes(self, backend: str = "nvrtc", target_type: str | None = None) -> list[bytes]:
        """The command line of a compiler: "nvrtc" or "nvvm".

        Raises ValueError for others, CUDAError for options that NVVM does not have.
        """
        match str(backend).lower():
            case "nvrtc":
                line = self._nvrtc(target_type)
            case "nvvm":
                from . import nvvm_program

                line = nvvm_program.words(self, target_type)
            case _:
                raise ValueError(f"Unknown backend {str(backend)!r}. Must be one of: 'nvrtc', 'nvvm'")
        return [option.encode() for option in line]

    def _nvrtc(self, target_type: str | None = None) -> list[str]:
        # NVRTC has libdevice in any case: use_libdevice says nothing to it.
        if self.extra_sources:
            raise ValueError("extra_sources is not supported by the NVRTC backend: it is an option of NVVM")
        options = []
        if self.arch is not None:
            arch = str(self.arch)
            bare = arch[:1].isdigit()
            options.append(f"-arch={('sm_' if target_type == 'cubin' else 'compute_') if bare else ''}{arch}")
        for option_field in fields(self):
            value = getattr(self, option_field.name)
            if value is None or option_field.name in _NOT_NVRTC:
                continue
            spelling = _NVRTC[option_field.name]
            if value is False and spelling[-1] == "*":
                continue
            if isinstance(spelling, tuple):
                option = spelling[0] if value else spelling[1]
                if option is not None:
                    options.append(option)
            elif spelling.endswith("="):
                options.append(f"{spelling}{'true' if value else 'false'}")
            elif spelling.endswith("%"):
                options.append(f"{spelling[:-1]}{value}")
            else:
                options += [f"{spelling[:-1]}{one}" for one in _many(value)]
        options += [f"--define-macro={macro}" for macro in _macros(self.define_macro)]
        if target_type == "ltoir" and not self.link_time_optimization:
            options.append("--dlink-time-opt")
        return options


# Pickles name the place that users know. Annotations are objects here, since that place has not all of their names.
for _class in (StreamOptions, EventOptions, ProgramOptions):
    _class.__module__ = "cuox"
for _options in (DeviceMemoryResourceOptions, PinnedMemoryResourceOptions, ManagedMemoryResourceOptions):
    _options.__module__ = "cuox.cuda.core"
del _class, _options
