"""The native API of `cuox`, under the name that users of `cuda.core` know."""

from cuox._api import *  # noqa: F403
from cuox._api import __all__ as __all__
