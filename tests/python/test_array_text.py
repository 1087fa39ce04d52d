"""What `print(array)` and notebooks show of an array's elements."""

from __future__ import annotations

import cuox
import numpy as np
import pytest


@pytest.mark.parametrize(
    "host",
    [
        np.arange(6, dtype="f4").reshape(2, 3),
        np.array(2.5),
        np.zeros((0, 3), "i"),
        np.array([True, False]),
        np.array([1 + 2j, 0], "F"),
        np.arange(1001, dtype="i") - 500,
        np.arange(2000.0).reshape(2, 1000),
        np.arange(7 * 8 * 9 * 10).reshape(7, 8, 9, 10),
        np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")]),
    ],
    ids=lambda host: f"{host.dtype.kind}{host.shape}",
)
def test_elements_are_printed_as_numpys(host: np.ndarray) -> None:
    array = cuox.to_device(host)
    assert str(array) == str(host)
    assert f"{array}" == str(host)
    assert repr(array).startswith(f"<cuox.Array shape={host.shape}")


def test_views_and_print_options() -> None:
    host = np.arange(60, dtype="d").reshape(6, 10)
    array = cuox.to_device(host)
    with np.printoptions(threshold=5, edgeitems=1, precision=2):
        assert str(array.T[::-2]) == str(host.T[::-2])
    assert str(array[1:, ::3]) == str(host[1:, ::3])


def test_of_a_large_array_little_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    from cuox._internal import array_text

    array = cuox.zeros((300, 400, 500), "u1")
    assert array_text._shown(array).shape == array.shape
    assert str(array) == str(np.zeros(array.shape, "u1"))
    copied = []

    class Counted:
        shape, dtype, size = array.shape, array.dtype, array.size

        def __getitem__(self, part: tuple[slice, ...]) -> cuox._native.Array:
            copied.append(array[part].size)
            return array[part]

    array_text._shown(Counted())  # type: ignore[arg-type]
    assert sum(copied) == 6**3


def test_what_cannot_be_read_says_what_it_was() -> None:
    array = cuox.zeros((3,), "f4")
    array.buffer.close()
    assert str(array) == repr(array)
    assert "closed" in str(array)
    assert "closed" in array._repr_html_()


def test_a_notebook_shows_elements_and_what_they_are() -> None:
    shown = cuox.to_device(np.array([1, 2], "i"))._repr_html_()
    assert "<pre>[1 2]</pre>" in shown
    assert "&lt;cuox.Array shape=(2,) dtype=int32" in shown
