kernel void forces(int n, global const float4 *body, global float4 *acceleration)
{
    local float4 tile[256];
    int i = get_global_id(0);
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int at = 0; at < n; at += 256) {
        tile[get_local_id(0)] = body[at + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = other.w * inverse * inverse * inverse;
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acceleration[i] = (float4)(ax, ay, az, 0);
}
