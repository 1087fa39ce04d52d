//! Type checks of operands: the registers and constants that may stand in a place, by its type.

use super::symbols::{Register, Symbol};
use crate::ast::{Modifiers, Opcode, Operand, OperandKind, ScalarType, SpecialRegister, TypeKind};
use crate::isa::{OperandClass, OperandSlot, OperandType};

/// Checks one operand. `names` gives the symbol of a name; a name without one is reported elsewhere.
pub(super) struct Typing<'a> {
    pub(super) opcode: Opcode,
    pub(super) modifiers: &'a Modifiers,
    pub(super) names: &'a dyn Fn(&str) -> Option<Symbol>,
}

impl Typing<'_> {
    /// The error in the operand's type, if there is one.
    pub(super) fn wrong(&self, slot: &OperandSlot, operand: &Operand) -> Option<String> {
        let types = self.modifiers.types();
        let want = match (slot.ty, slot.ty.among(types)) {
            (OperandType::Pointer, _) => return self.wrong_pointer(operand),
            // Truth values in this format are taken for integers.
            (_, Some(ScalarType::Bf16)) if self.opcode == Opcode::Set && !is_source(slot) => {
                ScalarType::U16
            }
            (_, Some(want)) => want,
            (_, None) => return None,
        };
        match &operand.kind {
            OperandKind::Vector(list) => {
                let loose = matches!(slot.ty, OperandType::AtLeast(_));
                let count = usize::from(self.modifiers.vector().unwrap_or(1));
                // `mov.b32 d, {a, b}` puts smaller registers together.
                let each = match (self.opcode, count) {
                    (Opcode::Mov, 1) => match part(want.bits(), list.len()) {
                        Some(part) => part,
                        None => {
                            return Some(format!(
                                "a `{want}` cannot be split into {} parts",
                                list.len()
                            ));
                        }
                    },
                    _ => want,
                };
                if count != list.len() && self.opcode != Opcode::Mov {
                    return Some(format!("it has {} parts, expected {count}", list.len()));
                }
                let ty = match loose {
                    true => slot.ty,
                    false => OperandType::Is(each),
                };
                let inner = OperandSlot { ty, ..*slot };
                list.iter().find_map(|o| self.wrong_value(&inner, each, o))
            }
            OperandKind::Pair(a, b) => {
                let pred = OperandType::Is(ScalarType::Pred);
                let second = OperandSlot { ty: pred, ..*slot };
                self.wrong_value(slot, want, a)
                    .or_else(|| self.wrong_value(&second, ScalarType::Pred, b))
            }
            _ if self.lacks_vector(slot, operand) => {
                let count = self.modifiers.vector().unwrap_or(1);
                Some(format!("expected {count} registers in braces"))
            }
            _ => self.wrong_value(slot, want, operand),
        }
    }

    /// True if a single register stands where a vector belongs.
    fn lacks_vector(&self, slot: &OperandSlot, operand: &Operand) -> bool {
        let wanted = self.modifiers.vector().unwrap_or(1);
        if wanted == 1 || !self.takes_vectors(slot) {
            return false;
        }
        match &operand.kind {
            OperandKind::Register(name) => self.register(name).is_some_and(|r| r.vector != wanted),
            OperandKind::Special { register, .. } => !register.is_vector(),
            _ => true,
        }
    }

    /// The error in the type of an operand that is not a vector in braces.
    fn wrong_value(
        &self,
        slot: &OperandSlot,
        want: ScalarType,
        operand: &Operand,
    ) -> Option<String> {
        let constant = |what: &str| Some(format!("{what}, expected a `{want}`"));
        let is = |name: &str, what: String| {
            let wanted = slot.ty.describe(want);
            Some(format!("`{name}` is {what}, expected {wanted}"))
        };
        match &operand.kind {
            OperandKind::Register(name) => match self.register(name)? {
                // A vector register stands for its elements.
                Register { vector, ty } if vector > 1 && self.takes_vectors(slot) => {
                    let wanted = self.modifiers.vector().unwrap_or(1);
                    let whole =
                        self.opcode == Opcode::Mov && ty.bits() * u32::from(vector) == want.bits();
                    match vector == wanted || whole {
                        true => None,
                        false => is(name, format!("a `.v{vector} {ty}`")),
                    }
                }
                Register { vector: 1, ty } if slot.ty.takes(want, ty) => None,
                Register { vector: 1, ty } => is(name, format!("a `{ty}`")),
                Register { vector, ty } => is(name, format!("a `.v{vector} {ty}`")),
            },
            OperandKind::Selected { register, selector } => {
                let Register { ty, vector } = self.register(register)?;
                match component(selector) {
                    Some(at) if at < vector => {}
                    _ => return Some(format!("`{register}` has no part `.{selector}`")),
                }
                match slot.ty.takes(want, ty) {
                    true => None,
                    false => is(register, format!("a vector of `{ty}`")),
                }
            }
            OperandKind::Integer { value, .. } if matches!(slot.ty, OperandType::Limited(limit) if !limit.allows(*value)) =>
            {
                let OperandType::Limited(limit) = slot.ty else {
                    return None;
                };
                Some(format!("the constant is {}", limit.describe()))
            }
            OperandKind::Integer { .. } if want.is_float() => constant("an integer constant"),
            OperandKind::Integer { .. }
                if matches!(want, ScalarType::U16x2 | ScalarType::S16x2) =>
            {
                constant("an integer constant")
            }
            OperandKind::Float32(_) => match want {
                ScalarType::F32 | ScalarType::F64 | ScalarType::B32 => None,
                _ => constant("a floating-point constant of 32 bits"),
            },
            OperandKind::Float64(_) => match want {
                ScalarType::F32 | ScalarType::F64 | ScalarType::B64 => None,
                _ => constant("a floating-point constant"),
            },
            OperandKind::Special {
                register,
                component,
            } => self.wrong_special(slot, want, *register, component.is_some()),
            OperandKind::Symbol { name, .. } => {
                let integer = want.is_integer() || want.kind() == TypeKind::Bits;
                (!integer).then(|| format!("the address of `{name}`, expected a `{want}`"))
            }
            OperandKind::Negated(inner) if want == ScalarType::Pred => {
                self.wrong_value(slot, want, inner)
            }
            OperandKind::Negated(_) => Some("`!` stands before predicates only".into()),
            OperandKind::Minus(inner) => self.wrong_value(slot, want, inner),
            _ => None,
        }
    }

    /// Special registers are of their own size; the extents and indices once had 16 bits.
    fn wrong_special(
        &self,
        slot: &OperandSlot,
        want: ScalarType,
        register: SpecialRegister,
        component: bool,
    ) -> Option<String> {
        if register.is_vector() && !component {
            return (!moves(slot)).then(|| format!("`{register}` is a vector"));
        }
        let integer = want.is_integer() || want.kind() == TypeKind::Bits;
        let fits = match slot.class {
            OperandClass::Converted => want.bits() <= register.bits().max(32) && want.is_integer(),
            _ if register.bits() == 1 => want == ScalarType::Pred || want.bits() == 32,
            _ => integer && (want.bits() == register.bits() || want.bits() == 16 && component),
        };
        (!fits).then(|| {
            let is = match want.is_float() {
                true => "is an integer".to_string(),
                false => format!("has {} bits", register.bits()),
            };
            format!("`{register}` {is}, expected a `{want}`")
        })
    }

    fn wrong_pointer(&self, operand: &Operand) -> Option<String> {
        let name = match &operand.kind {
            OperandKind::Register(name) => name,
            OperandKind::Integer { .. } => return None,
            _ => return Some("an address is an integer".into()),
        };
        let ty = self.register(name)?.ty;
        let integer = ty.is_integer() || ty.kind() == TypeKind::Bits;
        (!integer || !matches!(ty.bits(), 32 | 64))
            .then(|| format!("`{name}` is a `{ty}` register"))
    }

    fn takes_vectors(&self, slot: &OperandSlot) -> bool {
        use OperandClass as C;
        matches!(slot.class, C::Vector | C::DestinationVector | C::Moved)
    }

    fn register(&self, name: &str) -> Option<Register> {
        match (self.names)(name)? {
            Symbol::Register(register) => Some(register),
            _ => None,
        }
    }
}

fn is_source(slot: &OperandSlot) -> bool {
    slot.class == OperandClass::Source
}

fn moves(slot: &OperandSlot) -> bool {
    slot.class == OperandClass::Moved
}

/// The element of a vector register that a selector names.
fn component(selector: &str) -> Option<u8> {
    ["x", "y", "z", "w", "r", "g", "b", "a"]
        .iter()
        .position(|s| *s == selector)
        .map(|at| at as u8 % 4)
}

/// The bits of one of `n` parts; `None` if there are no such parts.
fn part(bits: u32, n: usize) -> Option<ScalarType> {
    match bits
        .checked_div(n as u32)
        .filter(|b| b * n as u32 == bits)?
    {
        8 => Some(ScalarType::B8),
        16 => Some(ScalarType::B16),
        32 => Some(ScalarType::B32),
        64 => Some(ScalarType::B64),
        128 => Some(ScalarType::B128),
        _ => None,
    }
}
