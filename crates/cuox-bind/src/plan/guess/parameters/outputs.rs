//! Parameters where C stores what it gives: values, handles and texts that are returned.

use super::{Choice, Draft, guessed};
use crate::decl::{Int, Type};
use crate::plan::guess::{StatusGuess, names};
use crate::plan::types::{self, pointee};
use crate::plan::{Output, Ownership, Role, TextOwnership};

impl Draft<'_> {
    /// A non-constant pointer as an output, or as taken and returned. Where that is not sure it is neither: C writing
    /// more than one element there would overwrite foreign memory.
    pub(super) fn output(&self, at: usize, to: &Type) -> Option<Choice> {
        let header = self.guesser.header;
        let said = self.said[at].as_ref();
        let resolved = header.resolve(to);
        let one_byte = matches!(
            resolved,
            Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8)
        );
        let one = self.function.parameters[at].may_be_one();
        if one_byte || !one || types::storable(header, to).is_err() {
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
}
