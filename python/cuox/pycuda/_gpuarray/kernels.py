"""Kernels of the engine with the headers that their code needs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeAlias

from cuox._native import _Elementwise, _Reduction, _Scan

Parameters: TypeAlias = Sequence[tuple[str, str, bool]]

_HEADERS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cuda")


def _headed(preamble: str, options: Sequence[str], *texts: str) -> dict[str, Any]:
    """Return the preamble with what the code uses, and the options with the folder of PyCUDA's headers."""
    text = " ".join([preamble, *texts])
    parts = []
    # Each of these takes a while to compile: only what is used.
    if "complex" in text or "pycuda::" in text:
        parts.append("#include <pycuda-complex.hpp>")
    if "half" in text:
        parts.append("#include <cuda_fp16.h>")
    parts.append(preamble)
    return {"preamble": "\n".join(parts), "options": [*options, f"-I{_HEADERS}"]}


def _types(parameters: Parameters) -> str:
    return " ".join(c_type for c_type, _, _ in parameters)


def elementwise(
    parameters: Parameters,
    operation: str,
    *,
    name: str = "kernel",
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
    options: Sequence[str] = (),
) -> _Elementwise:
    """Make a kernel that runs an operation for each element."""
    headed = _headed(preamble, options, _types(parameters), operation, loop_prep, after_loop)
    return _Elementwise(parameters, operation, name=name, loop_prep=loop_prep, after_loop=after_loop, **headed)


def reduction(
    out_type: str,
    neutral: str,
    reduce_expr: str,
    map_expr: str,
    parameters: Parameters,
    *,
    name: str = "reduce",
    preamble: str = "",
    options: Sequence[str] = (),
) -> _Reduction:
    """Make a kernel that combines elements."""
    headed = _headed(preamble, options, _types(parameters), out_type, neutral, reduce_expr, map_expr)
    return _Reduction(out_type, neutral, reduce_expr, map_expr, parameters, name=name, **headed)


def scan(
    c_type: str,
    parameters: Parameters,
    input_expr: str,
    scan_expr: str,
    neutral: str | None,
    output_statement: str,
    *,
    name: str = "scan",
    preamble: str = "",
    options: Sequence[str] = (),
) -> _Scan:
    """Make a kernel of prefix sums."""
    headed = _headed(
        preamble, options, _types(parameters), c_type, input_expr, scan_expr, neutral or "", output_statement
    )
    return _Scan(c_type, parameters, input_expr, scan_expr, neutral, output_statement, name=name, **headed)
