"""Ends of programs: with callbacks, threads and kernels that are still at work, in forks and in other interpreters."""

from __future__ import annotations

import os
import sys

import cuox
import exhaustive
import pytest
from ctools import needs_compiler

HEAD = """
import atexit, concurrent.futures, os, sys, threading, time
import cuox
device = cuox.Device(); device.set_current(); stream = device.create_stream()
def kernel(source, name):
    return cuox.Program(source, code_type="c++").compile("ptx").get_kernel(name)
config = cuox.LaunchConfig(grid=1, block=1)
"""

ENDLESS = """
endless = kernel('extern "C" __global__ void endless(volatile int *p) { while (*p == 0) ; }', "endless")
cell = device.mem_alloc(4)
cell.fill(0, stream=stream)
stream.sync()
cuox.launch(stream, config, endless, cell)
"""

# The interpreter takes a while to take this down, in which threads come and go.
SLOW_END = f"""
class Node:
    def __init__(self):
        self.self, self.attributes = self, {{}}
nodes = [Node() for _ in range({exhaustive.rounds(40_000, 100_000)})]
"""


def ends_well(run_script, script, **environment):
    done = run_script(script, **environment)
    assert done.returncode == 0, done
    assert "Fatal" not in done.stderr and "FATAL" not in done.stderr, done
    return done


def test_pending_callbacks_are_called_before_the_end(run_script):
    done = ends_well(
        run_script,
        HEAD
        + """
for i in range(5):
    stream.add_callback(lambda i=i: (time.sleep(0.1), print(i, flush=True)))
""",
    )
    assert (done.stdout.split(), done.stderr) == (list("01234"), "")


@pytest.mark.parametrize("turn", exhaustive.some(range(5), [0, 2]))
def test_callbacks_while_a_large_program_ends(run_script, turn):
    done = ends_well(
        run_script,
        HEAD
        + SLOW_END
        + f"""
streams = [device.create_stream() for _ in range(3)]
for s in streams:
    for i in range(20):
        s.add_callback(time.sleep, 0.001 * {turn})
    s.add_callback(sys.stdout.write, "end\\n")
""",
    )
    assert done.stdout.split() == ["end"] * 3


def test_callbacks_behind_an_endless_kernel_are_given_up_with_a_warning(run_script):
    # That takes five seconds, in which the kernel lets others run.
    endless = ENDLESS.replace("while (*p == 0) ;", "while (*p == 0) __nanosleep(1000000);")
    done = ends_well(run_script, HEAD + endless + 'stream.add_callback(print, "called")\nprint("end")')
    assert done.stdout == "end\n"
    assert "RuntimeWarning: 1 callback of a stream will not be called" in done.stderr


GRAPH = """
from cuox.cuda.core.graph import GraphDefinition
graph = GraphDefinition()
"""


def test_callbacks_of_graphs_are_called_before_the_end(run_script):
    done = ends_well(
        run_script,
        HEAD
        + GRAPH
        + """
graph.callback(lambda: time.sleep(0.3)).empty().callback(lambda: print("called", flush=True))
executable = graph.instantiate()
other = device.create_stream()
executable.launch(other)
executable.launch(stream)
executable.launch(stream)
print("end", flush=True)
""",
    )
    assert (done.stdout.split(), done.stderr) == (["end"] + ["called"] * 3, "")


def test_callbacks_of_graphs_behind_an_endless_kernel_are_given_up_with_a_warning(run_script):
    endless = ENDLESS.replace("while (*p == 0) ;", "while (*p == 0) __nanosleep(1000000);")
    script = 'graph.callback(print)\nexecutable = graph.instantiate()\nexecutable.launch(stream)\nprint("end")'
    done = ends_well(run_script, HEAD + GRAPH + endless + script)
    assert done.stdout == "end\n"
    assert "RuntimeWarning: callbacks of a graph's launch will not be called" in done.stderr


def test_callbacks_behind_work_that_failed_are_not_waited_for(run_script):
    done = ends_well(
        run_script,
        HEAD
        + """
stray = kernel('extern "C" __global__ void stray(int *p) { *p = 1; }', "stray")
cuox.launch(stream, config, stray, 0x10)
try:
    stream.add_callback(print, "called")
except cuox.CUDAError:
    pass
""",
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_a_callback_that_is_running_is_waited_for(run_script):
    done = ends_well(
        run_script,
        HEAD
        + """
begun = threading.Event()
def callback():
    begun.set()
    time.sleep(1)
    print("called", flush=True)
stream.add_callback(callback)
begun.wait()
print("end", flush=True)
""",
    )
    assert done.stdout == "end\ncalled\n"


def test_too_late_for_callbacks(run_script):
    """Functions that were registered before cuox run after its own."""
    script = """
import atexit
def late():
    try:
        stream.add_callback(print)
    except RuntimeError as error:
        print(error)
    stream.sync(); device.sync()
    back = bytearray(4)
    buffer.copy_to_host(back)
    print(bytes(back))
atexit.register(late)
"""
    done = ends_well(
        run_script,
        script
        + HEAD
        + """
buffer = device.mem_alloc(4)
buffer.copy_from_host(b"abcd")
atexit.register(lambda: stream.add_callback(print, "in time"))
""",
    )
    assert done.stdout == (
        "in time\nstream.add_callback(): the interpreter is about to end, and calls nothing back any more\nb'abcd'\n"
    )
    assert done.stderr == ""


LOOPS = {
    "launches": "cuox.launch(s, config, add, b)",
    "launches and waits": "cuox.launch(s, config, add, b); s.sync()",
    "copies": "b.copy_to_host(h)",
    "events": "s.record(e); e.sync()",
    "allocations": "device.allocate(1024, stream=s).close(); device.mem_alloc(64)",
    "callbacks": "try: s.add_callback(lambda: None)\n        except RuntimeError: time.sleep(100)",
    "foreign objects": "cuox.launch(Stream(), config, add, Array())",
    "device waits": "device.sync()",
    "compilations": "n += 1; kernel('extern \"C\" __global__ void add%d(int *x) { *x += %d; }' % (n, n), 'add%d' % n)",
    "errors": "\n        try: s.wait(5)\n        except ValueError: pass",
}


@pytest.mark.parametrize("what", LOOPS)
def test_daemon_threads_at_work_when_the_program_ends(run_script, what):
    body = (
        HEAD
        + SLOW_END
        + f"""
add = kernel('extern "C" __global__ void add(int *x) {{ atomicAdd(x, 1); }}', "add")
def work():
    device.set_current()
    s, b, h, e = device.create_stream(), device.mem_alloc(4), bytearray(4), device.create_event()
    class Stream:
        def __cuda_stream__(self):
            for _ in range(20): pass
            return 0, s.handle
    class Array:
        @property
        def __cuda_array_interface__(self):
            for _ in range(20): pass
            return {{"shape": (1,), "typestr": "<i4", "data": (int(b.handle), False), "version": 3}}
    n = 0
    started.release()
    while True:
        {LOOPS[what]}
started = threading.Semaphore(0)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
for _ in range(3):
    started.acquire()
time.sleep(float(sys.argv[1]))
"""
    )
    for turn in range(exhaustive.rounds(1, 2)):
        done = ends_well(run_script, body.replace("float(sys.argv[1])", str(0.02 + 0.05 * turn)))
        assert done.stderr == ""


OTHER_ENDS = {
    "objects in globals and in cycles": """
class Box: pass
for make in (device.create_stream, device.create_event, lambda: device.mem_alloc(64), lambda: device.allocate(64, stream=stream)):
    box = Box(); box.self = box; box.made = make(); box.method = box.made.close
    globals()["made%d" % len(globals())] = make()
""",
    "an executor": """
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    futures = [pool.submit(lambda: (device.set_current(), device.mem_alloc(64), stream.sync())) for _ in range(20)]
left = concurrent.futures.ThreadPoolExecutor(2)
left.submit(lambda: (device.set_current(), time.sleep(0.2), stream.sync(), print("done")))
""",
    "an exit from a thread": """
thread = threading.Thread(target=lambda: (stream.add_callback(time.sleep, 0.1), sys.exit(0)))
thread.start()
""",
    "an exit with a code": "stream.add_callback(time.sleep, 0.05); sys.exit(0)",
    "os._exit": "stream.add_callback(time.sleep, 0.5); os._exit(0)",
    "an exit function that uses everything": """
@atexit.register
def last():
    add = kernel('extern "C" __global__ void add(int *x) { *x = 7; }', "add")
    b = device.mem_alloc(4)
    cuox.launch(stream, config, add, b)
    stream.add_callback(print, "called")
    stream.sync()
    back = bytearray(4); b.copy_to_host(back); print(back[0])
""",
    "a generator that holds a stream": """
def generator():
    s = device.create_stream()
    try:
        yield s
    finally:
        s.sync(); print("closed")
held = generator(); next(held)
""",
    "thread-local objects": """
local = threading.local()
def work():
    device.set_current()
    local.parts = [device.create_stream(), device.mem_alloc(64), device.create_event()]
    hold.wait()
hold = threading.Event()
for _ in range(3): threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
""",
    "a callback that holds the last references": """
stream.add_callback(lambda parts: time.sleep(0.05), [device.mem_alloc(64), device.create_stream()])
del stream
""",
    "an endless kernel": ENDLESS + "print('end')",
    "an endless kernel and a daemon thread that waits": ENDLESS
    + """
thread = threading.Thread(target=lambda: (device.set_current(), stream.sync()), daemon=True)
thread.start()
time.sleep(0.1)
""",
    "work that is queued": """
spin = kernel('extern "C" __global__ void spin(int *x) { for (int i = 0; i < 100000; i++) atomicAdd(x, 1); }', "spin")
b = device.mem_alloc(4)
for _ in range(200): cuox.launch(stream, config, spin, b)
""",
    "a compilation in a daemon thread": """
source = "#include <cooperative_groups.h>\\n#include <cooperative_groups/reduce.h>\\nextern \\"C\\" __global__ void f(int *x) { *x = %d; }" % time.time_ns()
threading.Thread(target=kernel, args=(source, "f"), daemon=True).start()
time.sleep(0.3)
""",
}

DAEMONS = {
    "Program.compile": """
def compile(source):
    cuox.Program(source).compile("ptx")
""",
    "nvrtcCompileProgram": """
from cuox.cuda.bindings import nvrtc
def compile(source):
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), b"k.cu", 0, [], [])
    nvrtc.nvrtcCompileProgram(program, 0, [])
    nvrtc.nvrtcDestroyProgram(program)
""",
}


@pytest.mark.parametrize("what", DAEMONS)
@pytest.mark.parametrize("turn", exhaustive.some(range(6), 1))
def test_daemon_threads_that_compile_all_the_time(run_script, what, turn):
    done = ends_well(
        run_script,
        HEAD
        + DAEMONS[what]
        + f"""
def work(number):
    while True:
        compile(f"__global__ void k(){{{{}}}}//{{number}} {{time.time_ns()}}")
compile("")
for number in range(3): threading.Thread(target=work, args=(number,), daemon=True).start()
time.sleep(0.3 + 0.02 * {turn})
""",
    )
    assert (done.stdout, done.stderr) == ("", "")


PRINTED = {
    "an executor": "done\n",
    "an exit function that uses everything": "called\n7\n",
    "a generator that holds a stream": "closed\n",
    "an endless kernel": "end\n",
}


@pytest.mark.parametrize("what", OTHER_ENDS)
def test_other_ends(run_script, what):
    for _ in range(exhaustive.rounds(1, 2)):
        done = ends_well(run_script, HEAD + OTHER_ENDS[what])
        assert (done.stdout, done.stderr) == (PRINTED.get(what, ""), "")


C_THREADS = r"""
#include <pthread.h>
#include <unistd.h>
typedef int (*callback)(int);
static callback function;
static volatile int failures;
static void *work(void *unused)
{
    for (int i = 0;; i++)
        function(i);
    return unused;
}
void start(callback given)
{
    pthread_t thread;
    function = given;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, 0);
}
"""


@needs_compiler
@pytest.mark.parametrize(
    "callback", exhaustive.some(["lambda i: i", "lambda i: time.sleep(0.001) or i", "lambda i: int(repr(i))"], 2)
)
def test_threads_of_a_c_library_call_back_as_the_program_ends(run_script, callback):
    done = ends_well(
        run_script,
        HEAD
        + SLOW_END
        + f"""
sys.path.insert(0, {os.path.dirname(__file__)!r})
import ctools
from cuox_bind import _native
library = ctools.build({C_THREADS!r})
unary = _native._c_callback("unary", [("i", "i32")], "i32")
pointer, kept = unary.pointer({callback}, True)
ctools.call(library, "start", pointer)
time.sleep(0.2)
""",
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_a_fork_says_what_to_do(run_script):
    done = ends_well(
        run_script,
        HEAD
        + """
buffer, event = device.mem_alloc(64), stream.record()
stream.add_callback(time.sleep, 0.2)
uses = [stream.sync, device.sync, device.create_stream, lambda: device.mem_alloc(64), lambda: buffer.copy_to_host(bytearray(64)),
        event.sync, lambda: stream.add_callback(print), lambda: cuox.Device().set_current()]
child = os.fork()
if child == 0:
    texts = set()
    for use in uses:
        try:
            use()
        except cuox.CUDAError as error:
            texts.add(str(error))
    print(len(texts), *texts, flush=True)
    del buffer, event
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(status)
""",
    )
    first, status = done.stdout.splitlines()
    assert first.startswith("1 CUDA was in use before this process was forked") and "spawn" in first
    assert status == "0"


def test_forks_while_threads_are_at_work(run_script):
    """A child has the locks that other threads of its parent held, for good."""
    if not cuox.Device().is_soft:
        pytest.skip(
            "a fork waits for ever in NVIDIA's driver while callbacks of other threads wait for the GIL, which forks"
        )
    done = ends_well(
        run_script,
        HEAD
        + """
add = kernel('extern "C" __global__ void add(int *x) { atomicAdd(x, 1); }', "add")
def work():
    device.set_current()
    s, b = device.create_stream(), device.mem_alloc(4)
    while not over:
        cuox.launch(s, config, add, b); device.mem_alloc(64); s.add_callback(int); s.sync()
over = False
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
failed = 0
for i in range(20):
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(20)
        for use in (stream.sync, lambda: device.mem_alloc(64), lambda: cuox.launch(stream, config, add, device.mem_alloc(4)),
                    lambda: stream.add_callback(print)):
            try:
                use()
            except cuox.CUDAError:
                pass
        threading._shutdown = lambda: None
        sys.exit(0)
    failed += os.waitpid(child, 0)[1] != 0
over = True
for thread in threads: thread.join()
print(failed)
""",
    )
    assert done.stdout == "0\n"


WORKERS = """
import multiprocessing, sys
import cuox

def work(n):
    device = cuox.Device(); device.set_current()
    buffer = device.mem_alloc(4)
    buffer.copy_from_host(n.to_bytes(4, "little"))
    back = bytearray(4)
    buffer.copy_to_host(back)
    stream = device.create_stream()
    stream.add_callback(int)
    return int.from_bytes(back, "little")

if __name__ == "__main__":
    {first}
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        try:
            print(pool.map(work, range(3)))
        except cuox.CUDAError as error:
            print("spawn" in str(error))
"""


@pytest.mark.parametrize(
    ("first", "method", "printed"),
    [
        ("pass", "fork", "[0, 1, 2]\n"),
        ("work(1)", "spawn", "[0, 1, 2]\n"),
        ("work(1)", "fork", "True\n"),
        ("work(1)", "forkserver", "[0, 1, 2]\n"),
    ],
)
def test_multiprocessing(run_script, tmp_path, first, method, printed):
    script = tmp_path / "workers.py"
    script.write_text(WORKERS.format(first=first, method=method))
    done = ends_well(
        run_script,
        f"import runpy, sys\nsys.argv = [{str(script)!r}]\nrunpy.run_path({str(script)!r}, run_name='__main__')",
    )
    assert done.stdout == printed, done


def test_other_interpreters_are_refused(run_script):
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    done = ends_well(
        run_script,
        HEAD
        + f"""
import {module} as interpreters
other = interpreters.create()
code = '''
try:
    import cuox
except ImportError as error:
    print("refused:", error, flush=True)
'''
code = "import sys; sys.path = " + repr(sys.path) + "\\n" + code
interpreters.run_string(other, code)
interpreters.destroy(other)
stream.sync()
""",
    )
    assert "refused:" in done.stdout and "subinterpreter" in done.stdout
    assert "install" not in done.stdout  # it would not help
