"""`cuox`, or `python -m cuox`: info, doctor, demo, bind, nvcc, nvidia-smi, run, env."""

from __future__ import annotations

import contextlib
import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the current folder first, if it is there: a json.py in it would be taken for Python's.
    with contextlib.suppress(OSError):
        if sys.path[0] == os.getcwd():
            del sys.path[0]

import argparse
import signal

from cuox_bind._native import cache_folder

from . import _native


def _cache_line() -> str:
    kept = _native.cache_info()
    try:
        cache_folder()
    except OSError as error:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    if kept is None:
        return "off (CUOX_CACHE=0)"
    path, files, size = kept
    return f"{path}: {files} files of compiled code, {size / 2**20:.1f} MiB"


def cache(clear: bool) -> int:
    """Print where compiled code is kept and how much there is; remove it if asked to."""
    if clear:
        files, size = _native.clear_cache()
        print(f"removed {files} files, {size / 2**20:.1f} MiB")
    print(_cache_line())
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Run a command; if what reads its output has gone (`cuox info | head`), or at Ctrl-C, end without a word."""
    try:
        try:
            return _run(arguments)
        finally:
            # Here, as at the interpreter's end an error would be printed.
            for stream in (sys.stdout, sys.stderr):
                if stream:  # None: it was closed when Python started
                    stream.flush()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
                continue
            with contextlib.suppress(OSError, ValueError):
                os.dup2(nowhere, stream.fileno())
        return 128 + signal.SIGPIPE


def _run(arguments: list[str] | None) -> int:
    is_module = os.path.basename(sys.argv[0]) == "__main__.py"
    parser = argparse.ArgumentParser(
        prog="python -m cuox" if is_module else "cuox",
        description="CUDA on NVIDIA GPUs, and on a software GPU where there are none.",
    )
    parser.add_argument("--version", action="version", version=f"cuox {_native.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info", help="show the chosen device, the reason, and all versions")
    doctor = commands.add_parser(
        "doctor", help="run a kernel, look at all that it needs, and say what is wrong and the commands that mend it"
    )
    form = doctor.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print what was found as JSON")
    form.add_argument("--report", action="store_true", help="print the text of a bug report")
    kept = commands.add_parser("cache", help="show where compiled code is kept and how much there is")
    kept.add_argument("--clear", action="store_true", help="remove all of it")
    demo = commands.add_parser("demo", help="run SAXPY and a heat simulation, write a picture, print a table")
    demo.add_argument(
        "--picture", default="demo-out/heat.png", help="file to write the picture to (default: %(default)s)"
    )
    from cuox_bind._internal import bind_command

    bind_command.add_arguments(
        commands.add_parser("bind", help="write a module from a C header, or show how the header is bound")
    )
    # These go before the parser, which would take other programs' options for its own.
    commands.add_parser("nvcc", help="run nvcc, with cuox's CUDA runtime in what it links", add_help=False)
    commands.add_parser("nvidia-smi", help="show the devices as NVIDIA's nvidia-smi does", add_help=False)
    commands.add_parser("run", help="run a program on the software GPU", add_help=False)
    commands.add_parser(
        "env", help="print shell commands that put the software GPU in front of other drivers", add_help=False
    )
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["nvcc"]:
        from ._internal import nvcc

        return nvcc.main(given[1:])
    if given[:1] == ["nvidia-smi"]:
        from ._internal import smi

        return smi.main(given[1:])
    if given[:1] == ["run"] or given[:1] == ["env"]:
        from ._internal import run_command

        return run_command.main(given[0], given[1:])
    options = parser.parse_args(given)
    if options.command in ("info", "doctor"):
        from ._internal.doctor import examination

        if options.command == "info":
            return examination.main(short=True)
        return examination.main(options.json, options.report)
    if options.command == "cache":
        return cache(options.clear)
    if options.command == "bind":
        return bind_command.run(options)
    from ._internal.demo import main as run_demo

    return run_demo(options.picture)


if __name__ == "__main__":
    sys.exit(main())
