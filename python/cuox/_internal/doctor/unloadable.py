"""`cuox doctor` and `cuox info` where a compiled module of cuox or cuox-bind cannot be loaded, which all that they look
at otherwise needs.
"""

from __future__ import annotations

import os
import sys

from .finding import Finding, install_again
from .text import print_findings


def tell(error: ImportError) -> None:
    """End the process with the error as a finding, if the process is one of these commands."""
    given = _arguments()
    if given[:1] == ["info"] or given[:1] == ["doctor"]:
        sys.exit(print_findings([_finding(error)], "--json" in given, "--report" in given, given[0] == "info"))


def _arguments() -> list[str]:
    """The arguments of `cuox`, none of another program. While `python -m cuox` imports the package, `-m` stands for the
    program's name.
    """
    if not sys.argv:
        return []
    if sys.argv[0] == "-m":
        before = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv) + 1]
        return sys.argv[1:] if before and before[-1] in ("cuox", "-mcuox") else []
    return sys.argv[1:] if os.path.basename(sys.argv[0]) == "cuox" else []


def _finding(error: ImportError) -> Finding:
    said = str(error)
    name = "cuox-bind" if "cuox_bind's" in said or "cuox-bind" in said else "cuox"
    # That of the error is for all ways of installation.
    text, found, _ = said.partition("; install cuox")
    remedy = install_again(name) if found or "not installed" in said else "see the text"
    return Finding(name, "broken", text, remedy)
