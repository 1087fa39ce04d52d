//! Histograms with bins of equal widths.

use cuox::Result;

use crate::elementwise::{self, Elementwise};
use crate::parameter::Parameter;
use crate::template::{Part, fill};

const HISTOGRAM: &str = include_str!("../templates/histogram.cu");
const FLOATS: &str = include_str!("../templates/histogram_floats.cuh");
const INTEGERS: &str = include_str!("../templates/histogram_integers.cuh");

/// The values that a thread loads at once, and the blocks of a multiprocessor. An H200 counted 2^26 floats at 899
/// Gitem/s; at 837 with 4 and 8, and with copies of the bins for warps.
const AHEAD: usize = 16;
const BLOCKS: usize = 4;

/// Numbers of bins in shared memory: there is a kernel for each.
const ROOMS: [usize; 4] = [256, 1024, 4096, 8192];

/// The texts of a histogram.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The kernel's parameters; all but the numbers of the space.
    pub parameters: Vec<Parameter>,
    /// The C++ type of values and levels, which are numbers.
    pub c_type: String,
    /// True for floats.
    pub is_float: bool,
    /// The value with the index `i`, and the lower level of the first bin and the upper one of the last.
    pub load_expr: String,
    /// See [`Parts::load_expr`].
    pub low_expr: String,
    /// See [`Parts::load_expr`].
    pub high_expr: String,
    /// The number of bins, an `unsigned int`, and that number as far as the kernel hangs on it.
    pub bins_expr: String,
    /// See [`Parts::bins_expr`].
    pub bins: usize,
    /// The address of the first count, and the C++ type of counts, which has `atomicAdd`.
    pub counts_expr: String,
    /// See [`Parts::counts_expr`].
    pub count_type: String,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// A kernel that adds the number of values in each bin to the counts. Its indices are those of the values.
///
/// # Errors
/// As [`Elementwise::new`].
pub fn new(parts: Parts) -> Result<Elementwise> {
    let ahead = AHEAD.to_string();
    let room = ROOMS.iter().find(|room| parts.bins <= **room);
    let room = room.copied().unwrap_or(0).to_string();
    let loop_prep = fill(
        "cuox/histogram.cu",
        HISTOGRAM,
        &[
            ("c_type", Part::Made(&parts.c_type)),
            ("count_type", Part::Made(&parts.count_type)),
            ("ahead", Part::Made(&ahead)),
            ("room", Part::Made(&room)),
            ("load_expr", Part::user("load_expr", &parts.load_expr)),
            ("low_expr", Part::user("low_expr", &parts.low_expr)),
            ("high_expr", Part::user("high_expr", &parts.high_expr)),
            ("bins_expr", Part::user("bins_expr", &parts.bins_expr)),
            ("counts_expr", Part::user("counts_expr", &parts.counts_expr)),
            (
                "find",
                Part::Made(if parts.is_float { FLOATS } else { INTEGERS }),
            ),
        ],
    );
    Elementwise::new(elementwise::Parts {
        parameters: parts.parameters,
        name: parts.name,
        preamble: parts.preamble,
        loop_prep,
        options: parts.options,
        blocks: BLOCKS,
        ..elementwise::Parts::default()
    })
}
