from cuox.numba import cuda


# (float32, array(float32,1,C), array(float32,1,C))
def kernel(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]
