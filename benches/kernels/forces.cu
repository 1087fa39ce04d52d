// What gravity of all bodies (x, y, z, mass) does to each, softened; 256 bodies at a time go through shared memory.
extern "C" __global__ void forces(int n, const float4 *body, float4 *acceleration)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int at = 0; at < n; at += 256) {
        tile[threadIdx.x] = body[at + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = other.w * inverse * inverse * inverse;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        __syncthreads();
    }
    acceleration[i] = make_float4(ax, ay, az, 0);
}
