//! Plans of reductions: how the elements lie, and how blocks share them.

use cuox::array::layout::{Dims, shown};
use cuox::array::{Layout, Order};
use cuox::{Device, Error, Result};
use smallvec::{SmallVec, smallvec};

use super::{Access, Body, MOST_IN_REGISTERS, Plan, Reduction, UNROLL, Use, Variant, kept_axes};
use crate::Parameter;
use crate::elementwise::{Indices, Shaped, count_of};
use crate::space::{Joined, Words};

/// A dimension: its size, and its stride in each vector, in indices, and in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Dim {
    size: usize,
    strides: Strides,
}

type Strides = SmallVec<[isize; 6]>;

/// Dimensions in an order in which the first vector's strides fall, joined where they lie one behind the other.
fn join(mut dims: Dims<Dim>) -> Dims<Dim> {
    dims.retain(|dim| dim.size != 1);
    dims.sort_by_key(|dim| std::cmp::Reverse(dim.strides[0].unsigned_abs()));
    let mut joined: Dims<Dim> = SmallVec::new();
    for dim in dims {
        if let Some(last) = joined.last_mut()
            && last
                .strides
                .iter()
                .zip(&dim.strides)
                .all(|(outer, inner)| *outer == inner.wrapping_mul(dim.size as isize))
        {
            last.size *= dim.size;
            last.strides = dim.strides;
        } else {
            joined.push(dim);
        }
    }
    joined
}

/// The division of the work among blocks.
struct Shares {
    lanes: usize,
    along_outputs: bool,
    tiles: usize,
    splits: usize,
    chunk: usize,
}

impl Reduction {
    /// The plan of a launch with these arguments, one for each parameter.
    ///
    /// # Errors
    /// [`Error::Invalid`] if no array tells the number of elements, for axes that are not there, an output of another shape, or a step of 0.
    pub fn plan(
        &self,
        arguments: &[Shaped<'_>],
        out: Shaped<'_>,
        axes: Option<&[usize]>,
        indices: Indices,
        device: Device,
    ) -> Result<Plan> {
        self.plan_for(arguments, out, axes, indices, device.is_soft())
    }

    /// For a device that is soft or not.
    pub(super) fn plan_for(
        &self,
        arguments: &[Shaped<'_>],
        out: Shaped<'_>,
        axes: Option<&[usize]>,
        indices: Indices,
        soft: bool,
    ) -> Result<Plan> {
        let name = &self.parts.name;
        Parameter::check_count(&self.parts.name, &self.parts.parameters, arguments.len())?;
        let first = arguments.iter().find_map(|argument| argument.layout);
        let out_layout = out
            .layout
            .ok_or_else(|| Error::invalid(format!("{name}: out must be an array")))?;
        let count = count_of(name, first, indices)?;
        let whole = matches!(indices, Indices::All)
            || first.is_some_and(|l| indices == Indices::Count(l.len()));
        let scalar =
            Layout::contiguous(&[], 1, Order::C).map_err(|e| Error::invalid(e.to_string()))?;
        let shape = first.unwrap_or(&scalar);
        let all: SmallVec<[usize; 4]> = (0..shape.ndim()).collect();
        if axes.is_some() && !whole {
            return Err(Error::invalid(format!(
                "{name}: axis goes with whole arrays, not with n or range"
            )));
        }
        let axes = axes.unwrap_or(&all);
        let kept = kept_axes(shape, axes);
        let remaining: Dims<usize> = kept.iter().map(|&axis| shape.shape()[axis]).collect();
        if out_layout.shape() != remaining.as_slice() {
            return Err(Error::invalid(format!(
                "{name}: out must have the shape {}, got {}",
                shown(&remaining),
                shown(out_layout.shape())
            )));
        }
        let outputs = out_layout.len();

        // The vectors that go with the first array.
        let with_first = |argument: &Shaped<'_>| match argument.layout {
            Some(layout) => first.is_some_and(|first| layout.shape() == first.shape()),
            None => false,
        };
        let common: SmallVec<[&Layout; 8]> = arguments
            .iter()
            .filter(|argument| with_first(argument))
            .filter_map(|argument| argument.layout)
            .collect();
        let in_order = |order| common.iter().all(|layout| layout.is_contiguous(order));
        let through_memory = in_order(Order::C)
            || in_order(Order::F)
            || !self.needs_index
                && whole
                && common[0].is_dense_forwards()
                && common.iter().all(|l| l.strides() == common[0].strides());
        let range = matches!(indices, Indices::Range(..));
        let contiguous = kept.is_empty() && through_memory && !range;

        let mut tail = Words::new();
        let mut access: SmallVec<[Access; 8]> = SmallVec::new();
        let mut walked: SmallVec<[&Layout; 8]> = SmallVec::new();
        for (argument, used) in arguments.iter().zip(&self.uses) {
            let own = *used == Use::OwnElement;
            let gapless = match argument.layout {
                None => true,
                Some(layout) => {
                    layout.is_contiguous(Order::C)
                        || contiguous && with_first(argument)
                        || kept.is_empty() && through_memory && with_first(argument)
                }
            };
            access.push(match argument.layout {
                _ if *used == Use::ByName => Access::ByName,
                _ if own && contiguous && gapless => {
                    walked.extend(argument.layout);
                    Access::Element
                }
                Some(layout) if own && whole && !contiguous && with_first(argument) => {
                    walked.push(layout);
                    Access::Element
                }
                Some(layout) if !gapless => {
                    let joined = Joined::in_c_order(&[layout]);
                    joined.push_shape(&mut tail);
                    joined.push_strides(0, &mut tail);
                    Access::Indexed(joined.rank() as u8)
                }
                _ => Access::Pointer,
            });
        }
        let out_size = out_layout.itemsize();
        let threads: usize = match out_size {
            0..=8 if contiguous && !soft => 512,
            0..=64 => 256,
            65..=128 => 128,
            129..=256 => 64,
            _ => 32,
        };
        if out_size > 1024 {
            return Err(Error::invalid(format!(
                "{name}: results of {out_size} bytes are too large; up to 1024 fit in shared memory"
            )));
        }
        let is_large = out_size > MOST_IN_REGISTERS || self.parts.neutral.is_none();
        // The same on all GPUs, and however many threads the software GPU has: what is combined with what must not hang
        // on that. Blocks come in several waves, so that none is left with few.
        let want = match (soft, contiguous) {
            (true, _) => 128,
            (false, true) => 2048,
            (false, false) => 1024,
        };
        let wide = if soft { 1 } else { 16 };
        let unroll = match soft && contiguous && out_size <= 8 {
            true => 2 * UNROLL,
            false if is_large => 1,
            false => UNROLL,
        };
        // Of narrower loads there is one kind only.
        let aligned = !contiguous
            || width(&walked, wide) == 1
            || arguments.iter().zip(&access).all(|(argument, access)| {
                *access != Access::Element || argument.address.is_multiple_of(u64::from(wide))
            });
        let (shares, body, kept, reduced) = if contiguous {
            // Of vectors whose elements' size is not known here, the kernel may load fewer at once.
            let step = threads * width(&walked, wide) * unroll;
            let shares = Shares {
                lanes: 1,
                along_outputs: false,
                tiles: 1,
                splits: splits(count.div_ceil(step), want, soft),
                chunk: 0,
            };
            (shares, Body::Contiguous, Dims::new(), Dims::new())
        } else {
            let (kept, reduced) = if whole {
                let others = |one: &Access| matches!(one, Access::Pointer | Access::Indexed(_));
                let indexed = self.needs_index || access.iter().any(others);
                dims(shape, out_layout, &walked, &kept, axes, indexed)?
            } else {
                let step = match indices {
                    Indices::Range(_, _, step) => step as isize,
                    _ => 1,
                };
                (
                    Dims::new(),
                    smallvec![Dim {
                        size: count,
                        strides: smallvec![step, 0]
                    }],
                )
            };
            let length = reduced.iter().map(|dim| dim.size).product();
            let shares = share(&kept, &reduced, outputs, length, threads, want, soft);
            let fast = if shares.along_outputs {
                kept.last()
            } else {
                reduced.last()
            };
            let dense = fast.is_some_and(|dim| {
                let mut each = walked.iter().zip(&dim.strides);
                each.all(|(layout, stride)| *stride == layout.itemsize() as isize)
            });
            let body = Body::Strided {
                kept: kept.len() as u8,
                reduced: reduced.len() as u8,
                dense,
            };
            (shares, body, kept, reduced)
        };
        let length = match body {
            Body::Contiguous => count,
            Body::Strided { .. } => reduced.iter().map(|dim| dim.size).product(),
        };
        let mut words = Words::new();
        words.extend([
            outputs as i64,
            length as i64,
            shares.tiles as i64,
            shares.splits as i64,
            shares.chunk as i64,
        ]);
        let columns = match body {
            Body::Contiguous => 2,
            Body::Strided { .. } => walked.len() + 2,
        };
        words.push(match indices {
            Indices::Range(start, ..) => start,
            _ => 0,
        });
        for dims in [&kept, &reduced] {
            words.extend(dims.iter().map(|dim| dim.size as i64));
            words.push(1);
        }
        for dims in [&kept, &reduced] {
            for column in 0..columns {
                words.extend(dims.iter().map(|dim| dim.strides[column] as i64));
                words.push(0);
            }
        }
        words.extend(tail);
        let grid = (shares.tiles * shares.splits).clamp(1, want.max(1) * 64) as u32;
        Ok(Plan {
            variant: Variant {
                threads: threads as u16,
                lanes: shares.lanes as u16,
                along_outputs: shares.along_outputs,
                unroll: unroll as u8,
                wide,
                aligned,
                out_size,
                is_large,
                body,
                access,
            },
            words,
            out: out.address,
            grid,
            outputs,
            partial: match shares.splits {
                1 => 0,
                splits => shares.tiles * splits * shares.lanes * out_size,
            },
        })
    }
}

/// The dimensions of a walk through whole arrays: those of the outputs, and those that are combined.
fn dims(
    shape: &Layout,
    out: &Layout,
    walked: &[&Layout],
    kept: &[usize],
    axes: &[usize],
    indexed: bool,
) -> Result<(Dims<Dim>, Dims<Dim>)> {
    let index = Layout::contiguous(shape.shape(), 1, Order::C)
        .map_err(|error| Error::invalid(error.to_string()))?;
    let dim = |axis: usize, out: isize| {
        let mut strides: Strides = walked.iter().map(|l| l.strides()[axis]).collect();
        strides.push(if indexed { index.strides()[axis] } else { 0 });
        strides.push(out);
        Dim {
            size: shape.shape()[axis],
            strides,
        }
    };
    let outer = kept.iter().zip(out.strides());
    let outer = outer.map(|(&axis, &stride)| dim(axis, stride)).collect();
    let inner: Dims<Dim> = axes.iter().map(|&axis| dim(axis, 0)).collect();
    if inner.iter().any(|dim| dim.size == 0) {
        let strides = smallvec![0; walked.len() + 2];
        return Ok((join(outer), smallvec![Dim { size: 0, strides }]));
    }
    Ok((join(outer), join(inner)))
}

/// The blocks that share so many steps. On an H200, 512 of them read 2^28 floats at 4.44 TB/s, 2112 at 4.40, and 4096
/// at 4.33; other GPUs may run fewer at once, so that the last of only 512 would be left alone.
fn splits(steps: usize, most: usize, soft: bool) -> usize {
    const FEW: usize = 512;
    match soft {
        true => steps.clamp(1, most),
        false => steps.clamp(1, FEW.max(most.min(steps / 4))),
    }
}

/// The number of elements that a thread loads at once: `cuox_width_of` of the template.
fn width(walked: &[&Layout], wide: u8) -> usize {
    let wide = usize::from(wide);
    let widths = walked.iter().map(|layout| match layout.itemsize() {
        size if size.is_power_of_two() && size <= wide => wide / size,
        _ => 1,
    });
    widths.min().unwrap_or(1)
}

/// Divides the work such that neighbouring threads have neighbouring elements, and all multiprocessors something to do.
fn share(
    kept: &[Dim],
    reduced: &[Dim],
    outputs: usize,
    length: usize,
    threads: usize,
    want: usize,
    soft: bool,
) -> Shares {
    let nearest = |dims: &[Dim]| {
        dims.last()
            .map_or(usize::MAX, |d| d.strides[0].unsigned_abs())
    };
    let along_outputs = nearest(kept) < nearest(reduced);
    let warps = (threads / 32).max(1);
    // The software GPU is fast where the threads of a block are in one row or one column.
    let lanes = if soft {
        match along_outputs || length <= 64 && outputs > 1 {
            true => threads,
            false => 1,
        }
    } else if along_outputs {
        if outputs >= want * threads / 2 || length < 4 * warps {
            threads
        } else {
            32
        }
    } else if length > 16 * 32 || outputs == 1 {
        1
    } else if length > 16 {
        warps
    } else {
        threads
    };
    // A tile is full.
    let lanes = lanes.min(1 << outputs.max(1).ilog2());
    let tiles = outputs.div_ceil(lanes).max(1);
    let height = threads / lanes;
    let turn = height * UNROLL;
    let mut splits = 1;
    let mut chunk = length;
    if tiles < want {
        let most = length / (turn * 2);
        splits = (want / tiles).min(most).max(1);
        chunk = length.div_ceil(splits).next_multiple_of(turn);
        splits = length.div_ceil(chunk.max(1)).max(1);
    }
    Shares {
        lanes,
        along_outputs,
        tiles,
        splits,
        chunk,
    }
}
