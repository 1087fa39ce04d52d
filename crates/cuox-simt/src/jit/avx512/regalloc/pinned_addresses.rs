//! Addresses held in general-purpose registers during the loop over the groups.
//!
//! Most accesses are to affine addresses that start at an argument. Registers that the code does not need otherwise
//! hold these arguments and the prefetch addresses. At the end of a row they are advanced like the arguments.

use crate::jit::avx512::regalloc::*;

const RBX: Gpr = 3;
const RBP: Gpr = 5;
/// Callee-saved registers.
const CALLERS: [Gpr; 6] = [RBX, RBP, 12, 13, 14, 15];

/// Content of a register: an argument, or the sum of two.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Value {
    from: i32,
    ahead: Option<i32>,
}

/// Registers in use for addresses.
#[derive(Default)]
pub(crate) struct PinnedAddresses {
    values: Vec<(Value, Gpr)>,
    /// Arguments that the code reads nowhere else.
    only: Vec<i32>,
}

impl PinnedAddresses {
    /// Chooses the addresses to hold for `code`.
    pub fn new(code: &[Vop], group_bytes: i32) -> PinnedAddresses {
        let mut elsewhere: Vec<i32> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut add = |value| {
            if !values.contains(&value) {
                values.push(value);
            }
        };
        let mut free = [
            (RSI, group_bytes == 0),
            (SLOTS_8, true),
            (SLOTS_4, true),
            (BITS, true),
        ];
        let mut pointer = None;
        for op in code {
            op.memory(|mem| match mem {
                Mem::Arg(at) => elsewhere.push(at),
                Mem::Slot(_, 8) => free[1].1 = false,
                Mem::Slot(..) => free[2].1 = false,
                Mem::Bits(_) => free[3].1 = false,
                _ => {}
            });
            match *op {
                Vop::Pointer {
                    from: Mem::Arg(from),
                    stride: 0 | 1 | 2 | 4 | 8,
                    window: None,
                    down,
                } => {
                    add(Value { from, ahead: None });
                    if let Some((Mem::Arg(skip), 1..)) = down {
                        let ahead = Some(skip);
                        add(Value { from, ahead });
                    }
                    pointer = down.is_none_or(|(_, n)| n == 0).then_some(from);
                }
                Vop::Pointer { from, window, .. } | Vop::PointerAt { from, window, .. } => {
                    for mem in window.into_iter().chain([from]) {
                        if let Mem::Arg(at) = mem {
                            elsewhere.push(at);
                        }
                    }
                    pointer = None;
                }
                Vop::Prefetch {
                    ahead: Mem::Arg(at),
                    ..
                } => {
                    let ahead = Some(at);
                    pointer
                        .into_iter()
                        .for_each(|from| add(Value { from, ahead }));
                }
                _ => {}
            }
        }
        // Addresses come before the prefetch addresses derived from them.
        values.sort_by_key(|value| value.ahead.is_some());
        let free = free.iter().filter(|(_, free)| *free).map(|(reg, _)| *reg);
        let only = values.iter().map(|value| value.from);
        PinnedAddresses {
            only: only.filter(|at| !elsewhere.contains(at)).collect(),
            values: values.into_iter().zip(free.chain(CALLERS)).collect(),
        }
    }

    fn saved(&self) -> impl DoubleEndedIterator<Item = Gpr> {
        let regs = self.values.iter().map(|(_, reg)| *reg);
        regs.filter(|reg| CALLERS.contains(reg))
    }

    /// Saves the caller's values of these registers.
    pub fn save(&self, asm: &mut Assembler) {
        self.saved().for_each(|reg| asm.push(reg));
    }

    /// Restores the caller's values.
    pub fn restore(&self, asm: &mut Assembler) {
        self.saved().rev().for_each(|reg| asm.pop(reg));
    }

    /// Loads the registers.
    pub fn load(&self, asm: &mut Assembler) {
        for &(value, reg) in &self.values {
            asm.load(reg, MemOperand::at(ARGS, value.from));
            if let Some(ahead) = value.ahead {
                asm.general(true, &[0x03], reg, MemOperand::at(ARGS, ahead), &[]);
            }
        }
    }

    /// Adds the value at `skip` to an argument, in its register or in memory.
    pub fn step(&self, asm: &mut Assembler, argument: i32, skip: i32) {
        for &(_, reg) in self.values.iter().filter(|(v, _)| v.from == argument) {
            asm.general(true, &[0x03], reg, MemOperand::at(ARGS, skip), &[]);
        }
        let held = |v: &Value| v.from == argument && v.ahead.is_none();
        // A prefetch address without a register is computed from the argument's register.
        if !self.only.contains(&argument) || !self.values.iter().any(|(v, _)| held(v)) {
            asm.load(TEMP, MemOperand::at(ARGS, skip));
            // add [argument], temp
            asm.general(true, &[0x01], TEMP, MemOperand::at(ARGS, argument), &[]);
        }
    }

    /// Returns the register that holds an argument, or a value some rows further down, and the number of rows that are
    /// missing.
    pub fn line(&self, from: Mem, down: Option<(Mem, u8)>) -> Option<(Gpr, u8)> {
        let rows = down.map_or(0, |(_, rows)| rows);
        let below = match down {
            Some((Mem::Arg(skip), 1..)) => self.find(from, Some(skip)).map(|reg| (reg, rows - 1)),
            _ => None,
        };
        below.or_else(|| self.find(from, None).map(|reg| (reg, rows)))
    }

    /// Returns the register that holds a prefetch address.
    pub fn ahead(&self, from: Mem, ahead: Mem) -> Option<Gpr> {
        match ahead {
            Mem::Arg(at) => self.find(from, Some(at)),
            _ => None,
        }
    }

    /// Tells whether a register is used that otherwise is advanced from group to group.
    pub fn uses(&self, register: Gpr) -> bool {
        self.values.iter().any(|(_, reg)| *reg == register)
    }

    fn find(&self, from: Mem, ahead: Option<i32>) -> Option<Gpr> {
        let Mem::Arg(from) = from else { return None };
        let wanted = Value { from, ahead };
        let found = self.values.iter().find(|(value, _)| *value == wanted);
        found.map(|(_, reg)| *reg)
    }
}
