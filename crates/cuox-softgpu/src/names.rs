//! Names of kernels as the program's text has them.

use cpp_demangle::{DemangleOptions, Symbol};

/// Names of templates can have any length; most of such a name says little.
const MOST: usize = 300;

/// The C++ name and parameters of a mangled name, cut if they are long; another name stays as it is.
pub fn readable(name: &str) -> String {
    let options = DemangleOptions::new().no_return_type();
    let mut text = Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok())
        .unwrap_or_else(|| name.to_owned());
    if text.len() > MOST {
        text.truncate(text.floor_char_boundary(MOST));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn mangled_names_are_made_readable() {
        assert_eq!(readable("_Z4fillPfi"), "fill(float*, int)");
        assert_eq!(
            readable("_Z5scaleIdEvPT_S0_"),
            "scale<double>(double*, double)"
        );
        let long = readable(&"k".repeat(1000));
        assert!(long.len() < 310 && long.ends_with('…'), "{long}");
        for other in ["fill", "", "_Z", "_Z9short", "$weird"] {
            assert_eq!(readable(other), other);
        }
    }
}
