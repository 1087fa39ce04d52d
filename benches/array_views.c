/* A library whose arrays show themselves by DLPack's C functions (`__dlpack_c_exchange_api__`), as PyTorch's do: the
 * least that there is to do for the library. `make(address)` gives an array of 3 by 4 floats on device 0. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

struct device { int32_t type, number; };
struct dtype { uint8_t code, bits; uint16_t lanes; };
struct tensor {
    void *data;
    struct device device;
    int32_t ndim;
    struct dtype dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
struct table {
    uint32_t major, minor;
    void *previous, *allocator, *managed_from, *managed_to;
    int (*borrowed_from)(void *, struct tensor *);
    int (*current_stream)(int, int32_t, void **);
};
struct array {
    PyObject_HEAD
    void *data;
    int64_t shape[2], strides[2];
};

static int borrowed_from(void *object, struct tensor *out)
{
    struct array *array = object;
    struct tensor tensor = {array->data, {2, 0}, 2, {2, 32, 1}, array->shape, array->strides, 0};
    *out = tensor;
    return 0;
}

/* The legacy default stream. */
static int current_stream(int kind, int32_t number, void **out)
{
    (void)kind, (void)number;
    *out = (void *)1;
    return 0;
}

static struct table table = {1, 1, NULL, NULL, NULL, NULL, borrowed_from, current_stream};
static PyTypeObject type = {PyVarObject_HEAD_INIT(NULL, 0)};

static PyObject *make(PyObject *module, PyObject *address)
{
    (void)module;
    void *data = PyLong_AsVoidPtr(address);
    struct array *array = PyErr_Occurred() ? NULL : PyObject_New(struct array, &type);
    if (array) {
        array->data = data;
        array->shape[0] = 3, array->shape[1] = 4;
        array->strides[0] = 4, array->strides[1] = 1;
    }
    return (PyObject *)array;
}

static PyMethodDef methods[] = {{"make", make, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "array_views", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_array_views(void)
{
    type.tp_name = "array_views.Array";
    type.tp_basicsize = sizeof(struct array);
    type.tp_flags = Py_TPFLAGS_DEFAULT;
    if (PyType_Ready(&type) < 0)
        return NULL;
    PyObject *capsule = PyCapsule_New(&table, "dlpack_exchange_api", NULL);
    if (!capsule || PyDict_SetItemString(type.tp_dict, "__dlpack_c_exchange_api__", capsule) < 0)
        return NULL;
    Py_DECREF(capsule);
    return PyModule_Create(&module);
}
