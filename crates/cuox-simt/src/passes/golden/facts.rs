//! The analyses, with the facts behind the lines of the IR.

use super::{Case, Subject};
use crate::analysis::dominators::{Dominators, post_dominators, predecessors};
use crate::analysis::group_loop;
use crate::analysis::known_bits::LowBits;
use crate::analysis::lane_address::{
    LOCAL, LaneAddresses, Roots, SHARED, UNKNOWN, VOLATILE, Variation,
};
use crate::analysis::liveness::RegSet;
use crate::analysis::loop_nest::LoopNest;
use crate::analysis::multiway_branch::{self, MultiwayBranch};
use crate::analysis::region::{Region, Step, members};
use crate::analysis::uniformity::Uniformity;
use crate::analysis::{
    access_span, affine_compare, busy_wait, entry_points, flushing, last_adds, nan_payload,
};
use crate::ir::{BlockId, Function, Inst, Operand, Reg, Space, Terminator};
use std::fmt::Display;

pub(super) const ANALYSES: [Subject; 16] = [
    ("access_span", spans),
    ("affine_compare", |case| {
        let guardable = affine_compare::guardable(case.func(), &case.varying);
        in_set(case, &guardable, "may be guarded")
    }),
    ("busy_wait", |case| {
        let (waits, looks) = (busy_wait::find(case.func()), busy_wait::looks(case.func()));
        at_ends(case, |block| {
            match (waits[block.index()], looks[block.index()]) {
                (busy_wait::Wait::No, false) => String::new(),
                (wait, false) => format!("{wait:?}"),
                (wait, true) => format!("{wait:?}, looks"),
            }
        })
    }),
    ("dominators", |case| {
        let (dominators, joins) = (Dominators::new(case.func()), post_dominators(case.func()));
        at_starts(case, |block| {
            let parent = dominators.parent(block);
            let join = joins[block.index()].map(|join| BlockId(join as u32));
            let after = parent.map(|parent| format!("after {parent}"));
            let before = join.map(|join| format!("before {join}"));
            list(after.into_iter().chain(before), ", ")
        })
    }),
    ("entry_points", |case| {
        let (func, uniformity) = (case.func(), case.analysed().uniformity);
        let inside = group_loop::inside(&group_loop::find(func, &uniformity));
        let entries = entry_points::entries(func, &uniformity, &inside);
        at_starts(case, |block| match entries[block.index()] {
            true => "entry point".to_owned(),
            false => String::new(),
        })
    }),
    ("flushing", |case| {
        let func = case.func();
        Ok(annotate(func, |place| match place {
            Place::Start(BlockId(0)) if flushing::flushes(func) => "flushes".to_owned(),
            Place::Inst(_, _, inst) if flushing::needs_subnormals(inst) => {
                "needs subnormal numbers".to_owned()
            }
            Place::Start(_) | Place::Inst(..) | Place::End(..) => String::new(),
        }))
    }),
    ("group_loop", |case| {
        let loops = group_loop::find(case.func(), &case.analysed().uniformity);
        let inside = group_loop::inside(&loops);
        at_starts(case, |block| match &loops[block.index()] {
            Some(found) => {
                let blocks = list(&found.blocks, " ");
                format!("group loop of {blocks}, then {}", found.exit)
            }
            None if inside[block.index()] => "inside a group loop".to_owned(),
            None => String::new(),
        })
    }),
    ("known_bits", low_bits),
    ("lane_address", lane_addresses),
    ("last_adds", |case| {
        let quiet = last_adds::quiet_ends(case.func());
        Ok(annotate(case.func(), |place| match place {
            Place::Inst(block, index, _) => {
                let rest = &case.func().blocks[block.index()].insts[index..];
                match last_adds::may_come_later(rest, quiet[block.index()]) {
                    true => "may come later".to_owned(),
                    false => String::new(),
                }
            }
            Place::Start(_) | Place::End(..) => String::new(),
        }))
    }),
    ("liveness", |case| {
        let live = case.analysed().live;
        at_starts(case, |block| {
            let regs: Vec<Reg> = live.live_in(block).iter().collect();
            match regs.is_empty() {
                true => String::new(),
                false => format!("live: {}", list(&regs, " ")),
            }
        })
    }),
    ("loop_nest", |case| {
        let nest = LoopNest::new(case.func());
        at_starts(case, |block| {
            let around = nest.left(block.0, u32::MAX);
            let headers = around.iter().map(|&header| BlockId(header));
            match around.is_empty() {
                true => String::new(),
                false => format!("in loops {}", list(headers, " ")),
            }
        })
    }),
    ("multiway_branch", |case| {
        let (func, preds) = (case.func(), predecessors(case.func()));
        at_ends(case, |block| match &func.blocks[block.index()].end {
            Terminator::Switch { .. } => match multiway_branch::in_range(func, &preds, block) {
                true => "in range".to_owned(),
                false => "may be out of range".to_owned(),
            },
            _ => String::new(),
        })
    }),
    ("nan_payload", |case| {
        let unobserved = nan_payload::unobserved(case.func());
        in_set(case, &unobserved, "payload unobserved")
    }),
    ("region", regions),
    ("uniformity", |case| {
        let uniformity = case.analysed().uniformity;
        at_results(case, |reg| {
            let how = match uniformity.of(reg) {
                Uniformity::Uniform => "uniform".to_owned(),
                Uniformity::Affine(stride) => format!("affine by {stride}"),
                Uniformity::PiecewiseAffine(stride) => format!("piecewise affine by {stride}"),
                Uniformity::Varying => "varying".to_owned(),
            };
            // The guard is for the value that is otherwise varying.
            let one = uniformity.of(reg) == Uniformity::Uniform;
            let guarded = match one && uniformity.is_guarded(reg) {
                true => ", guarded",
                false => "",
            };
            Some(how + guarded)
        })
    }),
];

/// A line of a function.
pub(super) enum Place<'a> {
    /// The first line of a block.
    Start(BlockId),
    /// An instruction, by block and index.
    Inst(BlockId, usize, &'a Inst),
    /// A terminator.
    End(BlockId, &'a Terminator),
}

/// Returns the text of a function with a note behind each line of a block; without one where the note is empty.
pub(super) fn annotate(func: &Function, note: impl Fn(Place) -> String) -> String {
    let mut out = String::new();
    let (mut block, mut index) = (None, 0);
    for line in func.to_string().lines() {
        let place = if line.starts_with('b') {
            let next = block.map_or(0, |BlockId(block)| block + 1);
            (block, index) = (Some(BlockId(next)), 0);
            Some(Place::Start(BlockId(next)))
        } else if let Some(at) = block
            && line.starts_with("    ")
        {
            index += 1;
            let code = &func.blocks[at.index()];
            Some(match code.insts.get(index - 1) {
                Some(inst) => Place::Inst(at, index - 1, inst),
                None => Place::End(at, &code.end),
            })
        } else {
            None
        };
        out += line;
        if let Some(note) = place.map(&note).filter(|note| !note.is_empty()) {
            out += &format!("  // {note}");
        }
        out.push('\n');
    }
    out
}

fn list<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(between)
}

fn at_starts(case: &Case, note: impl Fn(BlockId) -> String) -> Result<String, String> {
    Ok(annotate(case.func(), |place| match place {
        Place::Start(block) => note(block),
        Place::Inst(..) | Place::End(..) => String::new(),
    }))
}

fn at_ends(case: &Case, note: impl Fn(BlockId) -> String) -> Result<String, String> {
    Ok(annotate(case.func(), |place| match place {
        Place::End(block, _) => note(block),
        Place::Start(_) | Place::Inst(..) => String::new(),
    }))
}

/// Notes facts about registers where these are written; with their names where a line writes several.
fn at_results(case: &Case, note: impl Fn(Reg) -> Option<String>) -> Result<String, String> {
    Ok(annotate(case.func(), |place| {
        let mut regs = Vec::new();
        match place {
            Place::Start(_) => {}
            Place::Inst(_, _, inst) => inst.defs(|reg| regs.push(reg)),
            Place::End(_, end) => end.defs(|reg| regs.push(reg)),
        }
        let several = regs.len() > 1;
        let notes = regs.into_iter().filter_map(|reg| match several {
            true => note(reg).map(|note| format!("{reg} {note}")),
            false => note(reg),
        });
        list(notes, ", ")
    }))
}

fn in_set(case: &Case, set: &RegSet, note: &str) -> Result<String, String> {
    at_results(case, |reg| set.contains(reg).then(|| note.to_owned()))
}

fn spans(case: &Case) -> Result<String, String> {
    let blocks = case.func().blocks.iter();
    let spans: Vec<_> = blocks
        .map(|block| access_span::spans(&block.insts))
        .collect();
    Ok(annotate(case.func(), |place| {
        let Place::Inst(block, index, inst) = place else {
            return String::new();
        };
        let span = spans[block.index()][index].zip(inst.address());
        span.map_or_else(String::new, |(span, addr)| match span.leader == index {
            true => {
                let (bytes, align) = (span.bytes, span.align);
                format!(
                    "checks {bytes} bytes at {}, alignment {align}",
                    span.address(addr)
                )
            }
            false => format!(
                "byte {} of the span of instruction {}",
                span.ahead(addr),
                span.leader
            ),
        })
    }))
}

fn low_bits(case: &Case) -> Result<String, String> {
    let bits = LowBits::new(case.func(), &case.analysed().live, case.shape);
    Ok(annotate(case.func(), |place| {
        let Place::Inst(_, _, inst) = place else {
            return String::new();
        };
        let mut notes = Vec::new();
        inst.defs(|reg| notes.push(format!("{} low zeros", bits.zeros(Operand::Reg(reg)))));
        if let Inst::Op { op, args, .. } = inst
            && let Some(stride) = bits.stride(*op, args, 1)
        {
            notes.push(format!("stride 1 becomes {stride}"));
        }
        list(notes, ", ")
    }))
}

fn roots(roots: Roots) -> String {
    let named = [
        (SHARED, "shared"),
        (UNKNOWN, "unknown"),
        (VOLATILE, "volatile"),
        (LOCAL, "local"),
    ];
    let number =
        |bit: &u32| roots >> bit & 1 != 0 && named.iter().all(|(root, _)| *root != 1 << bit);
    let numbers = (0..64).filter(number).map(|bit| format!("root {bit}"));
    let names = named.iter().filter(|(root, _)| roots & root != 0);
    list(
        numbers.chain(names.map(|(_, name)| (*name).to_owned())),
        " and ",
    )
}

fn lane_addresses(case: &Case) -> Result<String, String> {
    let addresses = LaneAddresses::new(case.func());
    let value = |reg: Reg| {
        let value = addresses.of(Operand::Reg(reg));
        let variation = match value.variation {
            Variation::Unset => "unset".to_owned(),
            Variation::Uniform => "uniform".to_owned(),
            Variation::Own { stride, line, .. } => {
                let line = if line { " on a line" } else { "" };
                match stride {
                    0 => format!("own{line}"),
                    _ => format!("own by {stride}{line}"),
                }
            }
            Variation::Mixed => "mixed".to_owned(),
            Variation::Loaded => "loaded".to_owned(),
        };
        match value.roots {
            0 => variation,
            of => format!("{variation}, of {}", roots(of)),
        }
    };
    Ok(annotate(case.func(), |place| {
        let mut notes = Vec::new();
        match place {
            Place::Start(_) => {}
            Place::Inst(_, _, inst) => {
                inst.defs(|reg| notes.push(value(reg)));
                if let Inst::Load { addr, order, .. } | Inst::Store { addr, order, .. } = inst
                    && matches!(addr.space, Space::Flat | Space::Shared)
                {
                    notes.push(format!("in {}", roots(addresses.roots(addr, *order))));
                }
            }
            Place::End(_, end) => {
                end.defs(|reg| notes.push(value(reg)));
                if addresses.parts(end) {
                    notes.push("parts lanes".to_owned());
                }
            }
        }
        list(notes, ", ")
    }))
}

/// The regions of branches that are not uniform, in the order in which a gang runs their blocks.
fn regions(case: &Case) -> Result<String, String> {
    let (func, facts) = (case.func(), case.analysed());
    let (preds, joins) = (predecessors(func), post_dominators(func));
    let strict = facts
        .uniformity
        .without_guards(func, &facts.live, &case.steady);
    let same = |reg: Reg| strict.of(reg) == Uniformity::Uniform;
    at_ends(case, |block| {
        let end = &func.blocks[block.index()].end;
        let branch =
            MultiwayBranch::of(end).filter(|branch| branch.reg().is_some_and(|reg| !same(reg)));
        let Some(branch) = branch else {
            return String::new();
        };
        let Some(join) = joins[block.index()].map(|join| BlockId(join as u32)) else {
            return "no join".to_owned();
        };
        let Some(region) = Region::new(func, &preds, &same, &branch, join) else {
            return format!("no region before {join}");
        };
        let steps = region.steps.iter().map(|step| match *step {
            Step::Run(i) => {
                let waiting = members(region.waiting(i)).map(|i| region.blocks[i]);
                match list(waiting, " ") {
                    none if none.is_empty() => region.blocks[i].to_string(),
                    others => format!("{} (others wait for {others})", region.blocks[i]),
                }
            }
            Step::LoopEnd(i) => format!("again {}", region.blocks[i]),
        });
        format!("{}, then {join}", list(steps, ", "))
    })
}
