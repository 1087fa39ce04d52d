//! SWIG interface files: what they name, bind and change.

use std::path::Path;

use cuox_bind::clang::{Input, Keep, ParseOptions};
use cuox_bind::decl::{Function, Header, Place, Type, Value};
use cuox_bind::plan::Options;
use cuox_bind::rules::swig::{self, Interface};
use cuox_bind::rules::{
    FunctionRule, Glob, Located, ParameterKey, ParameterRule, RulePlace, Rules,
};
use pyo3::prelude::*;

use crate::errors::{bind_error, rule_error};

/// Puts an interface file's documentation in place of the header's.
pub fn replace_docs(header: &mut Header, docs: &[(String, String)]) {
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
pub fn interface_text(path: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(path)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    })
}

/// Reads an interface file; those that it includes are looked for beside the file that names them, beside the first,
/// and in the include directories.
pub fn interface_file(py: Python<'_>, path: &Path, parse: &ParseOptions) -> PyResult<Interface> {
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
const STANDARD: &str = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <inttypes.h>\n#include <limits.h>\n#include <math.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <wchar.h>\n#define SWIGPYTHON 1\n#define SWIG_VERSION 0x040501\n#define SWIGEXPORT\n#define SWIGIMPORT\n#define SWIGSTDCALL\n#define SWIGINTERN static\ntypedef struct _object PyObject;\ntypedef struct _typeobject PyTypeObject;\ntypedef ptrdiff_t Py_ssize_t;\n";

/// The name of the text with the code of `%{ %}`.
pub fn block_name(path: &Path) -> String {
    format!("{}: %{{ %}}", path.display())
}

/// The headers to be read because of an interface file, and the names that are bound of them. `true` is returned if
/// nothing else is bound but what the file itself declares.
pub fn interface_inputs(
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
    // What declarations may need of Python is declared above: its header is long.
    let is_python = |name: &str| name == "Python.h";
    let prelude = || read.prelude.iter().filter(|name| !is_python(name));
    if nothing_named && prelude().next().is_some() {
        // `%{ #include "foo.h" %}` alone: there is nothing else that could be meant.
        parse.inputs.extend(prelude().cloned().map(Input::File));
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
        if header.is_some_and(is_python) {
            continue;
        }
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
    if bare && !read.source.contains(swig::VARARGS) {
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

/// True if a declaration is the interface file's, or of a header that it names.
pub fn is_of_interface(read: &Interface, own: &str, header: &Header, place: Place) -> bool {
    let file = header.files.get(place.file as usize);
    file.is_some_and(|file| file == own || read.headers.iter().any(|name| file.ends_with(name)))
}

/// Functions get the parameters that `%varargs` puts in place of their `...`; C code calls them, which is returned.
fn replace_varargs(read: &Interface, header: &mut Header, rules: &mut Rules) -> String {
    let mut code = String::new();
    let is_list = |it: &Function| it.name.starts_with(swig::VARARGS);
    let (lists, functions) = std::mem::take(&mut header.functions)
        .into_iter()
        .partition(is_list);
    header.functions = functions;
    let lists: Vec<Function> = lists;
    for list in lists {
        let name = &list.name[swig::VARARGS.len()..];
        let found = |it: &Function| it.name == name && it.variadic;
        let Some(index) = header.functions.iter().position(found) else {
            continue;
        };
        let function = &mut header.functions[index];
        let before = function.parameters.len() as u32;
        function.variadic = false;
        function.parameters.extend(list.parameters);
        function.symbol = format!("cuox_fixed_{name}");
        if code.is_empty() {
            let others = read.headers.iter().filter(|it| !read.prelude.contains(it));
            code.extend(others.map(|it| format!("\n#include \"{it}\"")));
        }
        code.push_str(&fixed_call(header, &header.functions[index]));
        for rule in &mut rules.functions {
            if rule.functions.0 != list.name {
                continue;
            }
            name.clone_into(&mut rule.functions.0);
            for parameter in &mut rule.parameters {
                if let ParameterKey::Index(index) = &mut parameter.parameter {
                    *index += before;
                }
            }
        }
    }
    let is_left = |it: &FunctionRule| it.functions.0.starts_with(swig::VARARGS);
    rules.functions.retain(|it| !is_left(it));
    code
}

/// C code that calls a function of `...` with the parameters of its declaration.
fn fixed_call(header: &Header, function: &Function) -> String {
    let parameters = function.parameters.iter().enumerate();
    let declared: Vec<String> = parameters
        .map(|(at, it)| header.declare(&it.ty, &format!("arg{at}")))
        .collect();
    let passed: Vec<String> = (0..declared.len()).map(|at| format!("arg{at}")).collect();
    let signature = format!("{}({})", function.symbol, declared.join(", "));
    let gives = match *header.resolve(&function.result) {
        Type::Void => "",
        _ => "return ",
    };
    format!(
        "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n{} {{ {gives}{}({}); }}\n",
        header.declare(&function.result, &signature),
        function.name,
        passed.join(", ")
    )
}

/// What an interface file says about declarations of C beside rules: names, defaults, and what of its code is not for
/// users. C code that calls functions of headers is returned.
pub fn interface_changes(
    read: &Interface,
    path: &Path,
    only: bool,
    header: &mut Header,
    rules: &mut Rules,
    options: &mut Options,
) -> String {
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
    let code = replace_varargs(read, header, rules);
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
        return code;
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
    code
}
