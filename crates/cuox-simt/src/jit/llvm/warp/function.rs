//! A function of Cranelift's IR as one of LLVM's: its blocks, its calls, and where it is entered and left.

use crate::ir::{BlockId, Reg};
use crate::jit::avx512::regalloc::LANES;
use crate::jit::avx512::{SCRATCH, WideCode, args};
use crate::jit::code::symbol::{Helper, Symbol};
use crate::jit::gang::Start;
use crate::jit::gang::local::{Local, name_of};
use crate::jit::llvm::body::{Code, Source};
use crate::jit::llvm::group_loop::Labels;
use crate::jit::llvm::module::Module;
use crate::jit::llvm::text::{Part, Text, constants};
use crate::jit::llvm::warp::flow::Flow;
use crate::jit::llvm::warp::locals::{Locals, Values};
use crate::jit::plan::Plan;
use crate::jit::runtime::layout::{Env, Exit, Gang, Round};
use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::{
    Block, BlockArg, BlockCall, Function, Inst, InstructionData, Opcode, StackSlot, Type, Value,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::mem::offset_of;

/// Largest text of a function: of some 40 000 instructions, which LLVM takes two seconds for. It is stopped after ten.
const MAX_TEXT: usize = 2 << 20;

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// The first lane's values at offset 0.
    Slots(Values),
    Env,
    Gang,
    Stack(StackSlot),
}

/// A value of Cranelift's IR.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// A value or constant of LLVM's.
    Plain(String),
    /// An address, and a distance from it.
    Place(Base, Option<String>),
    Symbol(Symbol),
    /// Code that is put in place.
    Code(Local),
}

pub(super) struct Translator<'a> {
    pub plan: &'a Plan,
    pub func: &'a Function,
    start: &'a Start,
    wide: &'a [WideCode],
    pub locals: &'a Locals,
    flow: Flow,
    pub text: Text<'a>,
    pub values: FxHashMap<Value, Val>,
    /// Ways into each block: the label that they come from, and the arguments.
    ways: FxHashMap<Block, Vec<(String, Vec<String>)>>,
    /// Label of the code being made.
    label: String,
    /// Stack slot with the values of groups.
    groups: Option<StackSlot>,
    exits: BTreeSet<i64>,
    /// Wide code put in place so far.
    parts: usize,
    /// Constants of that code.
    constants: String,
    /// Copies of registers so far.
    copies: usize,
    cold: String,
}

/// Translates gang code. Returns `None` if it has something that there is no translation for, or is too large.
pub fn module(
    plan: &Plan,
    func: &Function,
    start: &Start,
    wide: &[WideCode],
    locals: &Locals,
) -> Option<Module> {
    let mut this = Translator {
        plan,
        func,
        start,
        wide,
        locals,
        flow: Flow::new(plan),
        text: Text::new(&[], false),
        values: FxHashMap::default(),
        ways: FxHashMap::default(),
        label: String::new(),
        groups: None,
        exits: BTreeSet::new(),
        parts: 0,
        constants: String::new(),
        copies: 0,
        cold: String::new(),
    };
    this.text.flushes = plan.flushes;
    let body = this.body()?;
    let head = this.head()?;
    let ends = this.ends();
    let text = this.text.module(
        &this.constants,
        "i64 %env, i64 %gang, i64 %number",
        &[head, body, this.cold, ends].concat(),
    );
    (text.len() <= MAX_TEXT).then_some(Module {
        text,
        symbols: this.text.symbols,
    })
}

/// The name of a type in LLVM IR.
pub(super) fn type_name(ty: Type) -> Option<String> {
    let lane = match ty.lane_type() {
        t if t.is_int() && t.bits() <= 64 => format!("i{}", t.bits()),
        cranelift_codegen::ir::types::F32 => "float".to_owned(),
        cranelift_codegen::ir::types::F64 => "double".to_owned(),
        _ => return None,
    };
    Some(match ty.lane_count() {
        1 => lane,
        count => format!("<{count} x {lane}>"),
    })
}

impl Translator<'_> {
    pub fn ty(&self, value: Value) -> Type {
        self.func.dfg.value_type(value)
    }

    pub fn name(&self, value: Value) -> Option<String> {
        type_name(self.ty(value))
    }

    pub fn set(&mut self, value: Value, to: Val) {
        self.values.insert(value, to);
    }

    /// Gives a value the result of an instruction.
    pub fn define(&mut self, value: Value, text: &str) {
        let name = format!("%c{}", value.as_u32());
        self.text.line(&format!("{name} = {text}"));
        self.set(value, Val::Plain(name));
    }

    fn val(&self, value: Value) -> Option<&Val> {
        self.values.get(&self.func.dfg.resolve_aliases(value))
    }

    /// A value as LLVM's.
    pub fn operand(&mut self, value: Value) -> Option<String> {
        match self.val(value)?.clone() {
            Val::Plain(text) => Some(text),
            Val::Place(base, ahead) => {
                let first = match base {
                    Base::Env => "%env".to_owned(),
                    Base::Gang => {
                        let gang = self.gang();
                        self.text.value(&format!("ptrtoint ptr {gang} to i64"))
                    }
                    Base::Stack(slot) => self
                        .text
                        .value(&format!("ptrtoint ptr %P{} to i64", slot.as_u32())),
                    Base::Slots(_) => return None,
                };
                Some(match ahead {
                    None => first,
                    Some(ahead) => self.text.value(&format!("add i64 {first}, {ahead}")),
                })
            }
            Val::Symbol(symbol) => Some(self.text.address_of(symbol)),
            Val::Code(_) => None,
        }
    }

    /// The pointer to the gang's state.
    fn gang(&mut self) -> String {
        self.text.value("load ptr, ptr %Gang")
    }

    /// The pointer to an address with an offset.
    pub fn pointer(&mut self, value: Value, offset: i64) -> Option<String> {
        let (base, at, ahead) = match self.val(value)?.clone() {
            Val::Place(Base::Slots(kind), ahead) => {
                let (base, at) = self.text.slot(self.locals, kind, offset);
                (base, at, ahead)
            }
            Val::Place(Base::Env, ahead) => ("%Env".to_owned(), offset, ahead),
            Val::Place(Base::Gang, ahead) => match (self.locals.scalar(offset), ahead) {
                (Some(local), None) => (local, 0, None),
                (Some(_), Some(_)) => return None,
                (None, ahead) => (self.gang(), offset, ahead),
            },
            Val::Place(Base::Stack(slot), ahead) => (format!("%P{}", slot.as_u32()), offset, ahead),
            Val::Plain(text) => {
                let at = match offset {
                    0 => text,
                    _ => self.text.value(&format!("add i64 {text}, {offset}")),
                };
                return Some(self.text.value(&format!("inttoptr i64 {at} to ptr")));
            }
            Val::Symbol(symbol) => {
                let at = self.text.address_of(symbol);
                let at = self.text.value(&format!("add i64 {at}, {offset}"));
                return Some(self.text.value(&format!("inttoptr i64 {at} to ptr")));
            }
            Val::Code(_) => return None,
        };
        let base = match ahead {
            None => base,
            Some(ahead) => self
                .text
                .value(&format!("getelementptr i8, ptr {base}, i64 {ahead}")),
        };
        Some(match at {
            0 => base,
            _ => self
                .text
                .value(&format!("getelementptr i8, ptr {base}, i64 {at}")),
        })
    }

    /// The offset of the predicate whose mask an address is of; `None` if it is no mask's address, and an error if the
    /// mask is not known.
    pub fn mask_of(&self, value: Value, offset: i64) -> Option<Option<i64>> {
        match self.val(value)? {
            Val::Place(Base::Slots(Values::Masks), ahead) => {
                let ahead = ahead.as_deref().map_or(Ok(0), str::parse::<i64>).ok()?;
                let at = ahead + offset;
                // The threads that exist are known in memory alone.
                match self.plan.layout.exists {
                    Some(exists) if i64::from(exists) == at => Some(None),
                    _ => self.locals.has_mask(at).then_some(Some(at)),
                }
            }
            _ => Some(None),
        }
    }

    /// True if what is in memory at an address does not change while the function runs.
    pub fn is_fixed(&self, value: Value, offset: i64) -> bool {
        let changes = [
            (offset_of!(Env, fuel), 8),
            (offset_of!(Env, chaos), 8),
            (offset_of!(Env, waits), 4),
            (offset_of!(Env, gangs_left), 8),
            (offset_of!(Env, blocks_left), 8),
            (offset_of!(Env, ctaid), 12),
            (offset_of!(Env, round), size_of::<Round>() as i64),
        ];
        let same = |&(at, bytes): &(usize, i64)| (at as i64..at as i64 + bytes).contains(&offset);
        matches!(self.val(value), Some(Val::Place(Base::Env, None))) && !changes.iter().any(same)
    }

    /// The sum of an address that is not a mere number and a number, if one of two values is such an address.
    pub fn moved(&mut self, a: Value, b: Value) -> Option<Val> {
        let is_place = |this: &Self, v| matches!(this.val(v), Some(Val::Place(..)));
        let (place, other) = match (is_place(self, a), is_place(self, b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        let by = self.operand(other)?;
        let Some(Val::Place(base, ahead)) = self.val(place).cloned() else {
            return None;
        };
        let by = match ahead {
            None => by,
            Some(ahead) => self.text.value(&format!("add i64 {ahead}, {by}")),
        };
        Some(Val::Place(base, Some(by)))
    }

    /// The function's first block: its locals.
    fn head(&self) -> Option<String> {
        let mut text = self.locals.allocations();
        if self.plan.half {
            text.push_str(&self.locals.no_masks(1));
        }
        for (slot, data) in self.func.sized_stack_slots.iter() {
            let _ = writeln!(
                text,
                "  %P{} = alloca [{} x i8], align 64",
                slot.as_u32(),
                data.size.max(8)
            );
        }
        let entry = self.func.layout.entry_block()?;
        let _ = writeln!(
            text,
            "  %Scratch = alloca [{SCRATCH} x i8], align 64\n  %Mode = alloca [2 x i32]\n  \
             %Failed = alloca i64\n  %Gang = alloca ptr\n  %Env = inttoptr i64 %env to ptr\n  \
             %First = inttoptr i64 %gang to ptr\n  store ptr %First, ptr %Gang"
        );
        for kind in Values::ALL {
            let _ = writeln!(text, "  {} = alloca ptr", kind.memory());
        }
        text.push_str(&self.memory("%First", "first"));
        let _ = writeln!(text, "  br label %B{}", entry.as_u32());
        Some(text)
    }

    fn body(&mut self) -> Option<String> {
        let func = self.func;
        let cfg = ControlFlowGraph::with_function(func);
        let dominators = DominatorTree::with_function(func, &cfg);
        let mut blocks = Vec::new();
        let mut bytes = 0;
        for &block in dominators.cfg_postorder().iter().rev() {
            self.text.body.clear();
            self.label = format!("B{}", block.as_u32());
            let params = func.dfg.block_params(block);
            if func.layout.entry_block() == Some(block) {
                let [env, gang, number] = *params else {
                    return None;
                };
                self.set(env, Val::Place(Base::Env, None));
                self.set(gang, Val::Place(Base::Gang, None));
                self.set(number, Val::Plain("%number".to_owned()));
            } else {
                for &param in params {
                    self.set(param, Val::Plain(format!("%c{}", param.as_u32())));
                }
            }
            for inst in func.layout.block_insts(block) {
                self.inst(block, inst)?;
            }
            bytes += self.text.body.len();
            if bytes > MAX_TEXT {
                return None;
            }
            blocks.push((block, std::mem::take(&mut self.text.body)));
        }
        let mut text = String::new();
        for (block, body) in blocks {
            let _ = writeln!(text, "B{}:", block.as_u32());
            if func.layout.entry_block() != Some(block) {
                let ways = self.ways.remove(&block).unwrap_or_default();
                for (n, &param) in func.dfg.block_params(block).iter().enumerate() {
                    let from: Vec<String> = ways
                        .iter()
                        .map(|(label, args)| format!("[ {}, %{label} ]", args[n]))
                        .collect();
                    let _ = writeln!(
                        text,
                        "  %c{} = phi {} {}",
                        param.as_u32(),
                        self.name(param)?,
                        from.join(", ")
                    );
                }
            }
            text.push_str(&body);
        }
        Some(text)
    }

    /// Computes where the registers of a gang are in memory. Values have names that begin with `name`.
    fn memory(&self, gang: &str, name: &str) -> String {
        let (lanes, first) = (offset_of!(Env, lanes), offset_of!(Gang, first));
        let arguments = self.start.wide_args.as_u32();
        let mut text = format!(
            "  %{name}l = getelementptr i8, ptr %Env, i64 {lanes}\n  \
             %{name}a = load ptr, ptr %{name}l, align 8, !invariant.load !3\n  \
             %{name}f = getelementptr i8, ptr {gang}, i64 {first}\n  \
             %{name}n = load i64, ptr %{name}f, align 8\n  \
             %{name}g = getelementptr i8, ptr %P{arguments}, i64 {}\n  \
             store ptr {gang}, ptr %{name}g, align 8\n",
            args::GANG
        );
        for (kind, by) in Values::ALL.into_iter().zip([
            "shl i64 {}, 1",
            "shl i64 {}, 2",
            "shl i64 {}, 3",
            "lshr i64 {}, 3",
        ]) {
            let to = kind.memory();
            let n = format!("%{name}{}", &to[1..]);
            let by = by.replace("{}", &format!("%{name}n"));
            let _ = writeln!(
                text,
                "  {n}b = {by}\n  {n} = getelementptr i8, ptr %{name}a, i64 {n}b\n  store ptr {n}, ptr {to}"
            );
        }
        text
    }

    /// What a block call leads to. Notes the way.
    fn way(&mut self, from: Block, call: BlockCall) -> Option<String> {
        let to = call.block(&self.func.dfg.value_lists);
        let given: Vec<Value> = call
            .args(&self.func.dfg.value_lists)
            .map(|arg| match arg {
                BlockArg::Value(value) => Some(value),
                _ => None,
            })
            .collect::<Option<_>>()?;
        if from == self.start.block {
            let entry = |&(code, _): &(Block, BlockId)| code == to;
            let number = self.start.entry_points.iter().position(entry)?;
            return given.is_empty().then(|| format!("N{number}"));
        }
        let args = given
            .into_iter()
            .map(|value| self.operand(value))
            .collect::<Option<Vec<_>>>()?;
        // A constant needs no table of jumps.
        if to == self.start.block
            && let [entry] = &args[..]
            && let Ok(number) = entry.parse::<usize>()
        {
            return Some(format!("N{number}"));
        }
        let label = self.label.clone();
        self.ways.entry(to).or_default().push((label, args));
        Some(format!("B{}", to.as_u32()))
    }

    fn inst(&mut self, block: Block, inst: Inst) -> Option<()> {
        let func = self.func;
        match func.dfg.insts[inst] {
            InstructionData::Jump { destination, .. } => {
                let to = self.way(block, destination)?;
                self.text.line(&format!("br label %{to}"));
            }
            InstructionData::Brif { arg, blocks, .. } => {
                let ty = self.name(arg)?;
                let condition = self.operand(arg)?;
                let [then, other] = blocks;
                let to = |call: BlockCall| call.block(&func.dfg.value_lists);
                let condition = self.text.value(&format!("icmp ne {ty} {condition}, 0"));
                let then_to = self.way(block, then)?;
                // A block has one way from another.
                if to(then) == to(other) {
                    let between = self.text.label();
                    self.text.line(&format!(
                        "br i1 {condition}, label %{then_to}, label %{between}"
                    ));
                    self.text.block(&between);
                    self.label = between;
                    let to = self.way(block, other)?;
                    self.text.line(&format!("br label %{to}"));
                    return Some(());
                }
                let other_to = self.way(block, other)?;
                let cold = |to: Block| func.layout.is_cold(to);
                let rare = match (cold(to(then)), cold(to(other))) {
                    (true, false) => ", !prof !2",
                    (false, true) => ", !prof !1",
                    _ => "",
                };
                self.text.line(&format!(
                    "br i1 {condition}, label %{then_to}, label %{other_to}{rare}"
                ));
            }
            InstructionData::BranchTable { arg, table, .. } => {
                let ty = self.name(arg)?;
                let index = self.operand(arg)?;
                let table = &func.dfg.jump_tables[table];
                let default = self.way(block, table.default_block())?;
                let mut cases = String::new();
                for (n, &call) in table.as_slice().iter().enumerate() {
                    let to = self.way(block, call)?;
                    let _ = write!(cases, " {ty} {n}, label %{to}");
                }
                self.text
                    .line(&format!("switch {ty} {index}, label %{default} [{cases} ]"));
            }
            InstructionData::MultiAry {
                opcode: Opcode::Return,
                ..
            } => {
                let [code] = *func.dfg.inst_args(inst) else {
                    return None;
                };
                let code = self.operand(code)?;
                match code.parse::<i64>() {
                    Ok(code) => {
                        self.exits.insert(code);
                        self.text.line(&format!("br label %X{code}"));
                    }
                    Err(_) => self.text.line(&format!("ret i64 {code}")),
                }
            }
            InstructionData::CallIndirect { .. } => self.call(inst)?,
            InstructionData::UnaryGlobalValue { global_value, .. } => {
                let name = name_of(func, global_value)?;
                let to = match (Local::named(name), Symbol::from_name(name)) {
                    (Some(Local::Slots2), _) => Val::Place(Base::Slots(Values::Groups), None),
                    (Some(Local::Slots4), _) => Val::Place(Base::Slots(Values::Words), None),
                    (Some(Local::Slots8), _) => Val::Place(Base::Slots(Values::Longs), None),
                    (Some(Local::Masks), _) => Val::Place(Base::Slots(Values::Masks), None),
                    (Some(code), _) => Val::Code(code),
                    (None, symbol) => Val::Symbol(symbol?),
                };
                self.set(func.dfg.first_result(inst), to);
            }
            InstructionData::StackAddr {
                stack_slot, offset, ..
            } => {
                let offset = i64::from(offset);
                let ahead = (offset != 0).then(|| offset.to_string());
                let place = Val::Place(Base::Stack(stack_slot), ahead);
                self.set(func.dfg.first_result(inst), place);
            }
            InstructionData::Store {
                opcode: Opcode::Store,
                args: [value, to],
                offset,
                ..
            } if self.is_argument(to) => match (self.val(value)?.clone(), i32::from(offset)) {
                (Val::Place(Base::Slots(_), None), _) => {}
                (Val::Place(Base::Stack(slot), None), args::GROUPS) => self.groups = Some(slot),
                _ => self.plain(inst)?,
            },
            _ => self.plain(inst)?,
        }
        Some(())
    }

    /// True if a value is the address of wide code's arguments.
    fn is_argument(&self, value: Value) -> bool {
        let arguments = Base::Stack(self.start.wide_args);
        matches!(self.val(value), Some(Val::Place(base, None)) if *base == arguments)
    }

    fn call(&mut self, inst: Inst) -> Option<()> {
        let func = self.func;
        let result = func.dfg.first_result(inst);
        let (callee, args) = func.dfg.inst_args(inst).split_first()?;
        match self.val(*callee)?.clone() {
            Val::Code(Local::Leave(block)) => {
                let regs = self.left_with(Exit::Barrier.code(BlockId(block)));
                let copies = self.copied(&regs, true);
                self.text.body.push_str(&copies);
                self.set(result, Val::Plain("0".to_owned()));
                Some(())
            }
            Val::Code(Local::Enter) => {
                let [from, to] = *args else { return None };
                let [from, to] = [self.operand(from)?, self.operand(to)?];
                let (from, to) = (from.parse().ok()?, to.parse().ok()?);
                let regs = self
                    .flow
                    .written_on_way(self.plan, BlockId(from), BlockId(to));
                let copies = self.copied(&regs.iter().collect::<Vec<_>>(), true);
                self.text.body.push_str(&copies);
                self.set(result, Val::Plain("0".to_owned()));
                Some(())
            }
            Val::Code(Local::Move) => {
                let by = self.operand(*args.first()?)?;
                let gang = self.gang();
                let gang = self
                    .text
                    .value(&format!("getelementptr i8, ptr {gang}, i64 {by}"));
                self.text.line(&format!("store ptr {gang}, ptr %Gang"));
                self.copies += 1;
                let memory = self.memory(&gang, &format!("m{}x", self.copies));
                self.text.body.push_str(&memory);
                self.set(result, Val::Plain("0".to_owned()));
                Some(())
            }
            Val::Code(Local::Prefetch) => {
                let at = self.pointer(*args.first()?, 0)?;
                self.text.act(
                    "prefetch.p0",
                    &[
                        format!("ptr {at}"),
                        "i32 0".to_owned(),
                        "i32 3".to_owned(),
                        "i32 1".to_owned(),
                    ],
                );
                self.set(result, Val::Plain("0".to_owned()));
                Some(())
            }
            Val::Code(Local::Wide(number)) => {
                let WideCode::Llvm(source) = self.wide.get(number as usize)? else {
                    return None;
                };
                self.part(result, source)
            }
            Val::Symbol(symbol) => {
                let mut after = String::new();
                if symbol == Symbol::Helper(Helper::WarpOp) {
                    let block = self.operand(*args.get(2)?)?.parse().ok()?;
                    let (read, written) = self.collective(BlockId(block));
                    let copies = self.copied(&read, true);
                    self.text.body.push_str(&copies);
                    after = self.copied(&written, false);
                }
                let mut given = Vec::new();
                for &arg in args {
                    given.push(format!("i64 {}", self.operand(arg)?));
                }
                let at = self.text.address_of(symbol);
                let at = self.text.value(&format!("inttoptr i64 {at} to ptr"));
                self.define(result, &format!("call i64 {at}({})", given.join(", ")));
                self.text.body.push_str(&after);
                Some(())
            }
            Val::Plain(_) | Val::Place(..) | Val::Code(_) => None,
        }
    }

    fn copied(&mut self, regs: &[Reg], to_memory: bool) -> String {
        self.copies += 1;
        let name = format!("m{}x", self.copies);
        self.locals.copies(regs, to_memory, &name)
    }

    /// The registers that an operation of a warp reads or keeps, and those that it writes.
    fn collective(&self, id: BlockId) -> (Vec<Reg>, Vec<Reg>) {
        let mut written = Vec::new();
        let Some(block) = self.plan.func.blocks.get(id.index()) else {
            return Default::default();
        };
        block.end.defs(|reg| written.push(reg));
        let read = self.flow.written_for_end(self.plan, id).iter().collect();
        (read, written)
    }

    /// Puts wide code in place.
    fn part(&mut self, result: Value, source: &Source) -> Option<()> {
        let number = self.parts;
        self.parts += 1;
        let constants = constants(&number.to_string(), &source.constants);
        self.constants.push_str(&constants);
        self.text.line("store i64 0, ptr %Failed");
        let groups = self.groups.take();
        if source.frame.group_bytes != 0 && groups.is_none() {
            return None;
        }
        let mut paired: Vec<Vec<String>> = Vec::new();
        let groups_with_threads = if self.plan.half { 1 } else { 2 };
        for group in 0..groups_with_threads {
            let lane = group * i64::from(LANES);
            let mut part = source.text();
            part.part = Some(Part {
                locals: self.locals,
                lane,
                number,
            });
            part.symbols = std::mem::take(&mut self.text.symbols);
            part.declared = std::mem::take(&mut self.text.declared);
            for (name, from) in [
                ("args", format!("%P{}", self.start.wide_args.as_u32())),
                ("scratch", "%Scratch".to_owned()),
                ("mode", "%Mode".to_owned()),
            ] {
                part.line(&format!("%{name} = getelementptr i8, ptr {from}, i64 0"));
            }
            part.line(&format!("%lane = add i64 0, {lane}"));
            if let Some(groups) = groups {
                let at = group * i64::from(source.frame.group_bytes);
                let slot = groups.as_u32();
                part.line(&format!(
                    "%groups = getelementptr i8, ptr %P{slot}, i64 {at}"
                ));
            }
            let prefix = format!("w{number}{}", if group == 0 { 'a' } else { 'b' });
            match &source.code {
                Code::Loop(code) if code.is_paired() => {
                    let labels = Labels::new(&format!("T{number}"));
                    let mut steps = Vec::new();
                    part.loop_before(code, false)?;
                    steps.push(std::mem::take(&mut part.body));
                    part.loop_values(code, &labels);
                    steps.push(std::mem::take(&mut part.body));
                    let left = part.loop_turn(code)?;
                    steps.push(std::mem::take(&mut part.body));
                    part.loop_after(code)?;
                    steps.push(std::mem::take(&mut part.body));
                    steps.push(left);
                    paired.push(steps.iter().map(|step| renamed(step, &prefix)).collect());
                }
                code => {
                    part.group(code)?;
                    part.line("br label %next");
                    part.block("next");
                }
            }
            self.text.symbols = part.symbols;
            self.text.declared = part.declared;
            self.text.body.push_str(&renamed(&part.body, &prefix));
            self.cold.push_str(&renamed(&part.cold, &prefix));
        }
        if let (Code::Loop(code), [a, b]) = (&source.code, &paired[..]) {
            let labels = Labels::new(&format!("T{number}"));
            let turns = format!("%Turns{number}");
            let text = &mut self.text;
            let both = |text: &mut Text, step: usize| {
                text.body.push_str(&a[step]);
                text.body.push_str(&b[step]);
            };
            both(text, 0);
            text.loop_top(&labels, &turns);
            both(text, 1);
            both(text, 2);
            let left = text.value(&format!("or i1 {}, {}", a[4].trim(), b[4].trim()));
            text.loop_end(&labels, &turns, code.most, &left);
            both(text, 3);
        }
        let end = format!("W{number}");
        self.text.line(&format!("br label %{end}"));
        self.text.block(&end);
        self.label = end;
        self.define(result, "load i64, ptr %Failed");
        Some(())
    }

    /// The code that enters the function's blocks, and that which leaves it.
    fn ends(&mut self) -> String {
        let mut text = String::new();
        for (n, (code, block)) in self.start.entry_points.iter().enumerate() {
            let needed = self.flow.needed(*block);
            let (known, others): (Vec<Reg>, Vec<Reg>) =
                needed.into_iter().partition(|&reg| self.flow.is_lane(reg));
            let copies = self.locals.copies(&others, false, &format!("n{n}x"));
            let known: String = known
                .iter()
                .filter_map(|&reg| self.locals.set(reg, 0))
                .collect();
            let _ = writeln!(text, "N{n}:\n{copies}{known}  br label %B{}", code.as_u32());
        }
        for &code in &self.exits {
            let regs = self.left_with(code);
            let copies = self.locals.copies(&regs, true, &format!("e{code}x"));
            let _ = writeln!(text, "X{code}:\n{copies}  ret i64 {code}");
        }
        text
    }

    /// The registers that other code or the runtime may read after an exit.
    fn left_with(&self, code: i64) -> Vec<Reg> {
        let plan = self.plan;
        let number = BlockId((code >> 8) as u32);
        let block = plan.first_of(number);
        let regs = match Exit::from_code(code as u64) {
            Exit::Bailout | Exit::Yield | Exit::Elsewhere => self.flow.written_before(plan, block),
            Exit::Diverge | Exit::Barrier => self.flow.written_at_end(plan, block),
            Exit::Done | Exit::Fault | Exit::Trap | Exit::Rest => return Vec::new(),
        };
        regs.iter().collect()
    }
}

/// Gives the names in a text that begin with a small letter a prefix.
fn renamed(text: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    for line in text.lines() {
        if line.ends_with(':') && !line.starts_with(' ') {
            let own = line.starts_with(|c: char| c.is_ascii_lowercase());
            out.push_str(if own { prefix } else { "" });
            out.push_str(line);
        } else {
            let mut quoted = false;
            let mut chars = line.chars().peekable();
            while let Some(c) = chars.next() {
                out.push(c);
                quoted ^= c == '"';
                if c == '%' && !quoted && chars.peek().is_some_and(char::is_ascii_lowercase) {
                    out.push_str(prefix);
                }
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn names_of_a_part_get_its_prefix_and_those_of_the_function_do_not() {
        let text = "  %v1 = load i32, ptr %L64\nb1:\n  br label %W3\nB2:\n  call void asm \"%x\", \"~{memory}\"(i32 %v1)\n";
        let expected = "  %w0av1 = load i32, ptr %L64\nw0ab1:\n  br label %W3\nB2:\n  call void asm \"%x\", \"~{memory}\"(i32 %w0av1)\n";
        assert_eq!(renamed(text, "w0a"), expected);
    }
}
