"""Fourier transforms by pyvkfft, compared with NumPy's. Its kernels are written and compiled when it runs:

    cuox run --shims nvrtc -- python -m cuox.pycuda tests/clients/pyvkfft_transforms.py

`tests/clients/builds.py` builds pyvkfft and runs this.
"""

from __future__ import annotations

import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.gpuarray as gpuarray
from pyvkfft.fft import fftn, ifftn, irfftn, rfftn

# One axis or more; powers of two, other small factors, and primes, which take algorithms of their own.
SHAPES = [(64,), (1000,), (3, 77), (5, 37), (4, 1031), (64, 60), (16, 12, 18)]


def largest_difference(got: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference in units of the largest value."""
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def main() -> None:
    random = np.random.default_rng(1)
    count, worst = 0, {np.dtype(np.float32): 0.0, np.dtype(np.float64): 0.0}
    for shape in SHAPES:
        for real in worst:
            x = random.standard_normal(shape).astype(real)
            z = (x + 1j * random.standard_normal(shape)).astype(np.result_type(real, np.complex64))
            on_device = gpuarray.to_gpu(z)
            forward = fftn(on_device)
            half = rfftn(gpuarray.to_gpu(x))
            pairs = [
                (forward.get(), np.fft.fftn(z)),
                (ifftn(forward).get(), z),
                (half.get(), np.fft.rfftn(x)),
                *([(irfftn(half).get(), x)] if shape[-1] % 2 == 0 else []),
            ]
            for got, expected in pairs:
                assert got.shape == expected.shape, (shape, got.shape, expected.shape)
                difference = largest_difference(got, expected)
                assert difference < 50 * np.finfo(real).eps, (shape, real, difference)
                worst[real] = max(worst[real], difference)
                count += 1
    figures = ", ".join(f"{kind.name} {value:.1e}" for kind, value in worst.items())
    print(f"{count} transforms are NumPy's; largest differences: {figures}")


if __name__ == "__main__":
    main()
