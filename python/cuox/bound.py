"""The name that modules written by earlier versions of `python -m cuox bind` import; all of it is `cuox_bind.bound`."""

from cuox_bind.bound import *  # noqa: F403
from cuox_bind.bound import __all__ as __all__
