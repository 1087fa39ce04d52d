//! Comments cut down to the part worth shipping: a description, in plain text.

use super::Header;

/// Doxygen's commands that begin a part of a comment which is left out: such parts are for the manual's web pages, or
/// long.
const LEFT_OUT: [&str; 16] = [
    "return",
    "returns",
    "retval",
    "note",
    "sa",
    "see",
    "warning",
    "remark",
    "remarks",
    "code",
    "verbatim",
    "par",
    "deprecated",
    "details",
    "since",
    "bug",
];

impl Header {
    /// Makes plain text of the comments. Of a function's, the first sentence and the parameters stay.
    pub fn shorten_docs(&mut self) {
        for function in &mut self.functions {
            shorten(&mut function.doc, true);
        }
        for record in &mut self.records {
            shorten(&mut record.doc, false);
            for field in &mut record.fields {
                shorten(&mut field.doc, false);
            }
        }
        for enumeration in &mut self.enums {
            shorten(&mut enumeration.doc, false);
            for value in &mut enumeration.values {
                shorten(&mut value.doc, false);
            }
        }
        for typedef in &mut self.typedefs {
            shorten(&mut typedef.doc, false);
        }
        for variable in &mut self.variables {
            shorten(&mut variable.doc, false);
        }
        for constant in &mut self.constants {
            shorten(&mut constant.doc, false);
        }
    }
}

fn shorten(doc: &mut Option<String>, first_only: bool) {
    if let Some(text) = doc.take() {
        let text = brief(&text, first_only);
        *doc = (!text.is_empty()).then_some(text);
    }
}

/// A comment as plain text; with `first_only`, its first paragraph and those of parameters.
fn brief(doc: &str, first_only: bool) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut parameters: Vec<String> = Vec::new();
    for (command, text) in paragraphs_of(doc) {
        let text = plain(&text);
        match command.as_str() {
            "param" => {
                // A direction in brackets repeats the signature.
                let text = match text.strip_prefix('[') {
                    Some(rest) => rest
                        .split_once(']')
                        .map_or(rest, |(_, rest)| rest)
                        .trim_start(),
                    None => &text,
                };
                let (name, said) = text.split_once(' ').unwrap_or((text, ""));
                let said = said.trim_start_matches(['-', ' ']);
                if !name.is_empty() && !said.is_empty() {
                    parameters.push(format!("{name}: {said}"));
                }
            }
            command if LEFT_OUT.contains(&command) => {}
            _ if text.is_empty() => {}
            _ if first_only && !paragraphs.is_empty() => {}
            _ => paragraphs.push(text),
        }
    }
    if !parameters.is_empty() {
        paragraphs.push(parameters.join("\n"));
    }
    paragraphs.join("\n\n")
}

/// The paragraphs of a comment, each with the command that it begins with, or that the paragraph before it began with
/// if that goes on.
fn paragraphs_of(doc: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in doc.lines() {
        let line = line.trim();
        if line.is_empty() {
            open = false;
            continue;
        }
        if let Some((name, rest)) = line.strip_prefix(['\\', '@']).map(command)
            && is_block(name)
        {
            found.push((name.to_owned(), rest.to_owned()));
        } else if let Some((_, text)) = found.last_mut().filter(|_| open) {
            text.push(' ');
            text.push_str(line);
        } else {
            // A list, or a second paragraph, of something that is left out belongs to it.
            let before = found.last().map(|(name, _)| name.as_str());
            let name = before.filter(|name| LEFT_OUT.contains(name));
            found.push((name.unwrap_or("").to_owned(), line.to_owned()));
        }
        open = true;
    }
    found
}

/// A command's name and the text behind it.
fn command(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic());
    text.split_at(end.unwrap_or(text.len()))
}

fn is_block(name: &str) -> bool {
    matches!(name, "brief" | "param" | "short") || LEFT_OUT.contains(&name)
}

/// Text without marks: `\p name`, `::NAME`, `<b>..</b>`, and commands that stand for boilerplate.
fn plain(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        if let Some(name) = word.strip_prefix(['\\', '@'])
            && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        {
            // `\p`, `\ref` and their like mark the word behind them; others (`\notefnerr`) stand for text that is not
            // here.
            continue;
        }
        let mut word = word.replace("::", "");
        for tag in [
            "<b>", "</b>", "<i>", "</i>", "<tt>", "</tt>", "<code>", "</code>",
        ] {
            word = word.replace(tag, "");
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::brief;

    const DOC: &str = "\\brief Returns a global pointer\n\nReturns in \\p *dptr the base.\n\n\\param[out] dptr  - Returned global\n  device pointer\n\\param name  - Its name\n\n\\return\n::OK,\n::BAD\n\\notefnerr\n\nmore of it\n\n\\sa ::other";

    #[test]
    fn a_function_keeps_its_first_sentence_and_parameters() {
        let expected =
            "Returns a global pointer\n\ndptr: Returned global device pointer\nname: Its name";
        assert_eq!(brief(DOC, true), expected);
    }

    #[test]
    fn marks_are_no_text() {
        assert_eq!(
            brief("See ::cuInit() and <b>[0,\n::n()-1]</b> of \\p x.", false),
            "See cuInit() and [0, n()-1] of x."
        );
        assert_eq!(brief("\\deprecated\nThis is gone.", false), "");
        assert_eq!(brief("one\n\ntwo", false), "one\n\ntwo");
    }

    #[test]
    fn odd_comments_do_no_harm() {
        for text in [
            "",
            "\\",
            "@",
            "\\param",
            "\\param[",
            "\\param x",
            "[",
            "\\param[in]",
            "<b>",
            "::",
        ] {
            let _ = brief(text, true);
        }
    }
}
