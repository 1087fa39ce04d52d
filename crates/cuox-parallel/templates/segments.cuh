// The beginning of both ways of combining segments.
typedef /*@c_type*/ cuox_item;
// The most segments of a block, which has 256 >> `cuox_shift` at a time, and those of a warp.
constexpr int cuox_most = 256;
const int cuox_shift = /*@shift_expr*/;
const int of_block = cuox_most >> cuox_shift, of_warp = of_block < 8 ? 1 : of_block >> 3, lane = tid & 31, warp = tid >> 5;
const auto cuox_begin = [&](const long long i) -> long long { return (long long)(/*@begin_expr*/); };
const auto cuox_end = [&](const long long i) -> long long { return (long long)(/*@end_expr*/); };
const auto cuox_load = [&](const long long i) -> cuox_item { return /*@load_expr*/; };
// Loops around it are rolled up, so that the operator stands in few places.
const auto cuox_combine = [&](const cuox_item &a, const cuox_item &b) -> cuox_item { return /*@reduce_expr*/; };
const auto cuox_store = [&](const long long i, const cuox_item &sum) { /*@store*/ };
// The value of the lane `distance` further on.
const auto cuox_from_right = [&](const cuox_item &value, int distance) -> cuox_item {
    constexpr int count = (int)(sizeof(cuox_item) + 3) / 4;
    alignas(alignof(cuox_item) > 4 ? alignof(cuox_item) : 4) unsigned int words[count] = {};
    *(cuox_item *)words = value;
#pragma unroll
    for (int k = 0; k < count; ++k)
        words[k] = __shfl_down_sync(0xffffffffu, words[k], distance);
    return *(cuox_item *)words;
};
