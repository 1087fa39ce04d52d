"""`import pycuda` as an import of `cuox.pycuda`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_ORIGINAL = "pycuda"
_OURS = "cuox.pycuda"


class _Loader(Loader):
    """Gives the module that is there under our name."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_OURS + spec.name[len(_ORIGINAL) :])
        # The import system puts its own spec into whatever module it is given.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        ours = module.__spec__
        if ours is not None and ours.loader_state is not None:
            module.__spec__ = ours.loader_state


class _Finder(MetaPathFinder):
    """Finds `pycuda` and all below it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _ORIGINAL and not fullname.startswith(_ORIGINAL + "."):
            return None
        # Modules that there are not must not be looked for among the original's files.
        ours = _OURS + fullname[len(_ORIGINAL) :]
        found = importlib.util.find_spec(ours)
        if found is None:
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: cuox.pycuda, which stands for pycuda here, has no {ours!r}",
                name=fullname,
            )
        return ModuleSpec(
            fullname, _Loader(), origin=found.origin, is_package=found.submodule_search_locations is not None
        )


_finder = _Finder()


class _InWorkers:
    """Calls `install` where it is unpickled, which is before the worker has got this process's `sys.path`."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (f"import sys\nsys.path = {sys.path!r}\nfrom {__name__} import install\ninstall()", {})


def _install_in_workers() -> None:
    """Let worker processes that `multiprocessing` starts afresh ("spawn", "forkserver") do the same before they import
    the program.
    """
    from multiprocessing import spawn

    original = spawn.get_preparation_data
    if getattr(original, "_of_cuox", False):
        return

    def get_preparation_data(name: str) -> dict[str, Any]:
        # The worker unpickles this before anything of the program, and looks up the names that it knows.
        return {**original(name), "cuox_pycuda": _InWorkers()}

    get_preparation_data._of_cuox = True  # type: ignore[attr-defined]
    spawn.get_preparation_data = get_preparation_data


def install() -> None:
    """Make `import pycuda` mean `cuox.pycuda` in this process, for unchanged programs and libraries.

    To be called before pycuda is imported. It does not matter if the original is installed. Calling it twice is fine.
    `python -m cuox.pycuda prog.py` runs a program in this way. Workers of `multiprocessing` do the same.

    Raises RuntimeError if the original is imported already.
    """
    there = sys.modules.get(_ORIGINAL)
    if there is not None and there is not sys.modules.get(_OURS):
        raise RuntimeError(
            f"pycuda is already imported, from {getattr(there, '__file__', None)}: "
            "call cuox.pycuda.install() before anything imports pycuda"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _install_in_workers()
