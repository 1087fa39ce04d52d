"""Compares what nvcc compiles with what `cuox.Program` compiles, over the .cu files of a Git repository.

    python tools/nvcc_sources.py REPOSITORY.git --nvcc NVCC [--include DIR] [--match TEXT] [--most N] [--out FILE]

Each file is cut down to its device code: functions that are neither kernels nor `__device__` are left out. What nvcc makes PTX of is given to
cuox, and the share that it compiles too is printed, with the first error of each of the rest.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*|[A-Za-z_]\w*|\s+|.',
    re.DOTALL | re.MULTILINE,
)
DEVICE = {"__global__", "__device__", "__constant__", "__shared__", "__managed__"}
TYPES = {"struct", "class", "union", "enum", "namespace", "typedef", "using", "template", "constexpr", "const", "extern", "static_assert"}


def pieces(text: str) -> list[str]:
    """The declarations of a file, as texts: each ends with a `;` or a `}` outside of all brackets, or is a directive."""
    list_: list[str] = []
    now: list[str] = []
    depth = 0
    for match in TOKEN.finditer(text):
        token = match.group()
        if depth == 0 and token.lstrip().startswith("#"):
            list_ += ["".join(now), token]
            now = []
            continue
        now.append(token)
        if token in ("{", "(", "["):
            depth += 1
        elif token in ("}", ")", "]"):
            depth = max(depth - 1, 0)
            if depth == 0 and token == "}":
                list_.append("".join(now))
                now = []
        elif token == ";" and depth == 0:
            list_.append("".join(now))
            now = []
    return [*list_, "".join(now)]


def words(piece: str) -> list[str]:
    """Words and marks of a declaration without comments and literals."""
    found = (m.group() for m in TOKEN.finditer(piece))
    return [w for w in found if w.strip() and not w.startswith(("//", "/*", '"', "'"))]


def is_host_function(piece: str) -> bool:
    """Whether a declaration is a function for the host only, or a variable of the host that is not constant."""
    w = words(piece)
    if not w or DEVICE & set(w[: w.index("{")] if "{" in w else w):
        return False
    if w[0] in ("struct", "class", "union", "enum", "namespace", "typedef", "using", "static_assert") or w[:2] == ["extern", "C"]:
        return False
    head = w[: w.index("{")] if "{" in w else w
    if w[0] == "template" and {"struct", "class", "union"} & set(head[head.index(">") :] if ">" in head else head) and "(" not in head:
        return False
    if "(" in head:
        return True
    return not {"const", "constexpr", "template"} & set(head)


def cut(text: str) -> str:
    """The device code of a file."""
    return "".join("\n" * p.count("\n") if is_host_function(p) else p for p in pieces(text))


def main() -> int:
    """Compile all sources with both, print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--match", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--arch", default="compute_90")
    parser.add_argument("--out")
    options = parser.parse_args()
    import cuox

    git = ["git", "--git-dir", options.repository]
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work, "tree")
        tree.mkdir()
        names = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True).stdout.split("\n")
        wanted = [n for n in names if n.endswith((".cu", ".cuh", ".h", ".hpp", ".inl", ".inc"))]
        asked = "".join(f"HEAD:{n}\n" for n in wanted).encode()
        answers = subprocess.run([*git, "cat-file", "--batch"], input=asked, capture_output=True, check=True).stdout
        for name in wanted:
            header, _, answers = answers.partition(b"\n")
            if header.endswith(b" missing"):
                continue
            size = int(header.split()[-1])
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(answers[:size])
            answers = answers[size + 1 :]
        sources = [n for n in wanted if n.endswith(".cu") and options.match in n][:: options.every][: options.most]
        results = []
        for name in sources:
            path = tree / name
            if not path.is_file():
                continue
            text = path.read_text(errors="replace")
            if "__global__" not in text:
                continue
            source = cut(text)
            device = path.with_name(path.stem + "_device.cu")
            device.write_text(source)
            folders = [path.parent, *(tree / i for i in options.include)]
            command = [options.nvcc, "-ptx", f"-arch={options.arch}", "-std=c++17", "-w", "-o", "/dev/null", *(f"-I{f}" for f in folders), str(device)]
            if subprocess.run(command, capture_output=True, timeout=300, check=False).returncode:
                continue
            try:
                program = cuox.Program(source, options={"name": str(device), "arch": options.arch, "std": "c++17", "include_path": [str(f) for f in folders]})
                program.compile("ptx")
                results.append((name, ""))
            except Exception as error:  # noqa: BLE001
                first = next((line for line in str(error).splitlines() if "error:" in line), str(error)[:200])
                results.append((name, first.replace(str(tree) + "/", "")))
                print(name, results[-1][1], sep="\n    ", flush=True)
        good = sum(not error for _, error in results)
        print(f"{good} of {len(results)} that nvcc compiles ({100 * good / max(len(results), 1):.1f} %)")
        if options.out:
            Path(options.out).write_text(json.dumps(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
