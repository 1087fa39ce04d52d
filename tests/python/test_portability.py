"""Uses that work on the software GPU and would fail on a GPU."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Callable

import cuox
import numpy as np
import pytest
from conftest import download, upload


@pytest.fixture
def soft(device: cuox.Device) -> cuox.Device:
    if not device.is_soft:
        pytest.skip("about the software GPU")
    return device


def test_device_memory_as_cpu_memory_is_warned_of(soft: cuox.Device, stream: cuox.Stream) -> None:
    data = np.arange(16, dtype=np.uint8)
    buffer = upload(soft, data, stream)
    with pytest.warns(cuox.PortabilityWarning, match="on a GPU this fails: copy it with buffer.copy_to_host") as record:
        view = np.from_dlpack(buffer)
    assert len(record) == 1 and record[0].filename == __file__
    assert (view == data).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(cuox.PortabilityWarning):
            np.from_dlpack(buffer)


def test_it_is_shown_once_for_each_line(
    soft: cuox.Device, run_script: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    script = "import cuox, numpy\nbuffer = cuox.Device().allocate(16)\nfor i in range(3): numpy.from_dlpack(buffer)[0] = i\nprint('done')"
    done = run_script(script)
    assert done.stdout == "done\n" and done.stderr.count("PortabilityWarning") == 1, done
    done = run_script(script, CUOX_SOFT_STRICT="0")
    assert done.stdout == "done\n" and done.stderr.count("PortabilityWarning") == 1, done


def test_strict_refuses_it(soft: cuox.Device, run_script: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    script = """
    import cuox, numpy, warnings
    warnings.simplefilter("error")
    device = cuox.Device()
    buffer = device.allocate(16)
    for use in (numpy.from_dlpack, lambda b: b.__dlpack__(), lambda b: b.__dlpack__(dl_device=(1, 0))):
        try:
            use(buffer)
            print("exported")
        except BufferError as error:
            print(error)
    kernel = cuox.Program('extern "C" __global__ void f(const float *p) {}').compile().get_kernel("f")
    class Wrapped:
        def __dlpack_device__(self): return buffer.__dlpack_device__()
        def __dlpack__(self, **options): return buffer.__dlpack__(**options)
    kernel[1, 1](Wrapped())
    for resource in (cuox.PinnedMemoryResource(), cuox.ManagedMemoryResource()):
        numpy.from_dlpack(resource.allocate(16))[:] = 1
    device.sync()
    print("done")
    """
    lines = run_script(script, CUOX_SOFT_STRICT="1").stdout.splitlines()
    assert len(lines) == 4 and lines[3] == "done", lines
    assert all(
        "is exported as CPU memory; on a GPU this fails" in line and "CUOX_SOFT_STRICT" in line for line in lines[:3]
    ), lines


def test_pinned_and_managed_memory_are_what_they_are_on_a_gpu(device: cuox.Device, stream: cuox.Stream) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for resource, place in (
            (cuox.PinnedMemoryResource(), (3, 0)),
            (cuox.ManagedMemoryResource(), (13, device.device_id)),
        ):
            buffer = resource.allocate(16)
            assert buffer.__dlpack_device__() == place
            np.from_dlpack(buffer)[:] = 7
            assert (np.frombuffer(buffer, np.uint8) == 7).all()
            target = device.allocate(16, stream=stream)
            target.copy_from(buffer, stream=stream)
            assert (download(target, np.uint8, stream) == 7).all()
