//! Locals of a function: the registers of a gang of one warp, which are in memory where the function is entered and
//! left.

use crate::analysis::uniformity::Uniformity;
use crate::ir::{Reg, Ty};
use crate::jit::plan::{APART, Plan};
use crate::jit::runtime::layout::{GANG_BYTES, Home, STEP, lane_bytes};
use crate::sys::level::{Level, level};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// Bytes that a shuffle may read before and after a slot.
const MARGIN: i64 = APART as i64 / 2;
/// Lanes of a warp.
const LANES: i64 = 32;

/// Kinds of values for lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One for each group of four lanes, in two bytes a lane. Locals have only that of the first lane of each half of
    /// the warp.
    Groups,
    Words,
    Longs,
    /// A bit for each lane.
    Masks,
}

impl Values {
    pub const ALL: [Values; 4] = [Values::Groups, Values::Words, Values::Longs, Values::Masks];

    /// The values of which a lane has so many bytes.
    pub fn of_bytes(bytes: u8) -> Values {
        match bytes {
            2 => Values::Groups,
            8 => Values::Longs,
            _ => Values::Words,
        }
    }

    /// What names of locals begin with.
    fn letter(self) -> char {
        match self {
            Values::Groups => 'G',
            Values::Words => 'L',
            Values::Longs => 'D',
            Values::Masks => 'M',
        }
    }

    /// The local with the pointer to the first lane's values in memory, at offset 0.
    pub fn memory(self) -> &'static str {
        match self {
            Values::Groups => "%R2",
            Values::Words => "%R4",
            Values::Longs => "%R8",
            Values::Masks => "%RM",
        }
    }

    /// Bytes of a warp's values.
    fn bytes(self) -> i64 {
        match self {
            Values::Groups => 2 * LANES,
            Values::Words => 4 * LANES,
            Values::Longs => 8 * LANES,
            Values::Masks => 2 * Values::mask_type().1,
        }
    }

    /// Bytes before and after them.
    fn margin(self) -> i64 {
        match self {
            Values::Words | Values::Longs => MARGIN,
            Values::Groups | Values::Masks => 0,
        }
    }

    /// The type of a group's mask in a local, and its bytes: before AVX-512 processors have masks in vectors.
    pub fn mask_type() -> (&'static str, i64) {
        match level() {
            Level::V4 => ("<16 x i1>", 2),
            _ => ("<16 x i32>", 64),
        }
    }

    /// What is copied at once: what code loads and stores, so that LLVM sees single values.
    fn piece(self) -> (&'static str, i64) {
        match self {
            Values::Groups => ("<4 x i64>", 32),
            Values::Words | Values::Longs => ("<16 x i32>", 64),
            Values::Masks => Values::mask_type(),
        }
    }
}

/// Place of a register.
#[derive(Clone, Copy)]
struct Place {
    reg: Reg,
    /// Kind and offset, if lanes have values of their own.
    lanes: Option<(Values, i64)>,
    /// Difference between neighbouring lanes, if groups have values.
    stride: i64,
    /// Offset in the gang's state, type, and whether a step follows.
    scalar: Option<(i64, &'static str, bool)>,
}

/// The locals of a plan.
pub struct Locals {
    places: Vec<Place>,
}

impl Locals {
    /// Returns a plan's locals, or `None` if it has registers of 128 bits that live across blocks.
    pub fn of(plan: &Plan) -> Option<Locals> {
        let place = |(reg, home): (Reg, Home)| {
            let steps = plan.shape.has_rows() && matches!(home.uniformity, Uniformity::Affine(_));
            let ty = match home.ty {
                Ty::Pred => "i8",
                Ty::B64 => "i64",
                Ty::B128 => return None,
                Ty::B8 | Ty::B16 | Ty::B32 => "i32",
            };
            let mut place = Place {
                reg,
                lanes: None,
                stride: home.uniformity.stride().unwrap_or(0),
                scalar: None,
            };
            match home.uniformity {
                Uniformity::PiecewiseAffine(_) => {
                    place.lanes = Some((Values::Groups, home.groups.into()));
                }
                Uniformity::Varying => {
                    let kind = match (home.ty, lane_bytes(home.ty)) {
                        (Ty::Pred, _) => Values::Masks,
                        (_, 8) => Values::Longs,
                        _ => Values::Words,
                    };
                    place.lanes = Some((kind, home.lanes.into()));
                }
                _ => place.scalar = Some((home.scalar.into(), ty, steps)),
            }
            Some(place)
        };
        let places = plan.layout.homes().map(place).collect::<Option<_>>()?;
        Some(Locals { places })
    }

    /// Their allocations.
    pub fn allocations(&self) -> String {
        let mut text = String::new();
        let mut seen = FxHashSet::default();
        for place in &self.places {
            if let Some((kind, at)) = place.lanes.filter(|&(_, at)| seen.insert(at)) {
                let bytes = kind.bytes() + 2 * kind.margin();
                let letter = kind.letter();
                let _ = writeln!(text, "  %{letter}{at} = alloca [{bytes} x i8], align 64");
            }
            if let Some((at, ty, steps)) = place.scalar {
                let _ = writeln!(text, "  %S{at} = alloca {ty}, align 8");
                if steps {
                    let _ = writeln!(text, "  %S{} = alloca {ty}, align 8", at + i64::from(STEP));
                }
            }
        }
        text
    }

    /// Clears the predicates of a group of lanes.
    pub fn no_masks(&self, group: i64) -> String {
        let (ty, bytes) = Values::mask_type();
        let mut text = String::new();
        for place in &self.places {
            if let Some((Values::Masks, at)) = place.lanes {
                let _ = writeln!(
                    text,
                    "  %M{at}g = getelementptr i8, ptr %M{at}, i64 {}\n  \
                     store {ty} zeroinitializer, ptr %M{at}g, align {bytes}",
                    bytes * group
                );
            }
        }
        text
    }

    /// Where the first lane's values are that have an offset in memory: a local and an offset in it, or `None` and the
    /// offset in memory if no register is there.
    pub fn place(&self, kind: Values, at: i64) -> (Option<String>, i64) {
        let own = |home: i64| {
            let from = at - home + kind.margin();
            (0..kind.bytes() + 2 * kind.margin()).contains(&from)
        };
        let places = self.places.iter().filter_map(|place| place.lanes);
        let found = places
            .filter(|(other, _)| *other == kind)
            .find(|&(_, home)| own(home));
        match found {
            Some((_, home)) => (
                Some(format!("%{}{home}", kind.letter())),
                at - home + kind.margin(),
            ),
            None => (None, at),
        }
    }

    /// Tells whether an offset in the masks is that of a predicate in a local.
    pub fn has_mask(&self, at: i64) -> bool {
        let mask = |place: &Place| place.lanes == Some((Values::Masks, at));
        self.places.iter().any(mask)
    }

    /// The local of what is at an offset of the gang's state, if it is a register's.
    pub fn scalar(&self, at: i64) -> Option<String> {
        (at >= i64::from(GANG_BYTES)).then(|| format!("%S{at}"))
    }

    /// Gives the first lane's value of a register, if lanes have none of their own.
    pub fn set(&self, reg: Reg, value: u32) -> Option<String> {
        let place = self.places.iter().find(|place| place.reg == reg)?;
        let (at, ty, _) = place.scalar?;
        Some(format!("  store {ty} {value}, ptr %S{at}\n"))
    }

    /// Copies registers from memory to locals, or to memory. Values have names that begin with `name`.
    pub fn copies(&self, regs: &[Reg], to_memory: bool, name: &str) -> String {
        let mut text = String::new();
        if regs.is_empty() {
            return text;
        }
        let bases = Values::ALL.map(Values::memory).into_iter();
        for base in bases.chain(["%Gang"]) {
            let letters = &base[1..];
            let _ = writeln!(text, "  %{name}{letters} = load ptr, ptr {base}");
        }
        let memory = |kind: Values| format!("%{name}{}", &kind.memory()[1..]);
        let mut number = 0;
        let mut copy = |ty: &str, local: (&str, i64), memory: (&str, i64)| {
            number += 1;
            let n = format!("{name}{number}");
            let (from, to) = match to_memory {
                true => (local, memory),
                false => (memory, local),
            };
            let _ = writeln!(
                text,
                "  %{n}f = getelementptr i8, ptr {}, i64 {}\n  \
                 %{n}v = load {ty}, ptr %{n}f, align 1\n  \
                 %{n}t = getelementptr i8, ptr {}, i64 {}\n  \
                 store {ty} %{n}v, ptr %{n}t, align 1",
                from.0, from.1, to.0, to.1
            );
        };
        for place in self.places.iter().filter(|place| regs.contains(&place.reg)) {
            if let Some((kind @ (Values::Words | Values::Longs), at)) = place.lanes {
                let local = format!("%{}{at}", kind.letter());
                let (ty, bytes) = kind.piece();
                for ahead in (0..kind.bytes()).step_by(bytes as usize) {
                    copy(
                        ty,
                        (&local, kind.margin() + ahead),
                        (&memory(kind), at + ahead),
                    );
                }
            }
            if let Some((at, ty, steps)) = place.scalar {
                let step = steps.then_some(at + i64::from(STEP));
                for at in [Some(at), step].into_iter().flatten() {
                    copy(ty, (&format!("%S{at}"), 0), (&format!("%{name}Gang"), at));
                }
            }
        }
        for place in self.places.iter().filter(|place| regs.contains(&place.reg)) {
            let own = |at: i64| format!("{name}p{at}");
            let of_kind = match place.lanes {
                Some((kind @ Values::Masks, at)) => {
                    mask_copies(at, to_memory, &memory(kind), &own(at))
                }
                Some((kind @ Values::Groups, at)) => {
                    let stride = place.stride;
                    group_copies(at, stride, to_memory, &memory(kind), &own(at))
                }
                Some((Values::Words | Values::Longs, _)) | None => continue,
            };
            text.push_str(&of_kind);
        }
        text
    }
}

/// Copies the values of groups from memory, which has one for every four lanes, to their local, or to memory.
fn group_copies(at: i64, stride: i64, to_memory: bool, memory: &str, name: &str) -> String {
    let (ty, bytes) = Values::Groups.piece();
    let mut text = String::new();
    for half in 0..2 {
        let n = format!("%{name}h{half}");
        let _ = writeln!(
            text,
            "  {n}m = getelementptr i8, ptr {memory}, i64 {}\n  {n}l = getelementptr i8, ptr %G{at}, i64 {}",
            at + bytes * half,
            bytes * half
        );
        let _ = match to_memory {
            false => writeln!(
                text,
                "  {n}v = load i64, ptr {n}m, align 8\n  store i64 {n}v, ptr {n}l, align 8"
            ),
            true => {
                let steps = [0, 4, 8, 12].map(|lane| format!("i64 {}", stride * lane));
                writeln!(
                    text,
                    "  {n}v = load i64, ptr {n}l, align 8\n  \
                     {n}i = insertelement {ty} poison, i64 {n}v, i64 0\n  \
                     {n}a = shufflevector {ty} {n}i, {ty} poison, <4 x i32> zeroinitializer\n  \
                     {n}s = add {ty} {n}a, <{}>\n  \
                     store {ty} {n}s, ptr {n}m, align 8",
                    steps.join(", ")
                )
            }
        };
    }
    text
}

/// Copies a predicate from memory, which has a bit for each lane, to its local, or to memory.
fn mask_copies(at: i64, to_memory: bool, masks: &str, name: &str) -> String {
    let (ty, bytes) = Values::mask_type();
    let mut text = String::new();
    for group in 0..2 {
        let n = format!("%{name}g{group}");
        let _ = writeln!(
            text,
            "  {n}m = getelementptr i8, ptr {masks}, i64 {}\n  {n}l = getelementptr i8, ptr %M{at}, i64 {}",
            at + 2 * group,
            bytes * group
        );
        let narrow = bytes == 2;
        let _ = match (to_memory, narrow) {
            (true, _) => writeln!(text, "  {n}v = load {ty}, ptr {n}l, align {bytes}"),
            (false, _) => writeln!(
                text,
                "  {n}b = load i16, ptr {n}m, align 2\n  {n}k = bitcast i16 {n}b to <16 x i1>"
            ),
        };
        let _ = match (to_memory, narrow) {
            (true, true) => writeln!(text, "  {n}b = bitcast {ty} {n}v to i16"),
            (true, false) => writeln!(
                text,
                "  {n}k = icmp slt {ty} {n}v, zeroinitializer\n  {n}b = bitcast <16 x i1> {n}k to i16"
            ),
            (false, true) => writeln!(text, "  store {ty} {n}k, ptr {n}l, align {bytes}"),
            (false, false) => writeln!(
                text,
                "  {n}v = sext <16 x i1> {n}k to {ty}\n  store {ty} {n}v, ptr {n}l, align {bytes}"
            ),
        };
        if to_memory {
            let _ = writeln!(text, "  store i16 {n}b, ptr {n}m, align 2");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shuffle_reads_beyond_a_slot_is_that_of_the_same_register() {
        let text = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %r<4>; \
            .reg .b64 %d; mov.u32 %r0, %tid.x; mul.lo.u32 %r0, %r0, %r0; bar.sync 0; ld.param.u64 %d, [p]; \
            st.global.u32 [%d], %r0; ret; }";
        let plan = Plan::for_test(text);
        let locals = Locals::of(&plan).expect("locals");
        let words = |place: &Place| place.lanes.filter(|(kind, _)| *kind == Values::Words);
        let mut found = 0;
        for (_, home) in locals.places.iter().filter_map(words) {
            for lanes in [-31, 0, 31] {
                let (name, at) = locals.place(Values::Words, home + 4 * lanes);
                let local = Some(format!("%L{home}"));
                assert_eq!((name, at), (local, MARGIN + 4 * lanes));
            }
            found += 1;
        }
        // `%tid` of every lane is in memory.
        assert_eq!(locals.place(Values::Words, 0), (None, 0));
        let scalars = locals
            .places
            .iter()
            .filter_map(|place| place.scalar)
            .count();
        assert!(found + scalars > 0, "no register lives across the barrier");
    }
}
