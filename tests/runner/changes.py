"""What a change of the working tree concerns: crates and those that depend on them, and the test files about it."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .process import CORES, ROOT
from .python import FOLDER, files, parts_of

# Seconds of the processor for test files in Python, by the table of their times, for each core.
BUDGET = 18
# The test files for changes of native code that no test file is named after.
SMOKE = ("test_launch", "test_device", "test_faults")
# Words that test files have for words of paths.
ALSO = {
    "pykernel": {"numba"},
    "main": {"commands", "package"},
    "parallel": {"compute"},
    "softgpu": {"memory", "graphs"},
}
# Words of paths that say nothing about what a file is about.
PLAIN = {
    "cuox",
    "py",
    "src",
    "crates",
    "python",
    "tests",
    "lib",
    "mod",
    "init",
    "main",
    "internal",
    "rs",
    "cuda",
    "test",
}


def changed(base: str = "HEAD") -> list[Path]:
    """The files that differ from a commit, and those that git does not know yet; relative to the project."""
    commands = (["git", "diff", "--name-only", base, "--"], ["git", "ls-files", "--others", "--exclude-standard"])
    return sorted(
        {
            Path(name)
            for command in commands
            for name in subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
        }
    )


def packages(paths: Iterable[Path]) -> list[str]:
    """The crates of changed files and all that depend on them, those of the fewest dependencies first."""
    described = subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=ROOT, text=True)
    crates = json.loads(described)["packages"]
    names = {crate["name"] for crate in crates}
    needs = {crate["name"]: {need["name"] for need in crate["dependencies"]} & names for crate in crates}
    found: set[str] = set()
    for path in paths:
        match path.parts:
            case ["crates", name, *_] if path.suffix != ".md":
                found.add(name)
            case ["filetests" | "fuzz", *_]:
                found.add("cuox-filetests")
            case ["xtask", *_]:
                found.add("xtask")
            case ["Cargo.toml" | "Cargo.lock"]:
                found |= names
    while more := {name for name in names - found if needs[name] & found}:
        found |= more
    return sorted(found, key=lambda name: (len(needs[name]), name))


def test_files(paths: Sequence[Path], crates: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The test files in Python that changed files concern most, as many as fit into the budget, and the others."""
    scores: Counter[Path] = Counter()
    texts = {file: file.read_text() for file in files()}
    for path in paths:
        if path.parent == FOLDER.relative_to(ROOT) and ROOT / path in texts:
            scores[ROOT / path] += 1000
            continue
        if path.suffix == ".md":
            scores[FOLDER / "test_docs.py"] += 100
            continue
        if path.parts[0] not in ("python", "crates"):
            continue
        if path.parts[0] == "crates" and not ({"cuox-py", "cuox-libcuda", "cuox-cudart"} & set(crates)):
            continue
        words = {word for part in path.with_suffix("").parts for word in re.split(r"[_\-.]+", part)}
        named = words.union(*(ALSO.get(word, ()) for word in words)) - PLAIN
        last = set(re.split(r"[_\-.]+", path.stem)) - PLAIN
        for file, text in texts.items():
            title = set(file.stem.split("_"))
            score = 20 * len(named & title) + 20 * len(last & title)
            score += sum(min(len(re.findall(rf"\b_?{re.escape(word)}\b", text)), 5) for word in last)
            if score:
                scores[file] += score
        for name in SMOKE:
            scores[FOLDER / f"{name}.py"] += 30 if path.parts[0] == "crates" else 5
    parts = {name for path in paths for name in ("numba", "pycuda", "compute", "bindings") if name in path.as_posix()}
    if parts and all(path.parts[0] == "python" for path in paths):
        # A part of the package concerns no test file that does not mention it.
        scores = Counter({file: score for file, score in scores.items() if parts & parts_of(file)})
    times = durations()
    chosen: list[Path] = []
    spent = 0.0
    for file, score in scores.most_common():
        need = times.get(file.name, 1.0)
        if score >= 1000 or not chosen or spent + need <= BUDGET * CORES:
            chosen.append(file)
            spent += need
    return chosen, [file for file in scores if file not in chosen]


def durations() -> dict[str, float]:
    """Seconds of the processor that test files take, by the table that pytest orders them by."""
    table: dict[str, float] = {}
    written = FOLDER / "durations.txt"
    for line in written.read_text().splitlines() if written.is_file() else []:
        if match := re.match(r"\s*([\d.]+)\s+(test_\w+\.py)", line):
            table[match[2]] = float(match[1])
    return table
