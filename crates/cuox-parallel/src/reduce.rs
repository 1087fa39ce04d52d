//! Reductions: of all elements of arrays, or along axes.

mod plan;
mod source;

use cuox::array::{Layout, Order};
use cuox::launch::{ParamBuffer, Parameters, Refusal, Slot};
use cuox::memory::Buffer;
use cuox::{Device, Kernel, LaunchConfig, Result, Stream};
use smallvec::SmallVec;

use crate::caller::{Caller, RustCaller};
use crate::code::{self, Source};
use crate::elementwise::{Indices, Shaped};
use crate::expression;
use crate::loaded::Loaded;
use crate::parameter::{Argument, Parameter, check_identifier};
use crate::scratch::User;
use crate::space::{Words, words_to_bytes};

/// Combines mapped elements by an operator that is associative and commutative.
///
/// Equal inputs of equal shapes and strides give equal bits: threads take elements at fixed distances, have a fixed
/// number of sums each, and the sums are combined by trees, whose order depends on sizes only, and on whether the
/// device is a GPU.
#[derive(Debug)]
pub struct Reduction {
    parts: Parts,
    /// The map's uses of each parameter.
    uses: Vec<Use>,
    needs_index: bool,
    loaded: Loaded<Variant, Kernel>,
}

/// The texts of a [`Reduction`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The kernel's parameters; all but the plan.
    pub parameters: Vec<Parameter>,
    /// The type of results, and of all that is combined.
    pub out_type: String,
    /// The result of no elements. Without one results are combined in memory, and `store` looks at `has_sum`.
    pub neutral: Option<String>,
    /// The operator, in `a` and `b`. Without a neutral element, `cuox_a` and `cuox_b` are the same in memory, which
    /// must not be changed: they are not copied.
    pub reduce_expr: String,
    /// The expression that is combined, in `i` and the parameters. Empty for the elements of the first vector.
    pub map_expr: String,
    /// The statement that puts the result `sum` somewhere, in place of `out = sum`.
    pub store: Option<String>,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// The kernel that suits a call's arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Variant {
    threads: u16,
    /// The outputs of a block.
    lanes: u16,
    along_outputs: bool,
    /// The sums of a thread.
    unroll: u8,
    /// The bytes of a vectorised load.
    wide: u8,
    /// All vectors begin where such a load may.
    aligned: bool,
    out_size: usize,
    /// Results are combined in memory.
    is_large: bool,
    body: Body,
    access: SmallVec<[Access; 8]>,
}

/// The map's use of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A number, or a vector that only the results' statement uses.
    ByName,
    /// A vector's element `[i]`, and no other.
    OwnElement,
    Vector,
}

/// The walk through the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Body {
    /// One behind the other.
    Contiguous,
    Strided {
        kept: u8,
        reduced: u8,
        /// Neighbouring threads have neighbouring elements, in all vectors.
        dense: bool,
    },
}

/// The way in which a kernel finds a vector's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    ByName,
    /// The element for this index, and no other.
    Element,
    /// By a pointer.
    Pointer,
    /// By C's order in an array of so many dimensions.
    Indexed(u8),
}

/// All that a launch needs besides its arguments.
#[derive(Debug, Clone)]
pub struct Plan {
    variant: Variant,
    /// The kernel's structure behind its three addresses.
    words: Words,
    out: u64,
    grid: u32,
    /// The number of outputs.
    outputs: usize,
    /// The bytes for partial results.
    partial: usize,
}

/// Counters in front of partial results.
const COUNTERS: usize = 16384;
const COUNTER_BYTES: usize = COUNTERS * 4;
/// Sums of each thread.
const UNROLL: usize = 4;
/// The bytes of the largest results that are combined in registers, which is faster: NVRTC takes seconds for larger
/// ones.
const MOST_IN_REGISTERS: usize = 272;

impl Plan {
    /// True if there is no result to write.
    fn is_empty(&self) -> bool {
        self.outputs == 0
    }

    /// Grid and block.
    fn config(&self) -> LaunchConfig {
        LaunchConfig::new(self.grid, u32::from(self.variant.threads))
    }

    /// The bytes of scratch memory of [`User::Reduce`] that a launch needs.
    fn scratch_bytes(&self) -> usize {
        match self.partial {
            0 => 0,
            bytes => COUNTER_BYTES + bytes,
        }
    }
}

impl Reduction {
    /// Checks names; nothing is compiled before the first launch.
    ///
    /// # Errors
    /// [`cuox::Error::Invalid`].
    pub fn new(mut parts: Parts) -> Result<Self> {
        Parameter::check_all(&parts.parameters)?;
        check_identifier("the kernel's name", &parts.name)?;
        let vectors = || parts.parameters.iter().filter(|p| p.vector);
        if parts.map_expr.trim().is_empty() {
            let first = vectors().next().ok_or_else(|| {
                cuox::Error::invalid(format!(
                    "{}: without a map expression there must be a vector, whose elements are combined",
                    parts.name
                ))
            })?;
            parts.map_expr = format!("{}[i]", first.name);
        }
        for (what, text) in [
            ("the type of results", &parts.out_type),
            (
                "the neutral element",
                parts.neutral.as_ref().unwrap_or(&parts.out_type),
            ),
            ("the reduction's expression", &parts.reduce_expr),
        ] {
            if text.trim().is_empty() {
                return Err(cuox::Error::invalid(format!(
                    "{}: {what} must not be empty",
                    parts.name
                )));
            }
        }
        let map = &parts.map_expr;
        let macros = expression::uses_macros(map, &parts.preamble);
        let use_of = |p: &Parameter| match p.vector {
            true if macros => Use::Vector,
            true if !expression::mentions(map, &p.name) => Use::ByName,
            true if expression::takes_own_element_only(map, &p.name) => Use::OwnElement,
            true => Use::Vector,
            false => Use::ByName,
        };
        let uses = parts.parameters.iter().map(use_of).collect();
        let names = parts.parameters.iter().filter(|p| p.vector);
        let needs_index = macros || expression::needs_index(map, names.map(|p| p.name.as_str()));
        Ok(Self {
            parts,
            uses,
            needs_index,
            loaded: Loaded::default(),
        })
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parts.parameters
    }

    /// True if a statement of the caller's puts the results somewhere.
    pub fn stores(&self) -> bool {
        self.parts.store.is_some()
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The sources of the kernels for so many elements, combined to one result of `out_size` bytes, on devices of
    /// either kind.
    ///
    /// # Errors
    /// As [`Reduction::plan`].
    pub fn sources(
        &self,
        arguments: &[Shaped<'_>],
        out_size: usize,
        count: usize,
    ) -> Result<Vec<Source>> {
        let single = Layout::contiguous(&[], out_size, Order::C)
            .map_err(|error| cuox::Error::invalid(error.to_string()))?;
        let out = Shaped {
            layout: Some(&single),
            address: 0,
        };
        let source = |address, is_soft| -> Result<Source> {
            let layouts = arguments.iter().map(|argument| argument.layout);
            let arguments: SmallVec<[Shaped<'_>; 8]> =
                layouts.map(|layout| Shaped { layout, address }).collect();
            let plan = self.plan_for(&arguments, out, None, Indices::Count(count), is_soft)?;
            Ok(source::of(&self.parts, &plan.variant))
        };
        // Where wide loads may begin, and where not.
        Ok(code::distinct([
            source(0, false)?,
            source(1, false)?,
            source(0, true)?,
        ]))
    }

    /// The kernel for a plan on a device, compiled if it is new. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`crate::code::Source::kernel`].
    fn kernel(
        &self,
        plan: &Plan,
        device: Device,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Kernel> {
        let load = || source::of(&self.parts, &plan.variant).kernel(device, stop);
        self.loaded.find_or_load(&plan.variant, device, load)
    }

    /// The kernel for a plan, if it was used before.
    #[inline]
    fn loaded(&self, plan: &Plan, device: Device) -> Option<Kernel> {
        self.loaded.find(&plan.variant, device)
    }

    /// Puts the plan where the kernel expects it, behind all arguments.
    ///
    /// # Errors
    /// [`Refusal`], which is an internal error.
    fn put_plan(
        plan: &Plan,
        scratch: Option<&Buffer>,
        parameters: &Parameters,
        buffer: &mut ParamBuffer,
    ) -> Result<(), Refusal> {
        let Some(&(slot @ Slot::Struct { .. }, offset)) = parameters.slots().last() else {
            return Err(Refusal::Kind);
        };
        let counters = scratch.map_or(0, Buffer::ptr);
        let mut words = Words::new();
        words.extend([
            plan.out as i64,
            counters as i64 + COUNTER_BYTES as i64,
            counters as i64,
        ]);
        words.extend_from_slice(&plan.words);
        let target = &mut buffer.bytes(parameters)[offset as usize..];
        slot.put_bytes(&words_to_bytes(&words, true), None, target)
    }

    /// Plans, compiles if need be, and launches. `out` is without dimensions if there are no axes, else it has those
    /// that remain.
    ///
    /// # Safety
    /// The expressions stay within the memory of the arguments, which lives until the work is done.
    ///
    /// # Errors
    /// As [`Reduction::plan`] and [`Reduction::kernel`]; [`cuox::Error::Argument`] for an argument that its parameter
    /// does not take; the driver's errors.
    pub unsafe fn launch(
        &self,
        stream: &Stream,
        arguments: &[Argument<'_>],
        out: Shaped<'_>,
        axes: Option<&[usize]>,
        indices: Indices,
    ) -> Result<()> {
        let shaped: SmallVec<[Shaped<'_>; 8]> = arguments.iter().map(Shaped::from).collect();
        let plan = self.plan(&shaped, out, axes, indices, stream.device())?;
        // SAFETY: as this function's caller vouches.
        unsafe { self.launch_plan(&RustCaller(arguments), stream, &plan) }
    }

    /// Launches with a plan that was made for the caller's arguments.
    ///
    /// # Safety
    /// As [`Reduction::launch`].
    ///
    /// # Errors
    /// As [`Reduction::launch`].
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
        let loaded = self.loaded(plan, device);
        let (kernel, is_new) =
            caller.kernel(self.name(), loaded, |stop| self.kernel(plan, device, stop))?;
        let scratch = match plan.scratch_bytes() {
            0 => None,
            bytes => Some(caller.scratch(User::Reduce, stream, bytes)?),
        };
        let finish = |parameters: &Parameters, buffer: &mut ParamBuffer| {
            Self::put_plan(plan, scratch.as_ref(), parameters, buffer)
        };
        // SAFETY: as this function's caller vouches.
        unsafe { caller.launch(stream, (&kernel, is_new), &plan.config(), finish) }
    }
}

/// The axes of a layout that are not among `axes`.
fn kept_axes(layout: &Layout, axes: &[usize]) -> SmallVec<[usize; 4]> {
    (0..layout.ndim())
        .filter(|axis| !axes.contains(axis))
        .collect()
}
