//! Subscripts: elements, views, fields, items.

use std::sync::Arc;

use super::frame::Frame;
use super::operators::is_tuple;
use crate::ast;
use crate::collective;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{ArrayType, BOOL, Field, INT64, Layout, Type};

/// What stands in brackets, part by part.
enum Part {
    Index(Expr),
    Slice(Box<[Option<Expr>; 3]>),
    NewAxis,
}

impl Frame<'_, '_> {
    /// `value[index]`, read.
    pub(super) fn subscript(&mut self, value: &ast::Expr, index: &ast::Expr) -> Result<Operand> {
        let (base, index) = self.pair(value, index)?;
        self.item(base, index)
    }

    /// `base[index]`.
    pub(crate) fn item(&mut self, base: Operand, index: Operand) -> Result<Operand> {
        match base {
            Operand::Tuple(items) => match constant_index(&index) {
                Some(at) => {
                    let count = items.len();
                    item_at(items, at).ok_or_else(|| out_of_range("tuple", at, count))
                }
                None => {
                    if let Operand::Slice(parts) = &index {
                        return sliced(items, parts).map(Operand::Tuple);
                    }
                    let value = self.value(Operand::Tuple(items))?;
                    self.item(value.into(), index)
                }
            },
            Operand::Range(range) => self.range_item(&range, index),
            Operand::Constant(Value::Part(collective::Part::Items(_))) => {
                Err(Self::untyped_items())
            }
            Operand::Constant(Value::Str(text)) => {
                let Some(at) = constant_index(&index) else {
                    return Err(not_constant("the index of a text"));
                };
                let characters: Vec<_> = text.chars().collect();
                let count = characters.len();
                item_at(characters, at)
                    .map(|c| Operand::Constant(Value::Str(c.to_string())))
                    .ok_or_else(|| out_of_range("text", at, count))
            }
            Operand::Constant(Value::Record(ref ty, ref data))
                if let Some(Value::Str(name)) = index.constant()
                    && let Some(part) = crate::record::captured_part(ty, data, &name) =>
            {
                Ok(Operand::Constant(part))
            }
            Operand::Constant(Value::Object(id, described)) => {
                let Some(key) = index.constant() else {
                    return Err(not_constant(&format!("the index of {described}")));
                };
                match self.program.host.item(id, &key) {
                    Some(found) => Ok(Operand::known(found)),
                    None => Err(Failure::new(
                        Code::Attribute,
                        format!("{described} has no such item that a kernel could use"),
                    )),
                }
            }
            Operand::Constant(Value::Struct(name, fields)) => {
                let items = fields.into_iter().map(|(_, value)| Operand::known(value));
                let items: Vec<_> = items.collect();
                let count = items.len();
                match constant_index(&index) {
                    Some(at) => item_at(items, at).ok_or_else(|| out_of_range(&name, at, count)),
                    None => self.item(Operand::Tuple(items), index),
                }
            }
            other => {
                let value = self.value(other)?;
                match value.ty.clone() {
                    Type::Array(_) => {
                        let parts = match index {
                            Operand::Tuple(parts) => parts,
                            Operand::Value(ref tuple) if matches!(tuple.ty, Type::Tuple(_)) => {
                                self.items(index)?
                            }
                            other => vec![other],
                        };
                        self.item_of(value, parts)
                    }
                    Type::Tuple(tuple) => self.tuple_subscript(value, &tuple.items, &index),
                    Type::Record(_) => self.field_of(value, &index),
                    Type::Pointer(to) => {
                        let index = self.index(index)?;
                        let text = format!("{}[{}]", value.inside(Binding::Primary), index.text);
                        Ok(self.loaded(&to, text))
                    }
                    Type::Chars { .. } => {
                        let index = self.index(index)?;
                        let text = format!("{}[{}]", value.inside(Binding::Primary), index.text);
                        Ok(Expr::new(Type::uint(32), format!("uint32({text})")).into())
                    }
                    Type::Never => Ok(value.into()),
                    ty => Err(Failure::new(
                        Code::Type,
                        format!("{} has no items", ty.shown()),
                    )),
                }
            }
        }
    }

    fn tuple_subscript(&mut self, tuple: Expr, items: &[Type], index: &Operand) -> Result<Operand> {
        if let Some(at) = constant_index(index) {
            let place =
                wrapped(at, items.len()).ok_or_else(|| out_of_range("tuple", at, items.len()))?;
            let known = match &tuple.constant {
                Some(Value::Tuple(known)) => known.get(place).cloned(),
                _ => None,
            };
            let mut item = self.tuple_item(&tuple, place, &items[place]);
            item.constant = known;
            return Ok(item.into());
        }
        if let Operand::Slice(parts) = index {
            let all = self.items(tuple.into())?;
            return sliced(all, parts).map(Operand::Tuple);
        }
        let Some(first) = items
            .first()
            .filter(|first| items.iter().all(|ty| ty == *first))
        else {
            return Err(not_constant(
                "the index of a tuple whose items have several types",
            ));
        };
        let first = first.clone();
        let index = self.index(index.clone())?;
        self.need("tuple");
        let text = if self.checks_bounds() {
            let number = self.exception("IndexError", Some("tuple index out of range".to_owned()));
            format!("py::item_at({}, {}, {number})", tuple.text, index.text)
        } else {
            format!("py::item({}, {})", tuple.text, index.text)
        };
        Ok(Expr::new(first, text).into())
    }

    /// True if indices are checked.
    pub(crate) fn checks_bounds(&self) -> bool {
        self.program.options.boundscheck || self.program.options.debug
    }

    /// An element or a view of an array.
    pub(crate) fn item_of(&mut self, array: Expr, parts: Vec<Operand>) -> Result<Operand> {
        let Some(ty) = array.ty.as_array().cloned() else {
            return Err(Failure::new(Code::Type, "expected an array"));
        };
        if let [Operand::Constant(Value::Str(name))] = &parts[..] {
            return self.field_view(array, &ty, name);
        }
        let parts = self.parts(&array, &ty, parts)?;
        let (array, indices) = match all_indices(parts, usize::from(ty.ndim)) {
            Ok(indices) => (array, indices),
            Err(parts) => return self.view(array, &ty, parts),
        };
        let text = self.element(&array, &ty, indices)?;
        Ok(self.loaded(&ty.element, text))
    }

    /// The value in a place of memory.
    pub(crate) fn loaded(&mut self, ty: &Type, text: String) -> Operand {
        self.need_type(ty);
        match ty {
            Type::Record(_) => Expr::bound(ty.clone(), format!("&{text}"), Binding::Unary).into(),
            _ if text.starts_with('*') => {
                Expr::bound(ty.clone(), text, Binding::Unary).place().into()
            }
            _ => Expr::new(ty.clone(), text).place().into(),
        }
    }

    /// The text of an element's place.
    fn element(&mut self, array: &Expr, ty: &ArrayType, indices: Vec<Expr>) -> Result<String> {
        let name = array.inside(Binding::Primary);
        let mut texts = Vec::new();
        for (axis, index) in indices.into_iter().enumerate() {
            if let (Some(at), Some(shape)) = (index.constant_int(), &ty.shape)
                && let Some(length) = shape.get(axis)
                && (at >= i128::from(*length) || at < -i128::from(*length))
            {
                return Err(Failure::new(
                    Code::Range,
                    format!(
                        "index {at} is out of range: the array has {length} elements along axis {axis}"
                    ),
                ));
            }
            let is_negative = index.constant_int().is_some_and(|at| at < 0);
            texts.push(if is_negative {
                let by = -index.constant_int().unwrap_or(0);
                format!("{name}.shape[{axis}] - {by}")
            } else if self.program.options.wraparound
                && !index.ty.is_unsigned()
                && index.bits().is_none()
            {
                format!("py::wrapped({}, {name}.shape[{axis}])", index.text)
            } else {
                index.text
            });
        }
        let list = texts.join(", ");
        Ok(if self.checks_bounds() {
            let number = self.exception("IndexError", Some("index is out of bounds".to_owned()));
            let comma = if list.is_empty() { "" } else { ", " };
            format!("{name}.at({number}{comma}{list})")
        } else {
            format!("{name}({list})")
        })
    }

    fn parts(&mut self, array: &Expr, ty: &ArrayType, given: Vec<Operand>) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        let axes = given
            .iter()
            .filter(|part| !is_new_axis(part) && !is_ellipsis(part))
            .count();
        let ndim = usize::from(ty.ndim);
        if axes > ndim {
            return Err(Failure::new(
                Code::Type,
                format!("{axes} indices for {}", array.ty.shown()),
            ));
        }
        for part in given {
            if is_ellipsis(&part) {
                for _ in axes..ndim {
                    parts.push(Part::Slice(Box::default()));
                }
            } else if is_new_axis(&part) {
                parts.push(Part::NewAxis);
            } else if let Operand::Slice(bounds) = part {
                let mut all = [None, None, None];
                for (place, bound) in all.iter_mut().zip(*bounds) {
                    *place = match bound {
                        None | Some(Operand::Constant(Value::None)) => None,
                        Some(bound) => {
                            let bound = self.index(bound)?;
                            Some(self.convert(bound, &INT64)?)
                        }
                    };
                }
                parts.push(Part::Slice(Box::new(all)));
            } else {
                parts.push(Part::Index(self.index(part)?));
            }
        }
        Ok(parts)
    }

    /// A part of an array: an array over the same elements.
    fn view(&mut self, array: Expr, ty: &ArrayType, mut parts: Vec<Part>) -> Result<Operand> {
        let used = parts
            .iter()
            .filter(|part| !matches!(part, Part::NewAxis))
            .count();
        for _ in used..usize::from(ty.ndim) {
            parts.push(Part::Slice(Box::default()));
        }
        self.need("array");
        self.need("slice");
        let ndim = parts
            .iter()
            .filter(|part| !matches!(part, Part::Index(_)))
            .count();
        // Leading indices and then everything: the rest lies as it did.
        let lead = parts
            .iter()
            .take_while(|part| matches!(part, Part::Index(_)))
            .count();
        let is_whole =
            |part: &Part| matches!(part, Part::Slice(bounds) if **bounds == [None, None, None]);
        let is_step_one = |part: &Part| matches!(part, Part::Slice(bounds) if bounds[2].is_none());
        let rest = &parts[lead..];
        let layout = match (ty.layout, rest.split_first()) {
            (Layout::C, Some((first, others)))
                if is_step_one(first) && others.iter().all(is_whole) =>
            {
                Layout::C
            }
            (Layout::C, None) => Layout::C,
            _ => Layout::A,
        };
        let layout = if ndim == 0 { Layout::C } else { layout };
        let view = Type::array(
            ty.element.clone(),
            u8::try_from(ndim).unwrap_or(u8::MAX),
            layout,
            ty.mutable,
        );
        let mut texts = Vec::new();
        for part in parts {
            texts.push(match part {
                Part::Index(index) => format!("py::index({})", index.text),
                Part::NewAxis => "py::newaxis()".to_owned(),
                Part::Slice(bounds) => match *bounds {
                    [None, None, None] => "py::all()".to_owned(),
                    [lower, upper, step] => {
                        let text = |bound: Option<Expr>, default: &str| {
                            bound.map_or_else(|| default.to_owned(), |bound| bound.text)
                        };
                        let is_known = step
                            .as_ref()
                            .is_none_or(|step| step.constant_int().is_some_and(|known| known != 0));
                        let step = text(step, "1");
                        let step = if self.program.options.debug && !is_known {
                            let message = "slice step cannot be zero".to_owned();
                            let number = self.exception("ValueError", Some(message));
                            self.need("division");
                            format!("py::not_zero({step}, {number})")
                        } else {
                            step
                        };
                        format!(
                            "py::slice({}, {}, {step})",
                            text(lower, "py::unset"),
                            text(upper, "py::unset"),
                        )
                    }
                },
            });
        }
        let layout = match layout {
            Layout::C => 'C',
            Layout::F => 'F',
            Layout::A => 'A',
        };
        let text = format!(
            "py::view<{ndim}, '{layout}'>({}, {})",
            array.text,
            texts.join(", ")
        );
        Ok(Expr::new(view, text).into())
    }

    /// One field of each record of an array.
    fn field_view(&mut self, array: Expr, ty: &ArrayType, name: &str) -> Result<Operand> {
        let Type::Record(record) = &ty.element else {
            return Err(Failure::new(
                Code::Type,
                format!("{} has no fields", array.ty.shown()),
            ));
        };
        let field = record
            .field(name)
            .ok_or_else(|| no_field(name, &record.fields))?;
        if !crate::record::is_aligned(&ty.element, field) {
            return Err(unaligned_elements(name));
        }
        let element = crate::record::field_type(&ty.element, field);
        self.need("array");
        self.need("slice");
        self.need_type(&element);
        // The dimensions of an array field come behind those of the array.
        let ndim = usize::from(ty.ndim) + field.shape.len();
        let ndim = u8::try_from(ndim).unwrap_or(u8::MAX);
        let view = Type::array(element.clone(), ndim, Layout::A, ty.mutable);
        let lengths: Vec<_> = std::iter::once(element.storage())
            .chain(field.shape.iter().map(u32::to_string))
            .collect();
        let text = format!(
            "py::field<{}>({}, {})",
            lengths.join(", "),
            array.text,
            field.offset
        );
        Ok(Expr::new(view, text).into())
    }

    /// A field of a record.
    pub(crate) fn record_field(&mut self, record: &Expr, field: &Field) -> Result<Operand> {
        let place = crate::record::place(record, field);
        let element = crate::record::field_type(&record.ty, field);
        if field.shape.is_empty() {
            return Ok(self.loaded(&element, place));
        }
        if !crate::record::is_aligned(&record.ty, field) {
            return Err(unaligned_elements(&field.name));
        }
        let shape: Arc<[u64]> = field.shape.iter().map(|n| u64::from(*n)).collect();
        let ty = Type::Array(Arc::new(ArrayType {
            element,
            ndim: u8::try_from(shape.len()).unwrap_or(u8::MAX),
            layout: Layout::C,
            mutable: true,
            shape: Some(shape.clone()),
        }));
        self.need_type(&ty);
        let lengths: Vec<_> = shape.iter().map(u64::to_string).collect();
        let text = format!("{}{{&{place}, {{{}}}}}", ty.cxx(), lengths.join(", "));
        Ok(Expr::new(ty, text).into())
    }

    fn field_of(&mut self, record: Expr, index: &Operand) -> Result<Operand> {
        let Type::Record(ty) = record.ty.clone() else {
            return Err(Failure::new(Code::Type, "expected a record"));
        };
        let field = match index.constant() {
            Some(Value::Str(name)) => ty.field(&name).ok_or_else(|| no_field(&name, &ty.fields))?,
            Some(Value::Int(at)) => {
                let place = wrapped(at, ty.fields.len());
                let found = place.and_then(|place| ty.fields.get(place));
                found.ok_or_else(|| out_of_range("record", at, ty.fields.len()))?
            }
            _ => return Err(not_constant("the field of a record")),
        };
        self.record_field(&record, field)
    }

    /// `base[index] = value`.
    pub(crate) fn store_item(
        &mut self,
        base: Operand,
        index: Operand,
        value: Operand,
    ) -> Result<()> {
        let base = match base {
            Operand::Constant(Value::Array { .. }) => return Err(constant_array()),
            Operand::Constant(Value::Record(..)) => return Err(constant_record()),
            Operand::Constant(Value::Part(collective::Part::Items(items))) => {
                let value = self.value(value)?;
                return match value.ty {
                    // The statement is translated again once it is known.
                    Type::Never => Ok(()),
                    ty => Err(self.found_items(&items, &ty)),
                };
            }
            Operand::Tuple(_) => {
                return Err(Failure::new(
                    Code::Type,
                    "the items of a tuple cannot be assigned",
                ));
            }
            other => self.value(other)?,
        };
        if let Some(array) = base.ty.as_array()
            && !array.mutable
        {
            return Err(Failure::new(Code::Type, "the array is read-only"));
        }
        if let Type::Tuple(_) = base.ty {
            return Err(Failure::new(
                Code::Type,
                "the items of a tuple cannot be assigned",
            ));
        }
        let target = self.item(base.into(), index)?;
        self.store(target, value)
    }

    /// A tuple of numbers as an array, for a slice of elements of this type.
    fn items_as_array(&mut self, value: Operand, array: &ArrayType) -> Result<Operand> {
        if !is_tuple(&value) || array.ndim == 0 || !array.element.is_number() {
            return Ok(value);
        }
        let mut texts = Vec::new();
        for item in self.items(value)? {
            let item = self.value(item)?;
            // As NumPy assigns them: floats are cut to integers.
            let fits = item.ty.is_number() && (array.element.is_complex() || !item.ty.is_complex());
            let item = if fits {
                self.cast(item, &array.element)
            } else {
                self.convert(item, &array.element)?
            };
            texts.push(item.text);
        }
        let count = texts.len() as u64;
        let ty = Type::Array(Arc::new(ArrayType {
            element: array.element.clone(),
            ndim: 1,
            layout: Layout::C,
            mutable: true,
            shape: Some([count].into()),
        }));
        self.need_type(&ty);
        let name = self.new_name("items");
        self.code.statement(format!(
            "{} {name}[{}] = {{{}}};",
            array.element.storage(),
            count.max(1),
            texts.join(", ")
        ));
        let text = format!("{}{{{name}, {{{count}}}}}", ty.cxx());
        Ok(Expr::new(ty, text).into())
    }

    /// Puts a value into a place.
    pub(crate) fn store(&mut self, target: Operand, value: Operand) -> Result<()> {
        let Operand::Value(target) = target else {
            return Err(Failure::new(
                Code::Type,
                format!("{} cannot be assigned", target.described()),
            ));
        };
        match &target.ty {
            Type::Array(array) => {
                let array = array.clone();
                let value = self.items_as_array(value, &array)?;
                let value = self.value(value)?;
                self.need("slice");
                if let Type::Array(from) = &value.ty {
                    if from.ndim > array.ndim {
                        return Err(Failure::new(
                            Code::Type,
                            format!(
                                "{} cannot be put into {}",
                                value.ty.shown(),
                                target.ty.shown()
                            ),
                        ));
                    }
                    let from = self.fitting(&target, &value);
                    self.code
                        .statement(format!("py::copy({}, {from});", target.text));
                } else {
                    let value = self.convert(value, &array.element)?;
                    self.code
                        .statement(format!("py::fill({}, {});", target.text, value.text));
                }
                Ok(())
            }
            Type::Record(record) => {
                let record = record.clone();
                match value {
                    Operand::Value(value) if value.ty == target.ty => {
                        self.code
                            .statement(format!("*({}) = *({});", target.text, value.text));
                        Ok(())
                    }
                    Operand::Constant(Value::Record(..)) => {
                        let value = self.value(value)?;
                        self.store(target.into(), value.into())
                    }
                    other => {
                        let items = self.items(other)?;
                        if items.len() != record.fields.len() {
                            return Err(Failure::new(
                                Code::Type,
                                format!(
                                    "{} values for a record of {} fields",
                                    items.len(),
                                    record.fields.len()
                                ),
                            ));
                        }
                        let target = self.hoist(target);
                        for (field, item) in record.fields.iter().zip(items) {
                            let place = self.record_field(&target, field)?;
                            self.store(place, item)?;
                        }
                        Ok(())
                    }
                }
            }
            // Its type is found later; then the function is translated again.
            Type::Never => Ok(()),
            ty if target.is_place => {
                let value = self.as_type(value, &ty.clone())?;
                let statement = crate::record::unaligned_store(&target.text, &value.text);
                let plain = || format!("{} = {};", target.text, value.text);
                self.code.statement(statement.unwrap_or_else(plain));
                Ok(())
            }
            ty => Err(Failure::new(
                Code::Type,
                format!("{} cannot be assigned here", ty.shown()),
            )),
        }
    }

    /// The text of an array that is read for each element of another one: an exception where its shape does not fit.
    pub(crate) fn fitting(&mut self, target: &Expr, value: &Expr) -> String {
        let (Type::Array(to), Type::Array(from)) = (&target.ty, &value.ty) else {
            return value.text.clone();
        };
        let fits = to.shape.is_some() && to.shape == from.shape || value.text == target.text;
        if from.ndim == 0 || fits {
            return value.text.clone();
        }
        let message = "could not broadcast the array into the other one's shape";
        let number = self.exception("ValueError", Some(message.to_owned()));
        format!("py::fitting({}, {}, {number})", target.text, value.text)
    }

    /// The index of an element, of several dimensions, as builtins such as atomics take it; and the element's place.
    pub(crate) fn place_of(&mut self, array: Operand, index: Operand) -> Result<Expr> {
        match self.item(array, index)? {
            Operand::Value(place) if place.is_place && !place.text.ends_with(".get()") => Ok(place),
            other => Err(Failure::new(
                Code::Type,
                format!(
                    "expected the index of one element, got one of {}",
                    other.described()
                ),
            )),
        }
    }
}

/// All parts as indices of one element, else the parts.
fn all_indices(parts: Vec<Part>, ndim: usize) -> std::result::Result<Vec<Expr>, Vec<Part>> {
    if parts.len() != ndim || parts.iter().any(|part| !matches!(part, Part::Index(_))) {
        return Err(parts);
    }
    Ok(parts
        .into_iter()
        .filter_map(|part| match part {
            Part::Index(index) => Some(index),
            _ => None,
        })
        .collect())
}

fn is_new_axis(operand: &Operand) -> bool {
    match operand {
        Operand::Constant(Value::None) => true,
        Operand::Constant(Value::Path(path)) => path == "numpy.newaxis",
        _ => false,
    }
}

fn is_ellipsis(operand: &Operand) -> bool {
    matches!(operand, Operand::Constant(Value::Path(path)) if path == "builtins.Ellipsis")
}

fn constant_index(index: &Operand) -> Option<i128> {
    index
        .as_value()
        .filter(|value| value.ty.is_int() || value.ty == BOOL)?
        .constant_int()
}

fn wrapped(at: i128, count: usize) -> Option<usize> {
    let at = if at < 0 { at + count as i128 } else { at };
    usize::try_from(at).ok().filter(|at| *at < count)
}

fn item_at<T>(items: Vec<T>, at: i128) -> Option<T> {
    let at = wrapped(at, items.len())?;
    items.into_iter().nth(at)
}

fn out_of_range(what: &str, at: i128, count: usize) -> Failure {
    Failure::new(
        Code::Range,
        format!("index {at} is out of range: the {what} has {count} items"),
    )
}

fn not_constant(what: &str) -> Failure {
    Failure::new(
        Code::NotConstant,
        format!("{what} must be known when the kernel is compiled"),
    )
}

/// The failure of an assignment to an item of a captured array.
pub(super) fn constant_array() -> Failure {
    Failure::new(Code::Type, "a captured host array is constant in kernels")
        .help("pass it to the kernel as an argument")
}

/// The failure of an assignment to a field of a captured record.
pub(super) fn constant_record() -> Failure {
    Failure::new(Code::Type, "a captured record is constant in kernels")
        .help("pass it to the kernel as an argument")
}

fn unaligned_elements(name: &str) -> Failure {
    Failure::new(
        Code::Unsupported,
        format!("the elements of field '{name}' are not aligned: a GPU cannot read them"),
    )
    .help("make the type with numpy.dtype(…, align=True)")
}

fn no_field(name: &str, fields: &[Field]) -> Failure {
    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
    Failure::new(
        Code::Attribute,
        format!(
            "the record has no field '{name}'; it has {}",
            names.join(", ")
        ),
    )
}

/// A slice of items that stand apart: its bounds must be known.
fn sliced(items: Vec<Operand>, parts: &[Option<Operand>; 3]) -> Result<Vec<Operand>> {
    let mut bounds = [None; 3];
    for (bound, part) in bounds.iter_mut().zip(parts) {
        *bound = match part {
            None | Some(Operand::Constant(Value::None)) => None,
            Some(part) => match constant_index(part) {
                Some(value) => Some(value),
                None => return Err(not_constant("the slice of a tuple")),
            },
        };
    }
    let count = items.len() as i128;
    let step = bounds[2].unwrap_or(1);
    if step == 0 {
        return Err(Failure::new(Code::Range, "the step of a slice cannot be 0"));
    }
    let clamp = |value: i128, low: i128, high: i128| {
        let value = if value < 0 { value + count } else { value };
        value.clamp(low, high)
    };
    let (mut at, end) = if step > 0 {
        (
            bounds[0].map_or(0, |value| clamp(value, 0, count)),
            bounds[1].map_or(count, |value| clamp(value, 0, count)),
        )
    } else {
        (
            bounds[0].map_or(count - 1, |value| clamp(value, -1, count - 1)),
            bounds[1].map_or(-1, |value| clamp(value, -1, count - 1)),
        )
    };
    let mut chosen = Vec::new();
    while if step > 0 { at < end } else { at > end } {
        if let Some(item) = usize::try_from(at).ok().and_then(|at| items.get(at)) {
            chosen.push(item.clone());
        }
        at += step;
    }
    Ok(chosen)
}
