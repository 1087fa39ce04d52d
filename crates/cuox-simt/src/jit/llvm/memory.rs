//! Accesses to the program's memory: rows, gathers and scatters.
//!
//! AVX2 has no masked accesses of fewer than 32 bits and no scatters, and its gathers are slow. So lanes that turn out
//! to be neighbours are accessed as a row, and what LLVM would take apart lane by lane is avoided where memory permits.

use crate::image::{Fetched, LinearWords};
use crate::jit::avx512::encode::Form;
use crate::jit::avx512::vcode::{K, Mem, RESULT, Rmw, V, args};
use crate::jit::llvm::linear::Linear;
use crate::jit::llvm::ranges::Row;
use crate::jit::llvm::text::{LONGS, Text, WORDS, WORDS_8, list};
use crate::jit::runtime::layout::{Env, Textures};
use crate::sys::level::{Level, level};
use std::fmt;
use std::mem::offset_of;

/// Offset of the lanes' first operands in the scratch area.
const OPERANDS: i32 = 128;
/// Bytes of the smallest page: memory is readable, or not, by whole pages.
const PAGE: i64 = 4096;

/// The lanes' addresses in a gather or scatter: `base + index`.
pub(super) struct Places {
    base: String,
    index: String,
    /// Bits of an element of the index.
    bits: u32,
    count: u32,
    /// The index's elements, if they are constants.
    known: Option<Vec<i64>>,
    /// What an earlier test has found.
    row: Option<Row>,
    /// What the index is made of, if that is simple.
    linear: Option<Linear>,
}

/// Type of the values of a gather or scatter.
struct Kind {
    mask: String,
    ty: &'static str,
    name: &'static str,
    /// Bytes of an element.
    bytes: i64,
}

impl Kind {
    fn element(&self) -> &'static str {
        if self.bytes == 8 { "i64" } else { "i32" }
    }
}

/// The offset that all lanes have, if it is known.
fn same(known: Option<&[i64]>) -> Option<i64> {
    let (first, rest) = known?.split_first()?;
    rest.iter().all(|other| other == first).then_some(*first)
}

/// The lanes to take of `size` bytes in two vectors of sixteen words, the first at the lowest offset and the second
/// ending with the highest, that hold the words at these offsets.
fn windows(offsets: &[i64]) -> Option<(i64, i64, Vec<u64>)> {
    let (low, high) = (*offsets.iter().min()?, *offsets.iter().max()?);
    let second = high - 60;
    if second < low || high - low > 124 {
        return None;
    }
    let lane = |offset: &i64| {
        let (from, first) = match offset - low {
            0..=60 => (low, 0),
            _ => (second, 16),
        };
        let at = offset - from;
        (at % 4 == 0).then_some(first + at as u64 / 4)
    };
    let lanes = offsets.iter().map(lane).collect::<Option<_>>()?;
    Some((low, second, lanes))
}

impl Text<'_> {
    /// The addresses of a gather or scatter.
    pub(super) fn places(&mut self, form: Form, index: V, pointer: bool, offset: i32) -> Places {
        let by_longs = form.code & 1 == 1;
        let words = self.knowns.get(&index).map(|bytes| {
            let word = |four: &[u8]| i32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            bytes.chunks_exact(4).map(word).map(i64::from).collect()
        });
        let bytes = if form.wide { 8 } else { 4 };
        let row = match by_longs && !pointer {
            true => self.ranges.row(index, bytes),
            false => None,
        };
        let linear = match by_longs && !pointer {
            true => self.linears.get(index).cloned(),
            false => None,
        };
        let index = format!("%v{}", index.0);
        let (index, bits, count) = match (by_longs, form.wide) {
            (true, _) => (self.longs(&index), 64, 8),
            (false, true) => (self.part(&index, 0, 8), 32, 8),
            (false, false) => (index, 32, 16),
        };
        let base = match pointer {
            true => self.pointer.clone(),
            false => "0".to_owned(),
        };
        let base = self.value(&format!("add i64 {base}, {offset}"));
        Places {
            base,
            index,
            bits,
            count,
            known: words.filter(|_| (bits, count) == (32, 16)),
            row,
            linear,
        }
    }

    /// The addresses as a vector.
    fn pointers(&mut self, places: &Places) -> String {
        let Places {
            base,
            index,
            bits,
            count,
            ..
        } = places;
        let index = match (bits, &places.linear) {
            (_, Some(linear)) => match self.scaled_words(linear, base) {
                Some(pointers) => return pointers,
                None => self.linear_values(linear),
            },
            (64, None) => index.clone(),
            _ => self.value(&format!("sext <{count} x i32> {index} to <{count} x i64>")),
        };
        let base = self.value(&format!("inttoptr i64 {base} to ptr"));
        self.value(&format!(
            "getelementptr i8, ptr {base}, <{count} x i64> {index}"
        ))
    }

    /// The mask of a gather or scatter, and the type of its values.
    fn access_kind(&mut self, count: u32, wide: bool, mask: Option<K>) -> Kind {
        let (ty, name) = match (count, wide) {
            (8, true) => (LONGS, "v8i64"),
            (8, false) => (WORDS_8, "v8i32"),
            _ => (WORDS, "v16i32"),
        };
        let mask = match (mask, count) {
            (Some(k), 8) => self.low_mask(k),
            (Some(k), _) => format!("%k{}", k.0),
            (None, _) => "splat (i1 true)".to_owned(),
        };
        Kind {
            mask,
            ty,
            name,
            bytes: if wide { 8 } else { 4 },
        }
    }

    /// Tests whether the active lanes' elements are neighbours, in order. Returns that (`i1`) and the first one's
    /// address.
    fn are_neighbours(&mut self, places: &Places, kind: &Kind, masked: bool) -> (String, String) {
        let Places {
            base,
            index,
            bits,
            count,
            ..
        } = places;
        if let Some(Row { holds, first, .. }) = &places.row {
            let at = self.value(&format!("add i64 {base}, {first}"));
            let place = self.value(&format!("inttoptr i64 {at} to ptr"));
            return (holds.clone(), place);
        }
        let (element, ty) = (format!("i{bits}"), format!("<{count} x i{bits}>"));
        let first = self.value(&format!("extractelement {ty} {index}, i64 0"));
        let all = self.splatted(&element, *count, &first);
        let steps = list(
            &element,
            (0..*count).map(|n| u64::from(n) * kind.bytes as u64),
        );
        let row = self.value(&format!("add {ty} {all}, {steps}"));
        let mut other = self.value(&format!("icmp ne {ty} {index}, {row}"));
        if masked {
            let mask = &kind.mask;
            other = self.value(&format!("and <{count} x i1> {other}, {mask}"));
        }
        let others = self.value(&format!("bitcast <{count} x i1> {other} to i{count}"));
        let holds = self.value(&format!("icmp eq i{count} {others}, 0"));
        let first = match bits {
            64 => first,
            _ => self.value(&format!("sext i32 {first} to i64")),
        };
        let at = self.value(&format!("add i64 {base}, {first}"));
        let place = self.value(&format!("inttoptr i64 {at} to ptr"));
        (holds, place)
    }

    /// Does one thing or another by a condition (`i1`). Returns what both return, and the labels of where they end.
    fn either<T>(
        &mut self,
        condition: &str,
        then: impl FnOnce(&mut Self) -> T,
        other: impl FnOnce(&mut Self) -> T,
    ) -> [(T, String); 2] {
        let [row, each, on] = [self.label(), self.label(), self.label()];
        self.line(&format!("br i1 {condition}, label %{row}, label %{each}"));
        self.block(&row);
        let first = then(self);
        self.line(&format!("br label %{on}"));
        self.block(&each);
        let second = other(self);
        self.line(&format!("br label %{on}"));
        self.block(&on);
        [(first, row), (second, each)]
    }

    /// The value of one thing or another, neither of which has blocks of its own.
    fn either_value(
        &mut self,
        condition: &str,
        ty: &str,
        then: impl FnOnce(&mut Self) -> String,
        other: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let [(first, row), (second, each)] = self.either(condition, then, other);
        self.value(&format!(
            "phi {ty} [ {first}, %{row} ], [ {second}, %{each} ]"
        ))
    }

    pub(super) fn gather(&mut self, dst: V, places: &Places, wide: bool, mask: Option<K>, tied: V) {
        let count = places.count;
        let kind = self.access_kind(count, wide, mask);
        let tied = format!("%v{}", tied.0);
        let kept = match kind.ty {
            LONGS => self.longs(&tied),
            WORDS_8 => self.part(&tied, 0, 8),
            _ => tied,
        };
        let known = places.known.as_deref();
        if let Some(offset) = same(known) {
            let one = self.load_once(places, offset, &kind, mask.is_some());
            let all = self.splatted(kind.element(), count, &one);
            let r = match mask {
                None => all,
                Some(_) => self.value(&format!(
                    "select <{count} x i1> {}, {} {all}, {} {kept}",
                    kind.mask, kind.ty, kind.ty
                )),
            };
            self.accessed();
            let r = match kind.ty {
                WORDS_8 => self.above_zero(&r),
                ty => self.words(ty, &r),
            };
            self.set(dst, &r);
            return;
        }
        let windows = known.filter(|_| mask.is_none()).and_then(windows);
        let r = match (windows, known) {
            (Some((low, high, lanes)), _) => {
                let [low, high] = [low, high].map(|offset| {
                    let at = self.value(&format!("add i64 {}, {offset}", places.base));
                    let place = self.value(&format!("inttoptr i64 {at} to ptr"));
                    self.value(&format!("load {WORDS}, ptr {place}, align 1"))
                });
                self.value(&format!(
                    "shufflevector {WORDS} {low}, {WORDS} {high}, <16 x i32> {}",
                    list("i32", lanes)
                ))
            }
            (None, Some(_)) => self.gather_each(places, &kind, &kept),
            (None, None) => self.gather_or_row(places, &kind, &kept, mask.is_some()),
        };
        self.accessed();
        let r = match kind.ty {
            WORDS_8 => self.above_zero(&r),
            ty => self.words(ty, &r),
        };
        self.set(dst, &r);
    }

    /// Loads a row if the active lanes' elements are neighbours.
    fn gather_or_row(&mut self, places: &Places, kind: &Kind, kept: &str, masked: bool) -> String {
        let (holds, first) = self.are_neighbours(places, kind, masked);
        let row = |text: &mut Self| {
            let Kind { mask, ty, name, .. } = kind;
            match masked {
                false => text.value(&format!("load {ty}, ptr {first}, align 1")),
                true => text.call(
                    ty,
                    &format!("masked.load.{name}.p0"),
                    &[
                        format!("ptr {first}"),
                        "i32 1".to_owned(),
                        format!("<{} x i1> {mask}", places.count),
                        format!("{ty} {kept}"),
                    ],
                ),
            }
        };
        let each = |text: &mut Self| text.gather_each(places, kind, kept);
        self.either_value(&holds, kind.ty, row, each)
    }

    /// A channel of the elements at `x` of the linear memory that a fetch has found for a handle, or the mask of all
    /// lanes if none has.
    pub(super) fn fetch(
        &mut self,
        (dst, missed): (V, K),
        handle: Mem,
        channel: u32,
        x: V,
        mask: Option<K>,
    ) {
        let place = self.argument(args::ENV);
        let env = self.value(&format!("load ptr, ptr {place}, align 8"));
        let handle = self.load(handle, "i64", 4);
        let place = self.value(&format!("lshr i64 {handle}, {}", Textures::FIRST_BIT));
        let place = self.value(&format!("and i64 {place}, {}", Textures::COUNT - 1));
        let place = self.value(&format!("mul i64 {place}, {}", size_of::<Fetched>()));
        let place = self.value(&format!("add i64 {place}, {}", offset_of!(Env, textures)));
        let texture = self.value(&format!("getelementptr i8, ptr {env}, i64 {place}"));
        let words = offset_of!(Fetched, words);
        let [known, at, width, channels] = [
            (offset_of!(Fetched, handle), "i64"),
            (words + offset_of!(LinearWords, at), "i64"),
            (words + offset_of!(LinearWords, width), "i32"),
            (words + offset_of!(LinearWords, channels), "i32"),
        ]
        .map(|(at, ty)| {
            let place = self.value(&format!("getelementptr i8, ptr {texture}, i64 {at}"));
            self.value(&format!("load {ty}, ptr {place}, align 4"))
        });
        let other = self.value(&format!("icmp ne i64 {handle}, {known}"));
        let none = self.value(&format!("icmp eq i32 {width}, 0"));
        let unknown = self.value(&format!("or i1 {other}, {none}"));
        let bits = self.value(&format!("sext i1 {unknown} to i16"));
        self.set_mask(missed, bits);
        // A channel that the texture lacks is 0.
        let lacks = self.value(&format!("icmp ule i32 {channels}, {channel}"));
        let nothing = self.value(&format!("or i1 {unknown}, {lacks}"));
        let width = self.value(&format!("select i1 {nothing}, i32 0, i32 {width}"));
        let width = self.splatted("i32", 16, &width);
        let mut inside = self.value(&format!("icmp ult {WORDS} %v{}, {width}", x.0));
        if let Some(k) = mask {
            inside = self.value(&format!("and <16 x i1> {inside}, %k{}", k.0));
        }
        let stride = self.value(&format!("shl i32 {channels}, 2"));
        let stride = self.splatted("i32", 16, &stride);
        let places = Places {
            base: self.value(&format!("add i64 {at}, {}", 4 * channel)),
            index: self.value(&format!("mul {WORDS} %v{}, {stride}", x.0)),
            bits: 32,
            count: 16,
            known: None,
            row: None,
            linear: None,
        };
        let kind = Kind {
            mask: inside,
            ty: WORDS,
            name: "v16i32",
            bytes: 4,
        };
        let r = self.gather_or_row(&places, &kind, "zeroinitializer", true);
        self.accessed();
        self.set(dst, &r);
    }

    /// The address that all active lanes have, or that of memory that nobody reads if there are none.
    fn only_place(&mut self, places: &Places, offset: i64, kind: &Kind, masked: bool) -> String {
        let at = self.value(&format!("add i64 {}, {offset}", places.base));
        let place = self.value(&format!("inttoptr i64 {at} to ptr"));
        if !masked {
            return place;
        }
        let count = places.count;
        let bits = self.value(&format!("bitcast <{count} x i1> {} to i{count}", kind.mask));
        let any = self.value(&format!("icmp ne i{count} {bits}, 0"));
        self.value(&format!("select i1 {any}, ptr {place}, ptr %scratch"))
    }

    /// Loads what all active lanes load.
    fn load_once(&mut self, places: &Places, offset: i64, kind: &Kind, masked: bool) -> String {
        let place = self.only_place(places, offset, kind, masked);
        self.value(&format!("load {}, ptr {place}, align 1", kind.element()))
    }

    /// Stores the value of the last active lane where all store: the others' are overwritten.
    fn store_once(&mut self, places: &Places, offset: i64, kind: &Kind, value: &str, masked: bool) {
        let count = places.count;
        let place = self.only_place(places, offset, kind, masked);
        let last = match masked {
            false => (count - 1).to_string(),
            true => {
                let ty = format!("i{count}");
                let bits = self.value(&format!("bitcast <{count} x i1> {} to {ty}", kind.mask));
                let zeros = self.call(
                    &ty,
                    &format!("ctlz.{ty}"),
                    &[format!("{ty} {bits}"), "i1 false".to_owned()],
                );
                // Any lane if none is active.
                let lane = self.value(&format!("sub {ty} {}, {zeros}", count - 1));
                self.value(&format!("and {ty} {lane}, {}", count - 1))
            }
        };
        let index = if masked {
            format!("i{count}")
        } else {
            "i64".to_owned()
        };
        let one = self.value(&format!(
            "extractelement {} {value}, {index} {last}",
            kind.ty
        ));
        self.line(&format!(
            "store {} {one}, ptr {place}, align 1",
            kind.element()
        ));
    }

    fn gather_each(&mut self, places: &Places, kind: &Kind, kept: &str) -> String {
        let count = places.count;
        let pointers = self.pointers(places);
        let Kind { mask, ty, name, .. } = kind;
        self.call(
            ty,
            &format!("masked.gather.{name}.v{count}p0"),
            &[
                format!("<{count} x ptr> {pointers}"),
                "i32 1".to_owned(),
                format!("<{count} x i1> {mask}"),
                format!("{ty} {kept}"),
            ],
        )
    }

    pub(super) fn scatter(&mut self, from: V, places: &Places, wide: bool, mask: Option<K>) {
        let count = places.count;
        let kind = self.access_kind(count, wide, mask);
        let from = format!("%v{}", from.0);
        let value = match kind.ty {
            LONGS => self.longs(&from),
            WORDS_8 => self.part(&from, 0, 8),
            _ => from,
        };
        if let Some(offset) = same(places.known.as_deref()) {
            self.store_once(places, offset, &kind, &value, mask.is_some());
        } else if places.known.is_some() {
            self.scatter_each(places, &kind, &value, mask.is_some());
        } else {
            let (holds, first) = self.are_neighbours(places, &kind, mask.is_some());
            let row = |text: &mut Self| {
                let Kind { ty, name, .. } = &kind;
                match mask {
                    None => text.line(&format!("store {ty} {value}, ptr {first}, align 1")),
                    Some(_) => text.act(
                        &format!("masked.store.{name}.p0"),
                        &[
                            format!("{ty} {value}"),
                            format!("ptr {first}"),
                            "i32 1".to_owned(),
                            format!("<{count} x i1> {}", kind.mask),
                        ],
                    ),
                }
            };
            let each = |text: &mut Self| text.scatter_each(places, &kind, &value, mask.is_some());
            self.either(&holds, row, each);
        }
        self.accessed();
    }

    /// Stores to the lanes' addresses. Where the processor has no scatter, LLVM would branch for each lane of a mask,
    /// and the processor mispredict that; so the other lanes store to the scratch area.
    fn scatter_each(&mut self, places: &Places, kind: &Kind, value: &str, masked: bool) {
        let count = places.count;
        let pointers = self.pointers(places);
        let Kind { mask, ty, name, .. } = kind;
        if level() == Level::V4 || !masked {
            self.act(
                &format!("masked.scatter.{name}.v{count}p0"),
                &[
                    format!("{ty} {value}"),
                    format!("<{count} x ptr> {pointers}"),
                    "i32 1".to_owned(),
                    format!("<{count} x i1> {mask}"),
                ],
            );
            return;
        }
        let none = self.splatted("ptr", count, "%scratch");
        let to = self.value(&format!(
            "select <{count} x i1> {mask}, <{count} x ptr> {pointers}, <{count} x ptr> {none}"
        ));
        let element = kind.element();
        for lane in 0..count {
            let place = self.value(&format!("extractelement <{count} x ptr> {to}, i64 {lane}"));
            let one = self.value(&format!("extractelement {ty} {value}, i64 {lane}"));
            self.line(&format!("store {element} {one}, ptr {place}, align 1"));
        }
    }

    /// Loads neighbours of fewer than 32 bits in the lanes of a mask; the others are 0. Reading more than the lanes'
    /// elements does no harm within the page of an active one.
    pub(super) fn load_narrow(
        &mut self,
        mem: Mem,
        ty: &str,
        name: &str,
        bytes: u32,
        k: K,
    ) -> String {
        let mask = format!("%k{}", k.0);
        if level() == Level::V4 {
            return self.load_masked(mem, ty, name, 16, &mask);
        }
        let place = self.place(mem);
        let bits = self.mask_bits(Some(k));
        let any = self.value(&format!("icmp ne i16 {bits}, 0"));
        let at = self.value(&format!("ptrtoint ptr {place} to i64"));
        let at = self.value(&format!("and i64 {at}, {}", PAGE - 1));
        let last = PAGE - i64::from(bytes);
        let inside = self.value(&format!("icmp ule i64 {at}, {last}"));
        let whole = self.value(&format!("and i1 {any}, {inside}"));
        let row = |text: &mut Self| {
            let all = text.value(&format!("load {ty}, ptr {place}, align 1"));
            text.value(&format!(
                "select <16 x i1> {mask}, {ty} {all}, {ty} zeroinitializer"
            ))
        };
        let each = |text: &mut Self| {
            text.call(
                ty,
                &format!("masked.load.{name}.p0"),
                &[
                    format!("ptr {place}"),
                    "i32 1".to_owned(),
                    format!("<16 x i1> {mask}"),
                    format!("{ty} zeroinitializer"),
                ],
            )
        };
        let found = self.either_value(&whole, ty, row, each);
        self.accessed();
        found
    }

    /// Stores neighbours of fewer than 32 bits in the lanes of a mask, at once if that has all lanes.
    fn store_narrow(&mut self, to: Mem, ty: &str, name: &str, value: &str, k: K) {
        let mask = format!("%k{}", k.0);
        let some = Some((16, mask.as_str()));
        if level() == Level::V4 {
            return self.store(to, ty, name, value, some);
        }
        let bits = self.mask_bits(Some(k));
        let whole = self.value(&format!("icmp eq i16 {bits}, -1"));
        let row = |text: &mut Self| text.store(to, ty, name, value, None);
        let each = |text: &mut Self| text.store(to, ty, name, value, some);
        self.either(&whole, row, each);
    }

    pub(super) fn store_vector(
        &mut self,
        form: Form,
        from: V,
        to: Mem,
        mask: Option<K>,
    ) -> Option<()> {
        if let Mem::Scratch(offset) = to {
            match mask {
                None if (form.code, form.length) == (0x7f, 2) => self.stored.insert(offset, from),
                _ => self.stored.remove(&offset),
            };
        }
        let from = format!("%v{}", from.0);
        if let (Mem::Slot(_, 2), Some(_)) = (to, self.part) {
            // A local has the first lane's value.
            let from = self.longs(&from);
            let first = self.value(&format!("extractelement {LONGS} {from}, i64 0"));
            self.store(to, "i64", "", &first, None);
            return Some(());
        }
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
                match mask {
                    Some(k) => self.store_narrow(to, ty, name, &cut, k),
                    None => self.store(to, ty, name, &cut, None),
                }
            }
            _ => return None,
        }
        Some(())
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

    /// The number of 4 or 8 bytes that a lane has in the scratch area. That of a lane whose number is known is taken
    /// from the vector that was stored there: a load waits for the addresses of stores before it, here of other lanes.
    fn of_lane(&mut self, lane: Lane<'_>, bytes: u32, offset: i32) -> String {
        let ty = if bytes == 8 { "i64" } else { "i32" };
        if let Lane::Known(lane) = lane {
            let at = lane * bytes;
            let vector = self.stored.get(&(offset + (at & !63) as i32)).copied();
            if let Some(v) = vector {
                let from = format!("%v{}", v.0);
                let n = at % 64 / bytes;
                return match bytes {
                    8 => {
                        let longs = self.longs(&from);
                        self.value(&format!("extractelement {LONGS} {longs}, i64 {n}"))
                    }
                    _ => self.value(&format!("extractelement {WORDS} {from}, i64 {n}")),
                };
            }
        }
        let at = self.by_lane(&lane.to_string(), bytes, offset);
        self.value(&format!("load {ty}, ptr {at}, align {bytes}"))
    }

    pub(super) fn rmw(&mut self, op: Rmw, wide: bool, locked: bool, old: bool, mask: Option<K>) {
        let lane = |text: &mut Self, lane: Lane<'_>| text.rmw_lane(op, wide, locked, old, lane);
        let all = |text: &mut Self| (0..16).for_each(|n: u32| lane(text, Lane::Known(n)));
        let Some(k) = mask else {
            all(self);
            return self.accessed();
        };
        let bits = self.mask_bits(Some(k));
        let whole = self.value(&format!("icmp eq i16 {bits}, -1"));
        let [each, some, on] = [self.label(), self.label(), self.label()];
        self.line(&format!("br i1 {whole}, label %{each}, label %{some}"));
        self.block(&each);
        all(self);
        self.line(&format!("br label %{on}"));
        self.block(&some);
        let (at, names) = self.lane_loop(mask);
        lane(self, Lane::Named(&at));
        self.end_lane_loop(&names);
        self.line(&format!("br label %{on}"));
        self.block(&on);
        self.accessed();
    }

    /// Reads, changes and writes the number of a lane.
    fn rmw_lane(&mut self, op: Rmw, wide: bool, locked: bool, old: bool, lane: Lane<'_>) {
        let (ty, bytes) = if wide { ("i64", 8) } else { ("i32", 4) };
        let place = self.of_lane(lane, 8, 0);
        let place = self.value(&format!("inttoptr i64 {place} to ptr"));
        let value = self.of_lane(lane, bytes, OPERANDS);
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
            let at = self.by_lane(&lane.to_string(), bytes, RESULT);
            self.line(&format!("store {ty} {before}, ptr {at}, align {bytes}"));
        }
    }

    /// Stores the lanes' values one after the other.
    pub(super) fn store_lanes(&mut self, bytes: u8, mask: Option<K>) {
        let (lane, names) = self.lane_loop(mask);
        let at = self.by_lane(&lane, 8, 0);
        let place = self.value(&format!("load ptr, ptr {at}, align 8"));
        let at = self.by_lane(&lane, if bytes == 8 { 8 } else { 4 }, OPERANDS);
        let ty = format!("i{}", 8 * u32::from(bytes));
        let value = self.value(&format!("load {ty}, ptr {at}, align 4"));
        self.line(&format!("store {ty} {value}, ptr {place}, align 1"));
        self.end_lane_loop(&names);
        self.accessed();
    }
}

/// A lane, by its number or by the name of that.
#[derive(Clone, Copy)]
enum Lane<'a> {
    Known(u32),
    Named(&'a str),
}

impl fmt::Display for Lane<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lane::Known(lane) => lane.fmt(f),
            Lane::Named(lane) => f.write_str(lane),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::windows;

    #[test]
    fn words_of_two_vectors_are_taken_from_where_they_lie() {
        let every = |step: i64| (0..16).map(|n| n * step).collect::<Vec<_>>();
        let (low, second, lanes) = windows(&every(8)).expect("two vectors");
        assert_eq!((low, second), (0, 60));
        assert_eq!(lanes[..9], [0, 2, 4, 6, 8, 10, 12, 14, 17]);
        assert_eq!(lanes[15], 31);
        let (low, second, lanes) = windows(&every(-8)).expect("two vectors");
        assert_eq!((low, second), (-120, -60));
        assert_eq!((lanes[0], lanes[15]), (31, 0));
        for (step, why) in [(12, "too far"), (6, "between words"), (0, "all in one")] {
            assert_eq!(windows(&every(step)), None, "{why}");
        }
    }
}
