//! Stable sorts of keys that are numbers, digit by digit.

use std::ffi::c_void;

use cuox::memory::Buffer;
use cuox::{Device, Error, Kernel, LaunchConfig, Result, Stream};

use crate::code::{self, Source};
use crate::elementwise::multiprocessors;
use crate::loaded::Loaded;
use crate::scratch;
use crate::shipped::Target;
use crate::template::{Part, fill};

const SHARED: &str = include_str!("../templates/radix.cuh");
const RADIX: &str = include_str!("../templates/radix.cu");
const SERIAL: &str = include_str!("../templates/radix_serial.cu");

const DIGITS: usize = 256;

/// Bytes of the counters.
const COUNTERS: usize = 256;

/// So many keys need counts of more than 30 bits.
const NARROW: usize = 1 << 30;

/// Bytes between parts of the scratch memory.
const ALIGN: usize = 256;

/// Threads of a block that counts, on GPUs.
const COUNTING_THREADS: usize = 1024;

/// Copies of the counters in such a block: each lane has its own.
const MOST_COPIES: usize = 32;

/// Keys that such a block should count for each copy of the counters: to clear one and to add it up takes time.
const KEYS_OF_COPY: usize = 1024;

/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
const MAX_DYNAMIC_SHARED_SIZE_BYTES: u32 = 8;

/// The kind of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// Numbers without a sign.
    Unsigned,
    /// Integers.
    Signed,
    /// Floats. Zeros of both signs are equal; numbers that are none are beyond all others, on the side of their sign.
    Float,
}

/// A stable sort of keys of a size, and of values with them.
#[derive(Debug)]
pub struct RadixSort {
    key_size: usize,
    kind: KeyKind,
    value_size: usize,
    value_align: usize,
    options: Vec<String>,
    loaded: Loaded<Variant, Kernel>,
}

/// Not the order: what is flipped in keys is an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variant {
    moves: bool,
    wide: bool,
    tuning: Tuning,
}

/// Threads of a block and keys of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block.
    pub threads: usize,
    /// Keys of a thread.
    pub each: usize,
    /// Blocks that are to run at once on a multiprocessor.
    pub blocks: usize,
    /// A block goes through its keys one by one, in one thread.
    pub serial: bool,
}

impl Tuning {
    /// Threads of a block of one of the kernels.
    fn threads_of(&self, moves: bool) -> usize {
        match moves || self.serial {
            true => self.threads,
            false => COUNTING_THREADS,
        }
    }
}

/// The addresses of keys and values.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// The keys.
    pub from: u64,
    /// Where they are put, which may be the same.
    pub to: u64,
    /// The values; 0 if there are none.
    pub from_values: u64,
    /// Where they are put.
    pub to_values: u64,
}

/// The keys and values to sort.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// The number of keys.
    pub count: usize,
    /// The lowest bit that is compared.
    pub begin_bit: usize,
    /// The bit behind the highest one.
    pub end_bit: usize,
    /// The greatest first.
    pub descends: bool,
}

impl Order {
    /// Passes over the keys.
    fn places(&self) -> usize {
        (self.end_bit - self.begin_bit).div_ceil(8)
    }
}

impl RadixSort {
    /// A sort of keys of 1, 2, 4 or 8 bytes with values of up to 1024 bytes; of 0 bytes without. `options` are for
    /// NVRTC. Nothing is compiled before the first launch.
    ///
    /// # Errors
    /// [`Error::Invalid`] for other sizes.
    pub fn new(
        kind: KeyKind,
        key_size: usize,
        value_size: usize,
        value_align: usize,
        options: Vec<String>,
    ) -> Result<Self> {
        if !matches!(key_size, 1 | 2 | 4 | 8) {
            return Err(Error::invalid(format!(
                "radix sort: keys of {key_size} bytes cannot be sorted, only of 1, 2, 4 or 8"
            )));
        }
        if value_size > 1024 {
            return Err(Error::invalid(format!(
                "radix sort: values of {value_size} bytes cannot be sorted, only of up to 1024"
            )));
        }
        let value_align = value_align.clamp(1, 8);
        if !value_align.is_power_of_two() || !value_size.is_multiple_of(value_align) {
            return Err(Error::invalid(format!(
                "radix sort: values of {value_size} bytes cannot be aligned to {value_align}"
            )));
        }
        Ok(Self {
            key_size,
            kind,
            value_size,
            value_align,
            options,
            loaded: Loaded::default(),
        })
    }

    /// The blocks for so many keys on a device.
    pub fn tuning(&self, device: Device, count: usize) -> Tuning {
        self.tuning_for(device.is_soft(), count)
    }

    /// The sources of the kernels, on devices of either kind.
    pub fn sources(&self, order: &Order) -> Vec<Source> {
        let tunings = [false, true].map(|is_soft| self.tuning_for(is_soft, order.count));
        let variants = tunings.iter().flat_map(|&tuning| {
            [false, true].map(|moves| self.source(Self::variant(order, tuning, moves)))
        });
        code::distinct(variants)
    }

    fn tuning_for(&self, is_soft: bool, count: usize) -> Tuning {
        if is_soft {
            return Tuning {
                // A counter of 8 bytes for each digit and thread would not fit.
                threads: if count >= NARROW { 16 } else { 32 },
                each: 1024,
                blocks: 1,
                serial: true,
            };
        }
        // As much as 48 KiB of shared memory, which all GPUs have, and registers have room for. On an H200 two blocks
        // of many keys are faster than three of fewer: more keys of a digit go to neighbouring places.
        let is_small = self.key_size <= 4;
        let (each, blocks) = match self.value_size {
            0 if self.key_size == 4 && self.kind != KeyKind::Float => (28, 2),
            0 if is_small => (24, 2),
            1..=4 if is_small => (22, 2),
            // Offsets of 8 bytes need the room of a key.
            0..=8 => (if count < NARROW { 15 } else { 14 }, 2),
            9..=16 => (7, 2),
            _ => (if is_small { 20 } else { 10 }, 3),
        };
        Tuning {
            threads: 384,
            each,
            blocks,
            serial: false,
        }
    }

    fn source(&self, variant: Variant) -> Source {
        let tuning = variant.tuning;
        // Values matter to those that move keys only: the others are the same with and without.
        let (value_size, unit) = match variant.moves {
            true if self.value_size > 0 => (self.value_size, self.value_align),
            _ => (0, 1),
        };
        let (each, blocks) = match variant.moves {
            true => (tuning.each, tuning.blocks),
            false => (1, 1),
        };
        let number = |value: usize| value.to_string();
        let truth = |value: bool| String::from(if value { "true" } else { "false" });
        let texts = [
            ("key_size", number(self.key_size)),
            ("state_size", number(if variant.wide { 8 } else { 4 })),
            ("has_values", truth(value_size > 0)),
            ("is_float", truth(self.kind == KeyKind::Float)),
            ("blocks", number(blocks)),
            ("moves", number(usize::from(variant.moves))),
            ("threads", number(tuning.threads_of(variant.moves))),
            ("each", number(each)),
            ("value_unit", number(unit)),
            ("value_size", number(value_size.max(1))),
        ];
        let parts: Vec<_> = texts
            .iter()
            .map(|(name, text)| (*name, Part::Made(text)))
            .collect();
        let mut text = fill("cuox/radix.cuh", SHARED, &parts);
        text.push_str(&if tuning.serial {
            fill("cuox/radix_serial.cu", SERIAL, &parts)
        } else {
            fill("cuox/radix.cu", RADIX, &parts)
        });
        Source {
            text,
            kernel: String::from(if variant.moves {
                "radix_move"
            } else {
                "radix_count"
            }),
            options: self.options.clone(),
        }
    }

    /// Options for NVRTC, of the code that is shipped.
    pub fn usual_options() -> Vec<String> {
        vec!["--std=c++17".into(), "-w".into()]
    }

    /// The sources whose code is shipped: for all types of keys without values and with values of 4 and 8 bytes.
    ///
    /// # Errors
    /// None, as the sizes are right.
    pub fn shipped(target: Target) -> Result<Vec<Source>> {
        let mut sources = Vec::new();
        for (kind, key_size) in [
            (KeyKind::Unsigned, 1),
            (KeyKind::Unsigned, 2),
            (KeyKind::Unsigned, 4),
            (KeyKind::Unsigned, 8),
            (KeyKind::Float, 2),
            (KeyKind::Float, 4),
            (KeyKind::Float, 8),
        ] {
            for value_size in [0, 4, 8] {
                let sort = Self::new(
                    kind,
                    key_size,
                    value_size,
                    value_size,
                    Self::usual_options(),
                )?;
                let tuning = sort.tuning_for(target == Target::Soft, 1);
                for moves in [false, true] {
                    let source = sort.source(Variant {
                        moves,
                        wide: false,
                        tuning,
                    });
                    if !sources.contains(&source) {
                        sources.push(source);
                    }
                }
            }
        }
        Ok(sources)
    }

    fn variant(order: &Order, tuning: Tuning, moves: bool) -> Variant {
        Variant {
            moves,
            wide: order.count >= NARROW,
            tuning,
        }
    }

    /// The bits of keys that are the other way round in an order of numbers without a sign; of floats only the sign's
    /// is so for those above 0.
    fn flipped(&self, order: &Order) -> u64 {
        let sign = match self.kind {
            KeyKind::Unsigned => 0,
            KeyKind::Signed | KeyKind::Float => 1 << (8 * self.key_size - 1),
        };
        sign ^ if order.descends { u64::MAX } else { 0 }
    }

    /// The two kernels for a device, compiled if they are new, and whether they are. `stop` is asked now and then
    /// meanwhile.
    ///
    /// # Errors
    /// As [`Source::kernel`].
    pub fn kernels(
        &self,
        order: &Order,
        tuning: Tuning,
        device: Device,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<[Kernel; 2]> {
        let mut load = |moves| {
            let variant = Self::variant(order, tuning, moves);
            let made = || {
                let kernel = self.source(variant).kernel(device, stop)?;
                if !moves && !tuning.serial {
                    kernel.set_attribute(
                        MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        counter_memory(device) as i32,
                    )?;
                }
                Ok(kernel)
            };
            self.loaded.find_or_load(&variant, device, made)
        };
        Ok([load(false)?, load(true)?])
    }

    /// The two kernels, if they were used before.
    pub fn loaded(&self, order: &Order, tuning: Tuning, device: Device) -> Option<[Kernel; 2]> {
        let find = |moves| {
            self.loaded
                .find(&Self::variant(order, tuning, moves), device)
        };
        Some([find(false)?, find(true)?])
    }

    /// Launches.
    ///
    /// # Safety
    /// The places have room for so many keys and values, and live until the work is done.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub unsafe fn launch(
        &self,
        [count, moves]: &[Kernel; 2],
        stream: &Stream,
        places: Places,
        order: &Order,
        tuning: Tuning,
    ) -> Result<()> {
        if order.count == 0 {
            return Ok(());
        }
        let device = stream.device();
        let passes = order.places();
        let tiles = order.count.div_ceil(tuning.threads * tuning.each);
        let state_size = if order.count >= NARROW { 8 } else { 4 };
        let bins = passes * DIGITS * 8;
        let states = passes * tiles * DIGITS * state_size;
        let key_bytes = order.count * self.key_size;
        let value_bytes = order.count * self.value_size;
        let overlap =
            |from: u64, to: u64, bytes: usize| from < to + bytes as u64 && to < from + bytes as u64;
        let aliased = overlap(places.from, places.to, key_bytes)
            || value_bytes > 0 && overlap(places.from_values, places.to_values, value_bytes);
        // The last pass writes to `to`, the ones before in turn. The first must not write to what it reads.
        let copies = passes == 0 || passes % 2 == 1 && aliased;
        let needed = usize::from(passes > 1) + usize::from(copies && passes > 0);
        let room = |bytes: usize| -> Result<Vec<Buffer>> {
            (0..if bytes == 0 { 0 } else { needed })
                .map(|_| Buffer::allocate_async(stream, bytes))
                .collect()
        };
        let (keys, values) = (room(key_bytes)?, room(value_bytes)?);
        let address = |list: &[Buffer], at: usize| list.get(at).map_or(0, Buffer::ptr);
        let (mut from, mut from_values) = (places.from, places.from_values);
        if copies {
            let (to, to_values) = match passes {
                0 => (places.to, places.to_values),
                _ => (address(&keys, needed - 1), address(&values, needed - 1)),
            };
            copy(stream, from, to, key_bytes)?;
            copy(stream, from_values, to_values, value_bytes)?;
            (from, from_values) = (to, to_values);
        }
        if passes == 0 {
            return Ok(());
        }
        let all = COUNTERS + (bins + states).next_multiple_of(ALIGN);
        let zeros = Buffer::allocate_async(stream, all)?;
        // A GPU's passes clear the next one's states.
        let cleared = match tuning.serial {
            true => all,
            false => COUNTERS + bins + states / passes,
        };
        scratch::clear(&zeros, cleared, stream)?;
        let counters = zeros.ptr();
        let mut words = [
            from,
            0,
            from_values,
            0,
            counters,
            counters + COUNTERS as u64,
            counters + (COUNTERS + bins) as u64,
            order.count as u64,
            tiles as u64,
            order.begin_bit as u64,
            order.end_bit as u64,
            0,
            passes as u64,
            self.flipped(order),
            0,
        ];
        let run = |kernel: &Kernel, config: LaunchConfig, words: &mut [u64; 15]| {
            let mut pointers = [words.as_mut_ptr().cast::<c_void>()];
            // SAFETY: one parameter, a structure of as many words; the caller vouches for the memory.
            unsafe { kernel.launch_raw(stream, &config, pointers.as_mut_ptr()) }
        };
        let counting = Counting::of(device, order, tuning);
        words[14] = counting.log_copies.into();
        run(count, counting.config, &mut words)?;
        for pass in 0..passes {
            let is_to = (passes - 1 - pass).is_multiple_of(2);
            let (to, to_values) = match is_to {
                true => (places.to, places.to_values),
                false => (address(&keys, 0), address(&values, 0)),
            };
            (words[0], words[1]) = (from, to);
            (words[2], words[3]) = (from_values, to_values);
            words[11] = pass as u64;
            let config = LaunchConfig::new(tiles as u32, tuning.threads as u32);
            run(moves, config, &mut words)?;
            (from, from_values) = (to, to_values);
        }
        Ok(())
    }
}

/// The counts of the keys of digits.
struct Counting {
    config: LaunchConfig,
    /// Of copies of each counter in a block.
    log_copies: u32,
}

impl Counting {
    fn of(device: Device, order: &Order, tuning: Tuning) -> Self {
        let threads = tuning.threads_of(false) as u32;
        let processors = multiprocessors(device);
        if tuning.serial {
            let blocks = (2 * processors).min(order.count.div_ceil(1024));
            return Self {
                config: LaunchConfig::new(blocks as u32, threads),
                log_copies: 0,
            };
        }
        let counters = order.places() * DIGITS * size_of::<u32>();
        let room = counter_memory(device) / counters;
        let most = processors * if room >= 2 * MOST_COPIES { 2 } else { 1 };
        let blocks = most.min(order.count.div_ceil(4 * COUNTING_THREADS));
        let wanted = order.count / blocks / KEYS_OF_COPY;
        let copies = wanted.min(room).clamp(1, MOST_COPIES);
        let log_copies = copies.ilog2();
        Self {
            config: LaunchConfig::new(blocks as u32, threads)
                .shared((counters << log_copies) as u32),
            log_copies,
        }
    }
}

/// Bytes of shared memory for the counters of a block.
fn counter_memory(device: Device) -> usize {
    // Blocks can have 163 KiB or more, 99 KiB, or less.
    match device.compute_capability() {
        (8, 0 | 7) | (9..=11, _) => 128 << 10,
        (8.., _) => 64 << 10,
        _ => 32 << 10,
    }
}

fn copy(stream: &Stream, from: u64, to: u64, bytes: usize) -> Result<()> {
    if bytes == 0 || from == to {
        return Ok(());
    }
    // SAFETY: views for the time of this call; whoever gave the addresses vouches for the memory.
    let view = |address| unsafe { Buffer::borrowed(stream.context(), address, bytes, None) };
    view(to).copy_from(&view(from), Some(stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;

    #[test]
    fn code_of_all_sources_is_shipped() {
        for target in Target::ALL {
            for source in RadixSort::shipped(target).unwrap() {
                assert!(
                    shipped::find(&source, target).is_some(),
                    "{} was changed: run `cargo run -p cuox-parallel --example ship`",
                    source.kernel
                );
            }
        }
    }
}
