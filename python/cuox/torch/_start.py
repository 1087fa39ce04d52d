"""What `import cuox.torch` does, once in a process."""

from __future__ import annotations

import contextlib

from cuox import _native

from . import _libraries

_active = False


def is_active() -> bool:
    """Tell whether PyTorch's operations on `cuda` are run by its CPU kernels in this process: true on the software GPU
    only.
    """
    return _active


def held(device: int) -> int:
    """Tell how many bytes of a device, and of pinned memory, PyTorch's allocators have: `Device.reset` would free them
    under the tensors.
    """
    if not _active:
        return 0
    import torch

    # What no tensor has is kept for the next, and no function without an underscore lets go of it.
    with contextlib.suppress(RuntimeError):  # of a kernel that has failed
        torch._C._host_emptyCache()
    # Memory is pinned without what `torch.cuda.is_initialized` tells of, and `torch.cuda.host_memory_stats` asks that.
    pinned = torch._C._cuda_hostMemoryStats()["allocated_bytes"]["current"]
    return int(pinned) + (torch.cuda.memory_reserved(device) if torch.cuda.is_initialized() else 0)


def start() -> None:
    """Where the device is the software GPU, put its libraries in front and take over PyTorch's operations. Raises
    ImportError.
    """
    global _active
    if _active or _native.chosen_driver() != "soft":
        return
    _libraries.check_installed()
    _libraries.put_in_front()
    # What follows knows PyTorch, which is imported only now.
    import torch

    _libraries.check_version(torch.__version__, str(torch.version.cuda))
    if not _libraries.runtime_is_ours():
        raise ImportError(
            f"torch {torch.__version__} does not use a shared CUDA runtime, so that cuox cannot stand in for it",
            name="torch",
        )
    from . import _at_exit, _exchange, _frames, _graphs, _operators, _settings

    _active = True
    _settings.set_up()
    _exchange.set_up()
    _graphs.set_up()
    _at_exit.set_up()
    _operators.register()
    _frames.set_up()
