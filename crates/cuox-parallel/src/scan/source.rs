//! The source of a variant.

use std::fmt::Write as _;

use super::{Parts, Variant};
use crate::code::Source;
use crate::expression::mentions;
use crate::template::{Part, file, fill};

const INDEX: &str = include_str!("../../templates/index.cuh");
const SCAN: &str = include_str!("../../templates/scan.cu");

/// The item before this one: the neutral element in front of all, and of a segment.
const PREV_ITEM: &str = "const cuox_value cuox_prev = now.is_start() ? cuox_neutral() : place > 0 ? cuox_items[place - 1].value : \
                         tile > 0 ? cuox_before->value : cuox_neutral();";
/// The same where items are large: in shared memory, as is the neutral element, which is computed once.
const LARGE_PREV_ITEM: &str = "const cuox_item &cuox_prev = cuox_items[place].is_start() || (place == 0 && tile == 0) ? *cuox_neutral_item \
                               : place > 0 ? cuox_items[place - 1] : *cuox_all_before;";
const LARGE_NEUTRAL: &str = "cuox_item *const cuox_neutral_item = cuox_others + cuox_coming_place; if (cuox_segmented || tile == 0) { \
                             if (thread == 0) cuox_neutral_item->value = cuox_neutral(); __syncthreads(); }";
const LARGE_LAST_ITEM: &str = "cuox_find_by_all(cuox_p.prefixes + (tiles - 1) * cuox_words<cuox_item>::count, cuox_others + cuox_through_place, tag);";
const LAST_ITEM: &str = "cuox_words<cuox_item> cuox_end = {}; cuox_found(cuox_p.prefixes + (tiles - 1), tiles, cuox_end, tag);";

/// The texts that vectors and fetched elements add to the template.
#[derive(Default)]
struct Texts {
    declarations: String,
    fields: String,
    hide: String,
    bind: String,
    aliases: String,
    fetched_parameters: String,
    fetched: String,
    fetch: String,
    publish_ends: String,
    end_words: String,
}

pub(super) fn of(parts: &Parts, variant: &Variant) -> Source {
    let mut texts = vectors(parts, variant);
    fetches(parts, &mut texts);
    let statement = &parts.output_statement;
    let (previous, last) = (
        mentions(statement, "prev_item"),
        mentions(statement, "last_item"),
    );
    let [
        mut output_parameters,
        mut output_copies,
        mut output_arguments,
        mut large_output_arguments,
    ] = [const { String::new() }; 4];
    if previous {
        output_parameters += ", cuox_operand cuox_before_now";
        output_copies += "cuox_value prev_item = cuox_before_now; (void)prev_item;";
        output_arguments += ", cuox_prev";
        large_output_arguments += ", cuox_prev.value";
    }
    if last {
        output_parameters += ", const cuox_value &last_item";
        output_arguments += ", cuox_end.value().value";
        large_output_arguments += ", cuox_others[cuox_through_place].value";
    }
    let if_so = |is: bool, text| Part::Made(if is { text } else { "" });
    let made = Part::Made;
    let tuning = &variant.tuning;
    let segmented = parts.is_segment_start_expr.is_some();
    // Items with flags are not those of any vector.
    let (mut plain_input, mut plain_output) = (None, None);
    if tuning.copies && !segmented {
        if parts.fetches.is_empty() {
            plain_input = own_element(&parts.input_expr);
        }
        plain_output = target_of_item(statement);
    }
    let plain = |name: Option<&str>| name.and_then(|name| plain_vector(parts, variant, name));
    let (plain_input, plain_output) = (plain(plain_input), plain(plain_output));
    let none = "(cuox_value *)0".to_owned();
    let yes_or_no = |is| if is { "true" } else { "false" };
    let mut text = file("cuox/index.cuh", INDEX);
    if !parts.preamble.trim().is_empty() {
        text.push_str(&file("preamble", &parts.preamble));
    }
    text.push_str(&fill(
        "cuox/scan.cu",
        SCAN,
        &[
            ("c_type", made(&parts.c_type)),
            ("threads", made(&tuning.threads.to_string())),
            ("each", made(&tuning.each.to_string())),
            ("blocks", made(&tuning.blocks.to_string())),
            ("pass", made(&(variant.pass as u8).to_string())),
            ("segmented", made(yes_or_no(segmented))),
            (
                "has_long_expressions",
                made(yes_or_no(parts.has_long_expressions)),
            ),
            ("coordinates", made(yes_or_no(tuning.coordinates))),
            ("copies_in", made(yes_or_no(plain_input.is_some()))),
            ("copies_out", made(yes_or_no(plain_output.is_some()))),
            ("plain_input", made(plain_input.as_ref().unwrap_or(&none))),
            ("plain_output", made(plain_output.as_ref().unwrap_or(&none))),
            ("end_words", made(&texts.end_words)),
            ("fields", made(&texts.fields)),
            ("name", made(&parts.name)),
            ("parameters", made(&texts.declarations)),
            ("hide", made(&texts.hide)),
            ("bind", made(&texts.bind)),
            ("aliases", made(&texts.aliases)),
            ("fetched_parameters", made(&texts.fetched_parameters)),
            ("fetched", made(&texts.fetched)),
            ("fetch", made(&texts.fetch)),
            ("publish_ends", made(&texts.publish_ends)),
            ("input_expr", Part::user("input_expr", &parts.input_expr)),
            (
                "is_segment_start",
                match &parts.is_segment_start_expr {
                    Some(text) => Part::user("is_segment_start_expr", text),
                    None => made("false"),
                },
            ),
            ("scan_expr", Part::user("scan_expr", &parts.scan_expr)),
            (
                "neutral",
                match &parts.neutral {
                    Some(text) => Part::user("neutral", text),
                    None => made("{}"),
                },
            ),
            ("output_parameters", made(&output_parameters)),
            ("output_copies", made(&output_copies)),
            ("output_arguments", made(&output_arguments)),
            ("large_output_arguments", made(&large_output_arguments)),
            (
                "output_statement",
                Part::user("output_statement", statement),
            ),
            ("prev_item", if_so(previous, PREV_ITEM)),
            ("large_prev_item", if_so(previous, LARGE_PREV_ITEM)),
            ("large_neutral", if_so(previous, LARGE_NEUTRAL)),
            ("last_item", if_so(last, LAST_ITEM)),
            ("large_last_item", if_so(last, LARGE_LAST_ITEM)),
        ],
    ));
    Source {
        text,
        kernel: parts.name.clone(),
        options: parts.options.clone(),
    }
}

/// The vector of an expression that is its element with index `i`, and nothing else.
fn own_element(text: &str) -> Option<&str> {
    let (name, index) = text.trim().split_once('[')?;
    let index = index.strip_suffix(']')?;
    (index.trim() == "i").then(|| name.trim_end())
}

/// The vector of a statement that makes `item` the element with index `i`.
fn target_of_item(statement: &str) -> Option<&str> {
    let statement = statement.trim();
    let statement = statement.strip_suffix(';').unwrap_or(statement);
    let (target, item) = statement.split_once('=')?;
    (item.trim() == "item").then(|| own_element(target))?
}

/// The template's name for a vector whose elements have the items' type and lie one behind the other.
fn plain_vector(parts: &Parts, variant: &Variant, name: &str) -> Option<String> {
    let bare = |c_type: &str| -> String {
        let words = c_type.split_whitespace();
        words.filter(|word| *word != "const").collect()
    };
    let mut vectors = parts.parameters.iter().zip(&variant.ranks);
    let place = vectors.position(|(parameter, rank)| {
        let is_it = parameter.vector && parameter.name == name && *rank == 0;
        is_it && bare(&parameter.c_type) == bare(&parts.c_type)
    })?;
    Some(format!("cuox_from{place}"))
}

fn vectors(parts: &Parts, variant: &Variant) -> Texts {
    let mut texts = Texts::default();
    for (place, (rank, parameter)) in variant.ranks.iter().zip(&parts.parameters).enumerate() {
        let (c_type, name) = (&parameter.c_type, &parameter.name);
        texts.declarations += &parameter.declaration();
        texts.declarations += ", ";
        if *rank > 0 {
            let _ = write!(
                texts.fields,
                "cuox::shape<cuox_index, {rank}> shape{place}; cuox::strides<cuox_index, {rank}> strides{place}; "
            );
            let _ = write!(texts.hide, "{c_type} *const cuox_first{place} = {name}; ");
            let _ = write!(
                texts.bind,
                "const cuox::strided<{c_type}, cuox_index, {rank}> {name}(cuox_first{place}, cuox_p.shape{place}, cuox_p.strides{place}); "
            );
        }
        if parameter.vector {
            // The template's own names: its locals may hide the caller's.
            let _ = write!(texts.aliases, "const auto cuox_from{place} = {name}; ");
        }
    }
    texts
}

fn fetches(parts: &Parts, texts: &mut Texts) {
    let mut words = String::new();
    for (number, fetch) in parts.fetches.iter().enumerate() {
        let vector = |p: &&crate::Parameter| p.vector && p.name == fetch.vector;
        let Some((place, parameter)) = (0..)
            .zip(&parts.parameters)
            .find(|(_, parameter)| vector(parameter))
        else {
            continue;
        };
        let name = &fetch.name;
        let of = format!("cuox_fetched{number}");
        let bare = format!("typename cuox::without_const<{}>::type", parameter.c_type);
        let _ = write!(texts.fetched_parameters, ", {bare} {name}");
        let _ = write!(texts.fetched, ", {of}");
        if !fetch.previous {
            let _ = write!(texts.fetch, "{bare} {of} = cuox_from{place}[i]; ");
            continue;
        }
        let from = format!("cuox_p.ends + tiles * (0{words})");
        let _ = write!(
            texts.publish_ends,
            "{{ {bare} kept = cuox_from{place}[end]; cuox_publish({from} + tile, tiles, kept, tag); }} "
        );
        // Before the first element there is none: any value does.
        let _ = write!(
            texts.fetch,
            "{bare} {of} = {{}}; if (place > 0) {of} = cuox_from{place}[i - 1]; else if (tile > 0) {{ cuox_words<{bare}> kept = {{}}; \
             while (!cuox_found({from} + (tile - 1), tiles, kept, tag)) {{}} {of} = kept.value(); }} "
        );
        let _ = write!(words, " + cuox_words<{bare}>::count");
    }
    texts.end_words = format!("1{words}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_elements_are_told_from_others() {
        assert_eq!(own_element(" x[ i ] "), Some("x"));
        for other in ["x[i] + 1", "x[i + 1]", "f(x[i])", "x", "-x[i]"] {
            assert_ne!(own_element(other), Some("x"), "{other}");
        }
        assert_eq!(target_of_item("y[i] = item;"), Some("y"));
        assert_eq!(target_of_item("y[i]=item"), Some("y"));
        for other in [
            "y[i] = prev_item",
            "y[i] += item",
            "y[i] == item",
            "y[i] = item; z[i] = item",
        ] {
            assert_eq!(target_of_item(other), None, "{other}");
        }
    }
}
