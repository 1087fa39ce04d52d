"""`%%cuda --module NAME`: a cell's kernels as a Python object."""

from __future__ import annotations

import os
import re

from cuox import _native

from ..errors import CompileError, NotFoundError
from ..nvcc_options import translate
from ..options import ProgramOptions
from .cell import Cell, CellError
from .options import Options

# A library, for nvcc.
_LIBRARY = re.compile(r"-l(?!ineinfo$)|--library")


class KernelModule:
    """The kernels of a cell: `module.scale[grid, block](x, n)`, `module["scale<float>"]` for an instance of a template.

    `code` is the `ObjectCode`, with `get_global` for variables.
    """

    def __init__(self, program: _native.Program, options: list[str], name: str) -> None:
        self._program, self._options, self._name = program, options, name
        self._instances: dict[str, _native.ObjectCode] = {}
        self.code = program.compile("ptx", options=options)

    def __getattr__(self, name: str) -> _native.Kernel:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.code.get_kernel(name)
        except NotFoundError as error:
            raise AttributeError(f"{self._name}: {error}", name=name, obj=self) from None

    def __getitem__(self, name: str) -> _native.Kernel:
        if not isinstance(name, str):
            raise TypeError(f'expected the name of a kernel, such as "scale<float>", got {name!r}')
        if name.isidentifier() or name in self.code.kernel_names:
            return self.code.get_kernel(name)
        if (code := self._instances.get(name)) is None:
            code = self._program.compile("ptx", name_expressions=[name], options=self._options)
            self._instances[name] = code
        return code.get_kernel(name)

    __iter__ = None  # indices are names

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def _signatures(self) -> list[str]:
        """The kernels as they were declared, but for templates."""
        return [str(self.code.get_kernel(name).signature) for name in self.code.kernel_names]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names()]

    def _names(self) -> list[str]:
        return [one.partition("(")[0] for one in self._signatures()]

    def __repr__(self) -> str:
        return f"<kernels of {self._name}: {', '.join(self._signatures()) or 'templates only'}>"


def compile_cell(cell: Cell, options: Options) -> KernelModule:
    """Compile the kernels of a cell. Raises CellError."""
    hint = "--module is for kernels alone; host code that launches them is a program: %%cuda without --module"
    try:
        read = translate(options.compiler)
        if read.unknown:
            raise CellError(f"%%cuda --module compiles with NVRTC, which does not know {', '.join(read.unknown)}")
        if others := [*read.ignored, *filter(_LIBRARY.match, options.compiler)]:
            raise CellError(f"%%cuda --module compiles kernels, without a host compiler or linker: {', '.join(others)}")
        if cell.has_main():
            raise CellError(f"{cell.name} has a main, which would not run. {hint}")
        words = [f"--include-path={cell.folder}", *read.options]
        name = os.fspath(cell.file) if cell.file else cell.name
        made = _native.Program(cell.text, options=ProgramOptions(name=name, arch=read.arch, lineinfo=True))
        return KernelModule(made, words, cell.name)
    except CompileError as error:
        said = error.log.strip() or str(error)
        raise CellError(f"{said}\n{hint}" if "<<<" in cell.below else said) from None
    except CellError:
        raise
    except (NotFoundError, ValueError, RuntimeError) as error:
        raise CellError(f"{cell.name}: {error}") from None
