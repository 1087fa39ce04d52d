//! Signatures in Python, with types.

use std::collections::HashMap;

use super::guess::{has_count, has_own_length, is_text};
use super::types::{callback, pointee, spell, string_literal};
use super::{
    FunctionPlan, HandleOf, Output, ParameterPlan, Plan, ResultPlan, Role, StatusStyle, Success,
};
use crate::decl::{EnumId, FunctionType, Header, Int, RecordId, Type, Value};

/// A record's fields, which stand for it where C only reads it.
const FIELDS: &str = " | tuple[Any, ...] | dict[str, Any]";

/// Names of a plan's types in Python.
pub(crate) struct Names<'a> {
    pub(crate) header: &'a Header,
    pub(crate) plan: &'a Plan,
    records: HashMap<RecordId, &'a str>,
    enums: HashMap<EnumId, &'a str>,
    handles: HashMap<HandleOf, usize>,
    /// True if every `char *` in memory is text.
    pub(crate) own_texts: bool,
}

impl<'a> Names<'a> {
    pub(crate) fn new(header: &'a Header, plan: &'a Plan) -> Self {
        // The first counts, and stays where it is.
        let records = plan.records.iter().rev();
        let enums = plan.enums.iter().rev();
        let handles = plan.handles.iter().enumerate().rev();
        Self {
            header,
            plan,
            records: records.map(|(id, name)| (*id, name.as_str())).collect(),
            enums: enums.map(|(id, name)| (*id, name.as_str())).collect(),
            handles: handles.map(|(index, handle)| (handle.of, index)).collect(),
            own_texts: false,
        }
    }

    /// The class of a record, an enumeration or a handle, if it has one.
    pub(crate) fn class(&self, ty: &Type) -> Option<&str> {
        if let Some(handle) = self.handle(ty) {
            return Some(&self.plan.handles[handle].name);
        }
        match self.header.resolve(ty) {
            Type::Record(id) => self.records.get(id).copied(),
            Type::Enum(id) => self.enums.get(id).copied(),
            _ => None,
        }
    }

    /// The handle type of values of a type.
    pub(crate) fn handle(&self, ty: &Type) -> Option<usize> {
        let named = |of: HandleOf| self.handles.get(&of).copied();
        let mut ty = ty;
        loop {
            match ty {
                Type::Typedef(id) => {
                    if let Some(found) = named(HandleOf::Typedef(*id)) {
                        return Some(found);
                    }
                    ty = &self.header.typedef(*id).ty;
                }
                Type::Pointer { to, .. } => {
                    let mut inner = &**to;
                    while let Type::Typedef(id) = inner {
                        if let Some(found) = named(HandleOf::PointerTo(*id)) {
                            return Some(found);
                        }
                        inner = &self.header.typedef(*id).ty;
                    }
                    return match inner {
                        Type::Record(id) => named(HandleOf::Pointer(*id)),
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
    }

    /// The Python type of a value that C gives.
    pub(crate) fn given(&self, ty: &Type) -> String {
        if let Some(class) = self.class(ty) {
            return class.to_owned();
        }
        match self.header.resolve(ty) {
            Type::Void => "None".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int(Int::Char) => "str".to_owned(),
            Type::Int(_) | Type::Enum(_) => "int".to_owned(),
            Type::Float(_) => "float".to_owned(),
            Type::Complex(_) => "complex".to_owned(),
            Type::Pointer { to, .. } => match self.header.resolve(to) {
                Type::Function(function) if self.can_be_called(function) => {
                    self.callable(function, None)
                }
                _ => "Pointer".to_owned(),
            },
            Type::Record(_) => "Record".to_owned(),
            _ => "object".to_owned(),
        }
    }

    /// The names in the binding of an interface file.
    pub(crate) fn of_swig(header: &'a Header, plan: &'a Plan) -> Self {
        Self {
            own_texts: true,
            ..Self::new(header, plan)
        }
    }

    /// The Python type of a field, a variable or a callback's argument.
    pub(crate) fn held(&self, ty: &Type, name: &str, counted: bool) -> String {
        match self.header.resolve(ty) {
            Type::Pointer { to, .. }
                if self.own_texts && *self.header.resolve(to) == Type::Int(Int::Char) =>
            {
                "str | None".to_owned()
            }
            _ if is_text(self.header, ty, name, counted) => "str | None".to_owned(),
            Type::Pointer { .. } => match self.given(ty) {
                // Null is None.
                text if text.starts_with("Callable") => format!("({text}) | None"),
                text => format!("{text} | None"),
            },
            _ => self.given(ty),
        }
    }

    /// The Python types that are taken for a value.
    fn value(&self, ty: &Type) -> String {
        match self.header.resolve(ty) {
            _ if self.handle(ty).is_some() => self.given(ty),
            Type::Int(Int::Char) => "str | bytes | int".to_owned(),
            Type::Enum(_) => match self.class(ty) {
                Some(class) => format!("{class} | int"),
                None => "int".to_owned(),
            },
            Type::Record(_) => format!("{}{FIELDS}", self.given(ty)),
            Type::Pointer { to, constant } => match (self.header.resolve(to), self.class(to)) {
                (Type::Function(function), _) => self.callable(function, None),
                (Type::Record(_), Some(class)) => {
                    let fields = if *constant { FIELDS } else { "" };
                    format!("{class}{fields} | Address")
                }
                _ => "Address".to_owned(),
            },
            _ => self.given(ty),
        }
    }

    /// The Python types that are taken for a parameter.
    pub(crate) fn taken(&self, ty: &Type, role: &Role) -> String {
        let optional = |text: String, nullable: bool| match nullable {
            true => format!("{text} | None"),
            false => text,
        };
        match role {
            Role::Input { nullable } => {
                let pointer = matches!(self.header.resolve(ty), Type::Pointer { .. });
                optional(self.value(ty), *nullable && pointer)
            }
            Role::Text { nullable } => optional("Text".to_owned(), *nullable),
            Role::Memory { nullable, .. } => {
                let text = match pointee(self.header, ty) {
                    Some((Type::Record(_), _)) => self.value(ty),
                    Some((Type::Int(Int::WChar), true)) => "str | Address".to_owned(),
                    _ => "Address".to_owned(),
                };
                optional(text, *nullable)
            }
            Role::Handle {
                handle, nullable, ..
            } => {
                let plan = self.plan.handles.get(*handle as usize);
                let name = plan.map_or("Handle", |plan| plan.name.as_str());
                optional(name.to_owned(), *nullable)
            }
            Role::Callback {
                nullable,
                user_data,
                ..
            } => {
                let text = match callback(self.header, ty) {
                    Some(function) => {
                        self.callable(function, user_data.map(|data| data.argument as usize))
                    }
                    None => "Callable[..., object]".to_owned(),
                };
                optional(text, *nullable)
            }
            Role::Edited {
                returned, nullable, ..
            } => {
                let text = if *returned { "Text" } else { "Text | Address" };
                optional(text.to_owned(), *nullable)
            }
            Role::Texts { nullable } => optional("Sequence[Text]".to_owned(), *nullable),
            Role::Object => "object".to_owned(),
            Role::InOut | Role::Pointed => match self.header.resolve(ty) {
                Type::Pointer { to, .. } => self.value(to),
                _ => self.value(ty),
            },
            Role::Output(_) | Role::Length { .. } | Role::Fixed(_) | Role::Counter | Role::Rest => {
                "None".to_owned()
            }
        }
    }

    /// False for functions that no callable can stand for.
    fn can_be_called(&self, function: &FunctionType) -> bool {
        let types = function.parameters.iter().map(|(_, ty)| ty);
        let mut all = types.chain([&function.result]);
        !function.variadic
            && !all.any(|ty| matches!(self.header.resolve(ty), Type::VaList | Type::Other(_)))
    }

    /// A callable's type; `hidden` is a parameter that Python does not see.
    fn callable(&self, function: &FunctionType, hidden: Option<usize>) -> String {
        let named = function
            .parameters
            .iter()
            .map(|(name, ty)| (name.as_str(), ty));
        let counted = has_count(self.header, named);
        let parameters = function.parameters.iter().enumerate();
        let shown: Vec<String> = parameters
            .filter(|(at, _)| Some(*at) != hidden)
            .map(|(at, (name, ty))| match self.header.resolve(ty) {
                _ if !self.own_texts && has_own_length(self.header, &function.parameters, at) => {
                    self.given(ty)
                }
                // A callable need not expect null, which is rare.
                Type::Pointer { .. } if !is_text(self.header, ty, name, counted) => self.given(ty),
                _ => self.held(ty, name, counted),
            })
            .collect();
        let result = match self.header.resolve(&function.result) {
            Type::Void => "object".to_owned(),
            _ => self.value(&function.result),
        };
        format!("Callable[[{}], {result}]", shown.join(", "))
    }

    /// The Python type that is returned for an output.
    fn output(&self, ty: &Type, role: &Role) -> String {
        let to = match self.header.resolve(ty) {
            Type::Pointer { to, .. } => to,
            _ => ty,
        };
        match role {
            Role::Output(Output::Handle { handle, .. }) => self
                .plan
                .handles
                .get(*handle as usize)
                .map_or("Handle", |plan| plan.name.as_str())
                .to_owned(),
            Role::Output(Output::Text { .. }) => "str | None".to_owned(),
            Role::Edited { .. } => "str".to_owned(),
            Role::Output(Output::Buffer { .. } | Output::Room { .. }) => {
                match self.header.resolve(to) {
                    Type::Int(Int::Char) => "str".to_owned(),
                    _ => "bytes".to_owned(),
                }
            }
            _ => self.given(to),
        }
    }

    /// The Python type that a function returns.
    pub(crate) fn returns(&self, function: &FunctionPlan) -> String {
        let declared = &self.header.functions[function.function as usize];
        let parameters = function.parameters.iter().zip(&declared.parameters);
        let mut parts: Vec<String> = parameters
            .filter(|(plan, _)| plan.role.is_returned())
            .map(|(plan, declared)| self.output(&declared.ty, &plan.role))
            .collect();
        match function.result.usual() {
            ResultPlan::Nothing
            | ResultPlan::Errno { .. }
            | ResultPlan::Status {
                style: StatusStyle::Raise,
                ..
            } => {}
            ResultPlan::Value
            | ResultPlan::Status {
                style: StatusStyle::Value,
                ..
            } => parts.insert(0, self.given(&declared.result)),
            ResultPlan::Text { .. } => parts.insert(0, "str | None".to_owned()),
            ResultPlan::Object => parts.insert(0, "Any".to_owned()),
            ResultPlan::Handle {
                handle,
                null_raises,
                ..
            } => {
                let name = &self.plan.handles[*handle as usize].name;
                let optional = if *null_raises { "" } else { " | None" };
                parts.insert(0, format!("{name}{optional}"));
            }
            ResultPlan::Status {
                style: StatusStyle::Tuple,
                ..
            } => {
                for part in &mut parts {
                    if !part.ends_with("| None") {
                        part.push_str(" | None");
                    }
                }
                parts.insert(0, self.given(&declared.result));
                return format!("tuple[{}]", parts.join(", "));
            }
        }
        match &parts[..] {
            [] => "None".to_owned(),
            [one] => one.clone(),
            [first, rest @ ..] if self.own_texts => match rest.iter().all(|it| it == first) {
                true => format!("list[{first}]"),
                false => "list[Any]".to_owned(),
            },
            _ => format!("tuple[{}]", parts.join(", ")),
        }
    }

    /// The parameters that are taken, with their types in C.
    pub(crate) fn parameters<'b>(
        &'b self,
        function: &'b FunctionPlan,
    ) -> impl Iterator<Item = (&'b ParameterPlan, &'b Type)> {
        let declared = &self.header.functions[function.function as usize];
        let all = function.parameters.iter().zip(&declared.parameters);
        all.filter(|(plan, _)| plan.role.is_taken())
            .map(|(plan, declared)| (plan, &declared.ty))
    }

    /// The list of parameters and the result, with types.
    pub(crate) fn signature(&self, function: &FunctionPlan) -> String {
        let parameters = self.typed_parameters(function).join(", ");
        format!("({parameters}) -> {}", self.returns(function))
    }

    /// The parameters as Python declares them, with types and defaults.
    pub(crate) fn typed_parameters(&self, function: &FunctionPlan) -> Vec<String> {
        let mut optional = true;
        let mut parameters: Vec<String> = Vec::new();
        let taken: Vec<_> = self.parameters(function).collect();
        // Only behind a default may others be left out, so a default before a parameter without one is none.
        for (plan, ty) in taken.into_iter().rev() {
            let text = format!("{}: {}", plan.name, self.taken(ty, &plan.role));
            optional &= plan.default.is_some();
            let default = plan.default.as_ref().filter(|_| optional);
            parameters.push(match default {
                Some(value) => format!("{text} = {}", default_text(value, &plan.role)),
                None => text,
            });
        }
        parameters.reverse();
        if function.variadic {
            parameters.push("*args: object".to_owned());
        }
        parameters
    }
}

/// A default as Python writes it.
fn default_text(value: &Value, role: &Role) -> String {
    match (value, role) {
        (Value::Text(text), _) => string_literal(&String::from_utf8_lossy(text)),
        (
            Value::Int(0),
            Role::Text { .. } | Role::Memory { .. } | Role::Handle { .. } | Role::Callback { .. },
        ) => "None".to_owned(),
        (value, _) => spell(value),
    }
}

/// The condition for success, as a clause.
pub(crate) fn success(success: &Success) -> String {
    match success {
        Success::Zero => "0 is success".to_owned(),
        Success::NonZero => "anything but 0 is success".to_owned(),
        Success::NotNegative => "what is not negative is success".to_owned(),
        Success::OneOf(codes) => match &codes[..] {
            [] => "nothing is success".to_owned(),
            [code] => format!("{code} is success"),
            [rest @ .., last] => {
                let rest: Vec<String> = rest.iter().map(i64::to_string).collect();
                format!("{} and {last} are success", rest.join(", "))
            }
        },
    }
}

/// Text as a literal of Python.
pub(crate) fn literal(text: &str) -> String {
    string_literal(text)
}
