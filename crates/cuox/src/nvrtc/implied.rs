//! Names that nvcc knows without an include, since it includes `cuda_runtime.h` by itself: `uint8_t`, `M_PI`,
//! `INT_MAX`, `std::sqrt`.
//!
//! NVRTC knows few of them. A program that uses one is given its definition in a header that is included before the
//! program; one that uses none is compiled as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::headers;
use crate::signature::tokens_with_directives;

/// The definition of a name.
#[derive(Clone, Copy)]
enum Definition {
    /// One line of one of our headers.
    Line(&'static str),
    /// All of a header.
    Header(&'static str),
}

/// Headers whose macros and types are defined by one line each.
const LINES: &[&str] = &[
    "limits.h",
    "stdint.h",
    "float.h",
    "math.h",
    "sys/types.h",
    "stddef.h",
    "stdlib.h",
    "time.h",
];
/// Functions that NVRTC does not declare.
const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "string.h",
        &[
            "memcmp", "memmove", "strcat", "strchr", "strcmp", "strcpy", "strlen", "strncmp",
            "strncpy",
        ],
    ),
    ("stdlib.h", &["abort", "div", "div_t", "ldiv", "lldiv"]),
    (
        "math.h",
        &[
            "fpclassify",
            "isgreater",
            "isgreaterequal",
            "isless",
            "islessequal",
            "islessgreater",
            "isnormal",
            "isunordered",
        ],
    ),
];
/// Functions of the device runtime that work without it, and that nvcc's headers declare for kernels.
const DECLARED: &[(&str, &str)] = &[(
    "cudaGraphSetConditional",
    "extern \"C\" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int);",
)];
/// Headers of which all that is in namespace `std` is implied; where two have a name, the first.
const STD: &[&str] = &[
    "iosfwd",
    "cstddef",
    "cstdint",
    "cstdlib",
    "cstring",
    "ctime",
    "cstdio",
    "cmath",
    "type_traits",
    "utility",
    "functional",
    "limits",
    "algorithm",
    "numeric",
    "array",
    "complex",
    "bit",
    "numbers",
];

struct Tables {
    global: BTreeMap<&'static str, Definition>,
    /// From names in `std` to headers.
    std: BTreeMap<&'static str, &'static str>,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The names that a line of a header defines.
fn defined_by(line: &'static str) -> Option<&'static str> {
    if let Some(rest) = line.strip_prefix("#define ") {
        return rest
            .split([' ', '('])
            .next()
            .filter(|n| !n.starts_with("CUOX"));
    }
    let rest = line.strip_prefix("typedef ")?.strip_suffix(';')?;
    rest.rsplit([' ', '*']).next().filter(|n| is_name(n))
}

/// The names that a header declares in `std`: those that stand where a declaration has its name.
fn std_names(text: &'static str) -> BTreeSet<&'static str> {
    let tokens = tokens_with_directives(text);
    let mut names = BTreeSet::new();
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        let before = |n: usize| at.checked_sub(n).map_or("", |i| tokens[i]);
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            "namespace" if depth == 1 && tokens.get(at + 1) == Some(&"numbers") => {
                names.insert("numbers");
            }
            // Behind another brace are members, and what is not for users.
            name if depth == 1 && name.len() > 1 && is_name(name) => {
                let after = tokens.get(at + 1).copied().unwrap_or_default();
                let named = match before(1) {
                    "struct" | "class" => !matches!(before(2), "<" | ","),
                    "::" => before(2) == "using",
                    "using" => after == "=",
                    "bool" | "size_t" if after == "=" => true,
                    _ => {
                        after == "("
                            && !matches!(name, "decltype" | "operator" | "defined")
                            && !name.starts_with("CUOX_")
                            || (after == ";"
                                && tokens[..at]
                                    .iter()
                                    .rev()
                                    .take_while(|t| !matches!(**t, ";" | "{" | "}"))
                                    .any(|t| *t == "typedef"))
                    }
                };
                // Macros that declare one name each say it first: CUOX_BINARY(plus, …).
                if named || (before(1) == "(" && before(2).starts_with("CUOX_")) {
                    names.insert(name);
                }
            }
            _ => {}
        }
    }
    names
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let (mut global, mut std) = (BTreeMap::new(), BTreeMap::new());
        for name in LINES {
            for line in headers::text(name).unwrap_or_default().lines() {
                if let Some(defined) = defined_by(line) {
                    global.entry(defined).or_insert(Definition::Line(line));
                }
            }
        }
        for (header, names) in FUNCTIONS {
            for name in *names {
                global.insert(name, Definition::Header(header));
            }
        }
        for (name, line) in DECLARED {
            global.insert(name, Definition::Line(line));
        }
        for header in STD {
            for name in std_names(headers::text(header).unwrap_or_default()) {
                std.entry(name).or_insert(*header);
            }
        }
        // NVRTC's own.
        for name in ["move", "forward", "initializer_list"] {
            std.remove(name);
        }
        Tables { global, std }
    })
}

/// Text put in front of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Implied {
    /// Names that are defined by one line.
    names: BTreeSet<&'static str>,
    /// Headers that are included.
    headers: BTreeSet<&'static str>,
}

impl Implied {
    /// The names that a source uses and does not define.
    pub fn by(source: &str) -> Self {
        let tables = tables();
        let tokens = tokens_with_directives(source);
        let own = own_names(&tokens);
        let mut implied = Self::default();
        for (at, token) in tokens.iter().enumerate() {
            let before = |n: usize| at.checked_sub(n).map_or("", |i| tokens[i]);
            if before(1) == "::" && before(2) == "std" {
                // `cuda::std::min` is another.
                if before(3) != "::" {
                    implied.add_std(token);
                }
                continue;
            }
            let is_member =
                matches!(before(1), "::" | ".") || (before(1) == ">" && before(2) == "-");
            let is_asked_for = matches!(before(1), "ifndef" | "ifdef");
            if tables.global.contains_key(token)
                && !own.contains(token)
                && !is_member
                && !is_asked_for
            {
                implied.add_global(token);
            }
        }
        implied
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.headers.is_empty()
    }

    /// Adds a name that is not in a namespace; false if it is not known, or there already.
    pub fn add_global(&mut self, name: &str) -> bool {
        let Some((&name, &definition)) = tables().global.get_key_value(name) else {
            return false;
        };
        match definition {
            Definition::Header(header) => self.headers.insert(header),
            Definition::Line(line) => {
                if !self.names.insert(name) {
                    return false;
                }
                // A definition may use others: INT32_MAX is INT_MAX.
                for used in tokens_with_directives(line) {
                    if used != name {
                        self.add_global(used);
                    }
                }
                true
            }
        }
    }

    /// Adds a name of namespace `std`; false if it is not known, or there already.
    pub fn add_std(&mut self, name: &str) -> bool {
        tables()
            .std
            .get(name)
            .is_some_and(|header| self.headers.insert(header))
    }

    /// Adds a header; false if it is there already.
    pub fn add_header(&mut self, name: &'static str) -> bool {
        self.headers.insert(name)
    }

    /// Takes a name out that the program defines otherwise; false if it was not there.
    pub fn remove(&mut self, name: &str) -> bool {
        self.names.remove(name)
    }

    /// The header to be included before the program.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for header in &self.headers {
            text += &format!("#include <{header}>\n");
        }
        for (_, line) in DECLARED
            .iter()
            .filter(|(name, _)| self.names.contains(name))
        {
            text += &format!("{line}\n");
        }
        // A macro may be used before it is defined, and a type is not; so in the headers' order.
        for header in LINES {
            for line in headers::text(header).unwrap_or_default().lines() {
                let Some(name) = defined_by(line).filter(|n| self.names.contains(n)) else {
                    continue;
                };
                match line.starts_with('#') {
                    true => text += &format!("#ifndef {name}\n{line}\n#endif\n"),
                    false => text += &format!("{line}\n"),
                }
            }
        }
        text
    }
}

/// The names that a program defines itself, as macros or types, or variables with one of their names.
fn own_names<'a>(tokens: &[&'a str]) -> BTreeSet<&'a str> {
    let mut own = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = |n: usize| tokens.get(at + n).copied().unwrap_or_default();
        match *token {
            "#" if next(1) == "define" => {
                own.insert(next(2));
            }
            "using" | "struct" | "class" | "enum"
                if is_name(next(1)) && matches!(next(2), "=" | "{" | ":" | ";") =>
            {
                own.insert(next(1));
            }
            "typedef" => {
                let end = tokens[at..].iter().position(|t| *t == ";");
                if let Some(end) = end.map(|n| at + n) {
                    own.insert(tokens[end - 1]);
                }
            }
            // `const float M_PI = 3.14f`
            name if is_name(name)
                && matches!(next(1), "=" | "[")
                && next(2) != "="
                && at.checked_sub(1).is_some_and(|i| {
                    matches!(
                        tokens[i],
                        "float" | "double" | "int" | "long" | "unsigned" | "auto"
                    )
                }) =>
            {
                own.insert(name);
            }
            _ => {}
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        Implied::by(source).text()
    }

    #[test]
    fn conditions_are_set_without_an_include() {
        let used = text(
            "__global__ void k(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 1); }",
        );
        assert!(used.starts_with("extern \"C\" __device__") && used.lines().count() == 1);
        assert_eq!(
            text("__global__ void k(cudaGraphConditionalHandle h) {}"),
            ""
        );
    }

    #[test]
    fn what_is_used_is_defined_with_all_that_it_uses() {
        assert_eq!(text("__global__ void k(int *p) { *p = 3; }"), "");
        assert_eq!(
            text("uint8_t x; // INT_MAX"),
            "typedef unsigned char uint8_t;\n"
        );
        let limits = text("int x = INT32_MAX;");
        assert!(
            limits.contains("#define INT32_MAX INT_MAX")
                && limits.contains("#define INT_MAX 0x7fffffff"),
            "{limits}"
        );
        assert!(text("#define TWO_PI (2 * M_PI)\n").contains("#define M_PI 3.14"));
    }

    #[test]
    fn what_a_program_defines_itself_is_left_to_it() {
        for own in [
            "typedef unsigned long long uint64_t; uint64_t x;",
            "#define M_PI 3\nint x = M_PI;",
            "#ifndef INT_MAX\n#define INT_MAX 1\n#endif\nint x = INT_MAX;",
            "using uint8_t = char; uint8_t x;",
            "const float M_PI = 3.14f; float y = M_PI;",
            "x.NAN = 3; p->NAN = 2; a::NAN;",
            "cuda::std::min(1, 2);",
        ] {
            assert_eq!(text(own), "", "{own}");
        }
    }

    #[test]
    fn names_of_std_are_found_in_their_headers() {
        let of = |name: &str| text(&format!("std::{name}(1);"));
        for (name, header) in [
            ("sqrt", "cmath"),
            ("abs", "cstdlib"),
            ("min", "algorithm"),
            ("swap", "utility"),
            ("plus", "functional"),
            ("enable_if_t", "type_traits"),
            ("is_same_v", "type_traits"),
            ("numeric_limits", "limits"),
            ("size_t", "cstddef"),
            ("uint8_t", "cstdint"),
            ("complex", "complex"),
            ("array", "array"),
            ("integral_constant", "type_traits"),
            ("true_type", "type_traits"),
            ("pair", "utility"),
            ("make_index_sequence", "utility"),
            ("numbers", "numbers"),
            ("memcpy", "cstring"),
            ("accumulate", "numeric"),
            ("bit_cast", "bit"),
            ("declval", "type_traits"),
            ("make_pair", "utility"),
            ("printf", "cstdio"),
            ("clamp", "algorithm"),
            ("exp", "cmath"),
            ("isnan", "cmath"),
        ] {
            assert_eq!(of(name), format!("#include <{header}>\n"), "{name}");
        }
        for name in ["move", "vector", "cuox_detail", "T", "first", "value"] {
            assert_eq!(of(name), "", "{name}");
        }
    }
}
