"""Arguments that say which way host arrays are copied."""

from __future__ import annotations

from typing import Any

from ._arguments import ArgHint as ArgHint
from ._arguments import In as In
from ._arguments import InOut as InOut
from ._arguments import Out as Out


def wrap_arg(value: Any, default: type[ArgHint] = InOut) -> ArgHint:
    """Return an argument as a hint: `default` of it, unless it is one."""
    return value if isinstance(value, ArgHint) else default(value)
