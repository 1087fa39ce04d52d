//! Docstrings of bound declarations, from their comments.

use super::{FunctionPlan, Plan, ResultPlan, StatusStyle, Success};
use crate::decl::Header;
use crate::decl::doxygen::{Comment, docstring, fill, has_commands, notes, section};
use crate::words::is_identifier;

/// The header with comments as docstrings. The plan says which parameters Python takes, and which it gets.
pub fn readable(header: &Header, plan: &Plan) -> Header {
    let mut made = header.clone();
    for function in &plan.functions {
        let at = function.function as usize;
        if let Some(doc) = header.functions.get(at).and_then(|it| it.doc.as_deref())
            && let Some(declared) = made.functions.get_mut(at)
        {
            declared.doc = some(of_function(header, function, doc));
        }
    }
    for record in &mut made.records {
        read(&mut record.doc);
        record.fields.iter_mut().for_each(|it| read(&mut it.doc));
    }
    for enumeration in &mut made.enums {
        read(&mut enumeration.doc);
        let values = enumeration.values.iter_mut();
        values.for_each(|it| read(&mut it.doc));
    }
    made.typedefs.iter_mut().for_each(|it| read(&mut it.doc));
    made.variables.iter_mut().for_each(|it| read(&mut it.doc));
    made.constants.iter_mut().for_each(|it| read(&mut it.doc));
    made
}

fn read(doc: &mut Option<String>) {
    *doc = doc.take().and_then(|text| some(docstring(&text)));
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn of_function(header: &Header, plan: &FunctionPlan, doc: &str) -> String {
    if !has_commands(doc) {
        return docstring(doc);
    }
    let comment = Comment::read(doc);
    let declared = &header.functions[plan.function as usize];
    let mut parts = comment.text.clone();
    let (mut taken, mut given) = (Vec::new(), Vec::new());
    for (names, text) in &comment.parameters {
        // `\param a,b` is about both.
        let known = names.split(',').find_map(|name| {
            let at = declared
                .parameters
                .iter()
                .position(|it| it.name == name.trim())?;
            Some((at, plan.parameters.get(at)?))
        });
        let Some((_, parameter)) = known else {
            if !text.is_empty() {
                taken.push(format!("{names}: {text}"));
            }
            continue;
        };
        let name = match names.contains(',') {
            true => names.as_str(),
            false => parameter.name.as_str(),
        };
        if text.is_empty() {
            continue;
        }
        if parameter.role.is_taken() {
            taken.push(format!("{name}: {text}"));
        }
        if parameter.role.is_returned() {
            given.push(format!("{name}: {text}"));
        }
    }
    if !taken.is_empty() {
        parts.push(section("Parameters", &taken));
    }
    let raised = match plan.result.usual() {
        ResultPlan::Status { success, style, .. } if *style != StatusStyle::Tuple => {
            Some(failures(header, success, &comment.returns))
        }
        _ => None,
    };
    if raised.is_none() {
        given.splice(0..0, comment.returns.iter().cloned());
    }
    if !given.is_empty() {
        parts.push(section("Returns", &given));
    }
    if let Some(raised) = raised.filter(|text| !text.is_empty()) {
        parts.push(fill(&format!("Raises CallError: {raised}"), "", "    "));
    }
    parts.extend(notes(&comment));
    parts.join("\n\n")
}

/// What a comment says of the codes that are returned, without those that mean success if it only lists them.
fn failures(header: &Header, success: &Success, returns: &[String]) -> String {
    let text = returns.join("; ");
    let codes: Vec<&str> = text
        .split(|letter: char| matches!(letter, ',' | ';') || letter.is_whitespace())
        .map(|code| code.trim_end_matches('.'))
        .filter(|code| !code.is_empty())
        .collect();
    if !codes.iter().all(|code| is_identifier(code)) {
        return text;
    }
    let value = |name: &str| {
        let values = header.enums.iter().flat_map(|it| &it.values);
        values
            .filter(|it| it.name == name)
            .map(|it| it.value)
            .next()
    };
    let good = |value: i128| match success {
        Success::Zero => value == 0,
        Success::NonZero => value != 0,
        Success::NotNegative => value >= 0,
        Success::OneOf(codes) => codes.iter().any(|code| i128::from(*code) == value),
    };
    let codes: Vec<&str> = codes
        .into_iter()
        .filter(|code| !value(code).is_some_and(good))
        .collect();
    codes.join(", ")
}
