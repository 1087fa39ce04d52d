//! A light scan of CUDA C++ for the parameters of `__global__` functions.
//!
//! Only for messages and for what PTX cannot tell apart, so it may give up: on macros that make kernels, on two
//! different kernels of one name and number of parameters, on anything it cannot read.

use super::ParamKind;

/// One parameter as the source declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CxxParam {
    /// The type, without `__restrict__`, in one spelling: `const float *`.
    pub type_text: String,
    /// The name, unless the declaration has none.
    pub name: Option<String>,
    /// For a pointer, the pointed-to type.
    pub pointee: Option<String>,
}

impl CxxParam {
    /// The kind that the PTX's becomes with this declaration known. The PTX's size always stays.
    pub fn refine(&self, ptx: &ParamKind) -> ParamKind {
        let text = self
            .type_text
            .strip_prefix("const ")
            .unwrap_or(&self.type_text);
        match ptx {
            ParamKind::PointerOrInt | ParamKind::Unknown { size: 8 } if self.pointee.is_some() => {
                ParamKind::Pointer {
                    pointee: self.pointee.clone(),
                }
            }
            ParamKind::Pointer { pointee: None } => ParamKind::Pointer {
                pointee: self.pointee.clone(),
            },
            ParamKind::PointerOrInt => match integer(text) {
                Some((_, signed)) => ParamKind::Int {
                    bits: 64,
                    signed: Some(signed),
                },
                None => ParamKind::PointerOrInt,
            },
            ParamKind::Int { bits: 8, .. } if text == "bool" => ParamKind::Bool,
            ParamKind::Int { bits, .. } => ParamKind::Int {
                bits: *bits,
                signed: integer(text).map(|(_, s)| s),
            },
            ParamKind::Struct { size: 2, .. } => match text {
                "__half" | "half" => ParamKind::Float { bits: 16 },
                "__nv_bfloat16" | "nv_bfloat16" => ParamKind::BFloat16,
                _ => ptx.clone(),
            },
            ParamKind::Unknown { size } => match (text, integer(text)) {
                ("float", _) if *size == 4 => ParamKind::Float { bits: 32 },
                ("double", _) if *size == 8 => ParamKind::Float { bits: 64 },
                ("bool", _) if *size == 1 => ParamKind::Bool,
                (_, Some((bits, signed))) if u32::from(bits) == size * 8 => ParamKind::Int {
                    bits,
                    signed: Some(signed),
                },
                _ => ptx.clone(),
            },
            other => other.clone(),
        }
    }
}

/// Bits and sign of an integer type by name (LP64).
pub(super) fn integer(text: &str) -> Option<(u8, bool)> {
    let text = text
        .strip_prefix("std::")
        .or_else(|| text.strip_prefix("cuda::std::"))
        .unwrap_or(text);
    Some(match text {
        "int8_t" => (8, true),
        "uint8_t" => (8, false),
        "int16_t" => (16, true),
        "uint16_t" | "ushort" => (16, false),
        "int32_t" => (32, true),
        "uint32_t" | "uint" | "unsigned" => (32, false),
        "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" => (64, true),
        "uint64_t" | "size_t" | "uintptr_t" | "ulong" => (64, false),
        _ => {
            let mut signed = true;
            let (mut long, mut base) = (0, None);
            for word in text.split(' ') {
                match word {
                    "unsigned" => signed = false,
                    "signed" => {}
                    "long" => long += 1,
                    "char" | "short" | "int" => {
                        base = if base == Some("short") {
                            base
                        } else {
                            Some(word)
                        }
                    }
                    _ => return None,
                }
            }
            let bits = match (base, long) {
                (Some("char"), 0) => 8,
                (Some("short"), 0) => 16,
                (_, 1 | 2) => 64,
                (Some("int"), 0) => 32,
                (None, 0) => return None,
                _ => return None,
            };
            (bits, signed)
        }
    })
}

/// The parameters of the kernel called `name` in this source. `name` may be a plain name, a name expression
/// (`ns::add<float>`) or an Itanium-mangled name. Nothing when there is no such kernel, or several that differ.
pub fn kernel_params(source: &str, name: &str) -> Option<Vec<CxxParam>> {
    let mut found = kernel_overloads(source, name);
    if found.len() == 1 { found.pop() } else { None }
}

/// The parameters that a mangled name tells, without their names.
pub(crate) fn mangled_params(name: &str) -> Option<Vec<CxxParam>> {
    let types = super::names::parameter_types(name)?;
    params(&tokens(&types))
}

/// A name expression for a kernel of this plain name that is a template, with values made up for its parameters:
/// `k<float, 4>`.
pub(crate) fn example_instance(source: &str, name: &str) -> Option<String> {
    let tokens = tokens(source);
    let kernel = (0..tokens.len()).find(|&at| {
        tokens[at] == "__global__"
            && declared_name(&tokens[at + 1..]).is_some_and(|(kernel, _)| kernel == name)
    })?;
    // Back over `static`, `inline` and the like to the `>` that ends the template's parameters, and to their `<`.
    let end = tokens[..kernel].iter().rposition(|t| !is_word(t))?;
    let mut depth = 0;
    let start = (0..=end).rev().find(|&at| {
        depth += match tokens[at] {
            ">" => 1,
            ">>" => 2,
            "<" => -1,
            _ => 0,
        };
        depth <= 0
    })?;
    if start == end || tokens.get(start.checked_sub(1)?) != Some(&"template") {
        return None;
    }
    let mut values = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens[start..end].iter().enumerate() {
        match *token {
            "<" | "(" => depth += 1,
            ">" | ")" => depth -= 1,
            // A parameter begins behind `<` and `,`.
            "=" if depth == 1 => {
                values.pop();
                break;
            }
            _ => {}
        }
        if depth == 1 && matches!(*token, "<" | ",") {
            values.push(match tokens[start + at + 1] {
                "typename" | "class" => "float",
                "bool" => "true",
                _ => "4",
            });
        }
    }
    Some(format!("{name}<{}>", values.join(", ")))
}

/// All different parameter lists of kernels with this name.
pub(crate) fn kernel_overloads(source: &str, name: &str) -> Vec<Vec<CxxParam>> {
    let base = base_name(name);
    let tokens = tokens(source);
    let mut found: Vec<Vec<CxxParam>> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "__global__"
            && let Some((kernel, params)) = declaration(&tokens[at + 1..])
            && kernel == base
            && !found.iter().any(|known| same_types(known, &params))
        {
            found.push(params);
        }
        at += 1;
    }
    found
}

fn same_types(a: &[CxxParam], b: &[CxxParam]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.type_text == b.type_text)
}

/// `ns::add<float>` and `_ZN2ns3addIfEEvPf` are both `add`.
pub(crate) fn base_name(name: &str) -> &str {
    if let Some(mangled) = name.strip_prefix("_Z") {
        return mangled_base(mangled).unwrap_or(name);
    }
    let plain = name
        .split('<')
        .next()
        .unwrap_or(name)
        .trim()
        .trim_start_matches('&');
    plain.rsplit("::").next().unwrap_or(plain).trim()
}

fn mangled_base(mut rest: &str) -> Option<&str> {
    let nested = rest.strip_prefix('N');
    rest = nested.unwrap_or(rest);
    let mut last = None;
    loop {
        rest = rest.trim_start_matches(['L', 'K']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return last;
        }
        let length: usize = rest[..digits].parse().ok()?;
        last = Some(rest.get(digits..digits.checked_add(length)?)?);
        rest = &rest[digits + length..];
        if nested.is_none() {
            return last;
        }
    }
}

/// From behind `__global__`: the function's name and parameters.
fn declaration<'a>(tokens: &[&'a str]) -> Option<(&'a str, Vec<CxxParam>)> {
    let (name, open) = declared_name(tokens)?;
    let end = group_end(tokens, open)?;
    Some((name, params(&tokens[open + 1..end - 1])?))
}

/// From behind `__global__`: the function's name, and where the parenthesis of its parameters is.
fn declared_name<'a>(tokens: &[&'a str]) -> Option<(&'a str, usize)> {
    let mut at = 0;
    loop {
        let token = *tokens.get(at)?;
        match token {
            ";" | "{" | "}" | "=" => return None,
            "__launch_bounds__" | "__cluster_dims__" | "__maxnreg__" | "__block_size__"
            | "__attribute__" | "alignas" | "__declspec" => at = group_end(tokens, at + 1)?,
            "[" => at = group_end(tokens, at)?,
            "(" => {
                let name = *tokens.get(at.checked_sub(1)?)?;
                return is_word(name).then_some((name, at));
            }
            _ => at += 1,
        }
    }
}

/// The index behind the bracket that closes the one at `open`.
fn group_end(tokens: &[&str], open: usize) -> Option<usize> {
    let mut closers = Vec::new();
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "(" => closers.push(")"),
            "[" => closers.push("]"),
            "{" => closers.push("}"),
            closer @ (")" | "]" | "}") => {
                if closers.pop() != Some(closer) {
                    return None;
                }
                if closers.is_empty() {
                    return Some(i + 1);
                }
            }
            _ if i == open => return None,
            _ => {}
        }
    }
    None
}

fn params(tokens: &[&str]) -> Option<Vec<CxxParam>> {
    if tokens.is_empty() || tokens == ["void"] {
        return Some(Vec::new());
    }
    let mut list = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for i in 0..=tokens.len() {
        match tokens.get(i).copied() {
            Some("(" | "[" | "{" | "<") => depth += 1,
            Some(")" | "]" | "}" | ">") => depth -= 1,
            Some(">>") => depth -= 2,
            None | Some(",") if depth <= 0 || i == tokens.len() => {
                list.push(param(&tokens[start..i])?);
                start = i + 1;
            }
            _ => {}
        }
    }
    Some(list)
}

fn param(tokens: &[&str]) -> Option<CxxParam> {
    let end = tokens
        .iter()
        .position(|t| *t == "=")
        .unwrap_or(tokens.len());
    let mut words: Vec<&str> = Vec::new();
    let mut stars = 0;
    let mut pointee_end = None;
    let mut name = None;
    let mut at = 0;
    let mut angle = 0i32;
    while at < end {
        let token = tokens[at];
        match token {
            "<" => {
                angle += 1;
                words.push(token);
            }
            ">" | ">>" => {
                angle -= if token == ">" { 1 } else { 2 };
                words.push(token);
            }
            _ if angle > 0 => words.push(token),
            "__restrict__" | "__restrict" | "restrict" | "__grid_constant__" | "volatile"
            | "struct" | "class" | "enum" | "typename" => {}
            "__align__" | "alignas" => {
                at = group_end(tokens, at + 1)?;
                continue;
            }
            "const" if stars > 0 => {}
            "*" => {
                stars += 1;
                pointee_end = Some(words.len());
            }
            "[" => {
                // An array parameter is a pointer.
                if stars == 0 {
                    pointee_end = Some(words.len() - usize::from(name_is_last(&words)));
                }
                if name.is_none() && name_is_last(&words) {
                    name = words.pop();
                }
                stars += 1;
                at = group_end(tokens, at)?;
                continue;
            }
            // A reference, a function pointer or a parameter pack is not something to guess at.
            "&" | "&&" | "(" | "..." => return None,
            _ if stars > 0 && is_word(token) => name = Some(token),
            _ => words.push(token),
        }
        at += 1;
    }
    if stars == 0 && name_is_last(&words) {
        name = words.pop();
    }
    if words.is_empty() {
        return None;
    }
    // `float const *` and `const float *` are one type.
    if let Some(i) = words.iter().position(|w| *w == "const") {
        words.remove(i);
        words.insert(0, "const");
    }
    let base = join(&words);
    let (type_text, pointee) = match (stars, pointee_end) {
        (0, _) | (_, None) => (base, None),
        (n, Some(_)) => {
            let inner = if n > 1 {
                format!("{base} {}", "*".repeat(n - 1))
            } else {
                base.clone()
            };
            (format!("{base} {}", "*".repeat(n)), Some(inner))
        }
    };
    Some(CxxParam {
        type_text,
        name: name.map(str::to_owned),
        pointee,
    })
}

/// True if the last word is a name and not the end of the type.
fn name_is_last(words: &[&str]) -> bool {
    let [.., before, last] = words else {
        return false;
    };
    const TYPE_WORDS: &[&str] = &[
        "unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool", "const",
        "void",
    ];
    is_word(last) && !TYPE_WORDS.contains(last) && *before != "::" && *before != "const"
}

fn join(words: &[&str]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let tight = i == 0
            || matches!(*word, "::" | "<" | ">" | "," | ">>")
            || matches!(words[i - 1], "::" | "<");
        if !tight {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Words and marks; comments, literals and preprocessor lines are left out.
fn tokens(source: &str) -> Vec<&str> {
    scan(source, false)
}

/// Words and marks; comments and literals are left out.
pub(crate) fn tokens_with_directives(source: &str) -> Vec<&str> {
    scan(source, true)
}

fn scan(source: &str, directives: bool) -> Vec<&str> {
    let bytes = source.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        if byte == b'\n' {
            line_start = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at = find(bytes, at + 2, b"*/").map_or(bytes.len(), |n| n + 2);
        } else if byte == b'#' && line_start && !directives {
            at = directive_end(bytes, at);
        } else if byte == b'"' || byte == b'\'' {
            line_start = false;
            at = if byte == b'"'
                && list
                    .last()
                    .is_some_and(|t: &&str| t.ends_with('R') && t.len() <= 3)
            {
                raw_string_end(bytes, at)
            } else {
                string_end(bytes, at)
            };
        } else {
            line_start = false;
            let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            let mut end = at;
            while end < bytes.len() && word(bytes[end]) {
                end += 1;
            }
            if end == at {
                end = match rest {
                    [b':', b':', ..] | [b'&', b'&', ..] | [b'>', b'>', ..] => at + 2,
                    [b'.', b'.', b'.', ..] => at + 3,
                    _ => at + source[at..].chars().next().map_or(1, char::len_utf8),
                };
            }
            list.push(&source[at..end]);
            at = end;
        }
    }
    list
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    bytes
        .get(from..)?
        .windows(what.len())
        .position(|w| w == what)
        .map(|n| from + n)
}

fn directive_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => at += 2,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if b == bytes[open] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn raw_string_end(bytes: &[u8], open: usize) -> usize {
    let Some(paren) = find(bytes, open, b"(") else {
        return bytes.len();
    };
    let mut close = vec![b')'];
    close.extend_from_slice(&bytes[open + 1..paren]);
    close.push(b'"');
    find(bytes, paren, &close).map_or(bytes.len(), |n| n + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str, name: &str) -> Vec<String> {
        kernel_params(source, name)
            .unwrap_or_default()
            .into_iter()
            .map(|p| format!("{}|{}", p.type_text, p.name.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn an_instance_of_a_template_is_made_up_from_its_parameters() {
        let source = "template <typename T, int N, bool B = true> __global__ void k(T *p) {}\n\
                      template<class... Ts> static __global__ void v(Ts... a) {} __global__ void plain(int *p) {}";
        let of = |name| example_instance(source, name);
        assert_eq!(of("k").as_deref(), Some("k<float, 4>"));
        assert_eq!(of("v").as_deref(), Some("v<float>"));
        assert_eq!(of("plain"), None);
        assert_eq!(of("none"), None);
    }

    #[test]
    fn ordinary_kernels() {
        let source = r#"
            // __global__ void k(int wrong)
            const char *s = "__global__ void k(int wrong)"; const char *r = R"x(__global__ void k(int w))x";
            #define KERNEL __global__ void k(int wrong)
            struct P { double x; };
            extern "C" __global__ void __launch_bounds__(128, 2) k(
                const float *__restrict__ x, float const * y, unsigned char c, unsigned long long n, P p,
                std::uint32_t m = 3, float (a[4]), int z)
            {}
        "#;
        // One declarator with parentheses makes the whole list unreadable.
        assert_eq!(texts(source, "k"), Vec::<String>::new());
        let source = source.replace(
            "float (a[4])",
            "float a[4], ns::Vec<float, 3> v, __half h, bool, int64_t **pp",
        );
        assert_eq!(
            texts(&source, "k"),
            [
                "const float *|x",
                "const float *|y",
                "unsigned char|c",
                "unsigned long long|n",
                "P|p",
                "std::uint32_t|m",
                "float *|a",
                "ns::Vec<float, 3>|v",
                "__half|h",
                "bool|",
                "int64_t **|pp",
                "int|z"
            ]
        );
    }

    #[test]
    fn templates_namespaces_and_mangled_names() {
        let source = "namespace ns { template<class T> static __global__ void add(const T *a, T *b, int n) {} }";
        let want = ["const T *|a", "T *|b", "int|n"];
        assert_eq!(texts(source, "ns::add<float>"), want);
        assert_eq!(texts(source, "_ZN2ns3addIfEEvPKT_PS1_i"), want);
        assert_eq!(texts(source, "&ns::add<int>"), want);
        assert_eq!(base_name("_Z5saxpyfPKfPfi"), "saxpy");
        assert_eq!(base_name("_Z99"), "_Z99");
    }

    #[test]
    fn what_mangled_names_tell() {
        let types = |name: &str| -> Vec<String> {
            let params = mangled_params(name).unwrap_or_default();
            params.into_iter().map(|p| p.type_text).collect()
        };
        assert_eq!(types("_Z5scaleIfEvPT_S0_i"), ["float *", "float", "int"]);
        assert_eq!(
            types("_Z1kPKjPPfN2ns3VecIfLi3EEE"),
            ["const unsigned int *", "float **", "ns::Vec<float, 3>"]
        );
        assert_eq!(types("_Z1kPFviE"), Vec::<String>::new());
    }

    #[test]
    fn what_is_ambiguous_gives_nothing() {
        let source = "__global__ void k(int a) {} __global__ void k(float a) {}";
        assert_eq!(kernel_params(source, "k"), None);
        // A declaration and its definition are one kernel.
        let source = "__global__ void k(int a); __global__ void k(int b) {}";
        assert_eq!(texts(source, "k"), ["int|a"]);
        assert_eq!(texts("__global__ void k() {}", "k"), Vec::<String>::new());
        assert_eq!(
            kernel_params("__global__ void k(void) {}", "k"),
            Some(vec![])
        );
        for broken in [
            "__global__ void k(",
            "__global__",
            "__global__ k((",
            "__global__ void k(int a}",
            "__global__ void (",
            "\"",
            "R\"(",
        ] {
            assert_eq!(kernel_params(broken, "k"), None, "{broken}");
        }
    }

    #[test]
    fn kinds_that_ptx_cannot_tell_apart() {
        let source = "__global__ void k(float *p, size_t n, bool b, unsigned char c, __half h, T t, short s, long l) {}";
        let p = kernel_params(source, "k").unwrap();
        let byte = ParamKind::Int {
            bits: 8,
            signed: None,
        };
        assert_eq!(
            p[0].refine(&ParamKind::PointerOrInt),
            ParamKind::Pointer {
                pointee: Some("float".into())
            }
        );
        assert_eq!(
            p[1].refine(&ParamKind::PointerOrInt),
            ParamKind::Int {
                bits: 64,
                signed: Some(false)
            }
        );
        assert_eq!(p[2].refine(&byte), ParamKind::Bool);
        assert_eq!(
            p[3].refine(&byte),
            ParamKind::Int {
                bits: 8,
                signed: Some(false)
            }
        );
        assert_eq!(
            p[4].refine(&ParamKind::Struct { size: 2, align: 2 }),
            ParamKind::Float { bits: 16 }
        );
        assert_eq!(
            p[5].refine(&ParamKind::PointerOrInt),
            ParamKind::PointerOrInt
        );
        let short = ParamKind::Int {
            bits: 16,
            signed: None,
        };
        assert_eq!(
            p[6].refine(&short),
            ParamKind::Int {
                bits: 16,
                signed: Some(true)
            }
        );
        assert_eq!(
            p[7].refine(&ParamKind::Unknown { size: 8 }),
            ParamKind::Int {
                bits: 64,
                signed: Some(true)
            }
        );
    }

    #[test]
    fn damaged_sources_never_panic() {
        let source = "/*é*/ template<class T> __global__ void __launch_bounds__(128) k(const T *__restrict__ a, \
                      int b[3], N::V<float, 3> c = {1, 2}, const char *s = \"\\\"é\", char q = '\\'') {} R\"x(é)x\"\n#d \\\né";
        assert_eq!(kernel_params(source, "k").map(|p| p.len()), Some(5));
        for (at, _) in source.char_indices() {
            let (head, tail) = source.split_at(at);
            for mark in [
                "",
                "(",
                ")",
                "<",
                "\"",
                "é",
                "__global__ k(",
                "[",
                "*",
                "\\",
            ] {
                kernel_params(&format!("{head}{mark}"), "k");
                kernel_params(&format!("{head}{mark}{tail}"), "k");
            }
        }
    }
}
