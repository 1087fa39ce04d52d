//! Under which name code is kept: 128 bits that stand for everything it depends on.

use crate::jit::code;
use crate::jit::compile::{Part, Plan};
use crate::jit::wide;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// A hash of 128 bits: SipHash twice, from different beginnings. It is there for what happens by accident; that nobody puts files in the
/// directory on purpose is up to the directory's permissions.
pub struct Digest([DefaultHasher; 2]);

impl Digest {
    /// Nothing yet.
    pub fn new() -> Digest {
        let halves = [1, 2].map(|n: u64| {
            let mut half = DefaultHasher::new();
            half.write_u64(n);
            half
        });
        Digest(halves)
    }

    /// The hash of what was written.
    pub fn bytes(&self) -> [u8; 16] {
        let [a, b] = &self.0;
        let both = u128::from(a.finish()) << 64 | u128::from(b.finish());
        both.to_le_bytes()
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        for half in &mut self.0 {
            half.write(bytes);
        }
    }

    fn finish(&self) -> u64 {
        self.0[0].finish()
    }
}

/// The name of a kernel's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key of a part of the code that this engine makes of a plan on this machine, unless it makes none.
    pub fn of(plan: &Plan, part: Part) -> Option<Key> {
        let mut digest = Digest::new();
        engine()?.hash(&mut digest);
        (plan, part).hash(&mut digest);
        Some(Key(digest.bytes()))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The code generators, by their sources, and what they know of this machine.
fn engine() -> Option<&'static str> {
    static ENGINE: OnceLock<Option<String>> = OnceLock::new();
    let describe = || {
        let isa = code::isa().ok()?;
        let machine: Vec<String> = isa.isa_flags().iter().map(ToString::to_string).collect();
        Some(format!(
            "{} {} {} cranelift {} {} {} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            env!("CUOX_SIMT_SOURCES"),
            cfg!(debug_assertions),
            cranelift_codegen::VERSION,
            isa.triple(),
            isa.flags(),
            machine.join(" "),
            wide::features(),
        ))
    };
    ENGINE.get_or_init(describe).as_deref()
}

/// Everything that code generation reads; what the rest follows from is enough.
impl Hash for Plan {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Plan {
            func,
            live: _,
            kept,
            group_loops,
            superblocks: _,
            nans_alike,
            classes,
            layout,
            shape,
            local_bytes,
            static_shared,
            param_bytes,
            entries,
            pieces: _,
            has_barrier,
            unordered: _,
            looks: _,
            wide,
            partial,
            has_cluster_barrier,
            // They follow from the code.
            spins: _,
            stack_bytes: _,
            steady: _,
            numbers: _,
        } = self;
        func.regs.hash(state);
        func.blocks.len().hash(state);
        for block in &func.blocks {
            // Not its lines: a fault looks them up in the plan.
            (&block.insts, &block.end, block.mask).hash(state);
        }
        (kept, classes, layout, shape).hash(state);
        (group_loops, nans_alike).hash(state);
        (local_bytes, static_shared, param_bytes, entries).hash(state);
        (has_barrier, wide, partial, has_cluster_barrier).hash(state);
    }
}
