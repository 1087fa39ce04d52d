// An operator with a kernel for each kind of device.
#include <Python.h>
#include <torch/library.h>
#include <torch/types.h>

namespace {

at::Tensor scale_on_host(const at::Tensor &x, double factor)
{
    return x * factor;
}

} // namespace

TORCH_LIBRARY(scaling, m)
{
    m.def("scale(Tensor x, float factor) -> Tensor");
}

TORCH_LIBRARY_IMPL(scaling, CPU, m)
{
    m.impl("scale", &scale_on_host);
}

// Importing the module registers the operators.
PyMODINIT_FUNC PyInit_scaling()
{
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "scaling", nullptr, -1, nullptr};
    return PyModule_Create(&definition);
}
