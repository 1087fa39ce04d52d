//! The objects behind a library's names.

use cuox_bind::decl::{Function, FunctionType, Type};
use pyo3::prelude::*;

use crate::compile::callable;
use crate::library::bound::{BoundLibrary, Item, Refusal};
use crate::library::signatures::object;
use crate::objects::class_table::callback_class;
use crate::signature::{Role, Signature};
use crate::types::scalar::Scalar;
use crate::types::value::Stored;

impl BoundLibrary {
    /// The object behind a name.
    ///
    /// # Errors
    /// Why there is none; `None` inside if no such name is known.
    pub fn get(&self, py: Python<'_>, name: &str) -> Result<Option<Py<PyAny>>, Refusal> {
        let Some(item) = self.item(name) else {
            return Ok(None);
        };
        Ok(Some(match item {
            Item::Function(index) => self.function(py, index)?,
            Item::Handle(index) => self
                .handle_class(py, index)?
                .python
                .clone_ref(py)
                .into_any(),
            Item::Record(index) => {
                let (id, _) = self.plan.records[index as usize];
                self.record_class(py, id)?.python.clone_ref(py).into_any()
            }
            Item::Enum(index) => {
                let (id, _) = self.plan.enums[index as usize];
                match self.enum_class(py, id)? {
                    Some(class) => class.into_any(),
                    None => return Ok(None),
                }
            }
            Item::Member(index, value) => {
                let (id, _) = self.plan.enums[index as usize];
                let name = &self.header.enumeration(id).values[value as usize].name;
                match self.enum_class(py, id)? {
                    Some(class) => class.bind(py).get_item(name)?.unbind(),
                    None => return Ok(None),
                }
            }
            Item::Constant(index) => object(py, &self.plan.constants[index as usize].1),
            Item::Variable(index) => self.variable(py, index)?,
            Item::Tag(index) => {
                let class = self.record_class(py, cuox_bind::decl::RecordId(index))?;
                class.python.clone_ref(py).into_any()
            }
            Item::Typedef(index) => {
                let ty = Type::Typedef(cuox_bind::decl::TypedefId(index));
                match self.class_of(py, &ty)? {
                    Some(class) => class,
                    None => return Ok(None),
                }
            }
        }))
    }

    /// True if values of a type may have a class of their own.
    pub(super) fn has_class(&self, ty: &Type) -> bool {
        self.handle_of(ty).is_some()
            || match self.header.resolve(ty) {
                Type::Record(id) => self.header.record(*id).size.is_some(),
                Type::Enum(_) | Type::Array { .. } | Type::Pointer { .. } | Type::Function(_) => {
                    true
                }
                _ => false,
            }
    }

    /// The class of values of a type, if they have one of their own.
    fn class_of(&self, py: Python<'_>, ty: &Type) -> Result<Option<Py<PyAny>>, Refusal> {
        if let Some(handle) = self.handle_of(ty) {
            return Ok(Some(
                self.handle_class(py, handle)?
                    .python
                    .clone_ref(py)
                    .into_any(),
            ));
        }
        Ok(match self.header.resolve(ty) {
            Type::Record(id) if self.header.record(*id).size.is_some() => {
                Some(self.record_class(py, *id)?.python.clone_ref(py).into_any())
            }
            Type::Enum(id) => self.enum_class(py, *id)?.map(Py::into_any),
            Type::Array { .. } => match ty {
                Type::Typedef(id) => self
                    .array_class(py, *id)?
                    .map(|class| class.python.clone_ref(py).into_any()),
                _ => None,
            },
            Type::Pointer { to, .. } => match self.header.resolve(to) {
                Type::Function(called) => Some(self.callback_of(py, called, ty)?),
                _ => Some(self.pointer_class(py, to)?.python.clone_ref(py).into_any()),
            },
            // A name for the function, and not for a pointer to it: `typedef void handler(int);`
            Type::Function(called) => Some(self.callback_of(py, called, ty)?),
            _ => None,
        })
    }

    fn callback_of(
        &self,
        py: Python<'_>,
        called: &FunctionType,
        ty: &Type,
    ) -> Result<Py<PyAny>, Refusal> {
        let info = self.callback(py, called, ty, None)?;
        let class = callback_class(py, &info)?;
        Ok(class.python.clone_ref(py).into_any())
    }

    /// A function as a callable.
    ///
    /// # Errors
    /// If its symbol is missing, or it cannot be called.
    pub fn function(&self, py: Python<'_>, index: u32) -> Result<Py<PyAny>, Refusal> {
        if let Some(function) = self.functions.lock().get(&index) {
            return Ok(function.clone_ref(py));
        }
        let signature = self.signature_of(py, index)?;
        let function = callable(py, signature)?;
        let mut functions = self.functions.lock();
        Ok(functions.entry(index).or_insert(function).clone_ref(py))
    }

    /// The address of a function by its symbol.
    pub(super) fn address(&self, py: Python<'_>, symbol: &str) -> Result<Option<usize>, Refusal> {
        match &self.hooks.inline {
            Some(inline) if symbol.starts_with(Function::INLINE) => {
                Ok(Some(inline.call1(py, (symbol,))?.extract(py)?))
            }
            None if symbol.starts_with(Function::INLINE) => Err(Refusal::new(format!(
                "{} is only in {}, and was not compiled with this module: make the module again where there is a C compiler (cc, or $CC)",
                symbol.trim_start_matches(Function::INLINE),
                self.header.name
            ))),
            _ => Ok(self.symbols.find(symbol)),
        }
    }

    fn signature_of(&self, py: Python<'_>, index: u32) -> Result<Signature, Refusal> {
        let plan = &self.plan.functions[index as usize];
        let symbol = &self.header.functions[plan.function as usize].symbol;
        let Some(target) = self.address(py, symbol)? else {
            return Err(Refusal::new(format!(
                "{} is declared in {}, but {} has no symbol {symbol}",
                plan.name,
                self.header.name,
                self.symbols.searched()
            )));
        };
        let signature = self.signature(py, plan, target);
        signature.map_err(|refusal| refusal.at(&plan.name))
    }

    /// A function as a callable that does not take the pointer at a place, but returns what C stores there: `kind`, a
    /// name of the header's or one of `bool`, `u8`, `i32`, `u32`, `u64` and `pointer`. For parameters that are `void *`
    /// in C since another one says what is stored.
    ///
    /// # Errors
    /// If there are no such function, pointer and type, or the function cannot be called.
    pub fn returning(
        &self,
        py: Python<'_>,
        name: &str,
        place: usize,
        kind: &str,
    ) -> Result<Py<PyAny>, Refusal> {
        let none = || {
            Refusal::new(format!(
                "{name}: expected a pointer as parameter {place}, and a type '{kind}'"
            ))
        };
        let Some(Item::Function(index)) = self.item(name) else {
            return Err(none());
        };
        let stored = match (kind, self.item(kind)) {
            ("bool", _) => Stored::Scalar(Scalar::Bool),
            ("u8", _) => Stored::Scalar(Scalar::U8),
            ("i32", _) => Stored::Scalar(Scalar::I32),
            ("u32", _) => Stored::Scalar(Scalar::U32),
            ("u64", _) => Stored::Scalar(Scalar::U64),
            ("pointer", _) => Stored::Scalar(Scalar::Pointer),
            (_, Some(Item::Handle(of))) => Stored::Handle {
                class: self.handle_class(py, of)?,
                owned: false,
            },
            (_, Some(Item::Record(of))) => {
                self.stored(py, &Type::Record(self.plan.records[of as usize].0))?
            }
            (_, Some(Item::Enum(of))) => {
                self.stored(py, &Type::Enum(self.plan.enums[of as usize].0))?
            }
            _ => return Err(none()),
        };
        let mut signature = self.signature_of(py, index)?;
        match signature.parameters.get_mut(place) {
            Some(parameter) if matches!(parameter.role, Role::Pointer { .. }) => {
                parameter.role = Role::Output(stored);
            }
            _ => return Err(none()),
        }
        Ok(callable(py, signature)?)
    }
}
