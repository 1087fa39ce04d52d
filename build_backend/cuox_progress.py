"""The progress of a build, on the terminal of the program that asked for it.

pip keeps what a build prints to itself, and shows it if the build fails. So this writes a line of its own to pip's
terminal. It writes nothing where that is no terminal, or where the build's own output is seen (`pip install -v`).
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cuox_distributions import ROOT, Distribution

COMPILING = re.compile(r"\s*Compiling (\S+) v")


def crates(*distributions: Distribution) -> int:
    """About how many crates the libraries of wheels are made of; 0 if cargo cannot tell."""
    packages = [word for one in distributions for crate in (*one.libraries, one.crate) for word in ("-p", crate)]
    command = ["cargo", "tree", *packages, "--prefix", "none", "--edges", "normal,build"]
    command += ["--format", "{p}", "--no-dedupe"]
    try:
        tree = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:  # no cargo: the build says so
        return 0
    return len(set(tree.stdout.split("\n")) - {""})


class Count:
    """Counts crates, of the lines that cargo prints."""

    def __init__(self, total: int) -> None:
        self.total, self.count, self.crate = total, 0, ""

    def take(self, line: str) -> bool:
        """Take a line; True if it is of another crate."""
        if match := COMPILING.match(line):
            self.count, self.crate = self.count + 1, match[1]
        return match is not None

    def __str__(self) -> str:
        return f"compiling crate {self.count} of about {max(self.total, self.count)}: {self.crate}"


def terminal() -> int | None:
    """A file descriptor of the terminal of the program that runs the build, if it is to have a line of progress."""
    if os.isatty(2):
        return None
    try:
        number = os.open(f"/proc/{os.getppid()}/fd/2", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        return None
    if os.isatty(number):
        return number
    os.close(number)
    return None


class Line:
    """A line on a terminal that is written again and again."""

    CLEAR = "\r\x1b[K"

    def __init__(self, number: int, distribution: Distribution) -> None:
        self.number, self.distribution, self.began = number, distribution, time.monotonic()
        self.count = Count(0)
        self.ended = threading.Event()
        self.clock = threading.Thread(target=self.tick, daemon=True)

    def write(self, text: str) -> None:
        try:
            os.write(self.number, text.encode())
        except OSError:  # the terminal has gone
            self.ended.set()

    def tick(self) -> None:
        self.count.total = crates(self.distribution)
        while not self.ended.wait(1):
            minutes, seconds = divmod(int(time.monotonic() - self.began), 60)
            what = str(self.count) if self.count.count else "cargo begins"
            try:
                width = os.get_terminal_size(self.number).columns or 80
            except OSError:
                width = 80
            # pip turns a wheel after the line: it takes the blank.
            self.write(
                f"{self.CLEAR}{f'  {self.distribution.name} [{minutes}:{seconds:02d}] {what}'[: max(width - 2, 1)]} "
            )


@contextmanager
def shown(distribution: Distribution) -> Iterator[None]:
    """Show how far the build inside of this is."""
    number = terminal()
    if number is None:
        yield
        return
    line = Line(number, distribution)
    seen = os.dup(2)
    reading, writing = os.pipe()
    os.dup2(writing, 2)
    os.close(writing)

    def forward() -> None:
        rest = b""
        while data := os.read(reading, 1 << 16):
            os.write(seen, data)
            *lines, rest = (rest + data).split(b"\n")
            for text in lines:
                line.count.take(text.decode(errors="replace"))

    forwarder = threading.Thread(target=forward, daemon=True)
    forwarder.start()
    line.clock.start()
    try:
        yield
    finally:
        os.dup2(seen, 2)  # which was the last end of the pipe to write to
        forwarder.join(timeout=5)
        line.ended.set()
        line.clock.join(timeout=5)
        line.write(Line.CLEAR)
        for descriptor in (seen, number):
            os.close(descriptor)
