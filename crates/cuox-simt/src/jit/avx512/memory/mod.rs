//! Wide code for loads, stores and atomics.
//!
//! Affine addresses become vector loads and stores, broadcasts, or accesses row by row ([`rows`], [`records`]). Other
//! addresses become gathers, scatters or loops over the lanes. Addresses that the scalar phase has not checked are
//! checked here, and an illegal one ends the code with a fault.

pub(crate) mod records;
pub(crate) mod rows;

use crate::analysis::access_span::Span;
use crate::ir::{Access, Address, Inst, IntOp, Operand, Space, Ty};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::forms;
use crate::jit::avx512::lower::{
    AffineLanes, GroupInput, Lower, Result, Unsupported, Val, WideInput, Window,
};
use crate::jit::avx512::vcode::{Constant, K, KOp, Mem, Src, V, Vop, args};
use crate::jit::code::symbol::{Helper, Site};

const GATHER32: Form = Form::new(2, 1, false, 0x90);
/// Gather of 64-bit values by 32-bit indices.
const GATHER64: Form = Form::new(2, 1, true, 0x90);
/// Gather of 32-bit values by 64-bit addresses.
const GATHER32_LONG: Form = Form::new(2, 1, false, 0x91);
const GATHER64_LONG: Form = Form::new(2, 1, true, 0x91);
const SCATTER32: Form = Form::new(2, 1, false, 0xa0);
const SCATTER64: Form = Form::new(2, 1, true, 0xa0);
const SCATTER32_LONG: Form = Form::new(2, 1, false, 0xa1);
const SCATTER64_LONG: Form = Form::new(2, 1, true, 0xa1);
/// Load of half a vector.
const LOAD_HALF: Form = Form {
    length: 1,
    ..forms::LOAD
};
const WIDEN_HALF: Form = Form::new(2, 1, false, 0x33);
const WIDEN_BYTE: Form = Form::new(2, 1, false, 0x31);
const NARROW_HALF: Form = Form::new(2, 2, false, 0x33);
const NARROW_BYTE: Form = Form::new(2, 2, false, 0x31);
const BROADCAST_HALF: Form = Form::new(2, 1, false, 0x79);
const BROADCAST_BYTE: Form = Form::new(2, 1, false, 0x78);

/// Addresses of the lanes' accesses.
pub(super) enum LaneAddresses {
    /// Affine addresses, or offsets into a window, plus `ahead`.
    Affine {
        line: AffineLanes,
        ahead: i32,
        window: Option<Mem>,
    },
    /// Host addresses.
    Lanes([V; 2]),
    /// Offsets (checked, below 2³¹) from the address in memory.
    Window { from: Mem, offsets: V },
}

impl Lower<'_> {
    pub(super) fn place(&mut self, i: usize, addr: &Address, bytes: u32) -> Result<LaneAddresses> {
        let span = self.spans[i].map_or((i, 0), |span| (span.leader, span.ahead(addr) as i32));
        let (leader, ahead) = span;
        if let Some(stride) = self.ready[i] {
            return Ok(LaneAddresses::Affine {
                line: self.affine_lanes(WideInput::Address(leader), stride),
                ahead,
                window: None,
            });
        }
        if let Some(stride) = self.group_address[i] {
            let line = AffineLanes {
                from: self.group_input(GroupInput::Address(leader)),
                stride,
                group: true,
                skip: None,
            };
            return Ok(LaneAddresses::Affine {
                line,
                ahead,
                window: None,
            });
        }
        let line = self.line(addr);
        match addr.space {
            Space::Flat => {
                let at = self.flat(i, addr, bytes)?;
                Ok(line.unwrap_or(LaneAddresses::Lanes(at)))
            }
            Space::Shared => {
                let place = self.window(i, addr, bytes, Window::Shared)?;
                Ok(line.unwrap_or(place))
            }
            Space::Local => self.window(i, addr, bytes, Window::Local),
            Space::Param | Space::Slot(_) => self.window(i, addr, bytes, Window::Param),
        }
    }

    /// Returns the affine addresses of an access in a masked block. The active lanes are checked individually.
    fn line(&mut self, addr: &Address) -> Option<LaneAddresses> {
        let window = match addr.space {
            Space::Flat => None,
            Space::Shared => Some(WideInput::Window(Window::Shared)),
            _ => return None,
        };
        if let Operand::Reg(reg) = addr.base
            && window.is_none()
            && self.plan.func.ty(reg) != Ty::B64
        {
            return None;
        }
        let line = match self.val(addr.base) {
            Val::Affine(line) => line,
            Val::Each(from) => AffineLanes {
                from,
                stride: 0,
                group: true,
                skip: None,
            },
            _ => return None,
        };
        let ahead = i32::try_from(addr.offset).ok()?;
        let window = window.map(|input| self.input(input));
        Some(LaneAddresses::Affine {
            line,
            ahead,
            window,
        })
    }

    /// Returns the bits of a mask for active lanes only.
    pub(crate) fn only_active(&mut self, mask: K) -> K {
        match self.active {
            Some(active) => self.mask_op(KOp::And, mask, active),
            None => mask,
        }
    }

    fn flat(&mut self, i: usize, addr: &Address, bytes: u32) -> Result<[V; 2]> {
        let mut at = self.longs(addr.base)?;
        if addr.offset != 0 {
            let by = self.all64(addr.offset as u64);
            at = at.map(|v| self.op2(forms::ADD64, v, by));
        }
        let base = Src::Each(self.input(WideInput::SpaceBase));
        let mask = Src::Each(self.input(WideInput::SpaceMask(bytes)));
        let [low, high] = at.map(|v| {
            let off = self.op2(forms::XOR64, v, base);
            self.test(forms::TEST64, Some(off), mask, None)
        });
        let bad = self.mask_op(KOp::Join, high, low);
        let bad = self.only_active(bad);
        self.code.push(Vop::Fault {
            bad,
            at,
            wide: true,
            inst: i as u32,
        });
        Ok(at)
    }

    fn window(
        &mut self,
        i: usize,
        addr: &Address,
        bytes: u32,
        window: Window,
    ) -> Result<LaneAddresses> {
        let mut at = self.words(addr.base)?;
        if addr.offset as u32 != 0 {
            let by = self.all32(addr.offset as u32);
            at = self.op2(forms::ADD32, at, by);
        }
        let limit = Src::Each(self.input(WideInput::Limit(window, bytes)));
        // Not below.
        let mut bad = self.test(forms::COMPARE_U, Some(at), limit, Some(5));
        if bytes > 1 {
            let odd = self.all32(bytes - 1);
            let odd = self.test(forms::TEST, Some(at), odd, None);
            bad = self.mask_op(KOp::Or, bad, odd);
        }
        let bad = self.only_active(bad);
        self.code.push(Vop::Fault {
            bad,
            at: [at; 2],
            wide: false,
            inst: i as u32,
        });
        let from = self.input(WideInput::Window(window));
        let mut offsets = at;
        if window == Window::Local {
            // Every lane has a window of its own.
            let per_lane = i64::from(self.plan.local_bytes);
            let zero = Mem::Constant(self.asm.constant(&0u64.to_le_bytes()));
            let first = self.affine(zero, per_lane, false, false);
            let steps = self.each32(|n| n * per_lane);
            let ahead = self.op2(forms::ADD32, first, steps);
            offsets = self.op2(forms::ADD32, offsets, Src::V(ahead));
        }
        Ok(LaneAddresses::Window { from, offsets })
    }

    /// Returns the lanes' host addresses.
    fn addresses(&mut self, place: &LaneAddresses) -> [V; 2] {
        match *place {
            LaneAddresses::Lanes(at) => at,
            LaneAddresses::Affine {
                line,
                ahead,
                window: Some(window),
            } => {
                let offsets = self.affine_words(line, i64::from(ahead));
                let base = Src::Each(window);
                self.widen(offsets, false)
                    .map(|v| self.op2(forms::ADD64, v, base))
            }
            LaneAddresses::Affine {
                line,
                ahead,
                window: None,
            } => self.affine_longs(line, i64::from(ahead)),
            LaneAddresses::Window { from, offsets } => {
                let base = Src::Each(from);
                self.widen(offsets, false)
                    .map(|v| self.op2(forms::ADD64, v, base))
            }
        }
    }

    pub fn load(&mut self, i: usize, inst: &Inst) -> Result<()> {
        let Inst::Load {
            dsts,
            ty,
            signed,
            addr,
            ..
        } = inst
        else {
            return Err(Unsupported);
        };
        if *ty == Ty::B128 {
            return Err(Unsupported);
        }
        let size = ty.bytes() as i32;
        let place = self.place(i, addr, ty.bytes() * dsts.len() as u32)?;
        if let LaneAddresses::Affine {
            line,
            ahead,
            window,
        } = place
        {
            self.point(line, 0, window);
            let flat = addr.space == Space::Flat && !line.group && line.stride == i64::from(size);
            let leader = self.spans[i].is_none_or(|span| span.leader == i);
            let asked = self.streams && line.skip.is_none() || self.rows && leader;
            if asked && flat && self.ready[i].is_some() {
                self.prefetch(i, line, ahead, false);
            }
        }
        let record = match place {
            LaneAddresses::Affine { line, ahead, .. } => self
                .record(line, *ty, dsts.len())
                .map(|words| self.load_record(words, *ty, ahead)),
            _ => None,
        };
        for (k, dst) in dsts.iter().enumerate() {
            let Some(dst) = *dst else { continue };
            let own = self.plan.func.ty(dst);
            if own == Ty::B128 {
                return Err(Unsupported);
            }
            let offset = k as i32 * size;
            let val = match (&record, &place) {
                (Some(values), _) => values[k],
                (
                    None,
                    &LaneAddresses::Affine {
                        line,
                        ahead,
                        window,
                    },
                ) if self.is_load(line, size) => self.load_line(line, window, *ty, ahead + offset),
                _ => self.gather(&place, *ty, offset),
            };
            let val = match val {
                Val::Words(v, _) => self.extend(v, *ty, own, *signed),
                Val::Longs(parts) if own != Ty::B64 => Val::Words(self.low_halves(parts), false),
                other => other,
            };
            self.set(dst, val);
        }
        Ok(())
    }

    /// Tells whether affine loads of a size are vector loads or loads of one value, row by row.
    fn is_load(&self, line: AffineLanes, size: i32) -> bool {
        // Broadcasts of 8- and 16-bit values have masks of another kind.
        let masked = self.active.is_some() || line.skip.is_some();
        match line.stride {
            0 => size >= 4 || !masked,
            stride => stride == i64::from(size),
        }
    }

    /// Loads into the lanes of a mask; the others keep the value of `before`.
    fn load_part(&mut self, form: Form, offset: i32, mask: Option<K>, before: Option<V>) -> V {
        let from = Src::Mem(Mem::Pointer(offset));
        self.full(form, None, from, None, mask, before)
    }

    /// Loads 64-bit values into the lanes of a mask; the second eight are `apart` from the first.
    fn load_longs(
        &mut self,
        form: Form,
        (offset, apart): (i32, i32),
        mask: Option<K>,
        before: Option<Val>,
    ) -> Val {
        let masks = self.halves(mask);
        Val::Longs([0, 1].map(|n| {
            let before = match before {
                Some(Val::Longs(parts)) => Some(parts[n]),
                _ => None,
            };
            self.load_part(form, offset + n as i32 * apart, masks[n], before)
        }))
    }

    /// Loads one value at the pointer into all lanes of a mask.
    pub(crate) fn load_same(
        &mut self,
        ty: Ty,
        offset: i32,
        mask: Option<K>,
        before: Option<Val>,
    ) -> Val {
        let form = match ty {
            Ty::B64 if mask.is_some() => {
                return self.load_longs(forms::BROADCAST_LONG, (offset, 0), mask, before);
            }
            Ty::B64 => forms::BROADCAST_LONG,
            Ty::B32 => forms::BROADCAST_WORD,
            Ty::B16 => BROADCAST_HALF,
            _ => BROADCAST_BYTE,
        };
        let v = self.load_part(form, offset, mask, words_before(before));
        match ty {
            Ty::B64 => Val::Longs([v; 2]),
            Ty::B32 => Val::Words(v, false),
            _ => {
                let keep = self.all32(ty.mask() as u32);
                Val::Words(self.op2(forms::AND, v, keep), false)
            }
        }
    }

    /// Loads adjacent values from the pointer on.
    pub(crate) fn load_neighbours(
        &mut self,
        ty: Ty,
        offset: i32,
        mask: Option<K>,
        before: Option<Val>,
    ) -> Val {
        let form = match ty {
            Ty::B64 => return self.load_longs(forms::LOAD, (offset, 64), mask, before),
            Ty::B32 => forms::LOAD32,
            Ty::B16 if mask.is_none() => {
                // The 16-bit values are remembered too, as conversions need them.
                let half = self.op1(LOAD_HALF, Src::Mem(Mem::Pointer(offset)));
                let v = self.op1(WIDEN_HALF, Src::V(half));
                self.halves.insert(v, half);
                self.lows.insert(v);
                return Val::Words(v, false);
            }
            Ty::B16 => WIDEN_HALF,
            _ => WIDEN_BYTE,
        };
        Val::Words(
            self.load_part(form, offset, mask, words_before(before)),
            false,
        )
    }

    fn zero(&mut self) -> V {
        let zero = self.all32(0);
        self.load_each(zero, false)
    }

    fn gather(&mut self, place: &LaneAddresses, ty: Ty, offset: i32) -> Val {
        let zero = self.zero();
        let masks = self.halves(self.active);
        if ty.bytes() < 4 {
            if let LaneAddresses::Window { from, offsets } = *place {
                return self.gather_within(from, offsets, ty, offset);
            }
            let addresses = self.addresses(place);
            return self.gather_narrow(addresses, ty, offset);
        }
        let long = ty == Ty::B64;
        if let Some((index, pointer_offset)) = self.index(place, offset) {
            if !long {
                let v = self.gather_one(GATHER32, index, true, pointer_offset, self.active, zero);
                return Val::Words(v, false);
            }
            let upper = self.upper_half(index);
            let parts = [(index, masks[0]), (upper, masks[1])]
                .map(|(v, mask)| self.gather_one(GATHER64, v, true, pointer_offset, mask, zero));
            return Val::Longs(parts);
        }
        let at = self.addresses(place);
        let form = if long { GATHER64_LONG } else { GATHER32_LONG };
        let parts = [0, 1].map(|n| self.gather_one(form, at[n], false, offset, masks[n], zero));
        if long {
            Val::Longs(parts)
        } else {
            Val::Words(self.join(parts[0], parts[1]), false)
        }
    }

    /// Returns 32-bit indices relative to the pointer, if the addresses permit, and sets the pointer.
    fn index(&mut self, place: &LaneAddresses, offset: i32) -> Option<(V, i32)> {
        match *place {
            LaneAddresses::Affine {
                line,
                ahead: by,
                window,
            } if line.stride.abs() < 1 << 26 && line.skip.is_none() => {
                self.code.push(Vop::PointerAt {
                    from: line.from,
                    stride: if line.group { 0 } else { line.stride },
                    window,
                });
                let steps = self.each32(|n| n * line.stride);
                Some((self.load_each(steps, false), offset + by))
            }
            LaneAddresses::Window { from, offsets } => {
                let line = AffineLanes {
                    from,
                    stride: 0,
                    group: true,
                    skip: None,
                };
                self.point(line, 0, None);
                Some((offsets, offset))
            }
            _ => None,
        }
    }

    fn gather_one(
        &mut self,
        form: Form,
        index: V,
        pointer: bool,
        offset: i32,
        mask: Option<K>,
        tied: V,
    ) -> V {
        let dst = self.new_vector();
        self.code.push(Vop::Gather {
            dst,
            form,
            index,
            pointer,
            offset,
            mask,
            tied,
        });
        dst
    }

    /// Loads 8- and 16-bit values from the aligned words that contain them, which never cross a page boundary.
    fn gather_narrow(&mut self, addresses: [V; 2], ty: Ty, offset: i32) -> Val {
        let zero = self.zero();
        let masks = self.halves(self.active);
        let mut at = addresses;
        if offset != 0 {
            let by = self.all64(offset as u64);
            at = at.map(|v| self.op2(forms::ADD64, v, by));
        }
        let down = self.all64(!3);
        let words = [0, 1].map(|n| {
            let aligned = self.op2(forms::AND64, at[n], down);
            self.gather_one(GATHER32_LONG, aligned, false, 0, masks[n], zero)
        });
        let word = self.join(words[0], words[1]);
        let low = self.low_halves(at);
        self.out_of_words(word, low, ty)
    }

    /// Loads 8- and 16-bit values in a window, by offsets into it.
    fn gather_within(&mut self, from: Mem, offsets: V, ty: Ty, offset: i32) -> Val {
        let zero = self.zero();
        let mut at = offsets;
        if offset != 0 {
            let by = self.all32(offset as u32);
            at = self.op2(forms::ADD32, at, by);
        }
        let place = LaneAddresses::Window { from, offsets: at };
        let down = self.all32(!3);
        let aligned = self.op2(forms::AND, at, down);
        _ = self.index(&place, 0);
        let word = self.gather_one(GATHER32, aligned, true, 0, self.active, zero);
        self.out_of_words(word, at, ty)
    }

    /// Extracts the values at the given addresses from words.
    fn out_of_words(&mut self, word: V, addresses: V, ty: Ty) -> Val {
        let three = self.all32(3);
        let byte = self.op2(forms::AND, addresses, three);
        let by = self.shift_by(IntOp::Shl, byte, 3);
        let v = self.op2(forms::SHIFT_RIGHT, word, Src::V(by));
        let keep = self.all32(ty.mask() as u32);
        Val::Words(self.op2(forms::AND, v, keep), false)
    }

    pub fn store(&mut self, i: usize, inst: &Inst) -> Result<()> {
        let Inst::Store { srcs, ty, addr, .. } = inst else {
            return Err(Unsupported);
        };
        if *ty == Ty::B128 {
            return Err(Unsupported);
        }
        let size = ty.bytes() as i32;
        // Operands first: canonicalisation emits code too.
        let mut values = Vec::new();
        for &src in srcs {
            values.push(match ty {
                Ty::B64 => Val::Longs(self.longs(src)?),
                _ => Val::Words(self.words(src)?, false),
            });
        }
        let place = self.place(i, addr, ty.bytes() * srcs.len() as u32)?;
        if let LaneAddresses::Affine {
            line,
            ahead,
            window,
        } = place
            && self.record(line, *ty, srcs.len()).is_some()
        {
            self.point(line, 0, window);
            let values: Vec<V> = values
                .into_iter()
                .filter_map(|v| words_before(Some(v)))
                .collect();
            self.store_record(&values, *ty, ahead);
            return Ok(());
        }
        for (k, &value) in values.iter().enumerate() {
            let offset = k as i32 * size;
            match place {
                LaneAddresses::Affine {
                    line,
                    ahead,
                    window,
                } if line.stride == i64::from(size) => {
                    let whole = line.skip.is_none();
                    if whole && k == 0 && srcs.len() == 1 && self.is_nontemporal(i, ahead) {
                        self.point(line, 0, window);
                        self.stream(i, value, ahead);
                        continue;
                    }
                    if self.rows && k == 0 && self.ready[i].is_some() && window.is_none() {
                        self.prefetch(i, line, ahead, true);
                    }
                    self.store_line(line, window, (value, *ty), ahead + offset);
                }
                _ => self.scatter(&place, value, *ty, offset),
            }
        }
        Ok(())
    }

    /// Tells whether a store fills cache lines that the block does not read, so that they need not be cached.
    fn is_nontemporal(&self, i: usize, ahead: i32) -> bool {
        let Some(span) = self.spans[i].filter(|_| self.ready[i].is_some()) else {
            return false;
        };
        let reads = |(inst, other): (&Inst, &Option<Span>)| {
            matches!(inst, Inst::Load { .. }) && other.is_some_and(|o| o.leader == span.leader)
        };
        let whole = matches!(&self.block.insts[i], Inst::Store { ty: Ty::B32 | Ty::B64, addr, .. } if addr.space == Space::Flat);
        let mut block = self.block.insts.iter().zip(self.spans);
        self.once && whole && self.active.is_none() && ahead % 64 == 0 && !block.any(reads)
    }

    fn stream(&mut self, i: usize, value: Val, offset: i32) {
        let leader = self.spans[i].map_or(i, |span| span.leader);
        let keep = self.input(WideInput::Keep(leader));
        let ahead = self.rows.then(|| self.input(WideInput::Ahead(leader)));
        let mut put = |from: V, by: i32| {
            self.code.push(Vop::Stream {
                from,
                offset: offset + by,
                keep,
                ahead,
            });
        };
        match value {
            Val::Longs([low, high]) => {
                put(low, 0);
                put(high, 64);
            }
            Val::Words(v, _) => put(v, 0),
            _ => {}
        }
    }

    pub(crate) fn store_neighbours(&mut self, value: Val, ty: Ty, offset: i32, mask: Option<K>) {
        let masks = self.halves(mask);
        let mut put = |form: Form, from: V, by: i32, mask: Option<K>| {
            self.code.push(Vop::Store {
                form,
                from,
                to: Mem::Pointer(offset + by),
                mask,
            });
        };
        match (value, ty) {
            (Val::Longs(parts), _) => {
                put(forms::STORE64, parts[0], 0, masks[0]);
                put(forms::STORE64, parts[1], 64, masks[1]);
            }
            (Val::Words(v, _), Ty::B32) => put(forms::STORE32, v, 0, mask),
            (Val::Words(v, _), Ty::B16) => put(NARROW_HALF, v, 0, mask),
            (Val::Words(v, _), _) => put(NARROW_BYTE, v, 0, mask),
            _ => {}
        }
    }

    fn scatter(&mut self, place: &LaneAddresses, value: Val, ty: Ty, offset: i32) {
        if ty.bytes() < 4 {
            self.store_each(place, value, ty, offset);
            return;
        }
        let masks = self.halves(self.active);
        if let Some((index, offset)) = self.index(place, offset) {
            match value {
                Val::Longs(parts) => {
                    let upper = self.upper_half(index);
                    for (n, index) in [index, upper].into_iter().enumerate() {
                        self.code.push(Vop::Scatter {
                            form: SCATTER64,
                            from: parts[n],
                            index,
                            pointer: true,
                            offset,
                            mask: masks[n],
                        });
                    }
                }
                Val::Words(from, _) => self.code.push(Vop::Scatter {
                    form: SCATTER32,
                    from,
                    index,
                    pointer: true,
                    offset,
                    mask: self.active,
                }),
                _ => {}
            }
            return;
        }
        let at = self.addresses(place);
        let (form, parts) = match value {
            Val::Longs(parts) => (SCATTER64_LONG, parts),
            Val::Words(v, _) => (SCATTER32_LONG, [v, self.upper_half(v)]),
            _ => return,
        };
        for n in 0..2 {
            self.code.push(Vop::Scatter {
                form,
                from: parts[n],
                index: at[n],
                pointer: false,
                offset,
                mask: masks[n],
            });
        }
    }

    /// Stores lane by lane.
    fn store_each(&mut self, place: &LaneAddresses, value: Val, ty: Ty, offset: i32) {
        self.put_addresses(place, i64::from(offset));
        match value {
            Val::Words(v, _) => self.store_scratch(v, 128),
            Val::Longs([low, high]) => {
                self.store_scratch(low, 128);
                self.store_scratch(high, 192);
            }
            _ => {}
        }
        self.code.push(Vop::Lanes {
            bytes: ty.bytes() as u8,
            mask: self.active,
        });
    }

    pub(super) fn put_addresses(&mut self, place: &LaneAddresses, offset: i64) {
        let mut at = self.addresses(place);
        if offset != 0 {
            let by = self.all64(offset as u64);
            at = at.map(|v| self.op2(forms::ADD64, v, by));
        }
        self.store_scratch(at[0], 0);
        self.store_scratch(at[1], 64);
    }

    /// Calls [`crate::jit::avx512::helpers::check_lanes`].
    pub fn check(&mut self, addr: &Address, access: Access) -> Result<()> {
        let at = self.longs(addr.base)?;
        self.put_addresses(&LaneAddresses::Lanes(at), addr.offset);
        let site = self.plan.numbers.site(Site::Check(access)) as u64;
        self.code.push(Vop::Call {
            target: Helper::CheckLanes,
            constants: [Constant::Value(site), Constant::Argument(args::GANG)],
            mask: self.active,
        });
        Ok(())
    }
}

/// Returns the vector of a 32-bit value.
fn words_before(val: Option<Val>) -> Option<V> {
    match val {
        Some(Val::Words(v, _)) => Some(v),
        _ => None,
    }
}
