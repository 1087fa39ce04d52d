"""Commands that run another program and stay: signals, and what the program leaves running."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

COUNTING = """
import signal, time
def count(*_):
    print("signal", flush=True)
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    signal.signal(number, count)
print("started", flush=True)
end = time.monotonic() + {seconds}
while time.monotonic() < end:
    time.sleep(0.05)
"""


def command(program: str, before: str = "") -> list[str]:
    script = (
        f"import os, signal, sys\n{before}\nfrom cuox._internal import become\n"
        f"sys.exit(become.become([sys.executable, '-c', {program!r}], dict(os.environ), lambda text: None))"
    )
    return [sys.executable, "-c", script]


def test_a_program_ignores_the_signals_that_are_ignored() -> None:
    # As under nohup.
    program = "import signal; print(signal.getsignal(signal.SIGHUP).name)"
    ignoring = command(program, "signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    done = subprocess.run(ignoring, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "SIG_IGN\n"), done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_a_signal_for_the_command_alone(number: signal.Signals) -> None:
    # What was started in a shell's background ignores signals, as do its children.
    listening = command(COUNTING.format(seconds=1.5), "signal.signal(signal.SIGQUIT, signal.SIG_DFL)")
    with subprocess.Popen(listening, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "started\n"
        running.send_signal(number)
        assert running.stdout.read() == "signal\n"
    assert running.returncode == 0


def test_a_signal_that_ends_the_program() -> None:
    with subprocess.Popen(
        command("import time\nprint('started', flush=True)\ntime.sleep(60)"), stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.terminate()
        assert running.wait(30) == -signal.SIGTERM


def test_a_terminal_interrupts_the_program_once() -> None:
    arguments = command(COUNTING.format(seconds=1.5))
    child, terminal = pty.fork()
    if child == 0:
        os.execv(arguments[0], arguments)
    said = b""
    with suppress(OSError):  # the terminal's end
        while data := os.read(terminal, 1024):
            said += data
            if said.endswith(b"started\r\n"):
                os.write(terminal, b"\x03")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert said.count(b"signal") == 1, said


def test_who_holds_standard_error_is_not_waited_for() -> None:
    program = "import subprocess, sys\nsubprocess.Popen(['sleep', '30'])\nsys.exit('the last words')"
    begin = time.monotonic()
    with subprocess.Popen(command(program), stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        said = running.stderr.readline()
        running.wait(20)
        took = time.monotonic() - begin
    assert (said, running.returncode) == ("the last words\n", 1)
    assert took < 20
