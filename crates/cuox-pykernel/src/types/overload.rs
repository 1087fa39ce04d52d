//! Which of several signatures a call's arguments fit best: Numba's rules (Numba reference, *Dispatching*).

use super::{ArrayType, Type};

/// How far a type is from the one that is wanted. Fewer unsafe conversions are better, then fewer safe ones, then fewer
/// promotions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Exact,
    Promoted,
    Safe,
    Unsafe,
}

/// The signatures that arguments of these types fit best, by their numbers: none, one, or several that are equally
/// good.
pub fn best<'a>(declared: impl Iterator<Item = &'a [Type]>, given: &[Type]) -> Vec<usize> {
    let mut least = None;
    let mut found = Vec::new();
    for (index, types) in declared.enumerate() {
        let Some(rating) = rating(types, given) else {
            continue;
        };
        if least.is_none_or(|least| rating < least) {
            least = Some(rating);
            found.clear();
        }
        if least == Some(rating) {
            found.push(index);
        }
    }
    found
}

/// Counts of unsafe and safe conversions and of promotions.
fn rating(wanted: &[Type], given: &[Type]) -> Option<[usize; 3]> {
    if wanted.len() != given.len() {
        return None;
    }
    let mut counts = [0; 3];
    for (wanted, given) in wanted.iter().zip(given) {
        match rank(wanted, given)? {
            Rank::Exact => {}
            Rank::Promoted => counts[2] += 1,
            Rank::Safe => counts[1] += 1,
            Rank::Unsafe => counts[0] += 1,
        }
    }
    Some(counts)
}

fn rank(wanted: &Type, given: &Type) -> Option<Rank> {
    match (wanted, given) {
        (wanted, given) if wanted == given => Some(Rank::Exact),
        (Type::Array(wanted), Type::Array(given)) => takes(wanted, given).then_some(Rank::Safe),
        (Type::Pointer(_), Type::Array(_) | Type::Int { bits: 64, .. }) => Some(Rank::Unsafe),
        (wanted, given) if wanted.is_number() && given.is_number() => numbers(wanted, given),
        (wanted, given) => super::promote::converts(given, wanted).then_some(Rank::Safe),
    }
}

/// True if an array can be passed for another one: one of any strides takes all others, one that is only read those
/// that can be written. The sign of its integers may differ: Numba looks at no array's elements where there is one
/// signature.
fn takes(wanted: &ArrayType, given: &ArrayType) -> bool {
    use super::Layout;
    let same_element = match (&wanted.element, &given.element) {
        (Type::Int { bits, .. }, Type::Int { bits: given, .. }) => bits == given,
        (wanted, given) => wanted == given,
    };
    same_element
        && wanted.ndim == given.ndim
        && (wanted.layout == given.layout || wanted.layout == Layout::A)
        && (given.mutable || !wanted.mutable)
}

fn numbers(wanted: &Type, given: &Type) -> Option<Rank> {
    let by = |is_safe: bool, rank: Rank| Some(if is_safe { rank } else { Rank::Unsafe });
    match (wanted, given) {
        (Type::Complex(to), Type::Complex(from)) => by(to > from, Rank::Promoted),
        (Type::Complex(to), given) => by(holds(to / 2, given), Rank::Safe),
        (_, Type::Complex(_)) => None,
        (_, Type::Bool) => Some(Rank::Safe),
        (
            Type::Int { bits: to, signed },
            Type::Int {
                bits: from,
                signed: is_signed,
            },
        ) => match (signed, is_signed) {
            (a, b) if a == b => by(to > from, Rank::Promoted),
            (true, false) => by(to > from, Rank::Safe),
            _ => Some(Rank::Unsafe),
        },
        (Type::Float(to), Type::Float(from)) => by(to > from, Rank::Promoted),
        (Type::Float(to), Type::BFloat16) => by(*to >= 32, Rank::Promoted),
        (Type::Float(to), given) => by(holds(*to, given), Rank::Safe),
        _ => Some(Rank::Unsafe),
    }
}

/// True if a float of so many bits holds the numbers of a type, or nearly: 64 bits hold all, by Numba's table.
fn holds(bits: u8, given: &Type) -> bool {
    match given {
        Type::Bool => true,
        Type::Int { bits: of, .. } => bits == 64 || of * 2 <= bits,
        Type::Float(of) => *of <= bits,
        Type::BFloat16 => bits >= 32,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(codes: &str) -> Vec<Type> {
        let each = codes.split(';').map(|code| Type::parse(code).unwrap());
        each.collect()
    }

    fn chosen(declared: &[&str], given: &str) -> Vec<usize> {
        let declared: Vec<_> = declared.iter().map(|codes| types(codes)).collect();
        best(declared.iter().map(Vec::as_slice), &types(given))
    }

    #[test]
    fn fewer_unsafe_conversions_win() {
        let declared = ["float32;float32", "float64;float64", "int64;int64"];
        assert_eq!(chosen(&declared, "int64;float64"), [1]);
        assert_eq!(chosen(&declared, "int16;float32"), [0]);
        assert_eq!(chosen(&declared, "int32;int32"), [2]);
        assert_eq!(chosen(&declared, "float32;float64"), [1]);
        assert_eq!(chosen(&["int64;int64"], "float64;float32"), [0]);
    }

    #[test]
    fn equally_good_ones_are_all_found() {
        let declared = ["float32;float64", "float64;float32", "int64;int64"];
        assert_eq!(chosen(&declared, "float64;float64"), [0, 1]);
        assert_eq!(chosen(&declared, "complex64;float64"), []);
        assert_eq!(chosen(&declared, "float64"), []);
    }

    #[test]
    fn arrays_by_their_elements_and_order() {
        let any = ["array(int32,2,A)"];
        for given in ["array(int32,2,C)", "array(uint32,2,F)", "array(int32,2,A)"] {
            assert_eq!(chosen(&any, given), [0]);
        }
        for given in [
            "array(int64,2,C)",
            "array(int32,1,C)",
            "array(int32,2,C,ro)",
            "int32",
        ] {
            assert_eq!(chosen(&any, given), []);
        }
        assert_eq!(chosen(&["array(int32,1,C,ro)"], "array(int32,1,C)"), [0]);
        assert_eq!(chosen(&["array(int32,1,C)"], "array(int32,1,A)"), []);
        assert_eq!(chosen(&["ptr(int32)"], "int64"), [0]);
        assert_eq!(chosen(&["ptr(int32)"], "float64"), []);
    }

    #[test]
    fn numbers_are_ranked_as_in_numbas_table() {
        let rank = |wanted: &str, given: &str| rank(&types(wanted)[0], &types(given)[0]);
        for (wanted, given, expected) in [
            ("int8", "bool", Some(Rank::Safe)),
            ("int64", "int8", Some(Rank::Promoted)),
            ("int16", "uint8", Some(Rank::Safe)),
            ("uint16", "int8", Some(Rank::Unsafe)),
            ("int64", "uint64", Some(Rank::Unsafe)),
            ("int8", "int16", Some(Rank::Unsafe)),
            ("float16", "int8", Some(Rank::Safe)),
            ("float32", "int16", Some(Rank::Safe)),
            ("float32", "int32", Some(Rank::Unsafe)),
            ("float64", "int64", Some(Rank::Safe)),
            ("float64", "float16", Some(Rank::Promoted)),
            ("float32", "float64", Some(Rank::Unsafe)),
            ("int64", "float32", Some(Rank::Unsafe)),
            ("float32", "bfloat16", Some(Rank::Promoted)),
            ("bfloat16", "float32", Some(Rank::Unsafe)),
            ("complex64", "float32", Some(Rank::Safe)),
            ("complex64", "float64", Some(Rank::Unsafe)),
            ("complex128", "complex64", Some(Rank::Promoted)),
            ("float64", "complex64", None),
            ("int64", "none", None),
        ] {
            assert_eq!(rank(wanted, given), expected, "{wanted} of {given}");
        }
    }
}
