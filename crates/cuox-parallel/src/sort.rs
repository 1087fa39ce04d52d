//! Stable sorts by a comparison.

use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::Buffer;
use cuox::{Device, Error, Kernel, LaunchConfig, Result, Stream};

use crate::code::{self, Source};
use crate::loaded::Loaded;
use crate::parameter::{Argument, Parameter, check_identifier, put_all};
use crate::space::{Words, words_to_bytes};
use crate::template::{Part, file, fill};

const SORT: &str = include_str!("../templates/sort.cu");

/// A stable merge sort.
#[derive(Debug)]
pub struct Sort {
    parts: Parts,
    loaded: Loaded<Variant, Kernel>,
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
    /// The kernel's name.
    pub name: String,
    /// Declarations in front of the kernel.
    pub preamble: String,
    /// Options for NVRTC.
    pub options: Vec<String>,
}

/// One of the four kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variant {
    merges: bool,
    is_last: bool,
}

/// A launch of a sort: its kernels in order.
#[derive(Debug, Clone)]
pub struct Step {
    variant: Variant,
    /// Which of the two buffers is read; the other one is written.
    from: usize,
    width: usize,
}

/// Threads of a block, and items of a thread, for items of so many bytes: a tile has at most 32 KiB.
fn tuning(item_size: usize) -> (usize, usize) {
    let threads = match item_size {
        0..=128 => 256,
        129..=256 => 128,
        257..=512 => 64,
        _ => 32,
    };
    (threads, (32768 / (threads * item_size.max(1))).clamp(1, 8))
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

    /// The launches for so many items.
    pub fn steps(&self, count: usize) -> Vec<Step> {
        let (threads, each) = tuning(self.parts.item_size);
        let mut width = threads * each;
        let mut steps = vec![Step {
            variant: Variant {
                merges: false,
                is_last: width >= count,
            },
            from: 1,
            width,
        }];
        while width < count {
            steps.push(Step {
                variant: Variant {
                    merges: true,
                    is_last: width * 2 >= count,
                },
                from: (steps.len() + 1) % 2,
                width,
            });
            width *= 2;
        }
        steps
    }

    /// The sources of the kernels for so many items.
    pub fn sources(&self, count: usize) -> Vec<Source> {
        let steps = self.steps(count);
        code::distinct(steps.iter().map(|step| self.source(step.variant)))
    }

    /// The bytes of each of the two buffers that so many items need.
    pub fn buffer_bytes(&self, count: usize) -> usize {
        count * self.parts.item_size
    }

    /// The kernel of a step on a device, compiled if it is new. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`crate::code::Source::kernel`].
    pub fn kernel(
        &self,
        step: &Step,
        device: Device,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Kernel> {
        let load = || self.source(step.variant).kernel(device, stop);
        self.loaded.find_or_load(&step.variant, device, load)
    }

    /// The kernel of a step, if it was used before.
    #[inline]
    pub fn loaded(&self, step: &Step, device: Device) -> Option<Kernel> {
        self.loaded.find(&step.variant, device)
    }

    /// Grid and block.
    pub fn config(&self, count: usize) -> LaunchConfig {
        let (threads, each) = tuning(self.parts.item_size);
        LaunchConfig::new(count.div_ceil(threads * each) as u32, threads as u32)
    }

    fn source(&self, variant: Variant) -> Source {
        let parts = &self.parts;
        let (threads, each) = tuning(parts.item_size);
        let (threads, each) = (threads.to_string(), each.to_string());
        let size = parts.item_size.to_string();
        let mut parameters = Parameter::declarations(&parts.parameters);
        if !parameters.is_empty() {
            parameters.push_str(", ");
        }
        let truth = |value: bool| if value { "true" } else { "false" };
        let made = Part::Made;
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
                ("merges", made(truth(variant.merges))),
                ("is_last", made(truth(variant.is_last))),
                ("threads", made(&threads)),
                ("each", made(&each)),
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
    pub fn put_step(
        step: &Step,
        count: usize,
        buffers: &[Buffer],
        parameters: &Parameters,
        buffer: &mut ParamBuffer,
    ) -> Result<(), Refusal> {
        let Some(&(slot, offset)) = parameters.slots().last() else {
            return Err(Refusal::Kind);
        };
        let address = |index: usize| buffers.get(index).map_or(0, Buffer::ptr) as i64;
        let mut words = Words::new();
        words.extend([
            address(step.from),
            address(1 - step.from),
            count as i64,
            step.width as i64,
        ]);
        let target = &mut buffer.bytes(parameters)[offset as usize..];
        slot.put_bytes(&words_to_bytes(&words, true), None, target)
    }

    /// Memory for the items between steps, freed in the stream's order. Empty if one step is enough.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn buffers(&self, stream: &Stream, count: usize) -> Result<Vec<Buffer>> {
        let needed = self.steps(count).len().saturating_sub(1).min(2);
        let bytes = self.buffer_bytes(count);
        (0..needed)
            .map(|_| Buffer::allocate_async(stream, bytes))
            .collect()
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
        count: usize,
    ) -> Result<()> {
        Parameter::check_count(&self.parts.name, &self.parts.parameters, arguments.len())?;
        if count == 0 {
            return Ok(());
        }
        let buffers = self.buffers(stream, count)?;
        for step in self.steps(count) {
            let kernel = self.kernel(&step, stream.device(), &mut || false)?;
            let parameters = kernel.parameters()?;
            let mut buffer = ParamBuffer::default();
            put_all(arguments, parameters, &mut buffer)?;
            Self::put_step(&step, count, &buffers, parameters, &mut buffer)
                .map_err(|refusal| parameters.refused(arguments.len(), refusal, "a step"))?;
            // SAFETY: a pointer for each parameter, to a value of its size; the caller vouches for the memory.
            buffer.with_pointers(parameters, |pointers| unsafe {
                kernel.launch_raw(stream, &self.config(count), pointers)
            })?;
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
        assert_eq!(sort.steps(2048).len(), 1);
        assert!(sort.steps(2048)[0].variant.is_last);
        let steps = sort.steps(2048 * 5);
        assert_eq!(steps.len(), 4);
        for pair in steps.windows(2) {
            assert_eq!(pair[1].from, 1 - pair[0].from);
            assert!(!pair[0].variant.is_last);
        }
        assert!(steps[3].variant.is_last);
        assert_eq!(steps[3].width, 2048 * 4);
    }
}
