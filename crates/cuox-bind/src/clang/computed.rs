//! Macros whose value C has to compute: records, calls, variables behind pointers.
//!
//! Each is a variable of the header without a symbol of a library; code that a compiler makes finds its place.

use std::collections::HashSet;

use clang_sys::*;

use super::cursor::{Cursor, Ty, Unit};
use super::diagnostic::Severity;
use super::reader::Reader;
use super::types;
use crate::decl::{Function, Place, Type, Variable};

/// Name of the functions in which the macros are used; a number follows.
const USE: &str = "cuox_use_";

/// The line that uses a macro as an expression inside of a function.
pub fn line(index: usize, name: &str) -> String {
    format!(
        "static void {USE}{index}(__typeof__(({name})) *cuox_at) {{ __typeof__(({name})) cuox_value = ({name}); }}"
    )
}

/// A macro that is an expression, by its number.
pub struct Computed {
    pub index: usize,
    ty: Type,
    constant: bool,
}

/// The macros of those lines that are expressions with a type that is known.
pub fn find(reader: &Reader<'_>, unit: &Unit) -> Vec<Computed> {
    let errors: HashSet<(String, u32)> = unit
        .diagnostics()
        .into_iter()
        .filter(|it| it.severity >= Severity::Error)
        .map(|it| (it.file, it.line))
        .collect();
    let mut found = Vec::new();
    for function in unit.root().children() {
        if function.kind() != CXCursor_FunctionDecl {
            continue;
        }
        let name = function.name();
        let Some(index) = name.strip_prefix(USE).and_then(|it| it.parse().ok()) else {
            continue;
        };
        let location = function.location();
        if errors.contains(&(unit.file_name(location.file), location.line)) {
            continue;
        }
        let pointed = function.argument(0).ty().canonical().pointee();
        let Some(ty) = known(reader, pointed, 0) else {
            continue;
        };
        // What is not a variable's place is a value, which nobody can assign to.
        let constant = pointed.is_const() || !is_place(function);
        found.push(Computed {
            index,
            ty,
            constant,
        });
    }
    found
}

/// Makes a variable of a macro.
pub fn declare(
    reader: &mut Reader<'_>,
    macro_: &Computed,
    name: &str,
    place: Place,
    doc: Option<String>,
) {
    if reader.variables.contains_key(name) || reader.functions.contains_key(name) {
        return;
    }
    reader
        .variables
        .insert(name.to_owned(), reader.header.variables.len());
    reader.header.variables.push(Variable {
        name: name.to_owned(),
        symbol: format!("{}{name}", Function::INLINE),
        ty: macro_.ty.clone(),
        constant: macro_.constant,
        doc,
        place,
    });
}

/// True if the expression in a function is a variable or a part of one.
fn is_place(function: Cursor<'_>) -> bool {
    let body = function.children().into_iter().next_back();
    let variable = body
        .and_then(|body| body.children().first().copied())
        .and_then(|statement| statement.children().first().copied());
    let value = variable.and_then(|variable| variable.children().last().copied());
    let mut value = match value {
        Some(value) => value,
        None => return false,
    };
    while let CXCursor_ParenExpr | CXCursor_UnexposedExpr = value.kind() {
        match value.children().last() {
            Some(inner) => value = *inner,
            None => return false,
        }
    }
    match value.kind() {
        CXCursor_DeclRefExpr => value.referenced().kind() == CXCursor_VarDecl,
        CXCursor_ArraySubscriptExpr => true,
        // The fields of a result, or of a record that is written there, are in no variable.
        CXCursor_MemberRefExpr => value.children().first().is_none_or(|of| {
            of.ty().canonical().kind() == CXType_Pointer
                || !matches!(
                    of.bare().kind(),
                    CXCursor_CallExpr | CXCursor_CompoundLiteralExpr
                )
        }),
        // `*p`: of the operators only this one has a pointer for its operand and something else for its value.
        CXCursor_UnaryOperator => value.children().first().is_some_and(|of| {
            of.ty().canonical().kind() == CXType_Pointer
                && of.ty().canonical().pointee().canonical().spelling()
                    == value.ty().canonical().spelling()
        }),
        _ => false,
    }
}

/// A type of another unit in which the same headers are read.
fn known(reader: &Reader<'_>, ty: Ty<'_>, depth: u32) -> Option<Type> {
    let header = &reader.header;
    let position = |matches: &dyn Fn(&str, bool) -> bool| {
        let records = header.records.iter();
        records
            .map(|it| (&it.name, it.tagged))
            .position(|(name, tagged)| matches(name, tagged))
    };
    let ty = ty.canonical();
    match ty.kind() {
        CXType_Void if depth > 0 => Some(Type::Void),
        CXType_Bool => Some(Type::Bool),
        CXType_Float | CXType_Double | CXType_LongDouble => match types::float(ty) {
            Type::Other(_) => None,
            ty => Some(ty),
        },
        CXType_Complex => match known(reader, ty.element(), depth + 1)? {
            Type::Float(float) => Some(Type::Complex(float)),
            _ => None,
        },
        CXType_Pointer if depth < 8 => {
            let to = ty.pointee();
            Some(Type::Pointer {
                constant: types::is_const(to),
                to: known(reader, to, depth + 1)?.into(),
            })
        }
        CXType_Record => {
            let named = types::tag_of(ty.declaration());
            let found = position(&|name, tagged| *name == *named.0 && tagged == named.1)?;
            Some(Type::Record(crate::decl::RecordId(found as u32)))
        }
        CXType_Enum => {
            let (name, tagged) = types::tag_of(ty.declaration());
            let found = header
                .enums
                .iter()
                .position(|it| it.name == name && it.tagged == tagged)?;
            Some(Type::Enum(crate::decl::EnumId(found as u32)))
        }
        _ => types::int(ty).map(Type::Int),
    }
}
