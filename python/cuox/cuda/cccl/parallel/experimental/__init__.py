"""The name that `cuda.compute` had first."""

from ....compute import *  # noqa: F403
