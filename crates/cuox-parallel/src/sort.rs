//! Stable sorts by a comparison.

use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::Buffer;
use cuox::{Device, Error, Kernel, LaunchConfig, Result, Stream};

use crate::caller::{Caller, RustCaller};
use crate::code::{self, Source};
use crate::loaded::Loaded;
use crate::parameter::{Argument, Parameter, check_identifier};
use crate::scratch;
use crate::space::{Words, words_to_bytes};
use crate::template::{Part, file, fill};

const SORT: &str = include_str!("../templates/sort.cu");

/// A stable merge sort.
#[derive(Debug)]
pub struct Sort {
    parts: Parts,
    loaded: Loaded<(), Kernel>,
}

/// The texts of a [`Sort`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The type of items.
    pub c_type: String,
    /// Its bytes.
    pub item_size: usize,
    /// The kernel's parameters; all but the plan.
    pub parameters: Vec<Parameter>,
    /// The item to sort, in `i` and the parameters.
    pub load_expr: String,
    /// True if the item `a` comes before `b`.
    pub less_expr: String,
    /// The statement that gets the sorted `item` of each `i`.
    pub store_statement: String,
    /// Where the segment `i` begins, and where it ends, if the items of each are sorted alone.
    pub segments: Option<(String, String)>,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// A launch of a sort.
#[derive(Debug, Clone)]
struct Step {
    work: Work,
    /// Which of the two buffers is read; the other one is written.
    from: usize,
    /// The tiles of a run that is merged with the next one.
    run: usize,
    is_last: bool,
    /// Blocks, each of which has a tile or a segment, or looks for the splits of a tile with each thread.
    blocks: usize,
}

/// The items to sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of items.
    pub count: usize,
    /// The number of segments, for a sort that has some.
    pub segments: usize,
}

/// The work of a launch, as in the template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    SortTiles = 0,
    FindSplits = 1,
    Merge = 2,
    SortSegments = 3,
    SortShort = 4,
}

/// Memory of a sort between its launches.
#[derive(Debug)]
struct Workspace {
    items: Vec<Buffer>,
    splits: Option<Buffer>,
    /// The tiles of long segments.
    pieces: Option<List>,
    /// The segments that are not short.
    listed: Option<List>,
}

/// A list on the device: its length, and so many bytes further on what is listed.
#[derive(Debug)]
struct List {
    memory: Buffer,
    most: usize,
}

/// Bytes in front of a list, and of a tile and a segment in one.
const LIST: usize = 256;
const PIECE: usize = 24;
const SEGMENT: usize = 8;

impl List {
    /// An empty list with room for so many.
    fn new(stream: &Stream, most: usize, each: usize) -> Result<Self> {
        let memory = Buffer::allocate_async(stream, LIST + most * each)?;
        scratch::clear(&memory, LIST, stream)?;
        Ok(Self { memory, most })
    }

    /// The addresses of what is listed and of the length, and how many there may be.
    fn words(list: Option<&Self>) -> [i64; 3] {
        list.map_or([0; 3], |list| {
            let length = list.memory.ptr() as i64;
            [length + LIST as i64, length, list.most as i64]
        })
    }
}

/// The most items that a thread sorts alone.
const SHORT: usize = 32;

/// From so many segments on threads sort those that are short.
const MANY_SEGMENTS: usize = 2048;
const MANY_SEGMENTS_SOFT: usize = 32;

/// From so many tiles on a launch finds the splits of all.
const SPLIT_TILES: usize = 2048;

/// The bytes of the largest items that are compared and moved in registers, as in the template: the operator on larger
/// ones stands in fewer places.
const MOST_IN_REGISTERS: usize = 64;

/// Threads of a block, and the items of each and of all.
#[derive(Debug, Clone, Copy)]
struct Tuning {
    threads: usize,
    each: usize,
    tile: usize,
    /// Blocks that are to run at once on a multiprocessor.
    blocks: usize,
}

impl Tuning {
    fn of(item_size: usize) -> Self {
        let threads = match item_size {
            0..=16 => 256,
            17..=32 => 128,
            33..=128 => 64,
            _ => 32,
        };
        // Twice the tile, and an item, fit in the 48 KiB of shared memory that all devices have.
        let most = (49000 / item_size.max(1) - 1) / 2;
        // An odd number, so that threads that go through their own items use different banks of shared memory.
        let each = ((most / threads).clamp(1, 17) - 1) / 2 * 2 + 1;
        Self {
            threads,
            each,
            tile: most.min(threads * each),
            blocks: if item_size <= 4 { 6 } else { 1 },
        }
    }
}

impl Sort {
    /// Checks names; nothing is compiled before the first launch.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn new(parts: Parts) -> Result<Self> {
        let name = &parts.name;
        Parameter::check_all(&parts.parameters)?;
        check_identifier("the kernel's name", name)?;
        if parts.item_size == 0 || parts.item_size > 1024 {
            return Err(Error::invalid(format!(
                "{name}: items of {} bytes cannot be sorted, only of 1 to 1024",
                parts.item_size
            )));
        }
        Ok(Self {
            parts,
            loaded: Loaded::default(),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parts.parameters
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// True if there is nothing to sort.
    ///
    /// # Errors
    /// [`Error::Invalid`] for more segments than a grid has blocks.
    fn is_nothing(&self, extent: Extent) -> Result<bool> {
        if extent.segments > i32::MAX as usize {
            return Err(Error::invalid(format!(
                "{}: {} segments are too many; up to 2147483647 can be sorted at once",
                self.parts.name, extent.segments
            )));
        }
        Ok(extent.count == 0 || self.parts.segments.is_some() && extent.segments == 0)
    }

    fn tuning(&self) -> Tuning {
        Tuning::of(self.parts.item_size)
    }

    /// The launches for so many items.
    fn steps(&self, extent: Extent, is_soft: bool) -> Vec<Step> {
        let Tuning { threads, tile, .. } = self.tuning();
        let is_segmented = self.parts.segments.is_some();
        let tiles = extent.count.div_ceil(tile);
        // Those of long segments, each of which has a last tile that may not be full.
        let most = if is_segmented { 2 * tiles } else { tiles };
        // Few blocks wait shorter for their own search than for another launch.
        let is_large = self.parts.item_size > MOST_IN_REGISTERS;
        let by_blocks = tiles < SPLIT_TILES && !is_soft && !is_large;
        let mut steps = Vec::new();
        let mut add = |work, from, run, is_last, blocks| {
            steps.push(Step {
                work,
                from,
                run,
                is_last,
                blocks,
            });
        };
        if is_segmented {
            let few = match is_soft {
                true => MANY_SEGMENTS_SOFT,
                false => MANY_SEGMENTS,
            };
            if self.has_short() && extent.segments >= few {
                let blocks = extent.segments.div_ceil(threads);
                add(Work::SortShort, 1, 1, true, blocks);
                // So many are longer, if none overlap.
                let listed = extent.segments.min(extent.count / (SHORT + 1));
                if listed > 0 {
                    add(Work::SortSegments, 1, 1, true, listed);
                }
            } else {
                add(Work::SortSegments, 1, 1, true, extent.segments);
            }
        }
        if !is_segmented || tiles > 1 {
            add(Work::SortTiles, 1, 1, tiles <= 1, most);
        }
        let runs = std::iter::successors(Some(1), |run| Some(run * 2));
        for (number, run) in runs.take_while(|&run| run < tiles).enumerate() {
            let (from, is_last) = (number % 2, run * 2 >= tiles);
            if !by_blocks {
                add(Work::FindSplits, from, run, is_last, most.div_ceil(threads));
            }
            add(Work::Merge, from, run, is_last, most);
        }
        steps
    }

    /// True if threads may sort segments alone: an operator on large items is too much code for one more place.
    fn has_short(&self) -> bool {
        self.parts.segments.is_some() && self.parts.item_size <= 16
    }

    /// The sources of the kernels on devices of either kind.
    pub fn sources(&self) -> Vec<Source> {
        code::distinct([self.source(false), self.source(true)])
    }

    /// The kernel of all steps on a device, compiled if it is new. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`crate::code::Source::kernel`].
    fn kernel(&self, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<Kernel> {
        let load = || self.source(device.is_soft()).kernel(device, stop);
        self.loaded.find_or_load(&(), device, load)
    }

    /// The kernel, if it was used before.
    #[inline]
    fn loaded(&self, device: Device) -> Option<Kernel> {
        self.loaded.find(&(), device)
    }

    /// Grid and block of a step.
    fn config(&self, step: &Step) -> LaunchConfig {
        LaunchConfig::new(step.blocks as u32, self.tuning().threads as u32)
    }

    fn source(&self, is_soft: bool) -> Source {
        let parts = &self.parts;
        let tuning = self.tuning();
        let number = |value: usize| value.to_string();
        let (threads, each, tile, blocks) = (
            number(tuning.threads),
            number(tuning.each),
            number(tuning.tile),
            number(tuning.blocks),
        );
        let size = parts.item_size.to_string();
        let short = number(if self.has_short() { SHORT } else { 1 });
        // One text for both, where it makes no difference.
        let is_serial = match is_soft && parts.segments.is_some() {
            true => "true",
            false => "false",
        };
        let mut parameters = Parameter::declarations(&parts.parameters);
        if !parameters.is_empty() {
            parameters.push_str(", ");
        }
        let made = Part::Made;
        let (is_segmented, begin, end) = match &parts.segments {
            Some((begin, end)) => ("true", begin.as_str(), end.as_str()),
            None => ("false", "0", "0"),
        };
        let mut text = String::new();
        if !parts.preamble.trim().is_empty() {
            text.push_str(&file("preamble", &parts.preamble));
        }
        text.push_str(&fill(
            "cuox/sort.cu",
            SORT,
            &[
                ("c_type", made(&parts.c_type)),
                ("item_size", made(&size)),
                ("threads", made(&threads)),
                ("each", made(&each)),
                ("tile", made(&tile)),
                ("blocks", made(&blocks)),
                ("is_segmented", made(is_segmented)),
                ("short", made(&short)),
                ("is_serial", made(is_serial)),
                ("begin_expr", Part::user("begin_expr", begin)),
                ("end_expr", Part::user("end_expr", end)),
                ("name", made(&parts.name)),
                ("parameters", made(&parameters)),
                ("load_expr", Part::user("load_expr", &parts.load_expr)),
                ("less_expr", Part::user("less_expr", &parts.less_expr)),
                (
                    "store_statement",
                    Part::user("store_statement", &parts.store_statement),
                ),
            ],
        ));
        Source {
            text,
            kernel: parts.name.clone(),
            options: parts.options.clone(),
        }
    }

    /// Puts a step's numbers where the kernel expects them, behind all arguments.
    ///
    /// # Errors
    /// [`Refusal`], which is an internal error.
    fn put_step(
        step: &Step,
        extent: Extent,
        workspace: &Workspace,
        parameters: &Parameters,
        buffer: &mut ParamBuffer,
    ) -> Result<(), Refusal> {
        let Some(&(slot, offset)) = parameters.slots().last() else {
            return Err(Refusal::Kind);
        };
        let address = |buffer: Option<&Buffer>| buffer.map_or(0, Buffer::ptr) as i64;
        let mut words = Words::new();
        words.extend([
            address(workspace.items.get(step.from)),
            address(workspace.items.get(1 - step.from)),
            address(workspace.splits.as_ref()),
            extent.count as i64,
            step.run as i64,
            step.work as i64,
            i64::from(step.is_last),
        ]);
        words.extend(List::words(workspace.pieces.as_ref()));
        words.push(extent.segments as i64);
        words.extend(List::words(workspace.listed.as_ref()));
        let target = &mut buffer.bytes(parameters)[offset as usize..];
        slot.put_bytes(&words_to_bytes(&words, true), None, target)
    }

    /// Memory for what is known between steps, freed in the stream's order. None if one step is enough.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    fn workspace(&self, stream: &Stream, steps: &[Step], count: usize) -> Result<Workspace> {
        let merges = steps.iter().filter(|step| step.work == Work::Merge).count();
        let items = (0..merges.min(2))
            .map(|_| Buffer::allocate_async(stream, count * self.parts.item_size));
        let sorted = steps.iter().find(|step| step.work == Work::SortTiles);
        let tiles = sorted.map_or(0, |step| step.blocks);
        let has_splits = steps.iter().any(|step| step.work == Work::FindSplits);
        let splits = has_splits.then(|| Buffer::allocate_async(stream, tiles * 8));
        let has_pieces = self.parts.segments.is_some() && tiles > 0;
        let pieces = has_pieces.then(|| List::new(stream, tiles, PIECE));
        let is_listing = steps.iter().any(|step| step.work == Work::SortShort);
        let segments = steps.iter().find(|step| step.work == Work::SortSegments);
        let most = segments.map_or(0, |step| step.blocks);
        let listed = is_listing.then(|| List::new(stream, most, SEGMENT));
        Ok(Workspace {
            items: items.collect::<Result<_>>()?,
            splits: splits.transpose()?,
            pieces: pieces.transpose()?,
            listed: listed.transpose()?,
        })
    }

    /// Compiles if need be, and launches.
    ///
    /// # Safety
    /// The expressions stay within the memory of the arguments, which lives until the work is done.
    ///
    /// # Errors
    /// As [`Sort::kernel`]; [`Error::Argument`] for an argument that its parameter does not take; the driver's errors.
    pub unsafe fn launch(
        &self,
        stream: &Stream,
        arguments: &[Argument<'_>],
        extent: Extent,
    ) -> Result<()> {
        Parameter::check_count(&self.parts.name, &self.parts.parameters, arguments.len())?;
        // SAFETY: as this function's caller vouches.
        unsafe { self.launch_steps(&RustCaller(arguments), stream, extent) }
    }

    /// Launches all steps with the caller's arguments.
    ///
    /// # Safety
    /// As [`Sort::launch`].
    ///
    /// # Errors
    /// As [`Sort::launch`].
    pub unsafe fn launch_steps<C: Caller>(
        &self,
        caller: &C,
        stream: &Stream,
        extent: Extent,
    ) -> Result<(), C::Error> {
        if self
            .is_nothing(extent)
            .map_err(|error| caller.error(error))?
        {
            return Ok(());
        }
        let device = stream.device();
        let (kernel, is_new) = caller.kernel(self.name(), self.loaded(device), |stop| {
            self.kernel(device, stop)
        })?;
        let steps = self.steps(extent, device.is_soft());
        let workspace = caller.submit(stream, || self.workspace(stream, &steps, extent.count))?;
        for step in &steps {
            let finish = |parameters: &Parameters, buffer: &mut ParamBuffer| {
                Self::put_step(step, extent, &workspace, parameters, buffer)
            };
            // SAFETY: as this function's caller vouches.
            unsafe { caller.launch(stream, (&kernel, is_new), &self.config(step), finish) }?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_what_the_one_before_wrote() {
        let sort = Sort::new(Parts {
            c_type: "int".into(),
            item_size: 4,
            name: "k".into(),
            ..Parts::default()
        });
        let Ok(sort) = sort else {
            unreachable!("the names are right")
        };
        let tile = sort.tuning().tile;
        for is_soft in [false, true] {
            let steps = |count| sort.steps(Extent { count, segments: 0 }, is_soft);
            assert_eq!(steps(tile).len(), 1);
            assert!(steps(tile)[0].is_last);
            let steps = steps(tile * 5);
            assert_eq!(steps.len(), if is_soft { 7 } else { 4 });
            assert!(!steps[0].is_last);
            let merges: Vec<_> = steps.iter().filter(|s| s.work == Work::Merge).collect();
            for pair in merges.windows(2) {
                assert_eq!(pair[1].from, 1 - pair[0].from);
                assert!(!pair[0].is_last);
            }
            assert_eq!(merges[0].from, 1 - steps[0].from);
            assert!(merges[2].is_last);
            assert_eq!(merges[2].run, 4);
        }
    }

    #[test]
    fn segments_that_fit_in_a_block_take_one_step() {
        let parts = Parts {
            c_type: "int".into(),
            item_size: 4,
            name: "k".into(),
            segments: Some(("0".into(), "N".into())),
            ..Parts::default()
        };
        let Ok(sort) = Sort::new(parts) else {
            unreachable!("the names are right")
        };
        let tile = sort.tuning().tile;
        let steps = |count| sort.steps(Extent { count, segments: 7 }, false);
        assert_eq!(steps(tile).len(), 1);
        assert_eq!(
            (steps(tile)[0].work, steps(tile)[0].blocks),
            (Work::SortSegments, 7)
        );
        let long = steps(tile + 1);
        assert_eq!(long.len(), 3);
        // A segment of one item more than a tile has two tiles; so may every other one have.
        assert_eq!((long[1].work, long[1].blocks), (Work::SortTiles, 4));
        assert!(!long[1].is_last && long[2].is_last);
    }

    #[test]
    fn tiles_fit_in_shared_memory() {
        for size in 1..=1024 {
            let tuning = Tuning::of(size);
            assert!((2 * tuning.tile + 1) * size <= 49000 && tuning.tile >= 16);
            assert!(tuning.tile <= tuning.threads * tuning.each);
        }
    }
}
