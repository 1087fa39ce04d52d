"""NVRTC's output is kept on disk: another process finds it, and only while no input of it has changed."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Says whether NVRTC was loaded, which is needed only if something has to be compiled.
COMPILE = """
import sys, warnings
import cuox
class Log:
    text = ""
    def write(self, text): self.text += text
log = Log()
options = cuox.ProgramOptions(arch="sm_80", include_path=sys_path_folder, **more)
code = cuox.Program(source, "kept.cu", options=options).compile("ptx", name_expressions=names, logs=log)
loaded = "libnvrtc.so" in open("/proc/self/maps").read()
print("compiled" if loaded else "found")
print(sorted(code.symbol_mapping.items()), len(code.code) > 100, log.text)
"""


@pytest.fixture
def compile_(run_script: Run, tmp_path: Path) -> Callable[..., list[str]]:
    cache, folder = tmp_path / "cache", tmp_path / "headers"
    folder.mkdir()

    def compile_(
        source: str, names: tuple[str, ...] = (), more: dict[str, object] | None = None, **environment: str
    ) -> list[str]:
        begin = f"source, names, more, sys_path_folder = {source!r}, {names!r}, {more or {}!r}, {str(folder)!r}\n"
        done = run_script(begin + COMPILE, **{"CUOX_CACHE_DIR": str(cache), "CUOX_CACHE": "1", **environment})
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n", 1)

    return compile_


PLAIN = 'extern "C" __global__ void k(float *p) { *p = 1; }'


def test_a_second_process_finds_what_the_first_has_made(compile_: Callable[..., list[str]]) -> None:
    first = compile_(PLAIN)
    assert first[0] == "compiled"
    assert compile_(PLAIN) == ["found", first[1]]
    assert compile_(PLAIN.replace("1", "2"))[0] == "compiled"
    assert compile_(PLAIN, more={"use_fast_math": True})[0] == "compiled"


def test_log_and_lowered_names_are_kept(compile_: Callable[..., list[str]]) -> None:
    source = "template <class T> __global__ void k(T *p) { int unused; *p = 1; }"
    first = compile_(source, ("k<float>", "k<double>"))
    assert first[0] == "compiled" and "unused" in first[1] and "_Z1kIfEvPT_" in first[1]
    assert compile_(source, ("k<float>", "k<double>")) == ["found", first[1]]
    assert compile_(source, ("k<float>",))[0] == "compiled"


def test_a_header_that_changes_or_appears_is_noticed(compile_: Callable[..., list[str]], tmp_path: Path) -> None:
    headers = tmp_path / "headers"
    (headers / "sub").mkdir()
    (headers / "a.h").write_text('#include "sub/b.h"\n#if __has_include("c.h")\n#include "c.h"\n#endif\n')
    (headers / "sub" / "b.h").write_text("#define B 1\n")
    time.sleep(0.05)
    source = '#include "a.h"\n' + PLAIN
    assert compile_(source)[0] == "compiled"
    assert compile_(source)[0] == "found"
    (headers / "sub" / "b.h").write_text("#define B 2\n")
    time.sleep(0.05)
    assert compile_(source)[0] == "compiled"
    assert compile_(source)[0] == "found"
    (headers / "c.h").write_text("#define C\n")
    time.sleep(0.05)
    assert compile_(source)[0] == "compiled"
    assert compile_(source)[0] == "found"


def test_it_can_be_turned_off(compile_: Callable[..., list[str]]) -> None:
    assert compile_(PLAIN)[0] == "compiled"
    assert compile_(PLAIN, CUOX_CACHE="0")[0] == "compiled"
    assert compile_(PLAIN, more={"no_cache": True})[0] == "compiled"
    assert compile_(PLAIN)[0] == "found"


def test_a_damaged_file_is_none(compile_: Callable[..., list[str]], tmp_path: Path) -> None:
    assert compile_(PLAIN)[0] == "compiled"
    for file in (tmp_path / "cache").glob("*.code"):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    assert compile_(PLAIN)[0] == "compiled"
    assert compile_(PLAIN)[0] == "found"


def test_computed_includes_and_the_time_of_day_are_not_kept(compile_: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "headers" / "a.h").write_text("")
    for source in ("#define NAME <a.h>\n#include NAME\n" + PLAIN, "__device__ const char *built = __TIME__;\n" + PLAIN):
        assert compile_(source)[0] == "compiled"
        assert compile_(source)[0] == "compiled"


def test_the_command_shows_and_clears(compile_: Callable[..., list[str]], tmp_path: Path) -> None:
    import sys

    compile_(PLAIN)
    environment = {**os.environ, "CUOX_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "cuox", "cache"]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "cache") in shown and "files of compiled code" in shown
    cleared = subprocess.run([*command, "--clear"], env=environment, capture_output=True, text=True, check=True).stdout
    assert cleared.startswith("removed ") and ": 0 files" in cleared
    assert compile_(PLAIN)[0] == "compiled"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('/* a */ #include "a.h"\n', []),
        ('%:include "a.h"\n', []),
        ('#inc\\\nlude "a.h"\n', []),
        ("", ["-include", "a.h"]),
        ("", ["--pre-include", "a.h"]),
    ],
)
def test_a_header_is_followed_however_it_is_included(
    run_script: Run, tmp_path: Path, text: str, options: list[str]
) -> None:
    header = tmp_path / "a.h"
    source = text + 'extern "C" __global__ void k(int *p) { *p = VALUE; }'
    words = ["--gpu-architecture=compute_80", f"-I{tmp_path}", *(str(header) if o == "a.h" else o for o in options)]
    script = f"import cuox\nprint(bytes(cuox.Program({source!r}, 'kept.cu').compile('ptx', options={words!r}).code).decode())"
    for value in (1234, 4321):
        header.write_text(f"#define VALUE {value}\n")
        time.sleep(0.05)
        done = run_script(script, CUOX_CACHE_DIR=str(tmp_path / "cache"), CUOX_CACHE="1")
        assert done.returncode == 0, done.stderr
        assert str(value) in done.stdout


def test_what_is_of_its_time_by_an_option_is_not_kept(compile_: Callable[..., list[str]]) -> None:
    for _ in range(2):
        assert compile_(PLAIN, more={"define_macro": ["NOW=__TIME__"]})[0] == "compiled"


@pytest.fixture
def value(run_script: Run, tmp_path: Path) -> Callable[..., tuple[str, int]]:
    """Compiles a source whose kernel stores STORED: says whether it was compiled or found, and the value."""

    def value(source: str, *folders: Path, **environment: str) -> tuple[str, int]:
        # A file younger than the file system's clock can tell is not kept.
        time.sleep(0.05)
        script = f"""
import re, cuox
source = {source + 'extern "C" __global__ void k(int *p) { *p = STORED; }'!r}
options = cuox.ProgramOptions(arch="sm_80", include_path={[str(folder) for folder in folders]!r})
code = bytes(cuox.Program(source, "kept.cu", options=options).compile("ptx").code).decode()
print("compiled" if "libnvrtc.so" in open("/proc/self/maps").read() else "found", re.search(r", (\\d+);\\s+st", code).group(1))
"""
        done = run_script(script, CUOX_CACHE_DIR=str(tmp_path / "cache"), CUOX_CACHE="1", **environment)
        assert done.returncode == 0, done.stderr
        how, number = done.stdout.split()
        return how, int(number)

    return value


@pytest.fixture
def two_folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of headers; the second has a.h, which includes others that lie deeper and deeper."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (second / "one" / "two").mkdir(parents=True)
    (second / "a.h").write_text("#include <one/b.h>\n")
    (second / "one" / "b.h").write_text('#include "two/c.h"\n')
    (second / "one" / "two" / "c.h").write_text("#define STORED 1234\n")
    return first, second


A = "#include <a.h>\n"


def test_an_edit_in_place_of_a_deep_header_is_noticed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path]
) -> None:
    assert value(A, *two_folders) == ("compiled", 1234)
    assert value(A, *two_folders) == ("found", 1234)
    deep = two_folders[1] / "one" / "two" / "c.h"
    times = deep.stat()
    # The same file, as long as before, and as old for who asks for its time of modification only.
    with deep.open("r+") as file:
        file.write("#define STORED 4321\n")
    os.utime(deep, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert deep.stat().st_ino == times.st_ino and deep.stat().st_size == times.st_size
    assert value(A, *two_folders) == ("compiled", 4321)
    assert value(A, *two_folders) == ("found", 4321)


def test_a_header_that_was_touched_or_replaced_by_its_like_gives_the_same(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path]
) -> None:
    assert value(A, *two_folders) == ("compiled", 1234)
    deep = two_folders[1] / "one" / "two" / "c.h"
    deep.touch()
    assert value(A, *two_folders)[1] == 1234
    assert value(A, *two_folders) == ("found", 1234)
    (deep.parent / "new").write_text(deep.read_text())
    (deep.parent / "new").rename(deep)
    assert value(A, *two_folders)[1] == 1234
    assert value(A, *two_folders) == ("found", 1234)


def test_a_header_that_is_removed_is_noticed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path], tmp_path: Path
) -> None:
    third = tmp_path / "third"
    (third / "one").mkdir(parents=True)
    (third / "one" / "b.h").write_text("#define STORED 77\n")
    assert value(A, *two_folders, third) == ("compiled", 1234)
    assert value(A, *two_folders, third) == ("found", 1234)
    (two_folders[1] / "one" / "b.h").unlink()
    assert value(A, *two_folders, third) == ("compiled", 77)
    assert value(A, *two_folders, third) == ("found", 77)


@pytest.mark.parametrize("name", ["a.h", "one/b.h"])
def test_a_header_that_hides_another_is_noticed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path], name: str
) -> None:
    assert value(A, *two_folders) == ("compiled", 1234)
    # Another name in the folder is nobody's.
    (two_folders[0] / "other.h").write_text("")
    assert value(A, *two_folders) == ("found", 1234)
    (two_folders[0] / name).parent.mkdir(exist_ok=True)
    (two_folders[0] / name).write_text("#define STORED 99\n")
    assert value(A, *two_folders) == ("compiled", 99)
    assert value(A, *two_folders) == ("found", 99)
    (two_folders[0] / name).unlink()
    assert value(A, *two_folders)[1] == 1234


def test_a_link_that_comes_to_lead_somewhere_is_noticed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path], tmp_path: Path
) -> None:
    (two_folders[0] / "a.h").symlink_to(tmp_path / "later.h")
    assert value(A, *two_folders) == ("compiled", 1234)
    assert value(A, *two_folders) == ("found", 1234)
    (tmp_path / "later.h").write_text("#define STORED 55\n")
    assert value(A, *two_folders) == ("compiled", 55)


def test_what_the_header_for_all_of_cub_includes_is_followed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path]
) -> None:
    cub = two_folders[0] / "cub"
    (cub / "block").mkdir(parents=True)
    # cuox has its own in place of this one, so that a folder's is not read.
    (cub / "cub.cuh").write_text("#error this is for nvcc\n")
    block = cub / "block" / "block_run_length_decode.cuh"
    block.write_text('#pragma once\n#include "value.h"\n')
    (cub / "block" / "value.h").write_text("#define STORED 11\n")
    source = "#include <cub/cub.cuh>\n"
    assert value(source, *two_folders) == ("compiled", 11)
    assert value(source, *two_folders) == ("found", 11)
    (cub / "block" / "value.h").write_text("#define STORED 22\n")
    assert value(source, *two_folders) == ("compiled", 22)
    assert value(source, *two_folders) == ("found", 22)


def test_another_compiler_in_the_place_of_the_first_is_noticed(
    value: Callable[..., tuple[str, int]], tmp_path: Path
) -> None:
    import shutil

    from cuox.cuda import pathfinder

    installed = Path(pathfinder.find_cuda_library("nvrtc")).resolve()
    folder = tmp_path / "compiler"
    folder.mkdir()
    for builtins in installed.parent.glob("libnvrtc-builtins.so.*"):
        (folder / builtins.name).symlink_to(builtins)
    library = folder / "libnvrtc.so.13"
    shutil.copy(installed, library)
    source, here = "#define STORED 5\n", {"CUOX_NVRTC_PATH": str(folder)}
    assert value(source, **here) == ("compiled", 5)
    assert value(source, **here) == ("found", 5)
    shutil.copy(installed, folder / "new")
    (folder / "new").rename(library)
    assert value(source, **here) == ("compiled", 5)
    assert value(source, **here) == ("found", 5)
    # One that would be taken before it, though it cannot be loaded.
    (folder / "libnvrtc.so.99").write_text("no library")
    assert value(source, **here) == ("compiled", 5)
    assert value(source, **here) == ("found", 5)


def test_a_header_behind_a_byte_order_mark_is_followed(
    value: Callable[..., tuple[str, int]], two_folders: tuple[Path, Path]
) -> None:
    (two_folders[1] / "a.h").write_text("\ufeff#include <one/b.h>\n", encoding="utf-8")
    assert value(A, *two_folders) == ("compiled", 1234)
    assert value(A, *two_folders) == ("found", 1234)
    (two_folders[1] / "one" / "b.h").write_text("\ufeff#define STORED 8\n", encoding="utf-8")
    assert value(A, *two_folders) == ("compiled", 8)
    assert value(A, *two_folders) == ("found", 8)


LOGGED = """
import cuox
source = 'template <class T> __global__ void k(T *p, int n) { *p = n; } extern "C" __global__ void plain(const float *x) {}'
options = cuox.ProgramOptions(arch="sm_80")
cuox.Program(source, "logged.cu", options=options).compile("ptx", name_expressions=["k<double>"])
try:
    cuox.Program("nonsense", "wrong.cu", options=options).compile("ptx")
except cuox.CompileError:
    pass
"""


def test_what_is_compiled_is_logged_if_it_is_asked_for(run_script: Run, tmp_path: Path) -> None:
    def lines(log: str) -> list[str]:
        done = run_script(LOGGED, CUOX_CACHE_DIR=str(tmp_path), CUOX_CACHE="1", CUOX_LOG=log)
        assert done.returncode == 0, done.stderr
        return [re.sub(r"\d+\.\d ms", "T ms", line) for line in done.stderr.splitlines() if "compile:" in line]

    first, failed = lines("compile")
    assert (
        first
        == "cuox compile: logged.cu (compute_80, ptx) compiled in T ms: plain(const float *x), k<double>(double *p, int n)"
    )
    assert failed == "cuox compile: wrong.cu (compute_80, ptx) failed after T ms"
    assert lines("driver, compile") == [first.replace("compiled in", "from the cache in"), failed]
    assert lines("") == lines("0") == lines("driver") == []
