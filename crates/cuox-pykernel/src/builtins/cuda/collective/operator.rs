//! Functions of the program that collectives call: lambdas of C++ around their translation.

use super::Call;
use crate::collective::{Group, Operation, Operator, operator_symbol};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::Arguments;
use crate::operand::{Expr, Operand};
use crate::types::{Layout, Type};

/// What a function of the program is to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returns {
    /// An item.
    Item,
    /// A test.
    Truth,
}

/// True if an operator of the prelude is defined for items of this type.
fn is_taken(name: &str, item: &Type) -> bool {
    match name {
        _ if name.starts_with("bit_") => item.is_integral(),
        "plus" | "multiplies" | "minus" | "differs" => item.is_number(),
        _ => item.is_number() && !item.is_complex(),
    }
}

impl Call<'_, '_, '_, '_> {
    /// The function that combines two items, as an object of C++.
    pub(super) fn operator(&mut self) -> Result<String> {
        match &self.collective.operator {
            Some(Operator::Named(name)) => {
                if !is_taken(name, &self.collective.item) {
                    let item = self.collective.item.shown();
                    let text = format!(
                        "its operator {} does not take {item}",
                        operator_symbol(name)
                    );
                    let help = "give it a function of two items";
                    return Err(self.failure(Code::Type, &text).help(help));
                }
                Ok(format!("py::collective::{name}{{}}"))
            }
            Some(function) => {
                let is_less = matches!(
                    self.collective.operation,
                    Operation::MergeSort | Operation::Discontinuity { .. }
                );
                let item = self.collective.item.clone();
                let kind = if is_less {
                    Returns::Truth
                } else {
                    Returns::Item
                };
                self.function(function, &[item.clone(), item], kind, None)
            }
            None => Err(self.failure(Code::Arguments, "it has no operator")),
        }
    }

    /// A function of the program for values of the items' type, as a lambda of C++.
    pub(super) fn function(
        &mut self,
        function: &Operator,
        types: &[Type],
        returns: Returns,
        state: Option<Operand>,
    ) -> Result<String> {
        // Parameters that a call must give.
        let (function, count) = match function {
            Operator::Named(name) => {
                let text = format!("{name} is no function of the program");
                return Err(self.failure(Code::Type, &text));
            }
            Operator::Function(function) => {
                let count = match function {
                    Value::Function(id) => {
                        let source = self.frame.program.source(*id)?;
                        Some(source.tree.parameters.len() - source.defaults.len())
                    }
                    _ => None,
                };
                (Operand::known(function.clone()), count)
            }
            Operator::Inside(closure) => (
                Operand::Closure(closure.clone()),
                Some(
                    closure
                        .tree
                        .parameters
                        .iter()
                        .filter(|one| one.default.is_none())
                        .count(),
                ),
            ),
        };
        // NVIDIA's passes items that are no plain numbers by their place, and the result as the first of them.
        let plain = types.iter().all(|ty| ty.is_number() && !ty.is_complex());
        let by_result = !plain && state.is_none() && count == Some(types.len() + 1);
        let known = (
            self.frame.program.instances_len(),
            self.frame.program.symbols.clone(),
        );
        let first = self.lambda(&function, types, returns, state.clone(), by_result);
        match first {
            Err(failure) if !plain && !by_result && count == Some(types.len()) => {
                self.frame.program.forget_from(known.0, known.1);
                self.lambda(&function, types, returns, state, true)
                    .map_err(|_| failure)
            }
            done => done,
        }
    }

    fn lambda(
        &mut self,
        function: &Operand,
        types: &[Type],
        returns: Returns,
        state: Option<Operand>,
        by_place: bool,
    ) -> Result<String> {
        let item = self.collective.item.clone();
        let line = self.frame.code.line;
        let name = self.frame.new_name("operation");
        let mut parameters = Vec::new();
        let mut arguments: Vec<Operand> = state.into_iter().collect();
        let has_place = by_place && returns == Returns::Item;
        let place = |ty: &Type, name: &str| -> Operand {
            let array = Type::array(ty.clone(), 1, Layout::C, true);
            let text = format!("{}{{&{name}, {{1}}}}", array.cxx());
            Expr::new(array, text).into()
        };
        let result = self.frame.new_name("made");
        if by_place {
            self.frame.need("array");
        }
        if has_place {
            arguments.push(place(&item, &result));
        }
        for ty in types {
            let parameter = self.frame.new_name("item");
            parameters.push(format!("{} {parameter}", ty.storage()));
            arguments.push(match ty {
                ty if by_place => place(ty, &parameter),
                Type::Record(_) => Expr::new(ty.clone(), format!("(&{parameter})")).into(),
                ty => Expr::new(ty.clone(), parameter).into(),
            });
        }
        self.frame.code.begin();
        if has_place {
            self.frame.code.statement(format!(
                "{} {result} = {}();",
                item.storage(),
                item.storage()
            ));
        }
        let (made, called) = self.frame.calls_together_in(|frame| {
            frame.call(function.clone(), Arguments::of("the operator", arguments))
        });
        let done = made.and_then(|made| self.returned(made, returns, has_place.then_some(&result)));
        let body = self.frame.code.take();
        let text = done?;
        // A prefix function, of one item, is called by all threads of the first warp.
        let is_alone = |group: Group| types.len() > 1 || group.block().is_some();
        for (group, name) in called {
            if is_alone(group) {
                let text = format!(
                    "its operator calls {name}(), which all threads of its group must call together"
                );
                return Err(self.failure(Code::Unsupported, &text));
            }
            self.frame.called_together(group, &name);
        }
        self.frame.code.begin();
        self.frame.code.append(body);
        self.frame.code.statement(format!("return {text};"));
        let body = self.frame.code.take();
        let ty = match returns {
            Returns::Truth => "bool".to_owned(),
            Returns::Item => item.storage(),
        };
        let head = format!("auto {name} = [&]({}) -> {ty}", parameters.join(", "));
        self.frame.code.closed_block(head, body, ";", line);
        Ok(name)
    }

    fn returned(
        &mut self,
        made: Operand,
        returns: Returns,
        place: Option<&String>,
    ) -> Result<String> {
        if let Some(place) = place {
            return Ok(place.clone());
        }
        match returns {
            _ if matches!(made, Operand::Constant(Value::None)) => {
                Err(self.failure(Code::Type, "its operator returns nothing"))
            }
            Returns::Truth => Ok(self.frame.truth(made)?.text),
            Returns::Item => {
                let item = self.collective.item.clone();
                let value = self.frame.value(made)?;
                let value = self.as_item(value)?;
                let value = if value.ty.is_number()
                    && item.is_number()
                    && (item.is_complex() || !value.ty.is_complex())
                {
                    self.frame.cast(value, &item)
                } else {
                    self.frame.convert(value, &item)?
                };
                Ok(match &item {
                    Type::Record(_) => format!("*({})", value.text),
                    _ => value.text,
                })
            }
        }
    }
}
