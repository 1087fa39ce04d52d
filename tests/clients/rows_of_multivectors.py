"""A plugin for pytest: NumPy's `array` makes rows of numbers of a list of clifford's multivectors in the tests.

NumPy did so before version 1.20, since multivectors have items, and two tests of clifford rely on it. Since then it
asks them for `__array__`, gets an array of objects, or an error if a dtype is given. Numba needs NumPy 1.22.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest


class _OlderNumPy:
    def __getattr__(self, name: str) -> Any:
        return getattr(numpy, name)

    @staticmethod
    def array(items: Any, *arguments: Any, **options: Any) -> Any:
        from clifford import MultiVector

        if isinstance(items, list) and all(isinstance(item, MultiVector) for item in items):
            items = [item.value for item in items]
        return numpy.array(items, *arguments, **options)


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    for item in items:
        item.module.np = _OlderNumPy()
