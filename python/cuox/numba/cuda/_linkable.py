"""Code that kernels link, under Numba's names."""

from __future__ import annotations

from typing import Any


class LinkableCode:
    """Code that a kernel links.

    data: the text or bytes, or an open file. name: what messages call it. setup_callback: called with the ObjectCode of
    each module that has the code, once it is loaded. teardown_callback: called with it before it goes: with the kernel,
    with `current_context().reset()`, or at the end of the program.
    """

    kind = ""

    def __init__(
        self,
        data: Any,
        name: str | None = None,
        setup_callback: Any = None,
        teardown_callback: Any = None,
        nrt: bool = False,
    ) -> None:
        if (setup_callback is not None and not callable(setup_callback)) or (
            teardown_callback is not None and not callable(teardown_callback)
        ):
            raise TypeError("setup_callback and teardown_callback must be functions")
        self._data = data
        self.name = name
        self.setup_callback = setup_callback
        self.teardown_callback = teardown_callback

    @property
    def data(self) -> Any:
        """The text or bytes."""
        if hasattr(self._data, "read"):
            # Once: each version of a kernel asks for it.
            self._data = self._data.read()
        return self._data

    @property
    def code(self) -> Any:
        """The same."""
        return self.data


class CUSource(LinkableCode):
    """CUDA C++ as text: its functions with C linkage can be declared with `declare_device`."""

    kind = "cu"


class PTXSource(LinkableCode):
    """PTX as text."""

    kind = "ptx"


class Cubin(LinkableCode):
    """Machine code, of the device's architecture."""

    kind = "cubin"


class Fatbin(LinkableCode):
    """A fat binary: code for several architectures."""

    kind = "fatbin"


class Archive(LinkableCode):
    """A library of objects."""

    kind = "a"


class Object(LinkableCode):
    """An object file of nvcc's, with relocatable device code."""

    kind = "o"


class LTOIR(LinkableCode):
    """NVIDIA's intermediate code, which only nvJitLink links: kernels refuse it."""

    kind = "ltoir"
