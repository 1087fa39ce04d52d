//! Turning values into a kernel's parameter buffer.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::LaunchConfig;
use super::half::{bf16_bits, f16_bits};
use crate::error::{ArgumentError, Error, Result};
use crate::kernel::Kernel;
use crate::memory::{Buffer, PinnedBuffer};
use crate::signature::{Param, ParamKind, Signature};
use crate::stream::Stream;

/// Parameter bytes and parameters that need no heap.
const INLINE_WORDS: usize = 64;
const INLINE_PARAMS: usize = 32;

/// Takes a kernel's arguments one by one, checks each against the parameter's type and puts it where the kernel
/// expects it. Lives on the stack; nothing is allocated for kernels with up to 32 parameters of 512 bytes in all.
///
/// The rules: integers must fit the parameter's width and sign; an integer may go to a floating-point parameter,
/// not the other way round; `bool` goes to integers; an address goes to a pointer.
pub struct ArgPacker<'k> {
    kernel: &'k Kernel,
    signature: &'k Signature,
    next: usize,
    inline: [MaybeUninit<u64>; INLINE_WORDS],
    heap: Option<Box<[u64]>>,
}

impl<'k> ArgPacker<'k> {
    /// For one launch of this kernel.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the kernel's parameters are not known.
    #[inline]
    pub fn new(kernel: &'k Kernel) -> Result<Self> {
        let signature = kernel.known_signature()?;
        let words = signature.size().div_ceil(8);
        let heap = (words > INLINE_WORDS).then(|| vec![0; words].into());
        Ok(Self {
            kernel,
            signature,
            next: 0,
            inline: [MaybeUninit::uninit(); INLINE_WORDS],
            heap,
        })
    }

    /// The signature that is being filled.
    #[inline]
    pub fn signature(&self) -> &'k Signature {
        self.signature
    }

    /// The parameter that the next argument goes to.
    #[inline]
    pub fn next_param(&self) -> Option<&'k Param> {
        self.signature.params().get(self.next)
    }

    fn base(&mut self) -> *mut u8 {
        match &mut self.heap {
            Some(words) => words.as_mut_ptr().cast(),
            None => self.inline.as_mut_ptr().cast(),
        }
    }

    #[inline]
    fn param(&self) -> Result<&'k Param> {
        match self.signature.params().get(self.next) {
            Some(param) => Ok(param),
            None => Err(self.count_error(self.next + 1)),
        }
    }

    /// Puts a value at the current parameter and steps on. `N` must be the parameter's size.
    #[inline]
    fn put<const N: usize>(&mut self, param: &Param, bytes: [u8; N]) -> Result<()> {
        self.put_slice(param, &bytes)
    }

    #[inline]
    fn put_slice(&mut self, param: &Param, bytes: &[u8]) -> Result<()> {
        let offset = param.offset as usize;
        debug_assert_eq!(bytes.len(), param.kind.size() as usize);
        // SAFETY: the storage has the signature's size, and every parameter with its kind's size lies within it.
        unsafe {
            self.base()
                .add(offset)
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
        self.next += 1;
        Ok(())
    }

    /// The low `bits` bits of a number.
    #[inline]
    fn put_bits(&mut self, param: &Param, bits: u8, value: u64) -> Result<()> {
        match bits {
            8 => self.put(param, (value as u8).to_ne_bytes()),
            16 => self.put(param, (value as u16).to_ne_bytes()),
            32 => self.put(param, (value as u32).to_ne_bytes()),
            _ => self.put(param, value.to_ne_bytes()),
        }
    }

    /// The next argument is this signed integer.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes none, or not this one.
    #[inline]
    pub fn push_int(&mut self, value: i64) -> Result<()> {
        let param = self.param()?;
        match &param.kind {
            ParamKind::Int {
                bits: bits @ (8 | 16 | 32 | 64),
                signed,
            } => {
                if !fits(value, *bits, *signed) {
                    return Err(self.range_error(i128::from(value)));
                }
                self.put_bits(param, *bits, value as u64)
            }
            ParamKind::PointerOrInt => self.put(param, value.to_ne_bytes()),
            ParamKind::Float { .. } | ParamKind::BFloat16 => self.put_float(param, value as f64),
            ParamKind::Pointer { .. } => match u64::try_from(value) {
                Ok(address) => self.put(param, address.to_ne_bytes()),
                Err(_) => Err(self.range_error(i128::from(value))),
            },
            ParamKind::Bool if matches!(value, 0 | 1) => self.put(param, [value as u8]),
            ParamKind::Unknown {
                size: size @ (1 | 2 | 4 | 8),
            } => {
                let bits = *size as u8 * 8;
                if !fits(value, bits, None) {
                    return Err(self.range_error(i128::from(value)));
                }
                self.put_bits(param, bits, value as u64)
            }
            ParamKind::Int { bits: 128, .. } => self.put(param, i128::from(value).to_ne_bytes()),
            _ => Err(self.mismatch(&format!("the integer {value}"))),
        }
    }

    /// The next argument is this unsigned integer.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes none, or not this one.
    #[inline]
    pub fn push_uint(&mut self, value: u64) -> Result<()> {
        if let Ok(value) = i64::try_from(value) {
            return self.push_int(value);
        }
        let param = self.param()?;
        match &param.kind {
            ParamKind::Int {
                bits: 64,
                signed: None | Some(false),
            }
            | ParamKind::PointerOrInt
            | ParamKind::Pointer { .. }
            | ParamKind::Unknown { size: 8 } => self.put(param, value.to_ne_bytes()),
            ParamKind::Float { .. } | ParamKind::BFloat16 => self.put_float(param, value as f64),
            ParamKind::Int { bits: 128, .. } => self.put(param, u128::from(value).to_ne_bytes()),
            _ => Err(self.range_error(i128::from(value))),
        }
    }

    /// The next argument is this number; rounded to the parameter's format.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes none.
    #[inline]
    pub fn push_float(&mut self, value: f64) -> Result<()> {
        let param = self.param()?;
        self.put_float(param, value)
    }

    #[inline]
    fn put_float(&mut self, param: &Param, value: f64) -> Result<()> {
        match &param.kind {
            ParamKind::Float { bits: 32 } | ParamKind::Unknown { size: 4 } => {
                self.put(param, (value as f32).to_ne_bytes())
            }
            ParamKind::Float { bits: 64 } | ParamKind::Unknown { size: 8 } => {
                self.put(param, value.to_ne_bytes())
            }
            ParamKind::Float { bits: 16 } => self.put(param, f16_bits(value).to_ne_bytes()),
            ParamKind::BFloat16 => self.put(param, bf16_bits(value).to_ne_bytes()),
            _ => Err(self.mismatch("float")),
        }
    }

    /// The next argument is this truth value.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes none.
    #[inline]
    pub fn push_bool(&mut self, value: bool) -> Result<()> {
        let param = self.param()?;
        match param.kind {
            ParamKind::Bool | ParamKind::Unknown { size: 1 } => self.put(param, [u8::from(value)]),
            ParamKind::Int { .. } | ParamKind::Unknown { .. } | ParamKind::PointerOrInt => {
                self.push_int(i64::from(value))
            }
            _ => Err(self.mismatch("bool")),
        }
    }

    /// The next argument is this device address.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter is not a pointer.
    #[inline]
    pub fn push_pointer(&mut self, address: u64) -> Result<()> {
        let param = self.param()?;
        match param.kind {
            ParamKind::Pointer { .. }
            | ParamKind::PointerOrInt
            | ParamKind::Unknown { size: 8 } => self.put(param, address.to_ne_bytes()),
            _ => Err(self.mismatch("a device pointer")),
        }
    }

    /// The next argument is these bytes as they are: a structure, or a value of exactly the parameter's type.
    /// `what` names it in the error.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter has another size.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8], what: &str) -> Result<()> {
        let param = self.param()?;
        if bytes.len() != param.kind.size() as usize {
            return Err(self.mismatch(&format!("{what} of {} bytes", bytes.len())));
        }
        self.put_slice(param, bytes)
    }

    /// The error for an argument that the next parameter does not take; `got` says what came.
    #[cold]
    pub fn mismatch(&self, got: &str) -> Error {
        match self.next_param() {
            Some(param) => self.argument_error(param, param.kind.takes(), got.to_owned()),
            None => self.count_error(self.next + 1),
        }
    }

    #[cold]
    fn range_error(&self, value: i128) -> Error {
        match self.next_param() {
            Some(param) => {
                let expected = match (&param.kind, range(&param.kind)) {
                    (ParamKind::Pointer { .. }, _) => "a device address".to_owned(),
                    (kind, Some((low, high))) => format!("{} ({low} to {high})", kind.takes()),
                    (kind, None) => kind.takes(),
                };
                self.argument_error(param, expected, value.to_string())
            }
            None => self.count_error(self.next + 1),
        }
    }

    fn argument_error(&self, param: &Param, expected: String, got: String) -> Error {
        Error::Argument(Box::new(ArgumentError {
            kernel: self.signature.name().to_owned(),
            index: self.next + 1,
            name: param.name.clone(),
            declared: param.type_text(),
            expected,
            got,
        }))
    }

    /// The error for a launch with `got` arguments.
    #[cold]
    pub fn count_error(&self, got: usize) -> Error {
        Error::ArgumentCount {
            kernel: self.signature.name().into(),
            expected: self.signature.params().len(),
            got,
            signature: self.signature.to_string().into(),
        }
    }

    /// Launches with the arguments pushed so far.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    ///
    /// # Errors
    /// [`Error::ArgumentCount`] when arguments are missing; what `cuLaunchKernel` reports.
    #[inline]
    pub unsafe fn launch(mut self, stream: &Stream, config: &LaunchConfig) -> Result<()> {
        let params = self.signature.params();
        if self.next != params.len() {
            return Err(self.count_error(self.next));
        }
        let kernel = self.kernel;
        let base = self.base();
        if params.len() <= INLINE_PARAMS {
            let mut pointers = [const { MaybeUninit::<*mut c_void>::uninit() }; INLINE_PARAMS];
            for (slot, param) in pointers.iter_mut().zip(params) {
                slot.write(base.wrapping_add(param.offset as usize).cast());
            }
            // SAFETY: one pointer per parameter, each to a value of its size; the caller's promise for the rest.
            unsafe { kernel.launch_raw(stream, config, pointers.as_mut_ptr().cast()) }
        } else {
            let mut pointers: Vec<*mut c_void> = params
                .iter()
                .map(|p| base.wrapping_add(p.offset as usize).cast())
                .collect();
            // SAFETY: as above.
            unsafe { kernel.launch_raw(stream, config, pointers.as_mut_ptr()) }
        }
    }
}

/// Whether a number can be the value of an integer of this width; with the sign unknown, as either.
#[inline]
fn fits(value: i64, bits: u8, signed: Option<bool>) -> bool {
    if bits == 64 {
        return value >= 0 || signed != Some(false);
    }
    let high = if signed == Some(true) {
        1i64 << (bits - 1)
    } else {
        1i64 << bits
    };
    let low = if signed == Some(false) {
        0
    } else {
        -1i64 << (bits - 1)
    };
    (low..high).contains(&value)
}

/// The least and greatest integer that a parameter takes.
fn range(kind: &ParamKind) -> Option<(i128, i128)> {
    let (bits, signed) = match *kind {
        ParamKind::Int { bits, signed } if bits <= 64 => (u32::from(bits), signed),
        ParamKind::Unknown {
            size: size @ (1 | 2 | 4 | 8),
        } => (size * 8, None),
        ParamKind::Bool => return Some((0, 1)),
        _ => return None,
    };
    let low = if signed == Some(false) {
        0
    } else {
        -1i128 << (bits - 1)
    };
    let high = if signed == Some(true) {
        (1i128 << (bits - 1)) - 1
    } else {
        (1i128 << bits) - 1
    };
    Some((low, high))
}

/// A Rust value that can be a kernel's argument.
pub trait KernelArg {
    /// Pushes it.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter does not take it.
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()>;
}

macro_rules! int_arg {
    ($($ty:ty => $push:ident as $as:ty),* $(,)?) => {
        $(impl KernelArg for $ty {
            fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
                packer.$push(*self as $as)
            }
        })*
    };
}
int_arg! {
    i8 => push_int as i64, i16 => push_int as i64, i32 => push_int as i64, i64 => push_int as i64,
    isize => push_int as i64, u8 => push_uint as u64, u16 => push_uint as u64, u32 => push_uint as u64,
    u64 => push_uint as u64, usize => push_uint as u64,
}

impl KernelArg for f32 {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_float(f64::from(*self))
    }
}

impl KernelArg for f64 {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_float(*self)
    }
}

impl KernelArg for bool {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_bool(*self)
    }
}

impl KernelArg for Buffer {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_pointer(self.ptr())
    }
}

impl KernelArg for PinnedBuffer {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_pointer(self.device_ptr()?)
    }
}

/// A structure, byte by byte: its bytes must have the layout that the kernel's C++ has.
impl KernelArg for [u8] {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_bytes(self, "bytes")
    }
}

impl<T: KernelArg + ?Sized> KernelArg for &T {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        (**self).push(packer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_must_fit() {
        assert!(
            fits(-128, 8, None)
                && fits(255, 8, None)
                && !fits(256, 8, None)
                && !fits(-129, 8, None)
        );
        assert!(!fits(-1, 32, Some(false)) && fits(u32::MAX.into(), 32, Some(false)));
        assert!(!fits(1 << 31, 32, Some(true)) && fits(i32::MIN.into(), 32, Some(true)));
        assert!(!fits(-1, 64, Some(false)) && fits(i64::MIN, 64, Some(true)));
        assert_eq!(
            range(&ParamKind::Int {
                bits: 32,
                signed: Some(true)
            }),
            Some((-2147483648, 2147483647))
        );
        assert_eq!(
            range(&ParamKind::Int {
                bits: 64,
                signed: Some(false)
            }),
            Some((0, u64::MAX.into()))
        );
    }
}
