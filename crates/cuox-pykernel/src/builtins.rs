//! What kernels can use without defining it: Python's builtins, `math`, NumPy's functions, CUDA's.
//!
//! A thing is known by its dotted path ([`crate::host::Value::Path`]). A *value* is read (`cuda.threadIdx.x`), a
//! *function* is called. Each family is a file with a `find` for its functions.

pub mod array;
pub mod cuda;
pub mod math;
pub mod number;
pub mod python;
mod ufunc;

use crate::collective::Part;
use crate::diagnostic::{Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame, Library};
use crate::operand::Operand;
use crate::types::Type;

/// All of it, for the compiler.
pub static LIBRARY: Library = Library {
    value,
    call,
    collective: cuda::collective::call,
    shared: cuda::collective::declarations,
    attribute,
    method,
    cast: number::cast,
    operator: number::operator,
    comparison: number::comparison,
};

/// A function that kernels call.
pub type Builtin = fn(&mut Frame<'_, '_>, &str, Arguments) -> Result<Operand>;

/// The function of a path: the path's last part is passed to it.
fn find(path: &str) -> Option<Builtin> {
    let (module, name) = path.rsplit_once('.')?;
    match module {
        "builtins" => python::find(name),
        "math" | "numpy" | "cmath" => math::find(module, name)
            .or_else(|| number::find(name))
            .or_else(|| array::find(module, name))
            .or_else(|| python::find(name).filter(|_| path == "numpy.divmod")),
        "operator" => python::find_operator(name),
        _ if module == "cuda" || module.starts_with("cuda.") => {
            cuda::find(path.strip_prefix("cuda.")?)
        }
        _ => None,
    }
}

/// The functions of a namespace of CUDA's that has many (`libdevice`, `fp16`, `bf16`), each with what it takes and
/// returns. Empty for unknown ones.
pub fn documented(namespace: &str) -> Vec<(String, String)> {
    match namespace {
        "libdevice" => cuda::libdevice::documented(),
        other => cuda::half::documented(other),
    }
}

/// Calls the function of a path; `None` if there is none.
pub(crate) fn call(
    frame: &mut Frame<'_, '_>,
    path: &str,
    arguments: Arguments,
) -> Option<Result<Operand>> {
    let builtin = find(path)?;
    let name = path.rsplit_once('.').map_or(path, |(_, name)| name);
    Some(match ufunc::call(frame, path, arguments, builtin) {
        Ok(done) => done,
        Err(arguments) => builtin(frame, name, arguments),
    })
}

/// The value of a path that is one: `cuda.threadIdx.x`.
pub(crate) fn value(frame: &mut Frame<'_, '_>, path: &str) -> Option<Result<Operand>> {
    cuda::value(frame, path.strip_prefix("cuda.")?)
}

/// An attribute of a value.
pub(crate) fn attribute(frame: &mut Frame<'_, '_>, object: Operand, name: &str) -> Result<Operand> {
    if let Operand::Value(value) = &object {
        match value.ty.clone() {
            Type::Array(ty) => {
                if let Some(found) = array::attribute(frame, value, &ty, name) {
                    return found;
                }
            }
            Type::Record(record) => {
                if let Some(field) = record.field(name) {
                    let value = value.clone();
                    return frame.record_field(&value, field);
                }
                return Err(Failure::no_attribute(object.described(), name));
            }
            Type::Vector(element, count) => {
                return cuda::vector::attribute(value, &element, count, name)
                    .ok_or_else(|| Failure::no_attribute(object.described(), name));
            }
            Type::Tuple(tuple) => {
                if let Some((_, names)) = &tuple.names
                    && let Some(index) = names.iter().position(|known| known == name)
                {
                    return Ok(frame.tuple_item(value, index, &tuple.items[index]).into());
                }
            }
            Type::Never => return Ok(object),
            ty if ty.is_number() => {
                if let Some(found) = number::attribute(frame, value, name) {
                    return found;
                }
            }
            _ => {}
        }
    }
    if let Operand::Constant(Value::Type(ty)) = &object
        && let Some(found) = number::type_attribute(ty, name)
    {
        return Ok(found);
    }
    if let Operand::Constant(Value::Collective(collective)) = &object
        && let Some(found) = cuda::collective::attribute(collective, name)
    {
        return Ok(found);
    }
    if let (Operand::Constant(Value::Part(Part::Items(items))), "items_per_thread") =
        (&object, name)
    {
        return Ok(Operand::known(Value::Int(i128::from(items.items))));
    }
    if let (Operand::Method(array, method), "data") = (&object, name)
        && method == "ctypes"
        && let Operand::Value(array) = &**array
    {
        let text = format!("uint64({}.data)", array.text);
        return Ok(crate::operand::Expr::new(crate::types::UINT64, text).into());
    }
    if is_method(&object, name) {
        return Ok(Operand::Method(Box::new(object), name.to_owned()));
    }
    // A member of an enumeration is told as its value.
    if name == "value" && is_member_value(&object) {
        return Ok(object);
    }
    let failure = Failure::no_attribute(object.described(), name);
    Err(if name == "name" && is_member_value(&object) {
        failure.help(
            "a member of an enumeration is its value in kernels: .value can be read, .name cannot",
        )
    } else {
        failure
    })
}

/// True for what members of enumerations stand for.
fn is_member_value(object: &Operand) -> bool {
    match object {
        Operand::Value(value) => value.ty.is_number() || value.ty.as_tuple().is_some(),
        Operand::Constant(value) => matches!(value, Value::Str(_) | Value::Bytes(_) | Value::None),
        Operand::Tuple(_) => true,
        _ => false,
    }
}

fn is_method(object: &Operand, name: &str) -> bool {
    match object {
        Operand::Value(value) => match &value.ty {
            Type::Array(_) => array::is_method(name),
            Type::Tuple(_) => matches!(name, "index" | "count"),
            Type::Opaque(_) => cuda::is_method(name),
            ty => ty.is_number() && number::is_method(name),
        },
        Operand::Tuple(_) => matches!(name, "index" | "count"),
        Operand::Constant(Value::Collective(one)) => cuda::collective::has_step(one, name),
        Operand::Constant(Value::Part(Part::Scratch(_))) => name == "reserve",
        Operand::Constant(Value::Part(Part::Group(_))) => cuda::collective::group::is_method(name),
        Operand::Slice(_) => name == "indices",
        _ => false,
    }
}

/// Calls a method.
pub(crate) fn method(
    frame: &mut Frame<'_, '_>,
    object: Operand,
    name: &str,
    arguments: Arguments,
) -> Result<Operand> {
    match &object {
        Operand::Slice(parts) => frame.slice_indices(parts, arguments),
        Operand::Constant(Value::Collective(one)) => {
            cuda::collective::step(frame, one, name, arguments)
        }
        Operand::Constant(Value::Part(Part::Scratch(scratch))) => {
            cuda::collective::group::reserve(frame, scratch, arguments)
        }
        Operand::Constant(Value::Part(Part::Group(threads))) => {
            cuda::collective::group::method(frame, *threads, name, arguments)
        }
        Operand::Value(value) => match value.ty.clone() {
            Type::Array(ty) => {
                let value = value.clone();
                array::method(frame, value, &ty, name, arguments)
            }
            Type::Opaque(class) => {
                let value = value.clone();
                cuda::method(frame, value, &class, name, arguments)
            }
            ty if ty.is_number() => {
                let value = value.clone();
                number::method(frame, value, name, arguments)
            }
            _ => python::tuple_method(frame, object, name, arguments),
        },
        _ => python::tuple_method(frame, object, name, arguments),
    }
}
