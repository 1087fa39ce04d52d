"""Short copies, which keep the GIL and look into the objects themselves once the device is known to have no work."""

from __future__ import annotations

import numpy as np
import pytest


def test_in_a_process_of_their_own(run_script):
    """Once objects of other libraries were seen, as tests in this process have done, no copy is taken to be short."""
    done = run_script(
        f"import pytest; raise SystemExit(pytest.main(['-q', '-p', 'no:cacheprovider', '-k', 'arrays', {__file__!r}]))"
    )
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16", ">i4", "?"])
def test_small_copies_of_arrays(device, dtype):
    buffer = device.mem_alloc(384)
    count = np.arange(24)
    for shape in ((24,), (4, 6), (2, 3, 4), (24, 1, 1), (1, 24)):
        data = (count * 3 % 7).astype(dtype).reshape(shape)
        for array in (data, np.asfortranarray(data), np.ascontiguousarray(data[:1])):
            if not (array.flags.c_contiguous or array.flags.f_contiguous):
                continue
            for _ in range(3):
                buffer.fill(0)
                device.sync()
                buffer.copy_from_host(array)
                back = np.empty_like(array)
                buffer.copy_to_host(back)
                assert back.tobytes("A") == array.tobytes("A")


def test_small_copies_of_arrays_that_are_refused(device):
    buffer = device.mem_alloc(16)
    buffer.fill(0)
    good = np.zeros(4, np.int32)
    for _ in range(3):
        buffer.copy_to_host(good)
        with pytest.raises(ValueError, match="do not fit a buffer of 16 bytes"):
            buffer.copy_to_host(np.zeros(5, np.int32))
        with pytest.raises(ValueError, match="do not fit a buffer of 16 bytes"):
            buffer.copy_to_host(bytearray(17))
        with pytest.raises((BufferError, ValueError)):
            buffer.copy_to_host(np.zeros(8, np.int16)[::2])
        with pytest.raises((BufferError, ValueError), match="read-only"):
            buffer.copy_to_host(np.broadcast_to(good[0], ()))
        buffer.copy_to_host(np.zeros(2, "M8[s]"))
        buffer.copy_to_host(np.zeros(0, np.int32))
        buffer.copy_to_host(np.zeros((3, 0, 2), np.int32))
        buffer.copy_to_host(bytearray())
    buffer.copy_from_host(np.broadcast_to(np.int32(0x01010101), ()))
    shorter = bytearray(b"0123456789")
    del shorter[:4]
    buffer.copy_to_host(shorter)
    assert shorter == b"\1\1\1\1\0\0"
    readable = np.zeros(4, np.int32)
    readable.flags.writeable = False
    buffer.copy_from_host(readable)


QUIET = """
import faulthandler, sys, time
faulthandler.dump_traceback_later(60, exit=True)
import cuox
device = cuox.Device()
device.set_current()
plain, host, called = device.mem_alloc(64), bytearray(4), []
for _ in range(3):
    plain.copy_to_host(host)

def callback(*_):
    time.sleep(0.2)
    called.append(1)
"""


@pytest.mark.parametrize(
    "copy", ["plain.copy_to_host(host)", "plain.copy_from_host(host)", "plain.copy_to_host(memoryview(host))"]
)
def test_callbacks_get_the_gil(run_script, copy):
    done = run_script(
        f"{QUIET}\ndevice.default_stream.add_callback(callback)\n{copy}\nplain.copy_to_host(host)\nassert called"
    )
    assert done.returncode == 0, done.stderr


def test_callbacks_of_other_libraries_get_the_gil(run_script):
    """What another library puts into the default stream is not known here; that there is one is."""
    script = (
        QUIET
        + """
import ctypes
from cuox import _native

report = _native.choice_report()
path = report["soft" if device.is_soft else "nvidia"].split(" (CUDA")[0]
function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(callback)
buffer = cuox.Buffer.from_handle(int(plain), 64, owner=function)
assert ctypes.CDLL(path).cuLaunchHostFunc(ctypes.c_void_p(1), function, None) == 0
plain.copy_to_host(host)
assert called
"""
    )
    done = run_script(script)
    assert done.returncode == 0, done.stderr
