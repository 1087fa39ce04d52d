//! Python values to the bytes of a kernel's parameter buffer, by the kernel's signature.

use std::mem::MaybeUninit;

use cuox::error::ArgumentError;
use cuox::launch::{bf16_bits, f16_bits};
use cuox::signature::Element;
use cuox::{Error, Param, ParamKind, Signature};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

use crate::buffer::Buffer;
use crate::dtype::Dtype;
use crate::error::to_py;
use crate::foreign::{self, Consumer};

/// How one parameter is converted: what [`ParamKind`] says, in the form that the launch needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Pointer {
        read_only: bool,
        /// What it points to; None takes arrays of anything.
        element: Option<Element>,
    },
    PointerOrInt,
    Signed(u8),
    Unsigned(u8),
    /// Only the PTX is known, which has no signs: either range is taken.
    AnySign(u8),
    Bool,
    F16,
    BF16,
    F32,
    F64,
    Bytes(u32),
}

/// A kernel's signature, made ready for launching.
pub struct Plan {
    signature: Signature,
    slots: Box<[(Slot, u32)]>,
}

/// Room for the parameters of nearly every kernel, on the stack.
const INLINE_WORDS: usize = 64;

/// A parameter buffer. It starts out unwritten: what lies between parameters is nobody's.
pub struct Packed {
    inline: [MaybeUninit<u64>; INLINE_WORDS],
    heap: Vec<MaybeUninit<u64>>,
}

impl Packed {
    #[inline]
    pub fn new() -> Self {
        Self {
            inline: [MaybeUninit::uninit(); INLINE_WORDS],
            heap: Vec::new(),
        }
    }

    /// Room for `bytes` bytes.
    #[inline]
    fn room(&mut self, bytes: usize) -> &mut [MaybeUninit<u8>] {
        let words = bytes.div_ceil(8);
        let start = if words <= INLINE_WORDS {
            self.inline.as_mut_ptr()
        } else {
            self.heap.resize(words, MaybeUninit::uninit());
            self.heap.as_mut_ptr()
        };
        // SAFETY: `start` is the beginning of `words` words, which `self` lends out exclusively.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), bytes) }
    }

    /// Where the packed bytes begin.
    #[inline]
    pub fn base(&mut self, bytes: usize) -> *mut u8 {
        self.room(bytes).as_mut_ptr().cast()
    }
}

impl Plan {
    pub fn new(signature: Signature) -> Self {
        let slots = signature
            .params()
            .iter()
            .map(|param| (slot(&param.kind), param.offset))
            .collect();
        Self { signature, slots }
    }

    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// How many parameters there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Where each parameter lies in the buffer.
    #[inline]
    pub fn offsets(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().map(|(_, offset)| *offset)
    }

    /// Size of the parameter buffer.
    #[inline]
    pub fn size(&self) -> usize {
        self.signature.size()
    }

    /// Converts `arguments` into `packed`.
    ///
    /// # Safety
    /// `arguments` are borrowed, non-null references to live Python objects.
    #[inline]
    pub unsafe fn pack(
        &self,
        py: Python<'_>,
        arguments: &[*mut ffi::PyObject],
        consumer: &Consumer<'_>,
        packed: &mut Packed,
    ) -> PyResult<()> {
        if arguments.len() != self.slots.len() {
            return Err(self.wrong_count(arguments.len()));
        }
        let room = packed.room(self.size());
        for (index, (&(slot, offset), argument)) in self.slots.iter().zip(arguments).enumerate() {
            let target = &mut room[offset as usize..];
            // SAFETY: the caller vouches for the reference.
            let object = unsafe { Bound::ref_from_ptr(py, argument) };
            self.convert(index, slot, object, consumer, target)?;
        }
        Ok(())
    }

    #[inline]
    fn convert(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        consumer: &Consumer<'_>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        match slot {
            Slot::Pointer { .. } | Slot::PointerOrInt => {
                if let Ok(buffer) = object.cast_exact::<Buffer>() {
                    put(target, buffer.get().pointer_for(consumer)?.to_ne_bytes());
                    return Ok(());
                }
                let address = self.pointer(index, slot, object, consumer)?;
                put(target, address.to_ne_bytes());
            }
            Slot::F32 => {
                let value = self.float(index, object)?;
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(self.out_of_range(index, object));
                }
                put(target, narrow.to_ne_bytes());
            }
            Slot::F64 => put(target, self.float(index, object)?.to_ne_bytes()),
            Slot::F16 | Slot::BF16 => {
                let value = self.float(index, object)?;
                let (bits, infinity) = match slot {
                    Slot::F16 => (f16_bits(value), 0x7c00),
                    _ => (bf16_bits(value), 0x7f80),
                };
                if bits & 0x7fff == infinity && value.is_finite() {
                    return Err(self.out_of_range(index, object));
                }
                put(target, bits.to_ne_bytes());
            }
            Slot::Signed(bits) | Slot::Unsigned(bits) | Slot::AnySign(bits) => {
                let value = self.integer(index, object)?;
                let (low, high) = match slot {
                    Slot::Signed(_) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                    Slot::Unsigned(_) => (0, (1i128 << bits) - 1),
                    _ => (-(1i128 << (bits - 1)), (1i128 << bits) - 1),
                };
                if value < low || value > high {
                    return Err(self.out_of_range(index, object));
                }
                put_low(target, value, bits);
            }
            Slot::Bool => put(target, [u8::from(self.boolean(index, object)?)]),
            Slot::Bytes(size) => self.bytes(index, object, &mut target[..size as usize])?,
        }
        Ok(())
    }

    /// A Python number as `f64`; anything with `__float__` or `__index__`, but no text and no array.
    #[inline]
    fn float(&self, index: usize, object: &Bound<'_, PyAny>) -> PyResult<f64> {
        // SAFETY: a live object.
        let plain = unsafe {
            ffi::PyFloat_Check(object.as_ptr()) != 0 || ffi::PyLong_Check(object.as_ptr()) != 0
        };
        if !plain && foreign::is_complex(object) {
            return Err(self.wrong_kind(index, object, ""));
        }
        // SAFETY: a live object; -1 with an exception set is the error return.
        let value = unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) };
        if value == -1.0
            && let Some(error) = PyErr::take(object.py())
        {
            if error.is_instance_of::<PyOverflowError>(object.py())
                && object.is_instance_of::<PyInt>()
            {
                return Err(self.out_of_range(index, object));
            }
            if !error.is_instance_of::<PyTypeError>(object.py()) {
                return Err(error);
            }
            if let Some(inner) = foreign::ctypes_value(object)? {
                return self.float(index, &inner);
            }
            return Err(self.wrong_kind(index, object, ""));
        }
        Ok(value)
    }

    /// A Python integer, wide enough for every parameter of up to 64 bits.
    #[inline]
    fn integer(&self, index: usize, object: &Bound<'_, PyAny>) -> PyResult<i128> {
        let mut overflow = 0;
        // SAFETY: a live object that is a `int`; overflow is reported in `overflow`, with no exception.
        if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
            // SAFETY: as above.
            let value =
                unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
            if overflow == 0 {
                return Ok(i128::from(value));
            }
            return match object.extract::<u64>() {
                Ok(value) => Ok(i128::from(value)),
                Err(_) => Err(self.out_of_range(index, object)),
            };
        }
        // SAFETY: a live object; null with an exception set is the error return.
        let number = unsafe {
            Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Index(object.as_ptr()))
        };
        match number {
            Ok(number) => self.integer(index, &number),
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
                match foreign::ctypes_value(object)? {
                    Some(inner) => self.integer(index, &inner),
                    None => Err(self.wrong_kind(index, object, "")),
                }
            }
            Err(error) => Err(error),
        }
    }

    fn boolean(&self, index: usize, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(value) = object.extract::<bool>() {
            return Ok(value);
        }
        match self.integer(index, object)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.out_of_range(index, object)),
        }
    }

    #[cold]
    fn pointer(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        consumer: &Consumer<'_>,
    ) -> PyResult<u64> {
        let found = match foreign::pointer(object, consumer)? {
            foreign::Found::Address(address) => address,
            foreign::Found::Memory {
                address,
                read_only,
                dtype,
            } => {
                if let Slot::Pointer {
                    read_only: promised,
                    element,
                } = slot
                {
                    if let (Some(element), Some(dtype)) = (element, dtype)
                        && !dtype.fits(element)
                    {
                        return Err(self.wrong_elements(index, object, element, dtype));
                    }
                    if read_only && !promised {
                        let text = " (read-only); the kernel may write to it: declare the parameter const, or pass a copy";
                        return Err(self.wrong_kind(index, object, text));
                    }
                }
                address
            }
            foreign::Found::Masked => {
                let text = " with a mask, which a kernel does not see; pass the mask as an array of its own";
                return Err(self.wrong_kind(index, object, text));
            }
            foreign::Found::Host => {
                let text = " (host memory); copy it to the device first: \
                            buffer = device.allocate(nbytes); buffer.copy_from_host(array)";
                return Err(self.wrong_kind(index, object, text));
            }
            foreign::Found::Strided => {
                let text = " whose elements are not contiguous in memory; pass a contiguous copy";
                return Err(self.wrong_kind(index, object, text));
            }
            // Eight bytes of which only the PTX is known may be a signed integer too.
            foreign::Found::OutOfRange if slot == Slot::PointerOrInt => {
                match object.extract::<i64>() {
                    Ok(value) => value as u64,
                    Err(_) => return Err(self.out_of_range(index, object)),
                }
            }
            foreign::Found::OutOfRange => return Err(self.out_of_range(index, object)),
            foreign::Found::Nothing
                if slot == Slot::PointerOrInt && object.is_instance_of::<PyBool>() =>
            {
                let text = "; if it is the integer, pass int(value)";
                return Err(self.wrong_kind(index, object, text));
            }
            foreign::Found::Nothing => return Err(self.wrong_kind(index, object, "")),
        };
        Ok(found)
    }

    /// A structure: any object that shows its bytes (`bytes`, a NumPy record, a ctypes structure) and has just so many.
    #[cold]
    fn bytes(
        &self,
        index: usize,
        object: &Bound<'_, PyAny>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        if let Some(dtype) = foreign::host_dtype(object) {
            let param = &self.signature.params()[index];
            if dtype.is_big_endian() {
                let text = format!(
                    "[{dtype}], whose byte order no CUDA device has; convert it: value.astype(value.dtype.newbyteorder('<'))"
                );
                return Err(self.wrong_kind(index, object, &text));
            }
            let declared = param.cxx_type.as_deref().and_then(Element::of);
            if let Some(element) = declared.filter(|element| element.lanes > 1)
                && !dtype.fits(element)
            {
                return Err(self.wrong_elements(index, object, element, dtype));
            }
        }
        match foreign::copy_bytes(object, target)? {
            foreign::Copied::All => Ok(()),
            foreign::Copied::WrongSize(size) => {
                Err(self.wrong_kind(index, object, &format!(" of {size} bytes")))
            }
            foreign::Copied::NoBytes if target.len() <= 8 => {
                // Code without a signature: a size is all that is known, and an integer may well fit it.
                if let ParamKind::Unknown { .. } = self.signature.params()[index].kind {
                    return self.unknown(index, object, target);
                }
                Err(self.wrong_kind(index, object, ""))
            }
            foreign::Copied::NoBytes => Err(self.wrong_kind(index, object, "")),
        }
    }

    /// A parameter of which only the size is known takes what has just that size, and integers.
    fn unknown(
        &self,
        index: usize,
        object: &Bound<'_, PyAny>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        if let Ok(buffer) = object.cast::<Buffer>()
            && target.len() == 8
        {
            put(target, buffer.get().address()?.to_ne_bytes());
            return Ok(());
        }
        let bits = target.len() as u8 * 8;
        let value = self.integer(index, object)?;
        if value < -(1i128 << (bits - 1)) || value >= 1i128 << bits {
            return Err(self.out_of_range(index, object));
        }
        put_low(target, value, bits);
        Ok(())
    }

    #[cold]
    fn argument_error(&self, index: usize, got: String) -> ArgumentError {
        let param: &Param = &self.signature.params()[index];
        let mut expected = param.kind.takes();
        if let Slot::Bytes(_) = self.slots[index].0 {
            expected += " (bytes, a NumPy record or a ctypes structure)";
        }
        ArgumentError {
            kernel: self.signature.name().to_owned(),
            index: index + 1,
            name: param.name.clone(),
            declared: param.type_text(),
            expected,
            got,
        }
    }

    #[cold]
    fn wrong_kind(&self, index: usize, object: &Bound<'_, PyAny>, more: &str) -> PyErr {
        let got = format!("{}{more}", foreign::type_name(object));
        to_py(
            object.py(),
            Error::Argument(Box::new(self.argument_error(index, got))),
        )
    }

    /// An array of other elements than the parameter points to.
    #[cold]
    fn wrong_elements(
        &self,
        index: usize,
        object: &Bound<'_, PyAny>,
        element: Element,
        dtype: Dtype,
    ) -> PyErr {
        let got = format!(
            "{}[{dtype}]; convert it, or pass its address as an int to have the bytes taken as they are",
            foreign::type_name(object)
        );
        let mut error = self.argument_error(index, got);
        error.expected = format!("an array of {element}");
        to_py(object.py(), Error::Argument(Box::new(error)))
    }

    #[cold]
    fn out_of_range(&self, index: usize, object: &Bound<'_, PyAny>) -> PyErr {
        let shown = object
            .repr()
            .map_or_else(|_| foreign::type_name(object), |text| text.to_string());
        let error = self.argument_error(index, format!("{shown}, which is out of its range"));
        PyOverflowError::new_err(Error::Argument(Box::new(error)).to_string())
    }

    #[cold]
    fn wrong_count(&self, got: usize) -> PyErr {
        PyTypeError::new_err(
            Error::ArgumentCount {
                kernel: self.signature.name().into(),
                expected: self.slots.len(),
                got,
                signature: self.signature.to_string().into(),
            }
            .to_string(),
        )
    }
}

fn slot(kind: &ParamKind) -> Slot {
    match kind {
        ParamKind::Pointer { pointee } => Slot::Pointer {
            read_only: pointee.as_deref().is_some_and(is_const),
            element: pointee.as_deref().and_then(Element::of),
        },
        ParamKind::PointerOrInt => Slot::PointerOrInt,
        ParamKind::Int {
            bits: bits @ 1..=64,
            signed: Some(true),
        } => Slot::Signed(*bits),
        ParamKind::Int {
            bits: bits @ 1..=64,
            signed: Some(false),
        } => Slot::Unsigned(*bits),
        ParamKind::Int {
            bits: bits @ 1..=64,
            signed: None,
        } => Slot::AnySign(*bits),
        ParamKind::Int { bits, .. } => Slot::Bytes(u32::from(*bits) / 8),
        ParamKind::Float { bits: 16 } => Slot::F16,
        ParamKind::Float { bits: 32 } => Slot::F32,
        ParamKind::Float { .. } => Slot::F64,
        ParamKind::BFloat16 => Slot::BF16,
        ParamKind::Bool => Slot::Bool,
        ParamKind::Struct { size, .. } | ParamKind::Unknown { size } => Slot::Bytes(*size),
    }
}

/// Whether what a pointer points to is const: in `const float`, and in `float *const`, but not in `const float *`.
fn is_const(pointee: &str) -> bool {
    let own = pointee.rsplit('*').next().unwrap_or_default();
    own.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "const")
}

#[inline]
fn put<const N: usize>(target: &mut [MaybeUninit<u8>], value: [u8; N]) {
    put_bytes(&mut target[..N], &value);
}

#[inline]
fn put_bytes(target: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    for (to, from) in target.iter_mut().zip(bytes) {
        to.write(*from);
    }
}

/// The low `bits` of `value`, little-endian as every CUDA device is.
#[inline]
fn put_low(target: &mut [MaybeUninit<u8>], value: i128, bits: u8) {
    match bits {
        8 => put(target, (value as u8).to_le_bytes()),
        16 => put(target, (value as u16).to_le_bytes()),
        32 => put(target, (value as u32).to_le_bytes()),
        64 => put(target, (value as u64).to_le_bytes()),
        other => {
            let size = usize::from(other) / 8;
            put_bytes(&mut target[..size], &value.to_le_bytes()[..size]);
        }
    }
}
