//! `breakpoint()`, and stops at each statement behind it.
//!
//! A stop is a call of the software GPU's function with a text about the place, as JSON, and the addresses of the variables. Their addresses make the
//! compiler of CUDA C++ keep all of them up to date there, and read them again behind it.

use std::fmt::Write as _;

use super::frame::{Arguments, Bound, Frame};
use crate::ast::{ExprKind, Stmt, StmtKind};
use crate::code::escaped;
use crate::compiled::Breakpoints;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::Operand;
use crate::types::Type;

/// The places whose addresses a stop has, by the numbers that its text has for them.
#[derive(Default)]
struct Addresses(Vec<String>);

/// A text as JSON.
fn quoted(text: &str) -> String {
    let mut all = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                all.push('\\');
                all.push(c);
            }
            c if (c as u32) < 0x20 => {
                let _ = write!(all, "\\u{:04x}", c as u32);
            }
            c => all.push(c),
        }
    }
    all.push('"');
    all
}

/// A number or text that is known now, as JSON; `None` for others.
fn constant(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "NaN".to_owned(),
        Value::Float(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            format!("{sign}Infinity")
        }
        Value::Float(value) => format!("{value:?}"),
        Value::Typed(_, value) => return constant(value),
        Value::Tuple(items) => {
            let items: Option<Vec<_>> = items.iter().map(constant).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Str(text) => quoted(text),
        _ => return None,
    })
}

impl Frame<'_, '_> {
    /// The call `breakpoint()`.
    pub(crate) fn breakpoint(&mut self, arguments: Arguments) -> Result<Operand> {
        if !arguments.positional.is_empty() || !arguments.keywords.is_empty() {
            return Err(Failure::new(
                Code::Arguments,
                "breakpoint() takes no arguments in a kernel",
            ));
        }
        self.program.has_breakpoints = true;
        match self.options().breakpoints {
            Breakpoints::Refused => {
                return Err(Failure::new(
                    Code::Unsupported,
                    "breakpoint() is for kernels that are compiled for debugging",
                )
                .help("write @cuda.jit(debug=True)"));
            }
            Breakpoints::Ignored => {}
            Breakpoints::Instruction => self.code.statement("asm volatile(\"brkpt;\");"),
            Breakpoints::Called => {
                let call = self.stop();
                let text = match &self.steps {
                    Some(steps) => format!("{steps} = {call};"),
                    None => format!("{call};"),
                };
                self.code.statement(text);
            }
        }
        Ok(Operand::Constant(Value::None))
    }

    /// Declares the variable for steps, in a function with breakpoints.
    pub(super) fn begin_steps(&mut self) {
        if self.scan.has_breakpoint && self.options().breakpoints == Breakpoints::Called {
            let steps = self.new_name("stepping");
            self.code.statement(format!("int {steps} = 0;"));
            self.steps = Some(steps);
        }
    }

    /// A stop before a statement, for threads that go step by step.
    pub(super) fn step(&mut self, stmt: &Stmt) {
        // A docstring is no step, and a breakpoint stops by itself.
        let is_skipped = match &stmt.kind {
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Constant(_) => true,
                ExprKind::Call { function, .. } => {
                    matches!(&function.kind, ExprKind::Name(name) if name == "breakpoint")
                }
                _ => false,
            },
            _ => false,
        };
        if let Some(steps) = self.steps.clone()
            && !is_skipped
        {
            let call = self.stop();
            self.code
                .statement(format!("if ({steps}) {steps} = {call};"));
        }
    }

    /// The call that stops the thread here.
    fn stop(&mut self) -> String {
        self.need("breakpoint");
        let mut addresses = Addresses::default();
        let mut names = Vec::new();
        let scope: Vec<_> = self
            .scope
            .iter()
            .map(|(name, bound)| (name.clone(), bound.clone()))
            .collect();
        for (name, bound) in scope {
            let told = match &bound {
                Bound::Variable {
                    variable,
                    ty,
                    constant,
                } => addresses.value(ty, &variable.token(), constant.is_some()),
                Bound::Operand(operand) => addresses.operand(operand),
                Bound::Conflict(why) => format!("[\"o\",{}]", quoted(why)),
            };
            names.push(format!("[{},{told}]", quoted(&name)));
        }
        let line = self.code.line;
        let parameters: Vec<_> = self.parameters.iter().map(|name| quoted(name)).collect();
        let place = format!(
            "{{\"file\":{},\"function\":{},\"first\":{},\"line\":{line},\"next\":{},\"parameters\":[{}],\"names\":[{}]}}",
            quoted(&self.source.file),
            quoted(&self.name),
            self.first_line,
            self.next_line.unwrap_or(line),
            parameters.join(","),
            names.join(",")
        );
        let mut call = format!("py::stop(\"{}\"", escaped(&place));
        for address in addresses.0 {
            let _ = write!(call, ", &{address}");
        }
        call.push(')');
        call
    }
}

/// True if a text is a variable's token and nothing else.
fn is_variable(text: &str) -> bool {
    let inner = text
        .strip_prefix('\u{1}')
        .and_then(|text| text.strip_suffix('\u{1}'));
    inner.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Addresses {
    /// A value in a variable or another place.
    fn value(&mut self, ty: &Type, text: &str, is_known: bool) -> String {
        let number = self.0.len();
        self.0.push(text.to_owned());
        let shape = match ty.as_array().and_then(|array| array.shape.as_deref()) {
            Some(shape) => {
                let shape: Vec<_> = shape.iter().map(u64::to_string).collect();
                format!("[{}]", shape.join(","))
            }
            None => "null".to_owned(),
        };
        format!(
            "[\"v\",{},{number},{is_known},{shape}]",
            quoted(&ty.to_string())
        )
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Value(value) if value.is_place || is_variable(&value.text) => {
                self.value(&value.ty, &value.text, value.constant.is_some())
            }
            Operand::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.operand(item)).collect();
                format!("[\"t\",[{}]]", items.join(","))
            }
            other => match other.constant().as_ref().and_then(constant) {
                Some(known) => format!("[\"c\",{known}]"),
                None => format!("[\"o\",{}]", quoted(&other.described())),
            },
        }
    }
}
