//! The methods that the interpreter enters without pyo3, in one table. See `entry`.

use pyo3::ffi;
use pyo3::prelude::*;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::event::Event;
use crate::pycuda::DeviceMemoryPool;
use crate::stream::Stream;
use crate::support::fastcall::{Definition, Names, Signature, c_text, count};

/// Writes, for each line, the function that the interpreter calls and its definition, and `register` for them all.
macro_rules! methods {
    ($($class:ident.$name:ident($($parameters:tt)*) is $method:path, $doc:literal;)*) => {
        /// Adds the methods to their classes, which pyo3 has made.
        pub fn register(py: Python<'_>) -> PyResult<()> {
            $({
                const PARAMETERS: &str = stringify!($($parameters)*);
                const N: usize = count(PARAMETERS);
                const SIGNATURE: Signature<N> = Signature::new(
                    concat!(stringify!($class), ".", stringify!($name)),
                    PARAMETERS,
                );
                static NAMES: Names<N> = Names::new();

                unsafe extern "C" fn enter(
                    this: *mut ffi::PyObject,
                    arguments: *const *mut ffi::PyObject,
                    count: ffi::Py_ssize_t,
                    keywords: *mut ffi::PyObject,
                ) -> *mut ffi::PyObject {
                    let call = (this, arguments, count, keywords);
                    // SAFETY: the interpreter calls this as a method of the class that it is added to below.
                    unsafe { SIGNATURE.call::<$class>(&NAMES, call, $method) }
                }

                static METHOD: Definition = Definition::keywords(
                    c_text(concat!(stringify!($name), "\0")),
                    enter,
                    c_text(concat!(
                        stringify!($name), "($self, ", stringify!($($parameters)*), ")\n--\n\n", $doc, "\0"
                    )),
                );
                METHOD.add_to_class::<$class>(py)?;
            })*
            Ok(())
        }
    };
}

methods! {
    Device.allocate(size, *, stream=None) is Device::allocate,
    "Allocate device memory of `size` bytes, in the stream's order; without a stream, in that of the default stream.\n\
    \n\
    Raises OutOfMemoryError, TypeError and OverflowError for other values. Driver API manual, `cuMemAllocAsync`.";

    Buffer.close(stream=None) is Buffer::close_method,
    "Give the memory back, in the order of `stream`, else in the order in which it was allocated.\n\
    \n\
    Closing twice is fine. Driver API manual, `cuMemFreeAsync`, `cuMemFree`.";

    Buffer._free() is Buffer::free_method,
    "Give the memory back, for subclasses of `cuox.pycuda`, where a second time is an error: raises LogicError.";

    Buffer.copy_from_host(src, *, stream=None) is Buffer::copy_from_host,
    "Copy host memory to the start of the buffer.\n\
    \n\
    src: contiguous memory of at most `size` bytes: bytes, an array of NumPy, anything with the buffer protocol.\n\
    stream: with one, the copy is in that stream's order, and `src` must stay as it is until then; without one, it is done on return.\n\
    \n\
    Raises ValueError if there are more bytes than the buffer has, TypeError for objects without memory, ClosedError, CUDAError. Driver API manual,\n\
    `cuMemcpyHtoDAsync`.";

    Buffer.copy_to_host(dst, *, stream=None) is Buffer::copy_to_host,
    "Copy from the start of the buffer to host memory.\n\
    \n\
    dst: contiguous, writable memory of at most `size` bytes.\n\
    stream: with one, the copy is in that stream's order: call `stream.sync()` before reading; without one, it is done on return.\n\
    \n\
    Raises ValueError if there is room for more bytes than the buffer has, TypeError for objects without writable memory, ClosedError, CUDAError. Driver API\n\
    manual, `cuMemcpyDtoHAsync`.";

    Event.record(stream=None, /) is Event::record,
    "Record the event in a stream, behind the work that is in it now; without a stream, in the default stream.\n\
    \n\
    Raises ClosedError, CUDAError. Driver API manual, `cuEventRecord`.";

    Stream.record(event=None, options=None) is Stream::record,
    "Record an event behind the work that is in the stream now.\n\
    \n\
    event: an event of this device; None makes one, with `options`.\n\
    \n\
    Returns the event. Raises ClosedError, CUDAError. Driver API manual, `cuEventRecord`.";

    DeviceMemoryPool.allocate(size) is DeviceMemoryPool::allocate,
    "Return a block of at least `size` bytes: one that was freed before, or a new one.\n\
    \n\
    Raises MemoryError if there is too little free memory, also when all free blocks have been given up.";
}
