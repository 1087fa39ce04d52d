//! Instructions that only advise the hardware.

use super::Result;
use super::build::Lower;
use crate::ir::{Operand, Ty};
use cuox_ptx::ast::Instruction;

/// `createpolicy`: the policy is an opaque value that is never read.
pub(super) fn policy(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    l.put_value(i, Ty::B64, Operand::Imm(0))
}
