//! Initial values of variables: bytes, and addresses that are filled in when the variables have been allocated.

use super::{Program, Symbol};
use crate::ir::FuncId;
use cuox_ptx::ast::{self, Init, ScalarType, Span};
use cuox_ptx::diagnostic::Diagnostic;

/// The initial value of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Initial {
    /// The bytes without the addresses; the rest of the variable is zero.
    data: Vec<u8>,
    relocations: Vec<Relocation>,
    size: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Relocation {
    at: usize,
    /// The number of bytes that are stored.
    bytes: usize,
    target: Target,
    addend: i64,
    /// The value is shifted right by this number of bits,
    shift: u32,
    /// and then masked with these bits.
    mask: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Variable(u32),
    Function(FuncId),
}

impl Initial {
    /// Returns the whole value; `addresses[i]` is the address of variable `i`.
    pub fn bytes(&self, addresses: &[u64]) -> Vec<u8> {
        let mut out = self.data.clone();
        out.resize(self.size, 0);
        for r in &self.relocations {
            let base = match r.target {
                Target::Variable(index) => addresses.get(index as usize).copied().unwrap_or(0),
                Target::Function(id) => u64::from(id.0) + 1,
            };
            let value = base.wrapping_add_signed(r.addend) >> r.shift & r.mask;
            let bytes = value.to_le_bytes();
            out[r.at..r.at + r.bytes].copy_from_slice(&bytes[..r.bytes]);
        }
        out
    }

    /// Returns the functions whose handles the value contains.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.relocations.iter().filter_map(|r| match r.target {
            Target::Function(id) => Some(id),
            Target::Variable(_) => None,
        })
    }
}

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error("E-initial", span, message)))
}

/// Returns the dimensions of `v`; that of `x[] = {…}` is the length of the list.
fn dimensions(v: &ast::Variable) -> Vec<u64> {
    let mut dims = v.dims.clone();
    if let (Some(first @ 0), Some(Init::List(items))) = (dims.first_mut(), &v.init) {
        *first = items.len() as u64;
    }
    dims
}

/// Returns the size of `v` in bytes.
pub(super) fn size(v: &ast::Variable) -> u64 {
    product(&dimensions(v)).saturating_mul(v.element_size())
}

/// The largest size of initialised data; larger variables must be zero.
const MAX_DATA: u64 = 1 << 31;

/// Returns the initial value of `v`; `None` for all zeros.
pub(super) fn evaluate(program: &Program, v: &ast::Variable) -> Result<Option<Initial>> {
    let Some(init) = &v.init else { return Ok(None) };
    let size = size(v);
    if size > MAX_DATA {
        return fail(
            v.span,
            format!("`{}` is too large to be initialised", v.name),
        );
    }
    let mut writer = Writer {
        program,
        v,
        out: Initial {
            size: size as usize,
            ..Initial::default()
        },
    };
    let mut dims = dimensions(v);
    if v.vector > 1 {
        dims.push(u64::from(v.vector));
    }
    writer.write(init, &dims, 0)?;
    let out = writer.out;
    let zero = out.relocations.is_empty() && out.data.iter().all(|&b| b == 0);
    Ok((!zero).then_some(out))
}

fn product(dims: &[u64]) -> u64 {
    dims.iter().fold(1, |n, &d| n.saturating_mul(d))
}

struct Writer<'a> {
    program: &'a Program,
    v: &'a ast::Variable,
    out: Initial,
}

impl Writer<'_> {
    /// Writes `init`, which covers an array of `dims`, at byte `at`.
    fn write(&mut self, init: &Init, dims: &[u64], at: u64) -> Result<()> {
        match init {
            Init::List(items) => {
                let Some((&count, inner)) = dims.split_first() else {
                    return match items.as_slice() {
                        [one] if !matches!(one, Init::List(_)) => self.write(one, dims, at),
                        _ => fail(self.v.span, format!("`{}` is not an array", self.v.name)),
                    };
                };
                // A flat list may also initialise the inner dimensions.
                let flat = items.iter().all(|i| !matches!(i, Init::List(_)));
                let (step, limit, inner): (u64, u64, &[u64]) = if flat {
                    let all = product(dims);
                    (1, all, &[])
                } else {
                    (product(inner), count, inner)
                };
                if items.len() as u64 > limit {
                    return fail(
                        self.v.span,
                        format!("`{}` has more initial values than elements", self.v.name),
                    );
                }
                let step = step.saturating_mul(u64::from(self.v.ty.bytes()));
                for (i, item) in items.iter().enumerate() {
                    self.write(
                        item,
                        inner,
                        at.saturating_add(step.saturating_mul(i as u64)),
                    )?;
                }
                Ok(())
            }
            _ if dims.is_empty() => self.scalar(init, at as usize),
            _ => fail(
                self.v.span,
                format!("the initial value of `{}` requires braces", self.v.name),
            ),
        }
    }

    fn scalar(&mut self, init: &Init, at: usize) -> Result<()> {
        let ty = self.v.ty;
        let bytes = ty.bytes() as usize;
        let bits = match init {
            Init::Integer(value) => match ty {
                ScalarType::F32 => u64::from((*value as i64 as f32).to_bits()),
                ScalarType::F64 => (*value as i64 as f64).to_bits(),
                _ => *value,
            },
            Init::Float64(bits) => match (ty, bytes) {
                (ScalarType::F64, _) | (_, 8) => *bits,
                (ScalarType::F32, _) | (_, 4) => {
                    u64::from((f64::from_bits(*bits) as f32).to_bits())
                }
                _ => {
                    return fail(
                        self.v.span,
                        format!("a decimal constant cannot initialise `{ty}`"),
                    );
                }
            },
            Init::Float32(bits) => match (ty, bytes) {
                (ScalarType::F64, _) | (_, 8) => f64::from(f32::from_bits(*bits)).to_bits(),
                (_, 4) => u64::from(*bits),
                _ => {
                    return fail(
                        self.v.span,
                        format!("a float constant cannot initialise `{ty}`"),
                    );
                }
            },
            Init::Symbol {
                name,
                offset,
                mask,
                span,
                ..
            } => {
                let target = match self.program.symbol(name) {
                    Some(Symbol::Variable(index)) => Target::Variable(index),
                    Some(Symbol::Function(_)) => match self.program.function_id(name) {
                        Some(id) => Target::Function(id),
                        None => {
                            return fail(
                                *span,
                                format!("function `{name}` is not defined in this module"),
                            );
                        }
                    },
                    Some(Symbol::Shared(_)) => {
                        return Err(Box::new(Diagnostic::unsupported(
                            "E-initial",
                            *span,
                            format!(
                                "the address of shared variable `{name}` as an initial value is not supported yet"
                            ),
                        )));
                    }
                    None => return fail(*span, format!("`{name}` is not declared")),
                };
                let shift = mask.map_or(0, |m| m.trailing_zeros().min(63));
                self.out.relocations.push(Relocation {
                    at,
                    bytes: bytes.min(8),
                    target,
                    addend: *offset,
                    shift,
                    mask: mask.map_or(u64::MAX, |m| m >> shift),
                });
                0
            }
            Init::List(_) => {
                return fail(self.v.span, format!("`{}` is not an array", self.v.name));
            }
        };
        let end = at.saturating_add(bytes);
        if end > self.out.size {
            return fail(
                self.v.span,
                format!("`{}` has more initial values than elements", self.v.name),
            );
        }
        if self.out.data.len() < end {
            self.out.data.resize(end, 0);
        }
        let low = bytes.min(8);
        self.out.data[at..at + low].copy_from_slice(&bits.to_le_bytes()[..low]);
        Ok(())
    }
}
