//! Registers that can have one slot, since none of them lives where another does.
//!
//! The slots of a block of a thousand threads are as large as a processor's first cache for eight registers.

use crate::analysis::group_loop::GroupLoop;
use crate::analysis::liveness::{Liveness, RegSet, add_read, add_written};
use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{BlockId, Function, Reg, Ty};
use rustc_hash::FxHashMap;

/// For each register, another that lives elsewhere and has the slot already; of the `wanted` registers with a value for
/// each lane, which takes so many `bytes`.
///
/// A register has its slot in all of each block that it lives in, is read in, or is written in, and in all of a loop of
/// groups: code may leave there, with the values of its start.
pub fn partners(
    func: &Function,
    live: &Liveness,
    uniformity: &UniformityInfo,
    group_loops: &[Option<GroupLoop>],
    wanted: &RegSet,
    bytes: impl Fn(Ty) -> u32,
) -> Vec<Option<Reg>> {
    let mut parts: Vec<usize> = (0..func.blocks.len()).collect();
    for this in group_loops.iter().flatten() {
        let first = this.members().map(BlockId::index).min().unwrap_or(0);
        this.members().for_each(|at| parts[at.index()] = first);
    }
    let by_lane = |reg: Reg| func.ty(reg) != Ty::Pred && uniformity.of(reg) == Uniformity::Varying;
    // Sets of blocks, by number.
    let none = RegSet::new(func.blocks.len());
    let mut places: FxHashMap<Reg, RegSet> = FxHashMap::default();
    for (index, block) in func.blocks.iter().enumerate() {
        let part = Reg(parts[index] as u32);
        let mut here = live.live_in(BlockId(index as u32)).clone();
        here.union(&live.live_out(func, BlockId(index as u32)));
        add_read(block, &mut here);
        add_written(block, &mut here);
        here.intersect(wanted);
        for reg in here.iter().filter(|&reg| by_lane(reg)) {
            let places = places.entry(reg).or_insert_with(|| none.clone());
            places.insert(part);
        }
    }
    let mut partners = vec![None; func.regs.len()];
    // The first register of each slot, its type's size, and where the slot is in use.
    let mut slots: Vec<(Reg, u32, RegSet)> = Vec::new();
    for reg in wanted.iter().filter(|&reg| by_lane(reg)) {
        let (bytes, mine) = (bytes(func.ty(reg)), places.get(&reg).unwrap_or(&none));
        let free = |(_, size, used): &&mut (Reg, u32, RegSet)| *size == bytes && !used.meets(mine);
        match slots.iter_mut().find(free) {
            Some((first, _, used)) => {
                used.union(mine);
                partners[reg.index()] = Some(*first);
            }
            None => slots.push((reg, bytes, mine.clone())),
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jit::plan::Plan;

    /// The plan of a kernel whose code is `text`.
    fn plan(text: &str) -> Plan {
        let text = format!(
            ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) {{ .reg .pred %p; \
             .reg .b32 %r<6>; .reg .b64 %d; ld.param.u64 %d, [p]; mov.u32 %r0, %tid.x; {text} ret; }}"
        );
        Plan::for_test(&text)
    }

    /// The slots of the registers with a value for each lane. Fails if two that live together have one.
    fn slots(plan: &Plan) -> Vec<u32> {
        let homes = plan.layout.homes();
        let homes: Vec<_> = homes
            .filter(|(_, home)| home.uniformity == Uniformity::Varying && home.ty != Ty::Pred)
            .collect();
        for index in 0..plan.func.blocks.len() as u32 {
            let live = plan.live.live_in(BlockId(index));
            let here = homes.iter().filter(|(reg, _)| live.contains(*reg));
            let mut here: Vec<u32> = here.map(|(_, home)| home.lanes).collect();
            let count = here.len();
            here.sort_unstable();
            here.dedup();
            assert_eq!(here.len(), count, "{}", plan.func);
        }
        let mut slots: Vec<u32> = homes.iter().map(|(_, home)| home.lanes).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    #[test]
    fn registers_that_live_one_after_the_other_share_a_slot() {
        let plan = plan(
            "mul.lo.u32 %r1, %r0, %r0; bar.sync 0; st.global.u32 [%d], %r1; bar.sync 0; \
             mad.lo.u32 %r2, %r0, %r0, 5; bar.sync 0; st.global.u32 [%d], %r2;",
        );
        assert_eq!(slots(&plan).len(), 1, "{}", plan.func);
    }

    #[test]
    fn registers_that_live_together_or_meet_in_a_block_do_not() {
        let together = plan(
            "mul.lo.u32 %r1, %r0, %r0; mad.lo.u32 %r2, %r0, %r0, 5; bar.sync 0; \
             st.global.u32 [%d], %r1; bar.sync 0; st.global.u32 [%d], %r2;",
        );
        assert_eq!(slots(&together).len(), 2, "{}", together.func);
        let meet = plan(
            "mul.lo.u32 %r1, %r0, %r0; bar.sync 0; st.global.u32 [%d], %r1; \
             mad.lo.u32 %r2, %r0, %r0, 5; bar.sync 0; st.global.u32 [%d], %r2;",
        );
        assert_eq!(slots(&meet).len(), 2, "{}", meet.func);
    }
}
