//! Declarations from libclang, which is loaded when it is first needed.
