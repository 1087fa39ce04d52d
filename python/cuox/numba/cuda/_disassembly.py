"""Machine code as text, by NVIDIA's nvdisasm."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import cuox


def shown(code: cuox.ObjectCode, *options: str) -> str:
    """A cubin as text. options: nvdisasm's. Raises RuntimeError without nvdisasm, and for code of the software GPU,
    which is PTX.
    """
    tool = shutil.which("nvdisasm")
    if tool is None:
        raise RuntimeError(
            "nvdisasm was not found: machine code is shown by that tool of the CUDA toolkit, which must be on the PATH; inspect_asm() gives the PTX"
        )
    if code.code_type != "cubin":
        raise RuntimeError("there is no machine code for a GPU: the software GPU runs PTX, which inspect_asm() gives")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(bytes(code))
        done = subprocess.run([tool, *options, str(file)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"nvdisasm failed: {done.stderr.strip()}")
    return done.stdout
