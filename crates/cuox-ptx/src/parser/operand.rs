//! Operands.

use super::expression::Constant;
use super::symbols::Symbol;
use super::{Parsed, Parser};
use crate::ast::{AddressBase, Component, Name, Operand, OperandKind, SpecialRegister};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::source::Span;

impl Parser<'_> {
    /// One operand, a pair `p|q` among them.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let first = self.single_operand()?;
        if !self.at(b'|') || !matches!(first.kind, OperandKind::Register(_) | OperandKind::Sink) {
            return Ok(first);
        }
        self.advance();
        let second = self.single_operand()?;
        let span = first.span.to(second.span);
        Ok(Operand {
            kind: OperandKind::Pair(Box::new(first), Box::new(second)),
            span,
        })
    }

    /// Operands separated by commas up to `close`, which is consumed; there may be none.
    pub(super) fn operands_until(&mut self, close: u8) -> Parsed<Vec<Operand>> {
        let mut list = Vec::new();
        if self.eat(close) {
            return Ok(list);
        }
        loop {
            list.push(self.operand()?);
            if self.eat(close) {
                return Ok(list);
            }
            if !self.eat(b',') {
                return Err(self.expected(&format!("`,` or `{}`", close as char)));
            }
        }
    }

    fn single_operand(&mut self) -> Parsed<Operand> {
        let start = self.token.span;
        let kind = match self.token.kind {
            Kind::Ident => self.named_operand()?,
            Kind::Punct(b'[') => {
                self.advance();
                self.nested(Self::bracketed)?
            }
            Kind::Punct(b'{') => {
                self.advance();
                OperandKind::Vector(self.nested(|p| p.operands_until(b'}'))?)
            }
            Kind::Punct(b'!') => {
                self.advance();
                let inner = self.nested(Self::single_operand)?;
                match inner.kind {
                    // Of a constant it is C's operator.
                    OperandKind::Integer { value, .. } => OperandKind::Integer {
                        value: u64::from(value == 0),
                        negative: false,
                        unsigned: false,
                    },
                    _ => OperandKind::Negated(Box::new(inner)),
                }
            }
            Kind::Punct(b'-') if self.before_name() => {
                self.advance();
                OperandKind::Minus(Box::new(self.nested(Self::single_operand)?))
            }
            _ if self.at_constant() => constant_operand(self.constant()?),
            _ => return Err(self.expected("an operand")),
        };
        let span = Span::new(start.start, self.last_end);
        Ok(Operand { kind, span })
    }

    /// True if a name that is no constant's follows the current token.
    fn before_name(&self) -> bool {
        let rest = self.text[self.token.span.end as usize..].trim_start();
        let name = |c: char| c == '%' || c == '$' || c == '_' || c.is_ascii_alphabetic();
        rest.starts_with(name) && !rest.starts_with("WARP_SZ")
    }

    fn named_operand(&mut self) -> Parsed<OperandKind> {
        let text = self.word();
        if text == "_" {
            self.advance();
            return Ok(OperandKind::Sink);
        }
        if text == "WARP_SZ" {
            return Ok(constant_operand(self.constant()?));
        }
        let span = self.advance().span;
        if text.starts_with('%')
            && let Some(register) = SpecialRegister::from_name(text)
        {
            return self.special(register, span);
        }
        let name = self.name(text);
        if self.is_register(text) {
            if self.token.kind == Kind::Dotted && self.token.span.start == span.end {
                let selector = self.word()[1..].trim_start();
                self.advance();
                let selector = self.name(selector);
                return Ok(OperandKind::Selected {
                    register: name,
                    selector,
                });
            }
            return Ok(OperandKind::Register(name));
        }
        let offset = match self.at(b'[') {
            true => self.element(&name, span)?,
            false => self.offset()?,
        };
        Ok(OperandKind::Symbol { name, offset })
    }

    /// `[5]` after the name of an array: the element's distance from the start. An element is one
    /// of the declared type, also where the array has vectors or several dimensions: so does ptxas.
    fn element(&mut self, name: &Name, span: Span) -> Parsed<i64> {
        let bytes = match self.lookup(name) {
            Some(Symbol::Variable(v)) if v.array => v.ty.bytes(),
            // The name is reported with the others.
            None => 1,
            Some(other) => {
                let message = match other {
                    Symbol::Variable(_) => format!("`{name}` is not an array"),
                    _ => format!("`{name}` is {}, not an array", other.describe()),
                };
                return Err(self.error(span, message));
            }
        };
        self.expect(b'[')?;
        if self.token.kind == Kind::Ident && self.is_register(self.word()) {
            let at = self.token.span;
            return Err(self.report(Diagnostic::unsupported(
                "E-index",
                at,
                "an index in a register is not supported; add it to the array's address",
            )));
        }
        let index = self.integer()? as i64;
        self.expect(b']')?;
        Ok(index.wrapping_mul(i64::from(bytes)))
    }

    /// True if the operand was written as an array's element, `a[5]`.
    pub(super) fn is_element(&self, operand: &Operand) -> bool {
        matches!(operand.kind, OperandKind::Symbol { .. })
            && self.slice(operand.span).ends_with(']')
    }

    fn special(&mut self, register: SpecialRegister, span: Span) -> Parsed<OperandKind> {
        let mut component = None;
        if self.token.kind == Kind::Dotted && self.token.span.start == span.end {
            let at = self.token.span;
            component = Component::from_text(&self.word()[1..]);
            if component.is_none() || !register.is_vector() {
                let text = self.word();
                return Err(self.report(Diagnostic::error(
                    "E-component",
                    at,
                    format!("`{register}` has no component `{text}`"),
                )));
            }
            self.advance();
        }
        Ok(OperandKind::Special {
            register,
            component,
        })
    }

    /// The operand in brackets, after `[`: an address, or several operands.
    fn bracketed(&mut self) -> Parsed<OperandKind> {
        let mut first = self.single_operand()?;
        if self.is_element(&first) {
            return Err(self.error(first.span, "brackets may not stand in brackets"));
        }
        let (base, offset) = match &first.kind {
            OperandKind::Register(name) => {
                let name = name.clone();
                (Some(AddressBase::Register(name)), self.offset()?)
            }
            OperandKind::Symbol { name, offset } => {
                (Some(AddressBase::Symbol(name.clone())), *offset)
            }
            OperandKind::Integer { value, .. } => (Some(AddressBase::Absolute), *value as i64),
            _ => (None, 0),
        };
        if self.eat(b']') {
            if self.at_dotted(".unified") {
                let span = self.token.span;
                return Err(self.report(Diagnostic::unsupported(
                    "E-unified",
                    span,
                    "an address with `.unified` is not supported",
                )));
            }
            return match base {
                Some(base) => Ok(OperandKind::Address { base, offset }),
                None => Err(self.error(
                    first.span,
                    "an address starts with a register, a symbol or a constant",
                )),
            };
        }
        if !self.eat(b',') {
            return Err(self.expected("`]`"));
        }
        if self.at(b']') {
            return Err(self.expected("an operand"));
        }
        match (&first.kind, base) {
            // The tree has no other way to hold the sum of a register and a constant.
            (OperandKind::Register(_), Some(base)) if offset != 0 => {
                first.kind = OperandKind::Address { base, offset };
            }
            (OperandKind::Address { .. } | OperandKind::Bracketed(_), _) => {
                return Err(self.error(first.span, "brackets may not stand in brackets"));
            }
            _ => {}
        }
        let mut items = vec![first];
        items.append(&mut self.operands_until(b']')?);
        let inner = |o: &&Operand| {
            matches!(
                o.kind,
                OperandKind::Address { .. } | OperandKind::Bracketed(_)
            )
        };
        if let Some(span) = items[1..].iter().find(inner).map(|o| o.span) {
            return Err(self.error(span, "brackets may not stand in brackets"));
        }
        Ok(OperandKind::Bracketed(items))
    }
}

fn constant_operand(constant: Constant) -> OperandKind {
    match constant {
        Constant::Integer { value, unsigned } => OperandKind::Integer {
            value,
            negative: !unsigned && (value as i64) < 0,
            unsigned,
        },
        Constant::Float32(bits) => OperandKind::Float32(bits),
        Constant::Float64(bits) => OperandKind::Float64(bits),
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::{OperandKind, ScalarType};
    use crate::parser::Parser;
    use crate::parser::symbols::{Register, Symbol};
    use crate::source::Span;

    fn declare(p: &mut Parser<'_>, name: &'static str, range: Option<u32>) {
        let register = Register {
            ty: ScalarType::B32,
            vector: 1,
        };
        p.declare(name, range, Symbol::Register(register), Span::new(0, 0));
    }

    /// The operand as `Debug` shows it, and its printed text.
    fn read(text: &str) -> (String, String) {
        let mut p = Parser::new(text);
        declare(&mut p, "r", None);
        declare(&mut p, "t", Some(4));
        let o = p
            .operand()
            .unwrap_or_else(|_| panic!("{}", p.found[0].message));
        assert_eq!(o.span.start, 0, "{text}");
        assert_eq!(o.span.end as usize, text.len(), "{text}");
        let kind = format!("{:?}", o.kind);
        (
            kind.split([' ', '(']).next().unwrap_or("").into(),
            o.to_string(),
        )
    }

    #[test]
    fn kinds() {
        for (text, kind, printed) in [
            ("%r1", "Register", "%r1"),
            ("r", "Register", "r"),
            ("t3", "Register", "t3"),
            ("t4", "Symbol", "t4"),
            ("t03", "Register", "t03"),
            ("r.b0", "Selected", "r.b0"),
            ("x+(1+2)*4", "Symbol", "x+12"),
            ("x-4", "Symbol", "x+-4"),
            ("%tid.x", "Special", "%tid.x"),
            ("%pm7_64", "Special", "%pm7_64"),
            ("0x1F", "Integer", "31"),
            ("-5", "Integer", "-5"),
            ("5U", "Integer", "5U"),
            ("!0", "Integer", "1"),
            ("WARP_SZ", "Integer", "32"),
            ("0f3F800000", "Float32", "0f3F800000"),
            ("-0f3F800000", "Float32", "0fBF800000"),
            ("1.5", "Float64", "0d3FF8000000000000"),
            ("[%rd1-4]", "Address", "[%rd1+-4]"),
            ("[x+4]", "Address", "[x+4]"),
            ("[16]", "Address", "[16]"),
            ("[%rd1, {r, 0}]", "Bracketed", "[%rd1, {r, 0}]"),
            ("[%rd1+64, {r}]", "Bracketed", "[%rd1+64, {r}]"),
            ("{r, _}", "Vector", "{r, _}"),
            ("%p1|_", "Pair", "%p1|_"),
            ("!%p1", "Negated", "!%p1"),
            ("-%r1", "Minus", "-%r1"),
            ("_", "Sink", "_"),
        ] {
            assert_eq!(read(text), (kind.into(), printed.into()), "{text}");
        }
    }

    /// Distances are those of ptxas: its code for `m[1]` is its code for `m+4`.
    #[test]
    fn elements_of_arrays() {
        let header = ".version 8.0\n.target sm_90\n.address_size 64\n\
            .global .b32 g[8];\n.global .b64 m[4][8];\n.global .v2 .b32 v[8];\n.global .b32 one;\n\
            .entry k(.param .align 8 .b8 pa[64])\n{\n.shared .align 16 .b8 sb[64];\n\
            .reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n";
        for (line, printed) in [
            ("mov.u64 %rd1, g[0];", "mov.u64 %rd1, g;"),
            ("mov.u64 %rd1, g[2 + 3];", "mov.u64 %rd1, g+20;"),
            ("mov.u64 %rd1, g[-1];", "mov.u64 %rd1, g+-4;"),
            ("mov.u64 %rd1, sb[5];", "mov.u64 %rd1, sb+5;"),
            ("mov.u64 %rd1, m[1];", "mov.u64 %rd1, m+8;"),
            ("mov.u64 %rd1, v[3];", "mov.u64 %rd1, v+12;"),
            ("mov.u64 %rd1, pa[8];", "mov.u64 %rd1, pa+8;"),
            ("cvta.global.u64 %rd1, g[5];", "cvta.global.u64 %rd1, g+20;"),
            ("ld.global.u32 %r1, g[5];", "ld.global.u32 %r1, [g+20];"),
            ("ld.param.u32 %r1, pa[4];", "ld.param.u32 %r1, [pa+4];"),
            ("st.shared.u32 sb[8], %r1;", "st.shared.u32 [sb+8], %r1;"),
        ] {
            let module = crate::parse(&format!("{header}{line}\nret;\n}}\n"));
            let module = module.unwrap_or_else(|e| panic!("{line}: {e:?}"));
            let text = module.to_string();
            assert!(text.contains(printed), "{line} became {text}");
        }
        for (line, message) in [
            ("mov.u64 %rd1, one[0];", "`one` is not an array"),
            ("mov.u64 %rd1, k[0];", "`k` is a function, not an array"),
            ("mov.u64 %rd1, %rd2[0];", "expected `;`, found `[`"),
            ("mov.u64 %rd1, m[1][2];", "expected `;`, found `[`"),
            ("mov.u64 %rd1, g[1]+4;", "expected `;`, found `+`"),
            ("mov.u64 %rd1, g[];", "expected a constant, found `]`"),
            ("mov.u64 %rd1, none[1];", "`none` is not declared"),
            (
                "mov.u64 %rd1, g[%r1];",
                "an index in a register is not supported; add it to the array's address",
            ),
            (
                "ld.global.u32 %r1, [g[1]];",
                "brackets may not stand in brackets",
            ),
            ("ld.global.u32 %r1, g;", "must be an address in brackets"),
            (
                "atom.global.add.u32 %r1, g[1], 1;",
                "must be an address in brackets",
            ),
        ] {
            let Err(found) = crate::parse(&format!("{header}{line}\nret;\n}}\n")) else {
                panic!("{line} was accepted");
            };
            let found = format!("{found:?}");
            assert!(found.contains(message), "{line}: {found}");
        }
    }

    #[test]
    fn values_are_twos_complement() {
        let mut p = Parser::new("-1");
        let kind = p.operand().map(|o| o.kind).ok();
        let want = OperandKind::Integer {
            value: u64::MAX,
            negative: true,
            unsigned: false,
        };
        assert_eq!(kind, Some(want));
    }

    #[test]
    fn refused() {
        for (text, message) in [
            (
                "[[x]]",
                "an address starts with a register, a symbol or a constant",
            ),
            ("[[x], y]", "brackets may not stand in brackets"),
            ("[x,]", "expected an operand, found `]`"),
            ("[x, [y]]", "brackets may not stand in brackets"),
            ("%laneid.x", "`%laneid` has no component `.x`"),
            ("{r", "expected `,` or `}`, found the end of the text"),
            (";", "expected an operand, found `;`"),
        ] {
            let mut p = Parser::new(text);
            declare(&mut p, "r", None);
            assert!(p.operand().is_err(), "{text}");
            assert_eq!(p.found[0].message, message, "{text}");
        }
    }
}
