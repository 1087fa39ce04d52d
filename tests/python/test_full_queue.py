"""Launches and events keep the GIL while a stream's queue has room. A queue that is full waits for what may need the
GIL.
"""

from __future__ import annotations

import pytest

SCRIPT = """
import faulthandler, threading, time
faulthandler.dump_traceback_later(90, exit=True)
import cuox

device = cuox.Device()
device.set_current()
source = 'extern "C" __global__ void add(int *x) {{ atomicAdd(x, 1); }}'
kernel = cuox.Program(source, code_type="c++").compile("ptx" if device.is_soft else "cubin").get_kernel("add")
stream, other = device.create_stream(), device.create_stream()
count = device.mem_alloc(4)
count.fill(0)
device.sync()
event, config, called = device.create_event(), cuox.LaunchConfig(grid=1, block=1), []

def callback():
    time.sleep(0.3)
    called.append(1)

def launch(times, stream=stream):
    for _ in range(times):
        cuox.launch(stream, config, kernel, count)

{body}
device.sync()
back = bytearray(4)
count.copy_to_host(back)
print(int.from_bytes(back, "little"), len(called))
"""

BODIES = {
    "launches behind a callback": ("launch(3)\nstream.sync()\nstream.add_callback(callback)\nlaunch(2500)", 2503, 1),
    "a callback behind launches": ("launch(400)\nstream.add_callback(callback)\nlaunch(2500)", 2900, 1),
    "events behind a callback": (
        "launch(3)\nstream.add_callback(callback)\nfor _ in range(2500): stream.record(event)\nlaunch(1)", 4, 1,
    ),
    "a callback in another stream": (
        "launch(3)\nstream.sync()\nother.add_callback(callback)\nstream.wait(other)\nlaunch(3)\nstream.sync()\n"
        "other.add_callback(callback)\nlaunch(1)\nstream.sync()\nlaunch(2500, other)", 2507, 2,
    ),
    "two threads": (
        "threads = [threading.Thread(target=launch, args=(1500, s)) for s in (stream, other)]\n"
        "other.add_callback(callback)\nfor t in threads: t.start()\nfor t in threads: t.join()", 3000, 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_nothing_waits_for_good(run_script, body):
    lines, launches, callbacks = BODIES[body]
    done = run_script(SCRIPT.format(body=lines))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(launches), str(callbacks)]
