//! An operation for each element of arrays.

mod source;

use std::sync::{PoisonError, RwLock};

use cuox::array::{Layout, Order};
use cuox::launch::{ParamBuffer, Parameters, Refusal, Slot};
use cuox::{Device, Dim3, Error, Kernel, LaunchConfig, Result, Stream};
use smallvec::SmallVec;

use crate::caller::{Caller, RustCaller};
use crate::code::{self, Source};
use crate::loaded::Loaded;
use crate::parameter::{Argument, Parameter, check_identifier};
use crate::space::{self, Joined, MOST_NARROW, Words};

/// CUDA C++ that is run for each index `i`, such as `z[i] = a * x[i] + y[i]`.
///
/// Arrays of the shape of the first one are indexed alike: through memory if all are contiguous in the same order, else
/// by C's order of the elements, whatever their strides. Arrays of other shapes are indexed by C's order of their own
/// elements, and pointers point to elements without gaps.
#[derive(Debug)]
pub struct Elementwise {
    parts: Parts,
    loaded: Loaded<Variant, Kernel>,
}

/// The texts of an [`Elementwise`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The kernel's parameters; all but the numbers of the space.
    pub parameters: Vec<Parameter>,
    /// Statements for each element.
    pub operation: String,
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Statements of each thread before its first element.
    pub loop_prep: String,
    /// Statements of each thread after its last element.
    pub after_loop: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
    /// The most blocks of a multiprocessor; 0 for as many as are good for most operations. Fewer have less to do before
    /// and after their elements.
    pub blocks: usize,
    /// The operation only writes to vectors that are not const, only reads the others, and uses no other index than
    /// `i`. Then elements may be visited in any order, and several at a time.
    pub pure: bool,
}

/// The kernel that suits a call's arrays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Variant {
    /// 64-bit indices.
    wide: bool,
    range: bool,
    /// Elements that are loaded and stored at once, where that is more than one.
    lanes: u8,
    /// The dimensions of the arrays of the common shape.
    rank: u8,
    /// The access to each vector.
    access: SmallVec<[Access; 8]>,
}

/// The way in which a kernel finds a vector's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Scalar,
    /// They lie one behind the other.
    Pointer,
    /// By strides of the common shape.
    Common,
    /// By strides of a shape of its own, of so many dimensions.
    Own(u8),
}

/// All that a launch needs besides its arguments.
#[derive(Debug, Clone)]
pub struct Plan {
    variant: Variant,
    words: Words,
    /// The number of times that the operation is run.
    count: usize,
}

impl Plan {
    /// True if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// The indices that an operation is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indices {
    /// 0 up to the size of the first array.
    #[default]
    All,
    /// 0 up to this number.
    Count(usize),
    /// `start`, `start + step`, … before `stop`.
    Range(i64, i64, i64),
}

/// An argument as far as planning needs it.
#[derive(Debug, Clone, Copy)]
pub struct Shaped<'a> {
    /// `None` for pointers and scalars.
    pub layout: Option<&'a Layout>,
    /// The address of the first element.
    pub address: u64,
}

impl Elementwise {
    /// Checks names; nothing is compiled before the first launch.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn new(parts: Parts) -> Result<Self> {
        Parameter::check_all(&parts.parameters)?;
        check_identifier("the kernel's name", &parts.name)?;
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

    /// The numbers of a launch on a device with these arguments, one for each parameter.
    ///
    /// # Errors
    /// [`Error::Invalid`] if no array tells the number of elements; for a step of 0.
    pub fn plan(&self, arguments: &[Shaped<'_>], indices: Indices, device: Device) -> Result<Plan> {
        // The software GPU does single elements of neighbouring threads at once, faster than a thread's own.
        self.plan_with(arguments, indices, !device.is_soft())
    }

    /// As [`Elementwise::plan`], with several elements loaded and stored at once only if `packs` says so.
    ///
    /// # Errors
    /// As [`Elementwise::plan`].
    pub fn plan_with(
        &self,
        arguments: &[Shaped<'_>],
        indices: Indices,
        packs: bool,
    ) -> Result<Plan> {
        let mut arrays: SmallVec<[&Layout; 8]> = SmallVec::new();
        arrays.extend(arguments.iter().filter_map(|argument| argument.layout));
        let count = count_of(&self.parts.name, arrays.first().copied(), indices)?;
        let size = match indices {
            Indices::Range(..) => arrays.first().map_or(count, |first| first.len()),
            _ => count,
        };
        let mut common: SmallVec<[&Layout; 8]> = SmallVec::new();
        if let Some(first) = arrays.first() {
            let alike = |layout: &&&Layout| layout.shape() == first.shape();
            common.extend(arrays.iter().filter(alike).copied());
        }
        let through_memory = self.go_through_memory(&common);
        let joined = match through_memory {
            true => Joined::default(),
            false if self.parts.pure => Joined::in_memory_order(&common),
            false => Joined::in_c_order(&common),
        };
        let mut variant = Variant {
            wide: size > MOST_NARROW || count > MOST_NARROW,
            range: matches!(indices, Indices::Range(..)),
            lanes: 1,
            rank: joined.rank() as u8,
            access: SmallVec::new(),
        };
        let mut own: SmallVec<[Joined; 2]> = SmallVec::new();
        for (argument, parameter) in arguments.iter().zip(&self.parts.parameters) {
            variant.access.push(match argument.layout {
                _ if !parameter.vector => Access::Scalar,
                None => Access::Pointer,
                Some(layout) if layout.shape() == common[0].shape() => match through_memory {
                    true => Access::Pointer,
                    false => Access::Common,
                },
                Some(layout) if layout.is_contiguous(Order::C) => Access::Pointer,
                Some(layout) => {
                    own.push(Joined::in_c_order(&[layout]));
                    Access::Own(own.last().map_or(1, Joined::rank) as u8)
                }
            });
            if let Some(layout) = argument.layout {
                variant.wide |= layout.len() > MOST_NARROW;
                // Without strides the address is a 64-bit number anyway.
                let strided = variant.access.last() != Some(&Access::Pointer);
                variant.wide |= strided && !space::is_narrow(layout);
            }
        }
        let mut words = Words::new();
        words.push(count as i64);
        if let Indices::Range(start, stop, step) = indices {
            let narrow = |number: i64| i32::try_from(number).is_ok();
            variant.wide |=
                !(narrow(start) && narrow(stop) && narrow(step) && narrow(step * count as i64));
            words.extend([start, stop, step, size as i64]);
        }
        if variant.access.contains(&Access::Common) {
            joined.push_shape(&mut words);
        }
        let mut places = (0, own.iter());
        for access in &variant.access {
            match access {
                Access::Common => {
                    joined.push_strides(places.0, &mut words);
                    places.0 += 1;
                }
                Access::Own(_) => {
                    if let Some(own) = places.1.next() {
                        own.push_shape(&mut words);
                        own.push_strides(0, &mut words);
                    }
                }
                Access::Pointer | Access::Scalar => {}
            }
        }
        let in_packs = packs && self.parts.pure && through_memory;
        if in_packs && !variant.range && own.is_empty() {
            variant.lanes = lanes(arguments, count);
        }
        Ok(Plan {
            variant,
            words,
            count,
        })
    }

    /// The sources of the kernels for so many indices, on devices of either kind.
    ///
    /// # Errors
    /// As [`Elementwise::plan`].
    pub fn sources(&self, arguments: &[Shaped<'_>], count: usize) -> Result<Vec<Source>> {
        let source = |packs| -> Result<Source> {
            let plan = self.plan_with(arguments, Indices::Count(count), packs)?;
            Ok(self.parts.source(&plan.variant))
        };
        Ok(code::distinct([source(false)?, source(true)?]))
    }

    fn go_through_memory(&self, common: &[&Layout]) -> bool {
        let all = |order| common.iter().all(|layout| layout.is_contiguous(order));
        all(Order::C) || all(Order::F) || self.parts.pure && in_one_order(common)
    }

    /// The kernel for a plan on a device, compiled if it is new. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`crate::code::Source::kernel`].
    pub fn kernel(
        &self,
        plan: &Plan,
        device: Device,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Kernel> {
        let load = || self.parts.source(&plan.variant).kernel(device, stop);
        self.loaded.find_or_load(&plan.variant, device, load)
    }

    /// The kernel for a plan, if it was used before.
    #[inline]
    pub fn loaded(&self, plan: &Plan, device: Device) -> Option<Kernel> {
        self.loaded.find(&plan.variant, device)
    }

    /// Puts the numbers of a plan where the kernel expects them, behind all arguments.
    ///
    /// # Errors
    /// [`Refusal`], which is an internal error.
    #[inline]
    fn put_space(
        plan: &Plan,
        parameters: &Parameters,
        buffer: &mut ParamBuffer,
    ) -> Result<(), Refusal> {
        let Some(&(slot @ Slot::Struct { .. }, offset)) = parameters.slots().last() else {
            return Err(Refusal::Kind);
        };
        let bytes = space::words_to_bytes(&plan.words, plan.variant.wide);
        let target = &mut buffer.bytes(parameters)[offset as usize..];
        slot.put_bytes(&bytes, None, target)
    }

    /// Grid and block for a plan.
    #[inline]
    pub fn config(&self, plan: &Plan, device: Device) -> LaunchConfig {
        let lanes = usize::from(plan.variant.lanes);
        let threads = plan.count.div_ceil(lanes.max(1));
        // A thread for each pack: 4.26 TB/s on an H200, where threads that take several turns come to 3.97. Others may
        // have work to do before their first turn.
        if lanes > 1 && !device.is_soft() && threads < MOST_THREADS {
            return LaunchConfig::new(threads.div_ceil(BLOCK).max(1) as u32, BLOCK as u32);
        }
        match self.parts.blocks {
            0 => grid_for(threads, device),
            blocks => grid_of(threads, blocks * multiprocessors(device)),
        }
    }

    /// Plans, compiles if need be, and launches.
    ///
    /// # Safety
    /// The operation stays within the memory of its arguments, which lives until it is done.
    ///
    /// # Errors
    /// As [`Elementwise::plan`] and [`Elementwise::kernel`]; [`Error::Argument`] for an argument that its parameter
    /// does not take; the errors of `cuLaunchKernel`.
    pub unsafe fn launch(
        &self,
        stream: &Stream,
        arguments: &[Argument<'_>],
        indices: Indices,
    ) -> Result<()> {
        let shaped: SmallVec<[Shaped<'_>; 8]> = arguments.iter().map(Shaped::from).collect();
        Parameter::check_count(&self.parts.name, &self.parts.parameters, arguments.len())?;
        let plan = self.plan(&shaped, indices, stream.device())?;
        // SAFETY: as this function's caller vouches.
        unsafe { self.launch_plan(&RustCaller(arguments), stream, &plan) }
    }

    /// Launches with a plan that was made for the caller's arguments.
    ///
    /// # Safety
    /// As [`Elementwise::launch`].
    ///
    /// # Errors
    /// As [`Elementwise::launch`].
    #[inline]
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
        let config = self.config(plan, device);
        let finish = |parameters: &Parameters, buffer: &mut ParamBuffer| {
            Self::put_space(plan, parameters, buffer)
        };
        // SAFETY: as this function's caller vouches.
        unsafe { caller.launch(stream, (&kernel, is_new), &config, finish) }
    }
}

/// The number of indices; `name` is the kernel's.
///
/// # Errors
/// [`Error::Invalid`] if no array tells it, or for a step of 0.
pub fn count_of(name: &str, first: Option<&Layout>, indices: Indices) -> Result<usize> {
    match (indices, first) {
        (Indices::Count(count), _) => Ok(count),
        (Indices::All, Some(first)) => Ok(first.len()),
        (Indices::All, None) => Err(Error::invalid(format!(
            "{name}: no argument is an array, which would tell the number of elements; pass n="
        ))),
        (Indices::Range(_, _, 0), _) => Err(Error::invalid(format!(
            "{name}: range: the step must not be 0"
        ))),
        (Indices::Range(start, stop, step), _) => {
            let distance = i128::from(stop) - i128::from(start);
            let step = i128::from(step);
            let steps = (distance + step - step.signum()) / step;
            Ok(usize::try_from(steps.max(0)).unwrap_or(usize::MAX))
        }
    }
}

/// True if the elements of all arrays lie without gaps in the same order, which may be another than C's and Fortran's.
fn in_one_order(layouts: &[&Layout]) -> bool {
    let first = layouts[0];
    // In elements; those of arrays without gaps are whole numbers of them.
    let same = |layout: &Layout| {
        let mut axes = (0..first.ndim()).filter(|&axis| first.shape()[axis] != 1);
        axes.all(|axis| {
            layout.strides()[axis] / layout.itemsize() as isize
                == first.strides()[axis] / first.itemsize() as isize
        })
    };
    first.itemsize() != 0
        && layouts
            .iter()
            .all(|layout| layout.is_dense_forwards() && same(layout))
}

/// Elements for loads and stores of 16 bytes at most, which every vector is aligned to.
fn lanes(arguments: &[Shaped<'_>], count: usize) -> u8 {
    let sizes = || arguments.iter().filter_map(|argument| argument.layout);
    let largest = sizes().map(Layout::itemsize).max().unwrap_or(16);
    if largest == 0 || !largest.is_power_of_two() || largest > 8 {
        return 1;
    }
    let lanes = 16 / largest;
    let aligned = |argument: &Shaped<'_>| match argument.layout {
        Some(layout) => argument
            .address
            .is_multiple_of((layout.itemsize() * lanes) as u64),
        None => true,
    };
    match count >= 4 * lanes && arguments.iter().all(aligned) {
        true => lanes as u8,
        false => 1,
    }
}

/// Threads of a block; the templates promise it to the compiler.
const BLOCK: usize = 256;

/// A grid has fewer than 2^31 blocks, and so many threads that their number fits in 31 bits.
const MOST_THREADS: usize = 1 << 30;

/// Blocks for each multiprocessor: as many as run at once, twice.
const BLOCKS_PER_MULTIPROCESSOR: usize = 16;

/// A grid for so many threads, or fewer that take several turns.
pub fn grid_for(threads: usize, device: Device) -> LaunchConfig {
    grid_of(threads, multiprocessors(device) * BLOCKS_PER_MULTIPROCESSOR)
}

fn grid_of(threads: usize, most: usize) -> LaunchConfig {
    let blocks = threads.div_ceil(BLOCK).clamp(1, most);
    LaunchConfig {
        grid: Dim3 {
            x: blocks as u32,
            y: 1,
            z: 1,
        },
        block: Dim3 {
            x: BLOCK as u32,
            y: 1,
            z: 1,
        },
        shared_bytes: 0,
        cooperative: false,
        cluster: None,
    }
}

/// The number of multiprocessors, asked for once.
pub fn multiprocessors(device: Device) -> usize {
    static KNOWN: RwLock<Vec<(Device, usize)>> = RwLock::new(Vec::new());
    const MULTIPROCESSOR_COUNT: u32 = 16;
    let find = |known: &[(Device, usize)]| {
        let mut known = known.iter();
        known.find(|(one, _)| *one == device).map(|(_, n)| *n)
    };
    let known = find(&KNOWN.read().unwrap_or_else(PoisonError::into_inner));
    known.unwrap_or_else(|| {
        let count = device.attribute(MULTIPROCESSOR_COUNT).unwrap_or(1).max(1) as usize;
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        known.push((device, count));
        count
    })
}
