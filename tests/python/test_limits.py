"""The software GPU refuses by name the features that it lacks. README.md and docs/software-gpu.md list these limits: a
test that fails here, because something works now, is a row to change there."""

from __future__ import annotations

import cuox
import pytest
from cuox.cuda.bindings import driver

UNSUPPORTED = {
    "multimem.red": ("sm_90", 'asm volatile("multimem.red.global.add.f32 [%0], %1;" :: "l"(x), "f"(1.0f));'),
}


@pytest.fixture(autouse=True)
def soft(device: cuox.Device) -> None:
    if not device.is_soft:
        pytest.skip("about the software GPU")


@pytest.mark.parametrize("what", UNSUPPORTED)
def test_an_instruction_is_refused_by_name_and_the_kernel_beside_it_runs(
    device: cuox.Device, stream: cuox.Stream, what: str
) -> None:
    arch, code = UNSUPPORTED[what]
    source = f"""
    extern "C" __global__ void good(float *x) {{ x[0] = 1.0f; }}
    extern "C" __global__ void bad(float *x) {{ {code} }}
    """
    module = cuox.Program(source, options=cuox.ProgramOptions(arch=arch)).compile("ptx")
    buffer = device.allocate(4, stream=stream)
    with pytest.raises(cuox.CUDAError, match=what) as error:
        module.get_kernel("bad")[1, 1, stream](buffer)
    assert error.value.name == "CUDA_ERROR_NOT_SUPPORTED"
    module.get_kernel("good")[1, 1, stream](buffer)
    stream.sync()


def test_functions_of_the_device_runtime(device: cuox.Device, stream: cuox.Stream) -> None:
    source = 'extern "C" __global__ void fill(int *p) { cudaPitchedPtr all = {p, 4, 4, 1}; cudaExtent size = {4, 1, 1}; cudaMemset3DAsync(all, 0, size, 0); }'
    module = cuox.Program(source, options=cuox.ProgramOptions(relocatable_device_code=True)).compile("ptx")
    buffer = device.allocate(4, stream=stream)
    with pytest.raises(cuox.CUDAError, match="Memset3DAsync") as error:
        module.get_kernel("fill")[1, 1, stream](buffer)
    assert error.value.name == "CUDA_ERROR_NOT_SUPPORTED"


@pytest.mark.parametrize("kind", ["child graphs", "conditional nodes"])
def test_graphs_inside_of_graphs_end_somewhere(device: cuox.Device, kind: str) -> None:
    def nest(inside: driver.CUgraph) -> tuple[driver.CUresult, driver.CUgraph | None]:
        """Make a graph in one."""
        if kind == "child graphs":
            status, node = driver.cuGraphAddChildGraphNode(inside, None, 0, empty)
            return status, None if int(status) else driver.cuGraphChildGraphNodeGetGraph(node)[1]
        params = driver.CUgraphNodeParams()
        params.type = driver.CUgraphNodeType.CU_GRAPH_NODE_TYPE_CONDITIONAL
        context = driver.cuCtxGetCurrent()[1]
        params.conditional.handle = driver.cuGraphConditionalHandleCreate(inside, context, 1, 1)[1]
        params.conditional.type = driver.CUgraphConditionalNodeType.CU_GRAPH_COND_TYPE_IF
        params.conditional.size, params.conditional.ctx = 1, context
        status, _ = driver.cuGraphAddNode(inside, None, None, 0, params)
        return status, None if int(status) else params.conditional.phGraph_out[0]

    device.set_current()
    empty, outermost = (driver.cuGraphCreate(0)[1] for _ in range(2))
    graph, depth = outermost, 0
    while True:
        status, inner = nest(graph)
        if inner is None:
            break
        graph, depth = inner, depth + 1
    assert status == driver.CUresult.CUDA_ERROR_NOT_SUPPORTED and depth == 64
    if kind == "child graphs":  # a whole one that is too deep with what is around it
        assert driver.cuGraphAddChildGraphNode(empty, None, 0, outermost)[0] == status
        assert driver.cuGraphInstantiate(outermost, 0)[0] == driver.CUresult.CUDA_SUCCESS
    for one in (empty, outermost):
        assert driver.cuGraphDestroy(one) == (driver.CUresult.CUDA_SUCCESS,)


def test_machine_code_without_ptx(device: cuox.Device) -> None:
    # A file header of a cubin: an ELF file for machine 190, CUDA.
    header = bytearray(64)
    header[:7] = b"\x7fELF\x02\x01\x01"
    header[18] = 190
    with pytest.raises((cuox.CUDAError, ValueError)) as error:
        cuox.ObjectCode.from_cubin(bytes(header)).get_kernel("kernel")
    assert "PTX" in str(error.value), error.value


def test_block_compressed_arrays(device: cuox.Device) -> None:
    wanted = driver.CUDA_ARRAY_DESCRIPTOR()
    wanted.Width, wanted.Height, wanted.NumChannels = 64, 64, 4
    wanted.Format = driver.CUarray_format.CU_AD_FORMAT_BC1_UNORM
    assert driver.cuArrayCreate(wanted)[0] == driver.CUresult.CUDA_ERROR_NOT_SUPPORTED


def test_memory_and_semaphores_of_other_interfaces(device: cuox.Device) -> None:
    memory, semaphore = driver.CUDA_EXTERNAL_MEMORY_HANDLE_DESC(), driver.CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC()
    assert driver.cuImportExternalMemory(memory)[0] == driver.CUresult.CUDA_ERROR_NOT_SUPPORTED
    assert driver.cuImportExternalSemaphore(semaphore)[0] == driver.CUresult.CUDA_ERROR_NOT_SUPPORTED
