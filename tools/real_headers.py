"""Binds libraries that other people wrote, as they are, and calls them.

    python tools/real_headers.py [--include DIR]... [NAME]...

One line for each: functions that the headers declare, how many are bound, how many are left out, and what a few calls
gave. The headers are Debian's `-dev` packages, and for CUDA's libraries those of the toolkit or of pip. A library that
is not there is said to be so.
"""

from __future__ import annotations

import argparse
import array
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cuox


@dataclass
class Case:
    """A library, its headers, and what it is asked to do."""

    library: str
    headers: list[str]
    check: Callable[[Any], str]
    options: dict[str, Any]


CASES: dict[str, Case] = {}


def case(
    name: str, library: str, *headers: str, **options: Any
) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Makes a check of a function."""

    def add(check: Callable[[Any], str]) -> Callable[[Any], str]:
        CASES[name] = Case(library, list(headers), check, options)
        return check

    return add


@case("zlib", "z", "zlib.h")
def zlib(lib: Any) -> str:
    import zlib as peer

    text = b"copper oxide " * 20
    assert lib.crc32(0, text) == peer.crc32(text)
    room = bytearray(len(text))
    used = lib.compress(room, len(room), text)
    assert peer.decompress(bytes(room[:used])) == text
    back = bytearray(len(text))
    assert lib.uncompress(back, len(back), room[:used]) == len(text) and back == text
    try:
        lib.uncompress(back, len(back), b"not compressed")
    except cuox.CallError as error:
        refused = str(error)
    return f"{lib.zlibVersion()}; {len(text)} bytes -> {used} -> {len(back)}; {refused}"


@case("sqlite3", "sqlite3", "sqlite3.h")
def sqlite3(lib: Any) -> str:
    with lib.sqlite3_open(":memory:") as db:
        rows: list[int] = []
        lib.sqlite3_exec(db, "create table t(a); insert into t values (1), (2), (39)", None)
        with lib.sqlite3_prepare_v2(db, "select a from t where a > ?1 order by a")[0] as statement:
            lib.sqlite3_bind_int(statement, 1, 1)
            while lib.sqlite3_step(statement) == lib.SQLITE_ROW:
                rows.append(lib.sqlite3_column_int(statement, 0))
        assert rows == [2, 39]
        try:
            lib.sqlite3_prepare_v2(db, "select nothing from nowhere")
        except cuox.CallError as error:
            refused = str(error)
    return f"{lib.sqlite3_libversion()}; {rows}; {refused}"


@case("libpng", "png16", "png.h")
def png(lib: Any) -> str:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    image = lib.png_image(
        version=lib.PNG_IMAGE_VERSION, width=4, height=3, format=lib.PNG_FORMAT_GRAY if "PNG_FORMAT_GRAY" in lib else 0
    )
    with TemporaryDirectory() as folder:
        path = Path(folder, "grey.png")
        lib.png_image_write_to_file(image, str(path), 0, bytes(range(12)), 4, None)
        data = path.read_bytes()
    assert data[1:4] == b"PNG"
    return f"{lib.PNG_LIBPNG_VER_STRING}; wrote {len(data)} bytes"


@case("OpenSSL EVP", "crypto", "openssl/evp.h")
def evp(lib: Any) -> str:
    import hashlib

    digest = bytearray(32)
    size = array.array("I", [0])
    with lib.EVP_MD_CTX_new() as context:
        assert lib.EVP_DigestInit_ex(context, lib.EVP_sha256(), None) in (1, None)
        lib.EVP_DigestUpdate(
            context, b"copper oxide", *((12,) if "cnt: int" in lib.explain("EVP_DigestUpdate") else ())
        )
        lib.EVP_DigestFinal_ex(
            context,
            digest,
            *(
                (size,)
                if "s: Address" in lib.explain("EVP_DigestFinal_ex")
                else (0,)
                if "s: int" in lib.explain("EVP_DigestFinal_ex")
                else ()
            ),
        )
    assert bytes(digest) == hashlib.sha256(b"copper oxide").digest()
    return f"SHA-256 is hashlib's: {digest.hex()[:16]}..."


@case("FFTW", "fftw3", "fftw3.h")
def fftw(lib: Any) -> str:
    import numpy

    there = numpy.zeros(8, numpy.complex128)
    back = numpy.zeros(8, numpy.complex128)
    plan = lib.fftw_plan_dft_1d(8, there, back, -1, 1 << 6)
    there[:] = numpy.arange(8)
    lib.fftw_execute(plan)
    assert numpy.allclose(back, numpy.fft.fft(there))
    lib.fftw_destroy_plan(plan)
    return "a transform of 8 is NumPy's"


@case("libcurl easy", "curl", "curl/curl.h")
def curl(lib: Any) -> str:
    with lib.curl_easy_init() as handle:
        lib.curl_easy_setopt(handle, lib.CURLOPT_URL, b"file:///etc/hostname")
        seen: list[int] = []
        lib.curl_easy_setopt(handle, lib.CURLOPT_NOBODY, 1)
        status = lib.curl_easy_perform(handle)
        seen.append(int(status or 0))
        escaped = lib.curl_easy_escape(
            handle, "a b", *((3,) if "length: int" in lib.explain("curl_easy_escape") else ())
        )
    return f"{lib.curl_version().split()[0]}; file:// read, status {seen[0]}; escaped {escaped}"


@case("NVML", "libnvidia-ml.so.1", "nvml.h")
def nvml(lib: Any) -> str:
    init = getattr(lib, "nvmlInit_v2", None) or lib.nvmlInit
    init()
    count = lib.nvmlDeviceGetCount_v2()
    device = lib.nvmlDeviceGetHandleByIndex_v2(0)
    version = lib.nvmlSystemGetDriverVersion(80)
    name = lib.nvmlDeviceGetName(device, 96)
    lib.nvmlShutdown()
    return f"{count} device: {name}, driver {version}"


@case("cuBLAS", "cublas", "cublas_v2.h")
def cublas(lib: Any) -> str:
    import numpy

    device = cuox.Device()
    device.set_current()
    x = device.allocate(4 * 100)
    y = device.allocate(4 * 100)
    x.copy_from_host(numpy.arange(100, dtype=numpy.float32))
    y.copy_from_host(numpy.ones(100, numpy.float32))
    with lib.cublasCreate() if "cublasCreate" in lib else lib.cublasCreate_v2() as handle:
        alpha = numpy.array([2.0], numpy.float32)
        lib.cublasSaxpy_v2(handle, 100, alpha, x.handle, 1, y.handle, 1)
        device.sync()
    result = numpy.empty(100, numpy.float32)
    y.copy_to_host(result)
    device.sync()
    assert (result == 2 * numpy.arange(100) + 1).all()
    return "saxpy of 100 on cuox buffers is right"


@case("cuFFT", "cufft", "cufft.h")
def cufft(lib: Any) -> str:
    import numpy

    device = cuox.Device()
    device.set_current()
    data = device.allocate(8 * 16)
    host = numpy.arange(16).astype(numpy.complex64)
    data.copy_from_host(host)
    plan = array.array("i", [0])
    explained = lib.explain("cufftPlan1d")
    made = (
        lib.cufftPlan1d(16, lib.CUFFT_C2C, 1)
        if "plan: not taken" in explained
        else lib.cufftPlan1d(plan, 16, lib.CUFFT_C2C, 1)
    )
    plan_ = plan[0] if made is None else made
    lib.cufftExecC2C(plan_, data.handle, data.handle, -1)
    device.sync()
    result = numpy.empty(16, numpy.complex64)
    data.copy_to_host(result)
    device.sync()
    assert numpy.allclose(result, numpy.fft.fft(host), atol=1e-3)
    return "a transform of 16 on a cuox buffer is NumPy's"


@case("NCCL", "nccl", "nccl.h")
def nccl(lib: Any) -> str:
    version = lib.ncclGetVersion()
    unique = lib.ncclUniqueId()
    lib.ncclGetUniqueId(unique)
    assert any(bytes(unique))
    return f"version {version}; a unique id of {len(bytes(unique))} bytes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(CASES)}")
    parser.add_argument(
        "--include", action="append", default=[], metavar="DIR", help="where headers are, besides the system's places"
    )
    options = parser.parse_args()
    failed = 0
    print("| library | functions | bound | left out | parse and plan, ms | calls |\n|---|---|---|---|---|---|")
    for name, one in CASES.items():
        if options.names and name not in options.names:
            continue
        began = time.perf_counter()
        try:
            library = cuox.bind(one.library, one.headers, include_dirs=options.include, **one.options)
        except (cuox.BindError, cuox.NotFoundError, OSError) as error:
            print(f"| {name} | | | | | not here: {str(error).splitlines()[0]} |")
            continue
        took = (time.perf_counter() - began) * 1e3
        counts = re.search(r"(\d+) functions", repr(library))
        bound = int(counts[1]) if counts else 0
        left = [line for line in library.explain().splitlines() if "left out" in line]
        try:
            said = one.check(library)
        except Exception as error:
            failed += 1
            said = f"**failed**: {type(error).__name__}: {error}"
        print(f"| {name} | {bound + len(left)} | {bound} | {len(left)} | {took:.0f} | {said} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
