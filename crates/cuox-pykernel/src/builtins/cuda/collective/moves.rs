//! Items that move: loads, stores, exchanges, shuffles, and what is made of an item and its neighbour.

use super::{Call, NOTHING, present};
use crate::collective::{Arrangement, Exchange, Guard, Order, Shuffle};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::Arguments;
use crate::operand::Operand;
use crate::types::{INT32, Type};

impl Call<'_, '_, '_, '_> {
    pub(super) fn load(&mut self, arrangement: Arrangement, given: Arguments) -> Result<Operand> {
        let names = ["src", "dest", "num_valid_items", "oob_default", "offset"];
        let [src, dest, count, otherwise, offset] = given.bind(names, 2)?;
        let from = self.items(src.unwrap_or(NOTHING), "src")?;
        let from = self.behind(from, offset)?;
        let to = self.places(dest.unwrap_or(NOTHING), "the thread's items")?;
        let (valid, all) = self.valid(count, "num_valid_items")?;
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

    pub(super) fn store(&mut self, arrangement: Arrangement, given: Arguments) -> Result<Operand> {
        let names = ["dest", "src", "num_valid_items", "offset"];
        let [dest, src, count, offset] = given.bind(names, 2)?;
        let to = self.places(dest.unwrap_or(NOTHING), "dest")?;
        let to = self.behind(to, offset)?;
        let from = self.items(src.unwrap_or(NOTHING), "the thread's items")?;
        let (valid, all) = self.valid(count, "num_valid_items")?;
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

    /// The items of an array from this one on.
    fn behind(&mut self, items: String, offset: Option<Operand>) -> Result<String> {
        let Some(offset) = present(offset) else {
            return Ok(items);
        };
        let offset = self.integer(offset, "offset")?;
        Ok(format!("py::collective::behind({items}, {})", offset.text))
    }

    pub(super) fn exchange(&mut self, exchange: Exchange, given: Arguments) -> Result<Operand> {
        let names = ["items", "output_items", "ranks", "valid_flags"];
        let [input, output, ranks, flags] = given.bind(names, 1)?;
        self.frame.need("collective_exchange");
        let (from, to) = self.input_output(input, output)?;
        let (group, items, ty) = (self.group(), self.collective.items, self.item());
        let guard = match exchange {
            Exchange::Layout { .. } => None,
            Exchange::Scatter { guard, .. } => Some(guard),
        };
        let ranks = match (guard, present(ranks)) {
            (Some(_), Some(ranks)) => Some(self.integers(ranks, "ranks")?),
            (None, None) => None,
            (Some(_), None) => return Err(self.failure(Code::Arguments, "it needs ranks")),
            (None, Some(_)) => return Err(self.failure(Code::Arguments, "it takes no ranks")),
        };
        let flags = match (guard == Some(Guard::Flag), present(flags)) {
            (true, Some(flags)) => Some(self.integers(flags, "valid_flags")?),
            (false, None) => None,
            (true, None) => return Err(self.failure(Code::Arguments, "it needs valid_flags")),
            (false, Some(_)) => {
                return Err(self.failure(Code::Arguments, "it takes no valid_flags"));
            }
        };
        let keeps = match (guard, &ranks, &flags) {
            (Some(Guard::Rank), Some(ranks), _) => {
                format!("[&](int i) {{ return ({ranks})[i] >= 0; }}")
            }
            (Some(Guard::Flag), _, Some(flags)) => {
                format!("[&](int i) {{ return ({flags})[i] != 0; }}")
            }
            _ => "[](int) { return true; }".to_owned(),
        };
        if let Some(ranks) = &ranks {
            let most = u64::from(items) * self.collective.group.threads() - 1;
            let what = match guard {
                Some(Guard::Rank) => "or negative",
                Some(Guard::Flag) => "where valid_flags are set",
                _ => "for each item",
            };
            let text = format!("ranks must be 0 to {most}, {what}");
            let test = format!("py::collective::outside<{group}, {items}>({ranks}, {keeps})");
            self.refuse(&test, "ValueError", &text);
        }
        let storage = self.storage()?;
        self.frame.code.statement(match exchange {
            Exchange::Layout { from: order, to: other } => format!(
                "py::collective::exchange<{group}, {items}, {}, {}, {ty}>({storage}, {from}, {to});",
                number(order),
                number(other)
            ),
            Exchange::Scatter { to: order, .. } => format!(
                "py::collective::scatter<{group}, {items}, {}, {ty}>({storage}, {from}, {to}, {}, {keeps});",
                number(order),
                ranks.unwrap_or_default()
            ),
        });
        Ok(Operand::Constant(Value::None))
    }

    /// A thread's array of integers of any type.
    pub(super) fn integers(&mut self, operand: Operand, what: &str) -> Result<String> {
        let value = self.frame.value(operand)?;
        let element = value.ty.as_array().map(|array| array.element.clone());
        match element {
            Some(element) if element.is_integral() => {
                let count = self.collective.items;
                self.items_of(value.into(), &element, count, what)
            }
            _ => {
                let text = format!(
                    "{what} must be an array of integers, got {}",
                    value.ty.shown()
                );
                Err(self.failure(Code::Type, &text))
            }
        }
    }

    pub(super) fn shuffle(&mut self, shuffle: Shuffle, given: Arguments) -> Result<Operand> {
        self.frame.need("collective_exchange");
        let (group, items, ty) = (self.group(), self.collective.items, self.item());
        if matches!(shuffle, Shuffle::Up | Shuffle::Down) {
            let [input, output] = given.bind(["items", "output_items"], 1)?;
            let (from, to) = self.input_output(input, output)?;
            let storage = self.storage()?;
            let up = shuffle == Shuffle::Up;
            self.frame.code.statement(format!(
                "py::collective::moved_by_one<{group}, {items}, {up}, {ty}>({storage}, {from}, {to});"
            ));
            return Ok(Operand::Constant(Value::None));
        }
        let [value, distance] = given.bind(["item", "distance"], 1)?;
        let value = self.scalar(value.unwrap_or(NOTHING))?;
        let distance = match present(distance) {
            Some(distance) => self.integer(distance, "distance")?.text,
            None => "1".to_owned(),
        };
        let storage = self.storage()?;
        let round = shuffle == Shuffle::Rotate;
        Ok(self.result(format!(
            "py::collective::shuffled<{group}, {round}, {ty}>({storage}, {value}, {distance})"
        )))
    }

    /// A value of the items' type, if it is given, and whether it is.
    fn neighbour(&mut self, given: Option<Operand>) -> Result<(String, bool)> {
        let ty = self.item();
        match present(given) {
            Some(value) => Ok((format!("{ty}({})", self.scalar(value)?), true)),
            None => Ok((format!("{ty}()"), false)),
        }
    }

    pub(super) fn adjacent_difference(&mut self, right: bool, given: Arguments) -> Result<Operand> {
        let neighbour = if right {
            "tile_successor_item"
        } else {
            "tile_predecessor_item"
        };
        let names = ["items", "output_items", neighbour, "valid_items"];
        let [input, output, other, valid] = given.bind(names, 1)?;
        self.frame.need("collective_exchange");
        let (from, to) = self.input_output(input, output)?;
        let (other, has) = self.neighbour(other)?;
        let (valid, all) = self.valid(valid, "valid_items")?;
        if has && right && !all {
            let text = "it takes tile_successor_item or valid_items, not both";
            return Err(self.failure(Code::Arguments, text));
        }
        let operator = self.operator()?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::adjacent_difference<{}, {}, {right}, {has}, {all}, {}>({storage}, {from}, {to}, {operator}, {other}, {valid});",
            self.group(),
            self.collective.items,
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    pub(super) fn discontinuity(
        &mut self,
        heads: bool,
        tails: bool,
        given: Arguments,
    ) -> Result<Operand> {
        let neighbours = ["tile_predecessor_item", "tile_successor_item"];
        let [before, behind] = neighbours;
        let (input, first, second, before, behind) = if heads && tails {
            let names = ["items", "head_flags", "tail_flags", before, behind];
            let [input, first, second, before, behind] = given.bind(names, 3)?;
            (input, first, second, before, behind)
        } else if heads {
            let [input, flags, before] = given.bind(["items", "flags", before], 2)?;
            (input, flags, None, before, None)
        } else {
            let [input, flags, behind] = given.bind(["items", "flags", behind], 2)?;
            (input, None, flags, None, behind)
        };
        self.frame.need("collective_exchange");
        let from = self.items(input.unwrap_or(NOTHING), "items")?;
        let (mut places, mut flag) = (Vec::new(), INT32);
        for flags in [first, second] {
            places.push(match flags {
                None => "(int32 *)nullptr".to_owned(),
                Some(flags) => {
                    let flags = self.frame.value(flags)?;
                    let element = flags.ty.as_array().map(|array| array.element.clone());
                    flag = element.filter(Type::is_integral).ok_or_else(|| {
                        self.failure(Code::Type, "flags must be an array of integers or bools")
                    })?;
                    self.places_of(flags.into(), &flag, self.collective.items, "flags")?
                }
            });
        }
        let (before, has_before) = self.neighbour(before)?;
        let (behind, has_behind) = self.neighbour(behind)?;
        let operator = self.operator()?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::discontinuity<{}, {}, {heads}, {tails}, {has_before}, {has_behind}, {}, {}>({storage}, {from}, {}, {operator}, {before}, {behind});",
            self.group(),
            self.collective.items,
            self.item(),
            flag.storage(),
            places.join(", ")
        ));
        Ok(Operand::Constant(Value::None))
    }
}

/// The prelude's number of an order.
fn number(order: Order) -> u8 {
    match order {
        Order::Blocked => 0,
        Order::Striped => 1,
        Order::WarpStriped => 2,
    }
}

/// The prelude's number of an arrangement.
fn how(arrangement: Arrangement) -> u8 {
    match arrangement {
        Arrangement::Blocked => 0,
        Arrangement::Transposed => 1,
        Arrangement::Striped => 2,
    }
}
