"""Not run: the shapes that type checkers must accept. Checked by mypy in `make test`."""

from __future__ import annotations

import cuox
from cuox.cuda import pathfinder
from cuox.cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch


def use(source: str) -> float:
    device = Device(0)
    device.use()
    stream = device.create_stream(options=cuox.StreamOptions(priority=-1))
    start = stream.record(options=cuox.EventOptions(timing_enabled=True))
    code = Program(source, code_type="c++", options=ProgramOptions(std="c++17")).compile("cubin")
    kernel = code.get_kernel("saxpy")
    with device.allocate(1024, stream=stream) as buffer:
        launch(stream, LaunchConfig(grid=4, block=(32, 8)), kernel, 2.0, buffer, None, 3)
        kernel[4, 32, stream, 0](2.0, buffer, 3)
        kernel[LaunchConfig(grid=1, block=1)](1)
        buffer.copy_from_host(b"bytes")
        copy: cuox.Buffer = buffer.copy_to(stream=stream)
        copy.fill(0)
    x: cuox.Array = cuox.to_device([1.0, 2.0], stream=stream)
    x[::-1, None].T.copy_from(cuox.zeros((2, 1), "f8"))
    kernel[4, 32, stream, 0](2.0, x, cuox.empty_like(x).reshape(1, -1), int(x.to_host().sum()))
    rows: list[cuox.Array] = list(cuox.full((2, 3), 1j))
    assert cuox.as_array(copy).view("f4").dtype == rows[0].dtype
    program = Program(source, "saxpy.cu")
    program.compile(["--gpu-architecture=compute_90"])
    program.saxpy[1, 1](1)
    library: str = pathfinder.load_nvidia_dynamic_lib("nvrtc").abs_path
    assert library
    return stream.record() - start
