//! Demangling: names of kernels as the program's text has them.

use cpp_demangle::{DemangleOptions, Symbol};
use std::fmt;

/// Names of templates can have any length; most of such a name says little.
const MOST: usize = 300;
/// No name that people write is longer, and reading one costs more than its length.
const LONGEST: usize = 4096;

/// A text that ends soon after [`MOST`] bytes: a mangled name of a hundred bytes can stand for gigabytes.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        match self.0.len() > MOST {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}

/// The C++ name and parameters of a mangled name, cut if they are long; another name stays as it is.
pub fn readable(name: &str) -> String {
    shown(name, DemangleOptions::new())
}

/// The same without parameters.
pub fn readable_name(name: &str) -> String {
    shown(name, DemangleOptions::new().no_params())
}

fn shown(name: &str, options: DemangleOptions) -> String {
    let made = demangled(name, &options.no_return_type());
    let mut text = made.unwrap_or_else(|| name.to_owned());
    if text.len() > MOST {
        text.truncate(text.floor_char_boundary(MOST));
        text.push('…');
    }
    text
}

fn demangled(name: &str, options: &DemangleOptions) -> Option<String> {
    // A plain name may read as a mangled type: `f` is the type float.
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return None;
    }
    let mut made = Bounded(String::new());
    let done = Symbol::new(name)
        .ok()?
        .structured_demangle(&mut made, options);
    (done.is_ok() || made.0.len() > MOST).then_some(made.0)
}

#[cfg(test)]
mod tests {
    use super::{readable, readable_name};

    #[test]
    fn mangled_names_are_made_readable() {
        assert_eq!(readable("_Z4fillPfi"), "fill(float*, int)");
        assert_eq!(
            readable("_Z5scaleIdEvPT_S0_"),
            "scale<double>(double*, double)"
        );
        let long = readable(&"k".repeat(1000));
        assert!(long.len() < 310 && long.ends_with('…'), "{long}");
        // The demangler reads types' codes too: `f` is float.
        for other in ["fill", "f", "i", "x", "", "_Z", "_Z9short", "$weird"] {
            assert_eq!(readable(other), other);
        }
    }

    #[test]
    fn parameters_are_left_out() {
        for (name, shown) in [
            ("add", "add"),
            ("_Z3addPfi", "add"),
            ("_Z5scaleIdEvPT_", "scale<double>"),
            ("_ZN2ns3addEPf", "ns::add"),
            ("_Z99add", "_Z99add"),
            ("_Z", "_Z"),
        ] {
            assert_eq!(readable_name(name), shown);
        }
    }

    /// `B<int, int>`, then twenty-nine times the type before twice in it.
    fn doubling() -> String {
        let digits = "0123456789ABCDEFGHIJKLMNOPQRS";
        let params: String = digits.chars().map(|n| format!("S_IS{n}_S{n}_E")).collect();
        format!("_Z1k1BIiiE{params}")
    }

    #[test]
    fn names_that_double_do_not_grow_for_ever() {
        let text = readable(&doubling());
        assert!(
            text.starts_with("k(B<int, int>, B<B<") && text.len() < 310,
            "{text}"
        );
        let long = format!("{}z", doubling().repeat(10));
        assert!(readable(&long).starts_with("_Z1k"));
    }
}
