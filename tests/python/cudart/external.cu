// Memory and semaphores of other interfaces: what is checked, as none is here to import. The software GPU has none of them and says so.
#include "check.h"
#include <cstring>

static bool one_of(cudaError_t code, cudaError_t there)
{
    return code == there || code == cudaErrorNotSupported;
}

int main()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    cudaExternalMemory_t memory;
    cudaExternalMemoryHandleDesc handle = {};
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(&memory, nullptr));
    GIVES(cudaErrorInvalidValue, cudaImportExternalMemory(nullptr, &handle));
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = -1;
    handle.size = 4096;
    HOLDS(one_of(cudaImportExternalMemory(&memory, &handle), cudaErrorUnknown));
    handle.type = (cudaExternalMemoryHandleType)99;
    HOLDS(one_of(cudaImportExternalMemory(&memory, &handle), cudaErrorInvalidValue));
    void *mapped;
    cudaExternalMemoryBufferDesc buffer = {};
    GIVES(cudaErrorInvalidValue, cudaExternalMemoryGetMappedBuffer(&mapped, nullptr, nullptr));
    HOLDS(one_of(cudaExternalMemoryGetMappedBuffer(&mapped, nullptr, &buffer), cudaErrorInvalidValue));
    HOLDS(one_of(cudaDestroyExternalMemory(nullptr), cudaErrorInvalidValue));
    HOLDS(one_of(cudaDestroyExternalSemaphore(nullptr), cudaErrorInvalidValue));
    GIVES(cudaErrorInvalidValue, cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0, stream));
    GIVES(cudaErrorInvalidValue, cudaWaitExternalSemaphoresAsync(nullptr, nullptr, 0, stream));
    OK(cudaStreamDestroy(stream));
    return report();
}
