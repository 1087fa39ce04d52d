"""Modules that are linked of several sources, and kernels that launch kernels."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import cuox
from cuox import _native

from .. import compiler
from .nvcc import find as find_nvcc

__all__ = ["DynamicModule", "DynamicSourceModule"]


class DynamicModule(compiler.CudaModule):
    """A module that is linked of sources, PTX, machine code and libraries: add them, then call `link`.

    nvcc, keep, no_extern_c, arch, code, cache_dir, include_dirs: as in `SourceModule`, for each source. link_options:
    pairs (jit_option, value) for the linker. message_handler: called as `message_handler(succeeded, info, errors)` when
    it has run. log_verbose: ask for more messages. cuda_libdir: the folder with CUDA's device libraries; None looks for
    it.
    """

    def __init__(
        self,
        nvcc: str | None = None,
        link_options: Sequence[tuple[Any, Any]] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] | None = None,
        message_handler: Callable[[bool, str, str], object] | None = None,
        log_verbose: bool = False,
        cuda_libdir: str | None = None,
    ) -> None:
        from ..driver import Linker

        self.linker: Any = Linker(message_handler, link_options, log_verbose)
        self._check_arch(arch)
        self.nvcc = nvcc
        self.keep = keep
        self.no_extern_c = no_extern_c
        self.arch = arch
        self.code = code
        self.cache_dir = cache_dir
        self.include_dirs = list(include_dirs or ())
        self.cuda_libdir = cuda_libdir
        self.module = None
        self._sources: list[str] = []

    def add_source(self, source: str, nvcc_options: Sequence[str] | None = None, name: str = "kernel.ptx") -> Self:
        """Compile a source, and add it. Functions are found across sources with `-rdc=true` in `nvcc_options`. Raises
        CompileError.
        """
        ptx = compiler.compile(
            source,
            self.nvcc,
            nvcc_options,
            self.keep,
            self.no_extern_c,
            self.arch,
            self.code,
            self.cache_dir,
            self.include_dirs,
            "ptx",
        )
        from ..driver import jit_input_type

        self._sources.append(source if self.no_extern_c else f'extern "C" {{\n{source}\n}}')
        return self.add_data(ptx, jit_input_type.PTX, name)

    def add_data(self, data: Any, input_type: Any, name: str = "unknown") -> Self:
        """Add code as bytes. input_type: one of `driver.jit_input_type`."""
        self._open_linker().add_data(data, input_type, name)
        return self

    def add_file(self, filename: str, input_type: Any) -> Self:
        """Add a file of code. input_type: one of `driver.jit_input_type`."""
        self._open_linker().add_file(filename, input_type)
        return self

    def add_stdlib(self, libname: str) -> Self:
        """Add a device library of CUDA, such as "cudadevrt", with which kernels launch kernels. Raises OSError if it is
        not there.
        """
        from ..driver import jit_input_type

        return self.add_file(find_device_library(libname, self.cuda_libdir), jit_input_type.LIBRARY)

    def link(self) -> Self:
        """Link what was added, and load it into the current context. Raises the driver's errors, with the linker's
        messages.
        """
        from ..driver import module_from_code

        module = self._open_linker().link_module()
        self.linker = None
        if self._sources:
            # The sources tell what the kernels' parameters are, which linked code does not.
            code = module.code
            module = module_from_code(
                cuox.ObjectCode._restore(code.code_type, code.code, "linked", {}, None, "\n".join(self._sources))
            )
        self.module = module
        self._bind_module()
        return self

    def _open_linker(self) -> Any:
        if self.linker is None:
            raise RuntimeError("the DynamicModule is linked already; make another one to link something else")
        return self.linker

    def get_function(self, name: str) -> Any:
        """Return a kernel by its name. Raises LogicError if there is none, RuntimeError before `link`."""
        if self.module is None:
            raise RuntimeError("call link() before get_function(): the DynamicModule is not linked yet")
        return super().get_function(name)


class DynamicSourceModule(DynamicModule):
    """A module whose kernels may launch kernels: a source that is linked with CUDA's device runtime, `cudadevrt`.

    The arguments are those of `SourceModule`, and `cuda_libdir`, the folder with `libcudadevrt.a`; None looks for it.
    """

    def __init__(
        self,
        source: str,
        nvcc: str | None = None,
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: str | bool | None = None,
        include_dirs: Sequence[str] | None = None,
        cuda_libdir: str | None = None,
    ) -> None:
        super().__init__(nvcc, None, keep, no_extern_c, arch, code, cache_dir, include_dirs, cuda_libdir=cuda_libdir)
        words = list(compiler.DEFAULT_NVCC_FLAGS if options is None else options)
        for option in ("-rdc=true", "-lcudadevrt"):
            if option not in words:
                words.append(option)
        self.add_source(source, words)
        self.add_stdlib("cudadevrt")
        self.link()


def find_device_library(libname: str, cuda_libdir: str | None = None) -> str:
    """Return the file of one of CUDA's libraries for device code.

    Looked for in `cuda_libdir` only, if that is given; else in CUDA_ROOT, CUDA_HOME, CUDA_PATH, LD_LIBRARY_PATH, in
    pip's packages, beside nvcc and in the system's folder. Raises OSError that lists these places.
    """
    file = f"lib{libname}.a"
    folders = [cuda_libdir] if cuda_libdir is not None else _library_folders()
    for folder in folders:
        if os.path.isfile(path := os.path.join(folder, file)):
            return path
    hint = "; libcudadevrt.a comes with: pip install nvidia-cuda-runtime" if libname == "cudadevrt" else ""
    raise OSError(f"CUDA's library {file} was not found; looked in {', '.join(folders)}{hint}")


def _library_folders() -> list[str]:
    roots = [os.environ[name] for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    folders = [os.path.join(root, name) for root in roots for name in ("lib64", "lib")]
    folders += [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    # pip's packages have libraries and headers side by side.
    folders += [os.path.join(os.path.dirname(os.fspath(path)), "lib") for path in _native.cuda_include_dirs()]
    try:
        root = Path(find_nvcc(None)).resolve().parent.parent
        folders += [str(root / "lib64"), str(root / "lib")]
    except cuox.NotFoundError:
        pass
    folders.append("/usr/lib/x86_64-linux-gnu")
    return list(dict.fromkeys(folders))
