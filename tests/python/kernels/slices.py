import numpy as np

TABLE = np.array([[1, 2], [3, 4]], np.int32)


# index32=True
# (array(float32,2,A), array(float32,1,C,ro))
def kernel(y, x):
    row = y[0]
    column = y[:, -1]
    part = x[1:9:3]
    y[1, 1:] = 4
    for i in range(len(part)):
        column[i] = part[i] + row[i] + TABLE[i, 0]
    y[2, ...] = y.T[0, 0]
