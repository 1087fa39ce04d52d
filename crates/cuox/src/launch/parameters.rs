//! A kernel's parameters, made ready for launches, and the buffer that their values are packed into.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::slot::Slot;
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
