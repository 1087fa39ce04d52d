"""C code of an interface file that uses Python's C API: the names that SWIG has for it, in C, and what these ask of a
binding.
"""

from __future__ import annotations

import ctypes
import os
import sysconfig
import weakref
from types import ModuleType
from typing import Any

from cuox_bind import _native

from .bound_records import adopt_record
from .errors import NotFoundError

__all__ = ["HEADER", "PRELUDE", "connect", "include_folder"]

# The first include, as Python wants it.
HEADER = "#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n"
# Stands before the code.
PRELUDE = r"""
#define SWIG_UnknownError -1
#define SWIG_IOError -2
#define SWIG_RuntimeError -3
#define SWIG_IndexError -4
#define SWIG_TypeError -5
#define SWIG_DivisionByZero -6
#define SWIG_OverflowError -7
#define SWIG_SyntaxError -8
#define SWIG_ValueError -9
#define SWIG_SystemError -10
#define SWIG_AttributeError -11
#define SWIG_MemoryError -12
#define SWIG_NullReferenceError -13
#define SWIG_OK 0
#define SWIG_ERROR -1
#define SWIG_OLDOBJ 0
#define SWIG_NEWOBJ 512
#define SWIG_PYSTR 1024
#define SWIG_IsOK(r) ((r) >= 0)
#define SWIG_IsNewObj(r) (SWIG_IsOK(r) && ((r) & SWIG_NEWOBJ))
#define SWIG_AddNewMask(r) (SWIG_IsOK(r) ? ((r) | SWIG_NEWOBJ) : (r))
#define SWIG_DelNewMask(r) (SWIG_IsOK(r) ? ((r) & ~SWIG_NEWOBJ) : (r))
#define SWIG_ArgError(r) ((r) != SWIG_ERROR ? (r) : SWIG_TypeError)
#define SWIG_POINTER_EXCEPTION 0
#define SWIG_POINTER_DISOWN 1
#define SWIG_POINTER_OWN 1
#define SWIG_POINTER_NEW 3

#define SWIG_fail goto fail
#define SWIG_Error(code, message) PyErr_SetString(SWIG_ErrorType(code), message)
#define SWIG_ErrorType(code) SWIG_Python_ErrorType(code)
#define SWIG_SetErrorMsg(type, message) PyErr_SetString(type, message)
#define SWIG_exception_fail(code, message) do { SWIG_Error(code, message); SWIG_fail; } while (0)
#define SWIG_exception(code, message) SWIG_exception_fail(code, message)
#define SWIG_contract_assert(condition, message) \
    do { if (!(condition)) { PyErr_SetString(PyExc_RuntimeError, message); SWIG_fail; } } while (0)
#define SWIG_Py_Void() Py_NewRef(Py_None)
#define VOID_Object SWIG_Py_Void()
#define SWIG_Py_INCREF Py_INCREF
#define SWIG_Py_XINCREF Py_XINCREF
#define SWIG_Py_DECREF Py_DECREF
#define SWIG_Py_XDECREF Py_XDECREF
#define SWIG_PYTHON_THREAD_BEGIN_BLOCK
#define SWIG_PYTHON_THREAD_END_BLOCK
#define SWIG_PYTHON_THREAD_BEGIN_ALLOW Py_BEGIN_ALLOW_THREADS
#define SWIG_PYTHON_THREAD_END_ALLOW Py_END_ALLOW_THREADS

/* Names of Python 2. */
#define PyInt_Check(x) PyLong_Check(x)
#define PyInt_AsLong(x) PyLong_AsLong(x)
#define PyInt_AS_LONG(x) PyLong_AsLong(x)
#define PyInt_FromLong(x) PyLong_FromLong(x)
#define PyInt_FromSize_t(x) PyLong_FromSize_t(x)
#define PyString_Check(x) PyBytes_Check(x)
#define PyString_FromString(x) PyUnicode_FromString(x)
#define PyString_FromStringAndSize(x, n) PyUnicode_FromStringAndSize(x, n)
#define PyString_Format(x, y) PyUnicode_Format(x, y)
#define PyString_AsString(x) PyBytes_AsString(x)
#define PyString_AsStringAndSize(x, s, n) PyBytes_AsStringAndSize(x, s, n)
#define PyString_Size(x) PyBytes_Size(x)
#define PyString_InternFromString(x) PyUnicode_InternFromString(x)

#ifdef __cplusplus
#define CUOX_EXTERN extern "C"
#else
#define CUOX_EXTERN
#endif

/* False if another version of Python has opened the library: then an exception is set. */
static int cuox_is_this_python(void) {
    if (Py_Version >> 16 == PY_VERSION_HEX >> 16) return 1;
    PyErr_Format(PyExc_ImportError, "the interface file's code was compiled for Python %d.%d, and this is Python %lu.%lu",
        PY_MAJOR_VERSION, PY_MINOR_VERSION, Py_Version >> 24, Py_Version >> 16 & 255);
    return 0;
}

/* What a function has made; null has an exception. */
static PyObject *cuox_checked(PyObject *made, const char *name) {
    if (!made && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s(): the interface file's code refuses the arguments, and does not say why", name);
    return made;
}

static PyObject *SWIG_Python_ErrorType(int code) {
    switch (code) {
    case SWIG_MemoryError: return PyExc_MemoryError;
    case SWIG_IOError: return PyExc_IOError;
    case SWIG_IndexError: return PyExc_IndexError;
    case SWIG_NullReferenceError: case SWIG_TypeError: return PyExc_TypeError;
    case SWIG_DivisionByZero: return PyExc_ZeroDivisionError;
    case SWIG_OverflowError: return PyExc_OverflowError;
    case SWIG_SyntaxError: return PyExc_SyntaxError;
    case SWIG_ValueError: return PyExc_ValueError;
    case SWIG_SystemError: return PyExc_SystemError;
    case SWIG_AttributeError: return PyExc_AttributeError;
    default: return PyExc_RuntimeError;
    }
}

/* In functions that convert, a variable of theirs says it. */
static const int cuox_void = 1;

static PyObject *cuox_append_output(PyObject *result, PyObject *object, int is_void) {
    if (!result || !object) {
        if (!object) { Py_XDECREF(result); return NULL; }
        return object;
    }
    if (result == Py_None && is_void) {
        Py_DECREF(result);
        return object;
    }
    if (!PyList_Check(result)) {
        PyObject *list = PyList_New(1);
        if (!list) { Py_DECREF(object); return result; }
        PyList_SetItem(list, 0, result);
        result = list;
    }
    PyList_Append(result, object);
    Py_DECREF(object);
    return result;
}
#define SWIG_AppendOutput(result, object) cuox_append_output(result, object, cuox_void)
#define cuox_append_2(result, object) cuox_append_output(result, object, cuox_void)
#define cuox_append_3(result, object, is_void) cuox_append_output(result, object, is_void)
#define cuox_append_of(a, b, c, name, ...) name
#define SWIG_Python_AppendOutput(...) cuox_append_of(__VA_ARGS__, cuox_append_3, cuox_append_2, 0)(__VA_ARGS__)

#define CUOX_WHOLE(name, type, wide, read, least, most) \
static int SWIG_AsVal_##name(PyObject *object, type *value) { \
    wide read_value; \
    if (!PyLong_Check(object)) return SWIG_TypeError; \
    read_value = read(object); \
    if (PyErr_Occurred()) { PyErr_Clear(); return SWIG_OverflowError; } \
    if (read_value < (least) || read_value > (most)) return SWIG_OverflowError; \
    if (value) *value = (type)read_value; \
    return SWIG_OK; \
}
CUOX_WHOLE(signed_SS_char, signed char, long long, PyLong_AsLongLong, SCHAR_MIN, SCHAR_MAX)
CUOX_WHOLE(unsigned_SS_char, unsigned char, unsigned long long, PyLong_AsUnsignedLongLong, 0, UCHAR_MAX)
CUOX_WHOLE(short, short, long long, PyLong_AsLongLong, SHRT_MIN, SHRT_MAX)
CUOX_WHOLE(unsigned_SS_short, unsigned short, unsigned long long, PyLong_AsUnsignedLongLong, 0, USHRT_MAX)
CUOX_WHOLE(int, int, long long, PyLong_AsLongLong, INT_MIN, INT_MAX)
CUOX_WHOLE(unsigned_SS_int, unsigned int, unsigned long long, PyLong_AsUnsignedLongLong, 0, UINT_MAX)
CUOX_WHOLE(long, long, long long, PyLong_AsLongLong, LONG_MIN, LONG_MAX)
CUOX_WHOLE(unsigned_SS_long, unsigned long, unsigned long long, PyLong_AsUnsignedLongLong, 0, ULONG_MAX)
CUOX_WHOLE(long_SS_long, long long, long long, PyLong_AsLongLong, LLONG_MIN, LLONG_MAX)
CUOX_WHOLE(unsigned_SS_long_SS_long, unsigned long long, unsigned long long, PyLong_AsUnsignedLongLong, 0, ULLONG_MAX)
CUOX_WHOLE(size_t, size_t, unsigned long long, PyLong_AsUnsignedLongLong, 0, SIZE_MAX)
CUOX_WHOLE(ptrdiff_t, ptrdiff_t, long long, PyLong_AsLongLong, PTRDIFF_MIN, PTRDIFF_MAX)

static int SWIG_AsVal_double(PyObject *object, double *value) {
    double read_value;
    if (!PyFloat_Check(object) && !PyLong_Check(object)) return SWIG_TypeError;
    read_value = PyFloat_AsDouble(object);
    if (PyErr_Occurred()) { PyErr_Clear(); return SWIG_OverflowError; }
    if (value) *value = read_value;
    return SWIG_OK;
}
static int SWIG_AsVal_float(PyObject *object, float *value) {
    double read_value;
    int done = SWIG_AsVal_double(object, &read_value);
    if (SWIG_IsOK(done) && value) *value = (float)read_value;
    return done;
}
static int SWIG_AsVal_bool(PyObject *object, int *value) {
    if (!PyBool_Check(object)) return SWIG_TypeError;
    if (value) *value = object == Py_True;
    return SWIG_OK;
}
static int SWIG_AsCharPtrAndSize(PyObject *object, char **text, size_t *size, int *copied) {
    Py_ssize_t length = 0;
    char *found = NULL;
    if (PyUnicode_Check(object)) {
        found = (char *)PyUnicode_AsUTF8AndSize(object, &length);
        if (!found) { PyErr_Clear(); return SWIG_TypeError; }
    } else if (!PyBytes_Check(object) || PyBytes_AsStringAndSize(object, &found, &length)) {
        PyErr_Clear();
        return SWIG_TypeError;
    }
    if (size) *size = (size_t)length + 1;
    if (text && copied) {
        *text = (char *)memcpy(malloc((size_t)length + 1), found, (size_t)length + 1);
        *copied = SWIG_NEWOBJ;
        return SWIG_NEWOBJ;
    }
    if (text) *text = found;
    return SWIG_OK;
}
#define SWIG_AsCharPtr(object, text, copied) SWIG_AsCharPtrAndSize(object, text, NULL, copied)
static int SWIG_AsVal_char(PyObject *object, char *value) {
    char *text;
    size_t size;
    long number;
    if (SWIG_IsOK(SWIG_AsCharPtrAndSize(object, &text, &size, NULL))) {
        if (size > 2) return SWIG_TypeError;
        if (value) *value = text[0];
        return SWIG_OK;
    }
    if (!SWIG_IsOK(SWIG_AsVal_long(object, &number)) || number < CHAR_MIN || number > CHAR_MAX) return SWIG_TypeError;
    if (value) *value = (char)number;
    return SWIG_OK;
}

static PyObject *SWIG_FromCharPtrAndSize(const char *text, size_t size) {
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "surrogateescape") : SWIG_Py_Void();
}
static PyObject *SWIG_FromCharPtr(const char *text) { return SWIG_FromCharPtrAndSize(text, text ? strlen(text) : 0); }
#define SWIG_FromBinaryCharPtrAndSize(text, size, is_binary) \
    ((is_binary) ? PyBytes_FromStringAndSize(text, size) : SWIG_FromCharPtrAndSize(text, size))
static PyObject *SWIG_From_char(char value) { return SWIG_FromCharPtrAndSize(&value, 1); }
#define SWIG_From_signed_SS_char PyLong_FromLong
#define SWIG_From_unsigned_SS_char PyLong_FromLong
#define SWIG_From_short PyLong_FromLong
#define SWIG_From_unsigned_SS_short PyLong_FromLong
#define SWIG_From_int PyLong_FromLong
#define SWIG_From_unsigned_SS_int PyLong_FromUnsignedLong
#define SWIG_From_long PyLong_FromLong
#define SWIG_From_unsigned_SS_long PyLong_FromUnsignedLong
#define SWIG_From_long_SS_long PyLong_FromLongLong
#define SWIG_From_unsigned_SS_long_SS_long PyLong_FromUnsignedLongLong
#define SWIG_From_size_t PyLong_FromSize_t
#define SWIG_From_ptrdiff_t PyLong_FromSsize_t
#define SWIG_From_double PyFloat_FromDouble
#define SWIG_From_float PyFloat_FromDouble
#define SWIG_From_bool PyBool_FromLong

typedef struct swig_type_info { const char *name, *str; } swig_type_info;
static const char *SWIG_TypePrettyName(const swig_type_info *type) { return type->str; }

/* The binding, as two functions of Python: an address for an object, and an object for an address. */
PyObject *cuox_address_of, *cuox_object_at;

static int SWIG_ConvertPtr(PyObject *object, void **address, const swig_type_info *type, int flags) {
    PyObject *found;
    if (!cuox_address_of) return SWIG_ERROR;
    found = PyObject_CallFunction(cuox_address_of, "Osi", object, type ? type->str : "void *", flags);
    if (!found) { PyErr_Clear(); return SWIG_ERROR; }
    if (address) *address = PyLong_AsVoidPtr(found);
    Py_DECREF(found);
    return SWIG_OK;
}
#define SWIG_Python_ConvertPtr SWIG_ConvertPtr
static PyObject *SWIG_NewPointerObj(void *address, const swig_type_info *type, int flags) {
    if (!cuox_object_at) return PyErr_Format(PyExc_SystemError, "the binding is not ready for objects of %s", type->str);
    return PyObject_CallFunction(cuox_object_at, "Nsi", PyLong_FromVoidPtr(address), type->str, flags);
}
#define SWIG_InternalNewPointerObj SWIG_NewPointerObj
"""


def include_folder() -> str:
    """Return the folder with Python's headers. Raises NotFoundError if they are not installed."""
    folder = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(folder, "Python.h")):
        raise NotFoundError(
            "the interface file's code uses Python's C API, and Python's headers are not installed (no "
            f"{os.path.join(folder, 'Python.h')}): install them, for example python3-dev (Debian, Ubuntu) or "
            "python3-devel (Fedora); rules and %apply need none"
        )
    return folder


def _named(type_text: str) -> str:
    return type_text.replace("*", " ").split()[-1]


def _functions(library: Any) -> tuple[Any, Any]:
    """The functions that C code calls; they do not keep the library."""
    of = weakref.ref(library)

    def class_of(type_text: str) -> Any:
        bound = of()
        name = bound._python_name(_named(type_text)) if bound is not None else ""
        found = bound[name] if bound is not None and name in bound else None
        return found if isinstance(found, type) and issubclass(found, _native.CValue) else None

    def address_of(value: Any, type_text: str, _flags: int) -> int:
        if value is None:
            return 0
        if not isinstance(value, _native.CValue):
            raise TypeError(f"expected {type_text}, got {type(value).__name__}")
        wanted = class_of(type_text) if type_text.count("*") == 1 else None
        if isinstance(value, _native.Pointer):
            if wanted is not None and not isinstance(value[0], wanted):
                raise TypeError(f"expected {type_text}, got {value!r}")
            return int(value)
        if type_text != "void *" and (wanted is None or not isinstance(value, wanted)):
            raise TypeError(f"expected {type_text}, got {type(value).__name__}")
        return int(value) if isinstance(value, _native.Handle) else int(value.getPtr())

    def object_at(address: int, type_text: str, flags: int) -> Any:
        wanted = class_of(type_text) if type_text.count("*") == 1 else None
        if not address:
            return None
        if wanted is None:
            raise TypeError(f"{type_text} is not a pointer to a record of the binding, of which objects can be made")
        if issubclass(wanted, _native.Handle):
            return wanted(address)
        made = wanted.from_address(address)
        return adopt_record(made, address) if flags & 1 else made

    return address_of, object_at


_kept: list[Any] = []


def connect(library: Any, path: str) -> None:
    """Tell the compiled code of an interface file about its binding, and run its `%init`. What that gives the module
    are attributes of the binding.
    """
    if "__connected__" in library.__dict__:
        return
    library.__dict__["__connected__"] = True
    symbols = _native.Symbols([path])
    functions = _functions(library)
    for name, function in zip(("cuox_address_of", "cuox_object_at"), functions, strict=True):
        place = symbols.find(name)
        if place is None:
            raise ImportError(f"{path} is not the library of this binding: it has no {name}")
        # C has no reference of its own.
        _kept.append(function)
        ctypes.py_object.from_address(place).value = function
    if (place := symbols.find("cuox_python_init")) is not None:
        module = ModuleType(os.path.basename(path).partition(".")[0].removeprefix("_"))
        before = set(module.__dict__)
        ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(place)(module)
        library.__dict__.update({name: value for name, value in module.__dict__.items() if name not in before})
