"""What NVRTC makes is kept on disk: found by another process, and only while nothing it was made of has changed."""

from __future__ import annotations

import os
import subprocess
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

    def compile_(source: str, names: tuple[str, ...] = (), more: dict[str, object] | None = None, **environment: str) -> list[str]:
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
    import time

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
        ("/* a */ #include \"a.h\"\n", []),
        ("%:include \"a.h\"\n", []),
        ("#inc\\\nlude \"a.h\"\n", []),
        ("", ["-include", "a.h"]),
        ("", ["--pre-include", "a.h"]),
    ],
)
def test_a_header_is_followed_however_it_is_included(
    run_script: Run, tmp_path: Path, text: str, options: list[str]
) -> None:
    import time

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
