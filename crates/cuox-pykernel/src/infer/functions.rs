//! Functions and the versions of them that calls ask for.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::MOST_CALLS;
use super::divergence::spread::Look;
use super::frame::{Bound, Callee, Frame, Instance, Library, Program, Scope, identifier};
use super::kind::{Kind, Source};
use super::scan::Scan;
use crate::ast;
use crate::code::{Code as Text, Declaration, Printer};
use crate::compiled::{Compiled, DeviceForm, Options};
use crate::diagnostic::{Code, Diagnostic, Failure, Result};
use crate::host::{FunctionId, FunctionSource, Host, Value};
use crate::operand::{Expr, Operand};
use crate::prelude;
use crate::types::{Type, promote};

/// Translates a kernel or device function and all that it calls.
pub fn program(
    host: &mut dyn Host,
    library: &'static Library,
    function: FunctionId,
    arguments: &[Type],
    options: &Options,
) -> std::result::Result<Compiled, Box<Diagnostic>> {
    let mut item_types = HashMap::new();
    let mut has_values = false;
    // Again with each type that is found late, and with the values of arguments where one must be known.
    loop {
        let mut program = Program {
            host: &mut *host,
            library,
            options,
            instances: Vec::new(),
            functions: Vec::new(),
            declarations: Vec::new(),
            sections: BTreeSet::from(["types"]),
            exceptions: Vec::new(),
            symbols: HashSet::new(),
            state: Vec::new(),
            is_cooperative: false,
            has_breakpoints: false,
            external: Vec::new(),
            sources: HashMap::new(),
            calls: Vec::new(),
            shared: BTreeMap::new(),
            stored: BTreeMap::new(),
            collectives: Vec::new(),
            warnings: Vec::new(),
            has_checks: false,
            block: None,
            has_launch_block: false,
            has_values,
            wants_values: false,
            item_types: item_types.clone(),
            found_types: HashMap::new(),
            scratches: Vec::new(),
        };
        let done = program.entry(function, arguments);
        let known = item_types.len();
        item_types.extend(std::mem::take(&mut program.found_types));
        if item_types.len() > known {
            continue;
        }
        let wants_values = program.wants_values && done.is_err();
        if wants_values && !has_values && options.launch.is_some() {
            has_values = true;
            continue;
        }
        return done.map_err(|failure| {
            let mut diagnostic = failure.whole.unwrap_or_else(|| {
                Box::new(Diagnostic {
                    code: failure.code,
                    message: failure.message,
                    help: failure.help,
                    span: failure.span.unwrap_or_default(),
                    file: "?".into(),
                    line: None,
                    calls: Vec::new(),
                })
            });
            if wants_values && options.launch.is_none() {
                diagnostic.code = Code::Launch;
            }
            diagnostic
        });
    }
}

impl Program<'_> {
    /// The source of a function.
    pub(crate) fn source(&mut self, id: FunctionId) -> Result<Arc<FunctionSource>> {
        if let Some(source) = self.sources.get(&id) {
            return Ok(source.clone());
        }
        let source = self
            .host
            .function(id)
            .map_err(|why| Failure::new(Code::Source, why))?;
        let source = Arc::new(source);
        self.sources.insert(id, source.clone());
        Ok(source)
    }

    fn entry(&mut self, function: FunctionId, arguments: &[Type]) -> Result<Compiled> {
        let source = self.source(function)?;
        let device = self.options.device.clone();
        let name = match device.as_ref().and_then(|device| device.name.as_ref()) {
            Some(name) => name.clone(),
            None => source.tree.name.clone(),
        };
        let wanted: Vec<_> = source.tree.parameters.iter().collect();
        let is_left_out = |parameter: &&ast::Parameter| {
            source
                .defaults
                .iter()
                .any(|(name, _)| *name == parameter.name)
        };
        if wanted.len() < arguments.len() || !wanted[arguments.len()..].iter().all(is_left_out) {
            let failure = Failure::new(
                Code::Arguments,
                super::arguments::count_message(&source.tree.name, &source.tree, arguments.len()),
            );
            return Err(self.located(failure, &source, source.tree.span));
        }
        let given = arguments.iter().cloned().map(Kind::Value);
        let left_out = wanted[arguments.len()..].iter().filter_map(|parameter| {
            let of_it = |(name, _): &&(String, Value)| *name == parameter.name;
            let (_, value) = source.defaults.iter().find(of_it)?;
            Some(Kind::Constant(value.clone()))
        });
        let names = wanted.iter().map(|parameter| parameter.name.clone());
        let kinds: Vec<_> = names.zip(given.chain(left_out)).collect();
        let is_object = self.is_object();
        let is_kernel = device.is_none();
        // A kernel has C's linkage, of which a name can have one function only.
        let own_name = match &name {
            name if is_kernel && crate::prelude::is_c_function(name) => format!("{name}_kernel"),
            name => name.clone(),
        };
        let symbol = self.symbol(if is_object { "call" } else { &own_name });
        let result = match &device {
            None => Some(Type::None),
            Some(device) => device.result.clone(),
        };
        let index = self.instances.len();
        self.instances.push(Instance {
            callee: Callee::Function(function),
            kinds,
            symbol: symbol.clone(),
            declared: result.clone().filter(|_| !is_kernel),
            result,
            is_open: false,
            is_recursive: false,
            collectives: Vec::new(),
            items: Vec::new(),
            result_kind: None,
            prototype: String::new(),
        });
        self.translate(index, is_kernel)?;
        let result = self.instances[index].result.clone().unwrap_or(Type::None);
        let parameters: Vec<_> = wanted
            .iter()
            .map(|parameter| identifier(&parameter.name))
            .zip(arguments.iter().map(passed))
            .collect();
        let text = self.text(is_object.then_some(name.as_str()));
        Ok(Compiled {
            symbol: if is_object { name } else { symbol },
            prelude: prelude::sections(&self.sections),
            text,
            parameters,
            state: std::mem::take(&mut self.state),
            result,
            exceptions: std::mem::take(&mut self.exceptions),
            is_cooperative: self.is_cooperative,
            has_breakpoints: self.has_breakpoints,
            external: std::mem::take(&mut self.external),
            block: self.block.take(),
            has_launch_block: self.has_launch_block,
            launch_values: self.launch_values(),
            warnings: std::mem::take(&mut self.warnings),
            has_checks: self.has_checks,
        })
    }

    /// The values of arguments that are known.
    fn launch_values(&self) -> Vec<(usize, i128)> {
        let launch = self.options.launch.as_ref().filter(|_| self.has_values);
        let values = launch
            .into_iter()
            .flat_map(|launch| launch.values.iter().enumerate());
        values
            .filter_map(|(index, value)| Some((index, (*value)?)))
            .collect()
    }

    /// True if all functions are methods of a structure.
    pub(crate) fn is_object(&self) -> bool {
        let device = self.options.device.as_ref();
        device.is_some_and(|device| device.form == DeviceForm::Object)
    }

    /// All that was translated; inside of a structure of that name, if there is one.
    fn text(&self, object: Option<&str>) -> String {
        let mut text = String::new();
        if let Some(name) = object {
            let _ = writeln!(text, "namespace {name}_parts {{");
        }
        for declaration in (self.library.shared)(&self.stored, self.most_warps()) {
            let _ = writeln!(text, "{declaration}");
        }
        for declaration in &self.declarations {
            let _ = writeln!(text, "{declaration}");
        }
        match object {
            // Methods need no declarations.
            Some(name) => {
                let _ = writeln!(text, "struct {name} {{");
                for (number, ty) in &self.state {
                    let _ = writeln!(text, "{};", declared(&ty.cxx(), &format!("state_{number}")));
                }
            }
            None => {
                for instance in self.instances.iter().filter(|one| one.is_recursive) {
                    let _ = writeln!(text, "{};", instance.prototype);
                }
            }
        }
        for function in &self.functions {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(function);
        }
        if let Some(name) = object {
            let _ = writeln!(text, "}};\n}}\nusing {name}_parts::{name};");
        }
        text
    }

    /// The version of a function for these arguments, translated if it is new.
    pub(crate) fn instance(
        &mut self,
        callee: Callee,
        kinds: Vec<(String, Kind)>,
        result: Option<Type>,
    ) -> Result<usize> {
        let known = self.instances.iter().position(|instance| {
            instance.callee == callee && instance.kinds == kinds && instance.declared == result
        });
        if let Some(index) = known {
            if self.instances[index].is_open {
                self.instances[index].is_recursive = true;
            }
            return Ok(index);
        }
        let name = match &callee {
            Callee::Function(id) => self.source(*id)?.tree.name.clone(),
            Callee::Closure(closure) => closure.tree.name.clone(),
        };
        let name = if name == "<lambda>" {
            "lambda".to_owned()
        } else {
            name
        };
        let symbol = self.symbol(&name);
        let index = self.instances.len();
        self.instances.push(Instance {
            callee,
            kinds,
            symbol,
            declared: result.clone(),
            result,
            is_open: false,
            is_recursive: false,
            collectives: Vec::new(),
            items: Vec::new(),
            result_kind: None,
            prototype: String::new(),
        });
        self.translate(index, false)?;
        Ok(index)
    }

    pub(crate) fn at(&self, index: usize) -> &Instance {
        &self.instances[index]
    }

    /// Gives a failure its file and line.
    pub(crate) fn located(
        &self,
        failure: Failure,
        source: &FunctionSource,
        span: ast::Span,
    ) -> Failure {
        if failure.whole.is_some() {
            return failure;
        }
        let span = failure.span.unwrap_or(span);
        let line = span
            .line
            .checked_sub(source.first_line)
            .and_then(|index| source.lines.get(index as usize))
            .cloned();
        let whole = Diagnostic {
            code: failure.code,
            message: failure.message.clone(),
            help: failure.help.clone(),
            span,
            file: source.file.clone(),
            line,
            calls: self.calls.iter().rev().cloned().collect(),
        };
        Failure {
            whole: Some(Box::new(whole)),
            ..failure
        }
    }

    fn translate(&mut self, index: usize, is_kernel: bool) -> Result<()> {
        if self.calls.len() >= MOST_CALLS {
            return Err(Failure::new(
                Code::Unsupported,
                "functions call each other too deeply",
            ));
        }
        let wanted = self.instances[index].result.clone();
        let mut result = wanted.clone();
        // Again when the type of the result turns out to be another than was thought; each time it is wider.
        for _ in 0..4 {
            self.instances[index].is_open = true;
            self.instances[index].result.clone_from(&result);
            let sections = self.sections.clone();
            let around = std::mem::take(&mut self.collectives);
            let done = self.attempt(index, is_kernel, result.clone());
            self.instances[index].collectives = std::mem::replace(&mut self.collectives, around);
            self.instances[index].is_open = false;
            let (text, found) = done?;
            let is_final = wanted.is_some() || result.as_ref() == Some(&found);
            let needs_no_other =
                result.is_none() && !text.needs_result && !self.instances[index].is_recursive;
            self.instances[index].result = Some(found.clone());
            if is_final || needs_no_other {
                self.instances[index].prototype = text.prototype;
                self.functions.push(text.text);
                return Ok(());
            }
            self.sections = sections;
            result = Some(found);
        }
        Err(Failure::new(
            Code::Type,
            format!(
                "the type of the result of {}() cannot be found: it grows with each call",
                self.instances[index].symbol
            ),
        ))
    }

    fn attempt(
        &mut self,
        index: usize,
        is_kernel: bool,
        result: Option<Type>,
    ) -> Result<(Translated, Type)> {
        let callee = self.instances[index].callee.clone();
        let kinds = self.instances[index].kinds.clone();
        let symbol = self.instances[index].symbol.clone();
        let (owner, tree, captured_names) = match &callee {
            Callee::Function(id) => (*id, None, Vec::new()),
            Callee::Closure(closure) => {
                let names = closure.captured.iter().map(|(name, _)| name.clone());
                let tree = Some(closure.tree.clone());
                (closure.owner, tree, names.collect())
            }
        };
        let source = self.source(owner)?;
        let tree = tree.unwrap_or_else(|| source.tree.clone());
        let is_declared = self.instances[index].declared.is_some();
        let exceptions = self.exceptions.len();
        let launch_values = match index {
            0 if is_kernel => self.launch_values(),
            _ => Vec::new(),
        };
        let mut frame = Frame {
            program: self,
            owner,
            symbol: symbol.clone(),
            source: source.clone(),
            name: tree.name.clone(),
            code: Text::new(),
            variables: Vec::new(),
            by_type: HashMap::new(),
            names: HashSet::new(),
            temporaries: HashSet::new(),
            assignments: 0,
            given: captured_names.len(),
            captured_names,
            resolving: Vec::new(),
            scan: Scan::new(&tree),
            scope: Scope::new(),
            is_reachable: true,
            loops: Vec::new(),
            returned: Vec::new(),
            result_kind: None,
            result,
            is_declared,
            is_kernel,
            tree: tree.clone(),
            items: Vec::new(),
            is_first: index == 0,
            branches: Vec::new(),
            left: Vec::new(),
            look: Look::default(),
            open_storage: if is_kernel { 0 } else { u8::MAX },
            calls_together: 0,
            depth: 0,
            first_line: tree.span.line,
            parameters: tree.parameters.iter().map(|p| p.name.clone()).collect(),
            stops: None,
            next_line: None,
            span: tree.span,
        };
        frame.code.line = tree.span.line;
        frame.begin_stops();
        let mut parameters = Vec::new();
        for (number, (name, kind)) in kinds.iter().enumerate() {
            let known = launch_values.iter().find(|(index, _)| *index == number);
            let bound = match kind {
                Kind::Value(ty) => match frame.parameter(name, ty, true, &mut parameters) {
                    Operand::Value(Expr { ty, .. }) => Bound::Variable {
                        variable: frame.variable(name, &ty),
                        constant: known.filter(|_| ty.is_int()).map(|(_, value)| {
                            Value::Typed(ty.clone(), Box::new(Value::Int(*value)))
                        }),
                        ty,
                        below: 0,
                    },
                    other => Bound::Operand(other),
                },
                kind => {
                    let mut source = Source::Parameters(&mut parameters);
                    Bound::Operand(frame.of_kind(name, kind, &mut source))
                }
            };
            frame.scope.insert(name.clone(), bound);
        }
        frame.parameters_end();
        let done = frame.function_body(&tree);
        frame.end_stops();
        let span = frame.span;
        let (returned, expected) = (std::mem::take(&mut frame.returned), frame.result.take());
        let kind = frame.result_kind.take();
        let variables = std::mem::take(&mut frame.variables);
        let items = std::mem::take(&mut frame.items);
        let code = std::mem::take(&mut frame.code);
        done.map_err(|failure| self.located(failure, &source, span))?;
        let items = items.iter().map(|variable| &variables[variable.0 as usize]);
        parameters.extend(items.clone().map(|one| format!("{} &{}", one.ty, one.name)));
        self.instances[index].items = items.map(|one| one.ty.clone()).collect();
        if self.instances[index].is_recursive && !self.instances[index].items.is_empty() {
            let text = format!("{}() calls itself, and makes ThreadData", tree.name);
            let failure = Failure::new(Code::Unsupported, text);
            return Err(self.located(failure, &source, tree.span));
        }
        self.instances[index].result_kind = match kind {
            Some((what, Some(_))) if index == 0 => {
                let failure = Failure::new(
                    Code::Type,
                    format!(
                        "{}() returns {what}, which only functions of a kernel can take",
                        tree.name
                    ),
                );
                return Err(self.located(failure, &source, tree.span));
            }
            Some((_, kind)) => kind,
            None => None,
        };
        let mut found = Type::Never;
        for ty in &returned {
            found = promote::unify(&found, ty).ok_or_else(|| {
                let failure = Failure::new(
                    Code::Type,
                    format!(
                        "{}() returns {} here and {} there",
                        tree.name,
                        found.shown(),
                        ty.shown()
                    ),
                );
                self.located(failure, &source, tree.span)
            })?;
        }
        if found == Type::Never
            && self.instances[index].is_recursive
            && self.exceptions.len() == exceptions
        {
            let failure = Failure::new(
                Code::Type,
                format!(
                    "cannot type infer runaway recursion: every way through {}() calls it again",
                    tree.name
                ),
            );
            return Err(self.located(failure, &source, tree.span));
        }
        let needs_result = returned.iter().any(|ty| *ty != found);
        let found = match (&expected, is_kernel) {
            (_, true) => Type::None,
            (Some(expected), _) if *expected != found && promote::converts(&found, expected) => {
                promote::unify(expected, &found).unwrap_or(found)
            }
            _ => found,
        };
        let found = match self.options.device.as_ref().filter(|_| index == 0) {
            Some(device) => device.result.clone().unwrap_or(found),
            None => found,
        };
        if let Some(declared) = &self.instances[index].declared
            && *declared != Type::None
        {
            // Declared with a signature: the result was converted to it.
            return Ok(self.printed(
                index,
                is_kernel,
                declared.clone(),
                &symbol,
                &parameters,
                code,
                &variables,
                &tree,
                &source,
                false,
            ));
        }
        Ok(self.printed(
            index,
            is_kernel,
            found,
            &symbol,
            &parameters,
            code,
            &variables,
            &tree,
            &source,
            needs_result,
        ))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a function's text")]
    fn printed(
        &mut self,
        index: usize,
        is_kernel: bool,
        result: Type,
        symbol: &str,
        parameters: &[String],
        code: Text,
        variables: &[Declaration],
        tree: &ast::Function,
        source: &FunctionSource,
        needs_result: bool,
    ) -> (Translated, Type) {
        let list = parameters.join(", ");
        let prototype = if is_kernel {
            let bounds = match &self.options.launch_bounds {
                None => match (self.options.max_registers, &self.block) {
                    (Some(count), _) => format!("__maxnreg__({count}) "),
                    (None, Some(([x, y, z], _))) if !self.options.limits_registers => {
                        format!("__launch_bounds__({}) ", x * y * z)
                    }
                    _ => String::new(),
                },
                Some((threads, None, _)) => format!("__launch_bounds__({threads}) "),
                Some((threads, Some(blocks), None)) => {
                    format!("__launch_bounds__({threads}, {blocks}) ")
                }
                Some((threads, Some(blocks), Some(cluster))) => {
                    format!("__launch_bounds__({threads}, {blocks}, {cluster}) ")
                }
            };
            format!("extern \"C\" __global__ void {bounds}{symbol}({list})")
        } else {
            let ty = match &result {
                Type::None | Type::Never => "void".to_owned(),
                ty => ty.cxx(),
            };
            let form = self.options.device.as_ref().map(|device| device.form);
            let is_entry = index == 0 && form == Some(DeviceForm::Linked);
            let linkage = match form {
                Some(DeviceForm::Linked) if is_entry => "extern \"C\" __device__",
                Some(DeviceForm::Object) => "__device__",
                _ => "static __device__",
            };
            let end = match form {
                Some(DeviceForm::Object) => " const",
                _ => "",
            };
            let inline = match source.inline {
                Some(false) => "__noinline__ ",
                _ if is_entry => "",
                _ => "inline ",
            };
            format!("{linkage} {inline}{ty} {symbol}({list}){end}")
        };
        let items = code.finish();
        let text = Printer::function(&prototype, &items, variables, &source.file, tree.span.line);
        let result = match result {
            Type::Never => Type::None,
            other => other,
        };
        let translated = Translated {
            text,
            prototype,
            needs_result,
        };
        (translated, result)
    }

    /// Calls `inner` with the call at `span` of `name` on the list for messages.
    pub(crate) fn in_call<T>(
        &mut self,
        call: (String, Arc<str>, ast::Span),
        inner: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.calls.push(call);
        let done = inner(self);
        self.calls.pop();
        done
    }
}

/// The bytes of the largest structure that operators take by value.
const MOST_BY_VALUE: u64 = 64;

struct Translated {
    text: String,
    prototype: String,
    /// True if returned values have other types than the result.
    needs_result: bool,
}

/// The type of what is passed for a kernel's parameter: the place of a record.
fn passed(ty: &Type) -> Type {
    match ty {
        Type::Record(_) => Type::Pointer(ty.clone().into()),
        ty => ty.clone(),
    }
}

/// A parameter's or variable's declaration.
fn declared(ty: &str, name: &str) -> String {
    if ty.ends_with('*') {
        format!("{ty}{name}")
    } else {
        format!("{ty} {name}")
    }
}

impl Frame<'_, '_> {
    /// A parameter of CUDA C++, whose declaration is added, and what its name stands for.
    pub(super) fn parameter(
        &mut self,
        name: &str,
        ty: &Type,
        is_own: bool,
        parameters: &mut Vec<String>,
    ) -> Operand {
        if *ty == Type::None && !self.is_kernel {
            return Operand::Constant(Value::None);
        }
        self.need_type(ty);
        let variable = if is_own {
            self.variable(name, ty)
        } else {
            // A part of a parameter: no name of the function stands for it.
            let variable = self.new_variable(name, ty);
            self.temporaries.insert(variable);
            variable
        };
        self.variables[variable.0 as usize].is_declared = true;
        let own = &self.variables[variable.0 as usize].name;
        parameters.push(match ty {
            // Records are given by their place.
            Type::Record(_) => declared(&ty.cxx(), own),
            ty if self.is_kernel => declared(&ty.storage(), own),
            ty if is_own && self.is_by_reference(name, ty) => {
                format!("const {} &{own}", ty.cxx())
            }
            ty => declared(&ty.cxx(), own),
        });
        if *ty == Type::None {
            return Operand::Constant(Value::None);
        }
        Expr::new(ty.clone(), variable.token()).place().into()
    }

    /// Tells whether values of a type stay in memory in operators, and in functions that these call: NVRTC takes apart
    /// large structures that are passed by value, or are one of two values, in a time that goes by the square of the
    /// number of their fields.
    pub(super) fn is_large(&self, ty: &Type) -> bool {
        let device = self.program.options.device.as_ref();
        device.is_some_and(|device| device.form == DeviceForm::Object)
            && matches!(ty, Type::Tuple(_))
            && ty.size().is_some_and(|size| size > MOST_BY_VALUE)
    }

    /// Tells whether a parameter is a reference.
    fn is_by_reference(&self, name: &str, ty: &Type) -> bool {
        self.is_large(ty) && !self.scan.assigned.contains(name)
    }
}
