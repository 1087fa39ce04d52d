// A module of Python's C API: scale(numbers, by) multiplies on the device.
#include <Python.h>

#include <vector>

__global__ void multiply(double *x, double by, Py_ssize_t n)
{
    Py_ssize_t i = blockIdx.x * static_cast<Py_ssize_t>(blockDim.x) + threadIdx.x;
    if (i < n) x[i] *= by;
}

static cudaError_t on_the_device(std::vector<double> &values, double by)
{
    double *x = nullptr;
    size_t size = values.size() * sizeof(double);
    if (values.empty()) return cudaSuccess;
    if (cudaError_t error = cudaMalloc(&x, size)) return error;
    cudaMemcpy(x, values.data(), size, cudaMemcpyHostToDevice);
    multiply<<<(values.size() + 255) / 256, 256>>>(x, by, values.size());
    cudaError_t error = cudaMemcpy(values.data(), x, size, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return error;
}

static PyObject *scale(PyObject *, PyObject *args)
{
    PyObject *numbers;
    double by;
    if (!PyArg_ParseTuple(args, "Od", &numbers, &by)) return nullptr;
    PyObject *items = PySequence_Fast(numbers, "expected a sequence of numbers");
    if (!items) return nullptr;
    std::vector<double> values;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items); i++)
        values.push_back(PyFloat_AsDouble(PySequence_Fast_GET_ITEM(items, i)));
    Py_DECREF(items);
    if (PyErr_Occurred()) return nullptr;
    if (cudaError_t error = on_the_device(values, by)) return PyErr_Format(PyExc_RuntimeError, "%s", cudaGetErrorString(error));
    PyObject *result = PyList_New(values.size());
    for (size_t i = 0; result && i < values.size(); i++) PyList_SET_ITEM(result, i, PyFloat_FromDouble(values[i]));
    return result;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "Multiply numbers on the device."}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_scaling", nullptr, -1, methods};

PyMODINIT_FUNC PyInit__scaling() { return PyModule_Create(&module); }
