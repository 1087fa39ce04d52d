# (array(int64,1,C), array(int32,1,A), int64)
def kernel(found, x, n):
    at = 0
    for i, value in enumerate(x):
        if value % 2:
            continue
        for divisor in range(3, n, 2):
            if value % divisor == 0:
                found[at] = divisor
                break
        else:
            found[at] = -i
        at += 1
    while 0 < at <= n != 7:
        at -= 1
        if found[at] in (1, 5):
            return
