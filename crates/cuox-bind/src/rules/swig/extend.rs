//! `%extend`: functions, attributes and Python code of records.

use super::super::{RuleError, RulePlace};
use super::c_text::{append, first_line, function_of, last_name};
use super::condition::Conditions;
use super::scan::{Scanner, code_block, without_comments};
use super::tokens::is_name;
use super::typemap_code::{Since, since};
use super::{Interface, helpers};

type Result<T> = std::result::Result<T, RuleError>;

/// A member that `%extend` adds to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The record, by its name in C.
    pub record: String,
    /// The member's name; `__init__` and `__del__` for constructor and destructor.
    pub name: String,
    /// The C function.
    pub function: String,
    /// The C function that sets an attribute, if it can be set.
    pub setter: Option<String>,
    /// The use of the functions.
    pub kind: MemberKind,
}

impl Member {
    /// The record, the member's name and its function; for an attribute its setter, which may be empty; for a function
    /// without a record, and for a constant, an empty text and its kind.
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![
            self.record.as_str(),
            self.name.as_str(),
            self.function.as_str(),
        ];
        match (self.kind, &self.setter) {
            (MemberKind::Attribute, setter) => words.push(setter.as_deref().unwrap_or("")),
            (MemberKind::Static, _) => words.extend(["", "static"]),
            (MemberKind::Constant, _) => words.extend(["", "constant"]),
            (MemberKind::Reads, _) => words.extend(["", "reads"]),
            (MemberKind::Writes, _) => words.extend(["", "writes"]),
            _ => {}
        }
        words
    }
}

/// The use of a member's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A function whose first argument is the record.
    Method,
    /// A function without a record.
    Static,
    /// Functions that read and write an attribute.
    Attribute,
    /// A function that returns a value that the class has.
    Constant,
    /// A function that reads a field, or, without a record, a variable.
    Reads,
    /// A function that writes one.
    Writes,
    /// A function that makes a record.
    Constructor,
    /// A function that ends one.
    Destructor,
}

/// One `%extend`, to be carried out when all records are known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Extension {
    /// The record as it is written, perhaps with `struct`.
    record: String,
    body: String,
    at: RulePlace,
    since: Since,
}

/// `%extend record { … }`.
pub(super) fn extend(
    record: &str,
    body: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let record = record.trim();
    if !is_name(plain_name(record)) {
        return Err(RuleError::new(
            at,
            format!("%extend is followed by a record's name, got '{record}'"),
        ));
    }
    let since = since(interface);
    interface.extensions.push(Extension {
        since,
        record: record.to_owned(),
        body: body.to_owned(),
        at: at.clone(),
    });
    Ok(())
}

/// A directive between a record's members.
pub(super) fn member_directive(
    record: &str,
    scanner: &mut Scanner<'_>,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    scanner.take("%");
    let name = scanner.name().unwrap_or("");
    scanner.space();
    match name {
        "extend" => {
            let inner = RulePlace {
                line: at.line + scanner.at().line - 1,
                ..at.clone()
            };
            let Some(body) = scanner.bracket()? else {
                return Err(RuleError::new(
                    at,
                    "%extend in a record is followed by functions in braces",
                ));
            };
            scanner.blanks();
            scanner.take(";");
            extend(record, body, &inner, interface)
        }
        "constant" => {
            let text = scanner.take_to_semicolon().trim();
            let (before, value) = text.split_once('=').unwrap_or((text, ""));
            // A value without a type is one of its own.
            let declared = match before.trim().contains(' ') {
                true => before.to_owned(),
                false => format!("__typeof__({}) {}", value.trim(), before.trim()),
            };
            constant(record, &declared, value, at, interface)
        }
        "pythoncode" => {
            let code = code_block(scanner, name, at)?;
            scanner.blanks();
            scanner.take(";");
            python_code(plain_name(record), &code, interface);
            Ok(())
        }
        "immutable" | "mutable" => {
            let target = scanner.take_to_semicolon().trim().to_owned();
            let record = plain_name(record);
            match target.is_empty() {
                true => interface.immutable = name == "immutable",
                false => {
                    let text = format!("%{name} {record}::{target};");
                    interface.read_generated(&text, at)?;
                }
            }
            Ok(())
        }
        "nodefaultctor" | "nodefaultdtor" => {
            scanner.take_to_semicolon();
            interface
                .notes
                .push(format!("{at}: %{name} has no effect on a record's members"));
            Ok(())
        }
        "newobject" | "feature" | "rename" | "ignore" | "thread" | "nothread" | "delobject" => {
            let options = match scanner.peek_is(b'(') {
                true => scanner.bracket()?,
                false => None,
            };
            let options = options.map_or_else(String::new, |options| format!("({options})"));
            scanner.space();
            let target = scanner.take_to_semicolon();
            let record = plain_name(record);
            let text = format!("%{name}{options} {record}::{};", target.trim_start());
            interface.read_generated(&text, at)
        }
        other => Err(RuleError::new(
            at,
            format!("%{other} inside a record or %extend is not supported: write it before"),
        )),
    }
}

/// The Python code becomes a class, whose attributes the record's class gets.
fn python_code(record: &str, code: &str, interface: &mut Interface) {
    let code = helpers::python_code(code);
    if code.trim().is_empty() {
        return;
    }
    let own = format!("_Code{}", interface.python.len());
    interface.python.push_str(&format!("\nclass {own}:\n"));
    for line in code.lines() {
        interface.python.push_str(&format!("    {line}\n"));
    }
    interface.python.push_str(&format!(
        "\n\nextend_record(_record(\"{record}\"), {own})\n"
    ));
    interface.imported.push("extend_record".to_owned());
}

/// A record's name without its word.
pub(super) fn plain_name(record: &str) -> &str {
    record.rsplit([' ', '\t', '\n']).next().unwrap_or(record)
}

/// Carries out all extensions.
pub(super) fn finish(interface: &mut Interface) -> Result<()> {
    let mut at = 0;
    while let Some(extension) = interface.extensions.get(at).cloned() {
        at += 1;
        let before = interface.declared.len();
        members(&extension, interface)?;
        let made = interface.declared.get(before..).unwrap_or_default();
        interface.conversions.place(made, extension.since);
    }
    Ok(())
}

/// True if a record is known by its tag only, which C writes with `struct` before it.
fn tag_word(name: &str, interface: &Interface) -> Option<&'static str> {
    let texts = [
        &interface.code,
        &interface.types,
        &interface.source,
        &interface.header_texts,
    ];
    let mut found = None;
    for text in texts {
        let plain = without_comments(text);
        let mut words = plain
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty());
        let mut before = "";
        for word in &mut words {
            if word == name {
                found = match before {
                    "struct" => found.or(Some("struct")),
                    "union" => found.or(Some("union")),
                    _ => return None,
                };
            }
            before = word;
        }
    }
    found
}

/// A record without a name is known by that of the record that it is in, and by its member's: a type for it.
fn member_type(name: &str, interface: &Interface) -> Option<String> {
    let plain =
        [&interface.code, &interface.types, &interface.source].map(|it| without_comments(it));
    let known = |name: &str| {
        plain.iter().any(|text| {
            text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == name)
        })
    };
    if known(name) {
        return None;
    }
    let mut places = name.match_indices('_').map(|(at, _)| at);
    let at = places.find(|at| known(&name[..*at]) && known(&name[at + 1..]))?;
    let (record, member) = (&name[..at], &name[at + 1..]);
    let record = match tag_word(record, interface) {
        Some(word) => format!("{word} {record}"),
        None => record.to_owned(),
    };
    Some(format!(
        "\ntypedef __typeof__((({record} *)0)->{member}) {name};\n"
    ))
}

fn members(extension: &Extension, interface: &mut Interface) -> Result<()> {
    let at = &extension.at;
    let name = plain_name(&extension.record).to_owned();
    let record = match extension.record == name {
        true => match tag_word(&name, interface) {
            Some(word) => format!("{word} {name}"),
            None => {
                if let Some(typedef) = member_type(&name, interface) {
                    interface.code.push_str(&typedef);
                    interface.last_source.push_str(&typedef);
                }
                name.clone()
            }
        },
        false => extension.record.clone(),
    };
    let mut scanner = Scanner::new(&extension.body, &at.file);
    let mut conditions = Conditions::default();
    loop {
        if let Some(line) = scanner.condition() {
            conditions.read(line, &mut scanner, &mut interface.macros)?;
            continue;
        }
        scanner.space();
        if scanner.done() {
            return conditions.finish();
        }
        let place = RulePlace {
            file: at.file.clone(),
            line: at.line + scanner.at().line - 1,
            column: 0,
        };
        if scanner.peek_is(b'%') {
            member_directive(&name, &mut scanner, &place, interface)?;
            continue;
        }
        let plain = without_comments(scanner.statement());
        let whole = match plain.trim_start().starts_with('#') {
            true => None,
            false => interface.macros.expand(&plain, &place)?,
        };
        let text = whole.as_deref().unwrap_or(&plain);
        let text = text.trim().trim_end_matches(';').trim_end();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match function_of(text) {
            Some((head, code)) => function(&name, &record, head, code, &place, interface)?,
            None => attribute(&name, &record, text, &place, interface)?,
        }
    }
}

fn function(
    name: &str,
    record: &str,
    head: &str,
    code: Option<&str>,
    place: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let head = head.trim();
    let open = head.find('(').unwrap_or(head.len());
    let before = head[..open].trim();
    let arguments = head[open..].trim();
    let inside = arguments
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .map(str::trim)
        .unwrap_or("");
    let inside = if inside == "void" { "" } else { inside };
    let comma = if inside.is_empty() { "" } else { ", " };
    let method = last_name(head).unwrap_or("");
    let (prototype, function, kind) = if before == name {
        let function = format!("new_{name}");
        let inside = if inside.is_empty() { "void" } else { inside };
        (
            format!("{record} *{function}({inside})"),
            function,
            MemberKind::Constructor,
        )
    } else if before.replace(' ', "") == format!("~{name}") {
        let function = format!("delete_{name}");
        (
            format!("void {function}({record} *self)"),
            function,
            MemberKind::Destructor,
        )
    } else if is_name(method) && before != method {
        let function = format!("{name}_{method}");
        let result = before
            .strip_suffix(method)
            .unwrap_or(before)
            .replace("static ", "")
            .replace("inline ", "");
        // A static function's own code does not know a record.
        let alone =
            before.starts_with("static ") && code.is_some_and(|code| !code.contains("self"));
        let (own, comma, kind) = match alone {
            true => (String::new(), "", MemberKind::Static),
            false => (format!("{record} *self"), comma, MemberKind::Method),
        };
        (
            format!("{result}{function}({own}{comma}{inside})"),
            function,
            kind,
        )
    } else {
        return Err(RuleError::new(
            place,
            format!(
                "%extend {name}: a function has a result and a name, got '{}'",
                first_line(head)
            ),
        ));
    };
    // Functions of one name are told apart by their arguments.
    let same = interface.members.iter().filter(|known| {
        known.function == function || known.function.starts_with(&format!("{function}__"))
    });
    let (prototype, function) = match same.count() {
        0 => (prototype, function),
        count => {
            let own = format!("{function}__{count}");
            (
                prototype.replacen(&format!("{function}("), &format!("{own}("), 1),
                own,
            )
        }
    };
    let prototype = interface.declare(&prototype, place)?;
    if let Some(code) = code {
        let code = code.replace("$self", "self");
        append(&mut interface.code, &format!("{prototype} {code}\n"), place);
        interface.needs_compiler = true;
    }
    let member = match kind {
        MemberKind::Constructor => "__init__",
        MemberKind::Destructor => "__del__",
        _ => method,
    };
    interface.members.push(Member {
        record: name.to_owned(),
        name: member.to_owned(),
        function,
        setter: None,
        kind,
    });
    Ok(())
}

/// A variable in `%extend`: an attribute that two functions of the code read and write.
fn attribute(
    name: &str,
    record: &str,
    text: &str,
    place: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    if let Some((declared, value)) = text.split_once('=') {
        return constant(name, declared, value, place, interface);
    }
    // Text in an array is read and written as text.
    let characters = text
        .strip_suffix(']')
        .and_then(|rest| rest.rsplit_once('['));
    let text = match characters.and_then(|(before, _)| before.trim().strip_prefix("char ")) {
        Some(member) => &format!("char *{}", member.trim()),
        None => text,
    };
    let declared = super::parameter::Declared::read(text);
    let unsupported = text.contains(['(', '[', '{', '=', ',']);
    if declared.name.is_empty() || unsupported {
        return Err(RuleError::new(
            place,
            format!(
                "%extend {name}: expected a function or an attribute, got '{}'",
                first_line(text)
            ),
        ));
    }
    let member = declared.name.clone();
    let mut of = declared;
    of.remove_name();
    let c_type = of.text.trim().to_owned();
    let constant = c_type.starts_with("const ") && !c_type.contains('*');
    let getter = format!("{name}_{member}_get");
    interface.declare(&format!("{c_type} {getter}({record} *self)"), place)?;
    let setter = (!constant && !interface.immutable).then(|| format!("{name}_{member}_set"));
    if let Some(setter) = &setter {
        interface.declare(
            &format!("void {setter}({record} *self, {c_type} value)"),
            place,
        )?;
    }
    interface.members.push(Member {
        record: name.to_owned(),
        name: member,
        function: getter,
        setter,
        kind: MemberKind::Attribute,
    });
    Ok(())
}

/// `static const long SIZE = …;`: a value that the class has.
pub(super) fn constant(
    record: &str,
    declared: &str,
    value: &str,
    place: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let name = plain_name(record);
    let mut declared = super::parameter::Declared::read(declared);
    let member = declared.name.clone();
    if member.is_empty() {
        return Err(RuleError::new(
            place,
            format!(
                "%extend {name}: expected a constant, got '{}'",
                first_line(&declared.text)
            ),
        ));
    }
    declared.remove_name();
    let c_type = declared.text.replace("static ", "").trim().to_owned();
    let own = format!("cuox_constant_{name}_{member}");
    let prototype = interface.declare(&format!("{c_type} {own}(void)"), place)?;
    interface
        .last_code
        .push_str(&format!("\n{prototype} {{ return {}; }}\n", value.trim()));
    interface.needs_compiler = true;
    interface.members.push(Member {
        record: name.to_owned(),
        name: member,
        function: own,
        setter: None,
        kind: MemberKind::Constant,
    });
    Ok(())
}
