"""Operations in a `torch.cuda.CUDAGraph`: each is a host node, which runs the CPU's kernel when the graph is replayed.

A GPU runs nothing while a graph is captured. Here an operation runs then, too, since the shapes of its results are
needed, and what it has written in memory from before the capture is put back at the end.
"""

from __future__ import annotations

import ctypes
import itertools
import weakref
from collections.abc import Callable
from typing import Any

import torch

from cuox._internal import links

from ._host import host

_driver = ctypes.CDLL(str(links.library(links.DRIVER)))
_launch_host = _driver.cuLaunchHostFunc
_HostFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_launch_host.argtypes = [ctypes.c_void_p, _HostFunction, ctypes.c_void_p]

_is_capturing = torch._C._cuda_isCurrentStreamCapturing
_numbers = itertools.count(1)
_nodes: dict[int, Callable[[], None]] = {}
_failures: list[BaseException] = []


class Capture:
    """What a capture has written so far, and its nodes."""

    current: Capture | None = None

    def __init__(self) -> None:
        self.nodes: list[int] = []
        self.before_replay: list[Callable[[], None]] = []
        self._before: dict[int, tuple[Any, Any]] = {}

    def will_write(self, alias: Any) -> None:
        """Keep the bytes of the storage of a tensor on the CPU, once."""
        storage = alias.untyped_storage()
        if storage.nbytes() and storage.data_ptr() not in self._before:
            self._before[storage.data_ptr()] = storage, storage.clone()

    def put_back(self) -> None:
        """Give memory that was written the bytes from before the capture."""
        for storage, bytes_before in self._before.values():
            storage.copy_(bytes_before)
        self._before.clear()

    def add(self, device: int, run: Callable[[], None]) -> None:
        """Capture a host node. Raises RuntimeError if the driver refuses it."""
        number = next(_numbers)
        _nodes[number] = run
        self.nodes.append(number)
        status = _launch_host(torch._C._cuda_getCurrentRawStream(device), _call_node, number)
        if status:
            raise RuntimeError(f"cuox.torch: cuLaunchHostFunc failed with error {status} while a graph was captured")


def _run_node(number: int) -> None:
    run = _nodes.get(number)
    if run is None or _failures:
        return
    try:
        run()
    except BaseException as error:
        _failures.append(error)


_call_node = _HostFunction(_run_node)


def capturing() -> Capture | None:
    """The capture that the current stream is in."""
    return Capture.current if Capture.current is not None and _is_capturing() else None


def copy_results(call: Callable[[], Any], made: list[Any]) -> Callable[[], None]:
    """A node: call an operation, and copy its results to the memory of tensors on the device, of which those are None
    that are its operands.
    """
    aliases = [one if one is None else host(one) for one in made]

    def run() -> None:
        results = call()
        for alias, result in zip(aliases, flat(results)):
            if alias is not None:
                alias.copy_(result)

    return run


def flat(result: Any) -> list[Any]:
    """An operation's results one by one."""
    if isinstance(result, (list, tuple)):
        return [other for one in result for other in flat(one)]
    return [result]


def set_up() -> None:
    """Have PyTorch's graphs capture operations."""
    graph = torch.cuda.CUDAGraph
    begin, end, replay = graph.capture_begin, graph.capture_end, graph.replay

    def capture_begin(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        Capture.current = self._cuox_capture = Capture()
        weakref.finalize(self, _drop, Capture.current.nodes)

    def capture_end(self: Any) -> None:
        capture, Capture.current = Capture.current, None
        try:
            end(self)
        finally:
            if capture is not None:
                capture.put_back()

    def replay_now(self: Any) -> None:
        for prepare in self._cuox_capture.before_replay:
            prepare()
        replay(self)
        # Nodes need the lock of Python's interpreter, which others would hold who wait for the graph.
        torch.cuda.current_stream().synchronize()
        if _failures:
            raise _failures.pop()

    graph.capture_begin, graph.capture_end, graph.replay = capture_begin, capture_end, replay_now


def _drop(nodes: list[int]) -> None:
    for number in nodes:
        _nodes.pop(number, None)
