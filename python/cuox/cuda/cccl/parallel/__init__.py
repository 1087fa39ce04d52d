"""The name that `cuda.compute` had before."""

from ...compute import *  # noqa: F403
