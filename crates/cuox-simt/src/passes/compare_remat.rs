//! Compare rematerialisation: gives each branch its own copy of the comparisons that decide it.
//!
//! Compilers keep the result of a comparison for a later branch on the same condition, for instance behind a barrier.
//! Masked copies need the comparison at the end of the branch's block (see [`crate::passes::boundary_branch`]). This
//! pass repeats it there if its operands still have the same values.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{BlockId, Function, Inst, Op, Operand, Reg, Terminator, Ty};
use crate::passes::boundary_branch::Counts;

/// Largest number of instructions repeated for one branch.
const MAX_TREE: usize = 8;

/// Position of an instruction: block and index.
type InstPos = (BlockId, usize);

/// Comparisons, and logic on their results, that compute a branch's predicate, operands before their users.
struct CompareTree {
    sites: Vec<InstPos>,
    /// The sites, and those whose operands are being looked at.
    entered: Vec<InstPos>,
    /// True if one of the comparisons is decided under a guard.
    guarded: bool,
}

/// Returns the function with rematerialised comparisons, or `None` if no branch needs any.
pub fn run(func: &Function, uniformity: &UniformityInfo) -> Option<Function> {
    let finder = Finder::new(func, uniformity);
    let mut out: Option<Function> = None;
    for (index, block) in func.blocks.iter().enumerate() {
        let at = BlockId(index as u32);
        let Terminator::Branch { cond, .. } = block.end else {
            continue;
        };
        let Some(tree) = finder.tree(cond) else {
            continue;
        };
        if !tree.guarded || finder.is_own(&tree, cond, at) || finder.changes(&tree, at) {
            continue;
        }
        let out = out.get_or_insert_with(|| func.clone());
        let mut renamed: Vec<(Reg, Reg)> = Vec::new();
        for &site in &tree.sites {
            let mut inst = finder.inst(site).clone();
            inst.uses_mut(|operand| {
                if let Operand::Reg(reg) = operand
                    && let Some((_, name)) = renamed.iter().find(|(old, _)| old == reg)
                {
                    *reg = *name;
                }
            });
            inst.defs_mut(|reg| {
                let name = out.new_reg(Ty::Pred);
                renamed.push((*reg, name));
                *reg = name;
            });
            let block = &mut out.blocks[index];
            let line = block.lines.last().copied().unwrap_or(0);
            block.insts.push(inst);
            block.lines.push(line);
        }
        if let (Terminator::Branch { cond, .. }, Some((_, name))) =
            (&mut out.blocks[index].end, renamed.last())
        {
            *cond = *name;
        }
    }
    let mut out = out?;
    remove_unused(&mut out);
    Some(out)
}

/// Removes comparisons and logic whose results are no longer used.
fn remove_unused(func: &mut Function) {
    let mut uses = Counts::new(func).uses;
    // Uses come later in reverse post-order, so one sweep from the end removes whole chains.
    for block in func.blocks.iter_mut().rev() {
        let mut keep = vec![true; block.insts.len()];
        for (inst, keep) in block.insts.iter().zip(&mut keep).rev() {
            if matches!(inst, Inst::Op { dst, op, .. } if is_predicate_op(*op) && uses[dst.index()] == 0)
            {
                *keep = false;
                inst.uses(|operand| {
                    if let Operand::Reg(reg) = operand {
                        uses[reg.index()] -= 1;
                    }
                });
            }
        }
        if keep.contains(&false) {
            let mut kept = keep.iter();
            block.insts.retain(|_| kept.next() == Some(&true));
            let mut kept = keep.iter();
            block.lines.retain(|_| kept.next() != Some(&false));
        }
    }
}

fn is_predicate_op(op: Op) -> bool {
    matches!(op, Op::Logic(_) | Op::Compare { .. })
}

struct Finder<'a> {
    func: &'a Function,
    uniformity: &'a UniformityInfo,
    counts: Counts,
    /// Definitions of each register.
    defs: Vec<Vec<InstPos>>,
}

impl Finder<'_> {
    fn new<'a>(func: &'a Function, uniformity: &'a UniformityInfo) -> Finder<'a> {
        let mut defs = vec![Vec::new(); func.regs.len()];
        for (index, block) in func.blocks.iter().enumerate() {
            let at = BlockId(index as u32);
            for (i, inst) in block.insts.iter().enumerate() {
                inst.defs(|reg| defs[reg.index()].push((at, i)));
            }
            let end = block.insts.len();
            block.end.defs(|reg| defs[reg.index()].push((at, end)));
        }
        Finder {
            func,
            uniformity,
            counts: Counts::new(func),
            defs,
        }
    }

    fn inst(&self, (at, i): InstPos) -> &Inst {
        &self.func.blocks[at.index()].insts[i]
    }

    /// Returns the single definition of a register, if it is a comparison or predicate logic.
    fn single_definition(&self, reg: Reg) -> Option<(InstPos, Op, &[Operand])> {
        let &[site] = &self.defs[reg.index()][..] else {
            return None;
        };
        match self.func.blocks[site.0.index()].insts.get(site.1) {
            Some(Inst::Op { op, args, .. }) if is_predicate_op(*op) => Some((site, *op, args)),
            _ => None,
        }
    }

    fn tree(&self, cond: Reg) -> Option<CompareTree> {
        if self.uniformity.of(cond) != Uniformity::Uniform {
            return None;
        }
        let mut tree = CompareTree {
            sites: Vec::new(),
            entered: Vec::new(),
            guarded: false,
        };
        self.add_to_tree(&mut tree, cond)?;
        Some(tree)
    }

    /// Adds what computes a predicate. Returns `None` if the tree is too large, which also limits the recursion.
    fn add_to_tree(&self, tree: &mut CompareTree, reg: Reg) -> Option<()> {
        // A predicate with another definition is read as it is.
        let Some((site, op, args)) = self.single_definition(reg) else {
            return Some(());
        };
        if tree.entered.contains(&site) {
            return Some(());
        }
        if tree.entered.len() == MAX_TREE {
            return None;
        }
        tree.entered.push(site);
        if matches!(op, Op::Logic(_)) {
            for reg in args.iter().filter_map(|a| a.reg()) {
                self.add_to_tree(tree, reg)?;
            }
        }
        tree.guarded |= self.uniformity.is_guarded(reg);
        tree.sites.push(site);
        Some(())
    }

    /// Tells whether all of the tree is in one block and its results have no other users.
    fn is_own(&self, tree: &CompareTree, cond: Reg, at: BlockId) -> bool {
        tree.sites.iter().all(|&site| {
            let mut own = site.0 == at;
            self.inst(site).defs(|dst| {
                let mut reads = u32::from(dst == cond);
                for &other in &tree.sites {
                    self.inst(other)
                        .uses(|o| reads += u32::from(o.reg() == Some(dst)));
                }
                own &= self.counts.uses[dst.index()] == reads;
            });
            own
        })
    }

    /// Tells whether an operand may have changed between its comparison and the end of block `at`.
    fn changes(&self, tree: &CompareTree, at: BlockId) -> bool {
        tree.sites.iter().any(|&site| {
            let mut changes = false;
            self.inst(site).uses(|o| {
                if let Operand::Reg(reg) = o {
                    changes |= self.defs[reg.index()]
                        .iter()
                        .any(|&def| self.redefined_between(site, def, at));
                }
            });
            changes
        })
    }

    /// Tells whether a path leads from `site` through `other`, which may be `site` itself, to the end of block `at`
    /// without passing `site` again.
    fn redefined_between(&self, site: InstPos, other: InstPos, at: BlockId) -> bool {
        let behind = other.0 == site.0 && other.1 >= site.1;
        if at == site.0 {
            return behind;
        }
        let leads = |from: BlockId, to: BlockId| {
            let mut seen = vec![false; self.func.blocks.len()];
            seen[site.0.index()] = true;
            let mut work = Vec::new();
            let successors = |b: BlockId, work: &mut Vec<BlockId>| {
                self.func.blocks[b.index()].end.successors(|s| work.push(s));
            };
            successors(from, &mut work);
            while let Some(b) = work.pop() {
                if !std::mem::replace(&mut seen[b.index()], true) {
                    successors(b, &mut work);
                }
            }
            seen[to.index()] && to != site.0
        };
        match other.0 == site.0 {
            true => behind && leads(site.0, at),
            false => leads(site.0, other.0) && (other.0 == at || leads(other.0, at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::analysis::liveness::{Liveness, RegSet};
    use crate::analysis::shape::Shape;

    /// Returns the number of comparisons of a kernel after the pass, if the pass changes it.
    fn comparisons(body: &str) -> Option<usize> {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n
            .entry k(.param .u64 p, .param .u32 n) {{
                .reg .b32 %i<8>; .reg .b64 %a<8>; .reg .pred %p<8>;
                ld.param.u64 %a0, [p]; ld.param.u32 %i0, [n]; mov.u32 %i1, %ctaid.x; mov.u32 %i2, %tid.x;
                mad.lo.u32 %i3, %i1, 64, %i2; mul.wide.u32 %a1, %i3, 4; add.s64 %a2, %a0, %a1;
                {body}
                ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let func = &unit.kernel;
        let none = RegSet::new(func.regs.len());
        let live = Liveness::new(func, &none, &none);
        let uniformity = UniformityInfo::new(func, &live, &none, &[], Shape::Line, 0);
        let func = run(func, &uniformity)?;
        let insts = func.blocks.iter().flat_map(|b| &b.insts);
        let compares = |inst: &&Inst| {
            matches!(
                inst,
                Inst::Op {
                    op: Op::Compare { .. },
                    ..
                }
            )
        };
        Some(insts.filter(compares).count())
    }

    #[test]
    fn each_branch_has_its_own() {
        let twice = "setp.ge.u32 %p0, %i3, %i0; @%p0 bra A; st.global.u32 [%a2], %i3;
            A: bar.sync 0; @%p0 bra B; st.global.u32 [%a2+4], %i3; B:";
        assert_eq!(comparisons(twice), Some(2));
        assert_eq!(
            comparisons(&twice.replace("A: bar.sync 0; @%p0 bra B;", "A:")),
            None
        );
        // A uniform comparison needs no copy.
        assert_eq!(comparisons(&twice.replace("%i3, %i0;", "%i1, %i0;")), None);
    }

    #[test]
    fn what_has_changed_is_not_compared_again() {
        let changed = "L: setp.ge.u32 %p0, %i3, %i0; bar.sync 0; add.u32 %i3, %i3, 1; @%p0 bra B; st.global.u32 [%a2], %i1; bra L; B:";
        assert_eq!(comparisons(changed), None);
        // In this loop the operand has not changed since the comparison.
        let again = "L: setp.ge.u32 %p0, %i3, %i0; @%p0 bra A; st.global.u32 [%a2], %i3;
            A: bar.sync 0; @%p0 bra B; st.global.u32 [%a2+4], %i3; B: add.u32 %i3, %i3, 1; bra L;";
        assert_eq!(comparisons(again), Some(2));
    }

    #[test]
    fn predicates_of_themselves_are_not_computed_again() {
        let body = |flip: &str| {
            format!("setp.ge.u32 %p0, %i3, %i0; L: {flip} bar.sync 0; @%p1 bra L; @%p0 bra L;")
        };
        // Only the branch on the comparison itself gets a copy; the original stays if the predicate reads it.
        for (flip, count) in [
            ("not.pred %p1, %p1;", 1),
            ("xor.pred %p1, %p1, %p0;", 2),
            ("and.pred %p1, %p2, %p0; not.pred %p2, %p1;", 2),
        ] {
            assert_eq!(comparisons(&body(flip)), Some(count), "{flip}");
        }
    }

    #[test]
    fn a_long_chain_of_predicates_takes_neither_stack_nor_time() {
        let mut chain =
            String::from(".reg .pred %q<100001>; setp.ge.u32 %q0, %i3, %i0; bar.sync 0;");
        for n in 0..100_000 {
            chain += &format!("and.pred %q{}, %q{n}, %q{n};", n + 1);
        }
        chain += "bar.sync 0; @%q100000 bra B; st.global.u32 [%a2], %i3; B:";
        assert_eq!(comparisons(&chain), None);
    }
}
