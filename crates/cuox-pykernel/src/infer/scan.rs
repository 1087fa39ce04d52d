//! What can be said of a function's names before it is translated.

use std::collections::{BTreeSet, HashSet};

use crate::ast::{Expr, ExprKind, FStringPart, Function, Stmt, StmtKind};

/// The uses of a function's names.
#[derive(Debug, Default, Clone)]
pub struct Scan {
    /// Names that are assigned somewhere in the function: its variables.
    pub assigned: HashSet<String>,
    /// Names that only heads of loops assign, and that nothing reads outside of such loops.
    pub loop_only: HashSet<String>,
    /// True if it calls something by the name `breakpoint`.
    pub has_breakpoint: bool,
}

impl Scan {
    /// Looks through a function.
    pub fn new(function: &Function) -> Self {
        let mut walk = Walk::default();
        walk.body(&function.body);
        let parameters: HashSet<_> = function.parameters.iter().map(|p| &p.name).collect();
        let loop_only = walk
            .by_loop
            .iter()
            .filter(|name| {
                !walk.by_statement.contains(*name)
                    && !walk.read_outside.contains(*name)
                    && !parameters.contains(name)
            })
            .cloned()
            .collect();
        let mut assigned: HashSet<_> = walk.by_statement.clone();
        assigned.extend(walk.by_loop);
        Self {
            assigned,
            loop_only,
            has_breakpoint: walk.has_breakpoint,
        }
    }
}

/// The names that statements assign.
pub fn assigned_in(body: &[Stmt]) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.body(body);
    let mut all = walk.by_loop;
    all.extend(walk.by_statement);
    all
}

/// The names that a statement's own expressions assign, by `:=`.
pub fn named_in(stmt: &Stmt) -> HashSet<String> {
    let mut walk = Walk::default();
    match &stmt.kind {
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => walk.expr(test),
        StmtKind::For { iterable, .. } => walk.expr(iterable),
        StmtKind::Assign { targets, value } => {
            walk.expr(value);
            targets.iter().for_each(|target| walk.expr(target));
        }
        StmtKind::AugAssign { target, value, .. } => {
            walk.expr(value);
            walk.expr(target);
        }
        StmtKind::FunctionDef(function) => walk.function(function),
        _ => walk.stmt(stmt),
    }
    walk.by_statement
}

/// The names that a function reads without assigning them: those of the functions around it, or of the program.
pub fn free_in(function: &Function) -> BTreeSet<String> {
    let mut walk = Walk::default();
    walk.body(&function.body);
    let is_own = |name: &String| {
        walk.by_statement.contains(name)
            || walk.by_loop.contains(name)
            || function.parameters.iter().any(|one| one.name == *name)
    };
    walk.read
        .iter()
        .filter(|name| !is_own(name))
        .cloned()
        .collect()
}

#[derive(Default)]
struct Walk {
    by_statement: HashSet<String>,
    by_loop: HashSet<String>,
    /// Loop variables of the loops around, innermost last.
    around: Vec<String>,
    read: HashSet<String>,
    read_outside: HashSet<String>,
    has_breakpoint: bool,
}

impl Walk {
    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn assign(&mut self, name: &str) {
        self.by_statement.insert(name.to_owned());
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.assign(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                for item in items {
                    self.target(item);
                }
            }
            ExprKind::Starred(inner) => self.target(inner),
            _ => self.expr(target),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                self.expr(value);
                for target in targets {
                    self.target(target);
                }
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.expr(value);
                self.expr(target);
                self.target(target);
            }
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                self.expr(test);
                self.body(body);
                self.body(orelse);
            }
            StmtKind::For {
                target,
                iterable,
                body,
                orelse,
            } => {
                self.expr(iterable);
                let depth = self.around.len();
                if let ExprKind::Name(name) = &target.kind {
                    // A loop inside of one with the same variable changes it for the outer one.
                    if self.around.contains(name) {
                        self.assign(name);
                    }
                    self.by_loop.insert(name.clone());
                    self.around.push(name.clone());
                } else {
                    self.target(target);
                }
                self.body(body);
                self.around.truncate(depth);
                self.body(orelse);
            }
            StmtKind::Return(value) | StmtKind::Raise(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Assert { test, message } => {
                self.expr(test);
                if let Some(message) = message {
                    self.expr(message);
                }
            }
            StmtKind::FunctionDef(function) => {
                self.assign(&function.name);
                self.function(function);
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    self.target(target);
                }
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Unsupported(_) => {}
        }
    }

    /// A function inside: its defaults are evaluated here, and it may be called anywhere.
    fn function(&mut self, function: &Function) {
        for parameter in &function.parameters {
            if let Some(default) = &parameter.default {
                self.expr(default);
            }
        }
        for name in free_in(function) {
            self.read_outside.insert(name.clone());
            self.read.insert(name);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.read.insert(name.clone());
                if !self.around.contains(name) {
                    self.read_outside.insert(name.clone());
                }
            }
            ExprKind::Constant(_) | ExprKind::Unsupported(_) => {}
            ExprKind::Attribute { value, .. } | ExprKind::Starred(value) => self.expr(value),
            ExprKind::Named { target, value } => {
                self.expr(value);
                self.assign(target);
                self.read.insert(target.clone());
            }
            ExprKind::Subscript { value, index } => {
                self.expr(value);
                self.expr(index);
            }
            ExprKind::Slice { lower, upper, step } => {
                for part in [lower, upper, step].into_iter().flatten() {
                    self.expr(part);
                }
            }
            ExprKind::Tuple(items)
            | ExprKind::List(items)
            | ExprKind::And(items)
            | ExprKind::Or(items) => {
                for item in items {
                    self.expr(item);
                }
            }
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Compare { first, rest } => {
                self.expr(first);
                for (_, other) in rest {
                    self.expr(other);
                }
            }
            ExprKind::Call {
                function,
                arguments,
                keywords,
            } => {
                self.has_breakpoint |=
                    matches!(&function.kind, ExprKind::Name(name) if name == "breakpoint");
                self.expr(function);
                for argument in arguments {
                    self.expr(argument);
                }
                for (_, argument) in keywords {
                    self.expr(argument);
                }
            }
            ExprKind::Conditional { test, body, orelse } => {
                self.expr(test);
                self.expr(body);
                self.expr(orelse);
            }
            ExprKind::Lambda(function) => self.function(function),
            ExprKind::FString(parts) => {
                for part in parts {
                    if let FStringPart::Value { value, .. } = part {
                        self.expr(value);
                    }
                }
            }
        }
    }
}
