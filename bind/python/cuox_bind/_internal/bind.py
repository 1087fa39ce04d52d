"""C libraries from Python: `bind` with a header, `load` without one.

    zlib = cuox_bind.bind("z", headers=["zlib.h"])
    zlib.crc32(0, b"hello", 5)

    c = cuox_bind.load("libc.so.6")
    c.printf(b"%d\\n", 42)

A function that is called often gets machine code for its signature; no compiler is needed. What a function takes and
gives, and why, says `library.explain("name")`.
"""

from __future__ import annotations

import enum
import os
import sys
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cuox_bind import _native

from . import cuda
from .bound_records import add_members
from .elf import Runtime, is_runtime, runtime_of
from .errors import CallError, NotFoundError
from .loading import cut_off

__all__ = ["bind", "load", "open_binding"]

StrPath = str | os.PathLike[str]


def make_enum(
    name: str, values: Mapping[str, int], docs: Mapping[str, str], doc: str | None, module: str | None, flags: bool
) -> type[enum.IntEnum] | type[enum.IntFlag]:
    """The class of a C enumeration: its members are ints. Two constants of one value are one member with two names."""
    base: Any = enum.IntFlag if flags else enum.IntEnum
    made: Any = base(name, dict(values), module=module or "cuox_bind")
    made.__doc__ = doc or f"The C enumeration {name}."
    for member, text in docs.items():
        made[member].__doc__ = text
    return made  # type: ignore[no-any-return]


def make_raise(
    class_: type[enum.IntEnum] | None, text_of: Callable[[int], object] | None
) -> Callable[[str, int], CallError]:
    """Return a function that makes the exception for a status that is a failure."""

    def failed(function: str, code: int) -> CallError:
        if class_ is not None:
            try:
                code = class_(code)
            except ValueError:  # a status that the header does not know
                pass
        found = None if text_of is None else text_of(code)
        text = found.decode(errors="replace") if isinstance(found, bytes) else found if isinstance(found, str) else None
        if text is None and isinstance(code, enum.Enum):
            text = code.__doc__ if code.__doc__ != type(code).__doc__ else None
        said = f"{code.name} ({int(code)})" if isinstance(code, enum.Enum) else f"failed with status {code}"
        return CallError(f"{function}() {said}" + (f": {text}" if text else ""), function, code, text)

    return failed


_native._set_call_error(CallError)


def _folders() -> list[Path]:
    """The folders that go before all others: those of the environment variable CUOX_LIBRARY_PATH, and the script's."""
    said = os.environ.get("CUOX_LIBRARY_PATH", "").split(os.pathsep)
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    folders = [Path(folder) for folder in said if folder]
    return folders if script is None else [*folders, Path(script).absolute().parent]


def find(library: StrPath) -> str:
    """The path of a library, or a name that the system's loader knows.

    In this order: a path; a file in a folder of CUOX_LIBRARY_PATH; a file beside the script; a CUDA library that the
    pathfinder knows (`nccl`, `cublas`); the loader's own search. `cudart` is cuox's own CUDA runtime, unless
    CUOX_CUDART_PATH names another and the device is a GPU. A bare name such as `z` stands for `libz.so`.

    Raises NotFoundError, which says where was looked.
    """
    text = os.fspath(library)
    if os.sep in text or os.path.exists(text):
        return os.path.abspath(text) if os.path.exists(text) else text
    names = [text] if ".so" in text else [text, f"lib{text}.so"]
    for folder in _folders():
        for name in names:
            if (folder / name).is_file():
                return str(folder / name)
        if versioned := sorted(folder.glob(f"lib{text}.so.*")):
            return str(versioned[-1])
    if ".so" in text:
        return text
    tried = [str(folder) for folder in _folders()]
    if not os.environ.get("CUOX_LIBRARY_PATH"):
        tried.insert(0, "CUOX_LIBRARY_PATH (not set)")
    if text == "cudart" and (runtime := cuda.module("_internal.cuda_runtime")):
        return str(runtime.find())
    if (known := cuda.module("_native")) is None:
        tried.append("the package cuox, which knows CUDA's libraries (not installed)")
    elif text in known.known_names():
        try:
            return str(known.find_library(text)[0])
        except NotFoundError as error:
            tried.append(str(error))
    import ctypes.util

    if found := ctypes.util.find_library(text):
        return found
    tried.append("the system's loader (ldconfig -p)")
    raise NotFoundError(f"no library '{text}' found; looked in " + "; ".join(tried))


def _several(what: str, given: StrPath | Iterable[StrPath]) -> list[str]:
    """One text or path, or several, as texts."""
    try:
        many = [given] if isinstance(given, (str, os.PathLike)) else list(given)
        return [os.fspath(one) for one in many]
    except TypeError:
        raise TypeError(f"{what}: expected a str or path, or several, got {given!r}") from None


def _paths(library: StrPath | Sequence[StrPath] | None) -> list[str]:
    return [] if library is None else [_ready(find(one)) for one in _several("library", library)]


def _file(path: str) -> tuple[str, ...]:
    """Return the identity of the file at a path: a library that was built anew is another one."""
    try:
        found = os.stat(path)
    except OSError:  # a name for the loader
        return (path,)
    return (path, f"{found.st_dev}:{found.st_ino}:{found.st_mtime_ns}")


_bound: dict[tuple[object, ...], weakref.WeakSet[_native.Library]] = {}
"""The libraries that are in use, by their files."""


def _defined(defines: Mapping[str, str | int | None] | None) -> list[str]:
    return [name if value is None else f"{name}={value}" for name, value in (defines or {}).items()]


def is_library(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def interface_of(headers: list[str], interface: str | None) -> tuple[list[str], str | None]:
    """Tell SWIG interface files from headers, by their names: `.i` and `.swg`. Raises ValueError for more than one."""
    for one in headers:
        if is_library(one):
            raise ValueError(f"{one} is a library, and a header belongs in its place: bind(library, headers)")
    interfaces = [one for one in headers if one.endswith((".i", ".swg"))] + ([] if interface is None else [interface])
    if len(interfaces) > 1:
        raise ValueError(f"expected one SWIG interface file, got {', '.join(interfaces)}; one can %include others")
    return [one for one in headers if not one.endswith((".i", ".swg"))], interfaces[0] if interfaces else None


def _library(
    binding: _native.Binding,
    paths: list[str],
    module: str | None,
    shared: int,
    inline: Callable[[str], int] | None = None,
    swig: bool = False,
) -> _native.Library:
    """The library of a binding. As long as one is in use, whoever binds the same gets the same, so that handles of one
    are handles of the other.
    """
    known = _bound.setdefault((*map(_file, paths), module, shared, swig), weakref.WeakSet())
    for library in known:
        if _native.Library.is_of(library, binding):
            return library
    made = _native.Library(
        binding,
        paths,
        make_enum,
        make_raise,
        module=module,
        shared=shared,
        inline=inline,
        as_swig=swig,
    )
    made._hide_methods()
    known.add(made)
    return made


def bind(
    library: StrPath | Sequence[StrPath] | None,
    headers: StrPath | Iterable[StrPath] = (),
    *,
    source: str | None = None,
    include_dirs: Iterable[StrPath] = (),
    defines: Mapping[str, str | int | None] | None = None,
    rules: StrPath | Mapping[str, Any] | None = None,
    interface: StrPath | None = None,
    language: str = "c",
    status: str | None = None,
    gil: str | None = None,
    arguments: Iterable[str] = (),
    share_symbols: bool = False,
) -> _native.Library:
    """Bind a shared library by its headers.

    library: a path, a name (`z` finds `libz.so`), several of them, or None for what is in this process already.
    headers: what to `#include`; what they declare, with what they include of their own project, is bound. A SWIG
    interface file (`.i`) may stand
        among them. `source` is C text to be parsed as well.
    include_dirs, defines, arguments: for the compiler that reads the headers (libclang: `pip install libclang`), which
    is only asked when the
        headers, or anything they include, have changed.
    rules: a rules file (TOML) or the same as a dict; `interface`: a SWIG interface file. They override what is guessed.
    language: `c`, `c++` or `cuda`. status: what becomes of status codes: `raise` (a failure raises CallError), `tuple`
    (always returned, first), `return` (an ordinary result);
        None leaves it to rules, without which it is `raise`.
    gil: what is done about the interpreter's lock during all calls. `release`: it is given up; `hold`: it is kept;
    `auto`: it is kept as long as
        there are no other Python threads and no callbacks. None leaves it to rules and guesses, which are
        `release` for what may wait, else `auto`.
    share_symbols: whether libraries opened later see this one's symbols (RTLD_GLOBAL).

    The same files bound again in the same way are the same object.

    `static inline` functions of C, and macros whose value C has to compute, are compiled by the system's compiler when
    the first of them is asked for.

    Raises BindError for errors in headers (the compiler's own, with file and line), rules and interface files; OSError
    if the library cannot be opened; NotFoundError if there is no such library, or no libclang.
    """
    if defines is not None and not isinstance(defines, Mapping):
        raise TypeError(f"defines: expected a dict of names and values, got {defines!r}")
    named, interface_file = interface_of(
        _several("headers", headers), None if interface is None else os.fspath(interface)
    )
    binding = _native.Binding.parse(
        named,
        source=source,
        include_dirs=_several("include_dirs", include_dirs),
        defines=_defined(defines),
        rules=os.fspath(rules) if isinstance(rules, (str, os.PathLike)) else rules,
        interface=interface_file,
        language=language,
        status=status,
        gil=gil,
        arguments=_several("arguments", arguments),
        inline=interface_file is None,
    ).readable()
    paths = _paths(library)
    shared = len(paths) if share_symbols or binding.code is not None else 0
    inline = None
    if binding.inline or binding.macros:
        from .inline_functions import InlineFunctions

        folders = _several("include_dirs", include_dirs)
        inline = InlineFunctions(binding, named, source, language, folders, _defined(defines), paths).find
    if binding.code is not None:
        from .interface_code import compile_code

        folders = [*_several("include_dirs", include_dirs), os.path.dirname(os.path.abspath(interface_file or ""))]
        defined, uses_python = _defined(defines), binding.uses_python
        paths.append(compile_code(binding.code, language, folders, defined, uses_python=uses_python))
    bound = _library(binding, paths, None, shared, inline, interface_file is not None)
    if binding.uses_python:
        _connect(bound, paths[-1])
    add_members(bound, binding.methods, binding.new_objects, binding.immutable)
    _add_python(bound, binding)
    return bound


def open_binding(
    data: str,
    libraries: StrPath | Sequence[StrPath] | Callable[[str], int | None],
    module: str | None = None,
    *,
    beside: str | None = None,
    methods: Iterable[Sequence[str]] = (),
    new_objects: Iterable[str] = (),
    immutable: Iterable[str] | None = None,
    code_is_last: bool = False,
    inline: str | None = None,
    swig: bool = False,
    uses_python: bool = False,
) -> _native.Library:
    """The library of a module that `python -m cuox_bind` has written.

    `data` is the header and plan that it carries, `module` the name of the module. Libraries whose paths begin with
    `./` or `../` are looked for from the folder of the file `beside`. `methods` are records, names and the functions
    that become their members; `new_objects` are functions whose results are the caller's; `immutable` are variables
    that cannot be set, if the others are attributes of `cvar`. With `code_is_last` the last library is the compiled
    code of an interface file, which uses those before it. `inline` is a library with the header's own functions. With
    `swig` every `char *` in memory is text. With `uses_python` that code uses Python's C API.
    """
    binding = _native.Binding.from_data(data)
    if callable(libraries):
        return _native.Library(binding, libraries, make_enum, make_raise, module=module)
    folder = None if beside is None else os.path.dirname(os.path.abspath(beside))

    def placed(name: str) -> str:
        relative = folder is not None and name.startswith(("./", "../"))
        return os.path.normpath(os.path.join(folder or "", name)) if relative else name

    paths = _paths([placed(name) for name in _several("libraries", libraries)])
    find_inline = None
    if inline is not None:
        from .inline_functions import BuiltInlineFunctions

        find_inline = BuiltInlineFunctions(placed(inline), paths).find
    # What such code defines is not for other libraries.
    shared = len(paths) - 1 if code_is_last else 0
    library = _library(binding, paths, module, shared, find_inline, swig)
    if uses_python:
        _connect(library, paths[-1])
    add_members(library, methods, new_objects, immutable)
    return library


def _connect(library: _native.Library, path: str) -> None:
    from .python_code import connect

    connect(library, path)


def _add_python(library: _native.Library, binding: _native.Binding) -> None:
    """Run an interface file's Python code; what it defines are attributes of the library."""
    text, _, imported, words = binding.python
    if not text or "__file_code__" in library.__dict__:
        return
    from cuox_bind import bound

    names: dict[str, Any] = {
        "_record": lambda name: getattr(library, name),
        **{name: getattr(bound, name) for name in imported},
    }
    names.update({word: library[word] for word in words if word in library})
    before = dict(names)
    exec(compile(text, f"<%pythoncode of {binding.module or 'an interface file'}>", "exec"), names)
    library.__dict__["__file_code__"] = True
    library.__dict__.update(
        {name: value for name, value in names.items() if before.get(name) is not value and name != "__builtins__"}
    )


def load(
    library: StrPath | None,
    *,
    headers: StrPath | Iterable[StrPath] = (),
    compile_options: Iterable[str] = (),
    **options: Any,
) -> Any:
    """Load a library without a header, as ctypes does, or a CUDA source file.

    A `.so`: its functions are attributes. Until `argtypes` and `restype` are set (to ctypes' types, or to C's as text),
    arguments are passed by what they are in Python and the result is an `int`. None is the process itself.

    A `.cu` file with host code is compiled by nvcc (`pip install 'cuda-toolkit[nvcc,nvvm]<14'`) into a library, once
    for each version of its text and of the headers that it includes, and loaded. It is linked with cuox's CUDA runtime,
    so `<<<...>>>` and `cudaMalloc` work on the software GPU too. `.c` and `.cpp` files go through the system's
    compiler. `compile_options` are the compiler's.

    The interpreter's lock is given up during every call, as ctypes does, so that other threads run and callbacks on
    threads of C's get it. `gil="hold"` keeps it, for functions of Python's own C API; `gil="auto"` keeps it as long as
    there are no other Python threads and no callbacks, which makes a short call some 45 ns faster. `share_symbols` is
    as for `bind`.

    With `headers` it is `bind`, whose keywords it takes.

    Raises NotFoundError, OSError, CompileError (with nvcc's output), BindError (a library with NVIDIA's own CUDA
    runtime inside, where there is no GPU).
    """
    more = _several("compile_options", compile_options)
    if library is not None and os.fspath(library).endswith((".cu", ".c", ".cpp", ".cc", ".cxx")):
        from .compile_library import build

        library = build(Path(os.fspath(library)), more)
    elif more:
        raise ValueError("compile_options are for source files (.cu, .c, .cpp)")
    if headers:
        return bind(library, headers, **options)
    for name in options:
        if name not in ("gil", "share_symbols"):
            raise TypeError(f"load() got an unexpected keyword argument '{name}'; those of bind() need headers")
    from .foreign_library import ForeignLibrary

    return ForeignLibrary(None if library is None else _ready(find(library)), **options)


def _ready(path: str) -> str:
    """Make the CUDA runtime ready if the library at a path is one or needs one. Raises OSError for a damaged file."""
    if said := cut_off(path):
        raise OSError(said)
    kind = runtime_of(path) if os.path.isfile(path) else Runtime.NONE
    needs_cuda = is_runtime(path) or kind is not Runtime.NONE
    if needs_cuda and (runtime := cuda.module("_internal.cuda_runtime")):
        runtime.prepare(path, kind)
    return path
