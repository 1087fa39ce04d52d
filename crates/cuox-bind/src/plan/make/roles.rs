//! Roles that rules give.

use std::collections::HashMap;

use super::{Deferred, Maker, Result, at_rule};
use crate::decl::{Function, Parameter, Type};
use crate::plan::guess::parameters;
use crate::plan::types::{self, pointee};
use crate::plan::{
    CallbackLife, Check, Extent, Output, Ownership, PlanError, Role, Rows, TextOwnership, Unit,
    UserData, Why,
};
use crate::rules::{ExtentRule, OutputRule, ParameterKey, RoleRule, RulePlace};
use crate::words::{did_you_mean, words};

/// The roles that typemaps give parameters.
type Choices = Vec<Option<parameters::Choice>>;

impl Maker<'_> {
    pub(super) fn parameter(&self, function: &Function, key: &ParameterKey) -> Option<usize> {
        match key {
            ParameterKey::Name(name) => function.parameters.iter().position(|it| it.name == *name),
            ParameterKey::Index(index) => {
                let index = *index as usize;
                (index < function.parameters.len()).then_some(index)
            }
        }
    }

    /// Another parameter that a rule names.
    fn other(&self, declared: &Function, key: &ParameterKey) -> std::result::Result<u32, String> {
        let found = self.parameter(declared, key).map(|index| index as u32);
        found.ok_or_else(|| {
            let names = declared.parameters.iter().map(|it| it.name.as_str());
            let hint = match key {
                ParameterKey::Name(name) => did_you_mean(name, names),
                ParameterKey::Index(_) => String::new(),
            };
            format!("the function has no parameter {key}{hint}")
        })
    }

    /// The amount of memory that a rule requires behind a parameter.
    pub(super) fn extent(
        &self,
        declared: &Function,
        rule: &ExtentRule,
        at: &RulePlace,
        counter: &impl Fn(usize) -> Option<u32>,
    ) -> Result<Extent> {
        let other = |key: &ParameterKey| {
            let index = self.other(declared, key);
            // As long as another array is as long as what counts that.
            let counted = index.and_then(|index| {
                let is_memory = pointee(self.header, &declared.parameters[index as usize].ty)
                    .is_some_and(|(to, _)| !matches!(to, Type::Int(_)) || counter(index as usize).is_some());
                match is_memory {
                    true => counter(index as usize).ok_or_else(|| format!("nothing says how long {key} is: give it an extent too, such as {{ elements = \"n\" }}")),
                    false => Ok(index),
                }
            });
            counted.map_err(|message| {
                let mut error = at_rule(at, message);
                error.function = Some(declared.name.clone());
                error
            })
        };
        Ok(Extent {
            of: rule.of.as_ref().map(other).transpose()?,
            plus: rule.plus,
            unit: rule.unit,
            rows: match &rule.rows {
                Some((count, pitch, unit)) => Some(Rows {
                    count: other(count)?,
                    pitch: other(pitch)?,
                    unit: *unit,
                }),
                None => None,
            },
            why: Why::Rule(at.line()),
        })
    }

    /// Roles from rules by type and name.
    pub(super) fn typemaps(
        &self,
        declared: &Function,
        index: usize,
        at: usize,
        later: &mut Deferred,
    ) -> Result<(Choices, Vec<Option<Check>>)> {
        let parameters = &declared.parameters;
        let mut choices = vec![None; parameters.len()];
        let mut checks = vec![None; parameters.len()];
        if self.rules.typemaps.is_empty() {
            return Ok((choices, checks));
        }
        let spelled: Vec<String> = parameters
            .iter()
            .map(|it| self.header.c_type(&it.ty).split_whitespace().collect())
            .collect();
        for map in &self.rules.typemaps {
            if map
                .only
                .as_ref()
                .is_some_and(|only| !only.contains(&declared.name))
            {
                continue;
            }
            if map.except.contains(&declared.name) {
                continue;
            }
            let wide = map.parameters.len();
            for start in 0..(parameters.len() + 1).saturating_sub(wide) {
                let fits = map
                    .parameters
                    .iter()
                    .enumerate()
                    .all(|(offset, (ty, name))| {
                        (spelled[start + offset] == *ty
                            || ty.is_empty()
                                && self.suits(&parameters[start + offset].ty, &map.roles))
                            && (name.is_empty() || parameters[start + offset].name == *name)
                    });
                if !fits || wide == 0 {
                    continue;
                }
                for (offset, role) in map.roles.iter().enumerate().take(wide) {
                    if let RoleRule::Checked(check) = role {
                        checks[start + offset] = Some(*check);
                        continue;
                    }
                    let given =
                        self.role(index, start + offset, role, &map.at, start, (at, later))?;
                    choices[start + offset] = Some((given, Why::Rule(map.at.line())));
                }
            }
        }
        Ok((choices, checks))
    }

    /// True if a typemap for any type can be for this one.
    fn suits(&self, ty: &Type, roles: &[RoleRule]) -> bool {
        let number = |ty: &Type| {
            matches!(
                self.header.resolve(ty),
                Type::Int(_) | Type::Float(_) | Type::Bool | Type::Enum(_)
            )
        };
        let pointed = pointee(self.header, ty);
        match roles {
            [RoleRule::Checked(Check::NonNull | Check::Aligned(_))] => pointed.is_some(),
            [RoleRule::Checked(_)] => number(ty),
            [RoleRule::Pointed] => pointed.is_some_and(|(to, _)| number(to)),
            _ => pointed.is_some_and(|(to, constant)| number(to) && !constant),
        }
    }

    /// A role from a rule. Places of other parameters count from `base`.
    pub(super) fn role(
        &self,
        index: usize,
        parameter: usize,
        rule: &RoleRule,
        at: &RulePlace,
        base: usize,
        (plan, later): (usize, &mut Deferred),
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
            self.other(declared, &key).map_err(&error)
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
                let record = || matches!(pointee(header, &said.ty), Some((Type::Record(_), _)));
                if handle.is_none() && class.is_none() && self.rules.as_swig && record() {
                    // A record that the call ends is forgotten by whoever ends it by itself.
                    return Ok(Role::Input { nullable });
                }
                let Some(handle) = handle else {
                    return Err(error(format!(
                        "{} is not a handle; name its class, as in {{ handle = \"Foo\" }}",
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
                        let name = words(&declared.parameters[given as usize].name);
                        let untyped = || {
                            callback.parameters.iter().rposition(|(_, ty)| {
                                matches!(pointee(header, ty), Some((Type::Void, _)))
                            })
                        };
                        let named = parameters::user_argument(header, callback, &name);
                        let Some(argument) = named.or_else(untyped) else {
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
            RoleRule::Pointed => Role::Pointed,
            RoleRule::Edited { room, more } => Role::Edited {
                returned: true,
                nullable: false,
                room: *room,
                more: *more,
            },
            RoleRule::Binary => Role::Edited {
                returned: false,
                nullable,
                room: None,
                more: 0,
            },
            RoleRule::Texts => Role::Texts { nullable },
            RoleRule::Counter => Role::Counter,
            RoleRule::Refused(text) => return Err(error(text.clone())),
            // It is no role.
            RoleRule::Checked(_) => Role::Input { nullable },
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
    pub(super) fn output(
        &self,
        parameter: usize,
        rule: &OutputRule,
        said: &Parameter,
        at: &RulePlace,
        error: &impl Fn(String) -> PlanError,
        other: &impl Fn(&ParameterKey) -> Result<u32>,
        (plan, later): (usize, &mut Deferred),
    ) -> Result<Output> {
        let header = self.header;
        if let Some(length) = rule.length.as_ref().filter(|_| rule.free.is_none()) {
            return Ok(Output::Buffer {
                length: other(length)?,
                unit: rule.unit.unwrap_or(Unit::Elements),
            });
        }
        if let Some(bytes) = rule.room {
            return Ok(Output::Room {
                bytes,
                whole: rule.whole,
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
            let length = rule.length.as_ref().map(other).transpose()?;
            return Ok(Output::Text { ownership, length });
        }
        Ok(Output::Value)
    }

    pub(super) fn class(&self, name: &str) -> std::result::Result<u32, String> {
        self.handles.named(name).ok_or_else(|| {
            let names = self.handles.plans.iter().map(|plan| plan.name.as_str());
            format!(
                "no handle class is named '{name}'{}",
                did_you_mean(name, names)
            )
        })
    }

    /// The function that frees a text, by its name in C.
    pub(super) fn freeing(
        &self,
        name: &str,
        at: &RulePlace,
        place: &HashMap<usize, u32>,
    ) -> Result<TextOwnership> {
        let names = || {
            self.header
                .functions
                .iter()
                .map(|function| function.name.as_str())
        };
        match names().position(|known| known == name) {
            Some(index) => match place.get(&index) {
                Some(index) => Ok(TextOwnership::Owned(Some(*index))),
                // C's own need not be bound.
                None if name == "free" => Ok(TextOwnership::Owned(None)),
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
}
