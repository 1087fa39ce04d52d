"""The end of a process whose gradients were computed on the device.

PyTorch computes these in a thread for each device, which lets go of Python's objects behind `backward()`. If it asks
for the interpreter's lock when that has ended, Python ends the thread, which C++ takes for an error: the process would
be aborted. So its threads are waited for until they have nothing to do.
"""

from __future__ import annotations

import atexit
import time
from pathlib import Path

_MOST = 1.0  # seconds
_STEP = 0.0005
_THREADS = "pt_autograd_"


def set_up() -> None:
    """Have the process wait for PyTorch's threads before Python ends."""
    atexit.register(_settle)


def _settle() -> None:
    until = time.monotonic() + _MOST
    idle = 0
    # The lock is free while this sleeps: who sleeps then, too, waits for work and not for the lock.
    while idle < 3 and time.monotonic() < until:
        states = _states()
        if not states:
            return
        idle = idle + 1 if set(states) == {"S"} else 0
        time.sleep(_STEP)


def _states() -> list[str]:
    """The states of the threads, as Linux names them: `S` sleeps, `R` runs or could run."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        try:
            name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue  # it has ended
        if name.startswith(_THREADS):
            found.append(rest.split()[0])
    return found
