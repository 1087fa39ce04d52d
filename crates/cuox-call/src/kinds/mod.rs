//! The Python classes of C values: their methods, properties and type slots.
//!
//! Each kind has a table of [operations](crate::types::class::Operations), through which the objects' common life
//! ([`objects`](crate::objects)) reaches it.
//!
//! * `root.rs`, `handle.rs`, `record.rs` (with `record_fields.rs`, `record_repr.rs`, `record_pickle.rs`),
//!   `array.rs`, `pointer.rs`, `callback.rs`: the kinds.
//! * `array_view.rs`: memory with a shape, for NumPy and its like; `buffer_export.rs`: the buffer protocol.
//! * `value_slots.rs`: slots that several kinds share; `first_record.rs`: attributes of pointers and
//!   arrays. `constructors.rs`: classes of each kind, and the base classes; `table.rs`: what another extension module
//!   asks.

mod array;
mod array_view;
mod buffer_export;
mod callback;
pub mod constructors;
mod first_record;
mod handle;
mod pointer;
mod record;
mod record_fields;
mod record_pickle;
mod record_repr;
pub mod root;
pub mod table;
mod value_slots;
