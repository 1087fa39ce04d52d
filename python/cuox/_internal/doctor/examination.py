"""The steps of `cuox doctor` and `cuox info`, taken in processes of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from . import apart, devices, machine, toolchain, trial
from .finding import Finding, Step, first_line
from .text import print_findings

__all__ = ["Finding", "examine", "main", "take", "tell"]

STEPS: dict[str, Step] = {**machine.STEPS, **devices.STEPS, **toolchain.STEPS}
"""What is looked at, by name, in order."""


def take(name: str, root: Path = Path("/")) -> list[Finding]:
    """Take a step; `root` is where the system's files are. A step that fails is itself a finding."""
    try:
        found = STEPS[name](root)
        return [found] if isinstance(found, Finding) else list(found or ())
    except Exception as error:
        text = f"could not be examined: {type(error).__name__}: {first_line(error)}"
        return [Finding(name, "warning", text, "please report it, with what `cuox doctor --report` prints")]


def tell(names: Sequence[str]) -> None:
    """Take steps for another process, which started this one."""
    apart.tell(names, take)


def examine(run: bool = True) -> list[Finding]:
    """Look at everything and return what was found; with `run`, a first kernel is compiled and run, too.

    All of it is done in other processes: whatever kills or stops one is itself a finding.
    """
    found = list(apart.examine(list(STEPS)))
    if run:
        found += (one for one in trial.examine() if one not in found)
    return found


def main(as_json: bool = False, report: bool = False, short: bool = False) -> int:
    """Print what was found: as a list, as JSON, or as the text of a bug report; `short`: without running a kernel.

    Returns 1 if something is broken, else 0.
    """
    return print_findings(examine(run=not short), as_json, report, short)
