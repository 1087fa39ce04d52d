"""Projects of other people's, built unchanged as docs/nvcc.md says, and programs of theirs on the software GPU:

    python tests/clients/builds.py [--git NAME=ADDRESS]... [NAME...]

The interpreter has cuox, CMake, Ninja, and of `cuda-toolkit` nvcc, nvvm, cuxxfilt, nvfatbin, nvptxcompiler and nvtx.
Two CMake projects come from GitHub, or from the git directory or address that `--git` names, at the commit below;
pyvkfft (setuptools) comes from PyPI as its sources. Each is configured and compiled in the environment of `cuox env`,
in a folder below `target/builds`, which is made anew. The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "target" / "builds"
LIMIT = 1800  # seconds for a command
TAIL = 40  # lines of a failed command that are shown
# In a shell, as people do.
IN_ENVIRONMENT = 'eval "$("$0" -m cuox env)" && exec "$@"'


class Failed(Exception):
    """A command that failed, with what it printed."""


@dataclass(frozen=True)
class Source:
    """A commit of a git repository, and of it the files that are needed."""

    address: str
    commit: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Build:
    """A folder with a CMakeLists.txt, options of CMake, and what is run of the programs that it makes.

    programs: paths in the build folder, and a pattern that the output has when they have compared their results.
    all_in: a folder of the build folder, all of whose programs are run. failing: those of them that are known to fail,
    for reasons that docs/compatibility.md has. shims: the compilers that are stood in for (`cuox run --shims`).
    """

    folder: str
    options: tuple[str, ...] = ()
    programs: tuple[tuple[str, str], ...] = ()
    all_in: str = ""
    failing: tuple[str, ...] = ()
    shims: tuple[str, ...] = ()


WRAPPERS_FAILING = (
    "event_management",
    "jacobiCudaGraphs",
    "jitify",
    "module_management",
    "simpleCudaGraphs",
    "simpleTextureDrv",
    "stream_management",
    "vectorAddMapped",
    "vectorAdd_ptx",
)
SAMPLES = {
    "0_Introduction/vectorAdd": r"Test PASSED",
    "0_Introduction/simpleCooperativeGroups": r"threadBlockGroup is 2016 \(expected 2016\)",
    "0_Introduction/simpleVoteIntrinsics": r"(\sOK\s[\s\S]*){3}",
    "3_CUDA_Features/simpleCudaGraphs": r"(final reduced sum = 0\.996214\s[\s\S]*){4}",
}
PROJECTS = {
    "cuda-samples": (
        Source(
            "https://github.com/NVIDIA/cuda-samples",
            "c94ff366aed18c797b8a85dfaac7817b0228b420",
            ("Common", "cmake", *(f"Samples/{name}" for name in SAMPLES)),
        ),
        [Build(f"Samples/{name}", programs=((name.rpartition("/")[2], pattern),)) for name, pattern in SAMPLES.items()],
    ),
    "cuda-api-wrappers": (
        Source("https://github.com/eyalroz/cuda-api-wrappers", "c2f2a2b20a2887e1e39becfd5eb6cb1ea8af0dab"),
        [
            Build(
                ".",
                options=("-DCAW_BUILD_EXAMPLES=ON",),
                all_in="examples/bin",
                failing=WRAPPERS_FAILING,
                shims=("nvrtc",),
            )
        ],
    ),
}


def run(command: Sequence[str | Path], folder: Path, *, seconds: float = LIMIT, **variables: str) -> str:
    """What a command prints, with the interpreter's programs in front; `Failed` if it does not end with 0."""
    words = [str(word) for word in command]
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "CUOX_DEVICE": "soft", "PATH": path, **variables}
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{' '.join(words)}: not done after {seconds:.0f} seconds") from error
    if done.returncode:
        raise Failed(f"{' '.join(words)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def with_toolkit(command: Sequence[str | Path], folder: Path, **variables: str) -> str:
    """`run` after `eval "$(cuox env)"`."""
    return run(["sh", "-c", IN_ENVIRONMENT, sys.executable, *command], folder, **variables)


def checkout(name: str, source: Source, address: str | None) -> Path:
    """The files of a project, just as its commit has them."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    git = Path(address or "")
    if address is None or not git.is_dir():
        git = WORK / f"{name}.git"
        shutil.rmtree(git, ignore_errors=True)
        run(["git", "clone", "--quiet", "--bare", "--filter=blob:none", address or source.address, git], WORK)
    archive = WORK / f"{name}.tar"
    run(["git", "-C", git, "archive", "-o", archive, source.commit, *source.paths], WORK)
    run(["tar", "-xf", archive, "-C", folder], WORK)
    archive.unlink()
    return folder


def cmake(name: str, address: str | None) -> str:
    """Build a CMake project and run programs of it; a line about it."""
    source, builds = PROJECTS[name]
    folder = checkout(name, source, address)
    passed, failed, version = [], [], ""
    for build in builds:
        here = folder / build.folder
        said = with_toolkit(["cmake", "-G", "Ninja", "-B", "build", *build.options], here)
        version = (re.findall(r"CUDA compiler identification is (.+)", said) or [version])[0]
        with_toolkit(["cmake", "--build", "build"], here)
        wanted = {here / "build" / path: pattern for path, pattern in build.programs}
        if build.all_in:
            inside = sorted((here / "build" / build.all_in).iterdir())
            wanted |= {path: "" for path in inside if path.is_file() and os.access(path, os.X_OK)}
        shims = ["--shims", ",".join(build.shims)] if build.shims else []
        for path, pattern in wanted.items():
            try:
                said = run([sys.executable, "-m", "cuox", "run", *shims, "--", path], path.parent, seconds=180)
            except Failed:
                if path.name not in build.failing:
                    raise
                failed.append(path.name)
                continue
            if not re.search(pattern, said):
                raise Failed(f"{path}: no {pattern!r} in\n{said}")
            passed.append(path.name)
    known = f"; known to fail: {', '.join(failed)}" if failed else ""
    return f"{version}; {len(passed)} programs ran: {', '.join(passed)}{known}"


def pyvkfft(_: str, address: str | None) -> str:
    """Build pyvkfft of its sources and run transforms, with the names of PyCUDA taken from cuox; a line about it."""
    if address is not None:
        raise Failed("pyvkfft comes from PyPI, not from a git repository")
    folder = WORK / "pyvkfft"
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    # pip would keep what it has built, and not build it again.
    pip = [python, "-m", "pip", "install", "--quiet", "--no-cache-dir"]
    command = [*pip, "--no-binary", "pyvkfft", "pyvkfft==2025.1.1"]
    with_toolkit(command, folder, VKFFT_BACKEND="cuda")
    # cuox and NVRTC from the interpreter, behind all that pyvkfft brought along.
    packages = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
    Path(packages, "zz-cuox.pth").write_text(sysconfig.get_path("purelib") + "\n")
    # It asks NVRTC for machine code.
    program = [python, "-m", "cuox.pycuda", HERE / "pyvkfft_transforms.py"]
    said = run([python, "-m", "cuox", "run", "--shims", "nvrtc", "--", *program], folder)
    return said.strip().rpartition("\n")[2]


ALL: dict[str, Callable[[str, str | None], str]] = {**dict.fromkeys(PROJECTS, cmake), "pyvkfft": pyvkfft}


def main(arguments: Sequence[str]) -> int:
    """Build the projects; 0 if all could be built and their programs ran."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--git", action="append", default=[], metavar="NAME=ADDRESS", help="another place of a project")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    asked = parser.parse_args(arguments)
    places = dict(item.partition("=")[::2] for item in asked.git)
    if unknown := {*asked.names, *places} - set(ALL):
        parser.error(f"no project {', '.join(sorted(unknown))}; available: {', '.join(ALL)}")
    WORK.mkdir(parents=True, exist_ok=True)
    failed = 0
    chosen = [name for name in ALL if not asked.names or name in asked.names]
    for name in chosen:
        began = time.monotonic()
        try:
            outcome = f"passed: {ALL[name](name, places.get(name))}"
        except Failed as error:
            first, _, output = str(error).partition("\n")
            outcome = "\n".join([f"FAILED: {first}", *output.splitlines()[-TAIL:]])
            failed += 1
        print(f"{name} ({time.monotonic() - began:.0f} s) {outcome}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
