"""The documentation is true: programs run and print what stands below them, links and paths lead somewhere, the two
READMEs are one page.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import cuox
import pages
import pytest
from cuox import _native

PROGRAMS = [program for page in pages.PAGES if page.name != "README.zh.md" for program in pages.programs(page)]
# The tasks of docs/README.md that need code: each page has some that runs.
WITH_PROGRAMS = {
    "README", "arrays", "bind", "checking-memory", "ci", "compute", "coop", "cuda-bindings", "cuda-core", "exits-and-interrupts", "failures", "first-kernel", "front-ends", "numba", "nvcc",
    "profiling", "pycuda", "pytorch", "races", "several-gpus", "ship-a-binding", "software-gpu", "troubleshooting",
    *(f"zh/{name}" for name in ("compute", "coop", "first-kernel", "numba", "nvcc", "pycuda", "troubleshooting")),
}  # fmt: skip
# The Python files that users have.
PACKAGES = [path for folder in ("python", "bind/python") for path in (pages.ROOT / folder).rglob("*.py")]
# Folders that a command on the page makes.
MADE = {"fuzz/corpus/lower"}


def missing(need: str) -> bool:
    if need.endswith(".h"):
        return not (Path("/usr/include") / need).is_file()
    try:
        return importlib.util.find_spec(need) is None
    except ModuleNotFoundError:
        return True


# The programs of Chinese pages are those of the English ones, as a test below sees to.
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(one, id=str(one), marks=[pytest.mark.exhaustive] * (one.page.parent.name == "zh"))
        for one in PROGRAMS
    ],
)
def test_a_program(program: pages.Program, device: cuox.Device, tmp_path: Path) -> None:
    if "soft" in program.flags and not device.is_soft:
        pytest.skip("about the software GPU")
    for flag in program.flags:
        kind, _, value = flag.partition("=")
        assert kind in ("soft", "needs"), flag
        if lacking := [need for need in value.split(",") if kind == "needs" and missing(need)]:
            pytest.skip(f"{', '.join(lacking)}: not installed")
    for name, text in program.files.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "program.py").write_text(program.text, "utf-8")
    command = [sys.executable, "program.py"] if program.language == "python" else ["bash", "-euc", program.text]
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    # Programs are run as a reader runs them, so not in the mode that conftest.py sets for the tests of calls.
    environment = {name: value for name, value in os.environ.items() if name != "CUOX_CALL"}
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env={**environment, "PATH": path, "LC_ALL": "C.UTF-8"},
    )
    assert result.returncode == 0, result.stderr + result.stdout
    if program.has_output:
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(program.output, result.stdout, flags), result.stdout
    assert "Traceback" not in result.stderr, result.stderr


def test_pages_with_tasks_have_programs() -> None:
    assert {pages.name(program.page).removesuffix(".md") for program in PROGRAMS} == WITH_PROGRAMS


@pytest.mark.parametrize(
    "page",
    [*pages.PAGES, *pages.OTHERS],
    ids=pages.name,
)
def test_a_page(page: Path) -> None:
    for block in pages.blocks(page):
        if block.words[:1] == ["python"] and not block.text.startswith(">>>"):
            compile(block.text, f"{page.name}:{block.line}", "exec")
    for link in pages.links(page):
        if re.match(r"https?://", link):
            continue
        file, _, fragment = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name} links to {link}"
        if fragment:
            assert fragment in [pages.anchor(text) for _, text in pages.headings(target)], (
                f"{page.name} links to {link}"
            )
    # Files that the text names.
    for path in re.findall(
        r"(?<![\w/.<>-])((?:crates|benches|examples|tools|tests|filetests|fuzz|bindings|docs|xtask)/[\w./*-]*\w)",
        page.read_text("utf-8"),
    ):
        assert list(pages.ROOT.glob(path)) or path in MADE, f"{page.name} names {path}"


@pytest.mark.parametrize(
    "page",
    [*pages.PAGES, *pages.OTHERS],
    ids=pages.name,
)
def test_the_commands_of_a_page_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    crates = pages.ROOT / "crates"
    for crate, kind, name in re.findall(
        r"cargo (?:test|run|build)(?: --release| --profile \w+)? -p ([\w-]+) --(test|example) (\w+)", text
    ):
        folder = crates / crate / f"{kind}s"
        assert (folder / f"{name}.rs").is_file() or (folder / name / "main.rs").is_file(), (
            f"{page.name} names the {kind} {name} of {crate}"
        )
    for crate in re.findall(r"cargo \w+(?: --release| --profile \w+)? -p ([\w-]+)", text):
        assert (crates / crate).is_dir(), f"{page.name} names the crate {crate}"
    targets = re.findall(r"^([\w-]+):", (pages.ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:^|`)make ([\w-]+)", text, re.MULTILINE)) <= set(targets)
    commands = {"info", "doctor", "cache", "demo", "bind", "nvcc", "run", "env"}
    assert set(re.findall(r"python -m cuox (\w+)", text)) <= commands


def test_all_markdown_is_looked_at() -> None:
    folders = "benches bind bindings crates docs examples filetests python tests tools xtask".split()
    found = {path for folder in folders for path in (pages.ROOT / folder).rglob("*.md")}
    found |= {*pages.ROOT.glob("*.md"), *pages.ROOT.glob("fuzz/*.md")}
    assert found == {*pages.PAGES, *pages.OTHERS}


@pytest.mark.parametrize("folder", ["docs", "docs/zh"])
def test_every_page_is_in_the_index(folder: str) -> None:
    index = pages.ROOT / folder / "README.md"
    linked = {link.partition("#")[0] for link in pages.links(index)}
    assert {page.name for page in index.parent.glob("*.md")} - {"README.md"} <= linked


def test_the_readmes_are_one_page() -> None:
    english, chinese = pages.ROOT / "README.md", pages.ROOT / "README.zh.md"
    assert [level for level, _ in pages.headings(english)] == [level for level, _ in pages.headings(chinese)]
    assert [(block.info, block.text) for block in pages.blocks(english)] == [
        (block.info, block.text) for block in pages.blocks(chinese)
    ]
    assert pages.tables(english) == pages.tables(chinese)
    others = {"README.zh.md", "README.md"}
    # A link leads to the Chinese page where there is one, or to the English page.
    assert [link for link in pages.links(english) if link not in others] == [
        link.replace("docs/zh/", "docs/") for link in pages.links(chinese) if link not in others
    ]
    assert "README.zh.md" in pages.links(english)[:1] and "README.md" in pages.links(chinese)[:1]
    bullets = [sum(line.startswith("- ") for line in pages.prose(page).splitlines()) for page in (english, chinese)]
    assert bullets[0] == bullets[1]
    assert "内核" not in chinese.read_text("utf-8")  # CONTRIBUTING.md has the word for kernel


def variables_in(paths: list[Path]) -> set[str]:
    """The names of cuox's environment variables in sources. Those that a test sets for a child of its own are
    left out."""
    found = set()
    for path in paths:
        text = path.read_text("utf-8")
        names = set(re.findall(r"""(?<!env!\()["'](CUOX_[A-Z_]+)["']""", text))
        found |= names - set(re.findall(r'\.env\("(CUOX_[A-Z_]+)"', text))
    return {name for name in found if not name.endswith("_CHILD")}


def test_the_page_of_environment_variables_lists_them_all() -> None:
    root = pages.ROOT
    is_test = re.compile(r"(^|_)tests?\.(rs|py)$")
    product = [*root.glob("crates/*/src/**/*.rs"), *PACKAGES]
    product = [path for path in product if "cuox-filetests" not in path.parts and not is_test.search(path.name)]
    rest = [path for folder in ("tests", "examples") for path in root.glob(f"crates/*/{folder}/**/*.rs")]
    rest += [
        path for folder in ("benches", "tests", "tools", "build_backend") for path in (root / folder).rglob("*.py")
    ]
    rest += [*root.glob("crates/cuox-filetests/src/**/*.rs"), *root.glob("xtask/src/**/*.rs")]
    page = pages.ROOT / "docs" / "environment.md"
    for_users, for_developers = re.split(r"^## .*cuox itself.*$", pages.prose(page), flags=re.MULTILINE)
    row = re.compile(r"^\| `(CUOX_[A-Z_]+)`", re.MULTILINE)
    # The pathfinder makes a variable's name of each part of CUDA that it knows.
    users = variables_in(product) | {f"CUOX_{name.upper()}_PATH" for name in _native.known_names()}
    assert set(row.findall(for_users)) == users
    assert set(row.findall(for_developers)) == variables_in(rest) - users
    # Nor do other pages name any that there is not.
    for other in [*pages.PAGES, *pages.OTHERS]:
        assert set(re.findall(r"CUOX_[A-Z_]+[A-Z]", other.read_text("utf-8"))) <= set(
            row.findall(page.read_text("utf-8"))
        ), other.name


def test_the_rust_page_shows_code_that_is_compiled() -> None:
    manual = (pages.ROOT / "crates" / "cuox" / "src" / "lib.rs").read_text("utf-8")
    lines = {
        line.removeprefix("//! ").removeprefix("# ").strip() for line in manual.splitlines() if line.startswith("//! ")
    }
    shown = [block for block in pages.blocks(pages.ROOT / "docs" / "rust.md") if block.words[:1] == ["rust"]]
    assert shown
    for block in shown:
        for line in block.text.splitlines():
            assert not line.strip() or line.strip() in lines, (
                f"docs/rust.md: {line.strip()!r} is not in the example of crates/cuox/src/lib.rs"
            )


@pytest.mark.parametrize("page", sorted((pages.ROOT / "docs" / "zh").glob("[!R]*.md")), ids=pages.name)
def test_a_chinese_page_has_the_programs_of_the_english_one(page: Path) -> None:
    english = page.parents[1] / page.name
    programs, there = ([p.text for p in pages.programs(at)] for at in (english, page))
    assert programs and programs == there[: len(programs)]
    # One word for kernel.
    assert "内核" not in page.read_text("utf-8")


def test_the_page_of_errors_has_texts_that_cuox_writes() -> None:
    text = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
    english, chinese = (
        text.findall(pages.prose(pages.ROOT / "docs" / name))
        for name in ("troubleshooting.md", "zh/troubleshooting.md")
    )
    assert len(english) > 10 and english == chinese
    sources = [*pages.ROOT.glob("crates/*/src/**/*.rs"), *PACKAGES]
    written = "\0".join(path.read_text("utf-8") for path in sources)
    assert not [part for part in english if part not in written]


def test_the_picture_of_a_report_is_what_the_program_prints() -> None:
    command = [sys.executable, "tools/report_picture.py", "--check"]
    result = subprocess.run(command, cwd=pages.ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
