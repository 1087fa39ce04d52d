"""The options of graphs."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cuox._native import Stream

__all__ = ["GraphCompleteOptions", "GraphDebugPrintOptions"]


@dataclass
class GraphCompleteOptions:
    """The options of a graph that is made to be launched. Driver API manual, `cuGraphInstantiate`.

    auto_free_on_launch: a launch first frees the memory that the launch before has allocated and not freed.
    upload_stream: a stream to bring the graph to the device in.
    device_launch: kernels may launch the graph.
    use_node_priority: nodes run with priorities of their own, not with that of the stream.
    """

    auto_free_on_launch: bool = False
    upload_stream: Stream | None = None
    device_launch: bool = False
    use_node_priority: bool = False


@dataclass
class GraphDebugPrintOptions:
    """What `debug_dot_print` writes. Driver API manual, `CUgraphDebugDot_flags`; `verbose` is all of it."""

    verbose: bool = False
    runtime_types: bool = False
    kernel_node_params: bool = False
    memcpy_node_params: bool = False
    memset_node_params: bool = False
    host_node_params: bool = False
    event_node_params: bool = False
    ext_semas_signal_node_params: bool = False
    ext_semas_wait_node_params: bool = False
    kernel_node_attributes: bool = False
    handles: bool = False
    mem_alloc_node_params: bool = False
    mem_free_node_params: bool = False
    batch_mem_op_node_params: bool = False
    extra_topo_info: bool = False
    conditional_node_params: bool = False

    def _to_flags(self) -> int:
        """The driver's flags: a bit for each field, in their order."""
        return sum(getattr(self, field.name) << place for place, field in enumerate(fields(self)))


# Pickles and messages name the place that users know.
for _class in (GraphCompleteOptions, GraphDebugPrintOptions):
    _class.__module__ = "cuox.cuda.core.graph"
del _class
