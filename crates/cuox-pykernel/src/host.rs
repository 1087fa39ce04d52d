//! The compiler's view of the program that a function comes from: what its names mean.

use std::sync::Arc;

use crate::ast;
use crate::collective::{Collective, Part};
use crate::types::Type;

/// A Python function, by a number that the host chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// An object that the compiler knows nothing of, by a number that the host chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObjectId(pub u32);

/// What an object that the compiler knows nothing of is in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// The class of an enumeration.
    Enumeration,
    /// Another class.
    Class,
    /// No class.
    Other,
}

/// What a name means when the kernel is compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`.
    None,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i128),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// A number with a type: a NumPy scalar. The value is one of the four above.
    Typed(Type, Box<Value>),
    /// Text.
    Str(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A tuple; also a list that a kernel only reads, or the names and values of a named tuple.
    Tuple(Vec<Value>),
    /// `slice(start, stop, step)`.
    Slice(Box<[Value; 3]>),
    /// `range(start, stop, step)`.
    Range(i128, i128, i128),
    /// A function, type or module that the compiler knows by its dotted path: `math.sin`, `cuda.grid`, `numpy.float32`,
    /// `builtins.len`.
    Path(String),
    /// A type: `numpy.float32`, `types.int32`, `numpy.dtype(…)`.
    Type(Type),
    /// A Python function that kernels can call.
    Function(FunctionId),
    /// A class of named tuples: calling it makes one. A field whose type is known gets values of that type.
    NamedTuple(String, Vec<(String, Option<Type>)>),
    /// A host array: its elements become constants of the kernel.
    Array {
        /// The type of an element.
        element: Type,
        /// The lengths.
        shape: Vec<usize>,
        /// The elements' bytes.
        data: Vec<u8>,
        /// Their order.
        order: ArrayOrder,
    },
    /// A record of the host's, with its bytes: a constant of the kernel.
    Record(Type, Vec<u8>),
    /// A value that is put into a constant of the module once it is loaded: a captured device array.
    State(u32, Type),
    /// A structure of several values that the user defined in Python: fields are read by name.
    Struct(String, Vec<(String, Value)>),
    /// An operation of all threads of a block or warp.
    Collective(Arc<Collective>),
    /// What a kernel has made for calls of such.
    Part(Part),
    /// Any other object. It has attributes (a module, a class, an enum), and is `described` in errors.
    Object(ObjectId, String),
}

/// Where the elements of a captured host array lie in its bytes.
#[derive(Debug, Clone, PartialEq)]
pub enum ArrayOrder {
    /// In C's order.
    C,
    /// In Fortran's order.
    Fortran,
    /// By strides in bytes, from the first element's offset.
    Strides(Vec<i64>, usize),
}

/// A function's tree and what belongs to it.
#[derive(Debug, Clone)]
pub struct FunctionSource {
    /// The tree.
    pub tree: Arc<ast::Function>,
    /// The file, as Python names it.
    pub file: Arc<str>,
    /// The file's lines from `first_line` on, for diagnostics.
    pub lines: Arc<[String]>,
    /// The number of the first of `lines`.
    pub first_line: u32,
    /// The values of defaults, by the parameter's name.
    pub defaults: Vec<(String, Value)>,
    /// The signatures that the function was declared with: types of the parameters, and of the result where it is
    /// given.
    pub signatures: Vec<(Vec<Type>, Option<Type>)>,
    /// `Some`: the function is CUDA C++ elsewhere (`declare_device`), called by this name.
    pub external: Option<External>,
    /// Whether calls are inlined: `Some(false)` keeps the compiler from it.
    pub inline: Option<bool>,
}

/// A function that is written in CUDA C++.
#[derive(Debug, Clone, PartialEq)]
pub struct External {
    /// The name in CUDA C++.
    pub symbol: String,
    /// True if its first parameter points to the result and it returns a status, as Numba's convention has it.
    pub numba_abi: bool,
}

/// Where a name was looked for.
#[derive(Debug, Clone, Copy)]
pub enum Within<'a> {
    /// Among the names that a function sees; these are its own variables.
    Function(FunctionId, &'a [String]),
    /// Among the attributes of an object.
    Object(ObjectId),
    /// Among the members of a module or namespace that is known by its path.
    Path(&'a str),
}

/// The program around a function.
pub trait Host {
    /// The meaning of a global name, a builtin or a variable of an enclosing function, as seen from this function.
    /// `None`: there is none.
    fn name(&mut self, function: FunctionId, name: &str) -> Option<Value>;

    /// An attribute of an object.
    fn attribute(&mut self, object: ObjectId, name: &str) -> Option<Value>;

    /// An attribute of a module or namespace known by its path, such as `numpy` or `cuda`: the path of the thing, or a
    /// constant (`math.pi`).
    fn member(&mut self, path: &str, name: &str) -> Option<Value>;

    /// The item of an object: `enum_class["name"]`, a dictionary that a kernel reads.
    fn item(&mut self, object: ObjectId, key: &Value) -> Option<Value>;

    /// The member that the class of an enumeration gives for a value. `None`: it is none, or has no such member.
    fn called(&mut self, object: ObjectId, value: &Value) -> Option<Value>;

    /// What an object is, for errors about it.
    fn kind(&mut self, object: ObjectId) -> ObjectKind;

    /// A name that was probably meant by one that was not found, as a program would have it there.
    fn meant(&mut self, within: Within<'_>, name: &str) -> Option<String>;

    /// The tree of a function. The error says why there is none.
    fn function(&mut self, id: FunctionId) -> Result<FunctionSource, String>;
}
