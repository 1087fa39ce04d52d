//! What an expression is in each thread of a block whose shape is known.

use super::super::frame::{Bound, Frame};
use super::super::scan::named_in;
use crate::ast::{self, BinaryOp, CompareOp, Constant, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::collective::{Part, Threads, WARP};
use crate::host::Value;
use crate::operand::Operand;

/// Names and expressions are followed no deeper than this.
pub const MOST_STEPS: u32 = 64;
/// The expressions that are looked at for one call.
const MOST_LOOKS: u32 = 1 << 14;

/// A look at what tests depend on.
#[derive(Debug, Default)]
pub struct Look {
    /// The names that are being followed. One that depends on itself is the same for all if all else in it is.
    names: Vec<String>,
    count: u32,
}

/// A value in all threads of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Spread {
    /// The value of each.
    Known(Vec<i128>),
    /// The same, whatever it is.
    Same,
    /// Nothing is known.
    Any,
}

impl Spread {
    pub fn is_same(&self) -> bool {
        match self {
            Self::Known(values) => values.windows(2).all(|pair| pair[0] == pair[1]),
            Self::Same => true,
            Self::Any => false,
        }
    }

    /// A value that is made of others.
    pub fn of(parts: &[Self]) -> Self {
        if parts.iter().all(Self::is_same) {
            Self::Same
        } else {
            Self::Any
        }
    }
}

impl Frame<'_, '_> {
    /// The dotted path of what the compiler knows by one.
    pub(super) fn path_of(&mut self, expr: &ast::Expr) -> Option<String> {
        match self.outside(expr)? {
            Value::Path(path) => Some(path),
            _ => None,
        }
    }

    /// What a name from outside of the kernel, and attributes of it, stand for.
    fn outside(&mut self, expr: &ast::Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Name(name) if !self.is_local(name) => {
                self.program.host.name(self.owner, name)
            }
            ExprKind::Attribute { value, name } => match self.outside(value)? {
                Value::Path(path) => {
                    let member = self.program.host.member(&path, name);
                    Some(member.unwrap_or_else(|| Value::Path(format!("{path}.{name}"))))
                }
                Value::Object(object, _) => self.program.host.attribute(object, name),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an expression in all threads.
    pub(super) fn in_threads(&mut self, expr: &ast::Expr, shape: [u32; 3], depth: u32) -> Spread {
        self.look.count += 1;
        if depth > MOST_STEPS || self.look.count > MOST_LOOKS {
            return Spread::Any;
        }
        let deeper = depth + 1;
        let count: usize = shape.iter().map(|size| *size as usize).product();
        let constant = |value: i128| Spread::Known(vec![value; count]);
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => constant(*value),
            ExprKind::Constant(Constant::Bool(value)) => constant(i128::from(*value)),
            ExprKind::Constant(_) => Spread::Same,
            ExprKind::Name(name) => self.spread_of_name(name, shape, deeper),
            ExprKind::Attribute { value, .. } => match self.path_of(expr) {
                Some(path) => position(&path, shape),
                // The shape of an array and the like.
                None => match self.in_threads(value, shape, deeper) {
                    value if value.is_same() => Spread::Same,
                    _ => Spread::Any,
                },
            },
            ExprKind::Subscript { value, index } => {
                let parts = [
                    self.in_threads(value, shape, deeper),
                    self.in_threads(index, shape, deeper),
                ];
                Spread::of(&parts)
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.spread_of_all(items, shape, deeper)
            }
            ExprKind::Unary { operator, operand } => {
                match (self.in_threads(operand, shape, deeper), operator) {
                    (Spread::Known(values), UnaryOp::Neg) => each(values, |value| -value),
                    (Spread::Known(values), UnaryOp::Invert) => each(values, |value| !value),
                    (Spread::Known(values), UnaryOp::Not) => {
                        each(values, |value| i128::from(value == 0))
                    }
                    (value, _) => value,
                }
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let pair = [
                    self.in_threads(left, shape, deeper),
                    self.in_threads(right, shape, deeper),
                ];
                pairwise(&pair, |a, b| binary(*operator, a, b))
            }
            ExprKind::And(tests) => self.all_tests(tests, shape, deeper, true),
            ExprKind::Or(tests) => self.all_tests(tests, shape, deeper, false),
            ExprKind::Compare { first, rest } => {
                let mut left = self.in_threads(first, shape, deeper);
                let mut all = constant(1);
                for (operator, right) in rest {
                    let right = self.in_threads(right, shape, deeper);
                    let one = pairwise(&[left, right.clone()], |a, b| compared(*operator, a, b));
                    all = both(all, one, true);
                    left = right;
                }
                all
            }
            ExprKind::Call {
                function,
                arguments,
                keywords,
            } => self.spread_of_call(function, arguments, keywords, shape, deeper),
            ExprKind::Conditional { test, body, orelse } => {
                let parts = [test, body, orelse].map(|part| self.in_threads(part, shape, deeper));
                Spread::of(&parts)
            }
            _ => Spread::Any,
        }
    }

    fn spread_of_all(&mut self, items: &[ast::Expr], shape: [u32; 3], depth: u32) -> Spread {
        let parts: Vec<_> = items
            .iter()
            .map(|item| self.in_threads(item, shape, depth))
            .collect();
        Spread::of(&parts)
    }

    fn all_tests(&mut self, tests: &[ast::Expr], shape: [u32; 3], depth: u32, all: bool) -> Spread {
        let mut tests = tests.iter();
        let Some(first) = tests.next() else {
            return Spread::Any;
        };
        let mut value = truth(self.in_threads(first, shape, depth));
        for test in tests {
            let next = truth(self.in_threads(test, shape, depth));
            value = both(value, next, all);
        }
        value
    }

    fn spread_of_call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        keywords: &[(String, ast::Expr)],
        shape: [u32; 3],
        depth: u32,
    ) -> Spread {
        if let ExprKind::Attribute { value, name } = &function.kind
            && let ExprKind::Name(group) = &value.kind
            && let Some(Bound::Operand(Operand::Constant(Value::Part(Part::Group(threads))))) =
                self.scope.get(group)
        {
            return match (name.as_str(), threads, arguments.is_empty()) {
                ("rank", Threads::Block, true) => position("rank", shape),
                ("rank", Threads::Warp(width), true) => {
                    let width = i128::from(*width);
                    match position("rank", shape) {
                        Spread::Known(ranks) => each(ranks, |rank| rank % 32 % width),
                        other => other,
                    }
                }
                ("rank", Threads::Warps(warps), true) => {
                    let threads = i128::from(*warps) * 32;
                    match position("rank", shape) {
                        Spread::Known(ranks) => each(ranks, |rank| rank % threads),
                        other => other,
                    }
                }
                ("is_member", Threads::Warps(warps), true) => {
                    let threads = i128::from(*warps) * 32;
                    let all = shape.into_iter().map(i128::from).product::<i128>();
                    match position("rank", shape) {
                        Spread::Known(ranks) => {
                            each(ranks, |rank| i128::from(rank < all / threads * threads))
                        }
                        other => other,
                    }
                }
                ("count", ..) => Spread::Same,
                _ => Spread::Any,
            };
        }
        // A number of another type.
        if matches!(self.outside(function), Some(Value::Type(_))) {
            let all = self.spread_of_all(arguments, shape, depth);
            return Spread::of(&[all]);
        }
        match self.path_of(function).as_deref() {
            Some("cuda.grid" | "cuda.local.array") | None => Spread::Any,
            // These tell all threads the same.
            Some("cuda.syncthreads_and" | "cuda.syncthreads_or" | "cuda.syncthreads_count") => {
                Spread::Same
            }
            Some("cuda.coop.sum" | "cuda.coop.reduce")
                if arguments.first().is_some_and(|group| self.is_block(group))
                    && keywords.iter().all(|(name, value)| {
                        name != "broadcast"
                            || matches!(value.kind, ExprKind::Constant(Constant::Bool(true)))
                    }) =>
            {
                Spread::Same
            }
            Some(path) if path.starts_with("cuda.coop.") || path.starts_with("cuda.atomic.") => {
                Spread::Any
            }
            // Masks of lanes, clocks.
            Some(path) if path.starts_with("cuda.") && arguments.is_empty() => Spread::Any,
            Some("builtins.int") if arguments.len() == 1 => {
                self.in_threads(&arguments[0], shape, depth)
            }
            Some(_) => {
                let mut parts = vec![self.spread_of_all(arguments, shape, depth)];
                for (_, argument) in keywords {
                    parts.push(self.in_threads(argument, shape, depth));
                }
                Spread::of(&parts)
            }
        }
    }

    /// True for the group of all threads of a block.
    fn is_block(&mut self, group: &ast::Expr) -> bool {
        match &group.kind {
            ExprKind::Name(name) => matches!(
                self.scope.get(name),
                Some(Bound::Operand(Operand::Constant(Value::Part(Part::Group(
                    Threads::Block
                )))))
            ),
            ExprKind::Call { function, .. } => {
                self.path_of(function).as_deref() == Some("cuda.coop.this_block")
            }
            _ => false,
        }
    }

    fn spread_of_name(&mut self, name: &str, shape: [u32; 3], depth: u32) -> Spread {
        if self.look.names.iter().any(|one| one == name) {
            return Spread::Same;
        }
        self.look.names.push(name.to_owned());
        let spread = self.spread_of_assigned(name, shape, depth);
        self.look.names.pop();
        spread
    }

    fn spread_of_assigned(&mut self, name: &str, shape: [u32; 3], depth: u32) -> Spread {
        let tree = self.tree.clone();
        let mut given = Vec::new();
        assignments(&tree.body, name, &mut given);
        let is_parameter = tree.parameters.iter().any(|one| one.name == name);
        if given.is_empty() {
            if !is_parameter
                && !self.is_local(name)
                && let Some(Value::Int(value)) = self.program.host.name(self.owner, name)
            {
                let count: usize = shape.iter().map(|size| *size as usize).product();
                return Spread::Known(vec![value; count]);
            }
            // What the kernel takes is the same for all, as is what it finds outside.
            let is_own = self.is_local(name) || self.captured_names.iter().any(|own| own == name);
            return match is_own && !(is_parameter && self.is_kernel) {
                true => Spread::Any,
                false => Spread::Same,
            };
        }
        let mut parts = Vec::new();
        for given in &given {
            parts.push(match given {
                Given::Value(value) => self.in_threads(value, shape, depth),
                Given::Changed(value) => match self.in_threads(value, shape, depth) {
                    value if value.is_same() => Spread::Same,
                    _ => Spread::Any,
                },
                Given::Turn(iterable) => match self.spread_of_turns(iterable, shape, depth) {
                    true => Spread::Same,
                    false => Spread::Any,
                },
                Given::AfterTurns(iterable) => match self.turns(iterable, shape, depth) {
                    turns if turns.is_same() => Spread::Same,
                    _ => Spread::Any,
                },
                Given::Unknown => Spread::Any,
            });
        }
        match parts.len() {
            1 if !is_parameter => parts.remove(0),
            _ => Spread::of(&parts),
        }
    }

    /// The number of a loop's turns over what a name is.
    pub(super) fn turns_of_name(&mut self, name: &str, shape: [u32; 3], depth: u32) -> Spread {
        // Not its value, which may be followed, too.
        let own = format!("{name}[:]");
        if self.look.names.contains(&own) {
            return Spread::Same;
        }
        let tree = self.tree.clone();
        let mut given = Vec::new();
        assignments(&tree.body, name, &mut given);
        self.look.names.push(own);
        let parts: Vec<_> = given
            .iter()
            .map(|given| match given {
                Given::Value(value) => self.turns(value, shape, depth),
                Given::Changed(value) => self.in_threads(value, shape, depth),
                Given::AfterTurns(iterable) => self.turns(iterable, shape, depth),
                // Rows of an array are of one length.
                Given::Turn(_) | Given::Unknown => Spread::Same,
            })
            .collect();
        self.look.names.pop();
        Spread::of(&parts)
    }

    /// True if a loop gives all threads the same items.
    fn spread_of_turns(&mut self, iterable: &ast::Expr, shape: [u32; 3], depth: u32) -> bool {
        match &iterable.kind {
            ExprKind::Call { arguments, .. } => {
                self.spread_of_all(arguments, shape, depth).is_same()
            }
            _ => self.in_threads(iterable, shape, depth).is_same(),
        }
    }
}

/// How a name gets a value.
enum Given<'a> {
    Value(&'a ast::Expr),
    /// From its value before and this.
    Changed(&'a ast::Expr),
    /// By a loop over this.
    Turn(&'a ast::Expr),
    /// In a loop over this, whose last turn decides.
    AfterTurns(&'a ast::Expr),
    Unknown,
}

/// The statements that give a name a value.
fn assignments<'a>(body: &'a [Stmt], name: &str, found: &mut Vec<Given<'a>>) {
    for stmt in body {
        if named_in(stmt).contains(name) {
            found.push(Given::Unknown);
        }
        let before = found.len();
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    assigned(target, Some(value), name, found);
                }
            }
            StmtKind::AugAssign { target, value, .. } if is_name(target, name) => {
                found.push(Given::Changed(value));
            }
            StmtKind::If { test, body, orelse } => {
                assignments(body, name, found);
                assignments(orelse, name, found);
                if found.len() > before {
                    found.push(Given::Changed(test));
                }
            }
            // Breaks decide whether a loop's `else` is reached, too.
            StmtKind::While { test, body, orelse } => {
                assignments(body, name, found);
                assignments(orelse, name, found);
                if found.len() > before {
                    found.push(Given::Changed(test));
                    leaving(body, true, &mut |test| found.push(Given::Changed(test)));
                }
            }
            StmtKind::For {
                target,
                iterable,
                body,
                orelse,
            } => {
                assignments(body, name, found);
                assignments(orelse, name, found);
                let is_inside = found.len() > before;
                // Parts of items are the same if the items are.
                let mut targets = Vec::new();
                assigned(target, None, name, &mut targets);
                if !targets.is_empty() {
                    found.push(Given::Turn(iterable));
                }
                if is_inside {
                    found.push(Given::AfterTurns(iterable));
                }
                if found.len() > before {
                    leaving(body, is_inside, &mut |test| {
                        found.push(Given::Changed(test))
                    });
                }
            }
            StmtKind::FunctionDef(function) if function.name == name => found.push(Given::Unknown),
            _ => {}
        }
    }
}

fn is_name(target: &ast::Expr, name: &str) -> bool {
    matches!(&target.kind, ExprKind::Name(own) if own == name)
}

/// What a target that is or has the name gives it, of a value if it is known.
fn assigned<'a>(
    target: &ast::Expr,
    value: Option<&'a ast::Expr>,
    name: &str,
    found: &mut Vec<Given<'a>>,
) {
    match &target.kind {
        ExprKind::Name(own) if own == name => found.push(match value {
            Some(value) => Given::Value(value),
            None => Given::Unknown,
        }),
        ExprKind::Starred(target) => assigned(target, None, name, found),
        ExprKind::Tuple(targets) | ExprKind::List(targets) => {
            let is_starred = |one: &ast::Expr| matches!(one.kind, ExprKind::Starred(_));
            let values = match value.map(|value| &value.kind) {
                Some(ExprKind::Tuple(values) | ExprKind::List(values))
                    if values.len() == targets.len()
                        && !targets.iter().chain(values).any(is_starred) =>
                {
                    Some(values)
                }
                _ => None,
            };
            for (index, target) in targets.iter().enumerate() {
                let value = values.and_then(|values| values.get(index));
                assigned(target, value, name, found);
            }
        }
        _ => {}
    }
}

/// The tests that decide which threads end a loop, or with `of_turns` a turn of it, before the others.
fn leaving<'a>(body: &'a [Stmt], of_turns: bool, found: &mut impl FnMut(&'a ast::Expr)) -> bool {
    let mut leaves = false;
    for stmt in body {
        leaves |= match &stmt.kind {
            StmtKind::Break => true,
            StmtKind::Continue => of_turns,
            StmtKind::If { test, body, orelse } => {
                let inside = [body, orelse].map(|body| leaving(body, of_turns, found));
                if inside.contains(&true) {
                    found(test);
                }
                inside.contains(&true)
            }
            // What leaves a loop inside does not leave this one, unless it is in its `else`.
            StmtKind::While {
                test: by,
                body,
                orelse,
            }
            | StmtKind::For {
                iterable: by,
                body,
                orelse,
                ..
            } => {
                let inside = leaving(orelse, of_turns, found);
                if inside {
                    found(by);
                    leaving(body, false, found);
                }
                inside
            }
            _ => false,
        };
    }
    leaves
}

fn each(values: Vec<i128>, make: impl Fn(i128) -> i128) -> Spread {
    Spread::Known(values.into_iter().map(make).collect())
}

fn truth(value: Spread) -> Spread {
    match value {
        Spread::Known(values) => each(values, |value| i128::from(value != 0)),
        other => other,
    }
}

/// `a and b`, or `a or b`, of tests.
fn both(a: Spread, b: Spread, all: bool) -> Spread {
    match (a, b) {
        (Spread::Known(a), Spread::Known(b)) => Spread::Known(
            a.into_iter()
                .zip(b)
                .map(|(a, b)| if all { a & b } else { a | b })
                .collect(),
        ),
        (a, b) => {
            // What decides already needs no second test.
            let decides = |one: &Spread| matches!(one, Spread::Known(values) if values.iter().all(|value| (*value == 0) == all));
            if decides(&a) {
                a
            } else if decides(&b) {
                b
            } else {
                Spread::of(&[a, b])
            }
        }
    }
}

fn pairwise(pair: &[Spread; 2], make: impl Fn(i128, i128) -> Option<i128>) -> Spread {
    if let [Spread::Known(a), Spread::Known(b)] = pair {
        let made = a.iter().zip(b).map(|(a, b)| make(*a, *b));
        if let Some(values) = made.collect() {
            return Spread::Known(values);
        }
    }
    Spread::of(pair)
}

fn binary(operator: BinaryOp, a: i128, b: i128) -> Option<i128> {
    Some(match operator {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::FloorDiv => a.checked_div_euclid(b).filter(|_| b > 0)?,
        BinaryOp::Mod => a.checked_rem_euclid(b).filter(|_| b > 0)?,
        BinaryOp::LShift => a.checked_shl(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
        BinaryOp::RShift => a.checked_shr(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => return None,
    })
}

fn compared(operator: CompareOp, a: i128, b: i128) -> Option<i128> {
    Some(i128::from(match operator {
        CompareOp::Eq => a == b,
        CompareOp::NotEq => a != b,
        CompareOp::Lt => a < b,
        CompareOp::LtE => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::GtE => a >= b,
        _ => return None,
    }))
}

/// What CUDA tells a thread of its place.
fn position(path: &str, [x, y, z]: [u32; 3]) -> Spread {
    let count = u64::from(x) * u64::from(y) * u64::from(z);
    let of_each = |make: &dyn Fn(u64) -> u64| {
        Spread::Known((0..count).map(|rank| i128::from(make(rank))).collect())
    };
    let (x, y) = (u64::from(x.max(1)), u64::from(y.max(1)));
    match path {
        "cuda.threadIdx.x" => of_each(&|rank| rank % x),
        "cuda.threadIdx.y" => of_each(&|rank| rank / x % y),
        "cuda.threadIdx.z" => of_each(&|rank| rank / (x * y)),
        "cuda.blockDim.x" => of_each(&|_| x),
        "cuda.blockDim.y" => of_each(&|_| y),
        "cuda.blockDim.z" => of_each(&|_| u64::from(z)),
        "cuda.laneid" => of_each(&|rank| rank % WARP),
        "cuda.warpsize" => of_each(&|_| WARP),
        "rank" => of_each(&|rank| rank),
        _ => Spread::Same,
    }
}
