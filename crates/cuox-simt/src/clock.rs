//! `%clock`, `%clock64` and `%globaltimer`.

use crate::ir::Special;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static START: OnceLock<Instant> = OnceLock::new();

/// Returns the value of a clock. Cycles are nanoseconds since the first read.
pub fn read(which: Special) -> u64 {
    match which {
        Special::GlobalTimer => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_nanos() as u64),
        _ => START.get_or_init(Instant::now).elapsed().as_nanos() as u64,
    }
}
