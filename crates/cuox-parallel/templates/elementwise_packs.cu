// An operation that writes to elements of some vectors what it makes of the same elements of others, all without gaps: several elements at a time, in
// loads and stores of up to 16 bytes.
struct cuox_space {
    /*@index*/ count;
};

extern "C" __global__ void __launch_bounds__(256) /*@kernel*/(/*@parameters*/const cuox_space cuox_at)
{
    typedef /*@index*/ cuox_index;
    const cuox_index cuox_threads = gridDim.x * blockDim.x;
    const cuox_index cuox_thread = blockDim.x * blockIdx.x + threadIdx.x;
    const cuox_index n = cuox_at.count;
    const cuox_index cuox_packs = n / /*@lanes*/;
    // Loops over a grid's elements are not unrolled: there are enough threads for all loads, and each copy of the operation costs compile time.
#pragma unroll 1
    for (cuox_index cuox_pack = cuox_thread; cuox_pack < cuox_packs; cuox_pack += cuox_threads) {
        /*@load*/
#pragma unroll
        for (int cuox_lane = 0; cuox_lane < /*@lanes*/; ++cuox_lane) {
            const cuox_index i = cuox_pack * /*@lanes*/ + cuox_lane;
            /*@bind_lane*/
            /*@operation*/;
        }
        /*@store*/
    }
    // Fewer than a pack. Nothing is added to an index that is not there: the sum might be no number of this type.
    if (cuox_thread < n - cuox_packs * /*@lanes*/) {
        const cuox_index i = cuox_packs * /*@lanes*/ + cuox_thread;
        /*@operation*/;
    }
}
