//! Names as words, and names that are near to each other.

/// The words of a name in lower case: `cudaMemcpy2DAsync` is `cuda memcpy2 d async`, `sqlite3_open_v2` is `sqlite3 open
/// v2`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        if letter.is_uppercase() && !word.is_empty() {
            let before = letters[at - 1];
            let ends_capitals = before.is_uppercase()
                && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
            if !before.is_uppercase() || ends_capitals {
                words.push(std::mem::take(&mut word));
            }
        }
        word.extend(letter.to_lowercase());
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// A name in camel case, as SWIG makes it: a letter behind `_` is a capital, and capitals stay.
pub fn camel(name: &str, first_upper: bool) -> String {
    let mut text = String::new();
    let parts = name.split('_').filter(|part| !part.is_empty());
    for (at, part) in parts.enumerate() {
        let mut letters = part.chars();
        match letters.next() {
            Some(first) if first_upper || at > 0 => text.extend(first.to_uppercase()),
            Some(first) => text.extend(first.to_lowercase()),
            None => {}
        }
        text.push_str(letters.as_str());
    }
    text
}

/// A name in lower case with `_` before its words, as SWIG makes it: `getURL` is `get_url`, `get2D` is `get_2d`.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let begins = match before {
            Some(before) if letter.is_uppercase() => before.is_lowercase(),
            Some(before) => {
                letter.is_ascii_digit() && before.is_alphabetic() && at + 1 < letters.len()
            }
            None => false,
        };
        if begins {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// The candidate that a misspelt name most likely means.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are not worth the time: they are not written by hand.
    if name.len() > 100 {
        return None;
    }
    // Of a name of one or two letters nothing is left when one is wrong.
    let limit = if name.len() < 3 {
        0
    } else {
        1 + name.len() / 4
    };
    let near = candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean 'x'?`, or nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(!x.eq_ignore_ascii_case(y)))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Words that cannot be names in Python.
pub const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// A name as Python takes it: words that cannot be names get a `_` behind them.
pub fn not_keyword(name: &str) -> std::borrow::Cow<'_, str> {
    match KEYWORDS.contains(&name) {
        true => format!("{name}_").into(),
        false => name.into(),
    }
}

/// True if a text can be a name in Python (of ASCII letters).
pub fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_as_people_read_them() {
        let split = |name| words(name).join(" ");
        assert_eq!(split("cudaMemcpy2DAsync"), "cuda memcpy2 d async");
        assert_eq!(split("sqlite3_open_v2"), "sqlite3 open v2");
        assert_eq!(split("EVP_MD_CTX_new"), "evp md ctx new");
        assert_eq!(split("HTTPServer"), "http server");
        assert_eq!(split("pCountOut"), "p count out");
        assert_eq!(split("__x__"), "x");
        assert_eq!(split(""), "");
        assert_eq!(camel("foo_bar_baz", false), "fooBarBaz");
        let cases = [
            ("RED_ONE", "REDONE", "rEDONE", "red_one"),
            ("HTTPServer", "HTTPServer", "hTTPServer", "httpserver"),
            ("a1_b2", "A1B2", "a1B2", "a_1_b2"),
            ("_x__y_", "XY", "xY", "_x__y_"),
            ("getURL", "GetURL", "getURL", "get_url"),
            ("foo2Bar", "Foo2Bar", "foo2Bar", "foo_2bar"),
        ];
        for (name, upper, lower, under) in cases {
            assert_eq!(
                (camel(name, true), camel(name, false), snake(name)),
                (upper.to_owned(), lower.to_owned(), under.to_owned())
            );
        }
    }

    #[test]
    fn misspelt_names_are_recognised() {
        assert_eq!(
            nearest("foo_opne", ["foo_close", "foo_open"]),
            Some("foo_open")
        );
        assert_eq!(nearest("nulable", ["nullable", "name"]), Some("nullable"));
        assert_eq!(nearest("x", ["completely"]), None);
    }
}
