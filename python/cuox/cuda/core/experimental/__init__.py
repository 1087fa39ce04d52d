"""`cuda.core`, under the name that it had before its version 0.5: `from cuda.core.experimental import Device`."""

from cuox._internal.api import *  # noqa: F403
from cuox._internal.api import __all__ as __all__
