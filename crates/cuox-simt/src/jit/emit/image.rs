//! Texture and surface operations. The operands of one or four threads are stored in the gang's state, a helper
//! performs the operation, and the results are read from there.

use crate::image::Words;
use crate::ir::{ImageOp, Ty};
use crate::jit::code::symbol::{Helper, Site};
use crate::jit::emit::generator::Gen;
use crate::jit::emit::value::{Lanes, part_type, trusted};
use crate::jit::runtime::layout::Gang;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::offset_of;

/// Returns the offset in a gang of word `row`.
fn row(row: usize) -> i32 {
    (offset_of!(Gang, image) + offset_of!(Words, rows) + row * 16) as i32
}

impl Gen<'_, '_> {
    /// Performs `op` for the thread or group at `lane`, counted from the gang's first lane. Returns the results, and
    /// whether the operation failed (the runtime then has the fault).
    pub(crate) fn image(
        &mut self,
        env: Value,
        gang: Value,
        lane: Value,
        op: ImageOp,
        args: &[Lanes],
    ) -> (Value, Vec<Lanes>) {
        let wide = args.first().is_some_and(|handle| handle.wide);
        for (n, arg) in args.iter().enumerate() {
            let at = match n {
                0 => (offset_of!(Gang, image) + offset_of!(Words, handles)) as i32,
                n => row(n - 1),
            };
            for (half, &part) in arg.parts().iter().enumerate() {
                let at = at + half as i32 * 16;
                self.e.b.ins().store(trusted(), part, gang, at);
            }
        }
        let site = self.e.numbers.site(Site::Image(op));
        let helper = match wide {
            true => Helper::ImageOfFour,
            false => Helper::ImageOfOne,
        };
        let site = self.e.iconst(types::I64, site);
        let failed = self.e.call(helper, &[env, gang, site, lane]);
        let part = part_type(Ty::B32, wide);
        let results = (0..op.words().1).map(|n| {
            let word = self.e.b.ins().load(part, trusted(), gang, row(n));
            Lanes::new(Ty::B32, wide, &[word])
        });
        (failed, results.collect())
    }
}
