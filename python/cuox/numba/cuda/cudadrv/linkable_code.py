"""Code to link to kernels."""

from __future__ import annotations

from .._linkable import (
    LTOIR as LTOIR, Archive as Archive, Cubin as Cubin, CUSource as CUSource, Fatbin as Fatbin, LinkableCode as LinkableCode, Object as Object,
    PTXSource as PTXSource,
)  # fmt: skip
