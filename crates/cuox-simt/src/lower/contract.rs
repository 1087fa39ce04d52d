//! Products and sums that become one rounding.
//!
//! `mul`, `add` and `sub` without a rounding modifier round to nearest, and a product and a sum of them may be one `fma` (PTX ISA,
//! floating-point instructions: `add`, `mul`). Results are a GPU's only where the same ones are joined, so these rules are those that NVIDIA's
//! assembler (ptxas 13.0, for sm_90) was seen to follow:
//!
//! - Both stand in one stretch of straight code, as [`Lower::begin_stretch`](super::build::Lower::begin_stretch) divides it.
//! - All that is made of the product, directly or through `mov` and `neg`, are sums that it can be joined with; those of the same format and
//!   `.ftz`, and not of the product with itself. Each then computes the product anew.
//! - In a sum of two products, that with fewer uses is joined, the first if both have as many. The other is then used by something
//!   else than a sum.

use super::open_block::Open;
use crate::ir::{Args, Float, FloatOp, Inst, Op, Operand, Reg, Round, Terminator, Ty};
use rustc_hash::FxHashMap;

/// Where an instruction stands: a block, and the place in it.
type Place = (usize, usize);

/// An IEEE operation on one number or on two halves, as far as both sides have to agree on it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Format {
    ty: Float,
    halves: bool,
    ftz: bool,
}

impl Format {
    /// What the operands are.
    fn operand(self) -> Ty {
        match self.halves {
            true => Ty::B32,
            false => self.ty.ty(),
        }
    }

    /// The signs of all numbers in an operand.
    fn signs(self) -> u64 {
        match self.halves {
            true => 0x8000_8000,
            false => 1 << (self.ty.ty().bits() - 1),
        }
    }

    fn op(self, op: FloatOp, sat: bool) -> Op {
        let (ty, ftz) = (self.ty, self.ftz);
        match self.halves {
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

/// What an operation is, and whether it saturates.
fn parts(op: Op) -> Option<(FloatOp, Format, bool)> {
    let (op, ty, halves, ftz, sat) = match op {
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
    Some((op, Format { ty, halves, ftz }, sat))
}

struct Product {
    place: Place,
    /// When it is made.
    time: u32,
    format: Format,
    factors: [Operand; 2],
    /// The sums that it could be joined with, in order.
    sums: Vec<usize>,
    /// Something else is made of it too.
    kept: bool,
}

/// A product that a register holds.
#[derive(Clone, Copy)]
struct Held {
    product: usize,
    negated: bool,
}

struct Sum {
    place: Place,
    subtracts: bool,
    sat: bool,
    operands: [Operand; 2],
    products: [Option<Part>; 2],
    done: bool,
}

/// A product in a sum.
#[derive(Clone, Copy)]
struct Part {
    product: usize,
    negated: bool,
    /// The registers of its factors that hold something else by now.
    gone: [bool; 2],
}

/// Most sums of one product; a bound on what a hostile module can make us look through.
const MAX_SUMS: usize = 1000;

/// A function, and the stretch at hand as far as it has been read.
struct Contraction<'a> {
    regs: &'a mut Vec<Ty>,
    /// See [`exposed`].
    exposed: Vec<bool>,
    /// How many instructions there were.
    time: u32,
    /// When each register was last written.
    written: Vec<u32>,
    held: FxHashMap<Reg, Held>,
    products: Vec<Product>,
    sums: Vec<Sum>,
    changes: Changes,
}

/// Joins what may be joined in the stretches of a function, whose blocks stand in `order`.
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
            Step::Inst(place, inst, free) => this.inst(place, inst, free),
            Step::End(end) => {
                end.uses(|operand| this.keep(operand));
                end.defs(|reg| this.write(reg));
            }
        }
        this.time += 1;
    });
    this.changes.apply(blocks);
}

/// What a function is, in order.
enum Step<'a> {
    /// A stretch ends.
    Break,
    /// An instruction, where it stands, and whether it may be joined.
    Inst(Place, &'a Inst, bool),
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

/// Registers that some stretch reads before it writes them: what they hold at a stretch's end may be read.
fn exposed(blocks: &[Open], order: &[usize], regs: usize) -> Vec<bool> {
    let mut exposed = vec![false; regs];
    // The last stretch that wrote a register.
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
    fn inst(&mut self, place: Place, inst: &Inst, free: bool) {
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
                    place,
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
                self.sum(place, sum, format, sat, [args[0], args[1]]);
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

    /// What `neg` in a format makes of an operand. A sign is the same with and without `.ftz` where the sum flushes.
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

    /// The product that an operand is.
    fn product(&self, operand: Operand) -> Option<Held> {
        let Operand::Reg(reg) = operand else {
            return None;
        };
        self.held.get(&reg).copied()
    }

    /// An operand of something that is no sum.
    fn keep(&mut self, operand: Operand) {
        if let Some(held) = self.product(operand) {
            self.products[held.product].kept = true;
        }
    }

    fn write(&mut self, reg: Reg) {
        self.held.remove(&reg);
        self.written[reg.index()] = self.time;
    }

    fn sum(&mut self, place: Place, op: FloatOp, format: Format, sat: bool, args: [Operand; 2]) {
        let held = args.map(|operand| self.product(operand));
        let mut products = [None; 2];
        let itself = matches!(held, [Some(a), Some(b)] if a.product == b.product);
        for (held, place) in held.into_iter().zip(&mut products) {
            let Some(held) = held else { continue };
            let product = &mut self.products[held.product];
            if itself || product.format != format || product.sums.len() == MAX_SUMS {
                product.kept = true;
                continue;
            }
            product.sums.push(self.sums.len());
            *place = Some(Part {
                product: held.product,
                negated: held.negated,
                gone: product.factors.map(|factor| match factor {
                    Operand::Reg(reg) => self.written[reg.index()] >= product.time,
                    Operand::Imm(_) => false,
                }),
            });
        }
        self.sums.push(Sum {
            place,
            subtracts: op == FloatOp::Sub,
            sat,
            operands: args,
            products,
            done: false,
        });
    }

    /// Whether all that is made of a product can be joined with it, or was.
    fn joins(&self, part: Part) -> bool {
        let this = &self.products[part.product];
        let prefers_other = |&sum: &usize| {
            let sum = &self.sums[sum];
            let mut others = sum.products.iter().flatten();
            !sum.done
                && others.any(|other| {
                    let is_other = other.product != part.product;
                    let other = &self.products[other.product];
                    is_other && !other.kept && other.sums.len() < this.sums.len()
                })
        };
        !this.kept && !this.sums.iter().any(prefers_other)
    }

    /// Joins what the stretch has, and forgets it.
    fn join(&mut self) {
        for (reg, held) in self.held.drain() {
            self.products[held.product].kept |= self.exposed[reg.index()];
        }
        for n in 0..self.sums.len() {
            let candidates = self.sums[n].products;
            let chosen = match candidates.map(|part| part.filter(|&part| self.joins(part))) {
                [Some(a), Some(b)] => {
                    let uses = |part: Part| self.products[part.product].sums.len();
                    Some(usize::from(uses(b) < uses(a)))
                }
                [Some(_), None] => Some(0),
                [None, Some(_)] => Some(1),
                [None, None] => None,
            };
            self.sums[n].done = true;
            for (which, part) in candidates.into_iter().enumerate() {
                match part {
                    Some(part) if chosen == Some(which) => self.fuse(n, which, part),
                    Some(part) => self.products[part.product].kept = true,
                    None => {}
                }
            }
        }
        self.products.clear();
        self.sums.clear();
    }

    /// Makes a sum one `fma` of the product that its operand `which` is, and the other operand.
    fn fuse(&mut self, sum: usize, which: usize, part: Part) {
        let sum = &self.sums[sum];
        let product = &self.products[part.product];
        let format = product.format;
        let mut factors = product.factors;
        for (factor, gone) in factors.iter_mut().zip(part.gone) {
            if let (Operand::Reg(reg), true) = (&factor, gone) {
                *factor = Operand::Reg(self.changes.copy(self.regs, *reg, product.place));
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
        if part.negated != (sum.subtracts && which == 1) {
            let constant = matches!(factors[1], Operand::Imm(_));
            negate(&mut factors[usize::from(constant)]);
        }
        if sum.subtracts && which == 0 {
            negate(&mut addend);
        }
        let [a, b] = factors;
        let fma = format.op(FloatOp::Fma, sum.sat);
        let args = Args::new(&[a, b, addend]);
        self.changes.joined.insert(sum.place, (before, fma, args));
    }
}

fn new(regs: &mut Vec<Ty>, ty: Ty) -> Reg {
    regs.push(ty);
    Reg(regs.len() as u32 - 1)
}

/// What stretches are to become.
#[derive(Default)]
struct Changes {
    /// Sums: what comes before them, and what they are now.
    joined: FxHashMap<Place, (Vec<Inst>, Op, Args)>,
    /// Products: registers that are copied before them, and where to.
    copies: FxHashMap<Place, Vec<(Reg, Reg, Ty)>>,
}

impl Changes {
    /// A copy of a register as it is before the product at `place`.
    fn copy(&mut self, regs: &mut Vec<Ty>, reg: Reg, place: Place) -> Reg {
        let copies = self.copies.entry(place).or_default();
        if let Some((_, copy, _)) = copies.iter().find(|(old, ..)| *old == reg) {
            return *copy;
        }
        let ty = regs[reg.index()];
        let copy = new(regs, ty);
        copies.push((reg, copy, ty));
        copy
    }

    fn apply(mut self, blocks: &mut [Open]) {
        let mut changed: Vec<usize> = self.joined.keys().map(|place| place.0).collect();
        changed.extend(self.copies.keys().map(|place| place.0));
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
