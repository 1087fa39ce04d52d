//! Lowering: the syntax trees of a kernel and of the functions it calls become the IR.
//!
//! There is one file per instruction family; only `dispatch` maps opcodes to families. A family's function reads
//! operands through `operand` (types, immediates, widths), emits through `build`, and returns an error for what it
//! cannot lower. An error ends the instruction, not the function, so that one run reports all errors.

mod atomic;
mod build;
mod bulk;
mod cluster;
mod compare;
mod contract;
mod control;
mod convert;
mod device_runtime;
mod dispatch;
mod driver_functions;
mod f16;
mod float;
mod image;
mod int;
mod logic;
mod matrix;
mod mbarrier;
mod memory;
mod misc;
mod moves;
mod names;
mod open_block;
mod operand;
mod packed;
mod reach;
mod stack;
mod sync;
mod tensor;
mod video;
mod wgmma;
mod wmma;

pub(crate) use reach::{Event, Reach, reach, visit};

use crate::ir::{Lowered, Reg, Unit};
use crate::passes;
use crate::program::{KernelInfo, Program, Symbol, declaration_key};
use build::Lower;
use cuox_ptx::ast::{self, Instruction, OperandKind, Span, Statement};
use cuox_ptx::diagnostic::Diagnostic;
use names::Entity;
use std::collections::HashSet;

/// Boxed, because a diagnostic is large and rare.
type Result<T> = std::result::Result<T, Box<Diagnostic>>;

fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("E-lower", span, message))
}

fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(error(span, message))
}

/// Returns the error for an instruction that is not supported.
fn unsupported<T>(i: &Instruction) -> Result<T> {
    Err(Box::new(Diagnostic::unsupported(
        "E-unsupported",
        i.opcode_span,
        format!(
            "instruction `{}{}` is not supported yet",
            i.opcode, i.modifiers
        ),
    )))
}

/// Returns the error for an instruction of targets other than sm_90.
fn requires<T>(i: &Instruction, target: &str) -> Result<T> {
    requires_with(i, "", target)
}

/// Returns the error for a form of an instruction that belongs to targets other than sm_90; `form` describes it.
fn requires_with<T>(i: &Instruction, form: &str, target: &str) -> Result<T> {
    Err(Box::new(Diagnostic::unsupported(
        "E-target",
        i.opcode_span,
        format!(
            "instruction `{}{}`{form} requires {target}; the software GPU has those of sm_90 and older",
            i.opcode, i.modifiers
        ),
    )))
}

/// The number of diagnostics after which lowering of a kernel stops.
const MAX_ERRORS: usize = 20;

/// The module's part of the lowering state: everything outside the current function.
struct Context<'a> {
    program: &'a Program,
    reach: &'a Reach,
    kernel: &'a KernelInfo,
}

impl Context<'_> {
    fn line(&self, span: Span) -> u32 {
        self.program.line(span)
    }

    fn shared_offset(&self, v: &ast::Variable, _line: u32) -> Result<u32> {
        match self.reach.shared.get(&declaration_key(v)) {
            Some(&offset) => Ok(offset),
            None => fail(
                v.span,
                format!("`{}` has no address in shared memory", v.name),
            ),
        }
    }

    fn module_shared(&self, item: u32) -> Option<u32> {
        let v = self.program.variable_at(item)?;
        self.reach.shared.get(&declaration_key(v)).copied()
    }

    fn local_variable(&self, v: &ast::Variable) -> Option<u32> {
        self.program.body_variable(v)
    }
}

/// Lowers a kernel and all functions that it calls.
pub(crate) fn unit(program: &Program, item: u32) -> std::result::Result<Unit, Vec<Diagnostic>> {
    let (Some(entry), Some(kernel)) = (program.function_at(item), program.info_at(item)) else {
        return Err(vec![Diagnostic::bug(
            "E-kernel",
            Span::default(),
            "the kernel's declaration is missing",
        )]);
    };
    let reach = reach(program, entry).map_err(|e| vec![*e])?;
    let cx = Context {
        program,
        reach: &reach,
        kernel,
    };
    let mut errors = Vec::new();
    let taken = if reach.indirect {
        program.address_taken()
    } else {
        &[]
    };
    let kernel = function(&cx, entry, &mut errors);
    let mut functions = Vec::new();
    for &id in &reach.functions {
        let Some(f) = program.function(id) else {
            continue;
        };
        let lowered = function(&cx, f, &mut errors);
        if errors.len() >= MAX_ERRORS {
            break;
        }
        functions.extend(lowered.map(|l| (id, l)));
    }
    match kernel {
        Some(kernel) if errors.is_empty() => {
            passes::assemble(kernel, functions, taken, reach.static_shared)
                .map_err(|message| vec![Diagnostic::unsupported("E-size", entry.span, message)])
        }
        _ => Err(errors),
    }
}

/// Lowers one function; `None` if it has errors.
fn function(cx: &Context<'_>, f: &ast::Function, errors: &mut Vec<Diagnostic>) -> Option<Lowered> {
    let before = errors.len();
    let result = lower_function(cx, f, errors);
    match result {
        Ok(lowered) if errors.len() == before => Some(lowered),
        Ok(_) => None,
        Err(error) => {
            errors.push(*error);
            None
        }
    }
}

fn lower_function(
    cx: &Context<'_>,
    f: &ast::Function,
    errors: &mut Vec<Diagnostic>,
) -> Result<Lowered> {
    let body = f.body.as_deref().unwrap_or_default();
    let mut l = Lower::new(cx, f.is_entry());
    l.line = cx.line(f.span);
    l.scopes.push(names::Scope::default());
    let (mut params, mut results) = (Vec::new(), Vec::new());
    if f.is_entry() {
        for (v, p) in f.params.iter().zip(&cx.kernel.params) {
            l.bind(&v.name, Entity::Param(p.offset));
        }
    } else {
        let mut taken = Vec::new();
        visit_address_taken(body, &mut taken);
        params = l.declare_formals(&f.params, false, |name| taken.contains(&name))?;
        results = l.declare_formals(&f.returns, true, |_| false)?;
    }
    l.open_stack(body, f.span)?;
    let mut targets = HashSet::new();
    visit_targets(body, &mut targets);
    statements(&mut l, body, &targets, errors, 0);
    l.finish(&f.name, params, results)
}

/// The largest nesting depth of braces; limits recursion.
const MAX_DEPTH: usize = 64;

fn statements<'a>(
    l: &mut Lower<'a>,
    body: &'a [Statement],
    targets: &HashSet<&str>,
    errors: &mut Vec<Diagnostic>,
    depth: usize,
) {
    errors.extend(l.open_scope(body).err().map(|error| *error));
    for statement in body {
        if errors.len() >= MAX_ERRORS {
            break;
        }
        let result = match statement {
            Statement::Variable(v) => l.declare(v),
            Statement::Label { name, span } => l.label(name, *span).map(|block| {
                l.fall_into(block);
                if targets.contains(name.as_str()) {
                    l.begin_stretch();
                }
            }),
            Statement::Instruction(i) => {
                l.line = l.cx.line(i.span);
                dispatch::instruction(l, i)
            }
            Statement::Block(inner) if depth < MAX_DEPTH => {
                statements(l, inner, targets, errors, depth + 1);
                Ok(())
            }
            Statement::Block(_) => fail(Span::default(), "braces are nested too deeply"),
            Statement::Unknown(diagnostic) => Err(diagnostic.clone()),
            _ => Ok(()),
        };
        if let Err(error) = result {
            errors.push(*error);
        }
    }
    l.close_scope();
}

/// Collects the labels that branches go to. (Compilers emit others for debuggers.)
fn visit_targets<'a>(body: &'a [Statement], found: &mut HashSet<&'a str>) {
    for statement in body {
        match statement {
            Statement::Block(inner) => visit_targets(inner, found),
            Statement::BranchTargets { labels, .. } => {
                found.extend(labels.iter().map(|label| label.as_str()));
            }
            Statement::Instruction(i) if i.opcode == ast::Opcode::Bra => {
                if let Some(OperandKind::Symbol { name, .. } | OperandKind::Register(name)) =
                    i.operands.first().map(|o| &o.kind)
                {
                    found.insert(name);
                }
            }
            _ => {}
        }
    }
}

/// Collects the names whose address a `mov` or `cvta` takes.
fn visit_address_taken<'a>(body: &'a [Statement], found: &mut Vec<&'a str>) {
    for statement in body {
        match statement {
            Statement::Block(inner) => visit_address_taken(inner, found),
            Statement::Instruction(i)
                if matches!(i.opcode, ast::Opcode::Mov | ast::Opcode::Cvta) =>
            {
                if let Some(OperandKind::Symbol { name, .. }) = i.operands.get(1).map(|o| &o.kind) {
                    found.push(name);
                }
            }
            _ => {}
        }
    }
}

/// An instruction's destination register; `None` if the result is discarded.
type Dest = Option<Reg>;
