"""Questions about the compiler, which is NVRTC here."""

from .error import NvvmError as NvvmError
from .error import NvvmSupportError as NvvmSupportError
from .nvrtc import find_closest_arch as find_closest_arch
from .nvrtc import get_arch_option as get_arch_option
from .nvrtc import get_supported_ccs as get_supported_ccs


def is_available() -> bool:
    """True if kernels can be compiled."""
    try:
        return bool(get_supported_ccs())
    except RuntimeError:
        return False
