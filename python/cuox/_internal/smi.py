"""`cuox nvidia-smi`: the devices in the layout of NVIDIA's tool, for scripts and people that call it.

Where the device is a GPU, NVIDIA's own is run, if it is on the path. On the software GPU a question that has no answer
there, such as a temperature, has the tool's `[N/A]`; options that are not supported are named.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from cuox import _native

from . import nvcc
from .doctor.devices import cuda_version
from .doctor.finding import first_line

_NO_DEVICE, _INVALID, _UNKNOWN = 6, 2, 255  # nvidia-smi's exit statuses
_NONE = "[N/A]"

_HELP = """cuox's stand-in for nvidia-smi

    nvidia-smi                                  a table of the devices
    nvidia-smi -L | --list-gpus                 a line for each device
    nvidia-smi -q | --query [-d MEMORY,COMPUTE] what is known of them
    nvidia-smi --query-gpu=FIELDS --format=csv[,noheader][,nounits]
    nvidia-smi --query-compute-apps=FIELDS      only the heading: other processes are not seen
    nvidia-smi --help-query-gpu                 the fields
    nvidia-smi --version
    -i ID, --id=ID                              the devices with these numbers, UUIDs or bus ids
    -l SECONDS, --loop=SECONDS                  print again and again
"""


@dataclass
class Gpu:
    """A device as the driver describes it; sizes in MiB."""

    index: int
    name: str
    uuid: str
    bus_id: str
    capability: str
    used: int
    total: int


def _gpus() -> list[Gpu]:
    found = []
    for device in _native.Device.get_all_devices():
        major, minor = device.compute_capability
        free, total = device.memory_info()
        domain, _, rest = device.pci_bus_id.partition(":")
        found.append(
            Gpu(
                device.device_id,
                device.name,
                f"GPU-{device.uuid}",
                f"{int(domain, 16):08X}:{rest.upper()}",
                f"{major}.{minor}",
                (total - free) >> 20,
                total >> 20,
            )
        )
    return found


def _cuda_version() -> str:
    report = _native.choice_report()
    version = cuda_version(first_line(report["nvidia" if report["chosen"] == "gpu" else "soft"]))
    return "N/A" if version is None else "{}.{}".format(*version)


# What is known: nvidia-smi's fields, their unit, and their value.
_FIELDS: dict[str, tuple[str, Callable[[Gpu, int], str]]] = {
    "timestamp": ("", lambda gpu, count: time.strftime("%Y/%m/%d %H:%M:%S.000")),
    "driver_version": ("", lambda gpu, count: _native.__version__),
    "count": ("", lambda gpu, count: str(count)),
    "name": ("", lambda gpu, count: gpu.name),
    "index": ("", lambda gpu, count: str(gpu.index)),
    "uuid": ("", lambda gpu, count: gpu.uuid),
    "pci.bus_id": ("", lambda gpu, count: gpu.bus_id),
    "compute_cap": ("", lambda gpu, count: gpu.capability),
    "compute_mode": ("", lambda gpu, count: "Default"),
    "memory.total": ("MiB", lambda gpu, count: str(gpu.total)),
    "memory.used": ("MiB", lambda gpu, count: str(gpu.used)),
    "memory.free": ("MiB", lambda gpu, count: str(gpu.total - gpu.used)),
}
_ALSO = {"gpu_name": "name", "gpu_uuid": "uuid", "gpu_bus_id": "pci.bus_id", "gpu_serial": "serial"}
# Fields that nvidia-smi has, without an answer here, by their units.
_UNKNOWN_FIELDS = {
    name: unit
    for unit, names in {
        "": (
            "serial pstate temperature.gpu temperature.memory persistence_mode display_active display_mode ecc.mode.current ecc.mode.pending "
            "mig.mode.current mig.mode.pending vbios_version accounting.mode driver_model.current addressing_mode pcie.link.gen.current "
            "pcie.link.gen.max pcie.link.width.current pcie.link.width.max clocks_throttle_reasons.active clocks_event_reasons.active "
            "pci.domain pci.bus pci.device pci.device_id encoder.stats.sessionCount"
        ),
        "%": "utilization.gpu utilization.memory utilization.encoder utilization.decoder fan.speed",
        "W": "power.draw power.draw.average power.draw.instant power.limit enforced.power.limit power.default_limit power.min_limit power.max_limit",
        "MHz": (
            "clocks.current.graphics clocks.current.sm clocks.current.memory clocks.current.video clocks.max.graphics clocks.max.sm clocks.max.memory "
            "clocks.gr clocks.sm clocks.mem clocks.max.gr clocks.max.mem clocks.applications.graphics clocks.applications.memory"
        ),
        "MiB": "memory.reserved",
    }.items()
    for name in names.split()
}  # fmt: skip
_APP_FIELDS = {
    "timestamp": "timestamp", "gpu_name": "gpu_name", "gpu_bus_id": "gpu_bus_id", "gpu_serial": "gpu_serial", "gpu_uuid": "gpu_uuid",
    "pid": "pid", "name": "process_name", "process_name": "process_name", "used_memory": "used_gpu_memory [MiB]", "used_gpu_memory": "used_gpu_memory [MiB]",
}  # fmt: skip
_SECTIONS = ("MEMORY", "COMPUTE")


class _Refusal(Exception):
    """A command line that is not taken: the message and the exit status."""

    def __init__(self, message: str, status: int = _UNKNOWN) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class _Request:
    action: str = "table"
    fields: list[str] = field(default_factory=list)
    form: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    sections: list[str] = field(default_factory=lambda: list(_SECTIONS))
    pause: float | None = None


_ACTIONS = {
    "-L": "list", "--list-gpus": "list", "-q": "log", "--query": "log", "-h": "help", "--help": "help", "--version": "version",
    "--help-query-gpu": "fields",
}  # fmt: skip
_VALUES = {
    "--query-gpu": "fields", "--query-compute-apps": "apps", "--format": "form", "-i": "ids", "--id": "ids", "-d": "sections", "--display": "sections",
    "-l": "pause", "--loop": "pause",
}  # fmt: skip


def _read(arguments: Sequence[str]) -> _Request:
    request = _Request()
    words = list(arguments)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word in _ACTIONS:
            request.action = _ACTIONS[word]
            continue
        if name not in _VALUES or (equals and not name.startswith("--")):
            raise _Refusal(f"ERROR: Option {word} is not recognized by cuox's stand-in. Please run 'nvidia-smi -h'.")
        if not equals:
            alone = name in ("-l", "--loop") and (not words or words[0].startswith("-"))
            value = "5" if alone else words.pop(0) if words else ""
        what, values = _VALUES[name], [one.strip() for one in value.split(",") if one.strip()]
        if not values:
            raise _Refusal(f"ERROR: Option {name} lacks its value. Please run 'nvidia-smi -h'.")
        if what in ("fields", "apps"):
            request.action, request.fields = f"query {what}", values
        elif what == "pause":
            request.pause = _seconds(name, value)
        else:
            setattr(request, what, values)
    _check(request)
    return request


def _seconds(name: str, value: str) -> float:
    if not value.isdecimal() or int(value) == 0:
        raise _Refusal(f"ERROR: Option {name} takes a number of seconds, not {value!r}.")
    return int(value)


def _check(request: _Request) -> None:
    if request.form and not request.action.startswith("query"):
        raise _Refusal(
            "ERROR: Option --format is for --query-gpu and --query-compute-apps. Please run 'nvidia-smi -h'."
        )
    for word in request.form:
        if word not in ("csv", "noheader", "nounits"):
            raise _Refusal(f'Format modifier "{word}" is not recognized: csv, noheader, nounits.', _INVALID)
    known: Iterable[str] = _APP_FIELDS if request.action == "query apps" else (*_FIELDS, *_ALSO, *_UNKNOWN_FIELDS)
    for name in request.fields:
        if name not in known:
            raise _Refusal(f'Field "{name}" is not a valid field to query.\n', _INVALID)
    for section in request.sections:
        if section.upper() not in _SECTIONS:
            raise _Refusal(f"-d {section}: cuox's stand-in knows {', '.join(_SECTIONS)}.", _INVALID)


def _chosen(gpus: list[Gpu], ids: Sequence[str]) -> list[Gpu]:
    if not ids:
        return gpus
    found = [gpu for gpu in gpus if {str(gpu.index), gpu.uuid, gpu.bus_id, gpu.bus_id[4:]} & set(ids)]
    if not found:
        raise _Refusal("No devices were found", _NO_DEVICE)
    return found


def _csv(request: _Request, gpus: Sequence[Gpu], count: int) -> str:
    names = [_ALSO.get(name, name) for name in request.fields]
    units = [_FIELDS[name][0] if name in _FIELDS else _UNKNOWN_FIELDS[name] for name in names]
    with_units = "nounits" not in request.form
    lines = []
    if "noheader" not in request.form:
        lines.append(", ".join(f"{name} [{unit}]" if unit and with_units else name for name, unit in zip(names, units)))
    for gpu in gpus:
        values = [_FIELDS[name][1](gpu, count) if name in _FIELDS else _NONE for name in names]
        suffixes = [f" {unit}" if unit and with_units and value != _NONE else "" for unit, value in zip(units, values)]
        lines.append(", ".join(value + suffix for value, suffix in zip(values, suffixes)))
    return "\n".join(lines)


def _apps(request: _Request) -> str:
    if "noheader" in request.form:
        return ""
    titles = [_APP_FIELDS[name] for name in request.fields]
    return ", ".join(one.partition(" ")[0] if "nounits" in request.form else one for one in titles)


def _table(gpus: Sequence[Gpu]) -> str:
    cells = (41, 24, 22)
    line = "+" + "+".join("-" * width for width in cells) + "+"
    whole = "-" * (sum(cells) + 2)
    version = _native.__version__
    lines = [
        time.strftime("%a %b %e %H:%M:%S %Y"),
        f"+{whole}+",
        f"| {f'cuox {version}':<34}{f'Driver Version: {version}':<32}{f'CUDA Version: {_cuda_version()}':<21} |",
        line,
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |",
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |",
        "|                                         |                        |               MIG M. |",
        f"|{line[1:-1].replace('-', '=')}|",
    ]
    for gpu in gpus:
        lines += [
            f"|{gpu.index:>4}  {gpu.name:<24.24}{'N/A':>9}  |{gpu.bus_id:>19} N/A |{'N/A':>21} |",
            f"|{' N/A   N/A   N/A':<20}{'N/A / N/A':>20} |{gpu.used:>8}MiB / {gpu.total:>6}MiB |{'N/A':>7}{'Default':>14} |",
            f"|{'':41}|{'':24}|{'N/A':>21} |",
            line,
        ]
    lines += [
        "",
        f"+{whole}+",
        f"| {'Processes:':<{len(whole) - 1}}|",
        "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |",
        "|        ID   ID                                                               Usage      |",
        f"|{'=' * len(whole)}|",
        f"|  {'Not known: other processes are not seen':<{len(whole) - 2}}|",
        f"+{whole}+",
    ]
    return "\n".join(lines)


def _log(request: _Request, gpus: Sequence[Gpu]) -> str:
    def row(depth: int, name: str, value: str) -> str:
        return f"{' ' * 4 * depth + name:<55}: {value}"

    lines = ["", "==============NVSMI LOG==============", ""]
    lines += [row(0, "Timestamp", time.strftime("%a %b %e %H:%M:%S %Y")), row(0, "Driver Version", _native.__version__)]
    lines += [row(0, "CUDA Version", _cuda_version()), "", row(0, "Attached GPUs", str(len(gpus)))]
    sections = [section.upper() for section in request.sections]
    for gpu in gpus:
        lines.append(f"GPU {gpu.bus_id}")
        if sections == list(_SECTIONS):
            lines += [row(1, "Product Name", gpu.name), row(1, "GPU UUID", gpu.uuid)]
            lines += [row(1, "Minor Number", str(gpu.index)), "    PCI", row(2, "Bus Id", gpu.bus_id)]
        if "MEMORY" in sections:
            sizes = (("Total", gpu.total), ("Used", gpu.used), ("Free", gpu.total - gpu.used))
            lines += ["    FB Memory Usage", *(row(2, name, f"{size} MiB") for name, size in sizes)]
        if "COMPUTE" in sections:
            lines.append(row(1, "Compute Mode", "Default"))
    return "\n".join([*lines, ""])


def _answer(request: _Request) -> str:
    gpus = _gpus()
    chosen = _chosen(gpus, request.ids)
    match request.action:
        case "list":
            return "\n".join(f"GPU {gpu.index}: {gpu.name} (UUID: {gpu.uuid})" for gpu in chosen)
        case "log":
            return _log(request, chosen)
        case "query fields":
            return _csv(request, chosen, len(gpus))
        case "query apps":
            return _apps(request)
    return _table(chosen)


def main(arguments: Sequence[str]) -> int:
    """Become NVIDIA's tool where the device is a GPU, or do its work. Returns the exit status."""
    report = _native.choice_report()
    if report["chosen"] == "gpu" and (real := nvcc.on_path_behind_stand_ins("nvidia-smi")):
        sys.stdout.flush()
        os.execv(real, [str(real), *arguments])
    try:
        request = _read(arguments)
        if request.action == "help":
            print(_HELP, end="")
        elif request.action == "version":
            print(f"cuox                : {_native.__version__}\nCUDA Version        : {_cuda_version()}")
        elif request.action == "fields":
            print("\n".join([*_FIELDS, "", "Without an answer here:", *_UNKNOWN_FIELDS]))
        elif report["chosen"] is None:
            raise _Refusal(f"cuox nvidia-smi: there is no device: {report['reason']}", _NO_DEVICE)
        else:
            while True:
                if text := _answer(request):
                    print(text, flush=True)
                if request.pause is None:
                    break
                time.sleep(request.pause)
    except _Refusal as refusal:
        print(refusal)
        return refusal.status
    return 0
