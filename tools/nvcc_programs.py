"""Builds programs of NVIDIA/cuda-samples and zjin-lcf/HeCBench with `cuox nvcc` and runs them on the software GPU.

    python tools/nvcc_programs.py list  --sources DIR
    python tools/nvcc_programs.py run   --sources DIR --work DIR [--only NAME…] [-j 2] [--nvcc COMMAND] [--results FILE]
    python tools/nvcc_programs.py table --sources DIR --results FILE
    python tools/nvcc_programs.py package --sources DIR --work DIR --out DIR

`--sources` holds a checkout of each repository: `cuda-samples/` and `HeCBench/`. 60 and 40 programs are picked by a
fixed seed (`program_sources.py`); `nvcc_programs.toml` has small inputs, expectations and time limits. Built programs
are kept in the work folder until their command lines or sources change. A program passes if it ends with the expected
status, prints what is expected, and prints nothing that says that it failed.
"""

from __future__ import annotations

import argparse
import bz2
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import program_sources
from program_sources import Program

TIME_LIMIT = 120
BUILD_LIMIT = 500
DATA = {
    ".bmp",
    ".csv",
    ".dat",
    ".in",
    ".mtx",
    ".nv12",
    ".pgm",
    ".ppm",
    ".raw",
    ".tsp",
    ".txt",
    ".bin",
    ".flo",
}
"""Names of files that programs read end so."""
FAILED = r"(?i)\bFAIL(ED|URE)?\b|CUDA error|\bmismatch\b|cuox:"
PASSED = r"(?i)\bPASS(ED)?\b|success|verified|test OK"


def copy(program: Program, work: Path, fresh: bool = False) -> Path:
    """A folder of the program's own with its sources, in which it is built and run, in a tree of links to its
    repository's files.
    """
    root = next(p for p in program.folder.parents if p.name == program.suite)
    folder = work / program.suite / program.folder.relative_to(root)
    mark = folder / ".own"
    if mark.exists() and not fresh:
        return folder
    shutil.rmtree(folder)
    shutil.copytree(program.folder, folder, symlinks=True, copy_function=shutil.copyfile)
    for name, old, new in program.options.get("replace", []):
        text = (folder / name).read_text(errors="surrogateescape")
        if old not in text:
            raise ValueError(f"{program.key}: {name} has no {old!r}")
        (folder / name).write_text(text.replace(old, new), errors="surrogateescape")
    if "unpack" in program.options:
        packed = folder / program.options["unpack"]
        packed.with_suffix("").write_bytes(bz2.decompress(packed.read_bytes()))
    mark.touch()
    return folder


def mirror(options: argparse.Namespace) -> None:
    """Trees of links to the files of the repositories, so that programs find what they take from folders beside theirs,
    and leave both alone.
    """
    for suite in program_sources.COUNTS:
        if not (options.work / suite).exists():
            partial = options.work / f"{suite}.new"
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(
                options.sources / suite,
                partial,
                symlinks=True,
                copy_function=os.link,
                ignore=shutil.ignore_patterns(".git"),
            )
            partial.rename(options.work / suite)


def _recipe(program: Program, options: argparse.Namespace) -> str:
    """All that a build depends on, as a hash."""
    digest = hashlib.sha256(
        json.dumps(
            [
                options.nvcc,
                program_sources.ARCHITECTURE,
                *(program.options.get(k) for k in ("replace", "flags", "make", "sources", "unpack")),
            ]
        ).encode()
    )
    for path in sorted(program.folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(program.folder)} {path.stat().st_size}\n".encode())
    return digest.hexdigest()


def build(program: Program, options: argparse.Namespace) -> tuple[Path, str | None]:
    """The program's folder, and what went wrong or None."""
    stamp = options.work / "stamps" / program.suite / program.name
    recipe = _recipe(program, options)
    if stamp.exists() and stamp.read_text().split("\n", 1)[0] == recipe:
        folder = copy(program, options.work)
        wrong = stamp.read_text().split("\n", 1)[1]
        if not wrong or options.keep_failed:
            return folder, wrong or None
    folder = copy(program, options.work, fresh=True)
    environment = {**os.environ, "PATH": f"{options.work / 'bin'}:{os.environ['PATH']}"}
    if program.suite == "HeCBench":
        target = program.options.get("make", "")
        steps = [["make", f"ARCH={program_sources.ARCHITECTURE}", *shlex.split(target)]]
    else:
        steps = program_sources.sample_steps(program, "../../../Common")
    wrong = ""
    for step in steps:
        try:
            done = subprocess.run(
                step,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=BUILD_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            wrong = f"not built within {BUILD_LIMIT} s"
            break
        if done.returncode:
            wrong = shlex.join(step) + "\n" + (done.stdout + done.stderr)[-3000:]
            break
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(recipe + "\n" + wrong)
    return folder, wrong or None


def executable(program: Program, folder: Path) -> Path:
    """The program's file."""
    if program.suite == "cuda-samples":
        return folder / "program"
    text = (folder / "Makefile").read_text(errors="replace")
    named = re.search(r"^(?:program|EXEC_NAME|EXE|TARGET)\s*[:?]?=\s*(\S+)", text, re.MULTILINE)
    for name in (program.options.get("program"), named and named[1], "main"):
        if name and (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"{program.key}: no program in its folder")


def judge(program: Program, status: int | None, output: str) -> str | None:
    """Why a run is not what is expected, or None."""
    if status is None:
        return "ran past its time limit"
    expected = program.options.get("status", 0)
    if status != expected:
        last = [line for line in output.strip().splitlines() if line.strip()][-1:] or [""]
        return f"ended with {status}: {last[0].strip()[:200]}"
    for pattern in (
        [program.options.get("expect", PASSED)]
        if isinstance(program.options.get("expect", PASSED), str)
        else program.options["expect"]
    ):
        if not re.search(pattern, output):
            return f"did not print {pattern!r}"
    bad = re.search(program.options.get("not", FAILED), output)
    if bad and program.options.get("not") != "":
        line = next(x for x in output.splitlines() if bad[0].splitlines()[0] in x)
        return f"printed {line.strip()[:200]!r}"
    return None


def run_one(program: Program, options: argparse.Namespace) -> dict[str, Any]:
    """Builds and runs a program; the result with its time and its output."""
    result: dict[str, Any] = {"program": program.key}
    try:
        folder, wrong = build(program, options)
        result["path"] = str(executable(program, folder).relative_to(options.work)) if wrong is None else None
    except (ValueError, FileNotFoundError) as error:
        wrong, folder = str(error), options.work
    if wrong is not None:
        return {**result, "verdict": "not built", "why": wrong}
    if options.build_only:
        return {**result, "verdict": "built", "why": None}
    environment = dict(
        os.environ,
        CUOX_DEVICE="soft",
        **{k: str(v) for k, v in program.options.get("env", {}).items()},
    )
    environment.setdefault("CUOX_SOFT_MEMORY", "4G")
    if options.libraries:
        environment["LD_LIBRARY_PATH"] = options.libraries
    limit = program.options.get("limit", TIME_LIMIT)
    started = time.monotonic()
    command = [
        os.path.join(".", os.path.relpath(options.work / result["path"], folder)),
        *program.arguments,
    ]
    output = options.work / "output" / program.suite / f"{program.name}.txt"
    output.parent.mkdir(parents=True, exist_ok=True)
    status: int | None
    with (
        output.open("wb") as file,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = None
    text = output.read_text(errors="replace")
    why = judge(program, status, text)
    return {
        **result,
        "verdict": "failed" if why else "passed",
        "why": why,
        "seconds": round(time.monotonic() - started, 1),
        "status": status,
    }


def wrap_nvcc(options: argparse.Namespace) -> None:
    """A folder with an `nvcc` that is the command under test, for Makefiles that call nvcc by its name."""
    folder = options.work / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    wrapper = folder / "nvcc"
    wrapper.write_text(f'#!/bin/sh\nexec {options.nvcc} "$@"\n')
    wrapper.chmod(0o755)


def list_programs(options: argparse.Namespace) -> int:
    """Prints all programs with why they are not eligible, and the picks."""
    for suite, found in program_sources.suites(options.sources).items():
        for name, (_, reason) in sorted(found.items()):
            print(f"{suite}/{name}: {reason or 'eligible'}")
    print("\npicked: " + " ".join(p.key for p in program_sources.pick(options.sources)))
    for suite, name, reason in program_sources.replaced(options.sources):
        print(f"picked and replaced: {suite}/{name}: {reason}")
    return 0


def run_programs(options: argparse.Namespace) -> int:
    """Builds and runs the picks; their results, one a line, and a summary."""
    options.work = options.work.resolve()
    options.sources = options.sources.resolve()
    wrap_nvcc(options)
    mirror(options)
    programs = [
        p
        for p in program_sources.pick(options.sources)
        if not options.only or p.name in options.only or p.suite in options.only
    ]
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda p: run_one(p, options), programs):
            results.append(result)
            print(
                f"{result['verdict']:9} {result.get('seconds', ''):>6} {result['program']}  {(result['why'] or '').splitlines()[-1:]}",
                flush=True,
            )
    for suite in program_sources.COUNTS:
        of_suite = [r for r in results if r["program"].startswith(suite + "/")]
        print(f"{suite}: {sum(r['verdict'] in ('passed', 'built') for r in of_suite)} of {len(of_suite)}")
    if options.results:
        kept = {r["program"]: r for r in json.loads(options.results.read_text())} if options.results.exists() else {}
        kept.update({r["program"]: r for r in results})
        options.results.write_text(json.dumps([kept[k] for k in sorted(kept)], indent=1))
    return 0 if all(r["verdict"] in ("passed", "built") for r in results) else 1


def print_table(options: argparse.Namespace) -> int:
    """Prints the table for docs/compatibility.md."""
    results = {r["program"]: r for r in json.loads(options.results.read_text())}
    for suite in program_sources.COUNTS:
        print(f"\n| {suite} | arguments and sizes | result |\n|---|---|---|")
        for program in program_sources.pick(options.sources):
            if program.suite != suite:
                continue
            result = results[program.key]
            given = " ".join(program.arguments)
            sizes = "; ".join(
                ([f"`{given}`"] if given else []) + ([program.options["sizes"]] if "sizes" in program.options else [])
            )
            verdict = (
                "passed"
                if result["verdict"] == "passed"
                else program.options.get("reason") or f"{result['verdict']}: {result['why'].splitlines()[-1]}"
            )
            print(f"| {program.name} | {sizes} | {verdict} |")
    return 0


def package(options: argparse.Namespace) -> int:
    """Copies the built programs, with what they read, to a folder for `program_differences.py`, which goes along."""
    options.work = options.work.resolve()
    shutil.rmtree(options.out, ignore_errors=True)
    listed = []
    for program in program_sources.pick(options.sources.resolve()):
        folder = copy(program, options.work)
        try:
            built = executable(program, folder)
        except FileNotFoundError as error:
            print(error, file=sys.stderr)
            continue
        target = options.out / folder.relative_to(options.work)
        made = [
            p
            for p in folder.rglob("*")
            if p.suffix in (".fatbin", ".ptx") or p.name == program.options.get("unpack", "").removesuffix(".bz2")
        ]
        read = [
            p
            for p in program.folder.rglob("*")
            if p.is_file() and p.suffix.lower() in DATA and "doc" not in p.relative_to(program.folder).parts
        ]
        for source in [*made, *(folder / p.relative_to(program.folder) for p in read)]:
            destination = target / source.relative_to(folder)
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, destination)
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run(["strip", "-o", target / built.name, built], check=True)
        expectations = {
            "expect": program.options.get("expect", PASSED),
            "not": program.options.get("not", FAILED),
            "status": program.options.get("status", 0),
            "speed": program.options.get("speed"),
        }
        listed.append(
            {
                "program": program.key,
                "folder": str(folder.relative_to(options.work)),
                "file": built.name,
                "arguments": program.arguments,
                "limit": 60,
                **expectations,
            }
        )
    (options.out / "programs.json").write_text(json.dumps(listed, indent=1))
    shutil.copyfile(
        Path(__file__).with_name("program_differences.py"),
        options.out / "program_differences.py",
    )
    size = sum(p.stat().st_size for p in options.out.rglob("*") if p.is_file())
    print(f"{len(listed)} programs, {size / 1e6:.1f} MB")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["list", "run", "table", "package"])
    parser.add_argument(
        "--sources",
        type=Path,
        required=True,
        help="the folder with cuda-samples/ and HeCBench/",
    )
    parser.add_argument("--work", type=Path, default=Path("build/nvcc_programs"))
    parser.add_argument("--results", type=Path, help="a file for the results of `run`, for `table`")
    parser.add_argument("--out", type=Path, help="the folder that `package` makes")
    parser.add_argument("--only", nargs="*", default=[], help="names of programs or suites")
    parser.add_argument("-j", dest="jobs", type=int, default=2)
    parser.add_argument(
        "--nvcc",
        default=f"{shlex.quote(sys.executable)} -m cuox nvcc",
        help="the command that is called as nvcc",
    )
    parser.add_argument("--libraries", help="LD_LIBRARY_PATH of the programs")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--keep-failed", action="store_true", help="do not try again what was not built")
    options = parser.parse_args()
    return {
        "list": list_programs,
        "run": run_programs,
        "table": print_table,
        "package": package,
    }[options.action](options)


if __name__ == "__main__":
    sys.exit(main())
