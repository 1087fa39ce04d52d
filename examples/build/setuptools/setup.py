"""The usual way: nvcc of CUDA_HOME makes an object file, and the host compiler links it with the CUDA runtime."""

import os
import subprocess
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")


class BuildWithNvcc(build_ext):
    def build_extension(self, extension):
        os.makedirs(self.build_temp, exist_ok=True)
        include = sysconfig.get_path("include")
        for source in [name for name in extension.sources if name.endswith(".cu")]:
            target = os.path.join(self.build_temp, "scaling.o")
            subprocess.check_call(
                [f"{CUDA}/bin/nvcc", "-O2", "-Xcompiler", "-fPIC", f"-I{include}", "-c", source, "-o", target]
            )
            extension.sources.remove(source)
            extension.extra_objects.append(target)
        super().build_extension(extension)


setup(
    ext_modules=[
        Extension(
            "scaling._scaling",
            sources=["scaling.cu"],
            library_dirs=[f"{CUDA}/lib64"],
            libraries=["cudart"],
            language="c++",
        )
    ],
    cmdclass={"build_ext": BuildWithNvcc},
)
