//! Operands: values of a given type, destinations, addresses.

use super::build::Lower;
use super::names::{Entity, register_type};
use super::reach::RESERVED;
use super::{Dest, Result, error, fail, unsupported};
use crate::ir::{
    Address, Float, Inst, IntOp, Num, Op, Operand, PredOp, Reg, RuntimeCall, Space, Special,
    Syscall, Ty,
};
use crate::program::VarSpace;
use cuox_ptx::ast::{
    self, AddressBase, Component, Instruction, OperandKind, ScalarType, Span, SpecialRegister,
    StateSpace, TypeKind,
};

/// Returns operand number `n`.
pub(super) fn arg(i: &Instruction, n: usize) -> Result<&ast::Operand> {
    i.operands.get(n).ok_or_else(|| {
        error(
            i.span,
            format!("`{}{}` is missing an operand", i.opcode, i.modifiers),
        )
    })
}

/// Returns the instruction's first type.
pub(super) fn first_type(i: &Instruction) -> Result<ScalarType> {
    match i.modifiers.first_type() {
        Some(ty) => Ok(ty),
        None => fail(
            i.opcode_span,
            format!("`{}{}` is missing a type", i.opcode, i.modifiers),
        ),
    }
}

/// Returns the register type for a PTX type of this instruction.
pub(super) fn width(i: &Instruction, ty: ScalarType) -> Result<Ty> {
    match register_type(ty) {
        Some(ty) => Ok(ty),
        None => unsupported(i),
    }
}

/// Returns the number type for a PTX type; packed types have none.
pub(super) fn number(i: &Instruction, ty: ScalarType) -> Result<Num> {
    let num = match ty {
        ScalarType::F16 => Num::F(Float::F16),
        ScalarType::Bf16 => Num::F(Float::BF16),
        ScalarType::F32 => Num::F(Float::F32),
        ScalarType::F64 => Num::F(Float::F64),
        ScalarType::U16x2 | ScalarType::S16x2 | ScalarType::U8x4 | ScalarType::S8x4 => {
            return unsupported(i);
        }
        ty => match ty.kind() {
            TypeKind::Signed => Num::S(width(i, ty)?),
            TypeKind::Unsigned | TypeKind::Bits => Num::U(width(i, ty)?),
            _ => return unsupported(i),
        },
    };
    Ok(num)
}

/// Returns the integer width and signedness of the instruction's first type.
pub(super) fn integer(i: &Instruction) -> Result<(Ty, bool)> {
    match number(i, first_type(i)?)? {
        Num::S(ty @ (Ty::B16 | Ty::B32 | Ty::B64)) => Ok((ty, true)),
        Num::U(ty @ (Ty::B16 | Ty::B32 | Ty::B64)) => Ok((ty, false)),
        _ => unsupported(i),
    }
}

impl<'a> Lower<'a> {
    /// Returns operand `n` as a value of that type.
    pub fn src(&mut self, i: &Instruction, n: usize, ty: ScalarType) -> Result<Operand> {
        self.value(arg(i, n)?, ty)
    }

    /// Returns operand `n` as an unsigned b32.
    pub fn src32(&mut self, i: &Instruction, n: usize) -> Result<Operand> {
        self.value(arg(i, n)?, ScalarType::U32)
    }

    /// Returns an operand as a value of that type; the register must have the type's width.
    pub fn value(&mut self, operand: &ast::Operand, ty: ScalarType) -> Result<Operand> {
        let (value, have) = self.value_of_any_width(operand, ty)?;
        let Some(want) = register_type(ty) else {
            return fail(
                operand.span,
                format!("a value of `{ty}` does not fit into a register"),
            );
        };
        if have == want {
            return Ok(value);
        }
        fail(
            operand.span,
            format!("the operand is {have}; the instruction expects {want}"),
        )
    }

    /// Returns an operand as a value of that type; the register may be wider.
    pub fn low_bits(&mut self, operand: &ast::Operand, ty: ScalarType) -> Result<Operand> {
        let (value, have) = self.value_of_any_width(operand, ty)?;
        let Some(want) = register_type(ty) else {
            return fail(
                operand.span,
                format!("a value of `{ty}` does not fit into a register"),
            );
        };
        if have == want {
            return Ok(value);
        }
        if have < want || have == Ty::Pred || want == Ty::Pred {
            return fail(
                operand.span,
                format!("the operand is {have}; the instruction expects {want}"),
            );
        }
        Ok(self.resize(value, have, want, false))
    }

    /// Returns an operand's value and width; constants have the width of `ty`.
    pub fn value_of_any_width(
        &mut self,
        operand: &ast::Operand,
        ty: ScalarType,
    ) -> Result<(Operand, Ty)> {
        let span = operand.span;
        let Some(want) = register_type(ty) else {
            return fail(
                span,
                format!("a value of `{ty}` does not fit into a register"),
            );
        };
        let value = match &operand.kind {
            OperandKind::Register(name) => {
                let reg = self.register(name, span)?;
                return Ok((Operand::Reg(reg), self.ty(reg)));
            }
            OperandKind::Selected { register, selector } => {
                let reg = self.component(register, selector, span)?;
                return Ok((Operand::Reg(reg), self.ty(reg)));
            }
            OperandKind::Special {
                register,
                component,
            } if ty.kind() != TypeKind::Float => {
                return self.special_register(*register, *component, want, span);
            }
            OperandKind::Integer { value, .. } => match ty {
                ScalarType::U16x2 | ScalarType::S16x2 => {
                    return fail(
                        span,
                        format!("the integer constant does not fit into `{ty}`"),
                    );
                }
                _ if ty.kind() == TypeKind::Float => {
                    return fail(
                        span,
                        format!("the integer constant does not fit into `{ty}`"),
                    );
                }
                _ if want == Ty::Pred => u64::from(*value != 0),
                _ if want == Ty::B128 => *value,
                _ => *value & want.mask(),
            },
            OperandKind::Float32(bits) => match ty {
                ScalarType::F32 | ScalarType::B32 => u64::from(*bits),
                ScalarType::F64 => f64::from(f32::from_bits(*bits)).to_bits(),
                _ => return fail(span, format!("an f32 constant cannot be used as `{ty}`")),
            },
            OperandKind::Float64(bits) => match ty {
                ScalarType::F32 => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                ScalarType::F64 | ScalarType::B64 => *bits,
                _ => return fail(span, format!("an f64 constant cannot be used as `{ty}`")),
            },
            OperandKind::Symbol { name, offset } if ty.kind() != TypeKind::Float => {
                if &**name == "WARP_SZ" {
                    u64::from(crate::env::WARP) & want.mask()
                } else {
                    return self.symbol_address(name, *offset, want, span);
                }
            }
            OperandKind::Negated(inner) if want == Ty::Pred => {
                let inner = self.value(inner, ty)?;
                return Ok((self.logic(PredOp::Not, &[inner]), Ty::Pred));
            }
            OperandKind::Special { register, .. } => {
                return fail(span, format!("`{register}` cannot be used as `{ty}`"));
            }
            OperandKind::Symbol { name, .. } => {
                return fail(
                    span,
                    format!("the address of `{name}` cannot be used as `{ty}`"),
                );
            }
            _ => return fail(span, "this operand is not a value"),
        };
        Ok((Operand::Imm(value), want))
    }

    /// Returns a predicate operand, `!p` included.
    pub fn pred(&mut self, i: &Instruction, n: usize) -> Result<Operand> {
        self.value(arg(i, n)?, ScalarType::Pred)
    }

    /// Returns `v.x` of a vector register.
    fn component(&self, register: &str, selector: &str, span: Span) -> Result<Reg> {
        let Entity::Regs { first, count } = self.resolve(register, span)? else {
            return fail(span, format!("`{register}` is not a register"));
        };
        let at = ["x", "y", "z", "w"]
            .iter()
            .position(|s| *s == selector)
            .or_else(|| ["r", "g", "b", "a"].iter().position(|s| *s == selector));
        match at {
            Some(at) if at < usize::from(count) => Ok(Reg(first.0 + at as u32)),
            _ => fail(span, format!("`{register}` has no component `{selector}`")),
        }
    }

    /// Returns operand `n` as a destination of exactly that type; `None` for `_`.
    pub fn dest(&self, i: &Instruction, n: usize, ty: Ty) -> Result<Dest> {
        self.dest_of(arg(i, n)?, ty)
    }

    pub fn dest_of(&self, operand: &ast::Operand, ty: Ty) -> Result<Dest> {
        let Some(reg) = self.dest_of_any_width(operand)? else {
            return Ok(None);
        };
        let have = self.ty(reg);
        if have == ty {
            return Ok(Some(reg));
        }
        fail(
            operand.span,
            format!("the destination is {have}; the instruction writes {ty}"),
        )
    }

    pub fn dest_of_any_width(&self, operand: &ast::Operand) -> Result<Dest> {
        match &operand.kind {
            OperandKind::Register(name) => self.register(name, operand.span).map(Some),
            OperandKind::Selected { register, selector } => {
                self.component(register, selector, operand.span).map(Some)
            }
            OperandKind::Sink => Ok(None),
            _ => fail(operand.span, "the destination is not a register"),
        }
    }

    /// Returns the destinations of `d|p`, or of `d` alone.
    pub fn dest_pair(&self, operand: &ast::Operand, a: Ty, b: Ty) -> Result<[Dest; 2]> {
        match &operand.kind {
            OperandKind::Pair(x, y) => Ok([self.dest_of(x, a)?, self.dest_of(y, b)?]),
            _ => Ok([self.dest_of(operand, a)?, None]),
        }
    }

    /// Writes the result of `op` to operand 0, which has exactly its type.
    pub fn put(&mut self, i: &Instruction, op: Op, args: &[Operand]) -> Result<()> {
        let dest = self.dest(i, 0, op.signature().result)?;
        if let Some(reg) = dest {
            self.op_into(reg, op, args);
        }
        Ok(())
    }

    /// Writes a value of type `ty` to operand 0.
    pub fn put_value(&mut self, i: &Instruction, ty: Ty, value: Operand) -> Result<()> {
        self.put(i, Op::Mov(ty), &[value])
    }

    /// Writes a value to a destination.
    pub fn assign(&mut self, dest: Dest, ty: Ty, value: Operand) {
        if let Some(reg) = dest {
            self.op_into(reg, Op::Mov(ty), &[value]);
        }
    }

    /// Returns the registers of a vector operand: `{a, b}`, a vector register, or a single register.
    pub fn vector_dests(&self, operand: &ast::Operand, count: usize) -> Result<Vec<Dest>> {
        let dests = match &operand.kind {
            OperandKind::Vector(list) => list
                .iter()
                .map(|o| self.dest_of_any_width(o))
                .collect::<Result<Vec<_>>>()?,
            OperandKind::Register(name) => match self.resolve(name, operand.span)? {
                Entity::Regs { first, count } => (0..u32::from(count))
                    .map(|k| Some(Reg(first.0 + k)))
                    .collect(),
                _ => return fail(operand.span, format!("`{name}` is not a register")),
            },
            _ => vec![self.dest_of_any_width(operand)?],
        };
        if dests.len() == count {
            return Ok(dests);
        }
        fail(
            operand.span,
            format!("{} registers; expected {count}", dests.len()),
        )
    }

    /// Returns the values of a vector operand, each at least as wide as `ty`.
    pub fn vector_values(
        &mut self,
        operand: &ast::Operand,
        count: usize,
        ty: ScalarType,
    ) -> Result<Vec<(Operand, Ty)>> {
        let want = register_type(ty).unwrap_or(Ty::B32);
        let values = match &operand.kind {
            OperandKind::Vector(list) => list
                .iter()
                .map(|o| self.value_of_any_width(o, ty))
                .collect::<Result<Vec<_>>>()?,
            OperandKind::Register(name) => match self.resolve(name, operand.span)? {
                Entity::Regs { first, count } => (0..u32::from(count))
                    .map(|k| {
                        let reg = Reg(first.0 + k);
                        (Operand::Reg(reg), self.ty(reg))
                    })
                    .collect(),
                _ => return fail(operand.span, format!("`{name}` is not a register")),
            },
            OperandKind::Special {
                register,
                component: None,
            } if register.is_vector() => [Component::X, Component::Y, Component::Z, Component::W]
                .into_iter()
                .take(count)
                .map(|c| self.special_register(*register, Some(c), want, operand.span))
                .collect::<Result<Vec<_>>>()?,
            _ => vec![self.value_of_any_width(operand, ty)?],
        };
        if values.len() == count {
            return Ok(values);
        }
        fail(
            operand.span,
            format!("{} values; expected {count}", values.len()),
        )
    }

    /// Returns a symbol's address as a value: an offset for window spaces, else a host address.
    fn symbol_address(
        &mut self,
        name: &str,
        offset: i64,
        want: Ty,
        span: Span,
    ) -> Result<(Operand, Ty)> {
        if !matches!(want, Ty::B32 | Ty::B64) {
            return fail(
                span,
                format!("the address of `{name}` does not fit into {want}"),
            );
        }
        let value = match self.resolve(name, span)? {
            Entity::Shared(at) | Entity::Param(at) => {
                Operand::Imm(u64::from(at).wrapping_add_signed(offset) & want.mask())
            }
            Entity::Local(at) => {
                let bits = u64::from(at).wrapping_add_signed(offset);
                let frame = Operand::Reg(self.frame);
                let at = self.int(IntOp::Add, Ty::B64, &[frame, Operand::Imm(bits)]);
                self.resize(at, Ty::B64, want, false)
            }
            Entity::Variable(variable) => {
                let at = self.variable_address(variable);
                let at = match offset {
                    0 => at,
                    _ => self.int(IntOp::Add, Ty::B64, &[at, Operand::Imm(offset as u64)]),
                };
                self.resize(at, Ty::B64, want, false)
            }
            Entity::Function(f) if f.is_entry() => {
                let Some(handle) = self.cx.program.kernel_handle(&f.name) else {
                    return fail(span, format!("kernel `{name}` has no body in this module"));
                };
                if want != Ty::B64 || offset != 0 {
                    return fail(
                        span,
                        format!("the address of kernel `{name}` is a whole 64-bit value"),
                    );
                }
                Operand::Imm(handle)
            }
            Entity::Function(f) => {
                let Some(func) = self.cx.program.function_id(&f.name) else {
                    return fail(
                        span,
                        format!("function `{name}` is not defined in this module"),
                    );
                };
                let dst = self.temp(Ty::B64);
                self.emit(Inst::FunctionAddress { dst, func });
                self.resize(Operand::Reg(dst), Ty::B64, want, false)
            }
            Entity::Slot(_) => {
                return fail(span, format!("the address of `{name}` cannot be taken"));
            }
            _ => return fail(span, format!("`{name}` has no address")),
        };
        Ok((value, want))
    }

    pub fn variable_address(&mut self, variable: u32) -> Operand {
        let dst = self.temp(Ty::B64);
        self.emit(Inst::SymbolAddress { dst, variable });
        Operand::Reg(dst)
    }

    /// Returns operand `n`, `[…]`, as an address in `space` (generic if `None`).
    pub fn address(
        &mut self,
        i: &Instruction,
        n: usize,
        space: Option<StateSpace>,
    ) -> Result<Address> {
        let operand = arg(i, n)?;
        self.address_of(operand, space)
    }

    pub fn address_of(
        &mut self,
        operand: &ast::Operand,
        space: Option<StateSpace>,
    ) -> Result<Address> {
        let span = operand.span;
        let (base, offset) = match &operand.kind {
            OperandKind::Address { base, offset } => (base, *offset),
            _ => return fail(span, "expected an address in brackets"),
        };
        let named = match space {
            None | Some(StateSpace::Global | StateSpace::Const) => Space::Flat,
            // A name in `.shared::cluster` is the block's own variable.
            Some(StateSpace::Shared | StateSpace::SharedCluster) => Space::Shared,
            Some(StateSpace::Local) => Space::Local,
            Some(StateSpace::Param) => Space::Param,
            Some(other) => return fail(span, format!("`{other}` cannot be accessed")),
        };
        match base {
            AddressBase::Absolute => Ok(Address {
                space: named,
                base: Operand::Imm(0),
                offset,
            }),
            AddressBase::Register(name) => {
                let reg = self.register(name, span)?;
                let ty = self.ty(reg);
                if !matches!(ty, Ty::B32 | Ty::B64) {
                    return fail(
                        span,
                        format!("an address must be b32 or b64; `{name}` is {ty}"),
                    );
                }
                let mut base = Operand::Reg(reg);
                if space == Some(StateSpace::SharedCluster) {
                    return Ok(Address {
                        space: Space::Flat,
                        base: self.cluster_address(base, ty),
                        offset,
                    });
                }
                // The address of a device function's parameter is in local memory.
                let space = if named == Space::Param && !self.is_kernel {
                    Space::Local
                } else {
                    named
                };
                if space == Space::Flat {
                    base = self.resize(base, ty, Ty::B64, false);
                }
                Ok(Address {
                    space,
                    base,
                    offset,
                })
            }
            AddressBase::Symbol(name) => {
                let (own, at) = match self.resolve(name, span)? {
                    Entity::Shared(at) => (Space::Shared, at),
                    Entity::Local(at) => (Space::Local, at),
                    Entity::Param(at) => (Space::Param, at),
                    Entity::Slot(slot) => (Space::Slot(slot), 0),
                    Entity::Variable(variable) => {
                        let own = match self.cx.program.variables()[variable as usize].space {
                            VarSpace::Global => space.is_none_or(|s| s == StateSpace::Global),
                            VarSpace::Const => space == Some(StateSpace::Const),
                        };
                        if !own {
                            return fail(span, format!("`{name}` is in another state space"));
                        }
                        let base = self.variable_address(variable);
                        return Ok(Address {
                            space: Space::Flat,
                            base,
                            offset,
                        });
                    }
                    _ => return fail(span, format!("`{name}` is not a variable")),
                };
                let fits = match own {
                    Space::Slot(_) => named == Space::Param,
                    Space::Shared | Space::Local if space.is_none() => true,
                    Space::Local => matches!(named, Space::Local | Space::Param),
                    own => own == named,
                };
                if !fits {
                    return fail(span, format!("`{name}` is in another state space"));
                }
                Ok(Address {
                    space: own,
                    base: Operand::Imm(0),
                    offset: i64::from(at).wrapping_add(offset),
                })
            }
        }
    }

    /// Returns the value of a special register, and its width.
    fn special_register(
        &mut self,
        register: SpecialRegister,
        component: Option<Component>,
        want: Ty,
        span: Span,
    ) -> Result<(Operand, Ty)> {
        use SpecialRegister as S;
        let axis = match (register.is_vector(), component) {
            (true, Some(Component::W)) => return Ok((Operand::Imm(0), want)),
            (true, Some(c)) => c.index() as u8,
            (true, None) => {
                return fail(span, format!("`{register}` needs a component such as `.x`"));
            }
            (false, _) => 0,
        };
        let special = match register {
            S::Tid => Special::Tid(axis),
            S::NTid => Special::Ntid(axis),
            S::CtaId => Special::Ctaid(axis),
            S::NCtaId => Special::Nctaid(axis),
            S::LaneId => Special::LaneId,
            S::WarpId => Special::WarpId,
            S::NWarpId => Special::NWarpId,
            S::SmId => Special::SmId,
            S::NSmId => Special::NSmId,
            S::GridId => Special::GridId,
            S::LaneMaskEq => Special::LaneMaskEq,
            S::LaneMaskLt => Special::LaneMaskLt,
            S::LaneMaskLe => Special::LaneMaskLe,
            S::LaneMaskGt => Special::LaneMaskGt,
            S::LaneMaskGe => Special::LaneMaskGe,
            S::Clock => Special::Clock,
            S::Clock64 | S::ClockHi => Special::Clock64,
            S::GlobalTimer | S::GlobalTimerLo | S::GlobalTimerHi => Special::GlobalTimer,
            S::DynamicSmemSize => Special::DynamicSharedSize,
            S::TotalSmemSize | S::AggrSmemSize => Special::TotalSharedSize,
            S::EnvReg(n) => Special::EnvReg(n),
            S::IsExplicitCluster => Special::ExplicitCluster,
            S::ClusterId
            | S::NClusterId
            | S::ClusterCtaId
            | S::ClusterNCtaId
            | S::ClusterCtaRank
            | S::ClusterNCtaRank => match self.cluster_register(register, axis) {
                Some(value) if want != Ty::Pred => {
                    return Ok((self.resize(value, Ty::B32, want, false), want));
                }
                _ => return fail(span, format!("`{register}` is not a predicate")),
            },
            S::ReservedSmemOffsetEnd | S::ReservedSmemOffsetCap => {
                return Ok((Operand::Imm(u64::from(RESERVED)), want));
            }
            S::CurrentGraphExec => {
                let dst = self.temp(Ty::B64);
                self.emit(Inst::Syscall {
                    dst: Some(dst),
                    call: Syscall::Runtime(RuntimeCall::CurrentGraph),
                    args: Vec::new(),
                });
                return Ok((Operand::Reg(dst), want));
            }
            // There are no performance counters, and reserved memory begins at 0.
            S::Pm(_)
            | S::Pm64(_)
            | S::ReservedSmemOffsetBegin
            | S::ReservedSmemOffset0
            | S::ReservedSmemOffset1 => return Ok((Operand::Imm(0), want)),
        };
        if register == S::IsExplicitCluster && want == Ty::Pred {
            let flag = self.special(Special::ExplicitCluster);
            let set = Op::Compare {
                cmp: crate::ir::Cmp::Ne,
                num: Num::U(Ty::B32),
                ftz: false,
            };
            return Ok((self.op(set, &[flag, Operand::Imm(0)]), want));
        }
        let value = self.special(special);
        let value = match register {
            S::ClockHi | S::GlobalTimerHi => {
                self.int(IntOp::ShrU, Ty::B64, &[value, Operand::Imm(32)])
            }
            // In units of 128 bytes.
            S::TotalSmemSize => {
                let value = self.int(IntOp::Add, Ty::B32, &[value, Operand::Imm(127)]);
                self.int(
                    IntOp::And,
                    Ty::B32,
                    &[value, Operand::Imm(!127 & 0xffff_ffff)],
                )
            }
            _ => value,
        };
        if want == Ty::Pred {
            return fail(span, format!("`{register}` is not a predicate"));
        }
        // Old code reads `%tid` as 16 bits and `%clock64` as 32.
        Ok((self.resize(value, special.ty(), want, false), want))
    }
}
