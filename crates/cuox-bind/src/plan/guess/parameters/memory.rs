//! Arrays and memory: what counts their elements, and which number is the length of which.

use super::{Choice, Draft, guessed};
use crate::decl::{Int, Type};
use crate::plan::guess::names;
use crate::plan::types::{self, pointee};
use crate::plan::{Output, Role, Unit, Why};

impl Draft<'_> {
    /// True if a parameter beside this one may be their number.
    pub(super) fn is_counted(&self, at: usize) -> bool {
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
    pub(super) fn is_sized(&self, at: usize) -> bool {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        beside.filter(|near| *near < self.names.len()).any(|near| {
            types::integer(self.guesser.header, self.ty(near)).is_some()
                && names::is_bare_size(&self.names[near])
        })
    }

    /// True if another parameter is a number that C takes and corrects, as of elements in several arrays.
    pub(super) fn has_counter(&self, not: usize) -> bool {
        (0..self.names.len()).filter(|at| *at != not).any(|at| {
            let to = pointee(self.guesser.header, self.ty(at));
            matches!(to, Some((Type::Int(_), false))) && names::may_count(&self.names[at])
        })
    }

    /// True if any parameter may be a number of bytes or elements.
    pub(super) fn has_size(&self) -> bool {
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
    pub(super) fn is_source(&self, at: usize) -> Option<String> {
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
    pub(super) fn has_count(&self) -> bool {
        (0..self.names.len()).any(|at| {
            types::integer(self.guesser.header, self.ty(at)).is_some()
                && names::may_count(&self.names[at])
        })
    }

    /// True if another parameter may be an array.
    pub(super) fn has_memory_but(&self, not: usize) -> bool {
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

    /// True if it is memory of which there may be more than one element, which C may write.
    pub(super) fn is_buffer(&self, at: usize) -> bool {
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
    pub(super) fn buffers(&mut self) {
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
    pub(super) fn lengths(&mut self) {
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
