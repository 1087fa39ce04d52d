"""Modules of compiled code, and the linker."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import cuox
from cuox._internal.driver_link import DriverLink
from cuox._internal.images import code_type

from . import errors
from .bindings import driver as _bindings
from .context import current_device
from .enums import jit_option
from .errors import LogicError
from .functions import Function

__all__ = ["Linker", "Module", "module_from_buffer", "module_from_code", "module_from_file"]

_Handler = Callable[[bool, str, str], object]
_LOG_VERBOSE = 12  # CUjit_option


class Module:
    """Code that is loaded onto the current device. `module_from_buffer`, `module_from_file` and `Linker` make
    modules."""

    def __init__(self) -> None:
        raise TypeError(
            "Module: modules are made by SourceModule(), module_from_file(), module_from_buffer() and Linker.link_module()"
        )

    _code: cuox.ObjectCode

    @classmethod
    def _of(cls, code: cuox.ObjectCode) -> Module:
        made: Module = object.__new__(cls)
        made._code = code
        return made

    @property
    def code(self) -> cuox.ObjectCode:
        """The code, as cuox has it."""
        return self._code

    def get_function(self, name: str) -> Function:
        """Return a kernel by its name. Raises LogicError if there is none. Driver API manual, `cuModuleGetFunction`."""
        try:
            return Function(self._code.get_kernel(name))
        except (cuox.CUDAError, cuox.NotFoundError) as error:
            errors.raise_translated(error)

    def get_global(self, name: str) -> tuple[int, int]:
        """Return the address and the size of a `__device__` or `__constant__` variable. Driver API manual,
        `cuModuleGetGlobal`.

        Raises LogicError if there is none.
        """
        try:
            return self._code.get_global(name)
        except (cuox.CUDAError, cuox.NotFoundError) as error:
            errors.raise_translated(error)

    def get_texref(self, name: str) -> NoReturn:
        """Raise LogicError: texture references do not exist any more since CUDA 12."""
        raise LogicError(
            f"get_texref({name!r}): texture references do not exist any more since CUDA 12: declare a parameter `cudaTextureObject_t`, and pass it a texture "
            f"object (cuTexObjectCreate of cuox.cuda.bindings.driver)"
        )

    def get_surfref(self, name: str) -> NoReturn:
        """Raise LogicError: surface references do not exist any more since CUDA 12."""
        raise LogicError(
            f"get_surfref({name!r}): surface references do not exist any more since CUDA 12: declare a parameter `cudaSurfaceObject_t`, and pass it a surface "
            f"object (cuSurfObjectCreate of cuox.cuda.bindings.driver)"
        )


_NOT_FOUND = 500


def module_from_code(code: cuox.ObjectCode) -> Module:
    """Load code onto the current device, and return it as a module. Raises Error if the driver refuses it."""
    current_device()
    try:
        names = code.kernel_names
    except ValueError as error:
        raise _invalid(error) from None
    try:
        # The driver reads code when it is first asked for something in it.
        if names:
            code.get_kernel(names[0])
        else:
            code.get_global("of_no_module")
    except (cuox.CUDAError, cuox.NotFoundError) as error:
        if names or getattr(error, "code", None) != _NOT_FOUND:
            errors.raise_translated(error)
    except ValueError as error:
        raise _invalid(error) from None
    return Module._of(code)


def _invalid(error: ValueError) -> LogicError:
    text = f"cuModuleLoadDataEx failed: device kernel image is invalid: {error}"
    return LogicError(text, 200, "CUDA_ERROR_INVALID_IMAGE")


def _code_of(image: bytes) -> cuox.ObjectCode:
    kind = code_type(image)
    if kind == "cubin":
        return cuox.ObjectCode.from_cubin(image)
    if kind == "fatbin":
        return cuox.ObjectCode.from_fatbin(image)
    return cuox.ObjectCode.from_ptx(image.rstrip(b"\0"))


def module_from_buffer(
    buffer: Any, options: Iterable[tuple[int, int]] = (), message_handler: _Handler | None = None
) -> Module:
    """Load compiled code: PTX, a cubin or a fat binary.

    buffer: bytes, or another object with the buffer protocol. options: pairs of a `jit_option` and its value.
    message_handler: called with a bool (True for success) and the texts of the driver's messages: information and
    errors.

    Raises Error if the driver refuses the code. Driver API manual, `cuModuleLoadDataEx`.
    """
    image = buffer.encode() if isinstance(buffer, str) else bytes(memoryview(buffer))
    chosen = [(jit_option(int(option)), int(value)) for option, value in options]
    code = _code_of(image)
    if (chosen or message_handler is not None) and code.code_type == "ptx":
        linker = Linker(message_handler, chosen)
        linker.add_data(image if image.endswith(b"\0") else image + b"\0", 1, "module_from_buffer")
        return linker.link_module()
    try:
        module = module_from_code(code)
    except errors.Error as error:
        if message_handler is not None:
            message_handler(False, "", str(error))
        raise
    if message_handler is not None:
        message_handler(True, "", "")
    return module


def module_from_file(filename: str | os.PathLike[str]) -> Module:
    """Load a file of compiled code: PTX, a cubin or a fat binary. Driver API manual, `cuModuleLoad`.

    Raises RuntimeError if there is no such file, Error if the driver refuses the code.
    """
    try:
        with open(filename, "rb") as file:
            image = file.read()
    except FileNotFoundError:
        raise errors.RuntimeError(
            f"cuModuleLoad failed: file not found: {os.fspath(filename)}",
            301,
            "CUDA_ERROR_FILE_NOT_FOUND",
            "file not found",
        ) from None
    return module_from_buffer(image)


class _Link(DriverLink):
    def __init__(self, handler: _Handler | None, options: Iterable[tuple[int, int]]) -> None:
        self._handler = handler
        super().__init__(options)

    def _call(self, function: str, *args: Any) -> Any:
        status, *values = getattr(_bindings, function)(*args)
        if int(status):
            self.tell(False)
            errors.raise_code(int(status), function, self.errors.strip())
        return values[0] if len(values) == 1 else values

    def tell(self, success: bool) -> None:
        if self._handler is not None:
            self._handler(success, self.information, self.errors)

    def add_file(self, kind: int, path: bytes) -> None:
        self._call("cuLinkAddFile", self.handle, _bindings.CUjitInputType(kind), path, 0, None, None)


class Linker:
    """Links compiled code into one module.

    message_handler: called with a bool (True for success) and the texts of the driver's messages: information and
    errors. options: pairs of a `jit_option` and its value. log_verbose: more messages.

    Driver API manual, `cuLinkCreate`.
    """

    def __init__(
        self,
        message_handler: _Handler | None = None,
        options: Iterable[tuple[int, int]] | None = None,
        log_verbose: bool = False,
    ) -> None:
        current_device()
        self._link: _Link | None = None
        self._ptx: list[bytes] = []
        self._pure_ptx = True
        chosen = [(int(jit_option(int(option))), int(value)) for option, value in options or ()]
        self._link = _Link(message_handler, [(_LOG_VERBOSE, int(bool(log_verbose))), *chosen])

    def _open(self, method: str) -> _Link:
        if self._link is None:
            raise LogicError(f"Linker.{method}: link_module() was called before: make another Linker")
        return self._link

    def add_data(self, data: Any, input_type: int, name: str = "unknown") -> None:
        """Add code.

        data: bytes, or another object with the buffer protocol.
        input_type: a member of `jit_input_type`.
        name: a name for messages.

        Driver API manual, `cuLinkAddData`.
        """
        image = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        if int(input_type) == 1:
            self._ptx.append(image)
        else:
            self._pure_ptx = False
        self._open("add_data").add(int(input_type), image, name)

    def add_file(self, filename: str | os.PathLike[str], input_type: int) -> None:
        """Add a file of code, of a kind that a member of `jit_input_type` names. Driver API manual, `cuLinkAddFile`."""
        self._pure_ptx = False
        self._open("add_file").add_file(int(input_type), os.fsencode(filename))

    def link_module(self) -> Module:
        """Link what was added, and return it as a module. The linker cannot be used again. Driver API manual,
        `cuLinkComplete`.
        """
        link = self._open("link_module")
        image = link.complete()
        try:
            code = _code_of(image)
            if self._pure_ptx and len(self._ptx) == 1 and code.code_type != "ptx":
                # The PTX says what the kernels' parameters are.
                text = self._ptx[0].rstrip(b"\0").decode(errors="replace")
                code = cuox.ObjectCode._restore(code.code_type, image, "", {}, text, None)
            module = module_from_code(code)
        except errors.Error:
            link.tell(False)
            raise
        finally:
            self._close()
        link.tell(True)
        return module

    def _close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            errors.release("cuLinkDestroy", link.handle)

    def __del__(self) -> None:
        if getattr(self, "_link", None) is not None:
            self._close()
