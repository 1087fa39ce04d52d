"""Run many of pytest's cases in processes that stay: what a crash or a hang costs is its case.

A process (`case_worker.py`) collects once and is then handed cases in small batches. The parent bounds the time and the
memory of each case by ending the process; the rest of its batch goes back, and a new process goes on.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("case_worker.py")
BATCH = 8  # cases that a process is handed together: neighbours share fixtures
START = 600  # seconds until a process has collected
STARTS = 3  # processes in a row that may end before they have collected

# Lines of Python's that tell where a process was, not what it died of.
FAULT_HANDLER = (
    "Fatal Python error",
    "Current thread",
    "Thread 0x",
    "  File ",
    "Extension modules",
    "  <no Python frame>",
)


@dataclass
class Limits:
    """What a case may take, and all of them."""

    seconds: float  # of a case
    memory: float  # bytes that the process has in memory, with those that it has started
    whole: float | None = None  # seconds for all cases


class DidNotStart(Exception):
    """The tests could not be collected."""


class _Ended(Exception):
    """The process is no more; the text says why."""


class _Process:
    """A process that runs cases."""

    def __init__(self, command: list[str], arguments: list[str], log: Path, **how: Any) -> None:
        theirs, self.commands = os.pipe()
        self.results, ours = os.pipe()
        self.log, self.buffer = log, b""
        with log.open("wb") as output:
            self.child = subprocess.Popen(
                [*command, str(WORKER), str(theirs), str(ours), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs, ours),
                start_new_session=True,
                **how,
            )
        os.close(theirs)
        os.close(ours)

    def run(self, cases: list[str]) -> None:
        try:
            os.write(self.commands, (json.dumps(cases) + "\n").encode())
        except BrokenPipeError:
            raise _Ended(self.ending()) from None

    def line(self, until: float, memory: float, why: str) -> dict[str, Any]:
        """The next line; ends the process at that time, or if it takes more memory."""
        while b"\n" not in self.buffer:
            used = self.memory()
            if used > memory:  # looked at first: a process that fills the memory is late, too
                self.end()
                raise _Ended(f"took {used / 2**30:.1f} GiB of memory")
            if time.monotonic() > until:
                self.end()
                raise _Ended(why)
            if select.select([self.results], [], [], min(0.5, max(0.0, until - time.monotonic())))[0]:
                more = os.read(self.results, 1 << 20)
                if not more:
                    raise _Ended(self.ending())
                self.buffer += more
            elif self.child.poll() is not None:  # a process that it has started may keep the pipe open
                raise _Ended(self.ending())
        first, self.buffer = self.buffer.split(b"\n", 1)
        line: dict[str, Any] = json.loads(first)
        return line

    def memory(self) -> int:
        """Bytes in memory of all processes of the session."""
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == self.child.pid:
                total += int(fields[21])
        return total * os.sysconf("SC_PAGE_SIZE")

    def ending(self) -> str:
        """How the process has ended."""
        try:
            status = self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.end()
            return "closed its results"
        said = [
            line
            for line in self.log.read_text(errors="replace").splitlines()
            if line.strip() and not line.startswith(FAULT_HANDLER)
        ]
        name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return f"ended the process: {name}" + (f": {said[-1][:200]}" if said else "")

    def end(self) -> None:
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()

    def close(self) -> None:
        """Ends it once it has put away what its fixtures hold."""
        os.close(self.commands)
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            pass
        self.end()
        os.close(self.results)


class Cases:
    """Cases that several processes run."""

    def __init__(
        self,
        command: list[str],
        arguments: list[str],
        scratch: Path,
        limits: Limits,
        *,
        chosen: Callable[[list[str]], list[str]],
        write: Callable[[dict[str, Any]], None],
        environment: dict[str, str],
        folder: Path,
    ) -> None:
        """command: Python, with what goes before it. chosen: those of all cases that are run. write: called with the
        line of each case (id, outcome, seconds, error, trace) as it ends.
        """
        self.command, self.arguments, self.scratch, self.limits = command, arguments, scratch, limits
        self.chosen, self.write, self.environment, self.folder = chosen, write, environment, folder
        self.all: list[str] = []
        self.versions: dict[str, str] = {}
        self.broken: dict[str, str] = {}  # files that could not be collected
        self.waiting: deque[list[str]] | None = None
        self.lock = threading.Lock()
        self.until = float("inf")
        self.unstarted = 0
        self.failure = ""
        self.live: set[_Process] = set()

    def run(self, processes: int) -> None:
        """Run them. Raises DidNotStart."""
        if self.limits.whole is not None:
            self.until = time.monotonic() + self.limits.whole
        threads = [threading.Thread(target=self._work, args=(number,)) for number in range(processes)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException:
            # The threads wait for lines of their processes, for as long as a case may take.
            self.until = 0.0
            for process in list(self.live):
                process.end()
            for thread in threads:
                thread.join()
            raise
        if self.failure:
            raise DidNotStart(self.failure)

    def _work(self, number: int) -> None:
        process = None
        try:
            # A batch that another process does not end is put back, and that process' thread takes it up itself.
            while time.monotonic() < self.until and not self.failure and self.waiting != deque():
                if process is None:
                    process = self._started(number)
                    continue
                with self.lock:
                    batch = self.waiting.popleft() if self.waiting else []
                if batch and not self._batch(process, batch):
                    self._close(process)
                    process = None
        except OSError as error:
            self.failure = str(error)
        finally:
            if process is not None:
                self._close(process)

    def _close(self, process: _Process) -> None:
        self.live.discard(process)
        process.close()

    def _started(self, number: int) -> _Process | None:
        """A process that has collected."""
        process = _Process(
            self.command,
            self.arguments,
            self.scratch / f"worker-{number}.log",
            env=self.environment,
            cwd=self.folder,
        )
        self.live.add(process)
        broken: dict[str, str] = {}
        try:
            while True:
                until = min(time.monotonic() + START, self.until)
                line = process.line(until, float("inf"), f"took more than {START} s to collect")
                if "broken" in line:
                    broken[line["broken"]] = line["reason"]
                if "collected" in line:
                    break
        except _Ended as ended:
            self._close(process)
            with self.lock:
                self.unstarted += 1
                if self.unstarted >= STARTS and time.monotonic() < self.until:
                    self.failure = str(ended)
            return None
        with self.lock:
            self.unstarted = 0
            if self.waiting is None:
                self.all, self.versions, self.broken = line["collected"], line["versions"], broken
                cases = self.chosen(self.all)
                self.waiting = deque(cases[i : i + BATCH] for i in range(0, len(cases), BATCH))
        return process

    def _batch(self, process: _Process, batch: list[str]) -> bool:
        """Run a batch; whether the process is there for the next."""
        running, left = "", list(batch)
        try:
            process.run(batch)
            while True:
                until = min(time.monotonic() + self.limits.seconds, self.until)
                line = process.line(until, self.limits.memory, f"took more than {self.limits.seconds:g} s")
                if "begin" in line:
                    running, since = line["begin"], time.monotonic()
                elif "end" in line:
                    left.remove(line["end"])
                    running = ""
                    case = {"id": line["end"], "outcome": line["outcome"], "seconds": line["seconds"]}
                    if line["reason"]:
                        case["error"] = line["reason"]
                    if line["trace"]:
                        case["trace"] = line["trace"]
                    self._write(case)
                elif "done" in line:
                    # Kernels and compilers of cases before stay in memory: they are not the next one's.
                    return process.memory() < self.limits.memory / 2
        except _Ended as ended:
            if time.monotonic() >= self.until:
                return False
            if running:
                left.remove(running)
                seconds = round(time.monotonic() - since, 3)
                self._write({"id": running, "outcome": "failed", "seconds": seconds, "error": str(ended)})
            with self.lock:
                if left and self.waiting is not None:
                    self.waiting.appendleft(left)
            return False

    def _write(self, case: dict[str, Any]) -> None:
        with self.lock:
            self.write(case)
