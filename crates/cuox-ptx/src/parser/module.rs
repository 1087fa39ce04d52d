//! Module scope: the head, the `.file` table, debug sections, variables and functions.

use super::resolve::nearest;
use super::variable::declared_space;
use super::{Halt, Parsed, Parser};
use crate::ast::{File, Item, Linkage, Module, Section, Target};
use crate::diagnostic::Diagnostic;
use crate::isa::target::{OPTIONS, exists, since};
use crate::lexer::Kind;
use crate::source::Span;

const DIRECTIVES: [&str; 20] = [
    ".version",
    ".target",
    ".address_size",
    ".file",
    ".section",
    ".pragma",
    ".alias",
    ".extern",
    ".visible",
    ".weak",
    ".common",
    ".entry",
    ".func",
    ".global",
    ".const",
    ".shared",
    ".tex",
    ".reg",
    ".local",
    ".param",
];

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Module {
        let mut module = Module {
            address_size: 64,
            ..Module::default()
        };
        let mut target = false;
        // A driver takes nothing else for PTX.
        if !self.at_dotted(".version") {
            let _halt = self.report(Diagnostic::error(
                "E-head",
                self.token.span,
                "a module begins with `.version`",
            ));
        }
        while self.token.kind != Kind::Eof {
            let before = self.token.span.start;
            target |= self.at_dotted(".target");
            let item = self.item(&mut module);
            if item.is_err() {
                self.recover();
                // Behind a body that was given up on stands its brace.
                while self.at(b'}') {
                    self.advance();
                }
                if self.token.span.start == before {
                    self.advance();
                }
            }
        }
        if !target && self.found.is_empty() && self.lexer.errors.is_empty() {
            let span = Span::new(0, 0);
            let _halt = self.report(Diagnostic::error(
                "E-head",
                span,
                "the module has no `.target`",
            ));
        }
        module
    }

    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        if self.token.kind != Kind::Dotted {
            return Err(self.expected("a directive"));
        }
        let word = self.word();
        match word {
            ".version" => {
                self.advance();
                module.version = self.version()?;
                self.version = module.version;
            }
            ".target" => {
                self.advance();
                module.target = self.target(module.version)?;
            }
            ".address_size" => {
                self.advance();
                let span = self.token.span;
                module.address_size = self.expect_u32("32 or 64")?;
                match module.address_size {
                    64 => {}
                    32 => {
                        return Err(self.report(Diagnostic::unsupported(
                            "E-address-size",
                            span,
                            "32-bit addresses are not supported",
                        )));
                    }
                    _ => return Err(self.error(span, "the address size is 32 or 64")),
                }
            }
            ".file" => module.files.push(self.file()?),
            ".section" => module.sections.push(self.section()?),
            ".pragma" => module.items.push(Item::Pragma(self.pragma()?)),
            ".alias" => {
                let start = self.advance().span;
                let (name, _) = self.expect_ident("a name")?;
                self.expect(b',')?;
                let (target, end) = self.expect_ident("a name")?;
                self.expect_semicolon()?;
                module.items.push(Item::Alias {
                    name,
                    target,
                    span: start.to(end),
                });
            }
            _ => return self.declaration(module),
        }
        Ok(())
    }

    fn declaration(&mut self, module: &mut Module) -> Parsed<()> {
        let linkage = match self.word() {
            ".extern" => Linkage::Extern,
            ".visible" => Linkage::Visible,
            ".weak" => Linkage::Weak,
            ".common" => Linkage::Common,
            _ => Linkage::None,
        };
        if linkage != Linkage::None {
            self.advance();
        }
        let word = match self.token.kind {
            Kind::Dotted => self.word(),
            _ => return Err(self.expected("a function or a variable")),
        };
        if matches!(word, ".entry" | ".func") {
            let f = self.function(linkage)?;
            module.items.push(Item::Function(f));
            return Ok(());
        }
        if matches!(word, ".reg" | ".local" | ".param" | ".sreg") {
            let message = format!("a variable of `{word}` belongs into a function");
            return Err(self.report(Diagnostic::error("E-declaration", self.token.span, message)));
        }
        if declared_space(word).is_some() {
            return self.variables(linkage, |v| module.items.push(Item::Variable(v)));
        }
        let span = self.token.span;
        let mut d = Diagnostic::error("E-directive", span, format!("unknown directive `{word}`"));
        d.notes.extend(nearest(word, DIRECTIVES.iter().copied()));
        Err(self.report(d))
    }

    /// `9.0`: the lexer takes it for a floating-point number, so its text is read again.
    fn version(&mut self) -> Parsed<(u32, u32)> {
        let parts = self.word().split_once('.');
        let parsed = parts.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        match parsed {
            Some(v) if exists(v) => {
                self.advance();
                Ok(v)
            }
            Some(_) => {
                let message = format!("unknown PTX ISA version {}", self.word());
                Err(self.report(Diagnostic::error("E-version", self.token.span, message)))
            }
            None => Err(self.expected("a version such as `9.0`")),
        }
    }

    fn refuse_target(&mut self, span: Span, message: String) -> Halt {
        self.report(Diagnostic::error("E-target", span, message))
    }

    fn target(&mut self, version: (u32, u32)) -> Parsed<Target> {
        let mut target = Target::default();
        let mut seen = false;
        loop {
            let span = self.token.span;
            let (word, _) = self.expect_ident("a target such as `sm_90`")?;
            let architecture = (word.strip_prefix("sm_")).or_else(|| word.strip_prefix("compute_"));
            match architecture {
                Some(rest) => {
                    let digits = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
                    let suffix = rest[digits.len()..].chars().next();
                    let sm = match rest.len() - digits.len() {
                        0 | 1 => digits.parse().ok(),
                        _ => None,
                    };
                    let known = sm.and_then(|sm| Some((sm, since(sm, suffix)?)));
                    let Some((sm, (major, minor))) = known else {
                        return Err(self.refuse_target(span, format!("`{word}` is not a target")));
                    };
                    if version != (0, 0) && version < (major, minor) {
                        return Err(self.refuse_target(
                            span,
                            format!(
                                "PTX {}.{} has no target `{word}`, which came with {major}.{minor}",
                                version.0, version.1
                            ),
                        ));
                    }
                    (target.sm, target.suffix, seen) = (sm, suffix, true);
                }
                None if OPTIONS.contains(&&*word) => {
                    self.narrows_doubles |= word == *"map_f64_to_f32";
                    target.options.push(word);
                }
                None => {
                    return Err(self.refuse_target(span, format!("`{word}` is not a target")));
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        if !seen {
            return Err(self.expected("a target such as `sm_90`"));
        }
        Ok(target)
    }

    /// `.file 1 "path"[, time, size]`
    fn file(&mut self) -> Parsed<File> {
        self.advance();
        let index = self.expect_u32("a file number")?;
        let path = self.expect_string("a path in quotes")?;
        let mut stamp = None;
        if self.eat(b',') {
            let time = self.integer()?;
            self.expect(b',')?;
            stamp = Some((time, self.integer()?));
        }
        Ok(File { index, path, stamp })
    }

    /// `.section .debug_str { … }`; nothing inside is looked at.
    fn section(&mut self) -> Parsed<Section> {
        self.advance();
        let text = match self.token.kind {
            Kind::Dotted | Kind::Ident => self.word(),
            _ => return Err(self.expected("a section name")),
        };
        self.advance();
        let name = self.name(text);
        if !self.at(b'{') {
            return Err(self.expected("`{`"));
        }
        // Only the lexer's place is moved: the current token is still `{`.
        let from = self.lexer.offset();
        let Some(length) = closing_brace(&self.text.as_bytes()[from..]) else {
            let open = self.token.span;
            let end = self.text.len();
            self.lexer.seek(end);
            self.token = self.lexer.next();
            return Err(self.error(open, format!("the section `{name}` has no end")));
        };
        let text = self.text[from..from + length].trim().to_string();
        self.lexer.seek(from + length);
        self.token = self.lexer.next();
        self.expect(b'}')?;
        Ok(Section { name, text })
    }
}

/// Offset of the brace that ends a section; those in comments do not count.
fn closing_brace(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'}' => return Some(at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().position(|&b| b == b'\n')?;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::ast::Item;

    #[test]
    fn head_files_and_sections() {
        let m = crate::parse(
            ".version 8.7 .target sm_90a, debug .address_size 64 .file 1 \"a.cu\", 5, 6\n\
             .pragma \"x\"; .alias f, g; .section .debug_str { // }\n .b8 1 }\n.section .debug_loc { }",
        )
        .unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(m.version, (8, 7));
        assert_eq!((m.target.sm, m.target.suffix), (90, Some('a')));
        assert_eq!(m.target.options.len(), 1);
        assert_eq!(m.files[0].path, "a.cu");
        assert_eq!(m.files[0].stamp, Some((5, 6)));
        assert_eq!(m.sections[0].text, "// }\n .b8 1");
        assert_eq!(m.sections[1].text, "");
        assert!(matches!(
            &m.items[..],
            [Item::Pragma(_), Item::Alias { .. }]
        ));
    }
}
