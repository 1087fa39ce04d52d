//! The Python classes of C values: their methods, properties and type slots.
//!
//! Each kind has a table of [operations](crate::types::class::Operations), through which the objects' common life ([`objects`](crate::objects)) reaches it.
//!
//! * [`root`], [`handle`], [`record`] (with [`record_fields`] and [`record_repr`]), [`array`], [`pointer`], [`callback`]: the kinds.
//! * [`array_view`]: memory with a shape, for NumPy and its like; [`buffer_export`]: the buffer protocol.
//! * [`value_slots`]: slots that several kinds share. [`constructors`]: classes of each kind, and the base classes.

mod array;
mod array_view;
mod buffer_export;
mod callback;
pub mod constructors;
mod handle;
mod pointer;
mod record;
mod record_fields;
mod record_repr;
mod root;
mod value_slots;
