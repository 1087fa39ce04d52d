//! Names inside a function: registers, labels, variables and parameters, scope by scope.

use super::build::Lower;
use super::{Result, Symbol, error, fail};
use crate::ir::{BlockId, Op, Reg, Space, Ty};
use cuox_ptx::ast::{self, Name, ScalarType, Span, StateSpace, Statement};
use rustc_hash::FxHashMap;

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Entity<'a> {
    /// `count` consecutive registers: one, or a vector.
    Regs { first: Reg, count: u8 },
    /// An offset into shared memory.
    Shared(u32),
    /// An offset into the function's frame.
    Local(u32),
    /// A call slot.
    Slot(u32),
    /// A kernel parameter, by its offset.
    Param(u32),
    /// A label.
    Label(BlockId),
    /// `.branchtargets`.
    Branches(&'a [Name]),
    /// `.calltargets`.
    Calls(&'a [Name]),
    /// `.callprototype`.
    Prototype(&'a ast::CallPrototype),
    /// A module variable in global or constant memory.
    Variable(u32),
    /// A function.
    Function(&'a ast::Function),
}

/// The names of one scope (a pair of braces).
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: FxHashMap<&'a str, Entity<'a>>,
    /// Ranges such as `%r<10>`, by prefix: first register, number of names, registers per name.
    ranges: FxHashMap<&'a str, (Reg, u32, u8)>,
}

/// The largest number of registers of a function; limits the memory that a hostile module can allocate.
const MAX_REGISTERS: u64 = 1 << 22;

impl<'a> Lower<'a> {
    /// Opens a scope and declares the labels and tables of `body`, which may be used before their definition.
    pub fn open_scope(&mut self, body: &'a [Statement]) -> Result<()> {
        let mut scope = Scope::default();
        let mut twice = None;
        for statement in body {
            let (name, entity) = match statement {
                Statement::Label { name, .. } => (name, Entity::Label(self.new_block())),
                Statement::BranchTargets { name, labels, .. } => (name, Entity::Branches(labels)),
                Statement::CallTargets {
                    name, functions, ..
                } => (name, Entity::Calls(functions)),
                Statement::CallPrototype(p) => (&p.name, Entity::Prototype(p)),
                _ => continue,
            };
            let before = scope.names.insert(name.as_str(), entity);
            if let (Some(_), Statement::Label { name, span }) = (before, statement) {
                twice = twice.or(Some((name, *span)));
            }
        }
        self.scopes.push(scope);
        match twice {
            Some((name, span)) => fail(span, format!("`{name}` is defined twice")),
            None => Ok(()),
        }
    }

    pub fn close_scope(&mut self) {
        self.scopes.pop();
    }

    pub fn bind(&mut self, name: &'a str, entity: Entity<'a>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entity);
        }
    }

    /// Declares a variable of a body.
    pub fn declare(&mut self, v: &'a ast::Variable) -> Result<()> {
        let name = v.name.as_str();
        let entity = match v.space {
            StateSpace::Reg => return self.declare_registers(v),
            StateSpace::Shared => Entity::Shared(self.cx.shared_offset(v, self.cx.line(v.span))?),
            StateSpace::Local => Entity::Local(self.new_local(v.size(), v.alignment(), v.span)?),
            StateSpace::Param => {
                let (size, align) = slot_size(v)?;
                Entity::Slot(self.new_slot(size, align))
            }
            StateSpace::Global | StateSpace::Const => match self.cx.local_variable(v) {
                Some(index) => Entity::Variable(index),
                None => return fail(v.span, format!("variable `{name}` has no storage")),
            },
            other => {
                return fail(
                    v.span,
                    format!("a variable of `{other}` cannot be declared in a body"),
                );
            }
        };
        self.bind(name, entity);
        Ok(())
    }

    fn declare_registers(&mut self, v: &'a ast::Variable) -> Result<()> {
        let ty = register_type(v.ty).ok_or_else(|| {
            error(
                v.span,
                format!("a register cannot have the type `{}`", v.ty),
            )
        })?;
        let name = v.name.as_str();
        let count = u64::from(v.range.unwrap_or(1));
        let each = v.vector.max(1);
        let total = count * u64::from(each);
        if self.regs.len() as u64 + total > MAX_REGISTERS {
            return fail(
                v.span,
                "the function declares more than four million registers",
            );
        }
        let first = Reg(self.regs.len() as u32);
        self.regs.resize(self.regs.len() + total as usize, ty);
        match v.range {
            None => self.bind(name, Entity::Regs { first, count: each }),
            Some(count) => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.ranges.insert(name, (first, count, each));
                }
            }
        }
        Ok(())
    }

    /// Returns the meaning of `name` in the current scopes.
    pub fn lookup(&self, name: &str) -> Option<Entity<'a>> {
        for scope in self.scopes.iter().rev() {
            let in_range = |(prefix, number): (&str, u32)| {
                let &(first, count, each) = scope.ranges.get(prefix)?;
                (number < count).then(|| Entity::Regs {
                    first: Reg(first.0 + number * u32::from(each)),
                    count: each,
                })
            };
            if let Some(found) = numbered(name).find_map(in_range) {
                return Some(found);
            }
            if let Some(&entity) = scope.names.get(name) {
                return Some(entity);
            }
        }
        match self.cx.program.symbol(name)? {
            Symbol::Variable(index) => Some(Entity::Variable(index)),
            Symbol::Shared(item) => self.cx.module_shared(item).map(Entity::Shared),
            Symbol::Function(item) => self.cx.program.function_at(item).map(Entity::Function),
        }
    }

    /// Returns the meaning of `name`, or an error.
    pub fn resolve(&self, name: &str, span: Span) -> Result<Entity<'a>> {
        self.lookup(name)
            .ok_or_else(|| error(span, format!("`{name}` is not declared")))
    }

    /// Returns the register `name`.
    pub fn register(&self, name: &str, span: Span) -> Result<Reg> {
        match self.resolve(name, span)? {
            Entity::Regs { first, count: 1 } => Ok(first),
            Entity::Regs { .. } => fail(
                span,
                format!("`{name}` is a vector; expected a single register"),
            ),
            _ => fail(span, format!("`{name}` is not a register")),
        }
    }

    pub fn label(&self, name: &str, span: Span) -> Result<BlockId> {
        match self.resolve(name, span)? {
            Entity::Label(block) => Ok(block),
            _ => fail(span, format!("`{name}` is not a label")),
        }
    }

    /// Declares a device function's parameters or results; returns their slots.
    pub fn declare_formals(
        &mut self,
        formals: &'a [ast::Variable],
        results: bool,
        address_taken: impl Fn(&str) -> bool,
    ) -> Result<Vec<u32>> {
        let mut slots = Vec::with_capacity(formals.len());
        for v in formals {
            let (size, align) = slot_size(v)?;
            let slot = self.new_slot(size, align);
            slots.push(slot);
            let name = v.name.as_str();
            if v.space == StateSpace::Reg {
                self.declare_registers(v)?;
                let reg = self.register(name, v.span)?;
                let ty = self.ty(reg);
                if results {
                    self.result_regs.push((slot, reg));
                } else {
                    let value = self.load(ty, Space::Slot(slot), 0);
                    self.op_into(reg, Op::Mov(ty), &[value]);
                }
            } else if !results && address_taken(name) {
                // Such a parameter has an address in local memory, so it is copied there.
                let at = self.new_local(u64::from(size), align.max(8), v.span)?;
                let mut done = 0;
                while done < size {
                    let ty = match size - done {
                        8.. => Ty::B64,
                        4.. => Ty::B32,
                        2.. => Ty::B16,
                        _ => Ty::B8,
                    };
                    let value = self.load(ty, Space::Slot(slot), i64::from(done));
                    self.store(value, ty, Space::Local, i64::from(at + done));
                    done += ty.bytes();
                }
                self.bind(name, Entity::Local(at));
            } else {
                self.bind(name, Entity::Slot(slot));
            }
        }
        Ok(slots)
    }
}

/// Returns size and alignment of a call slot.
pub(super) fn slot_size(v: &ast::Variable) -> Result<(u32, u32)> {
    if v.ty == ScalarType::Pred {
        return fail(
            v.span,
            format!("parameter `{}` cannot be a predicate", v.name),
        );
    }
    match v.size() {
        0 if v.is_unsized() => fail(
            v.span,
            format!("parameter `{}` has no size", v.name.as_str()),
        ),
        size if size <= 1 << 20 => Ok((size as u32, v.alignment().clamp(1, 128))),
        _ => fail(
            v.span,
            format!("parameter `{}` is too large", v.name.as_str()),
        ),
    }
}

/// Returns the register type for a PTX type.
pub(super) fn register_type(ty: ScalarType) -> Option<Ty> {
    match ty {
        ScalarType::Pred => Some(Ty::Pred),
        ty => Ty::from_bytes(ty.bits() / 8).filter(|t| t.bits() == ty.bits()),
    }
}

/// Splits a name into a range's prefix and a number in every possible way; the prefix may end in digits.
fn numbered(name: &str) -> impl Iterator<Item = (&str, u32)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..=digits.min(9)).rev().filter_map(|n| {
        let (prefix, number) = name.split_at(name.len() - n);
        Some((prefix, number.parse().ok()?))
    })
}
