"""Why a shared library or a compiled module cannot be loaded, where the loader does not say it well."""

from __future__ import annotations

import os
import struct

__all__ = ["check_module", "complaint", "cut_off"]


def cut_off(path: str) -> str:
    """Say that an ELF file ends too early; an empty text if it does not. The loader ends the process by SIGBUS when it
    reads behind the end.
    """
    try:
        with open(path, "rb") as file:
            head, size = file.read(64), os.fstat(file.fileno()).st_size
    except OSError:  # the loader says it
        return ""
    if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
        return ""
    # Linkers write the section headers last.
    (start,) = struct.unpack_from("<Q", head, 0x28)
    entry, count = struct.unpack_from("<HH", head, 0x3A)
    end = start + entry * count
    return f"{path} is cut off: it has {size} of {end} bytes" if size < end else ""


def check_module(package_file: str) -> None:
    """Raise ImportError if the compiled module beside a package's `__init__.py` is cut off."""
    if said := cut_off(os.path.join(os.path.dirname(package_file), "_native.abi3.so")):
        raise ImportError(said)


def complaint(error: ImportError, package: str, package_file: str, remedy: str) -> str:
    """Return the message for a package whose compiled module could not be imported."""
    said, folder = str(error), os.path.dirname(os.path.abspath(package_file))
    # Installing it again does not help, or is not all that has to be.
    if "subinterpreter" in said or "install both again" in said:
        remedy = ""
    elif "circular import" in said:  # that is what Python makes of a module that is not there
        said = "it is missing"
        if not os.path.isdir(folder):
            said, remedy = f"{folder} is in an archive, and compiled modules are loaded from folders", "unpack it"
    return f"{package}'s compiled module cannot be loaded: {said}" + (f"; {remedy}" if remedy else "")
