//! The methods that the interpreter enters without pyo3, in one table. See `entry`.

use pyo3::ffi;
use pyo3::prelude::*;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::event::Event;
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
    "Device memory of `size` bytes, in the stream's order; without a stream, the default stream's.";

    Buffer.close(stream=None) is Buffer::close_method,
    "Give the memory back, in the stream's order if one is given, else in the order it was allocated in. Closing twice \
    is fine.";

    Buffer.copy_from_host(src, *, stream=None) is Buffer::copy_from_host,
    "Copy host memory to the buffer's start. Without a stream the copy is done on return; with one it is in that \
    stream's order, and the host memory must stay as it is until then.";

    Buffer.copy_to_host(dst, *, stream=None) is Buffer::copy_to_host,
    "Copy from the buffer's start to host memory. Without a stream the copy is done on return; with one it is in that \
    stream's order: synchronise before reading.";

    Event.record(stream=None, /) is Event::record,
    "Record the event: on this stream, behind the work that is in it now.";

    Stream.record(event=None, options=None) is Stream::record,
    "Record an event behind the work that is in the stream now: the one given, else a new one.";
}
