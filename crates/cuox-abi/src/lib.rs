//! The CUDA driver ABI: types, codes, functions, and the `cuGetProcAddress` table.
//!
//! Everything under [`generated`] is made by `cargo xtask gen` from `cuda.h` and `cudaTypedefs.h`, so that a driver
//! function, a code or a structure is declared once: the software GPU's exports, the Rust layer's loader and the
//! Python bindings all expand from here.
//!
//! * Names are the header's. A keyword gets an underscore (`type_`), a nested record the outer one's name and the
//!   field's (`CUlaunchAttributeValue_clusterDim`), an anonymous member is `anon0`, `anon1`, ….
//! * Enumerations are integers with constants ([`CUresult`] and its like): a driver may answer a value that this
//!   header does not know. Each constant is there twice, as `CUresult::CUDA_SUCCESS` and as `CUDA_SUCCESS`.
//! * Handles are pointers that may cross threads ([`CUcontext`] and its like).
//! * [`for_each_driver_function!`] replays all functions as macro input; [`FUNCTIONS`] is the same as data.
//! * [`DriverTable`] is a driver's functions, found by a symbol lookup.

#[allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    reason = "names are the C header's, which documents them"
)]
pub mod generated;
mod info;
mod macros;
mod proc;
mod results;
#[allow(non_snake_case, reason = "the header's names")]
mod table;

pub use generated::*;
pub use info::{
    AliasInfo, EnumInfo, FieldInfo, FunctionInfo, ParamInfo, ProcEntry, RecordInfo, StreamClass,
};
pub use proc::{ProcMiss, proc_lookup, proc_lookup_entry};
pub use results::{result_description, result_name};
pub use table::DriverTable;
