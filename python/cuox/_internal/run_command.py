"""`cuox run -- COMMAND…` and `cuox env`: any program with the software GPU in front of whatever driver there is."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence

from cuox import _native

from . import become, links, toolkit
from .errors import NotFoundError

SHIMS = ("nvjitlink", "nvrtc", "ptxas")
"""Stand-ins for NVIDIA's compilers to machine code, which give PTX instead; only on demand, since programs see them in
place of the real ones.
"""

_RUN_HELP = """
Run a program on the software GPU: it finds cuox's libcuda.so.1, libcudart.so.13 and libnvidia-ml.so.1, also without the numbers, before all others.
Build tools find a toolkit whose nvcc is `cuox nvcc`, and `nvidia-smi` shows the software GPU.

A program with NVIDIA's CUDA runtime inside (nvcc's default) has to be built with `cuox nvcc`, or with `nvcc -cudart shared`.
"""


def _exit_code(text: str) -> int:
    if not text.isdecimal() or int(text) > 255:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 255, got {text!r}")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser, with_command: bool) -> None:
    """Describe the command's arguments."""
    parser.description = (
        _RUN_HELP if with_command else 'Print shell commands that put the software GPU in front: eval "$(cuox env)".'
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--check",
        action="store_true",
        help="check every access of kernels to memory, report calls of the driver that failed, and end with --error-exitcode after either (CUOX_SOFT_CHECK=memory)",
    )
    parser.add_argument(
        "--leak-check",
        action="store_true",
        help="report memory that was allocated and not freed, with its sizes and where that was (CUOX_SOFT_LEAK_CHECK=1)",
    )
    parser.add_argument(
        "--report-api-errors",
        choices=("all", "explicit", "no"),
        help="with no, --check reports no failed calls; all and explicit are the same here (CUOX_SOFT_API_ERRORS)",
    )
    parser.add_argument(
        "--error-exitcode",
        type=_exit_code,
        metavar="N",
        help="the exit status of a program that would end with 0 and in which --check or --leak-check found something; 0 leaves it (default: 1; CUOX_SOFT_ERROR_EXITCODE)",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print a line at exit: kernels run, PTX compiled, functions that are not supported (CUOX_SUMMARY=1)",
    )
    parser.add_argument(
        "--trace",
        action="store_true",
        help="print every call of the driver with its arguments and result (CUOX_TRACE=1)",
    )
    parser.add_argument(
        "--arch", metavar="X.Y", help="the compute capability that the software GPU has (CUOX_SOFT_ARCH)"
    )
    parser.add_argument("--memory", metavar="SIZE", help="the size of device memory, such as 4G (CUOX_SOFT_MEMORY)")
    parser.add_argument("--threads", metavar="N", help="the number of threads that run blocks (CUOX_SOFT_THREADS)")
    parser.add_argument(
        "--shims",
        nargs="?",
        const=",".join(SHIMS),
        default="",
        metavar="NAMES",
        help="stand-ins that give PTX where a program asks for machine code: nvjitlink, nvrtc, ptxas, separated by commas (all of them without names)",
    )
    if not with_command:
        parser.add_argument(
            "--libdir",
            action="store_true",
            help="print only the folder with libcudart.so and libcuda.so, for a linker's -L and -rpath",
        )
        parser.add_argument(
            "--github",
            action="store_true",
            help="set the variables for the following steps of a job of GitHub Actions (GITHUB_ENV, GITHUB_PATH)",
        )
    if with_command:
        parser.add_argument("command", nargs=argparse.REMAINDER, help="the program and its arguments")


def _in_front(name: str, *values: str) -> str:
    """The value of a list of paths with these before all others, which are not repeated."""
    old = [one for one in os.environ.get(name, "").split(os.pathsep) if one and one not in values]
    return os.pathsep.join([*values, *old])


def _preloaded(name: str) -> str:
    """A library's name in `LD_PRELOAD`: its path, or, as blanks and colons separate names there, the name by which it
    is found in the folder in front of `LD_LIBRARY_PATH`.
    """
    path = str(links.library(name))
    return name if re.search(r"[\s:]", path) else path


def environment(options: argparse.Namespace, lasting: bool = False) -> dict[str, str]:
    """Return the variables that put the software GPU in front; with `lasting` they hold when this process has ended.
    Raises ValueError, or OSError if there is no folder for links.
    """
    shims = [name for name in options.shims.split(",") if name]
    for name in shims:
        if name not in SHIMS:
            raise ValueError(f"no shim '{name}'; available: {', '.join(SHIMS)}")
    # Python packages look for these among installed packages first, but take one that is loaded already.
    stand_ins = [links.STAND_INS[name] for name in shims if name in links.STAND_INS]
    preload = [links.RUNTIME, *stand_ins]
    folder = links.folder(*stand_ins, lasting=lasting)
    made = toolkit.variables(lasting)
    libraries = [str(folder), *([made["LD_LIBRARY_PATH"]] if "LD_LIBRARY_PATH" in made else [])]
    made |= {
        "CUOX_DEVICE": "soft",
        "LD_LIBRARY_PATH": _in_front("LD_LIBRARY_PATH", *libraries),
        "TRITON_LIBCUDA_PATH": str(folder),
    }
    made |= _checks(options)
    if options.verbose:
        made["CUOX_SUMMARY"] = "1"
    if options.trace:
        made["CUOX_TRACE"] = "1"
    for name, value in (
        ("CUOX_SOFT_ARCH", options.arch),
        ("CUOX_SOFT_MEMORY", options.memory),
        ("CUOX_SOFT_THREADS", options.threads),
    ):
        if value is not None:
            made[name] = value
    made["LD_PRELOAD"] = _in_front(
        "LD_PRELOAD", *(_preloaded(name) for name in preload if links.library(name).is_file())
    )
    # The stand-ins call NVIDIA's own, and say so if there is none when they need it.
    for shim, name in (("nvjitlink", "nvJitLink"), ("nvrtc", "nvrtc")):
        variable = f"CUOX_{shim.upper()}_PATH"
        if shim in shims and not os.environ.get(variable):
            with contextlib.suppress(NotFoundError):
                made[variable] = str(_native.find_library(name)[0])
    if "ptxas" in shims:
        ptxas = str(links.ptxas_folder(lasting) / "ptxas")
        made["TRITON_PTXAS_PATH"] = made["TRITON_PTXAS_BLACKWELL_PATH"] = ptxas
    return made


def _checks(options: argparse.Namespace) -> dict[str, str]:
    """The variables for what is to be checked and reported."""
    made = {}
    if options.check:
        made["CUOX_SOFT_CHECK"] = "memory"
    if options.leak_check:
        made["CUOX_SOFT_LEAK_CHECK"] = "1"
    if options.report_api_errors or options.check:
        made["CUOX_SOFT_API_ERRORS"] = "0" if options.report_api_errors == "no" else "1"
    if made or options.error_exitcode is not None:
        made["CUOX_SOFT_ERROR_EXITCODE"] = str(1 if options.error_exitcode is None else options.error_exitcode)
    return made


def run(options: argparse.Namespace) -> int:
    """Become the program. Returns 127 if there is none, 126 if it cannot be executed, as shells do, and its exit status
    if it had to be run beside this process.
    """
    command: list[str] = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        print("cuox run: expected a command: cuox run -- COMMAND ARGUMENTS...", file=sys.stderr)
        return 2
    try:
        with become.warnings_as_lines("cuox run"):
            made = environment(options)
    except (ValueError, OSError) as error:
        print(f"cuox run: {error}", file=sys.stderr)
        return 2
    if options.verbose and options.shims:
        print(
            f"cuox run: in front of NVIDIA's tools there are stand-ins that give PTX: {options.shims}", file=sys.stderr
        )
    try:
        return become.become(command, {**os.environ, **made})
    except FileNotFoundError:
        if shutil.which(command[0]) is None and not os.path.exists(command[0]):
            print(f"cuox run: no program '{command[0]}'", file=sys.stderr)
            return 127
        print(f"cuox run: {command[0]}: its interpreter is not there", file=sys.stderr)
        return 126
    except OSError as error:
        print(f"cuox run: {command[0]} does not run: {error.strerror}", file=sys.stderr)
        return 126


def _set_for_github(made: dict[str, str]) -> None:
    """Add variables to the files from which GitHub Actions takes them. Raises ValueError, OSError."""
    places = [os.environ.get(name) for name in ("GITHUB_ENV", "GITHUB_PATH")]
    if not places[0] or not places[1]:
        raise ValueError("--github is for a job of GitHub Actions: GITHUB_ENV and GITHUB_PATH are not set")
    if any("\n" in value for value in made.values()):
        raise ValueError("a path with a line break cannot be set for GitHub Actions")
    with open(places[1], "a") as file:
        print(made["PATH"].partition(os.pathsep)[0], file=file)
    with open(places[0], "a") as file:
        for name, value in made.items():
            if name != "PATH":
                print(f"{name}={value}", file=file)


def print_environment(options: argparse.Namespace) -> int:
    """Print the variables as commands for a POSIX shell, or the folder of the libraries."""
    try:
        if options.libdir:
            print(links.folder(lasting=True))
            return 0
        made = environment(options, lasting=True)
        if options.github:
            _set_for_github(made)
            return 0
    except (ValueError, OSError) as error:
        print(f"cuox env: {error}", file=sys.stderr)
        return 2
    for name, value in made.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


def main(name: str, arguments: Sequence[str]) -> int:
    """Run `cuox run` or `cuox env`."""
    parser = argparse.ArgumentParser(prog=f"cuox {name}")
    add_arguments(parser, name == "run")
    options = parser.parse_args(arguments)
    return run(options) if name == "run" else print_environment(options)
