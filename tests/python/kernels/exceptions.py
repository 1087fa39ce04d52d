# boundscheck=True wraparound=True
# (array(float64,2,C), int64)
def kernel(x, i):
    assert i != 5, "five"
    if i > 9:
        raise ValueError("too large")
    x[i, -1] = x[-1, i] // x[0, 0]
