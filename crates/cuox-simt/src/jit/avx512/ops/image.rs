//! Texture and surface operations in wide code, by calls for all lanes of a group. In code by LLVM, fetches from linear
//! memory take the texture that a call found before.

use crate::image::Lanes;
use crate::ir::{ImageOp, Operand, Reg, Ty};
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{Lower, Result, Unsupported, Val};
use crate::jit::avx512::vcode::{Constant, Mem, RESULT, Src, V, Vop, args};
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
        let results = dsts.iter().enumerate();
        let mut results = results.filter_map(|(n, dst)| Some((n, (*dst)?)));
        if self.plan.llvm
            && op.may_read_linear()
            && let Val::Each(mem) = self.val(handle)
        {
            return results.try_for_each(|(n, dst)| {
                let v = self.fetch(op, (handle, mem), words, n)?;
                self.set(dst, Val::Words(v, false));
                Ok(())
            });
        }
        self.call_image(op, handle, words)?;
        for (n, dst) in results {
            let v = self.image_result(n);
            self.set(dst, Val::Words(v, false));
        }
        Ok(())
    }

    fn call_image(&mut self, op: ImageOp, handle: Operand, words: &[Operand]) -> Result<()> {
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
        Ok(())
    }

    /// Returns a result of the last call.
    fn image_result(&mut self, n: usize) -> V {
        self.op1(forms::LOAD, Src::Mem(Mem::Scratch(row(n))))
    }

    /// Returns a channel of what a fetch reads from the texture of one handle.
    fn fetch(
        &mut self,
        op: ImageOp,
        (handle, handle_at): (Operand, Mem),
        words: &[Operand],
        channel: usize,
    ) -> Result<V> {
        // What the call needs is made before the code that is not always run.
        let words_of = words.iter().map(|&word| self.words(word));
        let x = *words_of
            .collect::<Result<Vec<V>>>()?
            .first()
            .ok_or(Unsupported)?;
        let (dst, missed) = (self.new_vector(), self.new_mask());
        self.code.push(Vop::Fetch {
            dst,
            missed,
            handle: handle_at,
            channel: channel as u8,
            x,
            mask: self.active,
        });
        self.rarely(missed, dst, |this| {
            this.call_image(op, handle, words)?;
            Ok(this.image_result(channel))
        })
    }
}

/// The offset of a row of operands or results in the scratch area.
fn row(n: usize) -> i32 {
    (offset_of!(Lanes, rows) + 64 * n) as i32
}
