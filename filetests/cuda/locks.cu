// # Locks, lock-free containers and what libcu++ has for them.
// run: kernel=stack grid=3 block=64
// inout head: u64[1] = 0xffffffff
// out values: s32[192]
// inout sum: s32[1] = 0
// expect sum = 18336
// expect head = 0x600ffffffff
// expect values = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
// expect values = 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69
// expect values = 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101
// expect values = 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126
// expect values = 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151
// expect values = 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176
// expect values = 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191
// run: kernel=queue grid=3 block=64
// inout slots: u32[32] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// inout tail: u32[1] = 0
// inout front: u32[1] = 0
// inout sum: s32[1] = 0
// arg size: s32 = 16
// expect tail = 192
// expect front = 192
// expect sum = 55008
// expect slots = 24 528 24 531 24 534 24 537 24 540 24 543 24 546 24 549 24 552 24 555 24 558 24 561 24 564 24 567 24
// expect slots = 570 24 573
// run: kernel=spin grid=3 block=64
// inout lock: s32[1] = 0
// expect lock = 0
// inout count: s32[2] = 0 0
// inout ticket: u32[2] = 0 0
// out inner: s32[3]
// expect count = 192 384
// expect ticket = 192 192
// expect inner = 64 64 64
// run: kernel=semaphore grid=2 block=64
// inout inside: s32[1] = 0
// inout crowded: s32[1] = 0
// inout done: s32[1] = 0
// expect inside = 0
// expect crowded = 0
// expect done = 128
// run: kernel=barriers grid=1 block=128
// in x: s32[128] = -22 41 -9 -6 -28 -44 27 -16 16 2 -5 -12 -39 23 39 24 -3 39 49 -4 -37 -27 16 41 -5 38 -40 -38 -4 -29 -20 16 43 32 -25 46 -49 -48 35 -32 31 -8 6 5 5 27 20 5 34 1 -42 -27 -50 15 -26 8 -44 44 32 -32 6 -38 19 -15 7 -18 2 -5 -13 -33 -28 20 38 32 9 -50 29 41 -20 -41 -28 -20 -14 -2 -16 -8 -13 -29 11 22 9 33 -35 -28 -34 -34 -21 1 -29 -36 -50 43 -19 35 10 33 -48 -9 28 28 -30 -11 44 -5 28 -40 17 -47 16 17 -33 -31 -26 45 43 6 39 7
// out r: s32[128]
// expect r = -22 19 10 4 -24 -68 -41 -57 -41 -39 -44 -56 -95 -72 -33 -9 -12 27 76 72 35 8 24 65 60 98 58 20 16 -13 -33
// expect r = -17 26 58 33 79 30 -18 17 -15 16 8 14 19 24 51 71 76 110 111 69 42 -8 7 -19 -11 -55 -11 21 -11 -5 -43 -24
// expect r = -39 -32 -50 -48 -53 -66 -99 -127 -107 -69 -37 -28 -78 -49 -8 -28 -69 -97 -117 -131 -133 -149 -157 -170
// expect r = -199 -188 -166 -157 -124 -159 -187 -221 -255 -276 -275 -304 -340 -390 -347 -366 -331 -321 -288 -336 -345
// expect r = -317 -289 -319 -330 -286 -291 -263 -303 -286 -333 -317 -300 -333 -364 -390 -345 -302 -296 -257 -250
// run: kernel=library grid=1 block=64
// in x: f32[64] = 9.0 39.0 -15.0 -21.0 10.0 -49.0 -16.0 -29.0 -49.0 -5.0 5.0 -35.0 6.0 -22.0 -35.0 23.0 -5.0 -13.0 44.0 -16.0 35.0 -27.0 12.0 3.0 -34.0 49.0 46.0 -34.0 -15.0 34.0 -41.0 27.0 -21.0 10.0 -1.0 4.0 -22.0 2.0 2.0 -40.0 23.0 6.0 -3.0 48.0 -26.0 22.0 -33.0 -4.0 38.0 -6.0 -7.0 36.0 -19.0 -50.0 -46.0 -31.0 5.0 45.0 45.0 15.0 -21.0 32.0 -14.0 3.0
// out re: f32[64]
// out im: f32[64]
// out n: s32[64]
// expect re ~6 = 101.9117660522461 -12.970588684082031 -61.147056579589844 11.735294342041016 -114.88235473632812
// expect re ~6 = -69.79412078857422 -81.52941131591797 -138.9705810546875 -42.617645263671875 9.264705657958984
// expect re ~6 = -83.38235473632812 -6.7941179275512695 -50.647056579589844 -100.05882263183594 35.20588302612305
// expect re ~6 = 1.8529411554336548 -35.20588302612305 100.67646789550781 -12.352941513061523 76.5882339477539
// expect re ~6 = -45.088233947753906 12.970588684082031 14.823529243469238 -82.14705657958984 100.05882263183594
// expect re ~6 = 143.91175842285156 -55.588233947753906 -58.05882263183594 74.73529052734375 -80.29412078857422
// expect re ~6 = 41.382354736328125 -35.20588302612305 11.735294342041016 3.7058823108673096 9.264705657958984
// expect re ~6 = -51.882354736328125 -8.647058486938477 6.176470756530762 -97.5882339477539 32.117645263671875
// expect re ~6 = 29.02941131591797 -3.7058823108673096 116.73529052734375 -34.588233947753906 38.29411697387695
// expect re ~6 = -67.94117736816406 -30.264705657958984 91.4117660522461 8.647058486938477 -21.0 84.61764526367188
// expect re ~6 = -24.705883026123047 -135.26470947265625 -144.5294189453125 -105.0 -6.7941179275512695
// expect re ~6 = 114.26470947265625 138.9705810546875 64.85294342041016 -42.617645263671875 66.0882339477539
// expect re ~6 = -14.823529243469238 -1.2352941036224365 24.08823585510254
// expect im ~6 = 1.1470588445663452 -65.38235473632812 14.911764144897461 35.94117736816406 -34.02941131591797
// expect im ~6 = 68.82353210449219 13.382352828979492 25.617647171020508 73.02941131591797 9.558823585510254
// expect im ~6 = -21.02941131591797 55.82353210449219 -17.58823585510254 20.264705657958984 62.32353210449219
// expect im ~6 = -37.088233947753906 2.6764705181121826 36.70588302612305 -73.4117660522461 37.852943420410156
// expect im ~6 = -63.852943420410156 45.882354736328125 -17.205883026123047 -17.58823585510254 70.73529052734375
// expect im ~6 = -57.352943420410156 -83.35294342041016 46.264705657958984 35.94117736816406 -67.67646789550781
// expect im ~6 = 73.02941131591797 -49.32352828979492 35.94117736816406 -15.676470756530762 3.058823585510254
// expect im ~6 = -14.529411315917969 34.411766052246094 -2.2941176891326904 -18.352941513061523 69.97058868408203
// expect im ~6 = -32.882354736328125 -10.323529243469238 22.941177368164062 -83.35294342041016 48.17647171020508
// expect im ~6 = -46.264705657958984 48.94117736816406 20.647058486938477 -60.411766052246094 6.5 24.47058868408203
// expect im ~6 = -62.32353210449219 9.941176414489746 58.882354736328125 58.5 49.32352828979492 9.558823585510254
// expect im ~6 = -51.617645263671875 -63.088233947753906 -30.97058868408203 44.352943420410156 -54.29411697387695
// expect im ~6 = 22.558822631835938 -1.1470588445663452
// expect n = 2507032 1008191 2511190 3016270 2523189 5032149 2543269 7056229 2571188 9088268 2607148 11128308 2651268
// expect n = 13176308 2703228 15232188 2763187 17296267 2831267 19368347 2907147 21448227 2991307 23536347 3083267
// expect n = 25632267 3183307 27736267 3291227 29848267 3407187 31968267 3531186 34096346 3663266 36232266 3803266
// expect n = 38376226 3951346 40528386 4107146 42688266 4271226 44856386 4443306 47032266 4623346 49216266 4811266
// expect n = 51408386 5007266 53608386 5211306 55816386 5423266 58032226 5643226 60256226 5871266 62488386 6107186
// expect n = 64728266 6351266 66976346
// run: kernel=aggregated grid=2 block=64|40
// in x: s32[300] = 79 4 52 53 24 62 71 8 93 48 70 94 83 6 50 4 98 10 11 68 39 89 30 15 49 84 60 22 73 53 63 76 72 11 7 47 40 86 20 35 21 79 33 45 77 94 13 40 79 82 80 7 66 33 20 14 97 40 69 40 93 24 88 41 84 68 65 57 8 24 11 71 15 70 0 42 76 45 97 17 40 83 66 35 41 29 78 92 55 30 0 19 85 38 95 51 75 61 71 39 48 68 38 2 24 92 17 46 48 44 65 44 84 27 57 81 97 45 80 9 57 35 85 48 42 35 33 10 47 88 52 15 85 72 3 42 65 49 34 67 94 1 32 48 14 45 42 42 65 0 45 1 69 48 20 45 93 33 29 11 51 36 94 67 49 81 77 76 66 0 0 33 59 48 63 81 71 56 83 80 95 68 70 7 89 98 99 55 30 60 79 25 12 90 75 99 96 34 38 48 4 6 81 76 11 64 65 23 94 82 20 54 54 92 55 82 90 10 3 23 9 84 94 3 73 13 39 91 26 81 18 25 29 33 74 3 96 12 99 1 76 58 48 61 33 14 78 83 5 48 55 59 58 66 58 20 19 80 89 41 7 49 15 12 81 25 24 45 95 72 86 45 4 56 83 75 28 40 30 1 9 56 31 94 79 3 79 46 74 65 95 48 18 10 25 51 5 7 2 7
// arg n: s32 = 300
// inout count: s32[6] = 0 0 0 0 0 0
// inout taken: s32[300] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// inout sum: s32[1] = 0
// expect sum = 5403
// expect taken = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// expect taken = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// expect taken = 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect taken = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect taken = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect taken = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect count = 116 78 52 45 62 63
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/bit>
#include <cuda/std/variant>
#include <cuda/std/limits>
#include <cuda/std/chrono>
/* A stack of nodes, its head an index with a counter against reuse. */
__device__ unsigned next_of[192];
using Head = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
__device__ void push(unsigned long long *head, unsigned n) {
    Head h(*head);
    unsigned long long old = h.load(cuda::memory_order_relaxed);
    do { cuda::atomic_ref<unsigned, cuda::thread_scope_device>(next_of[n]).store((unsigned)old, cuda::memory_order_relaxed);
    } while (!h.compare_exchange_weak(old, ((old >> 32) + 1) << 32 | n, cuda::memory_order_acq_rel, cuda::memory_order_relaxed));
}
__device__ cuda::std::optional<unsigned> pop(unsigned long long *head) {
    Head h(*head);
    unsigned long long old = h.load(cuda::memory_order_acquire);
    for (;;) {
        unsigned n = (unsigned)old;
        if (n == ~0u) return cuda::std::nullopt;
        unsigned next = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(next_of[n]).load(cuda::memory_order_relaxed);
        if (h.compare_exchange_weak(old, ((old >> 32) + 1) << 32 | next, cuda::memory_order_acq_rel, cuda::memory_order_acquire)) return n;
    }
}
extern "C" __global__ void stack(unsigned long long *head, int *values, int *sum) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = i;
    push(head, i);
    for (int round = 0; round < 3; round++) {
        if (auto n = pop(head)) {
            push(head, *n);
        }
    }
    if (auto n = pop(head)) atomicAdd(sum, values[*n]);
}
/* A queue with tickets: each place has a sequence number. */
struct Slot { unsigned turn; int value; };
extern "C" __global__ void queue(Slot *slots, unsigned *tail, unsigned *front, int *sum, int size) {
    unsigned t = atomicAdd(tail, 1u);
    Slot &in = slots[t % size];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> turn(in.turn);
    while (turn.load(cuda::memory_order_acquire) != t / size * 2) __nanosleep(20);
    in.value = t * 3;
    turn.store(t / size * 2 + 1, cuda::memory_order_release);
    unsigned f = atomicAdd(front, 1u);
    Slot &out = slots[f % size];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> seen(out.turn);
    while (seen.load(cuda::memory_order_acquire) != f / size * 2 + 1) __nanosleep(20);
    int v = out.value;
    seen.store(f / size * 2 + 2, cuda::memory_order_release);
    atomicAdd(sum, v);
}
/* Spin locks: of the block, of the grid, a ticket lock. */
extern "C" __global__ void spin(int *lock, int *count, unsigned *ticket, int *inner) {
    __shared__ int mine, held;
    if (threadIdx.x == 0) mine = held = 0;
    __syncthreads();
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + 1;
    __threadfence();
    atomicExch(lock, 0);
    unsigned t = atomicAdd(&ticket[0], 1u);
    while (*(volatile unsigned *)&ticket[1] != t) __nanosleep(t < 10 ? 10 : 200);
    __threadfence();
    *(volatile int *)&count[1] = *(volatile int *)&count[1] + 2;
    __threadfence();
    *(volatile unsigned *)&ticket[1] = t + 1;
    while (atomicExch_block(&held, 1)) ;
    *(volatile int *)&mine = *(volatile int *)&mine + 1;
    __threadfence_block();
    atomicExch_block(&held, 0);
    __syncthreads();
    if (threadIdx.x == 0) inner[blockIdx.x] = mine;
}
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 3> free_places{3};
extern "C" __global__ void semaphore(int *inside, int *crowded, int *done) {
    free_places.acquire();
    int now = atomicAdd(inside, 1) + 1;
    if (now > 3) atomicAdd(crowded, 1);
    __nanosleep(50);
    atomicSub(inside, 1);
    free_places.release();
    atomicAdd(done, 1);
}
extern "C" __global__ void barriers(const int *x, int *r) {
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ alignas(16) char place[sizeof(cuda::latch<cuda::thread_scope_block>)];
    auto &l = *reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(place);
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t == 0) { init(&b, blockDim.x); new (&l) cuda::latch<cuda::thread_scope_block>(blockDim.x / 2); }
    __syncthreads();
    s[t] = x[t];
    for (int d = 1; d < blockDim.x; d *= 2) {
        b.arrive_and_wait();
        int v = t >= d ? s[t - d] : 0;
        auto token = b.arrive();
        b.wait(cuda::std::move(token));
        s[t] += v;
    }
    b.arrive_and_wait();
    r[t] = s[t];
    if (t & 1) l.count_down(); else l.wait();
    if (!(t & 1)) r[t] += l.try_wait() ? 0 : 1000;
}
extern "C" __global__ void library(const float *x, float *re, float *im, int *n) {
    int t = threadIdx.x;
    cuda::std::complex<float> z(x[t], x[(t + 1) % blockDim.x]), w(0.5f, -2.f);
    auto q = z * w + cuda::std::conj(z) / w;
    re[t] = q.real(); im[t] = q.imag();
    cuda::std::array<int, 4> a{t, t * t, 3, 4};
    cuda::std::variant<int, float> v = 2.5f;
    if (t % 2) v = t;
    cuda::std::span<int> sp(a);
    int sum = 0;
    for (int e : sp.subspan(1)) sum += e;
    auto tup = cuda::std::make_tuple(sum, cuda::std::popcount((unsigned)t * 77u), cuda::std::countl_zero((unsigned)t));
    n[t] = cuda::std::get<0>(tup) * 1000 + cuda::std::get<1>(tup) * 40 + cuda::std::get<2>(tup)
        + cuda::std::visit([](auto e) { return (int)(e * 1000000); }, v);
}
/* One atomic for the lanes of a warp that take the same way. */
extern "C" __global__ void aggregated(const int *x, int n, int *count, int *taken, int *sum) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (x[i] % 3 == 0) {
            unsigned active = __activemask();
            int leader = __ffs(active) - 1, lane = threadIdx.x % 32, base = 0;
            if (lane == leader) base = atomicAdd(count, __popc(active));
            base = __shfl_sync(active, base, leader);
            atomicAdd(&taken[base + __popc(active & ((1u << lane) - 1))], 1);
            atomicAdd(sum, x[i]);
        }
        unsigned peers = __match_any_sync(__activemask(), x[i] % 5);
        if ((__ffs(peers) - 1) == threadIdx.x % 32) atomicAdd(&count[1 + x[i] % 5], __popc(peers));
    }
}
