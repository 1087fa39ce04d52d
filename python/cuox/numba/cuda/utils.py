"""Small things under Numba's names."""

import sys

PYVERSION = sys.version_info[:2]
