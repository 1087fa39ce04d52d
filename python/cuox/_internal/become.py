"""Commands that become another program."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence

from cuox_bind._internal import cache_folder

from cuox import _native

_HANDED_ON = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
# A terminal sends these to the program, too: then the kernel is the sender (SI_KERNEL).
_OF_TERMINALS = (signal.SIGINT, signal.SIGQUIT)
_BY_KERNEL = 0x80


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
    command: Sequence[str],
    environment: Mapping[str, str],
    after_failure: Callable[[str], None] | None = None,
    work: str = "",
) -> int:
    """Become a program. If it needs this process's temporary folder, or what it says of a failure is asked for, run it
    instead, remove the folder when it has ended, and return its exit status, or end by the signal by which it has
    ended.

    after_failure: called with what the program has written to standard error, if it has failed. work: what a line on a
    terminal says of a program that is run, if it takes long.

    Raises OSError if it cannot be started.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if not cache_folder.uses_own() and after_failure is None:
        os.execvpe(command[0], list(command), environment)
    try:
        with _native._Progress(work) if work else contextlib.nullcontext():
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
    # What is ignored here the program ignores as well.
    handed_on = {number for number in _HANDED_ON if signal.getsignal(number) is not signal.SIG_IGN}
    # They wait until the program has started. A handler would not be told who has sent them.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, handed_on)
    try:
        return _run_blocked(command, environment, listens, handed_on, before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_blocked(
    command: Sequence[str],
    environment: Mapping[str, str],
    listens: bool,
    handed_on: set[signal.Signals],
    before: set[int | signal.Signals],
) -> tuple[int, bytes]:
    """Run a program while signals are blocked here, which it takes as they were before."""
    child = subprocess.Popen(
        command,
        env=environment,
        stderr=subprocess.PIPE if listens else None,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before),
    )
    if handed_on:
        threading.Thread(target=_hand_on, args=(child, handed_on), daemon=True).start()
    said = bytearray()
    if child.stderr is not None:
        for data in _read(child, child.stderr.fileno()):
            said += data
            if sys.stderr is not None:
                with contextlib.suppress(OSError):  # whoever reads it has gone
                    sys.stderr.buffer.write(data)
                    sys.stderr.buffer.flush()
    return child.wait(), bytes(said)


def _hand_on(child: subprocess.Popen[bytes], numbers: set[signal.Signals]) -> None:
    """Send a program the signals that come to this process alone."""
    while True:
        sent = signal.sigwaitinfo(numbers)
        if sent.si_signo not in _OF_TERMINALS or sent.si_code != _BY_KERNEL:
            child.send_signal(sent.si_signo)


def _read(child: subprocess.Popen[bytes], file: int) -> Iterator[bytes]:
    """What comes through a pipe until all have closed it or the program has ended: others may hold it then."""
    has_ended = False
    while True:
        if not select.select([file], [], [], 0 if has_ended else 0.05)[0]:
            if has_ended:
                return
            has_ended = child.poll() is not None
        elif data := os.read(file, 1 << 16):
            yield data
        else:
            return
