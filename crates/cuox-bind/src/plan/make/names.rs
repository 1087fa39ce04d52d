//! Names in Python, of functions and of all else that is bound.

use std::collections::{HashMap, HashSet};

use super::{Maker, Result};
use crate::decl::{EnumId, Header, RecordId, Type, Value};
use crate::plan::types::passable;
use crate::plan::{HandleOf, ParameterPlan, Plan, PlanError};
use crate::rules::NameKind;
use crate::words::{KEYWORDS, is_identifier};

/// Python's names of types, which stubs use.
const BUILTINS: [&str; 8] = [
    "int", "float", "bool", "str", "bytes", "object", "tuple", "complex",
];

impl Maker<'_> {
    /// A name in Python.
    pub(super) fn rename(&self, name: &str, kind: NameKind) -> String {
        let mut new = match self.rules.renaming(name, kind) {
            Some(rule) => rule.to.apply(name),
            None => {
                let stripped = self.rules.prefixes.iter().find_map(|prefix| {
                    let rest = name.strip_prefix(prefix.value.as_str())?;
                    let begins = rest.bytes().next()?;
                    // A type of Python's would mean something else in the stub.
                    let plain = begins.is_ascii_alphabetic() || begins == b'_';
                    (plain && !BUILTINS.contains(&rest)).then_some(rest)
                });
                stripped.unwrap_or(name).to_owned()
            }
        };
        if KEYWORDS.contains(&new.as_str()) {
            match self.rules.as_swig {
                true => new.insert(0, '_'),
                false => new.push('_'),
            }
        }
        // C++ operators and the like.
        if is_identifier(&new) {
            new
        } else {
            name.to_owned()
        }
    }

    /// No two functions may have one name.
    pub(super) fn names(&self, plan: &mut Plan) -> Result<()> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for at in 0..plan.functions.len() {
            let c_name =
                |at: usize| &self.header.functions[plan.functions[at].function as usize].name;
            let name = plan.functions[at].name.clone();
            if let Some(&before) = seen.get(&name) {
                return Err(PlanError {
                    function: Some(c_name(at).clone()),
                    parameter: None,
                    place: self
                        .rules_for(c_name(at))
                        .iter()
                        .rev()
                        .find_map(|rule| Some(rule.name.as_ref()?.at.to_string())),
                    message: format!(
                        "it would be called '{name}' in Python, as {} is",
                        c_name(before)
                    ),
                });
            }
            seen.insert(name, at);
        }
        for handle in &mut plan.handles {
            handle.name = free_name(
                &self.rename(&handle.name, NameKind::Record),
                &seen,
                "_handle",
            );
        }
        Ok(())
    }

    /// Records, enumerations, constants and variables.
    pub(super) fn classes(&mut self, plan: &mut Plan) {
        let header = self.header;
        let mut taken: HashMap<String, usize> = plan
            .functions
            .iter()
            .map(|it| (it.name.clone(), 0))
            .collect();
        taken.extend(plan.handles.iter().map(|it| (it.name.clone(), 0)));
        let type_names = type_names(header);
        let type_name = |ty: &Type, tag: &str| {
            let found = type_names.get(ty).copied();
            found.unwrap_or(tag).to_owned()
        };
        let handled: HashSet<HandleOf> = plan.handles.iter().map(|it| it.of).collect();
        for (index, record) in header.records.iter().enumerate() {
            let id = RecordId(index as u32);
            if record.name.is_empty() || handled.contains(&HandleOf::Pointer(id)) {
                continue;
            }
            if record.size.is_none() {
                continue;
            }
            let name = type_name(&Type::Record(id), &record.name);
            if let Err(reason) = self.not_ignored(&[&record.name, &name]) {
                self.left_out.push((name, reason));
                continue;
            }
            let name = free_name(
                &self.rename(&name, NameKind::Record),
                &taken,
                if record.union { "_union" } else { "_struct" },
            );
            taken.insert(name.clone(), 0);
            plan.records.push((id, name));
        }
        for (index, enumeration) in header.enums.iter().enumerate() {
            let id = EnumId(index as u32);
            let name = type_name(&Type::Enum(id), &enumeration.name);
            if name.is_empty() {
                continue;
            }
            if let Err(reason) = self.not_ignored(&[&enumeration.name, &name]) {
                self.left_out.push((name, reason));
                continue;
            }
            let name = free_name(&self.rename(&name, NameKind::Enum), &taken, "_enum");
            taken.insert(name.clone(), 0);
            plan.enums.push((id, name));
        }
        let ruled = self.rules.constants.iter().map(|spot| &spot.value);
        let ruled: Vec<(String, Value)> = ruled.cloned().collect();
        let declared = header
            .constants
            .iter()
            .map(|it| (it.name.clone(), it.value.clone()));
        // Anonymous enumerations have no class, and their values may be constants of the header already.
        let anonymous = header.enums.iter().filter(|it| it.name.is_empty());
        let anonymous = anonymous
            .flat_map(|it| &it.values)
            .map(|it| (it.name.clone(), Value::Int(it.value)));
        // The members of a class are reached by it and by their own names.
        let members: HashSet<&str> = plan
            .enums
            .iter()
            .flat_map(|(id, _)| &header.enumeration(*id).values)
            .map(|it| it.name.as_str())
            .collect();
        for (c_name, value) in ruled.into_iter().chain(declared).chain(anonymous) {
            let name = self.rename(&c_name, NameKind::Constant);
            if members.contains(c_name.as_str())
                || taken.contains_key(&name)
                || !is_identifier(&name)
            {
                continue;
            }
            if self.wanted(&c_name, NameKind::Constant).is_err() {
                continue;
            }
            taken.insert(name.clone(), 0);
            plan.constants.push((name, value));
        }
        for (index, variable) in header.variables.iter().enumerate() {
            let reason = self
                .wanted(&variable.name, NameKind::Variable)
                .err()
                .or_else(|| match header.resolve(&variable.ty) {
                    Type::Array { .. } => None,
                    _ => passable(header, &variable.ty).err(),
                });
            let name = self.rename(&variable.name, NameKind::Variable);
            match reason {
                Some(reason) => self.left_out.push((variable.name.clone(), reason)),
                None if taken.contains_key(&name) => {
                    let reason = "something else has this name".to_owned();
                    self.left_out.push((variable.name.clone(), reason));
                }
                None => {
                    taken.insert(name.clone(), 0);
                    plan.variables.push((index as u32, name));
                }
            }
        }
    }

    pub(super) fn not_ignored(&self, names: &[&str]) -> std::result::Result<(), String> {
        let rule = self
            .rules
            .ignore
            .iter()
            .find(|rule| names.iter().any(|name| rule.value.fits(name)));
        rule.map_or(Ok(()), |rule| {
            Err(format!("{} leaves it out", rule.at.line()))
        })
    }
}

/// The names that people give records and enumerations: a typedef's, one without a version if there is one. Others go
/// by their tags.
fn type_names(header: &Header) -> HashMap<Type, &str> {
    let versioned = |name: &str| {
        let end = name.rsplit("_v").next().unwrap_or("");
        end.len() < name.len() && !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut names: HashMap<Type, (&str, bool)> = HashMap::new();
    // One without a tag has its first typedef's name already.
    for (index, record) in header.records.iter().enumerate() {
        if !record.tagged && !record.name.is_empty() {
            names.insert(Type::Record(RecordId(index as u32)), (&record.name, true));
        }
    }
    for (index, enumeration) in header.enums.iter().enumerate() {
        if !enumeration.tagged && !enumeration.name.is_empty() {
            names.insert(Type::Enum(EnumId(index as u32)), (&enumeration.name, true));
        }
    }
    for typedef in &header.typedefs {
        let ty = header.resolve(&typedef.ty);
        if matches!(ty, Type::Record(_) | Type::Enum(_)) {
            let direct = typedef.ty == *ty;
            let known = names.entry(ty.clone()).or_insert((&typedef.name, direct));
            // A name for the type itself goes before a name for another name, and both behind one without a version.
            let better = match (versioned(known.0), versioned(&typedef.name)) {
                (true, false) => true,
                (false, true) => false,
                _ => direct && !known.1,
            };
            if better {
                *known = (&typedef.name, direct);
            }
        }
    }
    let names = names.into_iter();
    names.map(|(ty, (name, _))| (ty, name)).collect()
}

/// A name that nothing else has.
fn free_name(name: &str, taken: &HashMap<String, usize>, suffix: &str) -> String {
    let mut name = name.to_owned();
    while taken.contains_key(&name) {
        name.push_str(suffix);
    }
    name
}

/// Gives all parameters names that Python takes and that differ.
pub(super) fn name_parameters(plans: &mut [ParameterPlan]) {
    let mut seen = HashSet::new();
    for (at, plan) in plans.iter_mut().enumerate() {
        if KEYWORDS.contains(&plan.name.as_str()) {
            plan.name.push('_');
        }
        if !is_identifier(&plan.name) || seen.contains(&plan.name) {
            plan.name = format!("arg{at}");
        }
        while !seen.insert(plan.name.clone()) {
            plan.name.push('_');
        }
    }
}
