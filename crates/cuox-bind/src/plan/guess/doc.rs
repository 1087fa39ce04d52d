//! Guesses from a function's comment: the direction and nullability of its parameters.

/// A parameter's paragraph in a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// A direction in brackets: `[out]`, `(inout)`.
    pub(crate) direction: Option<Direction>,
    /// The text, as one line.
    pub(crate) text: String,
}

/// A direction that a comment gives in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
    InOut,
}

/// Phrases with which comments say that C writes a parameter's pointee.
const RETURNED: [&str; 18] = [
    "resulting ",
    "returned",
    "returns ",
    "pointer to return",
    "pointer to the return",
    "in which to return",
    "location to return",
    "location to store",
    "address to store",
    "where to store",
    "where to return",
    "receives ",
    "will be set",
    "is set to",
    "filled with",
    "filled in",
    "on return",
    "output parameter",
];

/// Ways in which comments say that there is more than one element.
const SEVERAL: [&str; 12] = [
    "array",
    "buffer",
    "list of",
    "vector",
    "elements",
    "pre-allocated",
    "preallocated",
    "up to",
    "at least",
    "clique",
    "null-terminated",
    "sequence",
];

impl Said {
    /// True if C writes the pointee, and the caller's value does not matter.
    pub(crate) fn is_output(&self) -> bool {
        match self.direction {
            Some(direction) => direction == Direction::Out,
            None => {
                let text = self.text.to_lowercase();
                RETURNED.iter().any(|phrase| text.contains(phrase)) && !self.is_in_out()
            }
        }
    }

    /// True if C reads and writes the pointee.
    pub(crate) fn is_in_out(&self) -> bool {
        match self.direction {
            Some(direction) => direction == Direction::InOut,
            None => {
                let text = self.text.to_lowercase();
                ["in/out", "in-out", "input/output", "on input"]
                    .iter()
                    .any(|phrase| text.contains(phrase))
            }
        }
    }

    /// True if it points at several elements.
    pub(crate) fn is_several(&self) -> bool {
        let text = self.text.to_lowercase();
        SEVERAL.iter().any(|phrase| text.contains(phrase))
    }

    /// True if null may be given.
    pub(crate) fn may_be_null(&self) -> bool {
        let text = self.text.to_lowercase();
        [
            "may be null",
            "can be null",
            "or null",
            "optional",
            "null if",
            "null to",
            "null for",
        ]
        .iter()
        .any(|phrase| text.contains(phrase))
    }

    /// The beginning of the text, for explanations.
    pub(crate) fn quote(&self) -> String {
        let direction = match self.direction {
            Some(Direction::In) => "[in] ",
            Some(Direction::Out) => "[out] ",
            Some(Direction::InOut) => "[in,out] ",
            None => "",
        };
        let words: Vec<&str> = self.text.split_whitespace().take(8).collect();
        let more = if self.text.split_whitespace().nth(8).is_some() {
            " …"
        } else {
            ""
        };
        format!("“{direction}{}{more}”", words.join(" ")).replace(" ”", "”")
    }
}

/// What a comment says that a function's integer result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultSaid {
    /// 0 means success: “0 on success”.
    ZeroIsSuccess,
    /// 0 means failure: “1 on success, 0 on failure”.
    ZeroIsFailure,
    /// A number, or a negative code of an error.
    NumberOrError,
    /// A number.
    Number,
}

const WHEN: [&str; 10] = [
    "on success",
    "upon success",
    "for success",
    "if success",
    "when success",
    "in case of success",
    "if ok",
    "if no error",
    "if everything",
    "(success",
];

/// The meaning of a function's integer result, and the words that say so.
pub(crate) fn result(doc: &str) -> Option<(ResultSaid, String)> {
    const FAILED: [&str; 7] = [
        "on failure",
        "on error",
        "upon error",
        "for failure",
        "otherwise",
        "if an error",
        "if it fails",
    ];
    let text = returned(doc)?;
    // A number as a word of its own, with one of these behind it; `>= 0` is another condition.
    let follows = |numbers: &[&str], phrases: &[&str]| {
        numbers.iter().any(|number| {
            phrases.iter().any(|phrase| {
                let wanted = format!("{number} {phrase}");
                text.match_indices(&wanted).any(|(at, _)| {
                    let before = text[..at].trim_end();
                    !before.ends_with(['=', '>', '<', '-'])
                        && !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.')
                })
            })
        })
    };
    let quote = || {
        let words: Vec<&str> = text.split_whitespace().take(10).collect();
        let more = if text.split_whitespace().nth(10).is_some() {
            " …"
        } else {
            ""
        };
        format!("“{}{more}”", words.join(" "))
    };
    let zero = ["0", "zero"];
    let fails = ["non-zero", "nonzero", "non zero"].iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = &text[at..];
            let clause = rest.split([',', ';', '.']).next().unwrap_or(rest);
            clause.contains("error") || clause.contains("fail")
        })
    });
    let number = ["number of", "the count", "how many", "amount of", ">= 0"]
        .iter()
        .any(|phrase| text.contains(phrase));
    if number {
        let error = ["error code", "an error", "negative", "< 0", "<0"]
            .iter()
            .any(|phrase| text.contains(phrase));
        let said = match error {
            true => ResultSaid::NumberOrError,
            false => ResultSaid::Number,
        };
        return Some((said, quote()));
    }
    if follows(&zero, &WHEN) || (fails && !follows(&zero, &FAILED)) {
        return Some((ResultSaid::ZeroIsSuccess, quote()));
    }
    let one = ["1", "one", "non-zero", "nonzero"];
    (follows(&one, &WHEN) && follows(&zero, &FAILED)).then(|| (ResultSaid::ZeroIsFailure, quote()))
}

/// The name, in small letters, of the constant that a comment says is the result of success: “FOO_OK on success”.
pub(crate) fn success_name(doc: &str) -> Option<String> {
    let text = returned(doc)?;
    WHEN.iter().find_map(|phrase| {
        let before = text[..text.find(phrase)?].trim_end();
        let word = before
            .rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next()?;
        word.contains('_').then(|| word.to_owned())
    })
}

/// The part of a comment about the result, as one line in small letters.
fn returned(doc: &str) -> Option<String> {
    let mut text = String::new();
    let mut inside = false;
    for line in doc.lines() {
        let line = line.trim().to_lowercase();
        let command = line.strip_prefix(['@', '\\']);
        let begins = match command {
            Some(rest) => {
                rest.starts_with("return")
                    || rest.starts_with("retval")
                    || rest.starts_with("result")
            }
            None => line.starts_with("return"),
        };
        if begins {
            inside = true;
        } else if line.is_empty() || command.is_some() {
            inside = false;
        } else if !inside && let Some(at) = line.find("returns ") {
            inside = true;
            text.push(' ');
            text.push_str(&line[at..]);
            continue;
        }
        if inside {
            let words = line.trim_start_matches(['@', '\\']);
            let words = ["returns", "return value", "return", "retval", "result"]
                .iter()
                .find_map(|word| words.strip_prefix(word).filter(|_| begins))
                .unwrap_or(words);
            text.push(' ');
            text.push_str(words.trim_start_matches([':', '-', ' ']));
        }
    }
    let text: Vec<&str> = text.split_whitespace().collect();
    (!text.is_empty()).then(|| text.join(" "))
}

/// The words of a comment about the parameter of this name.
pub(crate) fn parameter(doc: &str, name: &str) -> Option<Said> {
    if name.is_empty() {
        return None;
    }
    let mut lines = doc.lines();
    let (direction, first) = lines.by_ref().find_map(|line| about(line, name))?;
    let mut text = first.trim().to_owned();
    for line in lines {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['\\', '@']) || begins_another(line) {
            break;
        }
        text.push(' ');
        text.push_str(line);
    }
    Some(Said { direction, text })
}

/// The words of a line about a parameter, if the line begins with that.
fn about<'a>(line: &'a str, name: &str) -> Option<(Option<Direction>, &'a str)> {
    let mut rest = line.trim();
    let mut direction = None;
    let command = ["\\param", "@param"]
        .iter()
        .find_map(|word| rest.strip_prefix(word));
    if let Some(after) = command {
        rest = after.trim_start();
    }
    (direction, rest) = bracket(rest, direction);
    // `@name: (out) text`, as GLib writes.
    let at = rest.strip_prefix('@');
    let glib = at.is_some() && command.is_none();
    rest = at.unwrap_or(rest).strip_prefix(name)?;
    if rest.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
        return None;
    }
    rest = rest.trim_start();
    let named = command.is_some() || direction.is_some() || glib;
    (direction, rest) = bracket(rest, direction);
    let marked = rest.strip_prefix([':', '-']);
    if !named && direction.is_none() && marked.is_none() {
        return None;
    }
    rest = marked.unwrap_or(rest).trim_start();
    (direction, rest) = bracket(rest, direction);
    Some((direction, rest.trim_start_matches(['-', ':']).trim_start()))
}

/// Takes a direction in brackets from the front.
fn bracket(text: &str, before: Option<Direction>) -> (Option<Direction>, &str) {
    let close = match text.chars().next() {
        Some('[') => ']',
        Some('(') => ')',
        _ => return (before, text),
    };
    let Some((inside, rest)) = text[1..].split_once(close) else {
        return (before, text);
    };
    let inside: String = inside.to_lowercase().split_whitespace().collect();
    let direction = match inside.as_str() {
        "in" => Direction::In,
        "out" => Direction::Out,
        "in,out" | "inout" | "in/out" | "out,in" => Direction::InOut,
        _ => return (before, text),
    };
    (Some(direction), rest.trim_start())
}

/// True if a line begins another parameter's paragraph in a comment without commands: `name - text`.
fn begins_another(line: &str) -> bool {
    let mut parts = line.splitn(3, ' ');
    let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let is_name = first
        .trim_end_matches(':')
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name && !first.is_empty() && (second == "-" || first.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_styles() {
        let said = |doc: &str| result(doc).map(|(said, _)| said);
        assert_eq!(
            said("@return A non-zero error value on failure and 0 on success."),
            Some(ResultSaid::ZeroIsSuccess)
        );
        assert_eq!(
            said("Opens it.\n\nReturns 0 on success, -1 on error."),
            Some(ResultSaid::ZeroIsSuccess)
        );
        assert_eq!(
            said("\\retval 0 if successful"),
            Some(ResultSaid::ZeroIsSuccess)
        );
        assert_eq!(
            said("@return 1 on success, 0 on failure"),
            Some(ResultSaid::ZeroIsFailure)
        );
        assert_eq!(
            said("@return the number of rows,\n or a negative error code"),
            Some(ResultSaid::NumberOrError)
        );
        assert_eq!(said("@return the number of rows"), Some(ResultSaid::Number));
        assert_eq!(said("@return 10 on success"), None);
        assert_eq!(said("@param x 0 on success\n@return the value"), None);
        assert_eq!(said("@return non-zero if it is empty"), None);
    }

    #[test]
    fn comments_of_several_styles() {
        let cuda = "\\brief Gets a thing\n\n\\param pi     - Returned device attribute\n value\n\\param attrib - Device attribute to query\n\n\\return x";
        let said = parameter(cuda, "pi").unwrap();
        assert_eq!(said.text, "Returned device attribute value");
        assert!(said.is_output());
        assert!(!parameter(cuda, "attrib").unwrap().is_output());
        assert_eq!(parameter(cuda, "p"), None);
        let doxygen = "@param[in,out] n  The size.\n@param[out] x  The place.";
        assert!(parameter(doxygen, "n").unwrap().is_in_out());
        assert!(parameter(doxygen, "x").unwrap().is_output());
        let nvml = "@param count   Reference in which to return the number";
        assert!(parameter(nvml, "count").unwrap().is_output());
        let glib = "@error: (out) a place\n@self: the object";
        assert!(parameter(glib, "error").unwrap().is_output());
        assert!(!parameter(glib, "self").unwrap().is_output());
        assert!(parameter("[out] x the place", "x").unwrap().is_output());
        assert_eq!(parameter("x marks the spot", "x"), None);
        assert_eq!(parameter("(", "x"), None);
        assert_eq!(parameter("@param", "x"), None);
    }
}
