//! Functions: head, directives and body.

use super::symbols::{Signature, Symbol, VariableRole};
use super::variable::declared_space;
use super::{Parsed, Parser};
use crate::ast::{
    CallPrototype, Function, FunctionDirective, FunctionKind, InlinedAt, Linkage, Loc, Name,
    StateSpace, Statement, Variable,
};
use crate::diagnostic::{Diagnostic, Severity};
use crate::isa::VERSION;
use crate::lexer::Kind;
use crate::source::Span;

/// Directives that a device function cannot have.
const OF_KERNELS: [&str; 9] = [
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnctapersm",
    ".reqnctapercluster",
    ".maxclusterrank",
    ".explicitcluster",
    ".blocksareclusters",
    ".maxnreg",
];

/// Directives that a kernel cannot have.
const OF_FUNCTIONS: [&str; 4] = [
    ".noreturn",
    ".unique",
    ".abi_preserve",
    ".abi_preserve_control",
];

/// Most bytes of a kernel's parameters.
const MAX_PARAM_BYTES: u64 = 32764;

impl<'a> Parser<'a> {
    /// A function; the current token is `.entry` or `.func`.
    pub(super) fn function(&mut self, linkage: Linkage) -> Parsed<Function> {
        let kind = match self.word() {
            ".entry" => FunctionKind::Entry,
            _ => FunctionKind::Func,
        };
        self.advance();
        self.enter();
        let result = self.function_rest(linkage, kind);
        self.leave();
        result
    }

    fn function_rest(&mut self, linkage: Linkage, kind: FunctionKind) -> Parsed<Function> {
        if self.at_dotted(".attribute") {
            let span = self.token.span;
            return Err(self.report(Diagnostic::unsupported(
                "E-attribute",
                span,
                "`.attribute` of a function is not supported",
            )));
        }
        let mut returns = Vec::new();
        if kind == FunctionKind::Func && self.at(b'(') {
            returns = self.parameters(VariableRole::Result)?;
        }
        let (name, span) = self.expect_ident("a function name")?;
        let params = if self.at(b'(') {
            self.parameters(VariableRole::Input)?
        } else {
            Vec::new()
        };
        let directives = self.function_directives(kind)?;
        if kind == FunctionKind::Entry {
            self.check_kernel(&name, span, &params, &directives);
        }
        let signature = Signature::of(kind == FunctionKind::Entry, &returns, &params);
        self.declare_function(self.slice(span), signature, span);
        let body = if self.eat(b';') {
            None
        } else if self.at(b'{') {
            Some(self.block()?)
        } else {
            return Err(self.expected("`{`, `;` or a directive of the function"));
        };
        Ok(Function {
            linkage,
            kind,
            name,
            span,
            returns,
            params,
            directives,
            body,
        })
    }

    /// Checks of a kernel's parameters and directives.
    fn check_kernel(
        &mut self,
        name: &str,
        span: Span,
        params: &[Variable],
        directives: &[FunctionDirective],
    ) {
        use FunctionDirective as D;
        let mut bytes = 0u64;
        for v in params {
            bytes = bytes
                .next_multiple_of(u64::from(v.alignment().max(1)))
                .saturating_add(v.size());
            let why = if v.space != StateSpace::Param {
                "a kernel's parameter lives in `.param`"
            } else if v.is_unsized() {
                "a kernel's parameter has a size"
            } else {
                continue;
            };
            self.report(Diagnostic::error(
                "E-params",
                v.span,
                format!("`{}`: {why}", v.name),
            ));
        }
        if bytes > MAX_PARAM_BYTES {
            let message =
                format!("`{name}` has {bytes} bytes of parameters; {MAX_PARAM_BYTES} is the most");
            self.report(Diagnostic::error("E-params", span, message));
        }
        let has = |f: &dyn Fn(&D) -> bool| directives.iter().any(f);
        let max_block = has(&|d| matches!(d, D::MaxNTid(_)));
        let block = has(&|d| matches!(d, D::ReqNTid(_)));
        let cluster = has(&|d| matches!(d, D::ReqNCtaPerCluster(_)));
        let zero = |d: &D| match d {
            D::MaxNTid(n) | D::ReqNTid(n) => n.contains(&0),
            D::MinNCtaPerSm(n) | D::MaxNCtaPerSm(n) | D::MaxNReg(n) => *n == 0,
            _ => false,
        };
        let why = if has(&zero) {
            "the numbers of `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnctapersm` and `.maxnreg` are at least 1"
        } else if max_block && block {
            "`.maxntid` and `.reqntid` do not go together"
        } else if cluster && has(&|d| matches!(d, D::MaxClusterRank(_))) {
            "`.reqnctapercluster` and `.maxclusterrank` do not go together"
        } else if has(&|d| matches!(d, D::BlocksAreClusters)) && !(block && cluster) {
            "`.blocksareclusters` needs `.reqntid` and `.reqnctapercluster`"
        } else {
            return;
        };
        self.report(Diagnostic::error("E-directive", span, why));
    }

    fn function_directives(&mut self, kind: FunctionKind) -> Parsed<Vec<FunctionDirective>> {
        use FunctionDirective as D;
        let mut list = Vec::new();
        while self.token.kind == Kind::Dotted {
            let word = self.word();
            let wrong = match kind {
                FunctionKind::Func if OF_KERNELS.contains(&word) => Some("a `.func`"),
                FunctionKind::Entry if OF_FUNCTIONS.contains(&word) => Some("an `.entry`"),
                _ => None,
            };
            if let Some(this) = wrong {
                let message = format!("{this} takes no `{word}`");
                return Err(self.report(Diagnostic::error(
                    "E-directive",
                    self.token.span,
                    message,
                )));
            }
            let number = |p: &mut Self| {
                p.advance();
                p.expect_u32("a number")
            };
            list.push(match word {
                ".maxntid" => D::MaxNTid(self.dimensions()?),
                ".reqntid" => D::ReqNTid(self.dimensions()?),
                ".reqnctapercluster" => D::ReqNCtaPerCluster(self.dimensions()?),
                ".minnctapersm" => D::MinNCtaPerSm(number(self)?),
                ".maxnctapersm" => D::MaxNCtaPerSm(number(self)?),
                ".maxnreg" => D::MaxNReg(number(self)?),
                ".maxclusterrank" => D::MaxClusterRank(number(self)?),
                ".abi_preserve" => D::AbiPreserve(number(self)?),
                ".abi_preserve_control" => D::AbiPreserveControl(number(self)?),
                ".explicitcluster" => {
                    self.advance();
                    D::ExplicitCluster
                }
                ".blocksareclusters" => {
                    self.advance();
                    D::BlocksAreClusters
                }
                ".noreturn" => {
                    self.advance();
                    D::NoReturn
                }
                ".unique" => {
                    self.advance();
                    D::Other(self.name(&word[1..]))
                }
                ".pragma" => D::Pragma(self.pragma()?),
                _ => {
                    let span = self.token.span;
                    return Err(self.report(Diagnostic::error(
                        "E-directive",
                        span,
                        format!("`{word}` is not a directive of a function"),
                    )));
                }
            });
        }
        Ok(list)
    }

    /// One to three numbers after a directive.
    fn dimensions(&mut self) -> Parsed<Vec<u32>> {
        let directive = self.advance().span;
        let mut list = vec![self.expect_u32("a number of threads")?];
        while self.eat(b',') {
            list.push(self.expect_u32("a number of threads")?);
        }
        if list.len() > 3 {
            let message = format!("`{}` takes at most three numbers", self.slice(directive));
            return Err(self.error(directive, message));
        }
        Ok(list)
    }

    /// `.pragma "…", "…";` with the semicolon.
    pub(super) fn pragma(&mut self) -> Parsed<Vec<String>> {
        self.advance();
        let mut list = vec![self.expect_string("a string")?];
        while self.eat(b',') {
            list.push(self.expect_string("a string")?);
        }
        self.expect_semicolon()?;
        Ok(list)
    }

    /// Statements in braces; the current token is `{`.
    fn block(&mut self) -> Parsed<Vec<Statement>> {
        let open = self.expect(b'{')?.span;
        self.enter();
        let result = self.nested(|p| {
            let mut body = Vec::new();
            loop {
                match p.token.kind {
                    Kind::Punct(b'}') => {
                        p.advance();
                        return Ok(body);
                    }
                    Kind::Eof => {
                        let span = p.token.span;
                        return Err(p.report(
                            Diagnostic::error("E-syntax", span, "a `}` is missing at the end")
                                .with_label(open, "this `{` is not closed"),
                        ));
                    }
                    // A function cannot start inside another: the closing brace was forgotten.
                    Kind::Dotted
                        if matches!(p.word(), ".entry" | ".func" | ".visible" | ".weak") =>
                    {
                        let span = p.token.span;
                        return Err(p.report(
                            Diagnostic::error(
                                "E-syntax",
                                span,
                                "a function may not start inside another",
                            )
                            .with_label(open, "this `{` is not closed"),
                        ));
                    }
                    _ => {}
                }
                let (before, found) = (p.token.span.start, p.found.len());
                let parsed = p.statement(&mut body);
                p.put_off(found, &mut body);
                if parsed.is_err() {
                    p.recover();
                    if p.token.span.start == before && !p.at(b'}') {
                        p.advance();
                    }
                }
            }
        });
        self.leave();
        result
    }

    /// In a text of a newer PTX ISA, an instruction that the table does not know is wrong only where it is needed:
    /// takes such a complaint back that came after the first `found`, and leaves it in the body.
    fn put_off(&mut self, found: usize, body: &mut Vec<Statement>) {
        const UNKNOWN: [&str; 3] = ["E-instruction", "E-modifier", "E-operand"];
        if self.version <= VERSION
            || self.found.len() != found + 1
            || !UNKNOWN.contains(&self.found[found].code)
        {
            return;
        }
        if let Some(mut diagnostic) = self.found.pop() {
            if diagnostic.code == "E-operand" {
                // The instruction is there, with operands it cannot have.
                body.pop();
            }
            diagnostic.severity = Severity::Unsupported;
            body.push(Statement::Unknown(Box::new(diagnostic)));
        }
    }

    fn statement(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        match self.token.kind {
            Kind::Ident => self.label_or_instruction(body),
            Kind::Punct(b'@') => {
                body.push(Statement::Instruction(self.guarded_instruction()?));
                Ok(())
            }
            Kind::Punct(b'{') => {
                body.push(Statement::Block(self.block()?));
                Ok(())
            }
            Kind::Dotted => self.body_directive(body),
            _ => Err(self.expected("a statement")),
        }
    }

    fn label_or_instruction(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        let text = self.text.as_bytes();
        let span = self.token.span;
        if text.get(span.end as usize) == Some(&b'.') {
            body.push(Statement::Instruction(self.instruction()?));
            return Ok(());
        }
        self.advance();
        if !self.eat(b':') {
            body.push(Statement::Instruction(self.instruction_after(span)?));
            return Ok(());
        }
        let text = self.slice(span);
        let name = self.name(text);
        let directive = match self.token.kind {
            Kind::Dotted => self.word(),
            _ => "",
        };
        match directive {
            ".branchtargets" => {
                let labels = self.name_list()?;
                self.declare(text, None, Symbol::Branches, span);
                for label in &labels {
                    self.want_label(label, span);
                }
                body.push(Statement::BranchTargets { name, labels, span });
            }
            ".calltargets" => {
                let functions = self.name_list()?;
                self.declare(text, None, Symbol::Targets, span);
                body.push(Statement::CallTargets {
                    name,
                    functions,
                    span,
                });
            }
            ".callprototype" => {
                let prototype = self.call_prototype(name, span)?;
                body.push(Statement::CallPrototype(prototype));
            }
            _ => {
                self.declare(text, None, Symbol::Label, span);
                body.push(Statement::Label { name, span });
            }
        }
        Ok(())
    }

    fn name_list(&mut self) -> Parsed<Vec<Name>> {
        self.advance();
        let mut list = vec![self.expect_ident("a name")?.0];
        while self.eat(b',') {
            list.push(self.expect_ident("a name")?.0);
        }
        self.expect_semicolon()?;
        Ok(list)
    }

    fn call_prototype(&mut self, name: Name, span: Span) -> Parsed<CallPrototype> {
        self.advance();
        // Its parameters are not registers of this function.
        self.enter();
        let result = self.prototype_rest(name, span);
        self.leave();
        let prototype = result?;
        let signature = Signature::of(false, &prototype.returns, &prototype.params);
        let text = self.slice(span);
        let symbol = Symbol::Prototype(self.signatures.len() as u32);
        self.signatures.push(signature);
        self.declare(text, None, symbol, span);
        Ok(prototype)
    }

    fn prototype_rest(&mut self, name: Name, span: Span) -> Parsed<CallPrototype> {
        let returns = if self.at(b'(') {
            self.parameters(VariableRole::Result)?
        } else {
            Vec::new()
        };
        self.expect_ident("`_`")?;
        let params = if self.at(b'(') {
            self.parameters(VariableRole::Input)?
        } else {
            Vec::new()
        };
        let mut noreturn = false;
        loop {
            if self.eat_dotted(".noreturn") {
                noreturn = true;
            } else if self.at_dotted(".abi_preserve") || self.at_dotted(".abi_preserve_control") {
                let span = self.token.span;
                let word = self.word();
                return Err(self.report(Diagnostic::unsupported(
                    "E-directive",
                    span,
                    format!("`{word}` of a call prototype is not supported"),
                )));
            } else {
                break;
            }
        }
        self.expect_semicolon()?;
        Ok(CallPrototype {
            name,
            span,
            returns,
            params,
            noreturn,
        })
    }

    fn body_directive(&mut self, body: &mut Vec<Statement>) -> Parsed<()> {
        let word = self.word();
        if declared_space(word).is_some() {
            return self.variables(Linkage::None, |v| body.push(Statement::Variable(v)));
        }
        match word {
            ".loc" => body.push(Statement::Loc(self.loc()?)),
            ".pragma" => body.push(Statement::Pragma(self.pragma()?)),
            ".extern" | ".common" => {
                let linkage = if word == ".extern" {
                    Linkage::Extern
                } else {
                    Linkage::Common
                };
                self.advance();
                return self.variables(linkage, |v| body.push(Statement::Variable(v)));
            }
            _ => {
                let span = self.token.span;
                return Err(self.report(Diagnostic::error(
                    "E-directive",
                    span,
                    format!("unknown directive `{word}`"),
                )));
            }
        }
        Ok(())
    }

    /// `.loc file line column[, function_name label[+n], inlined_at file line column]`
    fn loc(&mut self) -> Parsed<Loc> {
        self.advance();
        let file = self.expect_u32("a file number")?;
        let line = self.expect_u32("a line number")?;
        let column = self.expect_u32("a column number")?;
        let mut inlined_at = None;
        if self.eat(b',') {
            if self.word() != "function_name" {
                return Err(self.expected("`function_name`"));
            }
            self.advance();
            let (function_name, _) = self.expect_ident("a label of the debug strings")?;
            let offset = if self.eat(b'+') {
                self.expect_u32("an offset")?
            } else {
                0
            };
            self.expect(b',')?;
            if self.word() != "inlined_at" {
                return Err(self.expected("`inlined_at`"));
            }
            self.advance();
            inlined_at = Some(InlinedAt {
                function_name,
                offset,
                file: self.expect_u32("a file number")?,
                line: self.expect_u32("a line number")?,
                column: self.expect_u32("a column number")?,
            });
        }
        // Generated code has none here; hand-written code may.
        self.eat(b';');
        Ok(Loc {
            file,
            line,
            column,
            inlined_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ast::{Linkage, Module, OperandKind, Statement};

    fn module(text: &str) -> Module {
        crate::parse(&format!(".version 9.0\n.target sm_90\n{text}"))
            .unwrap_or_else(|d| panic!("{d}"))
    }

    fn body(text: &str) -> Vec<Statement> {
        let m = module(&format!(
            ".func (.param .b32 _) f(.param .b64 _); .func (.param .b32 _) g(.param .b64 _);
             .entry k() {{ .reg .b32 %r1; .reg .b64 %rd1, %rd2; {text} }}"
        ));
        let f = m.functions().last().cloned();
        let mut body = f.and_then(|f| f.body).unwrap_or_default();
        body.split_off(3)
    }

    #[test]
    fn directives() {
        let m = module(
            ".visible .entry k() .maxntid 128 .minnctapersm 2 .maxnreg 32 { exit; }
             .visible .entry j() .reqntid 8, 4 { exit; } .func f() .noreturn { exit; }",
        );
        let all: Vec<_> = m.functions().collect();
        let [f, j, last] = all[..] else {
            panic!("{all:?}")
        };
        assert!(f.is_entry() && !last.is_entry() && last.is_noreturn());
        assert_eq!(f.linkage, Linkage::Visible);
        assert_eq!(f.max_threads(), Some([128, 1, 1]));
        assert_eq!(j.required_threads(), Some([8, 4, 1]));
        assert_eq!(f.required_cluster(), None);
        assert_eq!(f.directives.len(), 3);
    }

    #[test]
    fn registers_are_known_in_their_block_only() {
        let list = body(
            "{ .reg .b32 a; mov.b32 %r1, a; } .shared .b64 a; mov.b32 %r1, a; { .reg .b64 %r1; mov.b64 %r1, a; }",
        );
        let source = |s: &Statement| match s {
            Statement::Instruction(i) => i.operands[1].kind.clone(),
            other => panic!("{other:?}"),
        };
        let (Statement::Block(first), Statement::Block(last)) = (&list[0], &list[3]) else {
            panic!("{list:?}");
        };
        assert!(matches!(source(&first[1]), OperandKind::Register(_)));
        assert!(matches!(source(&list[2]), OperandKind::Symbol { .. }));
        assert!(matches!(source(&last[1]), OperandKind::Symbol { .. }));
        let text = ".version 9.0\n.target sm_90\n.entry k() { { .reg .b32 a; } mov.b32 a, 1; }";
        let refused = crate::parse(text).map_err(|d| d.list()[0].message.clone());
        assert_eq!(refused, Err("`a` is not declared".into()));
    }

    #[test]
    fn tables_and_prototypes() {
        let list = body(
            "t: .branchtargets a, b; brx.idx %r1, t; a: b: c: .calltargets f, g; \
             p: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn; call (%r1), %rd1, (%rd2), p;",
        );
        let printed: Vec<String> = list.iter().map(ToString::to_string).collect();
        assert_eq!(
            printed,
            [
                "t: .branchtargets a, b;",
                "brx.idx %r1, t;",
                "a:",
                "b:",
                "c: .calltargets f, g;",
                "p: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;",
                "call (%r1), %rd1, (%rd2), p;",
            ]
        );
    }

    #[test]
    fn positions_of_the_source() {
        let list =
            body(".loc 1 2 3 .loc 1 4 5, function_name $L__info_string0, inlined_at 1 6 7 ret;");
        let printed: Vec<String> = list.iter().map(ToString::to_string).collect();
        assert_eq!(
            printed,
            [
                ".loc 1 2 3",
                ".loc 1 4 5, function_name $L__info_string0, inlined_at 1 6 7",
                "ret;"
            ]
        );
    }
}
