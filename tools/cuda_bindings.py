"""Makes what `cuox.cuda.bindings` is made of: for each module the header's declarations and call plan
(`_internal/data/NAME.txt`), and its stub (`NAME.pyi`).

    python tools/cuda_bindings.py [--include DIR] [--check] [NAME...]

It needs an installed cuox, libclang (`pip install libclang`) and the headers of CUDA 13.0 (`pip install
nvidia-cuda-runtime==13.0.* nvidia-cuda-nvrtc==13.0.* nvidia-nvjitlink==13.0.* nvidia-nvvm==13.0.*
nvidia-nvfatbin==13.0.*`). With --check
nothing is written: files that differ from what would be are named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from cuox import _native
from cuox._internal.errors import NotFoundError
from cuox.cuda.bindings._internal import module as internal
from cuox.cuda.bindings._internal.module import Later
from cuox_bind import _native as bind_native

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("python/cuox/cuda/bindings")

# Types that headers of CUDA take from others which few machines have, as Khronos and VDPAU's authors declare them.
FOREIGN = {
    "GL/gl.h": "typedef unsigned int GLenum;\ntypedef unsigned int GLuint;\n",
    "EGL/egl.h": "#include <stdint.h>\ntypedef int32_t EGLint;\n",
    "EGL/eglext.h": "typedef void *EGLImageKHR;\ntypedef void *EGLStreamKHR;\ntypedef void *EGLSyncKHR;\n",
    "vdpau/vdpau.h": "#include <stdint.h>\ntypedef uint32_t VdpDevice;\ntypedef uint32_t VdpVideoSurface;\ntypedef uint32_t VdpOutputSurface;\n"
    "typedef int VdpStatus;\ntypedef uint32_t VdpFuncId;\n"
    "typedef VdpStatus VdpGetProcAddress(VdpDevice device, VdpFuncId function_id, void **function_pointer);\n",
}


@dataclass(frozen=True)
class Module:
    """One module: what is parsed for it."""

    headers: list[str]
    source: str | None = None
    version: str = "CUDA 13.0"
    only: list[str] = field(default_factory=list)
    # Whose headers they are, for the pathfinder.
    component: str = "cudart"
    # Python files whose functions are all written out need no stub.
    stub: bool = True


MODULES = {
    "driver": Module(
        ["cuda.h", "cudaEGL.h", "cudaGL.h", "vdpau/vdpau.h", "cudaVDPAU.h"],
        # cudaProfiler.h is in no pip package.
        "/** \\brief Enable profiling */\nCUresult CUDAAPI cuProfilerStart(void);\n/** \\brief Disable profiling */\nCUresult CUDAAPI cuProfilerStop(void);\n"
        "/** \\brief Profiler Output Modes */\ntypedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;\n",
    ),
    "nvrtc": Module(["nvrtc.h"]),
    "runtime": Module(
        ["cuda_runtime_api.h", "cuda_egl_interop.h", "cuda_gl_interop.h", "vdpau/vdpau.h", "cuda_vdpau_interop.h"],
        # cuda_profiler_api.h is in another pip package.
        "/** \\brief Enable profiling */\ncudaError_t cudaProfilerStart(void);\n/** \\brief Disable profiling */\ncudaError_t cudaProfilerStop(void);\n",
    ),
    "nvjitlink": Module(["nvJitLink.h"], component="nvJitLink", stub=False),
    "nvvm": Module(["nvvm.h"], component="nvvm", stub=False),
    "nvfatbin": Module(["nvFatbin.h"], component="nvfatbin", stub=False),
}


def include_folder(module: Module) -> Path:
    """Where pip has put a module's headers."""
    folder, _ = _native.find_headers(module.component)
    return Path(folder)


def parse(name: str, include: Path) -> bind_native.Binding:
    """A module's header and plan, with comments cut down."""
    module = MODULES[name]
    with tempfile.TemporaryDirectory() as folder:
        for file, text in FOREIGN.items():
            path = Path(folder, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        binding = bind_native.Binding.parse(
            list(module.headers),
            source=module.source,
            include_dirs=[str(include), folder],
            rules=f"bindings/{name}.toml",
            only=list(module.only),
        )
    for note in binding.notes:
        print(f"{name}: {note}", file=sys.stderr)
    return binding.shortened()


def record(module: object, name: str, text: str) -> str:
    """The stub of a record, with the types that its fields have."""
    made = getattr(module, name)()

    def read(found: re.Match[str]) -> str:
        value = getattr(made, found[1])
        if isinstance(value, (bytes, int)):
            type_ = type(value).__name__
        elif value:
            type_ = "list[int]" if isinstance(value[0], int) else f"list[{type(value[0]).__name__}]"
        else:
            # Types that something points to, which are those that can be assigned.
            element = re.search(rf"def {found[1]}\(self, value: (\w+) \|", text)
            known = element and hasattr(module, element[1])
            type_ = f"list[{element[1]}]" if known else "list[Any]"
        return f"def {found[1]}(self) -> {type_}:"

    # A null pointer is 0 or an empty list there, and a null handle an object.
    text = re.sub(r"(def \w+\(self\) -> )\((.*)\) \| None:", r"\1\2:", text)
    text = re.sub(r"(def \w+\(self\) -> .*) \| None:", r"\1:", text)
    text = re.sub(r"def (\w+)\(self\) -> (?:Pointer|CArray|str):", read, text)
    # The address of a value is given by name.
    text = re.sub(
        r"(def __init__\(self, (\*, )?\w.*)\) -> None: \.\.\.",
        lambda found: f"{found[1]}, {'' if found[2] else '*, '}_ptr: int = ...) -> None: ...",
        text,
    )
    return re.sub(r"Address \| None \| str \| bytes", "Sequence[Any] | Address | None", text)


def stub(name: str, binding: bind_native.Binding) -> str:
    """The stub's text: the plan's, with values as `cuda.bindings` has them, and the functions that Python puts together
    as they are there.
    """
    _, text = binding.write([], f"python tools/cuda_bindings.py {name}")
    module = importlib.import_module(f"cuox.cuda.bindings.{name}")
    # Enumerations of flags too, and addresses that functions return.
    text = text.replace("import CArray, Handle", "import Handle")
    text = text.replace("import IntEnum, IntFlag", "import IntEnum").replace("(IntFlag):", "(IntEnum):")
    text = re.sub(r"(?<=\) -> )tuple\[.*\](?=:\n)", lambda found: re.sub(r"\bPointer\b", "int", found[0]), text)
    text = re.sub(
        r"^class (\w+)\(Record\):\n(?:    .*\n|\n(?=    ))*",
        lambda found: record(module, found[1], found[0]),
        text,
        flags=re.M,
    )
    # Handles are taken as ints, and null as None.
    handles = "|".join(re.findall(r"^class (\w+)\(Handle\):", text, re.M))
    taken = re.compile(rf"(?<=: )({handles})(?: \| None)?(?=, \w+: |\) -> |, \*)")
    text = re.sub(r"^def .*$", lambda found: taken.sub(r"\1 | int | None", found[0]), text, flags=re.M)
    extra = []
    for function_name, made in module._names.special.items():
        # A record stays as the header has it.
        if isinstance(made, type):
            continue
        definition = re.compile(rf"^def {function_name}\(.*?^    \.\.\.\n\n", re.M | re.S)
        if not isinstance(made, Later):
            text = definition.sub("", text)
            # Annotations are texts.
            signature = str(inspect.signature(made)).replace("'", "")
            docstring = " ".join(inspect.getdoc(made).split())
            extra.append(f'def {function_name}{signature}:\n    """{docstring}"""\n    ...\n\n')
        elif made.stub == "bytes":
            text = definition.sub(lambda found: re.sub(r"(?<= )str\b", "bytes", found[0], count=1), text)
        elif made.stub:
            text = definition.sub("", text)
            text = re.sub(rf"^{function_name}: .*\n", "", text, flags=re.M)
            extra.append(made.stub + "\n")
    used = [name for name in ("Any", "overload") if re.search(rf"\b{name}\b", "".join(extra))]

    def imports(found: re.Match[str]) -> str:
        names = sorted({*found[1].split(", "), *used})
        return f"from collections.abc import Sequence\nfrom typing import {', '.join(names)}"

    text = re.sub(r"^from typing import (.*)", imports, text, count=1, flags=re.M)
    return text + "".join(extra)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", choices=[*MODULES, []], metavar="NAME", help=f"which modules: {', '.join(MODULES)} (all)"
    )
    parser.add_argument(
        "--include",
        type=lambda path: Path(path).resolve(),
        help="the folder of CUDA's headers (that of the pip packages)",
    )
    parser.add_argument("--check", action="store_true", help="write nothing, and say what differs")
    options = parser.parse_args()
    os.chdir(ROOT)  # a plan names the rules' file, which is the same everywhere
    bindings: dict[str, bind_native.Binding] = {}
    for name in options.names or MODULES:
        try:
            include = options.include or include_folder(MODULES[name])
        except NotFoundError as error:
            if not options.check:
                raise
            print(f"{name} is not checked: {error}")
            continue
        bindings[name] = parse(name, include)
    made: dict[Path, str] = {}
    for name, binding in bindings.items():
        header = f"# {', '.join(MODULES[name].headers)} of {MODULES[name].version}, by tools/cuda_bindings.py\n"
        made[PACKAGE / "_internal" / "data" / f"{name}.txt"] = header + binding.data() + "\n"
    with tempfile.TemporaryDirectory() as folder:
        # Stubs are made with the modules themselves, which read the data: that of now, not that which is installed.
        shutil.copytree(ROOT / PACKAGE / "_internal" / "data", folder, dirs_exist_ok=True)
        for path, text in made.items():
            Path(folder, path.name).write_text(text)
        internal.DATA = Path(folder)
        for name, binding in bindings.items():
            if MODULES[name].stub:
                made[PACKAGE / f"{name}.pyi"] = stub(name, binding)
    differ = 0
    for path, text in made.items():
        target = ROOT / path
        if target.exists() and target.read_text() == text:
            continue
        differ += 1
        if options.check:
            print(f"{path} is not what tools/cuda_bindings.py makes of CUDA's headers")
        else:
            target.write_text(text)
            print(f"{path}: {len(text)} bytes")
    return 1 if options.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
