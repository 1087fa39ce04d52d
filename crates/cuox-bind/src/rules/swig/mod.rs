//! SWIG interface files.
//!
//! Names, parameters and ownership in an interface file become [`Rules`]; the headers and declarations in it are for
//! clang to read. C code in it is collected, for a compiler to make a library of where something of it is bound. Code
//! between Python and C is kept, and [`convert`] puts it around functions once their types are known.
//! `docs/bind.md` has the table of directives.

mod autodoc;
mod c_text;
pub mod code;
mod condition;
mod constant;
mod contract;
mod converting;
mod cstring;
mod cwstring;
mod declaration;
mod directive;
mod extend;
mod feature;
mod helpers;
mod include;
mod library;
mod macros;
mod parameter;
mod record;
mod rename;
mod scan;
mod substitute;
mod tokens;
mod typemap;
mod typemap_code;
mod values;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{NameKind, RuleError, RulePlace, Rules};
use crate::words::is_identifier;
pub use autodoc::document;
use condition::Conditions;
pub use converting::{Converted, convert};
pub use declaration::VARARGS;
use extend::Extension;
pub use extend::{Member, MemberKind};
use macros::Macros;
use record::RecordFeature;
use scan::Scanner;

type Result<T> = std::result::Result<T, RuleError>;

/// Gives the text of a file that another one names, and the name by which the files that it names are looked for; or
/// says why it cannot.
pub type Open<'a> = &'a mut dyn FnMut(&str, &str) -> std::result::Result<(String, String), String>;

/// The parameters that `%varargs` puts in place of `...`.
#[derive(Clone, Debug, PartialEq)]
struct Varargs {
    parameters: Vec<String>,
    at: RulePlace,
    /// True if the file itself declares the function.
    used: bool,
}

/// The value of parameters with a type and a name.
#[derive(Clone, Debug, PartialEq)]
struct ParameterValue {
    parameter: (String, String),
    value: String,
    /// C code, with variables of its own, that gives `$1` the value.
    code: Option<ValueCode>,
    /// True if the caller gives none.
    always: bool,
}

/// The code of a typemap.
#[derive(Clone, Debug, PartialEq)]
struct ValueCode {
    /// Declarations: `int t`.
    variables: String,
    text: String,
}

/// A default that only a compiler knows: a constant of the source has its value.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedDefault {
    /// The function, by its name in C.
    pub function: String,
    /// The parameter's place.
    pub parameter: u32,
    /// The constant.
    pub constant: String,
    /// The place of the declaration.
    pub at: RulePlace,
}

/// A record's field with another name in Python.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldName {
    /// The record, by its name in C.
    pub record: String,
    /// The field's name in C.
    pub field: String,
    /// The name in Python.
    pub name: String,
}

/// The contents of an interface file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The module's name.
    pub module: Option<String>,
    /// Headers to bind, from `%include`.
    pub headers: Vec<String>,
    /// The places where headers are named.
    pub header_places: Vec<(String, RulePlace)>,
    /// Headers that only the declarations need, from `%{ %}`.
    pub prelude: Vec<String>,
    /// C declarations in the file itself, with a line for every line of the file.
    pub source: String,
    /// The names that these declare.
    pub declared: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The only functions to bind, if there are any: `%ignore "";` and `%rename("%s") name;`.
    pub only: Vec<String>,
    /// C code of the file.
    pub code: String,
    /// True if something that is bound is defined in that code, so that it has to be compiled.
    pub needs_compiler: bool,
    /// Types of `%{ %}`, which declarations may need.
    pub types: String,
    /// Members that `%extend` adds.
    pub members: Vec<Member>,
    /// Functions whose results are the caller's, be they records or not.
    pub new_objects: Vec<String>,
    /// Fields of records with other names in Python.
    pub fields: Vec<FieldName>,
    /// Defaults that constants of the source have.
    pub defaults: Vec<NamedDefault>,
    /// Functions that a header of the project defines as `static`, and that the file declares.
    pub static_names: Vec<String>,
    /// Variables that cannot be set: a name, or `*`; the last that fits says whether it can.
    pub immutable_names: Vec<(String, bool)>,
    /// Fields that cannot be set: a record, and a name or `None` for all.
    immutable_fields: Vec<(String, Option<String>)>,
    /// Python code for the module, and the names that it exports.
    pub python: String,
    /// The names that `python` defines for users.
    pub exports: Vec<String>,
    /// The names that the file's own Python code defines.
    pub python_names: Vec<String>,
    /// The functions of `cuox_bind.bound` that `python` uses.
    pub imported: Vec<String>,
    /// Documentation that replaces that of the header: a name in C, and the text.
    pub docs: Vec<(String, String)>,
    /// The module's documentation.
    pub docstring: Option<String>,
    /// Directives that were understood and have no effect, as sentences with their places.
    pub notes: Vec<String>,
    /// The function that frees texts that `%newobject` names: the last `%typemap(newfree)`.
    newfree: Option<String>,
    /// The number of the line that `source` ends in.
    lines: u32,
    /// The beginnings of docstrings.
    autodoc: Vec<autodoc::Autodoc>,
    /// C code that converts arguments and results.
    conversions: typemap_code::ConversionCode,
    /// The number of `%init` blocks.
    inits: u32,
    /// Code of `%init` that uses Python's C API.
    python_init: String,
    /// Functions that `%{ %}` defines.
    pub defined: Vec<String>,
    /// Functions that headers of the project define as `static`, and the headers.
    header_functions: Vec<(String, String)>,
    /// The names of headers that were looked at.
    headers_seen: Vec<String>,
    /// The texts of those headers.
    header_texts: String,
    /// `%extend`, to be carried out at the end.
    extensions: Vec<Extension>,
    /// Code and declarations that stand behind all others.
    last_code: String,
    last_source: String,
    /// Lists in place of `...`.
    varargs: HashMap<String, Varargs>,
    /// Values of parameters by type and name: in place of the caller's, or if they are left out.
    values: Vec<ParameterValue>,
    /// The names of the constants that `%callback` makes of functions.
    callback: Option<String>,
    /// True behind `%immutable;`.
    immutable: bool,
    /// True while `%inline` is read.
    inside_code: bool,
    /// True if `typemaps.i` or `constraints.i` is included.
    has_typemaps: bool,
    /// The numbers of names and headers that were known when each typemap was made.
    typemap_marks: Vec<(usize, usize)>,
    /// Macros: those of `%define` and those of `#define`.
    macros: Macros,
    /// Parameters with text of `wchar_t`.
    wide: Vec<cwstring::Wide>,
    /// True if `wchar.i` or `cwstring.i` is included: every `wchar_t *` is text.
    has_wide_text: bool,
    /// True if the code has the functions that this needs.
    has_wide_code: bool,
    /// True if `#error` is only a note.
    errors_are_notes: bool,
    /// The folder of the first file.
    folder: PathBuf,
    /// Types of all `%{ %}` of the file, also of those that are not read yet.
    later_types: String,
    /// Types that the file makes pointers to, with `%pointer_functions` and its like.
    pointed: Vec<String>,
    /// Functions of `%delobject`.
    ending: Vec<String>,
    /// `%nodefaultctor`: records that have no constructor.
    no_constructors: RecordFeature,
    /// `%pythonnondynamic`: records that take no attributes but their own.
    fixed: RecordFeature,
    /// True while the text of a macro is read, whose lines are not the file's.
    expanding: bool,
}

/// The parts of an interface file that a module has beside its bindings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Additions {
    /// C code to be compiled into a library of its own.
    pub code: Option<String>,
    /// True if it uses Python's C API.
    pub uses_python: bool,
    /// Members of records.
    pub members: Vec<Member>,
    /// Functions whose results are the caller's.
    pub new_objects: Vec<String>,
    /// True if global variables are attributes of `cvar`.
    pub variables: bool,
    /// Variables that cannot be set.
    pub immutable: Vec<String>,
    /// Python code.
    pub python: String,
    /// The names that it defines for users.
    pub exports: Vec<String>,
    /// The names that the file's own Python code defines.
    pub python_names: Vec<String>,
    /// The functions of `cuox_bind.bound` that it uses.
    pub imported: Vec<String>,
    /// The module's documentation.
    pub docstring: Option<String>,
}

impl Additions {
    /// Adds the code of functions that convert, and what it needs.
    pub fn add_converting(&mut self, interface: &Interface, converting: Option<&str>) {
        if let Some(converting) = converting {
            let code = self.code.get_or_insert_with(|| interface.code.clone());
            code.push_str(converting);
        }
        if let Some(code) = &mut self.code {
            if !interface.python_init.is_empty() {
                let init = &interface.python_init;
                code.push_str(&format!(
                    "\nCUOX_EXTERN PyObject *cuox_python_init(PyObject *m) {{\n PyObject *d = cuox_is_this_python() ? PyModule_GetDict(m) : NULL;\n if (!d) return NULL;\n {{{init} }}\n return SWIG_Py_Void();\nfail:\n return NULL;\n}}\n"
                ));
            }
            // Headers of the project may use it, too.
            let texts = [scan::without_comments(code), interface.header_texts.clone()];
            let uses = |text: &String| text.contains("PyObject") || text.contains("Python.h");
            self.uses_python = converting.is_some() || texts.iter().any(uses);
            if self.uses_python {
                *code = converting::descriptors(code) + code;
            }
        }
    }
}

impl Interface {
    /// The parts that are beside bindings.
    pub fn additions(&self) -> Additions {
        let mut imported = self.imported.clone();
        imported.sort();
        imported.dedup();
        Additions {
            code: self.needs_compiler.then(|| self.code.clone()),
            uses_python: false,
            members: self.members.clone(),
            new_objects: self.new_objects.clone(),
            variables: true,
            immutable: self.immutable_variables(),
            python: self.python.clone(),
            exports: self.exports.clone(),
            python_names: self.python_names.clone(),
            imported,
            docstring: self.docstring.clone(),
        }
    }

    /// The character that a macro of the file stands for.
    pub fn character(&self, name: &str) -> Option<String> {
        constant::character(&self.meaning(name)).map(String::from)
    }

    /// The text that a name stands for, if it is a macro, through further macros.
    fn meaning(&self, name: &str) -> String {
        let mut text = name.to_owned();
        for _ in 0..8 {
            match self.macros.text(&text) {
                Some(more) => text = more,
                None => break,
            }
        }
        text
    }

    /// Headers of the project that the code includes.
    pub fn own_headers(&self) -> impl Iterator<Item = &str> {
        self.headers_seen.iter().map(String::as_str)
    }

    fn immutable_variables(&self) -> Vec<String> {
        let names = self.immutable_names.iter().map(|(name, _)| name);
        let last = |name: &String| {
            let mut all = self.immutable_names.iter().rev();
            all.find(|(known, _)| known == name)
                .is_some_and(|(_, immutable)| *immutable)
        };
        let mut names: Vec<String> = names.filter(|name| last(name)).cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    /// Reads text that a directive stands for.
    fn read_generated(&mut self, text: &str, at: &RulePlace) -> Result<()> {
        let mut none = |name: &str, _: &str| Err(format!("{name} is not read here"));
        let before = std::mem::replace(&mut self.expanding, true);
        let result = read(text, &at.file, self, &mut none, 1);
        self.expanding = before;
        result.map_err(|mut error| {
            error.at = at.clone();
            error
        })
    }

    /// Declares a function behind all others; its prototype as C has it is returned.
    fn declare(&mut self, prototype: &str, at: &RulePlace) -> Result<String> {
        let text = format!("{prototype};");
        let text = declaration::function(&text, at, self)?.unwrap_or(text);
        self.last_source.push('\n');
        self.last_source.push_str(&text);
        let prototype = text.trim().trim_end_matches(';').to_owned();
        if let Some((head, _)) = c_text::function_of(&prototype)
            && let Some(name) = c_text::last_name(head)
        {
            self.declared.push(name.to_owned());
        }
        Ok(prototype)
    }

    /// A default whose value the compiler knows.
    fn default_of(&mut self, function: &str, parameter: u32, value: &str, at: &RulePlace) {
        let constant = format!("cuox_default_{}", self.defaults.len());
        self.last_source.push_str(&format!(
            "\n#define {constant} ({})",
            value.replace('\n', " ")
        ));
        self.defaults.push(NamedDefault {
            function: function.to_owned(),
            parameter,
            constant,
            at: at.clone(),
        });
    }
}

/// SWIG's own files, whose typemaps and macros are known here.
const KNOWN: [&str; 19] = [
    "cwstring.i",
    "file.i",
    "complex.i",
    "wchar.i",
    "argcargv.i",
    "cmalloc.i",
    "cdata.i",
    "constraints.i",
    "math.i",
    "typemaps.i",
    "numpy.i",
    "stdint.i",
    "cpointer.i",
    "carrays.i",
    "cstring.i",
    "inttypes.i",
    "exception.i",
    "stddef.i",
    "swigarch.i",
];

/// The greatest depth of files that include one another.
const DEPTH: u32 = 16;

/// Macros that SWIG defines.
const SWIG_MACROS: [(&str, &str); 6] = [
    ("SWIG", "1"),
    ("__STDC__", "1"),
    ("SWIGPYTHON", "1"),
    ("SWIGUTL", "1"),
    ("SWIG_VERSION", "0x040501"),
    ("__linux__", "1"),
];

/// The macro for the version of C that `-std=` names.
pub fn standard(arguments: &[String]) -> Option<(String, Option<String>)> {
    let named = arguments
        .iter()
        .rev()
        .find_map(|it| it.strip_prefix("-std="))?;
    let version = match named.trim_start_matches(['c', 'g', 'n', 'u']) {
        "99" | "9x" => "199901L",
        "11" | "1x" => "201112L",
        "17" | "18" => "201710L",
        "23" | "2x" => "202311L",
        _ => return None,
    };
    Some(("__STDC_VERSION__".to_owned(), Some(version.to_owned())))
}

/// Reads an interface file, with macros for its conditions. `open` gives the text of another interface file that it
/// includes, or says why it cannot.
///
/// # Errors
/// If a directive is not understood or not supported; the message names it.
pub fn parse(
    text: &str,
    file: &str,
    defines: &[(String, Option<String>)],
    open: Open<'_>,
) -> Result<Interface> {
    let new = |types: String| {
        let mut interface = Interface {
            lines: 1,
            folder: Path::new(file)
                .parent()
                .map_or_else(PathBuf::new, Path::to_owned),
            later_types: types,
            ..Interface::default()
        };
        for (name, value) in SWIG_MACROS {
            interface.macros.set(name, value);
        }
        for (name, value) in defines {
            interface.macros.set(name, value.as_deref().unwrap_or("1"));
        }
        interface
    };
    let mut interface = new(String::new());
    read(text, file, &mut interface, open, 0)?;
    if interface.types.contains('{') {
        // A type may stand before the code of %{ %} that defines it for the compiler.
        interface = new(interface.types);
        read(text, file, &mut interface, open, 0)?;
    }
    interface.rules.as_swig = true;
    extend::finish(&mut interface)?;
    declaration::varargs_of_headers(&mut interface);
    code::declare_newfree(&mut interface)?;
    code::finish(&mut interface);
    rename::finish(&mut interface);
    record::finish(&mut interface);
    record::constructors(&mut interface);
    record::fixed(&mut interface);
    for name in std::mem::take(&mut interface.ending) {
        let rule = interface.rules.renaming(&name, NameKind::Function);
        let named = rule.map_or_else(|| name.clone(), |rule| rule.to.apply(&name));
        if is_identifier(&named) {
            let line = format!("ends_record(globals(), \"{named}\")\n");
            interface.python.push_str(&line);
            interface.imported.push("ends_record".to_owned());
        }
    }
    typemap::finish(&mut interface);
    if !interface.needs_compiler && !interface.defined.is_empty() {
        interface.notes.push(format!(
            "{file}: the functions that %{{ %}} defines ({}) are compiled only if the file, or a header that it binds, declares one of them",
            interface.defined.join(", ")
        ));
    }
    if !interface.only.is_empty() {
        // `%ignore "";` is about all that no %rename("%s") names.
        interface.rules.ignore.retain(|rule| rule.value.0 != "*");
        interface.only.extend(interface.exports.iter().cloned());
        for member in &interface.members {
            interface.only.push(member.function.clone());
            interface.only.extend(member.setter.clone());
        }
    }
    Ok(interface)
}

fn read(
    text: &str,
    file: &str,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    read_text(text, file, interface, open, depth).map_err(|mut error| {
        // The innermost file's text is the one that the place is in.
        if error.line_text.is_empty() && *error.at.file == *file && !interface.expanding {
            let line = (error.at.line as usize).checked_sub(1);
            let line = line.and_then(|line| text.lines().nth(line));
            error.line_text = line.unwrap_or("").trim_end().to_owned();
        }
        error
    })
}

fn read_text(
    text: &str,
    file: &str,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    read_from(Scanner::new(text, file), interface, open, depth)
}

/// Reads what is left of a text.
fn read_from(
    mut scanner: Scanner<'_>,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    let mut conditions = Conditions::new(interface.inside_code);
    loop {
        if let Some(line) = scanner.condition() {
            conditions.read(line, &mut scanner, &mut interface.macros)?;
            continue;
        }
        let at = scanner.at();
        if scanner.done() {
            return conditions.finish();
        }
        // Declarations keep their lines, so that the compiler's messages are right.
        while depth == 0 && interface.lines < at.line {
            interface.source.push('\n');
            interface.lines += 1;
        }
        if scanner.take("%{") {
            let code = scanner.until_close(&at)?;
            code::block(code, &at, interface, open);
        } else if scanner.peek_is(b'%') {
            directive::read(&mut scanner, interface, open, depth)?;
        } else if let Some(name) = scanner.peek_name()
            && interface.macros.is_block(name)
        {
            scanner.space();
            let at = scanner.at();
            scanner.name();
            expand(name, &mut scanner, &at, interface, open, depth)?;
        } else {
            statement(scanner.statement(), &at, interface, open, depth)?;
        }
    }
}

/// Reads C text between directives, whose macros are replaced.
fn statement(
    text: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    let bare;
    let text = match interface.inside_code {
        true => {
            bare = code::declaration(text);
            &bare
        }
        false => text,
    };
    if scan::is_line(text) {
        return declaration::line(text, at, interface);
    }
    let Some(mut whole) = interface.macros.expand(text, at)? else {
        return declaration::declarations(text, at, interface);
    };
    if scan::has_directive(&whole) {
        return read_expansion(&whole, text, at, interface, open, depth);
    }
    // What follows stays on its line.
    let lines = text.matches('\n').count();
    whole.push_str(&"\n".repeat(lines.saturating_sub(whole.matches('\n').count())));
    let mut scanner = Scanner::from(&whole, at);
    while !scanner.done() {
        let place = scanner.at();
        let mut piece = scanner.statement().to_owned();
        if interface.inside_code {
            piece = code::declaration(&piece);
        }
        declaration::declarations(&piece, &place, interface)?;
    }
    Ok(())
}

/// Reads what a macro stands for.
fn expand(
    name: &str,
    scanner: &mut Scanner<'_>,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    let text = interface.macros.expand_use(name, scanner, at)?;
    scanner.blanks();
    scanner.take(";");
    read_expansion(&text, name, at, interface, open, depth)
}

/// Reads a text that macros have become, in which there may be directives.
fn read_expansion(
    text: &str,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    let name = c_text::first_line(name.trim());
    if depth >= DEPTH {
        return Err(RuleError::new(
            at,
            format!("{name} uses itself, or too many macros use one another"),
        ));
    }
    let before = std::mem::replace(&mut interface.expanding, true);
    let result = read(text, &at.file, interface, open, depth + 1);
    interface.expanding = before;
    // Lines of the macro's text are nobody's.
    result.map_err(|mut error| {
        error.message = format!("{} (in the macro {name})", error.message);
        error.at = at.clone();
        error
    })
}

#[cfg(test)]
mod tests;
