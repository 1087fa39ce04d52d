//! `wmma.load`, `wmma.store`, `wmma.mma`.
//!
//! The manual leaves the layout of fragments open. Here it is the hardware's: a fragment consists of the fragments of
//! the `mma` shapes that multiply it, and does not depend on the layout in memory. `m8n32k16` is multiplied
//! transposed.

use super::build::{Lower, conversion};
use super::matrix::{by_columns, dests, element, part, shape, sum, values};
use super::operand::arg;
use super::sync::ALL_LANES;
use super::{Dest, Result, fail, unsupported};
use crate::ir::{
    Address, Element, Float, Inst, IntOp, MatrixOp, Mma, Num, Op, Operand, Order, Round, Space,
    Special, Sum, Ty, WarpOp,
};
use cuox_ptx::ast::{Instruction, Modifier, ScalarType};

/// A tile: the elements in one register of all lanes (or two registers, for a sum). Lane `q` of group `g` holds `run`
/// neighbours of row (or column) `g`, from `q * run` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tile {
    /// Row of the first lane's first element.
    row: usize,
    /// Column of the first lane's first element.
    column: usize,
}

/// A matrix distributed over the lanes.
struct Fragment {
    tiles: Vec<Tile>,
    /// Neighbouring elements that a lane holds of each tile.
    run: usize,
    /// Bits of an element.
    bits: usize,
    /// True if neighbours are in a column.
    down: bool,
    /// Rows and columns of the matrix.
    size: [usize; 2],
    /// Registers of a lane. If there are more than the tiles fill, the others repeat the first.
    registers: usize,
}

impl Fragment {
    /// Returns the tiles of a matrix whose rows run along the lanes of a group. It is divided into blocks of 16 rows
    /// (or 8, if there are no more), those into blocks of columns as wide as four lanes' runs, and those into rows 8
    /// apart.
    fn blocks(rows: usize, columns: usize, width: usize) -> Vec<Tile> {
        let mut tiles = Vec::new();
        for top in (0..rows).step_by(16) {
            for column in (0..columns).step_by(width) {
                for row in (top..rows.min(top + 16)).step_by(8) {
                    tiles.push(Tile { row, column });
                }
            }
        }
        tiles
    }

    fn transposed(mut self) -> Fragment {
        for tile in &mut self.tiles {
            *tile = Tile {
                row: tile.column,
                column: tile.row,
            };
        }
        self.size.reverse();
        self.down = !self.down;
        self
    }

    fn new(which: Modifier, [m, n, k]: [usize; 3], bits: usize, half: bool) -> Fragment {
        let factor = |rows: usize, tiles: Vec<Tile>| Fragment {
            run: (32 / bits).max(1),
            bits,
            down: false,
            size: [rows, k],
            registers: if half { 8 } else { tiles.len() },
            tiles,
        };
        let width = 4 * (32 / bits).max(1);
        match which {
            Modifier::A => factor(m, Fragment::blocks(m, k, width)),
            Modifier::B if n == 32 => factor(n, Fragment::blocks(n, k, width)).transposed(),
            Modifier::B => {
                // Blocks of 8 columns, one after the other.
                let columns = (0..n).step_by(8).flat_map(|row| {
                    (0..k)
                        .step_by(width)
                        .map(move |column| Tile { row, column })
                });
                factor(n, columns.collect()).transposed()
            }
            _ => {
                let turned = n == 32;
                let [rows, columns] = if turned { [n, m] } else { [m, n] };
                let tiles = Fragment::blocks(rows, columns, 8);
                let fragment = Fragment {
                    run: 2,
                    bits,
                    down: false,
                    size: [rows, columns],
                    registers: tiles.len() * if bits == 16 { 1 } else { 2 },
                    tiles,
                };
                if turned {
                    fragment.transposed()
                } else {
                    fragment
                }
            }
        }
    }

    fn register(&self) -> (Ty, ScalarType) {
        match self.bits {
            64 => (Ty::B64, ScalarType::B64),
            _ => (Ty::B32, ScalarType::B32),
        }
    }
}

/// Returns true if the shape exists for these elements (PTX ISA, "Matrix Shape").
fn exists(element: Element, shape: [usize; 3]) -> bool {
    match element {
        Element::F16 | Element::Bf16 | Element::S8 | Element::U8 => {
            matches!(shape, [16, 16, 16] | [8, 32, 16] | [32, 8, 16])
        }
        Element::Tf32 => shape == [16, 16, 8],
        Element::F64 => shape == [8, 8, 4],
        Element::S4 | Element::U4 => shape == [8, 8, 32],
        Element::B1 => shape == [8, 8, 128],
        _ => false,
    }
}

/// Returns true if the shape exists for sums of that type.
fn sum_exists(sum: Sum, shape: [usize; 3]) -> bool {
    match sum {
        Sum::F16 => shape[2] == 16,
        Sum::F32 => matches!(shape[2], 16 | 8),
        Sum::F64 => shape == [8, 8, 4],
        Sum::S32 => matches!(shape[2], 16 | 32 | 128),
    }
}

fn no_such<T>(i: &Instruction) -> Result<T> {
    fail(
        i.opcode_span,
        format!(
            "`{}{}` is not a valid combination of shape and types",
            i.opcode, i.modifiers
        ),
    )
}

/// Returns the fragment that a `wmma.load` or `wmma.store` moves, and true if it is stored by columns.
fn moved(i: &Instruction) -> Result<(Fragment, bool)> {
    let m = &i.modifiers;
    let (Some(shape), Some(ty), &[columns]) = (shape(i), m.first_type(), by_columns(i).as_slice())
    else {
        return unsupported(i);
    };
    let which = m
        .as_slice()
        .iter()
        .find(|m| matches!(m, Modifier::A | Modifier::B));
    let fragment = match which {
        Some(&which) => {
            let Some(element) = element(ty).filter(|&e| exists(e, shape)) else {
                return no_such(i);
            };
            let fragment = Fragment::new(which, shape, element.bits(), element == Element::F16);
            // Elements of less than a byte must be contiguous in memory.
            if element.bits() < 8 && columns != fragment.down {
                return no_such(i);
            }
            fragment
        }
        None => {
            let Some(sum) = sum(ty).filter(|&s| sum_exists(s, shape)) else {
                return no_such(i);
            };
            Fragment::new(Modifier::C, shape, sum.bits(), false)
        }
    };
    Ok((fragment, columns))
}

/// The location of a lane's tiles of a fragment in memory.
struct LaneAddress {
    /// The address of the lane's first element.
    at: Address,
    /// Bytes from one row to the next (one column, for a matrix stored by columns).
    pitch: Operand,
    /// The type of addresses.
    ty: Ty,
    by_columns: bool,
    bits: usize,
}

impl LaneAddress {
    fn new(
        l: &mut Lower<'_>,
        i: &Instruction,
        n: usize,
        fragment: &Fragment,
        by_columns: bool,
    ) -> Result<LaneAddress> {
        let mut at = l.address(i, n, i.modifiers.space())?;
        let ty = if at.space == Space::Flat {
            Ty::B64
        } else {
            Ty::B32
        };
        let pitch = match i.operands.get(2) {
            Some(_) => l.src32(i, 2)?,
            None => Operand::Imm(fragment.size[usize::from(!by_columns)] as u64),
        };
        let bits = fragment.bits;
        let pitch = match bits {
            8.. => times(l, pitch, bits as u64 / 8, Ty::B32),
            _ => {
                let shift = (8 / bits).ilog2();
                l.int(IntOp::ShrU, Ty::B32, &[pitch, Operand::Imm(shift.into())])
            }
        };
        let pitch = l.resize(pitch, Ty::B32, ty, false);
        let lane = l.special(Special::LaneId);
        let group = l.int(IntOp::ShrU, Ty::B32, &[lane, Operand::Imm(2)]);
        let within = l.int(IntOp::And, Ty::B32, &[lane, Operand::Imm(3)]);
        let within = times(l, within, fragment.run as u64, Ty::B32);
        let (group, within) = (
            l.resize(group, Ty::B32, ty, false),
            l.resize(within, Ty::B32, ty, false),
        );
        // The distance along the neighbours, and from one group to the next.
        let (pitched, beside) = if fragment.down == by_columns {
            (group, within)
        } else {
            (within, group)
        };
        let pitched = l.int(IntOp::Mul, ty, &[pitched, pitch]);
        let beside = match bits {
            8.. => times(l, beside, bits as u64 / 8, ty),
            _ => {
                let shift = (8 / bits).ilog2();
                l.int(IntOp::ShrU, ty, &[beside, Operand::Imm(shift.into())])
            }
        };
        let distance = l.int(IntOp::Add, ty, &[pitched, beside]);
        let have = at.base.reg().map_or(ty, |reg| l.ty(reg));
        let base = l.resize(at.base, have, ty, false);
        at.base = l.int(IntOp::Add, ty, &[base, distance]);
        Ok(LaneAddress {
            at,
            pitch,
            ty,
            by_columns,
            bits,
        })
    }

    /// Returns the address of the element `row` and `column` away from the lane's first.
    fn of(&self, l: &mut Lower<'_>, row: usize, column: usize) -> Address {
        let (pitched, beside) = if self.by_columns {
            (column, row)
        } else {
            (row, column)
        };
        let mut at = self.at;
        at.offset = at.offset.wrapping_add((beside * self.bits / 8) as i64);
        if pitched > 0 {
            let ahead = times(l, self.pitch, pitched as u64, self.ty);
            at.base = l.int(IntOp::Add, self.ty, &[at.base, ahead]);
        }
        at
    }
}

fn times(l: &mut Lower<'_>, value: Operand, factor: u64, ty: Ty) -> Operand {
    match value {
        Operand::Imm(v) => Operand::Imm(v.wrapping_mul(factor) & ty.mask()),
        value if factor == 1 => value,
        value => l.int(IntOp::Mul, ty, &[value, Operand::Imm(factor)]),
    }
}

/// Returns the type of one element in memory, or of all of a lane's neighbours if they are contiguous.
fn memory(bits: usize) -> Ty {
    Ty::from_bytes(bits as u32 / 8).unwrap_or(Ty::B32)
}

/// `wmma.load`.
pub(super) fn load(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (fragment, by_columns) = moved(i)?;
    let (ty, _) = fragment.register();
    let dsts = dests(l, arg(i, 0)?, fragment.registers, ty)?;
    let lane_address = LaneAddress::new(l, i, 1, &fragment, by_columns)?;
    let each = fragment.run * fragment.bits / ty.bits() as usize;
    let mut loaded = Vec::new();
    for tile in &fragment.tiles {
        if fragment.down == by_columns {
            let addr = lane_address.of(l, tile.row, tile.column);
            loaded.extend(load_at(l, addr, ty, each));
            continue;
        }
        let mut elements = Vec::new();
        for n in 0..fragment.run {
            let (down, right) = if fragment.down { (n, 0) } else { (0, n) };
            let addr = lane_address.of(l, tile.row + down, tile.column + right);
            elements.extend(load_at(l, addr, memory(fragment.bits), 1));
        }
        loaded.extend(pack(l, &elements, fragment.bits));
    }
    // A destination may be part of the address, so destinations are written last.
    for (&dst, &value) in dsts.iter().zip(loaded.iter().cycle()) {
        l.assign(dst, ty, value);
    }
    Ok(())
}

fn load_at(l: &mut Lower<'_>, addr: Address, ty: Ty, count: usize) -> Vec<Operand> {
    let regs: Vec<_> = (0..count).map(|_| l.temp(ty)).collect();
    l.emit(Inst::Load {
        dsts: regs.iter().map(|&reg| Some(reg)).collect(),
        ty,
        signed: false,
        addr,
        order: Order::Plain,
    });
    regs.into_iter().map(Operand::Reg).collect()
}

/// Packs elements into registers, the first in the lowest bits.
fn pack(l: &mut Lower<'_>, elements: &[Operand], bits: usize) -> Vec<Operand> {
    if bits >= 32 {
        return elements.to_vec();
    }
    let mut out = Vec::new();
    for word in elements.chunks(32 / bits) {
        let mut all = Operand::Imm(0);
        for (n, &element) in word.iter().enumerate() {
            let wide = l.resize(element, memory(bits), Ty::B32, false);
            let shift = Operand::Imm((n * bits) as u64);
            let moved = l.int(IntOp::Shl, Ty::B32, &[wide, shift]);
            all = l.int(IntOp::Or, Ty::B32, &[all, moved]);
        }
        out.push(all);
    }
    out
}

/// `wmma.store`.
pub(super) fn store(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let (fragment, by_columns) = moved(i)?;
    let (ty, pt) = fragment.register();
    let mut words = Vec::new();
    values(l, arg(i, 1)?, fragment.registers, (ty, pt), &mut words)?;
    let lane_address = LaneAddress::new(l, i, 0, &fragment, by_columns)?;
    let each = fragment.run * fragment.bits / ty.bits() as usize;
    let put = |l: &mut Lower<'_>, addr, ty, srcs: &[Operand]| {
        l.emit(Inst::Store {
            srcs: srcs.to_vec(),
            ty,
            addr,
            order: Order::Plain,
        });
    };
    for (tile, words) in fragment.tiles.iter().zip(words.chunks(each)) {
        if fragment.down == by_columns {
            let addr = lane_address.of(l, tile.row, tile.column);
            put(l, addr, ty, words);
            continue;
        }
        for n in 0..fragment.run {
            let (down, right) = if fragment.down { (n, 0) } else { (0, n) };
            let value = match fragment.bits {
                16 => l.half(words[n / 2], Ty::B32, n % 2 == 1),
                _ => words[n],
            };
            let addr = lane_address.of(l, tile.row + down, tile.column + right);
            put(l, addr, memory(fragment.bits), &[value]);
        }
    }
    Ok(())
}

/// Returns the `Mma` of which `count` make up a `wmma.mma`.
fn step(i: &Instruction, element: Element, c: Sum, shape: [usize; 3]) -> Mma {
    let (m, k) = match shape {
        // Two products in succession.
        [16, 16, 8] => (16, 4),
        [8, 8, k] => (8, k),
        [.., k] => (16, k),
    };
    Mma {
        m,
        k: k as u16,
        a: element,
        b: element,
        c,
        d: c,
        a_by_columns: false,
        b_by_rows: false,
        saturate: i.modifiers.satfinite(),
        xor: i.modifiers.has(Modifier::Xor),
        round: super::float::rounding(i),
        sparse: None,
    }
}

/// `wmma.mma`.
pub(super) fn mma(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let m = &i.modifiers;
    let Some(shape) = shape(i) else {
        return unsupported(i);
    };
    let (dt, at, bt, ct) = match *m.types() {
        [d, c] => (d, ScalarType::F16, ScalarType::F16, c),
        [d, a, b, c] => (d, a, b, c),
        _ => return unsupported(i),
    };
    let (Some(a), Some(c), Some(d)) = (element(at), sum(ct), sum(dt)) else {
        return no_such(i);
    };
    let sums = match a {
        Element::F16 => matches!((c, d), (Sum::F16 | Sum::F32, Sum::F16 | Sum::F32)),
        Element::Bf16 | Element::Tf32 => c == Sum::F32 && d == c,
        Element::F64 => c == Sum::F64 && d == c,
        _ => c == Sum::S32 && d == c,
    };
    let layouts = a.bits() >= 8 || by_columns(i) == [false, true];
    if at != bt || !exists(a, shape) || !sums || !layouts || m.rounding().is_some() && c != Sum::F64
    {
        return no_such(i);
    }
    if m.satfinite() && c != Sum::S32 {
        return unsupported(i);
    }
    let fragment = |which, bits| Fragment::new(which, shape, bits, a == Element::F16);
    let (of_a, of_b) = (
        fragment(Modifier::A, a.bits()),
        fragment(Modifier::B, a.bits()),
    );
    let of_sum = |sum: Sum| Fragment::new(Modifier::C, shape, sum.bits(), false);
    let ty = part(a);
    let (mut words_a, mut words_b, mut words_c) = (Vec::new(), Vec::new(), Vec::new());
    values(l, arg(i, 1)?, of_a.registers, ty, &mut words_a)?;
    values(l, arg(i, 2)?, of_b.registers, ty, &mut words_b)?;
    values(l, arg(i, 3)?, of_sum(c).registers, ty, &mut words_c)?;
    let dsts = dests(l, arg(i, 0)?, of_sum(d).registers, ty.0)?;
    words_a.truncate(of_a.tiles.len());
    words_b.truncate(of_b.tiles.len());
    // f16 sums are accumulated as f32 unless both C and D are f16.
    let wide = c != d;
    if wide && c == Sum::F16 {
        words_c = widened(l, &words_c);
    }
    let inner = if wide { Sum::F32 } else { c };
    let step = step(i, a, inner, shape);
    if shape == [8, 32, 16] {
        std::mem::swap(&mut words_a, &mut words_b);
    }
    let sums = multiply(l, step, &words_a, &words_b, &words_c, ty.0);
    let results = if wide && d == Sum::F16 {
        narrowed(l, &sums)
    } else {
        sums
    };
    for (&dst, value) in dsts.iter().zip(results) {
        l.assign(dst, ty.0, value);
    }
    Ok(())
}

/// Multiplies every tile of A by every tile of B; a tile's `k` may be several of the step's.
fn multiply(
    l: &mut Lower<'_>,
    step: Mma,
    a: &[Operand],
    b: &[Operand],
    c: &[Operand],
    ty: Ty,
) -> Vec<Operand> {
    let [one_a, one_b, one_c, _] = step.registers();
    let parts = c.len() / one_c;
    // Tiles of one factor differ in rows (or columns); the other factor is shared.
    let (all_a, all_b) = (a.len() / one_a, b.len() / one_b);
    let chain = (all_a * all_b / parts).isqrt().max(1);
    let mut sums = Vec::new();
    for n in 0..parts {
        let (from_a, from_b) = (n % (all_a / chain).max(1), n % (all_b / chain).max(1));
        let mut sum = c[n * one_c..][..one_c].to_vec();
        for k in 0..chain {
            let mut args = a[(from_a * chain + k) * one_a..][..one_a].to_vec();
            args.extend(&b[(from_b * chain + k) * one_b..][..one_b]);
            args.extend(&sum);
            let dsts: Vec<Dest> = (0..one_c).map(|_| Some(l.temp(ty))).collect();
            l.warp(WarpOp::Matrix(MatrixOp::Mma(step)), ALL_LANES, &args, &dsts);
            sum = dsts.into_iter().flatten().map(Operand::Reg).collect();
        }
        sums.extend(sum);
    }
    sums
}

/// Converts pairs of f16 to f32.
fn widened(l: &mut Lower<'_>, words: &[Operand]) -> Vec<Operand> {
    let mut out = Vec::new();
    for &word in words {
        for high in [false, true] {
            let half = l.half(word, Ty::B32, high);
            let convert = conversion(Num::F(Float::F16), Num::F(Float::F32));
            out.push(l.op(Op::Convert(convert), &[half]));
        }
    }
    out
}

/// Converts f32 to pairs of f16.
fn narrowed(l: &mut Lower<'_>, words: &[Operand]) -> Vec<Operand> {
    let to = Op::Convert2 {
        to: Float::F16,
        round: Round::Nearest,
        relu: false,
    };
    let mut out = Vec::new();
    for pair in words.chunks_exact(2) {
        out.push(l.op(to, &[pair[1], pair[0]]));
    }
    out
}
