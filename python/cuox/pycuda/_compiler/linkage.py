"""The `extern "C"` around a source: kernels keep their plain names, and the templates of headers stay C++."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

__all__ = ["SOURCE_NAME", "wrap"]

SOURCE_NAME = "kernel.cu"

# Literals and comments, which may hold a brace or an `#include` that is none; the braces that count; and the
# directives.
_TOKENS = re.compile(
    r"""
      //(?:\\\n|[^\n])*
    | /\*.*?(?:\*/|\Z)
    | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    | "(?:\\.|[^"\\\n])*"
    | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
    | (?P<include>^[ \t]*\#[ \t]*include[ \t]*(?P<name><[^>\n]+>|"[^"\n]+")[^\n]*)
    | (?P<brace>[{}])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def wrap(source: str, include_dirs: Sequence[str] = (), *, every_header: bool = False) -> str:
    """Wrap a source in `extern "C"`, with the headers that it includes outside of that.

    Lines in messages stay those of the source. A header of the user's own stays inside, since it may have kernels: one
    that is included with quotes, or lies in one of `include_dirs`; `every_header` takes these out too.
    """
    begin = f'extern "C" {{\n#line 1 "{SOURCE_NAME}"\n'
    if "include" not in source:
        return f"{begin}{source}\n}}\n"
    parts = [begin]
    done = 0
    depth = 0
    for token in _TOKENS.finditer(source):
        brace = token["brace"]
        if brace is not None:
            depth += 1 if brace == "{" else -1
        # An include between braces is part of a function, a class or a namespace.
        elif token["include"] is not None and depth == 0 and (every_header or not _is_own(token["name"], include_dirs)):
            line = source.count("\n", 0, token.start()) + 1
            parts.append(source[done : token.start()])
            parts.append(
                f'extern "C++" {{\n#line {line} "{SOURCE_NAME}"\n{token["include"]}\n}}\n#line {line + 1} "{SOURCE_NAME}"'
            )
            done = token.end()
    parts.append(source[done:])
    parts.append("\n}\n")
    return "".join(parts)


def _is_own(name: str, include_dirs: Sequence[str]) -> bool:
    """Return whether a header is the user's: there is a file of that name in a folder of the user's."""
    file = name[1:-1]
    folders = [*include_dirs, os.curdir] if name.startswith('"') else include_dirs
    return any(os.path.isfile(os.path.join(folder, file)) for folder in folders)
