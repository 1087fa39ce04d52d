//! Calls of operations of all threads of a block or warp.

use crate::collective::{Collective, Operation, Part, shown};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{INT64, Layout, Type};

mod counts;
mod folds;
pub mod group;
mod moves;
mod operator;
pub mod single;
mod sorts;
mod storage;

pub use storage::declarations;
use storage::take_storage;

/// A call of a collective.
pub fn call(
    frame: &mut Frame<'_, '_>,
    collective: &Collective,
    mut given: Arguments,
) -> Result<Operand> {
    given.name.clone_from(&collective.name);
    if frame.program.is_object() {
        return Err(Failure::new(
            Code::Unsupported,
            format!(
                "{}() is called by all threads of a block, and an operator by one at a time",
                collective.name
            ),
        ));
    }
    frame.need_type(&collective.item);
    frame.need("warp");
    frame.need("collective");
    take_block(frame, collective)?;
    frame.check_reach(collective.group, &collective.name)?;
    let explicit = take_storage(collective, &mut given);
    let result = Call {
        frame,
        collective,
        explicit,
    }
    .lower(given);
    frame.code.effects += 1;
    frame.called_together(collective.group, &collective.name);
    result
}

/// True for a step of a collective that kernels can call alone.
pub fn has_step(collective: &Collective, name: &str) -> bool {
    matches!(collective.operation, Operation::Histogram { .. })
        && matches!(name, "init" | "composite")
}

/// Calls it.
pub fn step(
    frame: &mut Frame<'_, '_>,
    collective: &Collective,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let step = Operand::Constant(Value::Str(name.to_owned()));
    given.keywords.push(("step".to_owned(), step));
    call(frame, collective, given)
}

/// What kernels read of a collective: the size and alignment of the storage that a call may bring.
pub fn attribute(collective: &Collective, name: &str) -> Option<Operand> {
    let storage = collective.storage();
    let value = match name {
        "temp_storage_bytes" => storage.asked(),
        "temp_storage_alignment" => storage.align,
        _ => return None,
    };
    Some(Operand::known(Value::Int(i128::from(value))))
}

/// Notes the shape of the kernel's blocks.
fn take_block(frame: &mut Frame<'_, '_>, collective: &Collective) -> Result<()> {
    let Some(shape) = collective.group.block() else {
        return Ok(());
    };
    match &frame.program.block {
        Some((known, name)) if *known != shape => Err(Failure::new(
            Code::Arguments,
            format!(
                "{}() was made for blocks of {}, and {name}() in the same kernel for blocks of {}",
                collective.name,
                shown(shape),
                shown(*known)
            ),
        )),
        Some(_) => Ok(()),
        None => {
            frame.program.block = Some((shape, collective.name.clone()));
            Ok(())
        }
    }
}

fn is_array(operand: &Operand) -> bool {
    matches!(operand, Operand::Value(value) if value.ty.as_array().is_some())
}

struct Call<'f, 'p, 'h, 'c> {
    frame: &'f mut Frame<'p, 'h>,
    collective: &'c Collective,
    explicit: Option<Operand>,
}

impl Call<'_, '_, '_, '_> {
    fn failure(&self, code: Code, text: &str) -> Failure {
        Failure::new(code, format!("{}(): {text}", self.collective.name))
    }

    /// The group as a class of the prelude.
    fn group(&self) -> String {
        self.collective.group.class()
    }

    fn item(&self) -> String {
        self.collective.item.storage()
    }

    /// The items of a thread, or of an array in memory.
    fn items(&mut self, operand: Operand, what: &str) -> Result<String> {
        let count = match what {
            "src" | "dest" => 0,
            "block_aggregate" | "aggregate_output" => 1,
            _ => self.collective.items,
        };
        let item = self.collective.item.clone();
        self.items_of(operand, &item, count, what)
    }

    /// An array of at least so many of a type.
    fn items_of(
        &mut self,
        operand: Operand,
        item: &Type,
        count: u32,
        what: &str,
    ) -> Result<String> {
        if matches!(&operand, Operand::Constant(Value::Part(Part::Items(_)))) {
            return Err(Frame::untyped_items());
        }
        let value = self.frame.value(operand)?;
        let Some(array) = value.ty.as_array().cloned() else {
            let text = format!(
                "{what} must be an array of {}, got {}",
                item.shown(),
                value.ty.shown()
            );
            return Err(self.failure(Code::Type, &text));
        };
        if array.element != *item {
            let text = format!(
                "it was made for {}, and {what} is an array of {}",
                item.shown(),
                array.element.shown()
            );
            return Err(self.failure(Code::Type, &text));
        }
        if let Some([length]) = array.shape.as_deref()
            && *length < u64::from(count)
        {
            let text = format!("{what} must be an array of {count} or more, got {length}");
            return Err(self.failure(Code::Range, &text));
        }
        let value = self.frame.hoist(value);
        let storage = item.storage();
        match (array.layout, array.ndim) {
            (Layout::A, 1) => Ok(format!(
                "py::collective::strided<{storage}>{{(char *){0}.data, {0}.strides[0]}}",
                value.text
            )),
            (Layout::A, _) => {
                let text =
                    format!("{what} must have one dimension, or its items one behind the other");
                Err(self.failure(Code::Type, &text))
            }
            _ => Ok(format!("({storage} *){}.data", value.text)),
        }
    }

    /// The same of an array that is stored into.
    fn places(&mut self, operand: Operand, what: &str) -> Result<String> {
        let operand = self.stored(operand, what)?;
        self.items(operand, what)
    }

    /// The same of another type.
    fn places_of(
        &mut self,
        operand: Operand,
        item: &Type,
        count: u32,
        what: &str,
    ) -> Result<String> {
        let operand = self.stored(operand, what)?;
        self.items_of(operand, item, count, what)
    }

    fn stored(&mut self, operand: Operand, what: &str) -> Result<Operand> {
        if matches!(&operand, Operand::Constant(Value::Part(Part::Items(_)))) {
            return Err(Frame::untyped_items());
        }
        let value = self.frame.value(operand)?;
        if value.ty.as_array().is_some_and(|array| !array.mutable) {
            let text = format!("{what} is an array that kernels cannot store into");
            return Err(self.failure(Code::Type, &text));
        }
        Ok(value.into())
    }

    /// The items, and where the results go: to the same places if no others are given.
    fn input_output(
        &mut self,
        input: Option<Operand>,
        output: Option<Operand>,
    ) -> Result<(String, String)> {
        let input = input.unwrap_or(NOTHING);
        match present(output) {
            Some(output) => {
                let from = self.items(input, "items")?;
                Ok((from, self.places(output, "output_items")?))
            }
            None => {
                let own = self.places(input, "items")?;
                Ok((own.clone(), own))
            }
        }
    }

    /// The type of what belongs to the items.
    fn other(&self) -> Result<Type> {
        let other = self.collective.other.clone();
        other.ok_or_else(|| self.failure(Code::Arguments, "it was made without a second type"))
    }

    /// An int64.
    fn integer(&mut self, operand: Operand, what: &str) -> Result<Expr> {
        let value = self.frame.value(operand)?;
        if !value.ty.is_integral() && value.ty != Type::Never {
            let text = format!("{what} must be an integer, got {}", value.ty.shown());
            return Err(self.failure(Code::Type, &text));
        }
        self.frame.convert(value, &INT64)
    }

    /// A tuple or structure as a record, if the items are records.
    fn as_item(&mut self, value: Expr) -> Result<Expr> {
        let item = self.collective.item.clone();
        match (&item, &value.ty) {
            (Type::Record(_), Type::Tuple(_)) => self.frame.as_record(value.into(), &item),
            _ => Ok(value),
        }
    }

    /// A value of the items' type. Integers are not made of floats, which would lose what they have behind the point.
    fn scalar(&mut self, operand: Operand) -> Result<String> {
        let item = self.collective.item.clone();
        let value = self.frame.value(operand)?;
        let value = self.as_item(value)?;
        if item.is_integral() && value.ty.is_float() {
            let text = format!("expected {}, got {}", item.shown(), value.ty.shown());
            let help = format!("convert it: types.{}(value)", item.shown());
            return Err(self.failure(Code::Type, &text).help(help));
        }
        let value = self.frame.convert(value, &item)?;
        let value = self.frame.hoist(value);
        Ok(match &self.collective.item {
            Type::Record(_) => format!("*({})", value.text),
            _ => value.text,
        })
    }

    /// A result of the items' type, in a variable.
    fn result(&mut self, text: String) -> Operand {
        let item = &self.collective.item;
        if let Type::Record(_) = item {
            let name = self.frame.new_name("combined");
            self.frame
                .code
                .statement(format!("{} {name} = {text};", item.storage()));
            return Expr::new(item.clone(), format!("&{name}")).into();
        }
        self.frame
            .kept(Expr::new(item.clone(), text).with_effect())
            .into()
    }

    fn lower(mut self, given: Arguments) -> Result<Operand> {
        match self.collective.operation {
            Operation::Load(arrangement) => self.load(arrangement, given),
            Operation::Store(arrangement) => self.store(arrangement, given),
            Operation::Exchange(exchange) => self.exchange(exchange, given),
            Operation::Shuffle(shuffle) => self.shuffle(shuffle, given),
            Operation::AdjacentDifference { right } => self.adjacent_difference(right, given),
            Operation::Discontinuity { heads, tails } => self.discontinuity(heads, tails, given),
            Operation::Reduce { broadcast } => self.reduce(broadcast, given),
            Operation::ReduceBatched { blocked } => self.reduce_batched(blocked, given),
            Operation::Scan { inclusive } => self.scan(inclusive, given),
            Operation::MergeSort => self.merge_sort(given),
            Operation::RadixSort { descending } => self.radix_sort(descending, given),
            Operation::RadixRank {
                descending,
                begin,
                end,
            } => self.radix_rank(descending, begin, end, given),
            Operation::Histogram { bins, each } => self.histogram(bins, each, given),
            Operation::RunLengthDecode { decoded } => self.run_length_decode(decoded, given),
        }
    }

    /// Raises in a launch on the software GPU where a test holds. On a GPU the result is undefined, as NVIDIA's.
    fn refuse(&mut self, test: &str, exception: &str, what: &str) {
        if !self.frame.options().for_software_gpu {
            return;
        }
        self.frame.program.has_checks = true;
        let message = format!("{}(): {what}", self.collective.name);
        let number = self.frame.exception(exception, Some(message));
        let raised = format!("if ({test}) py::raise({number});");
        self.frame.code.statement(raised);
    }

    /// The name of the argument that counts valid items: calls in kernels have one for all.
    fn counted<'a>(&self, name: &'a str) -> &'a str {
        match self.collective.name.starts_with("coop.") {
            true => "valid_items",
            false => name,
        }
    }

    /// A number of items, and whether it is all of them.
    fn valid(&mut self, given: Option<Operand>, what: &str) -> Result<(String, bool)> {
        let what = self.counted(what);
        match present(given) {
            Some(count) => {
                let count = self.integer(count, what)?;
                Ok((self.frame.hoist(count).text, false))
            }
            None => Ok((self.collective.group.threads().to_string(), true)),
        }
    }
}

/// An argument that `bind` has found to be there.
const NOTHING: Operand = Operand::Constant(Value::None);

fn present(given: Option<Operand>) -> Option<Operand> {
    given.filter(|given| !matches!(given, Operand::Constant(Value::None)))
}
