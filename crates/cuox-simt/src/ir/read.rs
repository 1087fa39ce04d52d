//! Reads the IR's text, as [`super::print`] writes it.
//!
//! The text of a function that the verifier accepts gives the same function. Besides it, `//` begins a comment, and
//! blanks and line ends may be anywhere between words. The reader knows the grammar and no more: whether registers,
//! blocks and slots exist and have the right types is [`crate::verify`]'s.

use crate::ir::{
    Access, Address, Args, Block, BlockId, Callee, FuncId, Function, Inst, Mask, Operand, Order,
    Reg, Slot, Space, Terminator, Unit, print,
};
use ron::Deserializer;
use serde::de::DeserializeOwned;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Text that is no IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What was expected there.
    pub message: String,
}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ReadError {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for ReadError {}

type Read<T> = Result<T, ReadError>;

impl FromStr for Function {
    type Err = ReadError;
    fn from_str(text: &str) -> Read<Function> {
        let mut reader = Reader { text, at: 0 };
        let function = reader.function()?;
        reader.end()?;
        Ok(function)
    }
}

impl FromStr for Unit {
    type Err = ReadError;
    fn from_str(text: &str) -> Read<Unit> {
        let mut reader = Reader { text, at: 0 };
        let unit = reader.unit()?;
        reader.end()?;
        Ok(unit)
    }
}

/// Text, and how far it has been read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// A line of a block.
enum Statement {
    Inst(Inst),
    End(Terminator),
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Reader<'a> {
    /// Returns the rest of the text behind blanks and comments.
    fn rest(&mut self) -> &'a str {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            let comment = match trimmed.starts_with("//") {
                true => trimmed.find('\n').unwrap_or(trimmed.len()),
                false => 0,
            };
            self.at += rest.len() - trimmed.len() + comment;
            if comment == 0 {
                return trimmed;
            }
        }
    }

    /// Returns the error that `message` is wrong at the next word.
    fn error<T>(&mut self, message: impl Into<String>) -> Read<T> {
        self.rest();
        self.error_at(self.at, message)
    }

    fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Read<T> {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Err(ReadError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        })
    }

    /// Returns the error that something else was expected than what is next.
    fn expected<T>(&mut self, what: impl Display) -> Read<T> {
        let rest = self.rest();
        let word = rest.split(|c: char| !in_word(c)).next().unwrap_or("");
        let next = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some(c) if word.is_empty() => format!("`{}`", c.escape_debug()),
            Some(_) => format!("`{word}`"),
        };
        self.error(format!("expected {what}, found {next}"))
    }

    /// Returns the next word without reading it; empty if there is none.
    fn peek(&mut self) -> &'a str {
        let rest = self.rest();
        rest.split(|c: char| !in_word(c)).next().unwrap_or("")
    }

    /// Reads `token`, a word or punctuation, if it is next.
    fn eat(&mut self, token: &str) -> bool {
        let found = match token.starts_with(in_word) {
            true => self.peek() == token,
            false => self.rest().starts_with(token),
        };
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Read<()> {
        match self.eat(token) {
            true => Ok(()),
            false => self.expected(format_args!("`{token}`")),
        }
    }

    fn end(&mut self) -> Read<()> {
        match self.rest() {
            "" => Ok(()),
            _ => self.expected("the end of the text"),
        }
    }

    /// Reads a number in decimal, or in hexadecimal with `0x`.
    fn number<T: TryFrom<u64>>(&mut self) -> Read<T> {
        let word = self.peek();
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            return self.expected("a number");
        }
        let value = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        match value.ok().and_then(|value| T::try_from(value).ok()) {
            Some(value) => {
                self.at += word.len();
                Ok(value)
            }
            None => self.error(format!(
                "expected a number of {} bits, found `{word}`",
                8 * size_of::<T>()
            )),
        }
    }

    /// Returns true if the next word is `letter` and a number.
    fn is_numbered(&mut self, letter: char) -> bool {
        let number = self.rest().strip_prefix(letter);
        number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Reads `letter` and a number, such as `b2`.
    fn numbered(&mut self, letter: char, what: &str) -> Read<u32> {
        if !self.is_numbered(letter) {
            return self.expected(format_args!("{what}, `{letter}` and its number"));
        }
        self.at += letter.len_utf8();
        self.number()
    }

    /// Reads the number of the next of several things that are listed in order.
    fn in_order(&mut self, letter: char, what: &str, next: usize) -> Read<()> {
        self.rest();
        let at = self.at;
        match self.numbered(letter, what)? as usize == next {
            true => Ok(()),
            false => self.error_at(at, format!("expected `{letter}{next}`: they are in order")),
        }
    }

    /// Reads the name of an operation, with all that belongs to it.
    fn name<T: DeserializeOwned>(&mut self) -> Read<T> {
        let rest = self.rest();
        let failed = |error: ron::error::SpannedError| {
            let start = error.span.start;
            let lines = rest.split_inclusive('\n').take(start.line.max(1) - 1);
            let line = lines.map(str::len).sum::<usize>();
            let columns = rest[line..].chars().take(start.col.max(1) - 1);
            (line + columns.map(char::len_utf8).sum::<usize>(), error)
        };
        let read = || {
            let mut names = Deserializer::from_str_with_options(rest, &print::names())?;
            let name = T::deserialize(&mut names).map_err(|error| names.span_error(error))?;
            Ok((name, names.remainder().len()))
        };
        match read().map_err(failed) {
            Ok((name, left)) => {
                self.at += rest.len() - left;
                Ok(name)
            }
            Err((at, error)) => self.error_at(self.at + at, error.code.to_string()),
        }
    }

    /// Reads items with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads items in parentheses.
    fn parenthesised<T>(&mut self, item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(")")?;
        Ok(items)
    }

    fn reg(&mut self) -> Read<Reg> {
        self.numbered('%', "a register").map(Reg)
    }

    fn block_id(&mut self) -> Read<BlockId> {
        self.numbered('b', "a block").map(BlockId)
    }

    fn slot(&mut self) -> Read<u32> {
        self.numbered('s', "a slot")
    }

    fn func_id(&mut self) -> Read<FuncId> {
        self.numbered('f', "a function").map(FuncId)
    }

    fn operand(&mut self) -> Read<Operand> {
        match self.rest().chars().next() {
            Some('%') => self.reg().map(Operand::Reg),
            Some('0'..='9') => self.number().map(Operand::Imm),
            _ => self.expected("a register or a number"),
        }
    }

    fn operands(&mut self) -> Read<Vec<Operand>> {
        self.parenthesised(Self::operand)
    }

    /// Reads up to four operands.
    fn args(&mut self) -> Read<Args> {
        self.rest();
        let at = self.at;
        let items = self.list(Self::operand)?;
        match items.len() {
            0..=Args::MOST => Ok(Args::new(&items)),
            n => self.error_at(at, format!("{n} operands, more than {}", Args::MOST)),
        }
    }

    fn address(&mut self) -> Read<Address> {
        let space = match self.peek() {
            "flat" => Space::Flat,
            "shared" => Space::Shared,
            "local" => Space::Local,
            "param" => Space::Param,
            _ if self.is_numbered('s') => Space::Slot(self.slot()?),
            _ => return self.expected("a state space"),
        };
        if !matches!(space, Space::Slot(_)) {
            self.at += self.peek().len();
        }
        self.expect("[")?;
        let base = self.operand()?;
        let negative = self.eat("-");
        let offset = match negative || self.eat("+") {
            true => {
                self.rest();
                let at = self.at;
                let size = i128::from(self.number::<u64>()?);
                let offset = if negative { -size } else { size };
                match i64::try_from(offset) {
                    Ok(offset) => offset,
                    Err(_) => return self.error_at(at, "an offset has 64 bits with its sign"),
                }
            }
            false => 0,
        };
        self.expect("]")?;
        Ok(Address {
            space,
            base,
            offset,
        })
    }

    fn order(&mut self) -> Read<Order> {
        match self.peek().starts_with(|c: char| c.is_ascii_uppercase()) {
            true => self.name(),
            false => Ok(Order::Plain),
        }
    }

    /// Reads the results in front of `=`; none if there is none.
    fn results(&mut self) -> Read<Vec<Option<Reg>>> {
        let wanted = |reader: &mut Self| match reader.eat("_") {
            true => Ok(None),
            false => reader.reg().map(Some),
        };
        if !self.rest().starts_with(['%', '_']) {
            return Ok(Vec::new());
        }
        let results = self.list(wanted)?;
        self.expect("=")?;
        Ok(results)
    }

    fn statement(&mut self) -> Read<Statement> {
        self.rest();
        let at = self.at;
        if self.rest().starts_with('(') {
            return self.call().map(Statement::Inst);
        }
        let dsts = self.results()?;
        let word = self.peek();
        let word_at = self.at;
        let wrong = |reader: &Self, results: &str| {
            reader.error_at(at, format!("`{word}` has {results}, not {}", dsts.len()))
        };
        // The number of results that print names.
        let (one, at_most_one) = match &dsts[..] {
            [] => (None, Some(None)),
            [dst] => (*dst, Some(*dst)),
            _ => (None, None),
        };
        let is_operation = word.starts_with(|c: char| c.is_ascii_uppercase());
        if matches!(word, "special" | "variable" | "function") || is_operation {
            let Some(dst) = one else {
                return wrong(self, "one result");
            };
            return self.value(dst).map(Statement::Inst);
        }
        self.at += word.len();
        let inst = match word {
            "load" => self.load(dsts)?,
            "image" => Inst::Image {
                dsts,
                op: self.name()?,
                args: self.operands()?,
            },
            "warp" => return self.warp(dsts).map(Statement::End),
            "atomic" | "syscall" | "barrier" => {
                let Some(dst) = at_most_one else {
                    return wrong(self, "one result at most");
                };
                match word {
                    "atomic" => self.atomic(dst)?,
                    "syscall" => Inst::Syscall {
                        dst,
                        call: self.name()?,
                        args: self.operands()?,
                    },
                    _ => return self.barrier(dst).map(Statement::End),
                }
            }
            _ if !dsts.is_empty() => {
                self.at = word_at;
                return self.expected("an operation with results");
            }
            "store" => self.store()?,
            "check" => self.check()?,
            "fence" => Inst::Fence(self.name()?),
            _ => {
                self.at = word_at;
                return self.terminator().map(Statement::End);
            }
        };
        Ok(Statement::Inst(inst))
    }

    /// Reads an operation with one result.
    fn value(&mut self, dst: Reg) -> Read<Inst> {
        Ok(if self.eat("special") {
            Inst::Special {
                dst,
                special: self.name()?,
            }
        } else if self.eat("variable") {
            Inst::SymbolAddress {
                dst,
                variable: self.number()?,
            }
        } else if self.eat("function") {
            Inst::FunctionAddress {
                dst,
                func: self.func_id()?,
            }
        } else {
            Inst::Op {
                dst,
                op: self.name()?,
                args: self.args()?,
            }
        })
    }

    fn load(&mut self, dsts: Vec<Option<Reg>>) -> Read<Inst> {
        self.expect(".")?;
        let signed = self.eat("signed");
        if signed {
            self.expect(".")?;
        }
        Ok(Inst::Load {
            dsts,
            ty: self.name()?,
            signed,
            addr: self.address()?,
            order: self.order()?,
        })
    }

    fn store(&mut self) -> Read<Inst> {
        self.expect(".")?;
        let ty = self.name()?;
        let addr = self.address()?;
        self.expect(",")?;
        Ok(Inst::Store {
            srcs: self.list(Self::operand)?,
            ty,
            addr,
            order: self.order()?,
        })
    }

    fn atomic(&mut self, dst: Option<Reg>) -> Read<Inst> {
        let op = self.name()?;
        let num = self.name()?;
        let packed = self.eat("x2");
        let addr = self.address()?;
        self.expect(",")?;
        Ok(Inst::Atomic {
            dst,
            op,
            num,
            packed,
            addr,
            args: self.args()?,
            order: self.order()?,
        })
    }

    fn check(&mut self) -> Read<Inst> {
        let addr = self.address()?;
        self.expect(",")?;
        let kind = self.name()?;
        let bytes = self.number()?;
        self.expect("line")?;
        let line = self.number()?;
        Ok(Inst::Check {
            addr,
            access: Access { kind, bytes, line },
        })
    }

    fn call(&mut self) -> Read<Inst> {
        let results = self.parenthesised(Self::slot)?;
        self.expect("=")?;
        self.expect("call")?;
        let callee = match self.eat("through") {
            true => Callee::Indirect(self.operand()?),
            false => Callee::Direct(self.func_id()?),
        };
        Ok(Inst::Call {
            callee,
            args: self.parenthesised(Self::slot)?,
            results,
        })
    }

    fn barrier(&mut self, dst: Option<Reg>) -> Read<Terminator> {
        self.expect(".")?;
        let kind = self.name()?;
        let id = self.operand()?;
        let count = self.eat("of").then(|| self.operand()).transpose()?;
        let pred = self.eat("if").then(|| self.operand()).transpose()?;
        self.expect(",")?;
        Ok(Terminator::Barrier {
            kind,
            id,
            count,
            pred,
            dst,
            next: self.block_id()?,
        })
    }

    fn warp(&mut self, dsts: Vec<Option<Reg>>) -> Read<Terminator> {
        self.expect(".")?;
        let op = self.name()?;
        self.expect("mask")?;
        let mask = self.operand()?;
        let args = self.operands()?;
        self.expect(",")?;
        Ok(Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            next: self.block_id()?,
        })
    }

    /// Reads where a gang goes whose lanes disagree.
    fn together(&mut self) -> Read<Option<BlockId>> {
        if !self.eat(",") {
            return Ok(None);
        }
        self.expect("together")?;
        self.block_id().map(Some)
    }

    /// Reads a terminator without results.
    fn terminator(&mut self) -> Read<Terminator> {
        let word = self.peek();
        let at = self.at;
        self.at += word.len();
        Ok(match word {
            "jump" => Terminator::Jump(self.block_id()?),
            "branch" => {
                let cond = self.reg()?;
                self.expect(",")?;
                let then = self.block_id()?;
                self.expect(",")?;
                Terminator::Branch {
                    cond,
                    then,
                    other: self.block_id()?,
                    mixed: self.together()?,
                }
            }
            "switch" => Terminator::Switch {
                index: self.operand()?,
                targets: self.parenthesised(Self::block_id)?,
                mixed: self.together()?,
            },
            "exit" => Terminator::Exit,
            "return" => Terminator::Return,
            "trap" => Terminator::Trap,
            "cluster" => {
                self.expect(".")?;
                Terminator::Cluster {
                    step: self.name()?,
                    next: self.block_id()?,
                }
            }
            "pause" => Terminator::Pause {
                next: self.block_id()?,
            },
            _ => {
                self.at = at;
                return self.expected("an instruction or the end of the block");
            }
        })
    }

    fn block(&mut self, number: usize) -> Read<Block> {
        self.in_order('b', "a block or `}`", number)?;
        let mask = match self.eat("if") {
            true => {
                let negated = self.eat("!");
                let reg = self.reg()?;
                Some(Mask { reg, negated })
            }
            false => None,
        };
        self.expect(":")?;
        let (mut insts, mut lines, mut line) = (Vec::new(), Vec::new(), 0);
        loop {
            let statement = self.statement()?;
            if self.eat(";") {
                line = self.number()?;
            }
            lines.push(line);
            match statement {
                Statement::Inst(inst) => insts.push(inst),
                Statement::End(end) => {
                    return Ok(Block {
                        insts,
                        end,
                        lines,
                        mask,
                    });
                }
            }
        }
    }

    fn function(&mut self) -> Read<Function> {
        self.expect("function")?;
        let name = self.name()?;
        let params = self.parenthesised(Self::slot)?;
        self.expect("->")?;
        let results = self.parenthesised(Self::slot)?;
        self.expect("local")?;
        let local_bytes = self.number()?;
        self.expect("{")?;
        let (mut slots, mut regs, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        while self.is_numbered('s') {
            self.in_order('s', "a slot", slots.len())?;
            self.expect(":")?;
            let size = self.number()?;
            self.expect("bytes")?;
            self.expect(",")?;
            self.expect("alignment")?;
            let align = self.number()?;
            slots.push(Slot { size, align });
        }
        while self.is_numbered('%') {
            self.in_order('%', "a register", regs.len())?;
            self.expect(":")?;
            regs.push(self.name()?);
        }
        while !self.eat("}") {
            blocks.push(self.block(blocks.len())?);
        }
        Ok(Function {
            name,
            regs,
            blocks,
            slots,
            params,
            results,
            local_bytes,
        })
    }

    fn unit(&mut self) -> Read<Unit> {
        self.expect("shared")?;
        let static_shared = self.number()?;
        let kernel = self.function()?;
        let mut functions = Vec::new();
        while self.is_numbered('f') {
            self.in_order('f', "a function", functions.len())?;
            self.expect(":")?;
            functions.push(self.function()?);
        }
        Ok(Unit {
            kernel,
            functions,
            static_shared,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Function, Unit};

    /// Returns the error of a function with `body`, whose first line is line 2.
    fn error(body: &str) -> String {
        let text = format!("function \"k\" () -> () local 0 {{\n{body}\n}}\n");
        let function = text.parse::<Function>();
        function.expect_err("a flaw").to_string()
    }

    #[test]
    fn every_part_reads_as_it_prints() {
        let text = include_str!("../../../../fuzz/seeds/ir/every_part.ir");
        let unit: Unit = text.parse().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(unit.to_string(), text);
        assert_eq!(unit.kernel.blocks[0].lines[..5], [7, 7, 7, 7, 8]);
    }

    #[test]
    fn comments_and_blanks_are_skipped() {
        let text = "// A function.\nfunction \"k\"()->()local 0{b0://nothing\nexit;3}";
        let function: Function = text.parse().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(function.blocks[0].lines, [3]);
    }

    #[test]
    fn errors_name_what_was_expected_and_where() {
        for (body, said) in [
            (
                "b0:\n  jump 3",
                "line 3, column 8: expected a block, `b` and its number, found `3`",
            ),
            (
                "b1: exit",
                "line 2, column 1: expected `b0`: they are in order",
            ),
            (
                "%0:b32 %1:b33\nb0: exit",
                "line 2, column 11: Unexpected variant named `b33`",
            ),
            (
                "b0:\n  %0 = Int(Ad, b32) %1",
                "line 3, column 12: Unexpected variant named `Ad` in enum `IntOp`",
            ),
            ("b0:\n  %0 = Int(Lop3(256), b32) %1", "line 3, column 17: "),
            (
                "b0:\n  %0 = Not(3) %1",
                "line 3, column 8: Unexpected variant named `Not`",
            ),
            (
                "b0:\n  %0 = store.b32 flat[0], 1",
                "line 3, column 8: expected an operation with results, found `store`",
            ),
            (
                "b0:\n  %0, %1 = special Clock",
                "line 3, column 3: `special` has one result, not 2",
            ),
            (
                "b0:\n  special Clock",
                "line 3, column 3: `special` has one result, not 0",
            ),
            (
                "b0:\n  %0 = Mov(b32) 1, 2, 3, 4, 5",
                "line 3, column 17: 5 operands, more than 4",
            ),
            (
                "b0:\n  store.b32 flat[0 + 9223372036854775808], 1",
                "line 3, column 22: an offset has 64 bits",
            ),
            (
                "b0:\n  store.b32 heap[0], 1",
                "line 3, column 13: expected a state space, found `heap`",
            ),
            (
                "b0:\n  store.b32 flat[0], 18446744073709551616",
                "expected a number of 64 bits",
            ),
            (
                "b0:\n  é",
                "line 3, column 3: expected an instruction or the end of the block, found `é`",
            ),
            (
                "b0:\n",
                "line 4, column 1: expected an instruction or the end of the block, found `}`",
            ),
            (
                "b0: exit }\nmore",
                "line 3, column 1: expected the end of the text, found `more`",
            ),
        ] {
            let error = error(body);
            assert!(
                error.starts_with(said) || error.contains(said),
                "{body}: {error}"
            );
        }
        let cut = "function \"k\" () -> () local 0 {".parse::<Function>();
        assert!(cut.is_err_and(|e| e.message.ends_with("found the end of the text")));
    }
}
