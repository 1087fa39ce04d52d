// Capture, graphs made node by node, and changes to graphs that can be launched.
#include "check.h"
#include <vector>

__global__ void add(int *p, int value)
{
    *p += value;
}

__device__ int variable;

int main()
{
    cudaStream_t stream, other;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&other));
    int *p;
    OK(cudaMalloc(&p, 4));
    OK(cudaMemset(p, 0, 4));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(stream, &status));
    HOLDS(status == cudaStreamCaptureStatusActive);
    add<<<1, 1, 0, stream>>>(p, 1);
    cudaEvent_t fork, join;
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(other, fork));
    add<<<1, 1, 0, other>>>(p, 10);
    OK(cudaEventRecord(join, other));
    OK(cudaStreamWaitEvent(stream, join));
    add<<<1, 1, 0, stream>>>(p, 100);
    int host = 0;
    OK(cudaMemcpyAsync(&host, p, 4, cudaMemcpyDeviceToHost, stream));
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr;
    size_t count = 0;
    const cudaGraphNode_t *dependencies = nullptr;
    OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count));
    HOLDS(status == cudaStreamCaptureStatusActive && graph && count == 1 && dependencies);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, nullptr, &count));
    HOLDS(count == 4);
    std::vector<cudaGraphNode_t> nodes(count);
    OK(cudaGraphGetNodes(graph, nodes.data(), &count));
    int kernels = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(node, &type));
        kernels += type == cudaGraphNodeTypeKernel;
        if (type == cudaGraphNodeTypeKernel) {
            cudaKernelNodeParams params = {};
            OK(cudaGraphKernelNodeGetParams(node, &params));
            HOLDS(params.func == (void *)add && params.gridDim.x == 1);
        }
    }
    HOLDS(kernels == 3);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(host == 222);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    // Node by node.
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill, kernel, store, back, empty;
    cudaMemsetParams zero = {};
    zero.dst = p;
    zero.elementSize = 4;
    zero.value = 7;
    zero.width = 1;
    zero.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
    int value = 5;
    void *arguments[] = {&p, &value};
    cudaKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
    OK(cudaGraphAddMemcpyNodeToSymbol(&store, graph, &kernel, 1, variable, p, 4, 0, cudaMemcpyDeviceToDevice));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&back, graph, &store, 1, &host, variable, 4, 0, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms box = {};
    int second = 0;
    box.srcPtr = make_cudaPitchedPtr(p, 4, 4, 1);
    box.dstPtr = make_cudaPitchedPtr(&second, 4, 4, 1);
    box.extent = make_cudaExtent(4, 1, 1);
    box.kind = cudaMemcpyDeviceToHost;
    cudaGraphNode_t copy;
    OK(cudaGraphAddMemcpyNode(&copy, graph, &back, 1, &box));
    OK(cudaGraphAddEmptyNode(&empty, graph, &back, 1));
    OK(cudaGraphGetRootNodes(graph, nullptr, &count));
    HOLDS(count == 1);
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(host == 12 && second == 12);
    value = 6;
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(host == 13);
    cudaGraph_t clone;
    OK(cudaGraphClone(&clone, graph));
    cudaGraphNode_t same;
    OK(cudaGraphNodeFindInClone(&same, kernel, clone));
    value = 20;
    OK(cudaGraphKernelNodeSetParams(same, &params));
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, clone, &info));
    HOLDS(info.result == cudaGraphExecUpdateSuccess);
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    HOLDS(host == 27);
    params.func = (void *)main;
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &params));
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, nullptr));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    return report();
}
