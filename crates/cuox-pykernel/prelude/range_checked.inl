namespace py {
static __device__ inline int64 range_item_at(int64 start, int64 stop, int64 step, int64 i, int number)
{
    const int64 length = range_length(start, stop, step);
    if (i < -length || i >= length) raise(number);
    return range_item(start, stop, step, i);
}
}
