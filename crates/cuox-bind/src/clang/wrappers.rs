//! Inline functions that only call another function with their own arguments.
//!
//! A header may give functions of one version names that stay: `static inline int create(int n) { return create_v13(n);
//! }`. No library exports `create`, but `create_v13` is the same function.

use clang_sys::*;

use super::cursor::{Cursor, Unit};
use super::reader::Reader;
use super::types::doc;

/// Makes such functions known as the functions that they call; `unit` has the bodies of functions.
pub fn read(reader: &mut Reader<'_>, unit: &Unit) {
    if reader.statics.is_empty() {
        return;
    }
    let functions = unit.root().children().into_iter();
    for wrapper in functions.filter(|cursor| cursor.kind() == CXCursor_FunctionDecl) {
        let name = wrapper.name();
        let Some(&declared) = reader.statics.get(&name) else {
            continue;
        };
        let Some(target) = forwards_to(wrapper) else {
            continue;
        };
        let Some(function) = reader.rename(&name, &target.name()) else {
            continue;
        };
        // The documentation is at the declaration with the public name.
        function.doc = doc(declared).or(function.doc.take());
        function.deprecated = declared.deprecated().or(function.deprecated.take());
        for (index, parameter) in function.parameters.iter_mut().enumerate() {
            parameter.name = declared.argument(index as u32).name();
        }
        let place = reader.files.place(declared.location());
        reader.placed(&name, place);
        reader.header.refused.retain(|refused| refused.name != name);
    }
}

/// The function that another one does nothing but call, with its own parameters in order.
fn forwards_to(wrapper: Cursor<'_>) -> Option<Cursor<'_>> {
    let body = wrapper.children().into_iter().next_back()?;
    let [statement] = body.children()[..] else {
        return None;
    };
    if body.kind() != CXCursor_CompoundStmt {
        return None;
    }
    let call = match statement.kind() {
        CXCursor_ReturnStmt => statement.children().first()?.bare(),
        _ => statement.bare(),
    };
    if call.kind() != CXCursor_CallExpr {
        return None;
    }
    let parts = call.children();
    let (callee, arguments) = parts.split_first()?;
    let target = callee.bare().referenced();
    let count = u32::try_from(wrapper.argument_count()).ok()?;
    let are_own = |(index, argument): (u32, &Cursor<'_>)| {
        let argument = argument.bare();
        argument.kind() == CXCursor_DeclRefExpr && argument.referenced() == wrapper.argument(index)
    };
    let same = target.kind() == CXCursor_FunctionDecl
        && arguments.len() == count as usize
        && (0..count).zip(arguments).all(are_own)
        && unqualified(target) == unqualified(wrapper);
    same.then_some(target)
}

/// A function's type without `const` and the like: a pointer is passed in the same way whatever its pointee.
fn unqualified(function: Cursor<'_>) -> String {
    let mut text = function.ty().canonical().spelling();
    for qualifier in ["const", "restrict", "volatile"] {
        text = text.replace(qualifier, "");
    }
    text.retain(|c| !c.is_whitespace());
    text
}
