//! From a header, rules and guesses to a plan.

mod names;
mod results;
mod roles;

use std::collections::{HashMap, HashSet};

use self::names::name_parameters;
use super::guess::handles::{self, Handles, Pairs};
use super::guess::{Guesser, extents, parameters};
use super::types::{self, integer, passable};
use super::{FunctionPlan, Options, Output, ParameterPlan, Plan, PlanError, ResultPlan, Role, Why};
use crate::decl::{Function, Header, Type, Value};
use crate::rules::{
    FunctionRule, NameKind, ParameterKey, ParameterRule, Rename, RoleRule, RulePlace, Rules,
};
use crate::words::did_you_mean;

type Result<T> = std::result::Result<T, PlanError>;

/// Makes the plan for a header: by rules where there are some, and by guesses.
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

/// Rules for the function's texts and lengths are resolved when all functions have their places.
#[derive(Default)]
struct Deferred {
    /// Functions that free a text, by their names in C: `None` for the result, else the parameter.
    frees: Vec<(usize, Option<usize>, String, RulePlace)>,
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
        let mut later = Deferred::default();
        for (at, &index) in bound.iter().enumerate() {
            let function = self.function(index, at, &mut later)?;
            plan.functions.push(function);
        }
        for (at, parameter, name, rule) in later.frees {
            let free = self.freeing(&name, &rule, &place)?;
            let function = &mut plan.functions[at];
            match parameter {
                Some(parameter) => {
                    if let Role::Output(Output::Text { ownership, .. }) =
                        &mut function.parameters[parameter].role
                    {
                        *ownership = free;
                    }
                }
                None => {
                    if let ResultPlan::Text { ownership } = function.result.usual_mut() {
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
            let reason = match self.wanted(&function.name, NameKind::Function) {
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

    /// Checks that a name is asked for. The error is the reason why it is not.
    fn wanted(&self, name: &str, kind: NameKind) -> std::result::Result<(), String> {
        if let Some(rule) = self.rules.ignore.iter().find(|rule| rule.value.fits(name)) {
            return Err(format!("{} leaves it out", rule.at.line()));
        }
        if let Some(rule) = self.rules.renaming(name, kind)
            && rule.to == Rename::Ignore
        {
            return Err(format!("{} leaves it out", rule.at.line()));
        }
        if self.options.ignore.iter().any(|glob| glob.fits(name)) {
            return Err("'ignore' names it".to_owned());
        }
        let only = &self.options.only;
        if !only.is_empty() && !only.iter().any(|glob| glob.fits(name)) {
            return Err("'only' does not name it".to_owned());
        }
        Ok(())
    }

    /// The reason why a function cannot be called.
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

    fn function(&self, index: usize, at: usize, later: &mut Deferred) -> Result<FunctionPlan> {
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
        let (mut choices, mut checks) = self.typemaps(declared, index, at, later)?;
        for (parameter, rules) in by_rule.iter().enumerate() {
            let role = rules
                .iter()
                .rev()
                .find_map(|rule| Some((rule.role.as_ref()?, &rule.at)));
            if let Some((RoleRule::Checked(check), _)) = role {
                checks[parameter] = Some(*check);
            } else if let Some((role, rule)) = role {
                let given = self.role(index, parameter, role, rule, 0, (at, later))?;
                choices[parameter] = Some((given, Why::Rule(rule.line())));
            }
        }
        if self.rules.as_swig {
            let objects =
                (0..count).filter(|at| types::is_object(self.header, &declared.parameters[*at].ty));
            for parameter in objects {
                let rest = parameter + 1 == count && declared.takes_rest();
                let role = if rest { Role::Rest } else { Role::Object };
                choices[parameter] = Some((role, Why::Type));
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
        let roles: Vec<Role> = guessed.iter().map(|(role, _)| role.clone()).collect();
        let guessed_extents = extents::guess(self.header, declared, &roles);
        let extent_of = |parameter: usize| {
            let mut rules = by_rule[parameter].iter().rev();
            rules.find_map(|rule| Some((rule.extent.as_ref()?, &rule.at)))
        };
        // The parameter that counts the elements of another.
        let counter = |of: usize| {
            let length =
                |role: &Role| matches!(role, Role::Length { of: its, .. } if *its as usize == of);
            let by_length = roles.iter().position(length).map(|index| index as u32);
            let by_rule = || match extent_of(of)?.0.of.as_ref()? {
                key if extent_of(of)?.0.plus == 0 => {
                    self.parameter(declared, key).map(|it| it as u32)
                }
                _ => None,
            };
            let by_guess = || guessed_extents[of].as_ref()?.of;
            by_length.or_else(by_rule).or_else(by_guess)
        };
        let mut plans = Vec::with_capacity(count);
        for (parameter, (mut role, mut why)) in guessed.into_iter().enumerate() {
            let said = &declared.parameters[parameter];
            let rules = &by_rule[parameter];
            // A function that frees memory must get C's own.
            let frees = crate::words::words(&declared.name).iter().any(|word| {
                ["free", "delete", "destroy", "release", "dispose"].contains(&word.as_str())
            });
            if self.rules.as_swig
                && !frees
                && let Role::Input { nullable }
                | Role::Memory {
                    nullable,
                    writable: true,
                } = role
                && !matches!(why, Why::Rule(_))
                && types::text(self.header, &said.ty)
            {
                (role, why) = (
                    Role::Edited {
                        returned: false,
                        nullable,
                        room: None,
                        more: 0,
                    },
                    Why::Type,
                );
            }
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
                // Facts about C++ in the header are only of use where they can be passed.
                let value = said.default.clone().filter(|_| role.is_taken())?;
                fits_role(self.header, &value, &said.ty, &role).then_some(value)
            });
            let name = rules.iter().rev().find_map(|rule| rule.name.clone());
            let extent = match extent_of(parameter) {
                Some((extent, at)) => Some(self.extent(declared, extent, at, &counter)?),
                None => guessed_extents[parameter]
                    .clone()
                    .filter(|_| matches!(role, Role::Memory { .. } | Role::Input { .. })),
            };
            plans.push(ParameterPlan {
                name: name.unwrap_or_else(|| said.name.clone()),
                role,
                default,
                why,
                extent,
                check: checks[parameter],
            });
        }
        name_parameters(&mut plans);
        let result = self.result(index, &plans, &rules, at, later)?;
        let (result, result_why) = self.errno(declared, &rules, result)?;
        let (gil, gil_why) = self.gil(declared, &plans, &result, &rules);
        let name = rules.iter().rev().find_map(|rule| rule.name.as_ref());
        Ok(FunctionPlan {
            name: name.map_or_else(
                || self.rename(&declared.name, NameKind::Function),
                |name| name.value.clone(),
            ),
            function: index as u32,
            parameters: plans,
            result,
            result_why,
            gil,
            gil_why,
            // `int f();` in a header means that it takes nothing.
            variadic: declared.variadic && count > 0,
        })
    }
}

fn at_rule(at: &RulePlace, message: impl Into<String>) -> PlanError {
    PlanError {
        function: None,
        parameter: None,
        place: Some(at.to_string()),
        message: message.into(),
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

/// True if a header's default can be used for a parameter.
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
