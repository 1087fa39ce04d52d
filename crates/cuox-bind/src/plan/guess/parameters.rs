//! Guesses the roles of a function's parameters.

use super::doc::{self, Said};
use super::names;
use super::{Guesser, StatusGuess};
use crate::decl::{Function, Int, Type, Value};
use crate::plan::types::{self, pointee};
use crate::plan::{CallbackLife, Output, Ownership, Role, TextOwnership, Unit, UserData, Why};
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

    /// Pointers to functions, and the user data beside them.
    fn callbacks(&mut self) {
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
    fn user_argument(&self, callback: &crate::decl::FunctionType) -> Option<usize> {
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
            Type::Int(Int::Char) if constant => {
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
                        Why::Guess("const char * is text, as a rule".to_owned()),
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

    /// A non-constant pointer as an output, or as taken and returned. Where that is not sure it is neither: C writing
    /// more than one element there would overwrite foreign memory.
    fn output(&self, at: usize, to: &Type) -> Option<Choice> {
        let header = self.guesser.header;
        let said = self.said[at].as_ref();
        let resolved = header.resolve(to);
        let one_byte = matches!(
            resolved,
            Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8)
        );
        if one_byte || types::storable(header, to).is_err() {
            return None;
        }
        // `CUarray` is one thing, though its name says array.
        let array = self
            .guesser
            .handles
            .of(header, to)
            .is_some_and(|(handle, _)| {
                let name = &self.guesser.handles.plans[handle as usize].name;
                name.to_lowercase().contains("array")
            });
        let several = said.is_some_and(|said| !array && said.is_several())
            || names::is_plural(&self.names[at]);
        let name = self.shown(at);
        if let Some(said) = said
            && !several
        {
            if said.is_in_out() && !matches!(resolved, Type::Record(_)) {
                return guessed(
                    Role::InOut,
                    format!("its comment says so: {}", said.quote()),
                );
            }
            if said.is_output()
                && !self.has_own_version(resolved)
                && !self.is_counted(at)
                && (names::is_scalar(&self.names[at]) || !self.has_counter(at))
            {
                let role = self.output_role(to)?;
                return guessed(
                    role,
                    format!("its comment says that it is returned: {}", said.quote()),
                );
            }
        }
        let place = match (at, at + 1 == self.function.parameters.len()) {
            (0, _) => Some("first"),
            (_, true) => Some("last"),
            _ => None,
        };
        if let Type::Pointer { .. } = resolved {
            return self.pointer_output(at, to, place, several);
        }
        if self.guesser.handles.of(header, to).is_some() {
            // An integer that a rule has made a handle.
            let place = place?;
            let fits = self.status.possible() && !several && !self.is_counted(at);
            let role = self.output_role(to)?;
            return fits.then(|| guessed(role, format!("a pointer to a handle in the {place} place of a function that returns a status")))?;
        }
        if !matches!(
            resolved,
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_)
        ) {
            return None;
        }
        let counted = names::is_scalar(&self.names[at]);
        // A length that the caller gives and C corrects stands beside its buffer.
        let buffer = [at.checked_sub(1), Some(at + 1)]
            .into_iter()
            .flatten()
            .any(|near| self.is_buffer(near));
        if buffer && matches!(resolved, Type::Int(_)) && names::is_count(&self.names[at]) {
            return guessed(
                Role::InOut,
                format!(
                    "{name} is a length beside memory that C may write: C is told what there is and says what it used"
                ),
            );
        }
        if several || buffer {
            return None;
        }
        let marked = names::is_out(&self.names[at]);
        let gets = names::any(&self.words, &names::GETS).is_some();
        let typedef_handle = matches!(to, Type::Typedef(id) if header.typedef(*id).name.to_lowercase().ends_with("handle"));
        let role = || self.output_role(to);
        if marked && counted {
            return guessed(role()?, "its name says that one number is returned there");
        }
        // `int *size` may be a place for two numbers; nobody stores two `size_t` there.
        let pair = names::may_be_pair(&self.names[at])
            && !matches!(resolved, Type::Int(Int::U64 | Int::I64));
        if gets && counted && !pair && place.is_some() && self.status.possible() {
            return guessed(
                role()?,
                "its name is that of one number, which the function gets",
            );
        }
        if self.status == StatusGuess::Sure
            && names::is_told(&self.names[at])
            && !self.is_counted(at)
        {
            return guessed(
                role()?,
                "its name is that of one number, in a function that returns a status",
            );
        }
        let alone = !self.has_memory_but(at) && !self.has_count();
        let sized = names::may_be_pair(&self.names[at]);
        if self.status == StatusGuess::Sure && counted && !sized && self.is_alone(at) {
            return guessed(
                role()?,
                "its name is that of one number, in a function that returns a status and has nothing that it could be the length of",
            );
        }
        let void = *header.resolve(&self.function.result) == Type::Void;
        if marked && alone && self.status.possible() && (gets || !void) {
            return guessed(
                role()?,
                "its name says that something is returned there, and nothing else says that it is more than one value",
            );
        }
        if typedef_handle
            && place == Some("first")
            && self.status.possible()
            && !self.is_counted(at)
        {
            return guessed(
                role()?,
                "a pointer to a handle in the first place of a function that returns a status",
            );
        }
        None
    }

    /// `T **`: a place for a pointer.
    fn pointer_output(
        &self,
        at: usize,
        to: &Type,
        place: Option<&str>,
        several: bool,
    ) -> Option<Choice> {
        let header = self.guesser.header;
        let marked = names::is_out(&self.names[at]);
        let counted = self.is_counted(at) || self.has_counter(at);
        if several || !self.status.possible() || (place.is_none() && !marked) {
            return None;
        }
        let place = place.map_or("place that its name marks as one".to_owned(), |place| {
            format!("{place} place")
        });
        let (inner, _) = pointee(header, to)?;
        if self.guesser.handles.of(header, to).is_some() {
            let made = self.guesser.pairs_with(self.index);
            if (counted || self.is_sized(at) && !made) && !self.makes_one() {
                return None;
            }
            let text =
                format!("a pointer to a handle in the {place} of a function that returns a status");
            return guessed(self.output_role(to)?, text);
        }
        match inner {
            Type::Void => {
                let allocates = names::any(&self.words, &names::ALLOCATES);
                match allocates {
                    Some(word) => guessed(
                        self.output_role(to)?,
                        format!(
                            "a pointer to a pointer in the {place}, and “{word}” in the function's name"
                        ),
                    ),
                    None if counted || self.is_sized(at) => None,
                    None if marked || self.gets() => guessed(
                        self.output_role(to)?,
                        format!(
                            "a pointer to a pointer in the {place} of a function that returns a status"
                        ),
                    ),
                    None => None,
                }
            }
            Type::Int(Int::Char) => {
                let message = names::any(
                    &self.names[at],
                    &["err", "error", "errmsg", "errstr", "msg", "message"],
                );
                let wanted = marked || self.gets() || message.is_some();
                let text = format!(
                    "a pointer to a char * in the {place} of a function that returns a status"
                );
                (wanted && !counted).then(|| guessed(self.output_role(to)?, text))?
            }
            // A pointer to one record, or to an array that the library owns: either way one pointer is stored.
            Type::Record(_) if (marked || self.makes_one() || self.gets()) && !counted => guessed(
                self.output_role(to)?,
                format!(
                    "a pointer to a pointer in the {place} of a function that returns a status"
                ),
            ),
            _ => None,
        }
    }

    fn gets(&self) -> bool {
        names::any(&self.words, &names::GETS).is_some()
    }

    /// The output that a place for a value of this type gives.
    fn output_role(&self, to: &Type) -> Option<Role> {
        let header = self.guesser.header;
        if let Some((handle, constant)) = self.guesser.handles.of(header, to) {
            let made = self.guesser.makes(self.index, handle);
            let owned = made.is_some() && !constant;
            return Some(Role::Output(Output::Handle {
                handle,
                ownership: if owned {
                    Ownership::Owned
                } else {
                    Ownership::Borrowed
                },
            }));
        }
        Some(Role::Output(match pointee(header, to) {
            Some((Type::Int(Int::Char), _)) => Output::Text {
                ownership: TextOwnership::Borrowed,
                length: None,
            },
            _ => Output::Value,
        }))
    }

    /// True if a record has a field that the caller has to fill in for the library to know which version it is.
    fn has_own_version(&self, ty: &Type) -> bool {
        let Type::Record(id) = ty else { return false };
        let fields = &self.guesser.header.record(*id).fields;
        fields.iter().any(|field| {
            let name = field.name.to_lowercase();
            ["version", "size", "structsize", "struct_size", "cbsize"].contains(&name.as_str())
        })
    }

    /// True if the comment says that the function makes one.
    fn makes_one(&self) -> bool {
        let doc = self.function.doc.as_deref().unwrap_or("").to_lowercase();
        let makes = [
            "creates a ",
            "creates an ",
            "create a ",
            "create an ",
            "opens a",
            "allocates a ",
            "initializes a ",
            "a new ",
        ]
        .iter()
        .any(|phrase| doc.contains(phrase));
        let several = ["array", "clique", "list of", "pre-allocated"]
            .iter()
            .any(|phrase| doc.contains(phrase));
        makes && !several
    }

    /// True if a parameter beside this one may be their number.
    fn is_counted(&self, at: usize) -> bool {
        let header = self.guesser.header;
        // `(const char *sql, int bytes, T **out)`: the number in the middle is the first one's.
        let of_another = at.checked_sub(2).is_some_and(|before| {
            pointee(header, self.ty(before)).is_some_and(|(_, constant)| constant)
        });
        let before = at.checked_sub(1).filter(|_| !of_another);
        let beside = [before, Some(at + 1)].into_iter().flatten();
        beside.filter(|near| *near < self.names.len()).any(|near| {
            let ty = self.ty(near);
            let integer = types::integer(header, ty).is_some()
                || matches!(pointee(header, ty), Some((Type::Int(_), false)) if near > at);
            integer && names::may_count(&self.names[near])
        })
    }

    /// True if a parameter beside this one may be its size in bytes, or in elements.
    fn is_sized(&self, at: usize) -> bool {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        beside.filter(|near| *near < self.names.len()).any(|near| {
            types::integer(self.guesser.header, self.ty(near)).is_some()
                && names::is_bare_size(&self.names[near])
        })
    }

    /// True if another parameter is a number that C takes and corrects, as of elements in several arrays.
    fn has_counter(&self, not: usize) -> bool {
        (0..self.names.len()).filter(|at| *at != not).any(|at| {
            let to = pointee(self.guesser.header, self.ty(at));
            matches!(to, Some((Type::Int(_), false))) && names::may_count(&self.names[at])
        })
    }

    /// True if any parameter may be a number of bytes or elements.
    fn has_size(&self) -> bool {
        self.sizes() > 0
    }

    /// The number of parameters that may be numbers of bytes or elements.
    fn sizes(&self) -> usize {
        let sizes = (0..self.names.len()).filter(|at| {
            types::integer(self.guesser.header, self.ty(*at)).is_some()
                && (names::is_count(&self.names[*at])
                    || names::may_count(&self.names[*at])
                    || names::any(&self.names[*at], &["capacity"]).is_some())
        });
        sizes.count()
    }

    /// The reason why constant characters are bytes that C packs or unpacks into memory beside them, if they are.
    fn is_source(&self, at: usize) -> Option<String> {
        names::any(&self.names[at], &names::SOURCES)?;
        let target = (0..self.names.len()).find(|other| {
            let bytes = matches!(
                pointee(self.guesser.header, self.ty(*other)),
                Some((Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8), false))
            );
            bytes && names::any(&self.names[*other], &names::TARGETS).is_some()
        })?;
        let (sizes, verb) = (self.sizes(), names::any(&self.words, &names::PACKS));
        // With one size it may be `strncpy`.
        match (sizes, verb) {
            (1.., Some(verb)) => Some(format!(
                "“{verb}” in the function's name says that it is bytes rather than text"
            )),
            (2.., None) => Some(format!(
                "it and {} beside it have sizes, so it is bytes rather than text",
                self.shown(target)
            )),
            _ => None,
        }
    }

    /// True if any parameter may be a number of elements.
    fn has_count(&self) -> bool {
        (0..self.names.len()).any(|at| {
            types::integer(self.guesser.header, self.ty(at)).is_some()
                && names::may_count(&self.names[at])
        })
    }

    /// True if another parameter may be an array.
    fn has_memory_but(&self, not: usize) -> bool {
        (0..self.names.len()).filter(|at| *at != not).any(|at| {
            let pointed = pointee(self.guesser.header, self.ty(at));
            matches!(
                pointed,
                Some((
                    Type::Void
                        | Type::Bool
                        | Type::Int(_)
                        | Type::Float(_)
                        | Type::Complex(_)
                        | Type::Array { .. },
                    _
                ))
            ) && !matches!(
                self.choices[at],
                Some((Role::Fixed(_) | Role::Text { .. } | Role::Output(_), _))
            ) && !matches!(pointed, Some((Type::Int(Int::Char), true)))
        })
    }

    /// True if all other parameters are single things that C only reads: handles, numbers, texts, constant records.
    fn is_alone(&self, at: usize) -> bool {
        let header = self.guesser.header;
        !self.has_count()
            && (0..self.names.len())
                .filter(|other| *other != at)
                .all(|other| {
                    let ty = self.ty(other);
                    self.guesser.handles.of(header, ty).is_some()
                        || match pointee(header, ty) {
                            None | Some((Type::Int(Int::Char) | Type::Record(_), true)) => true,
                            Some(_) => matches!(self.choices[other], Some((Role::Fixed(_), _))),
                        }
                })
    }

    /// True if it is memory of which there may be more than one element, which C may write.
    fn is_buffer(&self, at: usize) -> bool {
        if at >= self.names.len()
            || self
                .guesser
                .handles
                .of(self.guesser.header, self.ty(at))
                .is_some()
        {
            return false;
        }
        let Some((to, constant)) = pointee(self.guesser.header, self.ty(at)) else {
            return false;
        };
        let bytes = matches!(to, Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8));
        let plural = names::is_plural(&self.names[at])
            || names::any(&self.names[at], &names::BINARY).is_some();
        !constant && (bytes || plural)
    }

    /// `(char *buf, size_t size)` of which the comment says that C writes it.
    fn buffers(&mut self) {
        for at in 0..self.names.len() {
            let free = matches!(
                self.choices[at],
                Some((Role::Memory { .. } | Role::Input { .. }, Why::Type))
            );
            let header = self.guesser.header;
            let bytes = matches!(
                pointee(header, self.ty(at)),
                Some((Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8), false))
            );
            let Some(said) = self.said[at]
                .as_ref()
                .filter(|said| free && bytes && said.is_output())
            else {
                continue;
            };
            let length = [Some(at + 1), at.checked_sub(1)]
                .into_iter()
                .flatten()
                .find(|near| {
                    self.is_free(*near)
                        && types::integer(header, self.ty(*near)).is_some()
                        && (names::is_count(&self.names[*near])
                            || names::any(&self.names[*near], &["max", "size", "len"]).is_some())
                });
            let Some(length) = length else { continue };
            let text = format!(
                "its comment says that it is returned: {}; {} beside it says how much room there is",
                said.quote(),
                self.shown(length)
            );
            let role = Role::Output(Output::Buffer {
                length: length as u32,
                unit: Unit::Bytes,
            });
            self.choices[length] = guessed(
                Role::Input { nullable: false },
                format!("how much room {} gets", self.shown(at)),
            );
            self.choices[at] = guessed(role, text);
        }
    }

    /// `(const T *data, size_t size)`.
    fn lengths(&mut self) {
        let memory = |choice: &Option<Choice>| {
            matches!(
                choice,
                Some((
                    Role::Memory { .. } | Role::Text { .. } | Role::Input { .. },
                    _
                ))
            )
        };
        let count = self.names.len();
        for at in 0..count {
            let header = self.guesser.header;
            // In CUDA a `void *` is often an address of memory whose length Python cannot know.
            if self.guesser.is_cuda()
                && matches!(pointee(header, self.ty(at)), Some((Type::Void, _)))
            {
                continue;
            }
            let next = at + 1;
            let reads = matches!(
                self.choices[at],
                Some((
                    Role::Memory {
                        writable: false,
                        ..
                    } | Role::Text { .. },
                    _
                ))
            );
            if !reads || !self.is_free(next) || types::integer(header, self.ty(next)).is_none() {
                continue;
            }
            let Some((to, _)) = pointee(header, self.ty(at)) else {
                continue;
            };
            let name = &self.names[next];
            let unit = match to {
                Type::Void => Unit::Bytes,
                _ => Unit::Elements,
            };
            let bytes = matches!(to, Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8));
            let unit = match names::bytes(name) {
                true if !bytes => Unit::Bytes,
                _ => unit,
            };
            let related = names::length_of(name, &self.names[at]);
            // Behind `void *`, a number of elements is not known to be one of bytes.
            let in_bytes = *to != Type::Void || names::is_size(name);
            let text = if related && in_bytes {
                format!("its name says that it is the length of {}", self.shown(at))
            } else {
                // A general name means this memory only if there is no other that it could mean, and no second number.
                let other = (0..count).any(|other| {
                    other != at
                        && memory(&self.choices[other])
                        && matches!(pointee(header, self.ty(other)), Some((Type::Void | Type::Bool | Type::Int(_) | Type::Float(_) | Type::Complex(_), _)))
                        && !matches!(pointee(header, self.ty(other)), Some((Type::Int(Int::Char), true)) if bytes && *to == Type::Void)
                });
                let second = (next + 1..count).any(|other| {
                    types::integer(header, self.ty(other)).is_some()
                        && names::may_count(&self.names[other])
                });
                let general = names::is_general(name);
                let text = matches!(self.choices[at], Some((Role::Text { .. }, _)));
                let sure = general
                    && match to {
                        Type::Void => names::is_size(name),
                        _ if text => names::is_text_length(name),
                        _ if bytes => names::is_size(name) || names::is_number(name),
                        _ => names::is_length(name),
                    };
                if other || second || !sure {
                    continue;
                }
                format!(
                    "its name is that of a length, and it stands behind {}",
                    self.shown(at)
                )
            };
            let of = at as u32;
            self.choices[next] = guessed(Role::Length { of, unit }, text);
        }
    }
}
