"""Keys of compilations."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from cuox import _native
from cuox._internal.errors import NotFoundError
from cuox._internal.options import ProgramOptions
from cuox.cuda.core.typing import SourceCodeType

# Another number for another way to make keys: entries under older ones are not found any more.
_VERSION = 1
_TARGETS = {
    SourceCodeType.CXX: ("ptx", "cubin", "ltoir"),
    SourceCodeType.PTX: ("ptx", "cubin"),
    SourceCodeType.NVVM: ("ptx", "ltoir"),
}
# Options of NVRTC that write files, which it would not if the code is kept already, and those that read files.
_WRITING = {"create-pch", "time", "fdevice-time-trace"}
_READING = {"include-path", "pre-include", "pch", "use-pch", "pch-dir"}
# The names of headers in a source.
_INCLUDE = re.compile(r"""^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]""", re.MULTILINE)
# Options of libNVVM.
_NVVM = ("arch", "debug", "device_code_optimize", "lineinfo", "ftz", "prec_sqrt", "prec_div", "fma", "numba_debug")


def make_program_cache_key(
    *,
    code: str | bytes,
    code_type: str,
    options: ProgramOptions,
    target_type: str,
    name_expressions: Iterable[str | bytes] = (),
    extra_digest: bytes | None = None,
) -> bytes:
    """Make the key of a compilation for a `ProgramCacheResource`, of all that its output depends on. 32 bytes.

    code, code_type, options: as for `Program`; code_type can be "nvvm", too, with the code as a text or bytes.
    target_type, name_expressions: as for `Program.compile`; the order of the expressions does not matter.
    extra_digest: bytes that stand for all else, such as a hash of the headers that are included.

    The compiler's version is in the key, and the architecture, which is that of the current device if the options have
    none.

    Raises ValueError for options that read files (`include_path`, `pre_include`, `pch`, `use_pch`, `pch_dir`, a name
    in another folder; `use_libdevice` of NVVM) without an extra_digest, for options that write files (`create_pch`,
    `time`, `fdevice_time_trace`), and for a target that does not come of the code; TypeError for code that is no text.
    """
    kind = SourceCodeType(code_type.lower() if isinstance(code_type, str) else code_type)
    target = target_type.lower() if isinstance(target_type, str) else target_type
    if not any(target in targets for targets in _TARGETS.values()):
        raise ValueError(f"target_type must be 'ptx', 'cubin' or 'ltoir', not {target_type!r}")
    if target not in _TARGETS[kind]:
        possible = " or ".join(map(repr, _TARGETS[kind]))
        raise ValueError(f"target_type {target!r} is not valid for code_type={str(kind)!r}, which becomes {possible}")
    if not isinstance(options, ProgramOptions):
        raise TypeError(f"options: expected ProgramOptions, got {type(options).__name__}")
    if kind != SourceCodeType.NVVM and options.extra_sources is not None:
        raise ValueError(f"extra_sources is an option of NVVM, not of code_type={str(kind)!r}")
    text = _code(code, kind)
    parts: Iterator[str | bytes] = iter(())  # PTX is taken as it is
    if kind == SourceCodeType.CXX:
        parts = _nvrtc_parts(text, options, target, name_expressions, extra_digest)
    elif kind == SourceCodeType.NVVM:
        parts = _nvvm_parts(options, extra_digest)
    digest = hashlib.sha256(f"cuox program {_VERSION}".encode(), usedforsecurity=False)
    own: list[str | bytes] = [
        str(kind),
        target,
        text,
        repr(options.name),
        repr(None if extra_digest is None else bytes(extra_digest)),
    ]
    for part in [*own, *parts]:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


def _code(code: object, kind: SourceCodeType) -> bytes:
    if isinstance(code, str):
        return code.encode()
    if not isinstance(code, (bytes, bytearray)):
        raise TypeError(f"code: expected a str, got {type(code).__name__}")
    if kind != SourceCodeType.NVVM:
        raise TypeError(f"code must be str for code_type={str(kind)!r}, got {type(code).__name__}")
    return bytes(code)


def _nvrtc_parts(
    code: bytes,
    options: ProgramOptions,
    target: str,
    name_expressions: Iterable[str | bytes],
    extra_digest: bytes | None,
) -> Iterator[str | bytes]:
    """What NVRTC's output depends on, beside the code."""
    words = [word.decode() for word in options.as_bytes("nvrtc", target)]
    given = [word.lstrip("-").partition("=")[0] for word in words]
    if writing := [name for name in given if name in _WRITING]:
        raise ValueError(
            f"options with a side effect cannot be kept: {_fields(writing)} writes a file, which it would not if the code is "
            "taken from a cache"
        )
    if extra_digest is None:
        if reading := [name for name in given if name in _READING]:
            raise ValueError(
                f"{_fields(reading)} reads files, which the key does not see: give make_program_cache_key an extra_digest, such "
                "as a hash of them"
            )
        if re.search(r"[/\\]", options.name or ""):
            raise ValueError(
                f"name={options.name!r} has a directory component, where includes are looked for, which the key does not see: "
                "give make_program_cache_key an extra_digest, such as a hash of the headers there"
            )
        if near := next((name for name in _INCLUDE.findall(code.decode()) if Path(name).is_file()), None):
            raise ValueError(
                f"code includes {near!r}, a file that the key does not see: give make_program_cache_key an extra_digest, such as "
                "a hash of it"
            )
    try:
        yield _native.compiler_text(code.decode(), words, target)
    except NotFoundError:
        yield "no NVRTC"
    yield from words
    yield "expressions"
    yield from sorted(map(_expression, name_expressions))


def _fields(names: list[str]) -> str:
    return " and ".join(name.replace("-", "_") for name in dict.fromkeys(names))


def _expression(expression: object) -> bytes:
    # The mapping of the code has them as they were given.
    if isinstance(expression, bytes):
        return b"b" + expression
    if isinstance(expression, str):
        return b"s" + expression.encode()
    raise TypeError(f"name_expressions: expected texts, as str or bytes, got {type(expression).__name__}")


def _nvvm_parts(options: ProgramOptions, extra_digest: bytes | None) -> Iterator[str | bytes]:
    """What libNVVM's output depends on, beside the code."""
    if options.use_libdevice and extra_digest is None:
        raise ValueError(
            "use_libdevice reads libdevice's file, which the key does not see: give make_program_cache_key an extra_digest, such "
            "as a hash of it"
        )
    yield repr(_nvvm_versions())
    yield repr([(field.name, getattr(options, field.name)) for field in fields(options) if field.name in _NVVM])
    yield repr(bool(options.use_libdevice))
    yield repr([(str(name), source) for name, source in options.extra_sources or ()])


def _nvvm_versions() -> object:
    from cuox.cuda.bindings import nvvm

    try:
        return nvvm.version(), nvvm.ir_version()
    except Exception as error:  # No library is a reason, too, and none that this key is about.
        return type(error).__name__
