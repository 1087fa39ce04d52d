//! Golden files of IR: the result of each pass, and the facts of each analysis.
//!
//! `filetests/ir/NAME/*.ir` are for the pass or analysis NAME. A file begins with `// # ` and what it shows. Lines
//! `// key: value` say what the pass is given besides the IR ([`Case`]); the IR of a function or of a unit follows. The
//! last lines begin with `//! ` and hold the result: the IR after the pass, or the IR with the facts behind its lines.
//! `CUOX_BLESS=1` writes them anew.

mod facts;
mod results;
mod tests;

use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::shape::Shape;
use crate::analysis::uniformity::UniformityInfo;
use crate::ir::{Function, Reg, Terminator, Unit};
use crate::verify::{Kind, verify_function};

/// A pass or an analysis: its name, and what gives its result as text.
type Subject = (&'static str, fn(&Case) -> Result<String, String>);

/// The input of a pass or an analysis.
struct Case {
    /// The function, and those that it calls if the file has a unit.
    unit: Unit,
    /// `shape: 24,4,1`: the block that gang mode is for, a line of 256 threads by default; `shape: warp`: gangs of one
    /// warp.
    shape: Shape,
    /// `narrow: true`: code is narrow.
    narrow: bool,
    /// `kept: %1 %2`, and alike: sets of registers that come with masked copies.
    kept: RegSet,
    own: RegSet,
    varying: RegSet,
    steady: Vec<Reg>,
}

/// Facts about a function that passes for gangs take.
struct Analysed {
    live: Liveness,
    uniformity: UniformityInfo,
}

/// The keys of [`Case`].
const KEYS: [&str; 6] = ["shape", "narrow", "kept", "own", "varying", "steady"];

impl Case {
    fn new(text: &str) -> Result<Case, String> {
        let unit = match text.contains("\nshared ") {
            true => text.parse::<Unit>(),
            false => text.parse::<Function>().map(|kernel| Unit {
                kernel,
                functions: Vec::new(),
                static_shared: 0,
            }),
        }
        .map_err(|e| e.to_string())?;
        for function in std::iter::once(&unit.kernel).chain(&unit.functions) {
            verified(function)?;
        }
        let comments = text.lines().filter_map(|line| line.strip_prefix("// "));
        let mut given: Vec<(&str, &str)> = Vec::new();
        for line in comments.filter(|line| !line.starts_with('#')) {
            match line.split_once(": ") {
                Some((key, value)) if KEYS.contains(&key) => given.push((key, value)),
                _ => return Err(format!("expected a key of {KEYS:?} and its value: {line}")),
            }
        }
        let value = |key: &str| {
            given
                .iter()
                .find(|(k, _)| *k == key)
                .map(|(_, value)| *value)
        };
        let count = unit.kernel.regs.len();
        let regs = |key: &str| -> Result<Vec<Reg>, String> {
            let number = |reg: &str| {
                let number = reg.strip_prefix('%').and_then(|n| n.parse().ok());
                let number = number.filter(|&n: &u32| (n as usize) < count);
                number.map(Reg).ok_or(format!("no register: `{reg}`"))
            };
            value(key)
                .unwrap_or_default()
                .split_whitespace()
                .map(number)
                .collect()
        };
        let set = |key: &str| -> Result<RegSet, String> {
            let mut set = RegSet::new(count);
            regs(key)?.into_iter().for_each(|reg| _ = set.insert(reg));
            Ok(set)
        };
        let narrow = value("narrow") == Some("true");
        let shape = match value("shape").unwrap_or("256,1,1") {
            "warp" => Shape::Warp,
            "half warps" => Shape::HalfWarps,
            extents => {
                let extents = extents.split(',');
                let extents: Vec<u32> = extents.filter_map(|extent| extent.parse().ok()).collect();
                let block = extents
                    .try_into()
                    .map_err(|_| "a shape has three extents, or is `warp` or `half warps`")?;
                Shape::of(block, unit.has_barrier(), !narrow)
            }
        };
        Ok(Case {
            shape,
            narrow,
            kept: set("kept")?,
            own: set("own")?,
            varying: set("varying")?,
            steady: regs("steady")?,
            unit,
        })
    }

    fn func(&self) -> &Function {
        &self.unit.kernel
    }

    fn analysed(&self) -> Analysed {
        let func = self.func();
        let live = Liveness::new(func, &self.kept, &self.own);
        let uniformity = UniformityInfo::new(
            func,
            &live,
            &self.varying,
            &self.steady,
            self.shape,
            func.local_bytes,
        );
        Analysed { live, uniformity }
    }
}

/// Returns a function's kind: only device functions return.
fn kind(function: &Function) -> Kind {
    let returns = |end: &Terminator| *end == Terminator::Return;
    match function.blocks.iter().any(|block| returns(&block.end)) {
        true => Kind::Function,
        false => Kind::Kernel,
    }
}

fn verified(function: &Function) -> Result<(), String> {
    let errors = verify_function(function, kind(function), None);
    let lines = errors.iter().map(ToString::to_string);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(lines.collect::<Vec<_>>().join("\n")),
    }
}
