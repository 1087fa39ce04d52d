//! Wide code of a block as a function of LLVM IR: a loop over the groups of sixteen lanes of a gang.

use crate::jit::avx512::encode::Form;
use crate::jit::avx512::regalloc::{LANES, RowEnds};
use crate::jit::avx512::vcode::{Constant, K, KOp, Mem, RESULT, Rmw, SCRATCH, V, Vop, args};
use crate::jit::code::symbol::{Helper, Symbol};
use crate::jit::llvm::text::{LONGS, Text, WORDS, WORDS_8, list, run};
use crate::jit::runtime::layout::Gang;
use std::mem::offset_of;

/// A function's text, and the symbols of its table of addresses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Module {
    pub text: String,
    pub symbols: Vec<Symbol>,
}

/// What a block's code is, besides its instructions.
pub struct Frame<'a> {
    /// Bytes of the values stored for each group.
    pub group_bytes: i32,
    pub rows: RowEnds<'a>,
    /// True if only the lanes of a window are visited.
    pub window: bool,
    /// True if other threads may see the order of the accesses.
    pub ordered: bool,
}

/// Translates wide code. Returns `None` if LLVM IR has no equal for an instruction.
pub fn module(code: &[Vop], constants: &[u8], frame: &Frame) -> Option<Module> {
    let mut text = Text::new(constants, frame.ordered);
    for op in code {
        text.op(op)?;
    }
    text.end(frame);
    let head = head(frame);
    Some(Module {
        text: text.module(&head),
        symbols: text.symbols,
    })
}

/// The function's first block, and the head of the loop.
fn head(frame: &Frame) -> String {
    let mut text = Text::head();
    text.line(&format!("%scratch = alloca [{SCRATCH} x i8], align 64"));
    text.line("%lane_at = alloca i64");
    for (name, at) in [("slots4", args::SLOTS_4), ("slots8", args::SLOTS_8)] {
        let place = text.argument(at);
        text.line(&format!("%{name} = load ptr, ptr {place}, align 8"));
    }
    let count = match frame.window {
        true => args::END,
        false => args::COUNT,
    };
    let place = text.argument(count);
    text.line(&format!("%count = load i64, ptr {place}, align 8"));
    let first = match frame.window && frame.rows.values.is_empty() {
        true => text.argument_value(args::FROM),
        false => "0".to_owned(),
    };
    let place = text.argument(args::BITS);
    text.line(&format!("%bits0 = load ptr, ptr {place}, align 8"));
    match frame.group_bytes {
        0 => text.line("%groups0 = getelementptr i8, ptr null, i64 0"),
        _ => {
            let place = text.argument(args::GROUPS);
            text.line(&format!("%groups0 = load ptr, ptr {place}, align 8"));
        }
    }
    text.line(&format!("store i64 {first}, ptr %lane_at"));
    text.line("br label %top");
    text.block("top");
    text.line("%lane = load i64, ptr %lane_at");
    text.line("%byte = lshr i64 %lane, 3");
    text.line("%bits = getelementptr i8, ptr %bits0, i64 %byte");
    text.line("%group = lshr i64 %lane, 4");
    text.line(&format!("%ahead = mul i64 %group, {}", frame.group_bytes));
    text.line("%groups = getelementptr i8, ptr %groups0, i64 %ahead");
    text.body
}

impl Text<'_> {
    fn op(&mut self, op: &Vop) -> Option<()> {
        match *op {
            Vop::Vector { dst, inst } => self.vector_inst(dst, inst)?,
            Vop::ShiftBy {
                dst,
                form,
                digit,
                a,
                by,
            } => self.shift_by(dst, form, digit, a, by)?,
            Vop::Narrow { dst, form, a, imm } => self.narrow(dst, form, a, imm)?,
            Vop::Test {
                dst,
                form,
                a,
                b,
                imm,
                mask,
            } => self.test(dst, form, a, b, imm, mask)?,
            Vop::Store {
                form,
                from,
                to,
                mask,
            } => self.store_vector(form, from, to, mask)?,
            Vop::Gather {
                dst,
                form,
                index,
                pointer,
                offset,
                mask,
                tied,
            } => {
                let (places, long) = self.places(form, index, pointer, offset);
                self.gather(dst, &places, long, form.wide, mask, tied);
            }
            Vop::LookUp { dst, table, index } => {
                let first = self.place(Mem::Constant(table));
                let places = self.value(&format!(
                    "getelementptr i32, ptr {first}, {WORDS} %v{}",
                    index.0
                ));
                let r = self.call(
                    WORDS,
                    "masked.gather.v16i32.v16p0",
                    &[
                        format!("<16 x ptr> {places}"),
                        "i32 4".to_owned(),
                        "<16 x i1> splat (i1 true)".to_owned(),
                        format!("{WORDS} poison"),
                    ],
                );
                self.set(dst, &r);
            }
            Vop::Scatter {
                form,
                from,
                index,
                pointer,
                offset,
                mask,
            } => {
                let (places, long) = self.places(form, index, pointer, offset);
                self.scatter(from, &places, long, form.wide, mask);
            }
            Vop::Mask { dst, op, a, b } => self.mask_op(dst, op, a, b),
            Vop::UpperHalf { dst, a } => {
                let order = list("i32", (8..16).chain([16; 8]));
                self.line(&format!(
                    "%k{} = shufflevector <16 x i1> %k{}, <16 x i1> zeroinitializer, <16 x i32> {order}",
                    dst.0, a.0
                ));
            }
            Vop::LoadMask { dst, from } => {
                let bits = self.load(from, "i16", 2);
                self.line(&format!("%k{} = bitcast i16 {bits} to <16 x i1>", dst.0));
            }
            Vop::StoreMask { from, to } => {
                let bits = self.mask_bits(Some(from));
                let place = self.place(to);
                self.line(&format!("store i16 {bits}, ptr {place}, align 2"));
            }
            Vop::Affine {
                dst,
                from,
                stride,
                wide,
            } => {
                let first = self.load(from, "i64", 4);
                let along = self.value(&format!("mul i64 %lane, {stride}"));
                let one = self.value(&format!("add i64 {first}, {along}"));
                let all = match wide {
                    true => {
                        let all = self.splatted("i64", 8, &one);
                        self.words(LONGS, &all)
                    }
                    false => {
                        let one = self.value(&format!("trunc i64 {one} to i32"));
                        self.splatted("i32", 16, &one)
                    }
                };
                self.set(dst, &all);
            }
            Vop::Pointer {
                from,
                stride,
                window,
                down,
            } => self.point(from, stride, window, down)?,
            Vop::PointerAt {
                from,
                stride,
                window,
            } => self.point(from, stride, window, None)?,
            Vop::Prefetch {
                ahead,
                offset,
                bytes,
                write,
            } => {
                let ahead = self.load(ahead, "i64", 4);
                self.prefetch(&ahead, offset, bytes, write);
            }
            Vop::Stream {
                from,
                offset,
                keep,
                ahead,
            } => self.stream(from, offset, keep, ahead)?,
            Vop::SkipUnless { any } => {
                let bits = self.mask_bits(Some(any));
                let none = self.value(&format!("icmp eq i16 {bits}, 0"));
                let on = self.label();
                self.line(&format!("br i1 {none}, label %next, label %{on}"));
                self.block(&on);
            }
            Vop::Fault {
                bad,
                at,
                wide,
                inst,
            } => self.fault(bad, at, wide, inst),
            Vop::Vote { all, any } => {
                for (mask, op, at) in [(all, "and", 0), (any, "or", 4)] {
                    let bits = self.mask_bits(Some(mask));
                    let place = self.argument(args::VOTES + at);
                    let old = self.value(&format!("load i16, ptr {place}, align 4"));
                    let new = self.value(&format!("{op} i16 {old}, {bits}"));
                    self.line(&format!("store i16 {new}, ptr {place}, align 4"));
                }
            }
            Vop::Call {
                target,
                constants,
                mask,
            } => self.helper(target, constants, mask),
            Vop::Rmw {
                op,
                wide,
                locked,
                old,
                mask,
            } => self.rmw(op, wide, locked, old, mask),
            Vop::Lanes { bytes, mask } => self.store_lanes(bytes, mask),
            Vop::Fence => self.line("fence seq_cst"),
        }
        Some(())
    }

    /// A mask's bits as a number; all ones without one.
    fn mask_bits(&mut self, mask: Option<K>) -> String {
        match mask {
            Some(k) => self.value(&format!("bitcast <16 x i1> %k{} to i16", k.0)),
            None => "-1".to_owned(),
        }
    }

    fn mask_op(&mut self, dst: K, op: KOp, a: K, b: K) {
        let (a, b) = (format!("%k{}", a.0), format!("%k{}", b.0));
        let text = match op {
            KOp::And => format!("and <16 x i1> {a}, {b}"),
            KOp::Or => format!("or <16 x i1> {a}, {b}"),
            KOp::Xor => format!("xor <16 x i1> {a}, {b}"),
            KOp::AndNot => {
                let not = self.value(&format!("xor <16 x i1> {a}, splat (i1 true)"));
                format!("and <16 x i1> {not}, {b}")
            }
            KOp::Join => {
                let order = list("i32", (0..8).chain(16..24));
                format!("shufflevector <16 x i1> {b}, <16 x i1> {a}, <16 x i32> {order}")
            }
        };
        self.line(&format!("%k{} = {text}", dst.0));
    }

    /// Sets the pointer to an affine address at the group's first lane.
    fn point(
        &mut self,
        from: Mem,
        stride: i64,
        window: Option<Mem>,
        down: Option<(Mem, u8)>,
    ) -> Option<()> {
        let rows = down.map_or(0, |(_, rows)| rows);
        let ty = if window.is_some() { "i32" } else { "i64" };
        let mut at = self.load(from, ty, 4);
        if let (Some((skip, _)), 1..) = (down, rows) {
            let skip = self.load(skip, ty, 4);
            let all = self.value(&format!("mul {ty} {skip}, {rows}"));
            at = self.value(&format!("add {ty} {at}, {all}"));
        }
        if let Some(window) = window {
            // A lane that does not access the window may have any offset.
            let offset = self.value(&format!("sext i32 {at} to i64"));
            let base = self.load(window, "i64", 4);
            at = self.value(&format!("add i64 {offset}, {base}"));
        }
        let along = self.value(&format!("mul i64 %lane, {stride}"));
        self.pointer = self.value(&format!("add i64 {at}, {along}"));
        Some(())
    }

    fn prefetch(&mut self, ahead: &str, offset: i32, bytes: i32, write: bool) {
        let pointer = self.pointer.clone();
        let first = self.value(&format!("add i64 {pointer}, {ahead}"));
        for at in (0..bytes).step_by(64) {
            let place = self.value(&format!("add i64 {first}, {}", offset + at));
            let place = self.value(&format!("inttoptr i64 {place} to ptr"));
            self.act(
                "prefetch.p0",
                &[
                    format!("ptr {place}"),
                    format!("i32 {}", i32::from(write)),
                    "i32 3".to_owned(),
                    "i32 1".to_owned(),
                ],
            );
        }
    }

    /// Stores a vector that fills a cache line.
    fn stream(&mut self, from: V, offset: i32, keep: Mem, ahead: Option<Mem>) -> Option<()> {
        let keep = self.load(keep, "i64", 4);
        let past = self.value(&format!("icmp eq i64 {keep}, 0"));
        let [around, kept, on] = [self.label(), self.label(), self.label()];
        let place = self.place(Mem::Pointer(offset));
        self.line(&format!("br i1 {past}, label %{around}, label %{kept}"));
        self.block(&kept);
        if let Some(ahead) = ahead {
            let ahead = self.load(ahead, "i64", 4);
            self.prefetch(&ahead, offset, 64, true);
        }
        self.line(&format!("store {WORDS} %v{}, ptr {place}, align 1", from.0));
        self.line(&format!("br label %{on}"));
        self.block(&around);
        self.line(&format!(
            "store {WORDS} %v{}, ptr {place}, align 64, !nontemporal !0",
            from.0
        ));
        self.line(&format!("br label %{on}"));
        self.block(&on);
        self.accessed();
        Some(())
    }

    fn store_vector(&mut self, form: Form, from: V, to: Mem, mask: Option<K>) -> Option<()> {
        let from = format!("%v{}", from.0);
        let Form {
            map,
            prefix,
            wide,
            code,
            length,
        } = form;
        match (map, prefix, wide, code, length) {
            (1, _, false, 0x7f, 2) => {
                let mask = mask.map(|k| format!("%k{}", k.0));
                let mask = mask.as_deref().map(|mask| (16, mask));
                self.store(to, WORDS, "v16i32", &from, mask);
            }
            (1, _, true, 0x7f, 2) => {
                let from = self.longs(&from);
                let mask = mask.map(|k| self.low_mask(k));
                let mask = mask.as_deref().map(|mask| (8, mask));
                self.store(to, LONGS, "v8i64", &from, mask);
            }
            (1, _, _, 0x7f, 1) if mask.is_none() => {
                let low = self.part(&from, 0, 8);
                self.store(to, WORDS_8, "v8i32", &low, None);
            }
            (1, _, _, 0x7f, 0) if mask.is_none() => {
                let low = self.part(&from, 0, 4);
                self.store(to, "<4 x i32>", "v4i32", &low, None);
            }
            (2, 2, false, 0x33 | 0x31, 2) => {
                let (ty, name) = match code {
                    0x33 => ("<16 x i16>", "v16i16"),
                    _ => ("<16 x i8>", "v16i8"),
                };
                let cut = self.value(&format!("trunc {WORDS} {from} to {ty}"));
                let mask = mask.map(|k| format!("%k{}", k.0));
                let mask = mask.as_deref().map(|mask| (16, mask));
                self.store(to, ty, name, &cut, mask);
            }
            _ => return None,
        }
        Some(())
    }

    /// The addresses of a gather or scatter, and whether there are eight lanes.
    fn places(&mut self, form: Form, index: V, pointer: bool, offset: i32) -> (String, bool) {
        let by_longs = form.code & 1 == 1;
        let eight = by_longs || form.wide;
        let count = if eight { 8 } else { 16 };
        let index = format!("%v{}", index.0);
        let index = match (by_longs, eight) {
            (true, _) => self.longs(&index),
            (false, true) => {
                let low = self.part(&index, 0, 8);
                self.value(&format!("sext {WORDS_8} {low} to {LONGS}"))
            }
            (false, false) => self.value(&format!("sext {WORDS} {index} to <16 x i64>")),
        };
        let base = match pointer {
            true => self.pointer.clone(),
            false => "0".to_owned(),
        };
        let base = self.value(&format!("add i64 {base}, {offset}"));
        let base = self.value(&format!("inttoptr i64 {base} to ptr"));
        let places = self.value(&format!(
            "getelementptr i8, ptr {base}, <{count} x i64> {index}"
        ));
        (places, eight)
    }

    /// The mask of a gather or scatter, and the type and name of its values.
    fn access_kind(
        &mut self,
        eight: bool,
        wide: bool,
        mask: Option<K>,
    ) -> (String, &'static str, &'static str, u32) {
        let (ty, name) = match (eight, wide) {
            (true, true) => (LONGS, "v8i64"),
            (true, false) => (WORDS_8, "v8i32"),
            (false, _) => (WORDS, "v16i32"),
        };
        let mask = match (mask, eight) {
            (Some(k), true) => self.low_mask(k),
            (Some(k), false) => format!("%k{}", k.0),
            (None, _) => "splat (i1 true)".to_owned(),
        };
        (mask, ty, name, if eight { 8 } else { 16 })
    }

    fn gather(&mut self, dst: V, places: &str, eight: bool, wide: bool, mask: Option<K>, tied: V) {
        let (mask, ty, name, count) = self.access_kind(eight, wide, mask);
        let tied = format!("%v{}", tied.0);
        let kept = match ty {
            LONGS => self.longs(&tied),
            WORDS_8 => self.part(&tied, 0, 8),
            _ => tied,
        };
        let r = self.call(
            ty,
            &format!("masked.gather.{name}.v{count}p0"),
            &[
                format!("<{count} x ptr> {places}"),
                "i32 1".to_owned(),
                format!("<{count} x i1> {mask}"),
                format!("{ty} {kept}"),
            ],
        );
        self.accessed();
        let r = match ty {
            WORDS_8 => self.above_zero(&r),
            ty => self.words(ty, &r),
        };
        self.set(dst, &r);
    }

    fn scatter(&mut self, from: V, places: &str, eight: bool, wide: bool, mask: Option<K>) {
        let (mask, ty, name, count) = self.access_kind(eight, wide, mask);
        let from = format!("%v{}", from.0);
        let value = match ty {
            LONGS => self.longs(&from),
            WORDS_8 => self.part(&from, 0, 8),
            _ => from,
        };
        self.act(
            &format!("masked.scatter.{name}.v{count}p0"),
            &[
                format!("{ty} {value}"),
                format!("<{count} x ptr> {places}"),
                "i32 1".to_owned(),
                format!("<{count} x i1> {mask}"),
            ],
        );
        self.accessed();
    }

    /// Leaves the function if a lane's access is illegal, and says which.
    fn fault(&mut self, bad: K, at: [V; 2], wide: bool, inst: u32) {
        let bits = self.mask_bits(Some(bad));
        let none = self.value(&format!("icmp eq i16 {bits}, 0"));
        let [on, out] = [self.label(), self.label()];
        self.line(&format!(
            "br i1 {none}, label %{on}, label %{out}, !prof !1"
        ));
        let hot = std::mem::take(&mut self.body);
        self.block(&out);
        let lane = self.call(
            "i16",
            "cttz.i16",
            &[format!("i16 {bits}"), "i1 true".into()],
        );
        let lane = self.value(&format!("zext i16 {lane} to i64"));
        let address = match wide {
            true => {
                let both = self.value(&format!(
                    "shufflevector {WORDS} %v{}, {WORDS} %v{}, <32 x i32> {}",
                    at[0].0,
                    at[1].0,
                    run(0, 32)
                ));
                let both = self.value(&format!("bitcast <32 x i32> {both} to <16 x i64>"));
                self.value(&format!("extractelement <16 x i64> {both}, i64 {lane}"))
            }
            false => {
                let one = self.value(&format!("extractelement {WORDS} %v{}, i64 {lane}", at[0].0));
                self.value(&format!("zext i32 {one} to i64"))
            }
        };
        let place = self.argument(args::GANG);
        let gang = self.value(&format!("load ptr, ptr {place}, align 8"));
        let lane = self.value(&format!("add i64 {lane}, %lane"));
        let lane = self.value(&format!("trunc i64 {lane} to i32"));
        for (ty, value, offset) in [
            ("i64", address, offset_of!(Gang, scratch)),
            ("i32", lane, offset_of!(Gang, fault_lane)),
            ("i32", inst.to_string(), offset_of!(Gang, fault_inst)),
        ] {
            let place = self.value(&format!("getelementptr i8, ptr {gang}, i64 {offset}"));
            self.line(&format!("store {ty} {value}, ptr {place}, align 4"));
        }
        self.line("ret i64 1");
        let cold = std::mem::replace(&mut self.body, hot);
        self.cold.push_str(&cold);
        self.block(&on);
    }

    fn helper(&mut self, target: Helper, constants: [Constant; 2], mask: Option<K>) {
        let place = self.argument(args::ENV);
        let env = self.value(&format!("load ptr, ptr {place}, align 8"));
        let constants = constants.map(|constant| match constant {
            Constant::Value(value) => (value as i64).to_string(),
            Constant::Address(symbol) => self.address_of(symbol),
            Constant::Argument(at) => self.argument_value(at),
        });
        let bits = self.mask_bits(mask);
        let bits = self.value(&format!("zext i16 {bits} to i64"));
        let function = self.address_of(Symbol::Helper(target));
        let function = self.value(&format!("inttoptr i64 {function} to ptr"));
        let [first, second] = constants;
        self.value(&format!(
            "call i64 {function}(ptr %scratch, ptr {env}, i64 {first}, i64 {second}, i64 {bits}, i64 %lane)"
        ));
        self.accessed();
    }

    /// Begins a loop over the lanes of a mask. Returns the lane's number.
    fn lane_loop(&mut self, mask: Option<K>) -> (String, String) {
        let bits = self.mask_bits(mask);
        let bits = self.value(&format!("zext i16 {bits} to i32"));
        let [before, top, inside, on] = [self.label(), self.label(), self.label(), self.label()];
        self.line(&format!("br label %{before}"));
        self.block(&before);
        self.line(&format!("br label %{top}"));
        self.block(&top);
        self.line(&format!(
            "%{top}_left = phi i32 [ {bits}, %{before} ], [ %{top}_rest, %{top}_end ]"
        ));
        let none = self.value(&format!("icmp eq i32 %{top}_left, 0"));
        self.line(&format!("br i1 {none}, label %{on}, label %{inside}"));
        self.block(&inside);
        let lane = self.call(
            "i32",
            "cttz.i32",
            &[format!("i32 %{top}_left"), "i1 true".to_owned()],
        );
        let lane = self.value(&format!("zext i32 {lane} to i64"));
        (lane, format!("{top} {on}"))
    }

    fn end_lane_loop(&mut self, names: &str) {
        let (top, on) = names.split_once(' ').unwrap_or((names, names));
        self.line(&format!("br label %{top}_end"));
        self.block(&format!("{top}_end"));
        let less = self.value(&format!("sub i32 %{top}_left, 1"));
        self.line(&format!("%{top}_rest = and i32 %{top}_left, {less}"));
        self.line(&format!("br label %{top}"));
        self.block(on);
    }

    /// The address of the current lane's value in the scratch area.
    fn by_lane(&mut self, lane: &str, bytes: u32, offset: i32) -> String {
        let at = self.value(&format!("mul i64 {lane}, {bytes}"));
        let at = self.value(&format!("add i64 {at}, {offset}"));
        self.value(&format!("getelementptr i8, ptr %scratch, i64 {at}"))
    }

    fn rmw(&mut self, op: Rmw, wide: bool, locked: bool, old: bool, mask: Option<K>) {
        let (lane, names) = self.lane_loop(mask);
        let (ty, bytes) = if wide { ("i64", 8) } else { ("i32", 4) };
        let at = self.by_lane(&lane, 8, 0);
        let place = self.value(&format!("load ptr, ptr {at}, align 8"));
        let at = self.by_lane(&lane, bytes, 128);
        let value = self.value(&format!("load {ty}, ptr {at}, align {bytes}"));
        let before = match (op, locked) {
            (Rmw::Add, true) => self.value(&format!(
                "atomicrmw add ptr {place}, {ty} {value} seq_cst, align {bytes}"
            )),
            (Rmw::Exchange, _) => self.value(&format!(
                "atomicrmw xchg ptr {place}, {ty} {value} seq_cst, align {bytes}"
            )),
            (Rmw::Add, false) => {
                let before = self.value(&format!("load {ty}, ptr {place}, align 1"));
                let sum = self.value(&format!("add {ty} {before}, {value}"));
                self.line(&format!("store {ty} {sum}, ptr {place}, align 1"));
                before
            }
        };
        if old {
            let at = self.by_lane(&lane, bytes, RESULT);
            self.line(&format!("store {ty} {before}, ptr {at}, align {bytes}"));
        }
        self.end_lane_loop(&names);
        self.accessed();
    }

    /// Stores the lanes' values one after the other.
    fn store_lanes(&mut self, bytes: u8, mask: Option<K>) {
        let (lane, names) = self.lane_loop(mask);
        let at = self.by_lane(&lane, 8, 0);
        let place = self.value(&format!("load ptr, ptr {at}, align 8"));
        let at = self.by_lane(&lane, if bytes == 8 { 8 } else { 4 }, 128);
        let ty = format!("i{}", 8 * u32::from(bytes));
        let value = self.value(&format!("load {ty}, ptr {at}, align 4"));
        self.line(&format!("store {ty} {value}, ptr {place}, align 1"));
        self.end_lane_loop(&names);
        self.accessed();
    }

    /// The end of the loop over the groups.
    fn end(&mut self, frame: &Frame) {
        self.line("br label %next");
        self.block("next");
        self.line(&format!("%lane_next = add i64 %lane, {LANES}"));
        self.line("store i64 %lane_next, ptr %lane_at");
        self.line("%more = icmp ult i64 %lane_next, %count");
        let step = |this: &mut Self, value: i32, skip: i32, times: u8| {
            let by = this.argument_value(skip);
            let by = this.value(&format!("mul i64 {by}, {times}"));
            let place = this.argument(value);
            let old = this.value(&format!("load i64, ptr {place}, align 8"));
            let new = this.value(&format!("add i64 {old}, {by}"));
            this.line(&format!("store i64 {new}, ptr {place}, align 8"));
        };
        let rows = frame.rows;
        match (
            rows.values.is_empty(),
            rows.shape.and_then(|shape| shape.ends),
        ) {
            (true, _) => self.line("br i1 %more, label %top, label %done"),
            (false, Some(ends)) => {
                self.line("br i1 %more, label %ends, label %done");
                self.block("ends");
                for &(value, skip) in rows.values {
                    step(self, value, skip, ends);
                }
                self.line("br label %top");
            }
            (false, None) => {
                self.line("br i1 %more, label %again, label %done");
                self.block("again");
                let end = self.argument_value(args::ROW_END);
                let inside = self.value(&format!("icmp ult i64 %lane_next, {end}"));
                self.line(&format!("br i1 {inside}, label %top, label %ends"));
                self.block("ends");
                for &(value, skip) in rows.values.iter().chain([&(args::ROW_END, args::WIDTH)]) {
                    step(self, value, skip, 1);
                }
                self.line("br label %again");
            }
        }
        self.block("done");
        self.line("ret i64 0");
    }
}
