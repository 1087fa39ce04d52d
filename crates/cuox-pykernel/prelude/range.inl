namespace py {
template <class T, class S> static __device__ inline bool in_range(T i, T stop, S step) { return step > 0 ? i < stop : step < 0 && i > stop; }
static __device__ inline int64 range_length(int64 start, int64 stop, int64 step)
{
    if (step > 0) return start < stop ? (stop - start + step - 1) / step : 0;
    if (step < 0) return start > stop ? (start - stop - step - 1) / -step : 0;
    return 0;
}
static __device__ inline bool range_has(int64 start, int64 stop, int64 step, int64 i)
{
    if (step > 0) return i >= start && i < stop && (i - start) % step == 0;
    return step < 0 && i <= start && i > stop && (start - i) % -step == 0;
}
static __device__ inline int64 range_item(int64 start, int64 stop, int64 step, int64 i)
{
    return start + (i < 0 ? i + range_length(start, stop, step) : i) * step;
}
static __device__ inline int64 range_sum(int64 start, int64 stop, int64 step)
{
    const int64 n = range_length(start, stop, step);
    return n * start + (n & 1 ? (n - 1) / 2 * n : n / 2 * (n - 1)) * step;
}
static __device__ inline bool ranges_equal(int64 start, int64 stop, int64 step, int64 other, int64 other_stop, int64 other_step)
{
    const int64 length = range_length(start, stop, step);
    if (length != range_length(other, other_stop, other_step)) return false;
    return length == 0 || start == other && (length == 1 || step == other_step);
}
static __device__ inline int64 least(int64 a, int64 b) { return a < b ? a : b; }
}
