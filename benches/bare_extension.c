/* The least that a Python extension does for the calls that `python_calls.py` measures: no checks, no choice of device, no errors with words, one
 * stream. What cuox costs beyond this is cuox's; what this costs beyond C is Python's and the processor's. */
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <stdint.h>

typedef int (*allocate_t)(uint64_t *, size_t, void *);
typedef int (*release_t)(uint64_t, void *);
typedef int (*to_host_t)(void *, uint64_t, size_t);

static allocate_t allocate_async;
static release_t release_async;
static to_host_t to_host;
static void *queue;

typedef struct {
    PyObject_HEAD
    uint64_t address;
} Buffer;

static PyTypeObject *buffer_type;
static PyObject *stream_name;
static Buffer *spare;

static PyObject *failed(void)
{
    PyErr_SetString(PyExc_RuntimeError, "a driver call failed, or was made another way than it is measured");
    return NULL;
}

static PyObject *set_up(PyObject *module, PyObject *args)
{
    unsigned long long a, b, c, d;
    if (!PyArg_ParseTuple(args, "KKKK", &a, &b, &c, &d))
        return NULL;
    allocate_async = (allocate_t)a;
    release_async = (release_t)b;
    to_host = (to_host_t)c;
    queue = (void *)d;
    Py_RETURN_NONE;
}

/* device.allocate(size, stream=stream) */
static PyObject *allocate(PyObject *device, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    if (count != 1 || !names || PyTuple_Size(names) != 1 || PyTuple_GetItem(names, 0) != stream_name)
        return failed();
    size_t size = PyLong_AsSize_t(args[0]);
    Buffer *made = spare;
    if (made) {
        spare = NULL;
        PyObject_Init((PyObject *)made, buffer_type);
    } else if (!(made = PyObject_New(Buffer, buffer_type))) {
        return NULL;
    }
    made->address = 0;
    if (allocate_async(&made->address, size, queue)) {
        Py_DECREF(made);
        return failed();
    }
    return (PyObject *)made;
}

/* buffer.close() */
static PyObject *close_buffer(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Buffer *buffer = (Buffer *)self;
    uint64_t address = buffer->address;
    buffer->address = 0;
    if (address && release_async(address, queue))
        return failed();
    Py_RETURN_NONE;
}

static void drop_buffer(PyObject *self)
{
    Buffer *buffer = (Buffer *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (buffer->address)
        release_async(buffer->address, queue);
    if (spare)
        PyObject_Free(self);
    else
        spare = buffer;
    Py_DECREF(type);
}

/* copy_to_host(host address, device address, bytes) */
static PyObject *copy_to_host(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3)
        return failed();
    void *host = (void *)PyLong_AsSize_t(args[0]);
    if (to_host(host, PyLong_AsSize_t(args[1]), PyLong_AsSize_t(args[2])))
        return failed();
    Py_RETURN_NONE;
}

static PyMethodDef buffer_methods[] = {
    {"close", (PyCFunction)(void *)close_buffer, METH_FASTCALL | METH_KEYWORDS, NULL},
    {0},
};
static PyType_Slot buffer_slots[] = {{Py_tp_dealloc, drop_buffer}, {Py_tp_methods, buffer_methods}, {0}};
static PyType_Spec buffer_spec = {"bare_extension.Buffer", sizeof(Buffer), 0, Py_TPFLAGS_DEFAULT, buffer_slots};

static PyMethodDef device_methods[] = {
    {"allocate", (PyCFunction)(void *)allocate, METH_FASTCALL | METH_KEYWORDS, NULL},
    {0},
};
static PyType_Slot device_slots[] = {{Py_tp_methods, device_methods}, {0}};
static PyType_Spec device_spec = {"bare_extension.Device", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, device_slots};

static PyMethodDef functions[] = {
    {"set_up", set_up, METH_VARARGS, NULL},
    {"copy_to_host", (PyCFunction)(void *)copy_to_host, METH_FASTCALL, NULL},
    {0},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "bare_extension", NULL, -1, functions};

PyMODINIT_FUNC PyInit_bare_extension(void)
{
    PyObject *module = PyModule_Create(&definition);
    PyObject *device_type = PyType_FromSpec(&device_spec);
    buffer_type = (PyTypeObject *)PyType_FromSpec(&buffer_spec);
    stream_name = PyUnicode_InternFromString("stream");
    if (!module || !device_type || !buffer_type || !stream_name || PyModule_AddObject(module, "Device", device_type))
        return NULL;
    return module;
}
