//! Names in the code as people write them.

use std::fmt;

use cpp_demangle::{DemangleOptions, Symbol};

/// No name that people write is longer, and reading one costs more than its length.
const LONGEST: usize = 4096;
/// No readable name that is longer says more than the mangled one.
const LONGEST_READABLE: usize = 1 << 16;

/// A text that takes no more than so many bytes: a mangled name can say in a hundred what takes gigabytes.
struct Bounded {
    text: String,
    most: usize,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.text.len() + part.len() > self.most {
            return Err(fmt::Error);
        }
        self.text.push_str(part);
        Ok(())
    }
}

/// A kernel's name as the source has it, without its parameters: `k2<int>` for `_Z2k2IiEvPT_`. Other names stay as they
/// are.
pub fn readable(name: &str) -> String {
    demangled(name).unwrap_or_else(|| name.to_owned())
}

fn demangled(name: &str) -> Option<String> {
    let options = DemangleOptions::new()
        .no_params()
        .no_return_type()
        .hide_expression_literal_types();
    demangled_with(name, options)
}

fn demangled_with(name: &str, options: DemangleOptions) -> Option<String> {
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return None;
    }
    let mut made = Bounded {
        text: String::new(),
        most: LONGEST_READABLE,
    };
    let symbol = Symbol::new(name).ok()?;
    symbol.structured_demangle(&mut made, &options).ok()?;
    Some(made.text)
}

/// The parameters' types of a mangled name, `float*, float, int` for `_Z5scaleIfEvPT_S0_i`: what templates' parameters
/// and type aliases stand for.
pub(crate) fn parameter_types(name: &str) -> Option<String> {
    let text = demangled_with(name, DemangleOptions::new().no_return_type())?;
    let inner = text.strip_suffix(')')?;
    let mut depth = 1;
    for (at, mark) in inner.char_indices().rev() {
        match mark {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(inner[at + 1..].to_owned());
        }
    }
    None
}

/// A text with all mangled names in it made readable.
pub(crate) fn readable_text(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("_Z") {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_word(c)).unwrap_or(from.len());
        let (name, behind) = from.split_at(end);
        made.push_str(before);
        if before.ends_with(is_word) {
            made.push_str(name);
        } else {
            made.push_str(&readable(name));
        }
        rest = behind;
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_named_as_in_the_source() {
        for (name, expected) in [
            ("_Z2k2IiEvPT_", "k2<int>"),
            ("_Z5saxpyfPKfPfi", "saxpy"),
            ("_ZN2ns3addIfEEvPKT_PS1_i", "ns::add<float>"),
            ("_Z4tileILi16EfEvPT0_", "tile<16, float>"),
            ("saxpy", "saxpy"),
            ("_Z", "_Z"),
            ("_Zwhat", "_Zwhat"),
            ("", ""),
        ] {
            assert_eq!(readable(name), expected, "{name}");
        }
    }

    #[test]
    fn types_of_parameters() {
        for (name, expected) in [
            ("_Z5scaleIfEvPT_S0_i", Some("float*, float, int")),
            (
                "_ZN2ns3addIfEEvPKT_PS1_i",
                Some("float const*, float*, int"),
            ),
            ("_Z1kv", Some("")),
            ("_Z1kPFviE", Some("void (*)(int)")),
            ("saxpy", None),
            ("_Z", None),
        ] {
            assert_eq!(parameter_types(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn names_within_a_text() {
        let text = "kernel _Z2k2IiEvPT_, thread (0, 0, 0): x_Z1kv _Z1kv";
        assert_eq!(
            readable_text(text),
            "kernel k2<int>, thread (0, 0, 0): x_Z1kv k"
        );
        assert_eq!(readable_text("_Zé _Z"), "_Zé _Z");
    }

    /// `B<int, int>`, then twenty-nine times the type before twice in it.
    fn doubling() -> String {
        let digits = "0123456789ABCDEFGHIJKLMNOPQRS";
        let params: String = digits.chars().map(|n| format!("S_IS{n}_S{n}_E")).collect();
        format!("_Z1k1BIiiE{params}")
    }

    #[test]
    fn names_that_double_do_not_grow_for_ever() {
        let name = doubling();
        assert_eq!(parameter_types(&name), None);
        assert_eq!(readable(&name), "k");
        let once = parameter_types("_Z1k1BIiiES_IS0_S0_E");
        assert_eq!(
            once.as_deref(),
            Some("B<int, int>, B<B<int, int>, B<int, int> >")
        );
    }

    #[test]
    fn damaged_names_never_panic() {
        let name = "_ZN2ns3addIfLi16ENS_5tupleIJPKcdEEEEvPKT_PS1_iNSt6vectorIT1_EE";
        for at in 0..=name.len() {
            for mark in ["", "E", "_", "I", "S_", "T_", "9", "N", "LLi"] {
                parameter_types(&format!("{}{mark}{}", &name[..at], &name[at..]));
                readable(&format!("{}{mark}{}", &name[..at], &name[at..]));
                readable(&format!("{}{mark}", &name[..at]));
            }
        }
        readable(&format!("_Z{}", "N".repeat(100_000)));
        readable(&format!("_Z1kI{}E", "P".repeat(4000)));
    }
}
