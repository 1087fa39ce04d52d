"""`Program.compile(cache=...)`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cuox._internal.options import ProgramOptions

from .keys import make_program_cache_key
from .resource import ProgramCacheResource


def look_up(
    cache: object,
    code: str,
    code_type: str,
    options: ProgramOptions | None,
    name: str,
    target: str,
    has_expressions: bool,
) -> tuple[bytes, Any]:
    """Return the key of a compilation, and what a cache has for it: the code's bytes, or None."""
    if not isinstance(cache, ProgramCacheResource):
        raise TypeError(
            f"compile: cache: expected a ProgramCacheResource of cuox.cuda.core.utils, got {type(cache).__name__}"
        )
    if has_expressions:
        raise ValueError(
            "compile: name_expressions cannot be given with cache=: a cache keeps the code alone, without the names that the "
            "expressions have in it"
        )
    given = replace(options or ProgramOptions(), name=name)
    key = make_program_cache_key(code=code, code_type=code_type, options=given, target_type=target)
    return key, cache.get(key)
