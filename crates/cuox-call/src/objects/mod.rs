//! Objects of C values: what all kinds of them share, and reading and writing C memory.
//!
//! Every value of C that has no Python type (a handle, a record, a pointer, an array in place, a pointer to a function) is an object of a Python class made at
//! run time, which has a [`Class`](crate::types::class::Class). All objects begin with [`CObject`](crate::types::object::CObject), which generated code reads in
//! place. Classes live as long as the process, so an object's `class` is always good.
//!
//! * [`bases`], [`class_table`]: the base classes, and the classes that descend from them. [`lifetime`], [`allocate`]: objects and their memory.
//!   [`object_ref`]: an object as it is inside. [`placed`]: values that lie somewhere else. [`slots`]: type slots made of safe functions.
//! * [`load`], [`store`]: values in memory, with [`stored_number`] for numbers, [`elements`] for arrays, [`handle_value`] for handles and [`address`] for pointers.
//!   [`refs`]: objects kept alive for the pointers that memory holds.
//! * [`buffer`], [`buffer_format`]: buffers of other libraries' objects and their element types.

pub(crate) mod address;
pub(crate) mod allocate;
pub(crate) mod bases;
pub(crate) mod buffer;
pub(crate) mod buffer_format;
pub mod class_table;
pub(crate) mod elements;
pub(crate) mod handle_value;
pub(crate) mod lifetime;
pub(crate) mod load;
pub mod object_ref;
pub(crate) mod placed;
pub(crate) mod refs;
pub(crate) mod slots;
pub(crate) mod store;
pub(crate) mod stored_number;
