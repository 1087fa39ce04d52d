"""An IPython shell in the process of the tests."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest


def make_shell(folder: Path) -> Any:
    """A shell as notebooks have it; its own files are in a folder. Skips the test if there is no IPython."""
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config({"HistoryManager": {"enabled": False}})
    module = types.ModuleType("a_notebook")  # or it would take the place of __main__
    return InteractiveShell(config=config, user_module=module, ipython_dir=str(folder))


def run_cell(shell: Any, text: str) -> BaseException | None:
    """Run a cell; the result is the exception that ended it."""
    found = shell.run_cell(text, store_history=True)
    error: BaseException | None = found.error_before_exec or found.error_in_exec
    return error
