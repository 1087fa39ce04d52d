"""The likeness of the results of two runs."""

from __future__ import annotations

import enum


class Determinism(enum.IntEnum):
    """The likeness that is asked of a result. All of cuox's results are those of `GPU_TO_GPU`: the same bits in every
    run
    on every GPU, as far as the operator's are. The software GPU combines in another order, the same one on every
    machine.
    """

    NOT_GUARANTEED = 0
    RUN_TO_RUN = 1
    GPU_TO_GPU = 2
