"""cuox.cuda.bindings.nvml: functions, records and errors, on the software GPU or with NVIDIA's library on a GPU."""

from __future__ import annotations

import array
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator

import cuox
import numpy as np
import pytest
from cuox.cuda.bindings import nvml

SOFT = cuox.Device(0).is_soft


@pytest.fixture(autouse=True)
def initialized() -> Iterator[None]:
    nvml.init_v2()
    yield
    nvml.shutdown()


@pytest.fixture
def device() -> int:
    return nvml.device_get_handle_by_uuid(f"GPU-{cuox.Device(0).uuid}")


def test_results_are_numbers_texts_tuples_and_records(device: int) -> None:
    expected = cuox.Device(0)
    assert nvml.device_get_count_v2() >= 1
    assert nvml.device_get_name(device) == expected.name
    assert nvml.device_get_cuda_compute_capability(device) == tuple(expected.compute_capability)
    memory = nvml.device_get_memory_info_v2(device)
    assert isinstance(memory, nvml.Memory_v2)
    assert memory.total == memory.free + memory.used + memory.reserved > 0
    place = nvml.device_get_pci_info_v3(device)
    assert nvml.device_get_handle_by_pci_bus_id_v2(place.bus_id) == device
    assert int(place.bus_id.split(":")[1], 16) == place.bus
    assert nvml.device_get_handle_by_uuidv(nvml.UUIDType.ASCII, nvml.device_get_uuid(device).encode()) == device
    assert nvml.system_get_cuda_driver_version() == cuox.cuda.bindings.driver.cuDriverGetVersion()[1]


def test_lists_of_several_kinds(device: int) -> None:
    cores = nvml.device_get_cpu_affinity_within_scope(device, 16, nvml.AffinityScope.NODE)
    assert isinstance(cores, array.array) and len(cores) == 16 and any(cores)
    cuox.Device(0).set_current()  # now this process uses the device
    found = nvml.device_get_compute_running_processes_v3(device)
    assert isinstance(found, nvml.ProcessInfo)
    if SOFT:
        assert [found[at].pid for at in range(len(found))] == [os.getpid()]
        assert list(nvml.device_get_topology_nearest_gpus(device, nvml.GpuTopologyLevel.TOPOLOGY_SINGLE)) == []
        assert nvml.unit_get_count() == 0


def test_failures_have_classes() -> None:
    with pytest.raises(nvml.InvalidArgumentError, match=r"^Invalid Argument$") as caught:
        nvml.device_get_handle_by_index_v2(10_000)
    assert caught.value.status == nvml.Return.ERROR_INVALID_ARGUMENT and isinstance(caught.value, nvml.NvmlError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is nvml.InvalidArgumentError and str(again) == str(caught.value)
    with pytest.raises(nvml.NotFoundError):
        nvml.device_get_handle_by_uuid("GPU-00000000-0000-0000-0000-000000000000")
    assert nvml.NvmlTimeoutError is nvml.TimeoutError
    nvml.check_status_size(nvml.Return.ERROR_INSUFFICIENT_SIZE)
    with pytest.raises(nvml.InsufficientSizeError):
        nvml.check_status(nvml.Return.ERROR_INSUFFICIENT_SIZE)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError):
        nvml.device_get_name("0")
    with pytest.raises(TypeError, match="Python str"):
        nvml.device_get_handle_by_uuid(b"GPU-0")
    for number in (-1, 1 << 32):
        with pytest.raises(OverflowError):
            nvml.device_get_handle_by_index_v2(number)
    with pytest.raises(ValueError, match="expected 16 bytes, got 3"):
        nvml.device_get_handle_by_uuidv(nvml.UUIDType.BINARY, b"abc")
    # Handles that there are not.
    for handle in (0, 8):
        if SOFT or handle == 0:
            with pytest.raises(nvml.InvalidArgumentError):
                nvml.device_get_name(handle)


def test_names_are_there_when_they_are_asked_for() -> None:
    program = """
import sys
import cuox.cuda.core.system
from cuox.cuda.bindings import nvml
slow = "numpy", "cuox.cuda.bindings._internal.nvml.enumerations"
print([name in sys.modules for name in slow], len(vars(nvml)) < 100)
everything = {}
exec("from cuox.cuda.bindings.nvml import *", everything)
print(set(nvml.__all__) <= set(dir(nvml)), set(nvml.__all__) - set(everything), [name in sys.modules for name in slow])
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.splitlines() == ["[False, False] True", "True set() [True, True]"], said.stderr
    for name in ("Return", "BrandType", "Memory", "memory_v2_dtype", "init_v2", "event_set_wait_v2", "check_status"):
        assert name in nvml.__all__ and getattr(nvml, name) is getattr(nvml, name)
    assert not hasattr(nvml, "__wrapped__") and not hasattr(nvml, "_layout")
    assert cuox.cuda.core.system.typing.FieldId is nvml.FieldId
    assert {one.name: int(one) for one in cuox.cuda.core.system.typing.DeviceArch} == {
        one.name: int(one) for one in nvml.DeviceArch if one.name in cuox.cuda.core.system.typing.DeviceArch.__members__
    }


def test_what_is_newer_or_not_there_says_so() -> None:
    with pytest.raises(AttributeError, match=r"device_get_gpu_uptime_v1.*newer than the headers of CUDA 13\.0"):
        nvml.device_get_gpu_uptime_v1
    with pytest.raises(AttributeError, match="cuox not yet: it is about virtual GPUs"):
        nvml.device_get_vgpu_metadata
    with pytest.raises(AttributeError, match="has no attribute 'device_get_mood'"):
        nvml.device_get_mood


def test_records() -> None:
    values = nvml.FieldValue(3)
    assert len(values) == 3 and values.field_id.tolist() == [0, 0, 0]
    values[1].field_id = 7
    assert values.field_id.tolist() == [0, 7, 0] and values[-2] == values[1] and values[1] != values[0]
    assert [one.field_id for one in (values[at] for at in range(3))] == [0, 7, 0]
    with pytest.raises(IndexError):
        values[3]
    assert values[1:].field_id.tolist() == [7, 0]

    place = nvml.PciInfo()
    place.bus_id = "00000000:01:00.0"
    assert nvml.PciInfo.from_ptr(place.ptr).bus_id == place.bus_id
    with pytest.raises(ValueError, match="max length is 31"):
        place.bus_id = "0" * 32
    shared = nvml.PciInfo.from_ptr(place.ptr, readonly=True, owner=place)
    place.bus = 9
    assert shared.bus == 9
    with pytest.raises(ValueError, match="read-only"):
        shared.bus = 1
    with pytest.raises(ValueError, match="null"):
        nvml.PciInfo.from_ptr(0)

    for address in (8, -1, 1 << 63):
        with pytest.raises(ValueError, match="no address"):
            nvml.PciInfo.from_ptr(address)
        with pytest.raises(ValueError, match="no address"):
            nvml.device_discover_gpus(address)

    data = np.zeros(1, nvml.memory_v2_dtype)
    data["total"] = 5
    assert nvml.Memory_v2.from_data(data).total == 5
    with pytest.raises(ValueError, match="Memory_v2"):
        nvml.Memory_v2.from_data(np.zeros(1, nvml.pci_info_dtype))
    with pytest.raises(ValueError, match="40 bytes"):
        nvml.Memory_v2.from_buffer(bytes(39))


def test_records_hold_records_and_arrays() -> None:
    status = nvml.ClkMonStatus()
    assert len(status.clk_mon_list) == 0 and not hasattr(status, "clk_mon_list_size")
    faults = nvml.ClkMonFaultInfo(2)
    faults[1].clk_api_domain = 4
    status.clk_mon_list = faults
    assert status.clk_mon_list.clk_api_domain.tolist() == [0, 4]
    with pytest.raises(ValueError, match="<= 32"):
        status.clk_mon_list = nvml.ClkMonFaultInfo(33)

    processes = nvml.ProcessDetailList_v1()
    details = nvml.ProcessDetail_v1(2)
    details.pid = [3, 4]
    processes.proc_array = details
    del details
    assert processes.proc_array.pid.tolist() == [3, 4]

    report = nvml.ConfComputeGpuAttestationReport()
    report.attestation_report = [1, 2, 3]
    assert report.attestation_report.tolist() == [1, 2, 3] and len(report.nonce) == 32


def test_fields_answer_for_themselves(device: int) -> None:
    assert len(nvml.device_get_field_values(device, [])) == 0
    asked = [nvml.FieldId.DEV_NVLINK_LINK_COUNT, (nvml.FieldId.DEV_POWER_INSTANT, 0)]
    values = nvml.device_get_field_values(device, asked)
    assert values.field_id.tolist() == [int(nvml.FieldId.DEV_NVLINK_LINK_COUNT), int(nvml.FieldId.DEV_POWER_INSTANT)]
    if SOFT:
        assert values.nvml_return.tolist() == [nvml.Return.SUCCESS, nvml.Return.ERROR_NOT_SUPPORTED]
        assert values[0].value.ui_val[0] == 0  # no links
        assert nvml.device_clear_field_values(device, asked).nvml_return.tolist() == values.nvml_return.tolist()


SPIN = """
extern "C" __global__ void spin(int *go) { while (*(volatile int *)go == 0) __nanosleep(1000); }
"""
UTILIZATION = f"""
import time
import cuox
import numpy as np
from cuox.cuda.bindings import nvml
nvml.init_v2()
handle = nvml.device_get_handle_by_uuid(f"GPU-{{cuox.Device(0).uuid}}")
cuox.Device(0).set_current()
busy = lambda: nvml.device_get_utilization_rates(handle).gpu
kernel = cuox.Program({SPIN!r}).compile("ptx").get_kernel("spin")
go = cuox.LegacyPinnedMemoryResource().allocate(4)
flag = np.frombuffer(go, np.int32)
flag[:] = 0
busy(), time.sleep(1.2)
idle = busy()
cuox.launch(cuox.Device(0).default_stream, cuox.LaunchConfig(grid=1, block=1), kernel, int(go.handle))
time.sleep(0.3), busy(), time.sleep(1.2)
working = busy()
flag[:] = 1
cuox.Device(0).sync()
print(idle, working)
"""


def test_utilization_is_the_time_of_kernels(run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    ran = run_script(UTILIZATION)
    assert ran.returncode == 0, ran.stderr
    idle, working = map(int, ran.stdout.split())
    assert working >= 90
    assert idle < 50 or not SOFT  # others may use a GPU


def test_parts_that_a_device_does_not_have(device: int) -> None:
    state = nvml.device_get_performance_state(device)
    assert nvml.Pstates.PSTATE_0 <= state <= nvml.Pstates.PSTATE_15
    if not SOFT:
        return
    clock = nvml.device_get_clock_info(device, nvml.ClockType.CLOCK_SM)
    assert nvml.device_get_min_max_clock_of_p_state(device, nvml.ClockType.CLOCK_SM, state) == (clock, clock)
    with pytest.raises(nvml.InvalidArgumentError):
        nvml.device_get_min_max_clock_of_p_state(device, nvml.ClockType.CLOCK_SM, nvml.Pstates.PSTATE_8)
    assert f"nvclock={clock}" in nvml.device_get_current_clock_freqs(device)
    assert nvml.device_get_mig_mode(device) == (0, 0)
    off = nvml.EnableState.FEATURE_DISABLED
    assert nvml.device_get_nvlink_state(device, 0) == off
    with pytest.raises(nvml.InvalidArgumentError):
        nvml.device_get_nvlink_state(device, nvml.NVLINK_MAX_LINKS)
    assert nvml.device_get_auto_boosted_clocks_enabled(device) == (off, off)
    assert nvml.device_get_current_clocks_event_reasons(device) == 0
    attributes = nvml.device_get_attributes_v2(device)
    assert attributes.multiprocessor_count == cuox.Device(0).properties.multiprocessor_count
    bar = nvml.device_get_bar1_memory_info(device)
    assert bar.bar1_total == bar.bar1_free + bar.bar1_used == nvml.device_get_memory_info_v2(device).total
    assert nvml.device_get_c2c_mode_info_v(device).is_c2c_enabled == 0
    repairs = nvml.device_get_repair_status(device)
    assert (repairs.b_channel_repair_pending, repairs.b_tpc_repair_pending) == (0, 0)


def test_waiting_for_events() -> None:
    events = nvml.event_set_create()
    with pytest.raises(nvml.TimeoutError):
        nvml.event_set_wait_v2(events, 1)
    nvml.event_set_free(events)
    if SOFT:
        with pytest.raises(nvml.InvalidArgumentError):
            nvml.event_set_free(events)


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)


def test_no_driver_is_loaded() -> None:
    program = """
from cuox.cuda.bindings import nvml
nvml.init_v2()
nvml.device_get_memory_info_v2(nvml.device_get_handle_by_index_v2(0))
print(any("libcuda.so" in line for line in open("/proc/self/maps")))
"""
    done = run(program, CUOX_DEVICE="soft")
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.skipif(not SOFT, reason="the machine has NVIDIA's library")
def test_a_machine_without_the_library_says_so() -> None:
    program = """
from cuox.cuda.bindings import nvml
try:
    nvml.init_v2()
except nvml.LibraryNotFoundError as error:
    print(error.status.name)
"""
    done = run(program, CUOX_DEVICE="gpu", LD_LIBRARY_PATH="")
    assert done.stdout == "ERROR_LIBRARY_NOT_FOUND\n", done.stderr


def test_it_can_be_initialized_and_shut_down_from_several_places() -> None:
    # Once by the fixture.
    nvml.init_v2()
    nvml.shutdown()
    assert nvml.device_get_count_v2() >= 1
    program = """
from cuox.cuda.bindings import nvml
for call in (nvml.device_get_count_v2, nvml.shutdown):
    try:
        call()
    except nvml.UninitializedError as error:
        print(error)
"""
    assert run(program).stdout == "Uninitialized\n" * 2
