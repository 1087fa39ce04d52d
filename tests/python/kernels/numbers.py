import math

import numpy as np


# (array(float64,1,C), int32, uint32, float32, complex64)
def kernel(found, i, u, f, z):
    found[0] = i + i
    found[1] = i // 3 + i % 3 + i / 2
    found[2] = u + u
    found[3] = i + f
    found[4] = f * f + 1
    found[5] = (z * z).real + abs(z)
    found[6] = i**2 + f**0.5 + 2**i
    found[7] = min(i, 3) + max(f, 2.0) + round(f) + int(f) + bool(i)
    found[8] = math.sin(f) + np.sqrt(f) + math.atan2(f, i) + np.float16(f)
    found[9] = (i << 3) & ~i | (i >> 1) ^ 5
    found[10] = (i and f) or u
    found[11] = 1 if f else 2.5
