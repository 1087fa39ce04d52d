//! Global variables: values that are read and written where C has them.

use std::sync::{Arc, OnceLock};

use cuox_bind::decl::{Int, Type, Variable};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

use crate::errors::ValueContext;
use crate::library::bound::{BoundLibrary, Item, Refusal};
use crate::objects::allocate::wrap;
use crate::objects::elements::copy_record;
use crate::objects::object_ref::ObjectRef;
use crate::objects::{load, store};
use crate::types::class::Class;
use crate::types::object::READ_ONLY;
use crate::types::value::{FieldKind, Stored};

/// A variable whose symbol has been found.
pub(super) struct BoundVariable {
    form: Form,
    /// A pointer to the variable. It keeps alive what the variable has been made to point at.
    place: Py<PyAny>,
    address: usize,
    /// True if the address is only that of a value that was just computed.
    copied: bool,
    /// The class of the view of an array.
    inner: OnceLock<Arc<Class>>,
    c_type: String,
}

/// The form of a variable's value in Python.
enum Form {
    /// As a record's field of that type has.
    Field(FieldKind),
    /// Text of a length that the header does not say: `extern const char version[]`.
    Text,
}

impl BoundLibrary {
    /// True if a name is that of a variable: its value may be another one each time.
    pub fn is_variable(&self, name: &str) -> bool {
        matches!(self.item(name), Some(Item::Variable(_)))
    }

    /// A variable's value now. Records and arrays are seen in place.
    pub(super) fn variable(&self, py: Python<'_>, index: u32) -> Result<Py<PyAny>, Refusal> {
        let variable = self.bound_variable(py, index)?;
        let place = variable.place.bind(py);
        let address = variable.address;
        let value = match &variable.form {
            // SAFETY: the library has a variable of that type there, and stays loaded.
            Form::Field(kind) => unsafe {
                let value = load::load_field(
                    py,
                    address,
                    0,
                    kind,
                    ObjectRef { object: place },
                    &variable.inner,
                    &variable.c_type,
                )?;
                match kind {
                    // The place is that of the next value, too.
                    FieldKind::One(Stored::Record(_)) if variable.copied => {
                        copy_record(&value, [])?
                    }
                    _ => value,
                }
            },
            Form::Text => {
                // SAFETY: constant text ends with a NUL.
                let bytes = unsafe { std::ffi::CStr::from_ptr(address as *const _) };
                load::text(py, bytes.to_bytes())?
            }
        };
        Ok(value.unbind())
    }

    /// Writes a variable.
    ///
    /// # Errors
    /// `AttributeError` for constant variables and for other names; the errors of a value that does not fit.
    pub fn set(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> Result<(), Refusal> {
        let refuse = |text: String| Err(PyAttributeError::new_err(text).into());
        let Some(item) = self.item(name) else {
            return refuse(format!(
                "{} declares no variable '{name}' that could be assigned to",
                self.header.name
            ));
        };
        let Item::Variable(index) = item else {
            return refuse(format!(
                "'{name}' of {} is {} and cannot be assigned to",
                self.header.name,
                item.noun()
            ));
        };
        let declared = self.declared_variable(index);
        if declared.constant {
            return refuse(format!(
                "the variable '{name}' of {} is const",
                self.header.name
            ));
        }
        let variable = self.bound_variable(py, index)?;
        let place = variable.place.bind(py);
        let what = || format!("the variable '{name}'");
        let context = ValueContext {
            what: &what,
            c_type: &variable.c_type,
        };
        match &variable.form {
            // SAFETY: the library has a variable of that type there, which is not constant.
            Form::Field(kind) => unsafe {
                store::store_field(
                    variable.address,
                    0,
                    kind,
                    value,
                    ObjectRef { object: place },
                    context,
                )?;
            },
            Form::Text => return refuse(format!("the variable '{name}' is const")),
        }
        Ok(())
    }

    fn declared_variable(&self, index: u32) -> &Variable {
        let (place, _) = &self.plan.variables[index as usize];
        &self.header.variables[*place as usize]
    }

    fn bound_variable(&self, py: Python<'_>, index: u32) -> Result<Arc<BoundVariable>, Refusal> {
        if let Some(known) = self.variables.lock().get(&index) {
            return Ok(known.clone());
        }
        let name = &self.plan.variables[index as usize].1;
        let declared = self.declared_variable(index);
        let computed = declared.is_inline();
        let Some(mut address) = self.address(py, &declared.symbol)? else {
            return Err(Refusal::new(format!(
                "{name} is declared in {}, but {} has no symbol {}",
                self.header.name,
                self.symbols.searched(),
                declared.symbol
            )));
        };
        if computed {
            // SAFETY: code that was made for this macro: a function without parameters that returns where its value is.
            address = unsafe {
                let find: extern "C" fn() -> usize = std::mem::transmute(address);
                find()
            };
        }
        let form = self.variable_form(py, declared)?;
        let pointers = self.pointer_class(py, &Type::Void)?;
        let place = wrap(py, &pointers, address as u64, false, None)?;
        if declared.constant {
            // SAFETY: an object of our own, which nobody else has seen yet.
            unsafe { (*ObjectRef { object: &place }.raw()).c.flags |= READ_ONLY };
        }
        let made = Arc::new(BoundVariable {
            form,
            place: place.unbind(),
            address,
            copied: computed && declared.constant,
            inner: OnceLock::new(),
            c_type: self.header.c_type(&declared.ty),
        });
        if computed {
            // Next time it may be elsewhere.
            return Ok(made);
        }
        let mut variables = self.variables.lock();
        Ok(variables.entry(index).or_insert(made).clone())
    }

    fn variable_form(&self, py: Python<'_>, declared: &Variable) -> Result<Form, Refusal> {
        if declared.constant
            && let Type::Array { of, length: None } = self.header.resolve(&declared.ty)
            && *self.header.resolve(of) == Type::Int(Int::Char)
        {
            return Ok(Form::Text);
        }
        Ok(Form::Field(self.variable_kind(
            py,
            &declared.name,
            &declared.ty,
        )?))
    }
}
