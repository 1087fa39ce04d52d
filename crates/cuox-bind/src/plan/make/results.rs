//! Plans for results, and for the interpreter's lock.

use std::collections::HashMap;

use super::{Deferred, Maker, Result, at_rule};
use crate::decl::{Function, Type, Value};
use crate::plan::guess::gil;
use crate::plan::types::{self, pointee};
use crate::plan::{
    Failure, Gil, Ownership, ParameterPlan, Plan, ResultPlan, Role, StatusStyle, Success,
    TextOwnership, Why,
};
use crate::rules::{
    CodeName, ErrnoRule, FunctionRule, Located, ResultRule, RulePlace, StatusChoice, SuccessRule,
};
use crate::words::did_you_mean;

impl Maker<'_> {
    pub(super) fn result(
        &self,
        index: usize,
        parameters: &[ParameterPlan],
        rules: &[&FunctionRule],
        at: usize,
        later: &mut Deferred,
    ) -> Result<(ResultPlan, Why)> {
        let header = self.header;
        let declared = &header.functions[index];
        if self.rules.as_swig && types::is_object(header, &declared.result) {
            return Ok((ResultPlan::Object, Why::Type));
        }
        let roles: Vec<Role> = parameters.iter().map(|it| it.role.clone()).collect();
        let (mut guessed, guessed_why) = self.guesser.result(index, &roles);
        if self.rules.as_swig
            && guessed == ResultPlan::Value
            && crate::plan::types::text(header, &declared.result)
        {
            let ownership = TextOwnership::Borrowed;
            guessed = ResultPlan::Text { ownership };
        }
        // A rule for several functions is not for those that have no such result.
        let rule = (rules.iter().rev())
            .filter(|rule| rule.functions.is_exact() || self.can_be(declared, rule, &guessed))
            .find_map(|rule| rule.result.as_ref());
        let (style, style_why) = self.style();
        let Some(Located {
            value: rule,
            at: place,
        }) = rule
        else {
            return Ok(match guessed {
                ResultPlan::Status { .. } if style == StatusChoice::Return => {
                    (ResultPlan::Value, style_why)
                }
                ResultPlan::Status {
                    text,
                    success,
                    style: own,
                } => {
                    let usual = success == Success::Zero || self.rules.success.is_some();
                    let success = match usual {
                        true => self.success(&declared.result)?,
                        false => success,
                    };
                    let style = match style {
                        StatusChoice::Raise => own,
                        other => style_of(other),
                    };
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
                        "{} is not a handle; name its class, as in {{ handle = \"Foo\" }}",
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
                // Whoever opens the binding makes it the caller's.
                _ if matches!(
                    crate::plan::types::pointee(header, &declared.result),
                    Some((Type::Record(_), _))
                ) =>
                {
                    ResultPlan::Value
                }
                _ => {
                    return Err(error(format!(
                        "{} cannot be the caller's: it is neither a handle nor text nor a record",
                        header.c_type(&declared.result)
                    )));
                }
            },
        };
        Ok((result, why))
    }

    /// True if a function's result can be what a rule says.
    fn can_be(&self, declared: &Function, rule: &FunctionRule, guessed: &ResultPlan) -> bool {
        let Some(rule) = &rule.result else {
            return true;
        };
        let ty = self.header.resolve(&declared.result);
        let text = pointee(self.header, ty).is_some_and(|(to, _)| types::is_character(to));
        match &rule.value {
            ResultRule::Nothing => true,
            ResultRule::Value => *ty != Type::Void,
            ResultRule::Status { .. } => matches!(ty, Type::Int(_) | Type::Enum(_) | Type::Bool),
            ResultRule::Text { .. } => text,
            ResultRule::Handle { class, .. } => {
                self.handles.of(self.header, &declared.result).is_some()
                    || class.is_some() && matches!(ty, Type::Pointer { .. })
            }
            ResultRule::Owned { .. } => {
                matches!(guessed, ResultPlan::Handle { .. } | ResultPlan::Text { .. })
            }
        }
    }

    /// A result whose failures are told by `errno`, if a rule says so. One for several functions is not for those where
    /// nothing tells a failure.
    pub(super) fn errno(
        &self,
        declared: &Function,
        rules: &[&FunctionRule],
        (mut result, mut result_why): (ResultPlan, Why),
    ) -> Result<(ResultPlan, Why)> {
        let own = rules.iter().rev().find(|rule| rule.errno.is_some());
        let exact = own.is_some_and(|rule| rule.functions.is_exact());
        let rule = own
            .and_then(|rule| rule.errno.as_ref())
            .or(self.rules.errno.as_ref());
        let choice = match rule.map(|rule| rule.value) {
            None | Some(ErrnoRule::No) => return Ok((result, result_why)),
            Some(rule) => rule,
        };
        // A number that `errno` goes with is no status, unless that is said too.
        let number = matches!(self.header.resolve(&declared.result), Type::Int(_));
        if number && matches!(result_why, Why::Guess(_)) {
            (result, result_why) = (ResultPlan::Value, Why::Type);
        }
        let failure = match choice {
            ErrnoRule::Is(failure) => Some(failure),
            _ => self.failure(declared, &result),
        };
        let why = Why::Rule(rule.map_or_else(String::new, |rule| rule.at.line()));
        match (failure, rule) {
            (Some(failure), _) => {
                let result = result.into();
                let errno = ResultPlan::Errno {
                    failure,
                    why,
                    result,
                };
                Ok((errno, result_why))
            }
            (None, Some(rule)) if exact => {
                let message = format!(
                    "nothing in the result of {} tells whether errno is set; say which it is, as in errno = -1, or \"set\" where errno alone tells",
                    declared.name
                );
                Err(at_rule(&rule.at, message))
            }
            _ => Ok((result, result_why)),
        }
    }

    /// The usual result of a failure that sets `errno`.
    fn failure(&self, declared: &Function, result: &ResultPlan) -> Option<Failure> {
        let style = match result {
            ResultPlan::Nothing => return None,
            ResultPlan::Status { style, .. } => Some(style),
            _ => None,
        };
        match (style, self.header.resolve(&declared.result)) {
            (Some(StatusStyle::Raise | StatusStyle::Value), _) => Some(Failure::Status),
            (Some(StatusStyle::Tuple), _) => None,
            (_, Type::Pointer { .. }) => Some(Failure::Result(0)),
            (_, Type::Int(int)) if int.signed() && int.size() >= 4 => Some(Failure::Result(-1)),
            _ => None,
        }
    }

    pub(super) fn can_own(&self, handle: u32, owned: bool) -> std::result::Result<(), String> {
        if !owned || self.pairs.ends.contains_key(&handle) {
            return Ok(());
        }
        let name = &self.handles.plans[handle as usize].name;
        Err(format!(
            "an owned {name} needs a function that ends it: [handles] {name} = {{ type = \"…\", destroy = \"…\" }}"
        ))
    }

    pub(super) fn style(&self) -> (StatusChoice, Why) {
        match (self.options.status, &self.rules.status) {
            (Some(status), _) => (status, Why::Asked),
            (None, Some(rule)) => (rule.value, Why::Rule(rule.at.line())),
            (None, None) => (StatusChoice::Raise, Why::Type),
        }
    }

    /// The success codes for a status of this type.
    pub(super) fn success(&self, ty: &Type) -> Result<Success> {
        let Some(rule) = &self.rules.success else {
            return Ok(match self.header.resolve(ty) {
                Type::Bool => Success::NonZero,
                _ => Success::Zero,
            });
        };
        self.codes(&rule.value, &rule.at)
    }

    pub(super) fn codes(&self, rule: &SuccessRule, at: &RulePlace) -> Result<Success> {
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

    pub(super) fn code(&self, name: &str) -> Option<i64> {
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

    pub(super) fn gil(
        &self,
        declared: &Function,
        parameters: &[ParameterPlan],
        result: &ResultPlan,
        rules: &[&FunctionRule],
    ) -> (Gil, Why) {
        // Such code may not run without the lock, whatever is asked for.
        let mut ruled = rules.iter().filter_map(|rule| rule.gil.as_ref());
        if let Some(rule) = ruled.clone().find(|rule| rule.value == Gil::Python) {
            return (Gil::Python, Why::Rule(rule.at.line()));
        }
        let object = |role: &Role| matches!(role, Role::Object | Role::Rest);
        if *result == ResultPlan::Object || parameters.iter().any(|it| object(&it.role)) {
            return (Gil::Python, Why::Type);
        }
        if let Some(rule) = ruled.next_back() {
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
    pub(super) fn texts(&self, plan: &mut Plan, place: &HashMap<usize, u32>) -> Result<()> {
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
                    let message = format!("no bound function is named '{}'{hint}", rule.value);
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
            if !matches!(plan.functions[at].result.usual(), ResultPlan::Status { .. }) {
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
            if let ResultPlan::Status { text, .. } = plan.functions[at].result.usual_mut() {
                *text = found.filter(|index| *index as usize != at);
            }
        }
        Ok(())
    }
}

fn style_of(choice: StatusChoice) -> StatusStyle {
    match choice {
        StatusChoice::Tuple => StatusStyle::Tuple,
        StatusChoice::Raise | StatusChoice::Return => StatusStyle::Raise,
    }
}
