"""A process that runs the cases of pytest's that it is told to: the other end of `case_processes.py`.

    python case_worker.py COMMANDS RESULTS PYTEST-ARGUMENTS…

It collects once, and writes what there is to the file descriptor RESULTS. Each line of COMMANDS is a list of cases; for
each it writes when it begins and how it ended. A line is an object of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from importlib import metadata
from typing import IO, Any

sys.path.pop(0)  # modules beside this file are not the tests'

if os.environ.get("CASE_WORKER_IMPORTS"):
    for name in os.environ["CASE_WORKER_IMPORTS"].split():
        __import__(name)

import pytest

TRACE = 4000  # characters of a failure that are kept


def told(text: str) -> str:
    """The first and the last line of an error; of a report of pytest's, of those that it marks."""
    marked = [line[1:] for line in text.splitlines() if line.startswith("E ")]
    lines = [line.strip() for line in marked or text.splitlines() if line.strip()] or [""]
    return lines[0][:300] if len(lines) == 1 else f"{lines[0][:300]} … {lines[-1][:300]}"


class Worker:
    """The plugin whose loop takes the place of pytest's."""

    def __init__(self, commands: IO[str], results: IO[str]) -> None:
        self.commands, self.results = commands, results
        self.outcome, self.reason, self.trace, self.seconds = "passed", "", "", 0.0

    def send(self, **line: Any) -> None:
        self.results.write(json.dumps(line) + "\n")
        self.results.flush()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.send(broken=report.nodeid, reason=told(str(report.longrepr)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds += report.duration
        if report.failed:
            # That of a part (`with self.subTest(…)`) comes before the whole's, which may pass.
            crash = getattr(report.longrepr, "reprcrash", None)
            text = getattr(crash, "message", None) or str(report.longrepr)
            self.outcome, self.reason, self.trace = "failed", told(text), report.longreprtext[-TRACE:]
        elif report.skipped and self.outcome == "passed":
            self.outcome = "skipped"
            place = report.longrepr
            self.reason = told(str(place[-1] if isinstance(place, tuple) else place))
            if hasattr(report, "wasxfail"):
                self.reason = f"expected to fail: {report.wasxfail}".removesuffix(": ")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        report = yield
        # What unittest marks as expected to fail, and passes, is told as a failure without an exception.
        if report.failed and str(report.longrepr).startswith("Unexpected success"):
            report.outcome, report.longrepr = "passed", None
        return report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        versions = {}
        for package in ("torch", "triton", "cuox"):
            try:
                versions[package] = metadata.version(package)
            except metadata.PackageNotFoundError:
                pass
        self.send(collected=list(items), versions=versions)
        for line in self.commands:
            names = json.loads(line)
            batch = [items[name] for name in names]
            for item, following in zip(batch, [*batch[1:], None], strict=True):
                self.send(begin=item.nodeid)
                self.outcome, self.reason, self.trace, self.seconds = "passed", "", "", 0.0
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                lost = device_lost()
                self.send(
                    end=item.nodeid,
                    outcome=self.outcome,
                    seconds=round(self.seconds, 3),
                    reason=self.reason,
                    trace=self.trace,
                )
                if lost:
                    os._exit(0)  # nothing runs in this process any more: the next cases get another
            self.send(done=True)
        return True


def device_lost() -> str:
    """The error that a case has left behind on the device, if there is one: one that has passed may have meant it."""
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.synchronize()
    except Exception as error:
        return str(error) or type(error).__name__
    return ""


def main() -> None:
    commands, results = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(commands, False)
    os.set_inheritable(results, False)
    with open(commands) as reading, open(results, "w") as writing:
        status = pytest.main([*sys.argv[3:], "-p", "no:terminal"], plugins=[Worker(reading, writing)])
        writing.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
