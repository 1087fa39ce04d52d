//! From a header, rules and guesses to a plan.

use std::collections::{HashMap, HashSet};

use super::guess::handles::{self, Handles, Pairs};
use super::guess::{Guesser, gil, parameters};
use super::types::{self, integer, passable, pointee};
use super::{
    CallbackLife, FunctionPlan, Gil, HandleOf, KEYWORDS, Options, Output, Ownership, ParameterPlan,
    Plan, PlanError, ResultPlan, Role, StatusStyle, Success, TextOwnership, Unit, UserData, Why,
    is_identifier,
};
use crate::decl::{EnumId, Function, Header, RecordId, Type, Value};
use crate::rules::{
    At, CodeName, FunctionRule, OutputRule, ParameterKey, ParameterRule, ResultRule, RoleRule,
    Rules, Spot, StatusChoice, SuccessRule,
};
use crate::words::did_you_mean;

type Result<T> = std::result::Result<T, PlanError>;

/// Plans how what a header declares is called: by rules where there are some, and by guesses.
pub fn make(header: &Header, rules: &Rules, options: &Options) -> Result<Plan> {
    let handles = handles::find(header, rules)?;
    let pairs = handles::pairs(header, &handles, rules)?;
    Maker {
        header,
        rules,
        options,
        guesser: Guesser::new(header, &handles, &pairs),
        handles: &handles,
        pairs: &pairs,
        left_out: Vec::new(),
    }
    .plan()
}

struct Maker<'a> {
    header: &'a Header,
    rules: &'a Rules,
    options: &'a Options,
    guesser: Guesser<'a>,
    handles: &'a Handles,
    pairs: &'a Pairs,
    left_out: Vec<(String, String)>,
}

/// What a rule says of the function's texts and lengths is resolved when all functions have their places.
#[derive(Default)]
struct Later {
    /// Functions that free a text, by their names in C: `None` for the result, else the parameter.
    frees: Vec<(usize, Option<usize>, String, At)>,
}

impl Maker<'_> {
    fn plan(mut self) -> Result<Plan> {
        self.rules_fit()?;
        let bound = self.bound();
        let mut plan = Plan {
            handles: self.handles.plans.clone(),
            ..Plan::default()
        };
        let place: HashMap<usize, u32> = bound
            .iter()
            .enumerate()
            .map(|(at, index)| (*index, at as u32))
            .collect();
        let mut later = Later::default();
        for (at, &index) in bound.iter().enumerate() {
            let function = self.function(index, at, &mut later)?;
            plan.functions.push(function);
        }
        for (at, parameter, name, rule) in later.frees {
            let free = self.freeing(&name, &rule, &place)?;
            let function = &mut plan.functions[at];
            match parameter {
                Some(parameter) => {
                    if let Role::Output(Output::Text { ownership }) =
                        &mut function.parameters[parameter].role
                    {
                        *ownership = free;
                    }
                }
                None => {
                    if let ResultPlan::Text { ownership } = &mut function.result {
                        *ownership = free;
                    }
                }
            }
        }
        for (handle, (function, why)) in &self.pairs.ends {
            let handle = &mut plan.handles[*handle as usize];
            handle.destroy = place.get(function).copied();
            handle.destroy_why = handle.destroy.map(|_| why.clone());
        }
        self.texts(&mut plan, &place)?;
        self.names(&mut plan)?;
        self.classes(&mut plan);
        plan.left_out = self.left_out;
        plan.check(self.header)?;
        Ok(plan)
    }

    /// Rules without a wildcard must be about something.
    fn rules_fit(&self) -> Result<()> {
        let names = || {
            self.header
                .functions
                .iter()
                .map(|function| function.name.as_str())
        };
        for rule in &self.rules.functions {
            let name = &rule.functions.0;
            if rule.functions.is_exact() && !names().any(|known| known == name) {
                let refused = self
                    .header
                    .refused
                    .iter()
                    .find(|refused| refused.name == *name);
                let message = match refused {
                    Some(refused) => {
                        format!("the function '{name}' cannot be bound: {}", refused.reason)
                    }
                    None => format!(
                        "the header declares no function '{name}'{}",
                        did_you_mean(name, names())
                    ),
                };
                return Err(at_rule(&rule.at, message));
            }
        }
        Ok(())
    }

    /// The functions that are bound.
    fn bound(&mut self) -> Vec<usize> {
        let header = self.header;
        for refused in &header.refused {
            self.left_out
                .push((refused.name.clone(), refused.reason.clone()));
        }
        let mut seen = HashSet::new();
        let mut bound = Vec::new();
        for (index, function) in header.functions.iter().enumerate() {
            let reason = match self.wanted(&function.name) {
                Err(reason) => Some(reason),
                Ok(()) => self.cannot(function),
            };
            match reason {
                Some(reason) => self.left_out.push((function.name.clone(), reason)),
                None if seen.insert(function.name.as_str()) => bound.push(index),
                None => {}
            }
        }
        bound
    }

    /// Whether a name is asked for: else why not.
    fn wanted(&self, name: &str) -> std::result::Result<(), String> {
        if let Some(rule) = self.rules.ignore.iter().find(|rule| rule.value.fits(name)) {
            return Err(format!("{} leaves it out", rule.at.line()));
        }
        if self.options.ignore.iter().any(|glob| glob.fits(name)) {
            return Err("it was asked to be left out".to_owned());
        }
        let only = &self.options.only;
        if !only.is_empty() && !only.iter().any(|glob| glob.fits(name)) {
            return Err("it was not asked for".to_owned());
        }
        Ok(())
    }

    /// Why a function cannot be called.
    fn cannot(&self, function: &Function) -> Option<String> {
        let bad = function
            .parameters
            .iter()
            .enumerate()
            .find_map(|(at, parameter)| {
                let reason = passable(self.header, &parameter.ty).err()?;
                Some(match parameter.name.as_str() {
                    "" => format!("its argument {at} cannot be passed: {reason}"),
                    name => format!("its parameter '{name}' cannot be passed: {reason}"),
                })
            });
        bad.or_else(|| match self.header.resolve(&function.result) {
            Type::Void => None,
            _ => passable(self.header, &function.result)
                .err()
                .map(|reason| format!("its result cannot be returned: {reason}")),
        })
    }

    /// The rules for a function, the weakest first.
    fn rules_for(&self, name: &str) -> Vec<&FunctionRule> {
        let fitting = self
            .rules
            .functions
            .iter()
            .filter(|rule| rule.functions.fits(name));
        let (exact, wild): (Vec<_>, Vec<_>) = fitting.partition(|rule| rule.functions.is_exact());
        wild.into_iter().chain(exact).collect()
    }

    fn function(&self, index: usize, at: usize, later: &mut Later) -> Result<FunctionPlan> {
        let declared = &self.header.functions[index];
        let rules = self.rules_for(&declared.name);
        let count = declared.parameters.len();
        let mut by_rule: Vec<Vec<&ParameterRule>> = vec![Vec::new(); count];
        for rule in &rules {
            for parameter in &rule.parameters {
                match self.parameter(declared, &parameter.parameter) {
                    Some(index) => by_rule[index].push(parameter),
                    None if rule.functions.is_exact() => {
                        let names = declared.parameters.iter().map(|it| it.name.as_str());
                        let hint = match &parameter.parameter {
                            ParameterKey::Name(name) => did_you_mean(name, names),
                            ParameterKey::Index(_) => format!("; it has {count}"),
                        };
                        return Err(at_rule(
                            &parameter.at,
                            format!(
                                "{} has no parameter {}{hint}",
                                declared.name, parameter.parameter
                            ),
                        ));
                    }
                    None => {}
                }
            }
        }
        let mut choices = self.typemaps(declared, index, at, later)?;
        for (parameter, rules) in by_rule.iter().enumerate() {
            let role = rules
                .iter()
                .rev()
                .find_map(|rule| Some((rule.role.as_ref()?, &rule.at)));
            if let Some((role, rule)) = role {
                let given = self.role(index, parameter, role, rule, 0, (at, later))?;
                choices[parameter] = Some((given, Why::Rule(rule.line())));
            }
        }
        // A callback's user data is left to it, whatever else is known of that parameter.
        for parameter in 0..count {
            if let Some((
                Role::Callback {
                    user_data: Some(data),
                    ..
                },
                why,
            )) = &choices[parameter]
            {
                let (data, why) = (data.parameter as usize, why.clone());
                choices[data] = Some((Role::Fixed(Value::Null), why));
            }
        }
        let guessed = parameters::guess(&self.guesser, index, choices);
        let mut plans = Vec::with_capacity(count);
        for (parameter, (mut role, mut why)) in guessed.into_iter().enumerate() {
            let said = &declared.parameters[parameter];
            let rules = &by_rule[parameter];
            if let Some((nullable, rule)) = rules
                .iter()
                .rev()
                .find_map(|rule| Some((rule.nullable?, rule)))
            {
                set_nullable(&mut role, nullable).map_err(|message| at_rule(&rule.at, message))?;
                why = Why::Rule(rule.at.line());
            }
            let default = rules.iter().rev().find_map(|rule| rule.default.clone());
            if default.is_some()
                && let Some(rule) = rules.last()
            {
                why = match why {
                    Why::Rule(_) => why,
                    _ => Why::Rule(rule.at.line()),
                };
            }
            let default = default.or_else(|| {
                // What the header says of C++ is only of use where it can be passed.
                let value = said.default.clone().filter(|_| role.is_taken())?;
                fits_role(self.header, &value, &said.ty, &role).then_some(value)
            });
            let name = rules.iter().rev().find_map(|rule| rule.name.clone());
            plans.push(ParameterPlan {
                name: name.unwrap_or_else(|| said.name.clone()),
                role,
                default,
                why,
            });
        }
        name_parameters(&mut plans);
        let (result, result_why) = self.result(index, &plans, &rules, at, later)?;
        let (gil, gil_why) = self.gil(declared, &plans, &rules);
        let name = rules.iter().rev().find_map(|rule| rule.name.as_ref());
        Ok(FunctionPlan {
            name: name.map_or_else(|| self.rename(&declared.name), |name| name.value.clone()),
            function: index as u32,
            parameters: plans,
            result,
            result_why,
            gil,
            gil_why,
            variadic: declared.variadic,
        })
    }

    fn parameter(&self, function: &Function, key: &ParameterKey) -> Option<usize> {
        match key {
            ParameterKey::Name(name) => function.parameters.iter().position(|it| it.name == *name),
            ParameterKey::Index(index) => {
                let index = *index as usize;
                (index < function.parameters.len()).then_some(index)
            }
        }
    }

    /// Roles from rules by type and name.
    fn typemaps(
        &self,
        declared: &Function,
        index: usize,
        at: usize,
        later: &mut Later,
    ) -> Result<Vec<Option<parameters::Choice>>> {
        let parameters = &declared.parameters;
        let mut choices = vec![None; parameters.len()];
        if self.rules.typemaps.is_empty() {
            return Ok(choices);
        }
        let spelled: Vec<String> = parameters
            .iter()
            .map(|it| self.header.c_type(&it.ty).split_whitespace().collect())
            .collect();
        for map in &self.rules.typemaps {
            let wide = map.parameters.len();
            for start in 0..(parameters.len() + 1).saturating_sub(wide) {
                let fits = map
                    .parameters
                    .iter()
                    .enumerate()
                    .all(|(offset, (ty, name))| {
                        spelled[start + offset] == *ty
                            && (name.is_empty() || parameters[start + offset].name == *name)
                    });
                if !fits || wide == 0 {
                    continue;
                }
                for (offset, role) in map.roles.iter().enumerate().take(wide) {
                    let given =
                        self.role(index, start + offset, role, &map.at, start, (at, later))?;
                    choices[start + offset] = Some((given, Why::Rule(map.at.line())));
                }
            }
        }
        Ok(choices)
    }

    /// A role from a rule. Places of other parameters count from `base`.
    fn role(
        &self,
        index: usize,
        parameter: usize,
        rule: &RoleRule,
        at: &At,
        base: usize,
        (plan, later): (usize, &mut Later),
    ) -> Result<Role> {
        let header = self.header;
        let declared = &header.functions[index];
        let said = &declared.parameters[parameter];
        let error = |message: String| {
            let mut error = at_rule(at, message);
            error.function = Some(declared.name.clone());
            error.parameter = Some(said.name.clone());
            error
        };
        let other = |key: &ParameterKey| {
            let key = match key {
                ParameterKey::Index(index) => {
                    ParameterKey::Index(index.saturating_add(base as u32))
                }
                name => name.clone(),
            };
            self.parameter(declared, &key)
                .map(|index| index as u32)
                .ok_or_else(|| {
                    let names = declared.parameters.iter().map(|it| it.name.as_str());
                    let hint = match &key {
                        ParameterKey::Name(name) => did_you_mean(name, names),
                        ParameterKey::Index(_) => String::new(),
                    };
                    error(format!("the function has no parameter {key}{hint}"))
                })
        };
        let nullable = !said.nonnull;
        let constant = pointee(header, &said.ty).is_some_and(|(_, constant)| constant);
        Ok(match rule {
            RoleRule::Input => Role::Input { nullable },
            RoleRule::Text => Role::Text { nullable },
            RoleRule::Memory { writable } => Role::Memory {
                nullable,
                writable: writable.unwrap_or(!constant),
            },
            RoleRule::Handle { class, consumed } => {
                let by_value = self.handles.of(header, &said.ty).map(|(handle, _)| handle);
                let pointed = self.handles.pointed(header, &said.ty);
                let handle = match class {
                    Some(class) => Some(self.class(class).map_err(&error)?),
                    None => by_value.or(pointed),
                };
                let Some(handle) = handle else {
                    return Err(error(format!(
                        "{} is no handle; name its class, as in {{ handle = \"Foo\" }}",
                        header.c_type(&said.ty)
                    )));
                };
                Role::Handle {
                    handle,
                    nullable: consumed != &Some(true) && nullable,
                    consumed: consumed.unwrap_or(self.pairs.enders.get(&index) == Some(&parameter)),
                    by_address: by_value.is_none() && pointed == Some(handle),
                }
            }
            RoleRule::Callback { user_data, life } => {
                let Some(callback) = types::callback(header, &said.ty) else {
                    return Err(error(format!(
                        "a callback needs a pointer to a function, and this is {}",
                        header.c_type(&said.ty)
                    )));
                };
                let user_data = match user_data {
                    Some(Some(key)) => {
                        let given = other(key)?;
                        let untyped = callback.parameters.iter().position(|(_, ty)| {
                            matches!(pointee(header, ty), Some((Type::Void, _)))
                        });
                        let Some(argument) = untyped else {
                            return Err(error(
                                "the callback takes no void *, which could be its user data"
                                    .to_owned(),
                            ));
                        };
                        Some(UserData {
                            parameter: given,
                            argument: argument as u32,
                        })
                    }
                    _ => None,
                };
                Role::Callback {
                    nullable,
                    user_data,
                    life: life.unwrap_or(CallbackLife::Kept),
                }
            }
            RoleRule::Output(rule) => Role::Output(self.output(
                parameter,
                rule,
                said,
                at,
                &error,
                &other,
                (plan, later),
            )?),
            RoleRule::InOut => Role::InOut,
            RoleRule::Length { of, unit } => {
                let of = other(of)?;
                let sized = pointee(header, &declared.parameters[of as usize].ty)
                    .is_some_and(|(to, _)| *to != Type::Void);
                let unit = unit.unwrap_or(if sized { Unit::Elements } else { Unit::Bytes });
                Role::Length { of, unit }
            }
            RoleRule::Fixed(value) => Role::Fixed(value.clone()),
        })
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "two of them are what messages and names are looked up by"
    )]
    fn output(
        &self,
        parameter: usize,
        rule: &OutputRule,
        said: &crate::decl::Parameter,
        at: &At,
        error: &impl Fn(String) -> PlanError,
        other: &impl Fn(&ParameterKey) -> Result<u32>,
        (plan, later): (usize, &mut Later),
    ) -> Result<Output> {
        let header = self.header;
        if let Some(length) = &rule.length {
            return Ok(Output::Buffer {
                length: other(length)?,
                unit: rule.unit.unwrap_or(Unit::Elements),
            });
        }
        if rule.unit.is_some() {
            return Err(error("'unit' is for an output with a 'length'".to_owned()));
        }
        let pointed = self.handles.pointed(header, &said.ty);
        let handle = match &rule.class {
            Some(class) => Some(self.class(class).map_err(error)?),
            None => pointed.filter(|_| !rule.plain && rule.free.is_none()),
        };
        if let Some(handle) = handle {
            let has_end = self.pairs.ends.contains_key(&handle);
            let owned = rule.owned.unwrap_or(rule.class.is_none() && has_end);
            if owned && !has_end {
                let name = &self.handles.plans[handle as usize].name;
                return Err(error(format!(
                    "an owned {name} needs a function that ends it: [handles] {name} = {{ type = \"…\", destroy = \"…\" }}"
                )));
            }
            return Ok(Output::Handle {
                handle,
                ownership: if owned {
                    Ownership::Owned
                } else {
                    Ownership::Borrowed
                },
            });
        }
        if rule.owned.is_some() {
            return Err(error(
                "'owned' is for a handle; a text is freed by the function that 'free' names"
                    .to_owned(),
            ));
        }
        let text = pointee(header, &said.ty)
            .and_then(|(to, _)| pointee(header, to))
            .is_some_and(|(to, _)| types::is_character(to) && *to != Type::Void);
        if rule.free.is_some() || (text && !rule.plain) {
            if let Some(free) = &rule.free {
                later
                    .frees
                    .push((plan, Some(parameter), free.clone(), at.clone()));
            }
            let ownership = TextOwnership::Borrowed;
            return Ok(Output::Text { ownership });
        }
        Ok(Output::Value)
    }

    fn class(&self, name: &str) -> std::result::Result<u32, String> {
        self.handles.named(name).ok_or_else(|| {
            let names = self.handles.plans.iter().map(|plan| plan.name.as_str());
            format!(
                "there is no handle class '{name}'{}",
                did_you_mean(name, names)
            )
        })
    }

    /// The function that frees a text, by its name in C.
    fn freeing(&self, name: &str, at: &At, place: &HashMap<usize, u32>) -> Result<TextOwnership> {
        let names = || {
            self.header
                .functions
                .iter()
                .map(|function| function.name.as_str())
        };
        match names().position(|known| known == name) {
            Some(index) => match place.get(&index) {
                Some(index) => Ok(TextOwnership::Owned(Some(*index))),
                None => Err(at_rule(
                    at,
                    format!("'{name}' frees a text and must not be left out"),
                )),
            },
            // C's own need not be in the header.
            None if name == "free" => Ok(TextOwnership::Owned(None)),
            None => Err(at_rule(
                at,
                format!(
                    "the header declares no function '{name}'{}",
                    did_you_mean(name, names())
                ),
            )),
        }
    }

    fn result(
        &self,
        index: usize,
        parameters: &[ParameterPlan],
        rules: &[&FunctionRule],
        at: usize,
        later: &mut Later,
    ) -> Result<(ResultPlan, Why)> {
        let header = self.header;
        let declared = &header.functions[index];
        let roles: Vec<Role> = parameters.iter().map(|it| it.role.clone()).collect();
        let (guessed, guessed_why) = self.guesser.result(index, &roles);
        let rule = rules.iter().rev().find_map(|rule| rule.result.as_ref());
        let (style, style_why) = self.style();
        let Some(Spot {
            value: rule,
            at: place,
        }) = rule
        else {
            return Ok(match guessed {
                ResultPlan::Status { .. } if style == StatusChoice::Return => {
                    (ResultPlan::Value, style_why)
                }
                ResultPlan::Status { text, .. } => {
                    let success = self.success(&declared.result)?;
                    let style = style_of(style);
                    (
                        ResultPlan::Status {
                            success,
                            style,
                            text,
                        },
                        guessed_why,
                    )
                }
                other => (other, guessed_why),
            });
        };
        let error = |message: String| {
            let mut error = at_rule(place, message);
            error.function = Some(declared.name.clone());
            error
        };
        let why = Why::Rule(place.line());
        let result = match rule {
            ResultRule::Value => ResultPlan::Value,
            ResultRule::Nothing => ResultPlan::Nothing,
            ResultRule::Status {
                success,
                style: own,
            } => {
                let success = match success {
                    Some(rule) => self.codes(rule, place)?,
                    None => self.success(&declared.result)?,
                };
                let style = own.unwrap_or(style_of(style));
                ResultPlan::Status {
                    success,
                    style,
                    text: None,
                }
            }
            ResultRule::Text { free } => {
                if let Some(free) = free {
                    later.frees.push((at, None, free.clone(), place.clone()));
                }
                let ownership = TextOwnership::Borrowed;
                ResultPlan::Text { ownership }
            }
            ResultRule::Handle {
                class,
                owned,
                null_raises,
            } => {
                let handle = match class {
                    Some(class) => Some(self.class(class).map_err(&error)?),
                    None => self
                        .handles
                        .of(header, &declared.result)
                        .map(|(handle, _)| handle),
                };
                let Some(handle) = handle else {
                    return Err(error(format!(
                        "{} is no handle; name its class, as in {{ handle = \"Foo\" }}",
                        header.c_type(&declared.result)
                    )));
                };
                let owned = owned.unwrap_or(matches!(
                    guessed,
                    ResultPlan::Handle {
                        ownership: Ownership::Owned,
                        ..
                    }
                ));
                self.can_own(handle, owned).map_err(&error)?;
                ResultPlan::Handle {
                    handle,
                    ownership: if owned {
                        Ownership::Owned
                    } else {
                        Ownership::Borrowed
                    },
                    null_raises: null_raises.unwrap_or(owned),
                }
            }
            ResultRule::Owned { free } => match guessed {
                ResultPlan::Handle { handle, .. } => {
                    self.can_own(handle, true).map_err(&error)?;
                    ResultPlan::Handle {
                        handle,
                        ownership: Ownership::Owned,
                        null_raises: true,
                    }
                }
                ResultPlan::Text { .. } => {
                    let free = free.clone().unwrap_or_else(|| "free".to_owned());
                    later.frees.push((at, None, free, place.clone()));
                    let ownership = TextOwnership::Borrowed;
                    ResultPlan::Text { ownership }
                }
                _ => {
                    return Err(error(format!(
                        "{} cannot be the caller's: it is neither a handle nor text",
                        header.c_type(&declared.result)
                    )));
                }
            },
        };
        Ok((result, why))
    }

    fn can_own(&self, handle: u32, owned: bool) -> std::result::Result<(), String> {
        if !owned || self.pairs.ends.contains_key(&handle) {
            return Ok(());
        }
        let name = &self.handles.plans[handle as usize].name;
        Err(format!(
            "an owned {name} needs a function that ends it: [handles] {name} = {{ type = \"…\", destroy = \"…\" }}"
        ))
    }

    fn style(&self) -> (StatusChoice, Why) {
        match (self.options.status, &self.rules.status) {
            (Some(status), _) => (status, Why::Asked),
            (None, Some(rule)) => (rule.value, Why::Rule(rule.at.line())),
            (None, None) => (StatusChoice::Raise, Why::Type),
        }
    }

    /// What success looks like for a status of this type.
    fn success(&self, ty: &Type) -> Result<Success> {
        let Some(rule) = &self.rules.success else {
            return Ok(match self.header.resolve(ty) {
                Type::Bool => Success::NonZero,
                _ => Success::Zero,
            });
        };
        self.codes(&rule.value, &rule.at)
    }

    fn codes(&self, rule: &SuccessRule, at: &At) -> Result<Success> {
        let codes = match rule {
            SuccessRule::Is(success) => return Ok(success.clone()),
            SuccessRule::OneOf(codes) => codes,
        };
        let values = codes.iter().map(|code| match code {
            CodeName::Value(value) => Ok(*value),
            CodeName::Name(name) => self.code(name).ok_or_else(|| {
                let constants = self.header.constants.iter().map(|it| it.name.as_str());
                let values = self.header.enums.iter().flat_map(|it| &it.values);
                let known = constants.chain(values.map(|it| it.name.as_str()));
                at_rule(
                    at,
                    format!(
                        "the header has no integer constant '{name}'{}",
                        did_you_mean(name, known)
                    ),
                )
            }),
        });
        Ok(Success::OneOf(values.collect::<Result<_>>()?))
    }

    fn code(&self, name: &str) -> Option<i64> {
        let constants = self.header.constants.iter().filter(|it| it.name == name);
        let value = constants.filter_map(|it| match it.value {
            Value::Int(value) => Some(value),
            _ => None,
        });
        let values = self.header.enums.iter().flat_map(|it| &it.values);
        let named = values.filter(|it| it.name == name).map(|it| it.value);
        value
            .chain(named)
            .find_map(|value| i64::try_from(value).ok())
    }

    fn gil(
        &self,
        declared: &Function,
        parameters: &[ParameterPlan],
        rules: &[&FunctionRule],
    ) -> (Gil, Why) {
        if let Some(rule) = rules.iter().rev().find_map(|rule| rule.gil.as_ref()) {
            return (rule.value, Why::Rule(rule.at.line()));
        }
        if let Some(gil) = self.options.gil {
            return (gil, Why::Asked);
        }
        if let Some(rule) = &self.rules.gil {
            return (rule.value, Why::Rule(rule.at.line()));
        }
        let roles: Vec<&Role> = parameters.iter().map(|it| &it.role).collect();
        let (gil, text) = gil::guess(&declared.name, &roles);
        (gil, Why::Guess(text))
    }

    /// Gives statuses the function that tells their texts.
    fn texts(&self, plan: &mut Plan, place: &HashMap<usize, u32>) -> Result<()> {
        let ruled = match &self.rules.error_text {
            Some(rule) => {
                let names = || {
                    self.header
                        .functions
                        .iter()
                        .map(|function| function.name.as_str())
                };
                let index = names().position(|name| name == rule.value);
                let Some(index) = index.and_then(|index| place.get(&index)) else {
                    let hint = did_you_mean(&rule.value, names());
                    let message =
                        format!("there is no function '{}' that is bound{hint}", rule.value);
                    return Err(at_rule(&rule.at, message));
                };
                let function = &plan.functions[*index as usize];
                if function
                    .parameters
                    .iter()
                    .filter(|it| it.role.is_taken())
                    .count()
                    != 1
                {
                    let message = format!("'{}' does not take a status code alone", rule.value);
                    return Err(at_rule(&rule.at, message));
                }
                Some(*index)
            }
            None => None,
        };
        let mut guessed: HashMap<Type, Option<u32>> = HashMap::new();
        for at in 0..plan.functions.len() {
            let declared = &self.header.functions[plan.functions[at].function as usize];
            if !matches!(plan.functions[at].result, ResultPlan::Status { .. }) {
                continue;
            }
            let found = match ruled {
                Some(index) => Some(index),
                None => {
                    let key = self.header.resolve(&declared.result).clone();
                    *guessed.entry(key).or_insert_with(|| {
                        let taken = |index: usize| place.contains_key(&index);
                        let index = self.guesser.error_text(&declared.result, taken)?;
                        place.get(&index).copied()
                    })
                }
            };
            if let ResultPlan::Status { text, .. } = &mut plan.functions[at].result {
                *text = found.filter(|index| *index as usize != at);
            }
        }
        Ok(())
    }

    /// A name in Python.
    fn rename(&self, name: &str) -> String {
        let rules = || {
            self.rules
                .rename
                .iter()
                .rev()
                .filter(|rule| rule.names.fits(name))
        };
        let exact = rules().find(|rule| rule.names.is_exact());
        let mut new = match exact.or_else(|| rules().next()) {
            Some(rule) => rule.to.apply(name),
            None => {
                let stripped = self.rules.prefixes.iter().find_map(|prefix| {
                    let rest = name.strip_prefix(prefix.value.as_str())?;
                    let begins = rest.bytes().next()?;
                    // A type of Python's would mean something else in the stub.
                    let plain = begins.is_ascii_alphabetic() || begins == b'_';
                    (plain && !BUILTINS.contains(&rest)).then_some(rest)
                });
                stripped.unwrap_or(name).to_owned()
            }
        };
        if KEYWORDS.contains(&new.as_str()) {
            new.push('_');
        }
        // C++ operators and the like.
        if is_identifier(&new) {
            new
        } else {
            name.to_owned()
        }
    }

    /// No two functions may have one name.
    fn names(&self, plan: &mut Plan) -> Result<()> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for at in 0..plan.functions.len() {
            let c_name =
                |at: usize| &self.header.functions[plan.functions[at].function as usize].name;
            let name = plan.functions[at].name.clone();
            if let Some(&before) = seen.get(&name) {
                return Err(PlanError {
                    function: Some(c_name(at).clone()),
                    parameter: None,
                    place: self
                        .rules_for(c_name(at))
                        .iter()
                        .rev()
                        .find_map(|rule| Some(rule.name.as_ref()?.at.to_string())),
                    message: format!(
                        "it would be called '{name}' in Python, as {} is",
                        c_name(before)
                    ),
                });
            }
            seen.insert(name, at);
        }
        for handle in &mut plan.handles {
            handle.name = free_name(&self.rename(&handle.name), &seen, "_handle");
        }
        Ok(())
    }

    /// Records, enumerations, constants and variables.
    fn classes(&mut self, plan: &mut Plan) {
        let header = self.header;
        let mut taken: HashMap<String, usize> = plan
            .functions
            .iter()
            .map(|it| (it.name.clone(), 0))
            .collect();
        taken.extend(plan.handles.iter().map(|it| (it.name.clone(), 0)));
        let handled: HashSet<HandleOf> = plan.handles.iter().map(|it| it.of).collect();
        for (index, record) in header.records.iter().enumerate() {
            let id = RecordId(index as u32);
            if record.name.is_empty() || handled.contains(&HandleOf::Pointer(id)) {
                continue;
            }
            if record.size.is_none() {
                continue;
            }
            let name = self.type_name(&Type::Record(id), &record.name);
            if let Err(reason) = self.not_ignored(&[&record.name, &name]) {
                self.left_out.push((name, reason));
                continue;
            }
            let name = free_name(
                &self.rename(&name),
                &taken,
                if record.union { "_union" } else { "_struct" },
            );
            taken.insert(name.clone(), 0);
            plan.records.push((id, name));
        }
        for (index, enumeration) in header.enums.iter().enumerate() {
            let id = EnumId(index as u32);
            let name = self.type_name(&Type::Enum(id), &enumeration.name);
            if name.is_empty() {
                continue;
            }
            if let Err(reason) = self.not_ignored(&[&enumeration.name, &name]) {
                self.left_out.push((name, reason));
                continue;
            }
            let name = free_name(&self.rename(&name), &taken, "_enum");
            taken.insert(name.clone(), 0);
            plan.enums.push((id, name));
        }
        let ruled = self.rules.constants.iter().map(|spot| &spot.value);
        let ruled: Vec<(String, Value)> = ruled.cloned().collect();
        let declared = header
            .constants
            .iter()
            .map(|it| (it.name.clone(), it.value.clone()));
        // Anonymous enumerations have no class, and their values may be constants of the header already.
        let anonymous = header.enums.iter().filter(|it| it.name.is_empty());
        let anonymous = anonymous
            .flat_map(|it| &it.values)
            .map(|it| (it.name.clone(), Value::Int(it.value)));
        // The members of a class are reached by it and by their own names.
        let members: HashSet<&str> = header
            .enums
            .iter()
            .enumerate()
            .filter(|(index, _)| plan.enums.iter().any(|(id, _)| id.0 as usize == *index))
            .flat_map(|(_, it)| &it.values)
            .map(|it| it.name.as_str())
            .collect();
        for (c_name, value) in ruled.into_iter().chain(declared).chain(anonymous) {
            let name = self.rename(&c_name);
            if members.contains(c_name.as_str())
                || taken.contains_key(&name)
                || !is_identifier(&name)
            {
                continue;
            }
            if self.wanted(&c_name).is_err() {
                continue;
            }
            taken.insert(name.clone(), 0);
            plan.constants.push((name, value));
        }
        for (index, variable) in header.variables.iter().enumerate() {
            let reason =
                self.wanted(&variable.name)
                    .err()
                    .or_else(|| match header.resolve(&variable.ty) {
                        Type::Array { .. } => None,
                        _ => passable(header, &variable.ty).err(),
                    });
            let name = self.rename(&variable.name);
            match reason {
                Some(reason) => self.left_out.push((variable.name.clone(), reason)),
                None if taken.contains_key(&name) => {
                    let reason = "something else has this name".to_owned();
                    self.left_out.push((variable.name.clone(), reason));
                }
                None => {
                    taken.insert(name.clone(), 0);
                    plan.variables.push((index as u32, name));
                }
            }
        }
    }

    fn not_ignored(&self, names: &[&str]) -> std::result::Result<(), String> {
        let rule = self
            .rules
            .ignore
            .iter()
            .find(|rule| names.iter().any(|name| rule.value.fits(name)));
        rule.map_or(Ok(()), |rule| {
            Err(format!("{} leaves it out", rule.at.line()))
        })
    }

    /// The name that people give a type: its typedef's, without a version if there is one, or its tag.
    fn type_name(&self, ty: &Type, tag: &str) -> String {
        let versioned = |name: &str| {
            let end = name.rsplit("_v").next().unwrap_or("");
            end.len() < name.len()
                && !end.is_empty()
                && end.bytes().all(|byte| byte.is_ascii_digit())
        };
        let named = || {
            let typedefs = self.header.typedefs.iter();
            typedefs.filter(|typedef| self.header.resolve(&typedef.ty) == ty)
        };
        let plain = named().find(|typedef| !versioned(&typedef.name));
        let any = plain.or_else(|| named().next());
        any.map_or(tag, |typedef| &typedef.name).to_owned()
    }
}

/// Python's names of types, which stubs use.
const BUILTINS: [&str; 8] = [
    "int", "float", "bool", "str", "bytes", "object", "tuple", "complex",
];

fn style_of(choice: StatusChoice) -> StatusStyle {
    match choice {
        StatusChoice::Tuple => StatusStyle::Tuple,
        StatusChoice::Raise | StatusChoice::Return => StatusStyle::Raise,
    }
}

fn at_rule(at: &At, message: impl Into<String>) -> PlanError {
    PlanError {
        function: None,
        parameter: None,
        place: Some(at.to_string()),
        message: message.into(),
    }
}

/// A name that nothing else has.
fn free_name(name: &str, taken: &HashMap<String, usize>, suffix: &str) -> String {
    let mut name = name.to_owned();
    while taken.contains_key(&name) {
        name.push_str(suffix);
    }
    name
}

/// Gives all parameters names that Python takes and that differ.
fn name_parameters(plans: &mut [ParameterPlan]) {
    let mut seen = HashSet::new();
    for (at, plan) in plans.iter_mut().enumerate() {
        if KEYWORDS.contains(&plan.name.as_str()) {
            plan.name.push('_');
        }
        if !is_identifier(&plan.name) || seen.contains(&plan.name) {
            plan.name = format!("arg{at}");
        }
        while !seen.insert(plan.name.clone()) {
            plan.name.push('_');
        }
    }
}

fn set_nullable(role: &mut Role, value: bool) -> std::result::Result<(), String> {
    match role {
        Role::Input { nullable }
        | Role::Text { nullable }
        | Role::Memory { nullable, .. }
        | Role::Handle { nullable, .. }
        | Role::Callback { nullable, .. } => {
            *nullable = value;
            Ok(())
        }
        _ => Err("'nullable' is for a parameter that is taken from the caller".to_owned()),
    }
}

/// Whether a header's default can be used for a parameter.
fn fits_role(header: &Header, value: &Value, ty: &Type, role: &Role) -> bool {
    match (role, value) {
        (Role::Text { .. }, Value::Text(_)) => true,
        _ => {
            types::fits(header, value, ty).is_ok()
                && (integer(header, ty).is_some()
                    || types::float(header, ty).is_some()
                    || *value == Value::Null
                    || *header.resolve(ty) == Type::Bool)
        }
    }
}
