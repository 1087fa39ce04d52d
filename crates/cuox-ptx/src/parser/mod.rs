//! Tokens to tree. The parser reports several errors in one go: after each it goes on behind the next
//! `;` or at the next `}`. Nesting is limited, so that no input can exhaust the stack.

mod check;
mod expression;
mod function;
mod instruction;
mod module;
mod operand;
mod operand_type;
mod resolve;
mod scope;
mod symbols;
mod variable;

use crate::ast::{Module, Name};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::isa::lookup::hash;
use crate::lexer::{Kind, Lexer, Token};
use crate::source::Span;
use resolve::Resolved;
use scope::{Scope, Seen, seen};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use symbols::Signature;

/// Parses a module.
///
/// # Errors
/// Everything that was found wrong, rendered with its source lines.
pub fn parse(text: &str) -> Result<Module, Diagnostics> {
    if u32::try_from(text.len()).is_err() {
        let d =
            Diagnostic::unsupported("E-size", Span::default(), "the module is larger than 4 GiB");
        return Err(Diagnostics::from(vec![d]));
    }
    let mut parser = Parser::new(text);
    let module = parser.module();
    let mut found = std::mem::take(&mut parser.lexer.errors);
    found.append(&mut parser.found);
    if found.iter().all(|d| d.severity == Severity::Warning) {
        return Ok(module);
    }
    found.sort_by_key(|d| d.span.start);
    found.dedup_by(|b, a| a.span == b.span);
    Err(Diagnostics::new(found, text))
}

/// Something is wrong and has been reported; the caller goes on at a safe place.
#[derive(Debug)]
pub(super) struct Halt;

pub(super) type Parsed<T> = Result<T, Halt>;

/// After so many errors the rest of the text is not read.
const MAX_ERRORS: usize = 32;
/// Blocks, vectors, initialisers and parentheses nest no deeper.
const MAX_DEPTH: u32 = 100;

#[derive(Default)]
pub(super) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= hash(bytes) as u64;
    }
    fn write_u8(&mut self, _: u8) {
        // The end mark of a string: one word is hashed at a time, so it separates nothing.
    }
}

type WordMap<'a, T> = HashMap<&'a str, T, BuildHasherDefault<WordHasher>>;

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) lexer: Lexer<'a>,
    token: Token,
    /// End of the token before.
    last_end: u32,
    pub(super) found: Vec<Diagnostic>,
    /// The version of the PTX ISA that the text is of.
    version: (u32, u32),
    /// The target has no double precision: `map_f64_to_f32`.
    narrows_doubles: bool,
    names: WordMap<'a, Name>,
    words: WordMap<'a, usize>,
    resolved: Vec<Resolved>,
    scopes: Vec<Scope<'a>>,
    /// Scopes that were left.
    spare: Vec<Scope<'a>>,
    signatures: Vec<Signature>,
    seen: Vec<Seen>,
    /// Changes whenever names may mean something else than before.
    meaning: u32,
    depth: u32,
    /// A declaration could not be read, so that names may look undeclared.
    lost: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Self {
            text,
            lexer,
            token,
            last_end: 0,
            found: Vec::new(),
            version: (0, 0),
            narrows_doubles: false,
            names: WordMap::default(),
            words: WordMap::default(),
            resolved: Vec::new(),
            scopes: vec![Scope::default()],
            spare: Vec::new(),
            signatures: Vec::new(),
            seen: seen(text),
            meaning: 0,
            depth: 0,
            lost: false,
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The current token's text.
    fn word(&self) -> &'a str {
        self.slice(self.token.span)
    }

    fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.span.end;
        self.token = self.lexer.next();
        token
    }

    fn name(&mut self, text: &'a str) -> Name {
        self.names
            .entry(text)
            .or_insert_with(|| Name::new(text))
            .clone()
    }

    fn at(&self, punct: u8) -> bool {
        self.token.kind == Kind::Punct(punct)
    }

    fn eat(&mut self, punct: u8) -> bool {
        let found = self.at(punct);
        if found {
            self.advance();
        }
        found
    }

    /// True if the current token is this dotted word (given with its dot).
    fn at_dotted(&self, word: &str) -> bool {
        self.token.kind == Kind::Dotted && self.word() == word
    }

    fn eat_dotted(&mut self, word: &str) -> bool {
        let found = self.at_dotted(word);
        if found {
            self.advance();
        }
        found
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Halt {
        if self.found.len() < MAX_ERRORS {
            self.found.push(diagnostic);
            if self.found.len() == MAX_ERRORS {
                self.lexer.seek(self.text.len());
                self.token = self.lexer.next();
            }
        }
        Halt
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Halt {
        self.report(Diagnostic::error("E-syntax", span, message))
    }

    /// Reports that something else was expected at the current token.
    fn expected(&mut self, what: &str) -> Halt {
        let found = match self.token.kind {
            Kind::Eof => "the end of the text".to_string(),
            _ => {
                let word = self.word();
                let short: String = word.chars().take(40).collect();
                let dots = if short.len() < word.len() { "…" } else { "" };
                format!("`{short}{dots}`")
            }
        };
        self.error(self.token.span, format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, punct: u8) -> Parsed<Token> {
        if self.at(punct) {
            return Ok(self.advance());
        }
        Err(self.expected(&format!("`{}`", punct as char)))
    }

    /// The end of a statement. A missing one is best shown where it should have been.
    fn expect_semicolon(&mut self) -> Parsed<()> {
        if self.eat(b';') {
            return Ok(());
        }
        Err(self.expected("`;`"))
    }

    fn expect_ident(&mut self, what: &str) -> Parsed<(Name, Span)> {
        if self.token.kind != Kind::Ident {
            return Err(self.expected(what));
        }
        let span = self.token.span;
        let text = self.word();
        self.advance();
        Ok((self.name(text), span))
    }

    /// An unsigned integer that fits in 32 bits.
    fn expect_u32(&mut self, what: &str) -> Parsed<u32> {
        match self.token.kind {
            Kind::Int { value, .. } => match u32::try_from(value) {
                Ok(v) => {
                    self.advance();
                    Ok(v)
                }
                Err(_) => {
                    let span = self.token.span;
                    Err(self.error(
                        span,
                        format!("{what} `{}` does not fit in 32 bits", self.slice(span)),
                    ))
                }
            },
            _ => Err(self.expected(what)),
        }
    }

    /// A string's text between the quotes.
    fn expect_string(&mut self, what: &str) -> Parsed<String> {
        if self.token.kind != Kind::Str {
            return Err(self.expected(what));
        }
        let word = self.word();
        self.advance();
        Ok(word[1..word.len() - 1].to_string())
    }

    /// Runs a parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.token.span;
            return Err(self.report(Diagnostic::unsupported(
                "E-depth",
                span,
                format!("nesting deeper than {MAX_DEPTH} levels is not supported"),
            )));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// After an error: goes behind the next `;`, or to the next `}`, or past a whole `{…}` that has no
    /// `;` in front.
    fn recover(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.token.kind {
                Kind::Eof => return,
                Kind::Punct(b';') if depth == 0 => {
                    self.advance();
                    return;
                }
                Kind::Punct(b'{') => depth += 1,
                Kind::Punct(b'}') if depth == 0 => return,
                Kind::Punct(b'}') => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }
}
