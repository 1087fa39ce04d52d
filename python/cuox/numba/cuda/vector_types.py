"""CUDA's vectors: `cuda.float32x4(a, b, c, d)`, and `cuda.float4`, C's name of the same. CUDA programming guide,
*Built-in Vector Types*.
"""

from __future__ import annotations

from typing import Any, NoReturn

from . import types

NAMES = [
    f"{kind}x{count}"
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
    for count in (1, 2, 3, 4)
]
_ALIASES = {
    "char": "int8", "short": "int16", "int": "int32", "long": "int64", "longlong": "int64", "uchar": "uint8", "ushort": "uint16", "uint": "uint32",
    "ulong": "uint64", "ulonglong": "uint64", "float": "float32", "double": "float64",
}  # fmt: skip


class VectorType(types.Type):
    """A vector of `num_elements` numbers of a type. In a kernel it is called with numbers and vectors that together are
    as many.
    """

    def __init__(self, base_type: Any, num_elements: int) -> None:
        super().__init__(f"{base_type.name}x{num_elements}", f"vector({base_type.code},{num_elements})")
        self.base_type = base_type
        self.num_elements = num_elements
        self.aliases: list[str] = []
        self.attr_names = ("x", "y", "z", "w")[:num_elements]

    @property
    def user_facing_object(self) -> VectorType:
        """The type itself, which kernels call."""
        return self

    def __call__(self, *args: Any) -> Any:
        """A signature that returns it, if all arguments are types. Vectors are made in kernels only."""
        if all(isinstance(arg, types.Type) for arg in args):
            return types.Signature(self, args)
        return self._refused()

    def _refused(self) -> NoReturn:
        raise TypeError(f"{self.name}(...) makes a vector inside of a kernel only: in a function with @cuda.jit")


vector_types = {name: VectorType(getattr(types, name[:-2]), int(name[-1])) for name in NAMES}
globals().update(vector_types)
for _alias, _name in _ALIASES.items():
    for _count in (1, 2, 3, 4):
        globals()[f"{_alias}{_count}"] = _vector = vector_types[f"{_name}x{_count}"]
        _vector.aliases.append(f"{_alias}{_count}")
