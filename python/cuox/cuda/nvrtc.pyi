from .bindings.nvrtc import *  # noqa: F403
