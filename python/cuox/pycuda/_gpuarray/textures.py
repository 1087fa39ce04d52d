"""Arrays as the memory of texture references."""

from __future__ import annotations

from typing import Any

from .. import driver
from .texture_sources import TextureSource

# By the letter of the dtype: whose permission it takes, channels, and the format of each.
_SPLIT = {
    "d": ("double", 2, "SIGNED_INT32"),
    "F": ("complex", 2, "UNSIGNED_INT32"),
    "D": ("complex", 4, "SIGNED_INT32"),
}


def bind(array: Any, texref: Any, allow_offset: bool) -> float:
    """Let a texture reference read the array. Returns the offset in elements."""
    if not array.flags.forc:
        raise ValueError("a texture reads elements that lie one after another: copy the array first, array.copy()")
    return float(texref.set_address(array.gpudata, array.nbytes, allow_offset=allow_offset) / array.dtype.itemsize)


def bind_with_format(
    array: Any, texref: Any, channels: int, allow_double_hack: bool, allow_complex_hack: bool, allow_offset: bool
) -> float:
    """Let a texture reference read the array, and set its format. Returns the offset in elements."""
    if isinstance(texref, TextureSource):
        # A pointer to elements, whatever they are.
        return bind(array, texref, allow_offset)
    allowed = {"double": allow_double_hack, "complex": allow_complex_hack}
    split = _SPLIT.get(array.dtype.char)
    if split is not None and allowed[split[0]]:
        if channels != 1:
            raise ValueError(
                f"channels must be 1 for elements of {array.dtype}, which take more than one themselves, got {channels}"
            )
        channels, form = split[1], getattr(driver.array_format, split[2])
        as_integer = True
    else:
        form = driver.dtype_to_array_format(array.dtype)
        as_integer = array.dtype.kind in "iu"
    offset = bind(array, texref, allow_offset)
    texref.set_format(form, channels)
    if as_integer:
        texref.set_flags(texref.get_flags() | driver.TRSF_READ_AS_INTEGER)
    return offset
