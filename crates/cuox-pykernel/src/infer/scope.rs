//! What a function's names stand for at one place of it, and how two ways meet.

use std::collections::HashSet;

use super::frame::{Bound, Frame, Scope, Way};
use crate::code::Variable;
use crate::diagnostic::{Code, Failure, Result};
use crate::operand::{Expr, Operand};
use crate::types::{Type, promote};

/// The failure of a read without a value.
pub(super) fn unset(name: &str) -> Failure {
    Failure::new(
        Code::UndefinedVariable,
        format!("variable '{name}' is read before it has a value"),
    )
}

fn described(bound: &Bound) -> String {
    match bound {
        Bound::Variable { ty, .. } => ty.shown(),
        Bound::Operand(operand) => operand.described(),
        Bound::Conflict(why) => why.clone(),
    }
}

impl Frame<'_, '_> {
    /// The names where these ways meet; `None` if there is no way. Ways get the assignments that make their values fit.
    pub(super) fn join(&mut self, ways: &[Way]) -> Option<Scope> {
        let (first, others) = ways.split_first()?;
        if others.is_empty() {
            return Some(first.scope.clone());
        }
        let mut names: Vec<&String> = ways.iter().flat_map(|way| way.scope.keys()).collect();
        names.sort();
        names.dedup();
        let mut joined = Scope::new();
        for name in names {
            let bounds: Vec<_> = ways.iter().map(|way| way.scope.get(name)).collect();
            let bound = self.join_name(name, &bounds, ways);
            joined.insert(name.clone(), bound);
        }
        Some(joined)
    }

    fn join_name(&mut self, name: &str, bounds: &[Option<&Bound>], ways: &[Way]) -> Bound {
        // A name without a value on some way: reading it is the program's mistake there.
        let mut known = bounds.iter().flatten();
        let Some(first) = known.next() else {
            return Bound::Conflict("nothing".to_owned());
        };
        if known.clone().all(|other| other == first) {
            return (*first).clone();
        }
        if let Some(joined) = self.join_parts(name, bounds, ways) {
            return Bound::Operand(joined);
        }
        let mut unified = Type::Never;
        for bound in bounds.iter().flatten() {
            let ty = match bound {
                Bound::Variable { ty, .. } => Some(ty.clone()),
                Bound::Operand(operand) => self.runtime_type(operand),
                Bound::Conflict(why) => return Bound::Conflict(why.clone()),
            };
            match ty.and_then(|ty| promote::unify(&unified, &ty)) {
                Some(ty) => unified = ty,
                None => {
                    let mut all: Vec<_> = bounds.iter().flatten().map(|b| described(b)).collect();
                    all.dedup();
                    return Bound::Conflict(all.join(" or "));
                }
            }
        }
        let variable = self.variable(name, &unified);
        // The most bits of all ways, if all are known.
        let mut below = Some(0);
        for bound in bounds.iter().flatten() {
            let bits = match bound {
                Bound::Variable { below: 0, ty, .. } => Expr::new(ty.clone(), "").bits(),
                Bound::Variable { below, .. } => Some(*below),
                Bound::Operand(Operand::Value(value)) => value.bits(),
                _ => None,
            };
            below = below.zip(bits).map(|(a, b)| a.max(b));
        }
        let below = below.filter(|_| unified.is_int());
        for (bound, way) in bounds.iter().zip(ways) {
            let value = match bound {
                None => continue,
                Some(Bound::Variable {
                    variable: own, ty, ..
                }) => {
                    if *own == variable {
                        continue;
                    }
                    Ok(Expr::new(ty.clone(), own.token()))
                }
                Some(Bound::Operand(operand)) => self.value(operand.clone()),
                Some(Bound::Conflict(_)) => continue,
            };
            if let Ok(value) = value
                && let Ok(value) = self.convert(value, &unified)
            {
                self.code.fix(way.fixup, variable, value.text);
            }
        }
        Bound::Variable {
            variable,
            ty: unified,
            constant: None,
            below: below.unwrap_or(0),
        }
    }

    /// Something that is no value, such as a range or a function, where ways have several that differ in values only:
    /// these are in variables.
    fn join_parts(
        &mut self,
        name: &str,
        bounds: &[Option<&Bound>],
        ways: &[Way],
    ) -> Option<Operand> {
        let mut all = Vec::new();
        let mut common = None;
        for (bound, way) in bounds.iter().zip(ways) {
            let Some(bound) = bound else { continue };
            let Bound::Operand(operand) = bound else {
                return None;
            };
            if self.runtime_type(operand).is_some() {
                return None;
            }
            let mut parts = Vec::new();
            let rest = operand.clone().with_values(&mut |value| {
                parts.push(value);
                Expr::new(Type::Never, "")
            });
            if *common.get_or_insert_with(|| rest.clone()) != rest {
                return None;
            }
            all.push((parts, way));
        }
        let (first, _) = all.first()?;
        let mut joined = Vec::new();
        for (part, one) in first.iter().enumerate() {
            if all.iter().all(|(parts, _)| parts[part] == *one) {
                joined.push(one.clone());
                continue;
            }
            let mut ty = Type::Never;
            for (parts, _) in &all {
                ty = promote::unify(&ty, &parts[part].ty)?;
            }
            // A name that Python cannot have.
            let variable = self.variable(&format!("{name}.{part}"), &ty);
            for (parts, way) in &all {
                let value = self.convert(parts[part].clone(), &ty).ok()?;
                if value.text != variable.token() {
                    self.code.fix(way.fixup, variable, value.text);
                }
            }
            joined.push(Expr::new(ty, variable.token()));
        }
        let mut joined = joined.into_iter();
        Some(common?.with_values(&mut |value| joined.next().unwrap_or(value)))
    }

    /// The variable of CUDA C++ for a name and a type.
    pub(super) fn variable(&mut self, name: &str, ty: &Type) -> Variable {
        if let Some(known) = self.by_type.get(&(name.to_owned(), ty.clone())) {
            return *known;
        }
        let variable = self.new_variable(name, ty);
        self.by_type.insert((name.to_owned(), ty.clone()), variable);
        variable
    }

    /// Forgets the constants of names that are about to change.
    pub(super) fn forget_constants(&mut self, names: &HashSet<String>) {
        for name in names {
            if let Some(Bound::Variable { constant, .. }) = self.scope.get_mut(name) {
                *constant = None;
            }
        }
        // Tuples and the like that stand apart become values.
        let apart: Vec<_> = names
            .iter()
            .filter_map(|name| match self.scope.get(name) {
                Some(Bound::Operand(operand @ Operand::Tuple(_))) => {
                    Some((name.clone(), operand.clone()))
                }
                _ => None,
            })
            .collect();
        for (name, operand) in apart {
            if let Ok(value) = self.value(operand) {
                let variable = self.variable(&name, &value.ty);
                self.code.assign(variable, value.text);
                let bound = Bound::Variable {
                    variable,
                    ty: value.ty,
                    constant: None,
                    below: 0,
                };
                self.scope.insert(name, bound);
            }
        }
    }

    /// Gives a name a value.
    pub(super) fn bind(&mut self, name: &str, operand: Operand) -> Result<()> {
        self.assignments += 1;
        let bound = match operand {
            Operand::Value(value) => {
                if value.ty == Type::Never {
                    // Behind a call that does not return, or of a function whose type is found later.
                    self.scope
                        .insert(name.to_owned(), Bound::Operand(Operand::Value(value)));
                    return Ok(());
                }
                let variable = self.variable(name, &value.ty);
                let below = value.bits().filter(|_| value.ty.is_int()).unwrap_or(0);
                self.code.assign(variable, value.text);
                Bound::Variable {
                    variable,
                    ty: value.ty,
                    constant: value.constant,
                    below,
                }
            }
            operand @ Operand::Tuple(_) => {
                match self.runtime_type(&operand) {
                    // The items keep their constants: a shape in a variable is one.
                    Some(_) if operand.constant().is_none() => {
                        let value = self.value(operand)?;
                        return self.bind(name, Operand::Value(value));
                    }
                    _ => Bound::Operand(self.settled(operand)),
                }
            }
            iterator @ Operand::Iterator(..) => Bound::Operand(self.begun(iterator)),
            other => Bound::Operand(self.settled(other)),
        };
        self.scope.insert(name.to_owned(), bound);
        Ok(())
    }

    /// True if a name is one of the function's own or of the functions around it, whether it has a value here or not.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.scope.contains_key(name)
            || self.scan.assigned.contains(name)
            || self.parameters.iter().any(|one| one == name)
    }

    /// What a name stands for here, among the function's own.
    pub(super) fn local(&mut self, name: &str) -> Result<Option<Operand>> {
        Ok(match self.scope.get(name) {
            None => {
                // Python's rule: a name that the function assigns is its own everywhere in it.
                if !self.scan.assigned.contains(name) {
                    return Ok(None);
                }
                let span = self.span;
                let mut is_carried = false;
                for around in &mut self.loops {
                    if around.assigned.contains(name) {
                        around.carried.entry(name.to_owned()).or_insert(span);
                        is_carried = true;
                    }
                }
                if !is_carried {
                    return Err(unset(name));
                }
                // An earlier turn may have given it a value, of a type that is found at the turn's end.
                Some(Expr::new(Type::Never, "none{}").into())
            }
            Some(Bound::Variable {
                variable,
                ty,
                constant,
                below,
            }) => {
                let mut value = Expr::new(ty.clone(), variable.token()).place();
                value.below = *below;
                value.constant.clone_from(constant);
                Some(value.into())
            }
            Some(Bound::Operand(operand)) => Some(operand.clone()),
            Some(Bound::Conflict(why)) => {
                return Err(Failure::new(
                    Code::UndefinedVariable,
                    format!("variable '{name}' is {why} here, by the way that was taken"),
                )
                .help("give it values of one type on all ways, or use two names"));
            }
        })
    }
}
