"""`cuox doctor`: what it says of installations that are broken on purpose."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cuox
import cuox_bind
import pytest
from ctools import COMPILER, needs_compiler
from cuox import _native
from cuox.__main__ import main as command
from cuox._internal import links
from cuox._internal.doctor import apart, devices, finding, trial, variables
from cuox._internal.doctor.examination import STEPS, Finding, examine, main, take
from cuox._internal.links import RUNTIME, library
from cuox_bind import _native as bind_native

ROOT = Path(__file__).resolve().parents[2]
MISTYPED = "CUOX_DEVICE".replace("CE", "SE")
NVIDIA = subprocess.run(
    [sys.executable, "-c", "import cuox; print(cuox._native.choice_report()['nvidia'])"],
    capture_output=True,
    text=True,
    env={**os.environ, "CUOX_DEVICE": "auto"},
    check=False,
).stdout
without_driver = pytest.mark.skipif(
    "was not found" not in NVIDIA, reason="made up for a machine without NVIDIA's driver"
)


def doctor(*options: str, **environment: str) -> tuple[int, dict[str, Finding]]:
    """Run the command in another environment; return its status and what it found that is not as it should be."""
    command = [sys.executable, "-m", "cuox", "doctor", "--json", *options]
    ended = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=300, check=False
    )
    assert ended.returncode in (0, 1), ended.stderr
    found = [Finding(**one) for one in json.loads(ended.stdout)]
    return ended.returncode, {one.part: one for one in found if one.state != "ok"}


def test_nothing_is_wrong_here(capsys: pytest.CaptureFixture[str]) -> None:
    found = examine()
    assert [one for one in found if one.state == "broken"] == []
    parts = {one.part for one in found}
    assert {"cuox", "NumPy", "processor", "cache", "device", "NVRTC", "headers", "a kernel", "device 0"} <= parts
    name = cuox.Device(0).name
    assert any(one.part == "a kernel" and name in one.text for one in found)
    assert main() == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(("nothing is wrong", "1 warning", "2 warnings"))


@pytest.mark.parametrize(
    ("setting", "part", "state", "text", "remedy"),
    [
        ({"CUOX_DEVICE": "cpu"}, "device", "broken", 'CUOX_DEVICE is "cpu"', "unset CUOX_DEVICE"),
        pytest.param(
            *({"CUOX_DEVICE": "gpu"}, "device", "broken", "there is none", "export CUOX_DEVICE=auto"),
            marks=without_driver,
        ),
        ({"CUOX_SOFT_LIBRARY": "/nowhere.so"}, "software GPU", "broken", "was not found", "unset CUOX_SOFT_LIBRARY"),
        ({"CUOX_NVRTC_PATH": "/nowhere.so"}, "NVRTC", "broken", "NVRTC", "unset CUOX_NVRTC_PATH"),
        ({"CUOX_NVCC": "/nowhere"}, "nvcc", "warning", "CUOX_NVCC=/nowhere", "unset CUOX_NVCC"),
        ({"CXX": "nowhere-c++"}, "C++ compiler", "warning", "nowhere-c++", "unset CXX"),
        ({"CUOX_LIBCLANG": "/nowhere.so"}, "libclang", "warning", "libclang", "unset CUOX_LIBCLANG"),
        ({"CUOX_CACHE": "0"}, "cache", "note", "off", "unset CUOX_CACHE"),
        ({"CUOX_CACHE_DIR": f"{__file__}/in_a_file"}, "cache", "warning", "compiles anew", "CUOX_CACHE_DIR"),
        ({"CUOX_SOFT_STRICT": "off"}, "variables", "warning", "switches it on", "export CUOX_SOFT_STRICT=0"),
        ({"CUOX_SOFT_STRICT": "off"}, "variables", "warning", "switches it on", "export CUOX_SOFT_STRICT=0"),
        ({"CUOX_SOFT_LEAK_CHECK": "all"}, "variables", "warning", "expected 0 or 1", "export CUOX_SOFT_LEAK_CHECK=1"),
        ({"CUOX_PROGRESS": "off"}, "variables", "warning", "only 0 does", "export CUOX_PROGRESS=0"),
        ({MISTYPED: "soft"}, "variables", "warning", MISTYPED, "CUOX_DEVICE?"),
        ({"CUOX_NVVM_PATH": "/nowhere"}, "variables", "warning", "there is no such file", "unset CUOX_NVVM_PATH"),
        ({"CUOX_LIBRARY_PATH": "/:/nowhere"}, "variables", "warning", "/nowhere", "export CUOX_LIBRARY_PATH=/"),
        ({"CUOX_CALL": "fast"}, "variables", "warning", "api, code or nojit", "unset CUOX_CALL"),
        ({"CUOX_LLVM": "/nowhere/libLLVM.so"}, "LLVM", "note", "/nowhere/libLLVM.so", "unset CUOX_LLVM "),
        (
            {"CUOX_LLVM_PROGRAM": "/bin/false", "CUOX_LLVM": "x"},
            "LLVM",
            "note",
            "ended with status 1",
            "unset CUOX_LLVM_P",
        ),
        ({"CUOX_LLVM_PROGRAM": "/bin/echo", "CUOX_LLVM": "x"}, "LLVM", "note", "did not say", "unset CUOX_LLVM_P"),
        ({"CUOX_LLVM": "/nowhere/\udcff.so"}, "LLVM", "note", "/nowhere/", "unset CUOX_LLVM "),
        ({"CUOX_SOFT_ENGINE": "interpreter"}, "processor", "warning", "interprets", "unset CUOX_SOFT_ENGINE"),
        ({"CUOX_CCCL_PATH": "/nowhere"}, "headers", "warning", "cuda/std/version", "nvidia-cuda-cccl"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_variable_that_breaks_something(
    setting: dict[str, str], part: str, state: str, text: str, remedy: str
) -> None:
    status, found = doctor(**setting)
    assert found[part].state == state
    assert text in found[part].text
    assert remedy in found[part].remedy
    if state == "broken":
        assert status == 1
    if part in ("device", "NVRTC"):
        assert found["a kernel"].state == "broken"


def test_a_cache_that_others_can_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    found = doctor(CUOX_CACHE_DIR=str(tmp_path))[1]["cache"]
    assert (found.state, found.remedy) == ("warning", f"chmod go-w {tmp_path}")


def test_headers_of_another_cuda(tmp_path: Path) -> None:
    for header in ("cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h"):
        (tmp_path / header).write_text("#define CUDART_VERSION 11080\n")
    status, found = doctor(CUOX_CUDART_PATH=str(tmp_path))
    # Kernels that include nothing run.
    assert (status, found["headers"].state) == (0, "warning")
    assert "a kernel" not in found
    assert "CUDA 11.8" in found["headers"].text
    assert found["headers"].remedy == "unset CUOX_CUDART_PATH"


def test_headers_are_those_that_the_compiler_takes(tmp_path: Path) -> None:
    """Headers beside NVRTC, such as CUDA 12's where CUDA 13's are installed as well."""
    nvrtc = Path(_native.nvrtc_info()[1])
    (tmp_path / "lib").mkdir()
    for file in nvrtc.parent.glob("libnvrtc*"):
        (tmp_path / "lib" / file.name).symlink_to(file)
    (tmp_path / "include" / "crt").mkdir(parents=True)
    (tmp_path / "include" / "crt" / "host_defines.h").write_text("")
    for header in ("cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h"):
        (tmp_path / "include" / header).write_text("#define CUDART_VERSION 11080\n")
    _, found = doctor(CUOX_NVRTC_PATH=str(tmp_path / "lib" / nvrtc.name))
    assert found["headers"].text.startswith(f"{tmp_path}/include has headers of CUDA 11.8")
    major, minor = _native.nvrtc_info()[0]
    assert found["headers"].remedy.startswith("pip install 'nvidia-cuda-runtime")
    assert found["headers"].remedy.endswith(f"=={major}.{minor}.*'")


def test_two_runtimes(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        (folder / RUNTIME).write_bytes(library(RUNTIME).read_bytes())
    _, found = doctor(LD_LIBRARY_PATH=":".join(map(str, folders)))
    assert found["CUDA runtime"].state == "warning"


def test_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('there is none')")
    status, found = doctor(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    assert (status, found["NumPy"].state) == (1, "broken")
    assert "pip install 'numpy>=" in found["NumPy"].remedy


def test_an_old_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr(np, "__version__", "1.21.0")
    assert [one.state for one in take("NumPy")] == ["broken"]


@without_driver
def test_a_driver_that_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "libcuda.so.1").write_text("not a library")
    status, found = doctor(LD_LIBRARY_PATH=str(tmp_path), CUOX_DEVICE="auto")
    assert (status, found["NVIDIA driver"].state) == (0, "warning")
    assert str(tmp_path) in found["NVIDIA driver"].text


@without_driver
@needs_compiler
@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        (34, "LD_LIBRARY_PATH"),
        (803, "restart"),
        (804, "cuda-compat"),
        (802, "nvidia-fabricmanager"),
        (999, "modprobe nvidia_uvm"),
        (304, "modprobe nvidia"),
        (46, "nvidia-smi"),
    ],
)
def test_a_driver_that_does_not_start(tmp_path: Path, code: int, remedy: str) -> None:
    source = tmp_path / "driver.c"
    source.write_text(
        f"int cuInit(unsigned flags) {{ return {code}; }} int cuDriverGetVersion(int *v) {{ *v = 13000; return 0; }}\n"
    )
    assert COMPILER
    subprocess.run([COMPILER, "-shared", "-fPIC", str(source), "-o", str(tmp_path / "libcuda.so.1")], check=True)
    _, found = doctor(LD_LIBRARY_PATH=str(tmp_path), CUOX_DEVICE="auto")
    assert found["NVIDIA driver"].state == "warning"
    assert remedy in found["NVIDIA driver"].remedy


Made = Callable[[Path], object]


def gpu(root: Path) -> None:
    device = root / "sys" / "bus" / "pci" / "devices" / "0000:01:00.0"
    device.mkdir(parents=True)
    (device / "vendor").write_text("0x10de\n")
    (device / "class").write_text("0x030200\n")


def file(*names: str) -> Made:
    def make(root: Path) -> None:
        path = root.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")

    return make


@without_driver
@pytest.mark.parametrize(
    ("made", "text", "remedy"),
    [
        ([gpu], "kernel module is not loaded", "modprobe nvidia"),
        ([gpu, file(".dockerenv")], "this container has no driver", "--gpus all"),
        ([gpu, file("proc", "driver", "nvidia", "version")], "cannot be used", "nvidia-smi"),
        ([file("dev", "dxg")], "WSL", "in Windows"),
    ],
)
def test_a_gpu_that_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: list[Made], text: str, remedy: str
) -> None:
    monkeypatch.delenv("CUOX_DEVICE", raising=False)
    for make in made:
        make(tmp_path)
    found = next(one for one in devices.examine(tmp_path) if one.part == "NVIDIA driver")
    assert found.state == "warning"
    assert text in found.text
    assert remedy in found.remedy


@without_driver
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUOX_DEVICE", raising=False)
    file("dev", "nvidia0")(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: "nvidia" not in str(path))  # the tests' user may be root
    found = next(one for one in devices.examine(tmp_path) if one.part == "NVIDIA driver")
    assert found.state == "warning"
    assert found.remedy.startswith("sudo usermod -aG ")


def test_no_gpu_is_nothing_wrong(tmp_path: Path) -> None:
    assert [one.state for one in devices.examine(tmp_path) if one.part == "NVIDIA driver"] == ["ok"]


def test_a_cache_on_a_disk_of_several_machines(tmp_path: Path) -> None:
    folder = bind_native.cache_folder()
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "mounts").write_text(f"disk / ext4 rw 0 0\nserver:/home {folder} nfs4 rw 0 0\n")
    found = take("cache", tmp_path)[0]
    assert (found.state, "nfs4" in found.text) == ("note", True)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("while True: pass", "did not end"),
        ("import os; os.abort()", "SIGABRT"),
        ("import os; os._exit(0)", "exit status 0"),
        ("raise ValueError('of two lines\\n  more')", "ValueError: of two lines"),
        ("raise ValueError('all of these:\\n  one\\n  two')", "ValueError: all of these: one two"),
        ("raise ValueError('wrong')", "ValueError: wrong"),
    ],
)
def test_a_kernel_that_fails(program: str, text: str) -> None:
    found, *_ = trial.examine(program, 2)
    assert found.state == "broken"
    assert text in found.text


def test_a_step_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(root: Path) -> list[Finding]:
        raise OSError("no such thing")

    monkeypatch.setitem(STEPS, "cache", broken)
    (found,) = take("cache")
    assert (found.state, found.text) == ("warning", "could not be examined: OSError: no such thing")


def test_a_package_with_unreadable_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "jax-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_bytes(b"\xff\xfe")
    monkeypatch.syspath_prepend(tmp_path)
    assert [one.state for one in take("beside it")] in ([], ["ok"])


DRIVERS = {
    "SIGSEGV": "int cuInit(unsigned flags) { *(volatile int *)8 = 1; return 0; }",
    "SIGABRT": "void abort(void); __attribute__((constructor)) void early(void) { abort(); }",
    "exit status 0": "void exit(int); int cuInit(unsigned flags) { exit(0); return 0; }",
    "does not end": "int cuInit(unsigned flags) { for (;;) { } }",
}


@without_driver
@needs_compiler
@pytest.mark.parametrize("death", DRIVERS)
def test_a_driver_that_ends_or_stops_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: str) -> None:
    source = tmp_path / "driver.c"
    version = "int cuDriverGetVersion(int *version) { *version = 13000; return 0; }"
    source.write_text(f"{DRIVERS[death]} {version}\n")
    assert COMPILER
    subprocess.run([COMPILER, "-shared", "-fPIC", str(source), "-o", str(tmp_path / "libcuda.so.1")], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.delenv("CUOX_DEVICE", raising=False)
    # The others are given more time than the one that never ends.
    steps, seconds = (["device", "NVRTC"], 2) if death == "does not end" else (list(STEPS), 10)
    found = {one.part: one for one in apart.examine(steps, seconds)}
    assert found["NVIDIA driver"].state == "broken"
    assert death in found["NVIDIA driver"].text
    assert "CUOX_DEVICE=soft" in found["NVIDIA driver"].remedy
    assert (found["software GPU"].state, found["NVRTC"].state) == ("ok", "ok")


@needs_compiler
def test_a_software_gpu_that_is_cut_off(tmp_path: Path) -> None:
    """As an interrupted copy leaves it. The other steps are taken all the same."""
    file = tmp_path / "libcuda.so.1"
    file.write_bytes(library("libcuda.so.1").read_bytes()[:1_000_000])
    status, found = doctor(CUOX_SOFT_LIBRARY=str(file), CUOX_DEVICE="soft")
    assert (status, found["software GPU"].state) == (1, "broken")
    assert "SIGBUS" in found["software GPU"].text
    assert found["software GPU"].remedy == "unset CUOX_SOFT_LIBRARY"
    assert "NVRTC" not in found


def test_a_compiler_that_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "libnvrtc.so.13"
    file.write_bytes(Path(_native.nvrtc_info()[1]).read_bytes()[:1_000_000])
    status, found = doctor(CUOX_NVRTC_PATH=str(file))
    assert (status, found["NVRTC"].state, found["NVRTC"].remedy) == (1, "broken", "unset CUOX_NVRTC_PATH")


@without_driver
@pytest.mark.parametrize(
    ("name", "value"),
    [("CHECK", "all"), ("ENGINE", "fast"), ("MEMORY", "lots"), ("DEVICES", "99"), ("TIMEOUT", "x"), ("ARCH", "sm_1")],
)
def test_a_value_that_is_not_understood(name: str, value: str) -> None:
    _, found = doctor(**{f"CUOX_SOFT_{name}": value})
    assert found["variables"].text.startswith(f"CUOX_SOFT_{name}={value} is ignored: expected")
    assert found["variables"].remedy == f"unset CUOX_SOFT_{name}"


@pytest.mark.parametrize(("options", "name"), [(["-P"], "json"), ([], "argparse"), ([], "numpy")])
def test_modules_of_the_current_folder(tmp_path: Path, options: list[str], name: str) -> None:
    (tmp_path / f"{name}.py").write_text("raise ImportError('not the right one')\n")
    ended = subprocess.run(
        [sys.executable, *options, "-m", "cuox", "doctor"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"programs in this folder get its {name}.py" in ended.stdout
    assert f"mv {name}.py my_{name}.py" in ended.stdout


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_characters_that_the_output_lacks(encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "CUOX_NVCC": "/nowhere"}
    command = [sys.executable, "-m", "cuox", "info"]
    ended = subprocess.run(command, capture_output=True, env=environment, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ("→" if encoding == "utf-8" else "->") + " unset CUOX_NVCC" in ended.stdout.decode(encoding)


def test_no_standard_output_and_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    script = 'cd "$1" && rmdir "$1" && "$2" -m cuox doctor >&-'
    command = ["sh", "-c", script, "sh", str(folder), sys.executable]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_remedies_are_commands_for_a_shell() -> None:
    """What follows a command stands behind a number sign."""
    names = dict.fromkeys(("CUOX_NVCC", "CXX", "CUOX_LIBCLANG", "CUOX_NVRTC_PATH", "CUOX_CUDART_PATH"), "/nowhere")
    others = {"CUOX_SOFT_ENGINE": "interpreter", "CUOX_CACHE_DIR": f"{__file__}/no", MISTYPED: "soft"}
    _, found = doctor(**names, **others)
    remedies = [one.remedy for one in found.values() if one.part != "a kernel"]
    assert len(remedies) >= 7
    for remedy in remedies:
        assert remedy.startswith(("unset ", "export ", "pip install ", "sudo "))
        assert subprocess.run(["sh", "-n", "-c", remedy], check=False).returncode == 0
        assert "…" not in remedy


def test_the_report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert main(report=True) == 0
    text = capsys.readouterr().out
    assert text.count("```") == 4
    assert "CUDA_VISIBLE_DEVICES=0" in text
    assert "a kernel" in text


def test_the_variables_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "environment.md").read_text()
    for_users = re.split(r"^## .*cuox itself.*$", page, flags=re.MULTILINE)[0]
    assert set(variables.VARIABLES) == set(re.findall(r"`(CUOX_[A-Z_]+)`", for_users))


def unloadable(tmp_path: Path, cut: str) -> dict[str, str]:
    """An environment in which a compiled module is cut off, or missing; all else is what is installed."""
    for package in (Path(cuox.__file__).parent, Path(cuox_bind.__file__).parent):
        copy = tmp_path / package.name
        copy.mkdir()
        for file in package.iterdir():
            if file.name != "_native.abi3.so" or f"{package.name} is missing" != cut:
                (copy / file.name).symlink_to(file)
        if package.name == cut:
            (copy / "_native.abi3.so").unlink()
            (copy / "_native.abi3.so").write_bytes((package / "_native.abi3.so").read_bytes()[:100_000])
        # Python takes the folder of the package by this file.
        (copy / "__init__.py").unlink()
        (copy / "__init__.py").write_bytes((package / "__init__.py").read_bytes())
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}


@pytest.mark.parametrize(
    ("cut", "part", "text"),
    [
        ("cuox", "cuox", "is cut off: it has 100000 of"),
        ("cuox is missing", "cuox", "it is missing"),
        ("cuox_bind", "cuox-bind", "is cut off: it has 100000 of"),
    ],
)
def test_a_compiled_module_that_cannot_be_loaded(tmp_path: Path, cut: str, part: str, text: str) -> None:
    environment = unloadable(tmp_path, cut)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    said = f"ImportError: {part.replace('-', '_')}'s compiled module cannot be loaded: "
    imported = run("-c", "import sys; sys.argv = ['program', 'doctor']; import cuox")
    assert imported.returncode == 1 and text in imported.stderr.splitlines()[-1]
    assert imported.stderr.splitlines()[-1].startswith(said)
    for found in (run("-m", "cuox", "doctor", "--json"), run("-c", CONSOLE, "doctor", "--json")):
        assert (found.returncode, found.stderr) == (1, "")
        (only,) = json.loads(found.stdout)
        assert (only["part"], only["state"]) == (part, "broken") and text in only["text"]
        assert only["remedy"] == finding.install_again(part)
    assert run("-m", "cuox", "info").stdout.startswith(f"X {part}  ")
    assert run("-m", "cuox", "doctor").stdout.endswith("\n1 thing is broken (X)\n")


# What pip's script `cuox` does.
CONSOLE = "import sys; sys.argv[0] = '/bin/cuox'; from cuox.__main__ import main; sys.exit(main())"


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ('{"url": "file:///a%20b/cuox-1.whl", "archive_info": {}}', "file:///a%20b/cuox-1.whl"),
        ('{"url": "file:///clone", "dir_info": {"editable": true}}', "-e file:///clone"),
        ('{"url": "https://h/c", "vcs_info": {"vcs": "git", "commit_id": "0a"}}', "git+https://h/c@0a"),
        ("[", ".  # in a clone of cuox"),
        (None, "cuox==1.2"),
    ],
)
def test_what_installs_cuox_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str | None, command: str
) -> None:
    folder = tmp_path / "cuox-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: cuox\nVersion: 1.2\n")
    if origin:
        (folder / "direct_url.json").write_text(origin)
    monkeypatch.syspath_prepend(tmp_path)
    assert finding.install_again() == f"pip install --force-reinstall --no-deps {command}"


def test_a_library_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("libcuda.so.1", "libcudart.so.13", "shims/libnvJitLink.so.13", "shims/libnvrtc.so.13"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(links.LIBRARIES / name)
    monkeypatch.setattr(links, "LIBRARIES", tmp_path)
    (only,) = take("libraries")
    assert (only.state, only.text) == ("broken", f"{tmp_path / links.MANAGEMENT} is missing")
    (tmp_path / links.MANAGEMENT).write_bytes(links.library("libcuda.so.1").read_bytes()[:5000])
    (only,) = take("libraries")
    assert "libnvidia-ml.so.1 is cut off: it has 5000 of" in only.text


def test_packages_that_run_on_gpus_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch-9.9", "triton-9.8"):
        (tmp_path / f"{name}.dist-info").mkdir()
        (tmp_path / f"{name}.dist-info" / "METADATA").write_text("Name: {}\nVersion: {}\n".format(*name.split("-")))
    monkeypatch.syspath_prepend(tmp_path)
    text = take("beside it")[0].text
    assert "triton 9.8" in text and "torch 9.9" in text
    assert text.endswith(" (their CUDA code runs on NVIDIA GPUs only)")


def test_ctrl_c_ends_it_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object) -> list[Finding]:
        raise KeyboardInterrupt

    monkeypatch.setattr(apart, "examine", interrupted)
    assert command(["doctor"]) == 130
    assert capsys.readouterr() == ("", "")
