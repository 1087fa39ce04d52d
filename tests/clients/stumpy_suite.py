"""STUMPY's own tests of its GPU functions, with `numba.cuda` taken from cuox: `python tests/clients/stumpy_suite.py`.

The interpreter has cuox installed. STUMPY and what it needs go into an environment of their own (`.venv-stumpy`, kept);
its tests come with its source distribution. Exits with pytest's status.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

VERSION = "1.14.1"
ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / ".venv-stumpy"
PYTHON = FOLDER / "bin" / "python"


def install() -> Path:
    """Install STUMPY, and return the folder of its tests."""
    tests = FOLDER / f"stumpy-{VERSION}" / "tests"
    if not tests.exists():
        venv.create(FOLDER, with_pip=True, clear=True)
        pip = [PYTHON, "-m", "pip", "--quiet"]
        subprocess.run([*pip, "install", f"stumpy=={VERSION}", "pandas", "pytest"], check=True)
        download = ["download", "--no-deps", "--no-binary", "stumpy", "--dest", FOLDER, f"stumpy=={VERSION}"]
        subprocess.run([*pip, *download], check=True)
        with tarfile.open(FOLDER / f"stumpy-{VERSION}.tar.gz") as archive:
            archive.extractall(FOLDER, filter="data")
    # cuox and NVRTC from here, behind all that STUMPY brought along.
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.check_output([PYTHON, "-c", code], text=True).strip())
    (packages / "zz-cuox.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return tests


def main() -> int:
    tests = install()
    files = sorted(path.name for path in tests.glob("test_gpu_*.py"))
    command = [PYTHON, "-m", "cuox.numba", "-m", "pytest", "-q", *sys.argv[1:], *files]
    return subprocess.run(command, cwd=tests, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
