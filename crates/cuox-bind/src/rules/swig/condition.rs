//! Conditional compilation: `#if` and its like between the directives of an interface file.

use std::collections::HashMap;

use super::super::{RuleError, RulePlace};
use super::scan::{Scanner, without_comments};

type Result<T> = std::result::Result<T, RuleError>;

/// The deepest brackets of an expression.
const DEPTH: u32 = 32;

/// Conditions that are open.
#[derive(Default)]
pub(super) struct Conditions {
    open: Vec<Open>,
}

struct Open {
    at: RulePlace,
    /// True if one of the branches was read.
    taken: bool,
}

/// A line of the preprocessor: its first word and the rest.
pub(super) struct Line {
    pub(super) word: String,
    pub(super) rest: String,
    pub(super) at: RulePlace,
}

impl Conditions {
    /// Takes a line that begins, changes or ends a condition, and all that is not to be read behind it.
    pub(super) fn read(
        &mut self,
        line: Line,
        scanner: &mut Scanner<'_>,
        macros: &HashMap<String, String>,
    ) -> Result<()> {
        let mut line = line;
        let mut skipping = false;
        loop {
            match line.word.as_str() {
                "if" | "ifdef" | "ifndef" if !skipping => {
                    let taken = holds(&line, macros)?;
                    self.open.push(Open {
                        at: line.at.clone(),
                        taken,
                    });
                    if taken {
                        return Ok(());
                    }
                }
                "if" | "ifdef" | "ifndef" => {
                    // A condition inside what is not read.
                    let mut depth = 1;
                    while depth > 0 {
                        let Some(inner) = scanner.next_line() else {
                            return Err(RuleError::new(
                                &line.at,
                                "this condition is not closed by #endif",
                            ));
                        };
                        match inner.word.as_str() {
                            "if" | "ifdef" | "ifndef" => depth += 1,
                            "endif" => depth -= 1,
                            _ => {}
                        }
                    }
                }
                word @ ("elif" | "else" | "endif") => {
                    let Some(open) = self.open.last_mut() else {
                        return Err(RuleError::new(&line.at, format!("#{word} without #if")));
                    };
                    match word {
                        "endif" => {
                            self.open.pop();
                            return Ok(());
                        }
                        "else" if skipping && !open.taken => {
                            open.taken = true;
                            return Ok(());
                        }
                        "elif" if skipping && !open.taken && holds(&line, macros)? => {
                            open.taken = true;
                            return Ok(());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
            skipping = true;
            line = match scanner.next_line() {
                Some(line) => line,
                None => return self.finish(),
            };
        }
    }

    /// Says that a condition is open at the end of a file.
    pub(super) fn finish(&self) -> Result<()> {
        match self.open.last() {
            Some(open) => Err(RuleError::new(
                &open.at,
                "this condition is not closed by #endif",
            )),
            None => Ok(()),
        }
    }
}

fn holds(line: &Line, macros: &HashMap<String, String>) -> Result<bool> {
    let text = without_comments(&line.rest);
    let text = text.trim();
    let error = |message: String| RuleError::new(&line.at, message);
    match line.word.as_str() {
        word @ ("ifdef" | "ifndef") => {
            let name = text.split_whitespace().next().unwrap_or("");
            if name.is_empty() {
                return Err(error(format!("#{word} is followed by a macro's name")));
            }
            Ok(macros.contains_key(name) == (word == "ifdef"))
        }
        word => {
            let mut reader = Expression {
                rest: text,
                macros,
                depth: 0,
            };
            let value = reader.or();
            reader.space();
            match value {
                Some(value) if reader.rest.is_empty() => Ok(value != 0),
                _ => Err(error(format!(
                    "#{word} {text}: expected an expression of numbers, macros and defined(NAME)"
                ))),
            }
        }
    }
}

/// An expression of the preprocessor. `None` for one that cannot be read.
struct Expression<'a> {
    rest: &'a str,
    macros: &'a HashMap<String, String>,
    depth: u32,
}

impl Expression<'_> {
    /// A line that goes on has a backslash at its end.
    fn space(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\\');
    }

    /// A text, with its quotation marks.
    fn text(&mut self) -> Option<&str> {
        self.space();
        let inside = self.rest.strip_prefix('"')?;
        let end = inside.find('"')?;
        let (text, rest) = self.rest.split_at(end + 2);
        self.rest = rest;
        Some(text)
    }

    fn take(&mut self, text: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Option<i64> {
        let mut value = self.and()?;
        while self.take("||") {
            let right = self.and()?;
            value = i64::from(value != 0 || right != 0);
        }
        Some(value)
    }

    fn and(&mut self) -> Option<i64> {
        let mut value = self.compare()?;
        while self.take("&&") {
            let right = self.compare()?;
            value = i64::from(value != 0 && right != 0);
        }
        Some(value)
    }

    fn compare(&mut self) -> Option<i64> {
        if let Some(left) = self.text().map(str::to_owned) {
            let equal = self.take("==");
            if !equal && !self.take("!=") {
                return None;
            }
            return Some(i64::from((self.text()? == left) == equal));
        }
        let mut value = self.sum()?;
        loop {
            let made = if self.take("==") {
                value == self.sum()?
            } else if self.take("!=") {
                value != self.sum()?
            } else if self.take("<=") {
                value <= self.sum()?
            } else if self.take(">=") {
                value >= self.sum()?
            } else if self.take("<") {
                value < self.sum()?
            } else if self.take(">") {
                value > self.sum()?
            } else {
                return Some(value);
            };
            value = i64::from(made);
        }
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.one()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.one()?)?;
            } else if self.take("/") {
                value = value.checked_div(self.one()?)?;
            } else if self.take("%") {
                value = value.checked_rem(self.one()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn one(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = self.operand();
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        self.space();
        if !self.rest.starts_with("!=") && self.take("!") {
            return Some(i64::from(self.one()? == 0));
        }
        if self.take("-") {
            return self.one()?.checked_neg();
        }
        if self.take("(") {
            let value = self.or()?;
            return self.take(")").then_some(value);
        }
        let end = self
            .rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word == "defined" {
            let bracket = self.take("(");
            self.space();
            let end = self
                .rest
                .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                .unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            if name.is_empty() || (bracket && !self.take(")")) {
                return None;
            }
            return Some(i64::from(self.macros.contains_key(name)));
        }
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            return number(word);
        }
        if word.is_empty() {
            return None;
        }
        // A name that stands for nothing is 0, as in C.
        let Some(text) = self.macros.get(word) else {
            return Some(0);
        };
        let mut inner = Expression {
            rest: text,
            macros: self.macros,
            depth: self.depth + 1,
        };
        if inner.depth > DEPTH {
            return None;
        }
        let value = inner.or()?;
        inner.space();
        inner.rest.is_empty().then_some(value)
    }
}

fn number(word: &str) -> Option<i64> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_those_of_c() {
        let macros: HashMap<String, String> = [
            ("SWIG", "1"),
            ("V", "0x20"),
            ("W", "V"),
            ("L", "L"),
            ("E", ""),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
        let value = |text: &str| {
            holds(
                &Line {
                    word: "if".into(),
                    rest: text.into(),
                    at: RulePlace::whole("x"),
                },
                &macros,
            )
            .ok()
        };
        for (text, expected) in [
            ("1", Some(true)),
            ("0", Some(false)),
            ("defined(SWIG) && !defined X", Some(true)),
            ("defined ( X ) || V >= 32", Some(true)),
            ("W == 040", Some(true)),
            ("(1 + 2) * 3 - 9", Some(false)),
            ("UNKNOWN", Some(false)),
            ("1 /* and */ // more", Some(true)),
            ("-1 < 0", Some(true)),
            ("1 / 0", None),
            ("L", None),
            ("E", None),
            ("(", None),
            ("defined", None),
            ("", None),
            ("f(x)", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert_eq!(value(&"(".repeat(100_000)), None);
        assert_eq!(value(&"!".repeat(100_000)), None);
    }
}
