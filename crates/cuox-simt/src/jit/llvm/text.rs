//! The text of a function in LLVM IR, while it is made.

use crate::jit::avx512::vcode::{K, Mem, V, args};
use crate::jit::code::symbol::Symbol;
use crate::jit::llvm::late_nans::LateNans;
use crate::jit::llvm::linear::Linears;
use crate::jit::llvm::ranges::Ranges;
use crate::jit::llvm::warp::locals::{Locals, Values};
use std::collections::HashMap;
use std::fmt::Write;

pub(super) const WORDS: &str = "<16 x i32>";
pub(super) const WORDS_8: &str = "<8 x i32>";
pub(super) const LONGS: &str = "<8 x i64>";
pub(super) const HALF_WORDS: &str = "<32 x i16>";
pub(super) const BYTES: &str = "<64 x i8>";
pub(super) const FLOATS: &str = "<16 x float>";
pub(super) const DOUBLES: &str = "<8 x double>";

/// A constant vector.
pub(super) fn list(element: &str, values: impl IntoIterator<Item = u64>) -> String {
    let values: Vec<String> = values
        .into_iter()
        .map(|value| format!("{element} {}", signed(element, value)))
        .collect();
    format!("<{}>", values.join(", "))
}

/// A number of an element's type, as LLVM IR has it.
fn signed(element: &str, value: u64) -> i64 {
    match element {
        "i32" => i64::from(value as u32 as i32),
        _ => value as i64,
    }
}

/// A constant in all lanes.
pub(super) fn splat(element: &str, value: u64) -> String {
    format!("splat ({element} {})", signed(element, value))
}

/// The indices of a shuffle that takes `count` lanes from `first` on.
pub(super) fn run(first: u32, count: u32) -> String {
    list("i32", (first..first + count).map(u64::from))
}

/// Attributes and metadata of a module.
const ENDING: &str = "\
    attributes #0 = { MODE nounwind \"no-builtins\" \"prefer-vector-width\"=\"512\" \"min-legal-vector-width\"=\"512\" }
!0 = !{i32 1}
!1 = !{!\"branch_weights\", i32 1000000, i32 1}
!2 = !{!\"branch_weights\", i32 1, i32 1000000}
!3 = !{}
";

/// The declaration of constants in memory.
pub(super) fn constants(number: &str, bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|byte| format!("\\{byte:02x}")).collect();
    format!(
        "@constants{number} = private unnamed_addr constant [{} x i8] c\"{text}\", align 64\n",
        bytes.len()
    )
}

/// A function's text.
pub(super) struct Text<'a> {
    /// The lines of its body.
    pub(super) body: String,
    /// What follows the body: blocks that are left for good.
    pub(super) cold: String,
    /// What the names of its values begin with.
    prefix: &'static str,
    temporaries: u32,
    labels: u32,
    constants: &'a [u8],
    /// The address of accesses by the pointer, as a number.
    pub(super) pointer: String,
    /// What the function takes from its table of addresses.
    pub(super) symbols: Vec<Symbol>,
    /// Intrinsics, by name: their declarations.
    pub(super) declared: HashMap<String, String>,
    /// Constant vectors.
    pub(super) knowns: HashMap<V, Vec<u8>>,
    /// The vectors that were stored last to places of the scratch area.
    pub(super) stored: HashMap<i32, V>,
    /// What the function returns after a fault.
    pub(super) fault_code: i64,
    /// Masks whose bits are known as a number too.
    pub(super) numbers: HashMap<K, String>,
    pub(super) ranges: Ranges,
    pub(super) linears: Linears,
    pub(super) late_nans: LateNans,
    /// True if other threads may see the order of the accesses.
    pub(super) ordered: bool,
    /// True if the processor flushes subnormal numbers.
    pub(super) flushes: bool,
    /// Set if it is part of another function.
    pub(super) part: Option<Part<'a>>,
}

/// The code of a group within a function that keeps the gang's registers in locals.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) locals: &'a Locals,
    /// The group's first lane.
    pub(super) lane: i64,
    /// Number of the code, by which its constants and its end are named.
    pub(super) number: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(constants: &'a [u8], ordered: bool) -> Text<'a> {
        Text {
            body: String::new(),
            cold: String::new(),
            prefix: "t",
            temporaries: 0,
            labels: 0,
            constants,
            pointer: "0".to_owned(),
            symbols: Vec::new(),
            declared: HashMap::new(),
            knowns: HashMap::new(),
            stored: HashMap::new(),
            fault_code: 1,
            numbers: HashMap::new(),
            ranges: Ranges::default(),
            linears: Linears::default(),
            late_nans: LateNans::default(),
            ordered,
            flushes: false,
            part: None,
        }
    }

    /// The text of the function's head, whose values have names of their own.
    pub(super) fn head() -> Text<'static> {
        Text {
            prefix: "h",
            ..Text::new(&[], false)
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    /// A new value.
    pub(super) fn value(&mut self, text: &str) -> String {
        self.temporaries += 1;
        let name = format!("%{}{}", self.prefix, self.temporaries);
        self.line(&format!("{name} = {text}"));
        name
    }

    /// A new block's name.
    pub(super) fn label(&mut self) -> String {
        self.labels += 1;
        format!("b{}", self.labels)
    }

    /// Begins a block.
    pub(super) fn block(&mut self, label: &str) {
        let _ = writeln!(self.body, "{label}:");
    }

    pub(super) fn declare(&mut self, name: &str, declaration: &str) {
        if !self.declared.contains_key(name) {
            self.declared
                .insert(name.to_owned(), declaration.to_owned());
        }
    }

    /// Calls the intrinsic `llvm.NAME`.
    pub(super) fn call(&mut self, ty: &str, name: &str, args: &[String]) -> String {
        let types: Vec<&str> = args.iter().map(|arg| type_of(arg)).collect();
        let declaration = format!("declare {ty} @llvm.{name}({})", types.join(", "));
        self.declare(name, &declaration);
        self.value(&format!("call {ty} @llvm.{name}({})", args.join(", ")))
    }

    /// Calls an intrinsic without a result.
    pub(super) fn act(&mut self, name: &str, args: &[String]) {
        let types: Vec<&str> = args.iter().map(|arg| type_of(arg)).collect();
        let declaration = format!("declare void @llvm.{name}({})", types.join(", "));
        self.declare(name, &declaration);
        self.line(&format!("call void @llvm.{name}({})", args.join(", ")));
    }

    /// Bytes of the constants.
    pub(super) fn constant(&self, at: u32, bytes: usize) -> Option<Vec<u8>> {
        let at = at as usize;
        Some(self.constants.get(at..at + bytes)?.to_vec())
    }

    /// The address of an argument.
    pub(super) fn argument(&mut self, at: i32) -> String {
        self.value(&format!("getelementptr i8, ptr %args, i64 {at}"))
    }

    /// An argument of 64 bits.
    pub(super) fn argument_value(&mut self, at: i32) -> String {
        let place = self.argument(at);
        self.value(&format!("load i64, ptr {place}, align 8"))
    }

    /// The pointer to where the first lane's values are that have an offset in memory, and the offset from it.
    pub(super) fn slot(&mut self, locals: &Locals, kind: Values, at: i64) -> (String, i64) {
        let (local, at) = locals.place(kind, at);
        let base = match local {
            Some(local) => local,
            None => self.value(&format!("load ptr, ptr {}", kind.memory())),
        };
        (base, at)
    }

    /// The address of a memory operand.
    pub(super) fn place(&mut self, mem: Mem) -> String {
        match mem {
            Mem::Arg(at) => self.argument(at),
            Mem::GroupArg(at) => self.value(&format!("getelementptr i8, ptr %groups, i64 {at}")),
            Mem::Slot(at, bytes) if let Some(part) = self.part => {
                let (base, at) = self.slot(part.locals, Values::of_bytes(bytes), i64::from(at));
                let at = at + part.lane * i64::from(bytes);
                self.value(&format!("getelementptr i8, ptr {base}, i64 {at}"))
            }
            Mem::Bits(at) if let Some(part) = self.part => {
                let (base, at) = self.slot(part.locals, Values::Masks, i64::from(at));
                let at = at + part.lane / 8;
                self.value(&format!("getelementptr i8, ptr {base}, i64 {at}"))
            }
            Mem::Slot(at, bytes) => {
                let base = match bytes {
                    4 => "%slots4".to_owned(),
                    8 => "%slots8".to_owned(),
                    _ => {
                        let place = self.argument(args::SLOTS_2);
                        self.value(&format!("load ptr, ptr {place}, align 8"))
                    }
                };
                let ahead = self.value(&format!("mul i64 %lane, {bytes}"));
                let ahead = self.value(&format!("add i64 {ahead}, {at}"));
                self.value(&format!("getelementptr i8, ptr {base}, i64 {ahead}"))
            }
            Mem::Bits(at) => self.value(&format!("getelementptr i8, ptr %bits, i64 {at}")),
            Mem::Pointer(at) => {
                let pointer = self.pointer.clone();
                let at = self.value(&format!("add i64 {pointer}, {at}"));
                self.value(&format!("inttoptr i64 {at} to ptr"))
            }
            Mem::Constant(at) => {
                let number = self.part.map(|part| part.number.to_string());
                let number = number.unwrap_or_default();
                self.value(&format!(
                    "getelementptr i8, ptr @constants{number}, i64 {at}"
                ))
            }
            Mem::Scratch(at) => self.value(&format!("getelementptr i8, ptr %scratch, i64 {at}")),
        }
    }

    /// The alignment that a place surely has.
    pub(super) fn align(mem: Mem, natural: u32) -> u32 {
        match mem {
            Mem::Pointer(_) | Mem::Constant(_) => 1,
            Mem::Bits(_) => 2,
            Mem::Arg(_) | Mem::GroupArg(_) | Mem::Slot(..) | Mem::Scratch(_) => natural.min(4),
        }
    }

    /// Loads a value; `natural` is its elements' size in bytes.
    pub(super) fn load(&mut self, mem: Mem, ty: &str, natural: u32) -> String {
        let place = self.place(mem);
        let align = Text::align(mem, natural);
        let found = self.value(&format!("load {ty}, ptr {place}, align {align}"));
        if matches!(mem, Mem::Pointer(_)) {
            self.accessed();
        }
        found
    }

    /// Loads the lanes of a mask; the others are 0.
    pub(super) fn load_masked(
        &mut self,
        mem: Mem,
        ty: &str,
        name: &str,
        count: u32,
        mask: &str,
    ) -> String {
        let place = self.place(mem);
        if self.is_local(mem) {
            let all = self.value(&format!("load {ty}, ptr {place}, align 1"));
            return self.value(&format!(
                "select <{count} x i1> {mask}, {ty} {all}, {ty} zeroinitializer"
            ));
        }
        let found = self.call(
            ty,
            &format!("masked.load.{name}.p0"),
            &[
                format!("ptr {place}"),
                "i32 1".to_owned(),
                format!("<{count} x i1> {mask}"),
                format!("{ty} zeroinitializer"),
            ],
        );
        self.accessed();
        found
    }

    /// Stores the lanes of a mask, or all.
    pub(super) fn store(
        &mut self,
        mem: Mem,
        ty: &str,
        name: &str,
        value: &str,
        mask: Option<(u32, &str)>,
    ) {
        let place = self.place(mem);
        match mask {
            None => self.line(&format!("store {ty} {value}, ptr {place}, align 1")),
            // LLVM sees through this.
            Some((count, mask)) if self.is_local(mem) => {
                let old = self.value(&format!("load {ty}, ptr {place}, align 1"));
                let new = self.value(&format!(
                    "select <{count} x i1> {mask}, {ty} {value}, {ty} {old}"
                ));
                self.line(&format!("store {ty} {new}, ptr {place}, align 1"));
            }
            Some((count, mask)) => self.act(
                &format!("masked.store.{name}.p0"),
                &[
                    format!("{ty} {value}"),
                    format!("ptr {place}"),
                    "i32 1".to_owned(),
                    format!("<{count} x i1> {mask}"),
                ],
            ),
        }
        if matches!(mem, Mem::Pointer(_)) {
            self.accessed();
        }
    }

    /// True if a place is one of a register that the function keeps in a local.
    fn is_local(&self, mem: Mem) -> bool {
        self.part.is_some() && matches!(mem, Mem::Slot(..) | Mem::Bits(_))
    }

    /// The mask of the group in the local of the predicate whose home has an offset.
    pub(super) fn local_mask(&mut self, at: i64) -> String {
        let group = self.part.map_or(0, |part| part.lane / 16);
        self.mask_in(at, group)
    }

    pub(super) fn set_local_mask(&mut self, at: i64, mask: &str) {
        let group = self.part.map_or(0, |part| part.lane / 16);
        self.set_mask_in(at, group, mask);
    }

    /// The mask of a group of the warp in a predicate's local.
    pub(super) fn mask_in(&mut self, at: i64, group: i64) -> String {
        let (ty, bytes) = Values::mask_type();
        let place = self.value(&format!(
            "getelementptr i8, ptr %M{at}, i64 {}",
            group * bytes
        ));
        let found = self.value(&format!("load {ty}, ptr {place}, align {bytes}"));
        match bytes {
            2 => found,
            _ => self.value(&format!("icmp slt {ty} {found}, zeroinitializer")),
        }
    }

    pub(super) fn set_mask_in(&mut self, at: i64, group: i64, mask: &str) {
        let (ty, bytes) = Values::mask_type();
        let value = match bytes {
            2 => mask.to_owned(),
            _ => self.value(&format!("sext <16 x i1> {mask} to {ty}")),
        };
        let place = self.value(&format!(
            "getelementptr i8, ptr %M{at}, i64 {}",
            group * bytes
        ));
        self.line(&format!("store {ty} {value}, ptr {place}, align {bytes}"));
    }

    /// Says that the program's memory was accessed: where other threads may look, in this order.
    pub(super) fn accessed(&mut self) {
        if self.ordered {
            self.line("call void asm sideeffect \"\", \"~{memory}\"()");
        }
    }

    /// The same vector, of which LLVM does not know what it is. The type must be that of a register.
    pub(super) fn hidden(&mut self, ty: &str, vector: &str) -> String {
        // `x` has sixteen of AVX-512's registers, `v` all.
        let register = if ty == WORDS { "v" } else { "x" };
        self.value(&format!(
            "call {ty} asm \"\", \"={register},0\"({ty} {vector})"
        ))
    }

    /// Gives a vector of wide code its value.
    pub(super) fn set(&mut self, dst: V, value: &str) {
        self.line(&format!("%v{} = bitcast {WORDS} {value} to {WORDS}", dst.0));
    }

    /// The lower eight bits of a mask.
    pub(super) fn low_mask(&mut self, k: K) -> String {
        self.value(&format!(
            "shufflevector <16 x i1> %k{}, <16 x i1> poison, <8 x i32> {}",
            k.0,
            run(0, 8)
        ))
    }

    /// A vector as 64-bit lanes.
    pub(super) fn longs(&mut self, v: &str) -> String {
        self.cast(WORDS, v, LONGS)
    }

    /// A vector of another type as words.
    pub(super) fn words(&mut self, ty: &str, v: &str) -> String {
        self.cast(ty, v, WORDS)
    }

    pub(super) fn cast(&mut self, from: &str, v: &str, to: &str) -> String {
        match from == to {
            true => v.to_owned(),
            false => self.value(&format!("bitcast {from} {v} to {to}")),
        }
    }

    /// `count` words of a vector, from `first` on.
    pub(super) fn part(&mut self, v: &str, first: u32, count: u32) -> String {
        self.value(&format!(
            "shufflevector {WORDS} {v}, {WORDS} poison, <{count} x i32> {}",
            run(first, count)
        ))
    }

    /// Eight words, and zeros above them.
    pub(super) fn above_zero(&mut self, low: &str) -> String {
        self.value(&format!(
            "shufflevector {WORDS_8} {low}, {WORDS_8} zeroinitializer, <16 x i32> {}",
            run(0, 16)
        ))
    }

    /// One value in all lanes.
    pub(super) fn splatted(&mut self, element: &str, count: u32, one: &str) -> String {
        let ty = format!("<{count} x {element}>");
        let first = self.value(&format!(
            "insertelement {ty} poison, {element} {one}, i64 0"
        ));
        self.value(&format!(
            "shufflevector {ty} {first}, {ty} poison, <{count} x i32> zeroinitializer"
        ))
    }

    /// The address that a symbol has.
    pub(super) fn address_of(&mut self, symbol: Symbol) -> String {
        let found = self.symbols.iter().position(|&one| one == symbol);
        let at = found.unwrap_or_else(|| {
            self.symbols.push(symbol);
            self.symbols.len() - 1
        });
        let place = self.value(&format!("getelementptr i64, ptr @links, i64 {at}"));
        self.value(&format!("load i64, ptr {place}, align 8"))
    }

    /// The text of a module with these constants and a function with these parameters and this body.
    pub(super) fn module(&self, constants: &str, parameters: &str, body: &str) -> String {
        let mode = match self.flushes {
            true => "\"denormal-fp-math\"=\"preserve-sign,preserve-sign\"",
            false => "",
        };
        let ending = ENDING.replace("MODE", mode);
        let mut declared: Vec<&str> = self.declared.values().map(String::as_str).collect();
        declared.sort_unstable();
        format!(
            "{constants}@links = hidden global [{} x i64] zeroinitializer, align 8\n\n\
             {}\n\ndefine i64 @f({parameters}) #0 {{\n{body}}}\n\n{ending}",
            self.symbols.len(),
            declared.join("\n"),
        )
    }
}

/// The type of an argument with its type.
fn type_of(arg: &str) -> &str {
    match arg.strip_prefix('<') {
        Some(_) => arg
            .split_once('>')
            .map_or(arg, |(head, _)| &arg[..=head.len()]),
        None => arg.split_once(' ').map_or(arg, |(head, _)| head),
    }
}
