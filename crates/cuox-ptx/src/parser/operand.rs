//! Operands.

use super::expression::Constant;
use super::{Parsed, Parser};
use crate::ast::{AddressBase, Component, Operand, OperandKind, SpecialRegister};
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
                OperandKind::Negated(Box::new(self.nested(Self::single_operand)?))
            }
            _ if self.at_constant() => constant_operand(self.constant()?),
            _ => return Err(self.expected("an operand")),
        };
        let span = Span::new(start.start, self.last_end);
        Ok(Operand { kind, span })
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
        let offset = self.offset()?;
        Ok(OperandKind::Symbol { name, offset })
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

    /// What stands in brackets, after `[`: an address, or several operands.
    fn bracketed(&mut self) -> Parsed<OperandKind> {
        let mut first = self.single_operand()?;
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
