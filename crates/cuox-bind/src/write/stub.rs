//! The stub of a module: types and documentation.

use std::collections::HashSet;
use std::fmt::Write;

use super::members::{self, Members};
use super::{Binding, is_flags, names, value_type};
use crate::decl::{Field, Header, Int, Place, Type, Variable};
use crate::plan::python::Names;
use crate::plan::{FunctionPlan, Ownership, ResultPlan, Role, has_count};
use crate::rules::swig::MemberKind;
use crate::words::{is_identifier, not_keyword};

/// The stub's text.
pub fn stub(binding: &Binding<'_>) -> String {
    let names = names(binding);
    let mut body = String::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for handle in &binding.plan.handles {
        if !seen.insert(&handle.name) {
            continue;
        }
        let ends = handle
            .destroy
            .map(|index| &binding.plan.functions[index as usize].name);
        let doc = match ends {
            Some(ends) => format!(
                "A handle. One that is yours is ended by {ends}() when it is closed or no longer used."
            ),
            None => "A handle, which stays the library's.".to_owned(),
        };
        let _ = writeln!(body, "class {}(Handle):", handle.name);
        document(&mut body, "    ", &doc);
        body.push('\n');
    }
    for (id, name) in &binding.plan.records {
        if seen.insert(name) {
            record(&mut body, binding, &names, *id, name);
        }
    }
    for (id, name) in &binding.plan.enums {
        if !seen.insert(name) {
            continue;
        }
        let enumeration = binding.header.enumeration(*id);
        let base = if is_flags(enumeration) {
            "IntFlag"
        } else {
            "IntEnum"
        };
        let _ = writeln!(body, "class {name}({base}):");
        let doc = enumeration.doc.as_deref().unwrap_or("");
        document(
            &mut body,
            "    ",
            &with_place(binding.header, doc, enumeration.place),
        );
        let mut members: HashSet<&str> = HashSet::new();
        for value in &enumeration.values {
            if is_identifier(&value.name) && members.insert(&value.name) {
                let _ = writeln!(body, "    {} = {}", value.name, value.value);
                if let Some(doc) = &value.doc {
                    document(&mut body, "    ", doc);
                }
            }
        }
        body.push('\n');
        for value in &enumeration.values {
            if is_identifier(&value.name) && seen.insert(&value.name) {
                let _ = writeln!(body, "{0}: Final = {name}.{0}", value.name);
            }
        }
        body.push('\n');
    }
    for (name, value) in &binding.plan.constants {
        if seen.insert(name) {
            let doc = binding.header.constants.iter().find(|it| it.name == *name);
            let _ = writeln!(body, "{name}: Final[{}]", value_type(value));
            if let Some(doc) = doc.and_then(|it| it.doc.as_deref()) {
                document(&mut body, "", doc);
            }
        }
    }
    for (index, name) in &binding.plan.variables {
        if seen.insert(name) {
            let variable = &binding.header.variables[*index as usize];
            let ty = variable_type(&names, variable);
            let ty = match variable.constant {
                true => format!("Final[{ty}]"),
                false => ty,
            };
            let _ = writeln!(body, "{name}: {ty}");
            document(&mut body, "", variable.doc.as_deref().unwrap_or(""));
        }
    }
    if binding.additions.variables && !binding.plan.variables.is_empty() && seen.insert("cvar") {
        let _ = writeln!(body, "cvar: Any");
    }
    for plan in &binding.plan.functions {
        if seen.insert(&plan.name) {
            function(&mut body, binding, &names, plan);
        }
    }
    for name in &binding.additions.exports {
        if seen.insert(name) {
            let _ = writeln!(body, "{name}: Any");
        }
    }
    head(binding, &body) + &body
}

/// The first lines: only the names that are used are imported.
fn head(binding: &Binding<'_>, body: &str) -> String {
    let used = |name: &str| {
        body.match_indices(name).any(|(at, _)| {
            let word = |letter: Option<char>| {
                letter.is_some_and(|letter| {
                    letter.is_alphanumeric() || letter == '_' || letter == '.'
                })
            };
            !word(body[..at].chars().next_back()) && !word(body[at + name.len()..].chars().next())
        })
    };
    let import = |module: &str, names: &[&str]| {
        let names: Vec<&str> = names.iter().copied().filter(|name| used(name)).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("from {module} import {}\n", names.join(", ")),
        }
    };
    let mut text = format!("\"\"\"{}\"\"\"\n# ruff: noqa\n\n", super::title(binding));
    let standard = [
        import("collections.abc", &["Callable"]),
        import("enum", &["IntEnum", "IntFlag"]),
        import("typing", &["Any", "Final"]),
    ]
    .concat();
    let own = [
        import("cuox_bind.bound", &["Address", "Text"]),
        import("cuox_bind", &["CArray", "Handle", "Pointer", "Record"]),
    ]
    .concat();
    for part in [standard, own] {
        if !part.is_empty() {
            text.push_str(&part);
            text.push('\n');
        }
    }
    text
}

fn record(
    text: &mut String,
    binding: &Binding<'_>,
    names: &Names<'_>,
    id: crate::decl::RecordId,
    name: &str,
) {
    let record = names.header.record(id);
    // Code of the interface file makes values of any type.
    let converted = |kind: MemberKind, field: &Field| {
        let mut members = binding.additions.members.iter();
        members.any(|it| it.kind == kind && it.record == record.name && it.name == field.name)
    };
    let _ = writeln!(text, "class {name}(Record):");
    let doc = record.doc.as_deref().unwrap_or("");
    document(text, "    ", &with_place(names.header, doc, record.place));
    let mut fields = Vec::new();
    flatten(names.header, &record.fields, &mut fields, 0);
    let mut seen = HashSet::new();
    let count = fields.len();
    fields.retain(|field| {
        is_identifier(&not_keyword(&field.name)) && seen.insert(field.name.as_str())
    });
    let named = record.fields.iter().map(|it| (it.name.as_str(), &it.ty));
    let counted = has_count(names.header, named);
    let parameters: Vec<String> = fields
        .iter()
        .map(|field| {
            let name = not_keyword(&field.name);
            let ty = number(field).unwrap_or_else(|| assigned(names, &field.ty));
            format!("{name}: {ty} = ...")
        })
        .collect();
    let members = Members::of(binding, &record.name);
    match members.constructor(names) {
        Some(taken) => {
            let comma = if taken.is_empty() { "" } else { ", " };
            let _ = writeln!(text, "    def __init__(self{comma}{taken}) -> None: ...");
        }
        None if parameters.is_empty() => text.push_str("    def __init__(self) -> None: ...\n"),
        None => {
            // Values without names are those of the first fields: all of these have to be here.
            let names_only = if fields.len() < count { "*, " } else { "" };
            let this = if seen.contains("self") {
                "this"
            } else {
                "self"
            };
            let _ = writeln!(
                text,
                "    def __init__({this}, {names_only}{}) -> None: ...",
                parameters.join(", ")
            );
        }
    }
    for field in fields {
        // Reading and writing have different types: numbers for pointers, lists for arrays.
        // A field wins over the method of that name that all records have.
        let own = [
            "address",
            "array",
            "copy",
            "from_address",
            "from_buffer",
            "getPtr",
        ];
        let hides = match own.contains(&field.name.as_str()) {
            true => "  # type: ignore[override]",
            false => "",
        };
        let _ = writeln!(
            text,
            "    @property{hides}\n    def {}(self) -> {}:",
            not_keyword(&field.name),
            match converted(MemberKind::Reads, field) {
                true => "Any".to_owned(),
                false => number(field).unwrap_or_else(|| field_type(
                    names,
                    &field.ty,
                    &field.name,
                    counted
                )),
            }
        );
        document(text, "        ", field.doc.as_deref().unwrap_or(""));
        text.push_str("        ...\n");
        let _ = writeln!(
            text,
            "    @{0}.setter\n    def {0}(self, value: {1}) -> None: ...",
            not_keyword(&field.name),
            match converted(MemberKind::Writes, field) {
                true => "Any".to_owned(),
                false => number(field).unwrap_or_else(|| assigned(names, &field.ty)),
            }
        );
    }
    members.write(text, binding, names);
    text.push('\n');
}

/// A bit-field of `char` is a number, not a character.
fn number(field: &Field) -> Option<String> {
    let character = matches!(field.ty, Type::Int(Int::Char));
    (field.bits.is_some() && character).then(|| "int".to_owned())
}

/// The fields of a record, and those of anonymous ones inside it.
fn flatten<'a>(header: &'a Header, fields: &'a [Field], into: &mut Vec<&'a Field>, depth: u32) {
    for field in fields {
        match header.resolve(&field.ty) {
            Type::Record(id) if field.name.is_empty() && depth < 16 => {
                flatten(header, &header.record(*id).fields, into, depth + 1);
            }
            _ => into.push(field),
        }
    }
}

/// The type that a field is read as.
fn field_type(names: &Names<'_>, ty: &Type, name: &str, counted: bool) -> String {
    match names.header.resolve(ty) {
        Type::Array { of, length } => match (names.header.resolve(of), length) {
            (Type::Int(Int::Char), Some(_)) => "str".to_owned(),
            (_, None) => "Pointer".to_owned(),
            _ => "CArray".to_owned(),
        },
        _ => names.held(ty, name, counted),
    }
}

/// The type that a variable is read as. A `char` and constant text are what functions give.
fn variable_type(names: &Names<'_>, variable: &Variable) -> String {
    match names.header.resolve(&variable.ty) {
        Type::Int(Int::Char) => "str".to_owned(),
        Type::Array { of, .. }
            if variable.constant && *names.header.resolve(of) == Type::Int(Int::Char) =>
        {
            "str".to_owned()
        }
        _ => field_type(names, &variable.ty, &variable.name, false),
    }
}

/// The types that can be assigned to a field.
fn assigned(names: &Names<'_>, ty: &Type) -> String {
    match names.header.resolve(ty) {
        Type::Array { .. } => "Any".to_owned(),
        Type::Pointer { .. } => match names.taken(ty, &Role::Input { nullable: true }) {
            text if names.handle(ty).is_some() => format!("{text} | int"),
            text => format!("{text} | str | bytes"),
        },
        _ => names.taken(ty, &Role::Input { nullable: false }),
    }
}

fn function(text: &mut String, binding: &Binding<'_>, names: &Names<'_>, plan: &FunctionPlan) {
    let declared = &names.header.functions[plan.function as usize];
    let signature = members::signature(binding, names, plan);
    let _ = writeln!(text, "def {}{signature}:", plan.name);
    let mut doc = declared.doc.clone().unwrap_or_default();
    if !doc.is_empty() {
        doc.push_str("\n\n");
    }
    let _ = write!(doc, "C: {}", names.header.prototype(declared));
    if let ResultPlan::Handle {
        ownership: Ownership::Borrowed,
        ..
    } = plan.result.usual()
    {
        doc.push_str("\n\nThe result stays the library's.");
    }
    if let Some(reason) = &declared.deprecated {
        let _ = write!(doc, "\n\nDeprecated. {reason}");
    }
    document(
        text,
        "    ",
        &with_place(names.header, &doc, declared.place),
    );
    text.push_str("    ...\n\n");
}

fn with_place(header: &Header, doc: &str, place: Place) -> String {
    match header.files.get(place.file as usize) {
        Some(file) if doc.is_empty() => format!("{file}:{}", place.line),
        Some(file) => format!("{doc}\n\n{file}:{}", place.line),
        None => doc.to_owned(),
    }
}

/// A docstring. Whatever a comment has in it stays inside.
fn document(text: &mut String, indent: &str, doc: &str) {
    let doc = doc.trim();
    if doc.is_empty() {
        // A class needs a body.
        if !indent.is_empty()
            && text.ends_with(":\n")
            && text
                .trim_end()
                .rsplit('\n')
                .next()
                .is_some_and(|line| line.starts_with("class "))
        {
            let _ = writeln!(text, "{indent}...");
        }
        return;
    }
    let clean: String = doc
        .chars()
        .filter(|letter| *letter == '\n' || *letter == '\t' || !letter.is_control())
        .collect();
    let escaped = clean
        .replace('\\', "\\\\")
        .replace("\"\"\"", "\\\"\\\"\\\"");
    let mut lines = escaped.lines();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let _ = write!(text, "{indent}\"\"\"{first}");
    if rest.is_empty() {
        // A quotation mark at the end would join the closing ones.
        let space = if first.ends_with('"') { " " } else { "" };
        let _ = writeln!(text, "{space}\"\"\"");
        return;
    }
    text.push('\n');
    for line in rest {
        match line.trim() {
            "" => text.push('\n'),
            _ => {
                let _ = writeln!(text, "{indent}{}", line.trim_end());
            }
        }
    }
    let _ = writeln!(text, "{indent}\"\"\"");
}
