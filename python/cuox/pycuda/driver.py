"""The CUDA driver, as `pycuda.driver` has it."""

from __future__ import annotations

from ._driver.arguments import *  # noqa: F403
from ._driver.context import Context
from ._driver.copies import *  # noqa: F403
from ._driver.device import *  # noqa: F403
from ._driver.enums import *  # noqa: F403
from ._driver.errors import *  # noqa: F403
from ._driver.functions import *  # noqa: F403
from ._driver.memory import *  # noqa: F403
from ._driver.modules import *  # noqa: F403
from ._driver.pagelocked import *  # noqa: F403
from ._driver.streams import *  # noqa: F403
