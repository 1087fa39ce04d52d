"""The driver's functions. Who calls them tells cuox of the work that they put into streams, as `errors.call` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuox.cuda.bindings import driver
else:
    from cuox.cuda.bindings.driver import _known as driver

__all__ = ["driver"]
