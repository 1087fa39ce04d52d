/* The same library as a hand-written extension: by the public API, and, with -DTUNED, with exact ints, floats, strings and arrays read in place as
 * this interpreter lays them out (CPython 3.11 or 3.12 and newer), one-argument functions by METH_O, and a static type for the handle. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "ffi.h"
#ifdef TUNED
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#define NAME "ffi_tuned"
#define INIT PyInit_ffi_tuned
#else
#define NAME "ffi_plain"
#define INIT PyInit_ffi_plain
#endif

#if PY_VERSION_HEX >= 0x030c0000
#define SIZE_WORD(o) ((long)((PyLongObject *)(o))->long_value.lv_tag)
#define DIGITS(o) ((PyLongObject *)(o))->long_value.ob_digit
#define ONE_DIGIT(o) ((unsigned long)SIZE_WORD(o) < 16)
#define ONE_VALUE(o) ((1 - (SIZE_WORD(o) & 3)) * (long)DIGITS(o)[0])
#define COUNT(o) ((SIZE_WORD(o) & 3) == 2 ? -1 : SIZE_WORD(o) >> 3)
#else
#define DIGITS(o) ((PyLongObject *)(o))->ob_digit
#define ONE_DIGIT(o) ((size_t)(Py_SIZE(o) + 1) <= 2)
#define ONE_VALUE(o) ((long)Py_SIZE(o) * (long)DIGITS(o)[0])
#define COUNT(o) ((long)Py_SIZE(o))
#endif

static inline int to_int(PyObject *o, int *out) {
#ifdef TUNED
    if (PyLong_CheckExact(o) && ONE_DIGIT(o)) return *out = (int)ONE_VALUE(o), 0;
#endif
    long v = PyLong_AsLong(o);
    if (v == -1 && PyErr_Occurred()) return -1;
    if (v != (int)v) return PyErr_SetString(PyExc_OverflowError, "not an int of 32 bits"), -1;
    return *out = (int)v, 0;
}
static inline int to_u64(PyObject *o, uint64_t *out) {
#ifdef TUNED
    if (PyLong_CheckExact(o)) {
        long n = COUNT(o);
        if (n == 0) return *out = 0, 0;
        if (n == 1) return *out = DIGITS(o)[0], 0;
        if (n == 2) return *out = DIGITS(o)[0] | (uint64_t)DIGITS(o)[1] << 30, 0;
        if (n == 3 && DIGITS(o)[2] < 16) return *out = DIGITS(o)[0] | (uint64_t)DIGITS(o)[1] << 30 | (uint64_t)DIGITS(o)[2] << 60, 0;
    }
#endif
    *out = PyLong_AsUnsignedLongLong(o);
    return *out == UINT64_MAX && PyErr_Occurred() ? -1 : 0;
}
static inline int to_double(PyObject *o, double *out) {
#ifdef TUNED
    if (PyFloat_CheckExact(o)) return *out = PyFloat_AS_DOUBLE(o), 0;
#endif
    *out = PyFloat_AsDouble(o);
    return *out == -1.0 && PyErr_Occurred() ? -1 : 0;
}
static inline const char *to_text(PyObject *o) {
#ifdef TUNED
    if (PyUnicode_CheckExact(o) && PyUnicode_IS_COMPACT_ASCII(o)) return (const char *)PyUnicode_DATA(o);
#endif
    return PyUnicode_AsUTF8(o);
}

#define FAST(f) static PyObject *f(PyObject *self, PyObject *const *a, Py_ssize_t n)
#define COUNTED(k) if (n != (k)) return PyErr_Format(PyExc_TypeError, "%d arguments, got %zd", k, n)
#ifdef TUNED
#define ONE(f) static PyObject *f(PyObject *self, PyObject *o)
#define FIRST
#define ONE_FLAG METH_O
#else
#define ONE(f) FAST(f)
#define FIRST COUNTED(1); PyObject *o = a[0]
#define ONE_FLAG METH_FASTCALL
#endif

FAST(nothing) { COUNTED(0); ffi_nothing(); Py_RETURN_NONE; }
FAST(add) {
    int x, y;
    COUNTED(2);
    if (to_int(a[0], &x) || to_int(a[1], &y)) return NULL;
    return PyLong_FromLong(ffi_add(x, y));
}
FAST(fma_) {
    double x, y, z;
    COUNTED(3);
    if (to_double(a[0], &x) || to_double(a[1], &y) || to_double(a[2], &z)) return NULL;
    return PyFloat_FromDouble(ffi_fma(x, y, z));
}
FAST(mix) {
    uint64_t v[8];
    COUNTED(8);
    for (int i = 0; i < 8; i++) if (to_u64(a[i], v + i)) return NULL;
    return PyLong_FromUnsignedLongLong(ffi_mix(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}
ONE(length) {
    FIRST;
    const char *text = to_text(o);
    return text ? PyLong_FromSize_t(ffi_length(text)) : NULL;
}
ONE(name) {
    FIRST;
    int i;
    return to_int(o, &i) ? NULL : PyUnicode_FromString(ffi_name(i));
}
ONE(halve) {
    FIRST;
    int x, half;
    if (to_int(o, &x)) return NULL;
    int status = ffi_halve(x, &half);
    if (status) return PyErr_Format(PyExc_RuntimeError, "status %d", status);
    return PyLong_FromLong(half);
}
FAST(scale) {
    int count;
    double by;
    COUNTED(3);
    if (to_int(a[1], &count) || to_double(a[2], &by)) return NULL;
#ifdef TUNED
    if (Py_TYPE(a[0]) == &PyArray_Type) {
        PyArrayObject *array = (PyArrayObject *)a[0];
        if (PyArray_DESCR(array)->type_num == NPY_FLOAT32 && PyArray_ISCARRAY(array)) {
            ffi_scale(PyArray_DATA(array), count, (float)by);
            Py_RETURN_NONE;
        }
    }
#endif
    Py_buffer b;
    if (PyObject_GetBuffer(a[0], &b, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return NULL;
    int right = b.itemsize == 4 && b.format && b.format[0] == 'f' && !b.format[1];
    if (right) ffi_scale(b.buf, count, (float)by);
    PyBuffer_Release(&b);
    if (!right) return PyErr_SetString(PyExc_TypeError, "float32 it must be"), NULL;
    Py_RETURN_NONE;
}

typedef struct { PyObject_HEAD ffi_box *box; } Box;
static void box_dealloc(PyObject *o) {
    if (((Box *)o)->box) ffi_box_free(((Box *)o)->box);
    PyObject_Free(o);
}
static PyTypeObject Box_Type = {PyVarObject_HEAD_INIT(NULL, 0).tp_name = NAME ".Box", .tp_basicsize = sizeof(Box), .tp_dealloc = box_dealloc,
                                .tp_flags = Py_TPFLAGS_DEFAULT};
static ffi_box *to_box(PyObject *o) {
    ffi_box *box = Py_TYPE(o) == &Box_Type ? ((Box *)o)->box : NULL;
    if (!box) PyErr_SetString(PyExc_TypeError, "a Box it must be, and open");
    return box;
}
ONE(box_new) {
    FIRST;
    int x;
    if (to_int(o, &x)) return NULL;
    Box *made = PyObject_New(Box, &Box_Type);
    if (made) made->box = ffi_box_new(x);
    return (PyObject *)made;
}
ONE(box_get) {
    FIRST;
    ffi_box *box = to_box(o);
    return box ? PyLong_FromLong(ffi_box_get(box)) : NULL;
}
ONE(box_free) {
    FIRST;
    ffi_box *box = to_box(o);
    if (!box) return NULL;
    ((Box *)o)->box = NULL;
    ffi_box_free(box);
    Py_RETURN_NONE;
}

#define M(f, flags) {"ffi_" #f, (PyCFunction)(void (*)(void))f, flags, NULL}
static PyMethodDef methods[] = {
    M(nothing, METH_FASTCALL), M(add, METH_FASTCALL), {"ffi_fma", (PyCFunction)(void (*)(void))fma_, METH_FASTCALL, NULL},
    M(mix, METH_FASTCALL), M(length, ONE_FLAG), M(name, ONE_FLAG), M(halve, ONE_FLAG), M(scale, METH_FASTCALL),
    M(box_new, ONE_FLAG), M(box_get, ONE_FLAG), M(box_free, ONE_FLAG), {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, NAME, NULL, -1, methods};
PyMODINIT_FUNC INIT(void) {
#ifdef TUNED
    import_array();
#endif
    return PyType_Ready(&Box_Type) ? NULL : PyModule_Create(&module);
}
