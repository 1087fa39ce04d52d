//! The address and size of host memory, read from the two most common objects themselves.
//!
//! The buffer protocol calls three functions through pointers, and for a short copy behind the driver's code these
//! cost more than all else that is done here. Layouts are not promised by anyone: so they are looked for in live
//! objects first, and what is not found is not used.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PySlice, PyTuple};

/// Contiguous host memory, as long as its object is alive and the GIL is held.
pub struct Span {
    pub address: *mut c_void,
    pub bytes: usize,
}

/// True if a bytearray's address is where `bytearray` looks for it.
static BYTEARRAY: AtomicBool = AtomicBool::new(false);

/// `numpy.ndarray`, if its objects are as `array` takes them to be.
static NDARRAY: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(std::ptr::null_mut());
/// The offset of an element's size in a dtype, and true if it has 8 bytes there (NumPy 2) and not 4.
static ITEM_SIZE: AtomicUsize = AtomicUsize::new(0);
static ITEM_SIZE_IS_WIDE: AtomicBool = AtomicBool::new(false);
/// The class that `learn` looked at last.
static SEEN: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(std::ptr::null_mut());

/// `ob_start` of a PyByteArrayObject: behind `ob_alloc` and `ob_bytes`.
const BYTEARRAY_START: usize = size_of::<ffi::PyVarObject>() + 16;

/// A PyArrayObject_fields (numpy/ndarraytypes.h), up to what is read of it.
#[repr(C)]
struct Array {
    head: ffi::PyObject,
    data: *mut c_void,
    dimensions: i32,
    shape: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    dtype: *mut ffi::PyObject,
    flags: u32,
}

// NPY_ARRAY_*.
const C_CONTIGUOUS: u32 = 1;
const F_CONTIGUOUS: u32 = 2;
const WRITEABLE: u32 = 0x400;
const WARN_ON_WRITE: u32 = 1 << 31;

/// The kind of a dtype, behind its head and the class of its scalars: the same in NumPy 1 and 2.
const KIND: usize = size_of::<ffi::PyObject>() + 8;

/// The memory of a bytearray or an array of numbers, if it is contiguous and, if asked for, writable. Whatever gets
/// `None` is to be asked by the buffer protocol.
#[inline(always)]
pub fn span(object: &Bound<'_, PyAny>, writable: bool) -> Option<Span> {
    let raw = object.as_ptr();
    // SAFETY: live objects of exactly these classes, whose layout was looked at.
    unsafe {
        let class = ffi::Py_TYPE(raw);
        if class == &raw mut ffi::PyByteArray_Type && BYTEARRAY.load(Relaxed) {
            return Some(bytearray(raw));
        }
        if class == NDARRAY.load(Relaxed) {
            return array(raw, writable);
        }
    }
    None
}

/// # Safety
/// A live bytearray, laid out as `set_up` has to find it.
#[inline(always)]
unsafe fn bytearray(object: *mut ffi::PyObject) -> Span {
    // SAFETY: the caller vouches for a live bytearray, whose fields lie where `set_up` has found them.
    unsafe {
        Span {
            address: object
                .byte_add(BYTEARRAY_START)
                .cast::<*mut c_void>()
                .read(),
            bytes: ffi::Py_SIZE(object) as usize,
        }
    }
}

/// # Safety
/// A live array, laid out as `learn` has to find it.
#[inline(always)]
unsafe fn array(object: *mut ffi::PyObject, writable: bool) -> Option<Span> {
    // SAFETY: the caller vouches for a live array laid out as `Array`; its shape has as many sizes as it has
    // dimensions.
    unsafe {
        let array = object.cast::<Array>();
        let flags = (*array).flags;
        if flags & (C_CONTIGUOUS | F_CONTIGUOUS) == 0
            || writable && flags & (WRITEABLE | WARN_ON_WRITE) != WRITEABLE
            // Of other kinds, the exporter decides.
            || !matches!((*array).dtype.byte_add(KIND).cast::<u8>().read(), b'b' | b'i' | b'u' | b'f' | b'c')
        {
            return None;
        }
        let size = (*array).dtype.byte_add(ITEM_SIZE.load(Relaxed));
        let mut bytes = if ITEM_SIZE_IS_WIDE.load(Relaxed) {
            size.cast::<usize>().read()
        } else {
            size.cast::<u32>().read() as usize
        };
        for i in 0..(*array).dimensions as usize {
            // The array exists, so this is less than the address space.
            bytes = bytes.wrapping_mul((*array).shape.add(i).read() as usize);
        }
        Some(Span {
            address: (*array).data,
            bytes,
        })
    }
}

/// True if objects of `class` have at least so many bytes.
fn is_as_large(class: &Bound<'_, PyAny>, bytes: usize) -> bool {
    let size = class.getattr("__basicsize__");
    size.and_then(|size| size.extract::<usize>())
        .is_ok_and(|size| size >= bytes)
}

/// Looks how a bytearray is laid out.
pub fn set_up(py: Python<'_>) {
    let class = py.get_type::<PyByteArray>();
    let found = is_as_large(&class, BYTEARRAY_START + size_of::<usize>())
        && [&b"0123456789abcdef0123456789abcdef"[..], &[7; 5000]]
            .into_iter()
            .all(|bytes| {
                let object = PyByteArray::new(py, bytes);
                // Bytes that are taken off the front move the start away from the memory's beginning.
                if object.del_item(PySlice::new(py, 0, 3, 1)).is_err() {
                    return false;
                }
                // SAFETY: a live bytearray, which has the bytes that are looked at.
                unsafe {
                    let span = bytearray(object.as_ptr());
                    span.address == ffi::PyByteArray_AsString(object.as_ptr()).cast()
                        && span.bytes == bytes.len() - 3
                }
            });
    BYTEARRAY.store(found, Relaxed);
}

/// Looks how an array is laid out, once it has seen one. For each class it looks once.
#[cold]
pub fn learn(object: &Bound<'_, PyAny>) {
    // SAFETY: a live object.
    let class = unsafe { ffi::Py_TYPE(object.as_ptr()) };
    if SEEN.swap(class, Relaxed) == class || !NDARRAY.load(Relaxed).is_null() {
        return;
    }
    // A layout that cannot be found out is not used.
    let _ = learn_arrays(object.py(), class);
}

fn learn_arrays(py: Python<'_>, class: *mut ffi::PyTypeObject) -> PyResult<()> {
    let modules = py.import("sys")?.getattr("modules")?;
    let Some(numpy) = modules.cast::<PyDict>()?.get_item("numpy")? else {
        return Ok(());
    };
    let ndarray = numpy.getattr("ndarray")?;
    let dtype = numpy.getattr("dtype")?;
    if ndarray.as_ptr() != class.cast()
        || !is_as_large(&ndarray, size_of::<Array>())
        || !is_as_large(&dtype, KIND + 32)
    {
        return Ok(());
    }
    let names = PyDict::new(py);
    names.set_item("numpy", &numpy)?;
    // All kinds of numbers, orders, views and one that may not be written to.
    let samples = py.eval(
        c"(numpy.zeros(7, 'i4'), numpy.zeros((3, 5), 'f8'), numpy.zeros((2, 3, 4), 'u2').T, numpy.zeros((4, 6), 'c16')[1:3, ::2], \
           numpy.zeros((), 'b1'), numpy.broadcast_to(numpy.zeros(3, 'i1'), (2, 3)), numpy.zeros((1, 9), 'f2')[:, 2:])",
        None,
        Some(&names),
    )?;
    // In NumPy 1 a dtype's `elsize` is an int behind three other words, in NumPy 2 a word behind four.
    let mut places = vec![(32, false), (40, true)];
    for sample in samples.cast_into::<PyTuple>()?.iter() {
        let kind: char = sample.getattr("dtype")?.getattr("kind")?.extract()?;
        let mut view = ffi::Py_buffer::new();
        // SAFETY: a live object and a view to fill, which is released once; it has a shape, as that is asked for. The
        // class's objects are as large as what is read of them, and the shape is only followed if the strides lie
        // behind it.
        unsafe {
            if ffi::PyObject_GetBuffer(sample.as_ptr(), &raw mut view, ffi::PyBUF_FULL_RO) != 0 {
                return Err(PyErr::fetch(py));
            }
            let array = sample.as_ptr().cast::<Array>();
            let dimensions = view.ndim as usize;
            let is = |flag| (*array).flags & flag != 0;
            let contiguous =
                |order: u8| ffi::PyBuffer_IsContiguous(&raw const view, order as _) != 0;
            let alike = (*array).data == view.buf
                && (*array).dimensions == view.ndim
                && (*array).dtype == sample.getattr("dtype")?.as_ptr()
                && is(C_CONTIGUOUS) == contiguous(b'C')
                && is(F_CONTIGUOUS) == contiguous(b'F')
                && is(WRITEABLE) == (view.readonly == 0)
                && (*array).dtype.byte_add(KIND).cast::<u8>().read() as char == kind
                && (dimensions == 0
                    || !(*array).shape.is_null()
                        && (*array).shape.is_aligned()
                        && (*array).shape.wrapping_add(dimensions) == (*array).strides
                        && (0..dimensions)
                            .all(|i| (*array).shape.add(i).read() == view.shape.add(i).read()));
            let item = view.itemsize as usize;
            ffi::PyBuffer_Release(&raw mut view);
            if !alike {
                return Ok(());
            }
            places.retain(|&(offset, wide)| {
                let place = (*array).dtype.byte_add(offset);
                item == if wide {
                    place.cast::<usize>().read()
                } else {
                    place.cast::<u32>().read() as usize
                }
            });
        }
    }
    if let [(offset, wide)] = places[..] {
        ITEM_SIZE.store(offset, Relaxed);
        ITEM_SIZE_IS_WIDE.store(wide, Relaxed);
        // The class is kept for good, as its address is.
        NDARRAY.store(ndarray.into_ptr().cast(), Relaxed);
    }
    Ok(())
}
