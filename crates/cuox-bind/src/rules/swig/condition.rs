//! Conditional compilation: `#if` and its like between the directives of an interface file.

use super::super::{RuleError, RulePlace};
use super::macros::Macros;
use super::scan::{Scanner, without_comments};
use super::tokens::{Kind, Token, text_of, tokens};

type Result<T> = std::result::Result<T, RuleError>;

/// The deepest brackets of an expression.
const DEPTH: u32 = 32;

/// Conditions that are open.
#[derive(Default)]
pub(super) struct Conditions {
    open: Vec<Open>,
    /// True if an expression that cannot be read is 0: the compiler reads it, too.
    lenient: bool,
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
    pub(super) fn new(lenient: bool) -> Self {
        Self {
            open: Vec::new(),
            lenient,
        }
    }

    fn holds(&self, line: &Line, macros: &mut Macros) -> Result<bool> {
        match holds(line, macros) {
            Err(_) if self.lenient => Ok(false),
            result => result,
        }
    }

    /// Takes a line that begins, changes or ends a condition, and all that is not to be read behind it.
    pub(super) fn read(
        &mut self,
        line: Line,
        scanner: &mut Scanner<'_>,
        macros: &mut Macros,
    ) -> Result<()> {
        let mut line = line;
        let mut skipping = false;
        loop {
            match line.word.as_str() {
                "if" | "ifdef" | "ifndef" if !skipping => {
                    let taken = self.holds(&line, macros)?;
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
                    let asked = word == "elif" && skipping;
                    let asked = asked && self.open.last().is_some_and(|open| !open.taken);
                    let holds = asked && self.holds(&line, macros)?;
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
                        "elif" if holds => {
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

fn holds(line: &Line, macros: &mut Macros) -> Result<bool> {
    let text = without_comments(&line.rest);
    let text = text.trim();
    let error = |message: String| RuleError::new(&line.at, message);
    match line.word.as_str() {
        word @ ("ifdef" | "ifndef") => {
            let name = text.split_whitespace().next().unwrap_or("");
            if name.is_empty() {
                return Err(error(format!("#{word} is followed by a macro's name")));
            }
            Ok(macros.has(name) == (word == "ifdef"))
        }
        word => {
            let known = without_defined(text, macros);
            let whole = macros.expand(&known, &line.at)?.unwrap_or(known);
            let whole = without_defined(&whole, macros);
            let mut reader = Expression {
                rest: &whole,
                depth: 0,
            };
            let value = reader.choice();
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

    fn choice(&mut self) -> Option<i64> {
        let condition = self.or()?;
        if !self.take("?") {
            return Some(condition);
        }
        let yes = self.one_level(Self::choice)?;
        if !self.take(":") {
            return None;
        }
        let no = self.one_level(Self::choice)?;
        Some(if condition != 0 { yes } else { no })
    }

    /// Reads what is inside, if that is not too deep.
    fn one_level(&mut self, read: fn(&mut Self) -> Option<i64>) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Takes a sign that is not the beginning of a longer one.
    fn take_sign(&mut self, sign: &str, unlike: &[&str]) -> bool {
        self.space();
        !unlike.iter().any(|longer| self.rest.starts_with(longer)) && self.take(sign)
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
        let mut value = self.bits()?;
        while self.take("&&") {
            let right = self.bits()?;
            value = i64::from(value != 0 && right != 0);
        }
        Some(value)
    }

    fn bits(&mut self) -> Option<i64> {
        let mut value = self.bits_apart()?;
        while self.take_sign("|", &["||"]) {
            value |= self.bits_apart()?;
        }
        Some(value)
    }

    fn bits_apart(&mut self) -> Option<i64> {
        let mut value = self.bits_in_both()?;
        while self.take("^") {
            value ^= self.bits_in_both()?;
        }
        Some(value)
    }

    fn bits_in_both(&mut self) -> Option<i64> {
        let mut value = self.compare()?;
        while self.take_sign("&", &["&&"]) {
            value &= self.compare()?;
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
        let mut value = self.order()?;
        loop {
            if self.take("==") {
                value = i64::from(value == self.order()?);
            } else if self.take("!=") {
                value = i64::from(value != self.order()?);
            } else {
                return Some(value);
            }
        }
    }

    fn order(&mut self) -> Option<i64> {
        let mut value = self.shift()?;
        loop {
            let made = if self.take("<=") {
                value <= self.shift()?
            } else if self.take(">=") {
                value >= self.shift()?
            } else if self.take("<") {
                value < self.shift()?
            } else if self.take(">") {
                value > self.shift()?
            } else {
                return Some(value);
            };
            value = i64::from(made);
        }
    }

    fn shift(&mut self) -> Option<i64> {
        let mut value = self.sum()?;
        loop {
            let left = self.take("<<");
            if !left && !self.take(">>") {
                return Some(value);
            }
            let by = u32::try_from(self.sum()?).ok().filter(|by| *by < 64)?;
            value = if left { value << by } else { value >> by };
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
        self.one_level(Self::operand)
    }

    fn operand(&mut self) -> Option<i64> {
        self.space();
        if !self.rest.starts_with("!=") && self.take("!") {
            return Some(i64::from(self.one()? == 0));
        }
        if self.take("-") {
            return self.one()?.checked_neg();
        }
        if self.take("+") {
            return self.one();
        }
        if self.take("~") {
            return Some(!self.one()?);
        }
        if self.take("(") {
            let value = self.choice()?;
            return self.take(")").then_some(value);
        }
        let end = self
            .rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            return number(word);
        }
        if word.is_empty() || word == "defined" {
            return None;
        }
        // A name that stands for nothing is 0, as in C.
        Some(0)
    }
}

/// A condition in which `defined(NAME)` is 1 or 0.
fn without_defined(text: &str, macros: &Macros) -> String {
    let mut made = Vec::new();
    let mut rest = tokens(text).into_iter().peekable();
    while let Some(token) = rest.next() {
        if &*token.text != "defined" {
            made.push(token);
            continue;
        }
        let mut taken = vec![token];
        let mut bracket = false;
        while let Some(next) =
            rest.next_if(|it| it.kind == Kind::Space || (!bracket && &*it.text == "("))
        {
            bracket |= &*next.text == "(";
            taken.push(next);
        }
        let Some(name) = rest.next_if(|it| it.kind != Kind::Space && &*it.text != ")") else {
            made.extend(taken);
            continue;
        };
        while bracket && rest.next_if(|it| it.kind == Kind::Space).is_some() {}
        if bracket && rest.next_if(|it| &*it.text == ")").is_none() {
            made.extend(taken);
            continue;
        }
        made.push(Token::other(if macros.has(&name.text) { "1" } else { "0" }));
    }
    text_of(&made)
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
        let mut macros = Macros::default();
        for define in ["SWIG 1", "V 0x20", "W V", "E", "L(x) (x - 1)"] {
            macros.define_line(define);
        }
        let mut value = |text: &str| {
            holds(
                &Line {
                    word: "if".into(),
                    rest: text.into(),
                    at: RulePlace::whole("x"),
                },
                &mut macros,
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
            ("(6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 2) == 4", Some(true)),
            ("1 << 3 == 8 && 8 >> 3 == 1 && ~0 == -1", Some(true)),
            ("1 ? 0 : 1", Some(false)),
            ("1 & 1 || 0", Some(true)),
            ("1 << 64", None),
            ("1 / 0", None),
            ("L(2)", Some(true)),
            ("L(V) == 31", Some(true)),
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
