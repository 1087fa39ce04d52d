"""What was made before `device.reset()` for graphs, pools and tensor maps says so."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

Run = Callable[..., "subprocess.CompletedProcess[str]"]

REFUSED = """
def refused(**uses):
    for name, use in uses.items():
        try:
            use()
            print(name, "was not refused")
        except cuox.ClosedError as error:
            assert "made before device.reset(), which has ended it" in str(error), (name, error)
"""


def test_definitions_nodes_and_executables(run_script: Run) -> None:
    done = run_script(
        REFUSED
        + """
import gc
import cuox
from cuox.cuda.core.graph import GraphDefinition
device = cuox.Device(); device.set_current(); stream = device.create_stream()
ONE = cuox.LaunchConfig(grid=1, block=1)
kernel = cuox.Program('extern "C" __global__ void one(int *p) { *p = 1; }').compile("ptx").get_kernel("one")
memory = device.allocate(1 << 16, stream=stream)
event = device.create_event()
graph = GraphDefinition()
fill = graph.memset(memory, 0xAB, 1 << 16)
launched = fill.launch(ONE, kernel, memory)
child = GraphDefinition()
child.empty()
inside = graph.embed(child)
condition = graph.create_condition(default_value=1)
branch = graph.if_then(condition)
body = branch.then
executable = graph.instantiate()
view = executable[fill]
builder = device.create_graph_builder().begin_building()
cuox.launch(builder, ONE, kernel, memory)
builder.end_building()
captured = builder.graph_definition
old = memory.handle
stream.sync()
device.reset(); device.set_current(); stream = device.create_stream()
new = [device.allocate(1 << 16, stream=stream) for _ in range(4)]
fresh = GraphDefinition()
node = fresh.empty()
refused(
    handle=lambda: graph.handle, instantiate=graph.instantiate, nodes=graph.nodes, edges=graph.edges,
    empty=graph.empty, memset=lambda: graph.memset(new[0], 0, 4), condition=graph.create_condition,
    node=lambda: fill.handle, behind=fill.empty, type=lambda: fill.type, dptr=lambda: fill.dptr, pred=lambda: set(launched.pred),
    add=lambda: fill.succ.add(node), other=lambda: node.succ.add(fill), join=lambda: node.join(fill), value=lambda: fill.update(value=3),
    kernel=lambda: launched.kernel, grid=lambda: launched.grid, config=lambda: launched.update(config=ONE),
    inner=lambda: inside.child_graph, embed=lambda: fresh.embed(graph), index=lambda: int(condition), number=lambda: condition.handle,
    if_then=lambda: fresh.if_then(condition), body=body.empty, body_handle=lambda: body.handle, launch=lambda: executable.launch(stream), upload=lambda: executable.upload(stream),
    executable=lambda: executable.handle, update=lambda: executable.update(fresh), set=lambda: view.update(dst=new[0], value=0, width=4),
    disable=view.disable, from_old=lambda: fresh.instantiate().update(graph), captured=captured.nodes, build=lambda: builder.graph_definition,
    complete=builder.complete, old_kernel=lambda: fresh.launch(ONE, kernel, new[0]),
)
for thing in (graph, fill, launched, inside, captured, branch, body):
    assert not thing.is_valid and "handle=0x0" in repr(thing), thing
fill.destroy()
executable.close()
fresh.instantiate().launch(stream)
stream.sync()
# Their handles may be those of new graphs: dropping the old ones leaves these alone.
more = [GraphDefinition() for _ in range(4)]
del graph, fill, launched, inside, captured, child, condition, branch, body, thing, executable, view, builder
gc.collect()
for one in more:
    one.empty()
    one.instantiate().launch(stream)
stream.sync()
print("right")
"""
    )
    assert done.stdout == "right\n", done


def test_pools_and_tensor_maps(run_script: Run) -> None:
    done = run_script(
        REFUSED
        + """
import cuox
from cuox.cuda.core import DeviceMemoryResource
from cuox.cuda.core.utils import StridedMemoryView
device = cuox.Device(); device.set_current(); stream = device.create_stream()
pool = DeviceMemoryResource(device, {"max_size": 1 << 22})
array = cuox.zeros((64, 64), "float32")
view = StridedMemoryView.from_any_interface(array, stream_ptr=-1)
is_new_enough = device.compute_capability >= (9, 0)
old_map = view.as_tensor_map((8, 8)) if is_new_enough else None
device.sync()
device.reset(); device.set_current(); stream = device.create_stream()
refused(
    allocate=lambda: pool.allocate(1 << 20, stream=stream), nothing=lambda: pool.allocate(0, stream=stream),
    handle=lambda: pool.handle, used=lambda: pool.attributes.used_mem_current,
)
pool.close()
if is_new_enough:
    fresh = StridedMemoryView.from_any_interface(cuox.zeros((64, 64), "float32"), stream_ptr=-1)
    new_map = fresh.as_tensor_map((8, 8))
    refused(
        old_view=lambda: new_map.replace_address(view), old_map=lambda: old_map.replace_address(fresh),
        argument=lambda: old_map._as_parameter_, as_tensor_map=lambda: view.as_tensor_map((8, 8)),
    )
    new_map.replace_address(fresh)
print("right")
"""
    )
    assert done.stdout == "right\n", done
