//! Wide code for pure operations. Operations without wide code are computed by [`crate::sem`], with one call for the
//! group.

pub(crate) mod atomics;
pub(crate) mod bits;
pub(crate) mod casts;
pub(crate) mod convert;
pub(crate) mod f16;
pub(crate) mod float;
pub(crate) mod image;
pub(crate) mod int;
pub(crate) mod sfu;
pub(crate) mod shuffle;

use crate::analysis::nan_payload::ignores_nan_payload;
use crate::ir::{Float, Op, Operand, PredOp, Round, Ty};
use crate::jit::avx512::forms::*;
use crate::jit::avx512::lower::{Lower, Result, Val};
use crate::jit::avx512::ops::f16::ResultModifiers;
use crate::jit::avx512::vcode::KOp;

impl Lower<'_> {
    /// Emits an operation.
    pub fn op(&mut self, op: Op, operands: &[Operand]) -> Result<Val> {
        let signature = op.signature();
        let mut cut = [Operand::Imm(0); 4];
        for ((to, &from), ty) in cut.iter_mut().zip(operands).zip(signature.args()) {
            *to = match from {
                Operand::Imm(bits) if *ty != Ty::B128 => Operand::Imm(bits & ty.mask()),
                other => other,
            };
        }
        let operands = &cut[..operands.len()];
        let canonicalize_nans = !ignores_nan_payload(op);
        if canonicalize_nans {
            for &operand in operands {
                if let Val::Words(_, true) = self.val(operand) {
                    self.words(operand)?;
                }
            }
        }
        if let Some(val) = self.inline(op, operands)? {
            return Ok(val);
        }
        self.call_eval(op, operands)
    }

    pub(crate) fn inline(&mut self, op: Op, x: &[Operand]) -> Result<Option<Val>> {
        Ok(match op {
            Op::Mov(Ty::Pred) => Some(Val::Mask(self.mask(x[0])?)),
            Op::Mov(Ty::B128) => None,
            Op::Mov(_) => Some(self.val(x[0])),
            Op::Int(op, ty) => {
                let val = match ty {
                    Ty::B32 => self.int32(op, x)?,
                    Ty::B64 => self.int64(op, x)?,
                    Ty::B16 => self.int16(op, x)?,
                    _ => None,
                };
                match val {
                    None => self.bits(op, ty, x)?,
                    val => val,
                }
            }
            Op::Float {
                op,
                ty: ty @ (Float::F32 | Float::F64),
                round,
                ftz,
                sat,
            } => self.float(op, ty, round, ftz && ty == Float::F32, sat, x)?,
            Op::Approx { op, ty, ftz } => self.approx(op, ty, ftz, x)?,
            Op::Convert(c) => match self.convert(c, x[0])? {
                None => self.cast(c, x[0])?,
                val => val,
            },
            Op::Compare { cmp, num, ftz } => self.compare(cmp, num, ftz, x)?.map(Val::Mask),
            Op::Select(Ty::Pred) => {
                let (p, a, b) = (self.mask(x[0])?, self.mask(x[1])?, self.mask(x[2])?);
                let yes = self.mask_op(KOp::And, p, a);
                let no = self.mask_op(KOp::AndNot, p, b);
                Some(Val::Mask(self.mask_op(KOp::Or, yes, no)))
            }
            Op::Select(Ty::B64) => {
                let p = self.mask(x[0])?;
                let yes = self.longs_src(x[1])?;
                let no = self.longs(x[2])?;
                let masks = [p, self.upper(p)];
                Some(Val::Longs([0, 1].map(|n| {
                    self.full(long(BLEND), Some(no[n]), yes[n], None, Some(masks[n]), None)
                })))
            }
            Op::Select(Ty::B128) => None,
            Op::Select(_) => {
                let p = self.mask(x[0])?;
                let noncanonical = [x[1], x[2]].map(|o| matches!(self.val(o), Val::Words(_, true)));
                let noncanonical = noncanonical[0] && noncanonical[1];
                let (no, yes) = if noncanonical {
                    (
                        self.noncanonical_words(x[2])?.0,
                        self.noncanonical_src(x[1])?,
                    )
                } else {
                    (self.words(x[2])?, self.words_src(x[1])?)
                };
                Some(Val::Words(
                    self.full(BLEND, Some(no), yes, None, Some(p), None),
                    noncanonical,
                ))
            }
            Op::Logic(op) => {
                let a = self.mask(x[0])?;
                Some(Val::Mask(match op {
                    PredOp::Not => {
                        let ones = self.mask(Operand::Imm(1))?;
                        self.mask_op(KOp::AndNot, a, ones)
                    }
                    _ => {
                        let b = self.mask(x[1])?;
                        let op = match op {
                            PredOp::And => KOp::And,
                            PredOp::Or => KOp::Or,
                            _ => KOp::Xor,
                        };
                        self.mask_op(op, a, b)
                    }
                }))
            }
            Op::PredToInt => {
                let p = self.mask(x[0])?;
                let zero = self.words(Operand::Imm(0))?;
                let one = self.all32(1);
                Some(Val::Words(
                    self.full(BLEND, Some(zero), one, None, Some(p), None),
                    false,
                ))
            }
            Op::Float {
                op,
                ty,
                round: Round::Nearest,
                ftz,
                sat,
            } => {
                let finish = ResultModifiers {
                    ftz,
                    sat,
                    relu: false,
                };
                self.f16_float(op, ty, finish, false, x)?
            }
            Op::Float2 {
                op,
                ty,
                ftz,
                sat,
                relu,
            } => self.f16_float(op, ty, ResultModifiers { ftz, sat, relu }, true, x)?,
            Op::Class(class, ty) => self.class(class, ty, x[0])?,
            Op::Convert2 { to, round, relu } => self.convert_pair(to, round, relu, x)?,
            Op::Narrow { to, relu } => Some(self.narrow_pair(to, relu, x)?),
            Op::Widen { from, relu } => self.widen_pair(from, relu, x[0])?,
            Op::Float { .. } | Op::Half128(_) | Op::Pack128 => None,
        })
    }
}
