"""The start of the driver, versions, and devices."""

from __future__ import annotations

from warnings import warn

import cuox

from .bindings import driver as _bindings
from .context import Context
from .enums import compute_mode, device_attribute
from .errors import LogicError, call

__all__ = ["Device", "get_driver_version", "get_version", "have_gl_ext", "init"]

_COMPUTE_MODE = int(device_attribute.COMPUTE_MODE)
_initialised = False


def init(flags: int = 0) -> None:
    """Start the driver. It has to be called before all else; `autoinit` does it. Driver API manual, `cuInit`."""
    global _initialised
    call("cuInit", flags)
    _initialised = True


def get_version() -> tuple[int, int, int]:
    """Return the version of CUDA whose interface this is: three ints."""
    version = int(_bindings.CUDA_VERSION)
    return version // 1000, version % 1000 // 10, version % 10


def get_driver_version() -> int:
    """Return the version of CUDA that the driver has: 13000 is 13.0. Driver API manual, `cuDriverGetVersion`."""
    return int(call("cuDriverGetVersion"))


def have_gl_ext() -> bool:
    """Return whether OpenGL objects can be used: False."""
    return False


class Device:
    """A device: its number from 0 on, or its PCI address as text ("0000:3b:00.0").

    Attributes of the device are Python attributes too, in lower case: `device.warp_size`. Driver API manual, *Device
    Management*.
    """

    def __init__(self, device: int | str) -> None:
        if isinstance(device, str):
            self._ordinal = int(call("cuDeviceGetByPCIBusId", device.encode()))
        else:
            self._ordinal = int(call("cuDeviceGet", device))

    @staticmethod
    def count() -> int:
        """Return the number of devices. Driver API manual, `cuDeviceGetCount`."""
        return int(call("cuDeviceGetCount"))

    def name(self) -> str:
        """Return the name of the device. Driver API manual, `cuDeviceGetName`."""
        return cuox.Device(self._ordinal).name

    def pci_bus_id(self) -> str:
        """Return the PCI address of the device. Driver API manual, `cuDeviceGetPCIBusId`."""
        return cuox.Device(self._ordinal).pci_bus_id

    def compute_capability(self) -> tuple[int, int]:
        """Return the compute capability: major and minor number."""
        major, minor = cuox.Device(self._ordinal).compute_capability
        return major, minor

    def total_memory(self) -> int:
        """Return the memory of the device in bytes. Driver API manual, `cuDeviceTotalMem`."""
        return int(call("cuDeviceTotalMem", self._ordinal))

    def get_attribute(self, attribute: int) -> int:
        """Return an attribute of the device, a member of `device_attribute`. Driver API manual,
        `cuDeviceGetAttribute`."""
        value = int(call("cuDeviceGetAttribute", int(attribute), self._ordinal))
        return compute_mode(value) if int(attribute) == _COMPUTE_MODE else value

    def get_attributes(self) -> dict[device_attribute, int]:
        """Return all attributes of the device, by members of `device_attribute`."""
        found = {}
        for attribute in device_attribute:
            try:
                found[attribute] = self.get_attribute(attribute)
            except LogicError as error:
                warn(f"the driver does not know {attribute.name} of {self!r}: {error}", stacklevel=2)
        return found

    def __getattr__(self, name: str) -> int:
        attribute = device_attribute.__members__.get(name.upper())
        if attribute is None or name.startswith("_"):
            raise AttributeError(
                f"Device has no attribute {name!r}: device attributes are the members of device_attribute, in lower case"
            )
        return self.get_attribute(attribute)

    def make_context(self, flags: int = 0) -> Context:
        """Return the device's primary context, and make it current in this thread, on top of its stack.

        flags: members of `ctx_flags`; they are set unless the context is in use already.

        Driver API manual, `cuDevicePrimaryCtxSetFlags`, `cuDevicePrimaryCtxRetain`.
        """
        known = int(flags) & 0x1F & ~8  # the driver maps host memory in any case
        if known:
            # A context that is active keeps its flags.
            _bindings.cuDevicePrimaryCtxSetFlags(self._ordinal, known)
        context = self.retain_primary_context()
        context.push()
        return context

    def retain_primary_context(self) -> Context:
        """Return the device's primary context, without making it current. Driver API manual,
        `cuDevicePrimaryCtxRetain`.
        """
        return Context._of(int(call("cuDevicePrimaryCtxRetain", self._ordinal)), self._ordinal)

    def can_access_peer(self, peer: Device) -> bool:
        """Return whether kernels of this device can use another one's memory. Driver API manual,
        `cuDeviceCanAccessPeer`.
        """
        return bool(call("cuDeviceCanAccessPeer", self._ordinal, peer._ordinal))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other._ordinal == self._ordinal

    def __hash__(self) -> int:
        return hash((Device, self._ordinal))

    def __repr__(self) -> str:
        return f"<Device {self._ordinal}: {self.name()}>"
