"""`cuox.pycuda.compiler`: sources as PyCUDA's users write them, nvcc's options, messages, linking, and the headers that
come with it.
"""

from __future__ import annotations

import os
import string
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import cuox
import cuox.pycuda.autoinit
import numpy as np
import pytest
from cuox import _native
from cuox._internal.nvcc_options import translate
from cuox.pycuda import characterize, compiler, driver
from cuox.pycuda._compiler.dynamic import find_device_library
from cuox.pycuda._compiler.linkage import wrap
from cuox.pycuda.compiler import DynamicModule, DynamicSourceModule, SourceModule

DOUBLIFY = "__global__ void doublify(float *a) { a[threadIdx.x] *= 2; }"


def run(
    module: compiler.CudaModule, name: str, host: np.ndarray, *more: object, block: tuple[int, int, int] = (4, 1, 1)
) -> np.ndarray:
    """Run a kernel on a copy of an array, and give back what the copy is then."""
    device = driver.mem_alloc(host.nbytes)
    driver.memcpy_htod(device, host)
    module.get_function(name)(device, *more, block=block, grid=(1, 1))
    result = np.empty_like(host)
    driver.memcpy_dtoh(result, device)
    return result


def test_a_source_becomes_a_module() -> None:
    host = np.arange(4, dtype=np.float32)
    assert run(SourceModule(DOUBLIFY), "doublify", host).tolist() == [0, 2, 4, 6]


def test_a_kernel_that_is_not_there_is_an_error() -> None:
    with pytest.raises(driver.Error, match="nothing"):
        SourceModule(DOUBLIFY).get_function("nothing")


def test_globals_are_found() -> None:
    module = SourceModule("__device__ int counter[3] = {7, 8, 9}; __constant__ double factor;" + DOUBLIFY)
    address, size = module.get_global("counter")
    values = np.empty(3, np.int32)
    driver.memcpy_dtoh(values, address)
    assert (values.tolist(), size, module.get_global("factor")[1]) == ([7, 8, 9], 12, 8)


def test_templates_of_headers_may_be_included() -> None:
    source = """
    // a brace in a comment {
    #include <cmath>
    #include <stdio.h>
    #include <type_traits>
    __global__ void k(double *a) { a[threadIdx.x] = std::is_same<int, int>::value + std::sqrt(a[threadIdx.x]); }
    """
    assert run(SourceModule(source), "k", np.array([0.0, 1, 4, 9])).tolist() == [1, 2, 3, 4]


def test_kernels_in_headers_of_the_user_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "kernels.cuh").write_text(DOUBLIFY)
    for include in ('#include "kernels.cuh"', "#include <kernels.cuh>"):
        module = SourceModule(include, include_dirs=[str(tmp_path)])
        assert run(module, "doublify", np.ones(4, np.float32)).tolist() == [2, 2, 2, 2]
    # A template in such a header is C++ all the same.
    (tmp_path / "twice.cuh").write_text("template <class T> __device__ T twice(T x) { return x + x; }")
    source = '#include "twice.cuh"\n__global__ void k(float *a) { a[threadIdx.x] = twice(a[threadIdx.x]); }'
    module = SourceModule(source, options=["-I", str(tmp_path)])
    assert run(module, "k", np.ones(4, np.float32)).tolist() == [2, 2, 2, 2]


def test_an_include_inside_a_function_stays_there(tmp_path: Path) -> None:
    (tmp_path / "body.inc").write_text("a[threadIdx.x] = 5;")
    source = "__global__ void k(float *a) {\n#include <body.inc>\n}"
    assert run(SourceModule(source, include_dirs=[str(tmp_path)]), "k", np.ones(4, np.float32)).tolist() == [5] * 4
    assert 'extern "C++"' not in wrap(source)


def test_without_extern_c_overloads_and_templates_work() -> None:
    source = """
    template <class T> __device__ T one(T) { return 1; }
    extern "C" __global__ void k(float *a) { a[threadIdx.x] = one(2.0f); }
    """
    assert run(SourceModule(source, no_extern_c=True), "k", np.zeros(4, np.float32)).tolist() == [1] * 4
    with pytest.raises(driver.CompileError, match="no_extern_c=True"):
        SourceModule(source)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("__global__ void k() { missing; }", 1),
        ("\n\n__global__ void k() { missing; }", 3),
        ("#include <math.h>\n__global__ void k() { missing; }", 2),
        ('/* #include "x" */\n#include <math.h>\n#include <stdio.h>\n\n__global__ void k()\n{ missing; }', 6),
    ],
)
def test_messages_name_the_line_of_the_source(source: str, line: int) -> None:
    with pytest.raises(driver.CompileError) as caught:
        SourceModule(source)
    error = caught.value
    assert f"kernel.cu({line}): error" in error.stderr and "missing" in error.stderr
    assert "kernel.cu" in error.msg and error.command_line[-1] == "kernel.cu" and not error.stdout
    assert error.msg in str(error) and "missing" in str(error)


def test_texture_references_are_explained() -> None:
    with pytest.raises(driver.CompileError, match="cudaTextureObject_t"):
        SourceModule("texture<float, 2> tex;\n__global__ void k(float *a) { a[0] = tex2D(tex, 0, 0); }")


def test_text_may_come_from_a_generator_of_code() -> None:
    class Code:
        def __str__(self) -> str:
            return DOUBLIFY

    for source in (Code(), DOUBLIFY.encode()):
        assert run(SourceModule(source), "doublify", np.ones(4, np.float32)).tolist() == [2] * 4  # type: ignore[arg-type]


def test_a_header_that_is_missing_is_named() -> None:
    with pytest.raises(driver.CompileError, match="no_such_header.h"):
        SourceModule("#include <no_such_header.h>\n" + DOUBLIFY)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["-O3"], []),
        (["-O", "2"], []),
        (["-use_fast_math"], ["--use_fast_math"]),
        (["--use_fast_math"], ["--use_fast_math"]),
        (["-I", "a", "-Ib", "--include-path=c"], ["--include-path=a", "--include-path=b", "--include-path=c"]),
        (["-DN=3", "-D", "M", "--define-macro=K=1"], ["--define-macro=N=3", "--define-macro=M", "--define-macro=K=1"]),
        (["-maxrregcount=32"], ["--maxrregcount=32"]),
        (["-maxrregcount", "32"], ["--maxrregcount=32"]),
        (["--ptxas-options=-v,-O1"], ["--ptxas-options=-v", "--ptxas-options=-O1"]),
        (["-Xptxas", "-dlcm=ca"], ["--ptxas-options=-dlcm=ca"]),
        (["-std=c++14"], ["--std=c++14"]),
        (["--std c++14"], ["--std=c++14"]),
        (["-lineinfo", "-G", "-g"], ["--generate-line-info", "--device-debug"]),
        (["-rdc=true", "-lcudadevrt", "-L/somewhere"], ["--relocatable-device-code=true"]),
        (["-m64", "-w", "--expt-relaxed-constexpr"], ["--disable-warnings"]),
        (["-ftz=true", "-prec-div", "false", "-fmad=false"], ["--ftz=true", "--prec-div=false", "--fmad=false"]),
        (["", " -lineinfo "], ["--generate-line-info"]),
        (["-e", "f", "--entries", "g", "--entries=h"], []),
    ],
)
def test_options_of_nvcc_are_translated(words: list[str], options: list[str]) -> None:
    read = translate(words)
    assert (read.options, read.unknown, read.ignored) == (options, [], [])


@pytest.mark.parametrize(
    ("words", "arch", "code"),
    [
        (["-arch=sm_80"], "sm_80", None),
        (["-arch", "sm_80", "-code", "sm_80"], "sm_80", "sm_80"),
        (["--gpu-architecture=compute_90"], "compute_90", None),
        (["-gencode", "arch=compute_80,code=sm_80"], "compute_80", "sm_80"),
        (["-gencode=arch=compute_80,code=compute_80"], "compute_80", "compute_80"),
    ],
)
def test_architectures_are_read(words: list[str], arch: str, code: str | None) -> None:
    read = translate(words)
    assert (read.arch, read.code, read.options, read.unknown) == (arch, code, [], [])


def test_options_for_the_host_compiler_are_ignored_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="-Xcompiler -fPIC") as caught:
        SourceModule(DOUBLIFY, options=["-Xcompiler", "-fPIC"])
    assert caught[0].filename == __file__


def test_options_that_are_wrong_are_errors() -> None:
    with pytest.raises(driver.CompileError, match="lacks its value"):
        SourceModule(DOUBLIFY, options=["-maxrregcount"])
    with pytest.raises(driver.CompileError, match="c--20"):
        SourceModule(DOUBLIFY, options=["-std=c--20"])
    with pytest.raises(driver.CompileError, match="no-such-option"):
        SourceModule(DOUBLIFY, options=["--no-such-option"])
    with pytest.raises(TypeError, match="list of texts"):
        SourceModule(DOUBLIFY, options="-O3")
    with pytest.raises(ValueError, match="target"):
        compiler.compile(DOUBLIFY, target="exe")


def test_macros_and_options_reach_the_compiler() -> None:
    source = "__global__ void k(float *a) { a[threadIdx.x] = FACTOR; }"
    assert run(SourceModule(source, options=["-DFACTOR=3"]), "k", np.zeros(4, np.float32)).tolist() == [3] * 4
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "DEFAULT_NVCC_FLAGS", ["-DFACTOR=5"])
        assert run(SourceModule(source), "k", np.zeros(4, np.float32)).tolist() == [5] * 4


def test_an_old_architecture_is_raised_and_runs() -> None:
    with pytest.warns(UserWarning, match="raised"):
        module = SourceModule(DOUBLIFY, arch=f"sm_{_native.nvrtc_info()[2][0] - 5}")
    assert run(module, "doublify", np.ones(4, np.float32)).tolist() == [2] * 4
    assert run(SourceModule(DOUBLIFY, arch="sm_80"), "doublify", np.ones(4, np.float32)).tolist() == [2] * 4
    major, minor = cuox.Device().compute_capability
    own = f"sm_{major}{minor}"
    assert run(SourceModule(DOUBLIFY, arch=own, code=own), "doublify", np.ones(4, np.float32)).tolist() == [2] * 4


def test_a_newer_architecture_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="newer than the current device"):
        compiler.CudaModule()._check_arch("sm_999")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiler.CudaModule()._check_arch("sm_75")


def test_warnings_of_the_compiler_are_shown() -> None:
    with pytest.warns(UserWarning, match="never referenced") as caught:
        SourceModule("__global__ void k() { int forgotten; }")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SourceModule("__global__ void k() { int forgotten; }", options=["-w"])


def test_kept_files_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    SourceModule(DOUBLIFY, keep=True, cache_dir=False)
    folder = Path(capsys.readouterr().out.strip().rpartition(" ")[2])
    assert DOUBLIFY in (folder / "kernel.cu").read_text()
    assert len([file for file in folder.iterdir() if file.suffix in (".ptx", ".cubin")]) == 1


def test_compile_makes_code() -> None:
    assert b".entry doublify" in compiler.compile(DOUBLIFY, target="ptx")
    assert len(compiler.compile(DOUBLIFY)) > 100
    ptx = compiler.compile_plain('extern "C" ' + DOUBLIFY, ["-arch=compute_80"], target="ptx")
    assert b".target sm_80" in ptx
    assert run(_from_buffer(ptx), "doublify", np.ones(4, np.float32)).tolist() == [2] * 4


def _from_buffer(code: bytes) -> compiler.CudaModule:
    module = compiler.CudaModule()
    module.module = driver.module_from_buffer(code)
    return module


def test_debugging_compiles_for_a_debugger(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, cuox.pycuda.autoinit\n"
        "from cuox.pycuda.compiler import SourceModule\n"
        f"SourceModule({DOUBLIFY!r})\n"
        "print(__name__, sys.argv[1:])\n"
    )
    done = run_script(f"import sys; from cuox.pycuda.debug import main; sys.exit(main([{str(program)!r}, '-x', 'y']))")
    assert done.returncode == 0, done.stderr
    assert "*** compiler output in" in done.stdout and "__main__ ['-x', 'y']" in done.stdout
    done = run_script("import sys; from cuox.pycuda.debug import main; sys.exit(main(['no_such_file.py']))")
    assert done.returncode == 1 and "no_such_file.py does not exist" in done.stderr
    done = run_script(
        f"import sys; from cuox.pycuda.debug import main; sys.exit(main(['--cuda-gdb', {str(program)!r}]))",
        PATH="/nowhere",
    )
    assert done.returncode == 1 and "cuda-gdb" in done.stderr


def test_sources_are_linked() -> None:
    module = DynamicModule()
    outer = (
        "extern __device__ float twice(float); __global__ void k(float *a) { a[threadIdx.x] = twice(a[threadIdx.x]); }"
    )
    module.add_source(outer, nvcc_options=["-rdc=true"])
    module.add_source("__device__ float twice(float x) { return 2 * x; }", nvcc_options=["-rdc=true"])
    with pytest.raises(RuntimeError, match="link"):
        module.get_function("k")
    assert module.link() is module
    assert run(module, "k", np.ones(4, np.float32)).tolist() == [2] * 4
    with pytest.raises(RuntimeError, match="linked already"):
        module.link()


CHILD = "__global__ void child(float *a, float by) { a[threadIdx.x] += by; }"
PARENT = "__global__ void parent(float *a) { child<<<1, 4>>>(a, 10); }"


def test_kernels_launch_kernels() -> None:
    host = np.arange(4, dtype=np.float32)
    module = DynamicSourceModule(f"#include <cstdio>\n{CHILD}\n{PARENT}")
    assert run(module, "parent", host, block=(1, 1, 1)).tolist() == [10, 11, 12, 13]
    linked = DynamicModule()
    linked.add_source("extern __global__ void child(float *a, float by);" + PARENT, nvcc_options=["-rdc=true"])
    linked.add_source(CHILD, nvcc_options=["-rdc=true"])
    linked.add_stdlib("cudadevrt").link()
    assert run(linked, "parent", host, block=(1, 1, 1)).tolist() == [10, 11, 12, 13]


def test_a_symbol_that_nobody_defines_is_an_error() -> None:
    module = DynamicModule()
    module.add_source(
        "extern __device__ float nobody(float); __global__ void k(float *a) { *a = nobody(*a); }",
        nvcc_options=["-rdc=true"],
    )
    # NVIDIA's linker says so, the software GPU when the kernel is launched.
    with pytest.raises((driver.Error, cuox.CUDAError), match="(?i)nobody|link"):
        run(module.link(), "k", np.ones(4, np.float32))


def test_a_device_library_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="libnothing.a was not found; looked in"):
        find_device_library("nothing")
    with pytest.raises(OSError, match=f"looked in {tmp_path}.*pip install"):
        DynamicSourceModule(DOUBLIFY, cuda_libdir=str(tmp_path))


def test_nvcc_compiles_where_it_is_named() -> None:
    try:
        from cuox._internal.nvcc import find_nvcc

        nvcc = str(find_nvcc())
    except cuox.NotFoundError:
        pytest.skip("nvcc is not installed")
    assert "release" in compiler.get_nvcc_version(nvcc)
    module = SourceModule(DOUBLIFY, nvcc=nvcc)
    assert run(module, "doublify", np.ones(4, np.float32)).tolist() == [2] * 4
    with pytest.raises(driver.CompileError, match="missing") as caught:
        SourceModule("\n__global__ void k() { missing; }", nvcc=nvcc)
    assert caught.value.command_line[0] == nvcc and "kernel.cu(2)" in caught.value.stderr
    assert "a[threadIdx.x] *= 2" in compiler.preprocess_source(DOUBLIFY, [], nvcc)
    squares = "#include <pycuda-helpers.hpp>\n__global__ void squares(pycuda::complex<float> *z) { z[threadIdx.x] = pow(z[threadIdx.x], 2); }"
    assert run(SourceModule(squares, nvcc=nvcc), "squares", np.full(4, 1 + 2j, np.complex64)).tolist() == [-3 + 4j] * 4


def test_an_nvcc_that_is_not_there_is_an_error() -> None:
    with pytest.raises(cuox.NotFoundError, match="no_such_nvcc"):
        SourceModule(DOUBLIFY, nvcc="no_such_nvcc")
    assert compiler.get_nvcc_version("nvcc").startswith("NVRTC ")


def test_the_cache_can_be_turned_off(
    run_script: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    script = f"""
    import cuox.pycuda.autoinit
    from cuox.pycuda.compiler import SourceModule
    SourceModule({DOUBLIFY!r}, cache_dir=keep)
    print("libnvrtc.so" in open("/proc/self/maps").read())
    """
    environment = {"PYCUDA_CACHE_DIR": str(tmp_path / "cache"), "CUOX_CACHE": "1"}

    def loads_the_compiler(keep: object, **more: str) -> bool:
        env = {key: value for key, value in os.environ.items() if key != "CUOX_CACHE_DIR"}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "environ", env)
            done = run_script(script.replace("keep", repr(keep)), **environment, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip() == "True"

    assert loads_the_compiler(False)
    assert loads_the_compiler(None)
    assert not loads_the_compiler(None)
    assert loads_the_compiler(False)
    assert loads_the_compiler(None, PYCUDA_DISABLE_CACHE="1")
    assert (tmp_path / "cache").is_dir()


def test_sizes_of_types() -> None:
    assert characterize.sizeof("float4") == 16
    assert characterize.sizeof("Pair", "struct Pair { double a; char b; };") == 16
    assert characterize.sizeof("void *") * 8 == characterize.platform_bits()
    assert characterize.has_stack() and characterize.has_double_support()
    with pytest.raises(driver.CompileError):
        characterize.sizeof("no_such_type")


@pytest.mark.parametrize("name", ["gl", "gl.autoinit", "sparse"])
def test_what_is_not_there_says_so(name: str) -> None:
    with pytest.raises(ImportError, match="not supported"):
        __import__(f"cuox.pycuda.{name}")


# --- pycuda-complex.hpp

COMPLEX = {
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y,
    "x + real(y)": lambda x, y: x + y.real,
    "imag(x) - y": lambda x, y: x.imag - y,
    "x * 2": lambda x, y: x * 2,
    "0.5 * x": lambda x, y: x / 2,
    "1 / x": lambda x, y: 1 / x,
    "x / T(3)": lambda x, y: x / 3,
    "-x + +y": lambda x, y: y - x,
    "conj(x)": lambda x, y: x.conj(),
    "abs(x)": lambda x, y: abs(x),
    "arg(x)": lambda x, y: np.angle(x),
    "norm(x)": lambda x, y: abs(x) ** 2,
    "polar(abs(x), arg(x))": lambda x, y: x,
    "polar(x.real())": lambda x, y: x.real,
    "sqrt(x)": lambda x, y: np.sqrt(x),
    "exp(x)": lambda x, y: np.exp(x),
    "log(x)": lambda x, y: np.log(x),
    "log10(x)": lambda x, y: np.log10(x),
    "sin(x)": lambda x, y: np.sin(x),
    "cos(x)": lambda x, y: np.cos(x),
    "tan(x)": lambda x, y: np.tan(x),
    "sinh(x)": lambda x, y: np.sinh(x),
    "cosh(x)": lambda x, y: np.cosh(x),
    "tanh(x)": lambda x, y: np.tanh(x),
    "pow(x, y)": lambda x, y: x**y,
    "pow(x, 2)": lambda x, y: x**2,
    "pow(x, -3) * pow(x, T(0.25))": lambda x, y: x**-2.75,
    "T(1) / (x / complex<T>(0)).imag()": lambda x, y: 0 * x,
    "pow(2, x)": lambda x, y: 2**x,
    "pow(complex<T>(0), complex<T>(1, 2)) + pow(complex<T>(0), 0)": lambda x, y: np.ones_like(x),
    "x == y || x != x || 2 == x || x == 2 || !(x == x) ? T(1) : T(2)": lambda x, y: 2 + 0 * x,
    "(x += y, x -= T(1), x *= y, x /= 2, x)": lambda x, y: (x + y - 1) * y / 2,
    "(x = 3, x.imag(4), x.real(x.real() + 1), x)": lambda x, y: 4 + 4j + 0 * x,
    "complex<T>(complex<double>(x) + complex<float>(2))": lambda x, y: x + 2,
    "sum(x, y)": lambda x, y: (x + y) * y,
    "tanh(x * T(1e9))": lambda x, y: np.sign(x.real),
}


@pytest.mark.parametrize(
    ("name", "dtype", "tolerance"), [("float", np.complex64, 3e-5), ("double", np.complex128, 1e-12)]
)
def test_complex_numbers(name: str, dtype: type, tolerance: float) -> None:
    lines = "\n".join(
        f"{{ complex<T> x = in[i], y = in[n + i]; out[{k} * n + i] = {text}; }}" for k, text in enumerate(COMPLEX)
    )
    module = SourceModule(
        f"""
    #include <pycuda-complex.hpp>
    #include <pycuda-helpers.hpp>
    typedef {name} T;
    using namespace pycuda;
    __device__ complex<T> sum(complex<T> x, complex<T> y)
    {{
        volatile complex<T> a, b;
        a = x;
        b = y;
        a = a + b;
        return a * b;
    }}
    __global__ void k(complex<T> *in, complex<T> *out)
    {{
        const int n = blockDim.x, i = threadIdx.x;
        {lines}
    }}
    """,
        options=["-w"],
    )
    random = np.random.default_rng(7)
    n = 256
    values = (random.normal(size=2 * n) + 1j * random.normal(size=2 * n)).astype(dtype)
    given = driver.mem_alloc(values.nbytes)
    driver.memcpy_htod(given, values)
    result = np.empty((len(COMPLEX), n), dtype)
    made = driver.mem_alloc(result.nbytes)
    module.get_function("k")(given, made, block=(n, 1, 1), grid=(1, 1))
    driver.memcpy_dtoh(result, made)
    for row, (text, expected) in zip(result, COMPLEX.items(), strict=True):
        np.testing.assert_allclose(row, expected(values[:n], values[n:]), rtol=tolerance, atol=tolerance, err_msg=text)


def test_complex_numbers_are_copied_as_bytes_and_may_be_volatile() -> None:
    SourceModule(
        """
    #include <pycuda-complex.hpp>
    typedef pycuda::complex<float> F;
    typedef pycuda::complex<double> D;
    static_assert(__is_trivially_copyable(F) && __is_trivially_copyable(D), "several are loaded at once only then");
    __global__ void k(F *f, D *d)
    {
        volatile __shared__ F t[64];
        const int i = threadIdx.x;
        t[i] = f[i];
        t[i] = t[i + 1];
        t[i] = t[i] + t[i + 2];
        t[i] = 3.0f;
        t[i] = d[i];
        F x = t[i], y(t[i]);
        x = t[i];
        D z = x;
        z = t[i];
        volatile D w;
        w = t[i];
        f[i] = x + y + F(z + D(w));
    }
    """,
        no_extern_c=True,
        options=["-w"],
    )


def test_headers_do_without_the_names_of_a_programs_macros() -> None:
    macros = "\n".join(f"#define {letter} +" for letter in string.ascii_letters)
    words = ("re", "im", "ratio", "scale", "length", "half", "power", "rest", "size", "type", "name", "root", "value")
    macros += "".join(f"\n#define {word} +" for word in words)
    module = SourceModule(
        f"{macros}\n#include <pycuda-complex.hpp>\n#include <pycuda-helpers.hpp>\n"
        'extern "C" __global__ void kernel(pycuda::complex<float> *out) { *out = pow(*out, 2) / sqrt(*out) + tan(*out); }',
        no_extern_c=True,
    )
    module.get_function("kernel")


def test_complex_numbers_do_not_narrow_by_themselves() -> None:
    with pytest.raises(driver.CompileError):
        SourceModule(
            "#include <pycuda-complex.hpp>\n__global__ void k(pycuda::complex<double> *x) { pycuda::complex<float> y = x[0]; x[1] = y; }"
        )


def test_texture_helpers_say_that_they_are_gone() -> None:
    with pytest.raises(driver.CompileError, match="cudaTextureObject_t"):
        SourceModule("#include <pycuda-helpers.hpp>\n__global__ void k(float *x) { x[0] = fp_tex1Dfetch(x, 0); }")
