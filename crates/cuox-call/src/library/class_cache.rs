//! Classes that have been made for a library.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::ThreadId;

use cuox_bind::decl::{EnumId, Float, FunctionType, RecordId, TypedefId};
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::types::callback_info::CallbackInfo;
use crate::types::class::Class;

/// A function's type, and the index of its user data argument.
pub(super) type CallbackKey = (FunctionType, Option<u32>);

/// The classes that have been made.
#[derive(Default)]
pub struct ClassCache {
    pub(super) handles: Mutex<HashMap<u32, Arc<Class>>>,
    pub(super) records: Mutex<HashMap<RecordId, Arc<Class>>>,
    /// By the C type of the element.
    pub(super) pointers: Mutex<HashMap<String, Arc<Class>>>,
    /// Of typedefs of arrays.
    pub(super) arrays: Mutex<HashMap<TypedefId, Arc<Class>>>,
    pub(super) complexes: Mutex<HashMap<Float, Arc<Class>>>,
    pub(super) enums: Mutex<HashMap<EnumId, Py<PyType>>>,
    pub(super) callbacks: Mutex<HashMap<CallbackKey, Arc<CallbackInfo>>>,
    /// The records whose classes each thread is making.
    pub(super) nested: Mutex<HashMap<ThreadId, RecordsInProgress>>,
}

/// Records whose classes are being made by a thread, each because another has a pointer to it.
#[derive(Default)]
pub(super) struct RecordsInProgress {
    pub(super) depth: u32,
    /// Records whose fields are still to be given.
    pub(super) left: Vec<RecordId>,
}
