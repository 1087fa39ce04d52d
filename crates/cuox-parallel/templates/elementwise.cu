// An operation for each element. The space is the numbers of this launch, and the strides of the vectors that need some.
struct cuox_space {
    /*@index*/ count;
    /*@range_fields*/
    /*@space_fields*/
};

extern "C" __global__ void __launch_bounds__(256) /*@kernel*/(/*@parameters*/const cuox_space cuox_at)
{
    typedef /*@index*/ cuox_index;
    /*@hide*/
    {
        /*@bind*/
        const unsigned tid = threadIdx.x;
        const unsigned total_threads = gridDim.x * blockDim.x;
        const unsigned cta_start = blockDim.x * blockIdx.x;
        /*@numbers*/
        (void)tid;
        /*@loop_prep*/;
        /*@loop*/ {
            /*@element*/
            /*@operation*/;
        }
        /*@after_loop*/;
    }
}
