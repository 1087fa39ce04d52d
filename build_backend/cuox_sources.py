"""Makes the sources that others build, of cuox and of cuox-bind.

    python build_backend/cuox_sources.py FOLDER

As `python -m build --sdist` does it for one of them, without an environment of its own: maturin has to be there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cuox_build
from cuox_distributions import DISTRIBUTIONS, ROOT


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]).resolve()
    for one in DISTRIBUTIONS:
        os.chdir(ROOT / one.folder)
        cuox_build.build_sdist(str(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
