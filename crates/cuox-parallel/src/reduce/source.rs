//! The source of a variant.

use std::fmt::Write as _;

use super::{Access, Body, Parts, Variant};
use crate::code::Source;
use crate::template::{Part, file, fill};

const INDEX: &str = include_str!("../../templates/index.cuh");
const PLAN: &str = include_str!("../../templates/reduce.cuh");
const REDUCE: &str = include_str!("../../templates/reduce.cu");
const CONTIGUOUS: &str = include_str!("../../templates/reduce_contiguous.cu");
const STRIDED: &str = include_str!("../../templates/reduce_strided.cu");
const LARGE: &str = include_str!("../../templates/reduce_large.cu");
const LARGE_CONTIGUOUS: &str = include_str!("../../templates/reduce_large_contiguous.cu");
const LARGE_STRIDED: &str = include_str!("../../templates/reduce_large_strided.cu");

/// The texts that each vector adds to the template.
#[derive(Default)]
struct Vectors {
    declarations: String,
    /// The template's own names for vectors, where its locals may hide theirs.
    aliases: String,
    map_parameters: String,
    fields: String,
    sizes: String,
    width: String,
    packs: String,
    loads: String,
    /// The arguments of the map: packed elements, and elements one by one.
    picks: String,
    elements: String,
    /// Vectors that are taken element by element.
    count: usize,
}

pub(super) fn of(parts: &Parts, variant: &Variant) -> Source {
    let texts = vectors(parts, variant);
    let (kernel, contiguous, by_strides) = match variant.is_large {
        false => (REDUCE, CONTIGUOUS, STRIDED),
        true => (LARGE, LARGE_CONTIGUOUS, LARGE_STRIDED),
    };
    let (kept, reduced, dense, strided, template) = match variant.body {
        Body::Contiguous => (0, 0, false, 0, contiguous),
        Body::Strided {
            kept,
            reduced,
            dense,
        } => (kept, reduced, dense, texts.count, by_strides),
    };
    let number = |n: usize| n.to_string();
    let width = match texts.count {
        0 => "1",
        _ => texts.width.as_str(),
    };
    let made = Part::Made;
    let body = fill(
        "cuox/reduce.cu",
        template,
        &[
            ("width", made(width)),
            ("aligned", made(bool_text(variant.aligned))),
            ("packs", made(&texts.packs)),
            ("loads", made(&texts.loads)),
            ("picks", made(&texts.picks)),
            ("elements", made(&texts.elements)),
        ],
    );
    let unroll = usize::from(variant.unroll);
    let mut text = file("cuox/index.cuh", INDEX);
    if !parts.preamble.trim().is_empty() {
        text.push_str(&file("preamble", &parts.preamble));
    }
    let has_neutral = bool_text(parts.neutral.is_some());
    let neutral = parts.neutral.as_deref();
    let template = format!("{PLAN}\n{kernel}");
    text.push_str(&fill(
        "cuox/reduce.cu",
        &template,
        &[
            ("out_type", made(&parts.out_type)),
            ("out_size", made(&number(variant.out_size))),
            ("threads", made(&number(usize::from(variant.threads)))),
            ("lanes", made(&number(usize::from(variant.lanes)))),
            ("along_outputs", made(bool_text(variant.along_outputs))),
            ("unroll", made(&number(unroll))),
            ("wide", made(&number(usize::from(variant.wide)))),
            ("kept_dims", made(&kept.to_string())),
            ("reduced_dims", made(&reduced.to_string())),
            ("strided", made(&number(strided + 2))),
            ("dense", made(bool_text(dense))),
            ("sizes", made(if strided > 0 { &texts.sizes } else { "" })),
            ("fields", made(&texts.fields)),
            ("name", made(&parts.name)),
            ("parameters", made(&texts.declarations)),
            ("aliases", made(&texts.aliases)),
            ("map_parameters", made(&texts.map_parameters)),
            ("has_neutral", made(has_neutral)),
            (
                "neutral",
                neutral.map_or(made("{}"), |text| Part::user("neutral", text)),
            ),
            ("reduce_expr", Part::user("reduce_expr", &parts.reduce_expr)),
            ("map_expr", Part::user("map_expr", &parts.map_expr)),
            (
                "store",
                match &parts.store {
                    Some(text) => Part::user("store", text),
                    None => made("out = sum"),
                },
            ),
            ("neutrals", made(&vec!["cuox_neutral()"; unroll].join(", "))),
            ("body", made(&body)),
        ],
    ));
    Source {
        text,
        kernel: parts.name.clone(),
        options: parts.options.clone(),
    }
}

fn bool_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn vectors(parts: &Parts, variant: &Variant) -> Vectors {
    let mut texts = Vectors {
        width: "16".to_owned(),
        ..Vectors::default()
    };
    for (place, (access, parameter)) in variant.access.iter().zip(&parts.parameters).enumerate() {
        let (c_type, name) = (&parameter.c_type, &parameter.name);
        texts.declarations += &parameter.declaration();
        texts.declarations += ", ";
        match access {
            // The map finds them by name.
            Access::ByName | Access::Pointer => {}
            Access::Indexed(rank) => {
                let _ = write!(
                    texts.fields,
                    "cuox::shape<long long, {rank}> shape{place}; cuox::strides<long long, {rank}> strides{place}; "
                );
                let accessor = format!("cuox::strided<{c_type}, long long, {rank}>");
                let _ = write!(texts.map_parameters, ", {accessor} {name}");
                let made = format!(
                    ", {accessor}(cuox_from{place}, cuox_p.shape{place}, cuox_p.strides{place})"
                );
                let _ = write!(texts.aliases, "{c_type} *const cuox_from{place} = {name}; ");
                texts.picks += &made;
                texts.elements += &made;
            }
            Access::Element => {
                let _ = write!(texts.aliases, "{c_type} *const cuox_from{place} = {name}; ");
                let element = format!("cuox_element<{c_type}>");
                let pack = format!("cuox_pack<{c_type}, width> ");
                texts.width = format!("cuox_width_of({}, (int)sizeof({c_type}))", texts.width);
                let _ = write!(texts.sizes, "(int)sizeof({c_type}), ");
                let _ = write!(texts.map_parameters, ", {element} {name}");
                let _ = write!(texts.packs, "{pack} cuox_pack{place}[cuox_unroll]; ");
                let _ = write!(
                    texts.loads,
                    "cuox_pack{place}[u].template load<aligned>(cuox_from{place} + at); "
                );
                let _ = write!(texts.picks, ", cuox_pack{place}[u].at(j)");
                let _ = match variant.body {
                    Body::Contiguous => {
                        write!(texts.elements, ", {element}{{cuox_from{place} + i}}")
                    }
                    Body::Strided { .. } => write!(
                        texts.elements,
                        ", {element}{{({c_type} *)((char *)cuox_from{place} + offset[{}])}}",
                        texts.count
                    ),
                };
                texts.count += 1;
            }
        }
    }
    texts
}
