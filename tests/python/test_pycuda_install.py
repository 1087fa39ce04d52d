"""`import pycuda` as an import of `cuox.pycuda`."""

from pathlib import Path

import cuox
import pytest
from interpreter import python


def test_imports_give_the_same_modules() -> None:
    text = python(
        "-c",
        """
import cuox.pycuda
cuox.pycuda.install()
cuox.pycuda.install()
import pycuda, pycuda.driver as drv
from pycuda import gpuarray
from pycuda.compiler import SourceModule
import cuox.pycuda.driver, cuox.pycuda.compiler, cuox.pycuda.gpuarray
assert pycuda is cuox.pycuda
assert drv is cuox.pycuda.driver is pycuda.driver
assert gpuarray is cuox.pycuda.gpuarray
assert SourceModule is cuox.pycuda.compiler.SourceModule
assert drv.__spec__.name == "cuox.pycuda.driver" and drv.__name__ == "cuox.pycuda.driver"
import importlib, sys
importlib.reload(pycuda.compiler)
assert sys.modules["pycuda.driver"] is sys.modules["cuox.pycuda.driver"]
print("same")
""",
    )
    assert text == "same\n"


def test_a_module_that_is_not_there() -> None:
    text = python(
        "-W",
        "error",
        "-c",
        """
import cuox.pycuda
cuox.pycuda.install()
try:
    import pycuda.nothing
except ModuleNotFoundError as error:
    print(error, error.name)
""",
    )
    assert text == "No module named 'pycuda.nothing' pycuda.nothing\n"


def test_after_the_original(tmp_path: Path) -> None:
    (tmp_path / "pycuda").mkdir()
    (tmp_path / "pycuda" / "__init__.py").write_text("")
    text = python(
        "-c",
        """
import pycuda
import cuox.pycuda
try:
    cuox.pycuda.install()
except RuntimeError as error:
    print(error)
""",
        cwd=tmp_path,
    )
    assert "already imported" in text
    assert "before" in text


def test_ours_goes_first(tmp_path: Path) -> None:
    (tmp_path / "pycuda").mkdir()
    (tmp_path / "pycuda" / "__init__.py").write_text("raise SystemExit('the original')")
    (tmp_path / "pycuda" / "driver.py").write_text("raise SystemExit('the original')")
    text = python("-m", "cuox.pycuda", "-c", "import pycuda.driver; print(pycuda.driver.__name__)", cwd=tmp_path)
    assert text == "cuox.pycuda.driver\n"


def test_program(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("value = 7\n")
    (tmp_path / "prog.py").write_text(
        "import sys, beside, pycuda\n"
        "if __name__ == '__main__':\n"
        "    print(sys.argv[1:], beside.value, pycuda.__name__, sys.argv[0].endswith('prog.py'))\n"
        "    sys.exit(3)\n"
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    text = python("-m", "cuox.pycuda", str(tmp_path / "prog.py"), "-x", "1", cwd=elsewhere, code=3)
    assert text == "['-x', '1'] 7 cuox.pycuda True\n"


def test_module_and_code(tmp_path: Path) -> None:
    (tmp_path / "thing.py").write_text("import sys, pycuda\nprint(__name__, sys.argv[1:], pycuda.__name__)\n")
    text = python("-m", "cuox.pycuda", "-m", "thing", "a", cwd=tmp_path)
    assert text == "__main__ ['a'] cuox.pycuda\n"
    text = python("-m", "cuox.pycuda", "-c", "import sys; print(__name__, sys.argv)", "a", cwd=tmp_path)
    assert text == "__main__ ['-c', 'a']\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [([], "usage:"), (["-m"], "usage:"), (["--what"], "unknown option --what"), (["gone.py"], "no such file: gone.py")],
)
def test_wrong_command_lines(arguments: list[str], expected: str) -> None:
    assert expected in python("-m", "cuox.pycuda", *arguments, code=2)


def test_help() -> None:
    assert "Run a program" in python("-m", "cuox.pycuda", "--help")


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_of_multiprocessing(tmp_path: Path, method: str) -> None:
    program = tmp_path / "prog.py"
    program.write_text(
        "import multiprocessing, pycuda.driver\n"
        "def work(number):\n"
        "    return pycuda.driver.__name__, number\n"
        "if __name__ == '__main__':\n"
        f"    with multiprocessing.get_context({method!r}).Pool(2) as pool:\n"
        "        print(pool.map_async(work, range(2)).get(timeout=60))\n"
    )
    wanted = "[('cuox.pycuda.driver', 0), ('cuox.pycuda.driver', 1)]\n"
    assert python("-m", "cuox.pycuda", str(program), cwd=tmp_path) == wanted
    # A folder of cuox's that only this process knows.
    text = f"import sys; sys.path.insert(0, {str(Path(cuox.__file__).parents[1])!r})\nimport cuox.pycuda\ncuox.pycuda.install()\n"
    program.write_text(text + program.read_text())
    assert python("-E", "prog.py", cwd=tmp_path) == wanted
