"""`python -m cuox_bind` and `cuox bind`: a module from a header, or an explanation of how the header is bound."""

from __future__ import annotations

import argparse
import keyword
import os
import shlex
import sys
from pathlib import Path

from cuox_bind import _native

from .bind import interface_of, is_library
from .errors import BindError, CompileError, NotFoundError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments; `program` is the command's name, for messages."""
    parser.set_defaults(program=parser.prog)
    parser.add_argument(
        "headers",
        nargs="*",
        metavar="HEADER",
        help="the headers: paths, or names in the include directories; or a SWIG interface file (foo.i)",
    )
    parser.add_argument(
        "-l",
        "--library",
        action="append",
        default=[],
        metavar="LIB",
        help="a library: foo (libfoo.so), libfoo.so.1 or a path; cudart is the CUDA runtime; may be repeated",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the module to write; its stub is written beside it, as .pyi"
    )
    parser.add_argument(
        "-I",
        "--include-dir",
        action="append",
        default=[],
        metavar="DIR",
        help="where headers are searched for; those of CUDA are found without it",
    )
    parser.add_argument(
        "-D",
        "--define",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="a macro that is defined before anything is read",
    )
    parser.add_argument("--rules", metavar="FILE", help="a rules file (TOML)")
    parser.add_argument("--interface", metavar="FILE", help="a SWIG interface file whose name does not end in .i")
    parser.add_argument(
        "--language", choices=["c", "c++", "cuda"], default="c", help="what the headers are written in (%(default)s)"
    )
    parser.add_argument("--status", choices=["raise", "tuple", "return"], help="what becomes of status codes (raise)")
    parser.add_argument(
        "--gil",
        choices=["hold", "release"],
        help="what is done about the GIL in all functions; else rules and guesses say it",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="bind nothing else; * and ? stand for any text and any character",
    )
    parser.add_argument("--ignore", action="append", default=[], metavar="NAME", help="do not bind this")
    parser.add_argument(
        "--argument",
        action="append",
        default=[],
        metavar="ARG",
        help="a further argument for the compiler that reads the headers",
    )
    # `--explain` with nothing behind it is the whole header.
    parser.add_argument(
        "--explain",
        nargs="?",
        const="",
        metavar="FUNCTION",
        help="say how a function is called, and why; without a name, all of them",
    )
    parser.add_argument(
        "--table", action="store_true", help="say how much of the header is bound, and what is not and why"
    )


def _command(options: argparse.Namespace) -> str:
    """The command that makes the module again, in the module's folder."""
    folder = os.path.dirname(os.path.abspath(options.output)) if options.output else os.getcwd()

    def shown(path: str) -> str:
        return os.path.relpath(path, folder) if os.path.isabs(path) or os.path.exists(path) else path

    words = ["python", "-m", "cuox_bind", *map(shown, options.headers)]
    for flag, values in (
        ("-l", [shown(library) if os.sep in library else library for library in options.library]),
        ("-I", map(shown, options.include_dir)),
        ("-D", options.define),
        ("--only", options.only),
        ("--ignore", options.ignore),
    ):
        for value in values:
            words += [flag, value]
    words += [f"--argument={value}" for value in options.argument]
    for flag, value in (
        ("--rules", options.rules and shown(options.rules)),
        ("--interface", options.interface and shown(options.interface)),
        ("--status", options.status),
        ("--gil", options.gil),
        ("-o", options.output and os.path.basename(options.output)),
    ):
        if value is not None:
            words += [flag, value]
    if options.language != "c":
        words += ["--language", options.language]
    return shlex.join(words)


def _library_name(library: str, folder: Path) -> str:
    """Return a library's name in a module in that folder: `foo` is found when the module is used, a path is relative to
    the module.

    An absolute path to elsewhere stays one: the user has said so.
    """
    if os.sep not in library:
        return library
    path, base = os.path.abspath(library), os.path.abspath(folder)
    if os.path.isabs(library) and os.path.commonpath([path, base]) != base:
        return library
    relative = os.path.relpath(path, base)
    return relative if relative.startswith("..") else os.path.join(".", relative)


def _build_inline(
    binding: _native.Binding, headers: list[str], options: argparse.Namespace, output: Path
) -> str | None:
    """Compile what is only in the header into a library beside the module, and return its name there.

    Where that does not work, the module has the rest.
    """
    if not binding.inline and not binding.macros:
        return None
    from .inline_functions import build

    built = output.parent / f"_{output.stem}.so"
    try:
        build(binding, headers, options.language, options.include_dir, options.define, built)
    except (CompileError, NotFoundError) as error:
        names = ", ".join([*binding.inline, *(name for name, _ in binding.macros)])
        print(f"the module lacks what is only in the header ({names}): {error}", file=sys.stderr)
        return None
    return f"./{built.name}"


def run(options: argparse.Namespace) -> int:
    """Run the command; what it returns is the process' exit status."""

    def complain(text: object) -> None:
        print(f"{options.program}: {text}", file=sys.stderr)

    if not options.headers and options.interface is None:
        complain("name a header (foo.h) or a SWIG interface file (foo.i)")
        return 2
    command = _command(options)
    if libraries := [one for one in options.headers if is_library(one)]:
        complain(f"{libraries[0]} is a library: name a header, and the library behind -l")
        return 2
    if not all(one.partition("=")[0] for one in options.define):
        complain("-D NAME or -D NAME=VALUE: a macro has a name")
        return 2
    try:
        headers, interface = interface_of(options.headers, options.interface)
    except ValueError as error:
        complain(error)
        return 2
    asked = options.explain is not None or options.table
    if not asked and options.output is None:
        complain("-o FILE writes a module; --explain and --table print what it would be")
        return 2
    if options.output is not None:
        output = Path(options.output)
        if output.suffix != ".py" or not output.stem.isidentifier() or keyword.iskeyword(output.stem):
            complain(f"{output} is not the name of a module, such as foo.py")
            return 2
        if not options.library and interface is None:
            complain("-l LIB says which library has the functions")
            return 2
    try:
        binding = _native.Binding.parse(
            headers,
            include_dirs=options.include_dir,
            defines=options.define,
            rules=options.rules,
            interface=interface,
            language=options.language,
            status=options.status,
            gil=options.gil,
            arguments=options.argument,
            only=options.only,
            ignore=options.ignore,
            inline=interface is None,
        )
        for note in binding.notes:
            print(note, file=sys.stderr)
        if options.explain is not None:
            text = binding.explain(options.explain or None)
            if text is None:
                complain(f"the header declares no function '{options.explain}'")
                return 1
            print(text, end="")
        if options.table:
            print(binding.table(), end="")
        if options.output is not None:
            if not options.library and binding.code is None:
                process = _native.Symbols([])  # C's own library is in it
                absent = [symbol for symbol in binding.symbols if process.find(symbol) is None]
                if absent:
                    names = ", ".join(absent[:5]) + (", …" if len(absent) > 5 else "")
                    complain(f"-l LIB says which library has the functions ({names})")
                    return 2
            libraries = [_library_name(library, output.parent) for library in options.library]
            output.parent.mkdir(parents=True, exist_ok=True)
            if binding.code is not None:
                from .interface_code import compile_code

                # As SWIG names it.
                built = output.parent / f"_{output.stem}.so"
                folders = [*options.include_dir, os.path.dirname(os.path.abspath(interface or ""))]
                compile_code(
                    binding.code,
                    options.language,
                    folders,
                    options.define,
                    built,
                    low_level=True,
                    uses_python=binding.uses_python,
                )
                libraries.append(f"./{built.name}")
            inline = _build_inline(binding, headers, options, output)
            module, stub = binding.readable().write(libraries, command, inline)
            output.write_text(module, encoding="utf-8")
            output.with_suffix(".pyi").write_text(stub, encoding="utf-8")
    except (BindError, CompileError, NotFoundError, OSError) as error:
        complain(error)
        return 1
    return 0
