"""`tools/torch_suites.py`: a case that crashes or hangs costs itself alone, and two runs are compared."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
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
    "test_hangs": ("failed", "took more than 10 s"),
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
    limits = ("--case-seconds", "10", "--case-memory", "0.25", "--processes", "2")
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


def test_wrong_arguments_are_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "python/test").mkdir(parents=True)
    out, missing, other = tmp_path / "out.jsonl", tmp_path / "missing", tmp_path / "other.jsonl"
    out.write_text("kept\n")
    other.write_text("[1]\n")
    for words, wrong in {
        "no such folder": ((missing, "--out", out), (tmp_path, "--out", missing / "out.jsonl")),
        "no such file": tuple((tmp_path, "--out", out, option, missing) for option in ("--only", "--compare")),
        "--out: a folder": ((tmp_path, "--out", tmp_path),),
        "above 0": tuple(
            (tmp_path, "--out", out, option, "0") for option in ("--processes", "--case-seconds", "--case-memory")
        ),
        "no results of cases: [1]": (("--report", other),),
    }.items():
        for arguments in wrong:
            ended = tool(*arguments)
            assert ended.returncode in (1, 2) and words in ended.stderr, ended.stderr
            assert "Traceback" not in ended.stderr
    assert out.read_text() == "kept\n"


def test_an_interrupt_leaves_no_process(tmp_path: Path) -> None:
    folder = tmp_path / "python/test"
    folder.mkdir(parents=True)
    program = "import os, time\ndef test_hangs():\n    print(os.getpid(), file=open('began', 'w'), flush=True)\n    time.sleep(1000)\n"
    (folder / "test_hangs.py").write_text(program)
    out, began = tmp_path / "out.jsonl", folder / "began"
    command = [sys.executable, TOOL, "triton", tmp_path, "test_hangs.py", "--gpu", "--out", out]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        until = time.monotonic() + 60
        while not (began.exists() and began.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert (run.returncode, lines(out)) == (130, []), said
    assert "--resume" in said and "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(began.read_text()), 0)
