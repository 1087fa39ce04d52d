//! Rust text for functions: the macro that replays them, their table, and the `cuGetProcAddress` table.

use std::fmt::Write as _;

use super::emit::{banner, table_type};
use super::model::{CType, Function, Header, Item, split_symbol};
use super::model::{rust_builtin, rust_name};
use super::probe::Facts;
use super::proc_table::Row;
use super::profile::Profile;

/// The files of this module.
pub fn files(header: &Header, facts: &Facts, profile: &Profile) -> Vec<(String, String)> {
    vec![
        ("functions.rs".into(), functions_text(header, profile)),
        ("results.rs".into(), results_text(header, facts, profile)),
    ]
}

/// The `cuGetProcAddress` table.
pub fn proc_table(header: &Header, rows: &[Row]) -> (String, String) {
    ("proc_table.rs".into(), proc_table_text(header, rows))
}

fn sorted(header: &Header) -> Vec<&Function> {
    let mut functions: Vec<&Function> = header.functions.iter().collect();
    functions.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    functions
}

fn group<'a>(header: &'a Header, base: &str) -> &'a str {
    match header.groups.get(base) {
        Some(group) if !group.is_empty() => group,
        _ if base.starts_with("cudaProfiler") => "CUDART_PROFILER",
        _ if base.starts_with("cuda") => "CUDART_LEGACY",
        _ if base.starts_with("cuProfiler") => "CUDA_PROFILER",
        _ if base.starts_with("nvml") => "nvmlMisc",
        _ => "CUDA_LEGACY",
    }
}

/// A type as the macro writes it: with a path that resolves wherever the macro is used.
fn macro_type(ctype: &CType, profile: &Profile) -> String {
    match ctype {
        CType::Base { name, .. } if rust_builtin(name).is_none() => {
            format!("{}{name}", profile.types)
        }
        other => other.rust(profile.types),
    }
}

fn functions_text(header: &Header, profile: &Profile) -> String {
    let functions = sorted(header);
    let mut text = banner();
    if profile.public {
        text.push_str("use crate::info::{FunctionInfo, ParamInfo, StreamClass};\n\n");
    }
    text.push_str(FOR_EACH_DOC);
    if profile.public {
        text.push_str("#[macro_export]\n");
    }
    let name = profile.for_each;
    let _ = writeln!(text, "macro_rules! {name} {{\n    ($($callback:tt)+) => {{");
    text.push_str("        $($callback)+! {\n");
    for function in &functions {
        let (base, _, class, plain) = split_symbol(&function.symbol);
        let params: Vec<_> = function
            .params
            .iter()
            .map(|param| {
                format!(
                    "{}: {}",
                    rust_name(&param.name),
                    macro_type(&param.ctype, profile)
                )
            })
            .collect();
        let _ = writeln!(
            text,
            "            fn {}[{plain}, {base}, {}, {}]({}) -> {};",
            function.symbol,
            class.words().1,
            group(header, &base),
            params.join(", "),
            macro_type(&function.result, profile)
        );
    }
    text.push_str("        }\n    };\n}\n\n");
    if !profile.public {
        let _ = writeln!(text, "pub(crate) use {name};");
        return text;
    }
    text.push_str("/// Every function, sorted by symbol.\n#[rustfmt::skip]\npub static FUNCTIONS: &[FunctionInfo] = &[\n");
    for function in &functions {
        let (base, _, class, plain) = split_symbol(&function.symbol);
        let _ = write!(
            text,
            "    FunctionInfo {{ symbol: {:?}, plain: {plain:?}, base: {base:?}, class: StreamClass::{}, group: {:?}, \
             params: &[",
            function.symbol,
            class.words().0,
            group(header, &base)
        );
        let params: Vec<_> = function
            .params
            .iter()
            .map(|param| {
                let rust_type = table_type(&param.ctype);
                let c_type = param.ctype.spelled();
                format!(
                    "ParamInfo {{ name: {:?}, c_type: {c_type:?}, rust_type: {rust_type:?} }}",
                    param.name
                )
            })
            .collect();
        let _ = writeln!(text, "{}] }},", params.join(", "));
    }
    text.push_str("];\n");
    text
}

const FOR_EACH_DOC: &str = "/// Replays every function of the header, sorted by symbol, as input of the macro with the path `callback`:
///
/// ```text
/// fn symbol[plain, base, class, group](parameter: type, …) -> result;
/// ```
///
/// `plain` is the symbol without `_ptds` or `_ptsz`, `base` the name that `cuGetProcAddress` knows, `class` one of
/// `plain`, `ptds`, `ptsz`, and `group` the header's chapter. A matcher for it:
///
/// ```text
/// ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
///     ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => { … }
/// ```
";

fn proc_table_text(header: &Header, rows: &[Row]) -> String {
    let functions = sorted(header);
    let mut text = banner();
    text.push_str("use crate::info::{ProcEntry, StreamClass};\n\n");
    text.push_str(
        "/// What `cuGetProcAddress` knows, sorted by base name, class and version.\n#[rustfmt::skip]\npub static \
         PROC_TABLE: &[ProcEntry] = &[\n",
    );
    for row in rows {
        let index = functions
            .iter()
            .position(|function| function.symbol == row.symbol);
        let _ = writeln!(
            text,
            "    ProcEntry {{ base: {:?}, class: StreamClass::{}, min_version: {}, symbol: {:?}, function: {} }},",
            row.base,
            row.class.words().0,
            row.min_version,
            row.symbol,
            index.unwrap_or(usize::MAX)
        );
    }
    text.push_str("];\n");
    text
}

fn results_text(header: &Header, facts: &Facts, profile: &Profile) -> String {
    let mut text = banner();
    let codes_type = profile.codes;
    let _ = writeln!(
        text,
        "/// Every code of `{codes_type}` with its name, sorted by code."
    );
    text.push_str("pub static RESULT_NAMES: &[(u32, &core::ffi::CStr)] = &[\n");
    let mut codes: Vec<(i128, &String)> = Vec::new();
    for item in &header.items {
        let Item::Enum(item) = item else { continue };
        if item.name != codes_type {
            continue;
        }
        for constant in &item.constants {
            let code = facts.constants.get(constant).copied().unwrap_or_default();
            codes.push((code, constant));
        }
    }
    codes.sort();
    for (code, name) in codes {
        let _ = writeln!(text, "({code}, c{name:?}),");
    }
    text.push_str("];\n");
    text
}
