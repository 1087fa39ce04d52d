/* Ends in the way that it is told, while the device is at work: exits LIBRARY WAY. Exits with 0 if all went well. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*Function)();

static void *library;
static void *context, *module, *stream;
static unsigned long long memory;

static int call_(const char *name, long a, long b, long c, long d)
{
    Function function = (Function)dlsym(library, name);
    if (!function) {
        fprintf(stderr, "%s is missing\n", name);
        _exit(2);
    }
    return ((int (*)(long, long, long, long))function)(a, b, c, d);
}

#define CALL(name, a, b, c, d) call_(#name, (long)(a), (long)(b), (long)(c), (long)(d))
#define MUST(name, a, b, c, d)                                                                                         \
    do {                                                                                                               \
        int code = CALL(name, a, b, c, d);                                                                             \
        if (code) {                                                                                                    \
            fprintf(stderr, "%s: %d\n", #name, code);                                                                  \
            _exit(2);                                                                                                  \
        }                                                                                                              \
    } while (0)

/* `endless` waits for a word to change, `long_` counts for a while. */
static const char PTX[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry endless(.param .u64 p)\n{\n.reg .b64 %rd;\n.reg .b32 %r;\n.reg .pred %q;\n"
    "ld.param.u64 %rd, [p];\nL:\nld.volatile.global.u32 %r, [%rd];\nsetp.eq.u32 %q, %r, 0;\n@%q bra L;\nret;\n}\n"
    ".visible .entry long_(.param .u64 p)\n{\n.reg .b64 %rd;\n.reg .b32 %r, %s;\n.reg .pred %q;\n"
    "ld.param.u64 %rd, [p];\nmov.u32 %r, 0;\nL:\natom.global.add.u32 %s, [%rd], 1;\nadd.u32 %r, %r, 1;\n"
    "setp.lt.u32 %q, %r, 1000000;\n@%q bra L;\nret;\n}\n";

static void launch(const char *name, int blocks)
{
    typedef int (*Launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    void *kernel, *arguments[] = {&memory};
    MUST(cuModuleGetFunction, &kernel, module, name, 0);
    Launch launch_kernel = (Launch)dlsym(library, "cuLaunchKernel");
    if (launch_kernel(kernel, blocks, 1, 1, 32, 1, 1, 0, stream, arguments, NULL))
        _exit(2);
}

static void *waits(void *unused)
{
    MUST(cuCtxSetCurrent, context, 0, 0, 0);
    CALL(cuStreamSynchronize, stream, 0, 0, 0);
    return unused;
}

static void *works(void *unused)
{
    MUST(cuCtxSetCurrent, context, 0, 0, 0);
    for (;;) {
        unsigned long long address;
        void *event;
        CALL(cuMemAlloc_v2, &address, 4096, 0, 0);
        CALL(cuMemsetD32_v2, address, 1, 16, 0);
        CALL(cuEventCreate, &event, 0, 0, 0);
        CALL(cuEventRecord, event, 0, 0, 0);
        CALL(cuEventSynchronize, event, 0, 0, 0);
        CALL(cuEventDestroy_v2, event, 0, 0, 0);
        CALL(cuMemFree_v2, address, 0, 0, 0);
    }
    return unused;
}

static void *exits(void *unused)
{
    usleep(50000);
    exit(0);
    return unused;
}

static void sleeps(void *unused)
{
    (void)unused;
    usleep(300000);
}

static void at_exit(void)
{
    unsigned long long address;
    void *now;
    CALL(cuCtxGetCurrent, &now, 0, 0, 0);
    CALL(cuMemAlloc_v2, &address, 64, 0, 0);
    CALL(cuStreamQuery, stream, 0, 0, 0);
    CALL(cuModuleUnload, 0, 0, 0, 0);
}

__attribute__((destructor)) static void last(void)
{
    if (library && context)
        at_exit();
}

int main(int count, char **words)
{
    const char *way = count > 2 ? words[2] : "";
    pthread_t thread;
    library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    atexit(at_exit);
    MUST(cuInit, 0, 0, 0, 0);
    MUST(cuDevicePrimaryCtxRetain, &context, 0, 0, 0);
    MUST(cuCtxSetCurrent, context, 0, 0, 0);
    MUST(cuStreamCreate, &stream, 1, 0, 0);
    MUST(cuModuleLoadData, &module, PTX, 0, 0);
    MUST(cuMemAlloc_v2, &memory, 64, 0, 0);
    MUST(cuMemsetD32_v2, memory, 0, 16, 0);
    if (strstr(way, "endless"))
        launch("endless", 4);
    if (strstr(way, "long"))
        for (int i = 0; i < 8; i++)
            launch("long_", 64);
    if (strstr(way, "host"))
        for (int i = 0; i < 4; i++)
            MUST(cuLaunchHostFunc, stream, sleeps, 0, 0);
    if (strstr(way, "wait"))
        pthread_create(&thread, NULL, waits, NULL);
    if (strstr(way, "work"))
        for (int i = 0; i < 3; i++)
            pthread_create(&thread, NULL, works, NULL);
    usleep(20000);
    if (strstr(way, "close"))
        dlclose(library);
    if (strstr(way, "_exit"))
        _exit(0);
    if (strstr(way, "quick"))
        quick_exit(0);
    if (strstr(way, "thread")) {
        pthread_create(&thread, NULL, exits, NULL);
        for (;;)
            pause();
    }
    if (strstr(way, "destroy"))
        /* With work that goes on. */
        MUST(cuStreamDestroy_v2, stream, 0, 0, 0);
    return 0;
}
