// Nodes of any type by one record, copies of boxes and arrays in graphs, conditions, and what a node says of itself.
#include "check.h"
#include <cstring>

__global__ void add(int *p, int value)
{
    *p += value;
}

__global__ void count_down(int *p, cudaGraphConditionalHandle handle)
{
    if (--*p == 0)
        cudaGraphSetConditional(handle, 0);
}

static void on_host(void *data)
{
    ++*(int *)data;
}

static cudaGraph_t graph;
static cudaStream_t stream;

static cudaError_t put(cudaGraphNode_t *node, cudaGraphNode_t after, cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, params);
}

static void launch(cudaGraphExec_t exec)
{
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
}

static void any_node()
{
    int *p, host = 0, calls = 0;
    OK(cudaMalloc(&p, 4));
    cudaGraphNode_t fill, kernel, copy, call, empty, record;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = p;
    params.memset.elementSize = 4;
    params.memset.value = 3;
    params.memset.width = params.memset.height = 1;
    OK(put(&fill, nullptr, &params));
    int value = 10;
    void *arguments[] = {&p, &value};
    params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)add;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    OK(put(&kernel, fill, &params));
    params = {};
    params.type = cudaGraphNodeTypeMemcpy;
    params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(p, 4, 1, 1);
    params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(&host, 4, 1, 1);
    params.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
    params.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    OK(put(&copy, kernel, &params));
    params = {};
    params.type = cudaGraphNodeTypeHost;
    params.host.fn = on_host;
    params.host.userData = &calls;
    OK(put(&call, copy, &params));
    params = {};
    params.type = cudaGraphNodeTypeEmpty;
    OK(put(&empty, call, &params));
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    params = {};
    params.type = cudaGraphNodeTypeEventRecord;
    params.eventRecord.event = event;
    OK(put(&record, empty, &params));
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    HOLDS(host == 13 && calls == 1);
    OK(cudaEventQuery(event));

    // Changes of a graph that is ready, and of the graph.
    value = 20;
    params = {};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = (void *)add;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    OK(cudaGraphExecNodeSetParams(exec, kernel, &params));
    launch(exec);
    HOLDS(host == 23 && calls == 2);
    value = 30;
    OK(cudaGraphNodeSetParams(kernel, &params));
    launch(exec);
    HOLDS(host == 23);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    HOLDS(host == 33);

    // What a node says of itself.
    cudaMemcpy3DParms what = {};
    OK(cudaGraphMemcpyNodeGetParams(copy, &what));
    HOLDS(what.srcPtr.ptr == p && what.dstPtr.ptr == &host && what.extent.width == 4 && what.extent.height == 1 && what.extent.depth == 1);
    HOLDS(what.kind == cudaMemcpyDeviceToHost && !what.srcArray && !what.dstArray);
    GIVES(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(copy, nullptr));
    GIVES(cudaErrorInvalidValue, cudaGraphMemcpyNodeGetParams(kernel, &what));

    // What does not go.
    cudaGraphNode_t none;
    params.kernel.func = (void *)on_host;
    GIVES(cudaErrorInvalidResourceHandle, put(&none, nullptr, &params));
    GIVES(cudaErrorInvalidValue, put(&none, nullptr, nullptr));
    GIVES(cudaErrorInvalidValue, cudaGraphNodeSetParams(kernel, nullptr));
    GIVES(cudaErrorInvalidValue, cudaGraphExecNodeSetParams(exec, kernel, nullptr));
    params = {};
    params.type = (cudaGraphNodeType)99;
    GIVES(cudaErrorInvalidValue, put(&none, nullptr, &params));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaEventDestroy(event));
    OK(cudaFree(p));
}

static void copies()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, 8, 4));
    int host[4][8], back[4][8] = {};
    for (int i = 0; i < 32; ++i)
        host[0][i] = i;
    cudaMemcpy3DParms in = {}, out = {};
    in.srcPtr = make_cudaPitchedPtr(host, 32, 8, 4);
    in.dstArray = array;
    in.extent = make_cudaExtent(8, 4, 1);
    in.kind = cudaMemcpyHostToDevice;
    out.srcArray = array;
    out.srcPos = make_cudaPos(2, 1, 0);
    out.dstPtr = make_cudaPitchedPtr(back, 32, 8, 4);
    out.dstPos = make_cudaPos(1, 2, 0);
    out.extent = make_cudaExtent(3, 2, 1);
    out.kind = cudaMemcpyDeviceToHost;
    cudaGraphNode_t first, second;
    OK(cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, &in));
    OK(cudaGraphAddMemcpyNode(&second, graph, &first, 1, &out));
    cudaMemcpy3DParms what = {};
    OK(cudaGraphMemcpyNodeGetParams(second, &what));
    HOLDS(what.srcArray == array && what.srcPos.x == 2 && what.srcPos.y == 1 && what.srcPos.z == 0 && !what.srcPtr.ptr);
    HOLDS(what.dstPtr.ptr == back && what.dstPtr.pitch == 32 && what.dstPos.x == 1 && what.dstPos.y == 2 && !what.dstArray);
    HOLDS(what.extent.width == 3 && what.extent.height == 2 && what.extent.depth == 1 && what.kind == cudaMemcpyDeviceToHost);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    HOLDS(back[2][1] == 10 && back[2][3] == 12 && back[3][1] == 18 && back[2][4] == 0 && back[1][1] == 0);
    out.dstPos = make_cudaPos(0, 0, 0);
    OK(cudaGraphMemcpyNodeSetParams(second, &out));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    HOLDS(back[0][0] == 10 && back[1][2] == 20);
    OK(cudaGraphMemcpyNodeSetParams(second, &what));
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, nullptr));
    out.extent.height = 0;
    GIVES(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&first, graph, nullptr, 0, &out));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFreeArray(array));
}

static void memory()
{
    int supported = 0, host = 0;
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    if (!supported)
        return;
    cudaGraphNode_t allocation, fill, copy, release;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeMemAlloc;
    params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    params.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    params.alloc.bytesize = 4096;
    OK(put(&allocation, nullptr, &params));
    void *p = params.alloc.dptr;
    HOLDS(p != nullptr);
    params = {};
    params.type = cudaGraphNodeTypeMemset;
    params.memset.dst = p;
    params.memset.elementSize = 1;
    params.memset.value = 7;
    params.memset.width = 4;
    params.memset.height = 1;
    OK(put(&fill, allocation, &params));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &host, p, 4, cudaMemcpyDeviceToHost));
    params = {};
    params.type = cudaGraphNodeTypeMemFree;
    params.free.dptr = p;
    OK(put(&release, copy, &params));
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    HOLDS(host == 0x07070707);
    OK(cudaGraphExecDestroy(exec));
}

static void loop()
{
    int *p, host = 5;
    OK(cudaMalloc(&p, 8));
    OK(cudaMemset(p, 0, 8));
    OK(cudaMemcpy(p, &host, 4, cudaMemcpyHostToDevice));
    cudaGraphConditionalHandle handle;
    cudaError_t made = cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    if (made == cudaErrorNotSupported) {
        printf("no conditions in graphs\n");
        OK(cudaFree(p));
        return;
    }
    OK(made);
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    OK(put(&node, nullptr, &params));
    HOLDS(params.conditional.phGraph_out && params.conditional.phGraph_out[0]);
    cudaGraph_t body = params.conditional.phGraph_out[0];
    OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(p + 1, 100);
    count_down<<<1, 1, 0, stream>>>(p, handle);
    OK(cudaStreamEndCapture(stream, &body));
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph));
    launch(exec);
    OK(cudaMemcpy(&host, p + 1, 4, cudaMemcpyDeviceToHost));
    HOLDS(host == 500);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFree(p));
}

int main()
{
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&graph, 0));
    void (*parts[])() = {any_node, copies, memory, loop};
    for (void (*part)() : parts) {
        part();
        OK(cudaGraphDestroy(graph));
        OK(cudaGraphCreate(&graph, 0));
    }
    OK(cudaGraphDestroy(graph));
    return report();
}
