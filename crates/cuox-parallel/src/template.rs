//! Templates: CUDA C++ with places `/*@name*/` for other texts.

/// A text of the caller's, with the name that the compiler's messages have for it.
#[derive(Debug, Clone, Copy)]
pub struct UserText<'a> {
    /// Its name, such as `operation`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The text that goes to a place.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// The caller's: it gets lines of its own, counted from 1.
    User(UserText<'a>),
    /// Generated: it goes where the place is.
    Made(&'a str),
}

impl<'a> Part<'a> {
    /// A text of the caller's.
    pub fn user(name: &'a str, text: &'a str) -> Self {
        Self::User(UserText { name, text })
    }
}

/// Text of a file that is not the caller's, as a part of a source.
pub fn file(name: &str, text: &str) -> String {
    format!("#line 1 \"{name}\"\n{text}\n")
}

/// Puts texts in the places of a template. `name` is the template's own in messages. Each place has a text.
pub fn fill(name: &str, template: &str, parts: &[(&str, Part<'_>)]) -> String {
    let mut made = format!("#line 1 \"{name}\"\n");
    for (number, line) in template.lines().enumerate() {
        let mut rest = line;
        while let Some((before, place, behind)) = next_place(rest) {
            made.push_str(before);
            match parts.iter().find(|(known, _)| *known == place) {
                Some((_, Part::Made(text))) => made.push_str(text),
                Some((_, Part::User(user))) if !user.text.trim().is_empty() => {
                    // A comment at the text's end must not hide what comes behind it.
                    made.push_str(&format!(
                        "\n#line 1 \"{}\"\n{}\n#line {} \"{name}\"\n",
                        user.name,
                        user.text,
                        number + 1
                    ));
                }
                found => debug_assert!(found.is_some(), "{name}: nothing for the place {place}"),
            }
            rest = behind;
        }
        made.push_str(rest);
        made.push('\n');
    }
    made
}

fn next_place(line: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = line.split_once("/*@")?;
    let (place, behind) = rest.split_once("*/")?;
    Some((before, place, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_get_to_their_places() {
        let text = fill(
            "t.cu",
            "a /*@x*/ b\n/*@y*/;/*@z*/",
            &[
                ("x", Part::Made("1")),
                ("y", Part::user("op", "f(); // x")),
                ("z", Part::user("nothing", " ")),
            ],
        );
        assert_eq!(
            text,
            "#line 1 \"t.cu\"\na 1 b\n\n#line 1 \"op\"\nf(); // x\n#line 2 \"t.cu\"\n;\n"
        );
    }
}
