//! Operands as values, and values of one type as values of another.

use super::frame::Frame;
use crate::collective::{Part, Threads};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand, float, integer};
use crate::types::{BOOL, INT64, Type, UINT64, promote};

impl Operand {
    /// As messages name it.
    pub fn described(&self) -> String {
        match self {
            Self::Value(expr) => match (&expr.constant, expr.ty.shown()) {
                (Some(Value::Int(value)), ty) => format!("{ty} ({value})"),
                (_, ty) => ty,
            },
            Self::Constant(value) => match value {
                Value::None => "None".to_owned(),
                Value::Str(text) => format!("the text {text:?}"),
                Value::Bytes(_) => "bytes".to_owned(),
                Value::Path(path) => path.clone(),
                Value::Type(ty) => format!("the type {ty}"),
                Value::Function(_) => "a function".to_owned(),
                Value::Collective(collective) => collective.name.clone(),
                Value::Part(Part::Group(Threads::Thread)) => "the group this_thread()".to_owned(),
                Value::Part(Part::Group(Threads::Grid)) => "the group this_grid()".to_owned(),
                Value::Part(Part::Group(Threads::Block)) => "the group this_block()".to_owned(),
                Value::Part(Part::Group(Threads::Warp(count))) => {
                    format!("a group of {count} threads of a warp")
                }
                Value::Part(Part::Group(Threads::Warps(count))) => {
                    format!("a group of {count} warps of a block")
                }
                Value::Part(Part::Scratch(_)) => "TempStorage".to_owned(),
                Value::Part(Part::Items(_)) => "ThreadData whose type is not known yet".to_owned(),
                Value::NamedTuple(name, _) | Value::Struct(name, _) => name.clone(),
                Value::Array { .. } => "a host array".to_owned(),
                Value::Record(ty, _) => ty.shown(),
                Value::Object(_, described) => described.clone(),
                Value::State(_, ty) => ty.shown(),
                Value::Tuple(_) => "a tuple".to_owned(),
                _ => "a number".to_owned(),
            },
            Self::Tuple(items) => {
                let items: Vec<_> = items.iter().map(Self::described).collect();
                format!("a tuple ({})", items.join(", "))
            }
            Self::Slice(_) => "a slice".to_owned(),
            Self::Range(_) => "a range".to_owned(),
            Self::Iterator(name, _) => format!("{name}(…)"),
            Self::Begun(iterator, _) => iterator.described(),
            Self::Method(_, name) => format!("the method {name}"),
            Self::Closure(closure) if closure.tree.name == "<lambda>" => "a lambda".to_owned(),
            Self::Closure(closure) => format!("the function {}", closure.tree.name),
            Self::Special(name, _) => (*name).to_owned(),
        }
    }
}

impl Frame<'_, '_> {
    /// The type of an operand's value at run time; `None` if it cannot be one.
    pub(crate) fn runtime_type(&mut self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Value(value) => Some(value.ty.clone()),
            Operand::Constant(Value::State(_, ty) | Value::Record(ty, _)) => Some(ty.clone()),
            Operand::Constant(Value::Array {
                element,
                shape,
                order,
                ..
            }) => {
                let ndim = u8::try_from(shape.len()).ok()?;
                let layout = crate::constant_array::layout(order);
                Some(Type::array(element.clone(), ndim, layout, false))
            }
            Operand::Constant(value @ Value::Struct(..)) => {
                let operand = Self::fields_of(value)?;
                self.runtime_type(&operand)
            }
            Operand::Tuple(items) => {
                let items = items.iter().map(|item| self.runtime_type(item));
                items.collect::<Option<_>>().map(Type::tuple)
            }
            _ => None,
        }
    }

    /// The fields of a structure as a tuple.
    fn fields_of(value: &Value) -> Option<Operand> {
        let Value::Struct(_, fields) = value else {
            return None;
        };
        let fields = fields
            .iter()
            .map(|(_, value)| Operand::known(value.clone()));
        Some(Operand::Tuple(fields.collect()))
    }

    /// An operand as a value at run time.
    pub(crate) fn value(&mut self, operand: Operand) -> Result<Expr> {
        match operand {
            Operand::Value(value) => {
                self.need_type(&value.ty);
                Ok(value)
            }
            Operand::Tuple(items) => {
                let values = items.into_iter().map(|item| self.value(item));
                let values = values.collect::<Result<Vec<_>>>()?;
                let values = self.in_order(values);
                Ok(self.tuple_of(values, None))
            }
            Operand::Constant(Value::None) => {
                let mut value = Expr::new(Type::None, "none{}");
                value.constant = Some(Value::None);
                Ok(value)
            }
            Operand::Constant(Value::State(number, ty)) => {
                self.need_type(&ty);
                let storage = ty.storage();
                let is_new = !self.program.state.iter().any(|(known, _)| *known == number);
                if is_new {
                    self.program.state.push((number, ty.clone()));
                }
                if self.program.is_object() {
                    return Ok(Expr::new(ty, format!("state_{number}")));
                }
                if is_new {
                    let size = ty.size().unwrap_or(8).max(1);
                    // Bytes, which the launching side fills: constants cannot have constructors.
                    let text = format!(
                        "extern \"C\" {{ __constant__ alignas(16) unsigned char state_{number}[{size}]; }}"
                    );
                    self.program.declarations.push(text);
                }
                Ok(Expr::new(
                    ty,
                    format!("(*(const {storage} *)state_{number})"),
                ))
            }
            Operand::Constant(Value::Array {
                element,
                shape,
                data,
                order,
            }) => crate::constant_array::value(self, &element, &shape, &data, &order),
            Operand::Constant(Value::Record(ty, data)) => {
                crate::constant_array::record(self, &ty, &data)
            }
            Operand::Constant(ref value @ Value::Struct(ref name, ref fields)) => {
                let names = fields.iter().map(|(name, _)| name.clone()).collect();
                let names = Some((name.clone(), names));
                let Some(Operand::Tuple(items)) = Self::fields_of(value) else {
                    return Err(self.no_value(&operand));
                };
                let values = items.into_iter().map(|item| self.value(item));
                let values = values.collect::<Result<Vec<_>>>()?;
                Ok(self.tuple_of(values, names))
            }
            other => Err(self.no_value(&other)),
        }
    }

    /// A record of these fields: of a tuple, or of a structure.
    pub(crate) fn as_record(&mut self, fields: Operand, ty: &Type) -> Result<Expr> {
        self.need_type(ty);
        let (name, storage) = (self.new_name("fields"), ty.storage());
        self.code
            .statement(format!("{storage} {name} = {storage}();"));
        let record = Expr::new(ty.clone(), format!("(&{name})"));
        self.store(record.clone().into(), fields)?;
        Ok(record)
    }

    fn no_value(&self, operand: &Operand) -> Failure {
        Failure::new(
            Code::Type,
            format!("expected a value, got {}", operand.described()),
        )
    }

    /// A tuple of values.
    pub(crate) fn tuple_of(
        &mut self,
        values: Vec<Expr>,
        names: Option<(String, Vec<String>)>,
    ) -> Expr {
        let items = values.iter().map(|value| value.ty.clone()).collect();
        let ty = Type::Tuple(std::sync::Arc::new(crate::types::TupleType {
            items,
            names,
        }));
        self.need_type(&ty);
        let constants = values.iter().map(|value| value.constant.clone());
        let constant = constants.collect::<Option<Vec<_>>>().map(Value::Tuple);
        let is_pure = values.iter().all(|value| value.is_pure);
        let texts: Vec<_> = values.into_iter().map(|value| value.text).collect();
        let mut value = Expr::new(ty.clone(), format!("{}{{{}}}", ty.cxx(), texts.join(", ")));
        value.constant = constant;
        value.is_pure = is_pure;
        value
    }

    /// The same values, such that C++ evaluates them in this order: all but the last that have effects become
    /// variables.
    pub(crate) fn in_order(&mut self, values: Vec<Expr>) -> Vec<Expr> {
        let Some(last) = values.iter().rposition(|value| !value.is_pure) else {
            return values;
        };
        let count = values.iter().filter(|value| !value.is_pure).count();
        let reads_places = values[..last].iter().any(|value| value.constant.is_none());
        if count == 1 && !reads_places {
            return values;
        }
        let kept = values.into_iter().enumerate();
        kept.map(|(index, value)| {
            if index < last {
                self.kept(value)
            } else {
                value
            }
        })
        .collect()
    }

    /// The value in a variable of its own, unless it is a number that is known.
    pub(crate) fn kept(&mut self, value: Expr) -> Expr {
        if value.ty == Type::Never {
            // An effect alone: a call of a function whose result is not known yet.
            return value;
        }
        // A number that is known is a literal: the variable that it comes from may change.
        if value.is_pure && value.ty.is_number() {
            match literal(&value, &value.ty) {
                Some(literal) => return literal,
                None if value.constant.is_some() && !value.text.contains('\u{1}') => return value,
                None => {}
            }
        }
        if value.ty == Type::None || self.is_temporary(&value.text) {
            return value;
        }
        let variable = self.new_variable("tmp", &value.ty);
        self.temporaries.insert(variable);
        self.code.assign(variable, value.text);
        let mut kept = Expr::new(value.ty, variable.token());
        kept.below = value.below;
        kept.constant = value.constant;
        kept
    }

    /// The value as something that can be written several times: a variable, unless it is short and without effects.
    pub(crate) fn hoist(&mut self, value: Expr) -> Expr {
        let is_name = value
            .text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\u{1}' | '.'));
        if value.is_pure && (is_name || value.constant.is_some() && value.ty.is_number()) {
            value
        } else {
            self.kept(value)
        }
    }

    /// An operand as a value of a type.
    pub(crate) fn as_type(&mut self, operand: Operand, ty: &Type) -> Result<Expr> {
        if let Type::Chars { unicode, length } = ty
            && let Some(known) = self.characters(&operand, *unicode, *length)
        {
            return known;
        }
        let value = self.value(operand)?;
        self.convert(value, ty)
    }

    /// A value as one of another type. Numbers lose what does not fit, as with NumPy's `astype`.
    pub(crate) fn convert(&mut self, value: Expr, ty: &Type) -> Result<Expr> {
        if value.ty == *ty || value.ty == Type::Never {
            return Ok(value);
        }
        if !promote::converts(&value.ty, ty) {
            let failure = Failure::new(
                Code::Type,
                format!("expected {}, got {}", ty.shown(), value.ty.shown()),
            );
            return Err(if value.ty.is_complex() && ty.is_number() {
                failure.help("take its .real, or abs() of it")
            } else {
                failure
            });
        }
        self.need_type(ty);
        if let (Type::Tuple(from), Type::Tuple(to)) = (&value.ty, ty)
            && from.items != to.items
        {
            let (from, to) = (from.clone(), to.clone());
            let value = self.hoist(value);
            let mut items = Vec::new();
            for (index, (from, to)) in from.items.iter().zip(&to.items).enumerate() {
                let item = self.tuple_item(&value, index, from);
                items.push(self.convert(item, to)?);
            }
            return Ok(self.tuple_of(items, to.names.clone()));
        }
        Ok(self.cast(value, ty))
    }

    /// The same for types that are known to convert, and for numbers of any kind.
    pub(crate) fn cast(&mut self, value: Expr, ty: &Type) -> Expr {
        if value.ty == *ty {
            return value;
        }
        if let Some(literal) = literal(&value, ty) {
            return literal;
        }
        let is_pure = value.is_pure;
        let bits = value.bits().filter(|_| value.ty.is_integral());
        let mut cast = match (&value.ty, ty) {
            (from, Type::Bool) if from.is_int() => Expr::bound(
                BOOL,
                format!("{} != 0", value.inside(Binding::Less)),
                Binding::Equal,
            ),
            (Type::Complex(_), Type::Bool) => Expr::new(BOOL, format!("py::truth({})", value.text)),
            (Type::Float(32 | 64), Type::Bool) => Expr::bound(
                BOOL,
                format!("{} != 0", value.inside(Binding::Less)),
                Binding::Equal,
            ),
            (Type::Float(_) | Type::BFloat16, Type::Int { .. }) => {
                self.need("convert");
                Expr::new(
                    ty.clone(),
                    format!("py::to_int<{}>({})", ty.cxx(), value.text),
                )
            }
            (from, Type::Complex(bits)) if !from.is_complex() => {
                let part = Type::Float(bits / 2);
                let real = self.cast(value, &part);
                let zero = float(0.0, bits / 2).0;
                Expr::new(ty.clone(), format!("{}({}, {zero})", ty.cxx(), real.text))
            }
            (Type::Array(_), Type::Pointer(_)) => Expr::new(
                ty.clone(),
                format!("{}.data", value.inside(Binding::Primary)),
            ),
            (from, _) if from.is_half() && !ty.is_half() && *ty != Type::Float(32) => {
                let single = format!("float32({})", value.text);
                let single = Expr::new(crate::types::FLOAT32, single);
                self.cast(single, ty)
            }
            (from, _) if ty.is_half() && *from != Type::Float(32) && !from.is_half() => {
                // Of float64: rounded once, by way of a function that knows.
                if *from == crate::types::FLOAT64 {
                    Expr::new(ty.clone(), format!("{}({})", ty.cxx(), value.text))
                } else {
                    let single = self.cast(value, &crate::types::FLOAT32);
                    Expr::new(ty.clone(), format!("{}({})", ty.cxx(), single.text))
                }
            }
            _ => Expr::new(ty.clone(), format!("{}({})", ty.cxx(), value.text)),
        };
        cast.is_pure = is_pure;
        match bits {
            Some(bits) => cast.natural(bits),
            None => cast,
        }
    }

    /// True or false, as Python sees the value.
    pub(crate) fn truth(&mut self, operand: Operand) -> Result<Expr> {
        let known = match &operand {
            Operand::Constant(Value::None) => Some(false),
            Operand::Constant(Value::Str(text)) => Some(!text.is_empty()),
            Operand::Tuple(items) => Some(!items.is_empty()),
            Operand::Constant(Value::Function(_) | Value::Path(_) | Value::Type(_))
            | Operand::Closure(_) => Some(true),
            Operand::Value(Expr {
                constant: Some(value),
                ..
            }) => known_truth(value),
            _ => None,
        };
        if let Some(known) = known {
            return Expr::number(&Value::Bool(known)).ok_or_else(|| self.no_value(&operand));
        }
        if let Operand::Range(_) = &operand {
            return self.range_truth(&operand);
        }
        let value = self.value(operand)?;
        match &value.ty {
            Type::Bool | Type::Never => Ok(value),
            ty if ty.is_half() => {
                let single = self.cast(value, &crate::types::FLOAT32);
                Ok(self.cast(single, &BOOL))
            }
            ty if ty.is_number() => Ok(self.cast(value, &BOOL)),
            Type::Time { .. } | Type::Pointer(_) => Ok(Expr::bound(
                BOOL,
                format!("{} != 0", value.inside(Binding::Less)),
                Binding::Equal,
            )),
            Type::Tuple(tuple) => {
                let known = Value::Bool(!tuple.items.is_empty());
                Expr::number(&known).ok_or_else(|| Failure::new(Code::Type, "no value"))
            }
            ty => Err(Failure::new(
                Code::Type,
                format!("{} is neither true nor false", ty.shown()),
            )
            .help("an array has .size, its elements can be compared one by one")),
        }
    }

    /// The value as an index: an integer of 32 or 64 bits.
    pub(crate) fn index(&mut self, operand: Operand) -> Result<Expr> {
        let value = self.value(operand)?;
        match &value.ty {
            Type::Int { bits: 32 | 64, .. } | Type::Never => Ok(value),
            Type::Int { .. } | Type::Bool => Ok(self.cast(value, &INT64)),
            ty => Err(Failure::new(
                Code::Type,
                format!("{} is not a valid index: expected an int", ty.shown()),
            )),
        }
    }
}

fn known_truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Typed(_, value) => return known_truth(value),
        Value::Tuple(items) => !items.is_empty(),
        _ => return None,
    })
}

/// A number that is known, as a literal of another type.
fn literal(value: &Expr, ty: &Type) -> Option<Expr> {
    // A variable keeps its name where no other type is asked for; literals are converted here.
    let mut known = value.constant.as_ref()?;
    if let Value::Typed(_, inner) = known {
        known = inner;
    }
    let (text, binding, constant) = match (known, ty) {
        (Value::Int(number), Type::Int { bits, signed }) => {
            let wrapped = wrap(*number, *bits, *signed);
            let (text, binding) = integer(wrapped, ty);
            (text, binding, Value::Int(wrapped))
        }
        (Value::Bool(number), Type::Int { .. }) => {
            let number = i128::from(*number);
            let (text, binding) = integer(number, ty);
            (text, binding, Value::Int(number))
        }
        (Value::Int(number), Type::Float(bits @ (32 | 64))) => {
            let (text, binding) = float(*number as f64, *bits);
            (text, binding, Value::Float(*number as f64))
        }
        (Value::Float(number), Type::Float(bits @ (32 | 64))) => {
            let (text, binding) = float(*number, *bits);
            let rounded = if *bits == 32 {
                f64::from(*number as f32)
            } else {
                *number
            };
            (text, binding, Value::Float(rounded))
        }
        _ => return None,
    };
    let mut literal = Expr::bound(ty.clone(), text, binding);
    literal.constant = Some(if *ty == INT64 || *ty == crate::types::FLOAT64 {
        constant
    } else {
        Value::Typed(ty.clone(), Box::new(constant))
    });
    Some(literal)
}

/// An integer's low bits, as a type has them.
pub(super) fn wrap(number: i128, bits: u8, signed: bool) -> i128 {
    let low = number & ((1_i128 << bits) - 1);
    if signed && low >> (bits - 1) != 0 {
        low - (1_i128 << bits)
    } else {
        low
    }
}

/// The type of arithmetic on this integer type, when it stands alone: 64 bits.
pub(super) fn widened(ty: &Type) -> Type {
    if ty.is_unsigned() { UINT64 } else { INT64 }
}
