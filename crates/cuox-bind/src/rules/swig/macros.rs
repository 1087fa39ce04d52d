//! Macros of an interface file: those of `%define`, which may be directives, and those of `#define`.

use std::collections::{HashMap, HashSet};

use super::super::{RuleError, RulePlace};
use super::scan::{Scanner, code_block, split, without_comments};
use super::tokens::{Kind, Token, is_name, text_of, tokens};

type Result<T> = std::result::Result<T, RuleError>;

/// The longest text that the macros of a file may become, all together.
const MOST: usize = 4 << 20;

/// The deepest arguments of macros in arguments of macros.
const DEPTH: u32 = 64;

/// A macro.
#[derive(Clone, Debug, PartialEq)]
struct Macro {
    /// Its parameters; `None` if it is used without brackets.
    parameters: Option<Vec<String>>,
    /// The name of the last parameter, if that stands for all further arguments.
    rest: Option<String>,
    body: Vec<Token>,
    /// True for `%define`.
    block: bool,
}

/// The macros that are known at a place of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Macros {
    known: HashMap<String, Macro>,
    /// The length of all texts that they have become.
    expanded: usize,
}

impl Macros {
    /// True if there is a macro of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// True if `%define` made the macro.
    pub(super) fn is_block(&self, name: &str) -> bool {
        self.known.get(name).is_some_and(|it| it.block)
    }

    /// The text of a macro without parameters.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let known = self.known.get(name)?;
        (known.parameters.is_none() && !known.block).then(|| text_of(&known.body).trim().to_owned())
    }

    /// Defines a macro without parameters.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        let made = Macro {
            parameters: None,
            rest: None,
            body: tokens(text),
            block: false,
        };
        self.known.insert(name.to_owned(), made);
    }

    /// Reads what follows `#define`; the name is returned if the macro has no parameters.
    pub(super) fn define_line(&mut self, text: &str) -> Option<String> {
        let text = without_comments(&text.replace("\\\r\n", "").replace("\\\n", ""));
        let mut scanner = Scanner::new(&text, "");
        scanner.space();
        let name = scanner.name().filter(|name| is_name(name))?.to_owned();
        if !scanner.peek_is(b'(') {
            let body = scanner.take_to_line_end().trim().to_owned();
            self.set(&name, &body);
            return Some(name);
        }
        let (parameters, rest) = parameters(scanner.bracket().ok()??).ok()?;
        let made = Macro {
            parameters: Some(parameters),
            rest,
            body: tokens(scanner.take_to_line_end().trim()),
            block: false,
        };
        self.known.insert(name, made);
        None
    }

    /// Forgets a macro.
    pub(super) fn undefine(&mut self, name: &str) {
        self.known.remove(name);
    }

    /// Reads what follows `%define`, to `%enddef`.
    pub(super) fn define_block(&mut self, scanner: &mut Scanner<'_>, at: &RulePlace) -> Result<()> {
        let error = |message: &str| RuleError::new(at, message);
        scanner.blanks();
        // `%define %name` is used as `%name`.
        scanner.take("%");
        let name = scanner
            .name()
            .filter(|name| is_name(name))
            .ok_or_else(|| error("%define is followed by a macro's name"))?
            .to_owned();
        let (names, rest) = match scanner.bracket()? {
            Some(inside) => {
                let (names, rest) = parameters(inside).map_err(|bad| {
                    error(&format!(
                        "%define {name}: '{bad}' is not a parameter's name"
                    ))
                })?;
                (Some(names), rest)
            }
            None => (None, None),
        };
        let Some(body) = scanner.until("%enddef") else {
            return Err(error("this %define is not closed by %enddef"));
        };
        let made = Macro {
            parameters: names,
            rest,
            body: tokens(body),
            block: true,
        };
        self.known.insert(name, made);
        Ok(())
    }

    /// The text that the use of a macro stands for; its arguments are taken.
    pub(super) fn expand_use(
        &mut self,
        name: &str,
        scanner: &mut Scanner<'_>,
        at: &RulePlace,
    ) -> Result<String> {
        let mut text = name.to_owned();
        if let Some(parameters) = self.known.get(name).and_then(|it| it.parameters.as_ref()) {
            let count = parameters.len();
            scanner.blanks();
            let Some(inside) = scanner.bracket()? else {
                return Err(RuleError::new(
                    at,
                    format!("{name} takes {count} arguments in brackets"),
                ));
            };
            let given = arguments(&tokens(inside), count).len();
            if given != count && self.known[name].rest.is_none() {
                return Err(RuleError::new(
                    at,
                    format!("{name} takes {count} arguments, got {given}"),
                ));
            }
            text = format!("{name}({inside})");
        }
        Ok(self.expand(&text, at)?.unwrap_or_default())
    }

    /// The code of a directive; the macros in `{ … }` are replaced, as in SWIG.
    pub(super) fn block(
        &mut self,
        scanner: &mut Scanner<'_>,
        name: &str,
        at: &RulePlace,
    ) -> Result<String> {
        scanner.space();
        let as_it_is = scanner.starts_with("%{");
        let code = code_block(scanner, name, at)?;
        match as_it_is {
            true => Ok(code),
            false => Ok(self.expand(&code, at)?.unwrap_or(code)),
        }
    }

    /// A text with its macros replaced; `None` if there are none in it. Code in `%{ %}` and lines that begin with `#`
    /// stay.
    pub(super) fn expand(&mut self, text: &str, at: &RulePlace) -> Result<Option<String>> {
        let tokens = tokens(text);
        let used = |token: &Token| {
            token.kind == Kind::Word
                && (self.known.contains_key(&*token.text) || is_place(&token.text))
        };
        if !tokens.iter().any(used) {
            return Ok(None);
        }
        let mut run = Run {
            macros: &self.known,
            left: MOST.saturating_sub(self.expanded),
            at,
        };
        let made = run
            .expand(tokens, &HashSet::new(), 0)
            .ok_or_else(|| RuleError::new(at, "the macros of this file become too long a text"))?;
        let made = text_of(&made);
        // `%#` is `#` in what a macro becomes.
        let made = made.replace("%#", "#");
        if made == text {
            return Ok(None);
        }
        self.expanded += made.len() + 1;
        Ok(Some(made))
    }
}

/// Names that stand for the place where they are used.
fn is_place(name: &str) -> bool {
    ["__LINE__", "__FILE__"].contains(&name)
}

/// A list of parameters, and the one that stands for all further arguments; or what is not a parameter.
fn parameters(inside: &str) -> std::result::Result<(Vec<String>, Option<String>), String> {
    let (mut names, mut rest) = (Vec::new(), None);
    for part in split(inside) {
        let (name, many) = match part.strip_suffix("...") {
            Some("") => ("__VA_ARGS__", true),
            Some(name) => (name.trim(), true),
            None => (part, false),
        };
        if !is_name(name) || rest.is_some() {
            return Err(part.to_owned());
        }
        names.push(name.to_owned());
        rest = many.then(|| name.to_owned());
    }
    Ok((names, rest))
}

/// The arguments between brackets, of a macro that takes so many.
fn arguments(inside: &[Token], count: usize) -> Vec<Vec<Token>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0;
    for token in inside {
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(match token.kind {
                Kind::Comment => Token::space(),
                _ => token.clone(),
            });
        }
    }
    for part in &mut parts {
        let ends = |token: &Token| token.kind != Kind::Space;
        let start = part.iter().position(ends).unwrap_or(part.len());
        part.drain(..start);
        let end = part.iter().rposition(ends).map_or(0, |at| at + 1);
        part.truncate(end);
    }
    if count == 0 && parts.len() == 1 && parts[0].is_empty() {
        parts.clear();
    }
    parts
}

/// The arguments by the names of the parameters: as they are, and with their macros replaced.
type Values<'m> = HashMap<&'m str, (Vec<Token>, Vec<Token>)>;

/// One text whose macros are replaced.
struct Run<'a> {
    macros: &'a HashMap<String, Macro>,
    /// The number of bytes that it may still become.
    left: usize,
    at: &'a RulePlace,
}

impl Run<'_> {
    /// `None` if there is too much of it.
    fn expand(
        &mut self,
        input: Vec<Token>,
        outside: &HashSet<String>,
        depth: u32,
    ) -> Option<Vec<Token>> {
        // The last is the next. An end says that the tokens before it were a macro's.
        let mut next = input;
        next.reverse();
        let mut inside: Vec<String> = Vec::new();
        let mut made: Vec<Token> = Vec::new();
        let mut line = self.at.line;
        let mut starts_line = true;
        while let Some(mut token) = next.pop() {
            if token.kind == Kind::End {
                inside.pop();
                continue;
            }
            self.left = self.left.checked_sub(token.text.len() + 1)?;
            if inside.is_empty() {
                line = line.saturating_add(lines_of(std::slice::from_ref(&token)));
            }
            let first = starts_line;
            starts_line = match token.kind {
                Kind::Space => first || token.text.contains('\n'),
                _ => false,
            };
            if first && &*token.text == "#" {
                made.push(token);
                let mut joined = false;
                while let Some(more) = next.pop_if(|it| joined || !it.text.contains('\n')) {
                    joined = &*more.text == "\\";
                    match more.kind {
                        Kind::End => drop(inside.pop()),
                        _ => made.push(more),
                    }
                }
                continue;
            }
            if &*token.text == "%" && next.last().is_some_and(|it| &*it.text == "{") {
                // Code is the compiler's.
                made.push(token);
                let mut closes = false;
                while let Some(more) = next.pop() {
                    let percent = &*more.text == "%";
                    let ends = closes && &*more.text == "}";
                    match more.kind {
                        Kind::End => drop(inside.pop()),
                        _ => made.push(more),
                    }
                    if ends {
                        break;
                    }
                    closes = percent;
                }
                continue;
            }
            if &*token.text == "%"
                && let Some(word) = next.last().filter(|it| it.kind == Kind::Word)
                && self.macros.get(&*word.text).is_some_and(|it| it.block)
            {
                // `%name` is `name`, once it is a macro.
                continue;
            }
            if token.kind != Kind::Word || token.painted {
                made.push(token);
                continue;
            }
            let place = match &*token.text {
                "__LINE__" => Some(Token::other(&line.to_string())),
                "__FILE__" => {
                    let file = self.at.file.replace('\\', "\\\\").replace('"', "\\\"");
                    Some(Token::quoted(&format!("\"{file}\"")))
                }
                _ => None,
            };
            if let Some(place) = place {
                made.push(place);
                continue;
            }
            let name = token.text.to_string();
            let Some(known) = self.macros.get(&name) else {
                made.push(token);
                continue;
            };
            if inside.contains(&name) || outside.contains(&name) {
                token.painted = true;
                made.push(token);
                continue;
            }
            let values = match &known.parameters {
                None => Some(HashMap::new()),
                Some(parameters) => {
                    let outermost = inside.is_empty();
                    let taken = take_arguments(&mut next, &mut inside, &mut self.left)?;
                    if outermost {
                        line = line.saturating_add(taken.as_deref().map_or(0, lines_of));
                    }
                    match taken.map(|taken| (arguments(&taken, parameters.len()), taken)) {
                        Some((given, taken)) => {
                            let hidden: HashSet<String> =
                                inside.iter().chain(outside).cloned().collect();
                            let values = self.values(known, parameters, given, &hidden, depth)?;
                            if values.is_none() {
                                // Not a use of it.
                                made.push(token.clone());
                                made.push(Token::other("("));
                                next.push(Token::other(")"));
                                next.extend(taken.into_iter().rev());
                                continue;
                            }
                            values
                        }
                        None => None,
                    }
                }
            };
            let Some(values) = values else {
                made.push(token);
                continue;
            };
            let body = self.body(known, &values)?;
            next.push(Token::end());
            inside.push(name);
            next.extend(body.into_iter().rev());
        }
        Some(made)
    }

    /// The arguments of a use; `None` inside if they do not fit.
    fn values<'m>(
        &mut self,
        known: &Macro,
        parameters: &'m [String],
        mut given: Vec<Vec<Token>>,
        hidden: &HashSet<String>,
        depth: u32,
    ) -> Option<Option<Values<'m>>> {
        if known.rest.is_some() {
            let fixed = parameters.len() - 1;
            if given.len() < fixed {
                return Some(None);
            }
            let mut more = Vec::new();
            for (index, part) in given.drain(fixed..).enumerate() {
                if index > 0 {
                    more.extend([Token::other(","), Token::space()]);
                }
                more.extend(part);
            }
            given.push(more);
        }
        if given.len() != parameters.len() {
            return Some(None);
        }
        let mut values = HashMap::new();
        for (parameter, raw) in parameters.iter().zip(given) {
            let whole = match depth < DEPTH {
                true => self.expand(raw.clone(), hidden, depth + 1)?,
                false => raw.clone(),
            };
            values.insert(parameter.as_str(), (raw, whole));
        }
        Some(Some(values))
    }

    /// A body with arguments for parameters: `#x` is the argument's text in quotation marks, `` `x` `` and `##` join
    /// names.
    fn body(&mut self, known: &Macro, values: &Values<'_>) -> Option<Vec<Token>> {
        let body = &known.body;
        let mut made: Vec<Token> = Vec::with_capacity(body.len());
        let mut joins = false;
        let mut at = 0;
        let joined_next = |from: usize| {
            let behind = body[from..].iter().find(|it| it.kind != Kind::Space);
            behind.is_some_and(|it| &*it.text == "##")
        };
        while let Some(token) = body.get(at) {
            at += 1;
            self.left = self.left.checked_sub(token.text.len() + 1)?;
            if &*token.text == "##" {
                while made.pop_if(|it| it.kind == Kind::Space).is_some() {}
                joins = true;
                continue;
            }
            if joins && token.kind == Kind::Space {
                continue;
            }
            let value = |token: &Token| values.get(&*token.text);
            let mut adds: Vec<Token> = if &*token.text == "#"
                && let Some(value) = body.get(at).and_then(value)
            {
                at += 1;
                vec![Token::quoted(&in_quotes(&value.0))]
            } else if &*token.text == "`"
                && let Some(value) = body.get(at).and_then(value)
                && body.get(at + 1).is_some_and(|it| &*it.text == "`")
            {
                at += 2;
                value.0.clone()
            } else if let Some((raw, whole)) = value(token) {
                let rest = known.rest.as_deref() == Some(&token.text);
                if joins && rest && made.last().is_some_and(|it| &*it.text == ",") {
                    // `, ##__VA_ARGS__`: no comma without arguments.
                    joins = false;
                    if raw.is_empty() {
                        made.pop();
                    }
                    whole.clone()
                } else if joins || joined_next(at) {
                    raw.clone()
                } else {
                    whole.clone()
                }
            } else if &*token.text == "__VA_OPT__"
                && let Some(rest) = known.rest.as_deref().and_then(|rest| values.get(rest))
                && let Some(end) = closing(&body[at..])
            {
                let inner = Macro {
                    body: body[at + 1..at + end].to_vec(),
                    ..known.clone()
                };
                at += end + 1;
                match rest.1.is_empty() {
                    true => Vec::new(),
                    false => self.body(&inner, values)?,
                }
            } else {
                vec![token.clone()]
            };
            for token in &adds {
                self.left = self.left.checked_sub(token.text.len() + 1)?;
            }
            if joins && !adds.is_empty() {
                joins = false;
                if let Some(last) = made.pop() {
                    let word = format!("{}{}", last.text, adds[0].text);
                    adds.splice(0..1, tokens(&word));
                }
            }
            made.extend(adds);
        }
        Some(made)
    }
}

/// The place of the bracket that closes the one that a list begins with.
fn closing(body: &[Token]) -> Option<usize> {
    if body.first().is_none_or(|it| &*it.text != "(") {
        return None;
    }
    let mut depth = 0;
    body.iter().position(|token| {
        match &*token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The number of line ends.
fn lines_of(tokens: &[Token]) -> u32 {
    let breaks = |token: &Token| token.text.bytes().filter(|byte| *byte == b'\n').count();
    u32::try_from(tokens.iter().map(breaks).sum::<usize>()).unwrap_or(u32::MAX)
}

/// Takes the tokens between the brackets that come next. `None` inside if none do: nothing is taken then.
fn take_arguments(
    next: &mut Vec<Token>,
    inside: &mut Vec<String>,
    left: &mut usize,
) -> Option<Option<Vec<Token>>> {
    let passed = |token: &Token| matches!(token.kind, Kind::Space | Kind::Comment | Kind::End);
    let Some(open) = next.iter().rposition(|token| !passed(token)) else {
        return Some(None);
    };
    if &*next[open].text != "(" {
        return Some(None);
    }
    let mut depth = 0;
    let close = (0..=open).rev().find(|at| {
        match &*next[*at].text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    // Brackets that are not closed are looked at again and again.
    *left = left.checked_sub(next.len() - close.unwrap_or(0))?;
    let Some(close) = close else {
        return Some(None);
    };
    let mut taken = Vec::new();
    for token in next.drain(close..).rev() {
        match token.kind {
            Kind::End => drop(inside.pop()),
            _ => taken.push(token),
        }
    }
    let first = taken.iter().position(|it| &*it.text == "(");
    taken.drain(..first.map_or(0, |first| first + 1));
    taken.pop();
    Some(Some(taken))
}

/// Tokens as a text in quotation marks.
fn in_quotes(tokens: &[Token]) -> String {
    let mut made = String::from("\"");
    for token in tokens {
        match token.kind {
            Kind::Space => made.push(' '),
            _ => made.push_str(&token.text.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
    made.push('"');
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(defines: &[&str], text: &str) -> String {
        let mut macros = Macros::default();
        for define in defines {
            macros.define_line(define);
        }
        let at = RulePlace {
            line: 7,
            ..RulePlace::whole("x.i")
        };
        let made = macros.expand(text, &at).unwrap();
        made.unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn macros_are_those_of_c() {
        for (defines, text, expected) in [
            (
                &["N 3"][..],
                "int x[N]; N2 \"N\" 'N' /* N */",
                "int x[3]; N2 \"N\" 'N' /* N */",
            ),
            (
                &["F(a, b) a + b"],
                "F(1, (2, 3)) F (4,5) F",
                "1 + (2, 3) 4 + 5 F",
            ),
            (
                &["S(x) #x", "X 1"],
                "S(X) S(\"a\\n\")",
                "\"X\" \"\\\"a\\\\n\\\"\"",
            ),
            (&["cat(x,y) x ## y"], "cat(cat(1,2),;)", "cat(1,2);"),
            (
                &["cat(x,y) x ## y", "xcat(x,y) cat(x,y)"],
                "xcat(xcat(1,2),3)",
                "123",
            ),
            (&["ONE(X) TWO", "TWO(X) X"], "ONE(1)(2)", "2"),
            (
                &["x (4 + y)", "y (2 * x)"],
                "x y",
                "(4 + (2 * x)) (2 * (4 + y))",
            ),
            (
                &["add(a, b) (a + b)", "op(x) x(1, 5)"],
                "op(add)",
                "(1 + 5)",
            ),
            (
                &["D(...) int a, ##__VA_ARGS__;"],
                "D() D(b) D(b, c)",
                "int a; int a,b; int a,b, c;",
            ),
            (&["D(n...) int a, ##n;"], "D()", "int a;"),
            (
                &["V(N,...) v##N __VA_OPT__(=)__VA_ARGS__;"],
                "V(1) V(2,) V(3,4)",
                "v1 ; v2 ; v3 =4;",
            ),
            (&["E(x) [x]", "Z() 0"], "E() Z() E(/* , */ a)", "[] 0 [a]"),
            (&["F(a) a"], "F(1, 2) F(", "F(1, 2) F("),
            (&["L __LINE__"], "L\nL __FILE__", "7\n8 \"x.i\""),
            (&["N 1"], "#if N\nN\n%{ N %}", "#if N\n1\n%{ N %}"),
            (&["N 1"], "#if N\\\n N\nN", "#if N\\\n N\n1"),
            (&["A\\\nB\\\n 4 \\\n"], "AB", "4"),
            (&["Q\"t\""], "Q", "\"t\""),
        ] {
            assert_eq!(expanded(defines, text), expected, "{defines:?} {text}");
        }
    }

    #[test]
    fn what_grows_without_end_is_an_error() {
        let mut macros = Macros::default();
        macros.define_line("M0 xxxxxxxxxxxxxxxxxxxxxxxxx");
        for n in 1..40 {
            macros.define_line(&format!("M{n} M{before} M{before}", before = n - 1));
        }
        let error = macros.expand("M39", &RulePlace::whole("x.i")).unwrap_err();
        assert!(error.message.contains("too long"), "{error}");
        macros.define_line("F(x) x x");
        let deep = format!("{}1{}", "F(".repeat(50_000), ")".repeat(50_000));
        let _ = macros.expand(&deep, &RulePlace::whole("x.i"));
    }
}
