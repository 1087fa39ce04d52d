"""Code to link to kernels."""

from __future__ import annotations

from .._linkable import (
    LTOIR as LTOIR,
)  # fmt: skip
from .._linkable import (
    Archive as Archive,
)
from .._linkable import (
    Cubin as Cubin,
)
from .._linkable import (
    CUSource as CUSource,
)
from .._linkable import (
    Fatbin as Fatbin,
)
from .._linkable import (
    LinkableCode as LinkableCode,
)
from .._linkable import (
    Object as Object,
)
from .._linkable import (
    PTXSource as PTXSource,
)
