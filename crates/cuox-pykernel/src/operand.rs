//! What an expression stands for while a function is translated.

use std::sync::Arc;

use crate::ast;
use crate::code::Variable;
use crate::host::{FunctionId, Value};
use crate::types::{BOOL, COMPLEX128, FLOAT64, INT64, Type, UINT64};

/// How tightly the outermost operator of a text binds: C++ needs parentheses around what binds less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// `c ? a : b`.
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Less,
    Shift,
    Sum,
    Product,
    Unary,
    /// Names, numbers, calls, subscripts.
    Primary,
}

/// A value at run time: text of CUDA C++ with its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The type of the value. The text has exactly this type in CUDA C++, not one that C++ would promote it to.
    pub ty: Type,
    /// The text.
    pub text: String,
    /// Its outermost operator.
    pub binding: Binding,
    /// The value, if it is known now: a number or a tuple of such.
    pub constant: Option<Value>,
    /// True if evaluating it twice, or not at all, changes nothing and gives the same while no statement comes between.
    pub is_pure: bool,
    /// True if the text can be assigned to.
    pub is_place: bool,
    /// An int is known to be from 0 up, with this many bits; 0: nothing is known. [`Expr::bits`] asks the type, too.
    pub below: u8,
}

impl Expr {
    /// A value whose text is a name, call or the like.
    pub fn new(ty: Type, text: impl Into<String>) -> Self {
        Self::bound(ty, text, Binding::Primary)
    }

    /// A value with its outermost operator.
    pub fn bound(ty: Type, text: impl Into<String>, binding: Binding) -> Self {
        Self {
            ty,
            text: text.into(),
            binding,
            constant: None,
            is_pure: true,
            is_place: false,
            below: 0,
        }
    }

    /// The same, for an int that is never negative and has no more than these bits.
    #[must_use]
    pub fn natural(mut self, bits: u8) -> Self {
        self.below = match &self.ty {
            Type::Int { bits: own, .. } if bits < *own => bits,
            _ => 0,
        };
        self
    }

    /// The bits of an int that is known not to be negative; `None` if it is not known, or has 64.
    pub fn bits(&self) -> Option<u8> {
        if let Some(known) = self.constant_int() {
            let used = (128 - known.leading_zeros()).max(1);
            return u8::try_from(used)
                .ok()
                .filter(|bits| known >= 0 && *bits < 64);
        }
        match &self.ty {
            _ if self.below != 0 => Some(self.below),
            Type::Bool => Some(1),
            Type::Int {
                bits,
                signed: false,
            } if *bits < 64 => Some(*bits),
            _ => None,
        }
    }

    /// The same, with an effect: it is evaluated once, in its place.
    #[must_use]
    pub fn with_effect(mut self) -> Self {
        self.is_pure = false;
        self
    }

    /// The same, for something that can be assigned to.
    #[must_use]
    pub fn place(mut self) -> Self {
        self.is_place = true;
        self
    }

    /// A number that is known now. `None` for what is no number.
    pub fn number(value: &Value) -> Option<Self> {
        let (ty, text, binding) = match value {
            Value::Bool(value) => (BOOL, value.to_string(), Binding::Primary),
            Value::Int(value) => {
                let ty = if i64::try_from(*value).is_ok() {
                    INT64
                } else {
                    UINT64
                };
                let (text, binding) = integer(*value, &ty);
                (ty, text, binding)
            }
            Value::Float(value) => {
                let (text, binding) = float(*value, 64);
                (FLOAT64, text, binding)
            }
            Value::Complex(real, imaginary) => (
                COMPLEX128,
                format!(
                    "complex128({}, {})",
                    float(*real, 64).0,
                    float(*imaginary, 64).0
                ),
                Binding::Primary,
            ),
            Value::Typed(ty, value) => {
                let (text, binding) = typed(ty, value)?;
                (ty.clone(), text, binding)
            }
            Value::Tuple(values) => {
                let items = values.iter().map(Self::number);
                let items = items.collect::<Option<Vec<_>>>()?;
                let ty = Type::tuple(items.iter().map(|item| item.ty.clone()).collect());
                let texts: Vec<_> = items.into_iter().map(|item| item.text).collect();
                let text = format!("{}{{{}}}", ty.cxx(), texts.join(", "));
                (ty, text, Binding::Primary)
            }
            Value::None => (Type::None, "none{}".to_owned(), Binding::Primary),
            _ => return None,
        };
        let mut expr = Self::bound(ty, text, binding);
        expr.constant = Some(value.clone());
        Some(expr)
    }

    /// The text as an operand of an operator that binds like `outer`.
    pub fn inside(&self, outer: Binding) -> String {
        if self.binding < outer {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }

    /// The integer, if it is known now.
    pub fn constant_int(&self) -> Option<i128> {
        match self.constant.as_ref()? {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(i128::from(*value)),
            Value::Typed(_, value) => match **value {
                Value::Int(value) => Some(value),
                Value::Bool(value) => Some(i128::from(value)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An integer literal of a type.
pub fn integer(value: i128, ty: &Type) -> (String, Binding) {
    let binding = if value < 0 {
        Binding::Unary
    } else {
        Binding::Primary
    };
    let text = match ty {
        Type::Int {
            bits: 64,
            signed: true,
        } if value == i128::from(i64::MIN) => {
            return (format!("({}ll - 1)", i64::MIN + 1), Binding::Primary);
        }
        Type::Int {
            bits: 64,
            signed: true,
        } => format!("{value}ll"),
        Type::Int { bits: 64, .. } => format!("{}ull", value as u64),
        Type::Int {
            bits: 32,
            signed: true,
        } if value == i128::from(i32::MIN) => {
            return (format!("({} - 1)", i32::MIN + 1), Binding::Primary);
        }
        Type::Int {
            bits: 32,
            signed: true,
        } => value.to_string(),
        Type::Int { bits: 32, .. } => format!("{}u", value as u32),
        Type::Bool => (value != 0).to_string(),
        other => return (format!("{}({value})", other.cxx()), Binding::Primary),
    };
    (text, binding)
}

/// A literal of a float of 32 or 64 bits.
pub fn float(value: f64, bits: u8) -> (String, Binding) {
    let (suffix, single) = if bits == 32 { ("f", true) } else { ("", false) };
    if value.is_nan() {
        return (
            if single { "nan32()" } else { "nan64()" }.to_owned(),
            Binding::Primary,
        );
    }
    if value.is_infinite() || single && (value as f32).is_infinite() {
        let text = if single { "inf32()" } else { "inf64()" };
        return if value < 0.0 {
            (format!("-{text}"), Binding::Unary)
        } else {
            (text.to_owned(), Binding::Primary)
        };
    }
    let mut text = if single {
        format!("{:?}", value as f32)
    } else {
        format!("{value:?}")
    };
    if !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    let binding = if text.starts_with('-') {
        Binding::Unary
    } else {
        Binding::Primary
    };
    (text + suffix, binding)
}

fn typed(ty: &Type, value: &Value) -> Option<(String, Binding)> {
    Some(match (ty, value) {
        (Type::Int { .. } | Type::Bool, Value::Int(value)) => integer(*value, ty),
        (Type::Int { .. } | Type::Bool, Value::Bool(value)) => integer(i128::from(*value), ty),
        (Type::Float(bits @ (32 | 64)), Value::Float(value)) => float(*value, *bits),
        (Type::Float(bits @ (32 | 64)), Value::Int(value)) => float(*value as f64, *bits),
        (Type::Float(_) | Type::BFloat16, Value::Float(value)) => (
            format!("{}({})", ty.cxx(), float(*value, 32).0),
            Binding::Primary,
        ),
        (Type::Complex(bits), Value::Complex(real, imaginary)) => {
            let part = |value| float(value, bits / 2).0;
            let text = format!("{}({}, {})", ty.cxx(), part(*real), part(*imaginary));
            (text, Binding::Primary)
        }
        (Type::Time { .. }, Value::Int(value)) => integer(*value, &INT64),
        _ => return None,
    })
}

/// A variable that a function inside of another uses.
#[derive(Debug, Clone, PartialEq)]
pub enum Captured {
    /// The variable of the function that is being translated: it is read when the function inside is called.
    Live,
    /// What the variable has; the function that has the variable is another, which waits for this one to end, or has
    /// ended. With a number it came with a call's arguments, as [`Taken::captured`] counts them.
    ///
    /// [`Taken::captured`]: crate::infer::Taken::captured
    Kept(Operand, Option<usize>),
}

/// A function that was defined inside of another, with the variables of that one.
#[derive(Debug, Clone, PartialEq)]
pub struct Closure {
    /// Its tree.
    pub tree: Arc<ast::Function>,
    /// The function whose file, globals and builtins it has.
    pub owner: FunctionId,
    /// The variables of the functions around it that it uses.
    pub captured: Vec<(String, Captured)>,
    /// The values of the defaults.
    pub defaults: Vec<(String, Operand)>,
}

/// What an expression stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A value at run time, numbers that are known now among them.
    Value(Expr),
    /// Something known now that is no number: text, a function, a type, a module.
    Constant(Value),
    /// A tuple whose items stand apart, as written.
    Tuple(Vec<Operand>),
    /// A slice.
    Slice(Box<[Option<Operand>; 3]>),
    /// `range(start, stop, step)`.
    Range(Box<[Expr; 3]>),
    /// Other things to loop over: `enumerate`, `zip`, `reversed` and the like, by their function's name.
    Iterator(&'static str, Vec<Operand>),
    /// An iterator in a variable, and the variable of C++ that counts the items that it has given.
    Begun(Box<Operand>, Variable),
    /// A method with its object.
    Method(Box<Operand>, String),
    /// A function defined inside.
    Closure(Arc<Closure>),
    /// `partial(function, …)` and builtins that make functions: the path, what they were given.
    Special(&'static str, Vec<Operand>),
}

impl Operand {
    /// The same with other values at run time: `change` is given each, always in the same order.
    pub fn with_values(self, change: &mut dyn FnMut(Expr) -> Expr) -> Self {
        fn all(items: Vec<Operand>, change: &mut dyn FnMut(Expr) -> Expr) -> Vec<Operand> {
            let items = items.into_iter();
            items.map(|item| item.with_values(change)).collect()
        }
        match self {
            Self::Value(value) => Self::Value(change(value)),
            Self::Tuple(items) => Self::Tuple(all(items, change)),
            Self::Slice(parts) => {
                let parts = (*parts).map(|part| part.map(|part| part.with_values(change)));
                Self::Slice(Box::new(parts))
            }
            Self::Range(parts) => Self::Range(Box::new((*parts).map(change))),
            Self::Iterator(kind, parts) => Self::Iterator(kind, all(parts, change)),
            Self::Begun(iterator, position) => {
                Self::Begun(Box::new(iterator.with_values(change)), position)
            }
            Self::Special(kind, parts) => Self::Special(kind, all(parts, change)),
            Self::Method(object, name) => Self::Method(Box::new(object.with_values(change)), name),
            Self::Closure(closure) => {
                let mut closure = (*closure).clone();
                for (_, one) in &mut closure.captured {
                    if let Captured::Kept(operand, _) = one {
                        let old = std::mem::replace(operand, Self::Tuple(Vec::new()));
                        *operand = old.with_values(change);
                    }
                }
                for (_, default) in &mut closure.defaults {
                    let old = std::mem::replace(default, Self::Tuple(Vec::new()));
                    *default = old.with_values(change);
                }
                Self::Closure(Arc::new(closure))
            }
            Self::Constant(_) => self,
        }
    }

    /// The value, if it is one already.
    pub fn as_value(&self) -> Option<&Expr> {
        match self {
            Self::Value(expr) => Some(expr),
            _ => None,
        }
    }

    /// The constant, of numbers too.
    pub fn constant(&self) -> Option<Value> {
        match self {
            Self::Value(expr) => expr.constant.clone(),
            Self::Constant(value) => Some(value.clone()),
            Self::Tuple(items) => {
                let items = items.iter().map(Self::constant);
                items.collect::<Option<_>>().map(Value::Tuple)
            }
            _ => None,
        }
    }

    /// What a known value stands for.
    pub fn known(value: Value) -> Self {
        match &value {
            Value::None => Self::Constant(value),
            Value::Tuple(items) => Self::Tuple(items.iter().cloned().map(Self::known).collect()),
            Value::Slice(parts) => {
                Self::Slice(Box::new((**parts).clone().map(|part| match part {
                    Value::None => None,
                    part => Some(Self::known(part)),
                })))
            }
            Value::Range(start, stop, step) => {
                let parts = [start, stop, step].map(|part| Expr::number(&Value::Int(*part)));
                match parts {
                    [Some(start), Some(stop), Some(step)] => {
                        Self::Range(Box::new([start, stop, step]))
                    }
                    _ => Self::Constant(value),
                }
            }
            _ => match Expr::number(&value) {
                Some(expr) => Self::Value(expr),
                None => Self::Constant(value),
            },
        }
    }
}

impl From<Expr> for Operand {
    fn from(expr: Expr) -> Self {
        Self::Value(expr)
    }
}
