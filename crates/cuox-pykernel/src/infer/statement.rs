//! Statements.

use super::MOST_NESTED;
use super::branch::BranchKind;
use super::frame::Way;
use super::frame::{Arguments, Frame};
use super::kind::{Kind, Taken};
use crate::ast::{self, ExprKind, Stmt, StmtKind};
use crate::code::Fixup;
use crate::compiled::Exception;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Expr, Operand};
use crate::types::{Type, promote};

impl Frame<'_, '_> {
    /// The whole body of a function.
    pub(super) fn function_body(&mut self, tree: &ast::Function) -> Result<()> {
        self.body(&tree.body)?;
        if self.is_reachable {
            if let Some(needed) = self.needed_result() {
                return Err(Failure::new(
                    Code::Type,
                    format!(
                        "{} has a way to its end without a return, where {} is needed",
                        self.shown_name(),
                        needed.shown()
                    ),
                ));
            }
            self.returns(&Operand::Constant(Value::None), None)?;
            self.returned.push(Type::None);
        }
        Ok(())
    }

    /// The type of the value that the function must return.
    fn needed_result(&self) -> Option<&Type> {
        let result = self.result.as_ref().filter(|_| self.is_declared)?;
        (!matches!(result, Type::None | Type::Never)).then_some(result)
    }

    fn shown_name(&self) -> String {
        match self.name.as_str() {
            "<lambda>" => "the lambda".to_owned(),
            name => format!("{name}()"),
        }
    }

    /// Statements, up to the first that cannot be reached.
    pub(super) fn body(&mut self, body: &[Stmt]) -> Result<()> {
        let behind = self.next_line;
        for (index, stmt) in body.iter().enumerate() {
            if !self.is_reachable {
                return Ok(());
            }
            self.depth += 1;
            self.span = stmt.span;
            self.code.line = stmt.span.line;
            self.next_line = body.get(index + 1).map(|next| next.span.line).or(behind);
            self.step(stmt);
            let done = if self.depth > MOST_NESTED {
                Err(Failure::new(
                    Code::Unsupported,
                    "statements are nested too deeply",
                ))
            } else {
                self.stmt(stmt)
            };
            self.depth -= 1;
            done.map_err(|failure| failure.at(stmt.span))?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                let value = match &targets[..] {
                    [target] if matches!(target.kind, ExprKind::Name(_)) => {
                        self.expr_at_once(value)?
                    }
                    [_] => self.expr(value)?,
                    _ => {
                        let value = self.expr(value)?;
                        self.settled(value)
                    }
                };
                for target in targets {
                    self.assign(target, value.clone())
                        .map_err(|failure| failure.at(target.span))?;
                }
                Ok(())
            }
            StmtKind::AugAssign {
                target,
                operator,
                value,
            } => self.augmented(target, *operator, value),
            StmtKind::Expr(expr) => {
                // A docstring, or text in place of a comment.
                if matches!(expr.kind, ExprKind::Constant(_)) {
                    return Ok(());
                }
                let operand = self.expr_at_once(expr)?;
                // What is checked may raise an exception even if nobody looks at the value.
                let is_checked = self.checks_bounds();
                if let Operand::Value(value) = operand
                    && (!value.is_pure || is_checked && value.constant.is_none())
                {
                    self.code.statement(format!("{};", value.text));
                }
                Ok(())
            }
            StmtKind::If { test, body, orelse } => self.branch(test, body, orelse),
            StmtKind::While { test, body, orelse } => self.while_loop(test, body, orelse),
            StmtKind::For {
                target,
                iterable,
                body,
                orelse,
            } => self.for_loop(target, iterable, body, orelse),
            StmtKind::Break => self.jump(true),
            StmtKind::Continue => self.jump(false),
            StmtKind::Pass => Ok(()),
            StmtKind::Return(value) => self.give_back(value.as_ref()),
            StmtKind::Raise(exception) => self.raise(exception.as_ref()),
            StmtKind::Assert { test, message } => {
                let truth = self.expr_truth(test)?;
                if truth.constant == Some(Value::Bool(true)) {
                    return Ok(());
                }
                let message = match message {
                    None => None,
                    Some(message) => self.message(message)?,
                };
                let number = self.raised("AssertionError", message.into_iter().collect());
                let line = self.code.line;
                self.code.begin();
                self.code.statement(format!("py::raise({number});"));
                let body = self.code.take();
                let test = Expr::bound(truth.ty.clone(), truth.text, truth.binding);
                let text = format!("!{}", test.inside(crate::operand::Binding::Unary));
                self.code.block(format!("if ({text})"), body, line);
                Ok(())
            }
            StmtKind::FunctionDef(function) => {
                let closure = self.closure(function)?;
                self.bind(&function.name, closure)
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    if let ExprKind::Name(name) = &target.kind {
                        self.scope.remove(name);
                    } else {
                        return Err(Failure::new(Code::Unsupported, "only names can be deleted"));
                    }
                }
                Ok(())
            }
            StmtKind::Unsupported(what) => Err(Failure::new(
                Code::Unsupported,
                format!("a kernel cannot have {what}"),
            )),
        }
    }

    /// `target = value`.
    pub(super) fn assign(&mut self, target: &ast::Expr, value: Operand) -> Result<()> {
        match &target.kind {
            ExprKind::Name(name) => self.bind(name, value),
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.unpack(targets, value),
            ExprKind::Subscript { value: base, index } => {
                self.refuse_part_of_constant(base)?;
                // Python evaluates the value first.
                let mark = self.mark();
                let (base, index) = self.pair(base, index)?;
                let value = self.since(mark, value);
                self.store_item(base, index, value)
            }
            ExprKind::Attribute { value: base, name } => {
                self.refuse_part_of_constant(base)?;
                let mark = self.mark();
                let base = self.expr(base)?;
                Self::refuse_constant(&base)?;
                let value = self.since(mark, value);
                let place = self.attribute(base, name)?;
                self.store(place, value)
            }
            ExprKind::Starred(_) => Err(Failure::new(
                Code::Unsupported,
                "a starred target is not supported in kernels",
            )),
            _ => Err(Failure::new(Code::Unsupported, "this cannot be assigned")),
        }
    }

    /// Fields of captured records cannot be assigned.
    fn refuse_constant(base: &Operand) -> Result<()> {
        if matches!(base, Operand::Constant(Value::Record(..))) {
            return Err(super::subscript::constant_record());
        }
        Ok(())
    }

    /// The parts of captured records and arrays cannot be assigned either: `record.inner.field`, `array[0].field`.
    fn refuse_part_of_constant(&mut self, mut base: &ast::Expr) -> Result<()> {
        let mut is_part = false;
        while let ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } = &base.kind
        {
            (base, is_part) = (value, true);
        }
        if !is_part || !matches!(base.kind, ExprKind::Name(_)) {
            return Ok(());
        }
        match self.expr(base)? {
            Operand::Constant(Value::Record(..)) => Err(super::subscript::constant_record()),
            Operand::Constant(Value::Array { .. }) => Err(super::subscript::constant_array()),
            _ => Ok(()),
        }
    }

    fn unpack(&mut self, targets: &[ast::Expr], value: Operand) -> Result<()> {
        if let Operand::Value(value) = &value
            && value.ty == Type::Never
        {
            for target in targets {
                self.assign(target, Operand::Value(value.clone()))?;
            }
            return Ok(());
        }
        let items = match &value {
            Operand::Value(array)
                if array
                    .ty
                    .as_array()
                    .is_some_and(|ty| ty.ndim > 0 && ty.shape.is_none()) =>
            {
                no_star(targets)?;
                self.first_items(array.clone(), targets.len())?
            }
            Operand::Range(_) | Operand::Iterator(..) | Operand::Begun(..) => {
                no_star(targets)?;
                self.first_of_iterator(value, targets.len())?
            }
            _ => gathered(targets, self.items(value)?),
        };
        if items.len() != targets.len() {
            return Err(Failure::new(
                Code::Type,
                format!("{} values for {} targets", items.len(), targets.len()),
            ));
        }
        // a, b = b, a: all values are read before the first is assigned.
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            kept.push(if targets.len() > 1 {
                self.apart(item)
            } else {
                item
            });
        }
        for (target, item) in targets.iter().zip(kept) {
            let target = match &target.kind {
                ExprKind::Starred(inner) => inner,
                _ => target,
            };
            self.assign(target, item)
                .map_err(|failure| failure.at(target.span))?;
        }
        Ok(())
    }

    /// The items of an array that has so many along its first axis.
    fn first_items(&mut self, array: Expr, count: usize) -> Result<Vec<Operand>> {
        let array = self.hoist(array);
        self.check_unpacked(&format!("{}.shape[0]", array.text), count);
        (0..count)
            .map(|index| {
                let index = Operand::known(Value::Int(index as i128));
                self.item_of(array.clone(), vec![index])
            })
            .collect()
    }

    /// The items of a range or an iterator that has so many.
    fn first_of_iterator(&mut self, iterator: Operand, count: usize) -> Result<Vec<Operand>> {
        let iterator = self.handed_over(iterator);
        let iterator = self.settled(iterator);
        let length = self.length_of(&iterator)?;
        self.check_unpacked(&length, count);
        (0..count)
            .map(|index| {
                let index = Operand::known(Value::Int(index as i128));
                self.nth(iterator.clone(), index)
            })
            .collect()
    }

    /// Raises if there are more or fewer items than targets.
    fn check_unpacked(&mut self, length: &str, count: usize) {
        if self.checks_bounds() {
            let message = format!("expected {count} values to unpack");
            let number = self.exception("ValueError", Some(message));
            let line = self.code.line;
            self.code.begin();
            self.code.statement(format!("py::raise({number});"));
            let body = self.code.take();
            self.code
                .block(format!("if ({length} != {count})"), body, line);
        }
    }

    fn augmented(
        &mut self,
        target: &ast::Expr,
        operator: ast::BinaryOp,
        value: &ast::Expr,
    ) -> Result<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                let old = self.name(name).map_err(|failure| failure.at(target.span))?;
                let mark = self.mark();
                let value = self.expr(value)?;
                let old = self.since(mark, old);
                if let Some(array) = whole_array(&old) {
                    return self.each_changed(operator, array, value);
                }
                let new = self.binary(operator, old, value)?;
                self.bind(name, new)
            }
            ExprKind::Subscript { value: base, index } => {
                let (base, index) = self.pair(base, index)?;
                // They are evaluated once.
                let index = self.once(index);
                let base = self.once(base);
                let old = self.item(base.clone(), index.clone())?;
                if let Some(array) = whole_array(&old) {
                    let array = self.hoist(array);
                    let value = self.expr(value)?;
                    return self.each_changed(operator, array, value);
                }
                let mark = self.mark();
                let value = self.expr(value)?;
                let held = vec![(base, mark), (index, mark), (old, mark)];
                let [base, index, old] = match self.together(held).try_into() {
                    Ok(held) => held,
                    Err(_) => return Err(Failure::new(Code::Unsupported, "an empty target")),
                };
                let new = self.binary(operator, old, value)?;
                self.store_item(base, index, new)
            }
            ExprKind::Attribute { value: base, name } => {
                let base = self.expr(base)?;
                Self::refuse_constant(&base)?;
                let base = self.once(base);
                let old = self.attribute(base.clone(), name)?;
                let mark = self.mark();
                let value = self.expr(value)?;
                let old = self.since(mark, old);
                let base = self.since(mark, base);
                if let Some(array) = whole_array(&old) {
                    return self.each_changed(operator, array, value);
                }
                let place = self.attribute(base, name)?;
                let new = self.binary(operator, old, value)?;
                self.store(place, new)
            }
            _ => Err(Failure::new(Code::Unsupported, "this cannot be assigned")),
        }
    }

    /// `array operator= value`, element by element in this thread, as NumPy's function with the array as its result.
    fn each_changed(&mut self, operator: ast::BinaryOp, array: Expr, value: Operand) -> Result<()> {
        let path = format!("numpy.{}", operator.numpy_name());
        let mut given = Arguments::of(operator.numpy_name(), vec![array.clone().into(), value]);
        given.keywords.push(("out".to_owned(), array.into()));
        match (self.program.library.call)(self, &path, given) {
            Some(done) => done.map(drop),
            None => Err(Failure::new(
                Code::Unsupported,
                "this operator changes no arrays as a whole in kernels",
            )),
        }
    }

    /// Something that is read and written: what it is made of is evaluated once.
    fn once(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.hoist(value).into(),
            Operand::Tuple(items) => {
                Operand::Tuple(items.into_iter().map(|item| self.once(item)).collect())
            }
            other => other,
        }
    }

    fn branch(&mut self, test: &ast::Expr, body: &[Stmt], orelse: &[Stmt]) -> Result<()> {
        let line = self.code.line;
        let test_tree = test;
        let test = self.expr_truth(test)?;
        match test.constant {
            Some(Value::Bool(true)) => return self.body(body),
            Some(Value::Bool(false)) => return self.body(orelse),
            _ => {}
        }
        let before = self.scope.clone();
        let open_storage = self.open_storage;
        let mut ways = Vec::new();
        self.code.begin();
        self.enter_branch(BranchKind::If(true), test_tree);
        let done = self.body(body);
        self.leave_branch();
        self.end_way(&mut ways);
        let first = self.code.take();
        done?;
        self.scope = before;
        self.open_storage = open_storage;
        self.is_reachable = true;
        self.code.line = line;
        self.code.begin();
        self.enter_branch(BranchKind::If(false), test_tree);
        let done = self.body(orelse);
        self.leave_branch();
        self.end_way(&mut ways);
        let second = self.code.take();
        done?;
        self.code.line = line;
        self.meet(&ways);
        self.code.block(format!("if ({})", test.text), first, line);
        // What is filled in later may be nothing; an empty else is left out when it is printed.
        self.code.block("else", second, 0);
        Ok(())
    }

    /// Notes where a way ends, if it does not jump, and returns that place.
    pub(super) fn end_way(&mut self, ways: &mut Vec<Way>) -> Option<Fixup> {
        self.is_reachable.then(|| {
            let fixup = self.code.fixup();
            ways.push(Way {
                scope: self.scope.clone(),
                fixup,
                open_storage: self.open_storage,
            });
            fixup
        })
    }

    /// Goes on where ways meet.
    pub(super) fn meet(&mut self, ways: &[Way]) {
        match self.join(ways) {
            Some(scope) => {
                self.scope = scope;
                self.is_reachable = true;
                self.open_storage = ways.iter().fold(0, |open, way| open | way.open_storage);
            }
            None => self.is_reachable = false,
        }
    }

    fn give_back(&mut self, value: Option<&ast::Expr>) -> Result<()> {
        self.is_reachable = true;
        let operand = match value {
            None => Operand::Constant(Value::None),
            Some(value) => self.expr_at_once(value)?,
        };
        self.is_reachable = false;
        self.threads_leave(0, false);
        if matches!(operand, Operand::Constant(Value::None)) {
            if let Some(needed) = self.needed_result() {
                return Err(self.wrong_result(&Type::None, needed));
            }
            self.returns(&operand, None)?;
            self.returned.push(Type::None);
            self.code.statement("return;");
            return Ok(());
        }
        if self.is_kernel {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "a kernel cannot return {}: it must have void return type",
                    operand.described()
                ),
            )
            .help("write results into an array that is passed as an argument"));
        }
        let mut value = if self.is_declared || self.runtime_type(&operand).is_some() {
            let value = self.value(operand)?;
            if value.ty != Type::Never {
                self.returns(&value.clone().into(), None)?;
            }
            value
        } else {
            let mut taken = Taken::for_result();
            let kind = self.kind(operand.clone(), &mut taken)?;
            self.returns(&operand, Some(kind.without_types()))?;
            let mut values = self.in_order(taken.values);
            match values.len() {
                0 => {
                    self.returned.push(Type::None);
                    self.code.statement("return;");
                    return Ok(());
                }
                1 if !matches!(values[0].ty, Type::Tuple(_)) => values.remove(0),
                _ => self.tuple_of(values, None),
            }
        };
        if let Some(result) = self.result.clone()
            && result != Type::Never
        {
            if promote::converts(&value.ty, &result) {
                self.need_type(&result);
                value = match result {
                    Type::Tuple(_) => self.convert(value, &result)?,
                    _ => self.cast(value, &result),
                };
            } else if self.is_declared {
                return Err(self.wrong_result(&value.ty, &result));
            }
        }
        if value.ty == Type::Never {
            // Only what other ways return tells the type.
            self.code.statement(format!("{};", value.text));
            return Ok(());
        }
        self.returned.push(value.ty.clone());
        self.code.statement(format!("return {};", value.text));
        Ok(())
    }

    /// Notes what a return gives: if it is no value, every return must give the same, but for the values in it.
    fn returns(&mut self, operand: &Operand, kind: Option<Kind>) -> Result<()> {
        let what = operand.described();
        match &self.result_kind {
            Some((other, known)) if *known != kind => Err(Failure::new(
                Code::Type,
                format!(
                    "{} returns {other} here and {what} there",
                    self.shown_name()
                ),
            )),
            _ => {
                self.result_kind = Some((what, kind));
                Ok(())
            }
        }
    }

    fn wrong_result(&self, returned: &Type, needed: &Type) -> Failure {
        let failure = Failure::new(
            Code::Type,
            format!(
                "{} returns {} where {} is needed",
                self.shown_name(),
                returned.shown(),
                needed.shown()
            ),
        );
        if returned.is_complex() && needed.is_number() {
            failure.help("take its .real, or abs() of it")
        } else {
            failure
        }
    }

    /// The number of an exception.
    pub(crate) fn exception(&mut self, class: &str, message: Option<String>) -> usize {
        let arguments = message.iter().map(|text| written(text)).collect();
        self.raised(class, arguments)
    }

    fn raised(&mut self, class: &str, arguments: Vec<String>) -> usize {
        self.need("raise");
        let exception = Exception {
            class: class.to_owned(),
            arguments,
            function: self.name.clone(),
            file: self.source.file.to_string(),
            line: self.code.line,
        };
        let all = &mut self.program.exceptions;
        match all.iter().position(|known| *known == exception) {
            Some(index) => index + 1,
            None => {
                all.push(exception);
                all.len()
            }
        }
    }

    /// An argument of an exception as Python writes it. `None` for None.
    fn message(&mut self, message: &ast::Expr) -> Result<Option<String>> {
        if let ExprKind::FString(_) = &message.kind {
            return Err(Failure::new(
                Code::NotConstant,
                "the message of an exception in a kernel must be plain text",
            ));
        }
        let operand = self.expr(message)?;
        match operand.constant() {
            Some(Value::Str(text)) => Ok(Some(written(&text))),
            Some(Value::None) => Ok(None),
            Some(Value::Int(value)) => Ok(Some(value.to_string())),
            Some(Value::Float(value)) => Ok(Some(format!("{value:?}"))),
            Some(Value::Bool(value)) => Ok(Some(if value { "True" } else { "False" }.to_owned())),
            _ => Err(Failure::new(
                Code::NotConstant,
                "the message of an exception in a kernel must be known when it is compiled",
            )),
        }
    }

    fn raise(&mut self, exception: Option<&ast::Expr>) -> Result<()> {
        let Some(exception) = exception else {
            return Err(Failure::new(
                Code::Unsupported,
                "raise needs an exception in a kernel: there is none to raise again",
            ));
        };
        let (class, arguments) = match &exception.kind {
            ExprKind::Call {
                function,
                arguments,
                keywords,
            } if keywords.is_empty() => {
                let class = self.expr(function)?;
                let mut texts = Vec::new();
                for argument in arguments {
                    let text = self.message(argument)?;
                    texts.push(text.unwrap_or_else(|| "None".to_owned()));
                }
                (class, texts)
            }
            _ => (self.expr(exception)?, Vec::new()),
        };
        let class = match class {
            Operand::Constant(Value::Path(path)) => {
                path.strip_prefix("builtins.").unwrap_or(&path).to_owned()
            }
            // The host knows the class by its number.
            Operand::Constant(Value::Object(id, _)) => format!("object {}", id.0),
            other => {
                return Err(Failure::new(
                    Code::Type,
                    format!("expected an exception class, got {}", other.described()),
                ));
            }
        };
        let number = self.raised(&class, arguments);
        self.code.statement(format!("py::raise({number});"));
        // The thread ends. C++ does not see that, so values that are returned need a statement.
        self.is_reachable = false;
        Ok(())
    }
}

/// A text as Python writes it.
fn written(text: &str) -> String {
    let mut literal = String::from("'");
    for letter in text.chars() {
        match letter {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\0' => literal.push_str("\\0"),
            other => literal.push(other),
        }
    }
    literal.push('\'');
    literal
}

/// An error for a starred target where the number of items is not known.
fn no_star(targets: &[ast::Expr]) -> Result<()> {
    let starred = |target: &&ast::Expr| matches!(target.kind, ExprKind::Starred(_));
    match targets.iter().find(starred) {
        Some(target) => Err(Failure::new(
            Code::Unsupported,
            "a starred target takes the items of a tuple only: elsewhere their number is not known",
        )
        .at(target.span)),
        None => Ok(()),
    }
}

/// The items with those of a starred target as one tuple.
fn gathered(targets: &[ast::Expr], mut items: Vec<Operand>) -> Vec<Operand> {
    let starred = |target: &ast::Expr| matches!(target.kind, ExprKind::Starred(_));
    let Some(place) = targets.iter().position(starred) else {
        return items;
    };
    let Some(count) = (items.len() + 1).checked_sub(targets.len()) else {
        return items;
    };
    let inner = items.splice(place..place + count, []).collect();
    items.insert(place, Operand::Tuple(inner));
    items
}

/// An array that an augmented assignment changes.
fn whole_array(operand: &Operand) -> Option<Expr> {
    operand
        .as_value()
        .filter(|value| value.ty.as_array().is_some())
        .cloned()
}
