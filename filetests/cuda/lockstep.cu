// # Lanes of a warp that exchange values without a barrier: what a warp that has not parted stores, it loads.
// in x: s32[256] = 11 48 85 122 159 196 233 14 51 88 125 162 199 236 17 54 91 128 165 202 239 20 57 94 131 168 205 242 23 60 97 134 171 208 245 26 63 100 137 174 211 248 29 66 103 140 177 214 251 32 69 106 143 180 217 254 35 72 109 146 183 220 1 38 75 112 149 186 223 4 41 78 115 152 189 226 7 44 81 118 155 192 229 10 47 84 121 158 195 232 13 50 87 124 161 198 235 16 53 90 127 164 201 238 19 56 93 130 167 204 241 22 59 96 133 170 207 244 25 62 99 136 173 210 247 28 65 102 139 176 213 250 31 68 105 142 179 216 253 34 71 108 145 182 219 0 37 74 111 148 185 222 3 40 77 114 151 188 225 6 43 80 117 154 191 228 9 46 83 120 157 194 231 12 49 86 123 160 197 234 15 52 89 126 163 200 237 18 55 92 129 166 203 240 21 58 95 132 169 206 243 24 61 98 135 172 209 246 27 64 101 138 175 212 249 30 67 104 141 178 215 252 33 70 107 144 181 218 255 36 73 110 147 184 221 2 39 76 113 150 187 224 5 42 79 116 153 190 227 8 45 82 119 156 193 230
// run: kernel=transposed grid=1 block=32
// inout r: s32[256] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 11 171 75 235 139 43 203 107 51 211 115 19 179 83 243 147 91 251 155 59 219 123 27 187 131 35 195 99 3 163 67
// expect r = 227 48 208 112 16 176 80 240 144 88 248 152 56 216 120 24 184 128 32 192 96 0 160 64 224 168 72 232 136 40 200
// expect r = 104 8 85 245 149 53 213 117 21 181 125 29 189 93 253 157 61 221 165 69 229 133 37 197 101 5 205 109 13 173 77
// expect r = 237 141 45 122 26 186 90 250 154 58 218 162 66 226 130 34 194 98 2 202 106 10 170 74 234 138 42 242 146 50 210
// expect r = 114 18 178 82 159 63 223 127 31 191 95 255 199 103 7 167 71 231 135 39 239 143 47 207 111 15 175 79 23 183 87
// expect r = 247 151 55 215 119 196 100 4 164 68 228 132 36 236 140 44 204 108 12 172 76 20 180 84 244 148 52 212 116 60
// expect r = 220 124 28 188 92 252 156 233 137 41 201 105 9 169 73 17 177 81 241 145 49 209 113 57 217 121 25 185 89 249
// expect r = 153 97 1 161 65 225 129 33 193 14 174 78 238 142 46 206 110 54 214 118 22 182 86 246 150 94 254 158 62 222 126
// expect r = 30 190 134 38 198 102 6 166 70 230
// run: kernel=reduced grid=1 block=64
// inout r: s32[1] = 0
// expect r = 8224
// run: kernel=reduced grid=1 block=256
// inout r: s32[1] = 0
// expect r = 32640
// run: kernel=scanned grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 11 59 144 266 425 621 854 868 919 1007 1132 1294 1493 1729 1746 1800 1891 2019 2184 2386 2625 2645 2702 2796
// expect r = 2927 3095 3300 3542 3565 3625 3722 3856 171 379 624 650 713 813 950 1124 1335 1583 1612 1678 1781 1921 2098
// expect r = 2312 2563 2595 2664 2770 2913 3093 3310 3564 3599 3671 3780 3926 4109 4329 4330 4368
// run: kernel=passed grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 169 206 243 24 21 58 95 132 209 246 27 64 61 98 135 172 249 30 67 104 101 138 175 212 33 70 107 144 141 178
// expect r = 215 252 73 110 147 184 181 218 255 36 113 150 187 224 221 258 39 76 153 190 227 264 261 42 79 116 193 230 11
// expect r = 48 45 82 119 156
// run: kernel=called grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 55 18 237 200 163 126 89 52 15 234 197 160 123 86 49 12 135 98 61 24 243 206 169 132 95 58 21 240 203 166 129
// expect r = 92 343 417 491 53 127 201 275 349 423 497 59 133 207 281 355 429 503 65 139 213 287 361 435 509 71 145 219 293
// expect r = 367 441 3 77
// run: kernel=recursive grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 695 695 1315 1315 1247 1247 843 843 887 631 995 995 927 1439 1035 779 1335 1335 1187 1187 1119 1119 971 971
// expect r = 1015 1015 1379 1123 1311 1055 651 1163 1463 1463 1059 1059 991 991 1611 1611 1143 1655 1251 995 1183 927 1291
// expect r = 1291 567 567 1187 1187 1119 1119 715 715 1527 1271 867 1379 1311 1311 1675 1419
// run: kernel=joined grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 54 734 236 278 162 525 88 429 14 343 196 847 122 77 48 668 134 953 60 393 242 307 168 775 94 181 20 465 202
// expect r = 870 128 242 214 207 140 831 66 157 248 441 174 810 100 38 26 180 208 486 38 133 220 289 146 814 72 26 254 168
// expect r = 180 438 106 869 32 647
// run: kernel=scanned grid=1 block=48
// inout r: s32[48] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 11 59 144 266 425 621 854 868 919 1007 1132 1294 1493 1729 1746 1800 1891 2019 2184 2386 2625 2645 2702 2796
// expect r = 2927 3095 3300 3542 3565 3625 3722 3856 171 379 624 650 713 813 950 1124 1335 1583 1612 1678 1781 1921 2098
// expect r = 2312
// run: kernel=passed grid=1 block=48
// inout r: s32[48] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 169 206 243 24 21 58 95 132 209 246 27 64 61 98 135 172 249 30 67 104 101 138 175 212 33 70 107 144 141 178
// expect r = 215 252 73 110 147 184 181 218 255 36 113 150 187 224 221 258 39 76
// run: kernel=called grid=1 block=48
// inout r: s32[48] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 55 18 237 200 163 126 89 52 15 234 197 160 123 86 49 12 135 98 61 24 243 206 169 132 95 58 21 240 203 166 129
// expect r = 92 343 417 491 53 127 201 275 349 423 497 59 133 207 281 355 429
// run: kernel=recursive grid=1 block=48
// inout r: s32[48] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 695 695 1315 1315 1247 1247 843 843 887 631 995 995 927 1439 1035 779 1335 1335 1187 1187 1119 1119 971 971
// expect r = 1015 1015 1379 1123 1311 1055 651 1163 1463 1463 1059 1059 991 991 1611 1611 1143 1655 1251 995 1183 927 1291
// expect r = 1291
// run: kernel=joined grid=1 block=48
// inout r: s32[48] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 54 734 236 278 162 525 88 429 14 343 196 847 122 77 48 668 134 953 60 393 242 307 168 775 94 181 20 465 202
// expect r = 870 128 242 214 207 140 831 66 157 248 441 174 810 100 38 26 180 208 486
// run: kernel=some grid=1 block=64
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 11 48 85 122 159 196 233 14 134 171 208 245 26 63 100 137 13 50 87 124 161 198 235 16 54 91 128 165 202 239 20
// expect r = 57 254 35 72 109 146 183 220 257 38 75 112 149 186 223 4 41 174 211 248 29 66 103 140 177 214 251 32 69 106
// expect r = 143 180 217
// run: kernel=reversed grid=1 block=32
// inout r: s32[32] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 1234 4897 8560 12223 16142 19805 23468 1531 5194 8857 12520 16439 20102 23765 1828 5491 9154 12817 16736 20399
// expect r = 24062 2125 5788 9451 13114 17033 20696 24359 2422 6085 9748 13411
// run: kernel=elected grid=1 block=32
// inout r: s32[2] = 0 0
// expect r = 11 1
// run: kernel=global grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// out between: s32[64]
// agree between
// expect r = 403 292 181 70 727 616 505 394 283 172 61 718 607 496 385 274 163 52 709 598 487 376 265 154 43 700 589 478
// expect r = 367 256 145 34 115 4 661 550 439 328 217 106 763 652 541 430 319 208 97 754 643 532 421 310 199 88 745 634 523
// expect r = 412 301 190 79 736 625 514
// run: kernel=shared_by_some grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 122 85 48 11 122 85 48 11 122 85 48 11 122 85 48 11 122 85 48 11 122 85 48 11 122 85 48 11 122 85 48 11
// expect r = 11 48 85 122 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=counted grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 899 899 899 899 899 899 899 899 905 905 905 905 905 905 905 905 914 914 914 914 914 914 914 914 924 924
// expect r = 924 924 924 924 924 924 890 893 725 691 657 0 0 0 899 905 914 924 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// run: kernel=replaced grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 1359 1322 1285 1248 1723 1430 1393 1356 1319 1282 1245 1720 1427 1390 1353 1316 1119 1082 1557 1520 1483
// expect r = 1446 1409 1116 1079 1554 1517 1480 1443 1406 1113 1076 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 0 0 0 0 0 0 0
// run: kernel=last_in_turn grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 0 6660 19804 23183 0 7704 23116 25683 0 5932 18556 21655 0 5888 19628 25403 0 8276 19036 25823 0 7304
// expect r = 19340 24483 0 6588 18588 23239 0 7088 17804 22955 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 0 0 0 0
// run: kernel=leaves grid=1 block=32
// inout r: s32[64] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 20094 20076 4054 20246 20234 20218 20204 20186 20170 20150 20132 4113 20152 20138 20126 20110 20090 20072
// expect r = 2053 20242 20230 20214 20200 20182 20166 20146 20128 2109 20156 20148 20124 20108 0 0 0 0 0 0 0 0 0 0 0 0
// expect r = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// # Code from before Volta relies on this. A warp that has not parted goes through stores and later loads together.
__device__ int lane() { return threadIdx.x & 31; }
// # Squares of 8 by 8 within what a warp has written.
extern "C" __global__ void transposed(const int *x, int *r) {
    __shared__ int tile[8 * 33];
    int inner = lane() & 7;
    for (int i = 0; i < 8; i++) tile[i * 33 + lane()] = x[i * 32 + lane()];
    for (int i = 0; i < 8; i++) r[i * 32 + lane()] = tile[inner * 33 + lane() - inner + i];
}
// # The reduction of CUDA's samples: the last warp needs no barrier.
extern "C" __global__ void reduced(const int *x, int *r) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int n = blockDim.x / 2; n > 32; n /= 2) {
        if (t < n) s[t] += s[t + n];
        __syncthreads();
    }
    if (t < 32) {
        volatile int *v = s;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
        v[t] += v[t + 2];
        v[t] += v[t + 1];
    }
    if (t == 0) r[0] = s[0];
}
// # Sums of all lanes before, in place; the other warps lack lanes.
extern "C" __global__ void scanned(const int *x, int *r) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int d = 1; d < 32; d *= 2) {
        if (lane() >= d) s[t] += s[t - d];
    }
    r[t] = s[t];
}
// # A value goes from lane to lane; what one turn stores the next one loads.
extern "C" __global__ void passed(const int *x, int *r) {
    __shared__ int s[64];
    int t = threadIdx.x, v = x[t];
    for (int k = 0; k < 5; k++) {
        if (k > 0) v = s[t ^ k] + k;
        s[t] = v;
    }
    r[t] = v;
}
__device__ __noinline__ int across(int *s, int v) {
    s[threadIdx.x] = v;
    return s[threadIdx.x ^ 15];
}
// # In a function, and in a branch that whole warps take.
extern "C" __global__ void called(const int *x, int *r) {
    __shared__ int s[64];
    int v = x[threadIdx.x];
    if (threadIdx.x >= 32 || x[0] > 1000) v = 2 * across(s, v);
    r[threadIdx.x] = across(s, v + 1);
}
__device__ __noinline__ int deeper(int *s, int v, int n) {
    s[threadIdx.x] = v;
    int w = s[threadIdx.x ^ n];
    return n == 0 ? w : deeper(s, w + n, n / 2) + deeper(s, w, n / 4);
}
// # In a function that calls itself.
extern "C" __global__ void recursive(const int *x, int *r) {
    __shared__ int s[64];
    r[threadIdx.x] = deeper(s, x[threadIdx.x], 12);
}
// # In a loop of some lanes, each turn of which loads and stores.
extern "C" __global__ void some(const int *x, int *r) {
    __shared__ int s[64];
    int t = threadIdx.x, n = x[0] & 7;
    s[t] = x[t];
    if (t >= 8) {
        for (int k = 0; k < n; k++) s[t] = s[t ^ 16] + k;
    }
    r[t] = s[t];
}
// # Every lane has loaded before one of them stores.
extern "C" __global__ void reversed(const int *x, int *r) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t] = s[31 - t];
    r[t] = s[t];
    r[t] += 100 * r[31 - t];
}
// # Lanes that have parted and met again.
extern "C" __global__ void joined(const int *x, int *r) {
    __shared__ int s[64];
    int t = threadIdx.x, n = x[t];
    if (t & 1) s[t] = n;
    else {
        int sum = 0;
        for (int i = 0; i <= n % 7; i++) sum += x[(n + i) % 64];
        s[t] = sum;
    }
    r[t] = s[t ^ 15];
}
// # The lanes whose numbers are large agree on one of them.
extern "C" __global__ void elected(const int *x, int *r) {
    __shared__ volatile int who;
    int t = threadIdx.x;
    bool large = x[t] > 150;
    who = -1;
    if (large) who = t;
    if (large) atomicAdd(&r[who == t], 1);
}
// # The same through global memory, in a loop over more than the block has threads.
extern "C" __global__ void global(const int *x, int *r, int *between) {
    for (int i = threadIdx.x; i < 64; i += 32) {
        between[i] = 3 * x[i];
        r[i] = between[i ^ 31] + 1;
    }
}
// # Through volatile elements of global memory that several lanes use.
extern "C" __global__ void shared_by_some(const int *x, int *r) {
    volatile int *v = r;
    int t = threadIdx.x;
    v[32 + (t & 3)] = x[t & 3];
    v[t] = v[35 - (t & 3)];
}
// # Every lane has added before one of them reads.
extern "C" __global__ void counted(const int *x, int *r) {
    int t = threadIdx.x;
    atomicAdd(&r[32 + t % 5], x[t]);
    int n = r[32 + t % 5];
    atomicMax(&r[40 + t / 8], n + t);
    r[t] = r[40 + t / 8];
}
// # One store over another.
extern "C" __global__ void replaced(const int *x, int *r) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    s[(t + 16) % 32] = x[t];
    s[t ^ 5] += 1000;
    s[31 - t] += 2 * x[t];
    r[t] = s[t];
}
// # A branch with accesses ends the turns of a loop: no lane is a turn ahead of another.
extern "C" __global__ void last_in_turn(const int *x, int *r) {
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    s[t] = x[t];
    for (int i = 0; i < x[0]; i++) {
        for (int j = 0; j < (t & 3); j++) {
            sum += s[(t + j) & 31];
            if (j & 1) s[t] = (sum + j) & 1023;
        }
        s[t] += s[31 - t];
        if ((t + i) & 1) s[t] = (s[t ^ 2] + i) & 1023;
        else if (t & 2) sum += s[t ^ 1];
    }
    r[t] = sum;
}
// # The same with a branch that goes on, and one that leaves the loop.
extern "C" __global__ void leaves(const int *x, int *r) {
    __shared__ int s[32];
    int t = threadIdx.x, i;
    s[t] = x[t];
    for (i = 0; i < 20; i++) {
        int v = s[(t + 1) & 31];
        s[t] = (v + i) & 255;
        if (v & 1) continue;
        s[t ^ 1] += 3;
        if (s[t ^ 3] > 250) break;
    }
    r[t] = s[t] + 1000 * i;
}
