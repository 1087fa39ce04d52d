"""Running a program with its output handed on as it comes."""

from __future__ import annotations

import codecs
import contextlib
import os
import selectors
import signal
import subprocess
import time
import tty
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

_GRACE = 1.0  # seconds from SIGINT to SIGKILL
_PIECE = 1 << 16


@dataclass
class Ended:
    """The end of a program: its status as `subprocess` has it, and whether it was interrupted or took too long."""

    status: int
    interrupted: bool = False
    late: bool = False


class Streams:
    """Where output goes, and names that paths in it get: a cell's file has the cell's name."""

    def __init__(self, output: TextIO, errors: TextIO, names: Mapping[str, str]) -> None:
        self._to = {False: output, True: errors}
        self._names = dict(names)
        self._held = {False: "", True: ""}

    def renamed(self, text: str) -> str:
        """Return a whole text with the names in place of the paths."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text

    def error(self, text: str) -> None:
        """Write a whole text to standard error."""
        self._write(True, self.renamed(text))

    def piece(self, is_error: bool, text: str, last: bool = False) -> None:
        """Write a piece of output. What may be the beginning of a path waits for the next piece."""
        text = self._held[is_error] + text
        keep = 0 if last else max((self._begun(text, path) for path in self._names), default=0)
        self._held[is_error] = text[len(text) - keep :]
        self._write(is_error, self.renamed(text[: len(text) - keep]))

    @staticmethod
    def _begun(text: str, path: str) -> int:
        """How many characters at the end of a text are the beginning of a path."""
        return next((n for n in range(min(len(path) - 1, len(text)), 0, -1) if text.endswith(path[:n])), 0)

    def _write(self, is_error: bool, text: str) -> None:
        if text:
            self._to[is_error].write(text)
            self._to[is_error].flush()


def run_streamed(
    command: Sequence[str], environment: Mapping[str, str], streams: Streams, limit: float | None = None
) -> Ended:
    """Run a program and hand its output on. After an interrupt, or when it has taken as many seconds as the limit, it
    is told to end, and a second later ended. Raises OSError if it cannot be started.
    """
    with contextlib.ExitStack() as files:
        output, its_output = _terminal()
        errors, its_errors = os.pipe()
        for file in (output, errors):
            files.callback(os.close, file)
        try:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=its_output, stderr=its_errors, env=dict(environment)
            )
        finally:
            os.close(its_output)
            os.close(its_errors)
        until = None if limit is None else time.monotonic() + limit
        late = interrupted = False
        try:
            late = not _hand_on(child, {output: False, errors: True}, streams, until)
        except KeyboardInterrupt:
            interrupted = True
        if late or interrupted:
            _end(child)
            _hand_on(child, {output: False, errors: True}, streams, time.monotonic() + _GRACE)
        for is_error in (False, True):
            streams.piece(is_error, "", last=True)
        return Ended(child.wait(), interrupted, late)


def _terminal() -> tuple[int, int]:
    """A pair of files for output: C programs write each line at once into a terminal, and hold it back in a pipe."""
    try:
        ours, its = os.openpty()
    except OSError:
        return os.pipe()
    tty.setraw(its)  # or a line would end with \r\n
    return ours, its


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program; another interrupt changes nothing."""
    for number in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.send_signal(number)
            child.wait(_GRACE)
    child.kill()


def _hand_on(child: subprocess.Popen[bytes], files: Mapping[int, bool], streams: Streams, until: float | None) -> bool:
    """Hand output on until it has ended, or the program has and there is no more at hand: others may hold the files.
    Returns False if the time is over.
    """
    decoders = {file: codecs.getincrementaldecoder("utf-8")("replace") for file in files}
    with selectors.DefaultSelector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        has_ended = False
        while selector.get_map():
            if until is not None and time.monotonic() > until:
                return False
            ready = list(_ready(selector, 0 if has_ended else 0.05))
            if not ready and has_ended:
                break
            has_ended = child.poll() is not None
            for file in ready:
                data = _read(file)
                streams.piece(files[file], decoders[file].decode(data, final=not data))
                if not data:
                    selector.unregister(file)
    while child.poll() is None:  # it has closed its output
        if until is not None and time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _ready(selector: selectors.BaseSelector, seconds: float) -> Iterator[int]:
    for key, _ in selector.select(seconds):
        yield key.fd


def _read(file: int) -> bytes:
    try:
        return os.read(file, _PIECE)
    except OSError:  # how a terminal ends
        return b""
