//! Assembler for x86-64 with AVX-512: the encodings that wide code needs.
//!
//! Reference: "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, sections 2.7 (EVEX) and 2.3
//! (VEX).

use crate::jit::code::routine::{Link, Routine};
use crate::jit::code::symbol::Symbol;
use rustc_hash::FxHashMap;

/// Number of a general-purpose register.
pub type Gpr = u8;

pub const RAX: Gpr = 0;
pub const RCX: Gpr = 1;
pub const RDX: Gpr = 2;
pub const RSP: Gpr = 4;
pub const RSI: Gpr = 6;
pub const RDI: Gpr = 7;
pub const R8: Gpr = 8;
pub const R9: Gpr = 9;
pub const R10: Gpr = 10;
pub const R11: Gpr = 11;

/// Opcode of an EVEX instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// Opcode map: 1 is 0F, 2 is 0F38, 3 is 0F3A.
    pub map: u8,
    /// Mandatory prefix: 0 is none, 1 is 66, 2 is F3, 3 is F2.
    pub prefix: u8,
    /// EVEX.W: 64-bit elements.
    pub wide: bool,
    /// Opcode byte.
    pub code: u8,
    /// Vector length: 0 is 128 bits, 1 is 256, 2 is 512.
    pub length: u8,
}

impl Form {
    /// Returns the form of a 512-bit instruction.
    pub const fn new(map: u8, prefix: u8, wide: bool, code: u8) -> Form {
        Form {
            map,
            prefix,
            wide,
            code,
            length: 2,
        }
    }
}

/// Memory operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemOperand {
    /// `[base + index * scale + offset]`.
    Base {
        base: Gpr,
        index: Option<(Gpr, u8)>,
        offset: i32,
    },
    /// Offset in the constants behind the code.
    Constant(u32),
    /// `[base + vector index * scale + offset]`, for gathers and scatters.
    Vector {
        base: Option<Gpr>,
        index: u8,
        scale: u8,
        offset: i32,
    },
}

impl MemOperand {
    /// Returns `[base + offset]`.
    pub fn at(base: Gpr, offset: i32) -> MemOperand {
        MemOperand::Base {
            base,
            index: None,
            offset,
        }
    }
}

/// Last operand of an instruction (the ModRM `r/m` operand).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rm {
    /// Vector register.
    Reg(u8),
    /// Memory.
    Mem(MemOperand),
}

/// Optional parts of an EVEX instruction.
#[derive(Clone, Copy, Default, Debug)]
pub struct EvexOptions {
    /// Mask register; 0 for none.
    pub mask: u8,
    /// True if masked-off lanes become zero; otherwise they are unchanged.
    pub zeroing: bool,
    /// For memory: one element for all lanes.
    pub broadcast: bool,
    /// For registers: rounding (0 nearest, 1 down, 2 up, 3 towards zero).
    pub round: Option<u8>,
    /// Immediate byte.
    pub imm: Option<u8>,
}

/// Jump target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(usize);

/// Code under construction.
#[derive(Clone, Default)]
pub struct Assembler {
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    jumps: Vec<(usize, Label)>,
    constants: Vec<u8>,
    /// Where each of them is.
    constants_at: FxHashMap<Box<[u8]>, u32>,
    constant_uses: Vec<(usize, u32)>,
    links: Vec<Link>,
}

impl Assembler {
    /// Returns the offset of bytes among the constants, a multiple of their length. Equal constants are stored once.
    pub fn constant(&mut self, bytes: &[u8]) -> u32 {
        if let Some(&at) = self.constants_at.get(bytes) {
            return at;
        }
        self.constants
            .resize(self.constants.len().next_multiple_of(bytes.len()), 0);
        let at = self.constants.len() as u32;
        self.constants.extend_from_slice(bytes);
        self.constants_at.insert(bytes.into(), at);
        at
    }

    /// Returns the constants.
    pub fn constants(&self) -> &[u8] {
        &self.constants
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    fn byte(&mut self, b: u8) {
        self.bytes.push(b);
    }

    fn word(&mut self, v: i32) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    /// Emits ModRM, SIB and offset. `tail` bytes (an immediate) follow, which matters for addresses relative to the
    /// next instruction. EVEX counts one-byte offsets in units of the access's size; with `scaled` only an offset of 0
    /// uses that form.
    fn address(&mut self, reg: u8, place: MemOperand, tail: usize, scaled: bool) {
        let reg = (reg & 7) << 3;
        match place {
            MemOperand::Constant(at) => {
                self.byte(reg | 5);
                self.constant_uses.push((self.bytes.len(), at));
                // The tail moves the origin. It is stored in the field, to which the distance is added when it is
                // known.
                self.word(-(tail as i32));
            }
            MemOperand::Base {
                base,
                index,
                offset,
            } => {
                let long = offset != 0 && (scaled || i8::try_from(offset).is_err());
                let mode = if long { 0x80 } else { 0x40 };
                match index {
                    None if base & 7 != RSP => self.byte(mode | reg | base & 7),
                    None => {
                        self.byte(mode | reg | 4);
                        self.byte(4 << 3 | base & 7);
                    }
                    Some((index, scale)) => {
                        self.byte(mode | reg | 4);
                        self.byte(
                            (scale.trailing_zeros() as u8) << 6 | (index & 7) << 3 | base & 7,
                        );
                    }
                }
                if long {
                    self.word(offset);
                } else {
                    self.byte(offset as u8);
                }
            }
            MemOperand::Vector {
                base,
                index,
                scale,
                offset,
            } => {
                let sib = (scale.trailing_zeros() as u8) << 6 | (index & 7) << 3;
                match base {
                    Some(base) => {
                        self.byte(0x80 | reg | 4);
                        self.byte(sib | base & 7);
                    }
                    None => {
                        self.byte(reg | 4);
                        self.byte(sib | 5);
                    }
                }
                self.word(offset);
            }
        }
    }

    /// Emits an EVEX instruction. `reg` is the register field (the destination, or an opcode digit), `second` the
    /// register in `vvvv`.
    pub fn evex(&mut self, form: Form, reg: u8, second: u8, rm: Rm, extra: EvexOptions) {
        let (mut x, mut b, mut v_high) = (0, 0, second >> 4);
        match rm {
            Rm::Reg(n) => (x, b) = (n >> 4 & 1, n >> 3 & 1),
            Rm::Mem(MemOperand::Base { base, index, .. }) => {
                b = base >> 3;
                x = index.map_or(0, |(i, _)| i >> 3);
            }
            Rm::Mem(MemOperand::Vector { base, index, .. }) => {
                b = base.map_or(0, |g| g >> 3);
                x = index >> 3 & 1;
                v_high = index >> 4;
            }
            Rm::Mem(MemOperand::Constant(_)) => {}
        }
        let flag = extra.broadcast || extra.round.is_some();
        let length = extra.round.unwrap_or(form.length);
        self.byte(0x62);
        self.byte(
            (!(reg >> 3) & 1) << 7
                | (!x & 1) << 6
                | (!b & 1) << 5
                | (!(reg >> 4) & 1) << 4
                | form.map,
        );
        self.byte(u8::from(form.wide) << 7 | (!second & 15) << 3 | 4 | form.prefix);
        self.byte(
            u8::from(extra.zeroing) << 7
                | length << 5
                | u8::from(flag) << 4
                | (!v_high & 1) << 3
                | extra.mask,
        );
        self.byte(form.code);
        let tail = usize::from(extra.imm.is_some());
        match rm {
            Rm::Reg(n) => self.byte(0xc0 | (reg & 7) << 3 | n & 7),
            Rm::Mem(place) => self.address(reg, place, tail, true),
        }
        if let Some(imm) = extra.imm {
            self.byte(imm);
        }
    }

    /// Emits a VEX instruction on mask registers.
    pub fn vex_masks(
        &mut self,
        map: u8,
        prefix: u8,
        wide: bool,
        long: bool,
        code: u8,
        regs: [u8; 3],
    ) {
        let [reg, second, rm] = regs;
        self.byte(0xc4);
        self.byte((!(reg >> 3) & 1) << 7 | 1 << 6 | (!(rm >> 3) & 1) << 5 | map);
        self.byte(u8::from(wide) << 7 | (!second & 15) << 3 | u8::from(long) << 2 | prefix);
        self.byte(code);
        self.byte(0xc0 | (reg & 7) << 3 | rm & 7);
    }

    /// Emits `kmovw` between a mask register and memory.
    pub fn mask_memory(&mut self, store: bool, mask: u8, place: MemOperand) {
        let (mut x, mut b) = (0, 0);
        if let MemOperand::Base { base, index, .. } = place {
            b = base >> 3;
            x = index.map_or(0, |(i, _)| i >> 3);
        }
        self.byte(0xc4);
        self.byte(1 << 7 | (!x & 1) << 6 | (!b & 1) << 5 | 1);
        self.byte(0x78);
        self.byte(0x90 | u8::from(store));
        self.address(mask, place, 0, false);
    }

    /// Emits a general-purpose instruction with a memory operand: REX, opcode bytes, address. `long` selects 64 bits.
    pub fn general(&mut self, long: bool, code: &[u8], reg: Gpr, place: MemOperand, imm: &[u8]) {
        let (mut x, mut b) = (0, 0);
        if let MemOperand::Base { base, index, .. } = place {
            b = base >> 3;
            x = index.map_or(0, |(i, _)| i >> 3);
        }
        self.byte(0x40 | u8::from(long) << 3 | (reg >> 3) << 2 | x << 1 | b);
        self.bytes.extend_from_slice(code);
        self.address(reg, place, imm.len(), false);
        self.bytes.extend_from_slice(imm);
    }

    /// Emits a general-purpose instruction on two registers.
    pub fn general_regs(&mut self, long: bool, code: &[u8], reg: Gpr, rm: Gpr, imm: &[u8]) {
        self.byte(0x40 | u8::from(long) << 3 | (reg >> 3) << 2 | rm >> 3);
        self.bytes.extend_from_slice(code);
        self.byte(0xc0 | (reg & 7) << 3 | rm & 7);
        self.bytes.extend_from_slice(imm);
    }

    /// Loads 64 bits.
    pub fn load(&mut self, to: Gpr, place: MemOperand) {
        self.general(true, &[0x8b], to, place, &[]);
    }

    /// Stores 64 bits.
    pub fn store(&mut self, from: Gpr, place: MemOperand) {
        self.general(true, &[0x89], from, place, &[]);
    }

    /// Pushes a register.
    pub fn push(&mut self, from: Gpr) {
        self.byte(0x40 | from >> 3);
        self.byte(0x50 | from & 7);
    }

    /// Pops a register.
    pub fn pop(&mut self, to: Gpr) {
        self.byte(0x40 | to >> 3);
        self.byte(0x58 | to & 7);
    }

    /// Copies a register.
    pub fn copy(&mut self, to: Gpr, from: Gpr) {
        self.general_regs(true, &[0x8b], to, from, &[]);
    }

    /// Emits `to += n`.
    pub fn add_constant(&mut self, to: Gpr, n: i32) {
        self.general_regs(true, &[0x81], 0, to, &n.to_le_bytes());
    }

    /// Emits `to = from * n`.
    pub fn multiply(&mut self, to: Gpr, from: Gpr, n: i32) {
        self.general_regs(true, &[0x69], to, from, &n.to_le_bytes());
    }

    /// Loads a 64-bit constant.
    pub fn constant_into(&mut self, to: Gpr, value: u64) {
        self.byte(0x48 | to >> 3);
        self.byte(0xb8 | to & 7);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Loads the address of a symbol.
    pub fn address_into(&mut self, to: Gpr, symbol: Symbol) {
        self.constant_into(to, 0);
        let offset = self.bytes.len() as u32 - 8;
        self.links.push(Link { offset, symbol });
    }

    /// Calls the function whose address a register holds.
    pub fn call(&mut self, target: Gpr) {
        self.byte(0x40 | target >> 3);
        self.bytes.extend_from_slice(&[0xff, 0xd0 | target & 7]);
    }

    /// Jumps, or jumps if a condition code is true (`Some`).
    pub fn jump(&mut self, condition: Option<u8>, to: Label) {
        match condition {
            None => self.byte(0xe9),
            Some(code) => self.bytes.extend_from_slice(&[0x0f, 0x80 | code]),
        }
        self.jumps.push((self.bytes.len(), to));
        self.word(0);
    }

    /// Returns the number of bytes emitted so far.
    pub fn here(&self) -> usize {
        self.bytes.len()
    }

    /// Emits bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the finished code with its constants, which is position-independent if placed at a multiple of 64.
    pub fn finish(mut self) -> Routine {
        for (at, label) in std::mem::take(&mut self.jumps) {
            let target = self.labels[label.0].unwrap_or(at + 4) as i64;
            let by = (target - (at as i64 + 4)) as i32;
            self.bytes[at..at + 4].copy_from_slice(&by.to_le_bytes());
        }
        let base = self.bytes.len().next_multiple_of(64);
        for (at, constant) in std::mem::take(&mut self.constant_uses) {
            let mut field = [0; 4];
            field.copy_from_slice(&self.bytes[at..at + 4]);
            let by =
                i32::from_le_bytes(field) + (base + constant as usize) as i32 - (at as i32 + 4);
            self.bytes[at..at + 4].copy_from_slice(&by.to_le_bytes());
        }
        self.bytes.resize(base, 0xcc);
        self.bytes.extend_from_slice(&self.constants);
        Routine {
            bytes: self.bytes,
            links: self.links,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RBX: Gpr = 3;
    const RBP: Gpr = 5;
    const R12: Gpr = 12;
    const R13: Gpr = 13;
    const FAR: i32 = 0x12345;

    fn place(base: Gpr, index: Option<(Gpr, u8)>) -> MemOperand {
        MemOperand::Base {
            base,
            index,
            offset: FAR,
        }
    }

    fn far(base: Gpr, index: Option<(Gpr, u8)>) -> Rm {
        Rm::Mem(place(base, index))
    }

    fn lanes(base: Option<Gpr>, index: u8) -> Rm {
        Rm::Mem(MemOperand::Vector {
            base,
            index,
            scale: 1,
            offset: FAR,
        })
    }

    /// Compares with the output of GNU as for the same instructions.
    #[test]
    fn instructions_are_encoded_as_an_assembler_does() {
        let none = EvexOptions::default();
        let f = Form::new;
        let check = |text: &str, expected: &[u8], emit: &dyn Fn(&mut Assembler)| {
            let mut a = Assembler::default();
            emit(&mut a);
            assert_eq!(a.bytes, expected, "{text}");
        };
        check(
            "vaddps zmm1, zmm2, zmm3",
            &[0x62, 0xf1, 0x6c, 0x48, 0x58, 0xcb],
            &|a| a.evex(f(1, 0, false, 0x58), 1, 2, Rm::Reg(3), none),
        );
        check(
            "vaddps zmm31, zmm17, zmm9",
            &[0x62, 0x41, 0x74, 0x40, 0x58, 0xf9],
            &|a| a.evex(f(1, 0, false, 0x58), 31, 17, Rm::Reg(9), none),
        );
        check(
            "vfmadd231ps zmm20{k3}, zmm5, dword ptr [r13+r12*4+0x12345]{1to16}",
            &[
                0x62, 0x82, 0x55, 0x5b, 0xb8, 0xa4, 0xa5, 0x45, 0x23, 0x01, 0x00,
            ],
            &|a| {
                a.evex(
                    f(2, 1, false, 0xb8),
                    20,
                    5,
                    far(R13, Some((R12, 4))),
                    EvexOptions {
                        mask: 3,
                        broadcast: true,
                        ..none
                    },
                )
            },
        );
        check(
            "vmovdqu64 zmm8, [rbp+0x12345]",
            &[0x62, 0x71, 0xfe, 0x48, 0x6f, 0x85, 0x45, 0x23, 0x01, 0x00],
            &|a| a.evex(f(1, 2, true, 0x6f), 8, 0, far(RBP, None), none),
        );
        check(
            "vmovdqu32 zmm16{k2}{z}, [rax+r12*8+0x12345]",
            &[
                0x62, 0xa1, 0x7e, 0xca, 0x6f, 0x84, 0xe0, 0x45, 0x23, 0x01, 0x00,
            ],
            &|a| {
                a.evex(
                    f(1, 2, false, 0x6f),
                    16,
                    0,
                    far(RAX, Some((R12, 8))),
                    EvexOptions {
                        mask: 2,
                        zeroing: true,
                        ..none
                    },
                )
            },
        );
        check(
            "vcmpps k5, zmm30, zmm4, 3",
            &[0x62, 0xf1, 0x0c, 0x40, 0xc2, 0xec, 0x03],
            &|a| {
                a.evex(
                    f(1, 0, false, 0xc2),
                    5,
                    30,
                    Rm::Reg(4),
                    EvexOptions {
                        imm: Some(3),
                        ..none
                    },
                )
            },
        );
        check(
            "vpsrld zmm7, zmm18, 9",
            &[0x62, 0xb1, 0x45, 0x48, 0x72, 0xd2, 0x09],
            &|a| {
                a.evex(
                    f(1, 1, false, 0x72),
                    2,
                    7,
                    Rm::Reg(18),
                    EvexOptions {
                        imm: Some(9),
                        ..none
                    },
                )
            },
        );
        check(
            "vpgatherqd ymm3{k7}, [zmm21+0x12345]",
            &[
                0x62, 0xf2, 0x7d, 0x47, 0x91, 0x1c, 0x2d, 0x45, 0x23, 0x01, 0x00,
            ],
            &|a| {
                a.evex(
                    f(2, 1, false, 0x91),
                    3,
                    0,
                    lanes(None, 21),
                    EvexOptions { mask: 7, ..none },
                )
            },
        );
        check(
            "vpgatherdd zmm19{k7}, [rax+zmm6+0x12345]",
            &[
                0x62, 0xe2, 0x7d, 0x4f, 0x90, 0x9c, 0x30, 0x45, 0x23, 0x01, 0x00,
            ],
            &|a| {
                a.evex(
                    f(2, 1, false, 0x90),
                    19,
                    0,
                    lanes(Some(RAX), 6),
                    EvexOptions { mask: 7, ..none },
                )
            },
        );
        check(
            "vdivps zmm4, zmm6, zmm2, {rz-sae}",
            &[0x62, 0xf1, 0x4c, 0x78, 0x5e, 0xe2],
            &|a| {
                a.evex(
                    f(1, 0, false, 0x5e),
                    4,
                    6,
                    Rm::Reg(2),
                    EvexOptions {
                        round: Some(3),
                        ..none
                    },
                )
            },
        );
        check(
            "vextracti64x4 ymm9, zmm22, 1",
            &[0x62, 0xc3, 0xfd, 0x48, 0x3b, 0xf1, 0x01],
            &|a| {
                a.evex(
                    f(3, 1, true, 0x3b),
                    22,
                    0,
                    Rm::Reg(9),
                    EvexOptions {
                        imm: Some(1),
                        ..none
                    },
                )
            },
        );
        check(
            "vpbroadcastd zmm25, ecx",
            &[0x62, 0x62, 0x7d, 0x48, 0x7c, 0xc9],
            &|a| a.evex(f(2, 1, false, 0x7c), 25, 0, Rm::Reg(RCX), none),
        );
        check(
            "mov rax, [rbx+0x12345]",
            &[0x48, 0x8b, 0x83, 0x45, 0x23, 0x01, 0x00],
            &|a| a.load(RAX, place(RBX, None)),
        );
        check("push rbp", &[0x40, 0x55], &|a| a.push(RBP));
        check("pop r13", &[0x41, 0x5d], &|a| a.pop(R13));
        check(
            "mov [rsp+rcx*8+0x12345], r12",
            &[0x4c, 0x89, 0xa4, 0xcc, 0x45, 0x23, 0x01, 0x00],
            &|a| a.store(R12, place(RSP, Some((RCX, 8)))),
        );
        check(
            "imul rcx, r12, 0x12345",
            &[0x49, 0x69, 0xcc, 0x45, 0x23, 0x01, 0x00],
            &|a| a.multiply(RCX, R12, FAR),
        );
    }
}
