"""The steps behind `make test`: what a result depends on, and what a change concerns."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests"))

from runner import build, changes, exhaustive, process, python, results, rust
from runner.report import Report

PACKAGE = ROOT / "python" / "cuox"
# `cuox.cuda` has its parts for those who ask by name; the environment of kernels looks at `cuox.numba` where a program
# has imported it; handles are asked for their classes by those who have these.
BY_NAME = {
    PACKAGE / "cuda" / "__init__.py",
    *(PACKAGE / "_internal" / name for name in ("handles.py", "kernel_environment.py")),
}


def imported(file: Path) -> Iterator[str]:
    """The modules of cuox that a file of the package imports, with the names that it takes from them."""
    here = ["cuox", *file.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # a name for import_module, a program
            yield from re.findall(r"(?<![`\w])cuox\.[\w.]+(?=$|:| import)", node.value)


def part_of_module(name: str) -> str | None:
    words = name.split(".")
    return python.part(Path(*words[1:])) if words[0] == "cuox" and words[1:] else None


def test_parts_of_the_package_import_what_they_are_said_to() -> None:
    for file in PACKAGE.rglob("*.py"):
        mine = python.part(file.relative_to(PACKAGE))
        known = python.with_what_they_are_built_of([mine] if mine else [])
        others = {part_of_module(name) for name in imported(file)} - {None}
        if file not in BY_NAME:
            assert others <= known, f"{file.relative_to(ROOT)} imports {others - known}"


def test_the_native_module_imports_what_it_is_said_to() -> None:
    sources = ROOT / "crates" / "cuox-py" / "src"
    found = {
        (file.relative_to(sources).parts[0], part_of_module(name))
        for file in sources.rglob("*.rs")
        for name in re.findall(r'"(cuox\.[\w.]+)"', file.read_text())
    }
    # The classes of functions in Python are those of `cuox.numba`, of which `cuox.cuda.compute` is built.
    assert {pair for pair in found if pair[1]} == {
        ("buffer", "core"),
        ("device.rs", "core"),
        ("device.rs", "graphs"),
        ("device.rs", "torch"),  # asked only where a program has imported it
        ("graph.rs", "graphs"),
        ("memory_resource", "core"),
        ("program_cache.rs", "core"),
        ("pycuda", "pycuda"),
        ("pykernel", "numba"),
        ("strided_view", "core"),
    }


def test_what_a_part_is_built_of_counts() -> None:
    assert python.with_what_they_are_built_of(["compute"]) == {"compute", "numba", "bindings"}
    assert python.parts_of(python.FOLDER / "test_pycuda_pools.py") >= {"pycuda", "bindings"}
    assert python.parts_of(python.FOLDER / "test_docs.py") == set(python.PARTS)
    assert not python.parts_of(python.FOLDER / "test_bind.py")
    assert python.part(Path("cuda/bindings/_internal/data/driver.txt")) == "bindings"
    assert python.part(Path("cuda/pathfinder.py")) is None


def test_what_a_test_file_imports_counts() -> None:
    folder = python.FOLDER
    assert folder / "test_call.py" in python.with_helpers(folder / "test_call_often.py")
    assert folder / "pages.py" in python.with_helpers(folder / "test_docs.py")
    assert not python.reads_the_project(folder / "test_call.py")
    readers = {"test_bind_swig", "test_cudart", "test_docs", "test_examples", "test_numba_trees", "test_tutorial"}
    assert readers <= {file.stem for file in python.files() if python.reads_the_project(file)}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package instead of the one that is installed."""
    folder = tmp_path / "cuox"
    for name in ("__init__.py", "lib/libcuda.so.1", "pycuda/x.hpp", "numba/x.py", "cuda/bindings/x.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    monkeypatch.setattr(python, "site_packages", lambda: tmp_path)
    return folder


@pytest.mark.parametrize(
    ("name", "concerned"),
    [
        ("__init__.py", {"bind", "numba_host", "pycuda_pools", "cuda_bindings_outputs"}),
        ("lib/libcuda.so.1", {"bind", "numba_host", "pycuda_pools", "cuda_bindings_outputs"}),
        ("pycuda/x.hpp", {"pycuda_pools"}),
        ("numba/x.py", {"numba_host"}),
        ("cuda/bindings/x.txt", {"numba_host", "pycuda_pools", "cuda_bindings_outputs"}),
        ("pycuda/__pycache__/x.pyc", set()),
        ("../cuox_bind/_native.abi3.so", {"bind", "numba_host", "pycuda_pools", "cuda_bindings_outputs"}),
    ],
)
def test_a_key_is_of_the_installed_package(package: Path, name: str, concerned: set[str]) -> None:
    files = [
        python.FOLDER / f"test_{stem}.py" for stem in ("bind", "numba_host", "pycuda_pools", "cuda_bindings_outputs")
    ]
    before = python.keys(files)
    (package / name).parent.mkdir(exist_ok=True)
    (package / name).write_text("changed")
    after = python.keys(files)
    assert {file.stem.removeprefix("test_") for file in files if before[file] != after[file]} == concerned


def test_a_key_is_of_the_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = results.fingerprint([])
    for name in ("CUDA_HOME", "PYCUDA_DEFAULT_NVCC_FLAGS", "LD_LIBRARY_PATH", "CC", "CUOX_SOFT_ENGINE"):
        with monkeypatch.context() as changed:
            changed.setenv(name, "/other")
            assert results.fingerprint([]) != one, name
    monkeypatch.setenv("TERM", "other")
    assert results.fingerprint([]) == one
    file = tmp_path / "file"
    assert len({one, results.fingerprint([file]), file.write_text("1") and results.fingerprint([file])}) == 3
    versions = [word for word in results.surroundings() if "numpy-" in word]
    assert versions and versions[0].endswith(".dist-info")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(results, "FILE", tmp_path / "target" / "results.json")
    for name in ("FRESH", "CUOX_TESTS", *results.OF_PYTEST):
        monkeypatch.delenv(name, raising=False)
    return results.FILE


def test_results_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results.Results().keep("one", "key", 3, 1)
    assert results.Results().passed("one", "key") == (3, 1)
    assert results.Results().passed("one", "other") is None
    monkeypatch.setenv("FRESH", "1")
    assert results.Results().passed("one", "key") is None
    results.Results().keep("two", "key", 1, 0)
    monkeypatch.delenv("FRESH")
    assert results.Results().passed("one", "key") == (3, 1)
    monkeypatch.setenv("CUOX_TESTS", "all")
    assert results.Results().passed("one", "key") is None
    results.Results().keep("one", "larger", 9, 0)
    monkeypatch.delenv("CUOX_TESTS")
    assert results.Results().passed("one", "key") == (3, 1)
    results.Results().forget("one")
    assert results.Results().passed("one", "key") is None
    kept.write_text("[")
    assert results.Results().passed("two", "key") is None


def run_tests(monkeypatch: pytest.MonkeyPatch, file: Path, outcome: int = 0, ended: bool = True) -> int:
    """Have the runner run a test file in which one test has an outcome; returns how often it was run."""
    count = 0

    def run(_report: object, _arguments: object, _variables: object, found: python.Counts) -> bool:
        nonlocal count
        count += 1
        found[file.name][outcome] += 1
        return ended

    monkeypatch.setattr(python, "run", run)
    python.tests(Report(), [file])
    return count


def test_only_what_passed_unchanged_is_taken_over(kept: Path, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = python.FOLDER / "test_bind.py"
    assert run_tests(monkeypatch, file) == 1
    assert run_tests(monkeypatch, file) == 0
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    assert run_tests(monkeypatch, file) == 1
    monkeypatch.delenv("PYTEST_ADDOPTS")
    (package / "__init__.py").write_text("changed")
    assert run_tests(monkeypatch, file, outcome=1) == 1
    assert run_tests(monkeypatch, file, ended=False) == 1
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    assert run_tests(monkeypatch, file) == 1
    monkeypatch.delenv("PYTEST_ADDOPTS")
    keys = iter("ab")
    with monkeypatch.context() as changed:  # a source was saved while the tests ran
        changed.setattr(python, "keys", lambda files: dict.fromkeys(files, next(keys)))
        assert run_tests(monkeypatch, file) == 1
    assert run_tests(monkeypatch, file) == 1
    assert run_tests(monkeypatch, file) == 0


@pytest.mark.skipif(shutil.which("rustc") is None, reason="asks the compiler for its version")
def test_a_test_binary_depends_on_sources_of_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, mine, other = tmp_path / "program", tmp_path / "a", tmp_path / "b"
    for path in (program, mine / "tests" / "stub.rs", other / "lib.rs", other / "data.bin"):
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("")
    monkeypatch.setattr(rust, "repository", lambda *_: [path for path in tmp_path.rglob("*.*") if path.is_file()])
    binary = rust.Binary("a", "a", program, mine)
    known = {rust.keys([binary])[binary]}
    for path, counts in [
        (program, True), (mine / "tests" / "stub.rs", True), (other / "lib.rs", False), (other / "data.bin", True),
    ]:  # fmt: skip
        path.write_text("changed")
        key = rust.keys([binary])[binary]
        assert (key not in known) == counts, path
        known.add(key)


@pytest.mark.parametrize(
    ("names", "expected", "not_expected"),
    [
        (["tests/python/test_call.py"], {"call", "call_often"}, {"bind"}),
        (["tests/python/ctools.py"], {"objects", "gil"}, set()),
        (["tests/python/random_kernels.py"], {"numba_random"}, {"bind"}),
        (["tests/python/data/pycuda_driver_names.txt"], {"pycuda_driver"}, set()),
        (["tests/runner/results.py"], {"runner"}, set()),
        (["examples/tutorial/hello.pyx"], {"tutorial"}, set()),
        (["python/cuox/pycuda/driver.py"], {"pycuda_driver"}, {"bind", "numba_host"}),
        (["python/cuox/cuda/bindings/driver.py"], {"cuda_bindings"}, {"bind"}),
        (["python/cuox/numba/cuda/_devices.py", "bind/python/cuox_bind/_internal/bind.py"], {"bind", "bind_cli"}, set()),
        (["bind/python/cuox_bind/_internal/bind.py"], {"bind", "bind_cli"}, set()),
        (["docs/arrays.md"], {"docs"}, {"array"}),
        (["pyproject.toml"], {"launch", "bind"}, set()),
        (["bind/pyproject.toml"], {"launch", "bind"}, set()),
    ],
)  # fmt: skip
def test_what_a_change_concerns(
    monkeypatch: pytest.MonkeyPatch, names: list[str], expected: set[str], not_expected: set[str]
) -> None:
    monkeypatch.setattr(changes, "packages", lambda _: [])
    chosen, left, unknown = changes.test_files([Path(name) for name in names])
    found = {file.stem.removeprefix("test_") for file in [*chosen, *left]}
    assert expected <= found and not found & not_expected
    assert not unknown


def test_a_change_that_no_test_is_about_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "packages", lambda _: [])
    path = Path(chr(120) * 9, chr(121) * 9)  # a name that is in no test file
    chosen, _, unknown = changes.test_files([path])
    assert [file.stem for file in chosen] == ["test_docs"]
    assert unknown == [path]


def test_crates_that_meet_when_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {"cuox-softgpu": set(), "cuox-libcuda": {"cuox-softgpu"}, "cuox": set(), "cuox-parallel": {"cuox"}}
    needs["cuox-py"] = {"cuox"}
    monkeypatch.setattr(changes, "dependencies", lambda: needs)
    found = changes.packages([Path("crates/cuox-softgpu/src/lib.rs")])
    assert set(found) == {"cuox-softgpu", "cuox-libcuda", "cuox", "cuox-parallel"}
    assert changes.packages([Path("crates/one-that-was-removed/src/lib.rs")]) == []
    assert changes.packages([Path("crates/cuox/README.md")]) == []


def test_the_parts_that_a_crate_is_in_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "packages", lambda paths: [Path(path).parts[1] for path in paths])
    chosen, _, _ = changes.test_files([Path("crates/cuox-nvjitlink/src/lib.rs")])
    assert any("nvjitlink" in file.stem for file in chosen)
    assert changes.test_files([Path("crates/cuox-filetests/src/lib.rs")])[0] == []


def test_the_totals_of_other_peoples_tests() -> None:
    assert exhaustive.totals(["file  1  2  3", f"{'all':44} {9:7} {2:7} {3:8} {4:9}", "81.8% passed"]) == (9, 2, 3)
    said = ["2 passed in 1.2s", "=== 1 failed, 294 passed, 20 skipped, 5 xfailed, 2 errors in 100.31s (0:01:40) ==="]
    assert exhaustive.totals(said) == (294, 3, 20)
    assert exhaustive.totals(["ERROR: not found: /bin/python", "no tests ran in 0.01s"]) is None


@pytest.mark.parametrize(("failed", "status", "wrong"), [(25, 1, 0), (26, 1, 1), (0, 0, 0), (0, 4, 1), (None, 1, 1)])
def test_a_suite_fails_with_more_failures_than_are_known(
    monkeypatch: pytest.MonkeyPatch, failed: int | None, status: int, wrong: int
) -> None:
    lines = ["Traceback"] if failed is None else [f"all {100:7} {failed:7} {2:7}"]
    monkeypatch.setattr(exhaustive, "stream", lambda *_, **__: (status, lines))
    report = Report()
    exhaustive.suite(report, "cccl", [])
    assert report.failed == len(report.failures) == wrong


def test_an_exception_ends_what_is_at_work() -> None:
    began = threading.Event()

    def work(what: str) -> None:
        if what == "long":
            began.set()
            status, _ = process.stream([sys.executable, "-c", "import time; time.sleep(100)"])
            assert status < 0
        elif what == "wrong":
            began.wait()
            while not any(child.poll() is None for child in list(process._children)):
                time.sleep(0.01)
            raise KeyboardInterrupt
        else:
            raise AssertionError("it began")

    with pytest.raises(KeyboardInterrupt):
        process.in_threads(work, ["long", "wrong", "never", "nor this"], 2)


def test_runs_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "ROOT", tmp_path)
    said = threading.Event()
    monkeypatch.setattr(process, "say", lambda _: said.set())
    order = []

    def second() -> None:
        with process.alone():
            order.append("second")

    with process.alone():
        thread = threading.Thread(target=second)
        thread.start()
        assert said.wait(10)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_cargo_builds_where_the_runner_looks() -> None:
    assert process.ENVIRONMENT["CARGO_TARGET_DIR"] == os.fspath(ROOT / "target")


def test_entry_points_are_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "site_packages", lambda: tmp_path)
    (tmp_path / "cuox-1.dist-info").mkdir()
    (tmp_path / "cuox_bind-1.dist-info").mkdir()
    build.entry_points()
    found = importlib.metadata.PathDistribution(tmp_path / "cuox-1.dist-info").entry_points
    assert {(one.group, one.name, one.value) for one in found} == {
        ("console_scripts", "cuox", "cuox.__main__:main"),
        ("pytest11", "cuox", "pytest_cuox"),
        ("torch.backends", "cuox", "torch_cuox:autoload"),
    }
    assert not list((tmp_path / "cuox_bind-1.dist-info").iterdir())
