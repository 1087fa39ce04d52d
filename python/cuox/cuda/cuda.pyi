from .bindings.driver import *  # noqa: F403
