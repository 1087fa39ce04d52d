//! Macros that are constants, or other names of functions.
//!
//! The compiler alone knows the value of a macro: casts, `sizeof`, enumerations and other macros may be in it. So a
//! second text includes the same headers and has a variable for every macro that may be an expression; its initialiser
//! is the macro.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use clang_sys::*;

use super::arguments::{MAIN, Setup};
use super::comments;
use super::computed::{self, Computed};
use super::cursor::{Cursor, Token, Unit, Virtual};
use super::diagnostic::ParseError;
use super::reader::Reader;
use super::wrappers;
use crate::decl::{Constant, Refused, Value};

/// Name of the variables; a number follows.
const VALUE: &str = "cuox_macro_";
const ADDRESS: &str = "cuox_address_";
const TEXT: &str = "cuox_text_";
/// Macros of the compiler whose value depends on the place where they are used.
const ELSEWHERE: [&str; 12] = [
    "__BASE_FILE__",
    "__COUNTER__",
    "__DATE__",
    "__FILE_NAME__",
    "__FILE__",
    "__FUNCTION__",
    "__INCLUDE_LEVEL__",
    "__LINE__",
    "__PRETTY_FUNCTION__",
    "__TIMESTAMP__",
    "__TIME__",
    "__func__",
];
/// Longer ones are code.
const MOST_TOKENS: usize = 512;

struct Macro<'u> {
    cursor: Cursor<'u>,
    /// Behind the name.
    body: Vec<Token>,
    has_parameters: bool,
}

/// Adds constants, functions' other names, and macros that are refused.
pub fn read<'u>(reader: &mut Reader<'u>, unit: &'u Unit, setup: &Setup) -> Result<(), ParseError> {
    let mut macros: HashMap<String, Macro<'u>> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    for cursor in unit.root().children() {
        if cursor.kind() != CXCursor_MacroDefinition || cursor.is_builtin_macro() {
            continue;
        }
        let name = cursor.spelling();
        let kept = reader.files.kept(cursor.location());
        let has_parameters = cursor.is_function_macro();
        if kept {
            order.push(name.clone());
        }
        // Of those of other files only the bodies that turn out to be needed are read.
        let body = if kept { body_of(cursor) } else { Vec::new() };
        macros.insert(
            name,
            Macro {
                cursor,
                body,
                has_parameters,
            },
        );
    }
    // One that is defined again counts once, where it was first.
    let mut seen = HashSet::new();
    order.retain(|name| seen.insert(name.clone()));

    // With whether there is a literal text in each.
    let mut candidates: Vec<(String, bool)> = Vec::new();
    let mut usable = Usable::new(&macros);
    for name in order {
        let it = &macros[&name];
        if it.has_parameters {
            if !reader.has_function(&name) && !it.body.is_empty() {
                reader.header.refused.push(Refused {
                    reason: format!("`{name}` is a macro with parameters: no library exports it"),
                    name,
                    kind: "macro".into(),
                    place: reader.files.place(it.cursor.location()),
                });
            }
            continue;
        }
        if it.body.is_empty() {
            continue;
        }
        if let Some(known) = renamed(&macros, &name) {
            let place = reader.files.place(it.cursor.location());
            if reader.rename(&name, known).is_some() || reader.rename_variable(&name, known, place)
            {
                continue;
            }
        }
        if usable.is_expression(&name, false, 0) {
            let is_text =
                |token: &Token| token.kind == CXToken_Literal && token.text.starts_with('"');
            let has_text = it.body.iter().any(is_text);
            candidates.push((name, has_text));
        }
    }
    let (values, computed) = evaluate(&candidates, reader, setup)?;
    let taken: HashSet<String> = reader
        .header
        .constants
        .iter()
        .map(|c| c.name.clone())
        .collect();
    for (index, ((name, _), value)) in candidates.into_iter().zip(values).enumerate() {
        let location = macros[&name].cursor.location();
        let doc = comments::of_line(unit.contents(location.file), location.offset as usize);
        let function = matches!(value, Some(Meaning::Address(_))).then(|| {
            let mut words = macros[&name].body.iter();
            let word = words.find(|token| token.kind == CXToken_Identifier);
            word.map_or_else(String::new, |token| token.text.clone())
        });
        let value = match value {
            Some(Meaning::Value(value) | Meaning::Address(value)) if !taken.contains(&name) => {
                value
            }
            Some(Meaning::Function(function)) => {
                reader.rename(&name, &function);
                continue;
            }
            _ => {
                if let Some(known) = computed.iter().find(|it| it.index == index) {
                    let place = reader.files.place(location);
                    computed::declare(reader, known, &name, place, doc);
                }
                continue;
            }
        };
        reader.header.constants.push(Constant {
            doc,
            place: reader.files.place(location),
            name,
            value,
            function,
        });
    }
    Ok(())
}

/// The words of a macro behind its name.
fn body_of(cursor: Cursor<'_>) -> Vec<Token> {
    let tokens = cursor.tokens().into_iter().skip(1);
    tokens
        .filter(|token| token.kind != CXToken_Comment)
        .collect()
}

/// The name that a macro is another name of, through further macros.
fn renamed<'m>(macros: &'m HashMap<String, Macro<'_>>, name: &'m str) -> Option<&'m str> {
    let mut name = name;
    for _ in 0..16 {
        let known = macros.get(name).filter(|it| !it.has_parameters);
        let Some(it) = known else {
            return Some(name);
        };
        match it.body.as_slice() {
            [token] if token.kind == CXToken_Identifier && token.text != name => name = &token.text,
            _ => return None,
        }
    }
    None
}

/// The macros that may be expressions, as far as their words tell.
struct Usable<'m, 'u> {
    macros: &'m HashMap<String, Macro<'u>>,
    /// By name, and by whether the macro stands inside of brackets.
    known: HashMap<(String, bool), bool>,
}

impl<'m, 'u> Usable<'m, 'u> {
    fn new(macros: &'m HashMap<String, Macro<'u>>) -> Self {
        Usable {
            macros,
            known: HashMap::new(),
        }
    }

    /// True if a macro is balanced and without the words of statements and declarations: anything else would damage
    /// the text around it, and the variables that follow. Inside of another macro's brackets it may be a part of an
    /// expression that ends with a comma, `#define OPEN open(),` in `(OPEN value)`.
    fn is_expression(&mut self, name: &str, inside: bool, level: u32) -> bool {
        let key = (name.to_owned(), inside);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let Some(it) = self.macros.get(name) else {
            return !ELSEWHERE.contains(&name);
        };
        if level > 64 {
            return false;
        }
        // A macro within itself is not expanded again.
        self.known.insert(key.clone(), true);
        let own;
        let body = match it.body.is_empty() {
            false => &it.body,
            true => {
                own = body_of(it.cursor);
                &own
            }
        };
        let mut depth = i32::from(inside);
        let fine = is_expression(body, it.has_parameters, inside)
            && body.iter().all(|token| {
                match token.text.as_str() {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    _ => {}
                }
                token.kind != CXToken_Identifier
                    || self.is_expression(&token.text, depth > 0, level + 1)
            });
        self.known.insert(key, fine);
        fine
    }
}

/// True if words may be an expression, or a part of a list `inside` of brackets.
fn is_expression(body: &[Token], has_parameters: bool, inside: bool) -> bool {
    const FORBIDDEN: [&str; 19] = [
        ";", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "#", "##",
        "...", "@", "\\", "`",
    ];
    const KEYWORDS: [&str; 36] = [
        "_Alignof",
        "_Bool",
        "_Complex",
        "__alignof",
        "__alignof__",
        "__extension__",
        "__int128",
        "__typeof__",
        "alignof",
        "bool",
        "char",
        "char16_t",
        "char32_t",
        "const",
        "const_cast",
        "double",
        "enum",
        "false",
        "float",
        "int",
        "long",
        "nullptr",
        "reinterpret_cast",
        "restrict",
        "short",
        "signed",
        "sizeof",
        "static_cast",
        "struct",
        "true",
        "typeof",
        "union",
        "unsigned",
        "void",
        "volatile",
        "wchar_t",
    ];
    if body.len() > MOST_TOKENS {
        return false;
    }
    let mut open: Vec<&str> = Vec::new();
    let mut before = "";
    for token in body {
        let text = token.text.as_str();
        let behind = std::mem::replace(&mut before, text);
        match token.kind {
            // A macro with parameters may paste and list them; it is judged by its brackets.
            CXToken_Punctuation
                if FORBIDDEN.contains(&text)
                    && !(has_parameters && text.starts_with(['#', '.'])) =>
            {
                return false;
            }
            CXToken_Keyword if !KEYWORDS.contains(&text) => return false,
            _ => {}
        }
        match text {
            "(" | "[" => open.push(text),
            // `(type){ .x = 1 }`, and braces inside of such.
            "{" if behind == ")" || open.contains(&"{") => open.push(text),
            "{" => return false,
            "=" if !open.contains(&"{") => return false,
            "}" if open.pop() != Some("{") => return false,
            ")" if open.pop() != Some("(") => return false,
            "]" if open.pop() != Some("[") => return false,
            // Of a list, C would take the last for the whole.
            "," if open.is_empty() && !has_parameters && !inside => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// The meaning of a macro.
#[derive(Clone)]
enum Meaning {
    Value(Value),
    /// A number as a pointer to a function.
    Address(Value),
    /// The function of that name.
    Function(String),
}

/// The meanings of macros, where the compiler knows them, and those that C has to compute.
fn evaluate(
    candidates: &[(String, bool)],
    reader: &mut Reader<'_>,
    setup: &Setup,
) -> Result<(Vec<Option<Meaning>>, Vec<Computed>), ParseError> {
    if candidates.is_empty() && reader.statics.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut files: Vec<Virtual> = Vec::new();
    for file in &setup.files {
        files.push(Virtual {
            path: file.path.clone(),
            text: file.text.clone(),
        });
    }
    let text = &mut files[0].text;
    for (index, (name, has_text)) in candidates.iter().enumerate() {
        // Each on lines of its own: an error in one is none in the next.
        let _ = writeln!(
            text,
            "static const __typeof__(({name})) {VALUE}{index} = ({name});"
        );
        let _ = writeln!(
            text,
            "static const __UINTPTR_TYPE__ {ADDRESS}{index} = (__UINTPTR_TYPE__)({name});"
        );
        if !reader.is_cxx {
            let _ = writeln!(text, "{}", computed::line(index, name));
        }
        // A literal in parentheses is none to older versions of libclang.
        if *has_text {
            let _ = writeln!(text, "static const char *const {TEXT}{index} = {name};");
        }
    }
    let mut arguments = setup.arguments.clone();
    arguments.extend(["-ferror-limit=0", "-w"].map(str::to_owned));
    let flags = CXTranslationUnit_KeepGoing;
    let unit = Unit::parse(setup.clang, MAIN, &arguments, &files, flags)?;
    wrappers::read(reader, &unit);
    let mut meanings = vec![None; candidates.len()];
    let mut pointers = HashMap::new();
    let mut lengths = vec![-1; candidates.len()];
    for cursor in unit.root().children() {
        if cursor.kind() != CXCursor_VarDecl {
            continue;
        }
        let name = cursor.spelling();
        let number = |prefix: &str| {
            let number = name.strip_prefix(prefix)?.parse::<usize>().ok();
            number.filter(|&index| index < candidates.len())
        };
        if let Some(index) = number(VALUE) {
            let ty = cursor.ty().canonical();
            if ty.kind() == CXType_Pointer {
                let kind = ty.pointee().canonical().kind();
                let function = [CXType_FunctionProto, CXType_FunctionNoProto].contains(&kind);
                pointers.insert(index, function);
            }
            lengths[index] = ty.array_size();
            meanings[index] = value_of(cursor).map(Meaning::Value);
        } else if let Some(index) = number(TEXT) {
            let whole = |text: &Value| matches!(text, Value::Text(t) if lengths[index] == t.len() as i64 + 1);
            let value = || cursor.evaluate().filter(whole).map(Meaning::Value);
            meanings[index] = meanings[index].take().or_else(value);
        } else if let Some(index) = number(ADDRESS)
            && !matches!(meanings[index], Some(Meaning::Value(Value::Text(_))))
        {
            let meaning = match pointers.get(&index) {
                Some(true) => address_of(cursor).map(Meaning::Address),
                Some(false) => address_of(cursor).map(Meaning::Value),
                None => function_of(cursor).map(Meaning::Function),
            };
            meanings[index] = meaning.or(meanings[index].take());
        }
    }
    Ok((meanings, computed::find(reader, &unit)))
}

/// The value of a pointer, where it is a constant.
fn address_of(cursor: Cursor<'_>) -> Option<Value> {
    match cursor.evaluate()? {
        Value::Int(0) => Some(Value::Null),
        Value::Int(address) => Some(Value::Int(address)),
        _ => None,
    }
}

/// The function that a variable's initialiser names, under any casts and parentheses.
fn function_of(variable: Cursor<'_>) -> Option<String> {
    let mut expression = *variable.children().last()?;
    loop {
        match expression.kind() {
            CXCursor_CStyleCastExpr | CXCursor_ParenExpr | CXCursor_UnexposedExpr => {
                expression = *expression.children().last()?;
            }
            CXCursor_DeclRefExpr => break,
            _ => return None,
        }
    }
    let function = expression.referenced();
    (function.kind() == CXCursor_FunctionDecl).then(|| function.name())
}

/// A variable's value, if that is one of a scalar or a text.
fn value_of(cursor: Cursor<'_>) -> Option<Value> {
    let ty = cursor.ty().canonical();
    match (cursor.evaluate()?, ty.kind()) {
        // The compiler gives texts up to their first NUL; one inside is not said.
        (Value::Text(text), CXType_ConstantArray) => {
            let whole = ty.array_size() == text.len() as i64 + 1 && ty.array_element().size() == 1;
            whole.then_some(Value::Text(text))
        }
        (Value::Text(text), CXType_Pointer) => {
            (ty.pointee().size() == 1).then_some(Value::Text(text))
        }
        (_, CXType_Pointer | CXType_ConstantArray) => None,
        (value, _) => Some(value),
    }
}
