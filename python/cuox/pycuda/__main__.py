"""`python -m cuox.pycuda prog.py …`: run a program in which `import pycuda` means `cuox.pycuda`."""

from __future__ import annotations

import os
import runpy
import sys

from ._install import install

_USAGE = """\
usage: python -m cuox.pycuda program.py [argument ...]
       python -m cuox.pycuda -m module [argument ...]
       python -m cuox.pycuda -c code [argument ...]

Run a program in which `import pycuda` means `cuox.pycuda`."""


def main(arguments: list[str]) -> int | None:
    """Run what the command line names; the same as `python`'s own `program`, `-m` and `-c`."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0
    if not arguments or (arguments[0] in ("-m", "-c") and len(arguments) == 1):
        print(_USAGE, file=sys.stderr)
        return 2
    if arguments[0].startswith("-") and arguments[0] not in ("-m", "-c"):
        print(f"python -m cuox.pycuda: unknown option {arguments[0]}\n\n{_USAGE}", file=sys.stderr)
        return 2
    install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        # As `python -m` has it; this package's folder stands there now.
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
        print(f"python -m cuox.pycuda: no such file: {program}", file=sys.stderr)
        return 2
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    runpy.run_path(program, run_name="__main__")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
