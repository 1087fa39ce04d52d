//! Branches and calls.

use super::build::{Lower, fixed};
use super::device_runtime;
use super::driver_functions::{SYSCALLS, is_device_runtime};
use super::names::{Entity, register_type, slot_size};
use super::operand::arg;
use super::{Result, fail};
use crate::ir::{
    BlockId, Callee, FuncId, Inst, IntOp, Operand, Order, Reg, Space, Syscall, Terminator, Ty,
};
use cuox_ptx::ast::{self, CallOperands, Instruction, OperandKind, ScalarType, Span};
use cuox_ptx::diagnostic::Diagnostic;

fn target(l: &Lower<'_>, i: &Instruction) -> Result<BlockId> {
    let operand = arg(i, 0)?;
    match &operand.kind {
        OperandKind::Symbol { name, offset: 0 } | OperandKind::Register(name) => {
            l.label(name, operand.span)
        }
        _ => fail(operand.span, "the target of a branch must be a label"),
    }
}

/// `bra`.
pub(super) fn branch(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let target = target(l, i)?;
    l.end(Terminator::Jump(target));
    Ok(())
}

/// `@p bra`.
pub(super) fn conditional_branch(
    l: &mut Lower<'_>,
    i: &Instruction,
    cond: Reg,
    negated: bool,
) -> Result<()> {
    let target = target(l, i)?;
    let next = l.new_block();
    let (then, other) = if negated {
        (next, target)
    } else {
        (target, next)
    };
    l.end(Terminator::branch(cond, then, other));
    l.switch_to(next);
    l.begin_stretch();
    Ok(())
}

/// `brx.idx`.
pub(super) fn switch(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let index = l.src32(i, 0)?;
    let operand = arg(i, 1)?;
    let OperandKind::Symbol { name, .. } = &operand.kind else {
        return fail(operand.span, "`brx.idx` requires a `.branchtargets` list");
    };
    let Entity::Branches(labels) = l.resolve(name, operand.span)? else {
        return fail(operand.span, format!("`{name}` is not a list of targets"));
    };
    let targets = labels
        .iter()
        .map(|label| l.label(label, operand.span))
        .collect::<Result<Vec<_>>>()?;
    l.end(Terminator::switch(index, targets));
    Ok(())
}

/// `call`.
pub(super) fn call(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let Some(call) = i.call.as_deref() else {
        return fail(i.span, "`call` is missing its operands");
    };
    let span = call.callee.span;
    match &call.callee.kind {
        OperandKind::Symbol { name, offset: 0 } => {
            let Entity::Function(f) = l.resolve(name, span)? else {
                return fail(span, format!("`{name}` is not a function"));
            };
            if f.is_entry() {
                return fail(span, format!("`{name}` is a kernel and cannot be called"));
            }
            if let Some(id) = l.cx.program.function_id(&f.name) {
                return emit_call(l, call, &f.params, &f.returns, Target::Known(id), span);
            }
            match SYSCALLS.iter().find(|s| *s.0 == **name) {
                Some(&(_, syscall, args, result)) => driver_call(l, call, syscall, args, result),
                None if is_device_runtime(name) => device_runtime::call(l, call, name, &f.params),
                None => Err(Box::new(Diagnostic::unsupported(
                    "E-extern",
                    span,
                    format!(
                        "function `{name}` is declared but not defined in this module and is not a driver function"
                    ),
                ))),
            }
        }
        OperandKind::Register(_) => {
            let handle = l.value(&call.callee, ScalarType::B64)?;
            let prototype = call.prototype.as_ref().map(|p| (&p.kind, p.span));
            let Some((OperandKind::Symbol { name, .. }, span)) = prototype else {
                return fail(span, "a call through a register requires a prototype");
            };
            match l.resolve(name, span)? {
                Entity::Prototype(p) => {
                    let callee = through(l, handle, &p.params, &p.returns)?;
                    emit_call(l, call, &p.params, &p.returns, callee, span)
                }
                Entity::Calls(list) => {
                    let Some(first) = list.first() else {
                        return fail(span, format!("`{name}` is empty"));
                    };
                    match l.resolve(first, span)? {
                        Entity::Function(f) => {
                            let callee = through(l, handle, &f.params, &f.returns)?;
                            emit_call(l, call, &f.params, &f.returns, callee, span)
                        }
                        _ => fail(span, format!("`{first}` is not a function")),
                    }
                }
                _ => fail(span, format!("`{name}` is not a prototype")),
            }
        }
        _ => fail(span, "this operand cannot be called"),
    }
}

/// The largest number of functions that a call through a pointer chooses from inline; beyond, the engine makes the
/// call.
const MAX_CHOICES: usize = 32;

/// The callee, as far as lowering knows it.
enum Target {
    /// A known function.
    Known(FuncId),
    /// One of these functions, by its handle.
    OneOf(Operand, Vec<FuncId>),
    /// Any function.
    Any(Operand),
}

/// Returns the possible callees of a call through `handle` with that prototype: the functions of the module whose
/// address is taken and whose parameters and results have the same sizes.
fn through(
    l: &Lower<'_>,
    handle: Operand,
    params: &[ast::Variable],
    returns: &[ast::Variable],
) -> Result<Target> {
    let sizes = |formals: &[ast::Variable]| {
        let all = formals.iter().map(|v| slot_size(v).map(|(size, _)| size));
        all.collect::<Result<Vec<u32>>>()
    };
    let wanted = (sizes(params)?, sizes(returns)?);
    let program = l.cx.program;
    let fits = |id: &FuncId| {
        let f = program.function(*id);
        f.is_some_and(|f| match (sizes(&f.params), sizes(&f.returns)) {
            (Ok(params), Ok(returns)) => (params, returns) == wanted,
            _ => false,
        })
    };
    let all = program.address_taken().iter().copied();
    let choices: Vec<FuncId> = all.filter(fits).collect();
    Ok(match choices.len() {
        0..=MAX_CHOICES => Target::OneOf(handle, choices),
        _ => Target::Any(handle),
    })
}

/// Calls the function with handle `handle`, one of `choices`.
fn choose(l: &mut Lower<'_>, handle: Operand, choices: &[FuncId], args: &[u32], results: &[u32]) {
    let (wrong, done) = (l.new_block(), l.new_block());
    let count = choices.iter().map(|id| id.0 + 1).max().unwrap_or(0);
    let mut targets = vec![wrong; count as usize + 1];
    for id in choices {
        targets[id.0 as usize] = l.new_block();
    }
    // A handle is a function's number plus one.
    let index = l.int(IntOp::Sub, Ty::B64, &[handle, Operand::Imm(1)]);
    let last = Operand::Imm(u64::from(count));
    let index = l.int(IntOp::MinU, Ty::B64, &[index, last]);
    let index = l.resize(index, Ty::B64, Ty::B32, false);
    let blocks = targets.clone();
    l.end(Terminator::switch(index, targets));
    for &id in choices {
        l.switch_to(blocks[id.0 as usize]);
        l.emit(Inst::Call {
            callee: Callee::Direct(id),
            args: args.to_vec(),
            results: results.to_vec(),
        });
        l.end(Terminator::Jump(done));
    }
    l.switch_to(wrong);
    l.emit(Inst::Syscall {
        dst: None,
        call: Syscall::NoFunction,
        args: vec![handle],
    });
    l.end(Terminator::Trap);
    l.switch_to(done);
}

/// Returns the slot that an operand names.
pub(super) fn slot_of(l: &Lower<'_>, operand: &ast::Operand) -> Option<u32> {
    match &operand.kind {
        OperandKind::Symbol { name, offset: 0 } => match l.lookup(name) {
            Some(Entity::Slot(slot)) => Some(slot),
            _ => None,
        },
        _ => None,
    }
}

fn emit_call(
    l: &mut Lower<'_>,
    call: &CallOperands,
    params: &[ast::Variable],
    returns: &[ast::Variable],
    callee: Target,
    span: Span,
) -> Result<()> {
    if params.len() != call.args.len() || returns.len() != call.returns.len() {
        return fail(
            span,
            format!(
                "the callee has {} parameters and {} results; the call has {} and {}",
                params.len(),
                returns.len(),
                call.args.len(),
                call.returns.len()
            ),
        );
    }
    let mut args = Vec::with_capacity(params.len());
    for (operand, formal) in call.args.iter().zip(params) {
        let (size, align) = slot_size(formal)?;
        let slot = match slot_of(l, operand) {
            Some(slot) => check_size(l, slot, size, operand.span)?,
            None => {
                let value = l.value(operand, formal.ty)?;
                let Some(ty) = register_type(formal.ty).filter(|t| t.bytes() == size) else {
                    return fail(operand.span, "this argument requires a `.param` variable");
                };
                let slot = l.new_slot(size, align);
                l.store(value, ty, Space::Slot(slot), 0);
                slot
            }
        };
        args.push(slot);
    }
    let mut results = Vec::with_capacity(returns.len());
    let mut loads = Vec::new();
    for (operand, formal) in call.returns.iter().zip(returns) {
        let (size, align) = slot_size(formal)?;
        let slot = match slot_of(l, operand) {
            Some(slot) => check_size(l, slot, size, operand.span)?,
            None => {
                let slot = l.new_slot(size, align);
                if let Some(dst) = l.dest_of_any_width(operand)? {
                    if l.ty(dst).bytes() > size {
                        return fail(operand.span, "the destination is wider than the result");
                    }
                    loads.push((dst, slot));
                }
                slot
            }
        };
        results.push(slot);
    }
    let callee = match callee {
        Target::OneOf(handle, choices) => {
            choose(l, handle, &choices, &args, &results);
            None
        }
        Target::Known(id) => Some(Callee::Direct(id)),
        Target::Any(handle) => Some(Callee::Indirect(handle)),
    };
    if let Some(callee) = callee {
        l.emit(Inst::Call {
            callee,
            args,
            results,
        });
    }
    for (dst, slot) in loads {
        let ty = l.ty(dst);
        l.emit(Inst::Load {
            dsts: vec![Some(dst)],
            ty,
            signed: false,
            addr: fixed(Space::Slot(slot), 0),
            order: Order::Plain,
        });
    }
    Ok(())
}

pub(super) fn check_size(l: &Lower<'_>, slot: u32, size: u32, span: Span) -> Result<u32> {
    let have = l.slots[slot as usize].size;
    if have == size {
        return Ok(slot);
    }
    fail(
        span,
        format!("the call passes {have} bytes; the callee expects {size}"),
    )
}

/// Lowers a call of a driver function.
fn driver_call(
    l: &mut Lower<'_>,
    call: &CallOperands,
    syscall: Syscall,
    types: &[Ty],
    result: Option<Ty>,
) -> Result<()> {
    let span = call.callee.span;
    if types.len() != call.args.len() || call.returns.len() > usize::from(result.is_some()) {
        return fail(
            span,
            "the call does not match the driver function's prototype",
        );
    }
    let mut args = Vec::with_capacity(types.len());
    for (operand, &ty) in call.args.iter().zip(types) {
        let pt = if ty == Ty::B64 {
            ScalarType::B64
        } else {
            ScalarType::B32
        };
        let value = match slot_of(l, operand) {
            Some(slot) => {
                check_size(l, slot, ty.bytes(), operand.span)?;
                l.load(ty, Space::Slot(slot), 0)
            }
            None => l.value(operand, pt)?,
        };
        args.push(value);
    }
    let Some((operand, ty)) = call.returns.first().zip(result) else {
        l.emit(Inst::Syscall {
            dst: None,
            call: syscall,
            args,
        });
        return Ok(());
    };
    match slot_of(l, operand) {
        Some(slot) => {
            check_size(l, slot, ty.bytes(), operand.span)?;
            let dst = l.temp(ty);
            l.emit(Inst::Syscall {
                dst: Some(dst),
                call: syscall,
                args,
            });
            l.store(Operand::Reg(dst), ty, Space::Slot(slot), 0);
        }
        None => {
            let dst = l.dest_of(operand, ty)?;
            l.emit(Inst::Syscall {
                dst,
                call: syscall,
                args,
            });
        }
    }
    Ok(())
}
