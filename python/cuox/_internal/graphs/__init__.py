"""Graphs that are put together node by node, and what graphs of `cuox._native` ask Python for."""

from .captured import (
    capture_callback,
    capture_child,
    capture_conditional,
    create_condition,
    definition_of,
    retained,
    update_graph,
)
from .executable import executable_node

__all__ = [
    "capture_callback",
    "capture_child",
    "capture_conditional",
    "create_condition",
    "definition_of",
    "executable_node",
    "retained",
    "update_graph",
]
