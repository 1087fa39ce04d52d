// What the programs of this folder have in common: checks that name the line, and the last line of the output.
#pragma once
#include <cstdio>
#include <cuda_runtime.h>

static int failures = 0;

static void check_code(cudaError_t got, cudaError_t wanted, const char *what, int line)
{
    if (got == wanted)
        return;
    ++failures;
    printf("line %d: %s is %s, not %s\n", line, what, cudaGetErrorName(got), cudaGetErrorName(wanted));
}

static void check_true(bool holds, const char *what, int line)
{
    if (holds)
        return;
    ++failures;
    printf("line %d: %s does not hold\n", line, what);
}

#define OK(call) check_code(call, cudaSuccess, #call, __LINE__)
#define GIVES(code, call) check_code(call, code, #call, __LINE__)
#define HOLDS(condition) check_true(condition, #condition, __LINE__)

static int report()
{
    fflush(stdout);
    printf(failures ? "%d FAILED\n" : "passed\n", failures);
    fflush(stdout);
    return failures != 0;
}
