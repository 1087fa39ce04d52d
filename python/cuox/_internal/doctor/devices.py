"""The devices: which driver was chosen, what keeps a GPU that is there from being used, and what each device is."""

from __future__ import annotations

import grp
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ... import _native
from ..._native import Device
from ..errors import CUDAError
from .finding import Finding, Step, first_line, install_again

# For what the driver says when it starts, the way out. CUDA driver API manual, `CUresult`.
REMEDIES = {
    "CUDA_ERROR_STUB_LIBRARY": "this is the library for linking only, from a folder named stubs: take that folder out of LD_LIBRARY_PATH",
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": "the driver's library and its kernel module are of different versions: restart the machine after the driver's update; in a container take the host's library",
    "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE": "the library is of a package for forward compatibility, which this GPU does not take: take its folder (cuda-compat) out of LD_LIBRARY_PATH",
    "CUDA_ERROR_SYSTEM_NOT_READY": "start the services of the machine's GPUs: `sudo systemctl start nvidia-fabricmanager nvidia-persistenced`",
    "CUDA_ERROR_UNKNOWN": "load the driver's module for unified memory: `sudo modprobe nvidia_uvm`",
    "CUDA_ERROR_OPERATING_SYSTEM": "load the driver's modules: `sudo modprobe nvidia nvidia_uvm`",
    "CUDA_ERROR_DEVICE_UNAVAILABLE": "another process has the GPU for itself: `nvidia-smi --query-compute-apps=pid,name --format=csv`",
}
OLDEST_DRIVER = (12, 0)
NVIDIA = "0x10de"  # PCI's number of the vendor


def examine(root: Path = Path("/")) -> Iterator[Finding]:
    """Look at the drivers and the devices; `root` is where the system's files are."""
    report = _native.choice_report()
    nvidia, soft = first_line(report["nvidia"]), first_line(report["soft"])
    has_gpu = cuda_version(nvidia) is not None
    yield _choice(report)
    gpus = _gpus(root)
    if has_gpu:
        yield _driver(nvidia)
    elif report["asked"] == "soft":
        yield Finding("NVIDIA driver", "ok", "not asked for (CUOX_DEVICE=soft)")
    elif why := _hindrance(root, gpus, nvidia):
        yield why
    else:
        yield Finding("NVIDIA driver", "ok", f"{nvidia.partition('. It comes')[0]}; no NVIDIA GPU is seen either")
    if cuda_version(soft) is not None:
        yield Finding("software GPU", "ok", soft)
    else:
        yield Finding("software GPU", "broken", soft, _soft_remedy())
    if report["chosen"]:
        yield from _devices(report["chosen"] == "gpu")


def cuda_version(driver: str) -> tuple[int, int] | None:
    """The version of CUDA in what is said of a driver that works."""
    found = re.search(r"\(CUDA (\d+)\.(\d+), \d+ devices?\)$", driver)
    return (int(found[1]), int(found[2])) if found else None


def _choice(report: _native._Report) -> Finding:
    asked = f"{report['asked']} (by {report['asked_by']})"
    if report["chosen"]:
        return Finding("device", "ok", f"asked for {asked}: {report['chosen']}, since {report['reason']}")
    if report["asked"] not in ("auto", "gpu", "soft"):
        return Finding("device", "broken", report["reason"], "unset CUOX_DEVICE")
    if report["asked"] == "gpu":
        remedy = "export CUOX_DEVICE=auto  # takes the software GPU until the NVIDIA driver works"
        return Finding("device", "broken", report["reason"], remedy)
    return Finding("device", "broken", report["reason"], "see software GPU")


def _driver(described: str) -> Finding:
    version = cuda_version(described)
    if version and version < OLDEST_DRIVER:
        needed = ".".join(map(str, OLDEST_DRIVER))
        return Finding("NVIDIA driver", "broken", f"{described}: older than CUDA {needed}", "update the NVIDIA driver")
    return Finding("NVIDIA driver", "ok", described)


def _gpus(root: Path) -> int:
    """How many NVIDIA GPUs are on the PCI bus."""

    def read(file: Path) -> str:
        try:
            return file.read_text().strip()
        except OSError:
            return ""

    devices = root.glob("sys/bus/pci/devices/*")
    return sum(read(one / "vendor") == NVIDIA and read(one / "class").startswith("0x03") for one in devices)


def _hindrance(root: Path, gpus: int, said: str) -> Finding | None:
    """What keeps a GPU from being used, where there is one or a driver that fails."""

    def found(text: str, remedy: str) -> Finding:
        return Finding("NVIDIA driver", "warning", text, remedy)

    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    nodes = sorted(root.glob("dev/nvidia[0-9]*")) + [root / "dev" / "nvidiactl"]
    denied = [node for node in nodes if node.exists() and not os.access(node, os.R_OK | os.W_OK)]
    if denied:
        node = denied[0]
        try:
            group = grp.getgrgid(node.stat().st_gid).gr_name
        except KeyError:
            group = str(node.stat().st_gid)
        return found(
            f"no permission to use {', '.join(map(str, denied))}",
            f"sudo usermod -aG {group} {os.environ.get('USER') or '$USER'}  # then log in again",
        )
    if "CUDA_ERROR_NO_DEVICE" in said and visible is not None and (gpus or nodes[0].exists()):
        return found(f"CUDA_VISIBLE_DEVICES={visible} hides all GPUs", "unset CUDA_VISIBLE_DEVICES")
    for name, remedy in REMEDIES.items():
        if name in said:
            return found(said, remedy)
    if (root / "dev" / "dxg").exists() and not gpus:
        if (root / "usr" / "lib" / "wsl" / "lib" / "libcuda.so.1").exists():
            return None if "CUDA_ERROR_NO_DEVICE" in said else found(said, "update the NVIDIA driver of Windows")
        return found(
            "this is WSL, and Windows shares no NVIDIA driver with it", "install the NVIDIA driver in Windows, not here"
        )
    if gpus:
        count = "an NVIDIA GPU is" if gpus == 1 else f"{gpus} NVIDIA GPUs are"
        if (root / ".dockerenv").exists() or (root / "run" / ".containerenv").exists():
            return found(
                f"{count} in the machine, and this container has no driver: {said}",
                "start the container with `--gpus all` (Docker, with NVIDIA's container toolkit) or `--nv` (Apptainer)",
            )
        if not (root / "proc" / "driver" / "nvidia" / "version").exists():
            return found(
                f"{count} in the machine, and the driver's kernel module is not loaded: {said}",
                "sudo modprobe nvidia  # if that fails, install the NVIDIA driver of your distribution",
            )
        return found(f"{count} in the machine, and cannot be used: {said}", "look at the output of `nvidia-smi`")
    return None if "was not found" in said or "CUDA_ERROR_NO_DEVICE" in said else found(said, "see the text")


def _soft_remedy() -> str:
    if named := os.environ.get("CUOX_SOFT_LIBRARY"):
        return f"unset CUOX_SOFT_LIBRARY  # it is {named}"
    return install_again()


def _devices(is_gpu: bool) -> Iterator[Finding]:
    try:
        for device in Device.get_all_devices():
            major, minor = device.compute_capability
            free, total = device.memory_info()
            text = (
                f"{device.name}, compute capability {major}.{minor}, "
                f"{device.properties.multiprocessor_count} multiprocessors, "
                f"{total / 2**30:.1f} GiB ({free / 2**30:.1f} free)"
            )
            if device.check:
                text += f"; checks of {device.check} are on (CUOX_SOFT_CHECK={device.check})"
            part = f"device {device.device_id}"
            if free < total // 50:
                remedy = "end the programs that have it (`nvidia-smi`)" if is_gpu else "export CUOX_SOFT_MEMORY=4G"
                yield Finding(part, "warning", f"{text}: nearly all memory is taken", remedy)
            else:
                yield Finding(part, "ok", text)
    except CUDAError as error:
        yield Finding("devices", "broken", first_line(error), "`nvidia-smi` tells more" if is_gpu else "")


STEPS: dict[str, Step] = {"device": examine}
