//! Reductions of segments, from left to right.

use cuox::Result;

use crate::elementwise::{self, Elementwise};
use crate::parameter::Parameter;
use crate::template::{Part, fill};

const SEGMENTS: &str = include_str!("../templates/segments.cuh");
const BY_ROWS: &str = include_str!("../templates/segmented_reduce.cu");
const SERIAL: &str = include_str!("../templates/segmented_reduce_serial.cu");

/// The bytes of neighbours that a lane combines before the lanes combine theirs, the most items, and those of the
/// largest item of which two buffers fit in shared memory.
const ROW: usize = 64;
const MOST_OF_A_ROW: usize = 16;
const MOST_BUFFERED: usize = 24;

/// The texts of a reduction of segments.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The kernel's parameters; all but the numbers of the space.
    pub parameters: Vec<Parameter>,
    /// The C++ type of items, with its size and alignment in bytes.
    pub c_type: String,
    /// See [`Parts::c_type`].
    pub item_size: usize,
    /// See [`Parts::c_type`].
    pub item_align: usize,
    /// The places of the first item of the segment `i`, and behind its last.
    pub begin_expr: String,
    /// See [`Parts::begin_expr`].
    pub end_expr: String,
    /// The item at the place `i`.
    pub load_expr: String,
    /// True if that is an lvalue in global memory with the alignment of the type.
    pub in_memory: bool,
    /// The operator, in `a` and `b`. It is associative.
    pub reduce_expr: String,
    /// The item that is combined with the first one of each segment.
    pub first_expr: String,
    /// The logarithm of the indices for each segment, at most 8.
    pub shift_expr: String,
    /// A statement that puts the result `sum` of the segment `i` somewhere.
    pub store: String,
    /// True for the software GPU.
    pub serial: bool,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// A kernel that combines the items of each segment. Its indices are `1 << shift_expr` for each.
///
/// # Errors
/// As [`Elementwise::new`].
pub fn new(parts: Parts) -> Result<Elementwise> {
    let is_direct = parts.item_size > MOST_BUFFERED;
    // An odd number, so that lanes that go through their own items use different banks of shared memory.
    let each = match is_direct {
        true => 1,
        false => (ROW / parts.item_size.max(1)).min(MOST_OF_A_ROW) | 1,
    };
    let fits = |unit: &usize| {
        parts.item_size.is_multiple_of(*unit) && parts.item_align.is_multiple_of(*unit)
    };
    let unit = match parts.in_memory && !is_direct {
        true => [16, 8, 4].into_iter().find(fits).unwrap_or(0),
        false => 0,
    };
    let (each, unit) = (each.to_string(), unit.to_string());
    let places = [
        ("c_type", Part::Made(&parts.c_type)),
        ("begin_expr", Part::user("begin_expr", &parts.begin_expr)),
        ("end_expr", Part::user("end_expr", &parts.end_expr)),
        ("load_expr", Part::user("load_expr", &parts.load_expr)),
        ("reduce_expr", Part::user("reduce_expr", &parts.reduce_expr)),
        ("first_expr", Part::user("first_expr", &parts.first_expr)),
        ("shift_expr", Part::user("shift_expr", &parts.shift_expr)),
        ("store", Part::user("store", &parts.store)),
        ("each", Part::Made(&each)),
        ("unit", Part::Made(&unit)),
        (
            "is_direct",
            Part::Made(if is_direct { "true" } else { "false" }),
        ),
    ];
    let mut loop_prep = fill("cuox/segments.cuh", SEGMENTS, &places);
    loop_prep.push_str(&match parts.serial {
        true => fill("cuox/segmented_reduce_serial.cu", SERIAL, &places),
        false => fill("cuox/segmented_reduce.cu", BY_ROWS, &places),
    });
    Elementwise::new(elementwise::Parts {
        parameters: parts.parameters,
        name: parts.name,
        preamble: parts.preamble,
        loop_prep,
        options: parts.options,
        ..elementwise::Parts::default()
    })
}
