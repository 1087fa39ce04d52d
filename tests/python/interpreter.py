"""Programs in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def python(*arguments: str, cwd: Path | None = None, code: int = 0, **environment: str) -> str:
    """Run the interpreter in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        cwd=cwd,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr
