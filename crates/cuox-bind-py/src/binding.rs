//! `cuox_bind._native.Binding`: a header with its plan.

use std::path::PathBuf;
use std::sync::Arc;

use cuox_bind::clang::{self, Input, Keep, Language, ParseError, ParseOptions, Parsed};
use cuox_bind::decl::Header;
use cuox_bind::decl::file::FileError;
use cuox_bind::plan::{self, Gil, Options, Plan, PlanError, explain};
use cuox_bind::rules::swig::{self, Additions, Converted};
use cuox_bind::rules::{Glob, RuleError, RulePlace, Rules, StatusChoice};
use cuox_bind::write::{self, data};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::errors::{bind_error, declared_at, parse_error, plan_error, rule_error};
use crate::interface::{interface_changes, interface_file, interface_inputs, is_of_interface};
use crate::rule_tree::tree;
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
        let asked: Vec<Glob> = only.iter().chain(&ignore).cloned().map(Glob).collect();
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
            fallback_dirs: search::cuda_include_dirs(py)?,
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
            parse.fallback_dirs.push(search::python_include_dir(py)?);
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
            Rule(RuleError),
        }
        let made = py.detach(|| {
            let Parsed {
                mut header,
                warnings,
                ..
            } = clang::parse_cached(&parse).map_err(Failed::Parse)?;
            if let Some((read, path, only)) = &from_interface {
                let code =
                    interface_changes(read, path, *only, &mut header, &mut all, &mut options);
                if !code.is_empty() {
                    let own = || read.code.clone();
                    additions.code.get_or_insert_with(own).push_str(&code);
                }
            }
            if !inline {
                header.without_inline();
            }
            let mut converted = Converted::default();
            if let Some((read, path, _)) = &from_interface {
                let wanted = |name: &str| {
                    let named = |globs: &[Glob]| globs.iter().any(|glob| glob.fits(name));
                    options.only.is_empty() || named(&options.only)
                };
                let ignored: Vec<Glob> = all.ignore.iter().map(|it| it.value.clone()).collect();
                let wanted = |name: &str| {
                    wanted(name)
                        && !ignored
                            .iter()
                            .chain(&options.ignore)
                            .any(|it| it.fits(name))
                };
                let file = path.display().to_string();
                let is_own = |header: &Header, place| is_of_interface(read, &file, header, place);
                converted = swig::convert(read, &mut header, &mut all, wanted, is_own)
                    .map_err(Failed::Rule)?;
                if !options.only.is_empty() {
                    let functions = converted.members.iter().map(|it| it.function.clone());
                    options.only.extend(functions.map(Glob));
                }
            }
            let plan = plan::make_known(&header, &all, &options).map_err(|error| {
                let place = declared_at(&header, &parse.inputs, &error);
                Failed::Plan(Box::new(error), place)
            })?;
            if let Some((read, ..)) = &from_interface {
                swig::document(read, &mut header, &plan);
            }
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
            if let Some((read, ..)) = &from_interface {
                additions.add_converting(read, converted.code.as_deref());
                additions.members.append(&mut converted.members);
            }
            Ok((header, plan, warnings, converted.notes))
        });
        let (header, plan, warnings, ignored) = made.map_err(|failed| match failed {
            Failed::Parse(error) => parse_error(py, &error, &places),
            Failed::Plan(error, place) => plan_error(py, &error, place),
            Failed::Rule(error) => rule_error(py, &error),
        })?;
        notes.extend(ignored);
        notes.extend(warnings.iter().map(ToString::to_string));
        for pattern in asked {
            if !declares(&header, &pattern) {
                notes.push(format!("nothing in the header is named '{}'", pattern.0));
            }
        }
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

    /// True if that code uses Python's C API.
    #[getter]
    fn uses_python(&self) -> bool {
        self.additions.uses_python
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

/// True if a header has something whose name fits.
fn declares(header: &Header, pattern: &Glob) -> bool {
    let functions = header.functions.iter().map(|it| &it.name);
    let types = header.records.iter().map(|it| &it.name);
    let types = types.chain(header.enums.iter().map(|it| &it.name));
    let types = types.chain(header.typedefs.iter().map(|it| &it.name));
    let values = header.variables.iter().map(|it| &it.name);
    let values = values.chain(header.constants.iter().map(|it| &it.name));
    let refused = header.refused.iter().map(|it| &it.name);
    let mut names = functions.chain(types).chain(values).chain(refused);
    names.any(|name| pattern.fits(name))
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
