//! `cwstring.i` and `wchar.i`: text of `wchar_t`. C code makes it of UTF-8, which the functions that are bound take and
//! give.

use super::super::{
    Located, OutputRule, ParameterKey, ParameterRule, ResultRule, RoleRule, RuleError, RulePlace,
};
use super::declaration::{function_rule, parameter_rule};
use super::parameter::{Declared, parameter, parameters};
use super::scan::split;
use super::{Interface, constant, typemap};
use crate::decl::Value;

/// The directives.
pub(super) const NAMES: [&str; 9] = [
    "cwstring_input_binary",
    "cwstring_bounded_output",
    "cwstring_chunk_output",
    "cwstring_bounded_mutable",
    "cwstring_mutable",
    "cwstring_output_maxsize",
    "cwstring_output_withsize",
    "cwstring_output_allocate",
    "cwstring_output_allocate_size",
];

/// The most characters that a directive may ask for.
const MOST: i128 = 1 << 26;

/// C code that the functions need.
const HELPERS: &str = r#"
#include <wchar.h>
static wchar_t *cuox_widen(const char *text, size_t length, size_t most, size_t more, size_t *count) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    wchar_t *made = (wchar_t *)calloc((length < most ? length : most) + more + 1, sizeof(wchar_t));
    size_t n = 0;
    while (made && at < end && n < most) {
        unsigned c = *at++, rest = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
        if (rest) c &= 0x3f >> rest;
        while (rest-- && at < end) c = c << 6 | (*at++ & 0x3f);
        made[n++] = (wchar_t)c;
    }
    *count = made ? n : 0;
    return made;
}
static size_t cuox_narrow(const wchar_t *text, size_t length, char **made) {
    if (length == (size_t)-1) length = text ? wcslen(text) : 0;
    unsigned char *to = (unsigned char *)malloc(length * 4 + 1), *start = to;
    *made = (char *)start;
    for (size_t i = 0; start && i < length; i++) {
        unsigned c = (unsigned)text[i];
        if (c > 0x10ffff) c = 0xfffd;
        if (c < 0x80) { *to++ = c; continue; }
        int rest = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        *to++ = (unsigned char)(0xff00 >> (rest + 1)) | c >> rest * 6;
        while (rest--) *to++ = 0x80 | (c >> rest * 6 & 0x3f);
    }
    if (start) *to = 0;
    return to - start;
}
"#;

/// Parameters with text of `wchar_t`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wide {
    parameters: Vec<(String, String)>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Text that C reads.
    Text,
    /// Text and its length.
    Counted,
    /// Memory of so many characters that C writes; `whole` if it does not end at the NUL.
    Room { count: u32, whole: bool },
    /// Text that C changes: of at most so many characters, to which C may add some.
    Edited { most: Option<u32>, more: u32 },
    /// Memory of as many characters as the caller says; C says how many it has written if that is a pointer.
    Sized { told: bool },
    /// Memory that C makes, and code that frees it; C says how many characters it has.
    Made { free: String, told: bool },
}

/// Reads a directive's arguments.
pub(super) fn cwstring(
    name: &str,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    let error = |message: &str| RuleError::new(at, format!("%{name} {message}"));
    let given = split(options);
    let count = |text: &str| match constant::number(interface.meaning(text.trim()).trim()) {
        Some(Value::Int(size)) if (0..=MOST).contains(&size) => u32::try_from(size).ok(),
        _ => None,
    };
    let two = ["input_binary", "output_maxsize", "output_withsize"];
    let word = name.trim_start_matches("cwstring_");
    let (parameters, kind) = match (word, &given[..]) {
        (word, [_, _]) if two.contains(&word) => {
            let kind = match word {
                "input_binary" => Kind::Counted,
                word => Kind::Sized {
                    told: word == "output_withsize",
                },
            };
            (parameters(options, at)?, kind)
        }
        ("output_allocate", [text, free]) => (
            vec![parameter(text, at)?],
            Kind::Made {
                free: (*free).to_owned(),
                told: false,
            },
        ),
        ("output_allocate_size", [text, size, free]) => (
            vec![parameter(text, at)?, parameter(size, at)?],
            Kind::Made {
                free: (*free).to_owned(),
                told: true,
            },
        ),
        ("mutable", [text]) => (
            vec![parameter(text, at)?],
            Kind::Edited {
                most: None,
                more: 0,
            },
        ),
        ("bounded_output" | "chunk_output" | "bounded_mutable" | "mutable", [text, size]) => {
            let count =
                count(size).ok_or_else(|| error("takes a parameter and a number of characters"))?;
            let kind = match word {
                "mutable" => Kind::Edited {
                    most: None,
                    more: count,
                },
                "bounded_mutable" => Kind::Edited {
                    most: Some(count),
                    more: count,
                },
                word => Kind::Room {
                    count,
                    whole: word == "chunk_output",
                },
            };
            (vec![parameter(text, at)?], kind)
        }
        _ => {
            return Err(error(
                "does not take these arguments; docs/bind.md names its file",
            ));
        }
    };
    // Functions of headers have no code here that could change their text.
    let reason = format!("%{name} is about functions that the interface file declares: declare it");
    let roles = vec![RoleRule::Refused(reason); parameters.len()];
    typemap::add(parameters.clone(), roles, at, interface);
    interface.wide.push(Wide { parameters, kind });
    Ok(())
}

/// The directive for the parameters that begin a list.
fn wide(rest: &[Declared], interface: &Interface) -> Option<Wide> {
    let whole = RulePlace::whole("");
    let read = |it: &Declared| parameter(&it.text, &whole).ok();
    let fits = |it: &Declared, of: &(String, String)| {
        read(it).is_some_and(|known| known.0 == of.0 && (of.1.is_empty() || of.1 == known.1))
    };
    let found = interface.wide.iter().rev().find(|wide| {
        wide.parameters.len() <= rest.len()
            && wide
                .parameters
                .iter()
                .zip(rest)
                .all(|(of, it)| fits(it, of))
    });
    if let Some(found) = found {
        return Some(found.clone());
    }
    let known = read(rest.first()?)?;
    let text = interface.has_wide_text && ["wchar_t*", "constwchar_t*"].contains(&known.0.as_str());
    text.then(|| Wide {
        parameters: vec![known],
        kind: Kind::Text,
    })
}

/// A function with text of `wchar_t`: one is bound that calls it, with UTF-8. `false` if there is no such text.
pub(super) fn wrapper(
    result: &str,
    name: &str,
    parameters: &[Declared],
    from: &super::super::FunctionRule,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<bool, RuleError> {
    let result: Vec<&str> = result
        .split_whitespace()
        .filter(|word| !["extern", "static", "inline"].contains(word))
        .collect();
    let result = result.join(" ");
    let plain: String = result.chars().filter(|it| !it.is_whitespace()).collect();
    let gives = interface.has_wide_text && ["wchar_t*", "constwchar_t*"].contains(&plain.as_str());
    if !gives && (0..parameters.len()).all(|it| wide(&parameters[it..], interface).is_none()) {
        return Ok(false);
    }
    let own = format!("cuox_wide_{name}");
    let mut rule = function_rule(&own, at);
    rule.name = Some(Located {
        value: name.to_owned(),
        at: at.clone(),
    });
    let (mut taken, mut outputs) = (Vec::new(), Vec::new());
    let (mut given, mut before, mut after) = (Vec::new(), String::new(), String::new());
    let mut place = 0;
    let said = |place: usize, index: usize| {
        let of = from.parameters.iter();
        let of = of.filter(move |it| it.parameter == ParameterKey::Index(place as u32));
        of.map(move |it| ParameterRule {
            parameter: ParameterKey::Index(index as u32),
            ..it.clone()
        })
    };
    while place < parameters.len() {
        let parameter = &parameters[place];
        let index = taken.len();
        let argument = format!("arg{index}");
        let wide = wide(&parameters[place..], interface);
        let takes = wide.as_ref().map(|it| &it.kind);
        if !matches!(takes, Some(Kind::Room { .. } | Kind::Made { .. })) {
            let named = match takes {
                // The number of characters is what the caller gives.
                Some(Kind::Sized { .. }) => &parameters[place + 1],
                _ => parameter,
            };
            if !named.name.is_empty() {
                rule.parameters.push(ParameterRule {
                    name: Some(named.name.clone()),
                    ..parameter_rule(index as u32, at, None, None)
                });
            }
        }
        let text = format!("cuox_text{place}");
        let length = format!("cuox_length{place}");
        let mut output = |length: &str| {
            let out = format!("cuox_out{place}");
            after.push_str(&format!(
                " *{out}_size = cuox_narrow({text}, {length}, {out});"
            ));
            outputs.push(out);
        };
        let role = |role| parameter_rule(index as u32, at, Some(role), None);
        match takes {
            None => {
                rule.parameters.extend(said(place, index));
                taken.push(parameter.clone().named(&argument));
                given.push(argument);
            }
            Some(Kind::Text) => {
                rule.parameters.push(role(RoleRule::Text));
                rule.parameters.extend(said(place, index));
                taken.push(format!("const char *{argument}"));
                before.push_str(&format!(" size_t {length} = 0; wchar_t *{text} = {argument} ? cuox_widen({argument}, strlen({argument}), -1, 0, &{length}) : 0;"));
                after.push_str(&format!(" free({text});"));
                given.push(text);
            }
            Some(Kind::Counted) => {
                let of = ParameterKey::Index(index as u32);
                rule.parameters.push(role(RoleRule::Binary));
                rule.parameters.push(parameter_rule(
                    index as u32 + 1,
                    at,
                    Some(RoleRule::Length {
                        of,
                        unit: Some(crate::policy::Unit::Bytes),
                    }),
                    None,
                ));
                taken.push(format!("const char *{argument}"));
                taken.push(format!("size_t {argument}_size"));
                before.push_str(&format!(" size_t {length}; wchar_t *{text} = cuox_widen({argument}, {argument}_size, -1, 0, &{length});"));
                after.push_str(&format!(" free({text});"));
                given.extend([text, length]);
            }
            Some(Kind::Room { count, whole }) => {
                before.push_str(&format!(
                    " wchar_t *{text} = (wchar_t *)calloc({count} + 1, sizeof(wchar_t));"
                ));
                output(&if *whole {
                    count.to_string()
                } else {
                    "-1".to_owned()
                });
                after.push_str(&format!(" free({text});"));
                given.push(text);
            }
            Some(Kind::Edited { most, more }) => {
                rule.parameters.push(role(RoleRule::Text));
                taken.push(format!("const char *{argument}"));
                let most = most.map_or_else(|| "-1".to_owned(), |most| most.to_string());
                before.push_str(&format!(" size_t {length}; wchar_t *{text} = cuox_widen({argument}, strlen({argument}), {most}, {more}, &{length});"));
                output("-1");
                after.push_str(&format!(" free({text});"));
                given.push(text);
            }
            Some(Kind::Sized { told }) => {
                let size = &parameters[place + 1];
                let mut bare = size.clone();
                bare.remove_name();
                let c_type = bare.text.replace('*', "").trim().to_owned();
                taken.push(format!("{c_type} {argument}"));
                before.push_str(&format!(" {c_type} {length} = {argument}; wchar_t *{text} = (wchar_t *)calloc((size_t)({argument} < 0 ? 0 : {argument}) + 1, sizeof(wchar_t));"));
                output(if *told { &length } else { "-1" });
                after.push_str(&format!(" free({text});"));
                given.push(text);
                given.push(if *told { format!("&{length}") } else { length });
            }
            Some(Kind::Made { free, told }) => {
                before.push_str(&format!(" wchar_t *{text} = 0;"));
                let mut length_text = "-1".to_owned();
                given.push(format!("&{text}"));
                if *told {
                    let mut bare = parameters[place + 1].clone();
                    bare.remove_name();
                    let c_type = bare.text.replace('*', "").trim().to_owned();
                    before.push_str(&format!(" {c_type} {length} = 0;"));
                    given.push(format!("&{length}"));
                    length_text = length;
                }
                output(&length_text);
                let free = free.replace("$1", &format!("(&{text})"));
                after.push_str(&format!(" {};", free.trim_end_matches(';')));
            }
        }
        place += wide.map_or(1, |it| it.parameters.len());
    }
    for out in outputs {
        let index = taken.len() as u32;
        let text = RoleRule::Output(OutputRule {
            free: Some("free".to_owned()),
            length: Some(ParameterKey::Index(index + 1)),
            ..OutputRule::default()
        });
        rule.parameters
            .push(parameter_rule(index, at, Some(text), None));
        rule.parameters
            .push(parameter_rule(index + 1, at, Some(RoleRule::Counter), None));
        taken.push(format!("char **{out}"));
        taken.push(format!("size_t *{out}_size"));
    }
    let call = format!("{name}({})", given.join(", "));
    let (c_type, call, back) = match plain.as_str() {
        "void" => ("void", format!("{call};"), String::new()),
        _ if gives => (
            "char *",
            format!(
                "const wchar_t *result = {call}; char *back = 0; if (result) cuox_narrow(result, -1, &back);"
            ),
            " return back;".to_owned(),
        ),
        _ => (
            result.as_str(),
            format!("{result} result = {call};"),
            " return result;".to_owned(),
        ),
    };
    if gives {
        rule.result = Some(Located {
            value: ResultRule::Owned {
                free: Some("free".to_owned()),
            },
            at: at.clone(),
        });
    }
    let list = match taken.is_empty() {
        true => "void".to_owned(),
        false => taken.join(", "),
    };
    let prototype = format!("{c_type} {own}({list})");
    if !std::mem::replace(&mut interface.has_wide_code, true) {
        interface.last_code.push_str(HELPERS);
    }
    interface.last_code.push_str(&format!(
        "\n{prototype} {{{before} {call}{after}{back} }}\n"
    ));
    interface.needs_compiler = true;
    interface.last_source.push_str(&format!("\n{prototype};"));
    interface.declared.push(own.clone());
    for known in &mut interface.rules.functions {
        if known.functions.0 == name {
            known.functions.0.clone_from(&own);
        }
    }
    interface.rules.functions.push(rule);
    Ok(true)
}
