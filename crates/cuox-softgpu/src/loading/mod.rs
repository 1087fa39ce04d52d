//! Loading code: modules and libraries, the images that they come in, and linking.

pub(crate) mod jit_options;
pub(crate) mod linker;
pub(crate) mod module;
pub(crate) mod module_image;
pub(crate) mod ptx_bridge;
pub(crate) mod ptx_link;
pub(crate) mod ptx_statements;
