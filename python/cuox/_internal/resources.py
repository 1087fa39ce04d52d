"""The multiprocessors of a device, and parts of them, which green contexts have."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from cuox import _native
from cuox._internal.driver_calls import bindings, call
from cuox._native import Context, Device, Stream

__all__ = [
    "ContextOptions",
    "DeviceResources",
    "SMResource",
    "SMResourceOptions",
    "WorkqueueResource",
    "WorkqueueResourceOptions",
]

_SM = 1
_DEFAULT_STREAM = 1
_SHARING_SCOPES = ("device_ctx", "green_ctx_balanced")


@dataclass
class ContextOptions:
    """The options of a green context.

    resources: SMResource objects, all of one split.
    """

    resources: Sequence[Any] | None


@dataclass
class SMResourceOptions:
    """The options of `SMResource.split`. Driver API manual, `cuDevSmResourceSplitByCount`.

    count: the multiprocessors of a group at least; several numbers, which must be equal, are as many groups. None is
    the smallest group.
    coscheduled_sm_count, preferred_coscheduled_sm_count: not supported: they want CUDA 13.1.
    backfill: groups may have multiprocessors that are not scheduled together, so that they are smaller.
    """

    count: int | Sequence[int] | None = None
    coscheduled_sm_count: int | Sequence[int] | None = None
    preferred_coscheduled_sm_count: int | Sequence[int] | None = None
    backfill: bool | Sequence[bool] = False


@dataclass
class WorkqueueResourceOptions:
    """The options of a WorkqueueResource, which CUDA 13.1 has and cuox's bindings, those of 13.0, have not.

    sharing_scope: "device_ctx" or "green_ctx_balanced".
    concurrency_limit: the number of streams whose work overlaps, at least 1.

    Raises ValueError for other values.
    """

    sharing_scope: str | None = None
    concurrency_limit: int | None = None

    def __post_init__(self) -> None:
        if self.sharing_scope is not None and self.sharing_scope not in _SHARING_SCOPES:
            known = ", ".join(map(repr, _SHARING_SCOPES))
            raise ValueError(f"{self.sharing_scope!r} is not a valid WorkqueueSharingScopeType. Must be one of {known}")
        if self.concurrency_limit is not None and self.concurrency_limit < 1:
            raise ValueError(f"concurrency_limit must be >= 1, got {self.concurrency_limit}")


def _is_several(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _groups(options: SMResourceOptions) -> tuple[int, int, bool]:
    """How many groups, of how many multiprocessors at least, and whether these need not be scheduled together."""
    count = options.count
    if count is not None and not isinstance(count, int) and not _is_several(count):
        raise TypeError(f"SMResource.split: count: expected an int, several or None, got {type(count).__name__}")
    counts = list(count) if isinstance(count, Sequence) else [count]
    if not counts:
        raise ValueError("SMResource.split: count must have a number for each group, and there is none")
    for name in ("coscheduled_sm_count", "preferred_coscheduled_sm_count", "backfill"):
        value = getattr(options, name)
        if not _is_several(value):
            continue
        if not _is_several(count):
            raise ValueError(f"SMResource.split: {name} has several values but count is scalar; give a count for each")
        if len(value) != len(counts):
            raise ValueError(f"SMResource.split: {name} has {len(value)} values, expected {len(counts)}, as count has")
    for name in ("coscheduled_sm_count", "preferred_coscheduled_sm_count"):
        if getattr(options, name) is not None:
            raise RuntimeError(f"SMResource.split: {name} wants cuDevSmResourceSplit, of CUDA 13.1; cuox has CUDA 13.0")
    backfill = options.backfill
    chosen = {bool(one) for one in backfill} if isinstance(backfill, Sequence) else {bool(backfill)}
    if len(set(counts)) > 1 or len(chosen) > 1:
        raise RuntimeError(
            "SMResource.split: groups of different sizes or kinds want cuDevSmResourceSplit, of CUDA 13.1; cuox has CUDA 13.0"
        )
    least = 0 if counts[0] is None else operator.index(counts[0])
    if least < 0:
        raise ValueError(f"SMResource.split: count must be non-negative, got {least}")
    return len(counts), least, chosen == {True}


class SMResource:
    """Multiprocessors of a device: `DeviceResources.sm` and `split` give them."""

    __slots__ = ("_device", "_is_usable", "_resource")
    _device: Device
    _is_usable: bool
    _resource: Any

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        raise RuntimeError(
            "SMResource cannot be instantiated directly: DeviceResources.sm and SMResource.split give it"
        )

    @classmethod
    def _of(cls, resource: Any, device: Device, is_usable: bool = True) -> SMResource:
        made = super().__new__(cls)
        made._resource, made._device, made._is_usable = resource, device, is_usable
        return made

    @property
    def handle(self) -> int:
        """The address of the `CUdevResource`."""
        return int(self._resource.getPtr())

    @property
    def sm_count(self) -> int:
        """The number of multiprocessors."""
        return int(self._resource.sm.smCount)

    @property
    def min_partition_size(self) -> int:
        """The smallest number of multiprocessors of a part."""
        return int(self._resource.sm.minSmPartitionSize) or self.coscheduled_alignment

    @property
    def coscheduled_alignment(self) -> int:
        """The number of multiprocessors that are scheduled together: the sizes of parts are multiples of it."""
        return int(self._resource.sm.smCoscheduledAlignment) or (8 if self._device.compute_capability >= (9, 0) else 2)

    @property
    def flags(self) -> int:
        """The flags of the resource: 0, since `CUdevSmResource` has none before CUDA 13.1."""
        return 0

    def split(self, options: SMResourceOptions, *, dry_run: bool = False) -> tuple[list[SMResource], SMResource]:
        """Split the multiprocessors into groups of the same size, and what is left. A size is rounded up to one that
        the device can have.

        options: SMResourceOptions, or a dict with some of its fields.
        dry_run: give groups that tell how large they are, of which no context can be made.

        Raises ValueError, TypeError, RuntimeError for what wants a later CUDA, CUDAError for groups that are too large.
        Driver API manual, `cuDevSmResourceSplitByCount`.
        """
        if isinstance(options, Mapping):
            options = SMResourceOptions(**options)
        if not isinstance(options, SMResourceOptions):
            raise TypeError(
                f"SMResource.split: options: expected SMResourceOptions or a dict, got {type(options).__name__}"
            )
        groups, least, is_loose = _groups(options)
        # CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING
        answer = call("cuDevSmResourceSplitByCount", groups, self._resource, int(is_loose), least)
        parts, count, left = answer
        made = [SMResource._of(part, self._device, not dry_run) for part in parts[:count]]
        return made, SMResource._of(left, self._device, not dry_run)


class WorkqueueResource:
    """Queues of work of a device, which CUDA 13.1 has and cuox's bindings, those of 13.0, have not: there is none."""

    __slots__ = ()

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        raise RuntimeError("WorkqueueResource cannot be instantiated directly, and wants CUDA 13.1; cuox has CUDA 13.0")


class DeviceResources:
    """The resources of a device, context or stream: `Device.resources`, `Context.resources`, `Stream.resources`. Driver
    API manual, *Green Contexts*.
    """

    __slots__ = ("_of_what",)
    _of_what: Device | Context | Stream
    _GETTERS: ClassVar[dict[type, str]] = {Device: "cuDeviceGetDevResource", Context: "cuCtxGetDevResource"}

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        raise RuntimeError("DeviceResources cannot be instantiated directly: Device.resources is one")

    @classmethod
    def _of(cls, what: Device | Context | Stream) -> DeviceResources:
        made = super().__new__(cls)
        made._of_what = what
        return made

    @property
    def sm(self) -> SMResource:
        """The multiprocessors. Raises CUDAError, and ClosedError for a context that is closed."""
        what = self._of_what.context if isinstance(self._of_what, Stream) else self._of_what
        device = what if isinstance(what, Device) else what.device
        # Reaching its context also brings the driver up.
        handle = device.device_id if isinstance(what, Device) and device.context else what.handle
        kind = bindings().CUdevResourceType(_SM)
        return SMResource._of(call(self._GETTERS[type(what)], handle, kind), device)

    @property
    def workqueue(self) -> WorkqueueResource:
        """Queues of work. Raises RuntimeError: these want CUDA 13.1."""
        raise RuntimeError(
            "DeviceResources.workqueue wants CUDA 13.1 (CU_DEV_RESOURCE_TYPE_WORKQUEUE); cuox has CUDA 13.0"
        )


def create_context(device: Device, options: Any = None) -> Context:
    """What `Device.create_context` does."""
    if isinstance(options, Mapping):
        options = ContextOptions(**options)
    if options is not None and not isinstance(options, ContextOptions):
        raise TypeError(
            f"device.create_context: options: expected ContextOptions, a dict or None, got {type(options).__name__}"
        )
    resources = None if options is None else options.resources
    if not resources:
        raise ValueError(
            "device.create_context: resources must be provided: parts of device.resources.sm; device.context is the primary context"
        )
    for one in resources:
        if not isinstance(one, SMResource):
            raise TypeError(f"device.create_context: resources: expected SMResource objects, got {type(one).__name__}")
        if not one._is_usable:
            raise ValueError("device.create_context: resources: a dry-run SMResource has no multiprocessors")
        if one._device != device:
            raise ValueError(
                f"device.create_context: resources: multiprocessors of device {one._device.device_id}, expected {device.device_id}"
            )
    parts = [one._resource for one in resources]
    description = call("cuDevResourceGenerateDesc", parts, len(parts))
    flags = bindings().CUgreenCtxCreate_flags(_DEFAULT_STREAM)
    green = call("cuGreenCtxCreate", description, device.device_id, flags)
    return _native._green_context(device, int(green))


for _class in (
    ContextOptions,
    DeviceResources,
    SMResource,
    SMResourceOptions,
    WorkqueueResource,
    WorkqueueResourceOptions,
):
    _class.__module__ = "cuox.cuda.core"
del _class
