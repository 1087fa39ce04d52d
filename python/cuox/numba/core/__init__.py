"""What Numba keeps under this name."""

from ..cuda.core import config as config, errors as errors
