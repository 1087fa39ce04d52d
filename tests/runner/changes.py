"""What a change of the working tree concerns: crates and those that depend on them, and the test files about it."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .process import CORES, ROOT
from .python import FOLDER, files, part, parts_of, reads_the_project, with_helpers

sys.path.append(str(FOLDER))

from durations import durations

# Seconds of the processor for test files in Python, by the table of their times, for each core.
BUDGET = 12
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


# Files that all test files depend on.
OF_ALL = ("pyproject.toml", "bind/pyproject.toml", "tests/python/conftest.py")
# The crates of the wheels' libraries.
IN_THE_WHEEL = {
    "cuox-py",
    "cuox-bind-py",
    "cuox-libcuda",
    "cuox-cudart",
    "cuox-llvm",
    "cuox-nvjitlink",
    "cuox-nvml",
    "cuox-nvrtc",
}
# Crates whose tests open the software GPU's library: no dependency tells of it.
WITH_A_DRIVER = {"cuox", "cuox-parallel"}


def changed(base: str = "HEAD") -> list[Path]:
    """The files that differ from a commit, and those that git does not know yet; relative to the project."""
    # With --no-renames the old name of a file counts, too.
    commands = (
        ["git", "diff", "-z", "--name-only", "--no-renames", base, "--"],
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
    )
    names = {name for command in commands for name in subprocess.check_output(command, cwd=ROOT).split(b"\0")}
    return sorted(Path(os.fsdecode(name)) for name in names if name)


@functools.cache
def dependencies() -> dict[str, set[str]]:
    """For each crate of the workspace those that it is built of."""
    described = subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=ROOT, text=True)
    crates = json.loads(described)["packages"]
    names = {crate["name"] for crate in crates}
    return {crate["name"]: {need["name"] for need in crate["dependencies"]} & names for crate in crates}


def packages(paths: Iterable[Path]) -> list[str]:
    """The crates of changed files and all that depend on them, those of the fewest dependencies first."""
    needs = dependencies()
    found: set[str] = set()
    for path in paths:
        match path.parts:
            case ["crates", name, *_] if path.suffix != ".md":
                found.add(name)
            case ["filetests", "ir", *_]:
                found.add("cuox-simt")
            case ["filetests" | "fuzz", *_]:
                found.add("cuox-filetests")
            case ["xtask", *_]:
                found.add("xtask")
            case ["Cargo.toml" | "Cargo.lock"]:
                found |= needs.keys()
    found &= needs.keys()  # a crate may be there no more
    while more := {name for name in needs.keys() - found if needs[name] & found}:
        found |= more
    if "cuox-libcuda" in found:
        found |= WITH_A_DRIVER
    return sorted(found, key=lambda name: (len(needs[name]), name))


def test_files(paths: Sequence[Path]) -> tuple[list[Path], list[Path], list[Path]]:
    """The test files in Python that changed files concern most, as many as fit into the budget; the others; and the
    changed files that no test, of cargo's either, is known for but those of the pages.
    """
    scores: Counter[Path] = Counter()
    unknown = []
    for path in paths:
        own = scores_of(path)
        if not own and not packages([path]):
            unknown.append(path)
        scores.update(own)
        if path.parts[0] != "crates":
            scores[FOLDER / "test_docs.py"] += 100 if path.suffix == ".md" else 1
    times = durations()
    chosen: list[Path] = []
    spent = 0.0
    for file, score in scores.most_common():
        need = times.get(file.name, 1.0)
        if score >= 1000 or not chosen or spent + need <= BUDGET * CORES:
            chosen.append(file)
            spent += need
    return chosen, [file for file in scores if file not in chosen], unknown


def scores_of(path: Path) -> Counter[Path]:
    """How much each test file in Python has to do with a changed file."""
    scores: Counter[Path] = Counter()
    # All of cuox's packages are about some words of their paths; other files are named by the tests that read them.
    match path.parts:
        case _ if path.suffix == ".md":
            scores[FOLDER / "test_docs.py"] += 100
        case _ if path.as_posix() in OF_ALL:
            scores.update(dict.fromkeys(files(), 1))
            scores.update({FOLDER / f"{name}.py": 10 for name in SMOKE})
        case ["python", "cuox", *_]:
            mine = part(path.relative_to("python/cuox"))
            # A part of the package concerns no test file that does not mention it.
            concerned = [file for file in files() if mine is None or mine in parts_of(file)]
            scores.update(by_words(path, concerned))
            scores.update({FOLDER / f"{name}.py": 5 for name in SMOKE if FOLDER / f"{name}.py" in concerned})
        case ["python", *_] | ["bind", "python", *_]:
            scores.update(by_words(path, files()))
        case ["Cargo.toml" | "Cargo.lock"]:
            scores.update({FOLDER / f"{name}.py": 30 for name in SMOKE})
        case ["crates", *_]:
            if IN_THE_WHEEL & set(packages([path])):
                scores.update(by_words(path, files()))
                scores.update({FOLDER / f"{name}.py": 30 for name in SMOKE})
        case _:
            for file in files():
                if ROOT / path in with_helpers(file):
                    scores[file] += 1000 if ROOT / path == file else 100
                elif path.parent.parts:
                    text = "\n".join(
                        helper.read_text() for helper in with_helpers(file) if helper.name != "conftest.py"
                    )
                    # A short name without its ending is a word as well.
                    names = {path.name, path.stem if len(path.stem) > 4 else path.name}
                    scores[file] += 20 * any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
                    if FOLDER in (ROOT / path).parents or reads_the_project(file):
                        scores[file] += 10 * (f'"{path.parent.name}"' in text)
    return +scores


def by_words(path: Path, concerned: Iterable[Path]) -> Counter[Path]:
    """How many words the path of a source has in common with test files."""
    scores: Counter[Path] = Counter()
    words = {word for folder in path.with_suffix("").parts for word in re.split(r"[_\-.]+", folder)}
    named = words.union(*(ALSO.get(word, ()) for word in words)) - PLAIN
    last = set(re.split(r"[_\-.]+", path.stem)) - PLAIN
    for file in concerned:
        title, text = set(file.stem.split("_")), file.read_text()
        scores[file] += 20 * len(named & title) + 20 * len(last & title)
        scores[file] += sum(min(len(re.findall(rf"\b_?{re.escape(word)}\b", text)), 5) for word in last)
    return +scores
