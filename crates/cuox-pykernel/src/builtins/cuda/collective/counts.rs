//! Histograms and runs.

use super::{Call, NOTHING, present};
use crate::diagnostic::Result;
use crate::host::Value;
use crate::infer::Arguments;
use crate::operand::{Expr, Operand};
use crate::types::{INT64, Type};

impl Call<'_, '_, '_, '_> {
    pub(super) fn histogram(
        &mut self,
        bins: u32,
        each: u32,
        mut given: Arguments,
    ) -> Result<Operand> {
        self.frame.need("collective_count");
        let counter = self.other()?;
        self.frame.need_type(&counter);
        // Of an array in shared memory, one step alone may be asked for.
        let step = given.keywords.iter().position(|(name, _)| name == "step");
        let step = step.map(|at| given.keywords.remove(at).1);
        let step = step.as_ref().and_then(Operand::constant);
        let clears = step != Some(Value::Str("composite".to_owned()));
        let counts = step != Some(Value::Str("init".to_owned()));
        let (items, histogram) = if counts {
            let [items, histogram] = given.bind(["items", "histogram"], 2)?;
            (items, histogram)
        } else {
            let [histogram] = given.bind(["histogram"], 1)?;
            (None, histogram)
        };
        let (group, ty) = (self.group(), self.item());
        let count = self.collective.items;
        let from = match items {
            Some(items) => self.items(items, "items")?,
            None => format!("({ty} *)nullptr"),
        };
        let length = if each > 0 { each } else { bins };
        let to = self.places_of(histogram.unwrap_or(NOTHING), &counter, length, "histogram")?;
        if each == 0 {
            let text = "histogram must be in shared or global memory, which all threads have";
            self.refuse(&format!("__isLocal(&({to})[0])"), "TypeError", text);
        }
        let storage = self.storage()?;
        let counter = counter.storage();
        self.frame.code.statement(if each > 0 {
            format!(
                "py::collective::histogram_of_threads<{group}, {count}, {bins}, {each}, {ty}, {counter}>({storage}, {from}, {to});"
            )
        } else {
            format!(
                "py::collective::histogram<{group}, {count}, {bins}, {ty}, {counter}>({to}, {from}, {clears}, {counts});"
            )
        });
        Ok(Operand::Constant(Value::None))
    }

    /// Returns the number of all items.
    pub(super) fn run_length_decode(&mut self, decoded: u32, given: Arguments) -> Result<Operand> {
        self.frame.need("collective_count");
        let names = [
            "run_values",
            "run_lengths",
            "decoded_items",
            "offset",
            "relative_offsets",
        ];
        let [values, lengths, to, offset, relative] = given.bind(names, 3)?;
        let values = self.items(values.unwrap_or(NOTHING), "run_values")?;
        let lengths = self.integers(lengths.unwrap_or(NOTHING), "run_lengths")?;
        let to = self.frame.settled_value(to.unwrap_or(NOTHING))?;
        let (group, runs, ty) = (self.group(), self.collective.items, self.item());
        let item = self.collective.item.clone();
        let kind = self.other()?;
        let offset = match present(offset) {
            Some(offset) => {
                let value = self.frame.value(offset)?;
                let is_signed = matches!(value.ty, Type::Int { signed: true, .. });
                let offset = self.integer(value.into(), "the offset")?;
                let offset = self.frame.hoist(offset).text;
                if is_signed {
                    let text = "the offset must not be negative";
                    self.refuse(&format!("{offset} < 0"), "ValueError", text);
                }
                offset
            }
            None => "0".to_owned(),
        };
        let (to, mut length) = if decoded > 0 {
            let to = self.places_of(to, &item, decoded, "decoded_items")?;
            (to, String::new())
        } else {
            let length = self.frame.attribute(to.clone(), "size")?;
            let length = self.frame.as_type(length, &INT64)?.text;
            (self.places_of(to, &item, 0, "destination")?, length)
        };
        let (has, relative) = match present(relative) {
            Some(relative) => {
                if decoded == 0 {
                    let own = self.frame.attribute(relative.clone(), "size")?;
                    let own = self.frame.as_type(own, &INT64)?.text;
                    length = format!("min({length}, {own})");
                }
                let places = self.places_of(relative, &kind, decoded, "relative_offsets")?;
                (true, places)
            }
            None => (false, "py::collective::nothing{}".to_owned()),
        };
        let storage = self.storage()?;
        let numbers = kind.storage();
        let wrong = self.wrong_lengths(&kind);
        let text = if decoded > 0 {
            format!(
                "py::collective::run_length_decode<{group}, {runs}, {decoded}, {has}, {ty}, {numbers}>({storage}, {values}, {lengths}, {to}, {offset}, {relative}, {wrong})"
            )
        } else {
            let relative = if has {
                format!("py::collective::behind({relative}, {offset})")
            } else {
                relative
            };
            format!(
                "py::collective::run_length_decode_into<{group}, {runs}, {has}, {ty}, {numbers}>({storage}, {values}, {lengths}, py::collective::behind({to}, {offset}), {relative}, {offset} < 0 ? 0 : {length} - {offset}, {wrong})"
            )
        };
        Ok(self.frame.kept(Expr::new(kind, text).with_effect()).into())
    }

    /// What is called with whether lengths are wrong: on the software GPU that ends the launch.
    fn wrong_lengths(&mut self, kind: &Type) -> String {
        if !self.frame.options().for_software_gpu {
            return "py::collective::unchecked{}".to_owned();
        }
        self.frame.program.has_checks = true;
        let text = format!(
            "{}(): run_lengths must not be negative, nor more in all than {} counts",
            self.collective.name,
            kind.shown()
        );
        let number = self.frame.exception("ValueError", Some(text));
        format!("[](bool wrong) {{ if (wrong) py::raise({number}); }}")
    }
}
