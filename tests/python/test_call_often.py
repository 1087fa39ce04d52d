"""Calls that are made often, so that there is code for them, while there are callbacks too; and what `errno` says."""

from __future__ import annotations

import errno
import os
import pathlib

import pytest
from cuox_bind import _native
from test_call import Bind, Function, bind, library  # noqa: F401


@pytest.mark.parametrize("gil", ["hold", "release", "auto"])
def test_errno(bind: Bind, gil: str) -> None:
    set_to = bind("fail_with", "void", [("code", "i32")])

    def failing(kind: str, errno: int | str) -> Function:
        return bind(f"fail_{kind}", kind, [("x", kind)], errno=errno, gil=gil)

    def check() -> None:
        for kind, failure in (("i32", -1), ("i32", 7), ("i16", -1), ("u32", -1)):
            f = failing(kind, failure)
            for _ in range(3):
                result = failure & 0xFFFFFFFF if kind == "u32" else failure
                set_to(errno.ENOENT)
                assert f(3) == 3
                with pytest.raises(FileNotFoundError) as caught:
                    f(result)
                assert (caught.value.errno, caught.value.strerror, caught.value.filename) == (2, os.strerror(2), None)
                # Memory from before the call does not count.
                set_to(0)
                assert f(result) == result
        for name, kind in (("fail_f64", "f64"), ("fail_void", "void")):
            g = bind(name, kind, [("x", "f64")] if kind == "f64" else [], errno="set", gil=gil)
            arguments = (0.5,) if kind == "f64" else ()
            assert g(*arguments) == (0.5 if arguments else None)
            set_to(errno.EACCES)
            with pytest.raises(PermissionError):
                g(*arguments)
            set_to(0)

    check()
    kind = _native._c_callback("int (*)(int)", [("x", "i32")], "i32")
    each = bind("fail_each", "void", [("f", ("callback", kind)), ("x", "i32")], errno="set", gil=gil)
    kept = bind("fail_each", "void", [("f", ("kept", kind)), ("x", "i32")], errno="set", gil=gil)
    assert each(lambda x: x - 5, 5) is None
    # While there is a callback, calls are watched for what it raises.
    kept(zero, 5)
    check()
    with pytest.raises(ZeroDivisionError):
        each(lambda x: 1 // 0, 5)


def zero(x: int) -> int:
    return 0 * x


def test_functions_that_are_called_often(bind: Bind, capfd: pytest.CaptureFixture[str]) -> None:
    kind = _native._c_callback("int (*)(int)", [("x", "i32")], "i32")
    each = bind("call_if", "void", [("f", ("callback?", kind)), ("x", "i32"), ("times", "i32", 1)])
    add = bind("add", "i32", [("a", "i32"), ("b", "i32")])
    nothing = bind("nothing", "void", [])
    called = []

    def fails(x: int) -> int:
        called.append(x)
        return 1 // 0

    def calls(function: object) -> None:
        for i in range(200):
            assert add(i, b=1) == add(i, 1) == i + 1
            assert nothing() is None
            with pytest.raises(ZeroDivisionError):
                each(function, i)
            each(None, i, 0)
            with pytest.raises(TypeError):
                add(i)
            with pytest.raises(OverflowError):
                add(i, 1 << 40)

    calls(fails)
    # As long as there is a callback, calls are watched for what it raises.
    with kind.python(fails) as callback:
        calls(callback)
    with pytest.raises(ValueError, match="closed"):
        each(callback, 1)
    calls(fails)
    assert called == list(range(200)) * 3
    # Where code cannot be made, calls are made without: that would be seen here alone.
    assert "panicked" not in capfd.readouterr().err


def test_errno_of_other_results(bind: Bind) -> None:
    set_to = bind("fail_with", "void", [("code", "i32")])
    takes = [("path", "text"), ("null", "i32")]
    for result in ("text", ("not null", "text")):
        f = bind("fail_text", result, takes, errno=0)
        set_to(errno.ENOENT)
        assert f("a", 0) == "a"
        for path in ("a", b"b", pathlib.Path("c")):
            with pytest.raises(FileNotFoundError, match="No such file") as caught:
                f(path, 1)
            assert caught.value.filename == path
        set_to(0)
        if result == "text":
            assert f("a", 1) is None
        else:
            with pytest.raises(RuntimeError, match="NULL"):
                f("a", 1)
    parameters = [("x", "i32"), ("out", ("out", "i32"))]
    for success in ("zero", "not negative", [0, 5]):
        g = bind("fail_out", ("status", "i32", success), parameters, errno="status")
        set_to(errno.EBUSY)
        assert g(4) == 8
        with pytest.raises(OSError, match="busy") as caught:
            g(-3)
        assert caught.value.errno == errno.EBUSY
        set_to(0)
        with pytest.raises(RuntimeError, match="-3"):
            g(-3)
    h = bind("fail_more", "i32", [("x", "i32")], errno=-1, variadic=True)
    set_to(errno.EINTR)
    assert h(3, "a", 1.5) == 3
    with pytest.raises(InterruptedError):
        h(-1, "a", 1.5)
    set_to(0)
    for name, result, takes, failure in (
        ("fail_f64", "f64", [("x", "f64")], -1),
        ("fail_void", "void", [], -1),
        ("fail_i32", "i32", [("x", "i32")], "status"),
    ):
        with pytest.raises(ValueError, match="which errno needs"):
            bind(name, result, takes, errno=failure)
    with pytest.raises(ValueError, match="which errno needs"):
        bind("fail_out", ("status", "i32", "zero"), parameters, errno="status", status_tuple=True)
