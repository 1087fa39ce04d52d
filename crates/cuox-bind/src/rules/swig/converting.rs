//! Functions whose arguments or results the interface file's own code converts: each gets one in C around it, which
//! takes `PyObject *` where there is such code, and what C takes elsewhere.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::{
    FunctionRule, Located, NameKind, ParameterKey, ParameterRule, Rename, RoleRule, RuleError,
    RulePlace, Rules,
};
use super::c_text::append;
use super::declaration::function_rule;
use super::extend::Member;
use super::parameter::Declared;
use super::scan::split;
use super::substitute::{Names, substitute};
use super::typemap_code::{Signature, TypemapCode, unqualified};
use super::values::Access;
use super::{Interface, tokens};
use crate::decl::{
    Function, Header, Int, Parameter, Place, Record, RecordId, Type, Typedef, TypedefId, Value,
};
use crate::policy::Gil;

type Result<T> = std::result::Result<T, RuleError>;

/// The parts of a binding that come of code between Python and C.
#[derive(Debug, Default)]
pub struct Converted {
    /// The C code of functions, if there are any.
    pub code: Option<String>,
    /// Attributes that functions of that code read and write.
    pub members: Vec<Member>,
    /// Typemaps that are not applied to fields or variables, as sentences with their places.
    pub notes: Vec<String>,
}

/// Puts functions that convert in the place of those that the file has such code for, and adds those that read and
/// write fields and variables. `wanted` tells the functions that are bound, `is_own` where fields and variables are
/// declared that typemaps are for.
///
/// # Errors
/// If the code uses something of SWIG that is not supported; the message names it.
pub fn convert(
    interface: &Interface,
    header: &mut Header,
    rules: &mut Rules,
    wanted: impl Fn(&str) -> bool,
    is_own: impl Fn(&Header, Place) -> bool,
) -> Result<Converted> {
    let mut all = Converted::default();
    if interface.conversions.is_empty() {
        return Ok(all);
    }
    let mut code = String::new();
    let mut fragments = Vec::new();
    let object = object_pointer(header);
    for index in 0..header.functions.len() {
        let function = header.functions[index].clone();
        // What frees texts is given C's own.
        if !wanted(&function.name) || interface.newfree.as_ref() == Some(&function.name) {
            continue;
        }
        let Some(made) = Converting::of(interface, header, rules, &function) else {
            continue;
        };
        let text = made.code()?;
        code.push_str(&text);
        fragments.extend(made.fragments());
        let (declared, rule) = made.declaration(&object);
        for known in &mut rules.functions {
            if known.functions.is_exact() && known.functions.0 == function.name {
                forget(known, &rule, made.returns_object());
            }
        }
        rules.functions.push(rule);
        header.functions[index] = declared;
    }
    let mut declarations = Vec::new();
    for access in Access::all(header, interface, |place| is_own(header, place)) {
        let function = access.function(header);
        let Some(made) = Converting::of_access(interface, header, &function, &access) else {
            continue;
        };
        match made.code() {
            Ok(text) => code.push_str(&text),
            Err(error) => {
                let message = format!("{error} (so it has no effect on {})", made.name);
                all.notes.push(message);
                continue;
            }
        }
        fragments.extend(made.fragments());
        all.members.push(access.member(header, &function.name));
        declarations.push(made.declaration(&object));
    }
    for (declared, rule) in declarations {
        header.functions.push(declared);
        rules.functions.push(rule);
    }
    if code.is_empty() {
        return Ok(all);
    }
    let mut before = String::new();
    // The code calls what is declared in headers that it does not include itself.
    for name in &interface.headers {
        if !interface.prelude.contains(name) && !interface.headers_seen.contains(name) {
            let _ = writeln!(before, "#include \"{name}\"");
        }
    }
    for (fragment, at) in interface.conversions.fragments(&fragments) {
        append(&mut before, fragment, at);
    }
    all.code = Some(before + &code);
    Ok(all)
}

/// Definitions of the types' names that C code uses, such as `SWIGTYPE_p_Foo`.
pub(super) fn descriptors(code: &str) -> String {
    let words = code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let names: BTreeSet<&str> = words
        .filter(|it| it.starts_with("SWIGTYPE_") && it.len() > "SWIGTYPE_".len())
        .collect();
    let mut made = String::new();
    for name in names {
        let mut bare = &name["SWIGTYPE_".len()..];
        let mut stars = String::new();
        while let Some(rest) = bare.strip_prefix("p_") {
            bare = rest;
            stars.push('*');
        }
        let _ = writeln!(
            made,
            "static swig_type_info cuox_{name} = {{\"{name}\", \"{bare} {stars}\"}};\n#define {name} (&cuox_{name})"
        );
    }
    made
}

/// Rules for what is not passed to C any more.
fn forget(known: &mut FunctionRule, new: &FunctionRule, object: bool) {
    for parameter in &mut known.parameters {
        let changed = new.parameters.iter();
        let mut changed = changed.filter(|it| it.parameter == parameter.parameter);
        if changed.next().is_some() {
            parameter.role = None;
            parameter.extent = None;
            parameter.nullable = None;
        }
    }
    if object {
        known.result = None;
        known.errno = None;
    }
}

/// `PyObject *`.
fn object_pointer(header: &mut Header) -> Type {
    const TAG: &str = crate::plan::OBJECT;
    let known = header.records.iter().position(|it| it.name == TAG);
    let record = RecordId(known.unwrap_or(header.records.len()) as u32);
    if known.is_none() {
        header.records.push(Record {
            name: TAG.to_owned(),
            tagged: true,
            union: false,
            size: None,
            align: 0,
            fields: Vec::new(),
            doc: None,
            place: Place::default(),
        });
    }
    let known = header.typedefs.iter().position(|it| it.name == "PyObject");
    let typedef = TypedefId(known.unwrap_or(header.typedefs.len()) as u32);
    if known.is_none() {
        header.typedefs.push(Typedef {
            name: "PyObject".to_owned(),
            ty: Type::Record(record),
            doc: None,
            place: Place::default(),
        });
    }
    Type::pointer_to(Type::Typedef(typedef))
}

/// A typemap for the parameters of a function from one on.
type Applied<'a> = (usize, &'a TypemapCode);

/// A function, and the code around it.
struct Converting<'a> {
    interface: &'a Interface,
    header: &'a Header,
    function: &'a Function,
    name: String,
    /// For each method of parameters.
    typemaps: Vec<(&'static str, Vec<Applied<'a>>)>,
    out: Option<&'a TypemapCode>,
    ret: Option<&'a TypemapCode>,
    exception: Option<(&'a str, &'a RulePlace)>,
    action: Option<(&'a str, &'a RulePlace)>,
    /// The field or variable that it reads or writes, and the typemap that writes it.
    access: Option<(&'a Access<'a>, Option<&'a TypemapCode>)>,
}

impl<'a> Converting<'a> {
    /// The same for a function that reads or writes a field or a variable.
    fn of_access(
        interface: &'a Interface,
        header: &'a Header,
        function: &'a Function,
        access: &'a Access<'a>,
    ) -> Option<Self> {
        let signature = access.signature(header, interface);
        let find = |method: &str| {
            let found = interface.conversions.find(method, &signature, 0);
            found.filter(|it| it.parameters.len() == 1 && !it.hidden)
        };
        let value = function.parameters.len().checked_sub(1);
        let writing = access.writing(interface, &signature);
        let mut made = Self {
            interface,
            header,
            function,
            name: access.shown(header),
            typemaps: Vec::new(),
            out: None,
            ret: None,
            exception: None,
            action: None,
            access: Some((access, writing)),
        };
        for method in access.methods() {
            let found = find(method);
            match value.filter(|_| access.writes) {
                Some(at) => {
                    // Where `varin` is applied it is what `in` is of functions.
                    let method = if *method == "varin" { "in" } else { method };
                    made.typemaps
                        .push((method, found.map(|it| (at, it)).into_iter().collect()));
                }
                None => made.out = found,
            }
        }
        let has_code = made.applied().next().is_some() || writing.is_some();
        has_code.then_some(made)
    }

    fn of(
        interface: &'a Interface,
        header: &'a Header,
        rules: &Rules,
        function: &'a Function,
    ) -> Option<Self> {
        let code = &interface.conversions;
        let signature = Signature::of(header, function, interface);
        let count = function.parameters.len() + usize::from(function.variadic);
        let methods = ["arginit", "in", "check", "argout", "freearg"];
        let typemaps: Vec<(&'static str, Vec<Applied<'a>>)> = methods
            .into_iter()
            .map(|method| {
                let mut found = Vec::new();
                let mut at = 0;
                while at < count {
                    let typemap = code.find(method, &signature, at);
                    found.extend(typemap.map(|it| (at, it)));
                    at += typemap.map_or(1, |it| it.parameters.len().max(1));
                }
                (method, found)
            })
            .collect();
        let result = signature.result(header, function);
        let name = match rules.renaming(&function.name, NameKind::Function) {
            Some(rule) if rule.to != Rename::Ignore => rule.to.apply(&function.name),
            _ => function.name.clone(),
        };
        let made = Self {
            interface,
            header,
            function,
            name,
            typemaps,
            out: code.find("out", &result, 0),
            ret: code.find("ret", &result, 0),
            exception: code.exception(&signature),
            action: code.action(&function.name),
            access: None,
        };
        let has_code = made.typemaps.iter().any(|(_, found)| !found.is_empty())
            || made.out.is_some()
            || made.ret.is_some()
            || made.exception.is_some()
            || made.action.is_some();
        has_code.then_some(made)
    }

    fn method(&self, method: &str) -> &[Applied<'a>] {
        let found = self.typemaps.iter().find(|(known, _)| *known == method);
        found.map_or(&[], |(_, found)| found)
    }

    fn applied(&self) -> impl Iterator<Item = &'a TypemapCode> {
        let of_parameters = self.typemaps.iter().flat_map(|(_, found)| found);
        of_parameters
            .map(|(_, it)| *it)
            .chain(self.out)
            .chain(self.ret)
            .chain(self.access.and_then(|(_, writing)| writing))
    }

    fn fragments(&self) -> Vec<String> {
        self.applied().flat_map(|it| it.fragments.clone()).collect()
    }

    /// True if the code makes the object that Python gets.
    fn returns_object(&self) -> bool {
        self.out.is_some() || !self.method("argout").is_empty()
    }

    /// The typemap that gives a parameter its value.
    fn input(&self, at: usize) -> Option<Applied<'a>> {
        let mut all = self.method("in").iter();
        all.find(|(start, it)| (*start..start + it.parameters.len()).contains(&at))
            .copied()
    }

    /// True if Python gives an object for this parameter.
    fn takes_object(&self, at: usize) -> bool {
        self.input(at).is_some_and(|(start, it)| {
            start == at && !it.hidden && at < self.function.parameters.len()
        })
    }

    fn is_rest(&self, at: usize) -> bool {
        at == self.function.parameters.len()
    }

    /// True if the code gets the arguments behind the named ones.
    fn takes_rest(&self) -> bool {
        self.function.variadic && self.input(self.function.parameters.len()).is_some()
    }

    /// The function that is called in its place, and the rule for it.
    fn declaration(&self, object: &Type) -> (Function, FunctionRule) {
        let mut declared = self.function.clone();
        let at = self.applied().next().map(|it| it.at.clone());
        let at = at
            .or(self.exception.map(|(_, at)| at.clone()))
            .or(self.action.map(|(_, at)| at.clone()))
            .unwrap_or_else(|| RulePlace::whole("the interface file"));
        let mut rule = function_rule(&self.function.name, &at);
        rule.gil = Some(Located {
            value: Gil::Python,
            at: at.clone(),
        });
        for (index, parameter) in declared.parameters.iter_mut().enumerate() {
            if self.input(index).is_none() {
                continue;
            }
            let taken = self.takes_object(index);
            *parameter = Parameter {
                name: parameter.name.clone(),
                ty: if taken {
                    object.clone()
                } else {
                    Type::Int(Int::I32)
                },
                default: None,
                nonnull: false,
                elements: None,
            };
            rule.parameters.push(ParameterRule {
                extent: None,
                parameter: ParameterKey::Index(index as u32),
                at: at.clone(),
                name: None,
                role: (!taken).then_some(RoleRule::Fixed(Value::Int(0))),
                nullable: None,
                default: None,
            });
        }
        // As in SWIG, C gets no further arguments but by such code.
        declared.variadic = self.takes_rest();
        if self.takes_rest() {
            declared.parameters.push(Parameter {
                name: Function::REST.to_owned(),
                ty: object.clone(),
                default: None,
                nonnull: false,
                elements: None,
            });
        }
        if self.returns_object() {
            declared.result = object.clone();
        }
        declared.symbol = format!("{}{}", Function::CONVERTING, self.function.name);
        (declared, rule)
    }

    /// The type of a parameter's variable.
    fn variable_type(&self, at: usize) -> Type {
        match self.function.parameters.get(at) {
            Some(parameter) => unqualified(&parameter.ty),
            None => Type::pointer_to(Type::Void),
        }
    }

    fn is_void(&self) -> bool {
        *self.header.resolve(&self.function.result) == Type::Void
    }

    /// The function in C.
    fn code(&self) -> Result<String> {
        let header = self.header;
        let count = self.function.parameters.len() + usize::from(self.takes_rest());
        let own = format!("{}{}", Function::CONVERTING, self.function.name);
        let (mut parameters, mut passed) = (Vec::new(), Vec::new());
        for at in 0..count {
            let (text, name) = match () {
                () if self.is_rest(at) => (
                    format!("PyObject *{}", Function::REST),
                    Function::REST.to_owned(),
                ),
                () if self.takes_object(at) => {
                    let name = format!("swig_obj{at}");
                    (format!("PyObject *{name}"), name)
                }
                () if self.input(at).is_some() => (format!("int cuox_unused{at}"), String::new()),
                () => {
                    let name = format!("arg{}", at + 1);
                    (
                        header.declare(&self.function.parameters[at].ty, &name),
                        name,
                    )
                }
            };
            parameters.push(text);
            if !name.is_empty() {
                passed.push((self.inner_parameter(at, &name), name));
            }
        }
        let result = unqualified(&self.function.result);
        let keeps = !self.is_void() && !self.returns_object();
        if keeps {
            let pointer = Type::pointer_to(result.clone());
            passed.push((
                header.declare(&pointer, "cuox_result"),
                "&cuox_result".to_owned(),
            ));
        }
        let list = |texts: Vec<&str>| match texts.is_empty() {
            true => "void".to_owned(),
            false => texts.join(", "),
        };
        let inner = list(
            passed
                .iter()
                .map(|(declared, _)| declared.as_str())
                .collect(),
        );
        let given: Vec<&str> = passed.iter().map(|(_, name)| name.as_str()).collect();
        let around = self.around();
        let mut code = format!(
            "\n{around}\nstatic PyObject *cuox_body_of_{}({inner}) {{\n",
            self.function.name
        );
        self.body(&mut code, keeps)?;
        let signature = format!(
            "{own}({})",
            list(parameters.iter().map(String::as_str).collect())
        );
        let call = format!(
            "cuox_is_this_python() ? cuox_body_of_{}({}) : NULL",
            self.function.name,
            given.join(", ")
        );
        let done = format!("cuox_checked(made, \"{}\")", self.name);
        if self.returns_object() {
            let _ = writeln!(
                code,
                "CUOX_EXTERN PyObject *{signature} {{\n PyObject *made = {call};\n return {done};\n}}"
            );
            return Ok(code);
        }
        let head = header.declare(&result, &signature);
        let (kept, back) = match keeps {
            true => (
                format!(
                    "{};\n memset(&cuox_result, 0, sizeof cuox_result);\n ",
                    header.declare(&result, "cuox_result")
                ),
                " return cuox_result;\n",
            ),
            false => (String::new(), ""),
        };
        let _ = writeln!(
            code,
            "CUOX_EXTERN {head} {{\n {kept}PyObject *made = {call};\n made = {done};\n Py_XDECREF(made);\n{back}}}"
        );
        Ok(code)
    }

    /// The place of what is around the file's code, for the compiler's messages.
    fn around(&self) -> String {
        format!("#line 1 \"<around {}()>\"", self.function.name)
    }

    /// A parameter of the inner function.
    fn inner_parameter(&self, at: usize, name: &str) -> String {
        match self.is_rest(at) || self.takes_object(at) {
            true => format!("PyObject *{name}"),
            false => self.header.declare(&self.variable_type(at), name),
        }
    }

    fn body(&self, code: &mut String, keeps: bool) -> Result<()> {
        let header = self.header;
        let count = self.function.parameters.len() + usize::from(self.takes_rest());
        let result = unqualified(&self.function.result);
        let _ = writeln!(
            code,
            " PyObject *self = NULL, *resultobj = NULL;\n const int cuox_void = {};",
            u8::from(self.is_void())
        );
        if !self.is_void() {
            let _ = writeln!(code, " {};", header.declare(&result, "result"));
        }
        for at in 0..count {
            if self.input(at).is_some() {
                let name = format!("arg{}", at + 1);
                let declared = header.declare(&self.variable_type(at), &name);
                let _ = writeln!(code, " {declared};\n memset(&{name}, 0, sizeof {name});");
            }
        }
        if !self.is_void() {
            code.push_str(" memset(&result, 0, sizeof result);\n");
        }
        // A variable has the number of its parameter behind its name, by which other typemaps know it.
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut bodies: Vec<(&str, String, &RulePlace)> = Vec::new();
        let of_result = [("out", self.out), ("ret", self.ret)];
        let of_result = of_result
            .into_iter()
            .filter_map(|(method, it)| Some((method, None, it?)));
        let of_parameters = self
            .typemaps
            .iter()
            .flat_map(|(method, found)| found.iter().map(|(at, it)| (*method, Some(*at), *it)));
        for (method, at, typemap) in of_parameters.chain(of_result) {
            let number = at.map_or(String::new(), |at| (at + 1).to_string());
            let names = self.names(at, typemap.parameters.len());
            let fail = |message: String| {
                RuleError::new(&typemap.at, format!("%typemap({method}): {message}"))
            };
            let mut body = substitute(typemap.code(), &names).map_err(&fail)?;
            let locals = substitute(&typemap.locals, &names).map_err(&fail)?;
            for local in split(&locals) {
                let declared = Declared::read(local);
                if declared.name.is_empty() {
                    continue;
                }
                let mut new =
                    match declared.name.ends_with(&number) && typemap.locals.contains("$argnum") {
                        true => declared.name.clone(),
                        false => format!("{}{number}", declared.name),
                    };
                while !taken.insert(new.clone()) {
                    new.push('_');
                }
                let value = declared.default.clone();
                body = tokens::renamed(&body, &declared.name, &new);
                let text = declared.named(&new);
                let value = value.map_or_else(String::new, |it| format!(" = {it}"));
                let _ = writeln!(code, " {text}{value};");
            }
            bodies.push((method, body, &typemap.at));
        }
        let around = self.around();
        let put = |code: &mut String, method: &str| {
            for (_, body, at) in bodies.iter().filter(|(known, ..)| *known == method) {
                code.push_str(" {");
                append(code, body, at);
                let _ = writeln!(code, " }}\n{around}");
            }
        };
        put(code, "arginit");
        put(code, "in");
        put(code, "check");
        self.call(code)?;
        match self.out {
            Some(_) => put(code, "out"),
            None if self.returns_object() => {
                let _ = writeln!(code, " resultobj = {};", self.boxed()?);
            }
            None => code.push_str(" resultobj = SWIG_Py_Void();\n"),
        }
        put(code, "argout");
        put(code, "freearg");
        put(code, "ret");
        if keeps {
            code.push_str(" *cuox_result = result;\n");
        }
        code.push_str(" return resultobj;\nfail:\n");
        put(code, "freearg");
        code.push_str(" Py_XDECREF(resultobj);\n return NULL;\n}\n");
        Ok(())
    }

    /// The call, with the code of `%exception` around it.
    fn call(&self, code: &mut String) -> Result<()> {
        let header = self.header;
        let count = self.function.parameters.len() + usize::from(self.takes_rest());
        let arguments: Vec<String> = (0..count)
            .map(
                |at| match self.function.parameters.get(at).map(|it| &it.ty) {
                    Some(ty @ Type::Pointer { .. }) => {
                        format!("({})arg{}", header.c_type(ty), at + 1)
                    }
                    _ => format!("arg{}", at + 1),
                },
            )
            .collect();
        let set = match self.is_void() {
            true => "",
            false => "result = ",
        };
        let mut action = format!("{set}{}({});", self.function.name, arguments.join(", "));
        if let Some((access, writing)) = self.access {
            action = match writing {
                Some(typemap) => self.writing(access, typemap)?,
                None => access.code(header, &unqualified(&self.function.result)),
            };
        }
        if let Some((text, at)) = self.action {
            action = self.general(text, at, "action", "")?;
        }
        match self.exception {
            Some((text, at)) => {
                code.push_str(" {");
                append(code, &self.general(text, at, "exception", &action)?, at);
                let _ = writeln!(code, " }}\n{}", self.around());
            }
            None => {
                let _ = writeln!(code, " {{ {action} }}");
            }
        }
        Ok(())
    }

    /// The code of `memberin`.
    fn writing(&self, access: &Access<'_>, typemap: &TypemapCode) -> Result<String> {
        let names = Names {
            values: vec![access.value()],
            input: Some("arg2".to_owned()),
            dimension: access.length(self.header),
            ..self.names(None, 1)
        };
        let mut code = "{".to_owned();
        let body = substitute(typemap.code(), &names).map_err(|message| {
            RuleError::new(&typemap.at, format!("%typemap(memberin): {message}"))
        })?;
        append(&mut code, &body, &typemap.at);
        let _ = writeln!(code, " }}\n{}", self.around());
        Ok(code)
    }

    /// Code that is about the whole function.
    fn general(&self, text: &str, at: &RulePlace, what: &str, action: &str) -> Result<String> {
        let names = Names {
            action: Some(action.to_owned()),
            ..self.names(None, 1)
        };
        substitute(text, &names)
            .map_err(|message| RuleError::new(at, format!("%{what}: {message}")))
    }

    /// The result as an object, where the file has no code for it.
    fn boxed(&self) -> Result<String> {
        let header = self.header;
        let ty = &self.function.result;
        let owned = self.interface.new_objects.contains(&self.function.name);
        Ok(match header.resolve(ty) {
            Type::Void => "SWIG_Py_Void()".to_owned(),
            Type::Bool => "PyBool_FromLong(result)".to_owned(),
            Type::Int(Int::Char) => "SWIG_From_char(result)".to_owned(),
            Type::Int(int) if int.size() <= 8 && int.signed() => {
                "PyLong_FromLongLong(result)".to_owned()
            }
            Type::Int(int) if int.size() <= 8 => "PyLong_FromUnsignedLongLong(result)".to_owned(),
            Type::Enum(_) => "PyLong_FromLongLong(result)".to_owned(),
            Type::Float(_) => "PyFloat_FromDouble((double)result)".to_owned(),
            Type::Pointer { to, .. } => match header.resolve(to) {
                Type::Int(Int::Char) => "SWIG_FromCharPtr((const char *)result)".to_owned(),
                Type::Record(id) if header.record(*id).name == crate::plan::OBJECT => {
                    "result".to_owned()
                }
                Type::Record(_) => format!(
                    "SWIG_NewPointerObj((void *)result, {}, {})",
                    super::substitute::descriptor(header, ty),
                    if owned { "SWIG_POINTER_OWN" } else { "0" }
                ),
                _ => return self.cannot_box(),
            },
            _ => return self.cannot_box(),
        })
    }

    fn cannot_box(&self) -> Result<String> {
        let at = self.applied().next().map(|it| it.at.clone());
        let at = at.unwrap_or_else(|| RulePlace::whole("the interface file"));
        let message = format!(
            "{}() returns {} beside what %typemap(argout) adds, which needs a %typemap(out)",
            self.name,
            self.header.c_type(&self.function.result)
        );
        Err(RuleError::new(&at, message))
    }

    /// The meaning of names that begin with `$`.
    fn names<'b>(&'b self, at: Option<usize>, count: usize) -> Names<'b> {
        let parameter = |at: usize| self.function.parameters.get(at);
        let values = match at {
            Some(at) => (at..at + count)
                .map(|at| {
                    let name = parameter(at).map_or("", |it| it.name.as_str()).to_owned();
                    (
                        format!("arg{}", at + 1),
                        name,
                        parameter(at).map(|it| it.ty.clone()),
                    )
                })
                .collect(),
            None => vec![(
                "result".to_owned(),
                self.access
                    .map_or(self.function.name.as_str(), |(it, _)| it.name)
                    .to_owned(),
                Some(self.function.result.clone()),
            )],
        };
        // `varin` writes the variable itself.
        let values = match self.access {
            Some((access, _)) if at == Some(0) => vec![access.value()],
            _ => values,
        };
        let input = at
            .and_then(|at| self.input(at))
            .filter(|(start, _)| self.takes_object(*start))
            .map(|(start, _)| format!("swig_obj{start}"));
        let rest = at.is_some_and(|at| self.is_rest(at));
        Names {
            header: self.header,
            values,
            input: input.or_else(|| rest.then(|| Function::REST.to_owned())),
            symbol: match self.access {
                Some((access, _)) if access.is_field() => self.function.name.clone(),
                _ => self.name.clone(),
            },
            number: at.map_or(0, |at| at + 1),
            declaration: self.header.prototype(self.function),
            owner: self.interface.new_objects.contains(&self.function.name),
            void: self.is_void(),
            action: None,
            dimension: match (self.access, at) {
                (Some((access, _)), _) => access.length(self.header),
                (None, at) => at.and_then(|at| match parameter(at)?.elements {
                    Some(crate::decl::Elements::Number(number)) => Some(number),
                    _ => None,
                }),
            },
        }
    }
}
