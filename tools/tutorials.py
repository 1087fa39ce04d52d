"""Runs the programs of tutorials, texts as found in the web, with `cuox.` in front of the import lines that they have.

    python tools/tutorials.py FOLDER [-k PART] [--show]

FOLDER has texts (*.txt, *.md). In each, programs in Python, Cython, C and CUDA C++, SWIG interfaces and commands behind
`$` are found, put back on their lines where those are lost, and run in their order: those in Python in one namespace
for each text, on the device that CUOX_DEVICE chooses. `nvcc` is `cuox nvcc`. Prints a table, and ends with 1 if one
failed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HAN = "\u3001-\u303f\u4e00-\u9fff\uff00-\uffef"
STAND_INS = r"(pycuda|numba|cuda)\b"
# The names of what a program may need and cuox does not bring; without them it is skipped.
OTHERS = ("torch", "cupy", "jax", "mindspore")
# A comment in Chinese up to where code begins: words that Chinese follows, and what is in parentheses.
COMMENT = re.compile(
    rf"#\s*(?:\d+\.\s*)?(?:[\w./:*+,-]*? ?[{HAN}]+|\d+[{HAN}]|\([^()]*\))+(?:[A-Z]{{2,}}(?=[a-z_]+ = ))?", re.ASCII
)
STATEMENT = (
    r"(?:(?:import|from|if|raise|assert|return) |print\(|[a-z_]+(?:, ?[a-z_]*)? ?= ?[^=]|[a-z_]+\.[A-Za-z_]+[\[(])"
)
LITERAL = re.compile(r'"""[\s\S]*?"""|f?"(?:[^"\\\n]|\\.)*"|f?\'(?:[^\'\\\n]|\\.)*\'')


@dataclass
class Fragment:
    """A program, a part of one, or a command."""

    kind: str
    text: str
    is_wrong: bool = False
    """True if the text has it as an example of what fails."""
    result: str = ""

    def title(self) -> str:
        """Its first words."""
        lines = [line for line in self.text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        return (lines or [self.text])[0].strip()[:60]


def lines_put_back(text: str) -> str:
    """Python code with the line breaks that it has lost, some of them to blanks, as long as it can be understood."""
    literals: list[str] = []

    def hide(found: re.Match[str]) -> str:
        literals.append(found[0])
        return f"\x00{len(literals) - 1}\x01"

    text = LITERAL.sub(hide, text)
    text = COMMENT.sub("\n", text)
    # Where a statement ends, another begins: behind a closing bracket, a literal, a number or a name.
    text = re.sub(rf"(?<=[)\]\x01{HAN}])(?={STATEMENT})", "\n", text)
    text = re.sub(rf"(?<=\))(?=[{HAN}]|\d+\. )", "\n", text)
    text = re.sub(r"(?<=\d)(?=[a-z_]+ = )", "\n", text)
    text = re.sub(r"(?<=[a-z_])(?=import [a-z_.]+ as )", "\n", text)
    text = re.sub(r"^([ \t]+)", "", text, flags=re.MULTILINE)
    text = re.sub(rf"(?<=[)\]\x01\w]) (?={STATEMENT})", _blank_between_statements, text)
    text = re.sub(r"\x00(\d+)\x01", lambda found: literals[int(found[1])], text)
    return indented(text)


def _blank_between_statements(found: re.Match[str]) -> str:
    before = found.string[: found.start()].rpartition("\n")[2]
    # Inside of brackets, and between the words of one statement, it is a blank.
    is_open = sum(map(before.count, "([{")) > sum(map(before.count, ")]}"))
    return (
        " "
        if is_open or re.search(r"\b(import|from|as|in|if|and|or|not|is|raise|assert|for)$|^from [\w.]+$", before)
        else "\n"
    )


def indented(text: str) -> str:
    """Lines with the body of an `if` behind it, up to its `raise`."""
    made, inside = [], False
    for line in text.split("\n"):
        made.append("    " + line if inside and line else line)
        if re.match(r"if .*:$", line.strip()):
            inside = True
        elif inside and line.startswith("raise "):
            inside = False
    return "\n".join(made)


def parsed(lines: list[str]) -> list[str]:
    """The longest beginning that is a program in Python."""
    for end in range(len(lines), 0, -1):
        try:
            ast.parse("\n".join(lines[:end]))
        except (SyntaxError, ValueError):
            continue
        return lines[:end]
    return []


def is_prose(line: str) -> bool:
    return re.match(rf"[{HAN}]|\s*$|#{{2,}} |\d+\. |[-*|>] ?[{HAN}]", line) is not None


def is_python(line: str) -> bool:
    """True if a line can be the first of a program."""
    code = line.split("#")[0].strip()
    if re.search(rf"[{HAN}]", code) or not re.search(r"[=(]|^import |^from ", code):
        return False
    if code.endswith(('"""', "(", "[", "{")):
        return re.match(r"[\w.]+ = |[\w.]+\(", code) is not None
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    return line[:1].strip() != ""


def block(lines: list[str], at: int) -> int:
    """The end of a program that begins at a line: where prose does, outside of literals and braces."""
    text = False
    end = at
    while end < len(lines):
        line = lines[end]
        if not text and line.strip() and is_prose(line):
            break
        if not text and re.match(r"\$ |In \[|Out\[", line):
            break
        text ^= line.count('"""') % 2 == 1
        end += 1
    return end


def fragments(text: str) -> Iterator[Fragment]:
    """Programs, interfaces and commands of a text, in their order."""
    lines = text.replace("\r", "").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        lost = re.search(r"from cuda\.\w+(\.\w+)* import|%module |(?<=\) )import ctypes ", line)
        if lost and len(line) > 100:
            yield from of_one_line(line)
            at += 1
        elif line.startswith("$ "):
            yield Fragment("command", line[2:])
            at += 1
        elif found := re.match(r"In \[\d+\]: (.*)", line):
            yield Fragment("python", found[1])
            at += 1
        elif line.startswith("#include"):
            end = block(lines, at)
            source = "\n".join(lines[at:end])
            yield Fragment("cuda" if "__global__" in source else "c", source)
            at = end
        elif is_python(line):
            end = block(lines, at)
            source = lines[at:end]
            if any(re.match(r"c?p?def |cdef ", one) for one in source) and "cpdef" in "\n".join(source):
                yield Fragment("cython", "\n".join(source))
            elif made := parsed(source):
                yield Fragment("python", "\n".join(made))
                end = at + len(made)
            at = max(end, at + 1)
        else:
            at += 1


def of_one_line(line: str) -> Iterator[Fragment]:
    """Programs of a text that has lost its lines."""
    if found := re.search(r"%module .*?(?=//|$)", line):
        interface = re.sub(r"\s*(%\{|%\}|#include|%include)", r"\n\1", found[0])
        yield Fragment("swig", interface)
        line = line[found.end() :]
    starts = [
        found.start() for found in re.finditer(r"from cuda\.\w+(?:\.\w+)* import|\bimport (?=ctypes |driver )", line)
    ]
    for start, end in zip(starts, [*starts[1:], len(line)]):
        if made := parsed(lines_put_back(line[start:end]).split("\n")):
            yield Fragment("python", "\n".join(made), is_wrong="错误" in line[max(0, start - 20) : start])


def with_cuox(code: str) -> str:
    """A program in Python with `cuox.` in front of its imports of what cuox stands in for."""
    code = re.sub(rf"^(\s*from )(?={STAND_INS})", r"\1cuox.", code, flags=re.MULTILINE)
    return re.sub(rf"^(\s*import )(?={STAND_INS})", r"\1cuox.", code, flags=re.MULTILINE)


WORKER = """
import json, os, sys, traceback
names, answers = {"__name__": "__main__"}, os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the programs print, those in C too
for line in sys.stdin:
    error = None
    try:
        path = json.loads(line)
        with open(path) as file:
            exec(compile(file.read(), path, "exec"), names)
    except BaseException as caught:
        error = traceback.format_exception_only(caught)[-1].strip()
        traceback.print_exc()
    print(json.dumps(error), file=answers, flush=True)
"""


class Text:
    """Runs the fragments of a text in a folder."""

    def __init__(self, folder: Path, all_of_it: list[Fragment]) -> None:
        self.folder, self.fragments = folder, all_of_it
        others = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(folder), others] if others else [str(folder)])
        self.environment = {**os.environ, "PYTHONPATH": path}
        soft = subprocess.run(
            [sys.executable, "-c", "import cuox; print(cuox.Device(0).name)"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.startswith("cuox")
        # A driver is opened by its name, too.
        front = [sys.executable, "-m", "cuox", "run", "--"] if soft else []
        self.worker = subprocess.Popen(
            [*front, sys.executable, "-c", WORKER],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(folder / "log").open("w"),
            text=True,
        )

    def run(self) -> None:
        """Run all, and put what came of each into it."""
        for at, fragment in enumerate(self.fragments):
            reason = getattr(self, fragment.kind)(fragment.text, at)
            others = next((name for name in OTHERS if reason and f"No module named '{name}'" in reason), None)
            if others:
                fragment.result = f"skipped: no {others}"
            elif reason and fragment.is_wrong:
                fragment.result = f"skipped: it is to fail: {reason}"
            else:
                fragment.result = f"failed: {reason}" if reason else "passed"
        assert self.worker.stdin
        self.worker.stdin.close()
        self.worker.wait(60)

    def python(self, text: str, at: int) -> str | None:
        assert self.worker.stdin and self.worker.stdout
        # In a file, for kernels in Python are translated from their source.
        (self.folder / f"program{at}.py").write_text(with_cuox(text))
        try:
            self.worker.stdin.write(json.dumps(f"program{at}.py") + "\n")
            self.worker.stdin.flush()
        except BrokenPipeError:
            return "the process has ended"
        answer = self.worker.stdout.readline()
        return json.loads(answer) if answer else f"the process ended with {self.worker.wait(60)}"

    def _file(self, text: str, at: int, suffix: str) -> None:
        """A source, under the name that the next command has for it."""
        commands = (one.text for one in self.fragments[at:] if one.kind == "command")
        named = (re.search(rf"[\w-]+{re.escape(suffix)}\b", command) for command in commands)
        name = next((found[0] for found in named if found), f"source{suffix}")
        (self.folder / name).write_text(text + "\n")

    def cuda(self, text: str, at: int) -> None:
        self._file(text, at, ".cu")

    def c(self, text: str, at: int) -> None:
        self._file(text, at, ".c")

    def cython(self, text: str, at: int) -> None:
        self._file(text, at, ".pyx")

    def swig(self, text: str, _: int) -> str | None:
        found = re.search(r"%module (\w+)", text)
        name = found[1] if found else "module"
        (self.folder / f"{name}.i").write_text(text + "\n")
        return self._shell(f"cuox bind {name}.i -l cudart -o {name}.py")

    def command(self, text: str, _: int) -> str | None:
        reason = self._shell(text)
        if reason is None and (found := re.match(r"gcc .*-o (\S+)", text)) and "." not in found[1]:
            done = subprocess.run([f"./{found[1]}"], cwd=self.folder, env=self.environment, check=False)
            reason = f"{found[1]} ended by signal {-done.returncode}" if done.returncode < 0 else None
        return reason

    def _shell(self, text: str) -> str | None:
        python = f'"{sys.executable}"'
        tools = {
            "nvcc": f"{python} -m cuox nvcc",
            "cuox": f"{python} -m cuox",
            "cythonize": f"{python} -m Cython.Build.Cythonize",
            "python3": python,
            "python": python,
        }
        name, _, rest = text.partition(" ")
        if name == "python3" and not (self.folder / rest).is_file():
            return None  # the program itself has run
        done = subprocess.run(
            f"{tools.get(name, name)} {rest}",
            shell=True,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        lines = (done.stderr + done.stdout).strip().splitlines()
        return None if done.returncode == 0 else f"exit status {done.returncode}: {(lines or ['no output'])[-1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-k", default="", metavar="PART", help="only texts whose names have this part")
    parser.add_argument("--show", action="store_true", help="print the programs as they are run")
    options = parser.parse_args()
    failed = 0
    for path in sorted([*options.folder.glob("*.txt"), *options.folder.glob("*.md")]):
        if options.k not in path.name or path.name == "README.md":
            continue
        found = list(fragments(path.read_text(encoding="utf-8")))
        with tempfile.TemporaryDirectory(prefix="cuox-tutorial-") as folder:
            if found:
                Text(Path(folder), found).run()
            if options.show:
                print((Path(folder) / "log").read_text() if found else "")
        print(f"{path.name}: {len(found)} programs and commands")
        for fragment in found:
            failed += fragment.result.startswith("failed")
            print(f"  {fragment.result.partition(':')[0]:<8} {fragment.kind:<8} {fragment.title()}")
            if ":" in fragment.result:
                print(f"           {fragment.result.partition(': ')[2]}")
            if options.show:
                print("           | " + with_cuox(fragment.text).replace("\n", "\n           | "))
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
