"""Extensions of PyTorch as tutorials build them: one that calls the CUDA runtime, and with WITH_KERNELS one that has
kernels, for nvcc.
"""

import os

from setuptools import setup
from torch.utils import cpp_extension

modules = [
    cpp_extension.CppExtension(
        "gpu_driver", ["driver.cpp"], extra_compile_args=["-fopenmp"], extra_link_args=["-lcudart"]
    )
]
if os.environ.get("WITH_KERNELS"):
    modules = [
        cpp_extension.CUDAExtension(
            "scaling", ["scaling.cpp", "kernels.cu"], extra_compile_args={"cxx": ["-O2"], "nvcc": ["-O3"]}
        )
    ]
setup(name="extensions", ext_modules=modules, cmdclass={"build_ext": cpp_extension.BuildExtension})
