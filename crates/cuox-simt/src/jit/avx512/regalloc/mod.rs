//! Register allocation for virtual vectors and masks, and the machine code of a loop over groups of 16 lanes.
//!
//! The code is straight-line, so one walk suffices: a register is free after its value's last use. If none is free, the
//! value whose next use is furthest away is spilled (once, as values do not change).

pub(crate) mod calls;
pub(crate) mod groups;
pub(crate) mod pinned_addresses;
pub(crate) mod pointer;
pub(crate) mod registers;

use crate::jit::avx512::encode::{
    Assembler, EvexOptions, Form, Gpr, Label, MemOperand, R8, R9, R10, R11, RAX, RCX, RDI, RDX,
    RSI, RSP, Rm,
};
use crate::jit::avx512::regalloc::registers::RegFile;
use crate::jit::avx512::vcode::{Constant, K, KOp, Mem, Rmw, SCRATCH, Src, V, VInst, Vop, args};
use crate::jit::code::routine::Routine;
use crate::jit::code::symbol::{Helper, Symbol};
use crate::jit::runtime::layout::Gang;
pub use groups::RowEnds;
use pinned_addresses::PinnedAddresses;
use std::mem::offset_of;

/// Lanes of a group.
pub const LANES: i32 = 16;

const MOVE: Form = Form::new(1, 1, true, 0x6f);
const MOVE_STORE: Form = Form::new(1, 1, true, 0x7f);
const UNALIGNED_STORE: Form = Form::new(1, 2, true, 0x7f);
const BROADCAST_WORD: Form = Form::new(2, 1, false, 0x7c);
const BROADCAST_LONG: Form = Form::new(2, 1, true, 0x7c);
const GATHER_WORDS: Form = Form::new(2, 1, false, 0x90);
/// Reserved mask register, for instructions that destroy their mask.
const RESERVED_MASK: u8 = 7;
/// Arguments.
const ARGS: Gpr = RDI;
/// Values of the group.
const GROUPS: Gpr = RSI;
/// Addresses of the first lane's values in slots of 4 and 8 bytes.
const SLOTS_4: Gpr = R8;
const SLOTS_8: Gpr = RDX;
/// First lane of the group, within the gang.
const LANE: Gpr = R9;
/// Number of lanes.
const COUNT: Gpr = R10;
/// The group's bits of predicates.
const BITS: Gpr = R11;
/// Base address of accesses.
const POINTER: Gpr = RAX;
const TEMP: Gpr = RCX;
/// Registers that a call may change and that are saved around it.
const KEPT: [Gpr; 7] = [ARGS, GROUPS, SLOTS_4, SLOTS_8, LANE, COUNT, BITS];
const KEPT_AT: i32 = 640;
/// Registers that a loop over the lanes uses: the lane's value, and the mask.
const BORROWED: [Gpr; 2] = [DATA, LANE_MASK];
const DATA: Gpr = RDX;
const LANE_MASK: Gpr = R8;
/// Offset at which the caller's stack pointer is saved.
const CALLER: i32 = SCRATCH - 8;

/// Affine address: its start, stride and window, and the amount added for each row with the number of rows.
type Pointer = (Mem, i64, Option<Mem>, Option<(Mem, u8)>);

struct FaultExit {
    label: Label,
    bad: u8,
    at: [u8; 2],
    wide: bool,
    inst: u32,
}

struct RegAlloc {
    asm: Assembler,
    vectors: RegFile,
    masks: RegFile,
    /// Bytes of the stack in use.
    stack: i32,
    /// True if there is a frame, with spilled values and the scratch area.
    framed: bool,
    at: u32,
    /// Distance between lanes relative to the pointer, if it is a factor that addresses can have, else 0.
    pointer_scale: u8,
    /// Address that the pointer holds.
    pointer: Option<Pointer>,
    /// Start of the next group.
    next: Label,
    faults: Vec<FaultExit>,
    pinned: PinnedAddresses,
    /// Base register of accesses through the pointer.
    base: Gpr,
}

/// Generates machine code of `fn(arguments) -> 0, or 1 after a fault` that runs `code` for every group of lanes of a
/// gang, or with `window` for the groups from one lane to another. `group_bytes` is the size of the values stored per
/// group.
pub fn body(
    code: &[Vop],
    asm: Assembler,
    registers: [u32; 2],
    group_bytes: i32,
    rows: RowEnds,
    window: bool,
) -> Routine {
    let scratch = code.iter().any(Vop::has_scratch);
    let attempt = |asm: Assembler, framed: bool| {
        attempt(code, asm, registers, group_bytes, rows, (window, framed))
    };
    // Most code needs no frame, which an attempt without one shows.
    if !scratch && let Some(code) = attempt(asm.clone(), false) {
        return code;
    }
    attempt(asm, true).unwrap_or_default()
}

fn attempt(
    code: &[Vop],
    mut asm: Assembler,
    [vectors, masks]: [u32; 2],
    group_bytes: i32,
    rows: RowEnds,
    (window, framed): (bool, bool),
) -> Option<Routine> {
    let next = asm.label();
    let mut this = RegAlloc {
        asm,
        next,
        vectors: RegFile::new(vectors as usize, 0, 32),
        masks: RegFile::new(masks as usize, 1, RESERVED_MASK),
        stack: SCRATCH,
        framed,
        at: 0,
        pointer_scale: 0,
        pointer: None,
        faults: Vec::new(),
        pinned: PinnedAddresses::new(code, group_bytes),
        base: POINTER,
    };
    for (i, op) in code.iter().enumerate().rev() {
        let (vectors, masks) = (&mut this.vectors.uses, &mut this.masks.uses);
        op.uses(&mut |v| vectors[v.0 as usize].push(i as u32), &mut |k| {
            masks[k.0 as usize].push(i as u32)
        });
    }
    let frame = this.prologue();
    if window {
        this.enter_window(group_bytes, rows.values.is_empty());
    }
    let top = this.asm.label();
    this.asm.bind(top);
    for (i, op) in code.iter().enumerate() {
        this.at = i as u32;
        this.emit(op);
    }
    this.asm.bind(next);
    this.asm.add_constant(LANE, LANES);
    if !this.pinned.uses(BITS) {
        this.asm.add_constant(BITS, LANES / 8);
    }
    if group_bytes != 0 {
        this.asm.add_constant(GROUPS, group_bytes);
    }
    let done = this.asm.label();
    // cmp lane, count
    this.asm.general_regs(true, &[0x3b], LANE, COUNT, &[]);
    if rows.values.is_empty() {
        // jb
        this.asm.jump(Some(0x2), top);
    } else {
        // jae
        this.asm.jump(Some(0x3), done);
        this.next_row(rows, top);
    }
    this.asm.bind(done);
    // xor eax, eax
    this.asm.general_regs(false, &[0x33], RAX, RAX, &[]);
    let out = this.asm.label();
    this.asm.bind(out);
    this.epilogue();
    for fault in std::mem::take(&mut this.faults) {
        this.fault_exit(&fault, out);
    }
    let RegAlloc { asm, stack, .. } = this;
    if !framed && stack != SCRATCH {
        return None;
    }
    let mut routine = asm.finish();
    if let Some(frame) = frame {
        let size = (stack + 127) & !63;
        routine.bytes[frame..frame + 4].copy_from_slice(&size.to_le_bytes());
    }
    Some(routine)
}

impl RegAlloc {
    /// Emits the prologue. Returns the offset at which the frame's size is to be written, if there is a frame.
    fn prologue(&mut self) -> Option<usize> {
        let asm = &mut self.asm;
        self.pinned.save(asm);
        let mut frame = None;
        if self.framed {
            asm.copy(RAX, RSP);
            // sub rsp, frame
            asm.general_regs(true, &[0x81], 5, RSP, &0i32.to_le_bytes());
            frame = Some(asm.here() - 4);
            // and rsp, -64
            asm.general_regs(true, &[0x83], 4, RSP, &[0xc0]);
            asm.store(RAX, MemOperand::at(RSP, CALLER));
        }
        // xor lane, lane
        asm.general_regs(false, &[0x33], LANE, LANE, &[]);
        for (reg, at) in [
            (SLOTS_4, args::SLOTS_4),
            (SLOTS_8, args::SLOTS_8),
            (COUNT, args::COUNT),
            (BITS, args::BITS),
            (GROUPS, args::GROUPS),
        ] {
            if !self.pinned.uses(reg) {
                asm.load(reg, MemOperand::at(ARGS, at));
            }
        }
        self.pinned.load(asm);
        frame
    }

    fn epilogue(&mut self) {
        let asm = &mut self.asm;
        if self.framed {
            asm.load(RSP, MemOperand::at(RSP, CALLER));
        }
        self.pinned.restore(asm);
        // vzeroupper; ret
        asm.raw(&[0xc5, 0xf8, 0x77, 0xc3]);
    }

    fn fault_exit(&mut self, fault: &FaultExit, out: Label) {
        /// Room for the addresses, below everything else.
        const ROOM: i32 = 192;
        let asm = &mut self.asm;
        asm.bind(fault.label);
        // kmovw eax, bad; tzcnt eax, eax
        asm.vex_masks(1, 0, false, false, 0x93, [RAX, 0, fault.bad]);
        asm.raw(&[0xf3, 0x0f, 0xbc, 0xc0]);
        asm.add_constant(RSP, -ROOM);
        for (n, &at) in fault
            .at
            .iter()
            .enumerate()
            .take(1 + usize::from(fault.wide))
        {
            let place = Rm::Mem(MemOperand::at(RSP, 64 * n as i32));
            asm.evex(UNALIGNED_STORE, at, 0, place, EvexOptions::default());
        }
        let lane = MemOperand::Base {
            base: RSP,
            index: Some((RAX, if fault.wide { 8 } else { 4 })),
            offset: 0,
        };
        asm.general(fault.wide, &[0x8b], TEMP, lane, &[]);
        asm.add_constant(RSP, ROOM);
        // Number of the lane in the gang.
        asm.general_regs(true, &[0x03], RAX, LANE, &[]);
        asm.load(LANE, MemOperand::at(ARGS, args::GANG));
        asm.store(TEMP, MemOperand::at(LANE, offset_of!(Gang, scratch) as i32));
        asm.general(
            false,
            &[0x89],
            RAX,
            MemOperand::at(LANE, offset_of!(Gang, fault_lane) as i32),
            &[],
        );
        let inst = MemOperand::at(LANE, offset_of!(Gang, fault_inst) as i32);
        asm.general(false, &[0xc7], 0, inst, &fault.inst.to_le_bytes());
        // mov eax, 1
        asm.raw(&[0xb8, 1, 0, 0, 0]);
        asm.jump(None, out);
    }

    fn place(&mut self, mem: Mem) -> MemOperand {
        match mem {
            Mem::Arg(offset) => MemOperand::at(ARGS, offset),
            Mem::GroupArg(offset) => MemOperand::at(GROUPS, offset),
            Mem::Slot(offset, bytes) => {
                let base = match bytes {
                    4 => SLOTS_4,
                    8 => SLOTS_8,
                    _ => {
                        self.pointer = None;
                        self.asm.load(POINTER, MemOperand::at(ARGS, args::SLOTS_2));
                        POINTER
                    }
                };
                MemOperand::Base {
                    base,
                    index: Some((LANE, bytes)),
                    offset,
                }
            }
            Mem::Bits(offset) => MemOperand::at(BITS, offset),
            Mem::Pointer(offset) => MemOperand::Base {
                base: self.base,
                index: (self.pointer_scale != 0).then_some((LANE, self.pointer_scale)),
                offset,
            },
            Mem::Constant(at) => MemOperand::Constant(at),
            Mem::Scratch(offset) => MemOperand::at(RSP, offset),
        }
    }

    /// Allocates a register for a new vector; spills the value that it holds, if that is still needed.
    fn new_vector(&mut self, keep: &[u8]) -> u8 {
        let (register, victim) = self.vectors.choose(self.at, keep);
        if let Some(value) = victim {
            self.save_vector(value, register);
            self.vectors.free(register);
        }
        register
    }

    fn save_vector(&mut self, value: u32, register: u8) {
        if self.vectors.slot[value as usize].is_none() {
            let slot = self.stack;
            self.stack += 64;
            self.vectors.slot[value as usize] = Some(slot);
            let place = Rm::Mem(MemOperand::at(RSP, slot));
            self.asm
                .evex(MOVE_STORE, register, 0, place, EvexOptions::default());
        }
    }

    fn new_mask(&mut self, keep: &[u8]) -> u8 {
        let (register, victim) = self.masks.choose(self.at, keep);
        if let Some(value) = victim {
            self.save_mask(value, register);
            self.masks.free(register);
        }
        register
    }

    fn save_mask(&mut self, value: u32, register: u8) {
        if self.masks.slot[value as usize].is_none() {
            // Slots have 64 bytes, so that vectors stay aligned.
            let slot = self.stack;
            self.stack += 64;
            self.masks.slot[value as usize] = Some(slot);
            self.asm
                .mask_memory(true, register, MemOperand::at(RSP, slot));
        }
    }

    /// Returns the register of a vector, reloading it if it was spilled.
    fn vector(&mut self, v: V, keep: &[u8]) -> u8 {
        if let Some(register) = self.vectors.register[v.0 as usize] {
            return register;
        }
        let register = self.new_vector(keep);
        if let Some(slot) = self.vectors.slot[v.0 as usize] {
            let place = Rm::Mem(MemOperand::at(RSP, slot));
            self.asm
                .evex(MOVE, register, 0, place, EvexOptions::default());
        }
        self.vectors.put(v.0, register);
        register
    }

    fn mask(&mut self, k: K, keep: &[u8]) -> u8 {
        if let Some(register) = self.masks.register[k.0 as usize] {
            return register;
        }
        let register = self.new_mask(keep);
        if let Some(slot) = self.masks.slot[k.0 as usize] {
            self.asm
                .mask_memory(false, register, MemOperand::at(RSP, slot));
        }
        self.masks.put(k.0, register);
        register
    }

    fn release_vector(&mut self, v: V) {
        if let Some(register) = self.vectors.register[v.0 as usize]
            && self.vectors.needed_after(v.0, self.at).is_none()
        {
            self.vectors.free(register);
        }
    }

    fn release_mask(&mut self, k: K) {
        if let Some(register) = self.masks.register[k.0 as usize]
            && self.masks.needed_after(k.0, self.at).is_none()
        {
            self.masks.free(register);
        }
    }

    fn optional_mask(&mut self, mask: Option<K>) -> u8 {
        mask.map_or(0, |k| self.mask(k, &[]))
    }

    /// Returns the last operand, and whether it is one element for all lanes.
    fn source(&mut self, src: Src, keep: &mut Vec<u8>) -> (Rm, bool) {
        match src {
            Src::V(v) => {
                let register = self.vector(v, keep);
                keep.push(register);
                (Rm::Reg(register), false)
            }
            Src::Mem(mem) => (Rm::Mem(self.place(mem)), false),
            Src::Each(mem) => (Rm::Mem(self.place(mem)), true),
        }
    }

    fn forget_unused(&mut self, op: &Vop) {
        if let Some(v) = op.vector() {
            self.release_vector(v);
        }
        if let Some(k) = op.mask() {
            self.release_mask(k);
        }
    }

    fn emit(&mut self, op: &Vop) {
        self.emit_op(op);
        if matches!(
            op,
            Vop::Call { .. } | Vop::Rmw { .. } | Vop::Lanes { .. } | Vop::Vote { .. }
        ) {
            self.pointer = None;
        }
        let (mut vs, mut ks) = (Vec::new(), Vec::new());
        op.uses(&mut |v| vs.push(v), &mut |k| ks.push(k));
        vs.into_iter().for_each(|v| self.release_vector(v));
        ks.into_iter().for_each(|k| self.release_mask(k));
        self.forget_unused(op);
    }

    fn emit_op(&mut self, op: &Vop) {
        match *op {
            Vop::Vector { dst, inst } => self.vector_inst(dst, inst),
            Vop::ShiftBy {
                dst,
                form,
                digit,
                a,
                by,
            } => {
                let from = self.vector(a, &[]);
                self.release_vector(a);
                let to = self.new_vector(&[]);
                let extra = EvexOptions {
                    imm: Some(by),
                    ..EvexOptions::default()
                };
                self.asm.evex(form, digit, to, Rm::Reg(from), extra);
                self.vectors.put(dst.0, to);
            }
            Vop::Narrow { dst, form, a, imm } => {
                let from = self.vector(a, &[]);
                self.release_vector(a);
                let to = self.new_vector(&[]);
                let extra = EvexOptions {
                    imm,
                    ..EvexOptions::default()
                };
                self.asm.evex(form, from, 0, Rm::Reg(to), extra);
                self.vectors.put(dst.0, to);
            }
            Vop::Test {
                dst,
                form,
                a,
                b,
                imm,
                mask,
            } => {
                let mut keep = Vec::new();
                let second = a.map_or(0, |a| {
                    let register = self.vector(a, &keep);
                    keep.push(register);
                    register
                });
                let (rm, broadcast) = self.source(b, &mut keep);
                let mask = self.optional_mask(mask);
                let to = self.new_mask(&[mask]);
                let extra = EvexOptions {
                    mask,
                    broadcast,
                    imm,
                    ..EvexOptions::default()
                };
                self.asm.evex(form, to, second, rm, extra);
                self.masks.put(dst.0, to);
            }
            Vop::Store {
                form,
                from,
                to,
                mask,
            } => {
                let from = self.vector(from, &[]);
                let mask = self.optional_mask(mask);
                let place = Rm::Mem(self.place(to));
                let extra = EvexOptions {
                    mask,
                    ..EvexOptions::default()
                };
                self.asm.evex(form, from, 0, place, extra);
            }
            Vop::Gather {
                dst,
                form,
                index,
                pointer,
                offset,
                mask,
                tied,
            } => {
                let index = self.vector(index, &[]);
                let to = self.tied(tied, dst, &[index]);
                self.load_reserved_mask(mask);
                let place = self.vector_place(index, pointer, offset);
                let extra = EvexOptions {
                    mask: RESERVED_MASK,
                    ..EvexOptions::default()
                };
                self.asm.evex(form, to, 0, Rm::Mem(place), extra);
            }
            Vop::Scatter {
                form,
                from,
                index,
                pointer,
                offset,
                mask,
            } => {
                let index = self.vector(index, &[]);
                let from = self.vector(from, &[index]);
                self.load_reserved_mask(mask);
                let place = self.vector_place(index, pointer, offset);
                let extra = EvexOptions {
                    mask: RESERVED_MASK,
                    ..EvexOptions::default()
                };
                self.asm.evex(form, from, 0, Rm::Mem(place), extra);
            }
            Vop::LookUp { dst, table, index } => {
                let index = self.vector(index, &[]);
                let to = self.new_vector(&[index]);
                self.vectors.put(dst.0, to);
                self.load_reserved_mask(None);
                self.pointer = None;
                self.base = POINTER;
                // lea
                let table = MemOperand::Constant(table);
                self.asm.general(true, &[0x8d], POINTER, table, &[]);
                let place = MemOperand::Vector {
                    base: Some(POINTER),
                    index,
                    scale: 4,
                    offset: 0,
                };
                let extra = EvexOptions {
                    mask: RESERVED_MASK,
                    ..EvexOptions::default()
                };
                self.asm.evex(GATHER_WORDS, to, 0, Rm::Mem(place), extra);
            }
            Vop::Mask { dst, op, a, b } => {
                let a = self.mask(a, &[]);
                let b = self.mask(b, &[a]);
                let to = self.new_mask(&[a, b]);
                let (prefix, code) = match op {
                    KOp::And => (0, 0x41),
                    KOp::AndNot => (0, 0x42),
                    KOp::Or => (0, 0x45),
                    KOp::Xor => (0, 0x47),
                    KOp::Join => (1, 0x4b),
                };
                self.asm.vex_masks(1, prefix, false, true, code, [to, a, b]);
                self.masks.put(dst.0, to);
            }
            Vop::UpperHalf { dst, a } => {
                let a = self.mask(a, &[]);
                let to = self.new_mask(&[a]);
                // kshiftrw
                self.asm.vex_masks(3, 1, true, false, 0x30, [to, 0, a]);
                self.asm.raw(&[8]);
                self.masks.put(dst.0, to);
            }
            Vop::LoadMask { dst, from } => {
                let to = self.new_mask(&[]);
                let place = self.place(from);
                self.asm.mask_memory(false, to, place);
                self.masks.put(dst.0, to);
            }
            Vop::StoreMask { from, to } => {
                let from = self.mask(from, &[]);
                let place = self.place(to);
                self.asm.mask_memory(true, from, place);
            }
            Vop::Affine {
                dst,
                from,
                stride,
                wide,
            } => {
                let place = self.place(from);
                self.asm.multiply(TEMP, LANE, stride);
                self.asm.general(true, &[0x03], TEMP, place, &[]);
                let to = self.new_vector(&[]);
                let form = if wide { BROADCAST_LONG } else { BROADCAST_WORD };
                self.asm
                    .evex(form, to, 0, Rm::Reg(TEMP), EvexOptions::default());
                self.vectors.put(dst.0, to);
            }
            Vop::Pointer {
                from,
                stride,
                window,
                down,
            } => {
                self.point_at_line(from, stride, window, down);
            }
            Vop::PointerAt {
                from,
                stride,
                window,
            } => {
                self.pointer = None;
                self.point(from, window, None);
                self.advance(stride);
                self.pointer_scale = 0;
            }
            Vop::Prefetch {
                ahead,
                offset,
                bytes,
                write,
            } => {
                self.prefetch(ahead, offset, bytes, write);
            }
            Vop::Stream {
                from,
                offset,
                keep,
                ahead,
            } => self.stream(from, offset, keep, ahead),
            Vop::SkipUnless { any } => {
                let any = self.mask(any, &[]);
                // kortestw any, any; jz
                self.asm.vex_masks(1, 0, false, false, 0x98, [any, 0, any]);
                let next = self.next;
                self.asm.jump(Some(0x4), next);
            }
            Vop::Fault {
                bad,
                at,
                wide,
                inst,
            } => {
                let mut regs = [self.vector(at[0], &[]); 2];
                if wide {
                    regs[1] = self.vector(at[1], &regs[..1]);
                }
                let bad = self.mask(bad, &[]);
                // kortestw bad, bad; jnz
                self.asm.vex_masks(1, 0, false, false, 0x98, [bad, 0, bad]);
                let label = self.asm.label();
                self.asm.jump(Some(0x5), label);
                self.faults.push(FaultExit {
                    label,
                    bad,
                    at: regs,
                    wide,
                    inst,
                });
            }
            Vop::Vote { all, any } => {
                // and [votes], ax; or [votes + 4], ax
                for (mask, code, at) in [(all, 0x21, 0), (any, 0x09, 4)] {
                    let from = self.mask(mask, &[]);
                    // kmovw eax, from
                    self.asm.vex_masks(1, 0, false, false, 0x93, [RAX, 0, from]);
                    self.asm.raw(&[0x66]);
                    let votes = MemOperand::at(ARGS, args::VOTES + at);
                    self.asm.general(false, &[code], RAX, votes, &[]);
                }
            }
            Vop::Call {
                target,
                constants,
                mask,
            } => self.call(target, constants, mask),
            Vop::Rmw {
                op,
                wide,
                locked,
                old,
                mask,
            } => self.rmw(op, wide, locked, old, mask),
            Vop::Lanes { bytes, mask } => self.store_lanes(bytes, mask),
            Vop::Fence => self.asm.raw(&[0x0f, 0xae, 0xf0]),
            Vop::Fetch { .. } | Vop::Rare { .. } => unreachable!("it is in code for LLVM alone"),
        }
    }

    /// Returns a register that holds the value of `tied` and becomes the register of `dst`.
    fn tied(&mut self, tied: V, dst: V, keep: &[u8]) -> u8 {
        let from = self.vector(tied, keep);
        let to = if self.vectors.needed_after(tied.0, self.at).is_none() && !keep.contains(&from) {
            self.vectors.free(from);
            from
        } else {
            let mut keep = keep.to_vec();
            keep.push(from);
            let to = self.new_vector(&keep);
            self.asm
                .evex(MOVE, to, 0, Rm::Reg(from), EvexOptions::default());
            to
        };
        self.vectors.put(dst.0, to);
        to
    }

    fn vector_inst(&mut self, dst: V, inst: VInst) {
        let mut keep = Vec::new();
        let second = inst.a.map_or(0, |a| {
            let register = self.vector(a, &keep);
            keep.push(register);
            register
        });
        let (rm, broadcast) = self.source(inst.b, &mut keep);
        let mask = self.optional_mask(inst.mask);
        let to = match inst.tied {
            Some(tied) => self.tied(tied, dst, &keep),
            None => {
                let mut sources = Vec::new();
                sources.extend(inst.a);
                if let Src::V(b) = inst.b {
                    sources.push(b);
                }
                sources.into_iter().for_each(|v| self.release_vector(v));
                let to = self.new_vector(&[]);
                self.vectors.put(dst.0, to);
                to
            }
        };
        let extra = EvexOptions {
            mask,
            zeroing: inst.mask.is_some() && inst.tied.is_none() && !is_blend(inst.form),
            broadcast,
            round: inst.round,
            imm: inst.imm,
        };
        self.asm.evex(inst.form, to, second, rm, extra);
    }

    /// Copies the mask, or all ones, into the reserved register.
    fn load_reserved_mask(&mut self, mask: Option<K>) {
        match mask {
            Some(k) => {
                let from = self.mask(k, &[]);
                // kmovw
                self.asm
                    .vex_masks(1, 0, false, false, 0x90, [RESERVED_MASK, 0, from]);
            }
            // kxnorw
            None => self
                .asm
                .vex_masks(1, 0, false, true, 0x46, [RESERVED_MASK; 3]),
        }
    }

    fn vector_place(&self, index: u8, pointer: bool, offset: i32) -> MemOperand {
        MemOperand::Vector {
            base: pointer.then_some(self.base),
            index,
            scale: 1,
            offset,
        }
    }
}

/// Tells whether a form is a blend, which takes its mask as an operand and never zeroes lanes.
fn is_blend(form: Form) -> bool {
    form.map == 2 && form.code == 0x64
}
