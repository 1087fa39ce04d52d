"""Code that kernels link, under Numba's names."""

from __future__ import annotations

from typing import Any


class LinkableCode:
    """Code that a kernel links. data: the text or bytes. name: what messages call it."""

    kind = ""

    def __init__(self, data: Any, name: str | None = None, setup_callback: Any = None, teardown_callback: Any = None, nrt: bool = False) -> None:
        if setup_callback is not None and not callable(setup_callback) or teardown_callback is not None and not callable(teardown_callback):
            raise TypeError("setup_callback and teardown_callback must be functions")
        self._data = data
        self.name = name
        self.setup_callback = setup_callback
        self.teardown_callback = teardown_callback

    @property
    def data(self) -> Any:
        """The text or bytes."""
        return self._data.read() if hasattr(self._data, "read") else self._data

    @property
    def code(self) -> Any:
        """The same."""
        return self.data


class CUSource(LinkableCode):
    """CUDA C++ as text: its functions with C linkage can be declared with `declare_device`."""

    kind = "cu"


class PTXSource(LinkableCode):
    """PTX as text. Not linked yet."""

    kind = "ptx"


class Cubin(LinkableCode):
    """Machine code. Not linked yet."""

    kind = "cubin"


class Fatbin(LinkableCode):
    """A fat binary. Not linked yet."""

    kind = "fatbin"


class Archive(LinkableCode):
    """A library of objects. Not linked yet."""

    kind = "a"


class Object(LinkableCode):
    """An object file. Not linked yet."""

    kind = "o"


class LTOIR(LinkableCode):
    """NVIDIA's intermediate code. Not linked yet."""

    kind = "ltoir"
