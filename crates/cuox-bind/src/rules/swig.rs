//! SWIG.
