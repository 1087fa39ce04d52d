// The algorithms of compute.py by the C++ library with std::execution::par: `algorithm milliseconds` a line, medians of 7 calls.
//
//     g++ -O3 -march=native -std=c++17 parallel_stl.cpp -ltbb -o parallel_stl && ./parallel_stl 24
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <numeric>
#include <random>
#include <vector>

template <class Prepare, class Work> static void row(const char *name, Prepare prepare, Work work) {
    std::vector<double> times;
    for (int turn = 0; turn < 8; ++turn) {
        prepare();
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (turn > 0)
            times.push_back(time.count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%s %.3f\n", name, times[times.size() / 2]);
}

int main(int count, char **arguments) {
    const size_t n = size_t(1) << (count > 1 ? std::atoi(arguments[1]) : 24);
    std::mt19937 random;
    std::vector<float> x(n), y(n), z(n);
    std::vector<uint32_t> u(n), v(n);
    for (size_t i = 0; i < n; ++i) {
        x[i] = std::uniform_real_distribution<float>()(random);
        u[i] = random();
    }
    const auto par = std::execution::par;
    volatile float sum = 0;
    const auto nothing = [] {};
    row("sum", nothing, [&] { sum = std::reduce(par, x.begin(), x.end(), 0.0f); });
    row("scan", nothing, [&] { std::inclusive_scan(par, x.begin(), x.end(), y.begin()); });
    row("transform", nothing, [&] { std::transform(par, x.begin(), x.end(), y.begin(), [](float a) { return a * a + 1; }); });
    row("select", nothing, [&] { std::copy_if(par, x.begin(), x.end(), y.begin(), [](float a) { return a > 0.5f; }); });
    row("sort of uint32", [&] { v = u; }, [&] { std::sort(par, v.begin(), v.end()); });
    std::vector<size_t> segments((n + 1023) / 1024);
    std::iota(segments.begin(), segments.end(), 0);
    const auto sort_segment = [&](size_t k) { std::sort(z.begin() + k * 1024, z.begin() + std::min(n, (k + 1) * 1024)); };
    row("sorts of segments", [&] { z = x; }, [&] { std::for_each(par, segments.begin(), segments.end(), sort_segment); });
    row("stable sort of float32", [&] { z = x; }, [&] { std::stable_sort(par, z.begin(), z.end()); });
}
