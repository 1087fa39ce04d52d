"""Errors about kernels that are written in Python."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cuox_bind._internal.cache_folder import made_in_cache

from .errors import CompileError


class KernelTypeError(TypeError):
    """A function that cannot be a kernel: its text says why, and shows the line.

    code: the kind of the error, such as `"K003"`. filename, lineno: where.
    """

    def __init__(self, text: str, code: str = "", filename: str = "", lineno: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.filename = filename
        self.lineno = lineno


class KernelSourceError(ValueError):
    """The source of a function cannot be found."""


class DivergenceWarning(UserWarning):
    """A kernel calls an operation of a block where a test may divide the block's threads."""


class GeneratedCodeError(CompileError):
    """The compiler of CUDA C++ refused a text that cuox made of a function: an error in cuox, not in the program.

    source: the file that keeps the text, for a report; None if it could not be written. filename, lineno: the line that
    the refused text was made of, as the compiler names it.
    """

    source: Path | None = None
    filename: str = ""
    lineno: int = 0


# Messages and pickles name the place that users know.
for _class in (KernelTypeError, KernelSourceError, GeneratedCodeError):
    _class.__module__ = "cuox"
del _class


@contextlib.contextmanager
def generated(text: str, function: str) -> Iterator[None]:
    """While a text that was made of a function is compiled: an error that the compiler finds in it is cuox's.

    Others, such as too much shared memory, have no place in the text.
    """
    try:
        yield
    except CompileError as error:
        raise_as_ours(error, function, lambda: text)
        raise


def raise_as_ours(error: CompileError, function: str, text: Callable[[], str]) -> None:
    """Raise GeneratedCodeError for an error that the compiler found in a text that was made of a function. `text`
    returns that text.
    """
    place = re.search(r"^(.+)\((\d+)\): (?:catastrophic )?error", error.log, re.MULTILINE)
    if place is not None:
        raise _refused(text(), function, error, place[1], int(place[2])) from error


def text_of(sources: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    """The texts of an algorithm's kernels, `(text, name, options)` each, as one for a report."""
    return "\n".join(f"// {name}: {' '.join(options)}\n{text}" for text, name, options in sources)


def _refused(text: str, function: str, error: CompileError, filename: str, lineno: int) -> GeneratedCodeError:
    kept: Path | None = None
    # The report is worth more than the reason why its text could not be kept.
    with contextlib.suppress(OSError):
        kept = made_in_cache("reports") / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.cu"
        kept.write_text(text, encoding="utf-8")
    where = f"in {kept}" if kept is not None else "nowhere: the cache folder cannot be written (CUOX_CACHE_DIR)"
    made = GeneratedCodeError(
        f"{function}(): NVRTC refused the CUDA C++ that cuox made of it. This is an error in cuox, not in the program: "
        f"please report it with the text, which is kept {where}\n"
        f'  File "{filename}", line {lineno}\n{error.log.strip()}',
        error.code,
        error.name,
        error.log,
    )
    made.source, made.filename, made.lineno = kept, filename, lineno
    return made
