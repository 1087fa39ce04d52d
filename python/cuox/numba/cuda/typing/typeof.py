"""The type of a value."""

from ..types import typeof as typeof
