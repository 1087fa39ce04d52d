//! A kernel's parameters, made ready for launches, and the buffer that their values are packed into.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::refusal::Refusal;
use super::slot::Slot;
use crate::error::{ArgumentError, Error};
use crate::signature::Signature;

/// Room on the stack for the parameters of nearly every kernel: bytes, and parameters.
const INLINE_WORDS: usize = 64;
const INLINE_PARAMS: usize = 32;

/// A kernel's [`Signature`], and for each parameter its [`Slot`] and its place. Made once for a kernel.
#[derive(Debug, Clone)]
pub struct Parameters {
    signature: Signature,
    slots: Box<[(Slot, u32)]>,
}

impl Parameters {
    /// For the kernel of this signature.
    pub fn new(signature: Signature) -> Self {
        let slots = signature
            .params()
            .iter()
            .map(|param| (Slot::of(param), param.offset))
            .collect();
        Self { signature, slots }
    }

    /// Names and types as the user knows them.
    #[inline]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The number of parameters.
    #[inline]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True for a kernel without parameters.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// One parameter's type.
    #[inline]
    pub fn slot(&self, index: usize) -> Option<Slot> {
        self.slots.get(index).map(|(slot, _)| *slot)
    }

    /// Each parameter's type, and the place of its value in the buffer, in bytes.
    #[inline]
    pub fn slots(&self) -> &[(Slot, u32)] {
        &self.slots
    }

    /// The error for a value that parameter `index`, counted from 0, does not take. `given` is the value as the user
    /// knows it: its type, or the number itself for [`Refusal::Range`].
    #[cold]
    pub fn refused(&self, index: usize, refusal: Refusal, given: &str) -> Error {
        let (Some(param), Some(slot)) = (self.signature().params().get(index), self.slot(index))
        else {
            return self.count_error(index + 1);
        };
        let expected = match refusal {
            Refusal::Elements { element, .. } | Refusal::VectorElements { element, .. } => {
                format!("an array of {element}")
            }
            Refusal::Range => match (slot, slot.integers()) {
                (Slot::Pointer { .. }, _) => "a device address (0 to 2^64 - 1)".into(),
                (_, Some((low, high))) => format!("{} ({low} to {high})", param.kind.takes()),
                (Slot::F16, _) => format!("{} (up to 65504)", param.kind.takes()),
                (Slot::F64, _) => format!("{} (up to 1.8e308)", param.kind.takes()),
                _ => format!("{} (up to 3.4e38)", param.kind.takes()),
            },
            _ => param.kind.takes(),
        };
        Error::Argument(Box::new(ArgumentError {
            kernel: self.signature().name().to_owned(),
            index: index + 1,
            name: param.name.clone(),
            declared: param.type_text(),
            expected,
            got: refusal.got(given),
            out_of_range: refusal == Refusal::Range,
        }))
    }

    /// A parameter as errors name it: `saxpy: parameter 2 "x" (const float *)`.
    pub fn shown(&self, index: usize) -> Option<String> {
        let param = self.signature().params().get(index)?;
        let name = param.name.as_ref().map(|name| format!(" {name:?}"));
        Some(format!(
            "{}: parameter {}{} ({})",
            self.signature().name(),
            index + 1,
            name.unwrap_or_default(),
            param.type_text()
        ))
    }

    /// The error for a launch with `got` arguments.
    #[cold]
    pub fn count_error(&self, got: usize) -> Error {
        Error::ArgumentCount {
            kernel: self.signature().name().into(),
            expected: self.len(),
            got,
            signature: self.signature().to_string().into(),
        }
    }
}

/// The buffer that a launch's arguments are packed into. It starts out unwritten: the gaps between parameters never
/// get a value. Nothing is allocated for kernels with up to 32 parameters of 512 bytes in all.
pub struct ParamBuffer {
    inline: [MaybeUninit<u64>; INLINE_WORDS],
    heap: Vec<MaybeUninit<u64>>,
}

impl Default for ParamBuffer {
    #[inline]
    fn default() -> Self {
        Self {
            inline: [MaybeUninit::uninit(); INLINE_WORDS],
            heap: Vec::new(),
        }
    }
}

impl ParamBuffer {
    /// The bytes of a kernel's parameters.
    #[inline]
    pub fn bytes(&mut self, parameters: &Parameters) -> &mut [MaybeUninit<u8>] {
        let bytes = parameters.signature.size();
        let words = bytes.div_ceil(8);
        let start = if words <= INLINE_WORDS {
            self.inline.as_mut_ptr()
        } else {
            self.heap.resize(words, MaybeUninit::uninit());
            self.heap.as_mut_ptr()
        };
        // SAFETY: `start` is the beginning of at least `bytes` bytes of `self`, which is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(start.cast(), bytes) }
    }

    /// Calls `use_them` with C's array of pointers, one for each parameter, to its place in this buffer. The array
    /// lives until `use_them` returns.
    #[inline]
    pub fn with_pointers<T>(
        &mut self,
        parameters: &Parameters,
        use_them: impl FnOnce(*mut *mut c_void) -> T,
    ) -> T {
        let base = self.bytes(parameters).as_mut_ptr();
        let mut inline = [const { MaybeUninit::<*mut c_void>::uninit() }; INLINE_PARAMS];
        let mut heap;
        let pointers = match inline.get_mut(..parameters.len()) {
            Some(pointers) => pointers,
            None => {
                heap = vec![MaybeUninit::uninit(); parameters.len()];
                &mut heap[..]
            }
        };
        for (pointer, (_, offset)) in pointers.iter_mut().zip(&parameters.slots) {
            pointer.write(base.wrapping_add(*offset as usize).cast());
        }
        use_them(pointers.as_mut_ptr().cast())
    }
}
