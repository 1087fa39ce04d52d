//! What kernels make for calls of collectives: groups of threads, items of a thread, storage.

use crate::builtins::Builtin;
use crate::collective::{Group, Part, Scratch, Threads, Untyped, WARP};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, INT32, INT64};

/// The function of a path behind `cuda.coop.`.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "this_block" => |_, _, given| {
            let [] = given.exactly()?;
            Ok(part(Part::Group(Threads::Block)))
        },
        "this_warp" => |_, _, given| {
            let [] = given.exactly()?;
            Ok(part(Part::Group(Threads::Warp(WARP as u32))))
        },
        "this_thread" => |_, _, given| {
            let [] = given.exactly()?;
            Ok(part(Part::Group(Threads::Thread)))
        },
        "this_grid" => |_, _, given| {
            let [] = given.exactly()?;
            Ok(part(Part::Group(Threads::Grid)))
        },
        "ThreadData" => thread_data,
        "TempStorage" => temp_storage,
        _ => return None,
    })
}

fn part(part: Part) -> Operand {
    Operand::Constant(Value::Part(part))
}

/// An int that is known when the kernel is compiled, if it is given.
pub(super) fn known_int(
    frame: &mut Frame<'_, '_>,
    what: &str,
    operand: Option<Operand>,
) -> Result<Option<i128>> {
    let Some(operand) = operand.filter(|one| !matches!(one, Operand::Constant(Value::None))) else {
        return Ok(None);
    };
    match operand.as_value().and_then(Expr::constant_int) {
        Some(number) => Ok(Some(number)),
        None => {
            frame.program.wants_values = true;
            Err(Failure::new(
                Code::NotConstant,
                format!("{what} must be an int that is known when the kernel is compiled"),
            ))
        }
    }
}

/// A bool that is known when the kernel is compiled.
pub(super) fn known_bool(what: &str, operand: Option<Operand>) -> Result<bool> {
    match operand.as_ref().map(Operand::constant) {
        None | Some(Some(Value::None)) => Ok(false),
        Some(Some(Value::Bool(value))) => Ok(value),
        Some(_) => Err(Failure::new(
            Code::NotConstant,
            format!("{what} must be True or False, known when the kernel is compiled"),
        )),
    }
}

/// A power of two.
fn alignment(frame: &mut Frame<'_, '_>, what: &str, operand: Option<Operand>) -> Result<u64> {
    let Some(align) = known_int(frame, what, operand)? else {
        return Ok(1);
    };
    match u64::try_from(align) {
        Ok(align) if align.is_power_of_two() && align <= 1 << 20 => Ok(align),
        _ => Err(Failure::new(
            Code::Range,
            format!("{what} must be a power of two, got {align}"),
        )),
    }
}

fn thread_data(frame: &mut Frame<'_, '_>, _: &str, given: Arguments) -> Result<Operand> {
    let [count, dtype, align] = given.bind(["items_per_thread", "dtype", "alignment"], 1)?;
    let what = "coop.ThreadData(): items_per_thread";
    let count = known_int(frame, what, count)?.and_then(|count| u64::try_from(count).ok());
    let Some(count @ 1..=0xffff) = count else {
        return Err(Failure::new(
            Code::Range,
            format!("{what} must be an int from 1 to 65535"),
        ));
    };
    let align = alignment(frame, "coop.ThreadData(): alignment", align)?;
    let dtype = match dtype {
        None | Some(Operand::Constant(Value::None)) => None,
        Some(dtype) => Some(frame.dtype(dtype)?),
    };
    let place = (frame.symbol.clone(), frame.span.line, frame.span.column);
    match dtype.or_else(|| frame.program.item_types.get(&place).cloned()) {
        Some(ty) if ty.size().is_some() => {
            frame.need_type(&ty);
            Ok(frame.new_items(&ty, count, align))
        }
        Some(ty) => Err(Failure::new(
            Code::Type,
            format!("coop.ThreadData(): items cannot be of type {}", ty.shown()),
        )),
        None => Ok(part(Part::Items(Untyped {
            place,
            items: count,
        }))),
    }
}

fn temp_storage(frame: &mut Frame<'_, '_>, _: &str, given: Arguments) -> Result<Operand> {
    let names = ["size_in_bytes", "alignment", "auto_sync", "sharing"];
    let [bytes, align, syncs, sharing] = given.bind(names, 0)?;
    let what = "coop.TempStorage(): size_in_bytes";
    let bytes = match known_int(frame, what, bytes)? {
        None => None,
        Some(bytes) => match u64::try_from(bytes) {
            Ok(bytes @ 1..) => Some(bytes),
            _ => {
                let text = format!("{what} must be greater than 0, got {bytes}");
                return Err(Failure::new(Code::Range, text));
            }
        },
    };
    let is_exclusive = match sharing.as_ref().and_then(Operand::constant) {
        None if sharing.is_none() => false,
        Some(Value::Str(how)) if how == "shared" => false,
        Some(Value::Str(how)) if how == "exclusive" => true,
        _ => {
            let text = "coop.TempStorage(): sharing must be \"shared\" or \"exclusive\"";
            return Err(Failure::new(Code::Arguments, text));
        }
    };
    Ok(part(Part::Scratch(Scratch {
        place: (frame.span.line, frame.span.column),
        bytes,
        align: alignment(frame, "coop.TempStorage(): alignment", align)?,
        syncs: known_bool("coop.TempStorage(): auto_sync", syncs)?,
        is_exclusive,
    })))
}

/// `TempStorage().reserve(num_elems, dtype)`: an array in shared memory.
pub fn reserve(frame: &mut Frame<'_, '_>, scratch: &Scratch, given: Arguments) -> Result<Operand> {
    let [count, dtype, alignment] = given.bind(["num_elems", "dtype", "alignment"], 2)?;
    if scratch.syncs {
        let text =
            "TempStorage.reserve(): storage with auto_sync=True has no arrays of the kernel's own";
        return Err(Failure::new(Code::Arguments, text));
    }
    let mut shared = Arguments::of("reserve", Vec::new());
    for (name, operand) in [("shape", count), ("dtype", dtype), ("alignment", alignment)] {
        if let Some(operand) = operand {
            shared.keywords.push((name.to_owned(), operand));
        }
    }
    super::super::memory::shared_array(frame, shared)
}

/// The shape of the blocks that the kernel is launched with.
pub(super) fn launch_block(frame: &mut Frame<'_, '_>, name: &str) -> Result<[u32; 3]> {
    if let Some((shape, _)) = &frame.program.block {
        return Ok(*shape);
    }
    let Some(launch) = &frame.program.options.launch else {
        return Err(Failure::new(
            Code::Launch,
            format!("{name}(): the shape of its block is that of a launch, and the kernel is compiled without one"),
        )
        .help("launch the kernel, or call an operation that was made for a shape: coop.block.make_sum(dtype, threads_per_block)"));
    };
    let shape = launch.block;
    frame.program.block = Some((shape, name.to_owned()));
    frame.program.has_launch_block = true;
    Ok(shape)
}

/// The threads of a call.
pub(super) fn group(frame: &mut Frame<'_, '_>, name: &str, threads: Threads) -> Result<Group> {
    let block = launch_block(frame, name)?;
    match threads {
        Threads::Thread | Threads::Grid => {
            let text =
                format!("{name}() is supported for coop.this_block() and coop.this_warp() alone");
            Err(Failure::new(Code::Unsupported, text))
        }
        Threads::Block => Ok(Group::Block(block)),
        Threads::Warp(_) | Threads::Warps(_) => {
            let count = Group::Block(block).threads();
            if !count.is_multiple_of(WARP) {
                let text = format!(
                    "{name}(): warps must be whole: a block has {count} threads, which is no multiple of {WARP}"
                );
                return Err(Failure::new(Code::Range, text));
            }
            Ok(match threads {
                Threads::Warp(width) => Group::Warp(width),
                Threads::Warps(warps) => Group::Warps(block, warps),
                _ => Group::Block(block),
            })
        }
    }
}

/// True for the methods of groups.
pub fn is_method(name: &str) -> bool {
    matches!(
        name,
        "group_by"
            | "rank"
            | "rank_as"
            | "count"
            | "count_as"
            | "sync"
            | "sync_aligned"
            | "is_member"
    )
}

/// A method of a group.
pub fn method(
    frame: &mut Frame<'_, '_>,
    threads: Threads,
    name: &str,
    given: Arguments,
) -> Result<Operand> {
    frame.need("warp");
    frame.need("collective");
    let shown = format!("group.{name}");
    match name {
        "group_by" => grouped(frame, threads, given),
        "rank" | "count" => {
            let [level] = given.bind(["level"], 0)?;
            position(frame, threads, name, level)
        }
        "rank_as" | "count_as" => {
            let [dtype, level] = given.bind(["dtype", "level"], 0)?;
            let name = name.trim_end_matches("_as");
            let found = position(frame, threads, name, level)?;
            match dtype {
                None | Some(Operand::Constant(Value::None)) => Ok(found),
                Some(dtype) => {
                    let ty = frame.dtype(dtype)?;
                    let value = frame.value(found)?;
                    Ok(frame.cast(value, &ty).into())
                }
            }
        }
        "sync" | "sync_aligned" if threads == Threads::Thread => {
            let [] = given.exactly()?;
            Ok(Operand::Constant(Value::None))
        }
        "sync" | "sync_aligned" => {
            let [] = given.exactly()?;
            if let Threads::Warps(_) = threads {
                let text = format!("{shown}() is not supported for groups of warps: block.sync()");
                return Err(Failure::new(Code::Unsupported, text));
            }
            let class = group(frame, &shown, threads)?.class();
            frame.code.statement(format!("{class}::sync();"));
            if threads == Threads::Block {
                frame.synchronized();
            }
            Ok(Operand::Constant(Value::None))
        }
        _ => {
            let [] = given.exactly()?;
            Ok(match threads {
                Threads::Warp(width) if !WARP.is_multiple_of(u64::from(width)) => {
                    let rest = u32::try_from(WARP).unwrap_or(32) / width * width;
                    let text = format!("py::collective::lane() < {rest}");
                    Expr::bound(BOOL, text, Binding::Less).into()
                }
                Threads::Warps(_) => {
                    let class = group(frame, &shown, threads)?.class();
                    Expr::new(BOOL, format!("{class}::is_member()")).into()
                }
                _ => Operand::known(Value::Bool(true)),
            })
        }
    }
}

fn grouped(frame: &mut Frame<'_, '_>, threads: Threads, given: Arguments) -> Result<Operand> {
    let [count, exhaustive] = given.bind(["count", "exhaustive"], 1)?;
    let whole = exhaustive.is_none() || known_bool("group_by(): exhaustive", exhaustive)?;
    let count = known_int(frame, "group_by(): count", count)?;
    let of_warp = Threads::Warp(WARP as u32);
    if threads == Threads::Block {
        return group_of_warps(frame, count, whole);
    }
    if threads != of_warp {
        let text = "group_by() is supported for coop.this_warp() and coop.this_block(): groups of groups are not";
        return Err(Failure::new(Code::Unsupported, text));
    }
    let Some(count @ 1..=32) = count.and_then(|count| u32::try_from(count).ok()) else {
        let text = "group_by(): count must be an int from 1 to 32";
        return Err(Failure::new(Code::Range, text));
    };
    if whole && !WARP.is_multiple_of(u64::from(count)) {
        let text = format!("group_by(): {count} does not divide the {WARP} threads of a warp");
        return Err(Failure::new(Code::Range, text)
            .help("exhaustive=False leaves the last threads out: group.is_member() tells"));
    }
    Ok(part(Part::Group(Threads::Warp(count))))
}

/// Neighbouring warps of a block.
fn group_of_warps(frame: &mut Frame<'_, '_>, count: Option<i128>, whole: bool) -> Result<Operand> {
    let block = Group::Block(launch_block(frame, "group_by")?);
    let all = block.warps();
    let given = count.and_then(|count| u64::try_from(count).ok());
    let Some(count) = given.filter(|count| (1..=all).contains(count)) else {
        let text = format!("group_by(): count must be an int from 1 to the block's {all} warps");
        return Err(Failure::new(Code::Range, text));
    };
    if whole && !all.is_multiple_of(count) {
        let text = format!("group_by(): {count} does not divide the {all} warps of the block");
        return Err(Failure::new(Code::Range, text)
            .help("exhaustive=False leaves the last warps out: group.is_member() tells"));
    }
    let threads = Threads::Warps(u32::try_from(count).unwrap_or(1));
    group(frame, "group_by", threads)?;
    Ok(part(Part::Group(threads)))
}

/// The levels of threads, from small to large.
const LEVELS: [&str; 4] = ["thread", "warp", "block", "grid"];

/// `rank` or `count` of the smaller one of a group and a level in the larger one.
fn position(
    frame: &mut Frame<'_, '_>,
    threads: Threads,
    name: &str,
    level: Option<Operand>,
) -> Result<Operand> {
    let shown = format!("group.{name}");
    let level = match level.as_ref().map(Operand::constant) {
        None => "thread".to_owned(),
        Some(Some(Value::Str(level))) if level == "gpu_thread" => "thread".to_owned(),
        Some(Some(Value::Str(level))) => level,
        Some(_) => {
            let text = format!("{shown}(): level must be a text such as \"thread\"");
            return Err(Failure::new(Code::NotConstant, text));
        }
    };
    let refused = || {
        let text = format!(
            "{shown}({level:?}) is not supported for this group: levels are {}, of parts of a warp up to \"warp\", and of groups of warps up to \"block\"",
            LEVELS.join(", ")
        );
        Failure::new(Code::Unsupported, text)
    };
    let level = LEVELS
        .iter()
        .position(|one| *one == level)
        .ok_or_else(refused)?;
    let block = launch_block(frame, &shown)?;
    let block_class = Group::Block(block).class();
    let all = i128::from(Group::Block(block).threads());
    let warp = i128::from(WARP);
    let warps = (all + warp - 1) / warp;
    let is_rank = name == "rank";
    let known = |count: i128| Operand::known(Value::Typed(INT32, Box::new(Value::Int(count))));
    let value = |text: String| Operand::from(Expr::new(INT32, text).natural(10));
    let wide = |text: String| Operand::from(Expr::new(INT64, text).natural(62));
    let own = match threads {
        Threads::Thread => 0,
        Threads::Warp(32) => 1,
        Threads::Block => 2,
        Threads::Grid => 3,
        Threads::Warps(count) => {
            let class = group(frame, &shown, threads)?.class();
            let count = i128::from(count);
            return match (level, is_rank) {
                (0, true) => Ok(value(format!("{class}::rank()"))),
                (0, false) => Ok(known(count * warp)),
                (1, true) => Ok(value(format!("({class}::rank() / {warp})"))),
                (1, false) => Ok(known(count)),
                (2, true) => Ok(value(format!("{class}::number()"))),
                (2, false) => Ok(known(warps / count)),
                _ => Err(refused()),
            };
        }
        Threads::Warp(width) => {
            let class = group(frame, &shown, threads)?.class();
            let width = i128::from(width);
            return match (level, is_rank) {
                (0, true) => Ok(value(format!("{class}::rank()"))),
                (0, false) => Ok(known(width)),
                (1, true) => Ok(value(format!("{class}::number()"))),
                (1, false) => Ok(known(warp / width)),
                _ => Err(refused()),
            };
        }
    };
    let blocks = "(int64(gridDim.x) * gridDim.y * gridDim.z)";
    let at = "((int64(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)";
    let rank = format!("{block_class}::rank()");
    Ok(match (own.min(level), own.max(level), is_rank) {
        (small, large, true) if small == large => known(0),
        (small, large, false) if small == large => known(1),
        (0, 1, true) => value("py::collective::lane()".to_owned()),
        (0, 1, false) => known(warp),
        (0, 2, true) => value(rank),
        (0, 2, false) => known(all),
        (0, _, true) => wide(format!("({at} * {all} + {rank})")),
        (0, _, false) => wide(format!("({blocks} * {all})")),
        (1, 2, true) => value(format!("({rank} / {warp})")),
        (1, 2, false) => known(warps),
        (1, _, true) => wide(format!("({at} * {warps} + {rank} / {warp})")),
        (1, _, false) => wide(format!("({blocks} * {warps})")),
        (_, _, true) => wide(at.to_owned()),
        (_, _, false) => wide(blocks.to_owned()),
    })
}
