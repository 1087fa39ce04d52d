"""Commands that become another program."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType

from . import cache_folder


@contextlib.contextmanager
def warnings_as_lines(name: str) -> Iterator[None]:
    """Print warnings as the lines of a command: `cuox run: …`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for warning in caught:
                print(f"{name}: {warning.message}", file=sys.stderr)


def become(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Become a program. If it needs this process's temporary folder, run it instead, remove the folder when it has
    ended, and return its exit status, or end by the signal by which it has ended.

    Raises OSError if it cannot be started.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if not cache_folder.uses_own():
        os.execvpe(command[0], list(command), environment)
    try:
        status = _run(command, environment)
    finally:
        cache_folder.remove_own()
    if status < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other way
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
        return 128 - status  # a signal that ends no process by itself
    return status


def _run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    child: subprocess.Popen[bytes] | None = None

    def hand_on(number: int, _: FrameType | None) -> None:
        if child is not None:
            child.send_signal(number)

    # A terminal sends these to the program, too.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, hand_on)
    child = subprocess.Popen(command, env=environment)
    return child.wait()
