"""Type codes: the texts by which Python and the compiler of kernels tell each other of types.

`int64`, `float32`, `array(float32,2,C)`, `tuple(int64,float32)`, `record(24,8;x:0:float32,y:8:nested(int32,3x4))`, …
"""

from __future__ import annotations

from typing import Any

_PLAIN = {
    "?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64", "q": "int64", "B": "uint8", "H": "uint16", "I": "uint32", "L": "uint64", "Q": "uint64",
    "e": "float16", "f": "float32", "d": "float64", "F": "complex64", "D": "complex128",
}  # fmt: skip
_known: dict[Any, str] = {}


def of_dtype(dtype: Any) -> str:
    """The code of a NumPy dtype. Raises TypeError for types that kernels do not know."""
    code = _known.get(dtype)
    if code is None:
        code = _known[dtype] = _of_dtype(dtype)
    return code


def _of_dtype(dtype: Any) -> str:
    if not dtype.isnative:
        raise TypeError(f"dtype {dtype}: kernels know types of the machine's byte order only")
    if dtype.names is not None:
        fields = []
        for name in dtype.names:
            field, offset = dtype.fields[name][:2]
            fields.append(f"{name}:{offset}:{_field(field)}")
        return f"record({dtype.itemsize},{_alignment(dtype)};{','.join(fields)})"
    if dtype.kind in "Mm":
        import numpy as np

        unit, count = np.datetime_data(dtype)
        unit = "" if unit == "generic" else unit if count == 1 else f"{count}{unit}"
        return f"{'datetime64' if dtype.kind == 'M' else 'timedelta64'}({unit})"
    if dtype.kind == "S":
        return f"char({dtype.itemsize})"
    if dtype.kind == "U":
        return f"unicode({dtype.itemsize // 4})"
    if dtype.name == "bfloat16":
        return "bfloat16"
    code = _PLAIN.get(dtype.char)
    if code is None:
        raise TypeError(f"dtype {dtype} is not one that kernels know")
    return code


def _field(dtype: Any) -> str:
    if dtype.subdtype is None:
        return of_dtype(dtype)
    base, shape = dtype.subdtype
    return f"nested({of_dtype(base)},{'x'.join(map(str, shape))})"


def _alignment(dtype: Any) -> int:
    # Without align=True fields may lie anywhere: the record is read as its fields lie. Of an array that is viewed as a
    # recarray the type says that it is aligned, and that its alignment is 1.
    is_aligned = dtype.isalignedstruct and dtype.alignment > 1
    return dtype.alignment if is_aligned else _packed_alignment(dtype)


def _packed_alignment(dtype: Any) -> int:
    align = 8
    for field, offset in (entry[:2] for entry in dtype.fields.values()):
        while align > 1 and offset % min(align, max(field.base.alignment, 1)):
            align //= 2
    while align > 1 and dtype.itemsize % align:
        align //= 2
    return align
