//! Cooperative groups: `cuda.cg.this_grid().sync()`.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{INT32, Type};

/// The function of a path.
pub fn find(path: &str) -> Option<Builtin> {
    Some(match path {
        "cg.this_grid" => |frame, _, arguments| {
            let [] = arguments.exactly()?;
            frame.need("grid_group");
            frame.program.is_cooperative = true;
            Ok(Expr::new(Type::Opaque("grid_group".into()), "grid_group{}").into())
        },
        _ => return None,
    })
}

/// True for methods of groups.
pub fn is_method(name: &str) -> bool {
    matches!(name, "sync")
}

/// A method of a group.
pub fn method(
    frame: &mut Frame<'_, '_>,
    group: Expr,
    _class: &str,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    let [] = arguments.exactly()?;
    if name != "sync" {
        return Err(Failure::new(
            Code::Attribute,
            format!("a grid group has no method '{name}'"),
        ));
    }
    frame.code.statement(format!("{}.sync();", group.text));
    Ok(Operand::known(Value::Typed(INT32, Box::new(Value::Int(0)))))
}
