"""The Mako template engine, with an error that says how to get it."""

from __future__ import annotations

try:
    import mako.template  # type: ignore[import-untyped, import-not-found, unused-ignore]  # noqa: F401
except ImportError:
    raise ImportError(
        "Mako is not installed, and a template was to be rendered; install it: pip install Mako"
    ) from None

from mako import *  # noqa: F403
