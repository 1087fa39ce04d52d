"""Cuts a CUDA C++ source, with the headers of its own repository, down to device code.

What has `__global__`, `__device__`, `__constant__` or the like stays, with the types, constants and constexpr functions
that it names, and all directives and namespaces. Other functions and variables are left out, each as empty lines, so
that the lines of messages stay the file's. What a compiler then misses is put back by `Cut.mend`, and what it refuses
beside device code is left out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*|[A-Za-z_]\w*|\d[\w.]*|\n|[^\S\n]+|.',
    re.DOTALL | re.MULTILINE,
)
DEVICE = {"__global__", "__device__", "__constant__", "__shared__", "__managed__"}
RECORDS = {"struct", "class", "union", "enum"}
ATTRIBUTES = {"__align__", "alignas", "__attribute__", "__launch_bounds__", "decltype", "__declspec"}
INCLUDE = re.compile(r'#\s*include\s*(["<])([^">]+)[">]')
# Names that only host code uses.
HOST = re.compile(
    r"\bstd::(?:vector|string|map|unordered_\w+|set|list|deque|queue|function|chrono|thread|mutex|exception|\w+_error|\w*stream\w*|cout|cerr|endl|unique_ptr|auto_ptr|"
    r"shared_ptr|mt19937\w*|random_device|filesystem|default_random_engine)\b|\b(?:vector|map|list|set)\s*<|\bstring\b|\bFILE\b|\b(?:fprintf|exit|getopt|atoi|atof|"
    r"gettimeofday|srand|rand)\s*\(|\bcuda[A-Z]\w+\s*\(|\bchrono\b|\bhigh_resolution_clock\b|\bpthread_\w+|\btimeval\b|\bboost::|<<<"
)
ERROR = re.compile(r"^(.+?)(?:\((\d+)\)|:(\d+)(?::\d+)?): (?:catastrophic |fatal )?error: (.*)$", re.MULTILINE)


@dataclass
class Piece:
    """One declaration at the level of a namespace, a directive, or the beginning or end of a namespace."""

    text: str
    line: int
    # directive, frame, using, device, type, host
    kind: str = ""
    declares: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    kept: bool = False
    pinned: bool = False

    @property
    def lines(self) -> int:
        return self.text.count("\n")


def significant(tokens: list[str]) -> list[str]:
    """Words and marks of a declaration without spaces, comments, literals and directives."""
    return [
        t for t in tokens if t.strip() and not t.startswith(("//", "/*", '"', "'")) and not t.lstrip().startswith("#")
    ]


def head_of(tokens: list[str]) -> list[str]:
    """A declaration up to its body, without `template <...>` and without attributes in brackets."""
    words = significant(tokens)
    end = words.index("{") if "{" in words else len(words)
    words = words[:end]
    while words and words[0] == "template":
        depth, at = 0, 1
        while at < len(words):
            depth += (words[at] == "<") - (words[at] == ">")
            at += 1
            if depth == 0:
                break
        words = words[at:]
    out: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in ATTRIBUTES and at + 1 < len(words) and words[at + 1] == "(":
            depth, at = 0, at + 1
            while at < len(words):
                depth += (words[at] == "(") - (words[at] == ")")
                at += 1
                if depth == 0:
                    break
            continue
        out.append(words[at])
        at += 1
    return out


def is_function(head: list[str]) -> bool:
    """True for the head of a function: brackets, and no initialiser before them."""
    if "(" not in head or (head and head[0] in ("typedef", "using", "static_assert")):
        return False
    before = head[: head.index("(")]
    return "=" not in before or "operator" in before


def split(text: str) -> list[Piece]:
    """The pieces of a file, in order; together they are its text."""
    pieces: list[Piece] = []
    now: list[str] = []
    line, depth = 1, 0

    def end(kind: str = "") -> None:
        nonlocal line, now
        piece = Piece("".join(now), line, kind)
        if piece.text:
            classify(piece, now)
            pieces.append(piece)
            line += piece.lines
        now = []

    for match in TOKEN.finditer(text):
        token = match.group()
        if depth == 0 and token.lstrip().startswith("#"):
            # One within a declaration, as in a head with alternatives, stays with it.
            if significant(now):
                now.append(token)
                continue
            end()
            now = [token]
            end("directive")
            continue
        now.append(token)
        if token in ("{", "(", "["):
            if token == "{" and depth == 0 and is_frame(now):
                end("frame")
                continue
            depth += 1
        elif token in ("}", ")", "]"):
            if depth == 0:
                end("frame")
                continue
            depth -= 1
            if depth == 0 and token == "}" and is_function(head_of(now)):
                end()
        elif token == ";" and depth == 0:
            end()
    end()
    return pieces


def is_frame(tokens: list[str]) -> bool:
    """True if a `{` begins a namespace or a block of `extern "C"`."""
    head = significant(tokens)[:-1]
    return head == ["extern"] or ("namespace" in head[:2] and "=" not in head)


def classify(piece: Piece, tokens: list[str]) -> None:
    """Sets the kind of a piece, and what it declares and uses."""
    words = significant(tokens)
    piece.uses = {w for w in words if w[0].isalpha() or w[0] == "_"}
    if piece.kind == "directive":
        piece.uses = set(re.findall(r"[A-Za-z_]\w*", piece.text))
        return
    if piece.kind == "frame" or not words:
        piece.kind = "frame"
        return
    head = head_of(tokens)
    first = next((w for w in head if w not in ("static", "const", "extern", "inline", "constexpr")), "")
    names = [w for w in head if w[0].isalpha() or w[0] == "_"]
    if is_function(head):
        before = head[: head.index("(")]
        piece.declares = {before[-1]} if before and "operator" not in before else {"operator"}
        device = DEVICE & set(head)
        piece.kind = "device" if device else "type" if "constexpr" in before else "host"
    elif (head[:1] == ["using"] and "=" not in head) or head[:1] == ["namespace"]:
        piece.kind = "using"
    elif head[:1] == ["using"]:
        piece.declares = {head[1]}
        piece.kind = "type"
    elif DEVICE & set(words):
        piece.kind, piece.declares = "device", set(names)
    elif first in RECORDS or head[:1] == ["typedef"]:
        piece.kind = "type"
        piece.declares = set(piece.uses) if "enum" in names else set(names[:3]) | set(outside(words))
    else:
        constant = {"const", "constexpr"} & set(head)
        piece.kind, piece.declares = "type" if constant else "host", set(outside(words))
    # A declaration ahead of a definition costs nothing.
    if first in RECORDS and "{" not in words and len(head) <= 3 and piece.kind == "type":
        piece.kind = "using"


def outside(words: list[str]) -> Iterator[str]:
    """Words outside of braces."""
    depth = 0
    for word in words:
        depth += (word == "{") - (word == "}")
        if depth == 0 and (word[0].isalpha() or word[0] == "_"):
            yield word


def blank(text: str) -> str:
    """Empty lines for a piece that is left out; conditions and macros within it stay, for what follows depends on
    them."""
    out = []
    for match in TOKEN.finditer(text):
        token = match.group()
        is_directive = token.lstrip().startswith("#") and not INCLUDE.search(token) and re.match(r"\s*#\s*[a-z]", token)
        out.append(token if is_directive and token != text else "\n" * token.count("\n"))
    return "".join(out)


def without_host_members(text: str) -> str:
    """A record without functions that device code cannot call, and without members of host types."""
    tokens = [m.group() for m in TOKEN.finditer(text)]
    head = head_of(tokens)
    first = next((w for w in head if w not in ("static", "const", "typedef")), "")
    if (
        first not in RECORDS - {"enum"}
        or "{" not in tokens
        or is_function(head)
        or any(t.lstrip().startswith("#") for t in tokens)
    ):
        return text
    begin, end = tokens.index("{") + 1, len(tokens) - 1 - tokens[::-1].index("}")
    out = ["".join(tokens[:begin])]
    for piece in split("".join(tokens[begin:end])):
        access = re.match(r"(?:\s*(?:public|private|protected)\s*:)*", piece.text)
        label = access.group() if access else ""
        own = [m.group() for m in TOKEN.finditer(piece.text[len(label) :])]
        words = significant(own)
        is_host = not DEVICE & set(words) and ("constexpr" not in words)
        body = is_function(head_of(own)) and "{" in words
        if is_host and words and (body or HOST.search(piece.text)):
            out.append(label + "\n" * piece.text[len(label) :].count("\n"))
        else:
            out.append(piece.text)
    return "".join([*out, "".join(tokens[end:])])


class Cut:
    """A source and what it includes of its own repository.

    `read` gives the text of a path in the repository, or None. `folders` are those that headers are searched in.
    """

    def __init__(self, name: str, read: Callable[[str], str | None], folders: list[str]) -> None:
        self.name = name
        self.files: dict[str, list[Piece]] = {}
        queue = [name]
        while queue:
            path = queue.pop()
            text = None if path in self.files else read(path)
            if text is None:
                continue
            self.files[path] = split(text)
            for piece in self.files[path]:
                for mark, included in INCLUDE.findall(piece.text) if piece.kind == "directive" else ():
                    own = [posixpath.dirname(path)] if mark == '"' else []
                    places = (posixpath.normpath(posixpath.join(f, included)) for f in [*own, *folders])
                    queue += [p for p in places if p not in self.files][:8]
        for piece in self.all():
            piece.kept = piece.kind in ("directive", "frame", "using", "device")
            # Host libraries: put back if device code names them.
            if piece.kind == "directive" and re.search(r"include\s*<thrust/", piece.text):
                piece.kept = False
        self.close()

    def all(self) -> Iterator[Piece]:
        """All pieces of all files."""
        for pieces in self.files.values():
            yield from pieces

    def has_kernels(self) -> bool:
        """True if there is anything to compile."""
        return any("__global__" in p.uses for p in self.all() if p.kind != "host")

    def close(self) -> None:
        """Keeps the types and constants that what is kept names."""
        by_name: dict[str, list[Piece]] = {}
        for piece in self.all():
            for name in piece.declares if piece.kind == "type" else ():
                by_name.setdefault(name, []).append(piece)
        queue = [p for p in self.all() if p.kept]
        while queue:
            for name in queue.pop().uses:
                for piece in by_name.get(name, ()):
                    if not piece.kept and not piece.pinned:
                        piece.kept = True
                        queue.append(piece)

    def text(self, path: str) -> str:
        """A file, cut down."""
        return "".join(p.text if p.kept else blank(p.text) for p in self.files[path])

    def host_pieces(self) -> list[Piece]:
        """Kept declarations that use names of host code and are not device code themselves."""
        kinds = ("type", "using", "host")
        return [p for p in self.all() if p.kept and p.kind in kinds and (p.kind == "host" or HOST.search(p.text))]

    def trim(self) -> bool:
        """Leaves out host members of records; false if there are none."""
        changed = False
        for piece in self.all():
            if piece.kept and piece.kind in ("type", "device"):
                text = without_host_members(piece.text)
                changed |= text != piece.text
                piece.text = text
        return changed

    def state(self) -> list[tuple[str, bool, bool]]:
        """The state that can change, for `restore`."""
        return [(p.text, p.kept, p.pinned) for p in self.all()]

    def restore(self, state: list[tuple[str, bool, bool]]) -> None:
        """Undoes all changes since `state`."""
        for piece, (piece.text, piece.kept, piece.pinned) in zip(self.all(), state, strict=True):
            pass

    def mend(self, messages: str, local: Callable[[str], str]) -> bool:
        """Changes what a compiler complains of; false if nothing can be. `local` makes a path of a message one of the
        repository.
        """
        changed = False
        for where, line1, line2, message in ERROR.findall(messages):
            path, line = local(where), int(line1 or line2)
            piece = next(
                (p for p in reversed(self.files.get(path, [])) if p.line <= line and p.kept and p.text.strip()), None
            )
            quoted = set(re.findall(r'"([A-Za-z_]\w*)', message))
            missing = [p for p in self.all() if not p.kept and not p.pinned and p.declares & quoted]
            text = piece.text if piece else ""
            if "thrust" in message or "thrust::" in text:
                missing += [p for p in self.all() if p.kind == "directive" and not p.kept and not p.pinned]
            if missing and not (piece and piece.kind in ("host", "using", "type") and not quoted):
                for p in missing:
                    p.kept = True
                changed = True
            elif (
                piece
                and piece.kind != "device"
                and piece.kind != "frame"
                and (piece.kind != "directive" or "include" in text)
            ):
                piece.kept, piece.pinned = False, True
                changed = True
        self.close()
        return changed
