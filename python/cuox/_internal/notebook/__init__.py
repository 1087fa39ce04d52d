"""`%load_ext cuox`: cells of CUDA C++ in IPython and Jupyter.

`%%cuda` compiles a program with `main` and runs it, output in the cell as it comes (`program`), or makes the kernels of
the cell a Python object (`kernels`). IPython is not imported: it hands itself over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import kernels, program
from .cell import Cell, CellError
from .options import HELP, read

__all__ = ["CellError", "load"]


def load(ipython: Any) -> None:
    """Register the magics of cells with an IPython shell."""

    def cuda(line: str, text: str) -> None:
        run(ipython, line, text)

    cuda.__doc__ = HELP
    # %%cu is what the extension nvcc4jupyter has called it.
    for name in ("cuda", "cu"):
        ipython.register_magic_function(cuda, "cell", name)


def run(ipython: Any, line: str, text: str) -> None:
    """Compile a cell of CUDA C++, and run it or bind its kernels to a name. Raises CellError."""
    try:
        options = read(line)
    except ValueError as error:
        raise CellError(f"%%cuda: {error}") from None
    if options.help:
        print(HELP)
        return
    cell = Cell(line, text, f"In[{_number(ipython)}]", Path.cwd())
    if options.name is not None:
        cell = program.keep(cell, options.name)
    if options.module is not None:
        ipython.push({options.module: kernels.compile_cell(cell, options)})
    elif program.is_header(cell):
        print(f"{options.name} is written")
    elif options.name is not None and not cell.has_main():
        print(f"{options.name} is written; it has no main, so nothing is run")
    else:
        program.run(cell, options)


def _number(ipython: Any) -> int:
    """The number of the cell that runs. Some versions of IPython have counted on already; inputs are kept before."""
    try:
        return len(ipython.history_manager.input_hist_raw) - 1
    except AttributeError:  # a shell without a history
        return int(ipython.execution_count)
