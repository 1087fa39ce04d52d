"""`cuox.torch.load` and `load_inline`: the kernels of CUDA sources as an object, without a C++ compiler."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cuox._internal.errors import NotFoundError
from cuox._native import ObjectCode

from ._kernels import Kernel, compiled, text_of, words_for

_CUDA = (".cu", ".cuh")
_PYTORCH = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]((?:torch|ATen|c10|pybind11)/[^>\"]+)[>\"]", re.MULTILINE)
_INSTEAD = "torch.utils.cpp_extension builds C++ (docs/pytorch.md)"


class _Source(NamedTuple):
    """A text, the name that messages have for it, and the folder in which its headers are looked for first."""

    text: str
    name: str
    folder: str | None


class Extension:
    """The kernels of `load` or `load_inline`: `extension.scale[grid, block](x, n)`, and `extension["scale<float>"]` for
    an instance of a template.
    """

    def __init__(self, name: str, kernels: dict[str, Kernel], instance: Callable[[str], Kernel]) -> None:
        self.__name__ = name
        self._kernels, self._instance = kernels, instance

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("__"):
            raise AttributeError(name)
        kernel = self._kernels.get(name)
        if kernel is None:
            # `k` stands for `k<int>` and `space::k` where that is the only one.
            same = [one for shown, one in self._kernels.items() if _plain(shown) == name]
            if len(same) != 1:
                available = ", ".join(self._kernels) or "none"
                raise AttributeError(f"{self.__name__}: no kernel {name!r}; available: {available}")
            kernel = same[0]
        # Found without this function from now on.
        self.__dict__[name] = kernel
        return kernel

    def __getitem__(self, name: str) -> Kernel:
        if not isinstance(name, str):
            raise TypeError(f'{self.__name__}: expected the name of a kernel, such as "scale<float>", got {name!r}')
        if name not in self._kernels:
            if name.isidentifier():
                return self.__getattr__(name)
            self._kernels[name] = self._instance(name)
        return self._kernels[name]

    __iter__ = None  # indices are names

    def __contains__(self, name: object) -> bool:
        return name in self._kernels

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        kernels = ", ".join(str(one.signature) for one in self._kernels.values())
        return f"<cuox.torch extension {self.__name__}: {kernels or 'templates only'}>"


class _Compiler:
    """Compiles the sources of an extension."""

    def __init__(self, name: str, sources: Sequence[_Source], words: Sequence[str], arch: str | None) -> None:
        self._name, self._sources, self._words, self._arch = name, sources, words, arch

    def _compiled(self, source: _Source, names: tuple[str, ...], logs: Any = None) -> ObjectCode:
        folder = [] if source.folder is None else [f"--include-path={source.folder}"]
        return compiled(source.text, [*folder, *self._words], self._arch, source.name, names, logs)

    def kernels(self, logs: Any) -> dict[str, Kernel]:
        """Return the kernels of all sources, by the names that people write."""
        found: dict[str, Kernel] = {}
        for source in self._sources:
            code = self._compiled(source, (), logs)
            for mangled, shown in zip(code.kernel_names, code._shown_kernel_names(), strict=True):
                if shown in found:
                    raise ValueError(f"{self._name}: two sources have a kernel {shown}: {source.name} is the second")
                found[shown] = Kernel(code, mangled)
        return found

    def instance(self, name: str) -> Kernel:
        """Compile an instance of a template."""
        first: Exception | None = None
        for source in self._sources:
            if re.search(rf"\b{re.escape(_plain(name))}\b", source.text):
                try:
                    return Kernel(self._compiled(source, (name,)), name)
                except NotFoundError as error:
                    first = first or error
        raise first or NotFoundError(f"{self._name}: no source has {name}")


def _plain(shown: str) -> str:
    """The last part of a name, without what it is an instance of."""
    return shown.partition("<")[0].rpartition("::")[2].strip()


def load(
    name: str,
    sources: str | Sequence[str | os.PathLike[str]],
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_sycl_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    is_standalone: bool = False,
    keep_intermediates: bool = True,
) -> Extension:
    """Compile the kernels of CUDA sources and return them as attributes of an object: `load("ext",
    ["scale.cu"]).scale[grid, block](x, n)`. The parameters are those of `torch.utils.cpp_extension.load`, which needs
    nvcc, a C++ compiler and a minute; NVRTC takes milliseconds, and what was compiled is kept on disk.

    name: for messages.
    sources: paths of files of CUDA C++ whose kernels are wanted, `extern "C"` or not; each file for itself.
    extra_cuda_cflags: options of nvcc.
    extra_include_paths: folders with headers, after the source's own.
    verbose: print the compiler's messages to standard error.
    keep_intermediates: there are none.

    Raises ValueError for the other parameters, which are for C++ compilers and linkers, for files of C++ and for
    PyTorch's C++ API, which torch.utils.cpp_extension builds; CompileError with the compiler's messages; OSError for
    files that cannot be read; NotFoundError without NVRTC. NVRTC manual, `nvrtcCompileProgram`.
    """
    others = {
        "extra_cflags": extra_cflags,
        "extra_sycl_cflags": extra_sycl_cflags,
        "extra_ldflags": extra_ldflags,
        "build_directory": build_directory,
        "with_cuda=False": with_cuda is False,
        "with_sycl": with_sycl,
        "is_python_module=False": not is_python_module,
        "is_standalone": is_standalone,
    }
    _refuse("load", others)
    return _extension("load", name, _files(name, sources), extra_cuda_cflags, extra_include_paths, verbose)


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str] | None = None,
    cuda_sources: str | Sequence[str] | None = None,
    sycl_sources: str | Sequence[str] | None = None,
    functions: Iterable[str] | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_sycl_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    with_sycl: bool | None = None,
    is_python_module: bool = True,
    with_pytorch_error_handling: bool = True,
    keep_intermediates: bool = True,
    use_pch: bool = False,
    no_implicit_headers: bool = False,
    gil_not_used: bool = False,
) -> Extension:
    """Compile the kernels of CUDA sources that are texts, as `load` does those of files. The parameters are those of
    `torch.utils.cpp_extension.load_inline`.

    cpp_sources: must be empty: there is no C++ to bind, as kernels are called with tensors.
    cuda_sources: a text, or a list of texts that are put one behind the other; nothing is included by itself.
    functions: kernels that must be there; of templates instances such as `"scale<float>"`, which are compiled.
    with_pytorch_error_handling, use_pch, no_implicit_headers, gil_not_used: about that C++, without effect.

    Raises as `load` does, and AttributeError for `functions` that no source has.
    """
    others = {
        "cpp_sources": _joined("cpp_sources", cpp_sources).strip(),
        "sycl_sources": _joined("sycl_sources", sycl_sources).strip(),
        "extra_cflags": extra_cflags,
        "extra_sycl_cflags": extra_sycl_cflags,
        "extra_ldflags": extra_ldflags,
        "build_directory": build_directory,
        "with_cuda=False": with_cuda is False,
        "with_sycl": with_sycl,
        "is_python_module=False": not is_python_module,
    }
    _refuse("load_inline", others)
    text = _joined("cuda_sources", cuda_sources)
    if not text.strip():
        raise ValueError(f"cuox.torch.load_inline: {name}: cuda_sources is empty: there is nothing to compile")
    source = _Source(text, f"{name}.cu", None)
    made = _extension("load_inline", name, [source], extra_cuda_cflags, extra_include_paths, verbose)
    for function in [functions] if isinstance(functions, str) else functions or ():
        made[function]
    return made


def _refuse(function: str, others: dict[str, Any]) -> None:
    """Raise ValueError for parameters that need a C++ compiler, where they say something."""
    if given := [parameter for parameter, value in others.items() if value]:
        raise ValueError(
            f"cuox.torch.{function} compiles kernels with NVRTC, without a C++ compiler and a linker: {', '.join(given)} "
            f"cannot apply; {_INSTEAD}"
        )


def _files(name: str, sources: Any) -> list[_Source]:
    paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    if not paths:
        raise ValueError(f"cuox.torch.load: {name}: sources is empty: there is nothing to compile")
    found = []
    for one in paths:
        path = Path(one)
        if path.suffix not in _CUDA:
            raise ValueError(
                f"cuox.torch.load: {path} is not a file of CUDA C++ ({' or '.join(_CUDA)}), and kernels alone are compiled: "
                + _INSTEAD
            )
        found.append(_Source(path.read_text(), os.fspath(path), os.fspath(path.parent.absolute())))
    return found


def _joined(parameter: str, sources: Any) -> str:
    texts: Iterator[Any] = iter([sources] if isinstance(sources, (str, bytes)) else sources or ())
    return "\n".join(text_of(one, "load_inline", parameter) for one in texts)


def _extension(
    function: str,
    name: str,
    sources: Sequence[_Source],
    options: Sequence[str] | None,
    includes: Sequence[str] | None,
    verbose: bool,
) -> Extension:
    if not isinstance(name, str):
        raise TypeError(f"cuox.torch.{function}: name: expected a text, got {type(name).__name__}")
    for source in sources:
        if header := _PYTORCH.search(source.text):
            raise ValueError(
                f"cuox.torch.{function}: {source.name} includes {header[1]}: NVRTC does not compile PyTorch's C++ API; {_INSTEAD}"
            )
    words, arch = words_for(f"cuox.torch.{function}", options or (), includes or ())
    compiler = _Compiler(name, sources, words, arch)
    return Extension(name, compiler.kernels(sys.stderr if verbose else None), compiler.instance)
