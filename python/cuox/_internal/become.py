"""Commands that become another program."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
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


def become(
    command: Sequence[str], environment: Mapping[str, str], after_failure: Callable[[str], None] | None = None
) -> int:
    """Become a program. If it needs this process's temporary folder, or what it says of a failure is asked for, run it
    instead, remove the folder when it has ended, and return its exit status, or end by the signal by which it has
    ended.

    after_failure: called with what the program has written to standard error, if it has failed.

    Raises OSError if it cannot be started.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if not cache_folder.uses_own() and after_failure is None:
        os.execvpe(command[0], list(command), environment)
    try:
        status, said = _run(command, environment, after_failure is not None)
    finally:
        cache_folder.remove_own()
    if status < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other way
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
        return 128 - status  # a signal that ends no process by itself
    if status and after_failure is not None:
        after_failure(said.decode(errors="replace"))
    return status


def _run(command: Sequence[str], environment: Mapping[str, str], listens: bool) -> tuple[int, bytes]:
    """Run a program; return its exit status, and with `listens` what it has written to standard error."""
    child: subprocess.Popen[bytes] | None = None
    early: list[int] = []

    def hand_on(number: int, _: FrameType | None) -> None:
        if child is not None:
            child.send_signal(number)
        else:
            early.append(number)

    def leave(number: int, _: FrameType | None) -> None:
        """A terminal sends it to the program, too."""

    handlers = dict.fromkeys((signal.SIGINT, signal.SIGQUIT), leave)
    handlers |= dict.fromkeys((signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2), hand_on)
    for number, handler in handlers.items():
        # What is ignored here the program ignores as well.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    child = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE if listens else None)
    for sent in early:
        child.send_signal(sent)
    said = bytearray()
    if child.stderr is not None:
        while data := os.read(child.stderr.fileno(), 1 << 16):
            said += data
            if sys.stderr is not None:
                with contextlib.suppress(OSError):  # whoever reads it has gone
                    sys.stderr.buffer.write(data)
                    sys.stderr.buffer.flush()
    return child.wait(), bytes(said)
