//! What a person says about a binding: rules files and SWIG interface files.
