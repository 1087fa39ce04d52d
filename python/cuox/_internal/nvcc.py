"""`cuox nvcc ARGUMENTS…`: nvcc, with cuox's CUDA runtime in what it links.

All arguments are nvcc's own. What is added: `-cudart shared` with a path to cuox's `libcudart.so.13`, which runs on the
software GPU and on NVIDIA's driver, and the folders of libraries that pip has installed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import become, links, nvcc_paths
from .errors import NotFoundError

SUPPORTED_MAJOR = 13
"""The CUDA version whose headers agree with our runtime."""
INSTALL = "pip install 'cuda-toolkit[cccl,crt,cudart,nvcc,nvvm]>=13.0,<14'"
"""The command that installs it."""
STAND_IN = "cuox's stand-in for"
"""Words in the first lines of a script that stands in for a program of NVIDIA's."""

# nvcc's options for all steps but linking (nvcc --help, *Options for specifying the compilation phase*).
_NO_LINK = {
    "-c", "--compile", "-dc", "--device-c", "-dw", "--device-w", "-cuda", "--cuda", "-cubin", "--cubin", "-fatbin", "--fatbin", "-ptx", "--ptx",
    "-ltoir", "--ltoir", "-optix-ir", "--optix-ir", "-E", "--preprocess", "-M", "--generate-dependencies", "-MM", "--generate-nonsystem-dependencies",
    "-lib", "--lib", "-dlink", "--device-link", "-h", "--help", "-V", "--version", "--list-gpu-code", "-code-ls", "--list-gpu-arch", "-arch-ls", "-clean", "--clean-targets",
}  # fmt: skip
_COMPILE = ("-c", "--compile")
_OBJECTS = ("-dc", "--device-c", "-dw", "--device-w", "-cuda", "--cuda", "-fatbin", "--fatbin")
_OUTPUT = ("-o", "--output-file")
_RUNTIME = ("-cudart", "--cudart")
_ARCHITECTURE = ("-arch", "--gpu-architecture")
_FILES = ("-optf", "--options-file")
# What nvcc 13 makes for names of sets; PTX is of the newest only.
_SETS = {
    "all-major": ["sm_75", "sm_80", "sm_90", "sm_100", "sm_110", "compute_120"],
    "all": ["sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "compute_121"],
}  # fmt: skip
# Options whose value may be the next argument, so that a value is not taken for an option or a file.
_WITH_VALUE = {
    *_OUTPUT, *_RUNTIME, *_ARCHITECTURE, *_FILES, "-code", "--gpu-code", "-gencode", "--generate-code", "-std", "--std", "-x", "--x", "-I", "--include-path",
    "-isystem", "--system-include", "-L", "--library-path", "-l", "--library", "-D", "--define-macro", "-U", "--undefine-macro", "-include", "--pre-include",
    "-Xcompiler", "--compiler-options", "-Xlinker", "--linker-options", "-Xptxas", "--ptxas-options", "-Xarchive", "--archive-options", "-Xnvlink",
    "--nvlink-options", "-ccbin", "--compiler-bindir", "-odir", "--output-directory", "-maxrregcount", "--maxrregcount", "-t", "--threads", "-MF", "--dependency-output",
    "-MT", "--dependency-target-name", "-default-stream", "--default-stream", "-diag-suppress", "--diag-suppress", "-diag-error", "--diag-error", "-diag-warn", "--diag-warn",
    "-rdc", "--relocatable-device-code", "-run-args", "--run-args", "-ldir", "--library-directory", "-cudadevrt", "--cudadevrt", "-keep-dir", "--keep-dir",
    "-m", "--machine", "-O", "--optimize", "-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-arbin", "-target-dir", "--target-directory", "-allow-unsupported-compiler-arg",
}  # fmt: skip


@dataclass
class Reading:
    """The options that matter here, of a command line."""

    links: bool = True
    compile_only: bool = False
    several: bool = True
    """Whether the output can be for several architectures."""
    output: str | None = None
    runtime: str | None = None
    architectures: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    information: bool = False
    device_runtime: bool = False


@dataclass
class Command:
    """nvcc's command line, and what a user should know of it."""

    arguments: list[str]
    notes: list[str]


def _options(arguments: Iterable[str], depth: int = 0) -> Iterator[tuple[str, str | None]]:
    """Each option with its value, files as ("", file); options in files (`-optf`) are read too."""
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument == "-":
            yield "", argument
            continue
        name, equals, value = argument.partition("=")
        found: str | None = value if equals else None
        if name in _WITH_VALUE and not equals:
            found = next(rest, None)
        if name in _FILES and found is not None and depth < 8:
            for file in found.split(","):
                try:
                    yield from _options(shlex.split(Path(file).read_text()), depth + 1)
                except (OSError, ValueError):
                    pass  # nvcc says so
        yield name, found


def read(arguments: Sequence[str]) -> Reading:
    """Read a command line of nvcc's."""
    reading = Reading()
    for name, value in _options(arguments):
        if name == "":
            reading.inputs.append(value or "")
        if name in _NO_LINK:
            reading.links = False
        if name in _COMPILE:
            reading.compile_only = True
        elif name in _NO_LINK and name not in _OBJECTS:
            reading.several = False
        if name in ("-h", "--help", "-V", "--version"):
            reading.information = True
        if value is None:
            continue
        if name in _OUTPUT:
            reading.output = value
        elif name in _RUNTIME:
            reading.runtime = value
        elif name in ("-cudadevrt", "--cudadevrt"):
            reading.device_runtime = True
        elif name in _ARCHITECTURE:
            reading.architectures.append(value)
        elif name in ("-code", "--gpu-code"):
            reading.codes += value.strip("[]").split(",")
        elif name in ("-gencode", "--generate-code"):
            codes = re.search(r"code=\[?([^\]]*)", value)
            reading.codes += codes[1].strip("'\"").split(",") if codes else []
    return reading


def is_stand_in(file: Path) -> bool:
    """Tell whether a program is one that cuox puts in front of NVIDIA's of the same name."""
    try:
        with file.open("rb") as opened:
            return STAND_IN.encode() in opened.read(200)
    except OSError:
        return False


def find_nvcc() -> Path:
    """Return nvcc's path: of CUOX_NVCC, of the pip package, of CUDA_HOME, of the path. Raises NotFoundError."""
    tried = []
    if named := os.environ.get("CUOX_NVCC"):
        if is_stand_in(Path(named)):  # it would call itself without end
            raise NotFoundError(f"CUOX_NVCC={named} is {STAND_IN} nvcc: name NVIDIA's, or unset CUOX_NVCC", [named])
        if Path(named).is_file():
            return Path(named)
        raise NotFoundError(f"CUOX_NVCC={named}: there is no such file", [named])
    for base in dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]):
        tried.append(str(Path(base, "nvidia", "cu13", "bin")))
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if folder := os.environ.get(variable):
            tried.append(str(Path(folder, "bin")))
    tried.append("/usr/local/cuda/bin")
    for place in tried:
        if (found := Path(place, "nvcc")).is_file() and not is_stand_in(found):
            return found
    if on_path := on_path_behind_stand_ins("nvcc"):
        return on_path
    raise NotFoundError("no nvcc found; looked in " + ", ".join(tried) + f" and PATH. It comes with: {INSTALL}")


def on_path_behind_stand_ins(name: str) -> Path | None:
    """Return the first program of that name on the path that is not cuox's own."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if (found := shutil.which(name, path=folder or os.curdir)) and not is_stand_in(Path(found)):
            return Path(found)
    return None


def version_of(nvcc: Path) -> tuple[int, int]:
    """Return an nvcc's version. Raises NotFoundError if it does not run."""
    try:
        said = subprocess.run([str(nvcc), "--version"], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise NotFoundError(f"{nvcc} does not run: {error.strerror}") from None
    found = re.search(r"release (\d+)\.(\d+)", said.stdout)
    if said.returncode or not found:
        raise NotFoundError(f"{nvcc} --version failed: {(said.stderr or said.stdout).strip()}")
    return int(found[1]), int(found[2])


def check_version(nvcc: Path) -> tuple[int, int]:
    """Return an nvcc's version. Raises NotFoundError if its headers do not agree with cuox's runtime."""
    version = version_of(nvcc)
    if version[0] != SUPPORTED_MAJOR:
        raise NotFoundError(
            f"{nvcc} is of CUDA {version[0]}.{version[1]}; cuox's CUDA runtime is for nvcc of CUDA {SUPPORTED_MAJOR}: "
            f"{INSTALL}, or set CUOX_NVCC"
        )
    return version


def hints(log: str) -> str:
    """Return hints for a log: packages of headers that are missing, and what to use for what CUDA has removed."""
    from cuox import _native

    return _native.nvcc_hints(log, (SUPPORTED_MAJOR, 0))


def _native_architecture() -> str | None:
    """The architecture of the software GPU, where that is the device: nvcc asks NVIDIA's driver for its own."""
    from cuox import _native

    if _native.chosen_driver() != "soft":
        return None
    major, minor = _native.Device(0).compute_capability
    return f"sm_{major}{minor}"


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name) or 0)


def _ptx(reading: Reading) -> tuple[list[str], str]:
    """What to add, so that there is PTX that the software GPU runs, where that is the device; and a note if there is
    none.
    """
    named = set(reading.architectures) & set(_SETS)
    codes = [*reading.codes, *(code for name in named for code in _SETS[name])]
    if not codes:
        return [], ""
    own = _native_architecture()
    limit = 1000 if own is None else _number(own)
    if any(code.startswith("compute") and _number(code) <= limit for code in codes):
        return [], ""
    fitting = [code for code in codes if code.startswith("sm_") and _number(code) <= limit]
    has_source = any(not name.endswith((".o", ".a", ".so")) for name in reading.inputs)
    if own is not None and fitting and reading.several and has_source:
        ptx = max(fitting, key=_number).replace("sm_", "compute_")
        return ["-gencode", f"arch={ptx},code={ptx}"], ""
    if any(code.startswith("compute") for code in codes):
        return [], ""  # of newer devices only: for a GPU of the same kind it would not do either
    return [], (
        f"the code is for {', '.join(codes)} only, without PTX, which the software GPU needs: add code=compute_XX, such as -gencode arch=compute_90,code=compute_90"
    )


def command(arguments: Sequence[str], nvcc: Path) -> Command:
    """Return the command line for nvcc. Raises ValueError if nvcc cannot take a path."""
    given = list(arguments)
    notes: list[str] = []
    reading = read(given)
    if "native" in reading.architectures and (architecture := _native_architecture()):
        given = [re.sub(r"\bnative$", architecture, one) if one.endswith("native") else one for one in given]
        notes.append(f"-arch=native is {architecture} here: the device is the software GPU")
    if reading.compile_only and reading.output is not None and re.search(r"\.so(\.\d+)*$", reading.output):
        # As nvcc writes it, the file is an object that no loader takes.
        given = [one for one in given if one not in _COMPILE]
        if "-shared" not in given and "--shared" not in given:
            given.insert(0, "-shared")
        reading.links = True
        notes.append(f"{reading.output} is linked as a shared library (-shared for -c), so that it can be loaded")
    if not reading.information:
        added_ptx, note = _ptx(reading)
        given += added_ptx
        notes += [note] if note else []
    if not reading.information and reading.inputs:
        nvcc_paths.check([*reading.inputs, reading.output or "", os.getcwd(), str(nvcc)])
    given = nvcc_paths.mended(given, _WITH_VALUE)
    if not reading.links or not (reading.inputs or reading.output):
        return Command([str(nvcc), *given], notes)
    root = nvcc.resolve().parent.parent
    # An RPATH, which goes before LD_LIBRARY_PATH: there may be NVIDIA's runtime, and `nvcc --run` puts it there.
    runtime = ["-Xlinker", "--disable-new-dtags", *_path_at_run(links.LIBRARIES)]
    if reading.runtime is None:
        added = ["-cudart", "shared", *runtime]
    else:
        added = []
        if reading.runtime == "shared":
            added = runtime
        elif reading.runtime == "static":
            notes.append(
                "-cudart static: NVIDIA's runtime becomes part of the result, which does not run on the software GPU"
            )
    if reading.runtime != "static":
        added += nvcc_paths.folder("-L", str(links.for_linking(root)))
    # The pip packages have `lib`, nvcc looks in `lib64`.
    if (library := root / "lib" / "libcudadevrt.a").is_file():
        added += nvcc_paths.folder("-L", str(root / "lib"))
        if "'" in str(library) and not reading.device_runtime:
            # nvcc's own linker does not get that `-L`, but takes files.
            added += ["-cudadevrt", "none", str(library)]
        added += _path_at_run(root / "lib")
    return Command([str(nvcc), *given, *added], notes)


def _path_at_run(folder: Path) -> list[str]:
    return ["-Xlinker", "-rpath", "-Xlinker", nvcc_paths.linker_word(str(folder))]


def _say_hints(log: str) -> None:
    for line in hints(log).splitlines():
        print(f"cuox nvcc: {line}", file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """Run nvcc. Returns 1 if there is none, else its exit status."""
    reading = read(arguments)
    try:
        nvcc = find_nvcc()
        if not reading.information:
            check_version(nvcc)
        with become.warnings_as_lines("cuox nvcc"):
            made = command(arguments, nvcc)
    except (NotFoundError, OSError, ValueError) as error:
        print(f"cuox nvcc: {error}", file=sys.stderr)
        return 1
    for note in made.notes:
        print(f"cuox nvcc: {note}", file=sys.stderr)
    # Not for what only prints, nor where the program that was compiled is run.
    watched = not reading.information and not {"-run", "--run", "-dryrun", "--dryrun"} & set(arguments)
    try:
        if not watched:
            return become.become(made.arguments, os.environ)
        names = [os.path.basename(name) for name in reading.inputs]
        return become.become(made.arguments, os.environ, _say_hints, f"compiling {' '.join(names)}" if names else "")
    except OSError as error:
        print(f"cuox nvcc: {made.arguments[0]} does not run: {error.strerror}", file=sys.stderr)
    return 1
