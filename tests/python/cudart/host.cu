// A program that loads plugin.cu's library again and again.
#include "check.h"
#include <dlfcn.h>

__global__ void own(int *out)
{
    *out = 6;
}

int main(int, char **arguments)
{
    int *out, value = 0;
    OK(cudaMalloc(&out, 4));
    for (int round = 0; round < 3; ++round) {
        void *library = dlopen(arguments[1], RTLD_NOW);
        if (!library)
            printf("%s\n", dlerror());
        HOLDS(library != nullptr);
        auto run = (int (*)())dlsym(library, "run");
        HOLDS(run() == 101);
        HOLDS(run() == 102);
        dlclose(library);
        own<<<1, 1>>>(out);
        OK(cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
        HOLDS(value == 6);
    }
    return report();
}
