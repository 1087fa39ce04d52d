//! The uses of names in expressions.

/// An identifier, the last character before it that is no blank, and the text behind it.
struct Word<'a> {
    text: &'a str,
    before: Option<char>,
    behind: &'a str,
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        while at < text.len() {
            let rest = &text[at..];
            let first = rest.chars().next()?;
            if !is_part(first) {
                at += first.len_utf8();
                continue;
            }
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let start = at;
            at += length;
            // Numbers such as 1e5f are no names.
            if !first.is_numeric() {
                return Some(Word {
                    text: &text[start..at],
                    before: text[..start].trim_end().chars().next_back(),
                    behind: text[at..].trim_start(),
                });
            }
        }
        None
    })
}

/// The text behind `[i]`, if it begins with that.
fn behind_index(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?.trim_start().strip_prefix('i')?;
    inside.trim_start().strip_prefix(']')
}

/// True if the text has the identifier.
pub fn mentions(text: &str, name: &str) -> bool {
    words(text).any(|word| word.text == name)
}

/// True if the text has the name of a macro that these declarations define: it may use any name, then.
pub fn uses_macros(text: &str, declarations: &str) -> bool {
    let mut lines = declarations.lines();
    lines.any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let name = directive.and_then(|text| words(text.strip_prefix("define")?).next());
        name.is_some_and(|name| mentions(text, name.text))
    })
}

/// True if the text uses a vector as `name[i]` only.
pub fn takes_own_element_only(text: &str, name: &str) -> bool {
    words(text)
        .filter(|word| word.text == name && word.before != Some('.'))
        .all(|word| behind_index(word.behind).is_some())
}

/// True if the text uses `i` other than as the whole index of one of these vectors.
pub fn needs_index<'a>(text: &str, vectors: impl Iterator<Item = &'a str> + Clone) -> bool {
    let indexed = words(text)
        .filter(|word| {
            vectors.clone().any(|name| name == word.text) && behind_index(word.behind).is_some()
        })
        .count();
    let all = words(text)
        .filter(|word| word.text == "i" && word.before != Some('.'))
        .count();
    all > indexed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_elements_are_told_from_others() {
        assert!(takes_own_element_only("x[i] * y[ i ] + x2[i+1]", "x"));
        assert!(takes_own_element_only("x[i] * y[ i ]", "y"));
        assert!(!takes_own_element_only("x[i] + x[i+1]", "x"));
        assert!(!takes_own_element_only("f(x, i)", "x"));
        assert!(takes_own_element_only("p.x + 1", "x"));
    }

    #[test]
    fn macros_are_seen_where_they_are_used() {
        let guarded = "#ifndef A_H\n#define A_H\nint f(int);\n#endif";
        assert!(!uses_macros("f(x[i])", guarded));
        assert!(uses_macros("F(i)", "int a;\n #  define F(i) x[i + 1]\n"));
        assert!(uses_macros("x[i]", "#define i j"));
        assert!(!uses_macros("define(x[i])", "define x"));
    }

    #[test]
    fn a_bare_index_is_seen() {
        let names = ["x", "y"];
        let needs = |text| needs_index(text, names.iter().copied());
        assert!(!needs("x[i] * y[i] + i2 + 1.e5f"));
        assert!(needs("x[i] * i"));
        assert!(needs("x[i + 1]"));
        assert!(needs("z[i]"));
        assert!(mentions("a + last_item", "last_item"));
        assert!(!mentions("a + last_items", "last_item"));
    }
}
