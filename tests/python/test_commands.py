"""The commands `cuox …` and the pipes that they write into."""

from __future__ import annotations

import argparse
import io
import os
import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize("command", ["info", "cache", "env", "--help", "--version", "bind --help", "run --help"])
@pytest.mark.parametrize("errors", [False, True])
def test_a_closed_pipe_ends_a_command_without_a_word(command: str, errors: bool) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "cuox", *command.split()],
            stdout=write,
            stderr=write if errors else subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(write)
    assert not ended.stderr
    # What a command prints itself is lost, and it says so by its status.
    quiet = "-" in command and argparse_ignores_closed_pipes()
    assert ended.returncode == (0 if quiet else 128 + signal.SIGPIPE)


def argparse_ignores_closed_pipes() -> bool:
    """Tell whether this Python's `argparse` passes over errors of writing (some versions do)."""

    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    try:
        argparse.ArgumentParser().print_help(Closed())
    except BrokenPipeError:
        return False
    return True
