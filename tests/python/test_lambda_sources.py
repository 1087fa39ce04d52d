"""Lambdas are read without the rest of their files, as they stand there."""

import ast
from pathlib import Path

import pytest
from cuox._internal import kernel_source
from cuox._native import _keep_compiled_texts

# As `cuox.numba.cuda` does it: some tests compile texts.
_keep_compiled_texts()

LAMBDAS = [
    lambda a: a + 1, lambda a: (a + 2), lambda a, b=3: (a * b), (lambda a: [a, (a)]), lambda: 7, lambda é: é + "ü".__len__(),
    lambda a: (lambda b: b + a)(a), lambda a: {1: (a)}, lambda a: f"{a}", lambda *, k: k, lambda a: a if a else (a,), lambda a: [b for b in (a, a) if (b)],
    lambda a: a[(1)], lambda a: -(a), (lambda a: lambda a: a)(1), (lambda a: (lambda a: (a)))(1), lambda a: (a,
        a), lambda a: (
        # A comment with a bracket )
        a + 5
    ),
]  # fmt: skip


@pytest.mark.parametrize("function", LAMBDAS, ids=range(len(LAMBDAS)))
def test_lambdas(function, monkeypatch):
    whole = [node for node in ast.walk(ast.parse(Path(__file__).read_text())) if isinstance(node, ast.Lambda)]
    for alone in (True, False):
        if not alone:
            monkeypatch.setattr(kernel_source, "_lambda_alone", lambda code, lines: None)
        node = kernel_source.of(function).node
        (same,) = [one for one in whole if (one.lineno, one.col_offset) == (node.lineno, node.col_offset)]
        assert ast.dump(node, include_attributes=True) == ast.dump(same, include_attributes=True)


def test_a_large_file_is_not_read(tmp_path, monkeypatch):
    file = tmp_path / "large.py"
    file.write_text("x = 1\n" * 1000 + "f = sorted([lambda a: (a + x), 0], key=str)[1]\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    monkeypatch.setattr(kernel_source, "_lambdas", None)
    assert ast.unparse(kernel_source.of(names["f"]).node) == "lambda a: a + x"


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "\x0c", "\x1c"])
def test_characters_that_end_no_lines(odd):
    text = f"s = 'a{odd}b'\ninc = lambda a: a + 1\ndec = lambda a: a - 1\ndef twice(a):\n    return a * 2\n"
    for ending in ("\n", "\r\n", "\r"):
        names = {}
        exec(text.replace("\n", ending), names)
        assert ast.unparse(kernel_source.of(names["dec"]).node) == "lambda a: a - 1"
        assert ast.unparse(kernel_source.of(names["inc"]).node) == "lambda a: a + 1"
        assert kernel_source.of(names["twice"]).node.name == "twice"


def test_another_lambda_at_the_same_place_is_not_taken():
    names = {}
    exec("x = 5\nf = lambda a: a + x\n", names)
    for other, is_same in (
        ("f = lambda a: a + x\n", True),
        ("f = lambda a: a - x\n", False),
        ("f = lambda a: a + y\n", False),
        ("f = lambda b: b + x\n", False),
    ):
        assert (kernel_source._lambda_alone(names["f"].__code__, ["\n", other]) is not None) == is_same
