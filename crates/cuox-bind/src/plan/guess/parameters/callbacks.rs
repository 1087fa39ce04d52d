//! Pointers to functions, and the user data beside them.

use super::{Draft, guessed};
use crate::decl::{FunctionType, Type, Value};
use crate::plan::guess::names;
use crate::plan::types::{self, pointee};
use crate::plan::{CallbackLife, Role, UserData};
use crate::words::words;

impl Draft<'_> {
    /// Pointers to functions, and the user data beside them.
    pub(super) fn callbacks(&mut self) {
        for at in 0..self.function.parameters.len() {
            let Some(callback) = types::callback(self.guesser.header, self.ty(at)) else {
                continue;
            };
            if !self.is_free(at) {
                continue;
            }
            if let Some(text) = types::not_callable(self.guesser.header, callback) {
                let role = Role::Input {
                    nullable: self.nullable(at),
                };
                self.choices[at] = guessed(
                    role,
                    format!("no Python callable can be called as this: {text}"),
                );
                continue;
            }
            let argument = self.user_argument(callback);
            let beside = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
            let parameter = argument.and_then(|_| {
                let mut beside =
                    beside.filter(|near| self.is_free(*near) && self.is_user_data(*near));
                beside.next()
            });
            let user_data = match (parameter, argument) {
                (Some(parameter), Some(argument)) => Some(UserData {
                    parameter: parameter as u32,
                    argument: argument as u32,
                }),
                _ => None,
            };
            let during = names::any(&self.words, &names::CALLS_AT_ONCE);
            let life = if during.is_some() {
                CallbackLife::Call
            } else {
                CallbackLife::Kept
            };
            let mut text = match during {
                Some(word) => format!(
                    "a pointer to a function, called during the call only, as “{word}” in the name says"
                ),
                None => "a pointer to a function, which C may keep".to_owned(),
            };
            if let Some(parameter) = parameter {
                let name = self.shown(parameter);
                text.push_str(&format!("; {name} beside it is handed to it"));
                self.choices[parameter] = guessed(
                    Role::Fixed(Value::Null),
                    format!(
                        "it is only handed to {}, which needs no user data in Python",
                        self.shown(at)
                    ),
                );
            }
            let role = Role::Callback {
                nullable: self.nullable(at),
                user_data,
                life,
            };
            self.choices[at] = guessed(role, text);
        }
    }

    /// The parameter of a callback that is its user data.
    fn user_argument(&self, callback: &FunctionType) -> Option<usize> {
        let parameters = &callback.parameters;
        let untyped = |at: &usize| {
            let pointed = pointee(self.guesser.header, &parameters[*at].1);
            matches!(pointed, Some((Type::Void, false)))
        };
        let candidates: Vec<usize> = (0..parameters.len()).filter(untyped).collect();
        let named = candidates
            .iter()
            .find(|at| names::is_user_data(&words(&parameters[**at].0)));
        match (named, &candidates[..]) {
            (Some(at), _) => Some(*at),
            (None, [at]) => Some(*at),
            // Several without names: the first or the last place is the custom, if only one of them is a `void *`.
            (None, _) => None,
        }
    }

    fn is_user_data(&self, at: usize) -> bool {
        let is_pointer = matches!(
            pointee(self.guesser.header, self.ty(at)),
            Some((Type::Void, _))
        );
        is_pointer && (self.names[at].is_empty() || names::is_user_data(&self.names[at]))
    }
}
