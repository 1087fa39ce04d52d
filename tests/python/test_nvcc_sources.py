"""CUDA C++ as people write it for nvcc: headers of C and C++, names without an include, host functions beside
kernels."""

from __future__ import annotations

import string
from pathlib import Path

import cuox
import exhaustive
import numpy as np
import pytest


def run(source: str, count: int = 1, dtype: str = "f8", options: object = None, name: str = "k") -> np.ndarray:
    """Compile a kernel `k(T *out)` and give back what one thread has written to `out`."""
    kernel = cuox.Program(source, options=options).compile("cubin").get_kernel(name)
    host = np.zeros(count, dtype)
    device = cuox.Device()
    device.set_current()
    stream = device.create_stream()
    buffer = device.allocate(host.nbytes, stream=stream)
    buffer.copy_from_host(host, stream=stream)
    cuox.launch(stream, cuox.LaunchConfig(grid=1, block=1), kernel, buffer)
    buffer.copy_to_host(host, stream=stream)
    stream.sync()
    buffer.close()
    return host


def value(expression: str, includes: str = "", options: object = None) -> float:
    """The value of an expression in device code."""
    lines = "".join(f"#include <{name}>\n" for name in includes.split())
    return float(
        run(
            f'{lines}extern "C" __global__ void k(double *out) {{ out[0] = (double)({expression}); }}', options=options
        )[0]
    )


HEADERS = [
    "stdio.h",
    "stdlib.h",
    "stdint.h",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstddef",
    "stddef.h",
    "math.h",
    "cmath",
    "float.h",
    "cfloat",
    "climits",
    "limits.h",
    "limits",
    "assert.h",
    "cassert",
    "string.h",
    "cstring",
    "type_traits",
    "utility",
    "algorithm",
    "complex",
    "iostream",
    "vector",
    "string",
    "map",
    "memory",
    "functional",
    "numeric",
    "array",
    "chrono",
    "time.h",
    "ctime",
    "stdbool.h",
    "stdarg.h",
    "cstdarg",
    "random",
    "thread",
    "sys/time.h",
    "unistd.h",
    "new",
    "initializer_list",
    "iomanip",
    "fstream",
    "sstream",
    "tuple",
    "stdexcept",
    "cuda_runtime.h",
    "device_launch_parameters.h",
]


@pytest.mark.parametrize("std", ["c++11", "c++14", "c++17", "c++20"])
def test_headers_are_found_and_go_together(std: str) -> None:
    source = "".join(f"#include <{name}>\n" for name in HEADERS)
    compiled = cuox.Program(source + 'extern "C" __global__ void k(int *p) { *p = 1; }', options={"std": std}).compile(
        "ptx"
    )
    assert compiled.kernel_names == ["k"]
    backwards = "".join(f"#include <{name}>\n" for name in reversed(HEADERS))
    logs = _Log()
    cuox.Program(backwards + 'extern "C" __global__ void k(int *p) { *p = 1; }', options={"std": std}).compile(
        "ptx", logs=logs
    )
    assert logs.text == ""


class _Log:
    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


# Words that stand for something else in a program: the headers must do without them.
WORDS = "to from values elements bytes sum list bits sign leaf best text name most least product power half low high angle condition place rest old op by".split()


@pytest.mark.parametrize("std", ["c++11", "c++14", "c++17", "c++20"])
@pytest.mark.parametrize("named_by", ["source", "option"])
def test_headers_do_without_the_names_of_a_programs_macros(std: str, named_by: str) -> None:
    # NVRTC's own declarations, which an option's macros change too, have `T` and parameters of one small letter.
    names = (
        [*string.ascii_letters, *WORDS]
        if named_by == "source"
        else [name for name in string.ascii_uppercase if name != "T"]
    )
    headers = "".join(f"#include <{name}>\n" for name in [*HEADERS, "bit", "concepts", "numbers"])
    kernel = 'extern "C" __global__ void kernel(double *out) { *out = std::hypot(3, 4) + fma(2, 3, 1.5f) + pow(2, 0.5f) + std::min(1, 2); }'
    macros = "".join(f"#define {name} +\n" for name in names) if named_by == "source" else ""
    options = {"std": std} | ({"define_macro": [(name, "+") for name in names]} if named_by == "option" else {})
    assert cuox.Program(macros + headers + kernel, options=options).compile("ptx").kernel_names == ["kernel"]


@pytest.mark.parametrize("name", exhaustive.some(HEADERS, HEADERS[::3]))
def test_each_header_alone(name: str) -> None:
    assert value("1", name) == 1


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("sizeof(uint8_t) + sizeof(int16_t) + sizeof(uint32_t) + sizeof(int64_t)", 15),
        ("M_PI", np.pi),
        ("INFINITY", np.inf),
        ("-INFINITY", -np.inf),
        ("isnan(NAN)", 1),
        ("INT_MAX", 2**31 - 1),
        ("INT_MIN", -(2**31)),
        ("UINT_MAX", 2**32 - 1),
        ("LLONG_MAX", float(2**63 - 1)),
        ("UINT64_MAX", float(2**64 - 1)),
        ("INT32_MAX", 2**31 - 1),
        ("SIZE_MAX", float(2**64 - 1)),
        ("FLT_MAX", np.finfo("f4").max),
        ("FLT_EPSILON", np.finfo("f4").eps),
        ("DBL_MIN", np.finfo("f8").tiny),
        ("CHAR_BIT", 8),
        ("RAND_MAX", 2**31 - 1),
        ("HUGE_VAL", np.inf),
        ("offsetof(float4, z)", 8),
        ("(uint)3 + (ushort)4", 7),
        ("std::sqrt(2.0)", np.sqrt(2)),
        ("std::abs(-2.5)", 2.5),
        ("std::min(3, 2) + std::max(4, 5)", 7),
        ("std::pow(2.0, 3)", 8),
        ("std::isnan(0.0 / out[0])", 1),
        ("std::numeric_limits<int>::max()", 2**31 - 1),
        ("std::is_same<int, int>::value", 1),
        ("sizeof(std::size_t)", 8),
        ("std::plus<int>()(2, 3)", 5),
        ('strlen("four")', 4),
        ("pow(2, 10)", 1024),
        ("sqrt(16)", 4),
        ("fmax(2.0f, 3.0)", 3),
        ("floor(7 / 2)", 3),
    ],
)
def test_names_that_need_no_include(expression: str, expected: float) -> None:
    assert value(expression) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("includes", "expression", "expected"),
    [
        ("algorithm", "std::clamp(7, 0, 5)", 5),
        ("algorithm", "std::max({3, 9, 4})", 9),
        ("cmath", "std::hypot(3.0f, 4.0f)", 5),
        ("cmath", "std::fmod(7.5, 2)", 1.5),
        ("cmath", "sizeof(std::sqrt(2.0f))", 4),
        ("cmath", "sizeof(std::sqrt(2))", 8),
        ("cmath", "std::fpclassify(0.0) == FP_ZERO", 1),
        ("complex", "std::abs(std::complex<double>(3, 4) * std::complex<double>(0, 1))", 5),
        ("complex", "(std::complex<double>(1, 2) / std::complex<double>(3, -4)).imag()", 0.4),
        ("complex", "std::exp(std::complex<double>(0, M_PI)).real()", -1),
        ("complex", "std::sqrt(std::complex<double>(-4, 0)).imag()", 2),
        ("limits", "std::numeric_limits<float>::infinity()", np.inf),
        ("limits", "std::numeric_limits<double>::lowest()", -np.finfo("f8").max),
        ("limits", "std::numeric_limits<unsigned char>::digits", 8),
        ("limits", "std::numeric_limits<long long>::digits10", 18),
        ("limits", "std::numeric_limits<float>::epsilon()", np.finfo("f4").eps),
        ("type_traits", "std::is_integral<unsigned>::value + std::is_floating_point<int>::value", 1),
        ("type_traits", "sizeof(std::conditional<true, char, double>::type)", 1),
        ("type_traits", "std::is_convertible<int, double>::value && !std::is_convertible<int *, int>::value", 1),
        ("type_traits", "sizeof(std::common_type<int, double>::type)", 8),
        ("type_traits", "std::is_same<std::decay<const int (&)[3]>::type, const int *>::value", 1),
        ("type_traits", "std::is_same<std::make_unsigned<long long>::type, unsigned long long>::value", 1),
        ("utility", "std::make_pair(3, 4.5).second", 4.5),
        ("utility", "std::index_sequence_for<int, int, char>::size()", 3),
        ("array", "std::array<int, 3>{{1, 2, 3}}[2]", 3),
        ("numeric", "std::gcd(12, 18)", 6),
        ("cstring", 'std::memcmp("abc", "abd", 3)', -1),
        ("cstdlib", "std::abs(-7)", 7),
        ("stdlib.h", "div(17, 5).rem", 2),
        ("climits", "CHAR_MAX", 127),
    ],
)
def test_what_headers_give(includes: str, expression: str, expected: float) -> None:
    assert value(expression, includes) == pytest.approx(expected, rel=1e-15)


def test_constants_are_constant_expressions() -> None:
    source = """
    #include <limits>
    #include <math.h>
    __device__ float table[2] = {-INFINITY, INFINITY};
    constexpr float big = std::numeric_limits<float>::max();
    static_assert(std::numeric_limits<int>::max() == INT_MAX, "");
    extern "C" __global__ void k(double *out) { out[0] = table[0]; out[1] = table[1]; out[2] = big; }
    """
    assert run(source, 3).tolist() == [-np.inf, np.inf, float(np.finfo("f4").max)]


def test_swap_and_friends_work_on_arrays() -> None:
    source = """
    #include <algorithm>
    #include <numeric>
    extern "C" __global__ void k(double *out) {
        int a[5] = {5, 1, 4, 2, 3};
        std::swap(a[0], a[4]);
        std::reverse(a, a + 5);
        out[0] = a[0];
        out[1] = *std::max_element(a, a + 5);
        out[2] = std::accumulate(a, a + 5, 0);
        int sorted[4] = {1, 3, 5, 7};
        out[3] = std::lower_bound(sorted, sorted + 4, 5) - sorted;
    }"""
    assert run(source, 4).tolist() == [5, 5, 15, 2]


@pytest.mark.parametrize(
    "source",
    [
        'typedef unsigned long long uint64_t; typedef unsigned char uint8_t;\nextern "C" __global__ void k(double *out) { out[0] = sizeof(uint64_t); }',
        'using uint64_t = unsigned long;\nextern "C" __global__ void k(double *out) { out[0] = sizeof(uint64_t); }',
        '#define INT_MAX 8\nextern "C" __global__ void k(double *out) { out[0] = INT_MAX; }',
        '#ifndef M_PI\n#define M_PI 8\n#endif\nextern "C" __global__ void k(double *out) { out[0] = M_PI; }',
        '__constant__ float M_PI = 8;\nextern "C" __global__ void k(double *out) { out[0] = M_PI; }',
        'enum Bits { CHAR_BIT = 8 };\nextern "C" __global__ void k(double *out) { out[0] = CHAR_BIT; }',
        "namespace std { template <class T> __device__ T min(T a, T b) { return a + b; } }\n"
        'extern "C" __global__ void k(double *out) { out[0] = std::min(3, 5); }',
        '__device__ int strlen(const char *) { return 8; }\nextern "C" __global__ void k(double *out) { out[0] = strlen(""); }',
        'struct limits { int INT_MAX; };\nextern "C" __global__ void k(double *out) { limits l; l.INT_MAX = 8; out[0] = l.INT_MAX; }',
    ],
)
def test_a_program_may_define_such_names_itself(source: str) -> None:
    assert run(source)[0] == 8


def test_lines_of_messages_stay_the_programs() -> None:
    with pytest.raises(cuox.CompileError, match=r"mine\.cu\(3\): error: identifier .no_such. is undefined"):
        cuox.Program(
            'extern "C" __global__ void k(float *p) {\n  p[0] = M_PI;\n  p[1] = no_such;\n}', "mine.cu"
        ).compile("ptx")


def test_a_users_own_header_goes_first(tmp_path) -> None:
    (tmp_path / "limits.h").write_text("#define LIMIT 42\n")
    (tmp_path / "types.h").write_text("inline __device__ uint32_t twice(uint32_t x) { return 2 * x; }\n")
    source = (
        '#include <limits.h>\n#include "types.h"\nextern "C" __global__ void k(double *out) { out[0] = twice(LIMIT); }'
    )
    assert run(source, options={"include_path": str(tmp_path)})[0] == 84


def test_the_systems_c_library_does_not_stand_in_the_way() -> None:
    assert value("sizeof(uint16_t) + INT_MAX", "stdint.h limits.h", {"include_path": "/usr/include"}) == 2**31 + 1


def test_host_functions_beside_kernels_are_left_out() -> None:
    source = """
    #include <stdio.h>
    #include <vector>
    int calls;
    struct Shape { int n; Shape(int count) : n(count) {} int size() const { return n; } };
    static float reference(const float *x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
    __host__ void report(float x) { printf("%f", x); }
    __host__ __device__ int both(int x) { return x + 1; }
    extern "C" __global__ void k(double *out) { out[0] = both(4); }
    """
    assert run(source)[0] == 5


@pytest.mark.parametrize(
    "host",
    [
        "int main() { double *d; cudaMalloc(&d, 8); k<<<1, 1>>>(d); return 0; }",
        "#include <vector>\nstd::vector<int> sizes() { return std::vector<int>(3); }",
        "#include <iostream>\nvoid say() { std::cout << 3 << std::endl; }",
        "void go(double *d) { k<<<1, 1>>>(d); }",
    ],
)
def test_host_code_is_an_error_that_says_what_compiles_it(host: str) -> None:
    with pytest.raises(cuox.CompileError, match=r"cuox\.load"):
        cuox.Program('extern "C" __global__ void k(double *out) { out[0] = 1; }\n' + host).compile("ptx")


def test_a_header_of_a_package_that_is_missing_names_the_command() -> None:
    with pytest.raises(
        cuox.CompileError,
        match=r"cutlass/cutlass\.h comes with a package that is not installed: pip install nvidia-cutlass",
    ):
        cuox.Program("#include <cutlass/cutlass.h>\n").compile("ptx")
    with pytest.raises(
        cuox.CompileError, match=r"my_own\.h was not found: name its folder, ProgramOptions\(include_path"
    ):
        cuox.Program('#include "my_own.h"\n').compile("ptx")


def test_a_template_without_instances_says_how_to_get_one() -> None:
    code = cuox.Program("template <typename T, int N> __global__ void scale(T *x) { x[0] *= N; }").compile("ptx")
    with pytest.raises(cuox.NotFoundError, match=r'scale is a template.*name_expressions=\["scale<float, 4>"\]'):
        code.get_kernel("scale")


def test_a_folder_without_crt_is_completed(tmp_path) -> None:
    """As in PyTorch's environments, whose headers lack `crt/`."""
    import os
    import shutil

    from cuox.cuda import pathfinder

    whole = pathfinder.find_nvidia_header_directory("cudart")
    if whole is None or not os.path.isfile(os.path.join(whole, "crt", "mma.h")):
        pytest.skip("the headers of crt/ are not installed")
    for name in os.listdir(whole):
        if name.endswith((".h", ".hpp")):
            shutil.copy(os.path.join(whole, name), tmp_path / name)
    pathfinder.set_path("cudart", tmp_path)
    try:
        source = '#include <mma.h>\nusing namespace nvcuda;\nextern "C" __global__ void k(double *out) { out[0] = 3; }'
        assert run(source, options={"arch": "sm_80"})[0] == 3
    finally:
        pathfinder.set_path("cudart", None)


def test_assert_is_left_out_with_ndebug() -> None:
    assert value("1", "assert.h", {"define_macro": "NDEBUG"}) == 1
    source = '#define NDEBUG\n#include <cassert>\nextern "C" __global__ void k(double *out) { assert(out == 0); out[0] = 2; }'
    assert run(source)[0] == 2


def test_printf_memcpy_and_malloc_after_their_headers() -> None:
    source = """
    #include <stdio.h>
    #include <string.h>
    #include <stdlib.h>
    extern "C" __global__ void k(double *out) {
        double *x = (double *)malloc(16);
        memset(x, 0, 16);
        x[1] = 2.5;
        memmove(x, x + 1, 8);
        memcpy(out, x, 16);
        free(x);
        if (out == NULL) printf("never\\n");
    }"""
    assert run(source, 2).tolist() == [2.5, 2.5]


def _has(header: str) -> bool:
    from cuox.cuda import pathfinder

    try:
        return any(Path(folder, header).is_file() for folder in pathfinder.find_cuda_include_dirs())
    except cuox.NotFoundError:
        return False


@pytest.mark.skipif(not _has("cub/cub.cuh"), reason="CCCL is not installed")
def test_all_of_cub_and_the_standard_headers_go_together() -> None:
    source = """
    #include <cub/cub.cuh>
    #include <cstdint>
    #include <limits>
    #include <algorithm>
    extern "C" __global__ void k(double *out) {
        using Reduce = cub::BlockReduce<uint32_t, 1>;
        __shared__ typename Reduce::TempStorage storage;
        out[0] = std::max<uint32_t>(Reduce(storage).Sum(7u), 3u);
    }"""
    assert run(source)[0] == 7


@pytest.mark.skipif(not _has("cuda/std/cstdint"), reason="CCCL is not installed")
@pytest.mark.parametrize("first", exhaustive.some([True, False], 1))
def test_libcudacxx_and_the_standard_headers_go_together(first: bool) -> None:
    ours = "#include <stdint.h>\n#include <limits.h>\n#include <float.h>\n#include <time.h>\n#include <type_traits>\n#include <utility>\n"
    theirs = "#include <cuda/std/cstdint>\n#include <cuda/std/limits>\n#include <cuda/atomic>\n"
    source = (
        ours + theirs if first else theirs + ours
    ) + 'extern "C" __global__ void k(double *out) { out[0] = sizeof(int64_t); }'
    assert run(source)[0] == 8


@pytest.mark.parametrize("std", ["c++11", "c++17", "c++20"])
def test_tuples(std: str) -> None:
    source = r"""
#include <tuple>
extern "C" __global__ void k(int *out)
{
    std::tuple<int, float, double> t{1, 2.5f, 3.0};
    auto u = std::make_tuple(4, 5u);
    std::get<0>(t) += std::get<0>(u);
    int a;
    unsigned b;
    std::tie(a, b) = u;
    std::tuple<int, int> x(1, 2), y(1, 3);
    out[0] = std::get<0>(t);
    out[1] = (int)std::get<1>(t) + a + (int)b;
    out[2] = (x < y) + 2 * (x == x) + 4 * (x != y);
    out[3] = std::tuple_size<decltype(t)>::value;
}
"""
    assert run(source, 4, "i4", cuox.ProgramOptions(std=std)).tolist() == [5, 11, 7, 3]


def test_concepts_formats_and_operator_names() -> None:
    source = r"""
#include <concepts>
#include <cinttypes>
#include <iso646.h>
template <std::integral T> __device__ T twice(T x) { return x + x; }
template <std::floating_point T> __device__ T twice(T x) { return x * T(2.5); }
extern "C" __global__ void k(int *out)
{
    uint64_t n = out[0] + 5;
    if (n == 0) printf("%" PRIu64 "\n", n);
    out[0] = twice(3);
    out[1] = twice(4.0f);
    out[2] = n and not out[0];
    out[3] = std::same_as<int, int> + 2 * std::totally_ordered<float>;
}
"""
    assert run(source, 4, "i4", cuox.ProgramOptions(std="c++20")).tolist() == [6, 10, 0, 3]


def test_what_is_removed_or_ambiguous_is_explained() -> None:
    for source, message in (
        ("texture<float, 2> t;\n__global__ void k(float *o) { o[0] = tex2D(t, 0.f, 0.f); }", "cudaTextureObject_t"),
        ("__global__ void k(int *o) { o[0] = __shfl_down(o[0], 1); }", r"__shfl_down_sync\(0xffffffff"),
        ("#include <algorithm>\n__global__ void k(int *o) { std::sort(o, o + 4); }", "std::sort is for host code"),
        (
            "__global__ void c(int *) {}\n__global__ void k(int *o) { c<<<1, 1>>>(o); }",
            r"a launch by <<<...>>> is for host code",
        ),
    ):
        with pytest.raises(cuox.CompileError, match=message):
            cuox.Program(source).compile("ptx")
    both = cuox.Program(
        "__global__ void foo(int *o) { o[0] = 1; } __global__ void foo(float *o) { o[0] = 1; }"
    ).compile("ptx")
    with pytest.raises(cuox.NotFoundError, match=r"_Z3fooPi \(foo\(int\*\)\)"):
        both.get_kernel("foo")
    assert both.get_kernel("_Z3fooPf")


def test_functions_of_several_numbers_leave_the_programs_own_types_to_it() -> None:
    source = """
    #include <math.h>
    struct Dual { double x; };
    __device__ Dual pow(const Dual &a, int n) { return {a.x * n}; }
    __device__ Dual fma(const Dual &a, const Dual &b, int n) { return {a.x * b.x + n}; }
    extern "C" __global__ void k(double *out) {
        Dual d = {2.5};
        out[0] = pow(d, 3).x + fma(d, d, 1).x + pow(2, 3);
    }
    """
    assert run(source).tolist() == [7.5 + 7.25 + 8]


@pytest.mark.parametrize("std", ["c++17", "c++20"])
def test_register_is_taken_as_a_host_compiler_does(std: str) -> None:
    source = 'extern "C" __global__ void k(double *out) { register double x = 4; out[0] = x; }'
    assert run(source, options={"std": std}).tolist() == [4]


@pytest.mark.parametrize("std", ["c++14", "c++17"])
def test_members_are_named_in_initialisers(std: str) -> None:
    source = """
    struct Base { char name; int votes; };
    extern "C" __global__ void k(double *out) {
        Base bases[2] = {{.name = 'A', .votes = 3}, { .name = 'C', .votes = 5}};
        out[0] = bases[1].votes + (bases[0].name == 'A');
    }
    """
    assert run(source, options={"std": std}).tolist() == [6]


def test_namespaces_of_host_headers_can_be_opened() -> None:
    source = """
    #include <chrono>
    #include <err.h>
    #include <sys/wait.h>
    using namespace std::chrono;
    extern "C" __global__ void k(double *out) { out[0] = 1; }
    """
    assert run(source).tolist() == [1]


def test_a_byte_order_mark_is_no_token() -> None:
    assert run('\ufeffextern "C" __global__ void k(double *out) { out[0] = 1; }').tolist() == [1]


def test_integers_of_128_bits_need_no_option() -> None:
    source = 'extern "C" __global__ void k(long long *out) { unsigned __int128 x = 1; x <<= 100; out[0] = (long long)(x >> 90); }'
    assert run(source, 1, "i8").tolist() == [1024]


def test_headers_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    files = {
        "a.h": '#include "sub/b.h"\n#include <sub/c.h>\n',
        # Found under two names, from a header that is in memory too: once, whichever way it says so.
        "sub/b.h": '#include "c.h"\n#include "d.h"\n#define SEVEN 7\n',
        "sub/c.h": "#pragma once\n#include <cstdint>\nstruct S { uint32_t x; };\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text("\ufeff" + text, encoding="utf-8")
    (tmp_path / "sub" / "d.h").write_text("#pragma once\nstruct D { int y; };\n")
    source = """\ufeff#include "a.h"
    #include "sub/d.h"
    extern "C" __global__ void k(double *out) { S s = {SEVEN}; D d = {8}; out[0] = s.x; out[1] = d.y; }
    """
    assert run(source, 2, options={"include_path": [str(tmp_path)]}).tolist() == [7, 8]
    # Tokens of that kind elsewhere are what they are.
    (tmp_path / "sub" / "d.h").write_text("struct D { int y; };\n\ufeff\n", encoding="utf-8")
    with pytest.raises(cuox.CompileError, match="unrecognized token"):
        run(source, 2, options={"include_path": [str(tmp_path)]})


def test_headers_of_the_system_are_for_host_code(tmp_path: Path) -> None:
    folders = [Path("/usr/include"), *Path("/usr/include").glob("*-linux-gnu")]
    if not any((folder / "sys" / "un.h").is_file() for folder in folders):
        pytest.skip("the C library's headers are not installed")
    (tmp_path / "helper.h").write_text(
        "#include <sys/un.h>\n#include <mntent.h>\n#include <sys/types.h>\ntypedef pid_t Process;\n"
    )
    source = """
    #include "helper.h"
    extern "C" __global__ void k(double *out) { Process p = 5; out[0] = p; }
    """
    options = {"include_path": [str(tmp_path)]}
    assert run(source, options=options).tolist() == [5]
    # A header of the program's own goes before one of the system with its name.
    (tmp_path / "mntent.h").write_text("#define MINE 6\n")
    assert run(source.replace("= p;", "= MINE;"), options=options).tolist() == [6]
    with pytest.raises(cuox.CompileError, match="no_such_header.h"):
        run(source + "#include <no_such_header.h>\n", options=options)


def test_macros_tell_the_hosts_system() -> None:
    source = """
    #if defined(_WIN32)
    #define ADD(a, b) InterlockedAdd(a, b)
    #elif defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    #define ADD(a, b) __sync_add_and_fetch(a, b)
    #else
    #error Unsupported system
    #endif
    extern "C" __global__ void k(double *out) { out[0] = 3; }
    """
    assert run(source).tolist() == [3]
    with pytest.raises(cuox.CompileError, match="for another reason"):
        run("#error for another reason\n" + source)


def test_containers_and_algorithms_of_thrust_are_for_host_code() -> None:
    from cuox.cuda import pathfinder

    if pathfinder.find_nvidia_header_directory("cccl") is None:
        pytest.skip("CCCL is not installed")
    source = """
    #include <thrust/device_vector.h>
    #include <thrust/host_vector.h>
    #include <thrust/sort.h>
    #include <thrust/transform_reduce.h>
    #include <thrust/complex.h>
    #include <thrust/iterator/counting_iterator.h>
    struct Twice { __host__ __device__ double operator()(thrust::tuple<double, int> t) const { return 2 * thrust::get<0>(t); } };
    extern "C" __global__ void k(double *out)
    {
        thrust::complex<double> i(0, 1);
        thrust::counting_iterator<int> three(3);
        out[0] = (i * i).real();
        out[1] = Twice()(thrust::make_tuple(2.5, 1));
        out[2] = thrust::plus<double>()(three[1], 1.0);
    }
    """
    assert run(source, 3).tolist() == [-1, 5, 5]


def test_cudas_headers_for_graphics_libraries_are_for_host_code() -> None:
    source = """
    #include <cuda_gl_interop.h>
    extern "C" __global__ void k(double *out) { out[0] = 4; }
    """
    assert run(source).tolist() == [4]
