"""Bind the C interface files of SWIG's examples and of its test-suite, run their scripts, and print the counts.

    python tools/swig_suite.py CHECKOUT [NAME …] [--swig PATH] [--keep FOLDER]

CHECKOUT is a folder with SWIG's sources, of which `Examples/python` and `Examples/test-suite` are used. With `--swig`,
SWIG's own program makes the modules, for comparison; it needs a C compiler and Python's headers.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What SWIG's Makefile gives to its own program, and what is the same for cuox.
OPTIONS = {
    "command_line_define": (["-DFOO", "-DBAR=123"], ["-DFOO", "-DBAR=123"]),
    "preproc_include": (["-includeall"], []),
    "preproc_predefined_stdc": (["-std=c23"], ["--argument=-std=c23"]),
}
TIMEOUT = 120
MEMORY = 12 << 30


def run(command: list[str], folder: Path) -> tuple[bool, str]:
    """Run a stranger's program with limits; return whether it succeeded, and what it printed."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            preexec_fn=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"no end within {TIMEOUT} s"
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def bind(interface: Path, module: str, source: Path | None, folder: Path, swig: str | None) -> tuple[bool, str]:
    """Make a module of an interface file, as `swig -python` and a C compiler would."""
    of_swig, of_cuox = OPTIONS.get(module, ([], []))
    if swig is not None:
        done = run([swig, "-python", *of_swig, f"-I{interface.parent}", "-o", "wrap.c", str(interface)], folder)
        if not done[0]:
            return done
        paths = sysconfig.get_paths()
        sources = ["wrap.c", *([str(source)] if source else [])]
        built = ["cc", "-w", "-shared", "-fPIC", f"-I{paths['include']}", f"-I{interface.parent}", *sources]
        linked = [f"-l{library}" for library in linked_libraries(interface)]
        return run([*built, "-o", f"_{module}.so", *linked], folder)
    options: list[str] = ["-I", str(interface.parent), *of_cuox]
    if source is not None:
        made = folder / "libexample.so"
        done = run(["cc", "-w", "-shared", "-fPIC", str(source), "-o", str(made)], folder)
        if not done[0]:
            return done
        options += ["-l", str(made)]
    for library in linked_libraries(interface):
        options += ["-l", library]
    return run([sys.executable, "-m", "cuox", "bind", str(interface), *options, "-o", f"{module}.py"], folder)


def linked_libraries(interface: Path) -> list[str]:
    """The libraries that an example's makefile links."""
    makefile = interface.parent / "Makefile"
    return re.findall(r"(?<= )-l(\w+)", makefile.read_text()) if interface.stem == "example" else []


def c_examples(root: Path) -> list[Path]:
    """The examples of Python that are C and have a script; `libffi`, too, which SWIG's own list leaves out, as its
    library may not be installed.
    """
    names = [line.strip(" #") for line in (root / "check.list").read_text().splitlines() if line.strip()]
    folders = [root / name for name in names]
    return [
        folder
        for folder in folders
        if (folder / "example.i").exists()
        and (folder / "runme.py").exists()
        and "python_cpp" not in (folder / "Makefile").read_text()
    ]


def c_tests(root: Path) -> list[str]:
    """The names of the C tests."""
    names: list[str] = []
    for file in (root / "common.mk", root / "python" / "Makefile.in"):
        found = re.search(r"^C_TEST_CASES \+= \\\n(.*?)\n\n", file.read_text(), re.MULTILINE | re.DOTALL)
        if found is None:
            raise SystemExit(f"{file} has no list of C tests")
        names += found[1].replace("\\", " ").split()
    return names


def in_folder(keep: Path | None, name: str) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="swig-"))
    shutil.rmtree(keep / name, ignore_errors=True)
    (keep / name).mkdir(parents=True)
    return keep / name


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--swig")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    examples, suite = options.checkout / "Examples" / "python", options.checkout / "Examples" / "test-suite"

    def example(folder: Path) -> tuple[str, bool, bool | None, str]:
        work = in_folder(options.keep, f"example-{folder.name}")
        for file in folder.glob("*.h"):
            shutil.copy(file, work)
        source = folder / "example.c"
        bound = bind(folder / "example.i", "example", source if source.exists() else None, work, options.swig)
        if not bound[0]:
            return f"example {folder.name}", False, False, bound[1]
        shutil.copy(folder / "runme.py", work)
        done = run([sys.executable, "runme.py"], work)
        return f"example {folder.name}", True, done[0], done[1]

    def test(name: str) -> tuple[str, bool, bool | None, str]:
        work = in_folder(options.keep, name)
        bound = bind(suite / f"{name}.i", name, None, work, options.swig)
        script = suite / "python" / f"{name}_runme.py"
        if not bound[0]:
            return name, False, False if script.exists() else None, bound[1]
        if not script.exists():
            done = run([sys.executable, "-c", f"import {name}"], work)
            return name, done[0], None, done[1]
        shutil.copy(script, work)
        shutil.copy(suite / "python" / "swig_test_utils.py", work)
        done = run([sys.executable, script.name], work)
        return name, True, done[0], done[1]

    def wanted(name: str) -> bool:
        return not options.names or name in options.names

    folders = [folder for folder in c_examples(examples) if wanted(folder.name)]
    names = [name for name in c_tests(suite) if wanted(name)]
    with ThreadPoolExecutor(2) as pool:
        of_examples, of_tests = list(pool.map(example, folders)), list(pool.map(test, names))
    for name, bound, ran, text in [*of_examples, *of_tests]:
        if not bound or ran is False:
            said = "\n    ".join(text.splitlines()[-6:])
            print(f"{name}: {'not bound' if not bound else 'its script fails'}\n    {said}")
    scripts = [ran for _, _, ran, _ in of_tests if ran is not None]
    print(f"examples of C: {sum(bool(ran) for _, _, ran, _ in of_examples)} of {len(of_examples)} run")
    print(f"test-suite, C: {sum(bound for _, bound, _, _ in of_tests)} of {len(of_tests)} bound")
    print(f"test-suite, C: {sum(scripts)} of {len(scripts)} scripts pass")
    return 0


if __name__ == "__main__":
    sys.exit(main())
