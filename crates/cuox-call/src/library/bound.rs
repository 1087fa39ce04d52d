//! A shared library with its header and plan.

use crate::library::class_cache::ClassCache;
use std::collections::HashMap;
use std::sync::Arc;

use cuox_bind::decl::{Header, Type, TypedefId};
use cuox_bind::plan::{HandleOf, Plan};
use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::library::symbols::Symbols;
use crate::library::variables::BoundVariable;

/// The reason why an item of a library cannot be used from Python.
#[derive(Debug)]
pub enum Refusal {
    /// A sentence.
    Because(String),
    /// An exception.
    Raised(PyErr),
}

impl Refusal {
    pub(super) fn new(text: String) -> Self {
        Self::Because(text)
    }

    /// Puts the part that it is about in front.
    pub(super) fn at(self, part: &str) -> Self {
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

/// Python functions that a library needs.
pub struct Hooks {
    /// `(name, {constant: value}, {constant: doc}, doc, module, whether it is of flags) -> class`: makes an
    /// enumeration's class.
    pub make_enum: Py<PyAny>,
    /// `(enumeration's class or None, function that gives a code's text or None) -> callable(function's name, code) ->
    /// exception`.
    pub make_raise: Py<PyAny>,
    /// `(symbol) -> address`: compiles the functions that are only in the header. Without it there are none of these.
    pub inline: Option<Py<PyAny>>,
}

/// The item that a name of a library stands for.
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

impl Item {
    /// The kind of item, for errors.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Function(_) => "a function",
            Self::Variable(_) => "a variable",
            Self::Member(..) | Self::Constant(_) => "a constant",
            _ => "a type",
        }
    }
}

/// Facts about records' fields that a header does not have, by `Record.field`.
#[derive(Debug, Default)]
pub struct FieldRules {
    /// The length of a list or an array of `char`: the name of the field that has it, or [`NUL`](Self::NUL).
    pub lengths: HashMap<String, String>,
    /// Initial values of fields, other than 0.
    pub defaults: HashMap<String, i64>,
}

impl FieldRules {
    /// The length of text that ends with a NUL.
    pub const NUL: &str = "NUL";
}

/// A header's declarations, their plan, and the source of symbols.
pub struct BoundLibrary {
    /// The declarations.
    pub header: Arc<Header>,
    /// The plan for them.
    pub plan: Arc<Plan>,
    /// The source of symbols.
    pub symbols: Box<dyn Symbols>,
    /// The Python module that has the names, for `__module__`.
    pub module: Option<String>,
    /// True if values are as in `cuda.bindings`. Handles are plain values: nothing is closed or destroyed by itself,
    /// null ones are objects, and ints are taken for them. In records pointers are ints, or lists where they point at
    /// records or handles; so are arrays. Floats that are integers are taken for them.
    pub plain: bool,
    /// True if every `char *` in memory is text, and records take attributes beside their fields, as in SWIG.
    pub as_swig: bool,
    /// With `plain`: facts about records' fields that the header does not have.
    pub fields: FieldRules,
    pub(super) hooks: Hooks,
    pub(super) names: HashMap<String, Item>,
    pub(super) handle_index: HashMap<HandleOf, u32>,
    pub(super) made: ClassCache,
    /// Functions that other functions need, by their index.
    pub(super) functions: Mutex<HashMap<u32, Py<PyAny>>>,
    /// Variables that have been found, by their index.
    pub(super) variables: Mutex<HashMap<u32, Arc<BoundVariable>>>,
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
        // Later insertions win: a function over a type of its name, a class over its typedef.
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
            as_swig: false,
            fields: FieldRules::default(),
            hooks,
            names,
            handle_index,
            made: ClassCache::default(),
            functions: Mutex::default(),
            variables: Mutex::default(),
        }
    }

    pub(super) fn module(&self) -> Option<&str> {
        self.module.as_deref()
    }

    /// All names that stand for something in Python, sorted.
    pub fn names(&self) -> Vec<&str> {
        let has_value = |item: &Item| match item {
            Item::Typedef(id) => self.has_class(&Type::Typedef(TypedefId(*id))),
            _ => true,
        };
        let names = self.names.iter().filter(|(_, item)| has_value(item));
        let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The item that a name stands for.
    pub fn item(&self, name: &str) -> Option<Item> {
        self.names.get(name).copied()
    }
}
