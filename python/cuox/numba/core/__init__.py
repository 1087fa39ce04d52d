"""What Numba keeps under this name."""

from ..cuda.core import config as config
from ..cuda.core import errors as errors
