//! `cuda.libdevice.*`: NVIDIA's library of device functions (libdevice user's guide).

use super::super::Builtin;

/// The function of a name.
pub fn find(_name: &str) -> Option<Builtin> {
    None
}
