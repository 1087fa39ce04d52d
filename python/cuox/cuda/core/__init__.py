"""The native API of `cuox`, under the name that users of `cuda.core` know."""

from cuox._internal.api import *  # noqa: F403
from cuox._internal.api import __all__ as __all__
