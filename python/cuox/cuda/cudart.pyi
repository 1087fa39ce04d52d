from .bindings.runtime import *  # noqa: F403
