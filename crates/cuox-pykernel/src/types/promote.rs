//! The types of results: Numba's rules (Numba reference, *Numbers*; NumPy's promotion where floats meet integers).

use super::{FLOAT64, INT64, Layout, Type, UINT64};

/// The type that arithmetic on two integers has: 64 bits, signed if one of them is.
pub fn integers(left: &Type, right: &Type) -> Type {
    if is_unsigned(left) && is_unsigned(right) {
        UINT64
    } else {
        INT64
    }
}

fn is_unsigned(ty: &Type) -> bool {
    ty.is_unsigned()
}

/// The type that holds a number of each of two types.
pub fn numbers(left: &Type, right: &Type) -> Option<Type> {
    Some(match (left, right) {
        (a, b) if a == b && a.is_number() => a.clone(),
        (a, b) if a.is_integral() && b.is_integral() => integers_unified(a, b),
        (Type::Complex(a), Type::Complex(b)) => Type::Complex(*a.max(b)),
        (Type::Complex(a), b) | (b, Type::Complex(a)) => {
            if *a == 128 || float_bits(b)? > 32 {
                Type::Complex(128)
            } else {
                Type::Complex(64)
            }
        }
        (Type::Float(a), Type::Float(b)) => Type::Float(*a.max(b)),
        (Type::BFloat16, Type::Float(16)) | (Type::Float(16), Type::BFloat16) => Type::Float(32),
        (Type::BFloat16, Type::Float(b)) | (Type::Float(b), Type::BFloat16) => Type::Float(*b),
        (float, integer) | (integer, float) if float.is_float() && integer.is_integral() => {
            match (float, float_bits(integer)?) {
                (float, 16) => float.clone(),
                (Type::Float(64), _) | (_, 64) => FLOAT64,
                _ => Type::Float(32),
            }
        }
        _ => return None,
    })
}

/// The bits of the smallest float that holds a number of this type, with 64 for integers of 32 and 64 bits.
fn float_bits(ty: &Type) -> Option<u8> {
    Some(match ty {
        Type::Bool | Type::Int { bits: 8, .. } | Type::Float(16) | Type::BFloat16 => 16,
        // Numba's table of conversions takes no uint16 for a float32.
        Type::Int {
            bits: 16,
            signed: true,
        }
        | Type::Float(32) => 32,
        Type::Int { .. } | Type::Float(_) => 64,
        _ => return None,
    })
}

/// The type of a variable that has an integer of either type, by the way that was taken. Signed and unsigned ones of 64
/// bits meet in float64.
fn integers_unified(left: &Type, right: &Type) -> Type {
    let (a, b) = match (left, right) {
        (Type::Bool, other) | (other, Type::Bool) => return other.clone(),
        (
            Type::Int {
                bits: a,
                signed: is_signed,
            },
            Type::Int {
                bits: b,
                signed: other,
            },
        ) => {
            if is_signed == other {
                return Type::Int {
                    bits: *a.max(b),
                    signed: *is_signed,
                };
            }
            if *is_signed { (*a, *b) } else { (*b, *a) }
        }
        _ => return INT64,
    };
    // a: the signed one, b: the unsigned one, which needs one bit more.
    match b {
        8 => Type::int(a.max(16)),
        16 => Type::int(a.max(32)),
        32 => INT64,
        _ => FLOAT64,
    }
}

/// The type of a variable that has a value of either type, by the way that was taken. `None`: there is none.
pub fn unify(left: &Type, right: &Type) -> Option<Type> {
    if left == right {
        return Some(left.clone());
    }
    match (left, right) {
        (Type::Never, other) | (other, Type::Never) => Some(other.clone()),
        (Type::Array(a), Type::Array(b)) => {
            if a.element != b.element || a.ndim != b.ndim {
                return None;
            }
            let layout = if a.layout == b.layout {
                a.layout
            } else {
                Layout::A
            };
            Some(Type::array(
                a.element.clone(),
                a.ndim,
                layout,
                a.mutable && b.mutable,
            ))
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            if a.items.len() != b.items.len() || a.names != b.names {
                return None;
            }
            let mut tuple = (**a).clone();
            for (item, other) in tuple.items.iter_mut().zip(&b.items) {
                *item = unify(item, other)?;
            }
            Some(Type::Tuple(tuple.into()))
        }
        (a, b) if a.is_number() && b.is_number() => numbers(a, b),
        _ => None,
    }
}

/// True if a value of one type can be stored as one of the other. Numbers can, but for complex ones into real ones.
pub fn converts(from: &Type, to: &Type) -> bool {
    if from == to || matches!(from, Type::Never) {
        return true;
    }
    match (from, to) {
        (a, b) if a.is_number() && b.is_number() => !a.is_complex() || b.is_complex(),
        (Type::Array(a), Type::Array(b)) => {
            a.element == b.element
                && a.ndim == b.ndim
                && (a.layout == b.layout || b.layout == Layout::A)
                && (a.mutable || !b.mutable)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.items.len() == b.items.len()
                && a.items.iter().zip(&b.items).all(|(a, b)| converts(a, b))
        }
        (Type::Time { .. }, Type::Time { .. }) => false,
        (Type::Time { .. }, Type::Int { bits: 64, .. })
        | (Type::Int { .. }, Type::Time { .. })
        | (Type::Array(_), Type::Pointer(_)) => true,
        (Type::Chars { unicode: a, .. }, Type::Chars { unicode: b, .. }) => a == b,
        _ => false,
    }
}
