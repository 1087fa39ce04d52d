//! Tools that every class uses; nothing here knows a class of cuox.
//!
//! | | |
//! |---|---|
//! | `fastcall` | functions and methods that the interpreter calls without pyo3 |
//! | `pool` | objects that are made and dropped all the time |
//! | `closable` | a value until it is closed |
//! | `reaper` | dropping values that may wait for the device, on a thread of their own |
//! | `plain_args`, `options`, `handles` | arguments: texts, numbers, options objects, handles |
//! | `block_to_shared` | an argument that is a function of C: `CUoccupancyB2DSize` |
//! | `host_view`, `host_span` | host memory, by the buffer protocol and directly |
//! | `names` | class names in messages |
//! | `in_debugger` | whether a thread is in a debugger of a kernel |

pub mod block_to_shared;
pub mod closable;
pub mod driver_call;
pub mod fastcall;
pub mod function_parts;
pub mod handles;
pub mod host_span;
pub mod host_view;
pub mod in_debugger;
pub mod names;
pub mod options;
pub mod plain_args;
pub mod pool;
pub mod reaper;
pub mod vectorcall;
