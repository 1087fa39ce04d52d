//! Calls.

use std::sync::Arc;

use super::arguments::count_message;
use super::frame::{Arguments, Callee, Frame};
use super::kind::{Kind, Source, Taken};
use super::scope::unset;
use crate::ast::{self, ExprKind, ParameterKind};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{FunctionId, FunctionSource, ObjectId, ObjectKind, Value};
use crate::operand::{Captured, Closure, Expr, Operand};
use crate::types::{Type, overload};

impl Frame<'_, '_> {
    pub(super) fn call_expr(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        keywords: &[(String, ast::Expr)],
    ) -> Result<Operand> {
        let callee = self.expr(function)?;
        let mut held = vec![(callee, self.mark())];
        for argument in arguments {
            self.spread(argument, &mut held)?;
        }
        let positional = held.len();
        for (_, argument) in keywords {
            let operand = self.expr(argument)?;
            held.push((operand, self.mark()));
        }
        let mut all = self.together(held);
        let named = all.split_off(positional);
        let names = keywords.iter().map(|(name, _)| name.clone());
        let mut all = all.into_iter();
        let Some(callee) = all.next() else {
            return Err(Failure::new(Code::Unsupported, "an empty call"));
        };
        let given = Arguments {
            name: name_of(function),
            positional: all.collect(),
            keywords: names.zip(named).collect(),
        };
        self.call(callee, given)
    }

    /// A value of a structure's field, as NumPy assigns it: floats are cut to integers.
    fn field_value(&mut self, value: Expr, ty: &Type) -> Result<Expr> {
        if value.ty.is_number() && ty.is_number() && (ty.is_complex() || !value.ty.is_complex()) {
            return Ok(self.cast(value, ty));
        }
        self.convert(value, ty)
    }

    /// Calls something.
    pub(crate) fn call(&mut self, callee: Operand, mut given: Arguments) -> Result<Operand> {
        match callee {
            Operand::Constant(Value::Path(path)) => {
                match (self.program.library.call)(self, &path, given) {
                    Some(done) => done,
                    None => Err(unknown(&path)),
                }
            }
            Operand::Constant(Value::Type(ty)) => (self.program.library.cast)(self, &ty, given),
            Operand::Constant(Value::Function(id)) => self.call_function(id, given),
            Operand::Constant(Value::Collective(collective)) => {
                (self.program.library.collective)(self, &collective, given)
            }
            Operand::Constant(Value::NamedTuple(class, fields)) => {
                let mut values = Vec::new();
                let mut keywords = given.keywords;
                let mut positional = given.positional.into_iter();
                for (field, ty) in &fields {
                    let operand = match positional.next() {
                        Some(operand) => operand,
                        None => match keywords.iter().position(|(name, _)| name == field) {
                            Some(index) => keywords.swap_remove(index).1,
                            None => {
                                return Err(Failure::new(
                                    Code::Arguments,
                                    format!("{class}() is missing argument '{field}'"),
                                ));
                            }
                        },
                    };
                    let value = self.value(operand)?;
                    values.push(match ty {
                        Some(ty) => self.field_value(value, ty)?,
                        None => value,
                    });
                }
                let fields: Vec<String> = fields.into_iter().map(|(field, _)| field).collect();
                if positional.next().is_some() || !keywords.is_empty() {
                    return Err(Failure::new(
                        Code::Arguments,
                        format!(
                            "{class}() takes {} arguments: {class}({})",
                            fields.len(),
                            fields.join(", ")
                        ),
                    ));
                }
                let values = self.in_order(values);
                Ok(self.tuple_of(values, Some((class, fields))).into())
            }
            Operand::Closure(closure) => self.call_closure(&closure, given),
            Operand::Method(object, name) => {
                (self.program.library.method)(self, *object, &name, given)
            }
            Operand::Special(kind, mut parts) => {
                // partial(function, …)
                if kind == "partial" && !parts.is_empty() {
                    let function = parts.remove(0);
                    parts.append(&mut given.positional);
                    given.positional = parts;
                    return self.call(function, given);
                }
                Err(Failure::new(Code::Type, format!("{kind} cannot be called")))
            }
            Operand::Constant(Value::Object(id, described)) => {
                let key = match &given.positional[..] {
                    [only] if given.keywords.is_empty() => only.constant(),
                    _ => None,
                };
                match key.and_then(|key| self.program.host.called(id, &key)) {
                    Some(found) => Ok(Operand::known(found)),
                    None => Err(self.not_callable(id, &described)),
                }
            }
            other => Err(Failure::new(
                Code::Type,
                format!("{} cannot be called", other.described()),
            )),
        }
    }

    fn not_callable(&mut self, id: ObjectId, described: &str) -> Failure {
        let failure = Failure::new(Code::Type, format!("{described} cannot be called"));
        match self.program.host.kind(id) {
            ObjectKind::Enumeration => failure
                .help("in kernels it takes one value, which is known and that of one of its members"),
            ObjectKind::Class => failure.help(
                "the classes that kernels can call are types of numbers, named tuples and enumerations",
            ),
            ObjectKind::Other => failure,
        }
    }

    fn call_function(&mut self, id: FunctionId, given: Arguments) -> Result<Operand> {
        let source = self.program.source(id)?;
        let defaults = source.defaults.iter();
        let defaults = defaults
            .map(|(name, value)| (name.clone(), Operand::known(value.clone())))
            .collect();
        let mut bound = self.bind_parameters(&source.tree, given, defaults)?;
        let mut result = None;
        if let Some((types, declared)) = self.signature(&source, &mut bound)? {
            for ((_, operand), ty) in bound.iter_mut().zip(types) {
                let value = std::mem::replace(operand, Operand::Tuple(Vec::new()));
                *operand = self.as_type(value, ty)?.into();
            }
            result.clone_from(declared);
        }
        if let Some(external) = &source.external {
            return super::external::call(self, external, bound, result.unwrap_or(Type::None));
        }
        self.call_version(Callee::Function(id), bound, result, Vec::new())
    }

    /// The one of a function's signatures that the arguments fit best.
    fn signature<'s>(
        &mut self,
        source: &'s FunctionSource,
        bound: &mut [(String, Operand)],
    ) -> Result<Option<&'s (Vec<Type>, Option<Type>)>> {
        let declared = match &source.signatures[..] {
            [] => return Ok(None),
            [one] => return Ok(Some(one)),
            several => several,
        };
        let mut given = Vec::new();
        for (_, operand) in bound {
            let value = self.value(std::mem::replace(operand, Operand::Tuple(Vec::new())))?;
            given.push(value.ty.clone());
            *operand = value.into();
        }
        let types = declared.iter().map(|(types, _)| &types[..]);
        // Of those that are equally good Numba takes the first, too.
        if let Some(index) = overload::best(types, &given).first() {
            return Ok(Some(&declared[*index]));
        }
        let list = |types: &[Type]| {
            let each: Vec<_> = types.iter().map(Type::shown).collect();
            format!("({})", each.join(", "))
        };
        let all: Vec<_> = declared.iter().map(|(types, _)| list(types)).collect();
        Err(Failure::new(
            Code::Type,
            format!(
                "{}() cannot be called with parameters {}: it was declared for {}",
                source.tree.name,
                list(&given),
                all.join(", ")
            ),
        ))
    }

    fn call_closure(&mut self, closure: &Arc<Closure>, given: Arguments) -> Result<Operand> {
        let bound = self.bind_parameters(&closure.tree, given, closure.defaults.clone())?;
        let captured = self.captured(closure)?;
        self.call_version(Callee::Closure(closure.clone()), bound, None, captured)
    }

    /// The variables of the functions around a function inside, as they are now.
    fn captured(&mut self, closure: &Arc<Closure>) -> Result<Vec<(String, Operand)>> {
        let mut all = Vec::new();
        for (name, one) in &closure.captured {
            all.push((name.clone(), self.captured_now(name, one)?));
        }
        Ok(all)
    }

    /// One of them.
    pub(super) fn captured_now(&mut self, name: &str, one: &Captured) -> Result<Operand> {
        match one {
            Captured::Kept(operand, _) => Ok(operand.clone()),
            Captured::Live => self.local(name)?.ok_or_else(|| unset(name)),
        }
    }

    /// Pairs the parameters of a function with a call's arguments and the defaults.
    fn bind_parameters(
        &mut self,
        tree: &ast::Function,
        given: Arguments,
        mut defaults: Vec<(String, Operand)>,
    ) -> Result<Vec<(String, Operand)>> {
        let name = if tree.name == "<lambda>" {
            "lambda"
        } else {
            &tree.name
        };
        let count = given.positional.len();
        let mut positional = given.positional.into_iter();
        let mut keywords = given.keywords;
        let mut bound = Vec::with_capacity(tree.parameters.len());
        for parameter in &tree.parameters {
            if parameter.kind == ParameterKind::Variadic {
                let rest = positional.by_ref().collect();
                bound.push((parameter.name.clone(), Operand::Tuple(rest)));
                continue;
            }
            let by_position = match parameter.kind {
                ParameterKind::Plain => positional.next(),
                _ => None,
            };
            let by_name = keywords
                .iter()
                .position(|(name, _)| *name == parameter.name);
            let operand = match (by_position, by_name) {
                (Some(_), Some(_)) => {
                    return Err(Failure::new(
                        Code::Arguments,
                        format!("{name}() got two values for argument '{}'", parameter.name),
                    ));
                }
                (Some(operand), None) => operand,
                (None, Some(index)) => keywords.swap_remove(index).1,
                (None, None) => {
                    match defaults
                        .iter()
                        .position(|(name, _)| *name == parameter.name)
                    {
                        Some(index) => defaults.swap_remove(index).1,
                        None => {
                            return Err(Failure::new(
                                Code::Arguments,
                                format!(
                                    "{name}() is missing argument '{}': {}",
                                    parameter.name,
                                    count_message(name, tree, count)
                                ),
                            ));
                        }
                    }
                }
            };
            bound.push((parameter.name.clone(), operand));
        }
        if positional.next().is_some() {
            return Err(Failure::new(
                Code::Arguments,
                count_message(name, tree, count),
            ));
        }
        if let Some((unknown, _)) = keywords.first() {
            return Err(Failure::new(
                Code::Arguments,
                format!("{name}() has no argument '{unknown}'"),
            ));
        }
        Ok(bound)
    }

    fn call_version(
        &mut self,
        callee: Callee,
        bound: Vec<(String, Operand)>,
        result: Option<Type>,
        captured: Vec<(String, Operand)>,
    ) -> Result<Operand> {
        let bound: Vec<_> = captured.into_iter().chain(bound).collect();
        // With an argument whose type is found later, so is the version that is called.
        let unknown = |operand: &Operand| operand.as_value().is_some_and(|v| v.ty == Type::Never);
        if let Some((_, Operand::Value(value))) = bound.iter().find(|(_, one)| unknown(one)) {
            return Ok(value.clone().with_effect().into());
        }
        let has_constants = bound.iter().any(|(_, operand)| {
            operand
                .constant()
                .is_some_and(|value| Expr::number(&value).is_some())
        });
        let (count, symbols) = (self.program.instances.len(), self.program.symbols.clone());
        let first = self.version_of(callee.clone(), bound.clone(), result.clone(), false);
        let (index, taken) = match first {
            // What must be known when the kernel is compiled may be an argument that is.
            Err(failure) if failure.code == Code::NotConstant && has_constants => {
                self.program.instances.truncate(count);
                self.program.symbols = symbols;
                self.version_of(callee, bound, result, true)?
            }
            other => other?,
        };
        let instance = self.program.at(index);
        let symbol = instance.symbol.clone();
        let collectives = instance.collectives.clone();
        if !collectives.is_empty() || instance.is_open {
            self.open_storage = u8::MAX;
        }
        for (group, name) in collectives {
            self.check_reach(group, &name)?;
            self.called_together(group, &name);
        }
        let instance = self.program.at(index);
        // While the result's type is not known, the call has none: what depends on it is looked at again.
        let ty = instance.result.clone().unwrap_or(Type::Never);
        let kind = instance.result_kind.clone();
        let items = instance.items.clone();
        let mut texts: Vec<_> = taken.values.into_iter().map(|value| value.text).collect();
        for ty in items {
            let name = self.new_name("items");
            texts.push(self.caller_items(name, ty).token());
        }
        let text = format!("{symbol}({})", texts.join(", "));
        let Some(kind) = kind else {
            if ty == Type::None {
                self.code.statement(format!("{text};"));
                return Ok(Operand::Constant(Value::None));
            }
            return Ok(Expr::new(ty, text).with_effect().into());
        };
        let parts = match ty {
            Type::None => {
                self.code.statement(format!("{text};"));
                Vec::new()
            }
            ty => {
                self.code.effects += 1;
                let value = self.kept(Expr::new(ty, text).with_effect());
                self.result_parts(value)
            }
        };
        let mut source = Source::Result(parts.into_iter(), &taken.captured);
        Ok(self.of_kind("result", &kind, &mut source))
    }

    /// The values of a result that is no value, of which a function returns a tuple.
    fn result_parts(&mut self, value: Expr) -> Vec<Expr> {
        let Type::Tuple(tuple) = value.ty.clone() else {
            return vec![value];
        };
        let items = tuple.items.iter().enumerate();
        items
            .map(|(index, ty)| {
                let item = self.tuple_item(&value, index, ty);
                self.kept(item)
            })
            .collect()
    }

    /// The version of a function for these arguments, and its arguments at run time. With `by_value`, numbers that are
    /// known make a version of their own.
    fn version_of(
        &mut self,
        callee: Callee,
        bound: Vec<(String, Operand)>,
        result: Option<Type>,
        by_value: bool,
    ) -> Result<(usize, Taken)> {
        let mut taken = Taken::default();
        // First what the function itself has captured.
        if let Callee::Closure(closure) = &callee {
            let captured = closure.captured.iter().map(|(_, one)| one.clone());
            taken.captured.extend(captured);
        }
        let mut kinds = Vec::new();
        for (name, operand) in bound {
            let kind = match operand.constant() {
                Some(value) if by_value && Expr::number(&value).is_some() => Kind::Constant(value),
                _ => self.kind(operand, &mut taken)?,
            };
            kinds.push((name, kind));
        }
        taken.values = self.in_order(std::mem::take(&mut taken.values));
        let call = (
            format!("{}()", self.name),
            self.source.file.clone(),
            self.span,
        );
        let index = self
            .program
            .in_call(call, |program| program.instance(callee, kinds, result))?;
        Ok((index, taken))
    }
}

/// What is called, as the user wrote it.
fn name_of(function: &ast::Expr) -> String {
    match &function.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Attribute { value, name } => format!("{}.{name}", name_of(value)),
        ExprKind::Subscript { value, .. } => format!("{}[…]", name_of(value)),
        ExprKind::Call { function, .. } => format!("{}()", name_of(function)),
        _ => "the function".to_owned(),
    }
}

fn unknown(path: &str) -> Failure {
    let failure = Failure::new(
        Code::Unsupported,
        format!("{path}() is not supported in kernels"),
    );
    match path.rsplit_once('.') {
        Some(("builtins", "input" | "open")) => failure.help("a GPU has no files"),
        Some(("builtins", "list" | "dict" | "set")) => {
            failure.help("use a tuple, or an array: cuda.local.array(shape, dtype)")
        }
        Some(("numpy", "zeros" | "empty" | "ones" | "full" | "arange")) => {
            failure.help("arrays of a kernel are made by cuda.local.array(shape, dtype) or cuda.shared.array(shape, dtype)")
        }
        _ => failure,
    }
}
