//! Comparisons.

use super::float::to_f64;
use super::int::sign_extend;
use super::soft::Format;
use crate::ir::{Cmp, Num};
use std::cmp::Ordering;

/// Tells whether `a cmp b` holds. For integers the unordered forms are the same as the plain ones.
pub(super) fn eval(cmp: Cmp, num: Num, ftz: bool, a: u64, b: u64) -> bool {
    let order = match num {
        Num::U(_) => Some(a.cmp(&b)),
        Num::S(ty) => Some(sign_extend(a, ty.bits()).cmp(&sign_extend(b, ty.bits()))),
        Num::F(float) => {
            let number = |x| to_f64(float, if ftz { Format::of(float).flush(x) } else { x });
            number(a).partial_cmp(&number(b))
        }
    };
    let holds = |test: fn(Ordering) -> bool| order.map(test);
    match cmp {
        Cmp::Eq => holds(Ordering::is_eq).unwrap_or(false),
        Cmp::Ne => holds(Ordering::is_ne).unwrap_or(false),
        Cmp::Lt => holds(Ordering::is_lt).unwrap_or(false),
        Cmp::Le => holds(Ordering::is_le).unwrap_or(false),
        Cmp::Gt => holds(Ordering::is_gt).unwrap_or(false),
        Cmp::Ge => holds(Ordering::is_ge).unwrap_or(false),
        Cmp::EqU => holds(Ordering::is_eq).unwrap_or(true),
        Cmp::NeU => holds(Ordering::is_ne).unwrap_or(true),
        Cmp::LtU => holds(Ordering::is_lt).unwrap_or(true),
        Cmp::LeU => holds(Ordering::is_le).unwrap_or(true),
        Cmp::GtU => holds(Ordering::is_gt).unwrap_or(true),
        Cmp::GeU => holds(Ordering::is_ge).unwrap_or(true),
        Cmp::Num => order.is_some(),
        Cmp::Nan => order.is_none(),
    }
}
