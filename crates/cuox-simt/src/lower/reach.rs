//! The device functions and the shared memory that a kernel reaches, and the layout of that shared memory.

use super::driver_functions::is_known;
use super::{Result, fail};
use crate::ir::FuncId;
use crate::program::{Program, Symbol, declaration_key};
use cuox_ptx::ast::{
    self, AddressBase, Operand, OperandKind, SpecialRegister, StateSpace, Statement,
};
use rustc_hash::FxHashMap;

/// Everything that a kernel reaches.
#[derive(Default)]
pub(crate) struct Reach {
    /// Offsets of shared variables, by their declaration.
    pub shared: FxHashMap<usize, u32>,
    /// Bytes of shared memory before the dynamic part.
    pub static_shared: u32,
    /// Bytes at its start that are reserved for the system's libraries (`%reserved_smem_offset_1`).
    pub reserved_shared: u32,
    /// Device functions; callers come before the callees that they add.
    pub functions: Vec<FuncId>,
    /// True if there are calls through pointers; every function whose address is taken is then reachable.
    pub indirect: bool,
    /// A called function or launched kernel that neither the module nor the driver has.
    pub missing: Option<String>,
}

/// A use or declaration in a body that matters for reachability.
pub(crate) enum Event<'a> {
    /// A declaration.
    Variable(&'a ast::Variable),
    /// A name used as an address.
    Name(&'a str),
    /// A special register.
    Special(SpecialRegister),
    /// A call of a function.
    Call(&'a str),
    /// A call through a register.
    IndirectCall,
}

/// Calls `f` for every event in `body`.
pub(crate) fn visit<'a>(body: &'a [Statement], f: &mut impl FnMut(Event<'a>)) {
    for statement in body {
        match statement {
            Statement::Variable(v) => f(Event::Variable(v)),
            Statement::Block(inner) => visit(inner, f),
            Statement::Instruction(i) => {
                i.operands.iter().for_each(|o| visit_operand(o, f));
                if let Some(call) = &i.call {
                    match &call.callee.kind {
                        OperandKind::Symbol { name, .. } => f(Event::Call(name)),
                        _ => f(Event::IndirectCall),
                    }
                    call.args.iter().for_each(|o| visit_operand(o, f));
                }
            }
            _ => {}
        }
    }
}

fn visit_operand<'a>(operand: &'a Operand, f: &mut impl FnMut(Event<'a>)) {
    match &operand.kind {
        OperandKind::Symbol { name, .. }
        | OperandKind::Address {
            base: AddressBase::Symbol(name),
            ..
        } => f(Event::Name(name)),
        OperandKind::Special { register, .. } => f(Event::Special(*register)),
        OperandKind::Bracketed(list) | OperandKind::Vector(list) => {
            list.iter().for_each(|o| visit_operand(o, f));
        }
        OperandKind::Pair(a, b) => {
            visit_operand(a, f);
            visit_operand(b, f);
        }
        OperandKind::Negated(a) | OperandKind::Minus(a) => visit_operand(a, f),
        _ => {}
    }
}

/// The largest shared memory of a block on any device, in bytes.
const MAX_SHARED: u64 = 228 << 10;
/// Bytes that are reserved if the code reads their location: the value of `%reserved_smem_offset_cap`.
pub(crate) const RESERVED: u32 = 1 << 10;

/// Returns true for special registers about reserved shared memory.
fn is_reserved(register: SpecialRegister) -> bool {
    use SpecialRegister as S;
    matches!(
        register,
        S::ReservedSmemOffsetBegin
            | S::ReservedSmemOffsetEnd
            | S::ReservedSmemOffsetCap
            | S::ReservedSmemOffset0
            | S::ReservedSmemOffset1
    )
}

/// Returns everything that `entry` reaches.
pub(crate) fn reach(program: &Program, entry: &ast::Function) -> Result<Reach> {
    let mut out = Reach::default();
    let mut seen: FxHashMap<u32, ()> = FxHashMap::default();
    let mut seen_shared: FxHashMap<usize, ()> = FxHashMap::default();
    let mut shared: Vec<&ast::Variable> = Vec::new();
    let mut next = 0;
    let mut body = entry.body.as_deref();
    loop {
        visit(body.unwrap_or_default(), &mut |event| match event {
            Event::Variable(v) if v.space == StateSpace::Shared => {
                if seen_shared.insert(declaration_key(v), ()).is_none() {
                    shared.push(v);
                }
            }
            Event::Special(register) if is_reserved(register) => out.reserved_shared = RESERVED,
            Event::Variable(_) | Event::Special(_) => {}
            Event::Name(name) => {
                if let Some(Symbol::Shared(item)) = program.symbol(name)
                    && let Some(v) = program.variable_at(item)
                    && seen_shared.insert(declaration_key(v), ()).is_none()
                {
                    shared.push(v);
                }
                if let Some(Symbol::Function(item)) = program.symbol(name)
                    && program
                        .function_at(item)
                        .is_some_and(|f| f.is_entry() && f.body.is_none())
                {
                    out.missing = out.missing.take().or(Some(name.to_owned()));
                }
            }
            Event::Call(name) => match program.function_id(name) {
                Some(id) if seen.insert(id.0, ()).is_none() => out.functions.push(id),
                Some(_) => {}
                None if is_known(name) => {}
                None => out.missing = out.missing.take().or(Some(name.to_owned())),
            },
            Event::IndirectCall => out.indirect = true,
        });
        if next == out.functions.len() && out.indirect {
            for &id in program.address_taken() {
                if seen.insert(id.0, ()).is_none() {
                    out.functions.push(id);
                }
            }
        }
        let Some(&id) = out.functions.get(next) else {
            break;
        };
        next += 1;
        body = program.function(id).and_then(|f| f.body.as_deref());
    }
    lay_out(&shared, &mut out)?;
    Ok(out)
}

/// Lays out shared memory: reserved bytes, variables of known size, then all variables without a size at one offset.
fn lay_out(shared: &[&ast::Variable], out: &mut Reach) -> Result<()> {
    let is_dynamic = |v: &ast::Variable| v.is_unsized();
    let mut end = u64::from(out.reserved_shared);
    for v in shared.iter().filter(|v| !is_dynamic(v)) {
        let start = end.next_multiple_of(u64::from(v.alignment().max(1)));
        end = start.saturating_add(v.size());
        if end > MAX_SHARED {
            // The words of ptxas, by which tuners know that a configuration is to be left out.
            let text = format!(
                "`{}` uses too much shared data ({end:#x} bytes, {MAX_SHARED:#x} max)",
                v.name
            );
            return fail(v.span, text);
        }
        out.shared.insert(declaration_key(v), start as u32);
    }
    let mut align = 1;
    for v in shared.iter().filter(|v| is_dynamic(v)) {
        align = align.max(v.alignment().clamp(16, 1024));
    }
    let start = end.next_multiple_of(u64::from(align)) as u32;
    for v in shared.iter().filter(|v| is_dynamic(v)) {
        out.shared.insert(declaration_key(v), start);
    }
    out.static_shared = start;
    Ok(())
}
