"""What NVML tells of the machine and its devices, as `cuda.core.system` has it. No CUDA context is made, and NVML is
initialised when something is first asked.
"""

from . import _device, _system, _system_events, exceptions, typing
from ._device import *  # noqa: F403
from ._system import *  # noqa: F403
from ._system_events import *  # noqa: F403
from .exceptions import *  # noqa: F403

__all__ = ["typing"]
__all__ += _system.__all__
__all__ += _device.__all__
__all__ += _system_events.__all__
__all__ += exceptions.__all__
