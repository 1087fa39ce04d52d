"""A stand-in for the native classes `_Elementwise`, `_Reduction` and `_Scan`, in Python and for contiguous memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cuox

_Parameters = Sequence[tuple[str, str, bool]]


def _declare(parameters: _Parameters) -> str:
    return ", ".join(f"{c_type} *{name}" if vector else f"{c_type} {name}" for c_type, name, vector in parameters)


def _build(source: str, name: str, options: Sequence[str]) -> Any:
    cuox.Device().set_current()
    include = [o[2:] for o in options if o.startswith("-I")]
    return cuox.Program(source, code_type="c++", options=cuox.ProgramOptions(include_path=include)).compile("ptx").get_kernel(name)


def _launch(stream: Any, count: int, kernel: Any, *args: Any) -> None:
    if stream is None:
        stream = cuox.Device().default_stream
    grid = max(1, min(1024, -(-count // 128)))
    cuox.launch(stream, cuox.LaunchConfig(grid=grid, block=128), kernel, *args)


def _flattened(parameters: _Parameters, args: Sequence[Any], shape: tuple[int, ...]) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """Return arguments that are contiguous in C's order, and the pairs of arrays to copy back."""
    representatives = [a for a in args if isinstance(a, cuox.Array) and a.shape == shape]
    if all(a.is_c_contiguous for a in representatives) or all(a.is_f_contiguous for a in representatives):
        keep = representatives
    else:
        keep = [a for a in representatives if a.is_c_contiguous]
    out, back = [], []
    for (c_type, _, _), arg in zip(parameters, args, strict=True):
        if isinstance(arg, cuox.Array) and not any(arg is k for k in keep) and not arg.is_c_contiguous:
            copy = cuox.Array.copy(arg, "C")
            if not c_type.startswith("const"):
                back.append((arg, copy))
            arg = copy
        out.append(arg)
    return out, back


builtin_range = range


class _Scan:
    def __init__(self, c_type: str, parameters: _Parameters, input_expr: str, scan_expr: str, neutral: str | None, output_statement: str, *, is_segment_start_expr: str | None = None, input_fetch_exprs: Sequence[tuple[str, str, int]] = (), name: str = "scan", preamble: str = "", options: Sequence[str] = ()) -> None:
        first = f"{c_type} item = ({input_expr}); {c_type} prev_item = {neutral if neutral is not None else 'item'};"
        self.source = (
            f"{preamble}\n__device__ {c_type} scan_({c_type} a, {c_type} b) {{ return {scan_expr}; }}\n"
            f'extern "C" __global__ void {name}({_declare(parameters)}, unsigned long long N) {{ {c_type} acc_; for (long long i = 0; i < (long long)N; ++i) {{ '
            f"{first} if (i == 0) acc_ = item; else {{ prev_item = acc_; acc_ = scan_(acc_, item); item = acc_; }} {output_statement}; }} }}"
        )
        self.name, self.options, self.kernel = name, options, None

    def __call__(self, *args: Any, n: int | None = None, stream: Any = None) -> None:
        first = next(a for a in args if isinstance(a, cuox.Array))
        count = first.size if n is None else n
        if count == 0:
            return
        if self.kernel is None:
            self.kernel = _build(self.source, self.name, self.options)
        if stream is None:
            stream = cuox.Device().default_stream
        cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), self.kernel, *args, count)
