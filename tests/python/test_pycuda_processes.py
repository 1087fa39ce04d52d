"""`cuox.pycuda.driver` in processes of their own: faults, interrupts, the end of a process, memory of another one."""

from __future__ import annotations

from typing import Any

import cuox
import cuox.pycuda.driver as drv
import numpy as np
import pytest

FAULT = """
    import cuox, numpy as np
    import cuox.pycuda.autoinit
    import cuox.pycuda.driver as drv
    code = cuox.Program('extern "C" __global__ void stray(int *p) { *p = 1; }', code_type="c++").compile("ptx")
    stray = drv.module_from_code(code).get_function("stray")
    kept = drv.mem_alloc(100)
    stray(np.intp(64), block=(1, 1, 1))
"""


def test_a_failed_kernel_is_named(run_script: Any) -> None:
    result = run_script(
        FAULT
        + """
    try:
        drv.Context.synchronize()
    except (drv.LaunchError, drv.LogicError) as error:
        print("named" if "stray" in str(error) else error, error.code)
    """
    )
    assert result.returncode == 0 and not result.stderr, result.stderr
    if cuox.Device().is_soft:
        assert result.stdout == "named 700\n"
    else:
        assert "700" in result.stdout or "719" in result.stdout


@pytest.mark.parametrize(
    "script",
    [
        "context.pop()",
        "context.pop(); context.detach()",
        "context.detach()",
        "context.push()",
        "context.push(); context.push(); context.pop()",
        "other = drv.Device(0).make_context()",
        "other = drv.Device(0).make_context(); other.pop(); context.pop()",
        "other = drv.Device(0).retain_primary_context(); other.push(); other.detach()",
        "import atexit; atexit.register(context.pop)",
        "memory = drv.mem_alloc(10); event = drv.Event(); stream = drv.Stream(); context.pop()",
        "import cuox.pycuda.autoprimaryctx",
        "kept = [drv.mem_alloc(10)]; kept.append(kept); pool = drv.DeviceMemoryPool(); kept.append(pool.allocate(5))",
    ],
)
def test_the_end_of_a_process(run_script: Any, script: str) -> None:
    result = run_script(
        f"import cuox.pycuda.driver as drv\nfrom cuox.pycuda.autoinit import context\n{script}\nprint('end')"
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")


def test_ctrl_c_ends_a_wait(run_script: Any) -> None:
    result = run_script(
        """
    import _thread, threading, time
    import cuox, numpy as np
    import cuox.pycuda.autoinit
    import cuox.pycuda.driver as drv
    source = 'extern "C" __global__ void wait(volatile int *p) { while (*p == 0) ; }'
    wait = drv.module_from_code(cuox.Program(source, code_type="c++").compile("ptx")).get_function("wait")
    flag = drv.managed_zeros(1, np.int32) if cuox.Device().is_soft else drv.pagelocked_zeros(1, np.int32, mem_flags=drv.host_alloc_flags.DEVICEMAP)
    wait(np.intp(flag.base.get_device_pointer()), block=(1, 1, 1))
    threading.Timer(0.5, _thread.interrupt_main).start()
    try:
        drv.Context.synchronize()
    except KeyboardInterrupt:
        print("interrupted")
    flag[0] = 1
    drv.Context.synchronize()
    print("done")
    """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "interrupted\ndone\n", "")


def test_memory_and_events_of_another_process(run_script: Any) -> None:
    drv.init()
    context = drv.Device(0).make_context()
    memory = drv.to_device(np.arange(8, dtype=np.int32))
    try:
        handle = drv.mem_get_ipc_handle(memory)
        event = drv.Event(drv.event_flags.INTERPROCESS | drv.event_flags.DISABLE_TIMING)
        event_handle = event.record().ipc_handle()
    except drv.LogicError as error:
        if error.code != 801:
            raise
        pytest.skip("this device shares nothing between processes")
    assert len(handle) == len(event_handle) == 64
    result = run_script(
        f"""
    import numpy as np
    import cuox.pycuda.autoinit
    import cuox.pycuda.driver as drv
    drv.Event.from_ipc_handle({event_handle!r}).synchronize()
    memory = drv.IPCMemoryHandle({handle!r})
    print(drv.from_device(memory, 8, np.int32).sum())
    drv.memset_d32(memory, 5, 8)
    memory.close()
    try:
        memory.close()
    except drv.LogicError as error:
        print("closed before" in str(error))
    """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "28\nTrue\n", "")
    assert (drv.from_device(memory, 8, np.int32) == 5).all()
    del memory
    context.pop()


@pytest.mark.parametrize("module", ["autoinit", "autoprimaryctx"])
def test_a_forked_process(run_script: Any, module: str) -> None:
    result = run_script(
        f"""
    import os, sys, warnings
    import cuox.pycuda.{module}
    import cuox.pycuda.driver as drv
    # From Python 3.12 on, os.fork() warns where there are threads, such as the driver's.
    warnings.simplefilter("ignore", DeprecationWarning)
    child = os.fork()
    if not child:
        for call in (lambda: drv.mem_alloc(4), drv.Context.synchronize, drv.mem_get_info):
            try:
                call()
            except drv.Error as error:
                print("forked" in str(error), flush=True)
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), drv.mem_alloc(4).size)
    """
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "True\nTrue\nTrue\n5 4\n", "")
