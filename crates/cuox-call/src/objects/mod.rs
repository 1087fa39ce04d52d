//! Objects of C values: what all kinds of them share, and reading and writing C memory.
//!
//! Every value of C that has no Python type (a handle, a record, a pointer, an array in place, a pointer to a function)
//! is an object of a Python class made at run time, which has a [`Class`](crate::types::class::Class). All objects
//! begin with [`CObject`](crate::types::object::CObject), which generated code reads in place. Classes live as long as
//! the process, so an object's `class` is always good.
//!
//! * `bases.rs`, `class_table.rs`: the base classes, and the classes that descend from them. `lifetime.rs`,
//!   `allocate.rs`: objects and their memory. `object_ref.rs`: an object as it is inside. `external.rs`: values that
//!   lie somewhere else. `slots.rs`: type slots made of safe functions.
//! * `load.rs`, `store.rs`: values in memory, with `stored_number.rs` for numbers, `elements.rs` for arrays,
//!   `handle_value.rs` for handles and `address.rs` for pointers. `refs.rs`: objects kept alive for the pointers that
//!   memory holds.
//! * `buffer.rs`, `buffer_format.rs`: buffers of other libraries' objects and their element types.

pub(crate) mod address;
pub(crate) mod allocate;
pub(crate) mod bases;
pub(crate) mod buffer;
pub(crate) mod buffer_format;
pub mod class_table;
pub mod complex;
pub(crate) mod elements;
pub(crate) mod external;
pub(crate) mod handle_value;
pub(crate) mod lifetime;
pub(crate) mod load;
pub mod object_ref;
pub(crate) mod refs;
pub(crate) mod slots;
pub(crate) mod store;
pub(crate) mod stored_number;
