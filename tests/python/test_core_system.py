"""cuox.cuda.core.system: what NVML tells, on the software GPU or with NVIDIA's library on a GPU."""

from __future__ import annotations

import os
import subprocess
import sys

import cuox
import pytest
from cuox.cuda.core import system
from cuox.cuda.core.system import _device, typing

SOFT = cuox.Device(0).is_soft


@pytest.fixture
def device() -> system.Device:
    return cuox.Device(0).to_system_device()


def test_versions_and_devices() -> None:
    number = cuox.cuda.bindings.driver.cuDriverGetVersion()[1]
    assert system.get_user_mode_driver_version() == (number // 1000, number // 10 % 100)
    assert system.get_kernel_mode_driver_version() >= (400,)
    assert system.get_nvml_version()[0] >= 12 and system.get_driver_branch()
    assert system.get_num_devices() == system.Device.get_device_count() == len(list(system.Device.get_all_devices()))
    assert system.CUDA_BINDINGS_NVML_IS_COMPATIBLE is True


def test_a_device_is_found_in_three_ways(device: system.Device) -> None:
    for one in (
        system.Device(uuid=device.uuid), system.Device(uuid=device.uuid.encode()), system.Device(pci_bus_id=device.pci_bus_id),
        system.Device(index=device.index),
    ):  # fmt: skip
        assert (one.uuid, one._handle) == (device.uuid, device._handle)
    assert device.to_cuda_device() == cuox.Device(0)
    assert device.uuid_without_prefix == cuox.Device(0).uuid
    assert device.pci_info.bus_id[4:].lower() == cuox.Device(0).pci_bus_id.lower()
    with pytest.raises(ValueError, match="only one of"):
        system.Device(index=0, uuid=device.uuid)
    with pytest.raises(ValueError, match="either a device"):
        system.Device()
    with pytest.raises(system.InvalidArgumentError):
        system.Device(index=4096)


def test_what_a_device_is(device: system.Device) -> None:
    expected = cuox.Device(0)
    assert device.name == expected.name
    assert device.cuda_compute_capability == tuple(expected.compute_capability)
    assert isinstance(device.arch, typing.DeviceArch)
    major = device.cuda_compute_capability[0]
    assert (device.arch >= typing.DeviceArch.HOPPER) == (major >= 9)
    memory = device.memory_info
    assert memory.free + memory.used + memory.reserved == memory.total
    assert set(device.get_cpu_affinity()) and set(device.get_memory_affinity("socket"))
    assert device.is_display_active in (True, False)
    if SOFT:
        assert (device.brand, device.num_fans, device.mig.device_count) == ("Unknown", 0, 0)
        assert device.get_clock("sm").get_current_mhz() == device.get_clock(typing.ClockType.SM).get_max_mhz() == 1000
        assert list(device.get_topology_nearest_gpus("hostbridge")) == [] and device.addressing_mode is None


def test_this_process_computes() -> None:
    device = cuox.Device(0)
    device.set_current()
    buffer = device.allocate(8 << 20)
    device.sync()
    found = device.to_system_device().compute_running_processes
    if SOFT:
        (process,) = found
        assert process.pid == os.getpid() and process.used_gpu_memory >= 8 << 20
        with pytest.raises(system.NotSupportedError):
            process.gpu_instance_id
    buffer.close()
    assert "python" in system.get_process_name(os.getpid())
    with pytest.raises(system.NotFoundError):
        system.get_process_name(2**22 + 1)


@pytest.mark.skipif(not SOFT, reason="a GPU has a temperature")
def test_what_the_software_gpu_does_not_have(device: system.Device) -> None:
    for ask in (
        lambda: device.temperature.get_sensor(), lambda: device.serial, lambda: device.cooler, lambda: device.pci_info.link_generation,
        lambda: device.register_events("pstate"), lambda: device.inforom.image_version, lambda: device.get_field_values([1]).validate(),
    ):  # fmt: skip
        with pytest.raises(system.NotSupportedError):
            ask()
    assert device.get_supported_event_types() == []
    assert device.get_nvlink_count() == 0 and not device.mig.mode and not device.is_c2c_enabled
    assert device.supported_pstates == [device.performance_state] == [0]
    assert device.current_clock_event_reasons == device.supported_clock_event_reasons == []
    assert not device.repair_status.channel_repair_pending and device.numa_node_id == 0
    assert device.bar1_memory_info.total == device.memory_info.total
    assert 0 <= device.utilization.gpu <= 100


def test_wrong_texts_are_refused(device: system.Device) -> None:
    with pytest.raises(ValueError, match="Invalid clock type: speed"):
        device.get_clock("speed")
    with pytest.raises(ValueError, match="Invalid affinity scope"):
        device.get_cpu_affinity("galaxy")
    with pytest.raises(ValueError, match="Invalid topology level"):
        next(device.get_topology_nearest_gpus("galaxy"))
    with pytest.raises(ValueError, match="Invalid event type"):
        device.register_events(["party"])
    with pytest.raises(TypeError, match="EventType"):
        device.register_events(3)
    with pytest.raises(ValueError, match="out of range"):
        device.get_fan(1000)
    with pytest.raises(ValueError, match="Invalid P-state: 16"):
        device.get_clock("sm").get_offsets(16)


def test_events_of_the_system_do_not_happen() -> None:
    try:
        events = system.register_events(["unbind", typing.SystemEventType.BIND])
    except system.UnknownError:
        pytest.skip("system events may be registered once in a process")
    with pytest.raises(system.TimeoutError):
        events.wait(timeout_ms=5, buffer_size=2)


def test_bits() -> None:
    assert _device._unpack_bitmask([0b101, 1 << 63]) == [0, 2, 127]


def test_two_devices() -> None:
    program = """
from cuox.cuda.core import system
first, second = system.Device.get_all_devices()
print(system.get_topology_common_ancestor(first, second), system.get_p2p_status(first, second, "read"), system.get_p2p_status(first, second, "nvlink"))
print([one.index for one in first.get_topology_nearest_gpus("hostbridge")])
print([one.index for one in system.Device.get_all_devices_with_cpu_affinity(first.get_cpu_affinity()[0])])
"""
    environment = {**os.environ, "CUOX_SOFT_DEVICES": "2", "CUOX_DEVICE": "soft"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["hostbridge ok not supported", "[1]", "[0, 1]"], done.stderr
