//! Names that begin with `$` in code of typemaps.

use crate::decl::{Header, Type};

use super::scan::{matching, split};
use super::typemap_code::unqualified;

/// The meaning of the names in a piece of code.
pub(super) struct Names<'a> {
    pub(super) header: &'a Header,
    /// The variables `$1`, `$2`, …, with the parameters' names and types (none for `...`).
    pub(super) values: Vec<(String, String, Option<Type>)>,
    pub(super) input: Option<String>,
    pub(super) symbol: String,
    pub(super) number: usize,
    pub(super) declaration: String,
    /// True if the result is the caller's.
    pub(super) owner: bool,
    pub(super) void: bool,
    pub(super) action: Option<String>,
    /// The number of elements of a parameter that is written as an array.
    pub(super) dimension: Option<u64>,
}

/// Names of a type, longer ones first where one begins with another.
const OF_TYPE: [&str; 9] = [
    "descriptor",
    "basetype",
    "lextype",
    "ltype",
    "type",
    "mangle",
    "name",
    "dim0",
    "size",
];

/// Names of the whole function.
const OF_FUNCTION: [&str; 17] = [
    "input",
    "isvoidresult",
    "result",
    "symname",
    "argnum",
    "action",
    "owner",
    "disown",
    "function",
    "fulldecl",
    "decl",
    "wrapname",
    "self",
    "overname",
    "null",
    "name",
    "track",
];

/// The deepest nesting of macros such as `%arg(…)`.
const DEPTH: u32 = 64;

/// Code with its names replaced.
///
/// # Errors
/// The reason why a name has no meaning here.
pub(super) fn substitute(code: &str, names: &Names<'_>) -> Result<String, String> {
    replaced(code, names, 0)
}

fn replaced(code: &str, names: &Names<'_>, depth: u32) -> Result<String, String> {
    let mut made = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(['$', '%']) {
        made.push_str(&rest[..at]);
        let found = &rest[at..];
        if let Some(behind) = found.strip_prefix('%') {
            match macro_of(behind, names, depth)? {
                Some((text, length)) => {
                    made.push_str(&text);
                    rest = &behind[length..];
                }
                None => {
                    made.push('%');
                    rest = behind;
                }
            }
            continue;
        }
        let behind = &found[1..];
        let (text, length) = one(behind, names)?;
        made.push_str(&text);
        rest = &behind[length..];
    }
    made.push_str(rest);
    Ok(made)
}

/// What SWIG's own macros stand for in code that it reads, such as `%append_output(object)`.
fn macro_of(
    behind: &str,
    names: &Names<'_>,
    depth: u32,
) -> Result<Option<(String, usize)>, String> {
    for (name, before, after) in [
        ("set_output", "resultobj = ", ""),
        (
            "append_output",
            "resultobj = SWIG_AppendOutput(resultobj, ",
            ")",
        ),
        ("arg", "", ""),
        ("argument_fail", "", ""),
    ] {
        let Some(list) = behind.strip_prefix(name).filter(|it| it.starts_with('(')) else {
            continue;
        };
        if depth == DEPTH {
            return Err(format!("%{name}( is inside of more than {DEPTH} others"));
        }
        let length = matching(list).ok_or_else(|| format!("%{name}( is not closed"))?;
        let mut inside = replaced(&list[1..length - 1], names, depth + 1)?;
        if name == "argument_fail" {
            inside = argument_fail(&inside)?;
        }
        return Ok(Some((
            format!("{before}{inside}{after}"),
            name.len() + length,
        )));
    }
    Ok(None)
}

/// `%argument_fail(code, type, function, number)`
fn argument_fail(list: &str) -> Result<String, String> {
    let [code, texts @ ..] = &split(list)[..] else {
        return Err("%argument_fail takes a code, a type, a function and a number".to_owned());
    };
    let quoted = |text: &&str| match text.starts_with('"') {
        true => (*text).to_owned(),
        false => format!("\"{text}\""),
    };
    let [of_type, function, number] = &texts.iter().map(quoted).collect::<Vec<_>>()[..] else {
        return Err("%argument_fail takes a code, a type, a function and a number".to_owned());
    };
    Ok(format!(
        "SWIG_exception_fail(SWIG_ArgError({code}), \"in method '\" {function} \"', argument \" {number} \" of type '\" {of_type} \"'\")"
    ))
}

/// The text for a name behind `$`, and the name's length.
fn one(behind: &str, names: &Names<'_>) -> Result<(String, usize), String> {
    let mark = match behind.chars().next() {
        Some(mark @ ('*' | '&')) => Some(mark),
        Some('$') => return Ok(("$".to_owned(), 1)),
        _ => None,
    };
    let start = usize::from(mark.is_some());
    let digits = behind[start..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    let number = behind[start..start + digits].parse::<usize>().ok();
    let mut at = start + digits;
    let mut word = &behind[at..];
    if number.is_some() {
        match word
            .strip_prefix('_')
            .filter(|it| OF_TYPE.iter().any(|known| it.starts_with(known)))
        {
            Some(behind) => {
                word = behind;
                at += 1;
            }
            None => word = "",
        }
    }
    if number.is_none()
        && mark.is_none()
        && let Some(list) = word
            .strip_prefix("descriptor")
            .filter(|it| it.starts_with('('))
    {
        let length = matching(list).ok_or("$descriptor( is not closed")?;
        let name = mangled(&list[1..length - 1]);
        return Ok((format!("SWIGTYPE{name}"), at + "descriptor".len() + length));
    }
    let known = OF_FUNCTION
        .iter()
        .filter(|_| number.is_none() && mark.is_none());
    let known = known
        .chain(&OF_TYPE)
        .find(|known| word.starts_with(**known));
    let Some((name, length)) = known
        .map(|name| (*name, at + name.len()))
        .or_else(|| number.map(|_| ("", at)))
    else {
        let end = word.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let word = &word[..end.unwrap_or(word.len())];
        return Err(format!("$'{word}' is not supported").replace("$'", "'$"));
    };
    let text = match name {
        _ if number.is_some() || mark.is_some() => of_value(names, mark, number, name)?,
        "input" => names
            .input
            .clone()
            .ok_or("$input needs a %typemap(in) for the parameter")?,
        "result" => "resultobj".to_owned(),
        "symname" | "name" if names.number == 0 || name == "symname" => names.symbol.clone(),
        "argnum" => names.number.to_string(),
        "action" => names.action.clone().ok_or("$action is for %exception")?,
        "owner" => String::from(if names.owner { "SWIG_POINTER_OWN" } else { "0" }),
        "disown" => "SWIG_POINTER_DISOWN".to_owned(),
        "isvoidresult" => u8::from(names.void).to_string(),
        "decl" | "fulldecl" => names.declaration.clone(),
        "wrapname" | "function" => names.symbol.clone(),
        "self" => "self".to_owned(),
        "null" => "NULL".to_owned(),
        "overname" | "track" => String::new(),
        _ => of_value(names, None, None, name)?,
    };
    Ok((text, length))
}

/// The text for `$1`, `$1_type` and the like.
fn of_value(
    names: &Names<'_>,
    mark: Option<char>,
    number: Option<usize>,
    name: &str,
) -> Result<String, String> {
    let number = number.unwrap_or(1);
    let at = number.checked_sub(1);
    let Some((variable, parameter, ty)) = at.and_then(|at| names.values.get(at)) else {
        let count = names.values.len();
        return Err(format!(
            "there is no ${number}: the typemap is for {count} parameter(s)"
        ));
    };
    match name {
        "" => return Ok(variable.clone()),
        "name" => return Ok(parameter.clone()),
        "dim0" | "size" => {
            let known = names.dimension.map(|it| it.to_string());
            return known.ok_or_else(|| {
                format!("${number}_{name}: nothing says how many elements there are")
            });
        }
        _ => {}
    }
    let header = names.header;
    let void = Type::pointer_to(Type::Void);
    let ty = ty.as_ref().unwrap_or(&void);
    let ty = match (mark, ty) {
        (Some('*'), Type::Pointer { to, .. }) => (**to).clone(),
        (Some('*'), other) => match header.resolve(other) {
            Type::Pointer { to, .. } => (**to).clone(),
            _ => {
                return Err(format!(
                    "$*{number}_{name}: {} is no pointer",
                    header.c_type(other)
                ));
            }
        },
        (Some(_), ty) => Type::pointer_to(ty.clone()),
        (None, ty) => ty.clone(),
    };
    Ok(match name {
        "type" => header.c_type(&ty),
        "ltype" => header.c_type(&unqualified(&ty)),
        "basetype" | "lextype" => {
            let mut base = &ty;
            while let Type::Pointer { to, .. } = base {
                base = to;
            }
            header.c_type(base)
        }
        "mangle" => mangled(&header.c_type(&ty)),
        _ => descriptor(header, &ty),
    })
}

/// The name of a type's description.
pub(super) fn descriptor(header: &Header, ty: &Type) -> String {
    format!("SWIGTYPE{}", mangled(&header.c_type(ty)))
}

/// A type as a part of a name: `_p_Foo` for `struct Foo *`.
fn mangled(ty: &str) -> String {
    let words = ty.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let words: Vec<&str> = words
        .filter(|word| !["", "const", "volatile", "struct", "union", "enum"].contains(word))
        .collect();
    let stars = ty.matches(['*', '[']).count();
    format!("_{}{}", "p_".repeat(stars), words.join("_"))
}
