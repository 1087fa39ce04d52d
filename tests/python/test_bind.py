"""`cuox.bind`: from a header to calls, on a small library with every shape of function."""

from __future__ import annotations

import errno
import gc
import mmap
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import cuox
import pytest

DATA = Path(__file__).parent / "data" / "shop"


@pytest.fixture(scope="session")
def shop_library(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("shop") / "libshop.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, DATA / "shop.c"], check=True)
    return library


@pytest.fixture(scope="session")
def shop(shop_library) -> cuox.Library:
    return cuox.bind(shop_library, headers=[DATA / "shop.h"])


@pytest.fixture
def market(shop):
    with shop.shop_create("market") as made:
        yield made


def apple(shop, count=3):
    return shop.shop_item(
        name="apple", count=count, colour=shop.SHOP_GREEN, sizes=[1, 2, 3], where=shop.shop_point(1, 2)
    )


def test_what_there_is(shop):
    assert "shop_create" in shop and "shop_twice" in shop
    assert {"shop_create", "shop_item", "shop_status", "SHOP_LIMIT"} <= set(dir(shop))
    assert "shop.h" in repr(shop)
    assert shop.shop_create is shop.shop_create is shop["shop_create"]
    with pytest.raises(AttributeError, match="did you mean 'shop_create'"):
        shop.create
    # A static inline function has no symbol: it is compiled.
    assert shop.shop_twice(21) == 42
    with pytest.raises(KeyError):
        shop["nothing"]


def test_constants(shop):
    assert shop.SHOP_VERSION == 0x103
    assert shop.SHOP_NAME == "shop"
    assert shop.SHOP_PI == 3.25
    assert shop.SHOP_LIMIT == 0x104


def test_enumerations(shop):
    status = shop.shop_status
    assert status.SHOP_SOLD_OUT == 2 and repr(status(2)) == "<shop_status.SHOP_SOLD_OUT: 2>"
    assert "not that many" in status.SHOP_SOLD_OUT.__doc__
    assert shop.SHOP_OK == 0


def test_handles_are_owned(shop):
    before = shop.shop_open_shops()
    made = shop.shop_create("a")
    assert shop.shop_open_shops() == before + 1
    assert type(made).__name__ == "shop" and shop.shop_name(made) == "a"
    made.close()
    assert shop.shop_open_shops() == before
    made.close()
    with pytest.raises((ValueError, TypeError), match="shop_name.*closed"):
        shop.shop_name(made)
    with shop.shop_create("b"):
        assert shop.shop_open_shops() == before + 1
    assert shop.shop_open_shops() == before
    shop.shop_create("c")
    gc.collect()
    assert shop.shop_open_shops() == before
    # The destructor called by name closes the object too: it is not called again.
    made = shop.shop_create("d")
    shop.shop_destroy(made)
    assert shop.shop_open_shops() == before
    with pytest.raises((ValueError, TypeError), match="closed"):
        shop.shop_destroy(made)
    del made
    gc.collect()
    assert shop.shop_open_shops() == before


def test_statuses_raise(shop, market):
    with pytest.raises(cuox.CallError, match="shop_count.*SHOP_UNKNOWN") as caught:
        shop.shop_count(market, "pear")
    assert caught.value.function == "shop_count"
    assert caught.value.code == shop.SHOP_UNKNOWN and caught.value.code.name == "SHOP_UNKNOWN"
    assert "heard" in caught.value.text
    errors = shop.shop_errors
    with pytest.raises(cuox.CallError):
        shop.shop_create("")
    assert shop.shop_errors == errors + 1


def test_records_in_and_out(shop, market):
    item = apple(shop)
    assert shop.shop_add(market, item) == 3
    assert shop.shop_add(market, item) == 6
    # The header does not say that `taken` is written, so the caller gives the memory.
    taken = shop.shop_item()
    shop.shop_take(market, "apple", 2, taken)
    assert (taken.name, taken.count, list(taken.sizes)) == ("apple", 2, [1, 2, 3])
    assert taken.colour == shop.SHOP_GREEN and taken.where.y == 2.0
    assert shop.shop_count(market, "apple") == 4


def test_fields(shop):
    item = shop.shop_item()
    item.shelf = 31
    item.fragile = 1
    assert (item.shelf, item.fragile) == (31, 1)
    with pytest.raises(OverflowError, match="shelf"):
        item.shelf = 32
    item.code = 0x0102030405060708
    assert bytes(item.bytes)[:2] == b"\x08\x07"
    item.where.x = 5
    assert item.where.x == 5.0
    with pytest.raises(ValueError, match="name"):
        item.name = "x" * 17
    with pytest.raises(TypeError, match="count"):
        item.count = "many"
    with pytest.raises(TypeError, match="nme"):
        shop.shop_item(nme="x")
    assert "shelf=31" in repr(item)


def test_records_by_value(shop):
    assert shop.shop_distance(shop.shop_point(0, 0), shop.shop_point(3, 4)) == 25.0
    mixed = shop.shop_mix(shop.shop_rgb(1, 0, 0), shop.shop_rgb(0, 1, 0.5))
    assert (mixed.r, mixed.g, mixed.b) == (0.5, 0.5, 0.25)
    large = shop.shop_shift(shop.shop_large(1, 2, -3), 2**40)
    assert (large.a, large.b, large.c) == (1 + 2**40, 2 + 2**40, 2**40 - 3)
    with pytest.raises(TypeError, match="shop_distance.*'a'.*shop_point.*shop_rgb"):
        shop.shop_distance(mixed, mixed)


def test_memory(shop):
    numpy = pytest.importorskip("numpy")
    values = numpy.arange(5.0)
    total = shop.shop_sum(values) if "length of" in shop.explain("shop_sum") else shop.shop_sum(values, 5)
    assert total == 10.0
    singles = numpy.ones(4, numpy.float32)
    assert shop.shop_scale(singles, 4, 2.5) is None
    assert singles.tolist() == [2.5] * 4
    with pytest.raises((TypeError, ValueError), match="shop_scale.*'values'.*float"):
        shop.shop_scale(numpy.ones(4), 4, 2.0)
    singles.flags.writeable = False
    with pytest.raises((TypeError, ValueError), match="shop_scale.*read-only"):
        shop.shop_scale(singles, 4, 2.0)


def test_wrong_arguments(shop, market):
    with pytest.raises(TypeError, match="shop_name.*'s'"):
        shop.shop_name()
    with pytest.raises(TypeError, match="shop_name"):
        shop.shop_name(market, 1)
    with pytest.raises(TypeError, match="shop_name.*shop \\*.*3"):
        shop.shop_name(3)
    with pytest.raises(ValueError, match="shop_create.*'name'.*NUL"):
        shop.shop_create("a\0b")
    with pytest.raises(TypeError, match="shop_create.*'name'"):
        shop.shop_create(3.5)
    with pytest.raises(OverflowError, match="shop_take.*'count'.*unsigned int|uint32_t"):
        shop.shop_take(market, "apple", -1, shop.shop_item())
    with pytest.raises(TypeError, match="nme"):
        shop.shop_create(nme="x")
    with shop.shop_create(name="keyword") as made:
        assert shop.shop_name(s=made) == "keyword"


def test_callbacks(shop, market):
    for count in (1, 2, 3):
        shop.shop_add(market, shop.shop_item(name=f"item{count}", count=count))
    seen = []

    def visit(item):
        seen.append((item.contents.name, item.contents.count))
        return 7 if len(seen) == 2 else 0

    assert shop.shop_visit(market, visit) == 7
    assert seen == [("item3", 3), ("item2", 2)]

    def broken(item):
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        shop.shop_visit(market, broken)

    import array

    values = array.array("i", [3, 1, 2])
    if "length of" in shop.explain("shop_sort"):
        shop.shop_sort(values, lambda a, b: a - b)
    else:
        shop.shop_sort(values, 3, lambda a, b: a - b)
    assert values.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="shop_visit.*'visit'"):
        shop.shop_visit(market, 3.5)


def test_variadic(shop):
    assert shop.shop_total(0) == 0
    assert shop.shop_total(8, *range(8)) == 28


def test_variables(shop):
    assert shop.shop_home.x == 1.5 and shop.shop_home.y == -2.0
    with pytest.raises((AttributeError, TypeError, ValueError)):
        shop.shop_home.x = 3.0


def test_rules_override_guesses(shop_library):
    rules = {
        "library": {"prefix": "shop_"},
        "shop_swap": {"params": {"a": "inout", "b": "inout"}},
        "shop_count": {"result": "value"},
        "shop_open_shops": {"name": "open_count"},
    }
    library = cuox.bind(shop_library, headers=[DATA / "shop.h"], rules=rules)
    assert library.swap(1, 2) == (2, 1)
    assert library.open_count() >= 0
    with library.create("x") as made:
        assert library.name(made) == "x"
        assert library.count(made, "pear")[0] == 3
    with pytest.raises(cuox.BindError, match="shop_swap.*'c'"):
        cuox.bind(shop_library, headers=[DATA / "shop.h"], rules={"shop_swap": {"params": {"c": "inout"}}})


def test_the_same_bound_twice_is_the_same(shop_library, tmp_path):
    path = tmp_path / "libshop.so"
    path.write_bytes(shop_library.read_bytes())
    first = cuox.bind(path, DATA / "shop.h")
    assert cuox.bind(str(path), [DATA / "shop.h"]) is first
    other = cuox.bind(path, DATA / "shop.h", status="tuple")
    assert other is not first and other.shop_create is not first.shop_create
    assert cuox.bind(path, DATA / "shop.h", status="tuple") is other
    # A library that was built anew is another one.
    again = tmp_path / "new.so"
    again.write_bytes(shop_library.read_bytes())
    again.replace(path)
    assert cuox.bind(path, DATA / "shop.h") is not first
    # Nobody has to keep one.
    seen = weakref.ref(other)
    del other
    gc.collect()
    assert seen() is None


POSIX = ["dirent.h", "fcntl.h", "stdlib.h", "sys/mman.h", "sys/stat.h", "unistd.h"]


@pytest.fixture(scope="module")
def posix():
    rules = {
        "library": {"errno": True},
        "read": {"params": {"2": {"length_of": 1, "unit": "bytes"}}},
        "write": {"params": {"2": {"length_of": 1, "unit": "bytes"}}},
        "close": {"result": "status"},
        "mmap": {"errno": -1},
        "strtol": {"errno": "set", "params": {"1": {"fixed": "null"}}},
        "getpid": {"errno": False},
    }
    return cuox.bind(None, POSIX, rules=rules)


def test_errno(posix, tmp_path):
    path = tmp_path / "some file"
    with pytest.raises(FileNotFoundError) as caught:
        posix.open(str(path), os.O_RDONLY)
    assert caught.value.errno == errno.ENOENT
    assert caught.value.filename == str(path)
    assert str(caught.value) == f"[Errno 2] No such file or directory: '{path}'"
    file = posix.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    assert posix.write(file, b"12345") == 5
    assert posix.close(file) is None
    with pytest.raises(OSError, match=r"^\[Errno 9\] Bad file descriptor$"):
        posix.close(file)
    buffer = bytearray(3)
    # Many times: at some time there is code for it.
    for _ in range(100):
        file = posix.open(path, os.O_RDONLY)
        assert posix.read(file, buffer) == 3
        with pytest.raises(OSError) as caught:
            posix.write(file, b"123")
        assert caught.value.errno == errno.EBADF
        posix.close(file)
        assert buffer == b"123"
        with pytest.raises(IsADirectoryError):
            posix.unlink(tmp_path)
    with pytest.raises(FileExistsError):
        posix.mkdir(tmp_path, 0o700)
    with pytest.raises(NotADirectoryError):
        posix.access(path / "x", 0)
    with pytest.raises(FileNotFoundError):
        posix.opendir("no such")
    posix.opendir(tmp_path).close()
    with pytest.raises(OSError) as caught:
        posix.mmap(None, 0, 0, 0, -1, 0)
    assert caught.value.errno == errno.EBADF
    mapped = posix.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    posix.munmap(mapped, 4096)
    assert posix.strtol("-1", 10) == -1
    with pytest.raises(OSError) as caught:
        posix.strtol("9" * 30, 10)
    assert caught.value.errno == errno.ERANGE


def test_errno_is_explained(posix):
    assert "    errno: if it is set, a result of -1 raises OSError\n        rule: rules" in posix.explain("open")
    assert "a null result raises OSError" in posix.explain("opendir")
    assert "a failure raises OSError" in posix.explain("close")
    assert "whatever is returned raises OSError" in posix.explain("strtol")
    for name in ("getpid", "exit"):
        assert "OSError" not in posix.explain(name)


def test_errno_of_threads(posix):
    def fail(number):
        for _ in range(300):
            try:
                posix.read(-1, bytearray(5)) if number else posix.open("no such", 0)
            except OSError as error:
                found.add((number, error.errno))

    found = set()
    threads = [threading.Thread(target=fail, args=(i % 2,)) for i in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == {(0, errno.ENOENT), (1, errno.EBADF)}


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ({"exit": {"errno": True}}, "nothing in the result of exit tells whether errno is set"),
        ({"exit": {"errno": -1}}, "a number or a pointer"),
        ({"getpid": {"result": "nothing", "errno": -1}}, "not looked at"),
        ({"close": {"result": {"role": "status", "style": "tuple"}, "errno": True}}, "nothing in the result"),
        ({"close": {"errno": "sett"}}, "true, false, the result of a failure"),
        ({"close": {"errno": 1 << 70}}, "no result is"),
    ],
)
def test_errno_rules_that_are_wrong(rules, text):
    with pytest.raises(cuox.BindError, match=text):
        cuox.bind(None, POSIX, rules=rules)


def test_statuses_as_tuples(shop_library):
    library = cuox.bind(shop_library, headers=[DATA / "shop.h"], status="tuple")
    status, made = library.shop_create("x")
    assert status == library.SHOP_OK
    assert library.shop_count(made, "pear") == (library.SHOP_UNKNOWN, None)
    assert library.shop_destroy(made) == (library.SHOP_OK,)


def test_headers_that_are_wrong(shop_library, tmp_path):
    (tmp_path / "bad.h").write_text("int fine(void);\nint broken(;\n")
    with pytest.raises(cuox.BindError, match=r"bad\.h:2") as caught:
        cuox.bind(shop_library, headers=[tmp_path / "bad.h"])
    assert caught.value.line == 2
    with pytest.raises(cuox.BindError, match="no_such_header.h"):
        cuox.bind(shop_library, headers=["no_such_header.h"])
    with pytest.raises((OSError, cuox.NotFoundError), match="no_such_library"):
        cuox.bind("no_such_library", headers=[DATA / "shop.h"])


def test_a_symbol_that_is_missing(shop_library):
    library = cuox.bind(shop_library, source="int shop_open_shops(void); int shop_nowhere(void);")
    assert library.shop_open_shops() >= 0
    with pytest.raises(AttributeError, match="shop_nowhere.*libshop.so has no symbol"):
        library.shop_nowhere


def test_a_written_module_needs_no_header(shop_library, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "cuox", "bind", DATA / "shop.h", "-l", shop_library, "-o", tmp_path / "shopping.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shopping.pyi").is_file()
    code = "import shopping\nwith shopping.shop_create('x') as s: print(shopping.shop_name(s), shopping.SHOP_LIMIT)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": "", "CUOX_LIBCLANG": "/nowhere", "PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.split() == ["x", "260"], done.stderr


def test_threads(shop_library):
    released = cuox.bind(shop_library, headers=[DATA / "shop.h"], gil="release")
    wrong, done = [], []

    def work(k):
        for i in range(3000):
            if released.shop_total(3, i, k, 1) != i + k + 1:
                wrong.append(i)
            with released.shop_create(f"shop {k}") as made:
                if released.shop_name(made) != f"shop {k}":
                    wrong.append(i)
        done.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and sorted(done) == [0, 1, 2, 3]


def test_without_a_header():
    c = cuox.load(None)
    assert c.abs(-3) == 3
    c.strlen.argtypes = ["const char *"]
    c.strlen.restype = "size_t"
    assert c.strlen("größe") == 7
    c.fabs.argtypes, c.fabs.restype = ["double"], "double"
    with pytest.raises(AttributeError, match="no_such_function"):
        c.no_such_function


def test_source_files_are_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("CUOX_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "answer.c"
    source.write_text("int answer(void) { return 42; }\n")
    assert cuox.load(source).answer() == 42
    assert cuox.load(source, headers=[source]).answer() == 42
    source.write_text("int answer(void) { return 43 }\n")
    with pytest.raises(cuox.CompileError, match="answer.c:1"):
        cuox.load(source)


def test_headers_of_cuda_are_found_before_cuox_is_imported() -> None:
    program = """
import sys
import cuox_bind
assert "cuox" not in sys.modules
library = cuox_bind.bind(None, source="#include <nvrtc.h>\\nint getpid(void);")
assert library.getpid() > 0
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
