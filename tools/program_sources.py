"""The programs of NVIDIA/cuda-samples and zjin-lcf/HeCBench: which can be asked for, how each is built, and a pick by a
fixed seed.

A program is eligible if it is made for nvcc on Linux with one GPU and needs no library of a vendor, no window system
and no MPI. Of HeCBench a program must also check its result itself, since there a wrong result must be told from a
right one. Programs that a look at their sources cannot tell (nvcc 13 refuses them, their data is not in the repository)
are in `nvcc_programs.toml` with their reasons.
"""

from __future__ import annotations

import random
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SEED = 14
COUNTS = {"cuda-samples": 60, "HeCBench": 40}
TABLE = Path(__file__).with_suffix("").with_name("nvcc_programs.toml")
ARCHITECTURE = "sm_90"

_SOURCES = {".cu", ".cuh", ".cpp", ".cc", ".c", ".h", ".hpp", ".hxx", ".inl"}
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_LIBRARY_HEADERS = re.compile(
    r"(cublas|cufft|curand\.h|cusparse|cusolver|nccl|cudnn|nvjpeg|npp|nvrtc|nvJitLink|nvvm|nvml|cutlass|cute/|cutensor|nvtx|cudla|cupti|cub_private|FreeImage|gsl/|gdal|boost/)",
    re.IGNORECASE,
)
_WINDOW_HEADERS = re.compile(
    r"(^GL/|GL/gl|helper_gl|glut|^EGL|egl|d3d|vulkan|vk_|GLFW|X11/|nvsci)",
    re.IGNORECASE,
)
_SYSTEM_LIBRARIES = {
    "m",
    "pthread",
    "rt",
    "cudart",
    "cuda",
    "dl",
    "stdc++",
    "gomp",
    "cudadevrt",
}
_VERDICT = re.compile(r'"[^"\n]*\b(PASS|PASSED|Pass|Passed|passed|SUCCESS|Success|VERIFIED|verified|Verified)\b')


@dataclass
class Program:
    """A program: its folder in the repository, how it is built, and what the table of exceptions says of it."""

    suite: str
    name: str
    folder: Path
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The suite and the name."""
        return f"{self.suite}/{self.name}"

    @property
    def arguments(self) -> list[str]:
        """The command line, without the program."""
        given = self.options.get("args")
        if given is None:
            given = self.suite == "HeCBench" and _makefile_arguments(
                (self.folder / "Makefile").read_text(errors="replace")
            )
        return [str(a) for a in (given.split() if isinstance(given, str) else given or [])]


def table() -> dict[str, Any]:
    """The data file: arguments, time limits, expectations and exclusions."""
    return tomllib.loads(TABLE.read_text())


def _texts(folder: Path) -> dict[Path, str]:
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (path.suffix in _SOURCES or path.name.startswith(("Makefile", "CMakeLists"))):
            found[path] = path.read_text(errors="replace")
    return found


def _needs(texts: dict[Path, str]) -> str | None:
    """Why sources cannot be asked for, by the headers that they include."""
    for path, text in texts.items():
        for header in _INCLUDE.findall(text) if path.suffix in _SOURCES else ():
            if _LIBRARY_HEADERS.search(header):
                return f"a library: {header}"
            if _WINDOW_HEADERS.search(header):
                return f"graphics: {header}"
            if header.lower() in ("mpi.h", "omp.h") and header.lower() == "mpi.h":
                return "MPI"
    return None


def samples(root: Path) -> dict[str, tuple[Path, str | None]]:
    """Each sample: its folder, and why it is not eligible or None."""
    found: dict[str, tuple[Path, str | None]] = {}
    for listing in sorted(root.glob("Samples/*/*/CMakeLists.txt")):
        folder = listing.parent
        group = folder.parent.name
        reason = None
        concepts = (
            re.search(
                r"## Key Concepts\s+(.*)",
                (folder / "README.md").read_text(errors="replace"),
            )
            if (folder / "README.md").exists()
            else None
        )
        if group.startswith("7_"):
            reason = "a library: libNVVM"
        elif group.startswith("8_"):
            reason = "another platform"
        elif re.search(r"CUDA::(?!cudart|cuda_driver|cudadevrt)(\w+)", listing.read_text()):
            reason = "a library: " + re.search(r"CUDA::(?!cudart|cuda_driver|cudadevrt)(\w+)", listing.read_text())[1]  # type: ignore[index]
        elif (concepts and re.search(r"multi-?gpu|peer|p2p", concepts[1] + folder.name, re.IGNORECASE)) or re.search(
            "MultiGPU|P2P|MultiDevice", folder.name, re.IGNORECASE
        ):
            reason = "several GPUs"
        else:
            reason = _needs(_texts(folder))
        found[folder.name] = (folder, reason)
    return found


def hecbench(root: Path) -> dict[str, tuple[Path, str | None]]:
    """Each CUDA program of HeCBench: its folder, and why it is not eligible or None."""
    found: dict[str, tuple[Path, str | None]] = {}
    for folder in sorted(root.glob("src/*-cuda")):
        name = folder.name.removesuffix("-cuda")
        makefile = folder / "Makefile"
        if not makefile.exists():
            found[name] = (folder, "no Makefile in its folder")
            continue
        texts = _texts(folder)
        reason = _needs(texts)
        libraries = [
            x
            for x in re.findall(r"(?:^|\s)-l(\w+)", makefile.read_text(errors="replace"))
            if x not in _SYSTEM_LIBRARIES
        ]
        if reason is None and libraries:
            reason = f"a library: -l{libraries[0]}"
        code = {p: t for p, t in texts.items() if p.suffix in _SOURCES}
        if reason is None and any(
            re.search(r"cudaDeviceEnablePeerAccess|cudaMemcpyPeer|cudaDeviceCanAccessPeer", t) for t in code.values()
        ):
            reason = "several GPUs"
        if reason is None and not any("__global__" in t or "<<<" in t for t in code.values()):
            reason = "no kernels"
        if reason is None and not any(_VERDICT.search(t) for t in code.values()):
            reason = "does not check its result"
        found[name] = (folder, reason)
    return found


def suites(sources: Path) -> dict[str, dict[str, tuple[Path, str | None]]]:
    """All programs of both repositories, which are beside each other in a folder."""
    return {
        "cuda-samples": samples(sources / "cuda-samples"),
        "HeCBench": hecbench(sources / "HeCBench"),
    }


def order(suite: str, found: dict[str, tuple[Path, str | None]]) -> list[str]:
    """The eligible programs of a suite in the order of the fixed seed."""
    eligible = sorted(name for name, (_, reason) in found.items() if reason is None)
    return random.Random(f"{SEED}/{suite}").sample(eligible, len(eligible))


def pick(sources: Path) -> list[Program]:
    """The picks: the first of each suite's order that the table does not exclude."""
    known = table()
    picked = []
    for suite, found in suites(sources).items():
        excluded = known.get("excluded", {}).get(suite, {})
        names = [name for name in order(suite, found) if name not in excluded][: COUNTS[suite]]
        picked += [
            Program(suite, name, found[name][0], known.get(suite, {}).get(name, {}))
            for name in sorted(names, key=str.lower)
        ]
    return picked


def replaced(sources: Path) -> list[tuple[str, str, str]]:
    """Programs that the seed named and the table excludes: suite, name, reason."""
    known = table().get("excluded", {})
    rows = []
    for suite, found in suites(sources).items():
        left = COUNTS[suite]
        for name in order(suite, found):
            if left == 0:
                break
            if name in known.get(suite, {}):
                rows.append((suite, name, known[suite][name]))
            else:
                left -= 1
    return rows


def _makefile_arguments(text: str) -> str:
    """The arguments that `make run` gives (its first run, where there are several)."""
    text = text.replace("\\\n", " ")
    run = re.search(r"^run\s*:.*\n((?:\t.*\n?)+)", text, re.MULTILINE)
    for line in run[1].splitlines() if run else ():
        started = re.search(r"\./\S+\s*(.*)", line)
        if started:
            return started[1].split(">")[0].split("|")[0].strip().strip('"')
    return ""


def sample_steps(program: Program, common: str) -> list[list[str]]:
    """nvcc's command lines for a sample, from its CMakeLists.txt; the program is called `program`."""
    text = (program.folder / "CMakeLists.txt").read_text()
    variables = dict(re.findall(r'set\((\w+)\s+"\$\{CMAKE_CURRENT_(?:BINARY|SOURCE)_DIR\}/([^"]+)"\)', text))
    steps = []
    for output, kind, source in re.findall(r"-o \$\{(\w+)\}\s+-(fatbin|ptx)\s+\$\{(\w+)\}", text):
        arch = (
            [
                "-gencode",
                "arch=compute_90,code=sm_90",
                "-gencode",
                "arch=compute_75,code=compute_75",
            ]
            if kind == "fatbin"
            else ["-arch=compute_75"]
        )
        steps.append(
            [
                "nvcc",
                f"-I{common}",
                "-std=c++17",
                *arch,
                f"-{kind}",
                "-o",
                variables[output],
                variables[source],
            ]
        )
    target = re.search(r"add_executable\(\s*(\w+)\s+([^)]*)\)", text)
    if target is None:
        raise ValueError(f"{program.name}: no add_executable in CMakeLists.txt")
    sources = program.options.get("sources") or [
        s for s in target[2].split() if Path(s).suffix in {".cu", ".cpp", ".c", ".cc"}
    ]
    sources = [s.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "").replace("../../../Common", common) for s in sources]
    folders = [f"-I{d}" for d in ("inc", "src", ".") if (program.folder / d).is_dir()]
    flags = ["-rdc=true"] if "cudadevrt" in text or program.name.startswith("cdp") else []
    flags += ["-Xcompiler", "-fopenmp"] if "OpenMP::" in text else []
    steps.append(
        [
            "nvcc",
            "-std=c++17",
            "--extended-lambda",
            f"-arch={ARCHITECTURE}",
            f"-I{common}",
            *folders,
            *flags,
            *program.options.get("flags", []),
            "-o",
            "program",
            *sources,
        ]
        + (["-lcuda"] if "cuda_driver" in text else [])
    )
    return steps
