//! Busy-wait detection: loops that a thread leaves only after another thread has written memory.
//!
//! The scheduler switches to other threads, warps and blocks at the back edges of such loops: the likelier a loop
//! waits, the sooner ([`Wait`]). Loops that may take a lock are found as well ([`looks`]).

use crate::analysis::dominators::immediate_post_dominators;
use crate::ir::{
    AtomOp, Block, BlockId, Function, Inst, Operand, Order, Reg, Scope, Space, Terminator,
};
use std::collections::HashMap;

/// Largest number of blocks in a loop that [`Wait::Polls`].
const MAX_POLLING_BLOCKS: usize = 24;
/// Largest number of blocks in a loop whose exits are looked at.
const MAX_BLOCKS: usize = 256;

/// The degree to which a loop depends on what other threads write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wait {
    /// It ends whatever other threads do.
    No,
    /// An ordinary load decides whether it ends, and the loop writes memory: so do many computations.
    Reads,
    /// A volatile, relaxed or atomic read decides whether it ends, and it may do work meanwhile.
    Works,
    /// It polls one address and does nothing else.
    Polls,
}

impl Wait {
    /// Returns the fuel that a back edge costs, where that of a computing loop costs 1: a few turns of a loop that
    /// polls suffice to detect a waiting thread, while the switch to another warp is to be a small part of the time
    /// that other loops take.
    pub fn cost(self) -> i64 {
        match self {
            Wait::No => 1,
            Wait::Reads => 1 << 3,
            Wait::Works => 1 << 8,
            Wait::Polls => 1 << 12,
        }
    }
}

/// Tells for each block how its back edges wait.
pub fn find(func: &Function) -> Vec<Wait> {
    let mut found = vec![Wait::No; func.blocks.len()];
    // The last block that leads back to each block.
    let mut last: Vec<Option<usize>> = vec![None; func.blocks.len()];
    for (index, block) in func.blocks.iter().enumerate() {
        let mut first = None;
        block.end.successors(|to| {
            if to.index() <= index {
                first = Some(first.map_or(to, |other: BlockId| other.max(to)));
                last[to.index()] = Some(index);
            }
        });
        let Some(first) = first else { continue };
        let blocks = &func.blocks[first.index()..=index];
        if blocks.len() <= MAX_POLLING_BLOCKS
            && polls(blocks)
            && exits_depend(func, first.index(), index) == Wait::Works
        {
            found[index] = Wait::Polls;
        }
    }
    let waits: Vec<Wait> = last
        .iter()
        .enumerate()
        .map(|(first, last)| last.map_or(Wait::No, |last| exits_depend(func, first, last)))
        .collect();
    for (index, block) in func.blocks.iter().enumerate() {
        block.end.successors(|to| {
            if to.index() <= index {
                found[index] = found[index].max(waits[to.index()]);
            }
        });
    }
    found
}

/// Tells for each block whether it ends a loop that polls (see [`find`]) or one that may take a lock: one with a
/// synchronising load, a compare-and-swap or an exchange, or with both a load and a fence.
pub fn looks(func: &Function) -> Vec<bool> {
    let look = |inst: &Inst| match inst {
        Inst::Load { order, .. } => *order != Order::Plain,
        Inst::Atomic { dst, op, .. } => dst.is_some() && matches!(op, AtomOp::Cas | AtomOp::Exch),
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Store { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    };
    let load = |inst: &Inst| matches!(inst, Inst::Load { .. });
    let fence = |inst: &Inst| matches!(inst, Inst::Fence(_));
    // Numbers of blocks before each one that poll, load, and have a fence.
    let mut before = vec![[0u32; 3]];
    for block in &func.blocks {
        let [looks, loads, fences] = before.last().copied().unwrap_or_default();
        before.push([
            looks + u32::from(block.insts.iter().any(look)),
            loads + u32::from(block.insts.iter().any(load)),
            fences + u32::from(block.insts.iter().any(fence)),
        ]);
    }
    let waits = find(func);
    let ends_one = |(index, block): (usize, &Block)| {
        let mut found = waits[index] == Wait::Polls;
        block.end.successors(|to| {
            let has = |what: usize| before[to.index()][what] < before[index + 1][what];
            found |= to.index() <= index && (has(0) || has(1) && has(2));
        });
        found
    };
    func.blocks.iter().enumerate().map(ends_one).collect()
}

/// Registers that a loop writes, other than those that get the same value in every turn.
struct Changing(HashMap<Reg, bool>);

impl Changing {
    fn new(blocks: &[Block]) -> Changing {
        // The number of writes of each register.
        let mut writes: HashMap<Reg, u32> = HashMap::new();
        for block in blocks {
            let mut write = |reg| *writes.entry(reg).or_default() += 1;
            block.insts.iter().for_each(|inst| inst.defs(&mut write));
            block.end.defs(&mut write);
        }
        let mut changing = Changing(writes.keys().map(|&reg| (reg, true)).collect());
        for block in blocks.iter().filter(|block| block.mask.is_none()) {
            for inst in &block.insts {
                let same = match inst {
                    Inst::Op { .. } => {
                        let mut same = true;
                        inst.uses(|operand| same &= changing.is_fixed(operand));
                        same
                    }
                    Inst::SymbolAddress { .. } | Inst::FunctionAddress { .. } => true,
                    Inst::Special { special, .. } => special.scope() != Scope::Moment,
                    Inst::Load { addr, .. } => {
                        addr.space == Space::Param && changing.is_fixed(addr.base)
                    }
                    Inst::Store { .. }
                    | Inst::Atomic { .. }
                    | Inst::Check { .. }
                    | Inst::Fence(_)
                    | Inst::Syscall { .. }
                    | Inst::Image { .. }
                    | Inst::Call { .. } => false,
                };
                if same {
                    inst.defs(|reg| {
                        changing.0.insert(reg, writes.get(&reg) != Some(&1));
                    });
                }
            }
        }
        changing
    }

    fn is_fixed(&self, operand: Operand) -> bool {
        let changes = |reg| self.0.get(&reg).copied().unwrap_or(false);
        !operand.reg().is_some_and(changes)
    }

    /// Tells whether an instruction reads what other threads may write, and changes nothing however often it is
    /// repeated. A compare-and-swap with a value that the loop has read is part of an update: another thread's success
    /// makes it fail.
    fn reads_again(&self, inst: &Inst) -> bool {
        match inst {
            Inst::Load { order, .. } => *order != Order::Plain,
            Inst::Atomic {
                dst: Some(_),
                op,
                args,
                ..
            } => {
                let mut args = args.iter();
                let first = args.next().copied();
                match op {
                    AtomOp::Exch | AtomOp::Min | AtomOp::Max | AtomOp::And | AtomOp::Or => true,
                    AtomOp::Cas => first.is_some_and(|compared| self.is_fixed(compared)),
                    AtomOp::Add | AtomOp::Xor => first == Some(Operand::Imm(0)),
                    AtomOp::Inc | AtomOp::Dec | AtomOp::Mbarrier => false,
                }
            }
            Inst::Atomic { dst: None, .. }
            | Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Store { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => false,
        }
    }
}

/// Tells whether a loop reads one address that others may write again and again, and has no other effect.
fn polls(blocks: &[Block]) -> bool {
    let changing = Changing::new(blocks);
    let mut found = false;
    for block in blocks {
        if matches!(
            block.end,
            Terminator::Barrier { .. } | Terminator::Cluster { .. } | Terminator::Pause { .. }
        ) {
            return false;
        }
        for inst in &block.insts {
            match inst {
                Inst::Load { addr, .. } | Inst::Atomic { addr, .. } => {
                    let reads = changing.reads_again(inst);
                    found |= reads && changing.is_fixed(addr.base);
                    if !reads && matches!(inst, Inst::Atomic { .. }) {
                        return false;
                    }
                }
                Inst::Op { .. }
                | Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Check { .. }
                | Inst::Fence(_) => {}
                Inst::Store { .. }
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => return false,
            }
        }
    }
    found
}

/// Tells whether the exits of the loop from block `first` to block `last` depend on what other threads write.
fn exits_depend(func: &Function, first: usize, last: usize) -> Wait {
    let blocks = &func.blocks[first..=last];
    let all = || blocks.iter().flat_map(|block| &block.insts);
    let shared = |space: Space| matches!(space, Space::Flat | Space::Shared);
    let plain = |inst: &Inst| matches!(inst, Inst::Load { addr, .. } if shared(addr.space));
    let strong = |inst: &Inst| matches!(inst, Inst::Load { order, .. } if *order != Order::Plain);
    let atomic = |inst: &Inst| matches!(inst, Inst::Atomic { dst: Some(_), .. });
    // A compiler reads the same address again only if something might have been written meanwhile.
    let orders = |inst: &Inst| inst.effects().writes_or_fences();
    let any_strong = all().any(|inst| strong(inst) || atomic(inst));
    let rereads = blocks.iter().any(|b| b.end.concerns_others()) || all().any(orders);
    let any_plain = rereads && all().any(plain);
    if !any_strong && !any_plain {
        return Wait::No;
    }
    if blocks.len() > MAX_BLOCKS {
        return if any_strong { Wait::Reads } else { Wait::No };
    }
    let changing = Changing::new(blocks);
    let mut flow = Flow::new(func, first, last);
    for inst in all() {
        if changing.reads_again(inst) {
            inst.defs(|reg| flow.mark(Node::Reg(reg), Wait::Works));
        } else if rereads && plain(inst) {
            inst.defs(|reg| flow.mark(Node::Reg(reg), Wait::Reads));
        }
    }
    flow.run()
}

/// A value that may depend on other threads' writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Reg(Reg),
    /// Everything that the loop writes to memory.
    Memory,
}

/// Returns the register that decides which way a thread goes.
fn decisive(end: &Terminator) -> Option<Reg> {
    match end {
        Terminator::Branch { cond, .. } => Some(*cond),
        Terminator::Switch { index, .. } => index.reg(),
        Terminator::Jump(_)
        | Terminator::Exit
        | Terminator::Return
        | Terminator::Trap
        | Terminator::Barrier { .. }
        | Terminator::Cluster { .. }
        | Terminator::Pause { .. }
        | Terminator::Warp { .. } => None,
    }
}

/// The flow of values through a loop, from reads of what other threads write to the loop's exits.
struct Flow<'f> {
    blocks: &'f [Block],
    first: usize,
    /// The values that are computed from each.
    to: HashMap<Node, Vec<Node>>,
    /// The blocks whose branch each value decides.
    decides: HashMap<Reg, Vec<usize>>,
    /// Immediate post-dominators inside the loop, numbered from its first block; the loop's end is no block.
    meets: Vec<Option<usize>>,
    found: HashMap<Node, Wait>,
    /// The dependence of each block's execution.
    reached: Vec<Wait>,
    work: Vec<(Node, Wait)>,
}

impl<'f> Flow<'f> {
    fn new(func: &'f Function, first: usize, last: usize) -> Flow<'f> {
        let blocks = &func.blocks[first..=last];
        let mut to: HashMap<Node, Vec<Node>> = HashMap::new();
        let mut decides: HashMap<Reg, Vec<usize>> = HashMap::new();
        // The last node is the end of a turn: an exit, or the way back to the loop's first block.
        let end = blocks.len();
        let mut successors = vec![Vec::new(); end + 1];
        for (at, block) in blocks.iter().enumerate() {
            let mask = block.mask.map(|mask| Node::Reg(mask.reg));
            for inst in &block.insts {
                let mut from: Vec<Node> = mask.into_iter().collect();
                inst.uses(|operand| from.extend(operand.reg().map(Node::Reg)));
                if matches!(inst, Inst::Load { addr, .. } if addr.space != Space::Param) {
                    from.push(Node::Memory);
                }
                let mut targets = Vec::new();
                inst.defs(|reg| targets.push(Node::Reg(reg)));
                if inst.effects().writes {
                    targets.push(Node::Memory);
                }
                for node in from {
                    to.entry(node).or_default().extend(&targets);
                }
            }
            let mut from: Vec<Node> = mask.into_iter().collect();
            block
                .end
                .uses(|operand| from.extend(operand.reg().map(Node::Reg)));
            let mut targets = Vec::new();
            block.end.defs(|reg| targets.push(Node::Reg(reg)));
            for node in from {
                to.entry(node).or_default().extend(&targets);
            }
            if let Some(reg) = decisive(&block.end) {
                decides.entry(reg).or_default().push(at);
            }
            block.end.successors(|next| {
                let next = next.index();
                let inside = next > first && next <= last;
                successors[at].push(if inside { next - first } else { end });
            });
            if successors[at].is_empty() {
                successors[at].push(end);
            }
        }
        Flow {
            blocks,
            first,
            to,
            decides,
            meets: immediate_post_dominators(&successors),
            found: HashMap::new(),
            reached: vec![Wait::No; end],
            work: Vec::new(),
        }
    }

    fn mark(&mut self, node: Node, wait: Wait) {
        let known = self.found.entry(node).or_insert(Wait::No);
        if *known < wait {
            *known = wait;
            self.work.push((node, wait));
        }
    }

    /// Marks what depends on the marked values, and returns the largest dependence of an exit.
    fn run(mut self) -> Wait {
        while let Some((node, wait)) = self.work.pop() {
            for next in self.to.get(&node).cloned().unwrap_or_default() {
                self.mark(next, wait);
            }
            let Node::Reg(reg) = node else { continue };
            for at in self.decides.get(&reg).cloned().unwrap_or_default() {
                self.decide(at, wait);
            }
        }
        let inside = self.first..self.first + self.blocks.len();
        let mut all = Wait::No;
        for (block, &reached) in self.blocks.iter().zip(&self.reached) {
            let mut leaves = matches!(block.end, Terminator::Exit | Terminator::Return);
            block
                .end
                .successors(|to| leaves |= !inside.contains(&to.index()));
            if leaves {
                let decided = decisive(&block.end).and_then(|reg| self.found.get(&Node::Reg(reg)));
                all = all.max(reached).max(decided.copied().unwrap_or(Wait::No));
            }
        }
        all
    }

    /// The branch at the end of a block depends on other threads: so do the blocks that run only on some of its ways,
    /// and what they write.
    fn decide(&mut self, at: usize, wait: Wait) {
        let end = self.blocks.len();
        let blocks = self.blocks;
        let mut ways = Vec::new();
        blocks[at].end.successors(|to| {
            if let Some(to) = to
                .index()
                .checked_sub(self.first)
                .filter(|&to| to > 0 && to < end)
            {
                ways.push(to);
            }
        });
        for way in ways {
            let mut next = Some(way);
            while let Some(here) = next.filter(|&here| Some(here) != self.meets[at]) {
                next = self.meets[here];
                if self.reached[here] >= wait {
                    continue;
                }
                self.reached[here] = wait;
                for inst in &blocks[here].insts {
                    inst.defs(|reg| self.mark(Node::Reg(reg), wait));
                    if inst.effects().writes {
                        self.mark(Node::Memory, wait);
                    }
                }
                blocks[here].end.defs(|reg| self.mark(Node::Reg(reg), wait));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Wait, find};
    use crate::Program;

    /// Returns the largest wait of a kernel's loops. The body has `%d1`, `%d2` (parameters), `%r9` = 0 and `%r8`.
    fn wait(body: &str) -> Wait {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.global .u32 g; .shared .u32 s;
            .entry k(.param .u64 a, .param .u64 b) {{ .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %d<9>;
            ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; mov.u32 %r9, 0; mov.u32 %r8, %tid.x;
            {body} st.global.u32 [%d1], %r1; ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let found = find(&unit.kernel);
        found.into_iter().max().unwrap_or(Wait::No)
    }

    fn until(body: &str) -> Wait {
        wait(&format!("L: {body} setp.ne.u32 %p1, %r1, 0; @%p1 bra L;"))
    }

    #[test]
    fn loops_that_poll() {
        assert_eq!(until("ld.volatile.global.u32 %r1, [%d1];"), Wait::Polls);
        assert_eq!(until("atom.global.cas.b32 %r1, [%d1], 0, 1;"), Wait::Polls);
        assert_eq!(until("atom.global.add.u32 %r1, [%d1], 0;"), Wait::Polls);
        assert_eq!(until("ld.acquire.gpu.global.u32 %r1, [%d1];"), Wait::Polls);
        // The address is computed anew in each turn.
        assert_eq!(until("ld.volatile.global.u32 %r1, [g];"), Wait::Polls);
        assert_eq!(
            until("add.u64 %d3, %d1, 64; ld.volatile.global.u32 %r1, [%d3];"),
            Wait::Polls
        );
    }

    #[test]
    fn loops_that_work_while_they_wait() {
        // Another address in each turn, as a thread looks back.
        assert_eq!(
            until("ld.volatile.global.u32 %r1, [%d1]; add.u64 %d1, %d1, 4;"),
            Wait::Works
        );
        assert_eq!(
            until("red.global.add.u32 [%d2], 1; ld.volatile.global.u32 %r1, [%d1];"),
            Wait::Works
        );
        assert_eq!(
            until("ld.volatile.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1;"),
            Wait::Works
        );
        // One thread polls for its block.
        assert_eq!(
            until(
                "setp.ne.u32 %p2, %r8, 0; @%p2 bra M; ld.volatile.global.u32 %r2, [%d1]; st.shared.u32 [s], %r2;
                 M: bar.sync 0; ld.shared.u32 %r1, [s]; bar.sync 0;"
            ),
            Wait::Works
        );
        // A nest: each turn goes through the elements, until none was left. The inner loop does not wait.
        let nest = |order: &str| {
            format!(
                "mov.u32 %r1, 0; mov.u32 %r2, %r8; mov.u64 %d3, %d1;
                 N: ld.{order}.u32 %r3, [%d3]; setp.eq.u32 %p2, %r3, 0; @%p2 bra C;
                 mov.u32 %r1, 1; st.global.u32 [%d2], %r2;
                 C: add.u32 %r2, %r2, 1; add.u64 %d3, %d3, 4; setp.lt.u32 %p3, %r2, 999; @%p3 bra N;"
            )
        };
        assert_eq!(until(&nest("volatile.global")), Wait::Works);
        assert_eq!(until(&nest("global")), Wait::Reads);
    }

    #[test]
    fn loops_that_compute() {
        assert_eq!(until("ld.global.u32 %r1, [%d1];"), Wait::No);
        let counted = |body: &str| {
            wait(&format!(
                "L: {body} add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 999; @%p1 bra L;"
            ))
        };
        assert_eq!(counted("ld.volatile.global.u32 %r1, [%d1];"), Wait::No);
        assert_eq!(
            counted(
                "ld.volatile.global.u32 %r1, [%d1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra C; st.global.u32 [%d2], %r8; C:"
            ),
            Wait::No
        );
        // A queue of work, and an update that is repeated until no other thread came between.
        assert_eq!(
            until("atom.global.add.u32 %r1, [%d1], 1; st.global.u32 [%d2], %r1;"),
            Wait::No
        );
        assert_eq!(
            wait(
                "ld.global.u32 %r2, [%d1]; L: add.u32 %r3, %r2, 5; atom.global.cas.b32 %r1, [%d1], %r2, %r3;
                 setp.ne.u32 %p1, %r1, %r2; mov.u32 %r2, %r1; @%p1 bra L;"
            ),
            Wait::No
        );
    }
}
