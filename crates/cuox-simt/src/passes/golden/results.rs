//! The passes, with the IR that they give.

use super::{Case, Subject, kind, verified};
use crate::analysis::{entry_points, group_loop};
use crate::ir::{BlockId, FuncId, Function, Lowered, Reg, Terminator, Unit};
use crate::jit::plan::in_loop;
use crate::passes::boundary_branch::{BoundaryCompares, Counts};
use crate::passes::hot_cold::{CodePart, EntryPoint, HotCold};
use crate::passes::linearize::{Linearized, linearize};
use crate::passes::{
    block_order, block_split, call_flattening, call_slots, cfg, checks, clamps, cleanup,
    compare_remat, dead, inline, local_window, lockstep, propagate, range_split, superblock,
};
use std::fmt::Write;

use super::facts::{Place, annotate};

pub(super) const PASSES: [Subject; 19] = [
    ("block_order", |case| in_place(case, block_order::reorder)),
    ("block_split", |case| {
        let facts = case.analysed();
        let (live, uniformity) = (&facts.live, &facts.uniformity);
        printed(&block_split::run(
            case.func(),
            live,
            uniformity,
            case.narrow,
        ))
    }),
    ("boundary_branch", boundary_branches),
    ("call_flattening", |case| {
        let flat = call_flattening::run(&case.unit, 64, 1024);
        let sets = [("steady", &flat.steady[..])];
        Ok(with_sets(printed(&flat.func)?, &sets))
    }),
    ("call_slots", |case| in_place(case, call_slots::run)),
    ("cfg", |case| in_place(case, cfg::simplify)),
    ("checks", |case| printed(&checks::insert(&case.unit).kernel)),
    ("clamps", |case| {
        let facts = case.analysed();
        let mut out = Linearized::for_threads(case.func());
        clamps::run(&mut out, &facts.live, &facts.uniformity);
        printed_copies(&out)
    }),
    ("cleanup", |case| in_place(case, cleanup::run)),
    ("compare_remat", |case| {
        let changed = compare_remat::run(case.func(), &case.analysed().uniformity);
        printed(changed.as_ref().unwrap_or(case.func()))
    }),
    ("dead", |case| {
        in_place(case, |f| {
            dead::coalesce(f);
            dead::remove(f);
            dead::compact(f);
        })
    }),
    ("hot_cold", parts),
    ("inline", inlined),
    ("linearize", |case| {
        let facts = case.analysed();
        let (live, uniformity) = (&facts.live, &facts.uniformity);
        printed_copies(&linearize(case.func(), live, uniformity, &case.steady))
    }),
    ("local_window", |case| in_place(case, local_window::run)),
    ("lockstep", |case| {
        in_place(case, |f| lockstep::run(f, kind(f)))
    }),
    ("propagate", |case| {
        in_place(case, |f| _ = propagate::run(f))
    }),
    ("range_split", |case| {
        let facts = case.analysed();
        let changed = range_split::run(case.func(), &facts.uniformity, &case.steady);
        printed(changed.as_ref().unwrap_or(case.func()))
    }),
    ("superblock", superblocks),
];

/// Returns the text of a function, which the verifier must accept and which must read the same.
fn printed(function: &Function) -> Result<String, String> {
    let text = function.to_string();
    verified(function)?;
    match text.parse().as_ref() == Ok(function) {
        true => Ok(text),
        false => Err(format!("reads as another function:\n{text}")),
    }
}

fn in_place(case: &Case, pass: impl FnOnce(&mut Function)) -> Result<String, String> {
    let mut function = case.func().clone();
    pass(&mut function);
    printed(&function)
}

/// Puts sets of registers in front of a text.
fn with_sets(text: String, sets: &[(&str, &[Reg])]) -> String {
    let mut out = String::new();
    for (name, regs) in sets.iter().filter(|(_, regs)| !regs.is_empty()) {
        let regs = regs.iter().map(|reg| format!(" {reg}"));
        out += &format!("// {name}:{}\n", regs.collect::<String>());
    }
    out + &text
}

fn printed_copies(copies: &Linearized) -> Result<String, String> {
    let [kept, varying, own] =
        [&copies.kept, &copies.varying, &copies.own].map(|set| set.iter().collect::<Vec<Reg>>());
    let sets = [("kept", &kept[..]), ("varying", &varying), ("own", &own)];
    Ok(with_sets(printed(&copies.func)?, &sets))
}

/// Splits off the comparisons of every boundary branch. The pass has no function of its own: `linearize` calls it.
fn boundary_branches(case: &Case) -> Result<String, String> {
    let (func, facts) = (case.func(), case.analysed());
    let counts = Counts::new(func);
    let mut out = Linearized::for_threads(func);
    for (index, block) in func.blocks.iter().enumerate() {
        if let Terminator::Branch { cond, .. } = block.end
            && let Some(compares) = BoundaryCompares::of(block, cond, &facts.uniformity, &counts)
        {
            compares.split_off(&mut out, BlockId(index as u32));
        }
    }
    printed_copies(&out)
}

/// Inlines into the kernel. In each function of these files `%0` is the register for the start of the frame, `%1` the
/// one for the size of local memory.
fn inlined(case: &Case) -> Result<String, String> {
    let lowered = |function: &Function| Lowered {
        function: function.clone(),
        frame: Reg(0),
        frame_size: Reg(1),
    };
    let Unit {
        kernel, functions, ..
    } = &case.unit;
    let functions = functions.iter().enumerate();
    let functions = functions.map(|(id, function)| (FuncId(id as u32), lowered(function)));
    let library = inline::Library::new(functions.collect());
    let (function, sizes) = inline::run(lowered(kernel), &library);
    Ok(with_sets(printed(&function)?, &[("sizes", &sizes)]))
}

/// The blocks of gang code with their parts and entry points.
fn parts(case: &Case) -> Result<String, String> {
    let (func, facts) = (case.func(), case.analysed());
    let group_loops = group_loop::find(func, &facts.uniformity);
    let inside = group_loop::inside(&group_loops);
    let entries = entry_points::entries(func, &facts.uniformity, &inside);
    let superblocks = superblock::find(func, &facts.uniformity, &group_loops, &inside);
    let parts = HotCold::new(
        func,
        &facts.uniformity,
        &superblocks,
        &group_loops,
        (&entries, &in_loop(func)),
    );
    let note = |place: Place| {
        let Place::Start(block) = place else {
            return String::new();
        };
        let cold = parts.has(CodePart::Cold, EntryPoint::Block(block));
        let mut note = if cold { "cold" } else { "hot" }.to_owned();
        for part in [CodePart::Hot, CodePart::Cold] {
            for (number, &entry_point) in parts.entry_points(part).iter().enumerate() {
                if entry_point == EntryPoint::Block(block) {
                    note += &format!(", entry point {number}");
                } else if entry_point == EntryPoint::SingleBlock(block) {
                    note += &format!(", entry point {number} of the cold part as a single block");
                }
            }
        }
        note
    };
    Ok(annotate(func, note))
}

/// The superblocks, each with the branches inside it.
fn superblocks(case: &Case) -> Result<String, String> {
    let (func, facts) = (case.func(), case.analysed());
    let group_loops = group_loop::find(func, &facts.uniformity);
    let inside = group_loop::inside(&group_loops);
    let found = superblock::find(func, &facts.uniformity, &group_loops, &inside);
    let mut out = String::new();
    for (first, superblock) in found.iter().enumerate() {
        let Some(superblock) = superblock else {
            continue;
        };
        _ = writeln!(out, "b{first} to {}:", superblock.last);
        for index in 0..=superblock.block.insts.len() {
            for exit in superblock.side_exits.iter().filter(|e| e.before == index) {
                let unless = if exit.holds { "unless" } else { "if" };
                _ = writeln!(out, "    // leaves {unless} {}", exit.cond);
            }
            _ = match superblock.block.insts.get(index) {
                Some(inst) => writeln!(out, "    {inst}"),
                None => writeln!(out, "    {}", superblock.block.end),
            };
        }
    }
    Ok(match out.is_empty() {
        true => "// none\n".to_owned(),
        false => out,
    })
}
