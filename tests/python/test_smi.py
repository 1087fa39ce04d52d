"""`cuox nvidia-smi`, and the scripts of `cuox env` that call it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import cuox
import pytest
from cuox._internal import nvcc, smi


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cuox", "nvidia-smi", *arguments],
        env={**os.environ, "CUOX_DEVICE": "soft", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, device: cuox.Device) -> object:
    """Asks in this process: the exit status and the lines."""
    if not device.is_soft:
        pytest.skip("NVIDIA's tool answers")

    def ask(*arguments: str) -> tuple[int, list[str]]:
        capsys.readouterr()
        status = smi.main(arguments)
        return status, capsys.readouterr().out.splitlines()

    return ask


def test_a_query_has_the_tools_form(answer, device: cuox.Device) -> None:
    total = device.memory_info()[1] >> 20
    fields = "--query-gpu=index,name,memory.total,compute_cap,temperature.gpu,power.draw"
    assert answer(fields, "--format=csv") == (
        0,
        [
            "index, name, memory.total [MiB], compute_cap, temperature.gpu, power.draw [W]",
            f"0, cuox software GPU, {total} MiB, 9.0, [N/A], [N/A]",
        ],
    )
    assert answer("--query-gpu=name, memory.total", "--format=csv,noheader,nounits") == (
        0,
        [f"cuox software GPU, {total}"],
    )
    assert answer("--query-gpu=gpu_name", "--format", "csv")[1] == ["name", "cuox software GPU"]
    assert answer("--query-compute-apps=pid,name,used_memory", "--format=csv") == (
        0,
        ["pid, process_name, used_gpu_memory [MiB]"],
    )


def test_devices_are_listed(answer, device: cuox.Device) -> None:
    line = f"GPU 0: cuox software GPU (UUID: GPU-{device.uuid})"
    for arguments in (["-L"], ["--list-gpus"], ["-L", "-i", "0"], ["-L", f"--id=GPU-{device.uuid}"]):
        assert answer(*arguments) == (0, [line])
    said = run("-L", CUOX_SOFT_DEVICES="2")
    assert [one[:6] for one in said.stdout.splitlines()] == ["GPU 0:", "GPU 1:"]


def test_the_table_is_a_rectangle(answer) -> None:
    status, lines = answer()
    assert status == 0 and "cuox software GPU" in "\n".join(lines)
    assert "CUDA Version: 13.0" in lines[2]
    assert {len(line) for line in lines[1:] if line} == {91}


def test_the_log_has_what_is_asked_for(answer) -> None:
    _, lines = answer("-q", "-d", "MEMORY")
    assert re.search(r"^    FB Memory Usage\n        Total +: \d+ MiB$", "\n".join(lines), re.MULTILINE)
    assert "Product Name" in "\n".join(answer("-q")[1]) and "Product Name" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["--query-gpu=name,nope", "--format=csv"], 2, 'Field "nope" is not a valid field to query.'),
        (["--query-gpu=name", "--format=json"], 2, 'Format modifier "json" is not recognized'),
        (["dmon"], 255, "Option dmon is not recognized"),
        (["-pm", "1"], 255, "Option -pm is not recognized"),
        (["--format=csv"], 255, "Option --format is for"),
        (["-q", "-d", "CLOCK"], 2, "knows MEMORY, COMPUTE"),
        (["-i", "7"], 6, "No devices were found"),
        (["-l", "-i", "7"], 6, "No devices were found"),
        (["-l", "soon"], 255, "takes a number of seconds"),
        (["--query-gpu="], 255, "lacks its value"),
    ],
)
def test_what_is_not_supported_is_named(answer, arguments: list[str], status: int, why: str) -> None:
    said = answer(*arguments)
    assert said[0] == status and why in said[1][0], said


def test_every_field_is_known_once() -> None:
    assert not set(smi._FIELDS) & set(smi._UNKNOWN_FIELDS)
    assert set(smi._ALSO.values()) <= {*smi._FIELDS, *smi._UNKNOWN_FIELDS}


def test_nvidias_own_is_run_on_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, text in (("stand-in", f"# {nvcc.STAND_IN} nvidia-smi."), ("real", "echo real $*")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "nvidia-smi").write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / folder / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/stand-in:{tmp_path}/real")
    program = (
        "from cuox import _native\n"
        "_native.choice_report = lambda: {'chosen': 'gpu'}\n"
        "from cuox._internal import smi\n"
        "smi.main(['-L', '-i', '0'])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert said.stdout == "real -L -i 0\n", said.stderr
