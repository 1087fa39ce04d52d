"""The table of how long the test files in Python take: the order in which they are run."""

from __future__ import annotations

import re
from pathlib import Path

DURATIONS = Path(__file__).with_suffix(".txt")
# Files that take less are not in the table.
SHORTEST = 2.0
HEAD = """\
# Seconds that test files take, longest first: the order in which they are run. Written by
#     CUOX_SOFT_THREADS=1 pytest tests/python -n 2 --dist loadfile --write-durations
"""


def durations() -> dict[str, float]:
    """Return the table: seconds for names of test files."""
    rows = re.findall(r"^ *([\d.]+) (\w+\.py)$", DURATIONS.read_text() if DURATIONS.exists() else "", re.MULTILINE)
    return {name: float(seconds) for seconds, name in rows}


def write_durations(times: dict[str, float]) -> None:
    """Write the table with these times: those of other files stay."""
    rows = sorted(((seconds, name) for name, seconds in {**durations(), **times}.items()), reverse=True)
    DURATIONS.write_text(HEAD + "".join(f"{seconds:5.1f} {name}\n" for seconds, name in rows if seconds >= SHORTEST))
