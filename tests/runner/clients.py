"""Other people's packages on the software GPU (`tests/clients`), in an environment of their own."""

from __future__ import annotations

import re
import subprocess

from .process import PYTHON, ROOT, start, stream
from .report import Report

PROGRAM = ROOT / "tests" / "clients" / "run.py"
TOTALS = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$")


def download(all_of_them: bool) -> subprocess.Popen[str]:
    """Begin to install the packages, beside all else."""
    command = ["nice", PYTHON, PROGRAM, *options(all_of_them), "--install"]
    return start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def options(all_of_them: bool) -> list[str]:
    """The option that takes all programs instead of one for each package."""
    return ["--all"] if all_of_them else []


def tests(report: Report, downloads: subprocess.Popen[str], all_of_them: bool) -> None:
    """Run the programs and count each as a test."""
    with report.step("other people's packages"):
        print(downloads.communicate()[0].strip(), flush=True)
        status, lines = stream([PYTHON, PROGRAM, *options(all_of_them)])
        match = TOTALS.match(lines[-1]) if lines else None
        if match:
            report.add(*map(int, match.groups()))
        report.failures += [f"clients: {line}" for line in lines if ": failed in " in line]
        report.notes += [f"clients: {line}" for line in lines if ": skipped, since " in line]
        if status and not (match and int(match[2])):
            report.fail(f"{PROGRAM.relative_to(ROOT)}: exit status {status}")
