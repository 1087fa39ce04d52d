//! Instructions: guard, dotted word, operands, and the check against the table.

use super::resolve::{Refusal, resolve};
use super::{Parsed, Parser};
use crate::ast::{AddressBase, CallOperands, Guard, Instruction, Opcode, Operand, OperandKind};
use crate::diagnostic::Diagnostic;
use crate::isa;
use crate::lexer::Kind;
use crate::source::Span;

impl Parser<'_> {
    /// `@p` or `@!p`, and the instruction after it.
    pub(super) fn guarded_instruction(&mut self) -> Parsed<Instruction> {
        let start = self.token.span.start;
        self.expect(b'@')?;
        let negated = self.eat(b'!');
        let (register, span) = self.expect_ident("a predicate register")?;
        let guard = Guard {
            register,
            negated,
            span,
        };
        if self.token.kind != Kind::Ident {
            return Err(self.expected("an instruction"));
        }
        let mut instruction = self.instruction()?;
        self.check_guard(&guard);
        instruction.guard = Some(guard);
        instruction.span.start = start;
        Ok(instruction)
    }

    /// An instruction without its guard; the current token is the mnemonic.
    pub(super) fn instruction(&mut self) -> Parsed<Instruction> {
        let word = self.token.span;
        let end = self.lexer.dotted_end(word.start as usize);
        if end as u32 > word.end {
            self.lexer.seek(end);
            self.last_end = end as u32;
            self.token = self.lexer.next();
        } else {
            self.advance();
        }
        self.instruction_after(Span::new(word.start, end as u32))
    }

    /// The rest of an instruction whose dotted word, or the start of it, has been read.
    pub(super) fn instruction_after(&mut self, mut opcode_span: Span) -> Parsed<Instruction> {
        let index = if self.token.kind == Kind::Dotted {
            // Blanks between the words are legal and rare; such words are not remembered.
            let mut word = self.slice(opcode_span).to_string();
            while self.token.kind == Kind::Dotted {
                word.push_str(self.word());
                opcode_span.end = self.token.span.end;
                self.advance();
            }
            self.resolve_word(&word, opcode_span, true)?
        } else {
            let word = self.slice(opcode_span);
            match self.words.get(word) {
                Some(&index) => index,
                None => {
                    let index = self.resolve_word(word, opcode_span, false)?;
                    self.words.insert(word, index);
                    index
                }
            }
        };
        let opcode = self.resolved[index].opcode;
        let modifiers = self.resolved[index].modifiers;
        if let Some((major, minor)) = isa::since(opcode, &modifiers)
            && self.version < (major, minor)
        {
            let message = format!(
                "`{}` came with PTX {major}.{minor}",
                self.slice(opcode_span)
            );
            return Err(self.report(Diagnostic::error("E-version", opcode_span, message)));
        }
        let mut operands = Vec::new();
        let mut call = None;
        if opcode == Opcode::Call {
            call = Some(Box::new(self.call_operands()?));
        } else if !self.at(b';') {
            operands.reserve_exact(3);
            loop {
                let mut operand = self.operand()?;
                if matches!(opcode, Opcode::Ld | Opcode::St) && self.is_element(&operand) {
                    // `ld` and `st` take `a[1]` for `[a+4]`.
                    if let OperandKind::Symbol { name, offset } = operand.kind {
                        let base = AddressBase::Symbol(name);
                        operand.kind = OperandKind::Address { base, offset };
                    }
                }
                operands.push(operand);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        let span = Span::new(opcode_span.start, self.last_end);
        self.expect_semicolon()?;
        if call.is_none()
            && self.check_names(opcode, &modifiers, &operands)
            && let Err((which, message)) =
                self.resolved[index].check(&operands, &|name| self.lookup(name))
        {
            let at = which.map_or(opcode_span, |i| operands[i].span);
            // The statement is complete, so nothing has to be skipped: report and go on.
            let _halt = self.report(Diagnostic::error("E-operand", at, message));
        }
        let instruction = Instruction {
            span,
            opcode_span,
            guard: None,
            opcode,
            modifiers,
            operands,
            call,
        };
        if let Some(call) = &instruction.call {
            self.check_call(&instruction, call);
        }
        Ok(instruction)
    }

    fn resolve_word(&mut self, word: &str, span: Span, spaced: bool) -> Parsed<usize> {
        match resolve(word) {
            Ok(r) => {
                self.resolved.push(r);
                Ok(self.resolved.len() - 1)
            }
            Err(Refusal {
                code,
                start,
                end,
                message,
                note,
            }) => {
                let at = if spaced {
                    span
                } else {
                    Span::new(span.start + start as u32, span.start + end as u32)
                };
                let mut d = Diagnostic::error(code, at, message);
                d.notes.extend(note);
                Err(self.report(d))
            }
        }
    }

    /// `(results), callee, (arguments), prototype`
    fn call_operands(&mut self) -> Parsed<CallOperands> {
        let mut returns = Vec::new();
        if self.eat(b'(') {
            returns = self.operands_until(b')')?;
            self.expect(b',')?;
        }
        let callee = self.operand()?;
        if !matches!(
            callee.kind,
            OperandKind::Symbol { offset: 0, .. } | OperandKind::Register(_)
        ) {
            return Err(self.error(callee.span, "`call` needs a function or a register"));
        }
        let mut args = Vec::new();
        let mut prototype: Option<Operand> = None;
        if self.eat(b',') {
            if self.eat(b'(') {
                args = self.operands_until(b')')?;
                if self.eat(b',') {
                    prototype = Some(self.operand()?);
                }
            } else {
                prototype = Some(self.operand()?);
            }
        }
        if let Some(p) = &prototype
            && !matches!(p.kind, OperandKind::Symbol { offset: 0, .. })
        {
            return Err(self.error(
                p.span,
                "the last operand of an indirect `call` is a prototype or a table of targets",
            ));
        }
        Ok(CallOperands {
            returns,
            callee,
            args,
            prototype,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::{Compare, Instruction, Opcode, ScalarType};
    use crate::parser::Parser;

    fn read(text: &str) -> Instruction {
        let mut p = Parser::new(text);
        let i = if text.starts_with('@') {
            p.guarded_instruction()
        } else {
            p.instruction()
        };
        let i = i.unwrap_or_else(|_| panic!("{}", p.found[0].message));
        // Nothing is declared here.
        assert!(p.found.iter().all(|d| d.code == "E-name"), "{:?}", p.found);
        i
    }

    #[test]
    fn guard_opcode_and_modifiers() {
        let i = read("@!%p1 setp.lt.and.ftz.f32 %p2|%p3, %f1, 0f00000000, !%p4;");
        assert!(i.guard.as_ref().is_some_and(|g| g.negated));
        assert_eq!(i.opcode, Opcode::SetP);
        assert_eq!(i.modifiers.compare(), Some(Compare::Lt));
        assert_eq!(i.modifiers.types(), [ScalarType::F32]);
        assert!(i.modifiers.ftz());
        assert_eq!((i.opcode_span.start, i.opcode_span.end), (6, 25));
        assert_eq!(i.span.start, 0);
    }

    #[test]
    fn blanks_between_the_words() {
        assert_eq!(
            read("add .s32 %r1, %r2, 3 ;").to_string(),
            "add.s32 %r1, %r2, 3;"
        );
        assert_eq!(
            read("ld.global .u32 %r1, [ %rd1 + 4 ];").to_string(),
            "ld.global.u32 %r1, [%rd1+4];"
        );
    }

    #[test]
    fn calls() {
        for text in [
            "call.uni f;",
            "call.uni (%r1), f;",
            "call (_), f, (a, 3, 0f00000000);",
            "call (%r1, %r2), %rd1, (a), proto;",
            "call %rd1, targets;",
        ] {
            let i = read(text);
            assert_eq!(i.to_string(), text);
            assert!(i.operands.is_empty() && i.call.is_some());
        }
    }
}
