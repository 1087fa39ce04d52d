"""Other people's packages on the software GPU: programs with Numba, tinygrad, Triton, Taichi, cudarc and cust, each
unmodified.

    python tests/clients/run.py [--all] [NAME...]    one program of each client, or of those that are named;
                                                     the last line is `N passed, N failed, N skipped`

`--all` runs all their programs; `--install` only installs the packages.

The interpreter has cuox installed. The packages go into an environment of their own (`.venv-clients`, kept), so cuox's
tests see none of them. A client whose packages cannot be installed is skipped with the reason. docs/compatibility.md
has what the packages' own tests say.
"""

from __future__ import annotations

import argparse
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = ROOT / ".venv-clients"
PYTHON = FOLDER / "bin" / "python"
LIMIT = 180  # seconds for a program
TAIL = 30  # lines of a failed program that are shown


@dataclass
class Client:
    """A package and the programs that use it."""

    name: str
    packages: list[str] = field(default_factory=list)
    # Options of `cuox run`, further variables, and the program with the names of its parts that are run. All but the
    # first are run with `--all` only, and all their parts.
    programs: list[tuple[list[str], dict[str, str], str]] = field(default_factory=list)


CLIENTS = [
    Client(
        "numba",
        [
            "numba-cuda==0.30.*",
            "nvidia-nvvm==13.0.*",
            "nvidia-cuda-nvrtc==13.0.*",
            "nvidia-cuda-runtime==13.0.*",
            "nvidia-cuda-cccl==13.0.*",
            "nvidia-nvjitlink==13.0.*",
        ],
    ),
    Client(
        "tinygrad",
        ["tinygrad==0.14.*", "numpy", "nvidia-cuda-nvrtc==13.0.*"],
        [([], {"DEV": device}, "tinygrad_net.py") for device in ("CUDA", "CUDA:PTX")],
    ),
    Client("triton", ["triton>=3.9,<4", "numpy"], [(["--shims=ptxas", "--arch", "8.0"], {}, "triton_kernels.py")]),
    Client(
        "taichi",
        ["taichi==1.7.*", "numpy"],
        [([], {}, "taichi_programs.py structs sparse_pointers reverse_gradients warps_and_blocks texts")],
    ),
    Client("rust"),
]


def say(text: str) -> None:
    print(text, flush=True)


def run(command: Sequence[str | Path], *, limit: float = LIMIT, cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    """A command's status and output; -1 if it took too long."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUNBUFFERED": "1", **variables}
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return -1, f"{(error.stdout or b'').decode(errors='replace')}\nit took more than {limit:.0f} seconds"
    return done.returncode, done.stdout


def install(clients: Sequence[Client]) -> dict[str, str]:
    """Install the clients' packages; for each that cannot be installed, the reason."""
    # Without a network each package would be asked for six times.
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--retries", "1", "--only-binary=:all:"]
    wanted = [client for client in clients if client.packages]
    if not wanted:
        return {}
    # An interrupt may have left an environment that has no pip yet.
    if not PYTHON.exists() or run([PYTHON, "-m", "pip", "--version"])[0]:
        venv.create(FOLDER, clear=True, with_pip=True)
    together = sorted({package for client in wanted for package in client.packages})
    if run([*pip, *together], limit=600)[0] == 0:
        return {}
    reasons = {}
    for client in wanted:
        status, said = run([*pip, *client.packages], limit=600)
        if status:
            reasons[client.name] = last_line(said) or "pip failed"
    return reasons


def last_line(text: str) -> str:
    """The last line of an output that says something."""
    return text.strip().rpartition("\n")[2].strip()


def without_rust() -> str | None:
    """The reason why the crates' programs cannot be built, if there is one."""
    if shutil.which("cargo") is None:
        return "there is no cargo"
    status, said = run(["cargo", "fetch", "--quiet", "--locked"], limit=600, cwd=HERE / "rust")
    if status:
        return f"its crates cannot be fetched: {last_line(said)}"
    return None


def numba(every: bool) -> tuple[int, str]:
    """The programs of cuox's own tests, with this environment's Numba."""
    return run(
        [
            sys.executable,
            *("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/python/test_clients_numba.py"),
            *([] if every else ["-k", "test_a_program_runs and driver"]),
        ],
        CUOX_CLIENTS_PYTHON=str(PYTHON),
        CUOX_TEST_REQUIRE="",
    )


def rust() -> tuple[int, str]:
    """Build the crates' programs and run them. `cust` wants a CUDA folder with the driver's library in it."""
    folder = HERE / "rust"
    target = ROOT / "target" / "clients"
    ask = "import cuox, os, nvidia.cu13 as n; print(os.path.join(os.path.dirname(cuox.__file__), 'lib', 'libcuda.so.1')); print(list(n.__path__)[0] + '/include')"
    status, said = run([sys.executable, "-c", ask])
    if status:
        return status, said
    library, include = said.splitlines()[-2:]
    with tempfile.TemporaryDirectory() as cuda:
        Path(cuda, "lib64").mkdir()
        Path(cuda, "lib64", "libcuda.so").symlink_to(library)
        Path(cuda, "include").symlink_to(include)
        places = dict.fromkeys(("CUDA_ROOT", "CUDA_PATH", "CUDA_TOOLKIT_ROOT_DIR", "CUDA_LIBRARY_PATH"), cuda)
        status, said = run(
            ["cargo", "build", "--quiet", "--locked"], cwd=folder, CARGO_TARGET_DIR=str(target), **places
        )
    if status:
        return status, said
    for name in ("cudarc", "cust"):
        status, text = run([sys.executable, "-m", "cuox", "run", "--", target / "debug" / f"client-{name}"])
        said += text
        if status:
            return status, said
    return 0, said


def programs(client: Client, every: bool) -> list[tuple[str, Callable[[], tuple[int, str]]]]:
    """A client's programs: names, and functions that run them."""
    if client.name == "rust":
        return [("cudarc and cust", rust)]
    if client.name == "numba":
        return [("numba", lambda: numba(every))]
    result = []
    for options, variables, program in client.programs[: None if every else 1]:
        file, *parts = program.split()
        label = " ".join([client.name, *(f"{name}={value}" for name, value in variables.items())])
        command = [sys.executable, "-m", "cuox", "run", "--memory", "2G", *options, "--", PYTHON, HERE / file]
        command += [] if every else parts
        result.append((label, functools.partial(run, command, **variables)))
    return result


def main(arguments: Sequence[str]) -> int:
    """Run the clients; 0 if none failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="run all programs, not one of each client")
    parser.add_argument("--install", action="store_true", help="install the packages and run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(client.name for client in CLIENTS))
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - {client.name for client in CLIENTS}
    if unknown:
        available = ", ".join(client.name for client in CLIENTS)
        print(f"no client {', '.join(sorted(unknown))}; available: {available}", file=sys.stderr)
        return 2
    chosen = [client for client in CLIENTS if not asked.names or client.name in asked.names]
    started = time.monotonic()
    reasons = install(chosen)
    if any(client.name == "rust" for client in chosen) and (reason := without_rust()):
        reasons["rust"] = reason
    say(f"packages: {time.monotonic() - started:.0f} s")
    if asked.install:
        return 0
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    lock = threading.Lock()

    def one(label: str, program: Callable[[], tuple[int, str]]) -> None:
        began = time.monotonic()
        status, said = program()
        outcome = "passed" if status == 0 else "failed"
        with lock:
            counts[outcome] += 1
            say(f"{label}: {outcome} in {time.monotonic() - began:.0f} s: {last_line(said)[:160]}")
            if status:
                say("\n".join(said.splitlines()[-TAIL:]))

    waiting = []
    for client in chosen:
        if client.name in reasons:
            counts["skipped"] += 1
            say(f"{client.name}: skipped, since its packages cannot be installed: {reasons[client.name]}")
        else:
            waiting += programs(client, asked.all)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(lambda item: one(*item), waiting))
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), flush=True)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
