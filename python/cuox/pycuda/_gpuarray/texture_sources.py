"""Arrays that prepared functions read, set as the texture references once were that CUDA no longer has."""

from __future__ import annotations

from typing import Any


class TextureSource:
    """An array that a prepared function reads. The methods are a texture reference's; formats and flags have no
    effect."""

    def __init__(self) -> None:
        self.address: Any = None
        self._flags = 0

    def set_address(self, devptr: Any, bytes: int, allow_offset: bool = False) -> int:
        """Set the memory that is read. Returns the offset that indices need, which is 0."""
        self.address = devptr
        return 0

    def set_format(self, fmt: Any, num_components: int) -> None:
        """Do nothing: elements have the type of the function's parameter."""

    def set_flags(self, flags: int) -> None:
        """Note the flags."""
        self._flags = flags

    def get_flags(self) -> int:
        """Return the flags that were set."""
        return self._flags


class FunctionWithSources:
    """A prepared function with arrays that are not among its arguments but set beforehand."""

    def __init__(self, function: Any, sources: list[TextureSource]) -> None:
        self._function = function
        self._sources = sources

    def _with_sources(self, args: tuple[Any, ...]) -> list[Any]:
        for source in self._sources:
            if source.address is None:
                raise ValueError(
                    "an array to be read is not set: call set_address() of each source, or array.bind_to_texref_ext(source)"
                )
        return [*args[:-1], *(source.address for source in self._sources), args[-1]]

    def prepared_call(self, grid: Any, block: Any, *args: Any, **kwargs: Any) -> Any:
        """Launch the function in the default stream."""
        return self._function.prepared_call(grid, block, *self._with_sources(args), **kwargs)

    def prepared_async_call(self, grid: Any, block: Any, stream: Any, *args: Any, **kwargs: Any) -> Any:
        """Launch the function in a stream."""
        return self._function.prepared_async_call(grid, block, stream, *self._with_sources(args), **kwargs)

    def prepared_timed_call(self, grid: Any, block: Any, *args: Any, **kwargs: Any) -> Any:
        """Launch the function, and return a function that waits and returns the time in seconds."""
        return self._function.prepared_timed_call(grid, block, *self._with_sources(args), **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)
