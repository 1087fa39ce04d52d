"""Where the source of a kernel is found, and what of Python kernels cannot have."""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import linecache
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cuox
import numpy as np
import pytest
from cuox.numba import cuda

_numbers = itertools.count()


def defined(text: str, **names: Any) -> Any:
    """The function `kernel` of a text, as a notebook defines it: its lines are known to linecache only."""
    file = f"<cell {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"cuda": cuda, **names}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def results(kernel: Any, count: int = 1) -> list[float]:
    array = cuda.device_array(4, np.float64)
    cuda.jit(kernel)[1, 1](array)
    found: list[float] = array.copy_to_host()[:count].tolist()
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('def kernel(a):\n    """Text."""\n    a[0] = 1\n', [1]),
        ("def kernel(a):\n    x: float = 3\n    y: int\n    a[0] = x\n", [3]),
        ("def kernel(a):\n    a[0] = (1 +\n  2\n    )\n", [3]),
        ("def kernel(a):\n    a[0] = 1\n# A comment.\n    a[1] = 2\n", [1, 2]),
        (
            'if True:\n  if True:\n    def kernel(a):\n        a[0] = 1\n  # A comment.\n        text = """\nx"""\n        a[1] = 2\n',
            [1, 2],
        ),
        ("def kernel(a):\n    größe = 5; a[0] = größe\n", [5]),
        (
            "class Names:\n    @staticmethod\n    def kernel(a): a[0] = 7\nkernel = Names.kernel\n",
            [7],
        ),
    ],
)
def test_functions_are_found_in_cells(text: str, expected: list[float]) -> None:
    assert results(defined(text), len(expected)) == expected


def test_lambdas_in_one_line_are_told_apart() -> None:
    one, ten = (
        cuda.jit(device=True)(lambda x: x + 1),
        cuda.jit(device=True)(lambda x: x * 10),
    )

    @cuda.jit
    def kernel(a: Any) -> None:
        a[0] = ten(one(1.0))

    array = cuda.device_array(1, np.float64)
    kernel[1, 1](array)
    assert array.copy_to_host()[0] == 20


def test_functions_of_compiled_texts_are_told_apart() -> None:
    made = []
    for factor in range(1, 4):
        scope: dict[str, Any] = {"cuda": cuda}
        exec(f"def kernel(a):\n    i = cuda.grid(1)\n    a[i] = {factor} * (i + 1)\n", scope)
        made.append(scope["kernel"])
    assert [results(kernel) for kernel in made] == [[1], [2], [3]]
    doubled = eval("cuda.jit(device=True)(lambda x: x * 2)", {"cuda": cuda})

    @cuda.jit
    def kernel(a: Any) -> None:
        a[0] = doubled(21.0)

    array = cuda.device_array(1, np.float64)
    kernel[1, 1](array)
    assert array.copy_to_host()[0] == 42


def test_compiled_texts_with_future_annotations_and_closures() -> None:
    text = "from __future__ import annotations\ndef outer(n):\n    def kernel(a: NoSuchName):\n        a[0] = n\n    return kernel\n"
    scope: dict[str, Any] = {}
    exec(compile(text, "<made>", "exec"), scope)
    assert results(scope["outer"](6)) == [6]


def test_of_equal_names_the_text_with_the_functions_own_code_counts() -> None:
    scopes: list[dict[str, Any]] = [{}, {}]
    exec("def kernel(a):\n    a[0] = 1\n", scopes[0])
    exec("def kernel(a):\n    a[0] = 1 + 1\n    a[1] = 5\n", scopes[1])
    assert (results(scopes[0]["kernel"]), results(scopes[1]["kernel"], 2)) == ([1], [2, 5])


def test_errors_of_compiled_texts_show_their_line() -> None:
    scope: dict[str, Any] = {}
    exec("def kernel(a):\n    a[0] = nothing\n", scope)
    with pytest.raises(
        TypeError, match=r"(?s)name 'nothing' is not defined.*File \"<string>\", line 2\n.*a\[0\] = nothing"
    ):
        results(scope["kernel"])


def test_a_reloaded_module_has_its_new_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kernels_that_change.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    found = []
    for number in (1, 22):
        file.write_text(f"def kernel(a):\n    a[0] = {number}\n")
        sys.modules.pop(file.stem, None)
        importlib.invalidate_caches()
        found += results(importlib.import_module(file.stem).kernel)
    sys.modules.pop(file.stem)
    assert found == [1, 22]


@pytest.mark.parametrize(
    "text", ["def kernel(a):\n    a[0] = {}\n", "number = lambda: {}\ndef kernel(a):\n    a[0] = number()\n"]
)
def test_a_file_that_was_changed_after_its_import_is_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file = tmp_path / f"kernels_that_go_{next(_numbers)}.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    file.write_text(text.format(1))
    importlib.invalidate_caches()
    kernel = importlib.import_module(file.stem).kernel
    file.write_text(text.format(22))
    with pytest.raises(ValueError, match="was the file changed after it was imported"):
        results(kernel)
    file.write_text("# A comment.\n" + text.format(1))
    with pytest.raises(ValueError, match="was the file changed after it was imported"):
        results(kernel)
    file.write_text(text.format(1) + "# A comment.\n")
    sys.modules.pop(file.stem)
    assert results(kernel) == [1]


@pytest.mark.parametrize("wrapped", [math.floor, np.absolute, np.sum])
def test_functions_that_wrap_known_ones_are_the_users(wrapped: Any) -> None:
    @functools.wraps(wrapped)
    def ten_times(a):
        return a * 10

    def kernel(a):
        a[0] = ten_times(-2.5)

    assert results(kernel) == [-25]


def test_texts_that_are_too_long_are_not_kept() -> None:
    scope: dict[str, Any] = {}
    exec(compile("def kernel(a):\n    a[0] = 123456\n" + "#" * (1 << 19), "<long>", "exec"), scope)
    with pytest.raises(ValueError, match="its source cannot be found"):
        results(scope["kernel"])


def test_a_function_without_source_says_so() -> None:
    scope: dict[str, Any] = {}
    # A tree has no text.
    exec(compile(ast.parse("def kernel(a):\n    a[0] = 7\n"), "<nowhere>", "exec"), scope)
    with pytest.raises(
        ValueError,
        match=r"kernel\(\): its source cannot be found \(<nowhere>, line 1\).*put it into a file",
    ):
        results(scope["kernel"])


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("def kernel(a, **names):\n    a[0] = 1\n", r"\*\*keywords as a parameter", 1),
        (
            "def kernel(a):\n    @cuda.jit\n    def inner(x): return x\n    a[0] = inner(1)\n",
            "a decorator of a function inside of it",
            3,
        ),
        (
            "def kernel(a):\n    text = 'x'\n    print(f'{text!a}')\n",
            "!a in an f-string",
            3,
        ),
        ("def kernel(a):\n    with a: pass\n", "a with statement", 2),
        (
            "def kernel(a):\n    try:\n        a[0] = 1\n    except ValueError: pass\n",
            "a try statement",
            2,
        ),
        (
            "def kernel(a):\n    match a[0]:\n        case 1: a[0] = 1\n",
            "a match statement",
            2,
        ),
        ("def kernel(a):\n    import math\n", "an import statement", 2),
        ("def kernel(a):\n    global x\n    x = 1\n", "a global statement", 2),
        ("def kernel(a):\n    class X: pass\n", "a class definition", 2),
        ("def kernel(a):\n    yield 1\n", "yield", 2),
        ("def kernel(a):\n    b = [x for x in range(3)]\n", "a list comprehension", 2),
        ("def kernel(a):\n    b = {1: 2}\n", "a dictionary", 2),
        ("def kernel(a):\n    max(**a)\n", r"\*\*keywords in a call", 2),
        (
            "def kernel(a):\n    a[0] = 10 ** 0 + 1" + "0" * 60 + "\n",
            "an int of more than 64 bits",
            2,
        ),
    ],
)
def test_what_kernels_cannot_have_is_named(text: str, words: str, line: int) -> None:
    with pytest.raises(TypeError, match=f"a kernel cannot have {words}") as raised:
        results(defined(text))
    assert raised.value.lineno == line  # type: ignore[attr-defined]
    assert f"line {line}\n" in str(raised.value)


@pytest.mark.parametrize(
    "value",
    [
        "+".join(["a[0]"] * 900),
        "-" * 300 + "a[0]",
        "(" * 90 + "a[0]" + "+1)" * 90 + "".join("+1" for _ in range(90)),
    ],
)
def test_trees_that_are_too_deep_are_refused(value: str) -> None:
    with pytest.raises((TypeError, RecursionError), match="nested too deeply"):
        results(defined(f"def kernel(a):\n    a[0] = {value}\n"))


@pytest.mark.parametrize(
    "name", ["record_x", "state_0", "record_", "__x", "py", "array", "int32", "while_", "float", "NULL", "threadIdx"]
)
def test_names_that_mean_something_in_the_code_are_free(name: str) -> None:
    text = f"def {name}({name}_2):\n    {name} = 4\n    for i in range(3):\n        {name} += i\n    {name}_2[0] = {name}\nkernel = {name}\n"
    assert results(defined(text)) == [7]


def test_versions_hold_the_types_of_arrays_in_tuples() -> None:
    @cuda.jit
    def kernel(out: Any, pair: Any) -> None:
        out[0] = pair[0][0].x

    # Dtypes that are made and dropped: a version is found by their address.
    for kind in ["f4", "i8", "f8", "i2"] * 8:
        array = np.zeros(1, np.dtype([("x", kind)]))
        array["x"] = 3
        out = cuda.device_array(1, np.float64)
        kernel[1, 1](out, (cuox.to_device(array), 1))
        assert out.copy_to_host()[0] == 3
        del array


def test_machine_code_is_shown_by_nvdisasm(device: cuox.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    @cuda.jit("void(float32[:])")
    def kernel(x):
        x[0] = 1

    if device.is_soft:
        monkeypatch.setattr("shutil.which", lambda name: f"/nowhere/{name}")
        with pytest.raises(RuntimeError, match="the software GPU runs PTX"):
            kernel.inspect_sass()
    elif shutil.which("nvdisasm"):
        (text,) = kernel.inspect_sass().values()
        assert ".text.kernel" in text
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(RuntimeError, match="nvdisasm was not found"):
        kernel.inspect_sass()


def test_lambdas_of_one_line_that_choose():
    least, most = lambda a, b: a if a < b else b, lambda a, b: a if a > b else b
    outer = lambda a, b: (lambda a, b: a if a > b else b)(a, b)
    for op, expected in ((least, 1), (most, 3), (outer, 3)):
        assert cuda.reduce(op)(np.array([2, 3, 1]), init=2) == expected


def test_a_text_that_is_not_the_command_line():
    program = """
import numpy as np
from cuox.numba import cuda
def kernel(x):
    x[0] = 1
scope = {}
exec(compile("import numpy\\n\\n\\ndef kernel(x):\\n    x[0] = 2\\n", "<string>", "exec", dont_inherit=True), scope)
x = np.zeros(1)
try:
    cuda.jit(scope["kernel"])[1, 1](x)
except Exception as error:
    print(type(error).__name__)
print(x[0] != 1)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1:] == ["True"], done
