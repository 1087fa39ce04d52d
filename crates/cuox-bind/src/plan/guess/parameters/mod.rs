//! Guesses the roles of a function's parameters: what a single pointer or handle is, here; what is said by several
//! parameters together, in the other files.

mod callbacks;
mod memory;
mod outputs;

pub(crate) use self::callbacks::user_argument;
use super::doc::{self, Said};
use super::names;
use super::{Guesser, StatusGuess};
use crate::decl::{Function, Int, Type};
use crate::plan::types::{named_characters, pointee};
use crate::plan::{HandlePlan, Role, Why};
use crate::words::words;

/// A role and why.
pub(crate) type Choice = (Role, Why);

/// A function whose parameters are being guessed.
struct Draft<'a> {
    guesser: &'a Guesser<'a>,
    index: usize,
    function: &'a Function,
    /// The function's words.
    words: Vec<String>,
    said: Vec<Option<Said>>,
    /// The words of the parameters' names.
    names: Vec<Vec<String>>,
    choices: Vec<Option<Choice>>,
    /// True if the result can be a status, so that outputs are to be expected.
    status: StatusGuess,
}

/// Guesses the roles of all parameters; those that rules gave are in `choices` already.
pub(crate) fn guess(
    guesser: &Guesser<'_>,
    index: usize,
    choices: Vec<Option<Choice>>,
) -> Vec<Choice> {
    let function = &guesser.header.functions[index];
    let text = function.doc.as_deref().unwrap_or("");
    let parameters = &function.parameters;
    let mut draft = Draft {
        guesser,
        index,
        function,
        words: words(&function.name),
        said: parameters
            .iter()
            .map(|it| doc::parameter(text, &it.name))
            .collect(),
        names: parameters.iter().map(|it| words(&it.name)).collect(),
        choices,
        status: guesser.statuses(function),
    };
    draft.callbacks();
    for at in 0..parameters.len() {
        if draft.choices[at].is_none() {
            draft.choices[at] = draft.pointer(at);
        }
    }
    draft.buffers();
    draft.lengths();
    let filled = draft.choices.into_iter();
    filled
        .map(|choice| choice.unwrap_or((Role::Input { nullable: false }, Why::Type)))
        .collect()
}

fn guessed(role: Role, text: impl Into<String>) -> Option<Choice> {
    Some((role, Why::Guess(text.into())))
}

impl Draft<'_> {
    fn ty(&self, at: usize) -> &Type {
        &self.function.parameters[at].ty
    }

    fn nullable(&self, at: usize) -> bool {
        !self.function.parameters[at].nonnull
    }

    /// A parameter's name in explanations.
    fn shown(&self, at: usize) -> String {
        match self.function.parameters[at].name.as_str() {
            "" => format!("argument {at}"),
            name => name.to_owned(),
        }
    }

    fn is_free(&self, at: usize) -> bool {
        self.choices.get(at).is_some_and(Option::is_none)
    }

    /// A parameter that is a pointer or a handle, by itself.
    fn pointer(&self, at: usize) -> Option<Choice> {
        let header = self.guesser.header;
        let ty = self.ty(at);
        let nullable = self.nullable(at);
        if let Some((handle, _)) = self.guesser.handles.of(header, ty) {
            return self.handle(at, handle);
        }
        let (to, constant) = pointee(header, ty)?;
        if let Some(handle) = self.guesser.handles.pointed(header, ty)
            && (self.guesser.pairs.enders.get(&self.index) == Some(&at)
                || names::any(&self.words, &names::ENDS_ALL).is_some()
                    && names::any(&self.words, &names::ADDS).is_none()
                    && !self.said[at].as_ref().is_some_and(Said::is_output))
        {
            let role = Role::Handle {
                handle,
                nullable: at > 0 && self.nullable(at),
                consumed: true,
                by_address: true,
            };
            return guessed(
                role,
                format!("{} ends it, and sets it to null", self.function.name),
            );
        }
        if !constant
            && let Type::Pointer { to, .. } = header.resolve(ty)
            && let Some(choice) = self.output(at, to)
        {
            return Some(choice);
        }
        Some(match to {
            Type::Int(Int::Char | Int::U8)
                if constant && (*to == Type::Int(Int::Char) || named_characters(header, ty)) =>
            {
                let binary = names::any(&self.names[at], &names::BINARY)
                    .filter(|_| names::any(&self.names[at], &names::TEXTS).is_none());
                // Bytes without a number beside them end with a NUL, as text does.
                let bytes = match binary {
                    Some(word) => self.has_size().then(|| {
                        format!("“{word}” in its name says that it is bytes rather than text")
                    }),
                    None => self.is_source(at),
                };
                match bytes {
                    Some(why) => (
                        Role::Memory {
                            nullable,
                            writable: false,
                        },
                        Why::Guess(why),
                    ),
                    None => (
                        Role::Text { nullable },
                        Why::Guess(match to {
                            Type::Int(Int::Char) => "const char * is text, as a rule".to_owned(),
                            _ => format!(
                                "{} says that it is characters",
                                header.c_type(ty).trim_end_matches([' ', '*'])
                            ),
                        }),
                    ),
                }
            }
            Type::Void if !constant => (Role::Input { nullable }, Why::Type),
            Type::Void | Type::Bool | Type::Int(_) | Type::Float(_) | Type::Complex(_) => (
                Role::Memory {
                    nullable,
                    writable: !constant,
                },
                Why::Type,
            ),
            _ => (Role::Input { nullable }, Why::Type),
        })
    }

    /// True if the result is a handle.
    fn gives_handle(&self) -> bool {
        let header = self.guesser.header;
        self.guesser
            .handles
            .of(header, &self.function.result)
            .is_some()
    }

    /// True if the function makes something else, and the handle's name says that it is only about how.
    fn is_setting(&self, plan: &HandlePlan) -> bool {
        let makes = names::any(&self.words, &names::ADDS).is_some() && self.gives_handle();
        let of = words(&plan.name);
        // What makes settings of settings works on them.
        let setting = names::any(&of, &names::SETTINGS);
        makes && setting.is_some_and(|word| !self.words.contains(word))
    }

    fn handle(&self, at: usize, handle: u32) -> Option<Choice> {
        let plan = &self.guesser.handles.plans[handle as usize];
        let consumed = self.guesser.pairs.enders.get(&self.index) == Some(&at);
        let said_null = self.said[at].as_ref().is_some_and(Said::may_be_null);
        let stream = self.guesser.is_cuda()
            && words(&plan.name)
                .iter()
                .any(|word| word.ends_with("stream"));
        let first = (0..at).all(|before| {
            let ty = &self.function.parameters[before].ty;
            self.guesser.handles.of(self.guesser.header, ty).is_none()
        });
        let (nullable, text) = if consumed {
            (false, format!("{} ends it", self.function.name))
        } else if !self.nullable(at) {
            (false, "the header says that it is never null".to_owned())
        } else if said_null {
            (true, "its comment says that it may be null".to_owned())
        } else if stream {
            (true, "a null stream is the default stream".to_owned())
        } else if first && at > 0 && at + 1 == self.names.len() && self.gives_handle() {
            let text =
                "what is made is the result, and this handle behind all else may be left out";
            (true, text.to_owned())
        } else if first && self.is_setting(plan) {
            let text = format!(
                "a {} says how to make something else: without, C does it in its own way",
                plan.name
            );
            (true, text)
        } else if first {
            (
                false,
                "the first handle is what the function works on, so it is not null".to_owned(),
            )
        } else {
            (
                true,
                "a handle behind the first may be left out in many libraries".to_owned(),
            )
        };
        guessed(
            Role::Handle {
                handle,
                nullable,
                consumed,
                by_address: false,
            },
            text,
        )
    }
}
