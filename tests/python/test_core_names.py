"""Names of `cuda.core` that are not there, and handles."""

from __future__ import annotations

import ctypes
import importlib
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import cuox
import pytest
from cuox.cuda import core
from cuox.cuda.bindings import driver

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def names() -> Any:
    sys.path.insert(0, str(TOOLS))
    try:
        return importlib.import_module("core_names")
    finally:
        sys.path.remove(str(TOOLS))


def test_the_list_in_the_docs_is_true(names: Any) -> None:
    page = names.PAGE.read_text()
    known = json.loads(names.NAMES.read_text())
    assert names.page_with(names.text(known), page) == page, "run python tools/core_names.py"


def test_a_name_that_is_not_there_says_what_there_is(names: Any) -> None:
    missing, _ = names.lacking(json.loads(names.NAMES.read_text()))
    count = 0
    for module, absent in missing.items():
        try:
            own = importlib.import_module(f"cuox.{module}")
        except ImportError:
            parent, _, absent = (*module.rpartition(".")[:2], [module.rpartition(".")[2]])
            own, module = importlib.import_module(f"cuox.{parent}"), parent
        for name in absent:
            count += 1
            text = f"^{module} has {name}; cuox not yet: .+"
            with pytest.raises(AttributeError, match=text):
                getattr(own, name)
            with pytest.raises(ImportError, match=text):
                exec(f"from cuox.{module} import {name}")
            assert not hasattr(own, name)
    assert count
    for module in ("cuox.cuda.core", "cuox.cuda.core.utils", "cuox.cuda.core.texture", "cuox.cuda.core.graph"):
        with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'nonsense'"):
            importlib.import_module(module).nonsense
        with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
            exec(f"from {module} import nonsense")


def test_handles_are_ints_and_of_the_classes_of_the_bindings(device: cuox.Device) -> None:
    stream, event = device.create_stream(), device.create_event()
    for handle, kind in ((stream.handle, driver.CUstream), (event.handle, driver.CUevent)):
        assert isinstance(handle, int) and isinstance(handle, kind) and not isinstance(handle, driver.CUcontext)
        assert handle == int(handle) and handle == kind(handle) and handle != 5 and handle != "text" and handle
        assert {int(handle): 1}[handle] == 1 and f"{handle:#x}" == hex(handle) == f"{int(kind(handle)):#x}"
        assert ctypes.c_void_p(handle).value == handle == pickle.loads(pickle.dumps(handle))
    assert stream.__cuda_stream__() == (0, stream.handle) and cuox.Stream.from_handle(stream.handle) == stream
    assert driver.cuEventRecord(event.handle, stream.handle) == (0,) == driver.cuStreamSynchronize(stream.handle)
    assert int(core.LEGACY_DEFAULT_STREAM.handle) == 1 and isinstance(
        core.LEGACY_DEFAULT_STREAM.handle, driver.CUstream
    )
    stream.close()
    event.close()
    assert not stream.handle and event.handle == 0 and isinstance(stream.handle, driver.CUstream)
