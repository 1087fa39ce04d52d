"""nvcc's command line, read for NVRTC: which options mean the same there, which matter to host code only, which need
nvcc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Translation", "translate"]


class _Kind(Enum):
    """The treatment of an option."""

    FLAG = 1
    """NVRTC has it, without a value."""
    VALUE = 2
    """NVRTC has it, with a value."""
    ARCH = 3
    CODE = 4
    GENCODE = 5
    SKIP_FLAG = 6
    """Without effect on device code."""
    SKIP_VALUE = 7
    WARN_FLAG = 8
    """For the host compiler or the linker: left out with a warning."""
    WARN_VALUE = 9


# Each line: what it becomes, the treatment, and nvcc's spellings (nvcc manual, *NVCC Command Options*) without dashes.
_TABLE: tuple[tuple[str, _Kind, str], ...] = (
    ("", _Kind.ARCH, "arch gpu-architecture"),
    ("", _Kind.CODE, "code gpu-code"),
    ("", _Kind.GENCODE, "gencode generate-code"),
    # -O0 to -O3 are for host code.
    ("", _Kind.SKIP_VALUE, "O optimize"),
    # The functions that are wanted: the others do no harm.
    ("", _Kind.SKIP_VALUE, "e entries"),
    ("include-path", _Kind.VALUE, "I include-path isystem system-include"),
    ("define-macro", _Kind.VALUE, "D define-macro"),
    ("undefine-macro", _Kind.VALUE, "U undefine-macro"),
    ("pre-include", _Kind.VALUE, "include pre-include"),
    ("std", _Kind.VALUE, "std"),
    ("maxrregcount", _Kind.VALUE, "maxrregcount"),
    ("ptxas-options", _Kind.VALUE, "Xptxas ptxas-options"),
    ("ftz", _Kind.VALUE, "ftz"),
    ("prec-sqrt", _Kind.VALUE, "prec-sqrt"),
    ("prec-div", _Kind.VALUE, "prec-div"),
    ("fmad", _Kind.VALUE, "fmad"),
    ("relocatable-device-code", _Kind.VALUE, "rdc relocatable-device-code"),
    ("diag-suppress", _Kind.VALUE, "diag-suppress"),
    ("diag-error", _Kind.VALUE, "diag-error"),
    ("diag-warn", _Kind.VALUE, "diag-warn"),
    ("Ofast-compile", _Kind.VALUE, "Ofast-compile Ofc"),
    ("optimization-info", _Kind.VALUE, "optimization-info opt-info"),
    ("split-compile", _Kind.VALUE, "split-compile"),
    ("frandom-seed", _Kind.VALUE, "frandom-seed"),
    ("use_fast_math", _Kind.FLAG, "use_fast_math use-fast-math"),
    ("device-debug", _Kind.FLAG, "G device-debug"),
    ("generate-line-info", _Kind.FLAG, "lineinfo generate-line-info"),
    ("relocatable-device-code=true", _Kind.FLAG, "dc device-c"),
    ("extra-device-vectorization", _Kind.FLAG, "extra-device-vectorization"),
    ("restrict", _Kind.FLAG, "restrict"),
    ("disable-warnings", _Kind.FLAG, "w disable-warnings"),
    ("no-display-error-number", _Kind.FLAG, "no-display-error-number err-no"),
    ("ptxas-options=-v", _Kind.FLAG, "res-usage resource-usage"),
    ("extensible-whole-program", _Kind.FLAG, "ewp extensible-whole-program"),
    ("device-int128", _Kind.FLAG, "device-int128"),
    ("device-float128", _Kind.FLAG, "device-float128"),
    ("no-cache", _Kind.FLAG, "no-cache"),
    ("device-as-default-execution-space", _Kind.FLAG, "device-as-default-execution-space default-device"),
    ("minimal", _Kind.FLAG, "minimal"),
    (
        "",
        _Kind.SKIP_FLAG,
        (
            "g debug pg profile v verbose keep k save-temps clean m32 m64 c compile ptx cubin fatbin device-link dlink link "
            "expt-relaxed-constexpr expt-extended-lambda extended-lambda display-error-number no-compress dont-use-profile noprof "
            "allow-unsupported-compiler shared lib MD MP MMD"
        ),
    ),
    (
        "",
        _Kind.SKIP_VALUE,
        (
            "m machine L library-path l library cudart cudadevrt ccbin compiler-bindir odir output-directory o output-file keep-dir "
            "default-stream x t threads idp input-drive-prefix ldir libdevice-directory cuda-root dopt"
        ),
    ),
    ("", _Kind.WARN_FLAG, "Wno-deprecated-gpu-targets Wdefault-stream-launch Wreorder"),
    (
        "",
        _Kind.WARN_VALUE,
        "Xcompiler compiler-options Xlinker linker-options Xarchive Xnvlink nvlink-options Xcudafe Xfatbin Xcicc Werror",
    ),
)
_OPTIONS: dict[str, tuple[str, _Kind]] = {
    name: (becomes, kind) for becomes, kind, names in _TABLE for name in names.split()
}
_WITHOUT_VALUE = {_Kind.FLAG, _Kind.SKIP_FLAG, _Kind.WARN_FLAG}
# The value may follow without a space or `=`.
_JOINED = ("I", "D", "U", "L", "l", "O")
# Options that warn and are so common that a warning would only be noise.
_QUIET = {"Wno-deprecated-gpu-targets", "Xcudafe", "Werror"}


@dataclass
class Translation:
    """A command line of nvcc, read.

    options: NVRTC's options, without the architecture. arch, code: the architectures that were named, or None. ignored:
    options without a meaning for device code that the user should hear about. unknown: options that only nvcc may know.
    """

    options: list[str] = field(default_factory=list)
    arch: str | None = None
    code: str | None = None
    ignored: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def _gencode(self, value: str) -> None:
        for part in value.split(","):
            key, _, architecture = part.partition("=")
            if key.strip() == "arch":
                self.arch = architecture
            elif key.strip() == "code":
                self.code = architecture

    def _take(self, becomes: str, kind: _Kind, text: str, value: str) -> None:
        match kind:
            case _Kind.FLAG:
                self.options.append(f"--{becomes}")
            case _Kind.VALUE:
                # ptxas's options are a list with commas for nvcc, one option each for NVRTC.
                values = value.split(",") if becomes == "ptxas-options" else [value]
                self.options += [f"--{becomes}={one}" for one in values]
            case _Kind.ARCH:
                self.arch = value
            case _Kind.CODE:
                self.code = value
            case _Kind.GENCODE:
                self._gencode(value)
            case _Kind.WARN_FLAG | _Kind.WARN_VALUE:
                if text.lstrip("-").partition("=")[0].partition(" ")[0] not in _QUIET:
                    self.ignored.append(text)
            case _Kind.SKIP_FLAG | _Kind.SKIP_VALUE:
                pass


def translate(words: Sequence[str]) -> Translation:
    """Read options of nvcc. Raises ValueError if the last one lacks its value, TypeError if one is not text."""
    read = Translation()
    rest = iter(words)
    for word in rest:
        if not isinstance(word, str):
            raise TypeError(f'options: expected a list of texts such as ["-O3"], got {type(word).__name__} in it')
        text = word.strip()
        if not text:
            continue
        name, value = _split(text)
        known = _OPTIONS.get(name) if text.startswith("-") else None
        if known is None:
            read.unknown.append(text)
            continue
        becomes, kind = known
        if kind in _WITHOUT_VALUE:
            if value is None or value == "true":
                read._take(becomes, kind, text, "")
            elif value != "false":
                read.unknown.append(text)
            continue
        if value is None:
            value = next(rest, None)
            if value is None:
                raise ValueError(f"the compiler option {text} lacks its value")
            text = f"{text} {value}"
        read._take(becomes, kind, text, value)
    return read


def _split(text: str) -> tuple[str, str | None]:
    """Split an option into its name without dashes and the value that is in the same word, if any."""
    name = text.lstrip("-")
    for mark in ("=", " "):
        head, found, value = name.partition(mark)
        if found and head in _OPTIONS:
            return head, value.strip()
    if name not in _OPTIONS and not text.startswith("--"):
        for prefix in _JOINED:
            if name.startswith(prefix):
                return prefix, name[len(prefix) :].strip()
    return name, None
