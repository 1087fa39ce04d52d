//! Sorts, and the places that a sort would give.

use super::{Call, NOTHING, present};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::Arguments;
use crate::operand::Operand;
use crate::types::{INT32, INT64, Type};

/// Threads can have the places where the keys with each value of at most so many bits begin.
const MOST_DIGIT_BITS: u32 = 16;

impl Call<'_, '_, '_, '_> {
    /// What goes with the keys: its type in the prelude and its places.
    fn values(&mut self, values: Option<Operand>) -> Result<(String, String)> {
        match (self.collective.other.clone(), present(values)) {
            (Some(ty), Some(values)) => {
                self.frame.need_type(&ty);
                let count = self.collective.items;
                let places = self.places_of(values, &ty, count, "values")?;
                Ok((ty.storage(), places))
            }
            (None, None) => {
                let nothing = "py::collective::nothing";
                Ok((nothing.to_owned(), format!("{nothing}{{}}")))
            }
            (Some(_), None) => Err(self.failure(Code::Arguments, "it needs values")),
            (None, Some(_)) => Err(self.failure(Code::Arguments, "it takes keys alone")),
        }
    }

    pub(super) fn merge_sort(&mut self, given: Arguments) -> Result<Operand> {
        let (keys, values, valid, otherwise) = if self.collective.other.is_some() {
            let names = ["keys", "values", "valid_items", "oob_default"];
            let [keys, values, valid, otherwise] = given.bind(names, 2)?;
            (keys, values, valid, otherwise)
        } else {
            let [keys, valid, otherwise] = given.bind(["keys", "valid_items", "oob_default"], 1)?;
            (keys, None, valid, otherwise)
        };
        self.frame.need("collective_sort");
        let keys = self.places(keys.unwrap_or(NOTHING), "keys")?;
        let (value, values) = self.values(values)?;
        let (valid, all) = self.valid(valid, "valid_items")?;
        let ty = self.item();
        let otherwise = match (present(otherwise), all) {
            (Some(key), false) => format!("{ty}({})", self.scalar(key)?),
            (None, true) => format!("{ty}()"),
            _ => {
                let text =
                    "valid_items and oob_default, what the keys behind become, need each other";
                return Err(self.failure(Code::Arguments, text));
            }
        };
        let operator = self.operator()?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::merge_sort<{}, {}, {all}, {ty}, {value}>({storage}, {keys}, {values}, {operator}, {valid}, {otherwise});",
            self.group(),
            self.collective.items,
        ));
        Ok(Operand::Constant(Value::None))
    }

    /// The prelude's number of a kind of keys.
    fn kind_of_keys(&self) -> Result<u8> {
        match &self.collective.item {
            ty if ty.is_float() => Ok(2),
            Type::Int { signed: true, .. } => Ok(1),
            Type::Int { .. } | Type::Bool => Ok(0),
            ty => {
                let text = format!("it sorts integers and floats, not {}", ty.shown());
                Err(self.failure(Code::Type, &text))
            }
        }
    }

    pub(super) fn radix_sort(&mut self, descending: bool, given: Arguments) -> Result<Operand> {
        let (keys, values, begin, end, valid) = if self.collective.other.is_some() {
            let names = ["keys", "values", "begin_bit", "end_bit", "valid_items"];
            let [keys, values, begin, end, valid] = given.bind(names, 2)?;
            (keys, values, begin, end, valid)
        } else {
            let names = ["keys", "begin_bit", "end_bit", "valid_items"];
            let [keys, begin, end, valid] = given.bind(names, 1)?;
            (keys, None, begin, end, valid)
        };
        self.frame.need("collective_sort");
        let kind = self.kind_of_keys()?;
        let keys = self.places(keys.unwrap_or(NOTHING), "keys")?;
        let (value, values) = self.values(values)?;
        let bits = self.collective.item.size().unwrap_or(0) * 8;
        let mut bit = |given: Option<Operand>, what: &str, otherwise: u64| -> Result<_> {
            let bit = match present(given) {
                Some(bit) => self.integer(bit, what)?,
                None => return Ok((otherwise.to_string(), Some(i128::from(otherwise)))),
            };
            let known = bit.constant_int();
            // All of it, or 2**32 would be bit 0.
            let bit = self.frame.convert(bit, &INT64)?;
            Ok((self.frame.hoist(bit).text, known))
        };
        let (begin, first) = bit(begin, "begin_bit", 0)?;
        let (end, last) = bit(end, "end_bit", bits)?;
        let known = (first, last);
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(i128::from(bits)));
        if first < 0 || last < first || last > i128::from(bits) {
            let text = format!("the bits {first} to {last} are none of {bits}");
            return Err(self.failure(Code::Range, &text));
        }
        let (valid, all) = self.valid(valid, "valid_items")?;
        let storage = self.storage()?;
        for (bit, name, known) in [(&begin, "begin_bit", known.0), (&end, "end_bit", known.1)] {
            if known.is_none() {
                let group = self.group();
                let test = format!("py::collective::varies<{group}>({storage}, (int32){bit})");
                let text = format!("{name} must be the same in all threads");
                self.refuse(&test, "ValueError", &text);
            }
        }
        if known.0.is_none() || known.1.is_none() {
            let text = format!("begin_bit and end_bit must be 0 to {bits}, in this order");
            let test = format!("{begin} < 0 || {end} < {begin} || {end} > {bits}");
            self.refuse(&test, "ValueError", &text);
        }
        self.frame.code.statement(format!(
            "py::collective::radix_sort<{}, {}, {kind}, {descending}, {all}, {}, {value}>({storage}, {keys}, {values}, (int32)({begin}), (int32)({end}), {valid});",
            self.group(),
            self.collective.items,
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    pub(super) fn radix_rank(
        &mut self,
        descending: bool,
        begin: u32,
        end: u32,
        given: Arguments,
    ) -> Result<Operand> {
        let [keys, ranks, prefix] = given.bind(["items", "ranks", "exclusive_digit_prefix"], 2)?;
        self.frame.need("collective_sort");
        let kind = self.kind_of_keys()?;
        if kind == 2 {
            return Err(self.failure(Code::Type, "it takes integers"));
        }
        let keys = self.items(keys.unwrap_or(NOTHING), "items")?;
        let count = self.collective.items;
        let ranks = self.places_of(ranks.unwrap_or(NOTHING), &INT32, count, "ranks")?;
        let (digits, begins) = match present(prefix) {
            None => (0, "(int32 *)0".to_owned()),
            Some(_) if end - begin > MOST_DIGIT_BITS => {
                let text = format!("exclusive_digit_prefix is for at most {MOST_DIGIT_BITS} bits");
                return Err(self.failure(Code::Range, &text));
            }
            Some(prefix) => {
                let each = (1_u64 << (end - begin)).div_ceil(self.collective.group.threads());
                let each = u32::try_from(each).unwrap_or(u32::MAX);
                let what = "exclusive_digit_prefix";
                (each, self.places_of(prefix, &INT32, each, what)?)
            }
        };
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::radix_rank<{}, {count}, {kind}, {descending}, {begin}, {end}, {digits}, {}>({storage}, {keys}, {ranks}, {begins});",
            self.group(),
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }
}
