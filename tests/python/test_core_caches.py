"""Caches of compiled programs (`cuox.cuda.core.utils`) and `Program.compile(cache=...)`."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.cuda.core import ObjectCode, Program, ProgramOptions
from cuox.cuda.core.utils import (
    FileStreamProgramCache,
    InMemoryProgramCache,
    ProgramCacheResource,
    make_program_cache_key,
)

PTX = b".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry other() { ret; }\n"
EMPTY = 'extern "C" __global__ void own() {}'
Make = Callable[..., ProgramCacheResource]


@pytest.fixture(params=["memory", "files"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes an empty cache."""
    if request.param == "memory":
        return InMemoryProgramCache
    return lambda **options: FileStreamProgramCache(tmp_path / "cache", **options)


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / "entries").rglob("*") if path.is_file()]


def test_a_cache_is_a_mapping_of_bytes(make: Make) -> None:
    with make() as cache:
        assert len(cache) == 0 and cache.get("one") is None and cache.get(b"one", b"no") == b"no"
        cache["one"] = b"1"
        cache[b"two"] = bytearray(b"22")
        cache.update({"three": memoryview(b"333")})
        cache.update([("four", ObjectCode.from_ptx(PTX)), ("ö" * 500, b"long")])
        assert (cache[b"one"], cache["two"], cache["three"], cache["four"]) == (b"1", b"22", b"333", PTX)
        assert cache[("ö" * 500).encode()] == b"long" and len(cache) == 5
        cache["one"] = b"another"
        assert cache["one"] == b"another" and len(cache) == 5
        del cache["one"]
        for missing in (lambda: cache["one"], lambda: cache.__delitem__("one")):
            with pytest.raises(KeyError, match="one"):
                missing()
        for wrong in (lambda: cache.get(1), lambda: cache.__setitem__(None, b"")):  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="cache keys must be bytes or str, got"):
                wrong()
        with pytest.raises(TypeError, match="cache values must be bytes-like or ObjectCode, got str"):
            cache["one"] = "text"  # type: ignore[assignment]
        cache.clear()
        assert len(cache) == 0 and cache.get("two") is None


def test_what_was_used_longest_ago_goes_first(make: Make) -> None:
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"max_size_bytes must be positive, or None for no limit, got {wrong}"):
            make(max_size_bytes=wrong)
    with pytest.raises(TypeError, match="max_size_bytes: expected an int or None, got str"):
        make(max_size_bytes="1")
    cache = make(max_size_bytes=250)
    for name in "abab":  # writing again is no growth
        cache[name] = name.encode() * 100
        time.sleep(0.002)
    assert cache["a"]
    time.sleep(0.002)
    cache["c"] = b"c" * 100
    assert cache.get("b") is None and cache["a"] and cache["c"] and len(cache) == 2
    del cache["a"]
    cache["d"] = b"d" * 100
    assert len(cache) == 2
    cache["large"] = bytes(300)
    assert cache.get("large") is None


def test_threads_share_a_cache(make: Make) -> None:
    cache = make(max_size_bytes=3000)
    wrong: list[object] = []

    def work(number: int) -> None:
        try:
            for turn in range(60):
                name = f"{(number + turn) % 7}"
                cache[name] = name.encode() * 700
                got = cache.get(f"{turn % 7}")
                wrong.extend([] if got in (None, f"{turn % 7}".encode() * 700) else [got])
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and 1 <= len(cache) <= 4


def test_processes_share_a_folder(tmp_path: Path) -> None:
    script = f"""if True:
        import sys
        from cuox.cuda.core.utils import FileStreamProgramCache

        own, shared = sys.argv[1], b"shared"
        cache = FileStreamProgramCache({str(tmp_path / "cache")!r}, max_size_bytes=20_000)
        for turn in range(100):
            cache["shared"] = own.encode() * 1000
            cache[f"{{own}}{{turn % 9}}"] = own.encode() * 2000
            got = cache.get("shared")
            assert got is None or (len(got) == 1000 and len(set(got)) == 1), got
    """
    running = [subprocess.Popen([sys.executable, "-c", script, name]) for name in "ab"]
    assert [process.wait(100) for process in running] == [0, 0]
    cache = FileStreamProgramCache(tmp_path / "cache", max_size_bytes=20_000)
    assert cache["shared"] in (b"a" * 1000, b"b" * 1000)
    cache["last"] = b"1"
    assert sum(path.stat().st_size for path in files(tmp_path / "cache")) <= 20_000
    assert list((tmp_path / "cache" / "tmp").iterdir()) == []


def test_a_file_is_the_code_alone_and_outlives_the_cache(tmp_path: Path) -> None:
    with FileStreamProgramCache(str(tmp_path / "cache")) as cache:
        cache["one"] = PTX
    (file,) = files(tmp_path / "cache")
    assert file.read_bytes() == PTX and file.stat().st_mode & 0o777 == 0o600
    assert FileStreamProgramCache(tmp_path / "cache")["one"] == PTX


def test_a_damaged_entry_is_missing_and_goes(tmp_path: Path) -> None:
    cache = FileStreamProgramCache(tmp_path / "cache")
    cache["one"], cache["two"] = b"first", b"other"
    if not hasattr(os, "getxattr") or not os.listxattr(files(tmp_path / "cache")[0]):
        pytest.skip("the file system has no extended attributes")
    one, two = cache._path_for_key("one"), cache._path_for_key("two")
    with one.open("r+b") as file:
        file.write(b"F")
    assert cache.get("one") is None and not one.exists()
    two.parent.rename(one.parent.with_name("kept"))
    one.parent.mkdir(exist_ok=True)
    (one.parent.with_name("kept") / two.name).rename(one)  # another entry in its place
    assert cache.get("one") is None and not one.exists()
    cache["one"] = b"again"
    assert cache["one"] == b"again"


def test_nobody_else_can_put_code_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match=r"others can write it; close the folder \(chmod go-w\)"):
        FileStreamProgramCache(folder)
    folder.chmod(0o755)
    cache = FileStreamProgramCache(folder)
    cache["one"], cache["two"] = b"1", b"2"
    cache._path_for_key("one").chmod(0o666)
    assert cache.get("one") is None
    target = tmp_path / "elsewhere"
    target.write_bytes(b"2")
    cache._path_for_key("two").unlink()
    cache._path_for_key("two").symlink_to(target)
    assert cache.get("two") is None
    cache["one"], cache["two"] = b"again", b"again"
    assert cache["one"] == cache["two"] == b"again" and target.read_bytes() == b"2"
    with pytest.raises(OSError, match="Not a directory|File exists"):
        FileStreamProgramCache(target)


def test_a_write_that_fails_leaves_the_old_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = FileStreamProgramCache(tmp_path / "cache")
    cache["one"] = b"old"

    def fail(*_paths: object) -> None:
        raise PermissionError("no")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(PermissionError, match="no"):
            cache["one"] = b"new"
    assert cache["one"] == b"old" and list((tmp_path / "cache" / "tmp").iterdir()) == []


def test_a_folder_that_another_process_has_cleared_meanwhile_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, replace, cleared = FileStreamProgramCache(tmp_path / "cache"), os.replace, []

    def clearing(unfinished: str, path: Path) -> None:
        if not cleared:
            cleared.append(path)
            FileStreamProgramCache(tmp_path / "cache").clear()
        replace(unfinished, path)

    monkeypatch.setattr(os, "replace", clearing)
    cache["one"] = b"1"
    assert cleared and cache["one"] == b"1"


def test_entries_of_other_processes_count(tmp_path: Path) -> None:
    one, other = (FileStreamProgramCache(tmp_path / "cache", max_size_bytes=8000) for _ in range(2))
    for number in range(60):
        (one if number % 2 else other)[f"{number}"] = bytes(200)
        assert sum(path.stat().st_size for path in files(tmp_path / "cache")) <= 10_000
    assert one.get("59") and one.get("0") is None


def test_an_entry_that_was_written_again_meanwhile_stays(tmp_path: Path) -> None:
    cache = FileStreamProgramCache(tmp_path / "cache")
    cache["one"] = b"old"
    path = cache._path_for_key("one")
    seen = path.lstat()
    cache["one"] = b"newer"
    assert not cache._remove(path, seen) and cache["one"] == b"newer"
    assert cache._remove(path, path.lstat()) and cache.get("one") is None and cache._remove(path, seen)
    assert list((tmp_path / "cache" / "tmp").iterdir()) == []


def test_abandoned_files_go_and_missing_folders_are_made(tmp_path: Path) -> None:
    cache = FileStreamProgramCache(tmp_path / "cache", max_size_bytes=1000)
    old, young = tmp_path / "cache/tmp/old", tmp_path / "cache/tmp/young"
    for path in (old, young):
        path.write_bytes(bytes(400))
    os.utime(old, (time.time() - 4000, time.time() - 4000))
    cache = FileStreamProgramCache(tmp_path / "cache", max_size_bytes=1000)
    assert not old.exists() and young.exists()
    cache["one"] = bytes(400)
    cache["two"] = bytes(400)  # with what is being written it is too much
    assert len(cache) == 1
    cache.clear()
    assert young.exists() and len(cache) == 0
    young.unlink()
    (tmp_path / "cache/tmp").rmdir()
    (tmp_path / "cache/entries").rmdir()
    assert len(cache) == 0 and cache.get("one") is None
    cache["one"] = b"1"
    assert cache["one"] == b"1"


def test_the_folder_is_in_that_of_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path / "kept"))
    FileStreamProgramCache()["one"] = b"1"
    assert len(files(tmp_path / "kept/program-cache")) == 1
    assert repr(FileStreamProgramCache()) == f"<FileStreamProgramCache {str(tmp_path / 'kept/program-cache')!r}>"


class Recording(InMemoryProgramCache):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    def get(self, key: Any, default: Any = None) -> Any:
        self.calls.append("get")
        return super().get(key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.calls.append("set")
        super().__setitem__(key, value)


def key_of(options: ProgramOptions, target: str = "ptx") -> bytes:
    return make_program_cache_key(code=EMPTY, code_type="c++", options=options, target_type=target)


def test_programs_are_compiled_once(device: cuox.Device, tmp_path: Path) -> None:
    options = ProgramOptions(name="named.cu", lineinfo=True)
    program, cache = Program(EMPTY, "c++", options), Recording()
    first = program.compile("ptx", cache=cache)
    again = Program(EMPTY, "c++", options).compile("PTX", cache=cache)
    assert cache.calls == ["get", "set", "get"]
    assert (again.code, again.code_type, again.name) == (first.code, first.code_type, "named.cu")
    assert again.get_kernel("own").num_arguments == 0
    # What the cache has is taken for what it is.
    cache[key_of(options)] = PTX
    log = io.StringIO()
    other = program.compile("ptx", logs=log, cache=cache)
    assert other.get_kernel("other") and program.other and log.getvalue() == ""
    options.lineinfo = False  # later changes of the options are not the program's
    assert program.compile("ptx", cache=cache).code == PTX
    files_too = FileStreamProgramCache(tmp_path / "cache")
    cubin = program.compile("cubin", cache=files_too)
    assert program.compile("cubin", cache=files_too) == cubin and len(files_too) == 1
    made = Program(PTX.decode(), "ptx").compile("cubin", cache=files_too)
    assert made.code == PTX if device.is_soft else made.code_type == "cubin"
    assert made.get_kernel("other")


def test_kernels_of_a_cache_know_the_types_of_their_arguments(device: cuox.Device) -> None:
    source = 'extern "C" __global__ void put(float *out, short a, double b) { out[0] = a; out[1] = b; }'
    cache = InMemoryProgramCache()
    for target in ("ptx", "cubin"):
        for _ in range(2):
            kernel = Program(source).compile(target, cache=cache).get_kernel("put")
            out = cuox.zeros(2, np.float32)
            kernel[1, 1](out, -3, 0.5)
            assert out.to_host().tolist() == [-3, 0.5]
            with pytest.raises(TypeError, match='parameter 2 "a" .short. takes a 16-bit integer'):
                kernel[1, 1](out, 0.5, 0.5)
    assert len(cache) == 2


def test_what_cannot_be_cached_says_so(device: cuox.Device) -> None:
    cache, program = Recording(), Program(EMPTY)

    class Odd(Recording):
        def get(self, key: Any, default: Any = None) -> Any:
            return "text"

    def refused(kind: type[Exception], match: str, options: Any = None, **how: Any) -> None:
        with pytest.raises(kind, match=match):
            Program(EMPTY, options=options).compile("ptx", **{"cache": cache, **how})

    refused(TypeError, "cache: expected a ProgramCacheResource of cuox.cuda.core.utils, got dict", cache={})
    refused(TypeError, r"cache: get\(\) must return bytes or None, got str", cache=Odd())
    refused(ValueError, "name_expressions cannot be given with cache=", name_expressions=["own"])
    with pytest.raises(ValueError, match="options cannot be given with cache="):
        program.compile("ptx", options=["-lineinfo"], cache=cache)
    refused(ValueError, "include_path reads files, .* extra_digest", {"include_path": "/a"})
    refused(ValueError, "'a/b.cu' has a directory component", {"name": "a/b.cu"})
    refused(ValueError, "side effect cannot be kept: time writes a file", {"time": "t.csv"})
    assert cache.calls == []
    with pytest.raises(cuox.CompileError):
        Program("no").compile("ptx", cache=cache)
    assert cache.calls == ["get"]
    assert program.compile("ptx", name_expressions=(), cache=cache).code_type == "ptx"

    class Full(Recording):
        def __setitem__(self, key: Any, value: Any) -> None:
            raise OSError("full")

    refused(OSError, "full", cache=Full())


def test_damaged_code_of_a_cache_is_an_error(device: cuox.Device) -> None:
    cache = InMemoryProgramCache()
    cache[key_of(ProgramOptions(arch="sm_90"), "ltoir")] = b"x"
    cache[key_of(ProgramOptions())] = b"\x7fELF"
    with pytest.raises((ValueError, cuox.CUDAError)):
        Program(EMPTY).compile("ptx", cache=cache).get_kernel("own")


BASE: dict[str, Any] = {
    "code": EMPTY,
    "code_type": "c++",
    "options": ProgramOptions(arch="sm_90"),
    "target_type": "ptx",
}


def test_a_key_stands_for_all_that_code_depends_on() -> None:
    def key(**other: Any) -> bytes:
        return make_program_cache_key(**{**BASE, **other})

    options = {
        "arch": "sm_80", "use_fast_math": True, "name": "other.cu", "define_macro": ("A", "1"), "std": "c++20",
    }  # fmt: skip
    different = [
        key(code=EMPTY + "\n"), key(target_type="cubin"), key(target_type="ltoir"), key(name_expressions=["own"]),
        key(name_expressions=[b"own"]), key(extra_digest=b"1"), key(extra_digest=b""), key(code_type="ptx"),
        key(code="#include <cstdint>\n" + EMPTY),
        *(key(options=ProgramOptions(**{"arch": "sm_90", name: value})) for name, value in options.items()),
    ]  # fmt: skip
    assert len({key(), *different}) == 1 + len(different) and len(key()) == 32
    assert key() == key() == key(code_type="C++", target_type="PTX", options=ProgramOptions(arch="sm_90"))
    assert key(name_expressions=["a", "b"]) == key(name_expressions=["b", "a"])
    # PTX is taken as it is: the compiler's options are nothing to it.
    ptx = {"code": PTX.decode(), "code_type": "ptx"}
    assert key(**ptx) == key(
        **ptx, options=ProgramOptions(include_path="/a", std="c++20", time="t"), name_expressions=[1]
    )
    nvvm = {"code": b"ir", "code_type": "nvvm"}
    assert key(**nvvm) == key(**{**nvvm, "code": "ir"}, options=ProgramOptions(arch="sm_90", use_libdevice=False))
    assert key(**nvvm) != key(**nvvm, options=ProgramOptions(arch="sm_90", fma=False))
    extra = ProgramOptions(arch="sm_90", extra_sources=[("a", b"b")])
    assert key(**nvvm) != key(**nvvm, options=extra)
    assert key(**nvvm) != key(**nvvm, options=ProgramOptions(arch="sm_90", use_libdevice=True), extra_digest=b"1")


@pytest.mark.parametrize(
    ("given", "kind", "match"),
    [
        ({"code_type": "fortran"}, ValueError, "'fortran' is not a valid SourceCodeType"),
        ({"target_type": "exe"}, ValueError, "target_type must be 'ptx', 'cubin' or 'ltoir', not 'exe'"),
        ({"code_type": "ptx", "target_type": "ltoir"}, ValueError, "'ltoir' is not valid for code_type='ptx'"),
        ({"code_type": "nvvm", "target_type": "cubin"}, ValueError, "'cubin' is not valid for code_type='nvvm'"),
        ({"code": b"a"}, TypeError, "code must be str for code_type='c\\+\\+', got bytes"),
        ({"code": 1}, TypeError, "code: expected a str, got int"),
        ({"options": {}}, TypeError, "options: expected ProgramOptions, got dict"),
        ({"options": ProgramOptions(extra_sources=[])}, ValueError, "extra_sources is an option of NVVM"),
        ({"options": ProgramOptions(use_pch="")}, ValueError, "use_pch reads files"),
        ({"options": ProgramOptions(create_pch="a")}, ValueError, "side effect.*create_pch"),
        ({"options": ProgramOptions(name="a\\b")}, ValueError, "directory component"),
        ({"name_expressions": [bytearray(b"a")]}, TypeError, "name_expressions: .*, got bytearray"),
        ({"code_type": "nvvm", "options": ProgramOptions(use_libdevice=True)}, ValueError, "use_libdevice reads"),
    ],
)
def test_a_key_is_refused_where_it_would_mean_nothing(given: Any, kind: type[Exception], match: str) -> None:
    with pytest.raises(kind, match=match):
        make_program_cache_key(**{**BASE, **given})
    if match.endswith("reads files"):
        assert make_program_cache_key(**{**BASE, **given}, extra_digest=b"1")


def test_headers_beside_the_program_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {**BASE, "code": f'#include "near.h"\n{EMPTY}'}
    make_program_cache_key(**given)  # it may come from anywhere else
    (tmp_path / "near.h").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="code includes 'near.h', a file that the key does not see"):
        make_program_cache_key(**given)
    assert make_program_cache_key(**given, extra_digest=b"1")


def test_a_cache_of_ones_own_defines_five_methods() -> None:
    with pytest.raises(TypeError, match="abstract"):
        ProgramCacheResource()  # type: ignore[abstract]
    assert ProgramCacheResource.__abstractmethods__ == {
        "__getitem__", "__setitem__", "__delitem__", "__len__", "clear",
    }  # fmt: skip
    assert ProgramCacheResource.__module__ == FileStreamProgramCache.__module__ == "cuox.cuda.core.utils"
