// The software GPU's own: stops the thread in Python. Returns 1 if it shall stop at the next statement too.
extern "C" __device__ int cuox_breakpoint(const char *place, void *const *variables);
