//! `cuox_bind._native.Binding`: a header with its plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cuox_bind::clang::{self, Input, Keep, Language, ParseError, ParseOptions, Parsed, Severity};
use cuox_bind::decl::file::FileError;
use cuox_bind::decl::{Header, Place, Type, Value};
use cuox_bind::plan::{self, Gil, Options, Plan, PlanError, explain};
use cuox_bind::rules::swig::{self, Additions, Interface};
use cuox_bind::rules::{
    FunctionRule, Glob, Located, Node, ParameterKey, ParameterRule, RuleError, RulePlace, Rules,
    StatusChoice, Tree,
};
use cuox_bind::write::{self, data};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple, PyType};

use crate::search;

/// A header with its plan. Only for `cuox_bind._internal.bind` and `cuox_bind._internal.bind_command`.
#[pyclass(module = "cuox_bind._native", frozen)]
pub struct Binding {
    /// The declarations.
    pub header: Arc<Header>,
    /// The plan: how each function is called.
    pub plan: Arc<Plan>,
    /// Warnings of the compiler, and the parts of an interface file that have no effect.
    notes: Vec<String>,
    /// The module's name, from an interface file.
    module: Option<String>,
    /// The parts of an interface file that are beside bindings.
    additions: Arc<Additions>,
}

#[pymethods]
impl Binding {
    /// Read headers and plan how to call what they declare.
    ///
    /// rules is a rules file's path or a dict; interface a SWIG interface file's path; defines are `NAME` or
    /// `NAME=VALUE`; only and ignore are patterns for names; with inline, `static inline` functions are bound.
    #[staticmethod]
    #[pyo3(signature = (headers, *, source = None, include_dirs = Vec::new(), defines = Vec::new(), rules = None, interface = None,
        language = "c", status = None, gil = None, arguments = Vec::new(), only = Vec::new(), ignore = Vec::new(), inline = false))]
    #[allow(clippy::too_many_arguments, reason = "keywords, in Python")]
    fn parse(
        py: Python<'_>,
        headers: Vec<String>,
        source: Option<String>,
        include_dirs: Vec<PathBuf>,
        defines: Vec<String>,
        rules: Option<&Bound<'_, PyAny>>,
        interface: Option<PathBuf>,
        language: &str,
        status: Option<&str>,
        gil: Option<&str>,
        arguments: Vec<String>,
        only: Vec<String>,
        ignore: Vec<String>,
        inline: bool,
    ) -> PyResult<Self> {
        let mut options = Options {
            status: status.map(status_choice).transpose()?,
            gil: gil.map(gil_choice).transpose()?,
            only: only.into_iter().map(Glob).collect(),
            ignore: ignore.into_iter().map(Glob).collect(),
        };
        let mut parse = ParseOptions {
            inputs: Vec::new(),
            language: language_choice(language)?,
            include_dirs,
            // Where there are none, a header that is missing says so.
            fallback_dirs: search::more_include_dirs(py),
            defines: defines.into_iter().map(define).collect(),
            arguments,
            keep: Keep::Project,
            libclang: None,
            site_dirs: search::site_packages(),
        };
        let mut all = Rules::default();
        let mut notes = Vec::new();
        let mut module = None;
        let mut additions = Additions::default();
        let mut places = Vec::new();
        let mut from_interface = None;
        if let Some(path) = interface {
            let mut read = interface_file(py, &path, &parse)?;
            additions = read.additions();
            places.clone_from(&read.header_places);
            options.only.extend(read.only.iter().cloned().map(Glob));
            module.clone_from(&read.module);
            notes.extend(read.notes.iter().cloned());
            let only = interface_inputs(
                &read,
                &path,
                headers.is_empty() && source.is_none(),
                &mut parse,
                &mut options,
            );
            all.add(std::mem::take(&mut read.rules));
            from_interface = Some((read, path, only));
        }
        parse.inputs.extend(headers.into_iter().map(Input::File));
        if let Some(text) = source {
            let name = "<source>".to_owned();
            parse.inputs.push(Input::Text { name, text });
        }
        if parse.inputs.is_empty() {
            return Err(PyValueError::new_err(
                "bind: expected headers, source or an interface file, got none of them",
            ));
        }
        match rules {
            Some(given) if given.cast::<PyMapping>().is_ok() => {
                let at = RulePlace::whole("rules");
                let tree = tree(given, &at, 0)?;
                all.add(Rules::from_tree(&tree).map_err(|error| rule_error(py, &error))?);
            }
            Some(given) => {
                let path: PathBuf = given.extract()?;
                let text = std::fs::read_to_string(&path).map_err(|error| {
                    bind_error(
                        py,
                        &format!("{}: {error}", path.display()),
                        &path.display().to_string(),
                        0,
                    )
                })?;
                let name = path.display().to_string();
                all.add(Rules::from_toml(&text, &name).map_err(|error| rule_error(py, &error))?);
            }
            None => {}
        }
        enum Failed {
            Parse(ParseError),
            /// With the file and line of the function's declaration.
            Plan(Box<PlanError>, Option<(String, u32)>),
        }
        let made = py.detach(|| {
            let Parsed {
                mut header,
                warnings,
                ..
            } = clang::parse_cached(&parse).map_err(Failed::Parse)?;
            if let Some((read, path, only)) = &from_interface {
                interface_changes(read, path, *only, &mut header, &mut all, &mut options);
            }
            if !inline {
                header.without_inline();
            }
            let plan = plan::make_known(&header, &all, &options).map_err(|error| {
                let place = declared_at(&header, &parse.inputs, &error);
                Failed::Plan(Box::new(error), place)
            })?;
            // Headers declare what the code defines.
            if let Some((read, ..)) = &from_interface
                && additions.code.is_none()
                && header
                    .functions
                    .iter()
                    .any(|it| read.defined.contains(&it.name))
            {
                additions.code = Some(read.code.clone());
            }
            Ok((header, plan, warnings))
        });
        let (header, plan, warnings) = made.map_err(|failed| match failed {
            Failed::Parse(error) => parse_error(py, &error, &places),
            Failed::Plan(error, place) => plan_error(py, &error, place),
        })?;
        notes.extend(warnings.iter().map(ToString::to_string));
        Ok(Self {
            header: Arc::new(header),
            plan: Arc::new(plan),
            notes,
            module,
            additions: Arc::new(additions),
        })
    }

    /// Make a binding of a text that `data` has returned.
    #[staticmethod]
    fn from_data(py: Python<'_>, text: &str) -> PyResult<Self> {
        let bound = py.detach(|| data::unpack(text)).map_err(|error| {
            let hint = match &error {
                FileError::Version { .. } => " (the command is in the module's first comment)",
                _ => "",
            };
            let message = format!("the data of this binding cannot be used: {error}{hint}");
            bind_error(py, &message, "", 0)
        })?;
        Ok(Self {
            header: Arc::new(bound.header),
            plan: Arc::new(bound.plan),
            notes: Vec::new(),
            module: None,
            additions: Arc::default(),
        })
    }

    /// Header and plan as text, without what nobody needs.
    fn data(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| data::pack(&self.header, &self.plan))
            .map_err(|error| bind_error(py, &error.to_string(), "", 0))
    }

    /// The same with comments cut down to what is worth shipping.
    fn shortened(&self) -> Self {
        let mut header = Header::clone(&self.header);
        header.shorten_docs();
        Self {
            header: Arc::new(header),
            plan: self.plan.clone(),
            notes: self.notes.clone(),
            module: self.module.clone(),
            additions: self.additions.clone(),
        }
    }

    /// The same with comments as docstrings.
    fn readable(&self, py: Python<'_>) -> Self {
        let header = py.detach(|| plan::docs::readable(&self.header, &self.plan));
        Self {
            header: Arc::new(header),
            plan: self.plan.clone(),
            notes: self.notes.clone(),
            module: self.module.clone(),
            additions: self.additions.clone(),
        }
    }

    /// Say how a function is called, and why; without a name, for everything. None for a name that is not in the
    /// header.
    #[pyo3(signature = (name = None))]
    fn explain(&self, name: Option<&str>) -> Option<String> {
        match name {
            Some(name) => explain::function(&self.header, &self.plan, name),
            None => Some(explain::header(&self.header, &self.plan)),
        }
    }

    /// Say how much of the header is bound, and what is not and why.
    fn table(&self) -> String {
        explain::table(&self.header, &self.plan)
    }

    /// The text of a module and of its stub. `inline` is the library with the functions that are only in the header.
    #[pyo3(signature = (libraries, command, inline = None))]
    fn write(
        &self,
        py: Python<'_>,
        libraries: Vec<String>,
        command: &str,
        inline: Option<&str>,
    ) -> PyResult<(String, String)> {
        let binding = write::Binding {
            header: &self.header,
            plan: &self.plan,
            libraries: &libraries,
            command,
            inline,
            additions: &self.additions,
        };
        let module =
            write::module(&binding).map_err(|error| bind_error(py, &error.to_string(), "", 0))?;
        Ok((module, write::stub(&binding)))
    }

    /// Warnings of the compiler, and the parts of an interface file that have no effect.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The bound functions that are only in the header.
    #[getter]
    fn inline(&self) -> Vec<&str> {
        let planned = self.plan.functions.iter();
        planned
            .map(|it| &self.header.functions[it.function as usize])
            .filter(|it| it.is_inline())
            .map(|it| it.name.as_str())
            .collect()
    }

    /// The bound macros whose value C computes, each with whether it is a value: others are variables of C.
    #[getter]
    fn macros(&self) -> Vec<(&str, bool)> {
        let planned = self.plan.variables.iter();
        planned
            .map(|(index, _)| &self.header.variables[*index as usize])
            .filter(|it| it.is_inline())
            .map(|it| (it.name.as_str(), it.constant))
            .collect()
    }

    /// C code of an interface file, to be compiled into a library of its own; None if nothing of it is bound.
    #[getter]
    fn code(&self) -> Option<&str> {
        self.additions.code.as_deref()
    }

    /// Python code of an interface file; the names that it defines for users; functions of `cuox_bind.bound` that it
    /// uses; names of the binding in it.
    #[getter]
    fn python(&self) -> (String, Vec<String>, Vec<String>, Vec<String>) {
        let words = write::identifiers(&self.additions.python);
        let words = words.into_iter().filter(|it| !it.is_empty());
        (
            self.additions.python.clone(),
            self.additions.exports.clone(),
            self.additions.imported.clone(),
            words.map(str::to_owned).collect(),
        )
    }

    /// Members that an interface file adds to records: a record, a name, the function; for an attribute its setter, for
    /// a function without a record an empty text and `static`.
    #[getter]
    fn methods(&self) -> Vec<Vec<String>> {
        let words = |it: &swig::Member| it.words().into_iter().map(str::to_owned).collect();
        self.additions.members.iter().map(words).collect()
    }

    /// Functions of C whose results are the caller's, of an interface file.
    #[getter]
    fn new_objects(&self) -> Vec<String> {
        self.additions.new_objects.clone()
    }

    /// Variables of C that an interface file makes immutable; None without an interface file.
    #[getter]
    fn immutable(&self) -> Option<Vec<String>> {
        self.additions
            .variables
            .then(|| self.additions.immutable.clone())
    }

    /// The functions and variables that libraries must have.
    #[getter]
    fn symbols(&self) -> Vec<&str> {
        let functions = self.plan.functions.iter();
        let functions = functions.map(|it| &self.header.functions[it.function as usize]);
        let variables = self.plan.variables.iter();
        let variables = variables.map(|(at, _)| &self.header.variables[*at as usize]);
        functions
            .filter(|it| !it.is_inline())
            .map(|it| it.symbol.as_str())
            .chain(
                variables
                    .filter(|it| !it.is_inline())
                    .map(|it| it.symbol.as_str()),
            )
            .collect()
    }

    /// The module's name, if an interface file says one.
    #[getter]
    fn module(&self) -> Option<&str> {
        self.module.as_deref()
    }
}

/// A `BindError`.
#[cold]
fn bind_error(py: Python<'_>, message: &str, file: &str, line: u32) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let line = (line > 0).then_some(line);
    let made = CLASS
        .import(py, "cuox_bind._internal.errors", "BindError")
        .and_then(|class| class.call1((message, file, line)));
    made.map_or_else(|error| error, PyErr::from_value)
}

fn rule_error(py: Python<'_>, error: &RuleError) -> PyErr {
    bind_error(py, &error.to_string(), &error.at.file, error.at.line)
}

/// The place of the declaration that cannot be planned.
fn declared_at(header: &Header, inputs: &[Input], error: &PlanError) -> Option<(String, u32)> {
    let name = error.function.as_ref()?;
    let function = header.functions.iter().find(|it| it.name == *name)?;
    let file = header.files.get(function.place.file as usize)?;
    // A header that was asked for by its path is named by it, as the compiler does.
    let mut paths = inputs.iter().filter_map(|input| match input {
        Input::File(path) => Some(path),
        Input::Text { .. } => None,
    });
    let path = paths.find(|path| Path::new(path).ends_with(file));
    let file = path.unwrap_or(file).clone();
    Some((file, function.place.line))
}

/// The place is the rule's if it has a line, else the declaration's.
fn plan_error(py: Python<'_>, error: &PlanError, declared: Option<(String, u32)>) -> PyErr {
    let place = error.place.as_deref().unwrap_or("");
    let mut parts = place.split(':');
    let file = parts.next().unwrap_or("");
    let line: Option<u32> = parts.next().and_then(|line| line.parse().ok());
    match (line, declared) {
        (None, Some((file, line))) => {
            let text = format!("{error} (declared at {file}:{line})");
            bind_error(py, &text, &file, line)
        }
        (line, _) => bind_error(py, &error.to_string(), file, line.unwrap_or(0)),
    }
}

/// `places` are those where an interface file names headers.
fn parse_error<'a>(py: Python<'_>, error: &'a ParseError, places: &[(String, RulePlace)]) -> PyErr {
    let (file, line) = match error {
        ParseError::Compile { diagnostics, .. } => {
            let first = diagnostics.iter().find(|it| it.severity >= Severity::Error);
            // A header that is not there has no place but its name.
            let lacking = |message: &'a str| {
                let name = message.strip_suffix("' file not found")?;
                name.strip_prefix('\'')
            };
            first.map_or(("", 0), |first| match lacking(&first.message) {
                Some(name) if first.file.is_empty() => (name, 0),
                _ => (first.file.as_str(), first.line),
            })
        }
        _ => ("", 0),
    };
    // A header that is not there was asked for by a line of the interface file.
    if line == 0
        && let Some((_, at)) = places.iter().find(|(name, _)| name == file)
    {
        let text = format!("{}: {error}", at.line());
        return bind_error(py, &text, &at.file, at.line);
    }
    bind_error(py, &error.to_string(), file, line)
}

fn one_of<T>(name: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T>
where
    T: Clone,
{
    let found = choices.iter().find(|(choice, _)| *choice == given);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<String> = choices
            .iter()
            .map(|(name, _)| format!("'{name}'"))
            .collect();
        PyValueError::new_err(format!(
            "{name} must be one of {}, not '{given}'",
            names.join(", ")
        ))
    })
}

fn status_choice(given: &str) -> PyResult<StatusChoice> {
    let choices = [
        ("raise", StatusChoice::Raise),
        ("tuple", StatusChoice::Tuple),
        ("return", StatusChoice::Return),
    ];
    one_of("status", given, &choices)
}

pub fn gil_choice(given: &str) -> PyResult<Gil> {
    one_of(
        "gil",
        given,
        &[
            ("auto", Gil::Auto),
            ("hold", Gil::Hold),
            ("release", Gil::Release),
        ],
    )
}

fn language_choice(given: &str) -> PyResult<Language> {
    let choices = [
        ("c", Language::C),
        ("c++", Language::Cxx),
        ("cuda", Language::Cuda),
    ];
    one_of("language", given, &choices)
}

fn define(text: String) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text, None),
    }
}

/// Puts an interface file's documentation in place of the header's.
fn replace_docs(header: &mut Header, docs: &[(String, String)]) {
    for (name, text) in docs {
        let functions = header.functions.iter_mut();
        for function in functions.filter(|it| it.name == *name) {
            function.doc = Some(text.clone());
        }
        let records = header.records.iter_mut();
        for record in records.filter(|it| it.name == *name) {
            record.doc = Some(text.clone());
        }
        let enums = header.enums.iter_mut();
        for enumeration in enums.filter(|it| it.name == *name) {
            enumeration.doc = Some(text.clone());
        }
    }
}

/// The text of an interface file: UTF-8, perhaps with a byte order mark, or Latin-1.
fn interface_text(path: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(path)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    })
}

/// Reads an interface file; those that it includes are looked for beside the file that names them, beside the first,
/// and in the include directories.
fn interface_file(py: Python<'_>, path: &Path, parse: &ParseOptions) -> PyResult<Interface> {
    let name = path.display().to_string();
    let text = interface_text(path).map_err(|error| {
        let text = error.to_string();
        // The system's words, without its number.
        let text = text.split(" (os error").next().unwrap_or(&text);
        bind_error(py, &format!("{name}: {text}"), &name, 0)
    })?;
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut open = |file: &str, from: &str| {
        let here = Path::new(from).parent().map(Path::to_owned);
        let places = here.iter().chain([&beside]).chain(&parse.include_dirs);
        let found = places
            .map(|place| place.join(file))
            .find(|path| path.is_file());
        match found {
            Some(path) => match interface_text(&path) {
                Ok(text) => Ok((text, path.display().to_string())),
                Err(error) => Err(error.to_string()),
            },
            None => Err(format!(
                "there is no such file beside {name} or in the include directories"
            )),
        }
    };
    let mut defines = parse.defines.clone();
    defines.extend(swig::standard(&parse.arguments));
    swig::parse(&text, &name, &defines, &mut open).map_err(|error| rule_error(py, &error))
}

/// Headers whose types SWIG knows, and whose functions its wrappers can call.
const STANDARD: &str = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <inttypes.h>\n#include <limits.h>\n#include <math.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <wchar.h>\n#define SWIGPYTHON 1\n#define SWIG_VERSION 0x040501\n#define SWIGEXPORT\n#define SWIGIMPORT\n#define SWIGSTDCALL\n#define SWIGINTERN static\n";

/// The name of the text with the code of `%{ %}`.
fn block_name(path: &Path) -> String {
    format!("{}: %{{ %}}", path.display())
}

/// The headers to be read because of an interface file, and the names that are bound of them. `true` is returned if
/// nothing else is bound but what the file itself declares.
fn interface_inputs(
    read: &Interface,
    path: &Path,
    alone: bool,
    parse: &mut ParseOptions,
    options: &mut Options,
) -> bool {
    let folder = path
        .parent()
        .map(|folder| match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        });
    if let Some(folder) = folder
        && !parse.include_dirs.iter().any(|known| known == folder)
    {
        parse.include_dirs.push(folder.to_owned());
    }
    let bare =
        read.declared.is_empty() && read.rules.constants.is_empty() && read.exports.is_empty();
    let nothing_named = alone && read.headers.is_empty() && bare;
    if nothing_named && !read.prelude.is_empty() {
        // `%{ #include "foo.h" %}` alone: there is nothing else that could be meant.
        parse
            .inputs
            .extend(read.prelude.iter().cloned().map(Input::File));
        return false;
    }
    // A header that is bound is included once, where the code includes it: it may have no guard.
    let mut seen: Vec<&String> = Vec::new();
    let mut text = STANDARD.to_owned();
    if !read.static_names.is_empty() {
        // What the file declares gets a symbol in its own library.
        text.push_str("#define static\n");
    }
    let flush = |text: &mut String, parse: &mut ParseOptions| {
        if !text.trim().is_empty() {
            let name = block_name(path);
            let text = std::mem::take(text);
            parse.inputs.push(Input::Text { name, text });
        }
    };
    for line in read.types.split_inclusive('\n') {
        let header = swig::code::included(line);
        match header.and_then(|name| read.headers.iter().find(|header| *header == name)) {
            Some(header) => {
                if !seen.contains(&header) {
                    flush(&mut text, parse);
                    parse.inputs.push(Input::File(header.clone()));
                    seen.push(header);
                }
            }
            None => text.push_str(line),
        }
    }
    if !read.static_names.is_empty() {
        text.push_str("\n#undef static\n");
    }
    flush(&mut text, parse);
    let rest = read.headers.iter().filter(|header| !seen.contains(header));
    parse.inputs.extend(rest.cloned().map(Input::File));
    if bare {
        return false;
    }
    // Its lines are those of the file.
    let name = path.display().to_string();
    let text = read.source.clone();
    parse.inputs.push(Input::Text { name, text });
    let only = alone && read.headers.is_empty();
    if only {
        // A declaration of the headers may be repeated here: it is bound for its name, wherever it is found first.
        parse.keep = Keep::All;
        // With `%ignore ""` it is what %rename("%s") names.
        if read.only.is_empty() {
            options.only.extend(read.declared.iter().cloned().map(Glob));
        }
    }
    only
}

/// What an interface file says about declarations of C beside rules: names, defaults, and what of its code is not for
/// users.
fn interface_changes(
    read: &Interface,
    path: &Path,
    only: bool,
    header: &mut Header,
    rules: &mut Rules,
    options: &mut Options,
) {
    replace_docs(header, &read.docs);
    for field in &read.fields {
        let typedef = header.typedefs.iter().find(|it| it.name == field.record);
        let named = typedef.and_then(|it| match header.resolve(&it.ty) {
            Type::Record(id) => Some(id.0 as usize),
            _ => None,
        });
        let tagged = || header.records.iter().position(|it| it.name == field.record);
        let Some(index) = named.or_else(tagged) else {
            continue;
        };
        let fields = header.records[index].fields.iter_mut();
        for found in fields.filter(|it| it.name == field.field) {
            found.name.clone_from(&field.name);
        }
    }
    rules.rename_parts(header);
    // As in SWIG, a directive may be about a function that is not there.
    let known = |name: &str| {
        header.functions.iter().any(|it| it.name == name)
            || header.refused.iter().any(|it| it.name == name)
    };
    let of_interface = |file: &str| {
        file == path.display().to_string() || [".i", ".swg"].iter().any(|it| file.ends_with(it))
    };
    rules.functions.retain(|it| {
        !it.functions.is_exact() || !of_interface(&it.at.file) || known(&it.functions.0)
    });
    for default in &read.defaults {
        let constants = header.constants.iter();
        let found = constants.clone().find(|it| it.name == default.constant);
        let Some(value) = found.map(|it| it.value.clone()) else {
            continue;
        };
        rules.functions.push(FunctionRule {
            functions: Glob(default.function.clone()),
            at: default.at.clone(),
            name: None,
            gil: None,
            result: None,
            errno: None,
            parameters: vec![ParameterRule {
                parameter: ParameterKey::Index(default.parameter),
                at: default.at.clone(),
                name: None,
                role: None,
                nullable: None,
                default: Some(value),
                extent: None,
            }],
        });
    }
    let (own, block) = (path.display().to_string(), block_name(path));
    let files = header.files.clone();
    let from =
        |place: Place, name: &str| files.get(place.file as usize).is_some_and(|it| *it == name);
    let declared = |name: &String| read.declared.contains(name);
    header.constants.retain(|it| {
        !it.name.starts_with("cuox_default_") && (declared(&it.name) || !from(it.place, &block))
    });
    header
        .variables
        .retain(|it| declared(&it.name) || !from(it.place, &block));
    for constant in header
        .constants
        .iter_mut()
        .filter(|it| from(it.place, &own))
    {
        if let Some(character) = read.character(&constant.name) {
            constant.value = Value::Text(character.into_bytes());
        }
    }
    if !only {
        return;
    }
    if read.only.is_empty() {
        let functions = header.functions.iter().map(|it| (&it.name, it.place));
        let variables = header.variables.iter().map(|it| (&it.name, it.place));
        let constants = header.constants.iter().map(|it| (&it.name, it.place));
        let anonymous = header.enums.iter().filter(|it| it.name.is_empty());
        let values = anonymous.flat_map(|it| it.values.iter().map(|value| (&value.name, it.place)));
        let all = functions.chain(variables).chain(constants).chain(values);
        let mine = all.filter(|(_, place)| from(*place, &own));
        options
            .only
            .extend(mine.map(|(name, _)| Glob(name.clone())));
    }
    // The rest of what the code includes is not for users.
    let own_files = |file: &str| {
        file == own || file == block || read.own_headers().any(|name| file.ends_with(name))
    };
    header.hide(
        |name| options.only.iter().any(|glob| glob.fits(name)),
        own_files,
    );
    let foreign = header.enums.iter().filter(|it| {
        !it.name.is_empty()
            && !files
                .get(it.place.file as usize)
                .is_some_and(|file| own_files(file))
    });
    let at = RulePlace::whole("the interface file");
    let foreign: Vec<String> = foreign.map(|it| it.name.clone()).collect();
    rules.ignore.extend(foreign.into_iter().map(|name| Located {
        value: Glob(name),
        at: at.clone(),
    }));
}

/// The depth of a dictionary of rules; no rule needs more than four.
const DEPTH: u32 = 16;

/// Rules that are given as a dictionary.
fn tree(value: &Bound<'_, PyAny>, at: &RulePlace, depth: u32) -> PyResult<Node> {
    if depth > DEPTH {
        let text = format!("rules: expected a dict of at most {DEPTH} levels, got more");
        return Err(PyValueError::new_err(text));
    }
    let node = |value| {
        Ok(Node {
            value,
            at: at.clone(),
        })
    };
    let items = |values: Vec<Bound<'_, PyAny>>| {
        let nodes = values.iter().map(|item| tree(item, at, depth + 1));
        nodes.collect::<PyResult<Vec<Node>>>()
    };
    if let Ok(text) = value.cast::<PyString>() {
        return node(Tree::Text(text.to_str()?.to_owned()));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return node(Tree::Bool(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return node(Tree::Int(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return node(Tree::Float(value.extract()?));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return node(Tree::List(items(list.iter().collect())?));
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return node(Tree::List(items(tuple.iter().collect())?));
    }
    let Ok(mapping) = value.cast::<PyMapping>() else {
        let kind = value.get_type();
        return Err(PyTypeError::new_err(format!(
            "rules: expected a str, int, float, bool, list or dict, got {}",
            kind.name()?
        )));
    };
    let entries = mapping.items()?;
    let entries = entries.iter().map(|item| {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let key: String = key
            .extract()
            .map_err(|_| PyTypeError::new_err("rules: expected strings as the keys of a dict"))?;
        // With no lines, the keys that lead to a value are its place.
        let inner = RulePlace::whole(&format!("{}[{key:?}]", at.file));
        let name = Located {
            value: key,
            at: inner.clone(),
        };
        Ok((name, tree(&value, &inner, depth + 1)?))
    });
    let entries: PyResult<Vec<_>> = entries.collect();
    node(Tree::Table(entries?))
}
