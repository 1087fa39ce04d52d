//! What a function remembers of its last call, which in most programs is like the next one.

use std::cell::Cell;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Classes that are remembered.
const CLASSES: usize = 16;

/// The last call's names and sizes, each with what was made of it. The tuples are held, so that no other ones come to
/// lie there. Only exact tuples whose items cannot change are kept: then the same object means the same, and to let go
/// of it runs no Python code.
pub struct LastCall {
    names: Cell<*mut ffi::PyObject>,
    places: Cell<[u8; 4]>,
    grid: Cell<*mut ffi::PyObject>,
    block: Cell<*mut ffi::PyObject>,
    config: Cell<cuox::LaunchConfig>,
    /// The classes of the arguments, not held. Should another class come to lie there, its objects are refused by the
    /// launch and then looked at.
    classes: [Cell<*mut ffi::PyTypeObject>; CLASSES],
}

// SAFETY: the cells are used with the GIL held only, which the token proves.
unsafe impl Sync for LastCall {}
// SAFETY: likewise.
unsafe impl Send for LastCall {}

impl LastCall {
    /// The place of a keyword that was not given.
    pub const LEFT_OUT: u8 = u8::MAX;

    pub fn new() -> Self {
        Self {
            names: Cell::new(std::ptr::null_mut()),
            places: Cell::new([Self::LEFT_OUT; 4]),
            grid: Cell::new(std::ptr::null_mut()),
            block: Cell::new(std::ptr::null_mut()),
            config: Cell::new(cuox::LaunchConfig::new(1, 1)),
            classes: [const { Cell::new(std::ptr::null_mut()) }; CLASSES],
        }
    }

    /// The places of the values of a call with the last call's names.
    #[inline]
    pub fn places(&self, _py: Python<'_>, names: *mut ffi::PyObject) -> Option<[u8; 4]> {
        (self.names.get() == names).then(|| self.places.get())
    }

    /// Keeps the places for a tuple of interned names.
    pub fn keep_places(&self, names: &Bound<'_, PyTuple>, places: [u8; 4]) {
        self.places.set(places);
        keep(&self.names, Some(names.as_any()));
    }

    /// The configuration, if grid and block are the last call's. The grid is null if it was left out.
    #[inline]
    pub fn configuration(
        &self,
        _py: Python<'_>,
        grid: *mut ffi::PyObject,
        block: *mut ffi::PyObject,
    ) -> Option<cuox::LaunchConfig> {
        (self.block.get() == block && self.grid.get() == grid).then(|| self.config.get())
    }

    /// Keeps the configuration for a grid and a block that are tuples of plain ints.
    pub fn keep_configuration(
        &self,
        grid: Option<&Bound<'_, PyAny>>,
        block: &Bound<'_, PyAny>,
        config: cuox::LaunchConfig,
    ) {
        let lasting = |tuple: &Bound<'_, PyAny>| tuple.is_exact_instance_of::<PyTuple>();
        if lasting(block) && grid.is_none_or(lasting) {
            self.config.set(config);
            keep(&self.grid, grid);
            keep(&self.block, Some(block));
        }
    }

    /// True if an argument in this place was of this class.
    #[inline]
    pub fn class_is(&self, _py: Python<'_>, place: usize, class: *mut ffi::PyTypeObject) -> bool {
        self.classes[place % CLASSES].get() == class
    }

    /// Keeps the class of an argument.
    pub fn keep_class(&self, _py: Python<'_>, place: usize, class: *mut ffi::PyTypeObject) {
        self.classes[place % CLASSES].set(class);
    }
}

/// Puts a reference in place of another one.
fn keep(place: &Cell<*mut ffi::PyObject>, object: Option<&Bound<'_, PyAny>>) {
    let new = object.map_or(std::ptr::null_mut(), |object| object.clone().into_ptr());
    // SAFETY: the old reference was this place's own; whoever has a `Bound` has the GIL.
    unsafe { ffi::Py_XDECREF(place.replace(new)) };
}

impl Drop for LastCall {
    fn drop(&mut self) {
        for place in [&self.names, &self.grid, &self.block] {
            // SAFETY: the references are this object's own; Python objects are dropped with the GIL held.
            unsafe { ffi::Py_XDECREF(place.get()) };
        }
    }
}
