//! CUDA's things: `cuda.*` of `cuox.numba`.

pub mod atomic;
pub mod cache_hints;
pub mod collective;
pub mod group;
pub mod half;
pub mod integer;
pub mod libdevice;
pub mod memory;
pub mod print;
pub mod random;
pub mod thread;
pub mod vector;
pub mod warp;

use super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};

/// The function of a path behind `cuda.`.
pub fn find(path: &str) -> Option<Builtin> {
    if let Some(name) = path.strip_prefix("atomic.") {
        return atomic::find(name);
    }
    if let Some(name) = path.strip_prefix("libdevice.") {
        return libdevice::find(name);
    }
    if let Some(name) = path.strip_prefix("coop.") {
        return collective::single::find(name);
    }
    if let Some(name) = path.strip_prefix("random.") {
        return random::find(name);
    }
    thread::find(path)
        .or_else(|| memory::find(path))
        .or_else(|| warp::find(path))
        .or_else(|| integer::find(path))
        .or_else(|| group::find(path))
        .or_else(|| cache_hints::find(path))
        .or_else(|| half::find(path))
}

/// The value of a path behind `cuda.`.
pub fn value(frame: &mut Frame<'_, '_>, path: &str) -> Option<Result<Operand>> {
    thread::value(frame, path)
}

/// True for methods of groups and the like.
pub fn is_method(name: &str) -> bool {
    group::is_method(name)
}

/// A method of an object that only CUDA has.
pub fn method(
    frame: &mut Frame<'_, '_>,
    value: Expr,
    class: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    if is_method(name) {
        return group::method(frame, value, class, name, arguments);
    }
    Err(Failure::new(
        Code::Attribute,
        format!("{class} has no method '{name}'"),
    ))
}
