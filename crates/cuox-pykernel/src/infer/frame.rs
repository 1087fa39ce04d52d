//! A function while it is translated, and the kernel that it belongs to: what the other files of this folder work on.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use super::branch::{Branch, Leaving};
use super::breakpoint::Stops;
use super::divergence::spread::Look;
use super::kind::Kind;
use super::scan::Scan;
use crate::ast::{self, BinaryOp, CompareOp};
use crate::code::{Code as Text, Declaration, Fixup, Variable};
use crate::collective::{Collective, Group, Place, Untyped};
use crate::compiled::{Exception, Options, Warning};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{FunctionId, FunctionSource, Host, Value};
use crate::operand::{Closure, Expr, Operand};
use crate::prelude;
use crate::types::{ArrayType, Layout, Type};

/// What kernels can use without defining it ([`crate::builtins`]).
pub struct Library {
    /// The value of a path that is one.
    pub value: fn(&mut Frame<'_, '_>, &str) -> Option<Result<Operand>>,
    /// A call of the function of a path.
    pub call: fn(&mut Frame<'_, '_>, &str, Arguments) -> Option<Result<Operand>>,
    /// A call of an operation of all threads of a block or warp.
    pub collective: fn(&mut Frame<'_, '_>, &Collective, Arguments) -> Result<Operand>,
    /// The declarations of the shared memory that those calls share.
    pub shared: fn(&SharedRegions, u64) -> Vec<String>,
    /// An attribute of a value.
    pub attribute: fn(&mut Frame<'_, '_>, Operand, &str) -> Result<Operand>,
    /// A call of a method.
    pub method: fn(&mut Frame<'_, '_>, Operand, &str, Arguments) -> Result<Operand>,
    /// A type called as a function.
    pub cast: fn(&mut Frame<'_, '_>, &Type, Arguments) -> Result<Operand>,
    /// Operators on types that are no plain numbers.
    pub operator: fn(&mut Frame<'_, '_>, BinaryOp, &Expr, &Expr) -> Option<Result<Expr>>,
    /// Comparisons of such.
    pub comparison: fn(&mut Frame<'_, '_>, CompareOp, &Expr, &Expr) -> Option<Result<Expr>>,
}

/// Where the kernel made storage for calls, and where the call is that has a part of it alone.
pub(crate) type ScratchKey = (FunctionId, (u32, u32), Option<(u32, u32)>);

/// Shared memory for several calls each: 0 of a block, 1 of a warp, from 2 on those that the kernel made itself.
pub type SharedRegions = BTreeMap<u32, SharedRegion>;

/// One of them.
#[derive(Debug, Clone, Default)]
pub struct SharedRegion {
    /// Its bytes.
    pub bytes: u64,
    /// The alignment.
    pub align: u64,
    /// The name of the call that needs most.
    pub name: String,
}

/// The arguments of a call.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    /// What is called, as messages name it.
    pub name: String,
    /// Those by position.
    pub positional: Vec<Operand>,
    /// Those by name.
    pub keywords: Vec<(String, Operand)>,
}

impl Arguments {
    /// Arguments by position only.
    pub fn of(name: &str, positional: Vec<Operand>) -> Self {
        Self {
            name: name.to_owned(),
            positional,
            keywords: Vec::new(),
        }
    }

    /// The arguments of these parameters in order, the first `required` of which must be there.
    ///
    /// # Errors
    /// Too few or too many, an unknown keyword.
    pub fn bind<const N: usize>(
        self,
        names: [&str; N],
        required: usize,
    ) -> Result<[Option<Operand>; N]> {
        let signature = || {
            let mut list: Vec<_> = names
                .iter()
                .take(required)
                .map(|n| (*n).to_owned())
                .collect();
            list.extend(names.iter().skip(required).map(|name| format!("{name}=…")));
            format!("{}({})", self.name, list.join(", "))
        };
        if self.positional.len() > N {
            return Err(Failure::new(
                Code::Arguments,
                format!(
                    "{}() takes {N} argument{}, {} given: {}",
                    self.name,
                    if N == 1 { "" } else { "s" },
                    self.positional.len(),
                    signature()
                ),
            ));
        }
        let mut bound = [const { None }; N];
        let shown = signature();
        for (place, operand) in bound.iter_mut().zip(self.positional) {
            *place = Some(operand);
        }
        for (name, operand) in self.keywords {
            match names.iter().position(|known| *known == name) {
                Some(index) if bound[index].is_none() => bound[index] = Some(operand),
                Some(_) => {
                    return Err(Failure::new(
                        Code::Arguments,
                        format!("{}() got two values for argument '{name}'", self.name),
                    ));
                }
                None => {
                    return Err(Failure::new(
                        Code::Arguments,
                        format!("{}() has no argument '{name}': {shown}", self.name),
                    ));
                }
            }
        }
        if let Some(missing) = bound.iter().take(required).position(Option::is_none) {
            return Err(Failure::new(
                Code::Arguments,
                format!(
                    "{}() is missing argument '{}': {shown}",
                    self.name, names[missing]
                ),
            ));
        }
        Ok(bound)
    }

    /// Exactly these many arguments by position.
    ///
    /// # Errors
    /// Another number, or keywords.
    pub fn exactly<const N: usize>(self) -> Result<[Operand; N]> {
        if let Some((name, _)) = self.keywords.first() {
            return Err(Failure::new(
                Code::Arguments,
                format!("{}() has no argument '{name}'", self.name),
            ));
        }
        let (given, name) = (self.positional.len(), self.name);
        self.positional.try_into().map_err(|_| {
            Failure::new(
                Code::Arguments,
                format!(
                    "{name}() takes {N} argument{}, {given} given",
                    if N == 1 { "" } else { "s" }
                ),
            )
        })
    }
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// A value in a variable of CUDA C++; its number too, if it is known.
    Variable {
        variable: Variable,
        ty: Type,
        constant: Option<Value>,
        /// As [`Expr::below`].
        below: u8,
    },
    /// Something without a variable: a function, a type, text, `None`.
    Operand(Operand),
    /// Different things by the way that was taken, which cannot be one: why.
    Conflict(String),
}

/// The names at a place.
pub type Scope = BTreeMap<String, Bound>;

/// A way to a place: its names, and where assignments can be put.
#[derive(Debug, Clone)]
pub struct Way {
    pub scope: Scope,
    pub fixup: Fixup,
    /// As [`Frame::open_storage`].
    pub open_storage: u8,
}

/// A loop around the statement that is translated.
#[derive(Debug, Default)]
pub struct Loop {
    /// The names that its turns assign.
    pub(super) assigned: HashSet<String>,
    /// Those of them that a turn reads before any statement of this one gave them a value, and where.
    pub(super) carried: BTreeMap<String, ast::Span>,
    pub(super) continues: Vec<Way>,
    pub(super) breaks: Vec<Way>,
    /// True for copies of a body, one for each item: C++ has no loop there to break out of.
    pub(super) is_unrolled: bool,
}

/// A function that can be called.
#[derive(Debug, Clone)]
pub(crate) enum Callee {
    Function(FunctionId),
    Closure(Arc<Closure>),
}

impl PartialEq for Callee {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Function(a), Self::Function(b)) => a == b,
            (Self::Closure(a), Self::Closure(b)) => {
                a.owner == b.owner && (Arc::ptr_eq(&a.tree, &b.tree) || a.tree == b.tree)
            }
            _ => false,
        }
    }
}

/// A version of a function.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The type that the result is converted to, if the function was declared with it.
    pub(crate) declared: Option<Type>,
    pub(super) callee: Callee,
    pub(super) kinds: Vec<(String, Kind)>,
    /// The name in CUDA C++.
    pub symbol: String,
    /// The result's type; `None` while it is not known.
    pub result: Option<Type>,
    /// The result, if it is no value: a function, a range. The values in it are those of `result`.
    pub(super) result_kind: Option<Kind>,
    /// True while it is translated.
    pub(super) is_open: bool,
    /// True if it was called while it was translated.
    pub(super) is_recursive: bool,
    /// The collectives that it calls, and functions that it calls.
    pub(super) collectives: Vec<(Group, String)>,
    /// The types of the items that it makes, whose memory the caller gives: they may be returned.
    pub(super) items: Vec<String>,
    pub(super) prototype: String,
}

/// All functions of one kernel.
pub struct Program<'h> {
    pub(crate) host: &'h mut dyn Host,
    pub(crate) library: &'static Library,
    pub(crate) options: &'h Options,
    pub(super) instances: Vec<Instance>,
    /// Texts of complete functions.
    pub(super) functions: Vec<String>,
    /// Structures and constants before them.
    pub(crate) declarations: Vec<String>,
    pub(crate) sections: BTreeSet<&'static str>,
    pub(crate) exceptions: Vec<Exception>,
    pub(crate) symbols: HashSet<String>,
    pub(crate) state: Vec<(u32, Type)>,
    pub(crate) is_cooperative: bool,
    pub(crate) has_breakpoints: bool,
    pub(crate) external: Vec<String>,
    pub(super) sources: HashMap<FunctionId, Arc<FunctionSource>>,
    /// Calls that are being translated: the name, file and place.
    pub(super) calls: Vec<(String, Arc<str>, ast::Span)>,
    /// The bytes of shared arrays, by the function, line and column that make each: a statement may be translated
    /// twice.
    pub(crate) shared: BTreeMap<(FunctionId, u32, u32), u64>,
    /// The regions that collectives without a storage of their own share: bytes, and the one that needs most.
    pub(crate) stored: SharedRegions,
    /// The collectives that the function of now has called so far, one for each group.
    pub(super) collectives: Vec<(Group, String)>,
    /// Warnings about the program.
    pub(crate) warnings: Vec<Warning>,
    /// True if a check was put in that the options ask for.
    pub(crate) has_checks: bool,
    /// The shape of the blocks that the kernel is launched with, and the collective that says so.
    pub(crate) block: Option<([u32; 3], String)>,
    /// True if the launch that the kernel is compiled for told that shape.
    pub(crate) has_launch_block: bool,
    /// True if the values of arguments that are ints are known.
    pub(crate) has_values: bool,
    /// True if a number that must be known was not.
    pub(crate) wants_values: bool,
    /// The types of items that were made without one, and those that this translation has found.
    pub(crate) item_types: HashMap<Place, Type>,
    pub(crate) found_types: HashMap<Place, Type>,
    /// The storage that the kernel made for calls, and the call that has a part of it alone; their numbers count the
    /// regions from 2 on.
    pub(crate) scratches: Vec<ScratchKey>,
}

/// A function while it is translated.
pub struct Frame<'p, 'h> {
    pub(crate) program: &'p mut Program<'h>,
    /// The function whose names it has.
    pub(crate) owner: FunctionId,
    /// Its version's name in CUDA C++.
    pub(crate) symbol: String,
    pub(crate) source: Arc<FunctionSource>,
    pub(crate) name: String,
    pub(crate) code: Text,
    pub(crate) variables: Vec<Declaration>,
    pub(super) by_type: HashMap<(String, Type), Variable>,
    pub(super) names: HashSet<String>,
    /// Variables of C++ that are assigned once, with the value of an expression.
    pub(super) temporaries: HashSet<Variable>,
    /// The number of assignments to Python's variables so far.
    pub(super) assignments: u32,
    /// The variables of the functions around that it uses.
    pub(super) captured_names: Vec<String>,
    /// The number of variables that functions among the arguments have captured, and its own, so far.
    pub(super) given: usize,
    /// The functions inside whose variables are being looked up.
    pub(super) resolving: Vec<Arc<ast::Function>>,
    pub(super) scan: Scan,
    pub(crate) scope: Scope,
    /// False behind a jump.
    pub(super) is_reachable: bool,
    pub(super) loops: Vec<Loop>,
    /// The types of the values that were returned so far.
    pub(super) returned: Vec<Type>,
    /// What a return gave, for messages, and its kind without types if that is no value.
    pub(super) result_kind: Option<(String, Option<Kind>)>,
    /// The type that returned values are converted to, if it is known.
    pub(super) result: Option<Type>,
    /// True if the result's type was declared.
    pub(super) is_declared: bool,
    pub(crate) is_kernel: bool,
    /// Its tree.
    pub(super) tree: Arc<ast::Function>,
    /// The variables of items that it makes, if the caller gives their memory, which it does for all but the first
    /// function.
    pub(super) items: Vec<Variable>,
    pub(super) is_first: bool,
    /// The tests that the statements of now stand behind, and the threads that have left.
    pub(super) branches: Vec<Branch>,
    pub(super) left: Vec<Leaving>,
    /// What is looked at to tell which threads get to a call.
    pub(super) look: Look,
    /// A bit for each of the [`SharedRegions`] that other threads may still be reading here: a barrier must stand
    /// before the next use.
    pub(crate) open_storage: u8,
    /// The number of calls of collectives, and of functions that call some.
    pub(super) calls_together: u32,
    pub(super) depth: u32,
    /// The function's first line and its parameters, for debuggers.
    pub(super) first_line: u32,
    pub(super) parameters: Vec<String>,
    /// What stops need, in a function with breakpoints.
    pub(super) stops: Option<Stops>,
    /// The line of the statement behind, in the same block.
    pub(super) next_line: Option<u32>,
    /// The expression that is being translated, for messages and line numbers.
    pub(crate) span: ast::Span,
}

impl Program<'_> {
    /// The most warps that the kernel's blocks can have.
    pub(crate) fn most_warps(&self) -> u64 {
        const MOST_THREADS: u64 = 1024;
        let threads = match (&self.block, &self.options.launch_bounds) {
            (Some((shape, _)), _) => shape.iter().copied().map(u64::from).product(),
            (None, Some((threads, _, _))) => u64::from(*threads),
            (None, None) => MOST_THREADS,
        };
        threads.div_ceil(crate::collective::WARP)
    }

    /// The number of versions of functions so far.
    pub(crate) fn instances_len(&self) -> usize {
        self.instances.len()
    }

    /// Forgets the versions since there were this many, with these symbols.
    pub(crate) fn forget_from(&mut self, count: usize, symbols: HashSet<String>) {
        self.instances.truncate(count);
        self.symbols = symbols;
    }

    /// A name in CUDA C++ that is not in use.
    pub(crate) fn symbol(&mut self, wanted: &str) -> String {
        let name = identifier(wanted);
        let mut symbol = name.clone();
        let mut count = 1;
        while is_reserved(&symbol) || self.symbols.contains(&symbol) {
            count += 1;
            symbol = format!("{name}_{count}");
        }
        self.symbols.insert(symbol.clone());
        symbol
    }
}

impl Frame<'_, '_> {
    /// Notes the call of a collective.
    pub(crate) fn called_together(&mut self, group: Group, name: &str) {
        self.calls_together += 1;
        let known = &mut self.program.collectives;
        if known.iter().all(|(other, _)| *other != group) {
            known.push((group, name.to_owned()));
        }
    }

    /// Runs this, and returns the collectives that it has called, which are not noted.
    pub(crate) fn calls_together_in<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> T,
    ) -> (T, Vec<(Group, String)>) {
        let before = std::mem::take(&mut self.program.collectives);
        let done = run(self);
        let called = std::mem::replace(&mut self.program.collectives, before);
        (done, called)
    }

    /// Notes a barrier of the whole block.
    pub(crate) fn synchronized(&mut self) {
        self.open_storage = 0;
    }

    /// A new variable of CUDA C++ with a name like this.
    pub(super) fn new_variable(&mut self, wanted: &str, ty: &Type) -> Variable {
        let base = identifier(wanted);
        let mut name = base.clone();
        if self.names.contains(&name) || is_reserved(&name) || self.program.symbols.contains(&name)
        {
            let suffix = match ty {
                Type::Bool => "bool".to_owned(),
                Type::Int { .. } | Type::Float(_) | Type::BFloat16 | Type::Complex(_) => ty
                    .cxx()
                    .replace("float", "f")
                    .replace("uint", "u")
                    .replace("int", "i"),
                _ => String::new(),
            };
            name = format!("{base}_{suffix}");
            let mut count = 1;
            while self.names.contains(&name) || is_reserved(&name) {
                count += 1;
                name = format!("{base}_{count}");
            }
        }
        self.names.insert(name.clone());
        self.declare(name, ty)
    }

    /// A variable whose name may be used by others in other blocks.
    pub(super) fn declare(&mut self, name: String, ty: &Type) -> Variable {
        let variable = Variable(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.variables.push(Declaration {
            name,
            ty: ty.cxx(),
            is_declared: false,
        });
        variable
    }

    /// True if another thing of CUDA C++ in this function has the name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.names.contains(name) || is_reserved(name) || self.program.symbols.contains(name)
    }

    /// A section of the prelude that the text needs.
    pub(crate) fn need(&mut self, section: &'static str) {
        self.program.sections.insert(section);
    }

    /// Notes what a type needs of the prelude and declarations.
    pub(crate) fn need_type(&mut self, ty: &Type) {
        match ty {
            Type::Float(16) => self.need("float16"),
            Type::BFloat16 => self.need("bfloat16"),
            Type::Complex(_) => self.need("complex"),
            Type::Tuple(tuple) => {
                self.need("tuple");
                for item in &tuple.items {
                    self.need_type(item);
                }
            }
            Type::Array(array) => {
                self.need("array");
                self.need_type(&array.element);
            }
            Type::Record(record) => {
                for field in &record.fields {
                    self.need_type(&field.ty);
                }
                self.need("record");
                let text = crate::record::declaration(record);
                if !self.program.declarations.contains(&text) {
                    self.program.declarations.push(text);
                }
            }
            Type::Chars { .. } => self.need("chars"),
            Type::Vector(element, _) => {
                self.need("vector");
                self.need_type(element);
            }
            Type::Pointer(to) => self.need_type(to),
            _ => {}
        }
    }

    /// What was asked of the compiler.
    pub(crate) fn options(&self) -> &Options {
        self.program.options
    }

    /// A name of CUDA C++ for something that is no variable of Python's.
    pub(crate) fn new_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut count = 1;
        while self.is_taken(&name) {
            count += 1;
            name = format!("{wanted}_{count}");
        }
        self.names.insert(name.clone());
        name
    }

    /// A variable without a value yet, for functions that write through a pointer.
    pub(crate) fn new_place(&mut self, wanted: &str, ty: &Type) -> Expr {
        self.need_type(ty);
        let variable = self.new_variable(wanted, ty);
        self.variables[variable.0 as usize].is_declared = true;
        self.code
            .statement(format!("{} {};", ty.cxx(), variable.token()));
        Expr::new(ty.clone(), variable.token())
    }

    /// An array of a thread's own, which lives as long as the kernel: where it was made may be a block of C++, or a
    /// function that returns it.
    pub(crate) fn new_items(&mut self, element: &Type, count: u64, align: u64) -> Operand {
        self.need("collective");
        let ty = Type::Array(Arc::new(ArrayType {
            element: element.clone(),
            ndim: 1,
            layout: Layout::C,
            mutable: true,
            shape: Some([count].into()),
        }));
        self.need_type(&ty);
        let (name, item) = (self.new_name("items"), element.storage());
        let align = align.max(element.align().unwrap_or(1));
        let bytes = count * element.size().unwrap_or(1);
        let variable = self.caller_items(name, format!("py::collective::items<{bytes}, {align}>"));
        let text = format!(
            "{}{{({item} *){}.bytes, {{{count}}}}}",
            ty.cxx(),
            variable.token()
        );
        Expr::new(ty, text).into()
    }

    /// A variable of this type of C++ whose memory is the kernel's.
    pub(super) fn caller_items(&mut self, name: String, ty: String) -> Variable {
        let variable = self.declare(name, &Type::None);
        let declaration = &mut self.variables[variable.0 as usize];
        declaration.ty = ty;
        if !self.is_first {
            declaration.is_declared = true;
            self.items.push(variable);
        }
        variable
    }

    /// Notes the type of items that were made without one: the kernel is translated again with it.
    pub(crate) fn found_items(&mut self, items: &Untyped, ty: &Type) -> Failure {
        let known = &mut self.program.found_types;
        known
            .entry(items.place.clone())
            .or_insert_with(|| ty.clone());
        Failure::new(Code::Type, "the type of ThreadData is known now")
    }

    /// The failure of items whose type nothing has told.
    pub(crate) fn untyped_items() -> Failure {
        Failure::new(
            Code::Type,
            "ThreadData is read before anything gave it a type: coop.load() does, an assignment to an item, or dtype",
        )
        .help("such as coop.ThreadData(4, numpy.float32)")
    }

    /// A type that is known now, given as one: `np.float32`, `types.int32`, `float`, `a.dtype`, `"float32"`.
    pub(crate) fn dtype(&mut self, operand: Operand) -> Result<Type> {
        let described = operand.described();
        if let Operand::Constant(Value::Str(name)) = &operand
            && Type::parse(name).is_none()
        {
            return Err(Failure::new(
                Code::Type,
                format!("Invalid NumPy dtype specified: '{name}'"),
            ));
        }
        let found = match operand {
            Operand::Constant(Value::Type(ty)) => Some(ty),
            Operand::Constant(Value::Str(name)) => Type::parse(&name),
            Operand::Constant(Value::Path(path)) => match path.as_str() {
                "builtins.float" => Some(crate::types::FLOAT64),
                "builtins.int" => Some(crate::types::INT64),
                "builtins.bool" => Some(Type::Bool),
                "builtins.complex" => Some(crate::types::COMPLEX128),
                _ => None,
            },
            // A structure of the program's: its fields' record.
            Operand::Constant(Value::NamedTuple(_, fields)) => {
                let fields = fields
                    .iter()
                    .map(|(name, ty)| Some((name.as_str(), ty.as_ref()?)))
                    .collect::<Option<Vec<_>>>();
                let record = fields.and_then(crate::types::RecordType::of_fields);
                record.map(|record| Type::Record(Arc::new(record)))
            }
            _ => None,
        };
        found.ok_or_else(|| {
            Failure::new(
                Code::NotConstant,
                format!("expected a type, got {described}"),
            )
            .help("such as numpy.float32 or types.float32")
        })
    }

    /// An operand as a value in a variable.
    pub(crate) fn settled_value(&mut self, operand: Operand) -> Result<Operand> {
        let value = self.value(operand)?;
        Ok(self.hoist(value).into())
    }
}

/// A name in CUDA C++ for a name of Python.
pub(crate) fn identifier(name: &str) -> String {
    let mut all = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            all.push(c);
        } else {
            let _ = write!(all, "u{:x}_", c as u32);
        }
    }
    if all.is_empty() || all.starts_with(|c: char| c.is_ascii_digit()) {
        all.insert(0, '_');
    }
    // Names with two underscores belong to the compiler; `is_reserved` has all names that begin as those of the
    // program's own structures and constants.
    if ["__", "state_", "record_"]
        .iter()
        .any(|prefix| all.starts_with(prefix))
    {
        all.insert(0, 'v');
    }
    all
}

/// Words of C++ and names that are in scope everywhere. Functions of CUDA and of the prelude are written with `::`, so
/// their names are free.
fn is_reserved(name: &str) -> bool {
    const WORDS: &str = " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const \
        consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export \
        extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
        register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try \
        typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq linux unix NULL assert printf malloc free memcpy memset \
        threadIdx blockIdx blockDim gridDim warpSize main ";
    WORDS.split_whitespace().any(|word| word == name)
        || prelude::is_name(name)
        || name.starts_with("state_")
        || name.starts_with("record_")
}
