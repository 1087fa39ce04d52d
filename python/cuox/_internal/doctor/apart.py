"""Steps in a process of their own: a library that crashes, hangs or ends its process does so there."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ... import _native
from .finding import Finding, install_again
from .machine import installed

SECONDS = 60
PROGRAM = "from cuox._internal.doctor import examination; examination.tell({names!r})"
# The packages that have what a step loads.
PACKAGES = {
    "NumPy": ("numpy",),
    "NVRTC": ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12"),
    "libclang": ("libclang",),
}
SOFT = {"CUOX_DEVICE": "soft"}
NO_DRIVER = {**SOFT, "CUOX_SOFT_LIBRARY": os.devnull}
IGNORED = re.compile(r"^cuox[^:]*: (CUOX_\w+=.*) is ignored: (.*)$", re.MULTILINE)


@dataclass
class _Told:
    """What a process has told: findings by step, the step at which it ended too early, and how."""

    found: dict[str, list[Finding]] = field(default_factory=dict)
    at: str | None = None
    death: str = ""
    complaints: str = ""


def examine(names: Sequence[str], seconds: float = SECONDS) -> Iterator[Finding]:
    """Take steps in another process, and those after one that kills it, or that takes longer than so many seconds, in a
    further process.
    """
    complaints = ""
    environment: dict[str, str] = {}
    while names:
        told = _run(names, seconds, environment)
        complaints += told.complaints
        for name, some in told.found.items():
            if name != told.at:
                yield from some
        if told.at is None:
            break
        if told.at == "device":
            soft = _run([told.at], seconds, SOFT)
            yield from _driver(told, soft)
            # The other steps do without the driver that does this.
            environment = SOFT if soft.at is None else NO_DRIVER
        else:
            yield Finding(told.at, "broken", f"using it {told.death}", again(told.at))
        names = names[names.index(told.at) + 1 :]
    yield from ignored(complaints)


def tell(names: Iterable[str], take: Callable[[str], Iterable[Finding]]) -> None:
    """Take steps and write what they find, as lines of JSON; this is what the other process does."""
    # What libraries print goes elsewhere.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        for name in names:
            print(json.dumps(name), file=out, flush=True)
            for one in take(name):
                print(json.dumps(one.as_dict()), file=out, flush=True)
        print("null", file=out)


def command(program: str) -> list[str]:
    """A command that runs a program with the modules of this process, and without those of the current folder."""
    return [
        sys.executable,
        "-P",
        "-c",
        f"import sys; sys.path[:] = {[place for place in sys.path if place]!r}\n{program}",
    ]


def ignored(complaints: str) -> Iterator[Finding]:
    """The variables whose values are not understood, from what processes said on standard error."""
    for given, expected in dict(IGNORED.findall(complaints)).items():
        name = given.partition("=")[0]
        yield Finding("variables", "warning", f"{given} is ignored: {expected}", f"unset {name}")


def _run(names: Sequence[str], seconds: float, environment: Mapping[str, str]) -> _Told:
    told = _Told(at=names[0])
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            command(PROGRAM.format(names=list(names))),
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
        ) as process,
    ):
        try:
            _listen(process, told, seconds)
            told.death = how_it_ended(process.wait(seconds))
        except subprocess.TimeoutExpired:
            told.death = f"does not end within {seconds:g} seconds"
        finally:
            process.kill()
        complaints.seek(0)
        told.complaints = complaints.read().decode(errors="replace")
    return told


def _listen(process: subprocess.Popen[bytes], told: _Told, seconds: float) -> None:
    """Take in what a process tells until it ends. Raises TimeoutExpired for a step that takes longer than so many
    seconds; on a terminal a line says which one takes long.
    """
    assert process.stdout is not None
    line = b""
    while told.at is not None:
        with _native._Progress(f"examining {told.at}, for at most {seconds:g} s"):
            end = time.monotonic() + seconds
            while not line.endswith(b"\n"):
                ready, _, _ = select.select([process.stdout], [], [], max(0, end - time.monotonic()))
                if not ready:
                    raise subprocess.TimeoutExpired(process.args, seconds)
                if not (more := os.read(process.stdout.fileno(), 1 << 16)):
                    return
                line += more
        whole, _, line = line.rpartition(b"\n")
        for text in whole.decode(errors="replace").splitlines():
            one = json.loads(text)
            if isinstance(one, dict):
                told.found[str(told.at)].append(Finding(**one))
            else:
                told.at = one
                told.found[str(one)] = []


def how_it_ended(status: int) -> str:
    """How a process ended that should have gone on."""
    if status >= 0:
        return f"ends the process, with exit status {status}"
    try:
        return f"kills the process: {signal.Signals(-status).name}"
    except ValueError:
        return f"kills the process: signal {-status}"


def _driver(told: _Told, soft: _Told) -> Iterator[Finding]:
    """The driver that ended its process: NVIDIA's, unless the software GPU alone does so too."""
    if soft.at is None:
        remedy = "export CUOX_DEVICE=soft  # the software GPU, until `nvidia-smi` works"
        yield Finding("NVIDIA driver", "broken", f"starting libcuda.so.1 {told.death}", remedy)
        yield from (one for one in soft.found["device"] if one.part not in ("device", "NVIDIA driver"))
        return
    remedy = "unset CUOX_SOFT_LIBRARY" if os.environ.get("CUOX_SOFT_LIBRARY") else install_again()
    yield Finding("software GPU", "broken", f"starting it {soft.death}", remedy)


def again(name: str) -> str:
    """The command that installs again what a step loads."""
    variable = {"NVRTC": "CUOX_NVRTC_PATH", "libclang": "CUOX_LIBCLANG"}.get(name, "")
    if os.environ.get(variable):
        return f"unset {variable}"
    for package in PACKAGES.get(name, ()):
        if version := installed(package):
            return f"pip install --force-reinstall --no-deps {package}=={version}"
    return "`cuox doctor --report` makes the text of a bug report"
