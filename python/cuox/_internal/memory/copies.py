"""Copies with options, one by one and in batches: `copy_batch`, `Buffer.copy_to(options=)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from cuox import _native
from cuox._native import Buffer, Device, GraphBuilder, Stream

from .places import Host, Place, place_of

__all__ = ["CopyOptions", "MemcpyOverlapMode", "MemcpySrcAccessOrder", "copy_batch"]


class MemcpySrcAccessOrder(StrEnum):
    """When a copy reads its source. Driver API manual, `CUmemcpySrcAccessOrder`.

    STREAM: in the stream's order.
    DURING_API_CALL: before the call returns; no work that is in the stream may write the source.
    ANY: whenever the driver likes, until the stream has made the copy.
    """

    STREAM = "stream"
    DURING_API_CALL = "during_api_call"
    ANY = "any"


class MemcpyOverlapMode(StrEnum):
    """Whether a copy had better run beside kernels: a hint. Driver API manual, `CUmemcpyFlags`."""

    DEFAULT = "default"
    PREFER_OVERLAP_WITH_COMPUTE = "prefer_overlap_with_compute"


_ORDERS = {
    MemcpySrcAccessOrder.STREAM: 1,
    MemcpySrcAccessOrder.DURING_API_CALL: 2,
    MemcpySrcAccessOrder.ANY: 3,
}
_Attributes = tuple[int, Place | None, Place | None, int]
_E = TypeVar("_E", bound=StrEnum)


def _member(kind: type[_E], value: object, what: str) -> _E:
    try:
        return kind(value)  # type: ignore[arg-type]
    except ValueError:
        names = ", ".join(repr(str(member)) for member in kind)
        raise ValueError(f"invalid {what}: {value!r}; it is one of {names}") from None


@dataclass(frozen=True)
class CopyOptions:
    """How a copy is made. It cannot be changed.

    src_access_order: when the source is read, a `MemcpySrcAccessOrder` or its text.
    src_location_hint, dst_location_hint: a Device or a Host, where managed memory (and the host's pageable memory) is
    said to be; they move nothing.
    overlap_mode: a `MemcpyOverlapMode` or its text.

    Raises ValueError for other texts.
    """

    src_access_order: MemcpySrcAccessOrder | str = MemcpySrcAccessOrder.STREAM
    src_location_hint: Device | Host | None = None
    dst_location_hint: Device | Host | None = None
    overlap_mode: MemcpyOverlapMode | str = MemcpyOverlapMode.DEFAULT

    def __post_init__(self) -> None:
        order = _member(MemcpySrcAccessOrder, self.src_access_order, "src_access_order")
        mode = _member(MemcpyOverlapMode, self.overlap_mode, "overlap_mode")
        object.__setattr__(self, "src_access_order", order)
        object.__setattr__(self, "overlap_mode", mode)

    def _attributes(self) -> _Attributes:
        """The driver's numbers."""

        def hint(location: Device | Host | None, what: str) -> Place | None:
            return None if location is None else place_of(location, what)

        return (
            _ORDERS[MemcpySrcAccessOrder(self.src_access_order)],
            hint(self.src_location_hint, "src_location_hint"),
            hint(self.dst_location_hint, "dst_location_hint"),
            int(self.overlap_mode == MemcpyOverlapMode.PREFER_OVERLAP_WITH_COMPUTE),
        )


for _class in (CopyOptions, MemcpyOverlapMode, MemcpySrcAccessOrder):
    _class.__module__ = "cuox.cuda.core.utils"
del _class


def _stream(user: str, stream: object) -> object:
    if stream is None:
        raise TypeError(f"{user}: stream is missing: pass a Stream")
    if isinstance(stream, GraphBuilder):
        raise TypeError(f"{user}: a GraphBuilder cannot capture it; add copies with copy_to or GraphNode.memcpy")
    return stream


def listed(user: str, what: str, buffers: Any, hint: str) -> list[Buffer]:
    """Return a sequence of buffers as a list. Raises TypeError for one buffer, and for other objects."""
    if isinstance(buffers, Buffer) or not isinstance(buffers, Sequence):
        raise TypeError(f"{user}: {what}: expected a sequence of Buffers, got {type(buffers).__name__}; {hint}")
    for one in buffers:
        if not isinstance(one, Buffer):
            raise TypeError(f"{user}: {what}: expected a sequence of Buffers, one of them is {type(one).__name__}")
    return list(buffers)


def _options(user: str, options: object) -> CopyOptions:
    if not isinstance(options, CopyOptions):
        raise TypeError(f"{user}: options: expected CopyOptions, got {type(options).__name__}")
    return options


def copy_batch(
    stream: Stream,
    srcs: Sequence[Buffer],
    dsts: Sequence[Buffer],
    *,
    options: CopyOptions | Sequence[CopyOptions] | None = None,
) -> None:
    """Copy each source to the destination of the same place, in one call of the driver.

    The copies are in the stream's order, and among themselves in none: none may write what another one reads or writes.

    stream: not LEGACY_DEFAULT_STREAM and none that is captured: the driver refuses these.
    options: one CopyOptions for all copies, or a sequence with one for each.

    Raises TypeError for other streams and for a single buffer, ValueError if lengths or sizes differ, CUDAError for
    `src_access_order="during_api_call"` with a driver before CUDA 13. Driver API manual, `cuMemcpyBatchAsync`.
    """
    user = "copy_batch"
    sources = listed(user, "srcs", srcs, "Buffer.copy_to copies one")
    destinations = listed(user, "dsts", dsts, "Buffer.copy_to copies one")
    if len(sources) != len(destinations):
        raise ValueError(f"{user}: srcs and dsts have different lengths: {len(sources)} and {len(destinations)}")
    each: Sequence[CopyOptions]
    if options is None:
        each = [CopyOptions()] * len(sources)
    elif isinstance(options, CopyOptions):
        each = [options] * len(sources)
    elif isinstance(options, Sequence) and not isinstance(options, str):
        each = [_options(user, one) for one in options]
    else:
        each = [_options(user, options)]
    if len(each) != len(sources):
        raise ValueError(f"{user}: options has the length {len(each)}, srcs {len(sources)}")
    on = _stream(user, stream)
    _native._copy_batch(user, on, sources, destinations, [one._attributes() for one in each])


def copy_with_options(user: str, source: Buffer, destination: Buffer, stream: object, options: object) -> None:
    """Copy one buffer, for `Buffer.copy_to(options=)` and `Buffer.copy_from(options=)`."""
    attributes = _options(user, options)._attributes()
    _native._copy_batch(user, _stream(user, stream), [source], [destination], [attributes])
