//! What kernels make for calls of collectives: groups of threads, items of a thread, storage.

use crate::builtins::Builtin;
use crate::collective::{Group, Part, Scratch, Threads, Untyped, WARP};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, INT32};

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
        Threads::Block => Ok(Group::Block(block)),
        Threads::Warp(width) => {
            let count = Group::Block(block).threads();
            if !count.is_multiple_of(WARP) {
                let text = format!(
                    "{name}(): warps must be whole: a block has {count} threads, which is no multiple of {WARP}"
                );
                return Err(Failure::new(Code::Range, text));
            }
            Ok(Group::Warp(width))
        }
    }
}

/// True for the methods of groups.
pub fn is_method(name: &str) -> bool {
    matches!(
        name,
        "group_by" | "rank" | "count" | "sync" | "sync_aligned" | "is_member"
    )
}

/// The class of a group in the prelude.
pub(super) fn class(group: Group) -> String {
    match group {
        Group::Block([x, y, z]) => format!("py::collective::block<{x}, {y}, {z}>"),
        Group::Warp(threads) => format!("py::collective::warp<{threads}>"),
    }
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
            let level = match level.as_ref().map(Operand::constant) {
                None => "thread".to_owned(),
                Some(Some(Value::Str(level))) => level,
                Some(_) => {
                    let text = format!("{shown}(): level must be a text such as \"thread\"");
                    return Err(Failure::new(Code::NotConstant, text));
                }
            };
            position(frame, threads, name, &level)
        }
        "sync" | "sync_aligned" => {
            let [] = given.exactly()?;
            let class = class(group(frame, &shown, threads)?);
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
    if threads != of_warp {
        let text = "group_by() is supported for coop.this_warp() alone: groups of warps, and groups of groups, are not";
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

/// `rank` or `count` of the smaller one of a group and a level in the larger one.
fn position(
    frame: &mut Frame<'_, '_>,
    threads: Threads,
    name: &str,
    level: &str,
) -> Result<Operand> {
    let shown = format!("group.{name}");
    let group = group(frame, &shown, threads)?;
    let class = class(group);
    let block = launch_block(frame, &shown)?;
    let count = i128::from(Group::Block(block).threads());
    let is_rank = name == "rank";
    let known = |count: i128| Operand::known(Value::Typed(INT32, Box::new(Value::Int(count))));
    let value = |text: String| Ok(Operand::from(Expr::new(INT32, text).natural(10)));
    let warp = i128::from(WARP);
    match (threads, level, is_rank) {
        (_, "thread", true) => value(format!("{class}::rank()")),
        (_, "thread", false) => Ok(known(i128::from(group.threads()))),
        (Threads::Block, "warp", true) => value(format!("({class}::rank() / {warp})")),
        (Threads::Block, "warp", false) => Ok(known((count + warp - 1) / warp)),
        (Threads::Block, "block", true) | (Threads::Warp(32), "warp", true) => Ok(known(0)),
        (Threads::Block, "block", false) | (Threads::Warp(32), "warp", false) => Ok(known(1)),
        (Threads::Warp(32), "block", true) => value(format!("{class}::warp_number()")),
        (Threads::Warp(32), "block", false) => Ok(known(count / warp)),
        (Threads::Warp(_), "warp", true) => value(format!("{class}::number()")),
        (Threads::Warp(width), "warp", false) => Ok(known(warp / i128::from(width))),
        _ => Err(Failure::new(
            Code::Unsupported,
            format!(
                "{shown}({level:?}) is not supported for this group: levels are \"thread\", \"warp\" and, of blocks and warps, \"block\""
            ),
        )),
    }
}
