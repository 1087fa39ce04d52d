//! Comparisons.

use crate::ir::{Cmp, Float, Num, Ty};
use crate::jit::emit::ops::{f16, float};
use crate::jit::emit::value::{Emit, Lanes};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Emits inline code for a comparison, if there is any.
pub fn emit(e: &mut Emit, cmp: Cmp, num: Num, ftz: bool, args: &[Lanes]) -> Option<Lanes> {
    match num {
        Num::F(ty @ (Float::F32 | Float::F64)) => float_compare(e, cmp, ty, ftz, args),
        Num::F(_) if ftz => None,
        Num::F(ty) => {
            let singles =
                [args[0], args[1]].map(|a| e.map1(a, Ty::B32, |e, x| f16::to_f32(e, ty, x)));
            float_compare(e, cmp, Float::F32, false, &singles)
        }
        Num::S(ty) | Num::U(ty) => {
            let code = int_code(cmp, num.is_signed())?;
            let (mut a, mut b) = (args[0], args[1]);
            if ty.bits() < 32 && num.is_signed() {
                let drop = i64::from(32 - ty.bits());
                for v in [&mut a, &mut b] {
                    *v = e.map1(*v, Ty::B32, |e, x| {
                        let up = e.b.ins().ishl_imm_u(x, drop);
                        e.b.ins().sshr_imm_u(up, drop)
                    });
                }
            }
            Some(compare_ints(e, code, a, b))
        }
    }
}

/// Compares integer values of one representation.
pub fn compare_ints(e: &mut Emit, code: IntCC, a: Lanes, b: Lanes) -> Lanes {
    let mut masks = [a.one(); 4];
    for (i, mask) in masks.iter_mut().enumerate().take(a.parts().len()) {
        let (mut x, mut y, mut code) = (a.parts()[i], b.parts()[i], code);
        // Vectors have no unsigned comparison of 64-bit lanes: flip the sign bits and compare signed.
        if e.b.func.dfg.value_type(x) == types::I64X2 && code != code.unsigned() {
            // The comparison is signed already.
        } else if e.b.func.dfg.value_type(x) == types::I64X2
            && !matches!(code, IntCC::Equal | IntCC::NotEqual)
        {
            let sign = e.vconst64([i64::MIN; 2]);
            x = e.b.ins().bxor(x, sign);
            y = e.b.ins().bxor(y, sign);
            code = signed(code);
        }
        *mask = e.b.ins().icmp(code, x, y);
    }
    e.pred_of(&masks[..a.parts().len()], a.wide)
}

fn signed(code: IntCC) -> IntCC {
    match code {
        IntCC::UnsignedLessThan => IntCC::SignedLessThan,
        IntCC::UnsignedLessThanOrEqual => IntCC::SignedLessThanOrEqual,
        IntCC::UnsignedGreaterThan => IntCC::SignedGreaterThan,
        IntCC::UnsignedGreaterThanOrEqual => IntCC::SignedGreaterThanOrEqual,
        other => other,
    }
}

/// Returns the condition code of an integer comparison.
pub fn int_code(cmp: Cmp, signed: bool) -> Option<IntCC> {
    Some(match (cmp, signed) {
        (Cmp::Eq, _) => IntCC::Equal,
        (Cmp::Ne, _) => IntCC::NotEqual,
        (Cmp::Lt, true) => IntCC::SignedLessThan,
        (Cmp::Le, true) => IntCC::SignedLessThanOrEqual,
        (Cmp::Gt, true) => IntCC::SignedGreaterThan,
        (Cmp::Ge, true) => IntCC::SignedGreaterThanOrEqual,
        (Cmp::Lt, false) => IntCC::UnsignedLessThan,
        (Cmp::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (Cmp::Gt, false) => IntCC::UnsignedGreaterThan,
        (Cmp::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
        _ => return None,
    })
}

fn float_compare(e: &mut Emit, cmp: Cmp, ty: Float, ftz: bool, args: &[Lanes]) -> Option<Lanes> {
    let code = match cmp {
        Cmp::Eq => FloatCC::Equal,
        Cmp::Ne => FloatCC::OrderedNotEqual,
        Cmp::Lt => FloatCC::LessThan,
        Cmp::Le => FloatCC::LessThanOrEqual,
        Cmp::Gt => FloatCC::GreaterThan,
        Cmp::Ge => FloatCC::GreaterThanOrEqual,
        Cmp::EqU => FloatCC::UnorderedOrEqual,
        Cmp::NeU => FloatCC::NotEqual,
        Cmp::LtU => FloatCC::UnorderedOrLessThan,
        Cmp::LeU => FloatCC::UnorderedOrLessThanOrEqual,
        Cmp::GtU => FloatCC::UnorderedOrGreaterThan,
        Cmp::GeU => FloatCC::UnorderedOrGreaterThanOrEqual,
        Cmp::Num => FloatCC::Ordered,
        Cmp::Nan => FloatCC::Unordered,
    };
    let n = args[0].parts().len();
    let mut masks = [args[0].one(); 4];
    for (i, mask) in masks.iter_mut().enumerate().take(n) {
        let mut xy: [Value; 2] = [args[0].parts()[i], args[1].parts()[i]];
        for v in &mut xy {
            if ftz && ty == Float::F32 {
                *v = float::flush(e, *v);
            }
            *v = float::as_float(e, *v);
        }
        *mask = match code {
            // Vectors lack these two comparisons. Each takes one comparison and its complement, or a pair.
            FloatCC::OrderedNotEqual => {
                let lt = e.b.ins().fcmp(FloatCC::LessThan, xy[0], xy[1]);
                let gt = e.b.ins().fcmp(FloatCC::GreaterThan, xy[0], xy[1]);
                e.b.ins().bor(lt, gt)
            }
            FloatCC::UnorderedOrEqual => {
                let un = e.b.ins().fcmp(FloatCC::Unordered, xy[0], xy[1]);
                let eq = e.b.ins().fcmp(FloatCC::Equal, xy[0], xy[1]);
                e.b.ins().bor(un, eq)
            }
            // AArch64's vectors lack these four; scalars, and x86-64, have them.
            FloatCC::UnorderedOrLessThan
            | FloatCC::UnorderedOrLessThanOrEqual
            | FloatCC::UnorderedOrGreaterThan
            | FloatCC::UnorderedOrGreaterThanOrEqual
                if cfg!(target_arch = "aarch64") && e.b.func.dfg.value_type(xy[0]).is_vector() =>
            {
                let opposite = e.b.ins().fcmp(code.complement(), xy[0], xy[1]);
                e.b.ins().bnot(opposite)
            }
            code => e.b.ins().fcmp(code, xy[0], xy[1]),
        };
    }
    Some(e.pred_of(&masks[..n], args[0].wide))
}
