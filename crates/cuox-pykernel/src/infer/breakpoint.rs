//! `breakpoint()`, and stops at each statement behind it.
//!
//! A stop is a call of the software GPU's function with a text about the place, as JSON, and a table of the addresses
//! of the function's variables: so these are all in memory, as in a build without optimisation, and a debugger's
//! changes take effect. The table begins with the address of a text about the function: what names stand for in it. The
//! text of a place has the numbers of those that it sees.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::frame::{Arguments, Bound, Frame};
use crate::ast::{ExprKind, Stmt, StmtKind};
use crate::code::{Declaration, Variable, escaped};
use crate::compiled::Breakpoints;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::Operand;
use crate::types::Type;

/// A function with breakpoints.
pub struct Stops {
    /// The variable of CUDA C++ that says whether the thread stops at each statement.
    steps: String,
    /// The token of what is declared before all else, once all is known.
    declarations: Variable,
    /// Variables below this number are parameters.
    parameters: usize,
    /// What has a place in the table, by its text.
    places: HashMap<String, usize>,
    /// By place: the variable whose address is always there. Those of others are put there before each stop: they are
    /// declared further inside.
    table: Vec<Option<Variable>>,
    /// What names stand for, as JSON.
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

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
            Breakpoints::Called if self.stops.is_none() => {
                return Err(Failure::new(
                    Code::Unsupported,
                    "breakpoint() is called by its own name in kernels",
                ));
            }
            Breakpoints::Called => self.stop(true),
        }
        Ok(Operand::Constant(Value::None))
    }

    /// Begins a function: declares what stops need, if there are some. Before the parameters.
    pub(super) fn begin_stops(&mut self) {
        if self.scan.has_breakpoint && self.options().breakpoints == Breakpoints::Called {
            let steps = self.new_name("stepping");
            let declarations = self.declare(String::new(), &Type::Bool);
            self.variables[declarations.0 as usize].is_declared = true;
            self.code.statement(declarations.token());
            self.stops = Some(Stops {
                steps,
                declarations,
                parameters: 0,
                places: HashMap::new(),
                table: Vec::new(),
                names: Vec::new(),
                numbers: HashMap::new(),
            });
        }
    }

    /// Says that all variables so far are parameters.
    pub(super) fn parameters_end(&mut self) {
        if let Some(stops) = &mut self.stops {
            stops.parameters = self.variables.len();
        }
    }

    /// Ends a function.
    pub(super) fn end_stops(&mut self) {
        let Some(stops) = self.stops.take() else {
            return;
        };
        let (mut declared, mut table) = (String::new(), String::new());
        for place in &stops.table {
            let variable = place.and_then(|variable| self.variables.get_mut(variable.0 as usize));
            match variable {
                Some(variable) => {
                    if !variable.is_declared {
                        variable.is_declared = true;
                        let _ = write!(declared, "{} {}; ", variable.ty, variable.name);
                    }
                    let _ = write!(table, "(void *)&{}, ", variable.name);
                }
                None => table.push_str("nullptr, "),
            }
        }
        let parameters: Vec<_> = self.parameters.iter().map(|name| quoted(name)).collect();
        let function = format!(
            "{{\"file\":{},\"function\":{},\"first\":{},\"parameters\":[{}],\"names\":[{}]}}",
            quoted(&self.source.file),
            quoted(&self.name),
            self.first_line,
            parameters.join(","),
            stops.names.join(",")
        );
        let function = escaped(&function);
        // No name of the user's begins with two underscores.
        self.variables[stops.declarations.0 as usize].name = format!(
            "{declared}void *__variables[] = {{(void *)\"{function}\", {table}}}; int {} = 0;",
            stops.steps
        );
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
        if self.stops.is_some() && !is_skipped {
            self.stop(false);
        }
    }

    /// Stops the thread here: always, or if it goes step by step.
    fn stop(&mut self, always: bool) {
        let Some(stops) = self.stops.take() else {
            return;
        };
        self.need("breakpoint");
        let mut addresses = Addresses {
            variables: &self.variables,
            stops,
            before: String::new(),
        };
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
                    ..
                } => addresses.value(ty, &variable.token(), constant.is_some()),
                Bound::Operand(operand) => addresses.operand(operand),
                Bound::Conflict(why) => format!("[\"o\",{}]", quoted(why)),
            };
            let name = format!("[{},{told}]", quoted(&name));
            let stops = &mut addresses.stops;
            let number = *stops.numbers.entry(name.clone()).or_insert_with(|| {
                stops.names.push(name);
                stops.names.len() - 1
            });
            names.push(number.to_string());
        }
        let line = self.code.line;
        let place = format!(
            "{{\"line\":{line},\"next\":{},\"names\":[{}]}}",
            self.next_line.unwrap_or(line),
            names.join(",")
        );
        let Addresses { stops, before, .. } = addresses;
        let steps = &stops.steps;
        let condition = if always {
            String::new()
        } else {
            format!("if ({steps}) ")
        };
        let text = format!(
            "{condition}{{ {before}{steps} = cuox_breakpoint(\"{}\", __variables); }}",
            escaped(&place)
        );
        self.code.statement(text);
        self.stops = Some(stops);
    }
}

/// The variables and places that a stop shows.
struct Addresses<'a> {
    variables: &'a [Declaration],
    stops: Stops,
    /// Statements that put addresses into the table.
    before: String,
}

/// The variable of a text that is its token and nothing else.
fn variable_of(text: &str) -> Option<Variable> {
    let inner = text.strip_prefix('\u{1}')?.strip_suffix('\u{1}')?;
    inner.parse().ok().map(Variable)
}

impl Addresses<'_> {
    /// The number in the table of a variable or another place.
    fn place(&mut self, text: &str) -> usize {
        let stops = &mut self.stops;
        let variable = variable_of(text).filter(|variable| {
            let number = variable.0 as usize;
            let is_declared = self.variables.get(number).is_none_or(|v| v.is_declared);
            number < stops.parameters || !is_declared
        });
        let number = match stops.places.get(text) {
            Some(number) => *number,
            None => {
                stops.table.push(variable);
                stops.places.insert(text.to_owned(), stops.table.len() - 1);
                stops.table.len() - 1
            }
        };
        // The first is the text.
        if stops.table[number].is_none() {
            let _ = write!(
                self.before,
                "__variables[{}] = (void *)&{text}; ",
                number + 1
            );
        }
        number + 1
    }

    /// A value in a variable or another place.
    fn value(&mut self, ty: &Type, text: &str, is_known: bool) -> String {
        if matches!(ty, Type::Opaque(_) | Type::Str | Type::Never | Type::None) {
            return format!("[\"o\",{}]", quoted(&ty.shown()));
        }
        let number = self.place(text);
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
            Operand::Value(value) if value.is_place || variable_of(&value.text).is_some() => {
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
