"""`python -m cuox.cuda prog.py …`: run a program in which `cuda.bindings`, `cuda.core` and so on are cuox's."""

from __future__ import annotations

import sys

from cuox._internal.stand_in import main

from ._install import install

if __name__ == "__main__":
    sys.exit(main("cuox.cuda", "cuda", install, sys.argv[1:]))
