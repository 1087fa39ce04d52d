//! The source of a variant.

use std::fmt::Write as _;

use super::{Access, Parts, Variant};
use crate::code::Source;
use crate::space::index_type;
use crate::template::{Part, file, fill};

const INDEX: &str = include_str!("../../templates/index.cuh");
const ELEMENTWISE: &str = include_str!("../../templates/elementwise.cu");
const PACKS: &str = include_str!("../../templates/elementwise_packs.cu");

impl Parts {
    /// The source of a variant.
    pub(super) fn source(&self, variant: &Variant) -> Source {
        let mut text = file("cuox/index.cuh", INDEX);
        if !self.preamble.trim().is_empty() {
            text.push_str(&file("preamble", &self.preamble));
        }
        text.push_str(&match variant.lanes {
            0 | 1 => self.one_by_one(variant),
            lanes => self.in_packs(variant, lanes),
        });
        Source {
            text,
            kernel: self.name.clone(),
            options: self.options.clone(),
        }
    }

    fn declarations(&self) -> String {
        let mut text = String::new();
        for parameter in &self.parameters {
            text.push_str(&parameter.declaration());
            text.push_str(", ");
        }
        text
    }

    fn one_by_one(&self, variant: &Variant) -> String {
        let index = index_type(variant.wide);
        let rank = variant.rank;
        let (mut fields, mut hide, mut bind) = (String::new(), String::new(), String::new());
        if variant.access.contains(&Access::Common) {
            fields += &format!("cuox::shape<{index}, {rank}> common; ");
        }
        for (place, (access, parameter)) in variant.access.iter().zip(&self.parameters).enumerate()
        {
            let (c_type, name) = (&parameter.c_type, &parameter.name);
            let (rank, shape) = match access {
                Access::Scalar | Access::Pointer => continue,
                Access::Common => (rank, "common".to_owned()),
                Access::Own(own) => {
                    fields += &format!("cuox::shape<{index}, {own}> shape{place}; ");
                    (*own, format!("shape{place}"))
                }
            };
            fields += &format!("cuox::strides<{index}, {rank}> strides{place}; ");
            hide += &format!("{c_type} *const cuox_first{place} = {name}; ");
            bind += &format!(
                "const cuox::strided<{c_type}, {index}, {rank}> {name}(cuox_first{place}, cuox_at.{shape}, cuox_at.strides{place}); "
            );
        }
        let (range_fields, loop_head, element) = if variant.range {
            (
                format!("{index} start, stop, step, n;"),
                "for (cuox_index cuox_turn = cta_start + tid; cuox_turn < cuox_at.count; cuox_turn += total_threads)",
                "i = cuox_at.start + cuox_turn * cuox_at.step;",
            )
        } else {
            (
                String::new(),
                "for (i = cta_start + tid; i < cuox_at.count; i += total_threads)",
                "",
            )
        };
        let numbers = self.numbers(variant.range);
        let made = Part::Made;
        fill(
            "cuox/elementwise.cu",
            ELEMENTWISE,
            &[
                ("index", made(index)),
                ("range_fields", made(&range_fields)),
                ("space_fields", made(&fields)),
                ("kernel", made(&self.name)),
                ("parameters", made(&self.declarations())),
                ("hide", made(&hide)),
                ("bind", made(&bind)),
                ("numbers", made(&numbers)),
                ("loop", made(loop_head)),
                ("element", made(element)),
                ("loop_prep", Part::user("loop_prep", &self.loop_prep)),
                ("operation", Part::user("operation", &self.operation)),
                ("after_loop", Part::user("after_loop", &self.after_loop)),
            ],
        )
    }

    /// The numbers that expressions may use, but those whose names are parameters'.
    fn numbers(&self, range: bool) -> String {
        let free = |name: &str| !self.parameters.iter().any(|p| p.name == name);
        let mut text = String::from("cuox_index i; ");
        let known: &[(&str, &str)] = match range {
            true => &[
                ("n", "n"),
                ("start", "start"),
                ("stop", "stop"),
                ("step", "step"),
            ],
            false => &[("n", "count")],
        };
        for (name, field) in known.iter().filter(|(name, _)| free(name)) {
            let _ = write!(
                text,
                "const cuox_index {name} = cuox_at.{field}; (void){name}; "
            );
        }
        text
    }

    fn in_packs(&self, variant: &Variant, lanes: u8) -> String {
        let (mut load, mut bind, mut store) = (String::new(), String::new(), String::new());
        let vectors = self.parameters.iter().filter(|parameter| parameter.vector);
        for (place, parameter) in vectors.enumerate() {
            let (c_type, name) = (&parameter.c_type, &parameter.name);
            let plain = format!("typename cuox::without_const<{c_type}>::type");
            let pack = format!("cuox::pack<{plain}, {lanes}>");
            let memory = match parameter.is_read_only() {
                true => {
                    let memory = format!("((const {pack} *){name})[cuox_pack]");
                    let _ = write!(load, "const {pack} cuox_pack{place} = {memory}; ");
                    continue_with(&mut bind, c_type, name, place);
                    continue;
                }
                false => format!("(({pack} *){name})[cuox_pack]"),
            };
            let _ = write!(load, "{pack} cuox_pack{place}; ");
            let _ = write!(store, "{memory} = cuox_pack{place}; ");
            continue_with(&mut bind, c_type, name, place);
        }
        let lanes = lanes.to_string();
        fill(
            "cuox/elementwise_packs.cu",
            PACKS,
            &[
                ("index", Part::Made(index_type(variant.wide))),
                ("kernel", Part::Made(&self.name)),
                ("parameters", Part::Made(&self.declarations())),
                ("lanes", Part::Made(&lanes)),
                ("load", Part::Made(&load)),
                ("bind_lane", Part::Made(&bind)),
                ("store", Part::Made(&store)),
                ("operation", Part::user("operation", &self.operation)),
            ],
        )
    }
}

/// A vector of which the element of one lane is there.
fn continue_with(bind: &mut String, c_type: &str, name: &str, place: usize) {
    let _ = write!(
        bind,
        "const cuox::single<{c_type}> {name}(cuox_pack{place}.element[cuox_lane]); "
    );
}
