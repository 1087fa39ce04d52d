//! Wide code of a block as a function of LLVM IR: a loop over the groups of sixteen lanes of a gang.

use crate::analysis::shape::RowShape;
use crate::jit::avx512::regalloc::LANES;
use crate::jit::avx512::vcode::{Constant, K, KOp, Mem, SCRATCH, V, Vop, args};
use crate::jit::code::symbol::{Helper, Symbol};
use crate::jit::llvm::group_loop::LoopCode;
use crate::jit::llvm::module::Module;
use crate::jit::llvm::text::{LONGS, Part, Text, WORDS, constants, list, run};
use crate::jit::runtime::layout::{Env, Gang};
use crate::memcheck::Hits;
use crate::sys::level::{Level, level};
use std::mem::offset_of;

/// What a block's code is, besides its instructions.
pub struct Frame {
    /// Bytes of the values stored for each group.
    pub group_bytes: i32,
    /// Values that are adjusted at the end of a row: a value and its skip.
    pub rows: Vec<(i32, i32)>,
    pub shape: Option<RowShape>,
    /// True if only the lanes of a window are visited.
    pub window: bool,
    /// True if other threads may see the order of the accesses.
    pub ordered: bool,
    /// True if the processor flushes subnormal numbers.
    pub flushes: bool,
}

/// Code of a group of lanes, for LLVM to make machine code of.
pub struct Source {
    pub code: Code,
    pub constants: Vec<u8>,
    pub frame: Frame,
}

pub enum Code {
    Block(Vec<Vop>),
    Loop(LoopCode),
}

impl Source {
    /// Begins the text of the code.
    pub(super) fn text(&self) -> Text<'_> {
        let mut text = Text::new(&self.constants, self.frame.ordered);
        text.flushes = self.frame.flushes;
        text
    }

    /// Returns a function that runs the code for all groups of a gang, or `None` if LLVM IR has no equal for an
    /// instruction.
    pub fn module(&self) -> Option<Module> {
        let mut text = self.text();
        text.group(&self.code)?;
        text.end(&self.frame);
        Some(Module {
            text: text.module(
                &constants("", &self.constants),
                "ptr noalias %args",
                &(head(&self.frame) + &text.body + &text.cold),
            ),
            symbols: text.symbols,
        })
    }
}

impl Text<'_> {
    /// Adds the code of a group.
    pub(super) fn group(&mut self, code: &Code) -> Option<()> {
        match code {
            Code::Block(code) => {
                self.ranges.accesses(code);
                self.ops(code)
            }
            Code::Loop(code) => self.group_loop(code),
        }
    }
}

/// The function's first block, and the head of the loop.
fn head(frame: &Frame) -> String {
    let mut text = Text::head();
    text.line(&format!("%scratch = alloca [{SCRATCH} x i8], align 64"));
    text.line("%mode = alloca [2 x i32]");
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
    let first = match frame.window && frame.rows.is_empty() {
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
    /// Adds instructions after which anything may read the results.
    pub(super) fn ops<'v>(&mut self, ops: impl IntoIterator<Item = &'v Vop>) -> Option<()> {
        ops.into_iter().try_for_each(|op| self.op(op))?;
        self.settle_nans();
        Some(())
    }

    pub(super) fn op(&mut self, op: &Vop) -> Option<()> {
        if self.late_nans.is_read_by(op) {
            self.settle_nans();
        }
        match *op {
            Vop::Vector { dst, inst } if self.late_nan(dst, &inst)? => {}
            Vop::Vector { dst, inst } => self.vector_inst(dst, inst)?,
            Vop::ShiftBy {
                dst,
                form,
                digit,
                a,
                by,
            } => {
                self.linears.shift(dst, (form, digit), a, by);
                self.shift_by(dst, form, digit, a, by)?;
            }
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
                let places = self.places(form, index, pointer, offset);
                self.gather(dst, &places, form.wide, mask, tied);
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
                let places = self.places(form, index, pointer, offset);
                self.scatter(from, &places, form.wide, mask);
            }
            Vop::Mask { dst, op, a, b } => self.mask_op(dst, op, a, b),
            Vop::UpperHalf { dst, a } => {
                let order = list("i32", (8..16).chain([16; 8]));
                self.line(&format!(
                    "%k{} = shufflevector <16 x i1> %k{}, <16 x i1> zeroinitializer, <16 x i32> {order}",
                    dst.0, a.0
                ));
            }
            Vop::LoadMask {
                dst,
                from: Mem::Bits(at),
            } if self
                .part
                .is_some_and(|part| part.locals.has_mask(at.into())) =>
            {
                let mask = self.local_mask(at.into());
                self.line(&format!(
                    "%k{} = or <16 x i1> {mask}, zeroinitializer",
                    dst.0
                ));
            }
            Vop::StoreMask {
                from,
                to: Mem::Bits(at),
            } if self
                .part
                .is_some_and(|part| part.locals.has_mask(at.into())) =>
            {
                self.set_local_mask(at.into(), &format!("%k{}", from.0));
            }
            Vop::LoadMask { dst, from } => {
                let bits = self.load(from, "i16", 2);
                self.set_mask(dst, bits);
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
            Vop::Fetch {
                dst,
                missed,
                handle,
                channel,
                x,
                mask,
            } => self.fetch((dst, missed), handle, channel.into(), x, mask),
            Vop::Rare {
                dst,
                any,
                usual,
                ref code,
                other,
            } => self.rare(dst, any, usual, (code, other))?,
        }
        Some(())
    }

    /// A vector, or another that some code makes if a bit of a mask is set.
    fn rare(&mut self, dst: V, any: K, usual: V, (code, other): (&[Vop], V)) -> Option<()> {
        let bits = self.mask_bits(Some(any));
        let none = self.value(&format!("icmp eq i16 {bits}, 0"));
        let [before, inside, end, on] = [(); 4].map(|()| self.label());
        self.line(&format!("br label %{before}"));
        self.block(&before);
        self.line(&format!(
            "br i1 {none}, label %{on}, label %{inside}, !prof !1"
        ));
        self.block(&inside);
        self.ops(code)?;
        self.line(&format!("br label %{end}"));
        self.block(&end);
        self.line(&format!("br label %{on}"));
        self.block(&on);
        self.line(&format!(
            "%v{} = phi {WORDS} [ %v{}, %{before} ], [ %v{}, %{end} ]",
            dst.0, usual.0, other.0
        ));
        Some(())
    }

    /// Gives a mask the bits of a number.
    pub(super) fn set_mask(&mut self, dst: K, bits: String) {
        // Before AVX-512, LLVM would take the bits one by one.
        if level() == Level::V4 {
            self.line(&format!("%k{} = bitcast i16 {bits} to <16 x i1>", dst.0));
            return;
        }
        let word = self.value(&format!("zext i16 {bits} to i32"));
        let all = self.splatted("i32", 16, &word);
        let each = list("i32", (0..16).map(|n| 1 << n));
        let own = self.value(&format!("and {WORDS} {all}, {each}"));
        self.line(&format!(
            "%k{} = icmp ne {WORDS} {own}, zeroinitializer",
            dst.0
        ));
        self.numbers.insert(dst, bits);
    }

    /// A mask's bits as a number; all ones without one.
    pub(super) fn mask_bits(&mut self, mask: Option<K>) -> String {
        match mask {
            Some(k) if self.numbers.contains_key(&k) => self.numbers[&k].clone(),
            Some(k) => self.value(&format!("bitcast <16 x i1> %k{} to i16", k.0)),
            None => "-1".to_owned(),
        }
    }

    fn mask_op(&mut self, dst: K, op: KOp, a: K, b: K) {
        match op {
            KOp::Join => self.ranges.join(dst, a, b),
            KOp::And => self.ranges.some_of(dst, [a, b]),
            KOp::AndNot | KOp::Or | KOp::Xor => {}
        }
        if let (Some(a), Some(b)) = (self.numbers.get(&a).cloned(), self.numbers.get(&b).cloned())
            && op != KOp::Join
        {
            let bits = match op {
                KOp::AndNot => {
                    let not = self.value(&format!("xor i16 {a}, -1"));
                    self.value(&format!("and i16 {not}, {b}"))
                }
                KOp::And => self.value(&format!("and i16 {a}, {b}")),
                KOp::Or => self.value(&format!("or i16 {a}, {b}")),
                KOp::Xor | KOp::Join => self.value(&format!("xor i16 {a}, {b}")),
            };
            self.numbers.insert(dst, bits);
        }
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

    /// Leaves the function if a lane's access is illegal, and says which.
    fn fault(&mut self, bad: K, at: [V; 2], wide: bool, inst: u32) {
        let [on, out] = [self.label(), self.label()];
        self.quick_tests(bad, &on);
        let bits = self.mask_bits(Some(bad));
        let none = self.value(&format!("icmp eq i16 {bits}, 0"));
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
        match self.part {
            None => self.line(&format!("ret i64 {}", self.fault_code)),
            Some(Part { number, .. }) => {
                self.line(&format!("store i64 {}, ptr %Failed", self.fault_code));
                self.line(&format!("br label %W{number}"));
            }
        }
        let cold = std::mem::replace(&mut self.body, hot);
        self.cold.push_str(&cold);
        self.block(&on);
    }

    fn helper(&mut self, target: Helper, constants: [Constant; 2], mask: Option<K>) {
        // It may write to the scratch area.
        self.stored.clear();
        let place = self.argument(args::ENV);
        let env = self.value(&format!("load ptr, ptr {place}, align 8"));
        let checked = match (target, constants[0]) {
            (Helper::CheckLanes, Constant::Value(site)) => Some(site),
            _ => None,
        };
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
        let on = checked.map(|site| {
            let unknown = self.unknown(&env, site, &bits);
            let [call, on] = [(); 2].map(|()| self.label());
            self.line(&format!(
                "br i1 {unknown}, label %{call}, label %{on}, !prof !2"
            ));
            self.block(&call);
            on
        });
        self.value(&format!(
            "call i64 {function}(ptr %scratch, ptr {env}, i64 {first}, i64 {second}, i64 {bits}, i64 %lane)"
        ));
        if let Some(on) = on {
            self.line(&format!("br label %{on}"));
            self.block(&on);
        }
        self.accessed();
    }

    /// Tells (`i1`) whether some lane's address in the scratch area may be outside of the allocation that a check has
    /// found last, as [`Hits::know`](crate::memcheck::Hits::know) does.
    fn unknown(&mut self, env: &str, site: u64, bits: &str) -> String {
        let load = |this: &mut Self, from: &str, at: usize, ty: &str| {
            let place = this.value(&format!("getelementptr i8, ptr {from}, i64 {at}"));
            this.value(&format!("load {ty}, ptr {place}, align 8"))
        };
        let hits = load(self, env, offset_of!(Env, hits), "ptr");
        let freed = load(self, env, offset_of!(Env, freed), "ptr");
        // Other threads count there.
        let now = self.value(&format!("load atomic i64, ptr {freed} monotonic, align 8"));
        let places = Hits::places(site as usize);
        let [of, start, span, epoch] = places.map(|at| load(self, &hits, at, "i64"));
        let [start, span] = [start, span].map(|one| self.splatted("i64", 8, &one));
        let [low, high] = [0, 64].map(|at| {
            let addresses = load(self, "%scratch", at, LONGS);
            let ahead = self.value(&format!("sub {LONGS} {addresses}, {start}"));
            self.value(&format!("icmp ugt {LONGS} {ahead}, {span}"))
        });
        let outside = self.value(&format!(
            "shufflevector <8 x i1> {low}, <8 x i1> {high}, <16 x i32> {}",
            run(0, 16)
        ));
        let outside = self.value(&format!("bitcast <16 x i1> {outside} to i16"));
        let active = self.value(&format!("trunc i64 {bits} to i16"));
        let outside = self.value(&format!("and i16 {outside}, {active}"));
        let mut unknown = self.value(&format!("icmp ne i16 {outside}, 0"));
        for (a, b) in [(of, site.to_string()), (epoch, now)] {
            let other = self.value(&format!("icmp ne i64 {a}, {b}"));
            unknown = self.value(&format!("or i1 {unknown}, {other}"));
        }
        unknown
    }

    /// The end of the loop over the groups.
    pub(super) fn end(&mut self, frame: &Frame) {
        self.line("br label %next");
        self.block("next");
        self.line(&format!("%lane_next = add i64 %lane, {LANES}"));
        self.line("store i64 %lane_next, ptr %lane_at");
        self.line("%more = icmp ult i64 %lane_next, %count");
        match (
            frame.rows.is_empty(),
            frame.shape.and_then(|shape| shape.ends),
        ) {
            (true, _) => self.line("br i1 %more, label %top, label %done"),
            (false, Some(ends)) => {
                self.line("br i1 %more, label %ends, label %done");
                self.block("ends");
                for &(value, skip) in &frame.rows {
                    self.skip(value, skip, ends);
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
                self.end_row(frame);
                self.line("br label %again");
            }
        }
        self.block("done");
        self.line("ret i64 0");
    }

    /// Adjusts a value at the end of so many rows.
    fn skip(&mut self, value: i32, skip: i32, rows: u8) {
        let by = self.argument_value(skip);
        let by = self.value(&format!("mul i64 {by}, {rows}"));
        let place = self.argument(value);
        let old = self.value(&format!("load i64, ptr {place}, align 8"));
        let new = self.value(&format!("add i64 {old}, {by}"));
        self.line(&format!("store i64 {new}, ptr {place}, align 8"));
    }

    /// Adjusts the values at the end of a row, and goes on to the next.
    fn end_row(&mut self, frame: &Frame) {
        for &(value, skip) in &frame.rows {
            self.skip(value, skip, 1);
        }
        self.skip(args::ROW_END, args::WIDTH, 1);
    }
}
