//! Patterns for C names, as rules and the arguments `only` and `ignore` give them.

/// A pattern for names, in which `*` is any text and `?` any character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(pub String);

impl Glob {
    /// True if a name fits.
    pub fn fits(&self, name: &str) -> bool {
        let (pattern, name) = (self.0.as_bytes(), name.as_bytes());
        let (mut p, mut n) = (0, 0);
        // The place to go on from if the text behind the last star does not fit: the star, and the next character that
        // it would swallow.
        let mut again = None;
        while n < name.len() {
            match pattern.get(p) {
                Some(b'*') => {
                    again = Some((p, n + 1));
                    p += 1;
                }
                Some(&byte) if byte == b'?' || byte == name[n] => {
                    p += 1;
                    n += 1;
                }
                _ => match again {
                    Some((star, next)) => {
                        again = Some((star, next + 1));
                        p = star + 1;
                        n = next;
                    }
                    None => return false,
                },
            }
        }
        pattern[p..].iter().all(|byte| *byte == b'*')
    }

    /// True if it is a name and no pattern.
    pub fn is_exact(&self) -> bool {
        !self.0.contains(['*', '?'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let fits = |pattern: &str, name: &str| Glob(pattern.into()).fits(name);
        assert!(fits("*", ""));
        assert!(fits("foo_*", "foo_"));
        assert!(fits("*_internal_*", "foo_internal_x"));
        assert!(fits("a*b*c", "aXbYbZc"));
        assert!(fits("?oo", "foo"));
        assert!(!fits("foo", "fo"));
        assert!(!fits("foo_*_x", "foo_y_z"));
        assert!(!fits("", "x"));
        // Many stars take no longer than few.
        assert!(!fits(&"*a".repeat(40), &"b".repeat(4000)));
    }
}
