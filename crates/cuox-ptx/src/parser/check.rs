//! Checks that the names in an instruction are declared, and stand for symbols of the right kind.

use super::Parser;
use super::symbols::{Signature, Symbol, VariableRole, VariableSymbol};
use crate::ast::{
    AddressBase, CallOperands, Guard, Instruction, Modifiers, Name, Opcode, Operand, OperandKind,
    ScalarType, StateSpace, TypeKind,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Parser<'_> {
    /// A guard is a predicate register.
    pub(super) fn check_guard(&mut self, guard: &Guard) {
        let Some(symbol) = self.known(&guard.register, guard.span) else {
            return;
        };
        let what = match symbol {
            Symbol::Register(r) if r.ty == ScalarType::Pred => return,
            Symbol::Register(r) => format!("a `{}` register", r.ty),
            other => other.describe().to_string(),
        };
        let message = format!(
            "a guard is a predicate register, and `{}` is {what}",
            guard.register
        );
        self.refuse(guard.span, message);
    }

    /// Checks the names in an instruction's operands; false if something was said.
    pub(super) fn check_names(
        &mut self,
        opcode: Opcode,
        modifiers: &Modifiers,
        operands: &[Operand],
    ) -> bool {
        let before = self.found.len();
        for operand in operands {
            self.check_operand(opcode, modifiers, operand);
        }
        self.found.len() == before
    }

    fn check_operand(&mut self, opcode: Opcode, modifiers: &Modifiers, operand: &Operand) {
        let span = operand.span;
        match &operand.kind {
            OperandKind::Register(name) | OperandKind::Selected { register: name, .. } => {
                if let Some(symbol) = self.known(name, span)
                    && !matches!(symbol, Symbol::Register(_))
                {
                    let message = format!("`{name}` is {}, not a register", symbol.describe());
                    self.refuse(span, message);
                }
            }
            OperandKind::Symbol { name, .. } => self.check_symbol(opcode, modifiers, name, span),
            OperandKind::Address { base, .. } => {
                let space = accessed(opcode, modifiers);
                self.check_address(opcode, base, space, span);
            }
            OperandKind::Bracketed(list) | OperandKind::Vector(list) => {
                for inner in list {
                    self.check_operand(opcode, modifiers, inner);
                }
            }
            OperandKind::Pair(a, b) => {
                self.check_operand(opcode, modifiers, a);
                self.check_operand(opcode, modifiers, b);
            }
            OperandKind::Negated(a) | OperandKind::Minus(a) => {
                self.check_operand(opcode, modifiers, a);
            }
            _ => {}
        }
    }

    fn check_symbol(&mut self, opcode: Opcode, modifiers: &Modifiers, name: &Name, span: Span) {
        if opcode == Opcode::Bra {
            match self.lookup(name) {
                Some(Symbol::Label) => {}
                _ => self.want_label(name, span),
            }
            return;
        }
        let Some(symbol) = self.known(name, span) else {
            return;
        };
        let message = match (opcode, symbol) {
            (Opcode::BrxIdx, Symbol::Branches) => return,
            (Opcode::BrxIdx, other) => format!(
                "`brx.idx` takes a table of `.branchtargets`; `{name}` is {}",
                other.describe()
            ),
            (_, Symbol::Variable(place)) => match wrong_place(opcode, modifiers, &place) {
                Some(why) => format!("{why} `{name}`"),
                None => return,
            },
            (_, Symbol::Function(_)) => return,
            (_, other) => format!("`{name}` is {}, which has no address", other.describe()),
        };
        self.refuse(span, message);
    }

    /// An address in brackets, of an access to `space` where that is known; `None` in it is generic.
    fn check_address(
        &mut self,
        opcode: Opcode,
        base: &AddressBase,
        space: Option<Option<StateSpace>>,
        span: Span,
    ) {
        use StateSpace as S;
        match base {
            AddressBase::Absolute => match space {
                None | Some(Some(S::Local)) => {}
                Some(_) => {
                    let message =
                        "a constant is an address in `.local` only; elsewhere a register holds it";
                    self.refuse(span, message);
                }
            },
            AddressBase::Register(name) => {
                let message = match self.known(name, span) {
                    None => return,
                    Some(Symbol::Register(r)) => {
                        let integer = r.ty.is_integer() || r.ty.kind() == TypeKind::Bits;
                        let wide = matches!(space, Some(None | Some(S::Global)));
                        match r.ty.bits() {
                            64 if integer => return,
                            32 if integer && !wide => return,
                            32 if integer => {
                                format!("`{name}` has 32 bits where an address has 64")
                            }
                            _ => format!("`{name}` is a `{}` register, not an address", r.ty),
                        }
                    }
                    Some(other) => format!("`{name}` is {}, not a register", other.describe()),
                };
                self.refuse(span, message);
            }
            AddressBase::Symbol(name) => {
                let message = match self.known(name, span) {
                    None => return,
                    Some(Symbol::Variable(place)) => match access(opcode, space, &place) {
                        Some(why) => format!("`{name}` {why}"),
                        None => return,
                    },
                    Some(other) => format!("`{name}` is {}, not a variable", other.describe()),
                };
                self.refuse(span, message);
            }
        }
    }

    /// Checks that a call agrees with the function it calls.
    pub(super) fn check_call(&mut self, i: &Instruction, call: &CallOperands) {
        for operand in call.returns.iter().chain(&call.args) {
            match &operand.kind {
                OperandKind::Register(name) | OperandKind::Symbol { name, .. } => {
                    self.known(name, operand.span);
                }
                _ => {}
            }
        }
        let span = call.callee.span;
        let signature = match (&call.callee.kind, &call.prototype) {
            (OperandKind::Symbol { name, .. }, _) => match self.known(name, span) {
                None => return,
                Some(Symbol::Function(at)) => at,
                Some(other) => {
                    let message = format!("`{name}` is {}, not a function", other.describe());
                    return self.refuse(span, message);
                }
            },
            (OperandKind::Register(name), prototype) => {
                if self.known(name, span).is_none() {
                    return;
                }
                let Some(prototype) = prototype else {
                    let message =
                        format!("a call through `{name}` needs a prototype or a table of targets");
                    return self.refuse(span, message);
                };
                let OperandKind::Symbol { name, .. } = &prototype.kind else {
                    return;
                };
                match self.known(name, prototype.span) {
                    Some(Symbol::Prototype(at)) => at,
                    None | Some(Symbol::Targets) => return,
                    Some(other) => {
                        let message =
                            format!("`{name}` is {}, not a call prototype", other.describe());
                        return self.refuse(prototype.span, message);
                    }
                }
            }
            _ => return,
        };
        let signature = self.signatures[signature as usize].clone();
        if !signature.entry {
            self.check_arguments(i, call, &signature);
        }
    }

    fn check_arguments(&mut self, i: &Instruction, call: &CallOperands, signature: &Signature) {
        let sides = [
            ("result", &call.returns, &signature.returns),
            ("argument", &call.args, &signature.params),
        ];
        for (what, given, wanted) in sides {
            if given.len() != wanted.len() {
                let plural = if wanted.len() == 1 { "" } else { "s" };
                let message = format!(
                    "the function has {} {what}{plural}, the call {}",
                    wanted.len(),
                    given.len()
                );
                return self.refuse(i.opcode_span, message);
            }
            for (n, (operand, formal)) in given.iter().zip(wanted).enumerate() {
                if let Some(why) = self.mismatch(operand, formal) {
                    let message = format!("{what} {} of the call: {why}", n + 1);
                    self.refuse(operand.span, message);
                }
            }
        }
    }

    /// The reason why an operand of a call does not agree with a parameter.
    fn mismatch(&self, operand: &Operand, formal: &VariableSymbol) -> Option<String> {
        let (OperandKind::Register(name) | OperandKind::Symbol { name, .. }) = &operand.kind else {
            return None;
        };
        match self.lookup(name)? {
            Symbol::Register(r) => {
                let bytes = u64::from(r.ty.bytes()) * u64::from(r.vector);
                (bytes != formal.bytes || r.ty == ScalarType::Pred).then(|| {
                    format!(
                        "`{name}` is a `{}` register, the parameter has {} bytes",
                        r.ty, formal.bytes
                    )
                })
            }
            Symbol::Variable(place) if place.space != StateSpace::Param => Some(format!(
                "`{name}` is not a parameter, but in `{}`",
                place.space
            )),
            Symbol::Variable(place) if place.bytes != formal.bytes => Some(format!(
                "`{name}` has {} bytes, the parameter {}",
                place.bytes, formal.bytes
            )),
            Symbol::Variable(place) if place.align < formal.align => Some(format!(
                "`{name}` is aligned to {} bytes, the parameter to {}",
                place.align, formal.align
            )),
            _ => None,
        }
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error("E-operand", span, message));
    }

    /// The symbol of a name. Reports a name without one, unless a declaration could not be read.
    fn known(&mut self, name: &str, span: Span) -> Option<Symbol> {
        let found = self.lookup(name);
        if found.is_none() && !self.lost {
            let message = format!("`{name}` is not declared");
            self.report(Diagnostic::error("E-name", span, message));
        }
        found
    }
}

/// The space that an instruction's addresses are in, where its modifiers alone say so.
fn accessed(opcode: Opcode, modifiers: &Modifiers) -> Option<Option<StateSpace>> {
    use Opcode as O;
    match opcode {
        O::MbarrierInit
        | O::MbarrierInval
        | O::MbarrierExpectTx
        | O::MbarrierCompleteTx
        | O::MbarrierArrive
        | O::MbarrierArriveDrop
        | O::MbarrierTestWait
        | O::MbarrierTryWait
        | O::CpAsyncMbarrierArrive => Some(Some(StateSpace::Shared)),
        O::Ld | O::LdU | O::St | O::Atom | O::Red | O::Prefetch | O::PrefetchU => {
            Some(modifiers.space())
        }
        _ => None,
    }
}

/// The reason why an instruction may not access a variable.
fn access(
    opcode: Opcode,
    space: Option<Option<StateSpace>>,
    place: &VariableSymbol,
) -> Option<String> {
    use StateSpace as S;
    if place.space == S::Param {
        match (opcode, place.role) {
            (Opcode::St, VariableRole::Input) => {
                return Some("is a parameter, which is only read".into());
            }
            (Opcode::Ld, VariableRole::Result) => {
                return Some("is a result, which is only written".into());
            }
            _ => {}
        }
    }
    let named = space?;
    let fits = match named {
        // Constants and parameters have no generic addresses by themselves.
        None => matches!(place.space, S::Global | S::Shared | S::Local | S::Tex),
        Some(S::SharedCluster) => place.space == S::Shared,
        Some(named) => named == place.space,
    };
    let words = match named {
        None => "a generic address".to_string(),
        Some(named) => format!("`{named}`"),
    };
    (!fits).then(|| format!("is in `{}`; the instruction accesses {words}", place.space))
}

/// The reason why an instruction may not take the address of a variable.
fn wrong_place(
    opcode: Opcode,
    modifiers: &Modifiers,
    place: &VariableSymbol,
) -> Option<&'static str> {
    use StateSpace as S;
    match opcode {
        Opcode::Mov => {
            let narrow = modifiers.first_type().is_some_and(|t| t.bits() < 64);
            match place.space {
                S::Param if place.role == VariableRole::Plain => {
                    Some("a parameter of a call has no address:")
                }
                S::Global | S::Tex if narrow => Some("32 bits do not hold the address of"),
                _ => None,
            }
        }
        Opcode::GetCtaRank | Opcode::MapA => {
            (place.space != S::Shared).then_some("not in shared memory is")
        }
        Opcode::Cvta if modifiers.to() => Some("a generic address is wanted, not that of"),
        Opcode::Cvta => {
            let named = modifiers.space();
            let fits = match named {
                Some(S::SharedCluster) => place.space == S::Shared,
                named => named == Some(place.space),
            };
            (!fits).then_some("another state space is that of")
        }
        _ => None,
    }
}
