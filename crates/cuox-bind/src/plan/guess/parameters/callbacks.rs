//! Pointers to functions, and the user data beside them.

use super::{Draft, guessed};
use crate::decl::{FunctionType, Header, Type, Value};
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
            let beside = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
            let mut handed = beside.filter_map(|near| {
                let argument = self
                    .is_free(near)
                    .then(|| self.handed_to(near, callback))??;
                Some((near, argument))
            });
            let handed = handed.next();
            let parameter = handed.map(|(parameter, _)| parameter);
            let user_data = handed.map(|(parameter, argument)| UserData {
                parameter: parameter as u32,
                argument: argument as u32,
            });
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

    /// The parameter of a callback that a `void *` of the function is handed to, if that is user data.
    fn handed_to(&self, at: usize, callback: &FunctionType) -> Option<usize> {
        let pointed = pointee(self.guesser.header, self.ty(at));
        if !matches!(pointed, Some((Type::Void, _))) {
            return None;
        }
        let name = &self.names[at];
        let argument = user_argument(self.guesser.header, callback, name)?;
        let same = || words(&callback.parameters[argument].0) == *name;
        (name.is_empty() || names::is_user_data(name) || same()).then_some(argument)
    }
}

/// The parameter of a callback that is its user data, which a parameter with a name of these words is handed to: the
/// one that is named so, else the last `void *`.
pub(crate) fn user_argument(
    header: &Header,
    callback: &FunctionType,
    handed: &[String],
) -> Option<usize> {
    let untyped: Vec<(usize, Vec<String>)> = (callback.parameters.iter().enumerate())
        .filter(|(_, (_, ty))| matches!(pointee(header, ty), Some((Type::Void, false))))
        .map(|(at, (name, _))| (at, words(name)))
        .collect();
    let last = |is: &dyn Fn(&[String]) -> bool| {
        let named = untyped.iter().rev().find(|(_, name)| is(name));
        named.map(|(at, _)| *at)
    };
    last(&names::is_surely_user_data)
        .or_else(|| last(&|name| !name.is_empty() && name == handed))
        .or_else(|| last(&names::is_user_data))
        .or_else(|| last(&|_| true))
}
