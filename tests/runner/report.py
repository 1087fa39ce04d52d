"""Counts, times and failures of a run, and the summary at its end."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .process import START, say

SLOWEST = 10


@dataclass
class Report:
    """What a run has found so far."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    taken_over: int = 0
    failures: list[str] = field(default_factory=list)
    steps: list[tuple[str, float]] = field(default_factory=list)
    # For each kind of test, seconds and names.
    tests: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, passed: int, failed: int = 0, skipped: int = 0) -> None:
        """Count tests."""
        self.passed += passed
        self.failed += failed
        self.skipped += skipped

    def fail(self, what: str) -> None:
        """Count one failure that has a name."""
        self.failures.append(what)
        self.failed += 1

    def check(self, name: str, status: int) -> None:
        """Count a command that passes or fails as a whole as one test."""
        if status:
            self.fail(f"{name}: exit status {status}")
        else:
            self.passed += 1

    def skip(self, why: str) -> None:
        """Count something that cannot be tested here, and say so at the end."""
        say(f"skipped: {why}")
        self.notes.append(f"skipped: {why}")
        self.skipped += 1

    def take_over(self, name: str, counts: tuple[int, int]) -> None:
        """Count tests that passed before and whose inputs are as they were: `counts` are passed and skipped."""
        self.taken_over += sum(counts)
        self.add(counts[0], 0, counts[1])

    def time(self, kind: str, name: str, seconds: float) -> None:
        """Note how long a test took."""
        self.tests.setdefault(kind, []).append((seconds, name))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Announce a step of the run and time it."""
        say(name)
        began = time.monotonic()
        try:
            yield
        finally:
            self.steps.append((name, time.monotonic() - began))

    def finish(self) -> int:
        """Print the summary; return the exit status."""
        say("done")
        for kind, tests in self.tests.items():
            print(f"the slowest of {kind}:")
            for seconds, name in sorted(tests, reverse=True)[:SLOWEST]:
                print(f"  {seconds:6.1f} s  {name}")
        print("the steps:")
        for name, seconds in [*self.steps, ("all", time.monotonic() - START)]:
            print(f"  {_minutes(seconds)}  {name}")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"  {_minutes(spent.ru_utime + spent.ru_stime)}  of processors' time")
        for note in self.notes:
            print(note)
        if self.taken_over:
            print(f"{self.taken_over} of the tests passed before and are unchanged since, so they were not run again")
        for failure in self.failures:
            print("FAILED", failure)
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        return 1 if self.failed else 0


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60:3d}:{int(seconds) % 60:02d}"
