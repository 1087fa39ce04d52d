//! A shared library with a plan: names become callables, classes and constants when they are first asked for.

mod classes;
mod lower;
mod symbols;

use std::collections::HashMap;
use std::sync::Arc;

use cuox_bind::decl::{Header, Type};
use cuox_bind::plan::{HandleOf, Plan};
use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::objects;
use crate::signature::{Role, Scalar, Signature, Stored};

pub use classes::{float, integer};
pub use lower::object;
pub use symbols::{Asked, Libraries, Symbols};

/// Why something of a library cannot be used from Python: a sentence, or an exception on the way.
#[derive(Debug)]
pub enum Refusal {
    /// A sentence.
    Because(String),
    /// An exception.
    Raised(PyErr),
}

impl Refusal {
    fn new(text: String) -> Self {
        Self::Because(text)
    }

    /// Says of what.
    fn at(self, part: &str) -> Self {
        match self {
            Self::Because(text) => Self::Because(format!("{part}: {text}")),
            raised => raised,
        }
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// What Python does for a library.
pub struct Hooks {
    /// `(name, {constant: value}, {constant: doc}, doc, module, whether it is of flags) -> class`: makes an enumeration's class.
    pub make_enum: Py<PyAny>,
    /// `(enumeration's class or None, function that gives a code's text or None) -> callable(function's name, code) -> exception`.
    pub make_raise: Py<PyAny>,
}

/// What a name of a library stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// An index into the plan's functions.
    Function(u32),
    /// An index into the plan's handles.
    Handle(u32),
    /// An index into the plan's records.
    Record(u32),
    /// An index into the plan's enumerations.
    Enum(u32),
    /// A constant of an enumeration: indices into the plan's enumerations and its values.
    Member(u32, u32),
    /// An index into the plan's constants.
    Constant(u32),
    /// An index into the plan's variables.
    Variable(u32),
    /// An index into the header's typedefs, of which none of the above has the name.
    Typedef(u32),
    /// An index into the header's records, whose tag it is, and of which none of the above has the name.
    Tag(u32),
}

/// What a header does not say of records' fields, by `Record.field`.
#[derive(Debug, Default)]
pub struct FieldRules {
    /// How long a list or an array of `char` is: as another field says, or up to its [`NUL`](Self::NUL).
    pub lengths: HashMap<String, String>,
    /// Numbers that are in a new record.
    pub defaults: HashMap<String, i64>,
}

impl FieldRules {
    /// The length of text that ends with a NUL.
    pub const NUL: &str = "NUL";
}

/// A header's declarations, their plan, and where the symbols are.
pub struct BoundLibrary {
    /// The declarations.
    pub header: Arc<Header>,
    /// How they are used.
    pub plan: Arc<Plan>,
    /// Where the symbols are.
    pub symbols: Box<dyn Symbols>,
    /// The Python module whose the names are, for `__module__`.
    pub module: Option<String>,
    /// Whether values are as in `cuda.bindings`. Handles are plain values: nothing is closed or destroyed by itself, null ones are objects, and ints are
    /// taken for them. In records pointers are ints, or lists where they point at records or handles; so are arrays. Floats that are integers are taken for them.
    pub plain: bool,
    /// With `plain`: what the header does not say of records' fields.
    pub fields: FieldRules,
    hooks: Hooks,
    names: HashMap<String, Item>,
    handle_index: HashMap<HandleOf, u32>,
    made: classes::Made,
    /// Functions that other functions need, by their index.
    functions: Mutex<HashMap<u32, Py<PyAny>>>,
}

impl BoundLibrary {
    /// Puts a header, its plan and its library together. Nothing is looked up yet.
    pub fn new(
        header: Arc<Header>,
        plan: Arc<Plan>,
        symbols: Box<dyn Symbols>,
        module: Option<String>,
        hooks: Hooks,
    ) -> Self {
        let mut names = HashMap::new();
        // What comes later is what a name means: a function before a type of its name, a class before its typedef.
        let places = |count: usize| 0..count as u32;
        for i in places(header.records.len()) {
            let record = &header.records[i as usize];
            if record.tagged && record.size.is_some() {
                names.insert(record.name.clone(), Item::Tag(i));
            }
        }
        for i in places(header.typedefs.len()) {
            names.insert(header.typedefs[i as usize].name.clone(), Item::Typedef(i));
        }
        for i in places(plan.constants.len()) {
            names.insert(plan.constants[i as usize].0.clone(), Item::Constant(i));
        }
        for i in places(plan.enums.len()) {
            let values = &header.enumeration(plan.enums[i as usize].0).values;
            for j in places(values.len()) {
                names.insert(values[j as usize].name.clone(), Item::Member(i, j));
            }
        }
        for i in places(plan.enums.len()) {
            names.insert(plan.enums[i as usize].1.clone(), Item::Enum(i));
        }
        for i in places(plan.records.len()) {
            names.insert(plan.records[i as usize].1.clone(), Item::Record(i));
        }
        for i in places(plan.handles.len()) {
            names.insert(plan.handles[i as usize].name.clone(), Item::Handle(i));
        }
        for i in places(plan.variables.len()) {
            names.insert(plan.variables[i as usize].1.clone(), Item::Variable(i));
        }
        for i in places(plan.functions.len()) {
            names.insert(plan.functions[i as usize].name.clone(), Item::Function(i));
        }
        let handles = plan.handles.iter().enumerate();
        let handle_index = handles.map(|(i, handle)| (handle.of, i as u32)).collect();
        Self {
            header,
            plan,
            symbols,
            module,
            plain: false,
            fields: FieldRules::default(),
            hooks,
            names,
            handle_index,
            made: classes::Made::default(),
            functions: Mutex::default(),
        }
    }

    fn module(&self) -> Option<&str> {
        self.module.as_deref()
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// What a name stands for.
    pub fn item(&self, name: &str) -> Option<Item> {
        self.names.get(name).copied()
    }

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
            Type::Pointer { to, .. } => match self.header.resolve(to) {
                Type::Function(called) => {
                    let info = self.callback(py, called, ty, None)?;
                    let class = crate::objects::callback::class(py, &info)?;
                    Some(class.python.clone_ref(py).into_any())
                }
                _ => Some(self.pointer_class(py, to)?.python.clone_ref(py).into_any()),
            },
            _ => None,
        })
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
        let function = crate::compile::callable(py, signature)?;
        let mut functions = self.functions.lock();
        Ok(functions.entry(index).or_insert(function).clone_ref(py))
    }

    fn signature_of(&self, py: Python<'_>, index: u32) -> Result<Signature, Refusal> {
        let plan = &self.plan.functions[index as usize];
        let symbol = &self.header.functions[plan.function as usize].symbol;
        let Some(target) = self.symbols.find(symbol) else {
            return Err(Refusal::new(format!(
                "{} is declared in {}, but {} has no symbol {symbol}",
                plan.name,
                self.header.name,
                self.symbols.place()
            )));
        };
        let signature = self.signature(py, plan, target);
        signature.map_err(|refusal| refusal.at(&plan.name))
    }

    /// A function as a callable that does not take the pointer at a place, but returns what C stores there: `kind`, a name of the header's or one of
    /// `bool`, `u8`, `i32`, `u32`, `u64` and `pointer`. For parameters that are `void *` in C since another one says what is stored.
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
        let none = || Refusal::new(format!("{name}: no pointer at {place} to a {kind}"));
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
        Ok(crate::compile::callable(py, signature)?)
    }

    /// A variable: a record or array is seen in place, of anything else a pointer to it.
    fn variable(&self, py: Python<'_>, index: u32) -> Result<Py<PyAny>, Refusal> {
        let (place, name) = &self.plan.variables[index as usize];
        let declared = &self.header.variables[*place as usize];
        let Some(address) = self.symbols.find(&declared.name) else {
            return Err(Refusal::new(format!(
                "{name} is declared in {}, but {} has no symbol {}",
                self.header.name,
                self.symbols.place(),
                declared.name
            )));
        };
        let class = match self.header.resolve(&declared.ty) {
            Type::Record(id) => self.record_class(py, *id)?,
            Type::Array { of, .. } => self.pointer_class(py, of)?,
            _ => self.pointer_class(py, &declared.ty)?,
        };
        let object = objects::wrap(py, &class, address as u64, false, None)?;
        if let (true, Some(this)) = (declared.constant, objects::as_object(&object)) {
            // SAFETY: an object of our own, which nobody else has seen yet.
            unsafe { (*this.raw()).c.flags |= objects::READ_ONLY };
        }
        Ok(object.unbind())
    }
}
