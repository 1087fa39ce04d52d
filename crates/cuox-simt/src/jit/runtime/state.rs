//! Access to the values of a warp's registers, in both modes.
//!
//! Gang mode keeps uniform and affine values in the gang's state and piecewise affine ones in group slots; thread mode
//! keeps every value in lane slots. [`State`] reads and writes a register in either form and converts between them when
//! a warp changes its mode. Warp operations that have no inline code work on it.

use crate::analysis::shape::Shape;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{Mask, Operand, Reg, Terminator, Ty, WarpOp};
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::{AffineValue, Gang, Home, Rows, STEP, lane_bytes};
use crate::sem;
use crate::sem::warp::{Site, Words};

/// Values of a register in the 32 lanes of a warp.
pub type Values = [u64; 32];

/// A warp's part of its block's memory.
#[derive(Clone, Copy)]
pub struct State<'g> {
    /// The gang it belongs to in gang mode.
    pub gang: *mut Gang,
    /// The lane slots of the block.
    pub lanes: *mut u8,
    /// Number of the warp in the block.
    pub warp: usize,
    /// Lanes of the gang that precede this warp.
    pub ahead: u64,
    /// Plan of the kernel.
    pub plan: &'g Plan,
}

/// Warp operation as a terminator names it.
#[derive(Clone, Copy)]
pub struct Collective<'a> {
    /// The operation.
    pub op: WarpOp,
    /// Member mask.
    pub mask: Operand,
    /// Operands.
    pub args: &'a [Operand],
    /// Results.
    pub dsts: &'a [Option<Reg>],
}

impl<'a> Collective<'a> {
    /// Returns the warp operation at the end of a block.
    pub fn of(end: &'a Terminator) -> Option<Self> {
        let Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            ..
        } = end
        else {
            return None;
        };
        Some(Collective {
            op: *op,
            mask: *mask,
            args,
            dsts,
        })
    }
}

/// Operands and results of a warp operation in the lane slots of the warp.
struct WarpOperands<'s, 'a> {
    state: &'s State<'s>,
    op: &'s Collective<'a>,
    together: bool,
}

impl WarpOperands<'_, '_> {
    fn home(&self, reg: Option<Reg>) -> Option<Home> {
        self.state.plan.layout.home(reg?)
    }

    /// Returns a pointer to the lanes' values of a register if those are 32 words in the lane slots.
    fn in_place(&self, reg: Option<Reg>) -> Option<*mut Words> {
        let home = self.home(reg)?;
        let apart = home.uniformity == Uniformity::Varying || !self.together;
        (apart && home.ty != Ty::Pred && lane_bytes(home.ty) == 4).then(|| {
            // SAFETY: lane slots hold a value for every lane within the capacity, which is a whole number of warps.
            unsafe {
                self.state
                    .slot(home.lanes)
                    .cast::<Words>()
                    .add(self.state.warp)
            }
        })
    }
}

impl Site for WarpOperands<'_, '_> {
    fn arg(&self, n: usize) -> Values {
        match self.op.args.get(n) {
            Some(&arg) => self.state.operand(arg, self.together),
            None => [0; 32],
        }
    }

    fn put(&mut self, n: usize, lanes: u32, values: &Values) {
        if let Some(home) = self.home(self.op.dsts.get(n).copied().flatten()) {
            self.state.write(home, lanes, values, self.together);
        }
    }

    fn words(&self, n: usize) -> Words {
        match self.in_place(self.op.args.get(n).and_then(|arg| arg.reg())) {
            // SAFETY: `in_place` points to 32 words.
            Some(at) => unsafe { *at },
            None => words_of(&self.arg(n)),
        }
    }

    fn words_in<'a>(&'a self, n: usize, room: &'a mut Words) -> &'a Words {
        match self.in_place(self.op.args.get(n).and_then(|arg| arg.reg())) {
            // SAFETY: `in_place` points to 32 words of a lane slot; nothing writes them while the site is borrowed.
            Some(at) => unsafe { &*at },
            None => {
                *room = words_of(&self.arg(n));
                room
            }
        }
    }

    fn put_words(&mut self, n: usize, lanes: u32, values: &Words) {
        match self.in_place(self.op.dsts.get(n).copied().flatten()) {
            // SAFETY: `in_place` points to 32 words of a lane slot, which only this worker accesses, and no code runs
            // on the gang now.
            Some(at) if lanes == u32::MAX => unsafe { *at = *values },
            _ => {
                let mut wide = [0; 32];
                for (to, &word) in wide.iter_mut().zip(values) {
                    *to = word.into();
                }
                self.put(n, lanes, &wide);
            }
        }
    }
}

/// Operands and results of a warp operation whose lanes are at the ends of several blocks.
struct OperandsApart<'s, 'a> {
    state: &'s State<'s>,
    parts: &'s [(u32, Collective<'a>)],
}

impl Site for OperandsApart<'_, '_> {
    fn arg(&self, n: usize) -> Values {
        let mut all = [0; 32];
        for (lanes, op) in self.parts {
            if let Some(&arg) = op.args.get(n) {
                let values = self.state.operand(arg, false);
                for lane in sem::warp::lanes_of(*lanes) {
                    all[lane] = values[lane];
                }
            }
        }
        all
    }

    fn put(&mut self, n: usize, lanes: u32, values: &Values) {
        for (here, op) in self.parts {
            let dst = op.dsts.get(n).copied().flatten();
            if let Some(home) = dst.and_then(|dst| self.state.plan.layout.home(dst)) {
                self.state.write(home, lanes & here, values, false);
            }
        }
    }
}

/// The lower words of values. (`map` on as long an array is a call for each.)
fn words_of(values: &Values) -> Words {
    let mut words = [0; 32];
    for (word, &value) in words.iter_mut().zip(values) {
        *word = value as u32;
    }
    words
}

impl State<'_> {
    /// Returns the gang.
    pub fn gang(&self) -> &Gang {
        // SAFETY: `gang` points to a gang's state that only this worker accesses, and no code runs on it now. The
        // borrow ends before the next call of generated code.
        unsafe { &*self.gang }
    }

    /// Returns the gang for modification.
    pub fn gang_mut(&mut self) -> &mut Gang {
        // SAFETY: `gang` points to a gang's state that only this worker accesses, and no code runs on it now. `self` is
        // borrowed uniquely, so no other borrow of the state exists.
        unsafe { &mut *self.gang }
    }

    fn slot(&self, offset: u32) -> *mut u8 {
        // SAFETY: offsets come from the layout that determined the size of the memory.
        unsafe { self.lanes.add(offset as usize) }
    }

    fn mask(&self, home: Home) -> *mut u32 {
        // SAFETY: a predicate has a mask for every warp within the capacity.
        unsafe { self.slot(home.lanes).cast::<u32>().add(self.warp) }
    }

    fn group(&self, home: Home, group: usize) -> *mut u64 {
        // SAFETY: a warp has eight groups, and there is room for those of every warp.
        unsafe {
            self.slot(home.groups)
                .cast::<u64>()
                .add(self.warp * 8 + group)
        }
    }

    /// Returns the uniform or affine value that gang mode keeps of a register.
    pub fn affine_value(&self, home: Home) -> AffineValue {
        AffineValue {
            base: self.word(home.scalar, home.ty),
            stride: home.uniformity.stride().unwrap_or(0),
            step: match home.uniformity {
                Uniformity::Affine(_) => self.word(home.scalar + STEP, home.ty),
                _ => 0,
            },
        }
    }

    fn word(&self, offset: u32, ty: Ty) -> u64 {
        // SAFETY: scalar slots are 16 bytes of the gang's state, aligned to 16.
        unsafe {
            let at = self.gang.cast::<u8>().add(offset as usize);
            match ty {
                Ty::Pred => u64::from(*at),
                Ty::B64 | Ty::B128 => *at.cast::<u64>(),
                _ => u64::from(*at.cast::<u32>()),
            }
        }
    }

    /// Sets the value that gang mode keeps of a register.
    pub fn set_affine_value(&self, home: Home, line: AffineValue) {
        self.set_word(home.scalar, home.ty, line.base);
        if matches!(home.uniformity, Uniformity::Affine(_)) {
            self.set_word(home.scalar + STEP, home.ty, line.step);
        }
    }

    fn set_word(&self, offset: u32, ty: Ty, value: u64) {
        // SAFETY: scalar slots are 16 bytes of the gang's state, aligned to 16, and no code runs on the gang now.
        unsafe {
            let at = self.gang.cast::<u8>().add(offset as usize);
            match ty {
                Ty::Pred => *at = value as u8 & 1,
                Ty::B64 | Ty::B128 => *at.cast::<u64>() = value,
                _ => *at.cast::<u32>() = value as u32,
            }
        }
    }

    /// Returns all lanes' values; `together` tells whether gang mode has stored them.
    pub fn read(&self, home: Home, together: bool) -> Values {
        match home.uniformity {
            Uniformity::Uniform | Uniformity::Affine(_) if together => {
                return self
                    .affine_value(home)
                    .values(self.ahead, self.gang().rows(), home.ty);
            }
            Uniformity::PiecewiseAffine(stride) if together => {
                let mut values = [0u64; 32];
                for (lane, value) in values.iter_mut().enumerate() {
                    // SAFETY: `group` points to the value of a group of this warp.
                    let base = unsafe { *self.group(home, lane / 4) };
                    let along = (stride as u64).wrapping_mul(lane as u64 % 4);
                    *value = base.wrapping_add(along) & home.ty.mask();
                }
                return values;
            }
            _ => {}
        }
        if home.ty == Ty::Pred {
            // SAFETY: `mask` points to the mask of this warp.
            let mask = unsafe { *self.mask(home) };
            return std::array::from_fn(|lane| u64::from(mask >> lane & 1));
        }
        let at = self.slot(home.lanes);
        // SAFETY: lane slots hold a value for every lane within the capacity, which is a whole number of warps.
        unsafe {
            match lane_bytes(home.ty) {
                8 => *at.cast::<Values>().add(self.warp),
                16 => {
                    let both = &*at.cast::<[[u64; 2]; 32]>().add(self.warp);
                    both.map(|[low, _]| low)
                }
                _ => {
                    let words = &*at.cast::<Words>().add(self.warp);
                    let mut values = [0; 32];
                    for (value, &word) in values.iter_mut().zip(words) {
                        *value = u64::from(word);
                    }
                    values
                }
            }
        }
    }

    /// Sets the values of some lanes. `together` tells whether gang mode reads them next; all lanes are set then.
    pub fn write(&self, home: Home, lanes: u32, values: &Values, together: bool) {
        match home.uniformity {
            Uniformity::Uniform | Uniformity::Affine(_) if together => {
                if self.ahead == 0 {
                    self.set_affine_value(home, self.affine_value_of(home, values));
                }
                return;
            }
            Uniformity::PiecewiseAffine(_) if together => {
                for group in 0..8 {
                    // SAFETY: `group` points to the value of a group of this warp, and no code runs on the gang now.
                    unsafe { *self.group(home, group) = values[group * 4] };
                }
                return;
            }
            _ => {}
        }
        if home.ty == Ty::Pred {
            // SAFETY: `mask` points to the mask of this warp, and no code runs on the gang now.
            let mask = unsafe { &mut *self.mask(home) };
            let mut bits = 0;
            for (lane, &value) in values.iter().enumerate() {
                bits |= (value as u32 & 1) << lane;
            }
            *mask = *mask & !lanes | bits & lanes;
            return;
        }
        let at = self.slot(home.lanes);
        if lanes == u32::MAX && lane_bytes(home.ty) == 4 {
            let mut words = [0; 32];
            for (word, &value) in words.iter_mut().zip(values) {
                *word = value as u32;
            }
            // SAFETY: the slot has four bytes for each lane of every warp, aligned to 16, and no code runs on the gang
            // now.
            unsafe { *at.cast::<Words>().add(self.warp) = words };
            return;
        }
        for lane in sem::warp::lanes_of(lanes) {
            let to = self.warp * 32 + lane;
            // SAFETY: the slot has the type's size for each lane of every warp, aligned to 16, and no code runs on the
            // gang now.
            unsafe {
                match lane_bytes(home.ty) {
                    8 => *at.cast::<u64>().add(to) = values[lane],
                    16 => *at.cast::<u64>().add(to * 2) = values[lane],
                    _ => *at.cast::<u32>().add(to) = values[lane] as u32,
                }
            }
        }
    }

    /// Returns the uniform or affine value of a register with these values in the gang's first warp. Parts that a warp
    /// does not determine are 0.
    fn affine_value_of(&self, home: Home, values: &Values) -> AffineValue {
        let stride = home.uniformity.stride().unwrap_or(0);
        let rows = self.gang().rows();
        let next = rows.width - rows.ahead;
        match (home.uniformity, values.get(next as usize)) {
            (Uniformity::Affine(_), Some(&value)) => {
                AffineValue::through(values[0], (next, value), stride, rows)
            }
            _ => AffineValue {
                base: values[0],
                stride,
                step: 0,
            },
        }
    }

    /// Returns the mask of a predicate.
    pub fn pred(&self, home: Home) -> u32 {
        // SAFETY: `mask` points to the mask of this warp.
        unsafe { *self.mask(home) }
    }

    /// Returns the active lanes of a masked block.
    pub fn masked(&self, mask: Mask) -> u32 {
        let home = self.plan.layout.home(mask.reg);
        let word = home.map_or(0, |home| self.pred(home));
        if mask.negated { !word } else { word }
    }

    /// Returns all lanes' values of an operand.
    pub fn operand(&self, operand: Operand, together: bool) -> Values {
        match operand {
            Operand::Imm(bits) => [bits; 32],
            Operand::Reg(reg) => match self.plan.layout.home(reg) {
                Some(home) => self.read(home, together),
                None => [0; 32],
            },
        }
    }

    /// Tells whether all lanes of a gang's warp, `exist`, can perform an operation at once; see
    /// [`sem::warp::all_meet`].
    pub fn all_meet(&self, op: &Collective<'_>, exist: u32) -> bool {
        let home = op.mask.reg().and_then(|reg| self.plan.layout.home(reg));
        if let Some(home) = home
            && home.uniformity == Uniformity::Uniform
        {
            return exist & !(self.affine_value(home).base as u32) == 0;
        }
        sem::warp::all_meet(&self.masks(op, true), exist, exist)
    }

    /// Returns the lanes' member masks.
    fn masks(&self, op: &Collective<'_>, together: bool) -> Words {
        let site = WarpOperands {
            state: self,
            op,
            together,
        };
        if let Some(at) = site.in_place(op.mask.reg()) {
            // SAFETY: `in_place` points to 32 words.
            return unsafe { *at };
        }
        match site.home(op.mask.reg()) {
            // The usual masks of tiles.
            Some(home) if together && home.uniformity == Uniformity::PiecewiseAffine(0) => {
                let mut words = [0; 32];
                for (group, words) in words.chunks_exact_mut(4).enumerate() {
                    // SAFETY: `group` points to the value of a group of this warp.
                    words.fill(unsafe { *self.group(home, group) } as u32);
                }
                words
            }
            _ => words_of(&self.operand(op.mask, together)),
        }
    }

    /// Executes a warp operation for lanes at the ends of several blocks, each with the operands and results that its
    /// own block names.
    pub fn warp_op_apart(&self, op: WarpOp, masks: &Words, parts: &[(u32, Collective<'_>)]) {
        let active = parts.iter().fold(0, |all, (lanes, _)| all | lanes);
        sem::warp::perform(op, active, masks, &mut OperandsApart { state: self, parts });
    }

    /// Executes a warp operation for the `active` lanes.
    pub fn warp_op(&self, op: &Collective<'_>, active: u32, together: bool) {
        let mut site = WarpOperands {
            state: self,
            op,
            together,
        };
        if let WarpOp::Matrix(op) = op.op {
            // Matrix operations involve all lanes, whatever the mask.
            return sem::matrix::perform(op, active, &mut site);
        }
        if active == u32::MAX && matches!(op.mask, Operand::Imm(_)) {
            return sem::warp::perform_whole(op.op, &mut site);
        }
        sem::warp::perform(op.op, active, &self.masks(op, together), &mut site);
    }

    /// Writes to the lane slots the values of registers that gang mode keeps once for several lanes.
    pub fn store_to_lanes(&self, regs: impl Iterator<Item = Reg>) {
        for home in regs.filter_map(|reg| self.plan.layout.home(reg)) {
            if home.uniformity != Uniformity::Varying {
                let values = self.read(home, true);
                self.write(home, u32::MAX, &values, false);
            }
        }
    }

    /// Tells whether the warp's values have the uniformity of `homes`. If so, writes what gang mode keeps of them, for
    /// a gang of this warp alone.
    pub fn gather_if_uniform(&self, homes: &[Home]) -> bool {
        // Code for sixteen lanes reads the value of the first one.
        let lanes = match self.plan.shape {
            Shape::MultipleOf4 => 4,
            Shape::Warp
            | Shape::HalfWarps
            | Shape::Line
            | Shape::Planes(_)
            | Shape::MultipleOf16
            | Shape::Any => 16,
        };
        let row = Rows {
            width: lanes as u64,
            ahead: 0,
        };
        let agrees = |&home: &Home| {
            let values = self.read(home, false);
            let stride = match home.uniformity {
                Uniformity::Uniform => return values.iter().all(|v| *v == values[0]),
                Uniformity::PiecewiseAffine(stride) => stride,
                _ => {
                    let line = self.affine_value_of(home, &values);
                    return values == line.values(0, self.gang().rows(), home.ty);
                }
            };
            values.chunks_exact(lanes).all(|group| {
                let line = AffineValue {
                    base: group[0],
                    stride,
                    step: 0,
                };
                (0..lanes).all(|lane| group[lane] == line.at(lane as u64, row, home.ty))
            })
        };
        if !homes.iter().all(agrees) {
            return false;
        }
        for &home in homes {
            let values = self.read(home, false);
            self.write(home, u32::MAX, &values, true);
        }
        true
    }
}
