"""How alike the results of two runs are."""

from __future__ import annotations

import enum


class Determinism(enum.IntEnum):
    """What is asked of a result. All of cuox's results are those of `RUN_TO_RUN`: the same in every run on a device."""

    NOT_GUARANTEED = 0
    RUN_TO_RUN = 1
    GPU_TO_GPU = 2
