//! Texture and surface operations in wide code, by calls for all lanes of a group.

use crate::image::Lanes;
use crate::ir::{ImageOp, Operand, Reg, Ty};
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{Lower, Result, Unsupported, Val};
use crate::jit::avx512::vcode::{Constant, Mem, RESULT, Src, Vop, args};
use crate::jit::code::helper::Helper;
use crate::jit::code::symbol::Site;
use std::mem::offset_of;

impl Lower<'_> {
    pub(crate) fn image(
        &mut self,
        dsts: &[Option<Reg>],
        op: ImageOp,
        operands: &[Operand],
    ) -> Result<()> {
        const { assert!(size_of::<Lanes>() <= RESULT as usize) };
        let (&handle, words) = operands.split_first().ok_or(Unsupported)?;
        if words.len().max(dsts.len()) > Lanes::ROWS {
            return Err(Unsupported);
        }
        let row = |n: usize| (offset_of!(Lanes, rows) + 64 * n) as i32;
        self.put_scratch(handle, Ty::B64, offset_of!(Lanes, handles) as i32)?;
        for (n, &word) in words.iter().enumerate() {
            self.put_scratch(word, Ty::B32, row(n))?;
        }
        let site = self.plan.numbers.site(Site::Image(op)) as u64;
        self.code.push(Vop::Call {
            target: Helper::ImageLanes,
            constants: [Constant::Value(site), Constant::Argument(args::GANG)],
            mask: self.active,
        });
        for (n, dst) in dsts.iter().enumerate() {
            if let Some(dst) = *dst {
                let from = Mem::Scratch(row(n));
                let words = self.op1(forms::LOAD, Src::Mem(from));
                self.set(dst, Val::Words(words, false));
            }
        }
        Ok(())
    }
}
