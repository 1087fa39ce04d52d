//! Calls of operations of all threads of a block or warp.

use crate::collective::{Arrangement, Collective, Group, Operation};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{INT32, INT64, Layout, Type};

mod operator;
mod storage;

use operator::Returns;
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
    let explicit = take_storage(collective, &mut given);
    let result = Call {
        frame,
        collective,
        explicit,
    }
    .lower(given);
    frame.code.effects += 1;
    result
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
    let Group::Block(shape) = collective.group else {
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

/// The shape of a block in messages.
pub fn shown(shape: [u32; 3]) -> String {
    match shape {
        [x, 1, 1] => format!("{x} threads"),
        [x, y, 1] => format!("{x} x {y} threads"),
        [x, y, z] => format!("{x} x {y} x {z} threads"),
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
        match self.collective.group {
            Group::Block([x, y, z]) => format!("py::collective::block<{x}, {y}, {z}>"),
            Group::Warp(threads) => format!("py::collective::warp<{threads}>"),
        }
    }

    fn item(&self) -> String {
        self.collective.item.storage()
    }

    /// The items of a thread, or of an array in memory.
    fn items(&mut self, operand: Operand, what: &str) -> Result<String> {
        let value = self.frame.value(operand)?;
        let item = &self.collective.item;
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
            && !matches!(what, "src" | "dest" | "block_aggregate")
            && *length < u64::from(self.collective.items)
        {
            let text = format!(
                "{what} has {length} items, and each thread has {}",
                self.collective.items
            );
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
        let value = self.frame.value(operand)?;
        if value.ty.as_array().is_some_and(|array| !array.mutable) {
            let text = format!("{what} is an array that kernels cannot store into");
            return Err(self.failure(Code::Type, &text));
        }
        self.items(value.into(), what)
    }

    /// A value of the items' type.
    fn scalar(&mut self, operand: Operand) -> Result<String> {
        let value = self.frame.as_type(operand, &self.collective.item)?;
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
            Operation::StripedToBlocked => self.exchange(given),
            Operation::Reduce => self.reduce(given),
            Operation::Scan { inclusive } => self.scan(inclusive, given),
            Operation::MergeSort => self.merge_sort(given),
            Operation::RadixSort { descending } => self.radix_sort(descending, given),
        }
    }

    /// A number of items, and whether it is all of them.
    fn valid(&mut self, given: Option<Operand>, ty: &Type) -> Result<(String, bool)> {
        match present(given) {
            Some(count) => {
                let count = self.frame.as_type(count, ty)?;
                Ok((self.frame.hoist(count).text, false))
            }
            None => Ok((self.collective.group.threads().to_string(), true)),
        }
    }

    fn load(&mut self, arrangement: Arrangement, given: Arguments) -> Result<Operand> {
        let [src, dest, count, otherwise] =
            given.bind(["src", "dest", "num_valid_items", "oob_default"], 2)?;
        let from = self.items(src.unwrap_or(NOTHING), "src")?;
        let to = self.places(dest.unwrap_or(NOTHING), "the thread's items")?;
        let (valid, all) = self.valid(count, &INT64)?;
        let item = self.item();
        let otherwise = match present(otherwise) {
            Some(value) => {
                let value = self.scalar(value)?;
                format!("[&]({item} &place) {{ place = {value}; }}")
            }
            None => format!("[]({item} &) {{}}"),
        };
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::load<{}, {}, {}, {all}, {item}>({storage}, {from}, {to}, {valid}, {otherwise});",
            self.group(),
            self.collective.items,
            how(arrangement)
        ));
        Ok(Operand::Constant(Value::None))
    }

    fn store(&mut self, arrangement: Arrangement, given: Arguments) -> Result<Operand> {
        let [dest, src, count] = given.bind(["dest", "src", "num_valid_items"], 2)?;
        let to = self.places(dest.unwrap_or(NOTHING), "dest")?;
        let from = self.items(src.unwrap_or(NOTHING), "the thread's items")?;
        let (valid, all) = self.valid(count, &INT64)?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::store<{}, {}, {}, {all}, {}>({storage}, {to}, {from}, {valid});",
            self.group(),
            self.collective.items,
            how(arrangement),
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    fn exchange(&mut self, given: Arguments) -> Result<Operand> {
        let [input, output] = given.bind(["items", "output_items"], 1)?;
        let input = input.unwrap_or(NOTHING);
        let (from, to) = match present(output) {
            Some(output) => {
                let from = self.items(input, "items")?;
                (from, self.places(output, "output_items")?)
            }
            None => {
                let own = self.places(input, "items")?;
                (own.clone(), own)
            }
        };
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::striped_to_blocked<{}, {}, {}>({storage}, {from}, {to});",
            self.group(),
            self.collective.items,
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    /// A thread's own items as one value.
    fn own(&mut self, operand: Operand) -> Result<(String, bool)> {
        if !is_array(&operand) {
            if self.collective.items > 1 {
                let text = format!(
                    "it takes an array of {} items of each thread",
                    self.collective.items
                );
                return Err(self.failure(Code::Type, &text));
            }
            return Ok((self.scalar(operand)?, false));
        }
        Ok((self.items(operand, "items")?, true))
    }

    fn reduce(&mut self, given: Arguments) -> Result<Operand> {
        let [item, count] = given.bind(["items", "num_valid"], 1)?;
        let (own, is_array) = self.own(item.unwrap_or(NOTHING))?;
        let (valid, all) = self.valid(count, &INT32)?;
        if !all && self.collective.items > 1 {
            return Err(self.failure(Code::Arguments, "num_valid counts threads of one item each"));
        }
        let operator = self.operator()?;
        let ty = self.item();
        let own = if is_array {
            let name = self.frame.new_name("own");
            let items = self.collective.items;
            self.frame.code.statement(format!("{ty} {name}[{items}];"));
            self.frame
                .code
                .statement(format!("py::collective::read({name}, {own});"));
            format!("py::collective::combined({name}, {operator})")
        } else {
            own
        };
        let storage = self.storage()?;
        let text = format!(
            "py::collective::reduce<{}, {all}, {ty}>({storage}, {own}, {valid}, {operator})",
            self.group()
        );
        Ok(self.result(text))
    }

    fn scan(&mut self, inclusive: bool, given: Arguments) -> Result<Operand> {
        let is_array = given.positional.first().is_some_and(is_array)
            || given
                .keywords
                .iter()
                .any(|(name, _)| name == "output_items");
        let has_state = matches!(self.collective.prefix, Some((_, true)));
        let extra = if has_state {
            "prefix_state"
        } else {
            "initial_value"
        };
        let (input, output, extra, aggregate) = if is_array {
            let names = ["items", "output_items", extra, "block_aggregate"];
            let [input, output, extra, aggregate] = given.bind(names, 2)?;
            (input, output, extra, aggregate)
        } else {
            let [input, extra, aggregate] = given.bind(["item", extra, "block_aggregate"], 1)?;
            (input, None, extra, aggregate)
        };
        let (own, _) = self.own(input.unwrap_or(NOTHING))?;
        let items = self.collective.items;
        let ty = self.item();
        let result = self.frame.new_name("scanned");
        let to = match present(output) {
            Some(output) => self.places(output, "output_items")?,
            None => result.clone(),
        };
        let from = if is_array {
            own
        } else {
            self.frame
                .code
                .statement(format!("{ty} {result}[1] = {{{own}}};"));
            result.clone()
        };
        let operator = self.operator()?;
        let (has, before) = match (self.collective.prefix.clone(), present(extra)) {
            (Some((function, true)), state) => {
                let state = state.ok_or_else(|| {
                    self.failure(
                        Code::Arguments,
                        "its prefix function needs a state: an array of one",
                    )
                })?;
                let state = self.frame.settled_value(state)?;
                let item = self.collective.item.clone();
                (
                    2,
                    self.function(function, &[item], Returns::Item, Some(state))?,
                )
            }
            (Some(_), Some(_)) => {
                return Err(self.failure(
                    Code::Arguments,
                    "it takes no initial value: its prefix function gives one",
                ));
            }
            (Some((function, false)), None) => {
                let item = self.collective.item.clone();
                (2, self.function(function, &[item], Returns::Item, None)?)
            }
            (None, Some(initial)) => (1, self.scalar(initial)?),
            (None, None) => match self.collective.initial.clone() {
                Some(initial) => (1, self.scalar(Operand::known(initial))?),
                None => (0, "py::collective::nothing{}".to_owned()),
            },
        };
        let aggregate = present(aggregate)
            .map(|place| self.places(place, "block_aggregate"))
            .transpose()?;
        let storage = self.storage()?;
        let before = if has == 1 {
            format!("{ty}({before})")
        } else {
            before
        };
        let text = format!(
            "py::collective::scan<{}, {items}, {inclusive}, {has}, {ty}>({storage}, {from}, {to}, {operator}, {before})",
            self.group()
        );
        self.frame.code.statement(match aggregate {
            Some(place) => format!("({place})[0] = {text};"),
            None => format!("{text};"),
        });
        Ok(if is_array {
            Operand::Constant(Value::None)
        } else {
            self.result(format!("{result}[0]"))
        })
    }

    fn merge_sort(&mut self, given: Arguments) -> Result<Operand> {
        let [keys] = given.bind(["keys"], 1)?;
        self.frame.need("collective_sort");
        let keys = self.places(keys.unwrap_or(NOTHING), "keys")?;
        let operator = self.operator()?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::merge_sort<{}, {}, {}>({storage}, {keys}, {operator});",
            self.group(),
            self.collective.items,
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    fn radix_sort(&mut self, descending: bool, given: Arguments) -> Result<Operand> {
        let [keys, begin, end] = given.bind(["keys", "begin_bit", "end_bit"], 1)?;
        self.frame.need("collective_sort");
        let kind = match &self.collective.item {
            ty if ty.is_float() => 2,
            Type::Int { signed: true, .. } => 1,
            Type::Int { .. } | Type::Bool => 0,
            ty => {
                let text = format!("it sorts integers and floats, not {}", ty.shown());
                return Err(self.failure(Code::Type, &text));
            }
        };
        let keys = self.places(keys.unwrap_or(NOTHING), "keys")?;
        let mut bit = |given: Option<Operand>, otherwise: u64| -> Result<String> {
            match present(given) {
                Some(bit) => Ok(self.frame.as_type(bit, &INT32)?.text),
                None => Ok(otherwise.to_string()),
            }
        };
        let bits = self.collective.item.size().unwrap_or(0) * 8;
        let (begin, end) = (bit(begin, 0)?, bit(end, bits)?);
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::radix_sort<{}, {}, {kind}, {descending}, {}>({storage}, {keys}, {begin}, {end});",
            self.group(),
            self.collective.items,
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }
}

/// An argument that `bind` has found to be there.
const NOTHING: Operand = Operand::Constant(Value::None);

fn present(given: Option<Operand>) -> Option<Operand> {
    given.filter(|given| !matches!(given, Operand::Constant(Value::None)))
}

/// The prelude's number of an arrangement.
fn how(arrangement: Arrangement) -> u8 {
    match arrangement {
        Arrangement::Blocked => 0,
        Arrangement::Transposed => 1,
        Arrangement::Striped => 2,
    }
}
