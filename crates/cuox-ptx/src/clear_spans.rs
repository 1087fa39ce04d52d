//! Forgets where things stood, so that trees from different texts can be compared.

use crate::ast::*;

impl Module {
    /// Sets every span to the empty one.
    pub fn clear_spans(&mut self) {
        for item in &mut self.items {
            match item {
                Item::Variable(v) => variable(v),
                Item::Function(f) => {
                    f.span = Span::default();
                    f.returns.iter_mut().for_each(variable);
                    f.params.iter_mut().for_each(variable);
                    if let Some(body) = &mut f.body {
                        statements(body);
                    }
                }
                Item::Alias { span, .. } => *span = Span::default(),
                Item::Pragma(_) => {}
            }
        }
    }
}

fn variable(v: &mut Variable) {
    v.span = Span::default();
    if let Some(i) = &mut v.init {
        init(i);
    }
}

fn init(i: &mut Init) {
    match i {
        Init::List(list) => list.iter_mut().for_each(init),
        Init::Symbol { span, .. } => *span = Span::default(),
        Init::Integer(_) | Init::Float32(_) | Init::Float64(_) => {}
    }
}

fn statements(list: &mut [Statement]) {
    for s in list {
        match s {
            Statement::Variable(v) => variable(v),
            Statement::Label { span, .. }
            | Statement::BranchTargets { span, .. }
            | Statement::CallTargets { span, .. } => *span = Span::default(),
            Statement::Instruction(i) => instruction(i),
            Statement::Block(body) => statements(body),
            Statement::CallPrototype(p) => {
                p.span = Span::default();
                p.returns.iter_mut().for_each(variable);
                p.params.iter_mut().for_each(variable);
            }
            Statement::Unknown(d) => d.span = Span::default(),
            Statement::Loc(_) | Statement::Pragma(_) => {}
        }
    }
}

fn instruction(i: &mut Instruction) {
    i.span = Span::default();
    i.opcode_span = Span::default();
    if let Some(guard) = &mut i.guard {
        guard.span = Span::default();
    }
    i.operands.iter_mut().for_each(operand);
    if let Some(call) = &mut i.call {
        operand(&mut call.callee);
        let rest = call.returns.iter_mut().chain(&mut call.args);
        rest.chain(&mut call.prototype).for_each(operand);
    }
}

fn operand(o: &mut Operand) {
    o.span = Span::default();
    match &mut o.kind {
        OperandKind::Vector(list) | OperandKind::Bracketed(list) => {
            list.iter_mut().for_each(operand);
        }
        OperandKind::Pair(a, b) => {
            operand(a);
            operand(b);
        }
        OperandKind::Negated(inner) | OperandKind::Minus(inner) => operand(inner),
        _ => {}
    }
}
