//! The memory layout of this interpreter's objects, probed on live objects.
//!
//! The crate is built against the stable ABI, which hides every object's layout, yet the code that it makes runs in one
//! interpreter, the one that is here. So each layout that such code reads is probed on live objects, once; one that
//! does not hold turns off what relies on it, and the generic call path through the API remains.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The encoding of an int's size and sign in the word at [`LONG_SIZE`]; digits of 30 bits follow at [`LONG_DIGITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntLayout {
    /// Up to 3.11: the count of digits, negative for a negative number.
    Size,
    /// From 3.12: the count of digits times 8, plus 1 for zero and 2 for a negative number; bit 2 may mean something
    /// else.
    Tag,
}

/// The offset of an object's type.
pub const TYPE: i32 = 8;

/// The offset of a type's flags.
pub const TYPE_FLAGS: i32 = 168;

/// The flag of types that descend from int.
pub const LONG_SUBCLASS: usize = 1 << 24;

/// The offset of an int's size word.
pub const LONG_SIZE: i32 = 16;

/// The offset of an int's digits.
pub const LONG_DIGITS: i32 = 24;

/// The offset of a float's value.
pub const FLOAT: i32 = 16;

/// The offsets of a tuple's items and of its hash, in versions that keep the hash in front of the items; a hash of -1
/// is none.
pub const TUPLE_WITH_HASH: (i32, i32) = (32, 24);

/// The offset of the length of `bytes` and of `str`.
pub const LENGTH: i32 = 16;

/// The known layouts; `None` or `false` means not known.
#[derive(Clone, Debug, Default)]
pub struct ObjectLayout {
    /// An int.
    pub long: Option<IntLayout>,
    /// True if a float's value is at [`FLOAT`].
    pub float: bool,
    /// The offset of the data of `bytes`.
    pub bytes: Option<i32>,
    /// A `str` whose UTF-8 is its own memory.
    pub ascii: Option<AsciiLayout>,
    /// The offset of a tuple's items.
    pub tuple: Option<i32>,
    /// The ints from -5 to 256: the address of the first, and the distance to the next.
    pub small: Option<(usize, usize)>,
    /// `true` if `None` and small ints are immortal: their counts do not change. `false` if counts are the first word
    /// and change.
    pub immortal: Option<bool>,
    /// True if a type's flags are at [`TYPE_FLAGS`].
    pub type_flags: bool,
    /// Types and constants, by address.
    pub types: KnownTypes,
}

/// A compact ASCII string.
#[derive(Clone, Copy, Debug)]
pub struct AsciiLayout {
    /// The offset of the flags, which have 32 bits.
    pub flags: i32,
    /// The bits that are all set.
    pub mask: u32,
    /// The offset of the characters.
    pub data: i32,
}

/// Addresses of types and constants.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct KnownTypes {
    pub long: usize,
    pub bool: usize,
    pub float: usize,
    pub bytes: usize,
    pub str: usize,
    pub none: usize,
    pub true_: usize,
    pub false_: usize,
}

/// # Safety
/// There are as many bytes behind the object's address.
pub unsafe fn at<T: Copy>(object: *mut ffi::PyObject, offset: i32) -> T {
    // SAFETY: the object has as many bytes (`# Safety`); the read needs no alignment.
    unsafe {
        object
            .cast::<u8>()
            .add(offset as usize)
            .cast::<T>()
            .read_unaligned()
    }
}

fn probe_long() -> Option<IntLayout> {
    let probes: [(i64, &[u32]); 9] = [
        (0, &[]),
        (1, &[1]),
        (-1, &[1]),
        (77, &[77]),
        ((1 << 30) - 1, &[0x3fff_ffff]),
        (1 << 30, &[0, 1]),
        (-(1 << 30) - 3, &[3, 1]),
        ((1 << 60) - 1, &[0x3fff_ffff, 0x3fff_ffff]),
        ((1 << 60) + 5, &[5, 0, 1]),
    ];
    let (mut size, mut tag) = (true, true);
    for (value, digits) in probes {
        // SAFETY: an int has at least 28 bytes, and four more for each digit after the first.
        unsafe {
            let int = ffi::PyLong_FromLongLong(value);
            if int.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let word: i64 = at(int, LONG_SIZE);
            let count = digits.len() as i64;
            let same = digits
                .iter()
                .enumerate()
                .all(|(i, digit)| at::<u32>(int, LONG_DIGITS + 4 * i as i32) == *digit);
            size &= same && word == value.signum() * count;
            tag &= same && word & !4 == count << 3 | [2, 1, 0][(value.signum() + 1) as usize];
            ffi::Py_DecRef(int);
        }
    }
    match (size, tag) {
        (true, false) => Some(IntLayout::Size),
        (false, true) => Some(IntLayout::Tag),
        _ => None,
    }
}

fn probe_float(py: Python<'_>) -> bool {
    [-2.25e300, 0.5].into_iter().all(|value| {
        let float = pyo3::types::PyFloat::new(py, value);
        // SAFETY: a float has 24 bytes.
        unsafe { at::<f64>(float.as_ptr(), FLOAT) == value }
    })
}

fn probe_bytes(py: Python<'_>) -> Option<i32> {
    let bytes = pyo3::types::PyBytes::new(py, b"probe");
    let data = bytes.as_bytes().as_ptr() as usize - bytes.as_ptr() as usize;
    // SAFETY: an object of variable size has its length there, if it has one.
    (data == 32 && unsafe { at::<isize>(bytes.as_ptr(), LENGTH) } == 5).then_some(32)
}

fn probe_ascii(py: Python<'_>) -> Option<AsciiLayout> {
    // `compact` and `ascii` in the flags of all versions so far.
    const FLAGS: i32 = 32;
    const MASK: u32 = 1 << 5 | 1 << 6;
    let mut data = None;
    for (text, ascii) in [
        ("probing-ascii", true),
        ("Jan", true),
        ("x", true),
        ("prøbe", false),
        ("дом", false),
    ] {
        let string = pyo3::types::PyString::new(py, text);
        let object = string.as_ptr();
        // SAFETY: a str has more than 40 bytes.
        let (flags, length) = unsafe { (at::<u32>(object, FLAGS), at::<isize>(object, LENGTH)) };
        if (flags & MASK == MASK) != ascii || length != text.chars().count() as isize {
            return None;
        }
        if ascii {
            let found = (string.to_str().ok()?.as_ptr() as usize).wrapping_sub(object as usize);
            if !matches!(found, 40 | 48) || data.is_some_and(|data| data != found) {
                return None;
            }
            data = Some(found);
        }
    }
    Some(AsciiLayout {
        flags: FLAGS,
        mask: MASK,
        data: data? as i32,
    })
}

fn probe_tuple(py: Python<'_>) -> Option<i32> {
    let (first, second) = (1i64 << 40, 1i64 << 41);
    let tuple = pyo3::types::PyTuple::new(py, [first, second]).ok()?;
    let items = [
        tuple.get_item(0).ok()?.as_ptr() as usize,
        tuple.get_item(1).ok()?.as_ptr() as usize,
    ];
    [24, 32].into_iter().find(|offset| {
        // SAFETY: a tuple of two has 40 bytes at least, and one with its items at 32 has 48; the second word is read
        // only if the first fits.
        unsafe {
            at::<usize>(tuple.as_ptr(), *offset) == items[0]
                && at::<usize>(tuple.as_ptr(), offset + 8) == items[1]
        }
    })
}

fn probe_small() -> Option<(usize, usize)> {
    let mut addresses = Vec::new();
    for value in -5..=256 {
        // SAFETY: the interpreter keeps these as long as it lives.
        unsafe {
            let int = ffi::PyLong_FromLong(value);
            addresses.push(int as usize);
            ffi::Py_DecRef(int);
        }
    }
    let stride = addresses[1].wrapping_sub(addresses[0]);
    let even = addresses
        .windows(2)
        .all(|pair| pair[1].wrapping_sub(pair[0]) == stride);
    (even && (24..128).contains(&stride)).then_some((addresses[0], stride))
}

/// True if types of several kinds have their flags where they have been since 3.8.
fn probe_type_flags() -> bool {
    // SAFETY: static types, which are larger than that.
    unsafe {
        [
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyBool_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyType_Type,
        ]
        .into_iter()
        .all(|kind| at::<u64>(kind.cast(), TYPE_FLAGS) == ffi::PyType_GetFlags(kind))
    }
}

fn probe_immortal() -> Option<bool> {
    // SAFETY: live objects; their counts are put back.
    unsafe {
        let one = ffi::PyLong_FromLong(1);
        let moves = [ffi::Py_None(), ffi::Py_True(), ffi::Py_False(), one].map(|object| {
            let before: u64 = at(object, 0);
            ffi::Py_IncRef(object);
            let after: u64 = at(object, 0);
            ffi::Py_DecRef(object);
            after.wrapping_sub(before)
        });
        ffi::Py_DecRef(one);
        match moves {
            [0, 0, 0, 0] => Some(true),
            [1, 1, 1, 1] => Some(false),
            _ => None,
        }
    }
}

fn probe(py: Python<'_>) -> ObjectLayout {
    // SAFETY: these are static or as good as static.
    let types = unsafe {
        KnownTypes {
            long: &raw mut ffi::PyLong_Type as usize,
            bool: &raw mut ffi::PyBool_Type as usize,
            float: &raw mut ffi::PyFloat_Type as usize,
            bytes: &raw mut ffi::PyBytes_Type as usize,
            str: &raw mut ffi::PyUnicode_Type as usize,
            none: ffi::Py_None() as usize,
            true_: ffi::Py_True() as usize,
            false_: ffi::Py_False() as usize,
        }
    };
    // SAFETY: every object has two words.
    let header = unsafe {
        at::<usize>(ffi::Py_True(), TYPE) == types.bool
            && at::<usize>((&raw mut ffi::PyLong_Type).cast(), TYPE)
                == &raw mut ffi::PyType_Type as usize
    };
    if !header {
        return ObjectLayout::default();
    }
    ObjectLayout {
        long: probe_long(),
        float: probe_float(py),
        bytes: probe_bytes(py),
        ascii: probe_ascii(py),
        tuple: probe_tuple(py),
        small: probe_small(),
        immortal: probe_immortal(),
        type_flags: probe_type_flags(),
        types,
    }
}

/// The layout of this interpreter's objects.
pub fn layout(py: Python<'_>) -> &'static ObjectLayout {
    static LAYOUT: OnceLock<ObjectLayout> = OnceLock::new();
    LAYOUT.get_or_init(|| {
        let layout = probe(py);
        COUNTS.store(layout.immortal.is_some(), Ordering::Relaxed);
        layout
    })
}

static COUNTS: AtomicBool = AtomicBool::new(false);

/// True if it is known that objects have their count of references in the first word.
#[inline]
pub fn counts_in_first_word() -> bool {
    COUNTS.load(Ordering::Relaxed)
}

/// An error for interpreters whose objects have another header: those without the global lock.
pub fn check_interpreter(py: Python<'_>) -> PyResult<()> {
    let free = py
        .import("sysconfig")?
        .call_method1("get_config_var", ("Py_GIL_DISABLED",))?
        .is_truthy()?;
    if free {
        return Err(PyImportError::new_err(
            "cuox does not support free-threaded builds of Python: use a build with the global interpreter lock",
        ));
    }
    Ok(())
}

impl ObjectLayout {
    /// This interpreter's layout with nothing read in place.
    pub fn careful(&self) -> Self {
        Self {
            immortal: self.immortal,
            types: self.types.clone(),
            ..Self::default()
        }
    }
}
