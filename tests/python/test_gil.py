"""Calls of C functions and the interpreter's lock: what waits for another thread or a callback never waits for ever."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import ctools
import pytest

pytestmark = ctools.needs_compiler

HEADER = """
typedef int (*visitor)(int);
void on_visit(visitor f);
void on_any(void *f);
int gather(int count);
int visit_all(visitor f, int count);
void begin(void);
void finish(void);
int seen(volatile int *flag, int milliseconds);
int held(void);
typedef struct box box;
box *box_new(void);
void box_free(box *);
int freed_with(void);
"""

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "gil.h"
int PyGILState_Check(void);
static visitor kept;
static int sum, freed = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *count) { for (int i = 0; i < *(int *)count; i++) sum += kept(i); return 0; }
void on_visit(visitor f) { kept = f; }
void on_any(void *f) { kept = f; }
int gather(int count) { pthread_t t; sum = 0; pthread_create(&t, 0, work, &count); pthread_join(t, 0); return sum; }
int visit_all(visitor f, int count) { kept = f; return gather(count); }
void begin(void) { pthread_mutex_lock(&mutex); }
void finish(void) { pthread_mutex_unlock(&mutex); }
int seen(volatile int *flag, int milliseconds) { while (!*flag && milliseconds-- > 0) usleep(1000); return *flag; }
int held(void) { return PyGILState_Check(); }
struct box { int x; };
box *box_new(void) { return malloc(sizeof(box)); }
void box_free(box *b) { freed = PyGILState_Check(); free(b); }
int freed_with(void) { return freed; }
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("gil")
    (folder / "gil.h").write_text(HEADER)
    (folder / "gil.c").write_text(SOURCE)
    assert ctools.COMPILER
    subprocess.run(
        [
            ctools.COMPILER,
            "-O1",
            "-shared",
            "-fPIC",
            "-pthread",
            f"-I{folder}",
            "-o",
            folder / "libgil.so",
            folder / "gil.c",
        ],
        check=True,
    )
    return folder


@pytest.fixture(params=["code", "nojit", ""])
def ends(request, folder: Path, run_script: Run) -> Callable[..., str]:
    """Runs a script with the library bound as `c`, and as `loaded` without its header; it has to end by itself. Answers
    what it has printed.
    """

    def run(script: str, gil: str | None = None) -> str:
        begin = f"""
import ctypes, faulthandler, os, signal, sys, threading, time
faulthandler.dump_traceback_later(60, exit=True)
import cuox
LIBRARY = {str(folder / "libgil.so")!r}
c = cuox.bind(LIBRARY, headers=[{str(folder / "gil.h")!r}], gil={gil!r})
loaded = cuox.load(LIBRARY)
"""
        done = run_script(begin + script, CUOX_CALL=request.param)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_callbacks_on_threads_of_c(ends):
    # Nothing in these names says that they wait.
    out = ends(
        """
for _ in range(70):
    assert c.visit_all(lambda i: i, 10) == 45
kept = c.visitor(lambda i: 2 * i)
c.on_visit(kept)
for _ in range(70):
    assert c.gather(10) == 90
print("done")
"""
    )
    assert out == "done\n"


def test_callbacks_of_ctypes_on_threads_of_c(ends):
    out = ends(
        """
visitor = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
kept = visitor(lambda i: 3 * i)
loaded.on_visit(kept)
for _ in range(70):
    assert loaded.gather(10) == 135
loaded.visit_all.argtypes = [visitor, "int"]
assert loaded.visit_all(kept, 5) == 30
c.on_any(kept)
for _ in range(70):
    assert c.gather(10) == 135
print("done")
"""
    )
    assert out == "done\n"


def test_callbacks_by_address_on_threads_of_c(ends):
    out = ends(
        """
kept = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda i: 3 * i)
c.on_visit(c.visitor(ctypes.cast(kept, ctypes.c_void_p).value))
assert c.gather(10) == 135
print("done")
"""
    )
    assert out == "done\n"


@pytest.mark.parametrize("library", ["c", "loaded"])
def test_another_thread_has_what_is_waited_for(ends, library):
    out = ends(
        f"""
def other():
    lock.begin()
    ready.set()
    time.sleep(0.05)
    lock.finish()

lock = {library}
for _ in range(3):
    ready = threading.Event()
    thread = threading.Thread(target=other)
    thread.start()
    ready.wait()
    lock.begin()
    lock.finish()
    thread.join()
print("done")
"""
    )
    assert out == "done\n"


def test_who_holds_it(ends):
    out = ends(
        """
held = lambda: {c.held() for _ in range(140)}
def box():
    c.box_new().close()
    return c.freed_with()

assert held() == {1} and box() == 1, "nobody else is there"
assert loaded.held() == 0
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
assert held() == {0} and box() == 0, "another thread"
stop.set()
thread.join()
assert held() == {1} and box() == 1, "it has ended"
kept = c.visitor(lambda i: i)
assert held() == {0} and box() == 0, "a callback"
kept.close()
assert held() == {1} and box() == 1, "it is closed"
assert cuox.load(LIBRARY, gil="hold").held() == 1
print("done")
"""
    )
    assert out == "done\n"


def test_what_is_asked_for(ends):
    script = """
flag = (ctypes.c_int * 1)()
started = threading.Event()
def other():
    started.set()
    flag[0] = 1
sys.setswitchinterval(1e-6)
thread = threading.Thread(target=other)
thread.start()
started.wait()
thread.join()
kept = c.visitor(lambda i: i)
thread = threading.Thread(target=started.wait)
started.clear()
thread.start()
print({c.held() for _ in range(140)})
started.set()
"""
    assert ends(script, "hold") == "{1}\n"
    assert ends(script, "release") == "{0}\n"
    assert ends(script, "auto") == "{0}\n"
    assert ends("print(c.held(), loaded.held())", "release") == "0 0\n"


def test_a_child_of_another_thread(ends):
    # The thread that forked is the child's only one, and not the one that was the only one before.
    out = ends(
        """
def other():
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        def inner():
            c.begin()
            ready.set()
            time.sleep(0.05)
            c.finish()
        ready = threading.Event()
        thread = threading.Thread(target=inner)
        thread.start()
        ready.wait()
        c.begin()
        os._exit(7)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

codes = []
c.held()
thread = threading.Thread(target=other)
thread.start()
thread.join()
print(codes)
"""
    )
    assert out == "[7]\n"


def test_other_threads_run_during_a_call(ends):
    out = ends(
        """
c = cuox.load("libc.so.6")
count = 0
def other():
    global count
    while not stop.is_set():
        count += 1
        time.sleep(0.001)
stop = threading.Event()
thread = threading.Thread(target=other)
thread.start()
grown = False
while not grown:
    before = count
    c.usleep(50_000)
    grown = count > before + 2
stop.set()
print(grown)
"""
    )
    assert out == "True\n"


@pytest.mark.parametrize(
    "call",
    ["cuox.load('libc.so.6').sleep(50)", "cuox.bind(None, source='unsigned sleep(unsigned seconds);').sleep(50)"],
)
def test_interrupted(ends, call):
    out = ends(
        f"""
main = threading.main_thread().ident
threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
begin = time.monotonic()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin < 40)
"""
    )
    assert out == "interrupted True\n"


def test_python_itself_is_called_with_the_lock(ends):
    out = ends(
        """
python = cuox.bind(None, source="int PyGILState_Check(void); unsigned long PyLong_AsUnsignedLong(void *);")
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
print(python.PyGILState_Check(), python.PyLong_AsUnsignedLong(id(12)))
print(python.explain("PyGILState_Check"))
stop.set()
"""
    )
    assert out.startswith("1 12\n") and "Python's own C API" in out
