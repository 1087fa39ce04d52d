//! A plan in words.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::python::{Names, success};
use super::types::spell;
use super::{
    CallbackLife, Extent, Failure, FunctionPlan, Gil, Output, Ownership, ParameterPlan, Plan,
    ResultPlan, Role, StatusStyle, TextOwnership, Unit, Why,
};
use crate::decl::{Header, Place, Type};

/// The way in which a function is called, with reasons: by its name in Python or in C. `None` if there is no such
/// function.
pub fn function(header: &Header, plan: &Plan, name: &str) -> Option<String> {
    let c_name = |it: &FunctionPlan| &header.functions[it.function as usize].name;
    let by_python = plan.functions.iter().find(|it| it.name == name);
    let found = by_python.or_else(|| plan.functions.iter().find(|it| c_name(it) == name));
    if let Some(found) = found {
        return Some(one(&Names::new(header, plan), found));
    }
    let (name, reason) = plan.left_out.iter().find(|(left, _)| left == name)?;
    Some(format!("{name} is not bound: {reason}\n"))
}

/// A whole header: its handles and every function.
pub fn header(header: &Header, plan: &Plan) -> String {
    let names = Names::new(header, plan);
    let mut text = String::new();
    for handle in &plan.handles {
        let of = match handle.of {
            super::HandleOf::Pointer(id) => format!("{} *", header.c_type(&Type::Record(id))),
            super::HandleOf::PointerTo(id) => format!("{} *", header.typedef(id).name),
            super::HandleOf::Typedef(id) => header.typedef(id).name.clone(),
        };
        let _ = writeln!(text, "handle {} (C: {of})", handle.name);
        because(&mut text, &handle.why);
        match handle.destroy {
            Some(destroy) => {
                let name = &plan.functions[destroy as usize].name;
                let _ = writeln!(text, "    owned ones are ended by {name}");
                because(&mut text, handle.destroy_why.as_ref().unwrap_or(&Why::Type));
            }
            None => text.push_str("    nothing ends one\n"),
        }
        text.push('\n');
    }
    for function in &plan.functions {
        text.push_str(&one(&names, function));
        text.push('\n');
    }
    if !plan.left_out.is_empty() {
        text.push_str("not bound\n");
        for (name, reason) in &plan.left_out {
            let _ = writeln!(text, "    {name}: {reason}");
        }
    }
    text
}

/// The number of declarations that are bound, and the declarations that are not, with reasons.
pub fn table(header: &Header, plan: &Plan) -> String {
    let refused = header.refused.iter().filter(|it| it.kind == "function");
    let functions = header.functions.len() + refused.count();
    let rows = [
        ("functions in the header", functions),
        ("functions bound", plan.functions.len()),
        ("handles", plan.handles.len()),
        ("records", plan.records.len()),
        ("enumerations", plan.enums.len()),
        ("constants", plan.constants.len()),
        ("variables", plan.variables.len()),
        ("left out", plan.left_out.len()),
    ];
    let mut text = format!("{}\n", header.name);
    for (what, count) in rows {
        let _ = writeln!(text, "  {what:<24}{count:>7}");
    }
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, reason) in &plan.left_out {
        reasons.entry(reason).or_default().push(name);
    }
    for (reason, names) in reasons {
        let shown = names.iter().take(6).copied().collect::<Vec<_>>().join(", ");
        let more = match names.len() {
            0..=6 => String::new(),
            count => format!(", … ({count})"),
        };
        let _ = writeln!(text, "  {shown}{more}\n      {reason}");
    }
    text
}

fn because(text: &mut String, why: &Why) {
    let _ = match why {
        Why::Type => Ok(()),
        Why::Guess(reason) => writeln!(text, "        guess: {reason}"),
        Why::Rule(place) => writeln!(text, "        rule: {place}"),
        Why::Asked => writeln!(text, "        as was asked for the whole binding"),
    };
}

fn place(header: &Header, place: Place) -> String {
    let file = header.files.get(place.file as usize);
    file.map_or_else(String::new, |file| format!("{file}:{}", place.line))
}

fn one(names: &Names<'_>, function: &FunctionPlan) -> String {
    let header = names.header;
    let declared = &header.functions[function.function as usize];
    let mut text = format!("{}{}\n", function.name, names.signature(function));
    let _ = writeln!(text, "    C: {};", header.prototype(declared));
    let place = place(header, declared.place);
    if !place.is_empty() {
        let _ = writeln!(text, "       {place}");
    }
    for (plan, parameter) in function.parameters.iter().zip(&declared.parameters) {
        let _ = writeln!(
            text,
            "    {}: {}",
            plan.name,
            parameter_words(names, function, plan, &parameter.ty)
        );
        because(&mut text, &plan.why);
        if let Some(extent) = &plan.extent {
            let _ = writeln!(text, "        at least {}", extent_words(function, extent));
            because(&mut text, &extent.why);
        }
    }
    let _ = writeln!(text, "    result: {}", result_words(names, function));
    because(&mut text, &function.result_why);
    if let ResultPlan::Errno { failure, why, .. } = &function.result {
        let when = failure_words(*failure);
        let _ = writeln!(text, "    errno: if it is set, {when} raises OSError");
        because(&mut text, why);
    }
    let gil = match function.gil {
        Gil::Hold => "kept",
        Gil::Auto => "given up if there are other Python threads or callbacks",
        Gil::Release => "given up during the call",
        Gil::Python => "kept; an exception that C sets is raised",
    };
    let _ = writeln!(text, "    GIL: {gil}");
    because(&mut text, &function.gil_why);
    text
}

/// A name behind its article.
fn a(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

fn or_none(nullable: bool) -> &'static str {
    if nullable { ", or None" } else { "" }
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Elements => "elements",
        Unit::Bytes => "bytes",
    }
}

fn parameter_words(
    names: &Names<'_>,
    function: &FunctionPlan,
    plan: &ParameterPlan,
    ty: &Type,
) -> String {
    let other = |index: u32| {
        let other = function.parameters.get(index as usize);
        other.map_or("?", |other| other.name.as_str()).to_owned()
    };
    let pointed = match names.header.resolve(ty) {
        Type::Pointer { to, constant } => Some((&**to, *constant)),
        _ => None,
    };
    let mut words = match &plan.role {
        Role::Input { nullable } => match pointed {
            None => format!(
                "{} (C: {})",
                names.taken(ty, &plan.role),
                names.header.c_type(ty)
            ),
            Some((_, constant)) => format!(
                "anything with an address{}; C {} there",
                or_none(*nullable),
                if constant {
                    "reads"
                } else {
                    "may read and write"
                }
            ),
        },
        Role::Text { nullable } => format!(
            "text: str (as UTF-8), bytes or a path{}",
            or_none(*nullable)
        ),
        Role::Memory { nullable, writable } => {
            let of = match pointed {
                Some((Type::Void, _)) | None => String::new(),
                Some((to, _)) => format!(" of {}", names.header.c_type(to)),
            };
            format!(
                "memory{of}: a buffer, an array or an address{}; C {} it",
                or_none(*nullable),
                if *writable { "may write" } else { "only reads" }
            )
        }
        Role::Handle {
            handle,
            nullable,
            consumed,
            by_address,
        } => {
            let name = &names.plan.handles[*handle as usize].name;
            let address = if *by_address {
                ", passed by address"
            } else {
                ""
            };
            let ends = if *consumed {
                "; it is closed by the call"
            } else {
                ""
            };
            format!("{}{}{address}{ends}", a(name), or_none(*nullable))
        }
        Role::Callback {
            nullable,
            user_data,
            life,
        } => {
            let life = match life {
                CallbackLife::Call => "during the call only",
                CallbackLife::Kept => {
                    "as long as it likes: the callable is kept alive until it is closed"
                }
            };
            let data = user_data.map_or_else(String::new, |data| {
                format!(
                    "; its argument {} is hidden (user data, passed by {})",
                    data.argument,
                    other(data.parameter)
                )
            });
            format!(
                "a callable{}, which C may call {life}{data}",
                or_none(*nullable)
            )
        }
        Role::Output(output) => {
            let what = match output {
                Output::Value => match pointed {
                    Some((to, _)) => {
                        format!("{} (C: {})", names.given(to), names.header.c_type(to))
                    }
                    None => "a value".to_owned(),
                },
                Output::Handle { handle, ownership } => {
                    format!(
                        "{}, {}",
                        a(&names.plan.handles[*handle as usize].name),
                        owner(names.plan, *handle, *ownership)
                    )
                }
                Output::Text { ownership, .. } => {
                    format!("text, {}", text_owner(names.plan, *ownership))
                }
                Output::Buffer {
                    length,
                    unit: counted,
                } => format!(
                    "what C wrote into a buffer of {} {}",
                    other(*length),
                    unit(*counted)
                ),
                Output::Room { bytes, .. } => format!("what C wrote into {bytes} bytes"),
            };
            format!("not taken; returned: {what}")
        }
        Role::InOut => format!(
            "{}, taken and returned as C has changed it",
            names.taken(ty, &plan.role)
        ),
        Role::Pointed => format!(
            "{}, of which C gets the address",
            names.taken(ty, &plan.role)
        ),
        Role::Edited {
            returned,
            nullable,
            room,
            ..
        } => {
            let most = room.map_or_else(String::new, |room| format!(" of at most {room} bytes"));
            match returned {
                true => format!("text{most}, taken and returned as C has changed it"),
                false => format!(
                    "text, of which C gets a copy, or memory{}",
                    or_none(*nullable)
                ),
            }
        }
        Role::Counter => "not taken; C writes a length there".to_owned(),
        Role::Texts { nullable } => format!("a sequence of texts{}", or_none(*nullable)),
        Role::Object => "any object, which C code of the interface file converts".to_owned(),
        Role::Rest => "not taken; the tuple of the further arguments".to_owned(),
        Role::Length { of, unit: counted } => {
            format!(
                "not taken; the length of {} in {}",
                other(*of),
                unit(*counted)
            )
        }
        Role::Fixed(value) => format!("not taken; always {}", spell(value)),
    };
    if let Some(check) = plan.check {
        let _ = write!(words, "; {} or ValueError", check.words());
    }
    if let Some(default) = &plan.default {
        let _ = write!(words, "; {} if it is left out", spell(default));
    }
    words
}

/// The amount of memory that a parameter needs.
fn extent_words(function: &FunctionPlan, extent: &Extent) -> String {
    let name = |index: u32| {
        let parameter = function.parameters.get(index as usize);
        parameter.map_or("?", |parameter| parameter.name.as_str())
    };
    let amount = match (extent.of, extent.plus) {
        (None, plus) => plus.to_string(),
        (Some(of), 0) => name(of).to_owned(),
        (Some(of), plus) if plus < 0 => format!("{} - {}", name(of), plus.unsigned_abs()),
        (Some(of), plus) => format!("{} + {plus}", name(of)),
    };
    let mut words = format!("{amount} {}", unit(extent.unit));
    if let (Some(rows), None, 1) = (extent.rows, extent.of, extent.plus)
        && rows.unit == Unit::Elements
    {
        return format!(
            "{} elements, each |{}| behind the one before",
            name(rows.count),
            name(rows.pitch)
        );
    }
    if let Some(rows) = extent.rows {
        let (count, pitch) = (name(rows.count), name(rows.pitch));
        let _ = write!(
            words,
            " in each of {count} rows, {pitch} {} apart",
            unit(rows.unit)
        );
    }
    words
}

fn owner(plan: &Plan, handle: u32, ownership: Ownership) -> String {
    match ownership {
        Ownership::Borrowed => "which stays the library's".to_owned(),
        Ownership::Owned => {
            let destroy = plan.handles[handle as usize].destroy;
            let by = destroy.map_or("nothing", |index| {
                plan.functions[index as usize].name.as_str()
            });
            format!(
                "which is the caller's and is ended by {by} when it is closed or no longer used"
            )
        }
    }
}

fn text_owner(plan: &Plan, ownership: TextOwnership) -> String {
    match ownership {
        TextOwnership::Borrowed => "copied; the original stays the library's".to_owned(),
        TextOwnership::Owned(free) => {
            let by = free.map_or("free", |index| plan.functions[index as usize].name.as_str());
            format!("copied; the original is freed by {by}")
        }
    }
}

fn failure_words(failure: Failure) -> String {
    match failure {
        Failure::Result(0) => "a null result".to_owned(),
        Failure::Result(result) => format!("a result of {result}"),
        Failure::Status => "a failure".to_owned(),
        Failure::Set => "whatever is returned".to_owned(),
    }
}

fn result_words(names: &Names<'_>, function: &FunctionPlan) -> String {
    let declared = &names.header.functions[function.function as usize];
    match function.result.usual() {
        // There is one of those at most.
        ResultPlan::Errno { .. } => String::new(),
        ResultPlan::Nothing => "nothing".to_owned(),
        ResultPlan::Value => format!(
            "{} (C: {})",
            names.given(&declared.result),
            names.header.c_type(&declared.result)
        ),
        ResultPlan::Object => "an object that C code of the interface file makes".to_owned(),
        ResultPlan::Text { ownership } => {
            format!(
                "text, or None for null; {}",
                text_owner(names.plan, *ownership)
            )
        }
        ResultPlan::Handle {
            handle,
            ownership,
            null_raises,
        } => format!(
            "{}, {}; null {}",
            a(&names.plan.handles[*handle as usize].name),
            owner(names.plan, *handle, *ownership),
            if *null_raises {
                "raises CallError"
            } else {
                "is None"
            }
        ),
        ResultPlan::Status {
            success: codes,
            style,
            text,
        } => {
            let text = text.map(|index| names.plan.functions[index as usize].name.as_str());
            let style = match (style, text) {
                (StatusStyle::Tuple, _) => {
                    "; returned first, with the outputs behind it".to_owned()
                }
                (StatusStyle::Value, _) => {
                    "; a failure raises CallError, any other is returned".to_owned()
                }
                (StatusStyle::Raise, None) => "; a failure raises CallError".to_owned(),
                (StatusStyle::Raise, Some(text)) => {
                    format!("; a failure raises CallError, with the text of {text}")
                }
            };
            format!("a status: {}{style}", success(codes))
        }
    }
}
