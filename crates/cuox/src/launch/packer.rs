//! Rust values as a kernel's arguments.

use std::mem::MaybeUninit;
use std::ops::Range;

use smallvec::SmallVec;

use super::config::LaunchConfig;
use super::parameters::{ParamBuffer, Parameters};
use super::refusal::Refusal;
use super::slot::Slot;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::memory::uses::{Access, Use};
use crate::memory::{Begun, Buffer, PinnedBuffer};
use crate::signature::{Param, Signature};
use crate::stream::Stream;

/// Takes a kernel's arguments one by one, checks each against the parameter's type ([`Slot`]) and puts it where the
/// kernel expects it. Lives on the stack; nothing is allocated for kernels with up to 32 parameters of 512 bytes in
/// all.
///
/// Integers must be in the parameter's range; an integer may go to a floating-point parameter, not the other way
/// round; a `bool` is the number 0 or 1; an address goes to a pointer.
pub struct ArgPacker<'k> {
    kernel: &'k Kernel,
    parameters: &'k Parameters,
    next: usize,
    buffer: ParamBuffer,
    /// The memory of arrays among the arguments.
    arrays: SmallVec<[(Buffer, Use); 4]>,
}

impl<'k> ArgPacker<'k> {
    /// Starts the arguments of one launch of this kernel.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the kernel's parameters are not known.
    #[inline]
    pub fn new(kernel: &'k Kernel) -> Result<Self> {
        Ok(Self {
            kernel,
            parameters: kernel.parameters()?,
            next: 0,
            buffer: ParamBuffer::default(),
            arrays: SmallVec::new(),
        })
    }

    /// The signature that is being filled.
    #[inline]
    pub fn signature(&self) -> &'k Signature {
        self.parameters.signature()
    }

    /// The parameter that the next argument goes to.
    #[inline]
    pub fn next_param(&self) -> Option<&'k Param> {
        self.signature().params().get(self.next)
    }

    /// The type of the parameter that the next argument goes to.
    #[inline]
    pub fn next_slot(&self) -> Option<Slot> {
        self.parameters.slot(self.next)
    }

    /// Puts a value at the next parameter and steps on. `shown` is the value in the error.
    #[inline]
    fn push_with(
        &mut self,
        put: impl FnOnce(Slot, &mut [MaybeUninit<u8>]) -> Result<(), Refusal>,
        shown: impl FnOnce(Refusal) -> String,
    ) -> Result<()> {
        let Some(&(slot, offset)) = self.parameters.slots().get(self.next) else {
            return Err(self.count_error(self.next + 1));
        };
        let bytes = self.buffer.bytes(self.parameters);
        match put(slot, &mut bytes[offset as usize..]) {
            Ok(()) => {
                self.next += 1;
                Ok(())
            }
            Err(refusal) => {
                let shown = shown(refusal);
                Err(self.parameters.refused(self.next, refusal, &shown))
            }
        }
    }

    #[inline]
    fn push_integer(&mut self, value: i128) -> Result<()> {
        self.push_with(
            |slot, target| slot.put_integer(value, target),
            |refusal| match refusal {
                Refusal::Range => value.to_string(),
                _ => format!("the integer {value}"),
            },
        )
    }

    /// The next argument is this signed integer.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes no integer, or not this one.
    #[inline]
    pub fn push_int(&mut self, value: i64) -> Result<()> {
        self.push_integer(value.into())
    }

    /// The next argument is this unsigned integer.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter takes no integer, or not this one.
    #[inline]
    pub fn push_uint(&mut self, value: u64) -> Result<()> {
        self.push_integer(value.into())
    }

    /// The next argument is this number, rounded to the parameter's format.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter is no floating-point number, or the number too large for it.
    #[inline]
    pub fn push_float(&mut self, value: f64) -> Result<()> {
        self.push_with(
            |slot, target| slot.put_float(value, target),
            |refusal| match refusal {
                Refusal::Range => format!("{value:e}"),
                _ => "float".into(),
            },
        )
    }

    /// The next argument is this truth value.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter is no number, or may be a pointer.
    #[inline]
    pub fn push_bool(&mut self, value: bool) -> Result<()> {
        self.push_with(
            |slot, target| slot.put_bool(value, target),
            |_| "bool".into(),
        )
    }

    /// The next argument is this device address.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter is not a pointer.
    #[inline]
    pub fn push_pointer(&mut self, address: u64) -> Result<()> {
        self.push_with(
            |slot, target| slot.put_address(address, target),
            |_| "a device pointer".into(),
        )
    }

    /// The next argument is an address in this buffer, from which on the kernel uses these of its bytes: the launch is
    /// put behind the uses that it has to wait for. A parameter `const T *` reads.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter is not a pointer.
    #[inline]
    pub fn push_array(&mut self, buffer: &Buffer, address: u64, bytes: Range<usize>) -> Result<()> {
        let access = self.next_slot().map_or(Access::Write, Slot::access);
        self.push_pointer(address)?;
        self.arrays.push((buffer.clone(), Use { bytes, access }));
        Ok(())
    }

    /// The next argument is these bytes as they are: a structure, or a value of exactly the parameter's type.
    /// `what` names it in the error.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter has another size.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8], what: &str) -> Result<()> {
        self.push_with(
            |slot, target| slot.put_bytes(bytes, None, target),
            |_| what.to_owned(),
        )
    }

    /// The error for an argument of another kind than the next parameter takes; `got` says what came.
    #[cold]
    pub fn mismatch(&self, got: &str) -> Error {
        self.parameters.refused(self.next, Refusal::Kind, got)
    }

    /// The error for a launch with `got` arguments.
    #[cold]
    pub fn count_error(&self, got: usize) -> Error {
        self.parameters.count_error(got)
    }

    /// Launches with the arguments pushed so far.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    ///
    /// # Errors
    /// [`Error::ArgumentCount`] when arguments are missing; the errors of `cuLaunchKernel`.
    #[inline]
    pub unsafe fn launch(mut self, stream: &Stream, config: &LaunchConfig) -> Result<()> {
        if self.next != self.parameters.len() {
            return Err(self.count_error(self.next));
        }
        let kernel = self.kernel;
        let mut begun = Begun::new(stream);
        for (buffer, used) in self.arrays.drain(..) {
            begun.add(&buffer, used)?;
        }
        self.buffer.with_pointers(self.parameters, |pointers| {
            // SAFETY: one pointer for each parameter, to a value of its size that `push_with` has put there; the
            // caller answers for the memory that the kernel uses, as for `Kernel::launch`.
            unsafe { kernel.launch_raw(stream, config, pointers) }
        })
    }
}

/// A Rust value that can be a kernel's argument.
pub trait KernelArg {
    /// Pushes it.
    ///
    /// # Errors
    /// [`Error::Argument`] when the parameter does not take it.
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()>;
}

macro_rules! number_arg {
    ($($ty:ty => $push:ident),* $(,)?) => {
        $(impl KernelArg for $ty {
            fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
                match packer.next_slot() {
                    // Nothing but the size is known there, so a number of this very size is needed.
                    Some(Slot::Unknown(_)) => packer.push_bytes(&self.to_ne_bytes(), stringify!($ty)),
                    _ => packer.$push((*self).into()),
                }
            }
        })*
    };
}
number_arg! {
    i8 => push_int, i16 => push_int, i32 => push_int, i64 => push_int,
    u8 => push_uint, u16 => push_uint, u32 => push_uint, u64 => push_uint,
    f32 => push_float, f64 => push_float,
}

impl KernelArg for isize {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        (*self as i64).push(packer)
    }
}

impl KernelArg for usize {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        (*self as u64).push(packer)
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
