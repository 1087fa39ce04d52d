"""Paths in nvcc's arguments.

nvcc writes its commands as text for a shell, and quotes each kind of value in another way (`nvcc --dryrun` of CUDA 13.0
shows it):

- files and the folder of nvcc itself stand between double quotes, as they are;
- values of `-I`, `-isystem` and `-L` do too, but a comma separates values, and an apostrophe gets a backslash, which is
  wrong there;
- values of `-Xlinker` are not quoted; a comma separates values, but not between double quotes, and an apostrophe gets a
  backslash, which is right there;
- values of `-Xcompiler` are words of the shell; a comma separates values, but not between double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

# What the shell reads inside of double quotes.
_NOT_FOR_SHELL = re.compile(r'["$`\\]')
_FOLDER_OPTIONS = {
    "-I": "-I", "--include-path": "-I", "-isystem": "-isystem", "--system-include": "-isystem", "-L": "-L", "--library-path": "-L",
}  # fmt: skip


def check(paths: Iterable[str]) -> None:
    """Raise ValueError if nvcc would hand a path to the shell as something else."""
    for path in paths:
        if found := _NOT_FOR_SHELL.search(path):
            raise ValueError(
                f"nvcc cannot have {found[0]} in a path, as it puts paths into shell commands: {path!r}; use a path without it"
            )


def linker_word(text: str) -> str:
    """Return a value for `-Xlinker` that reaches the linker as this text."""
    return re.sub(r"[^\w./+@%:=~'$-]", lambda found: '","' if found[0] == "," else f"\\{found[0]}", text)


def folder(option: str, path: str) -> list[str]:
    """Return the arguments for a folder of headers (`-I`, `-isystem`) or libraries (`-L`)."""
    if "'" in path:
        # The host compiler, which preprocesses and links, takes the same options.
        joined = [f'"{option}{path}"'] if option != "-isystem" else [option, f'"{path}"']
        return [word for one in joined for word in ("-Xcompiler", one)]
    return [option, f'"{path}"' if "," in path else path]


def mended(arguments: Sequence[str], with_value: Container[str]) -> list[str]:
    """Return a user's arguments with folders that nvcc would quote wrongly passed in another way. `with_value` has the
    options whose value may be the next argument.
    """
    made: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        words, option, value = [argument], argument, None
        name, equals, after = argument.partition("=")
        if argument in with_value:
            words += [value] if (value := next(rest, None)) is not None else []
        elif equals and name in _FOLDER_OPTIONS:
            option, value = name, after
        elif argument.startswith(("-I", "-L")):
            option, value = argument[:2], argument[2:]
        if option not in _FOLDER_OPTIONS or value is None or "'" not in value or '"' in value:
            made += words
            continue
        for one in value.split(","):
            made += folder(_FOLDER_OPTIONS[option], one)
    return made
