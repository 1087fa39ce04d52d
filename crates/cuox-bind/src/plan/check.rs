//! Checks that a plan can be carried out. A plan that passes is safe to make calls from: a wrong plan is an error, and
//! never a call that reads or writes memory that it may not.

use std::collections::HashSet;

use super::Gil;
use super::types::{self, callback, fits, integer, passable, pointee};
use super::{
    Extent, Failure, FunctionPlan, HandleOf, Output, Ownership, Plan, PlanError, ResultPlan, Role,
    StatusStyle, TextOwnership, Unit, Why,
};
use crate::decl::{Function, Header, Type, Value};

impl Plan {
    /// Checks the plan against the header that it is for. [`make`](super::make()) has done that already; a plan that
    /// was read from a file needs it.
    pub fn check(&self, header: &Header) -> Result<(), PlanError> {
        let whole = |message: String| PlanError {
            function: None,
            parameter: None,
            place: None,
            message,
        };
        for handle in &self.handles {
            let known = match handle.of {
                HandleOf::Pointer(id) => (id.0 as usize) < header.records.len(),
                HandleOf::Typedef(id) | HandleOf::PointerTo(id) => {
                    (id.0 as usize) < header.typedefs.len()
                }
            };
            if !known {
                return Err(whole(format!(
                    "the handle {} is of no type of the header",
                    handle.name
                )));
            }
        }
        let mut names = HashSet::new();
        for function in &self.functions {
            Checker {
                plan: self,
                header,
                function,
            }
            .all()?;
            if !names.insert(function.name.as_str()) {
                return Err(PlanError {
                    function: Some(function.name.clone()),
                    parameter: None,
                    place: None,
                    message: "two functions would have this name in Python".to_owned(),
                });
            }
        }
        for (index, handle) in self.handles.iter().enumerate() {
            let Some(destroy) = handle.destroy else {
                continue;
            };
            let place = handle.destroy_why.as_ref().and_then(Why::place);
            let ends = self.functions.get(destroy as usize);
            let takes = ends.is_some_and(|function| match &function.parameters[..] {
                [only] => {
                    matches!(only.role, Role::Handle { handle, .. } if handle as usize == index)
                }
                _ => false,
            });
            if !takes {
                let name = ends.map_or("?", |function| &function.name);
                return Err(PlanError {
                    function: Some(name.to_owned()),
                    parameter: None,
                    place,
                    message: format!(
                        "it cannot end a {}: it must take one and nothing else",
                        handle.name
                    ),
                });
            }
        }
        for (id, name) in &self.records {
            match header.records.get(id.0 as usize) {
                Some(record) if record.size.is_some() => {}
                _ => return Err(whole(format!("the record {name} has no size"))),
            }
        }
        if let Some((_, name)) = self
            .enums
            .iter()
            .find(|(id, _)| id.0 as usize >= header.enums.len())
        {
            return Err(whole(format!(
                "the enumeration {name} is not in the header"
            )));
        }
        let variables = header.variables.len();
        match self
            .variables
            .iter()
            .find(|(index, _)| *index as usize >= variables)
        {
            Some((_, name)) => Err(whole(format!("the variable {name} is not in the header"))),
            None => Ok(()),
        }
    }
}

struct Checker<'a> {
    plan: &'a Plan,
    header: &'a Header,
    function: &'a FunctionPlan,
}

type Fault = Result<(), String>;

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Fault {
    if holds { Ok(()) } else { Err(message()) }
}

impl Checker<'_> {
    fn all(&self) -> Result<(), PlanError> {
        let error = |parameter: Option<&str>, why: &Why, message: String| PlanError {
            function: Some(self.function.name.clone()),
            parameter: parameter.map(str::to_owned),
            place: why.place(),
            message,
        };
        let none = &Why::Type;
        let Some(declared) = self.header.functions.get(self.function.function as usize) else {
            return Err(error(
                None,
                none,
                "the header has no such function".to_owned(),
            ));
        };
        if declared.parameters.len() != self.function.parameters.len() {
            let message = "the plan has another number of parameters than the header".to_owned();
            return Err(error(None, none, message));
        }
        if self.function.variadic && !declared.variadic {
            let message = "the plan takes further arguments, which C does not".to_owned();
            return Err(error(None, none, message));
        }
        let mut names = HashSet::new();
        for (at, (plan, parameter)) in self
            .function
            .parameters
            .iter()
            .zip(&declared.parameters)
            .enumerate()
        {
            let fail = |message| error(Some(&plan.name), &plan.why, message);
            self.role(at, &plan.role, &parameter.ty).map_err(fail)?;
            if let Some(extent) = &plan.extent {
                self.extent(&plan.role, extent, &parameter.ty)
                    .map_err(|message| error(Some(&plan.name), &extent.why, message))?;
            }
            if !names.insert(plan.name.as_str()) {
                return Err(fail("two parameters have this name".to_owned()));
            }
            if let Some(default) = &plan.default {
                let taken = plan.role.is_taken();
                ensure(taken, || {
                    "it is not taken from the caller, so it needs no default".to_owned()
                })
                .map_err(fail)?;
                let free = matches!(plan.role, Role::Text { .. } if matches!(default, Value::Text(_)))
                    || plan.role == Role::Object;
                if !free {
                    fits(self.header, default, &parameter.ty)
                        .map_err(|message| fail(format!("as a default, {message}")))?;
                }
            }
        }
        self.result(&self.function.result, &declared.result)
            .map_err(|message| error(None, &self.function.result_why, message))
    }

    fn declared(&self) -> &Function {
        &self.header.functions[self.function.function as usize]
    }

    fn c(&self, ty: &Type) -> String {
        self.header.c_type(ty)
    }

    /// A handle type and a C type that hold the same.
    fn handle(&self, handle: u32, ty: &Type) -> Fault {
        let Some(plan) = self.plan.handles.get(handle as usize) else {
            return Err("its handle type is not in the plan".to_owned());
        };
        let wanted = match plan.of {
            HandleOf::Pointer(_) | HandleOf::PointerTo(_) => None,
            HandleOf::Typedef(id) => integer(self.header, &self.header.typedef(id).ty),
        };
        let same = match (self.header.resolve(ty), wanted) {
            (Type::Pointer { to, .. }, None) => {
                !matches!(self.header.resolve(to), Type::Function(_))
            }
            (_, Some(wanted)) => integer(self.header, ty) == Some(wanted),
            _ => false,
        };
        ensure(same, || {
            format!("{} cannot hold a {}", self.c(ty), plan.name)
        })
    }

    fn role(&self, at: usize, role: &Role, ty: &Type) -> Fault {
        let header = self.header;
        let pointed = pointee(header, ty);
        let to_data = pointed.is_some_and(|(to, _)| !matches!(to, Type::Function(_)));
        let not_pointer =
            |what: &str| format!("{what} needs a pointer, and this is {}", self.c(ty));
        // Parameters that C fills in.
        let written = |what: &str| match header.resolve(ty) {
            Type::Pointer {
                to,
                constant: false,
            } => Ok(&**to),
            Type::Pointer { .. } => Err(format!(
                "{what} is written by C, and {} is constant",
                self.c(ty)
            )),
            _ => Err(not_pointer(what)),
        };
        match role {
            Role::Input { .. } => passable(header, ty),
            Role::Text { .. } => ensure(
                pointed.is_some_and(|(to, _)| types::is_character(to)),
                || format!("text needs a pointer to char, and this is {}", self.c(ty)),
            ),
            Role::Memory { writable, .. } => {
                ensure(to_data, || not_pointer("memory"))?;
                let constant = pointed.is_some_and(|(_, constant)| constant);
                // Taking read-only memory where C may write would let it change constants; the other way is only
                // needlessly strict.
                ensure(
                    *writable || constant || self.function.parameters[at].why.place().is_some(),
                    || format!("C may write through {}", self.c(ty)),
                )
            }
            Role::Handle {
                handle,
                by_address: false,
                ..
            } => self.handle(*handle, ty),
            Role::Handle {
                handle,
                by_address: true,
                ..
            } => self.handle(*handle, written("a handle by address")?),
            Role::Callback { user_data, .. } => {
                let Some(function) = callback(header, ty) else {
                    return Err(format!(
                        "a callback needs a pointer to a function, and this is {}",
                        self.c(ty)
                    ));
                };
                if let Some(text) = types::not_callable(header, function) {
                    return Err(format!("it cannot be called as a callback: {text}"));
                }
                let Some(data) = user_data else { return Ok(()) };
                let parameter = self.function.parameters.get(data.parameter as usize);
                let fixed = parameter.is_some_and(|it| it.role == Role::Fixed(Value::Null));
                ensure(fixed && data.parameter as usize != at, || {
                    "its user data is not a parameter of the function that is free for it"
                        .to_owned()
                })?;
                let argument = function.parameters.get(data.argument as usize);
                let pointer = argument.and_then(|(_, ty)| pointee(header, ty));
                ensure(pointer.is_some(), || {
                    "the callback takes no pointer that could be its user data".to_owned()
                })
            }
            Role::Output(output) => self.output(at, output, written("an output")?, ty),
            Role::InOut => {
                let to = written("a parameter that is taken and returned")?;
                passable(header, to)?;
                ensure(!matches!(header.resolve(to), Type::Record(_)), || {
                    format!("{} is a record, which can be passed itself", self.c(to))
                })
            }
            Role::Pointed => {
                let Some((to, _)) = pointed else {
                    return Err(not_pointer("a value whose address C gets"));
                };
                passable(header, to)?;
                ensure(!matches!(header.resolve(to), Type::Record(_)), || {
                    format!("{} is a record, which can be passed itself", self.c(to))
                })
            }
            Role::Edited { .. } => ensure(
                pointed.is_some_and(|(to, _)| types::is_character(to)),
                || format!("text needs a pointer to char, and this is {}", self.c(ty)),
            ),
            Role::Counter => {
                let to = written("a length that C writes")?;
                ensure(
                    matches!(header.resolve(to), Type::Int(int) if int.size() <= 8),
                    || format!("a length needs an integer, and this is {}", self.c(to)),
                )
            }
            Role::Texts { .. } => {
                let text = pointed
                    .and_then(|(to, _)| pointee(header, to))
                    .is_some_and(|(to, _)| types::is_character(to) && *to != Type::Void);
                ensure(text, || {
                    format!("texts need a pointer to char *, and this is {}", self.c(ty))
                })
            }
            Role::Object | Role::Rest => self.object(ty),
            Role::Length { of, unit } => self.length(at, *of, *unit, ty),
            Role::Fixed(value) => fits(header, value, ty),
        }
    }

    /// Checks that other parameters can tell C how much memory is behind one.
    fn extent(&self, role: &Role, extent: &Extent, ty: &Type) -> Fault {
        let header = self.header;
        let to = pointee(header, ty).map(|(to, _)| to);
        let memory = matches!(role, Role::Input { .. } | Role::Memory { .. })
            && to.is_some_and(|to| !matches!(to, Type::Function(_)));
        ensure(memory, || {
            "only memory that the caller gives has an extent".to_owned()
        })?;
        let sized = to.is_some_and(|to| *to == Type::Void || passable(header, to).is_ok());
        ensure(extent.unit == Unit::Bytes || sized, || {
            "it has no elements that could be counted; its extent is in bytes".to_owned()
        })?;
        let declared = &self.declared().parameters;
        let rows = extent.rows.map(|rows| [rows.count, rows.pitch]);
        let named = extent.of.into_iter().chain(rows.into_iter().flatten());
        for index in named {
            let role = self.function.parameters.get(index as usize);
            let number = role
                .zip(declared.get(index as usize))
                .is_some_and(|(plan, said)| {
                    let ty = match plan.role {
                        Role::InOut | Role::Pointed => pointee(header, &said.ty).map(|(to, _)| to),
                        Role::Input { .. } | Role::Fixed(_) | Role::Length { .. } => {
                            Some(header.resolve(&said.ty))
                        }
                        _ => None,
                    };
                    ty.is_some_and(|ty| matches!(ty, Type::Int(int) if int.size() <= 8))
                });
            ensure(number, || {
                let name = role.map_or("?", |plan| plan.name.as_str());
                format!(
                    "'{name}' is not an integer that the caller gives or a length, so it cannot count memory"
                )
            })?;
        }
        Ok(())
    }

    fn length(&self, at: usize, of: u32, unit: Unit, ty: &Type) -> Fault {
        let header = self.header;
        ensure(matches!(header.resolve(ty), Type::Int(_)), || {
            format!("a length needs an integer, and this is {}", self.c(ty))
        })?;
        let other = self.function.parameters.get(of as usize);
        let Some(other) = other.filter(|_| of as usize != at) else {
            return Err("it is the length of no parameter".to_owned());
        };
        let input_memory = matches!(other.role, Role::Input { .. })
            && pointee(
                header,
                &header.functions[self.function.function as usize].parameters[of as usize].ty,
            )
            .is_some_and(|(to, _)| !matches!(to, Type::Function(_)));
        let memory = matches!(
            other.role,
            Role::Memory { .. } | Role::Text { .. } | Role::Texts { .. } | Role::Edited { .. }
        ) || input_memory;
        ensure(memory, || {
            format!(
                "it is the length of '{}', which is neither memory nor text",
                other.name
            )
        })?;
        let declared = &header.functions[self.function.function as usize].parameters[of as usize];
        let sized = pointee(header, &declared.ty).is_some_and(|(to, _)| {
            *to != Type::Void
                && (passable(header, to).is_ok()
                    || matches!(to, Type::Complex(_) | Type::Array { .. }))
        });
        ensure(unit == Unit::Bytes || sized, || {
            format!(
                "'{}' has no elements that could be counted; its length is in bytes",
                other.name
            )
        })
    }

    fn output(&self, at: usize, output: &Output, to: &Type, ty: &Type) -> Fault {
        let header = self.header;
        let one = matches!(
            output,
            Output::Value | Output::Handle { .. } | Output::Text { .. }
        );
        ensure(!one || self.declared().parameters[at].may_be_one(), || {
            "it is an array of several values, and an output is one: let Python pass memory"
                .to_owned()
        })?;
        match output {
            Output::Value => passable(header, to).map_err(|message| {
                format!(
                    "there is no place for an output behind {}: {message}",
                    self.c(ty)
                )
            }),
            Output::Handle { handle, .. } => self.handle(*handle, to),
            Output::Text { ownership, length } => {
                let counted = length.is_none_or(|length| {
                    self.function
                        .parameters
                        .get(length as usize)
                        .is_some_and(|it| it.role == Role::Counter)
                });
                ensure(counted, || {
                    "its length is written by no parameter".to_owned()
                })?;
                let text = pointee(header, to).is_some_and(|(to, _)| types::is_character(to));
                ensure(text, || {
                    format!("{} is not a place for a char *", self.c(ty))
                })?;
                self.freed(*ownership)
            }
            Output::Buffer { length, unit } => {
                let declared = &header.functions[self.function.function as usize].parameters;
                let index = *length as usize;
                let Some(other) = self.function.parameters.get(index).filter(|_| index != at)
                else {
                    return Err("its length is not a parameter".to_owned());
                };
                let counts = match other.role {
                    Role::Input { .. } => Some(header.resolve(&declared[index].ty)),
                    // C changes it to what it has written.
                    Role::InOut | Role::Pointed => {
                        pointee(header, &declared[index].ty).map(|(to, _)| header.resolve(to))
                    }
                    _ => None,
                };
                let number = matches!(counts, Some(Type::Int(_)));
                ensure(number, || {
                    format!(
                        "'{}' is not an integer that the caller gives, so it cannot be a buffer's length",
                        other.name
                    )
                })?;
                let sized = matches!(
                    header.resolve(to),
                    Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::Record(_)
                ) && passable(header, to).is_ok();
                let untyped = *unit == Unit::Bytes && *header.resolve(to) == Type::Void;
                ensure(sized || untyped, || {
                    format!("there can be no buffer of {}", self.c(to))
                })
            }
            Output::Room { .. } => Ok(()),
        }
    }

    fn freed(&self, ownership: TextOwnership) -> Fault {
        let TextOwnership::Owned(Some(free)) = ownership else {
            return Ok(());
        };
        let function = self.plan.functions.get(free as usize);
        let declared = function.and_then(|it| self.header.functions.get(it.function as usize));
        let one_pointer = declared.is_some_and(|declared| {
            declared.parameters.len() == 1
                && pointee(self.header, &declared.parameters[0].ty)
                    .is_some_and(|(to, _)| types::is_character(to))
        });
        ensure(one_pointer, || {
            let name = function.map_or("?", |it| &it.name);
            format!("{name} cannot free a text: it must take a pointer and nothing else")
        })
    }

    /// Checks that a result can tell such a failure.
    fn errno(&self, failure: Failure, result: &ResultPlan, ty: &Type) -> Fault {
        let header = self.header;
        let tuple = matches!(
            result,
            ResultPlan::Status {
                style: StatusStyle::Tuple,
                ..
            }
        );
        ensure(!tuple, || {
            "its status is returned with the outputs, so that errno cannot raise".to_owned()
        })?;
        match failure {
            Failure::Set => Ok(()),
            Failure::Status => {
                let status = matches!(result, ResultPlan::Status { .. });
                ensure(status, || "there is no status to tell errno".to_owned())
            }
            Failure::Result(_) => {
                let looked_at = !matches!(result, ResultPlan::Nothing);
                let number = integer(header, ty).is_some() || pointee(header, ty).is_some();
                ensure(looked_at && number, || {
                    format!(
                        "errno goes with a result that is a number or a pointer; this is {}",
                        if looked_at {
                            self.c(ty)
                        } else {
                            "not looked at".to_owned()
                        }
                    )
                })
            }
        }
    }

    fn object(&self, ty: &Type) -> Fault {
        ensure(types::is_object(self.header, ty), || {
            format!("{} is not PyObject *", self.c(ty))
        })?;
        ensure(self.function.gil == Gil::Python, || {
            "a PyObject * needs the GIL during the call".to_owned()
        })
    }

    fn result(&self, result: &ResultPlan, ty: &Type) -> Fault {
        let header = self.header;
        match result {
            ResultPlan::Object => self.object(ty),
            ResultPlan::Errno {
                failure, result, ..
            } => {
                ensure(!matches!(**result, ResultPlan::Errno { .. }), || {
                    "errno is looked at twice".to_owned()
                })?;
                self.result(result, ty)?;
                self.errno(*failure, result, ty)
            }
            ResultPlan::Nothing => match header.resolve(ty) {
                Type::Void => Ok(()),
                _ => passable(header, ty),
            },
            ResultPlan::Value => passable(header, ty),
            ResultPlan::Text { ownership } => {
                let text = pointee(header, ty).is_some_and(|(to, _)| types::is_character(to));
                ensure(text, || format!("{} is not text", self.c(ty)))?;
                self.freed(*ownership)
            }
            ResultPlan::Handle {
                handle, ownership, ..
            } => {
                self.handle(*handle, ty)?;
                let constant = pointee(header, ty).is_some_and(|(_, constant)| constant);
                ensure(
                    !constant
                        || *ownership == Ownership::Borrowed
                        || self.function.result_why.place().is_some(),
                    || format!("{} is constant, so it is not the caller's", self.c(ty)),
                )
            }
            ResultPlan::Status { text, .. } => {
                let number = integer(header, ty).is_some() || *header.resolve(ty) == Type::Bool;
                ensure(number, || {
                    format!(
                        "a status needs an integer, and the result is {}",
                        self.c(ty)
                    )
                })?;
                ensure(
                    text.is_none_or(|text| (text as usize) < self.plan.functions.len()),
                    || "the function for its text is not in the plan".to_owned(),
                )
            }
        }
    }
}
