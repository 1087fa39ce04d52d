"""`tools/torch_suites.py`: a case that crashes or hangs costs itself alone, and two runs are compared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools/torch_suites.py"
TESTS = """
import os, time, unittest
import pytest

@pytest.fixture(scope="module")
def one():
    return 1

@pytest.mark.parametrize("n", range(20))
def test_passes(n, one):
    assert one == 1

def test_faults():
    os.kill(os.getpid(), 11)

def test_exits():
    os._exit(3)

def test_hangs():
    time.sleep(1000)

def test_fills_memory():
    kept = b"x" * (600 << 20)
    time.sleep(1000)

def test_fails():
    raise ValueError("first\\nmiddle\\nlast")

@pytest.mark.xfail
def test_fails_as_expected():
    assert 0

@pytest.fixture
def ends_badly():
    yield
    raise KeyError("at the end")

def test_with_bad_end(ends_badly):
    pass

class Unit(unittest.TestCase):
    def test_part(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertEqual(i % 2, 0)

def test_last():
    pass
"""
EXPECTED = {
    "test_faults": ("failed", "ended the process: SIGSEGV"),
    "test_exits": ("failed", "ended the process: exit status 3"),
    "test_hangs": ("failed", "took more than 2 s"),
    "test_fills_memory": ("failed", "GiB of memory"),
    "test_fails": ("failed", "ValueError: first … last"),
    "test_fails_as_expected": ("skipped", "expected to fail"),
    "test_with_bad_end": ("failed", "KeyError: 'at the end'"),
    "Unit::test_part": ("failed", "AssertionError: 1 != 0"),
    "test_last": ("passed", ""),
    **{f"test_passes[{n}]": ("passed", "") for n in range(20)},
}


def tool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the tool."""
    return subprocess.run([sys.executable, TOOL, "triton", *arguments], capture_output=True, text=True, timeout=300)


def lines(path: Path) -> list[dict[str, str]]:
    """What it has written."""
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, subprocess.CompletedProcess[str]]:
    """A checkout, the results, and what the tool said."""
    checkout = tmp_path_factory.mktemp("suite")
    folder = checkout / "python/test"
    folder.mkdir(parents=True)
    (folder / "test_cases.py").write_text(TESTS)
    (folder / "test_broken.py").write_text("import there_is_no_such_module\n")
    out = checkout / "out.jsonl"
    limits = ("--case-seconds", "2", "--case-memory", "0.5", "--processes", "2")
    return checkout, out, tool(checkout, "test_cases.py", "test_broken.py", "--gpu", "--out", out, *limits)


def test_each_case_has_its_outcome(ran: tuple[Path, Path, subprocess.CompletedProcess[str]]) -> None:
    _, out, ended = ran
    found = {line["id"].partition("::")[2]: line for line in lines(out)}
    assert set(found) == set(EXPECTED), ended.stdout + ended.stderr
    for name, (outcome, error) in EXPECTED.items():
        assert found[name]["outcome"] == outcome, found[name]
        assert error in found[name].get("error", ""), found[name]
    assert "not collected: test_broken.py" in ended.stdout
    assert "21 passed, 7 failed, 1 skipped, 0 not run" in ended.stdout
    assert ended.returncode == 1


def test_parts_are_the_whole_and_are_resumed(ran: tuple[Path, Path, subprocess.CompletedProcess[str]]) -> None:
    checkout, _, _ = ran
    out = checkout / "parts.jsonl"
    for n in (1, 2):
        tool(checkout, "test_cases.py", "--gpu", "--out", out, "-k", "passes", "--select", f"{n}/2", "--resume")
    assert sorted(line["id"] for line in lines(out)) == sorted(f"test_cases.py::test_passes[{n}]" for n in range(20))
    again = tool(checkout, "test_cases.py", "--gpu", "--out", out, "-k", "passes", "--resume")
    assert "\n0 cases to run" in "\n" + again.stdout
    assert again.returncode == 0


def test_cases_without_time_are_not_run(ran: tuple[Path, Path, subprocess.CompletedProcess[str]]) -> None:
    checkout, _, _ = ran
    out = checkout / "short.jsonl"
    ended = tool(checkout, "test_cases.py", "--gpu", "--out", out, "-k", "hangs or last", "--seconds", "4")
    assert lines(out) == []
    assert "0 passed, 0 failed, 0 skipped, 2 not run" in ended.stdout


def test_runs_are_compared(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    for path, outcomes in ((ours, "ppfs"), (theirs, "pfpp")):
        names = {"p": "passed", "f": "failed", "s": "skipped"}
        rows = [{"id": f"t::test_{i}[0]", "outcome": names[one], "seconds": 1.0} for i, one in enumerate(outcomes)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ended = tool("--report", ours, "--compare", theirs)
    assert "passed there and not here: 2" in ended.stdout
    assert "of 3 that passed there 3 were run, and 1 (33.33 %) passed" in ended.stdout
    assert ended.returncode == 1
