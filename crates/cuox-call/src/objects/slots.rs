//! Type slots made of safe functions.

/// A slot of one object: `tp_repr`, `nb_int`, `tp_iter`.
macro_rules! unary {
    ($body:expr) => {{
        unsafe extern "C" fn slot(this: *mut pyo3::ffi::PyObject) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls a type slot with a live object of the class, with the GIL held.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    $body($crate::objects::object_ref::ObjectRef { object: &this })
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use unary;

/// A slot of two objects, either of which is of the class: `nb_add`.
macro_rules! binary {
    ($body:expr) => {{
        unsafe extern "C" fn slot(
            a: *mut pyo3::ffi::PyObject,
            b: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls this with two objects.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    let a = pyo3::Bound::from_borrowed_ptr(py, a);
                    $body(&a, &pyo3::Bound::from_borrowed_ptr(py, b))
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use binary;

/// `tp_richcompare` with `==` and `!=` only, from a function that compares two objects; it returns `None` for objects
/// that cannot be equal.
macro_rules! equality {
    ($same:expr) => {{
        unsafe extern "C" fn slot(
            this: *mut pyo3::ffi::PyObject,
            other: *mut pyo3::ffi::PyObject,
            operator: std::ffi::c_int,
        ) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls a type slot with a live object of the class, with the GIL held.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    let equal = operator == pyo3::ffi::Py_EQ;
                    if !equal && operator != pyo3::ffi::Py_NE {
                        return Ok(py.NotImplemented().into_bound(py));
                    }
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    let this = $crate::objects::object_ref::ObjectRef { object: &this };
                    let other = pyo3::Bound::from_borrowed_ptr(py, other);
                    Ok(match $same(this, &other)? {
                        Some(same) => pyo3::types::PyBool::new(py, same == equal)
                            .to_owned()
                            .into_any(),
                        None => py.NotImplemented().into_bound(py),
                    })
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use equality;

/// A slot that gives a number or -1.
macro_rules! number {
    ($body:expr, $type:ty, $of:expr) => {{
        unsafe extern "C" fn slot(this: *mut pyo3::ffi::PyObject) -> $type {
            // SAFETY: the interpreter calls a type slot with a live object of the class, with the GIL held.
            unsafe {
                $crate::interpreter::guard::run(-1, |py| {
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    Ok($of($body($crate::objects::object_ref::ObjectRef {
                        object: &this,
                    })?))
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use number;

/// `nb_bool`.
macro_rules! truth {
    ($body:expr) => {
        $crate::objects::slots::number!($body, std::ffi::c_int, std::ffi::c_int::from)
    };
}

pub(crate) use truth;

/// `tp_hash`, of a word that says what the object is.
macro_rules! hash {
    ($body:expr) => {
        $crate::objects::slots::number!(
            $body,
            pyo3::ffi::Py_hash_t,
            $crate::objects::slots::hash_of
        )
    };
}

pub(crate) use hash;

/// `sq_length` and `mp_length`.
macro_rules! length {
    ($body:expr) => {
        $crate::objects::slots::number!($body, pyo3::ffi::Py_ssize_t, |length: usize| length as _)
    };
}

pub(crate) use length;

/// `mp_subscript`.
macro_rules! subscript {
    ($body:expr) => {{
        unsafe extern "C" fn slot(
            this: *mut pyo3::ffi::PyObject,
            key: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls this with an object of the class and a key.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    let this = $crate::objects::object_ref::ObjectRef { object: &this };
                    $body(this, &pyo3::Bound::from_borrowed_ptr(py, key))
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use subscript;

/// `mp_ass_subscript`; without a value it is `del`.
macro_rules! assign {
    ($body:expr) => {{
        unsafe extern "C" fn slot(
            this: *mut pyo3::ffi::PyObject,
            key: *mut pyo3::ffi::PyObject,
            value: *mut pyo3::ffi::PyObject,
        ) -> std::ffi::c_int {
            // SAFETY: the interpreter calls this with an object of the class, a key, and a value or null.
            unsafe {
                $crate::interpreter::guard::status(|py| {
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    let this = $crate::objects::object_ref::ObjectRef { object: &this };
                    let key = pyo3::Bound::from_borrowed_ptr(py, key);
                    $body(this, &key, pyo3::Bound::from_borrowed_ptr_or_opt(py, value).as_ref())
                })
            }
        }
        slot as *const std::ffi::c_void
    }};
}

pub(crate) use assign;

/// The hash of a word.
pub fn hash_of(value: u64) -> pyo3::ffi::Py_hash_t {
    // Addresses end in zeros; -1 means an error.
    match value.rotate_right(4) as pyo3::ffi::Py_hash_t {
        -1 => -2,
        hash => hash,
    }
}
