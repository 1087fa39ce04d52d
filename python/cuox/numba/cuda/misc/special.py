"""Names for kernels that are not CUDA's."""

from .._names import literal_unroll as literal_unroll
