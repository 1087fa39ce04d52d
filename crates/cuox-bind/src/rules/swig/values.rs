//! Fields of records and global variables whose values the file's own code converts: functions of C read and write
//! them, which Python's attributes call.

use super::Interface;
use super::extend::{Member, MemberKind};
use super::typemap_code::{Signature, TypemapCode};
use crate::decl::{Elements, Function, Header, Int, Parameter, Place, RecordId, Type};

/// A field or a variable that a function reads or writes.
pub(super) struct Access<'a> {
    /// What C reads or writes: `arg1->x`.
    pub(super) target: String,
    /// The name of the field or variable.
    pub(super) name: &'a str,
    /// Its name in Python.
    shown: &'a str,
    /// The record; none for a variable.
    record: Option<RecordId>,
    /// The type as it is declared.
    ty: &'a Type,
    constant: bool,
    pub(super) writes: bool,
    at: Place,
}

impl<'a> Access<'a> {
    /// Reading and writing all fields and variables that typemaps may be for.
    pub(super) fn all(
        header: &'a Header,
        interface: &'a Interface,
        is_own: impl Fn(Place) -> bool,
    ) -> Vec<Self> {
        let mut made = Vec::new();
        let mut add = |shown: &'a str, record: Option<RecordId>, ty, constant: bool, at| {
            // The declaration has the name in Python by now.
            let mut renamed = interface.fields.iter();
            let renamed = renamed.find(|it| {
                record.is_some_and(|id| header.record(id).name == it.record) && it.name == shown
            });
            let name = renamed.map_or(shown, |it| &it.field);
            // SWIG has functions for pointers to records there.
            let whole = matches!(header.resolve(ty), Type::Record(_));
            for writes in [false, true] {
                if !(name.is_empty() || whole || writes && constant) {
                    let target = match record {
                        Some(_) => format!("arg1->{name}"),
                        None => name.to_owned(),
                    };
                    made.push(Self {
                        target,
                        name,
                        shown,
                        record,
                        ty,
                        constant,
                        writes,
                        at,
                    });
                }
            }
        };
        for (index, record) in (0..).zip(&header.records) {
            if is_own(record.place) && !record.name.is_empty() {
                for field in &record.fields {
                    let id = Some(RecordId(index));
                    add(&field.name, id, &field.ty, field.constant, record.place);
                }
            }
        }
        for variable in &header.variables {
            if is_own(variable.place) && !variable.is_inline() {
                let constant = variable.constant;
                add(&variable.name, None, &variable.ty, constant, variable.place);
            }
        }
        made
    }

    /// The methods of typemaps that read, or write.
    pub(super) fn methods(&self) -> &'static [&'static str] {
        match (self.record, self.writes) {
            (Some(_), false) => &["out"],
            (Some(_), true) => &["arginit", "in", "check", "freearg"],
            (None, false) => &["varout"],
            (None, true) => &["varin"],
        }
    }

    /// The value as typemaps look at it.
    pub(super) fn signature(&self, header: &Header, interface: &Interface) -> Signature<'a> {
        let ty = self.passed(header);
        let mut signature = Signature::of_value(header, &ty, self.name, self.at, interface);
        if self.constant {
            signature.add_constant();
        }
        signature
    }

    /// The type that a function takes or returns: an array is a pointer to its first element.
    fn passed(&self, header: &Header) -> Type {
        match header.resolve(self.ty) {
            Type::Array { of, .. } => Type::pointer_to((**of).clone()),
            _ => self.ty.clone(),
        }
    }

    /// The number of elements of an array.
    pub(super) fn length(&self, header: &Header) -> Option<u64> {
        match header.resolve(self.ty) {
            Type::Array { length, .. } => *length,
            _ => None,
        }
    }

    /// The function, as if C had it.
    pub(super) fn function(&self, header: &Header) -> Function {
        let parameter = |name: &str, ty: Type, elements| Parameter {
            name: name.to_owned(),
            ty,
            default: None,
            nonnull: false,
            elements,
        };
        let mut parameters = Vec::new();
        let mut name = String::new();
        if let Some(id) = self.record {
            let record = Type::pointer_to(Type::Record(id));
            parameters.push(parameter("self", record, None));
            name = format!("{}_", header.record(id).name);
        }
        let passed = self.passed(header);
        if self.writes {
            let elements = self.length(header).map(Elements::Number);
            parameters.push(parameter(self.name, passed.clone(), elements));
        }
        let what = if self.writes { "set" } else { "get" };
        name.push_str(&format!("{}_{what}", self.name));
        let known = |name: &str| header.functions.iter().any(|it| it.name == name);
        while known(&name) {
            name.push('_');
        }
        Function {
            symbol: name.clone(),
            name,
            parameters,
            result: if self.writes { Type::Void } else { passed },
            variadic: false,
            doc: None,
            deprecated: None,
            place: self.at,
        }
    }

    /// The C code that reads or writes, where no typemap says it.
    pub(super) fn code(&self, header: &Header, result: &Type) -> String {
        let target = &self.target;
        if !self.writes {
            let cast = header.c_type(result);
            return match result {
                Type::Pointer { .. } => format!("result = ({cast}){target};"),
                _ => format!("result = {target};"),
            };
        }
        // `varin` has done it.
        if self.record.is_none() {
            return String::new();
        }
        let is_text = |ty: &Type| *header.resolve(ty) == Type::Int(Int::Char);
        match header.resolve(self.ty) {
            Type::Array { of, .. } if is_text(of) => {
                format!("if (arg2) strncpy({target}, arg2, sizeof {target});")
            }
            Type::Array { .. } => format!("if (arg2) memcpy({target}, arg2, sizeof {target});"),
            // As `char *` in records are written in other ways, too.
            Type::Pointer { to, .. } if is_text(to) => {
                format!("{target} = arg2 ? strdup(arg2) : NULL;")
            }
            ty @ Type::Pointer { .. } => format!("{target} = ({})arg2;", header.c_type(ty)),
            _ => format!("{target} = arg2;"),
        }
    }

    /// The names in the code of `memberin`.
    pub(super) fn value(&self) -> (String, String, Option<Type>) {
        let name = self.name.to_owned();
        (self.target.clone(), name, Some(self.ty.clone()))
    }

    /// The typemap that writes a field with the value that `in` has made.
    pub(super) fn writing<'b>(
        &self,
        interface: &'b Interface,
        signature: &Signature<'_>,
    ) -> Option<&'b TypemapCode> {
        let is_field = self.writes && self.record.is_some();
        let found = is_field.then(|| interface.conversions.find("memberin", signature, 0));
        found.flatten()
    }

    pub(super) fn is_field(&self) -> bool {
        self.record.is_some()
    }

    /// The name for messages.
    pub(super) fn shown(&self, header: &Header) -> String {
        match self.record {
            Some(id) => format!("{}.{}", header.record(id).name, self.name),
            None => self.name.to_owned(),
        }
    }

    /// The attribute that calls the function.
    pub(super) fn member(&self, header: &Header, function: &str) -> Member {
        let record = self.record.map_or("", |id| &header.record(id).name);
        Member {
            record: record.to_owned(),
            name: self.shown.to_owned(),
            function: function.to_owned(),
            setter: None,
            kind: match self.writes {
                true => MemberKind::Writes,
                false => MemberKind::Reads,
            },
        }
    }
}
