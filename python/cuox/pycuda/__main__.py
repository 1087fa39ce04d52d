"""`python -m cuox.pycuda prog.py …`: run a program in which `import pycuda` means `cuox.pycuda`."""

from __future__ import annotations

import sys

from cuox._internal.stand_in import main

from ._install import install

if __name__ == "__main__":
    sys.exit(main("cuox.pycuda", "pycuda", install, sys.argv[1:]))
