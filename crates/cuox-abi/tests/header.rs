//! The tables against what is known about the header from elsewhere.

use std::collections::BTreeSet;

use cuox_abi::*;

fn without_profiler() -> impl Iterator<Item = &'static FunctionInfo> {
    let functions = FUNCTIONS.iter();
    functions.filter(|function| function.group != "CUDA_PROFILER")
}

#[test]
fn no_function_is_lost() {
    assert_eq!(CUDA_VERSION, 13000);
    assert_eq!(without_profiler().count(), 634);
    assert_eq!(FUNCTIONS.len() - without_profiler().count(), 3);
    let bases: BTreeSet<_> = without_profiler().map(|function| function.base).collect();
    assert_eq!(bases.len(), 447);
    let bases_of = |class| {
        let functions = without_profiler().filter(|function| function.class == class);
        functions
            .map(|function| function.base)
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert_eq!(bases_of(StreamClass::Ptds), 20);
    assert_eq!(bases_of(StreamClass::Ptsz), 64);
    assert_eq!(PROC_TABLE.len(), FUNCTIONS.len());
}

#[test]
fn functions_are_sorted_and_found_by_symbol() {
    assert!(
        FUNCTIONS
            .windows(2)
            .all(|pair| pair[0].symbol < pair[1].symbol)
    );
    let copy = FunctionInfo::find("cuMemcpyHtoD_v2_ptds").unwrap();
    assert_eq!(
        (copy.base, copy.plain, copy.group),
        ("cuMemcpyHtoD", "cuMemcpyHtoD_v2", "CUDA_MEM")
    );
    let params: Vec<_> = copy
        .params
        .iter()
        .map(|param| (param.name, param.c_type, param.rust_type))
        .collect();
    assert_eq!(
        params,
        [
            ("dstDevice", "CUdeviceptr", "CUdeviceptr"),
            ("srcHost", "const void *", "*const c_void"),
            ("ByteCount", "size_t", "usize"),
        ]
    );
    assert!(FunctionInfo::find("cuNothing").is_none());
}

#[test]
fn every_per_thread_form_has_a_plain_one_with_the_same_types() {
    for function in FUNCTIONS {
        let plain = FunctionInfo::find(function.plain)
            .unwrap_or_else(|| panic!("{} has none", function.symbol));
        let types = |function: &FunctionInfo| -> Vec<_> {
            function.params.iter().map(|param| param.c_type).collect()
        };
        assert_eq!(types(plain), types(function), "{}", function.symbol);
        assert_eq!(plain.class, StreamClass::Plain);
    }
}

#[test]
fn the_macro_and_the_table_agree() {
    macro_rules! symbols {
        ($(fn $symbol:ident[$plain:ident, $base:ident, $class:ident, $group:ident]
            ($($parameter:ident: $type:ty),*) -> $result:ty;)*) => {
            &[$((stringify!($symbol), stringify!($plain), stringify!($base), stringify!($group), {
                const PARAMETERS: &[&str] = &[$(stringify!($parameter)),*];
                PARAMETERS.len()
            })),*]
        };
    }
    let replayed: &[(&str, &str, &str, &str, usize)] = for_each_driver_function!(symbols);
    let table: Vec<_> = FUNCTIONS
        .iter()
        .map(|function| {
            (
                function.symbol,
                function.plain,
                function.base,
                function.group,
                function.params.len(),
            )
        })
        .collect();
    assert_eq!(replayed, table);
}

#[test]
fn constants_have_the_headers_values() {
    assert_eq!(CUresult::CUDA_ERROR_NOT_SUPPORTED.0, 801);
    assert_eq!(CUDA_ERROR_NOT_SUPPORTED, CUresult(801));
    assert_eq!(
        CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0,
        75
    );
    assert_eq!(CU_STREAM_PER_THREAD, CUstream::from_addr(2));
    assert_eq!(CU_LAUNCH_PARAM_BUFFER_SIZE.addr(), 2);
    assert_eq!(CU_DEVICE_INVALID, -2);
    assert_eq!(
        CU_STREAM_ATTRIBUTE_PRIORITY,
        CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PRIORITY
    );
    assert_eq!(CU_TRSF_SRGB, 16);
}

#[test]
fn enumerations_are_found_by_name_and_values_by_theirs() {
    assert!(ENUMS.windows(2).all(|pair| pair[0].name < pair[1].name));
    let attributes = EnumInfo::find("CUdevice_attribute").unwrap();
    assert_eq!(
        attributes.name_of(1),
        Some("CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK")
    );
    assert_eq!(attributes.name_of(-5), None);
    assert!(EnumInfo::find("CUnothing").is_none());
    assert!(EnumInfo::find("CUmemLocationType").is_some());
}

#[test]
fn records_start_zeroed() {
    let config = CUlaunchConfig::default();
    assert!(config.hStream.is_null() && config.attrs.is_null() && config.gridDimX == 0);
    let mut attribute = CUlaunchAttribute::default();
    attribute.value.priority = -3;
    // SAFETY: every bit pattern is an integer.
    assert_eq!(unsafe { attribute.value.priority }, -3);
    assert_eq!(align_of::<CUtensorMap>(), 128);
}

/// Splits a type of the tables into what is behind its pointers and arrays.
fn core_of(mut text: &str) -> &str {
    loop {
        let before = text;
        for prefix in ["*mut ", "*const ", "["] {
            text = text.strip_prefix(prefix).unwrap_or(text);
        }
        if before.starts_with('[') {
            text = text.rsplit_once(';').map_or(text, |(element, _)| element);
        }
        if text == before {
            return text;
        }
    }
}

#[test]
fn the_tables_know_every_type_that_they_mention() {
    assert!(RECORDS.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert!(CONSTANTS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    let builtin = [
        "c_void", "c_char", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "usize", "f32",
        "f64",
    ];
    let params = FUNCTIONS
        .iter()
        .flat_map(|function| function.params.iter().map(|param| param.rust_type));
    let fields = RECORDS
        .iter()
        .flat_map(|record| record.fields.iter().map(|field| field.rust_type));
    for text in params
        .chain(fields)
        .chain(ALIASES.iter().map(|alias| alias.target))
    {
        let name = core_of(text);
        let known = builtin.contains(&name)
            || RecordInfo::find(name).is_some()
            || EnumInfo::find(name).is_some()
            || ALIASES
                .binary_search_by(|alias| alias.name.cmp(name))
                .is_ok()
            || HANDLES.contains(&name)
            || CALLBACKS.contains(&name);
        assert!(known, "{name} in {text}");
    }
}
