//! Scans: `item` of `i` combines the inputs up to `i`, and a statement says what becomes of it.

mod source;

use cuox::array::Order;
use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::{Buffer, Fill};
use cuox::{Device, Error, Kernel, LaunchConfig, Result, Stream};
use smallvec::SmallVec;

use crate::caller::{Caller, RustCaller};
use crate::code::{self, Source};
use crate::elementwise::{Indices, Shaped, count_of, multiprocessors};
use crate::expression;
use crate::loaded::{Launchable, Loaded};
use crate::parameter::{Argument, Parameter, check_identifier};
use crate::scratch::User;
use crate::space::{Joined, Words, words_to_bytes};

/// A scan by an associative operator, which need not be commutative.
///
/// Equal inputs give equal bits: the prefixes of tiles are combined from left to right, whatever the timing.
#[derive(Debug)]
pub struct Scan {
    parts: Parts,
    /// The output needs the last item, which a second pass knows.
    needs_last: bool,
    loaded: Loaded<Variant, Code>,
}

/// The texts of a [`Scan`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The type of items.
    pub c_type: String,
    /// The kernel's parameters; all but the plan.
    pub parameters: Vec<Parameter>,
    /// The element to combine, in `i`, the parameters and what is fetched.
    pub input_expr: String,
    /// The operator, in `a`, `b`, and `across_seg_boundary`: a segment starts in `b`. `cuox_a` and `cuox_b` are the
    /// same in memory, which must not be changed; large ones are not copied.
    pub scan_expr: String,
    /// The item before the first one.
    pub neutral: Option<String>,
    /// The statement that uses `item`, for each `i`.
    pub output_statement: String,
    /// True where a segment starts.
    pub is_segment_start_expr: Option<String>,
    /// Elements by name, which are read before any output is written.
    pub fetches: Vec<Fetch>,
    /// True if the element and the statement are much code, such as a comparison of large structures: it is not
    /// repeated.
    pub has_long_expressions: bool,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// A name for an element of a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// The name in expressions.
    pub name: String,
    /// The vector.
    pub vector: String,
    /// The element before that with index `i`, not that one.
    pub previous: bool,
}

/// A pass over the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Scan and write.
    Whole = 0,
    /// Only find the prefixes of tiles and the last item.
    Prefixes = 1,
    /// Write, with these known.
    Write = 2,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Variant {
    pass: Pass,
    /// The dimensions of each vector that has strides; 0 for other parameters.
    ranks: SmallVec<[u8; 8]>,
    tuning: Tuning,
}

/// The device that a scan is planned for.
#[derive(Debug, Clone, Copy)]
struct Target {
    is_soft: bool,
    /// Two blocks run at once, however large they are.
    runs_two: bool,
}

impl Target {
    fn of(device: Device) -> Self {
        Self {
            is_soft: device.is_soft(),
            runs_two: multiprocessors(device) > 1,
        }
    }
}

/// The blocks, of items that are small enough. On an H200 the number of bytes of tiles that wait in shared memory at
/// once decides: seven blocks fill it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tuning {
    threads: usize,
    /// Items of a thread.
    each: usize,
    /// Blocks that are to run at once on a multiprocessor, if items have 8 bytes or fewer.
    blocks: usize,
    /// One block finds the prefixes of all, if items are not too large. It waits for blocks that start later.
    coordinates: bool,
    /// Items that are a vector's as they are come and go 16 bytes at a time.
    copies: bool,
}

impl Tuning {
    fn of(target: Target) -> Self {
        match target.is_soft {
            true => Self {
                threads: 256,
                each: 31,
                blocks: 1,
                coordinates: false,
                copies: false,
            },
            false => Self {
                threads: 256,
                each: 29,
                blocks: 7,
                coordinates: target.runs_two,
                copies: true,
            },
        }
    }
}

/// A kernel, and what it told of types.
#[derive(Debug, Clone)]
struct Code {
    /// The kernel.
    pub kernel: Kernel,
    item_bytes: usize,
    end_words: usize,
    tuning: Tuning,
}

/// All that a launch needs besides its arguments.
#[derive(Debug, Clone)]
pub struct Plan {
    variant: Variant,
    count: usize,
    /// Shapes and strides.
    tail: Words,
}

/// Bytes before the words of tiles.
const HEADER: usize = 256;

/// The tiles of a group, as in the template.
const GROUP: usize = 32;

/// The largest items of which a block coordinates the others, as in the template.
const MOST_COORDINATED: usize = 64;

impl Plan {
    /// True if there is nothing to do.
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The same elements in another pass.
    fn pass(&self, pass: Pass) -> Self {
        let mut plan = self.clone();
        plan.variant.pass = pass;
        plan
    }
}

impl Launchable for Code {
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
}

impl Code {
    fn new(kernel: Kernel, tuning: Tuning) -> Result<Self> {
        let slots = kernel.parameters()?.slots();
        let size = |from_end: usize| {
            let slot = slots
                .len()
                .checked_sub(from_end)
                .and_then(|at| slots.get(at));
            slot.map_or(0, |(slot, _)| slot.size() as usize)
        };
        Ok(Self {
            item_bytes: size(3),
            end_words: size(2).saturating_sub(1),
            kernel,
            tuning,
        })
    }

    /// Threads of a block and elements of a tile, as the template computes them.
    fn tile(&self) -> (usize, usize) {
        let threads = match self.item_bytes {
            0..=120 => self.tuning.threads,
            121..=240 => 128,
            241..=480 => 64,
            _ => 32,
        };
        let each = match 30720 / (threads * self.item_bytes.max(1)) {
            0..3 => 1,
            room if room > self.tuning.each => self.tuning.each,
            room => (room - 1) / 2 * 2 + 1,
        };
        (threads, threads * each)
    }

    fn tiles(&self, plan: &Plan) -> usize {
        plan.count.div_ceil(self.tile().1)
    }

    /// True if one block finds the prefixes of all tiles.
    fn coordinates(&self) -> bool {
        self.tuning.coordinates && self.item_bytes <= MOST_COORDINATED
    }

    /// Grid and block.
    fn config(&self, plan: &Plan) -> LaunchConfig {
        let tiles = self.tiles(plan);
        let coordinator = self.coordinates() && plan.variant.pass != Pass::Write && tiles > 1;
        LaunchConfig::new(
            (tiles + usize::from(coordinator)) as u32,
            self.tile().0 as u32,
        )
    }

    /// The numbers of words in scratch memory: of sums, ends, groups' sums, groups' prefixes, and prefixes.
    fn words(&self, plan: &Plan) -> [usize; 5] {
        let item_words = self.item_bytes.div_ceil(4);
        let tiles = self.tiles(plan);
        let (groups, prefixes) = match (self.coordinates(), plan.variant.pass) {
            (true, _) => (0, tiles),
            (false, Pass::Whole) => (tiles.div_ceil(GROUP), 0),
            (false, _) => (tiles.div_ceil(GROUP), tiles),
        };
        [
            tiles * item_words,
            tiles * self.end_words,
            groups * item_words,
            groups * item_words,
            prefixes * item_words,
        ]
    }

    /// The bytes of scratch memory of [`User::Scan`] that a launch needs.
    fn scratch_bytes(&self, plan: &Plan) -> usize {
        HEADER + self.words(plan).iter().sum::<usize>() * 8
    }

    /// Puts the plan where the kernel expects it, behind all arguments.
    ///
    /// # Errors
    /// [`Refusal`], which is an internal error.
    fn put_plan(
        &self,
        plan: &Plan,
        scratch: &Buffer,
        parameters: &Parameters,
        buffer: &mut ParamBuffer,
    ) -> Result<(), Refusal> {
        let slots = parameters.slots();
        let Some([sizes @ .., (slot, offset)]) = slots.get(slots.len().saturating_sub(3)..) else {
            return Err(Refusal::Kind);
        };
        let bytes = buffer.bytes(parameters);
        // Nothing reads these; they are there for their sizes.
        for (slot, offset) in sizes {
            let size = slot.size() as usize;
            for byte in bytes.iter_mut().skip(*offset as usize).take(size) {
                byte.write(0);
            }
        }
        let tiles = self.tiles(plan);
        let mut end = scratch.ptr() + HEADER as u64;
        let [sums, ends, group_sums, group_prefixes, prefixes] = self.words(plan).map(|count| {
            let start = end as i64;
            end += count as u64 * 8;
            start
        });
        let mut words = Words::new();
        words.extend([
            scratch.ptr() as i64,
            sums,
            prefixes,
            ends,
            group_sums,
            group_prefixes,
            plan.count as i64,
            tiles as i64,
            tiles.div_ceil(GROUP) as i64,
        ]);
        words.extend_from_slice(&plan.tail);
        slot.put_bytes(
            &words_to_bytes(&words, true),
            None,
            &mut bytes[*offset as usize..],
        )
    }
}

impl Scan {
    /// Checks names; nothing is compiled before the first launch.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn new(parts: Parts) -> Result<Self> {
        let name = &parts.name;
        Parameter::check_all(&parts.parameters)?;
        check_identifier("the kernel's name", name)?;
        for (what, text) in [
            ("the type of items", &parts.c_type),
            ("input_expr", &parts.input_expr),
            ("scan_expr", &parts.scan_expr),
        ] {
            if text.trim().is_empty() {
                return Err(Error::invalid(format!("{name}: {what} must not be empty")));
            }
        }
        if parts.neutral.is_none() && expression::mentions(&parts.output_statement, "prev_item") {
            return Err(Error::invalid(format!(
                "{name}: prev_item needs a neutral element, which is that before the first item; pass neutral="
            )));
        }
        for fetch in &parts.fetches {
            check_identifier("a fetched element's name", &fetch.name)?;
            let vector = |p: &&Parameter| p.vector && p.name == fetch.vector;
            if !parts.parameters.iter().any(|p| vector(&p)) {
                return Err(Error::invalid(format!(
                    "{name}: {} is to be fetched from {}, which is not a vector among the parameters",
                    fetch.name, fetch.vector
                )));
            }
        }
        Ok(Self {
            needs_last: expression::mentions(&parts.output_statement, "last_item"),
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

    /// The passes of a launch, in order. Several passes must not share scratch memory with other launches: see
    /// [`Scan::own_scratch`].
    fn passes(&self) -> &'static [Pass] {
        match self.needs_last {
            true => &[Pass::Prefixes, Pass::Write],
            false => &[Pass::Whole],
        }
    }

    /// The plan of a launch with these arguments, one for each parameter.
    ///
    /// # Errors
    /// [`Error::Invalid`] if no array tells the number of elements.
    pub fn plan(&self, arguments: &[Shaped<'_>], indices: Indices, device: Device) -> Result<Plan> {
        self.plan_for(arguments, indices, Target::of(device))
    }

    /// The sources of the kernels for so many elements, on devices of either kind.
    ///
    /// # Errors
    /// As [`Scan::plan`].
    pub fn sources(&self, arguments: &[Shaped<'_>], count: usize) -> Result<Vec<Source>> {
        let mut sources = Vec::new();
        for is_soft in [false, true] {
            let target = Target {
                is_soft,
                runs_two: true,
            };
            let plan = self.plan_for(arguments, Indices::Count(count), target)?;
            for &pass in self.passes() {
                sources.push(source::of(&self.parts, &plan.pass(pass).variant));
            }
        }
        Ok(code::distinct(sources))
    }

    fn plan_for(&self, arguments: &[Shaped<'_>], indices: Indices, target: Target) -> Result<Plan> {
        Parameter::check_count(&self.parts.name, &self.parts.parameters, arguments.len())?;
        let first = arguments.iter().find_map(|argument| argument.layout);
        let count = count_of(&self.parts.name, first, indices)?;
        let common = || {
            let layouts = arguments.iter().filter_map(|argument| argument.layout);
            layouts.filter(|layout| first.is_some_and(|f| f.shape() == layout.shape()))
        };
        // As for operations on elements: the index counts through memory if all arrays lie alike.
        let fortran = common().all(|layout| layout.is_contiguous(Order::F))
            && !common().all(|layout| layout.is_contiguous(Order::C));
        let mut tail = Words::new();
        let mut ranks = SmallVec::new();
        for argument in arguments {
            ranks.push(match argument.layout {
                None => 0,
                Some(layout) if layout.is_contiguous(Order::C) => 0,
                Some(layout) if fortran && first.is_some_and(|f| f.shape() == layout.shape()) => 0,
                Some(layout) => {
                    let joined = Joined::in_c_order(&[layout]);
                    joined.push_shape(&mut tail);
                    joined.push_strides(0, &mut tail);
                    joined.rank() as u8
                }
            });
        }
        Ok(Plan {
            variant: Variant {
                pass: self.passes()[0],
                ranks,
                tuning: Tuning::of(target),
            },
            count,
            tail,
        })
    }

    /// The kernel for a plan on a device, compiled if it is new. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`crate::code::Source::kernel`].
    fn code(&self, plan: &Plan, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<Code> {
        self.loaded.find_or_load(&plan.variant, device, || {
            let source = source::of(&self.parts, &plan.variant);
            Code::new(source.kernel(device, stop)?, plan.variant.tuning)
        })
    }

    /// The kernel for a plan, if it was used before.
    #[inline]
    fn loaded(&self, plan: &Plan, device: Device) -> Option<Code> {
        self.loaded.find(&plan.variant, device)
    }

    /// Scratch memory of this launch alone, freed in the stream's order.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    fn own_scratch(stream: &Stream, bytes: usize) -> Result<Buffer> {
        let buffer = Buffer::allocate_async(stream, bytes)?;
        buffer.fill(Fill::U8(0), Some(stream))?;
        Ok(buffer)
    }

    /// Plans, compiles if need be, and launches.
    ///
    /// # Safety
    /// The expressions stay within the memory of the arguments, which lives until the work is done.
    ///
    /// # Errors
    /// As [`Scan::plan`] and [`Scan::code`]; [`Error::Argument`] for an argument that its parameter does not take; the
    /// driver's errors.
    pub unsafe fn launch(
        &self,
        stream: &Stream,
        arguments: &[Argument<'_>],
        indices: Indices,
    ) -> Result<()> {
        let shaped: SmallVec<[Shaped<'_>; 8]> = arguments.iter().map(Shaped::from).collect();
        let plan = self.plan(&shaped, indices, stream.device())?;
        // SAFETY: as this function's caller vouches.
        unsafe { self.launch_plan(&RustCaller(arguments), stream, &plan) }
    }

    /// Launches with a plan that was made for the caller's arguments.
    ///
    /// # Safety
    /// As [`Scan::launch`].
    ///
    /// # Errors
    /// As [`Scan::launch`].
    pub unsafe fn launch_plan<C: Caller>(
        &self,
        caller: &C,
        stream: &Stream,
        plan: &Plan,
    ) -> Result<(), C::Error> {
        if plan.is_empty() {
            return Ok(());
        }
        let device = stream.device();
        // Kernels first: a pass that was launched alone would be in vain.
        let mut codes: SmallVec<[(Pass, Plan, Code, bool); 1]> = SmallVec::new();
        for &pass in self.passes() {
            let plan = plan.pass(pass);
            let loaded = self.loaded(&plan, device);
            let (code, is_new) =
                caller.kernel(self.name(), loaded, |stop| self.code(&plan, device, stop))?;
            codes.push((pass, plan, code, is_new));
        }
        let mut own: Option<Buffer> = None;
        for (pass, plan, code, is_new) in &codes {
            let bytes = code.scratch_bytes(plan);
            let scratch = match (&own, pass) {
                (Some(own), _) => own.clone(),
                (None, Pass::Whole) => caller.scratch(User::Scan, stream, bytes)?,
                (None, _) => {
                    let made = caller.submit(stream, || Self::own_scratch(stream, bytes))?;
                    own.insert(made).clone()
                }
            };
            let finish = |parameters: &Parameters, buffer: &mut ParamBuffer| {
                code.put_plan(plan, &scratch, parameters, buffer)
            };
            // SAFETY: as this function's caller vouches.
            unsafe { caller.launch(stream, (&code.kernel, *is_new), &code.config(plan), finish) }?;
        }
        Ok(())
    }
}
