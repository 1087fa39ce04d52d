"""A package of cuox's in the place of another: `import pycuda` as an import of `cuox.pycuda`."""

from __future__ import annotations

import importlib
import importlib.util
import os
import runpy
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType, ModuleType, TracebackType


class StandIn(Loader, MetaPathFinder):
    """Finds and gives the modules of our package under the names of the original and of all below it."""

    def __init__(self, original: str, ours: str) -> None:
        self.original, self.ours = original, ours

    def _our_name(self, name: str) -> str:
        return self.ours + name[len(self.original) :]

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.original and not fullname.startswith(self.original + "."):
            return None
        # A package of ours has our path: what it lacks is not looked for among the original's files.
        try:
            found = importlib.util.find_spec(self._our_name(fullname))
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        return ModuleSpec(fullname, self, origin=found.origin, is_package=found.submodule_search_locations is not None)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._our_name(spec.name))
        # The import system puts its own spec into whatever module it is given.
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        ours = module.__spec__
        if ours is not None and ours.loader_state is not None:
            module.__spec__ = ours.loader_state


def install(package: str, *stand_ins: StandIn) -> None:
    """Put these in the originals' place from now on, in this process and in workers that `multiprocessing` starts,
    which call the `install` of this package.

    Raises RuntimeError, and changes nothing, if one of the originals is imported already.
    """
    for stand_in in stand_ins:
        there = sys.modules.get(stand_in.original)
        if there is not None and there is not sys.modules.get(stand_in.ours):
            raise RuntimeError(
                f"{stand_in.original} is already imported, from {getattr(there, '__file__', None)}: "
                f"call {package}.install() before anything imports {stand_in.original}"
            )
    sys.meta_path[:0] = [stand_in for stand_in in stand_ins if stand_in not in sys.meta_path]
    _install_in_workers(package)


class _InWorkers:
    """Calls `install` where it is unpickled, which is before the worker has got this process's `sys.path`."""

    def __init__(self, package: str) -> None:
        self.package = package

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (f"import sys\nsys.path = {sys.path!r}\nfrom {self.package} import install\ninstall()", {})


def _install_in_workers(package: str) -> None:
    """Let worker processes that `multiprocessing` starts afresh ("spawn", "forkserver") do the same before they import
    the program.
    """
    from multiprocessing import spawn

    original = spawn.get_preparation_data
    if package in getattr(original, "_of_cuox", ()):
        return

    def get_preparation_data(name: str) -> dict[str, Any]:
        # The worker unpickles this before anything of the program, and looks up the names that it knows.
        return {**original(name), package.replace(".", "_"): _InWorkers(package)}

    get_preparation_data._of_cuox = (*getattr(original, "_of_cuox", ()), package)  # type: ignore[attr-defined]
    spawn.get_preparation_data = get_preparation_data


# The files whose frames are under those of a program.
_RUNNERS = {runpy.__file__, "<frozen runpy>", __file__}
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


def _is_runner(frame: FrameType) -> bool:
    """True for a frame of what runs programs: `runpy`, this module, `python -m PACKAGE`."""
    file = frame.f_code.co_filename
    return file in _RUNNERS or (file.startswith(_PACKAGE) and os.path.basename(file) == "__main__.py")


def _begin_tracebacks_in_the_program() -> None:
    """Have the traceback of an error that ends the program begin in the program, as with `python program.py`."""
    previous = sys.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and _is_runner(traceback.tb_frame):
            traceback = traceback.tb_next
        previous(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = excepthook


def main(package: str, original: str, install: Callable[[], None], arguments: list[str]) -> int | None:
    """`python -m PACKAGE …`: run what the command line names after `install`.

    The same as `python`'s own `program`, `-m` and `-c`.
    """
    usage = f"""\
usage: python -m {package} program.py [argument ...]
       python -m {package} -m module [argument ...]
       python -m {package} -c code [argument ...]

Run a program in which `import {original}` means `{package}`."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(usage)
        return 0
    if not arguments or (arguments[0] in ("-m", "-c") and len(arguments) == 1):
        print(usage, file=sys.stderr)
        return 2
    if arguments[0].startswith("-") and arguments[0] not in ("-m", "-c"):
        print(f"python -m {package}: unknown option {arguments[0]}\n\n{usage}", file=sys.stderr)
        return 2
    install()
    _begin_tracebacks_in_the_program()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        # As `python -m` has it; the package's folder stands there now.
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return None
    if arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        sys.path[0] = ""
        main_module = sys.modules["__main__"]
        names = {"__name__": "__main__", "__builtins__": __builtins__}
        main_module.__dict__.update(names)
        exec(compile(arguments[1], "<string>", "exec"), main_module.__dict__)
        return None
    program = arguments[0]
    if not os.path.exists(program):
        print(f"python -m {package}: no such file: {program}", file=sys.stderr)
        return 2
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    runpy.run_path(program, run_name="__main__")
    return None
