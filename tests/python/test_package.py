import ast
import enum
import importlib
import inspect
import json
import pickle
import subprocess
import sys
import typing
import zlib
from pathlib import Path

import cuox
import pytest
from cuox import bound
from cuox.cuda import pathfinder


def module(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "cuox", *arguments], capture_output=True, text=True, timeout=300, cwd=cwd
    )


def test_info():
    result = module("info")
    assert result.returncode == 0, result
    for word in ("cuox", cuox.__version__, "Python", "NVRTC", "asked for"):
        assert word in result.stdout, result.stdout


def test_unknown_command():
    assert module("frobnicate").returncode == 2
    assert "info" in module("--help").stdout


def test_demo_without_a_place_for_its_picture(tmp_path):
    (tmp_path / "file").touch()
    result = module("demo", "--picture", "file/heat.png", cwd=tmp_path)
    assert result.returncode == 1 and not result.stdout
    assert (
        result.stderr.startswith("cuox demo: the picture cannot be written: [Errno ")
        and "Traceback" not in result.stderr
    )


def test_demo(tmp_path):
    result = module("demo", cwd=tmp_path)
    assert result.returncode == 0, result
    assert "correct" in result.stdout and "GB/s" in result.stdout
    picture = (tmp_path / "demo-out" / "heat.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    start = picture.index(b"IDAT")
    size = int.from_bytes(picture[start - 4 : start], "big")
    rows = zlib.decompress(picture[start + 4 : start + 4 + size])
    assert len(rows) == 512 * (1 + 3 * 512)
    assert len(set(rows)) > 50  # a picture, not one colour


def test_finding_libraries():
    found = pathfinder.load_nvidia_dynamic_lib("nvrtc")
    assert found.abs_path.endswith(".so.13") or "nvrtc" in found.abs_path
    assert pathfinder.find_cuda_library("nvrtc")
    assert pathfinder.find_nvidia_header_directory("cudart")
    assert pathfinder.find_cuda_include_dirs()
    with pytest.raises((ValueError, cuox.NotFoundError), match="nosuchlib"):
        pathfinder.find_cuda_library("nosuchlib")


def test_what_is_not_installed_is_told_with_the_command_that_mends_it():
    for name in pathfinder.SUPPORTED_NVIDIA_LIBNAMES:
        try:
            pathfinder.find_cuda_library(name)
        except ValueError:  # headers without a library
            continue
        except cuox.NotFoundError as error:
            assert "pip install" in error.fix and error.fix in str(error)
            assert error.searched and all(place in str(error) for place in error.searched)
            break
    else:
        pytest.skip("every CUDA library is installed here")


def test_options_become_the_compilers_words():
    options = cuox.ProgramOptions(
        arch="sm_90", debug=True, ftz=False, max_register_count=32, include_path=["a", "b"],
        define_macro=[("N", "3"), "FAST"], std="c++17", diag_suppress=[1, 2],
    )  # fmt: skip
    words = [word.decode() for word in options.as_bytes("nvrtc")]
    for word in (
        "-arch=sm_90", "--device-debug", "--ftz=false", "--maxrregcount=32", "--include-path=a",
        "--include-path=b", "--define-macro=N=3", "--define-macro=FAST", "--std=c++17", "--diag-suppress=1",
    ):  # fmt: skip
        assert word in words
    assert cuox.ProgramOptions(define_macro=("N", "3")).as_bytes() == [b"--define-macro=N=3"]
    with pytest.raises(cuox.CUDAError, match="not supported by NVVM backend: max_register_count, include_path, std"):
        options.as_bytes("nvvm")
    assert cuox.ProgramOptions(define_macro=("A", ("B", "1"))).as_bytes()[-2:] == [
        b"--define-macro=A",
        b"--define-macro=B=1",
    ]


@pytest.mark.parametrize("macros", [("ALONE",), ("N", 3), [42], [("ALONE",)], [("A", "B", "C")]])
def test_what_is_no_macro_is_refused(macros: object) -> None:
    with pytest.raises(RuntimeError, match="Expected define_macro"):
        cuox.ProgramOptions(define_macro=macros).as_bytes()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (42, "must be a sequence of 2-tuples"),
        ("text", "must be a sequence of 2-tuples"),
        ([1], "must be a 2-tuple"),
        ([(1, b"")], "Module name at index 0 must be a string"),
        ([("a", 1)], "Module source at index 0 must be str"),
        ([("a", b"")], "cannot be empty"),
    ],
)
def test_what_is_no_module_of_nvvm_is_refused(sources: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        cuox.ProgramOptions(extra_sources=sources)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not supported by the NVRTC backend"):
        cuox.ProgramOptions(extra_sources=[("a", b"b")]).as_bytes()
    with pytest.raises(ValueError, match="not supported by the PTX backend"):
        cuox.Program(".version 9.0", "ptx", {"extra_sources": [("a", b"b")]})
    with pytest.raises(ValueError, match="Unknown backend 'gcc'"):
        cuox.ProgramOptions().as_bytes("gcc")


def test_what_is_made_by_cuox_alone() -> None:
    from cuox import _native

    names = (
        "Context",
        "DeviceProperties",
        "Event",
        "Kernel",
        "KernelAttributes",
        "KernelOccupancy",
        "ObjectCode",
        "Stream",
    )
    for name in names:
        with pytest.raises(RuntimeError, match=rf"^{name}( objects)? cannot be instantiated directly\. \w+\.\w+"):
            getattr(_native, name)("anything", at="all")


def test_every_option_has_a_spelling():
    from dataclasses import fields

    from cuox._internal import options

    names = {field.name for field in fields(cuox.ProgramOptions)}
    assert names == set(options._NVRTC) | set(options._NOT_NVRTC)


def test_errors_print_and_pickle_their_parts():
    error = cuox.CUDAError("text")
    assert isinstance(error, RuntimeError)
    assert issubclass(cuox.OutOfMemoryError, (MemoryError, cuox.CUDAError))
    assert json.dumps(str(error)) == '"text"'


def test_public_names_are_at_home_in_cuox():
    for name in cuox.__all__:
        value = getattr(cuox, name)
        if not isinstance(value, str):
            assert value.__module__ == "cuox", name
        if callable(value):
            assert pickle.loads(pickle.dumps(value)) is value, name
    assert pickle.loads(pickle.dumps(cuox.StreamOptions(priority=3))) == cuox.StreamOptions(priority=3)
    assert typing.get_type_hints(cuox.StreamOptions)["nonblocking"] is bool


def public_members(class_):
    """The methods and properties of a class that have no underscore."""
    for name, value in vars(class_).items():
        if not name.startswith("_") and (
            callable(value)
            or isinstance(value, (property, staticmethod, classmethod))
            or inspect.isdatadescriptor(value)
        ):
            yield name


def test_everything_public_has_a_docstring():
    bindings = [
        importlib.import_module(f"cuox.cuda.bindings.{name}") for name in ("nvfatbin", "nvjitlink", "nvvm", "utils")
    ]
    for module_ in (cuox, bound, pathfinder, *bindings):
        for name in module_.__all__:
            value = getattr(module_, name)
            if not callable(value) or typing.get_origin(value) is not None:
                continue
            assert inspect.getdoc(value), f"{module_.__name__}.{name}"
            # Members of enumerations are values, with C's names.
            if isinstance(value, type) and not issubclass(value, enum.Enum):
                for member in public_members(value):
                    assert inspect.getdoc(getattr(value, member)), f"{module_.__name__}.{name}.{member}"


def test_stubs_have_the_docstrings_that_editors_show():
    stub = Path(cuox.__file__).with_name("_native.pyi")
    checked = 0

    def check(node, path):
        nonlocal checked
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.ClassDef, ast.FunctionDef)) or child.name.startswith("_"):
                continue
            here = [*path, child.name]
            if not any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in child.decorator_list):
                text = ast.get_docstring(child)
                assert text, f"{'.'.join(here)} has no docstring: run tools/stub_docs.py"
                checked += 1
                if here[0] in cuox.__all__:
                    value = cuox
                    for name in here:
                        value = getattr(value, name)
                    assert text == inspect.getdoc(value), (
                        f"{'.'.join(here)} has another docstring: run tools/stub_docs.py"
                    )
            if isinstance(child, ast.ClassDef):
                check(child, here)

    check(ast.parse(stub.read_text(encoding="utf-8")), [])
    assert checked > 150
