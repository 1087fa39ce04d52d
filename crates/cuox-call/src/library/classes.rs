//! Types of a header as Python classes, each made when it is first needed.

use std::sync::Arc;
use std::thread::{self};

use cuox_bind::decl::{
    EnumId, Field, Float, FunctionType, Header, Int, Record, RecordId, Type, TypedefId, Value,
};
use cuox_bind::plan::{HandleOf, Ownership, Role, has_own_length, is_text, not_keyword};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::library::bound::{BoundLibrary, FieldRules, Refusal};
use crate::types::callback_info::{CallbackInfo, CallbackValue};
use crate::types::class::{Class, ClassName, Destructor, HandleKind, RecordForm};
use crate::types::scalar::Scalar;
use crate::types::value::{
    ArrayForm, Element, FieldInfo, FieldKind, ListKind, Stored, first_dimension,
};

/// The deepest nesting of records whose classes are made inside each other: a chain of them may be as long as a header,
/// but the stack is limited.
const MAX_NESTING: u32 = 16;

/// The scalar of an integer type.
pub fn integer(int: Int) -> Scalar {
    match int {
        Int::Char | Int::I8 => Scalar::I8,
        Int::U8 => Scalar::U8,
        Int::I16 => Scalar::I16,
        Int::U16 => Scalar::U16,
        Int::I32 | Int::WChar => Scalar::I32,
        Int::U32 => Scalar::U32,
        Int::I64 => Scalar::I64,
        Int::U64 => Scalar::U64,
        Int::I128 => Scalar::I128,
        Int::U128 => Scalar::U128,
    }
}

/// The scalar of a floating-point type.
pub fn float(float: Float) -> Scalar {
    match float {
        Float::F32 => Scalar::F32,
        Float::F64 => Scalar::F64,
        Float::Long => Scalar::Long,
    }
}

/// True if a type is `char`, through typedefs.
pub fn is_char(header: &Header, ty: &Type) -> bool {
    matches!(header.resolve(ty), Type::Int(Int::Char))
}

impl BoundLibrary {
    /// The plan of the handle that values of this type are, if they are handles.
    pub fn handle_of(&self, ty: &Type) -> Option<u32> {
        let mut ty = ty;
        loop {
            let wanted = match ty {
                Type::Typedef(id) => HandleOf::Typedef(*id),
                Type::Pointer { to, .. } => return self.handle_behind(to),
                _ => return None,
            };
            if let Some(found) = self.handle_index.get(&wanted) {
                return Some(*found);
            }
            match ty {
                Type::Typedef(id) => ty = &self.header.typedef(*id).ty,
                _ => return None,
            }
        }
    }

    /// The plan of the handle that pointers to this type are.
    fn handle_behind(&self, to: &Type) -> Option<u32> {
        let mut to = to;
        loop {
            let wanted = match to {
                Type::Typedef(id) => HandleOf::PointerTo(*id),
                Type::Record(id) => HandleOf::Pointer(*id),
                _ => return None,
            };
            if let Some(found) = self.handle_index.get(&wanted) {
                return Some(*found);
            }
            match to {
                Type::Typedef(id) => to = &self.header.typedef(*id).ty,
                _ => return None,
            }
        }
    }

    /// The form of a value of this type where C stores or returns it.
    ///
    /// # Errors
    /// For types without a form in Python.
    pub fn stored(&self, py: Python<'_>, ty: &Type) -> Result<Stored, Refusal> {
        if let Some(handle) = self.handle_of(ty) {
            let class = self.handle_class(py, handle)?;
            return Ok(Stored::Handle {
                class,
                owned: false,
            });
        }
        Ok(match self.header.resolve(ty) {
            Type::Bool => Stored::Scalar(Scalar::Bool),
            Type::Int(int) => Stored::Scalar(integer(*int)),
            Type::Float(kind) => Stored::Scalar(float(*kind)),
            Type::Enum(id) => {
                let scalar = integer(self.header.enumeration(*id).underlying);
                match self.enum_class(py, *id)? {
                    Some(class) => Stored::Enum(scalar, class),
                    None => Stored::Scalar(scalar),
                }
            }
            Type::Record(id) => Stored::Record(self.record_class(py, *id)?),
            Type::Complex(part @ (Float::F32 | Float::F64)) => {
                Stored::Record(self.complex_class(py, *part)?)
            }
            Type::Pointer { to, .. } => match self.header.resolve(to) {
                // One that no callable can be is a pointer like another.
                Type::Function(function) => match self.callback(py, function, ty, None) {
                    Ok(info) => Stored::Callback(info),
                    Err(Refusal::Because(_)) => {
                        Stored::Pointer(self.pointer_class(py, &Type::Void)?)
                    }
                    Err(raised) => return Err(raised),
                },
                _ => Stored::Pointer(self.pointer_class(py, to)?),
            },
            _ => return Err(self.cannot(ty)),
        })
    }

    /// The form of a field, a variable or a callback's argument of this type and name: [`Self::stored`], or text. With
    /// `counted` a number beside it may be its length.
    fn held(
        &self,
        py: Python<'_>,
        ty: &Type,
        name: &str,
        counted: bool,
    ) -> Result<Stored, Refusal> {
        let copied = self.as_swig
            && matches!(self.header.resolve(ty), Type::Pointer { to, .. } if is_char(&self.header, to));
        if copied || !self.plain && is_text(&self.header, ty, name, counted) {
            return Ok(Stored::Text { free: None, copied });
        }
        if !self.plain && is_char(&self.header, ty) {
            return Ok(Stored::Char);
        }
        self.stored(py, ty)
    }

    /// The stored form of a handle with this ownership.
    pub fn stored_handle(
        &self,
        py: Python<'_>,
        handle: u32,
        ownership: Ownership,
    ) -> Result<Stored, Refusal> {
        let class = self.handle_class(py, handle)?;
        Ok(Stored::Handle {
            class,
            owned: ownership == Ownership::Owned && !self.plain,
        })
    }

    fn cannot(&self, ty: &Type) -> Refusal {
        Refusal::new(format!(
            "values of the C type '{}' cannot be passed",
            self.header.c_type(ty)
        ))
    }

    /// The element that memory of this type is made of.
    ///
    /// # Errors
    /// The fields of the record's class.
    pub fn element(&self, py: Python<'_>, ty: &Type) -> Result<Element, Refusal> {
        Ok(match self.header.resolve(ty) {
            Type::Bool => Element::Scalar(Scalar::Bool),
            Type::Int(int) => Element::Scalar(integer(*int)),
            Type::Float(kind) => Element::Scalar(float(*kind)),
            Type::Enum(id) => Element::Scalar(integer(self.header.enumeration(*id).underlying)),
            Type::Pointer { .. } => Element::Scalar(Scalar::Pointer),
            Type::Record(id) if self.header.record(*id).size.is_some() => {
                Element::Record(self.record_pointed_at(py, *id)?)
            }
            Type::Array { of, .. } => self.element(py, of)?,
            _ => Element::Untyped,
        })
    }

    /// The element that a pointer of this type gives: a handle, an enumeration's constant, a function or a pointer is
    /// one, not a number.
    fn given_element(&self, py: Python<'_>, ty: &Type) -> Result<Element, Refusal> {
        if self.plain {
            return self.element(py, ty);
        }
        let named = matches!(
            self.header.resolve(ty),
            Type::Enum(_) | Type::Pointer { .. } | Type::Complex(Float::F32 | Float::F64)
        ) || self.handle_of(ty).is_some();
        match named.then(|| self.held(py, ty, "", false)) {
            Some(Ok(stored)) => Ok(FieldKind::One(stored).as_element()),
            Some(Err(raised @ Refusal::Raised(_))) => Err(raised),
            // A function that Python cannot call is a number.
            Some(Err(Refusal::Because(_))) | None => self.element(py, ty),
        }
    }

    /// The class of pointers to this type.
    ///
    /// # Errors
    /// The exceptions of making a class.
    pub fn pointer_class(&self, py: Python<'_>, to: &Type) -> Result<Arc<Class>, Refusal> {
        let c_type = self.header.c_type(to);
        if let Some(class) = self.made.pointers.lock().get(&c_type) {
            return Ok(class.clone());
        }
        let element = self.given_element(py, to)?;
        let name = format!("Pointer[{c_type}]");
        // Making the element's class may have made this one.
        if let Some(class) = self.made.pointers.lock().get(&c_type) {
            return Ok(class.clone());
        }
        let pointer = format!("{c_type} *");
        let named = ClassName {
            name: &name,
            module: self.module(),
            c_type: &pointer,
            doc: None,
        };
        let class = Class::pointer(py, named, element)?;
        self.made.pointers.lock().insert(c_type, class.clone());
        Ok(class)
    }

    fn named<'a>(
        &'a self,
        name: &'a str,
        c_type: &'a str,
        doc: &'a Option<String>,
    ) -> ClassName<'a> {
        ClassName {
            name,
            module: self.module(),
            c_type,
            doc: doc.as_deref(),
        }
    }

    /// A handle's class.
    ///
    /// # Errors
    /// The exceptions of making a class.
    pub fn handle_class(&self, py: Python<'_>, handle: u32) -> Result<Arc<Class>, Refusal> {
        if let Some(class) = self.made.handles.lock().get(&handle) {
            return Ok(class.clone());
        }
        let plan = &self.plan.handles[handle as usize];
        let (c_type, scalar, doc) = match plan.of {
            HandleOf::Pointer(id) => {
                let ty = Type::pointer_to(Type::Record(id));
                (
                    self.header.c_type(&ty),
                    Scalar::Pointer,
                    &self.header.record(id).doc,
                )
            }
            HandleOf::PointerTo(id) => {
                let ty = Type::pointer_to(Type::Typedef(id));
                (
                    self.header.c_type(&ty),
                    Scalar::Pointer,
                    &self.header.typedef(id).doc,
                )
            }
            HandleOf::Typedef(id) => {
                let typedef = self.header.typedef(id);
                let scalar = match self.header.resolve(&typedef.ty) {
                    Type::Int(int) => integer(*int),
                    Type::Pointer { .. } => Scalar::Pointer,
                    _ => return Err(self.cannot(&typedef.ty)),
                };
                (typedef.name.clone(), scalar, &typedef.doc)
            }
        };
        let destroy = plan.destroy.filter(|_| !self.plain).and_then(|index| {
            let function = &self.plan.functions[index as usize];
            let declared = &self.header.functions[function.function as usize];
            // A destructor that the library lacks is no reason to refuse the type.
            Some(Destructor {
                name: function.name.clone(),
                target: self.address(py, &declared.symbol).ok()??,
                by_address: function.parameters.iter().any(|parameter| {
                    matches!(
                        parameter.role,
                        Role::Handle {
                            by_address: true,
                            ..
                        }
                    )
                }),
                gil: function.gil,
                status: None,
            })
        });
        let takes_int = scalar != Scalar::Pointer || self.plain;
        let kind = HandleKind {
            scalar,
            destroy,
            takes_int,
            plain: self.plain,
        };
        let class = Class::handle(py, self.named(&plan.name, &c_type, doc), kind)?;
        Ok(self
            .made
            .handles
            .lock()
            .entry(handle)
            .or_insert(class)
            .clone())
    }

    /// The class of complex numbers of two such parts.
    ///
    /// # Errors
    /// The exceptions of making a class.
    pub fn complex_class(&self, py: Python<'_>, part: Float) -> Result<Arc<Class>, Refusal> {
        if let Some(class) = self.made.complexes.lock().get(&part) {
            return Ok(class.clone());
        }
        let c_type = self.header.c_type(&Type::Complex(part));
        let named = ClassName {
            name: "complex",
            module: None,
            c_type: &c_type,
            doc: None,
        };
        let class = Class::complex(py, named, float(part))?;
        let mut complexes = self.made.complexes.lock();
        Ok(complexes.entry(part).or_insert(class).clone())
    }

    /// A record's class.
    ///
    /// # Errors
    /// For records that are only declared, and what making a class raises.
    pub fn record_class(&self, py: Python<'_>, id: RecordId) -> Result<Arc<Class>, Refusal> {
        let known = self.made.records.lock().get(&id).cloned();
        if let Some(class) = known {
            if self.take_left(|left| *left == id).is_some() {
                self.define(py, id, &class)?;
            }
            return Ok(class);
        }
        let class = self.declare(py, id)?;
        self.define(py, id, &class)?;
        Ok(class)
    }

    /// The class of a record behind a pointer: its fields are known as soon as all classes that are being made are.
    fn record_pointed_at(&self, py: Python<'_>, id: RecordId) -> Result<Arc<Class>, Refusal> {
        if let Some(class) = self.made.records.lock().get(&id) {
            return Ok(class.clone());
        }
        if let Some(nested) = self.made.nested.lock().get_mut(&thread::current().id())
            && nested.depth >= MAX_NESTING
        {
            nested.left.push(id);
            return self.declare(py, id);
        }
        self.record_class(py, id)
    }

    /// Takes one of the records that this thread has left for later.
    fn take_left(&self, wanted: impl Fn(&RecordId) -> bool) -> Option<RecordId> {
        let mut nested = self.made.nested.lock();
        let left = &mut nested.get_mut(&thread::current().id())?.left;
        let at = left.iter().rposition(wanted)?;
        Some(left.swap_remove(at))
    }

    /// Gives a record's class its fields, and those that are left for later theirs if this is the first.
    fn define(&self, py: Python<'_>, id: RecordId, class: &Arc<Class>) -> Result<(), Refusal> {
        let thread = thread::current().id();
        self.made.nested.lock().entry(thread).or_default().depth += 1;
        let done = self.define_one(py, id, class);
        let first = {
            let mut nested = self.made.nested.lock();
            let nested = nested.entry(thread).or_default();
            nested.depth -= 1;
            nested.depth == 0
        };
        if first {
            while let Some(id) = self.take_left(|_| true) {
                let class = self.made.records.lock().get(&id).cloned();
                if let Some(class) = class {
                    self.made.nested.lock().entry(thread).or_default().depth += 1;
                    // A record that cannot be read is no reason to refuse those with a pointer to it.
                    let _ = self.define_one(py, id, &class);
                    self.made.nested.lock().entry(thread).or_default().depth -= 1;
                }
            }
            self.made.nested.lock().remove(&thread);
        }
        done
    }

    fn define_one(&self, py: Python<'_>, id: RecordId, class: &Arc<Class>) -> Result<(), Refusal> {
        let name = self.record_name(id);
        let fields = self.fields_of(py, self.header.record(id), name, 0);
        if let Err(refusal) = fields.and_then(|fields| Ok(class.define(py, fields)?)) {
            self.made.records.lock().remove(&id);
            return Err(refusal);
        }
        let defaults = &self.fields.defaults;
        class.set_initial_values(|field| defaults.get(&format!("{name}.{field}")).copied());
        Ok(())
    }

    /// A record's name in Python.
    fn record_name(&self, id: RecordId) -> &str {
        let named = self.plan.records.iter().find(|(planned, _)| *planned == id);
        named.map_or(&self.header.record(id).name, |(_, name)| name)
    }

    /// A record's class without its fields, one of which may be a pointer to it.
    fn declare(&self, py: Python<'_>, id: RecordId) -> Result<Arc<Class>, Refusal> {
        let record = self.header.record(id);
        let c_type = self.header.c_type(&Type::Record(id));
        let Some(size) = record.size else {
            return Err(Refusal::new(format!(
                "'{c_type}' is declared but not defined"
            )));
        };
        let named = self.named(self.record_name(id), &c_type, &record.doc);
        let class = Class::record(
            py,
            named,
            size as usize,
            record.align as usize,
            RecordForm {
                union: record.union,
                plain: self.plain,
                open: self.as_swig,
            },
        )?;
        self.made.records.lock().insert(id, class.clone());
        Ok(class)
    }

    /// A record's fields, with those of anonymous members, `base` bits from the start.
    fn fields_of(
        &self,
        py: Python<'_>,
        record: &Record,
        name: &str,
        base: u64,
    ) -> Result<Vec<FieldInfo>, Refusal> {
        let mut fields = Vec::new();
        for field in &record.fields {
            let offset = base + field.offset;
            if field.name.is_empty() {
                if let Type::Record(id) = self.header.resolve(&field.ty) {
                    fields.extend(self.fields_of(py, self.header.record(*id), name, offset)?);
                }
                continue;
            }
            fields.push(FieldInfo {
                // `record.is` cannot be written; `cuda.bindings` has its own names.
                name: match self.plain {
                    true => field.name.clone(),
                    false => not_keyword(&field.name).into_owned(),
                },
                c_type: self.header.c_type(&field.ty),
                doc: field.doc.clone(),
                offset,
                constant: field.constant,
                kind: self.field_kind(
                    py,
                    field,
                    &field.ty,
                    self.length_of(record, name, field),
                    cuox_bind::plan::has_count(
                        &self.header,
                        record.fields.iter().map(|it| (it.name.as_str(), &it.ty)),
                    ),
                )?,
            });
        }
        Ok(fields)
    }

    fn field_kind(
        &self,
        py: Python<'_>,
        field: &Field,
        ty: &Type,
        (length, until_nul): (Option<(i64, Scalar)>, bool),
        counted: bool,
    ) -> Result<FieldKind, Refusal> {
        if let Some(bits) = field.bits {
            return match self.stored(py, ty)? {
                stored @ (Stored::Scalar(_) | Stored::Enum(..)) => {
                    Ok(FieldKind::Bits(stored, bits))
                }
                _ => Err(self.cannot(ty)),
            };
        }
        let mut lengths = Vec::new();
        let mut element = self.header.resolve(ty);
        while let Type::Array { of, length } = element {
            lengths.push(length.unwrap_or(0));
            element = self.header.resolve(of);
        }
        if lengths.is_empty() {
            return match self.plain {
                true => self.plain_field(py, ty, length),
                false => Ok(FieldKind::One(self.held(py, ty, &field.name, counted)?)),
            };
        }
        let byte = matches!(element, Type::Int(Int::Char | Int::U8));
        let form = match self.plain {
            true if byte && until_nul => ArrayForm::ShortBytes,
            true if byte => ArrayForm::Bytes,
            true => ArrayForm::List,
            false if is_char(&self.header, element) => ArrayForm::Text,
            false => ArrayForm::InPlace,
        };
        // The element as it is declared, whose typedef may be a handle's.
        let mut declared = self.header.resolve(ty);
        while let Type::Array { of, .. } = declared {
            if !matches!(self.header.resolve(of), Type::Array { .. }) {
                let element = match self.plain {
                    true => self.plain_field(py, of, None)?,
                    false => FieldKind::One(self.held(py, of, &field.name, counted)?),
                };
                return Ok(FieldKind::Array(Box::new(element), lengths, form));
            }
            declared = self.header.resolve(of);
        }
        Err(self.cannot(ty))
    }

    /// The numbers that macros of the header make pointers to such functions, as `SIG_IGN` is one.
    fn function_numbers(&self, function: &FunctionType) -> Vec<i64> {
        let same = |other: &FunctionType| {
            let types = |of: &FunctionType| -> Vec<Type> {
                let parameters = of.parameters.iter().map(|(_, ty)| ty);
                let all = parameters.chain([&of.result]);
                all.map(|ty| self.header.resolve(ty).clone()).collect()
            };
            types(other) == types(function)
        };
        let fits = |named: &str| {
            let mut typedefs = self.header.typedefs.iter();
            let found = typedefs.find(|it| it.name == named);
            found.is_none_or(|it| match self.header.resolve(&it.ty) {
                Type::Pointer { to, .. } => match self.header.resolve(to) {
                    Type::Function(other) => same(other),
                    _ => true,
                },
                _ => true,
            })
        };
        let constants = self.header.constants.iter();
        let constants = constants.filter(|it| it.function.as_deref().is_some_and(fits));
        let numbers = constants.filter_map(|it| match it.value {
            // An address as C has it may be unsigned.
            Value::Int(number) => Some(number as i64),
            _ => None,
        });
        numbers.collect()
    }

    /// The form of a variable of a type, which is that of a field.
    pub(super) fn variable_kind(
        &self,
        py: Python<'_>,
        name: &str,
        ty: &Type,
    ) -> Result<FieldKind, Refusal> {
        let field = Field {
            name: name.to_owned(),
            ty: ty.clone(),
            offset: 0,
            bits: None,
            constant: false,
            doc: None,
        };
        self.field_kind(py, &field, ty, (None, false), false)
    }

    /// The class of arrays that a typedef is a name for, such as `mpz_t`; `None` for one of unknown length.
    pub(super) fn array_class(
        &self,
        py: Python<'_>,
        id: TypedefId,
    ) -> Result<Option<Arc<Class>>, Refusal> {
        if let Some(class) = self.made.arrays.lock().get(&id) {
            return Ok(Some(class.clone()));
        }
        let typedef = self.header.typedef(id);
        let kind = self.variable_kind(py, &typedef.name, &typedef.ty)?;
        let FieldKind::Array(element, lengths, form) = &kind else {
            return Ok(None);
        };
        if lengths.contains(&0) {
            return Ok(None);
        }
        let inner = first_dimension(element, lengths, *form);
        let named = self.named(&typedef.name, &typedef.name, &typedef.doc);
        let class = Class::array(py, named, inner, kind.size())?;
        let mut arrays = self.made.arrays.lock();
        Ok(Some(arrays.entry(id).or_insert(class).clone()))
    }

    /// A field as `cuda.bindings` has it: pointers to records and handles are lists, other pointers are ints. `length`
    /// says how long a list is.
    fn plain_field(
        &self,
        py: Python<'_>,
        ty: &Type,
        length: Option<(i64, Scalar)>,
    ) -> Result<FieldKind, Refusal> {
        let Type::Pointer { to, .. } = self.header.resolve(ty) else {
            return Ok(FieldKind::One(self.stored(py, ty)?));
        };
        let several = match self.header.resolve(to) {
            Type::Record(id) => self.header.record(*id).size.is_some(),
            _ => self.handle_of(to).is_some(),
        };
        if self.handle_of(ty).is_some() || matches!(self.header.resolve(to), Type::Function(_)) {
            return Ok(FieldKind::One(self.stored(py, ty)?));
        }
        if several {
            let element = FieldKind::One(self.stored(py, to)?);
            return Ok(FieldKind::List(ListKind::new(element, length)));
        }
        Ok(FieldKind::One(Stored::Scalar(Scalar::Pointer)))
    }

    /// The length of a record's field: the place and type of the field that has a list's length, and `true` if text
    /// ends with a NUL.
    fn length_of(
        &self,
        record: &Record,
        name: &str,
        field: &Field,
    ) -> (Option<(i64, Scalar)>, bool) {
        let Some(length) = self.fields.lengths.get(&format!("{name}.{}", field.name)) else {
            return (None, false);
        };
        let other = record.fields.iter().find(|other| other.name == *length);
        let place = other.and_then(|other| match self.header.resolve(&other.ty) {
            Type::Int(int) => {
                let offset = other.offset as i64 / 8 - field.offset as i64 / 8;
                Some((offset, integer(*int)))
            }
            _ => None,
        });
        (place, length == FieldRules::NUL)
    }

    /// An enumeration's class; `None` for one without a name.
    ///
    /// # Errors
    /// The exceptions of making a class.
    pub fn enum_class(&self, py: Python<'_>, id: EnumId) -> Result<Option<Py<PyType>>, Refusal> {
        let named = self.plan.enums.iter().find(|(planned, _)| *planned == id);
        let Some((_, name)) = named else {
            return Ok(None);
        };
        if let Some(class) = self.made.enums.lock().get(&id) {
            return Ok(Some(class.clone_ref(py)));
        }
        let enumeration = self.header.enumeration(id);
        let (values, docs) = (PyDict::new(py), PyDict::new(py));
        for value in &enumeration.values {
            values.set_item(&value.name, value.value)?;
            if let Some(doc) = &value.doc {
                docs.set_item(&value.name, doc)?;
            }
        }
        let class = self.hooks.make_enum.call1(
            py,
            (
                name,
                values,
                docs,
                enumeration.doc.as_deref(),
                self.module(),
                !self.plain && cuox_bind::write::is_flags(enumeration),
            ),
        )?;
        let class: Py<PyType> = class.extract(py).map_err(PyErr::from)?;
        let mut enums = self.made.enums.lock();
        Ok(Some(enums.entry(id).or_insert(class).clone_ref(py)))
    }

    /// The callback kind of a function type. The argument
    /// `user_data` is not shown to the callable.
    ///
    /// # Errors
    /// For parameters that cannot cross.
    pub fn callback(
        &self,
        py: Python<'_>,
        function: &FunctionType,
        declared: &Type,
        user_data: Option<u32>,
    ) -> Result<Arc<CallbackInfo>, Refusal> {
        let key = (function.clone(), user_data);
        if let Some(info) = self.made.callbacks.lock().get(&key) {
            return Ok(info.clone());
        }
        if function.variadic {
            return Err(Refusal::new(format!(
                "'{}' takes a variable number of arguments, which a Python callable cannot",
                self.header.c_type(declared)
            )));
        }
        let mut parameters = Vec::new();
        let named = function
            .parameters
            .iter()
            .map(|(name, ty)| (name.as_str(), ty));
        let counted = cuox_bind::plan::has_count(&self.header, named);
        for (name, ty) in &function.parameters {
            let value = if user_data == Some(parameters.len() as u32) {
                CallbackValue::UserData
            } else if !self.as_swig
                && has_own_length(&self.header, &function.parameters, parameters.len())
            {
                CallbackValue::Stored(self.stored(py, ty)?)
            } else {
                CallbackValue::Stored(self.held(py, ty, name, counted)?)
            };
            parameters.push((name.clone(), value));
        }
        let result = match self.header.resolve(&function.result) {
            Type::Void => None,
            _ => Some(CallbackValue::Stored(self.stored(py, &function.result)?)),
        };
        let name = self.header.c_type(declared);
        // A pointer to a named function has that name.
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name = match name.strip_suffix(" *") {
            Some(bare) if bare.chars().all(of_name) => bare.to_owned(),
            _ => name,
        };
        let numbers = self.function_numbers(function);
        let gives_text = !self.plain && is_text(&self.header, &function.result, "", false);
        let info = CallbackInfo::new(name, parameters, result, gives_text, self.plain, numbers);
        self.made.callbacks.lock().insert(key, info.clone());
        Ok(info)
    }
}
