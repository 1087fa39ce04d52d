//! Reductions and scans.

use super::operator::Returns;
use super::{Call, NOTHING, is_array, present};
use crate::collective::Group;
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::Arguments;
use crate::operand::Operand;

impl Call<'_, '_, '_, '_> {
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

    /// Refuses no valid items at all, of which there is no combination.
    fn has_first(&mut self, count: &str, name: &str) {
        let text = format!("{} must be 1 or more", self.counted(name));
        self.refuse(&format!("{count} < 1"), "ValueError", &text);
    }

    pub(super) fn reduce(&mut self, broadcast: bool, given: Arguments) -> Result<Operand> {
        let [item, count] = given.bind(["items", "num_valid"], 1)?;
        let (own, is_array) = self.own(item.unwrap_or(NOTHING))?;
        let (valid, all) = self.valid(count, "num_valid")?;
        if !all {
            self.has_first(&valid, "num_valid");
        }
        if !all && self.collective.items > 1 {
            let name = self.counted("num_valid");
            let text = format!("{name} counts threads of one item each");
            return Err(self.failure(Code::Arguments, &text));
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
        let text = if broadcast {
            format!(
                "py::collective::broadcast<{}, {ty}>({storage}, {text})",
                self.group()
            )
        } else {
            text
        };
        Ok(self.result(match self.collective.group {
            Group::Warps(..) => {
                format!("py::collective::of_members<{}>({text})", self.group())
            }
            _ => text,
        }))
    }

    pub(super) fn reduce_batched(&mut self, blocked: bool, given: Arguments) -> Result<Operand> {
        let [items, results] = given.bind(["items", "results"], 2)?;
        let from = self.items(items.unwrap_or(NOTHING), "items")?;
        let count = self.collective.items;
        let each = u64::from(count).div_ceil(self.collective.group.threads());
        let item = self.collective.item.clone();
        let each = u32::try_from(each).unwrap_or(count);
        let to = self.places_of(results.unwrap_or(NOTHING), &item, each, "results")?;
        let operator = self.operator()?;
        let storage = self.storage()?;
        self.frame.code.statement(format!(
            "py::collective::reduce_batched<{}, {count}, {blocked}, {}>({storage}, {from}, {to}, {operator});",
            self.group(),
            self.item()
        ));
        Ok(Operand::Constant(Value::None))
    }

    pub(super) fn scan(&mut self, inclusive: bool, mut given: Arguments) -> Result<Operand> {
        let named = |(name, _): &(String, Operand)| name == "valid_items";
        let valid = given.keywords.iter().position(named);
        let valid = valid.map(|at| given.keywords.remove(at).1);
        let (valid, all) = self.valid(valid, "valid_items")?;
        if !all {
            self.has_first(&valid, "valid_items");
        }
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
                    self.function(&function, &[item], Returns::Item, Some(state))?,
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
                (2, self.function(&function, &[item], Returns::Item, None)?)
            }
            (None, Some(initial)) => (1, self.scalar(initial)?),
            (None, None) => match self.collective.initial.clone() {
                Some(initial) => (1, self.scalar(Operand::known(initial))?),
                None => (0, "py::collective::nothing{}".to_owned()),
            },
        };
        let aggregate_name = match self.collective.name.starts_with("coop.") {
            true => "aggregate_output",
            false => "block_aggregate",
        };
        let aggregate = present(aggregate)
            .map(|place| self.places(place, aggregate_name))
            .transpose()?;
        let storage = self.storage()?;
        // Not on the software GPU, where what one warp does is done for all warps of a gang, with most lanes masked.
        let rakes = self.collective.group.may_rake() && !self.frame.options().for_software_gpu;
        let before = if has == 1 {
            format!("{ty}({before})")
        } else {
            before
        };
        let text = format!(
            "py::collective::scan<{}, {rakes}, {items}, {inclusive}, {has}, {ty}>({storage}, {from}, {to}, {operator}, {before}, {valid})",
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
}
