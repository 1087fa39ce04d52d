"""Compares what nvcc compiles with what `cuox.Program` compiles, over the CUDA C++ of a Git repository.

    python tools/nvcc_sources.py REPOSITORY.git --nvcc NVCC [--include DIR] [--match TEXT] [--every N] [--work DIR]
    python tools/nvcc_sources.py REPOSITORY.git --nvcc NVCC --pycuda examples/

Each source is cut down to its device code (`device_cut.py`), as far as nvcc compiles it. What nvcc makes PTX of is
given to cuox, and the share that it compiles too is printed, with the first error of each of the rest. With `--pycuda`
the sources are the strings that Python files in a folder give to `SourceModule` and `ElementwiseKernel`. What nvcc said
is kept in the work folder, so that a second run asks cuox only.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pycuda_sources
from device_cut import Cut, Piece

ROUNDS = 7
# Most compilations that look for host code to be left out.
ATTEMPTS = 12
STD = "c++17"


class Repository:
    """The files of a Git directory without a work tree."""

    def __init__(self, directory: str) -> None:
        self.git = ["git", "--git-dir", directory]
        listed = subprocess.run(
            [*self.git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True
        ).stdout
        self.names = listed.split("\n")
        self.known = set(self.names)
        self.texts: dict[str, str] = {}

    def read(self, path: str) -> str | None:
        """The text of a file, or None."""
        if path not in self.known:
            return None
        if path not in self.texts:
            done = subprocess.run([*self.git, "show", f"HEAD:{path}"], capture_output=True, check=False)
            self.texts[path] = done.stdout.decode(errors="replace").replace("\r\n", "\n")
        return self.texts[path]

    def flags(self, folder: str) -> tuple[list[str], list[str]]:
        """Folders and macros that a Makefile beside a source names."""
        text = self.read(posixpath.join(folder, "Makefile")) or ""
        folders = [posixpath.normpath(posixpath.join(folder, f)) for f in re.findall(r"-I\s*(\.[\w./-]*)", text)]
        return folders, [m for m in re.findall(r"-D\s*(\w+(?:=[\w.]+)?)(?=\s)", text) if not m.startswith("_")]


def nvcc_errors(source: Path, folders: list[Path], macros: list[str], options: argparse.Namespace) -> str:
    """nvcc's errors for a source; empty if it compiles."""
    command = [options.nvcc, "-ptx", f"-arch={options.arch}", f"-std={STD}", "-w", "-o", "/dev/null"]
    command += [f"-I{f}" for f in folders] + [f"-D{m}" for m in macros] + [str(source)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    except subprocess.TimeoutExpired:
        return "nvcc takes longer than 90 s"
    return (done.stderr + done.stdout or "nvcc fails") if done.returncode else ""


def prepare(name: str, place: Path, repository: Repository, options: argparse.Namespace) -> dict[str, object]:
    """Cuts a source, and says whether nvcc compiles it."""
    own = posixpath.dirname(name)
    folders, macros = repository.flags(own)
    folders = [own, *folders, *options.include]
    cut = Cut(name, repository.read, folders)
    if not cut.has_kernels():
        return {"nvcc": "no kernels"}
    entry: dict[str, object] = {
        "file": str(place / name),
        "folders": [str(place / f) for f in folders],
        "macros": macros,
    }

    def local(path: str) -> str:
        path = posixpath.normpath(posixpath.join(str(place), path))
        return path.removeprefix(str(place) + "/")

    def settle() -> str:
        errors = ""
        for _ in range(ROUNDS):
            for path in cut.files:
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_text(cut.text(path))
            errors = nvcc_errors(place / name, [place / f for f in folders], macros, options)
            if not errors or not cut.mend(errors, local):
                break
        return errors

    errors = settle()
    if errors:
        return {**entry, "nvcc": errors[:2000]}
    attempts = iter(range(ATTEMPTS))

    def leave_out(pieces: list[Piece]) -> None:
        """Leaves out as many of the pieces, with what depends on them, as nvcc can do without."""
        if not pieces or next(attempts, None) is None:
            return
        state = cut.state()
        for piece in pieces:
            piece.kept, piece.pinned = False, True
        if settle():
            cut.restore(state)
            if len(pieces) > 1:
                leave_out(pieces[: len(pieces) // 2])
                leave_out(pieces[len(pieces) // 2 :])

    leave_out(cut.host_pieces())
    state = cut.state()
    if cut.trim() and settle():
        cut.restore(state)
    # The last attempt's files are replaced by the ones that compiled.
    return {**entry, "nvcc": settle()[:2000]}


def prepare_text(text: str, place: Path, repository: Repository, options: argparse.Namespace) -> dict[str, object]:
    """Writes a source of PyCUDA, and says whether nvcc compiles it."""
    place.mkdir(parents=True, exist_ok=True)
    folders = []
    for folder in options.include:
        for path in (
            n for n in repository.names if n.startswith(folder.rstrip("/") + "/") and n.endswith(("hpp", "h"))
        ):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(repository.read(path) or "")
        folders.append(place / folder)
    source = place / "source.cu"
    source.write_text(text)
    entry: dict[str, object] = {"file": str(source), "folders": [str(f) for f in folders], "macros": []}
    return {**entry, "nvcc": nvcc_errors(source, folders, [], options)[:2000]}


def cuox_error(entry: dict[str, object], arch: str) -> str:
    """The first thing that cuox says to a source, or nothing if it compiles."""
    import cuox

    path = Path(str(entry["file"]))
    given = {
        "name": str(path),
        "arch": arch,
        "std": STD,
        "include_path": entry["folders"],
        "define_macro": entry["macros"],
        "no_cache": True,
    }
    if not entry["macros"]:
        del given["define_macro"]
    try:
        cuox.Program(path.read_text(), options=given).compile("ptx")
    except Exception as error:
        lines = [line for line in str(error).splitlines() if "error:" in line]
        return "\n    ".join(lines[:3]) or str(error)[:300]
    return ""


def main() -> int:
    """Compile all sources with both, print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--include", action="append", default=[], help="a folder of the repository with headers")
    parser.add_argument("--match", default="", help="a part of the path of the sources")
    parser.add_argument("--every", type=int, default=1, help="take the sources of every N-th folder")
    parser.add_argument("--first", type=int, default=0, help="begin with this folder")
    parser.add_argument("--pycuda", help="a folder of Python files that use PyCUDA")
    parser.add_argument("--arch", default="compute_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", help="a folder for the cut sources, and for what nvcc said of them")
    options = parser.parse_args()
    repository = Repository(options.repository)
    work = Path(options.work or tempfile.mkdtemp()).resolve()
    work.mkdir(parents=True, exist_ok=True)
    known = work / "nvcc.json"
    entries: dict[str, dict[str, object]] = json.loads(known.read_text()) if known.is_file() else {}
    if options.pycuda:
        python = [n for n in repository.names if n.startswith(options.pycuda) and n.endswith(".py")]
        texts = {k: t for n in python for k, t in pycuda_sources.sources(n, repository.read(n) or "").items()}
        names = list(texts)
    else:
        names = [n for n in repository.names if n.endswith(".cu") and options.match in n]
        folders = sorted({posixpath.dirname(n) for n in names})[options.first :: options.every]
        names = [n for n in names if posixpath.dirname(n) in set(folders)]

    def ask(name: str) -> None:
        if name in entries:
            return
        place = work / re.sub(r"\W", "_", name)
        try:
            entries[name] = (
                prepare_text(texts[name], place, repository, options)
                if options.pycuda
                else prepare(name, place, repository, options)
            )
        except RecursionError as error:
            entries[name] = {"nvcc": str(error)}

    with ThreadPoolExecutor(options.jobs) as pool:
        for number, _ in enumerate(pool.map(ask, names)):
            if number % 10 == 9 or number == len(names) - 1:
                known.write_text(json.dumps(dict(entries), indent=1))
    compiled = {n: entries[n] for n in names if not entries[n]["nvcc"]}
    print(f"{len(names)} sources, {len(compiled)} with kernels that nvcc compiles")
    failed = {}
    for name, entry in compiled.items():
        if error := cuox_error(entry, options.arch):
            failed[name] = error
            print(name, error.replace(str(work) + "/", ""), sep="\n    ", flush=True)
    (work / "cuox.json").write_text(json.dumps(failed, indent=1))
    good = len(compiled) - len(failed)
    print(f"cuox compiles {good} of {len(compiled)} ({100 * good / max(len(compiled), 1):.1f} %)")
    reasons = Counter(
        (re.findall(r"error: (.{0,60})", str(entries[n]["nvcc"])) or [str(entries[n]["nvcc"])[:60]])[0]
        for n in names
        if n not in compiled
    )
    print("nvcc refuses:", *(f"{count:5} {reason}" for reason, count in reasons.most_common(15)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
