"""`python -m cuox_bind`: a module from a C header, or an explanation of how the header is bound."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the current folder first, if it is there: a json.py in it would be taken for Python's.
    with contextlib.suppress(OSError):
        if sys.path[0] == os.getcwd():
            del sys.path[0]

from . import _native
from ._internal import bind_command


def main(arguments: list[str] | None = None) -> int:
    """Run the command; what it returns is the process' exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m cuox_bind", description="Write a module from a C header, or show how the header is bound."
    )
    parser.add_argument("--version", action="version", version=f"cuox-bind {_native.__version__}")
    bind_command.add_arguments(parser)
    return bind_command.run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
