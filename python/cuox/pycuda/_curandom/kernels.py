"""The kernels of the generators, as text: one program for each generator, so that its code is compiled and kept
once."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["STATE_SIZE", "UNIFORM_SOURCE", "Generator", "source"]

STATE_SIZE = "cuox_state_size"

# Name, element type and suffix of cuRAND's function.
_PLAIN = (
    ("uniform_int", "unsigned int", ""),
    ("uniform_long", "unsigned long long", ""),
    ("uniform_float", "float", "_uniform"),
    ("uniform_double", "double", "_uniform_double"),
    ("normal_float", "float", "_normal"),
    ("normal_double", "double", "_normal_double"),
    ("normal_float2", "float2", "_normal2"),
    ("normal_double2", "double2", "_normal2_double"),
)
_LOG = (
    ("normal_log_float", "float", "_normal"),
    ("normal_log_double", "double", "_normal_double"),
    ("normal_log_float2", "float2", "_normal2"),
    ("normal_log_double2", "double2", "_normal2_double"),
)
_POISSON_IN_PLACE = (
    ("poisson_inplace_float", "float"),
    ("poisson_inplace_double", "double"),
    ("poisson_inplace_int", "unsigned int"),
)


@dataclass(frozen=True)
class Generator:
    """A generator of cuRAND.

    state: its type. bits: of the numbers that it makes. vector: the type of what it is initialised with. initialise:
    the arguments of `curand_init` before the state; `id` is the generator's number. scramble: the type of scramble
    constants. pairs: it makes normal numbers two at a time. skips: further functions `skipahead…`. skip_type: the type
    of the numbers of values to skip.
    """

    state: str
    bits: int
    vector: str
    initialise: str
    scramble: str | None = None
    pairs: bool = False
    skips: tuple[str, ...] = ()
    skip_type: str = "unsigned long long"


def _fill(generator: Generator, name: str, element: str, more: str, value: str) -> str:
    return f"""
__global__ void {name}({generator.state} *s, {element} *d{more}, const size_t n)
{{
  const size_t thread = blockIdx.x * size_t(blockDim.x) + threadIdx.x, threads = size_t(blockDim.x) * gridDim.x;
  for (size_t i = thread; i < n; i += threads)
    d[i] = {value};
}}
"""


def _skip(generator: Generator, kernel: str, function: str) -> str:
    head = "const size_t id = blockIdx.x * size_t(blockDim.x) + threadIdx.x;\n  if (id < n)"
    return f"""
__global__ void {kernel}({generator.state} *s, const size_t n, const {generator.skip_type} skip)
{{
  {head}
    {function}(skip, &s[id]);
}}
__global__ void {kernel}_array({generator.state} *s, const size_t n, const {generator.skip_type} *skip)
{{
  {head}
    {function}(skip[id], &s[id]);
}}
"""


def source(generator: Generator) -> str:
    """Return the program of a generator: kernels that initialise states, fill arrays and skip numbers."""
    parts = []
    for name, element, suffix in _PLAIN:
        if _is_made(generator, name, element):
            parts.append(_fill(generator, name, element, "", f"curand{suffix}(&s[thread])"))
    for name, element, suffix in _LOG:
        if _is_made(generator, name, element):
            scalar = element.rstrip("2")
            parts.append(
                _fill(
                    generator,
                    name,
                    element,
                    f", {scalar} mean, {scalar} stddev",
                    f"curand_log{suffix}(&s[thread], mean, stddev)",
                )
            )
    parts.append(
        _fill(generator, "poisson_int", "unsigned int", ", double lambda", "curand_poisson(&s[thread], lambda)")
    )
    for name, element in _POISSON_IN_PLACE:
        parts.append(_fill(generator, name, element, "", f"({element})curand_poisson(&s[thread], double(d[i]))"))
    for function in ("", *generator.skips):
        parts.append(_skip(generator, f"skip_ahead{function}", f"skipahead{function}"))
    scramble = f", {generator.scramble} *scramble" if generator.scramble is not None else ""
    return f"""#include <curand_kernel.h>
extern "C" {{
__device__ unsigned long long {STATE_SIZE} = sizeof({generator.state});

__global__ void prepare({generator.state} *s, const size_t n, {generator.vector} *v{scramble}, const size_t offset)
{{
  const size_t id = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (id < n)
    curand_init({generator.initialise}, offset, &s[id]);
}}
{"".join(parts)}}}
"""


def _is_made(generator: Generator, name: str, element: str) -> bool:
    if name == "uniform_long":
        return generator.bits == 64
    return generator.pairs or not element.endswith("2")


# Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3; 2011): four words from a
# counter and a key.
UNIFORM_SOURCE = """
struct Words { unsigned int w[4]; };

__device__ Words philox(unsigned long long counter, unsigned long long seed)
{
  Words c = {{(unsigned int)counter, (unsigned int)(counter >> 32), 0, 0}};
  unsigned int k0 = (unsigned int)seed, k1 = (unsigned int)(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned int low0 = c.w[0] * 0xD2511F53u, high0 = __umulhi(c.w[0], 0xD2511F53u);
    const unsigned int low1 = c.w[2] * 0xCD9E8D57u, high1 = __umulhi(c.w[2], 0xCD9E8D57u);
    c.w[0] = high1 ^ c.w[1] ^ k0;
    c.w[1] = low1;
    c.w[2] = high0 ^ c.w[3] ^ k1;
    c.w[3] = low0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

// 24 and 53 bits: every value is below 1.
__device__ float unit(unsigned int word) { return (word >> 8) * 0x1p-24f; }
__device__ double unit(unsigned int low, unsigned int high)
{
  return ((unsigned long long)high << 21 ^ low >> 11) * 0x1p-53;
}

#define LOOP(per_step) \\
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x; \\
  for (unsigned long long step = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; step * per_step < n; step += threads)

extern "C" __global__ void uniform_float(float *out, unsigned long long n, unsigned long long seed)
{
  LOOP(4) {
    const Words c = philox(step, seed);
    for (int j = 0; j < 4; ++j)
      if (step * 4 + j < n)
        out[step * 4 + j] = unit(c.w[j]);
  }
}
extern "C" __global__ void uniform_double(double *out, unsigned long long n, unsigned long long seed)
{
  LOOP(2) {
    const Words c = philox(step, seed);
    for (int j = 0; j < 2; ++j)
      if (step * 2 + j < n)
        out[step * 2 + j] = unit(c.w[2 * j], c.w[2 * j + 1]);
  }
}
extern "C" __global__ void uniform_int(unsigned int *out, unsigned long long n, unsigned long long seed)
{
  LOOP(4) {
    const Words c = philox(step, seed);
    for (int j = 0; j < 4; ++j)
      if (step * 4 + j < n)
        out[step * 4 + j] = c.w[j];
  }
}
extern "C" __global__ void uniform_long(unsigned long long *out, unsigned long long n, unsigned long long seed)
{
  LOOP(2) {
    const Words c = philox(step, seed);
    for (int j = 0; j < 2; ++j)
      if (step * 2 + j < n)
        out[step * 2 + j] = (unsigned long long)c.w[2 * j + 1] << 32 | c.w[2 * j];
  }
}
"""
