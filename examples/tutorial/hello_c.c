#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *path = getenv("HELLO_LIBRARY");
    void *library = dlopen(path ? path : "./libhello.so", RTLD_LAZY);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*run)(void) = (int (*)(void))dlsym(library, "main");
    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int status = run();
    dlclose(library);
    return status;
}
