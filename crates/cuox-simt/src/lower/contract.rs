//! Contraction: products and sums that become one `fma`.
//!
//! `mul`, `add` and `sub` without a rounding modifier round to nearest, and a product and a sum of it may be
//! contracted to one `fma` (PTX ISA, floating-point instructions: `add`, `mul`). Results are a GPU's only if the same
//! pairs are contracted. The rules were observed on NVIDIA's assembler (ptxas 13.0, for sm_90):
//!
//! - Both are in one stretch of straight-line code, as [`Lower::begin_stretch`](super::build::Lower::begin_stretch)
//!   divides it.
//! - All users of the product, directly or through `mov` and `neg`, are sums that it can be contracted with: sums of
//!   the same format and `.ftz`, and not of the product with itself. Each sum then computes the product anew.
//! - In a sum of two products, the one with fewer uses is contracted, or the first if both have the same number. The
//!   other one then counts as used by something other than a sum.

use super::open_block::Open;
use crate::ir::{Args, Float, FloatOp, Inst, Op, Operand, Reg, Round, Terminator, Ty};
use rustc_hash::FxHashMap;

/// The position of an instruction: a block, and the index in it.
type Position = (usize, usize);

/// An IEEE format, scalar or packed. A product and a sum must have the same to be contracted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Format {
    ty: Float,
    packed: bool,
    ftz: bool,
}

impl Format {
    /// Returns the type of the operands.
    fn operand(self) -> Ty {
        match self.packed {
            true => Ty::B32,
            false => self.ty.ty(),
        }
    }

    /// Returns the sign bits of all numbers in an operand.
    fn signs(self) -> u64 {
        match self.packed {
            true => 0x8000_8000,
            false => 1 << (self.ty.ty().bits() - 1),
        }
    }

    fn op(self, op: FloatOp, sat: bool) -> Op {
        let (ty, ftz) = (self.ty, self.ftz);
        match self.packed {
            true => Op::Float2 {
                op,
                ty,
                ftz,
                sat,
                relu: false,
            },
            false => Op::Float {
                op,
                ty,
                round: Round::Nearest,
                ftz,
                sat,
            },
        }
    }
}

/// Splits an operation into its kind, format and `.sat`; `None` if it cannot be contracted.
fn parts(op: Op) -> Option<(FloatOp, Format, bool)> {
    let (op, ty, packed, ftz, sat) = match op {
        Op::Float {
            op,
            ty,
            round: Round::Nearest,
            ftz,
            sat,
        } => (op, ty, false, ftz, sat),
        Op::Float2 {
            op,
            ty,
            ftz,
            sat,
            relu: false,
        } => (op, ty, true, ftz, sat),
        _ => return None,
    };
    Some((op, Format { ty, packed, ftz }, sat))
}

struct Product {
    position: Position,
    /// The time at which it is computed.
    time: u32,
    format: Format,
    factors: [Operand; 2],
    /// The sums that it could be contracted with, in order.
    sums: Vec<usize>,
    /// True if something other than a sum uses it.
    kept: bool,
}

/// A product in a register.
#[derive(Clone, Copy)]
struct Held {
    product: usize,
    negated: bool,
}

struct Sum {
    position: Position,
    subtracts: bool,
    sat: bool,
    operands: [Operand; 2],
    products: [Option<Addend>; 2],
    done: bool,
}

/// A product as an operand of a sum.
#[derive(Clone, Copy)]
struct Addend {
    product: usize,
    negated: bool,
    /// True for each factor whose register has been overwritten since.
    gone: [bool; 2],
}

/// The largest number of sums of one product; limits the work that a hostile module can cause.
const MAX_SUMS: usize = 1000;

/// A function, and the part of the current stretch that has been read.
struct Contraction<'a> {
    regs: &'a mut Vec<Ty>,
    /// See [`exposed`].
    exposed: Vec<bool>,
    /// The number of instructions so far.
    time: u32,
    /// The time of each register's last write.
    written: Vec<u32>,
    held: FxHashMap<Reg, Held>,
    products: Vec<Product>,
    sums: Vec<Sum>,
    changes: Changes,
}

/// Contracts products and sums in the stretches of a function, whose blocks are in the order `order`.
pub(super) fn contract(blocks: &mut [Open], order: &[usize], regs: &mut Vec<Ty>) {
    if blocks.iter().all(|block| block.free.is_empty()) {
        return;
    }
    let mut this = Contraction {
        exposed: exposed(blocks, order, regs.len()),
        written: vec![0; regs.len()],
        regs,
        time: 1,
        held: FxHashMap::default(),
        products: Vec::new(),
        sums: Vec::new(),
        changes: Changes::default(),
    };
    walk(blocks, order, |step| {
        match step {
            Step::Break => this.join(),
            Step::Inst(position, inst, free) => this.inst(position, inst, free),
            Step::End(end) => {
                end.uses(|operand| this.keep(operand));
                end.defs(|reg| this.write(reg));
            }
        }
        this.time += 1;
    });
    this.changes.apply(blocks);
}

/// A step of a function's code, in order.
enum Step<'a> {
    /// The end of a stretch.
    Break,
    /// An instruction, its position, and true if it may be contracted.
    Inst(Position, &'a Inst, bool),
    /// The end of a block.
    End(&'a Terminator),
}

fn walk(blocks: &[Open], order: &[usize], mut step: impl FnMut(Step<'_>)) {
    for &number in order {
        let block = &blocks[number];
        let mut free = block.free.iter().peekable();
        let mut breaks = block.breaks.iter().peekable();
        for n in 0..=block.insts.len() {
            while breaks.next_if(|&&at| at == n).is_some() {
                step(Step::Break);
            }
            if let Some(inst) = block.insts.get(n) {
                let free = free.next_if(|&&at| at == n).is_some();
                step(Step::Inst((number, n), inst, free));
            }
        }
        if let Some(end) = &block.end {
            step(Step::End(end));
        }
    }
    step(Step::Break);
}

/// Returns the registers that some stretch reads before it writes them. Their values at a stretch's end may be used.
fn exposed(blocks: &[Open], order: &[usize], regs: usize) -> Vec<bool> {
    let mut exposed = vec![false; regs];
    // The last stretch that wrote each register.
    let mut written = vec![0; regs];
    let mut number = 1;
    walk(blocks, order, |step| {
        let mut read = |operand| {
            if let Operand::Reg(reg) = operand {
                exposed[reg.index()] |= written[reg.index()] != number;
            }
        };
        match step {
            Step::Break => number += 1,
            Step::Inst(_, inst, _) => {
                inst.uses(&mut read);
                inst.defs(|reg| written[reg.index()] = number);
            }
            Step::End(end) => {
                end.uses(&mut read);
                end.defs(|reg| written[reg.index()] = number);
            }
        }
    });
    exposed
}

impl Contraction<'_> {
    fn inst(&mut self, position: Position, inst: &Inst, free: bool) {
        let Inst::Op { dst, op, args } = inst else {
            inst.uses(|operand| self.keep(operand));
            inst.defs(|reg| self.write(reg));
            return;
        };
        let held = match (*op, parts(*op)) {
            (Op::Mov(_), _) => self.product(args[0]),
            (_, Some((FloatOp::Neg, format, false))) => self.negated(args[0], format),
            (_, Some((FloatOp::Mul, format, false))) if free => {
                args.iter().for_each(|&operand| self.keep(operand));
                self.products.push(Product {
                    position,
                    time: self.time,
                    format,
                    factors: [args[0], args[1]],
                    sums: Vec::new(),
                    kept: false,
                });
                Some(Held {
                    product: self.products.len() - 1,
                    negated: false,
                })
            }
            (_, Some((sum @ (FloatOp::Add | FloatOp::Sub), format, sat))) if free => {
                self.sum(position, sum, format, sat, [args[0], args[1]]);
                None
            }
            _ => {
                args.iter().for_each(|&operand| self.keep(operand));
                None
            }
        };
        self.write(*dst);
        if let Some(held) = held {
            self.held.insert(*dst, held);
        }
    }

    /// Returns the product that `neg` of an operand is. A sign is the same with and without `.ftz` if the sum
    /// flushes.
    fn negated(&mut self, operand: Operand, format: Format) -> Option<Held> {
        let held = self.product(operand)?;
        let product = &mut self.products[held.product];
        let ftz = product.format.ftz;
        if (Format { ftz, ..format }) != product.format || format.ftz && !ftz {
            product.kept = true;
            return None;
        }
        Some(Held {
            negated: !held.negated,
            ..held
        })
    }

    /// Returns the product that an operand holds.
    fn product(&self, operand: Operand) -> Option<Held> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        self.held.get(&reg).copied()
    }

    /// Marks the product that an operand holds as used by something other than a sum.
    fn keep(&mut self, operand: Operand) {
        if let Some(held) = self.product(operand) {
            self.products[held.product].kept = true;
        }
    }

    fn write(&mut self, reg: Reg) {
        self.held.remove(&reg);
        self.written[reg.index()] = self.time;
    }

    fn sum(
        &mut self,
        position: Position,
        op: FloatOp,
        format: Format,
        sat: bool,
        args: [Operand; 2],
    ) {
        let held = args.map(|operand| self.product(operand));
        let mut products = [None; 2];
        let itself = matches!(held, [Some(a), Some(b)] if a.product == b.product);
        for (held, product_use) in held.into_iter().zip(&mut products) {
            let Some(held) = held else { continue };
            let product = &mut self.products[held.product];
            if itself || product.format != format || product.sums.len() == MAX_SUMS {
                product.kept = true;
                continue;
            }
            product.sums.push(self.sums.len());
            *product_use = Some(Addend {
                product: held.product,
                negated: held.negated,
                gone: product.factors.map(|factor| match factor {
                    Operand::Reg(reg) => self.written[reg.index()] >= product.time,
                    Operand::Imm(_) => false,
                }),
            });
        }
        self.sums.push(Sum {
            position,
            subtracts: op == FloatOp::Sub,
            sat,
            operands: args,
            products,
            done: false,
        });
    }

    /// Returns true if every use of the product is contracted or can be.
    fn joins(&self, addend: Addend) -> bool {
        let this = &self.products[addend.product];
        let prefers_other = |&sum: &usize| {
            let sum = &self.sums[sum];
            let mut others = sum.products.iter().flatten();
            !sum.done
                && others.any(|other| {
                    let is_other = other.product != addend.product;
                    let other = &self.products[other.product];
                    is_other && !other.kept && other.sums.len() < this.sums.len()
                })
        };
        !this.kept && !this.sums.iter().any(prefers_other)
    }

    /// Contracts the stretch's sums, and clears the stretch.
    fn join(&mut self) {
        for (reg, held) in self.held.drain() {
            self.products[held.product].kept |= self.exposed[reg.index()];
        }
        for n in 0..self.sums.len() {
            let candidates = self.sums[n].products;
            let chosen = match candidates.map(|addend| addend.filter(|&addend| self.joins(addend)))
            {
                [Some(a), Some(b)] => {
                    let uses = |addend: Addend| self.products[addend.product].sums.len();
                    Some(usize::from(uses(b) < uses(a)))
                }
                [Some(_), None] => Some(0),
                [None, Some(_)] => Some(1),
                [None, None] => None,
            };
            self.sums[n].done = true;
            for (which, addend) in candidates.into_iter().enumerate() {
                match addend {
                    Some(addend) if chosen == Some(which) => self.fuse(n, which, addend),
                    Some(addend) => self.products[addend.product].kept = true,
                    None => {}
                }
            }
        }
        self.products.clear();
        self.sums.clear();
    }

    /// Turns a sum into an `fma` of its operand `which`, a product, and the other operand.
    fn fuse(&mut self, sum: usize, which: usize, chosen: Addend) {
        let sum = &self.sums[sum];
        let product = &self.products[chosen.product];
        let format = product.format;
        let mut factors = product.factors;
        for (factor, gone) in factors.iter_mut().zip(chosen.gone) {
            if let (Operand::Reg(reg), true) = (&factor, gone) {
                *factor = Operand::Reg(self.changes.copy(self.regs, *reg, product.position));
            }
        }
        let mut addend = sum.operands[1 - which];
        let mut before = Vec::new();
        let regs = &mut *self.regs;
        let mut negate = |operand: &mut Operand| match operand {
            Operand::Imm(bits) => *bits ^= format.signs(),
            Operand::Reg(_) => {
                let dst = new(regs, format.operand());
                let plain = Format {
                    ftz: false,
                    ..format
                };
                before.push(Inst::Op {
                    dst,
                    op: plain.op(FloatOp::Neg, false),
                    args: Args::new(&[*operand]),
                });
                *operand = Operand::Reg(dst);
            }
        };
        // `a - b`: either the product is subtracted, or the other operand.
        if chosen.negated != (sum.subtracts && which == 1) {
            let constant = matches!(factors[1], Operand::Imm(_));
            negate(&mut factors[usize::from(constant)]);
        }
        if sum.subtracts && which == 0 {
            negate(&mut addend);
        }
        let [a, b] = factors;
        let fma = format.op(FloatOp::Fma, sum.sat);
        let args = Args::new(&[a, b, addend]);
        self.changes
            .joined
            .insert(sum.position, (before, fma, args));
    }
}

fn new(regs: &mut Vec<Ty>, ty: Ty) -> Reg {
    regs.push(ty);
    Reg(regs.len() as u32 - 1)
}

/// The changes to be made to the function.
#[derive(Default)]
struct Changes {
    /// Contracted sums: the instructions before them, and their new operation.
    joined: FxHashMap<Position, (Vec<Inst>, Op, Args)>,
    /// Registers that are copied before products, and the copies.
    copies: FxHashMap<Position, Vec<(Reg, Reg, Ty)>>,
}

impl Changes {
    /// Returns a copy of a register's value at the product at `position`.
    fn copy(&mut self, regs: &mut Vec<Ty>, reg: Reg, position: Position) -> Reg {
        let copies = self.copies.entry(position).or_default();
        if let Some((_, copy, _)) = copies.iter().find(|(old, ..)| *old == reg) {
            return *copy;
        }
        let ty = regs[reg.index()];
        let copy = new(regs, ty);
        copies.push((reg, copy, ty));
        copy
    }

    fn apply(mut self, blocks: &mut [Open]) {
        let mut changed: Vec<usize> = self.joined.keys().map(|position| position.0).collect();
        changed.extend(self.copies.keys().map(|position| position.0));
        changed.sort_unstable();
        changed.dedup();
        for number in changed {
            let block = &mut blocks[number];
            let mut lines = std::mem::take(&mut block.lines).into_iter();
            for (n, mut inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
                let line = lines.next().unwrap_or(0);
                let mut put = |inst: Inst| {
                    block.insts.push(inst);
                    block.lines.push(line);
                };
                for (old, dst, ty) in self.copies.remove(&(number, n)).into_iter().flatten() {
                    put(Inst::Op {
                        dst,
                        op: Op::Mov(ty),
                        args: Args::new(&[Operand::Reg(old)]),
                    });
                }
                if let Some((before, new, operands)) = self.joined.remove(&(number, n)) {
                    before.into_iter().for_each(&mut put);
                    if let Inst::Op { op, args, .. } = &mut inst {
                        (*op, *args) = (new, operands);
                    }
                }
                put(inst);
            }
            block.lines.extend(lines);
        }
    }
}
