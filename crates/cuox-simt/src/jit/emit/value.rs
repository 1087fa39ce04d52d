//! Values of one thread or of four neighbouring threads, and operations common to both.
//!
//! [`Lanes`] is a register's value in Cranelift's representation, as one or more parts. [`Emit`] holds the function under
//! construction. Its methods here build constants, move values between one thread and four, and convert predicates to
//! masks and bits.

use crate::ir::Ty;
use crate::jit::code::symbol::{Numbers, Symbol};
use crate::jit::emit::call::Signatures;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::immediates::Imm64;
use cranelift_codegen::ir::{
    ConstantData, Endianness, ExternalName, GlobalValueData, InstBuilder, MemFlagsData, StackSlot,
    StackSlotData, StackSlotKind, Type, UserExternalName, Value, types,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use rustc_hash::FxHashMap;

/// Number of lanes that one step of gang mode processes: a 128-bit vector of 32-bit values.
pub const GROUP: usize = 4;

/// Register value in Cranelift's representation.
///
/// One thread: predicates are I8 (0 or 1), up to 32 bits I32 (zero-extended), 64 bits I64, 128 bits two I64. Four
/// threads: predicates are an I32X4 of all ones or zeros, up to 32 bits I32X4, 64 bits two I64X2, 128 bits four I64X2
/// (low halves, then high halves).
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    parts: [Value; 4],
    len: u8,
    /// Register type.
    pub ty: Ty,
    /// True for four threads, false for one.
    pub wide: bool,
    /// True if the value is a result of f32 arithmetic that may hold the host's NaN instead of the GPU's: see
    /// [`Emit::canonicalize_nans`].
    pub noncanonical: bool,
    /// Step of an affine value from row to row of a gang, if gangs have rows: see
    /// [`crate::analysis::uniformity::Uniformity::Affine`].
    pub step: Option<Value>,
}

impl Lanes {
    /// Creates a value from its parts.
    pub fn new(ty: Ty, wide: bool, parts: &[Value]) -> Self {
        let mut all = [parts[0]; 4];
        all[..parts.len()].copy_from_slice(parts);
        Lanes {
            parts: all,
            len: parts.len() as u8,
            ty,
            wide,
            noncanonical: false,
            step: None,
        }
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[Value] {
        &self.parts[..self.len as usize]
    }

    /// Returns the part of a value that has only one.
    pub fn one(&self) -> Value {
        self.parts[0]
    }

    /// Returns the value with its NaNs marked as non-canonical or canonical.
    pub fn marked(mut self, noncanonical: bool) -> Self {
        self.noncanonical = noncanonical;
        self
    }

    /// Returns the value with a step.
    pub fn stepping(mut self, step: Option<Value>) -> Self {
        self.step = step;
        self
    }

    /// Returns the same bits under another register type of the same representation.
    pub fn retyped(mut self, ty: Ty) -> Self {
        self.ty = ty;
        self
    }
}

/// Returns the Cranelift type of one part.
pub fn part_type(ty: Ty, wide: bool) -> Type {
    match (ty, wide) {
        (Ty::Pred, false) => types::I8,
        (Ty::B8 | Ty::B16 | Ty::B32, false) => types::I32,
        (Ty::B64 | Ty::B128, false) => types::I64,
        (Ty::Pred | Ty::B8 | Ty::B16 | Ty::B32, true) => types::I32X4,
        (Ty::B64 | Ty::B128, true) => types::I64X2,
    }
}

/// Returns the number of parts of a value.
pub fn part_count(ty: Ty, wide: bool) -> usize {
    match (ty, wide) {
        (Ty::B128, true) => 4,
        (Ty::B64, true) | (Ty::B128, false) => 2,
        _ => 1,
    }
}

/// Returns the flags for an access to the engine's own memory.
pub fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Returns the address that a name has where the code is placed.
pub fn named_address(b: &mut FunctionBuilder, name: UserExternalName) -> Value {
    let name = b.func.declare_imported_user_function(name);
    let value = b.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: Imm64::new(0),
        // The symbol may be anywhere in the address space.
        colocated: false,
        tls: false,
    });
    b.ins().symbol_value(types::I64, value)
}

/// Emitter of operations for one thread or four.
pub struct Emit<'a, 'f> {
    /// Function under construction.
    pub b: &'a mut FunctionBuilder<'f>,
    /// Signatures imported so far of functions that it calls.
    pub signatures: Signatures,
    /// Numbers of the operations that `eval` calls refer to.
    pub numbers: &'a Numbers,
    /// Stack slot for the values of four threads that a helper takes and returns, once needed.
    pub area: Option<StackSlot>,
    /// Variables, and how many of them the current block of the kernel uses.
    pub temporaries: Temporaries,
}

/// Variables by type. The builder keeps a table of all blocks for each, so blocks of the kernel share them.
#[derive(Default)]
pub struct Temporaries(FxHashMap<Type, (Vec<Variable>, usize)>);

impl Temporaries {
    /// Makes all variables free for the next block of the kernel.
    pub fn release(&mut self) {
        self.0.values_mut().for_each(|(_, used)| *used = 0);
    }
}

impl Emit<'_, '_> {
    /// Returns a variable for use in one block of the kernel, which must define it first.
    pub fn temporary(&mut self, ty: Type) -> Variable {
        let (variables, used) = self.temporaries.0.entry(ty).or_default();
        if *used == variables.len() {
            variables.push(self.b.declare_var(ty));
        }
        *used += 1;
        variables[*used - 1]
    }

    /// Returns an integer constant of a Cranelift type.
    pub fn iconst(&mut self, ty: Type, value: i64) -> Value {
        let masked = match ty.bits() {
            64 => value,
            bits => value & ((1i64 << bits) - 1),
        };
        self.b.ins().iconst(ty, Imm64::new(masked))
    }

    /// Returns the address that a symbol has where the code is placed.
    pub fn address_of(&mut self, symbol: Symbol) -> Value {
        named_address(self.b, symbol.name())
    }

    /// Returns an immediate operand as a value of a register type.
    pub fn constant(&mut self, ty: Ty, wide: bool, bits: u64) -> Lanes {
        let scalar = match ty {
            Ty::Pred => (bits & 1) as i64,
            _ => (bits & ty.mask()) as i64,
        };
        let part = part_type(ty, false);
        let low = self.iconst(part, scalar);
        if ty == Ty::B128 {
            let zero = self.iconst(part, 0);
            let value = Lanes::new(ty, false, &[low, zero]);
            return if wide { self.splat(value) } else { value };
        }
        let value = Lanes::new(ty, false, &[low]);
        if wide { self.splat(value) } else { value }
    }

    /// Returns a vector constant of four 32-bit lanes.
    pub fn vconst32(&mut self, lanes: [i32; 4]) -> Value {
        let bytes: Vec<u8> = lanes.iter().flat_map(|l| l.to_le_bytes()).collect();
        let handle = self
            .b
            .func
            .dfg
            .constants
            .insert(ConstantData::from(bytes.as_slice()));
        self.b.ins().vconst(types::I32X4, handle)
    }

    /// Returns a vector constant of two 64-bit lanes.
    pub fn vconst64(&mut self, lanes: [i64; 2]) -> Value {
        let bytes: Vec<u8> = lanes.iter().flat_map(|l| l.to_le_bytes()).collect();
        let handle = self
            .b
            .func
            .dfg
            .constants
            .insert(ConstantData::from(bytes.as_slice()));
        self.b.ins().vconst(types::I64X2, handle)
    }

    /// Returns a constant with the same value in every lane of a part type.
    pub fn same(&mut self, ty: Type, value: i64) -> Value {
        match ty {
            types::I32X4 => self.vconst32([value as i32; 4]),
            types::I64X2 => self.vconst64([value; 2]),
            scalar => self.iconst(scalar, value),
        }
    }

    /// Copies one thread's value to all four lanes.
    pub fn splat(&mut self, value: Lanes) -> Lanes {
        debug_assert!(!value.wide);
        let ty = value.ty;
        match ty {
            Ty::Pred => {
                let word = self.b.ins().uextend(types::I32, value.one());
                let zero = self.iconst(types::I32, 0);
                let mask = self.b.ins().isub(zero, word);
                let all = self.b.ins().splat(types::I32X4, mask);
                Lanes::new(ty, true, &[all])
            }
            Ty::B64 => {
                let v = self.b.ins().splat(types::I64X2, value.one());
                Lanes::new(ty, true, &[v, v])
            }
            Ty::B128 => {
                let lo = self.b.ins().splat(types::I64X2, value.parts()[0]);
                let hi = self.b.ins().splat(types::I64X2, value.parts()[1]);
                Lanes::new(ty, true, &[lo, lo, hi, hi])
            }
            _ => {
                let v = self.b.ins().splat(types::I32X4, value.one());
                Lanes::new(ty, true, &[v]).marked(value.noncanonical)
            }
        }
    }

    /// Returns the value of one of the four lanes.
    pub fn extract(&mut self, value: Lanes, lane: usize) -> Lanes {
        let ty = value.ty;
        match ty {
            Ty::Pred => {
                let word = self.b.ins().extractlane(value.one(), lane as u8);
                let bit = self.b.ins().icmp_imm_u(IntCC::NotEqual, word, 0);
                Lanes::new(ty, false, &[bit])
            }
            Ty::B64 => {
                let v = self
                    .b
                    .ins()
                    .extractlane(value.parts()[lane / 2], (lane % 2) as u8);
                Lanes::new(ty, false, &[v])
            }
            Ty::B128 => {
                let lo = self
                    .b
                    .ins()
                    .extractlane(value.parts()[lane / 2], (lane % 2) as u8);
                let hi = self
                    .b
                    .ins()
                    .extractlane(value.parts()[2 + lane / 2], (lane % 2) as u8);
                Lanes::new(ty, false, &[lo, hi])
            }
            _ => {
                let v = self.b.ins().extractlane(value.one(), lane as u8);
                Lanes::new(ty, false, &[v]).marked(value.noncanonical)
            }
        }
    }

    /// Combines four threads' values.
    pub fn gather(&mut self, lanes: &[Lanes; GROUP]) -> Lanes {
        let ty = lanes[0].ty;
        match ty {
            Ty::Pred => {
                let mut v = None;
                for (i, lane) in lanes.iter().enumerate() {
                    let word = self.b.ins().uextend(types::I32, lane.one());
                    v = Some(match v {
                        None => self.b.ins().scalar_to_vector(types::I32X4, word),
                        Some(v) => self.b.ins().insertlane(v, word, i as u8),
                    });
                }
                let zero = self.vconst32([0; 4]);
                let mask = self.b.ins().isub(zero, v.unwrap_or(zero));
                Lanes::new(ty, true, &[mask])
            }
            Ty::B64 => {
                let lo = self.pair(lanes[0].one(), lanes[1].one());
                let hi = self.pair(lanes[2].one(), lanes[3].one());
                Lanes::new(ty, true, &[lo, hi])
            }
            Ty::B128 => {
                let part = |i: usize, half: usize| lanes[i].parts()[half];
                let parts = [(0, 0), (2, 0), (0, 1), (2, 1)]
                    .map(|(i, half)| self.pair(part(i, half), part(i + 1, half)));
                Lanes::new(ty, true, &parts)
            }
            _ => {
                let mut v = self.b.ins().scalar_to_vector(types::I32X4, lanes[0].one());
                for (i, lane) in lanes.iter().enumerate().skip(1) {
                    v = self.b.ins().insertlane(v, lane.one(), i as u8);
                }
                Lanes::new(ty, true, &[v]).marked(lanes.iter().any(|l| l.noncanonical))
            }
        }
    }

    fn pair(&mut self, a: Value, b: Value) -> Value {
        let v = self.b.ins().scalar_to_vector(types::I64X2, a);
        self.b.ins().insertlane(v, b, 1)
    }

    /// Applies `f` to the parts of one value.
    pub fn map1(
        &mut self,
        a: Lanes,
        ty: Ty,
        mut f: impl FnMut(&mut Self, Value) -> Value,
    ) -> Lanes {
        let mut parts = [a.one(); 4];
        for (part, &x) in parts.iter_mut().zip(a.parts()) {
            *part = f(self, x);
        }
        Lanes::new(ty, a.wide, &parts[..a.parts().len()])
    }

    /// Applies `f` to the parts of two values of one representation.
    pub fn map2(
        &mut self,
        a: Lanes,
        b: Lanes,
        ty: Ty,
        mut f: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Lanes {
        let mut parts = [a.one(); 4];
        for (part, (&x, &y)) in parts.iter_mut().zip(a.parts().iter().zip(b.parts())) {
            *part = f(self, x, y);
        }
        Lanes::new(ty, a.wide, &parts[..a.parts().len()])
    }

    /// Applies `f` to the parts of three values of one representation.
    pub fn map3(
        &mut self,
        args: [Lanes; 3],
        ty: Ty,
        mut f: impl FnMut(&mut Self, Value, Value, Value) -> Value,
    ) -> Lanes {
        let n = args[0].parts().len();
        let mut parts = [args[0].one(); 4];
        for (i, part) in parts.iter_mut().enumerate().take(n) {
            *part = f(
                self,
                args[0].parts()[i],
                args[1].parts()[i],
                args[2].parts()[i],
            );
        }
        Lanes::new(ty, args[0].wide, &parts[..n])
    }

    /// Returns the bits under another Cranelift type of the same size.
    pub fn bits_as(&mut self, ty: Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, flags, value)
    }

    /// Returns `mask ? a : b` for each lane of parts. `mask` is I8 for one thread, all-ones lanes of the part's type
    /// for four.
    pub fn pick(&mut self, mask: Value, a: Value, b: Value) -> Value {
        if self.b.func.dfg.value_type(mask).is_vector() {
            self.b.ins().bitselect(mask, a, b)
        } else {
            self.b.ins().select(mask, a, b)
        }
    }

    /// Returns a predicate's parts as masks for values of type `ty`, one for each part.
    pub fn masks(&mut self, pred: Lanes, ty: Ty) -> [Value; 4] {
        let one = pred.one();
        if !pred.wide || part_count(ty, true) == 1 {
            return [one; 4];
        }
        let lo = self.b.ins().swiden_low(one);
        let hi = self.b.ins().swiden_high(one);
        [lo, hi, lo, hi]
    }

    /// Combines comparison results, one per part, into a predicate. Masks of 64-bit lanes are narrowed.
    pub fn pred_of(&mut self, masks: &[Value], wide: bool) -> Lanes {
        if !wide || masks.len() == 1 {
            return Lanes::new(Ty::Pred, wide, &masks[..1]);
        }
        let lo = self.bits_as(types::I8X16, masks[0]);
        let hi = self.bits_as(types::I8X16, masks[1]);
        let bytes: Vec<u8> = [0u8, 8, 16, 24].iter().flat_map(|&at| at..at + 4).collect();
        let order = self
            .b
            .func
            .dfg
            .immediates
            .push(ConstantData::from(bytes.as_slice()));
        let packed = self.b.ins().shuffle(lo, hi, order);
        let mask = self.bits_as(types::I32X4, packed);
        Lanes::new(Ty::Pred, true, &[mask])
    }

    /// Interleaves elements of `size` bytes of `a` and `b`, from byte `from` on, 16 bytes in all.
    pub fn interleave(&mut self, a: Value, b: Value, size: u8, from: u8) -> Value {
        let mut order = Vec::with_capacity(16);
        for at in (from..from + 8).step_by(usize::from(size)) {
            order.extend(at..at + size);
            order.extend(at + 16..at + 16 + size);
        }
        self.shuffled(a, b, &order)
    }

    /// Returns the chosen 16 of the 32 bytes of `a` and `b`.
    pub fn shuffled(&mut self, a: Value, b: Value, order: &[u8]) -> Value {
        let order = self.b.func.dfg.immediates.push(ConstantData::from(order));
        let (a, b) = (self.bits_as(types::I8X16, a), self.bits_as(types::I8X16, b));
        self.b.ins().shuffle(a, b, order)
    }

    /// Returns the predicate bits of four lanes in the low bits of an I32.
    pub fn mask_bits(&mut self, pred: Lanes) -> Value {
        self.b.ins().vhigh_bits(types::I32, pred.one())
    }

    /// Returns the predicate of four lanes from the low bits of an I32.
    pub fn bits_mask(&mut self, bits: Value) -> Lanes {
        let all = self.b.ins().splat(types::I32X4, bits);
        let each = self.vconst32([1, 2, 4, 8]);
        let hit = self.b.ins().band(all, each);
        let mask = self.b.ins().icmp(IntCC::Equal, hit, each);
        Lanes::new(Ty::Pred, true, &[mask])
    }

    /// Returns the address of the stack slot for values of four threads; it is as large as wide code's.
    pub fn area(&mut self) -> Value {
        let slot = self.area.unwrap_or_else(|| {
            let size = crate::jit::avx512::SCRATCH as u32;
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
            self.b.create_sized_stack_slot(data)
        });
        self.area = Some(slot);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    /// Stores four threads' values of at most 64 bits to the stack slot, in the layout that helpers read.
    pub fn put(&mut self, value: Lanes, area: Value, at: i32) {
        if value.ty == Ty::Pred {
            let bits = self.mask_bits(value);
            self.b.ins().istore16(trusted(), bits, area, at);
            return;
        }
        for (n, &part) in value.parts().iter().enumerate() {
            let at = at + 16 * n as i32;
            self.b.ins().store(trusted(), part, area, at);
        }
    }

    /// Loads four threads' values from the stack slot.
    pub fn take(&mut self, ty: Ty, area: Value, at: i32) -> Lanes {
        if ty == Ty::Pred {
            let bits = self.b.ins().uload16(types::I32, trusted(), area, at);
            return self.bits_mask(bits);
        }
        let mut parts = Vec::with_capacity(2);
        for n in 0..part_count(ty, true) as i32 {
            let part = part_type(ty, true);
            parts.push(self.b.ins().load(part, trusted(), area, at + 16 * n));
        }
        Lanes::new(ty, true, &parts)
    }

    /// Converts one thread's value to an I64 for a helper call.
    pub fn as_word(&mut self, value: Lanes) -> Value {
        match part_type(value.ty, false) {
            types::I64 => value.one(),
            _ => self.b.ins().uextend(types::I64, value.one()),
        }
    }

    /// Converts a helper's I64 to one thread's register value.
    pub fn of_word(&mut self, ty: Ty, value: Value) -> Lanes {
        let part = match part_type(ty, false) {
            types::I64 => value,
            narrow => self.b.ins().ireduce(narrow, value),
        };
        Lanes::new(ty, false, &[part])
    }
}
