"""`python -m cuox.numba prog.py …`: run a program in which `numba.cuda` means `cuox.numba.cuda`."""

from __future__ import annotations

import sys

from cuox._internal.stand_in import main

from ._install import install

if __name__ == "__main__":
    sys.exit(main("cuox.numba", "numba.cuda", install, sys.argv[1:]))
