"""What NVML tells of the machine: not there yet, as importing it says."""

from cuox._internal.later import refuse
from cuox.cuda.core import _LATER

refuse(__name__, _LATER, "cuda.core")
