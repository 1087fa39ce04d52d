"""Heat in a plate whose upper edge is hot: all blocks of one launch wait for each other between the steps."""

import numpy as np
from cuox.numba import cuda

STEPS = 200


@cuda.jit
def relax(now, following, steps):
    grid = cuda.cg.this_grid()
    i, j = cuda.grid(2)
    is_inside = 0 < i < now.shape[0] - 1 and 0 < j < now.shape[1] - 1
    for _ in range(steps):
        if is_inside:
            following[i, j] = (now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]) / 4
        grid.sync()
        now, following = following, now


plate = np.zeros((32, 48))
plate[0] = 100
device = cuda.to_device(plate), cuda.to_device(plate)
relax[(2, 3), (16, 16)](*device, STEPS)

for _ in range(STEPS):
    new = plate.copy()
    new[1:-1, 1:-1] = (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]) / 4
    plate = new
np.testing.assert_allclose(device[STEPS % 2].copy_to_host(), plate, rtol=1e-12, atol=1e-12)
print("correct:", device[STEPS % 2].copy_to_host()[1:4, 24])
