//! Branches that share what decides them: each gets comparisons of its own.
//!
//! Compilers keep the answer to a comparison for the next branch that asks the same, behind a barrier for instance. Masked copies
//! need what decides a branch at the end of its block ([`crate::passes::boundary_branch`]), so there it is done again, where the operands are still
//! what they were.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{BlockId, Function, Inst, Op, Operand, Reg, Terminator, Ty};
use crate::passes::boundary_branch::Counts;

/// Most instructions that decide one branch.
const MOST: usize = 8;

/// Where an instruction is.
type Site = (BlockId, usize);

/// The comparisons, and logic on their results, that decide a branch, operands before what reads them.
struct Tree {
    sites: Vec<Site>,
    /// One of them is answered under a guard.
    guarded: bool,
}

/// The function with the decisions copied that are made elsewhere or shared, unless there are none.
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
        let mut names: Vec<(Reg, Reg)> = Vec::new();
        for &site in &tree.sites {
            let mut inst = finder.inst(site).clone();
            inst.uses_mut(|operand| {
                if let Operand::Reg(reg) = operand
                    && let Some((_, name)) = names.iter().find(|(old, _)| old == reg)
                {
                    *reg = *name;
                }
            });
            inst.defs_mut(|reg| {
                let name = out.new_reg(Ty::Pred);
                names.push((*reg, name));
                *reg = name;
            });
            let block = &mut out.blocks[index];
            let line = block.lines.last().copied().unwrap_or(0);
            block.insts.push(inst);
            block.lines.push(line);
        }
        if let (Terminator::Branch { cond, .. }, Some((_, name))) =
            (&mut out.blocks[index].end, names.last())
        {
            *cond = *name;
        }
    }
    let mut out = out?;
    drop_unread(&mut out);
    Some(out)
}

/// Takes out comparisons and logic whose results nobody reads any more.
fn drop_unread(func: &mut Function) {
    loop {
        let counts = Counts::new(func);
        let mut changed = false;
        for block in &mut func.blocks {
            let unread: Vec<bool> = block
                .insts
                .iter()
                .map(|inst| {
                    matches!(inst, Inst::Op { dst, op, .. } if decides(*op) && counts.uses[dst.index()] == 0)
                })
                .collect();
            if unread.contains(&true) {
                changed = true;
                let mut keep = unread.iter().map(|unread| !unread);
                block.insts.retain(|_| keep.next().unwrap_or(true));
                let mut keep = unread.iter().map(|unread| !unread);
                block.lines.retain(|_| keep.next().unwrap_or(true));
            }
        }
        if !changed {
            return;
        }
    }
}

fn decides(op: Op) -> bool {
    matches!(op, Op::Logic(_) | Op::Compare { .. })
}

struct Finder<'a> {
    func: &'a Function,
    uniformity: &'a UniformityInfo,
    counts: Counts,
    /// Where registers are written.
    defs: Vec<Vec<Site>>,
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

    fn inst(&self, (at, i): Site) -> &Inst {
        &self.func.blocks[at.index()].insts[i]
    }

    /// The one instruction that decides what a register holds.
    fn decider(&self, reg: Reg) -> Option<(Site, Op, &[Operand])> {
        let &[site] = &self.defs[reg.index()][..] else {
            return None;
        };
        match self.func.blocks[site.0.index()].insts.get(site.1) {
            Some(Inst::Op { op, args, .. }) if decides(*op) => Some((site, *op, args)),
            _ => None,
        }
    }

    fn tree(&self, cond: Reg) -> Option<Tree> {
        if self.uniformity.of(cond) != Uniformity::Uniform {
            return None;
        }
        let mut tree = Tree {
            sites: Vec::new(),
            guarded: false,
        };
        self.grow(&mut tree, cond)?;
        Some(tree)
    }

    fn grow(&self, tree: &mut Tree, reg: Reg) -> Option<()> {
        let (site, op, args) = self.decider(reg)?;
        if tree.sites.contains(&site) {
            return Some(());
        }
        if matches!(op, Op::Logic(_)) {
            for reg in args.iter().filter_map(|a| a.reg()) {
                // What is no decision stays what it is.
                let known = tree.sites.len();
                if self.grow(tree, reg).is_none() {
                    tree.sites.truncate(known);
                }
            }
        }
        tree.guarded |= self.uniformity.is_guarded(reg);
        tree.sites.push(site);
        (tree.sites.len() <= MOST).then_some(())
    }

    /// Whether all of it is in one block and nobody else reads what it writes.
    fn is_own(&self, tree: &Tree, cond: Reg, at: BlockId) -> bool {
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

    /// Whether an operand may have changed since, at the end of a block.
    fn changes(&self, tree: &Tree, at: BlockId) -> bool {
        tree.sites.iter().any(|&site| {
            let mut changes = false;
            self.inst(site).uses(|o| {
                if let Operand::Reg(reg) = o {
                    changes |= self.defs[reg.index()]
                        .iter()
                        .any(|&def| self.between(site, def, at));
                }
            });
            changes
        })
    }

    /// Whether there is a way from an instruction by way of another to the end of a block that does not come by the first again.
    fn between(&self, site: Site, other: Site, at: BlockId) -> bool {
        let behind = other.0 == site.0 && other.1 > site.1;
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

    /// How many comparisons a kernel with such a body has afterwards, if that changes anything.
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
        // All threads agree on these anyway.
        assert_eq!(comparisons(&twice.replace("%i3, %i0;", "%i1, %i0;")), None);
    }

    #[test]
    fn what_has_changed_is_not_compared_again() {
        let changed = "L: setp.ge.u32 %p0, %i3, %i0; bar.sync 0; add.u32 %i3, %i3, 1; @%p0 bra B; st.global.u32 [%a2], %i1; bra L; B:";
        assert_eq!(comparisons(changed), None);
        // Here it has not, since it was compared.
        let again = "L: setp.ge.u32 %p0, %i3, %i0; @%p0 bra A; st.global.u32 [%a2], %i3;
            A: bar.sync 0; @%p0 bra B; st.global.u32 [%a2+4], %i3; B: add.u32 %i3, %i3, 1; bra L;";
        assert_eq!(comparisons(again), Some(2));
    }
}
