//! In a stub: what an interface file adds to records and to results with `%extend` and `%newobject`.

use std::fmt::Write;

use super::Binding;
use crate::decl::Type;
use crate::plan::FunctionPlan;
use crate::plan::python::Names;
use crate::rules::swig::{Member, MemberKind};
use crate::words::{is_identifier, not_keyword};

/// What a call may take if several functions have one name: the first that takes the arguments is called.
const ANYTHING: &str = "*args: Any, **kwargs: Any";

/// A member's name, and the functions that it stands for, of which there may be several.
type Named<'a> = (&'a str, Vec<(&'a Member, &'a FunctionPlan)>);

/// The members that an interface file adds to a record.
pub(super) struct Members<'a> {
    named: Vec<Named<'a>>,
}

impl<'a> Members<'a> {
    /// Those of the record of this name in C. What is not bound has none.
    pub(super) fn of(binding: &Binding<'a>, record: &str) -> Self {
        let mut named: Vec<Named<'a>> = Vec::new();
        for member in &binding.additions.members {
            let Some(function) = function(binding, &member.function) else {
                continue;
            };
            if member.record != record {
                continue;
            }
            match named.iter_mut().find(|(name, _)| *name == member.name) {
                Some((_, functions)) => functions.push((member, function)),
                None => named.push((&member.name, vec![(member, function)])),
            }
        }
        Self { named }
    }

    /// The parameters of the class, if functions of C make its objects.
    pub(super) fn constructor(&self, names: &Names<'_>) -> Option<String> {
        let (_, functions) = self.named.iter().find(|(name, _)| *name == "__init__")?;
        Some(match functions[..] {
            [(_, function)] => names.typed_parameters(function).join(", "),
            _ => ANYTHING.to_owned(),
        })
    }

    /// Writes methods and attributes into the body of the class.
    pub(super) fn write(&self, text: &mut String, binding: &Binding<'_>, names: &Names<'_>) {
        for (name, functions) in &self.named {
            let name = not_keyword(name);
            if !is_identifier(&name) || matches!(&*name, "__init__" | "__del__") {
                continue;
            }
            let (member, function) = functions[0];
            let result = result(binding, names, function);
            let parameters = names.typed_parameters(function);
            let several = functions.len() > 1;
            let _ = match member.kind {
                MemberKind::Method => {
                    let taken = match parameters.split_first() {
                        Some((_, taken)) if !several => taken.join(", "),
                        _ => ANYTHING.to_owned(),
                    };
                    let taken = match &*taken {
                        "" => String::new(),
                        taken => format!(", {taken}"),
                    };
                    let result = if several { "Any" } else { &result };
                    let hides = match is_of_object(&name) {
                        true => "  # type: ignore[override]",
                        false => "",
                    };
                    writeln!(text, "    def {name}(self{taken}) -> {result}: ...{hides}")
                }
                MemberKind::Static => {
                    let taken = parameters.join(", ");
                    writeln!(
                        text,
                        "    @staticmethod\n    def {name}({taken}) -> {result}: ..."
                    )
                }
                MemberKind::Constant => writeln!(text, "    {name}: Final[{result}]"),
                MemberKind::Attribute => {
                    let _ = writeln!(text, "    @property\n    def {name}(self) -> {result}: ...");
                    match &member.setter {
                        Some(_) => writeln!(
                            text,
                            "    @{name}.setter\n    def {name}(self, value: Any) -> None: ..."
                        ),
                        None => Ok(()),
                    }
                }
                // Functions of a field, which is there; the others are no members of a class's body.
                MemberKind::Reads
                | MemberKind::Writes
                | MemberKind::Constructor
                | MemberKind::Destructor => Ok(()),
            };
        }
    }
}

/// The signature of a function: what it returns may be the caller's.
pub(super) fn signature(
    binding: &Binding<'_>,
    names: &Names<'_>,
    function: &FunctionPlan,
) -> String {
    let parameters = names.typed_parameters(function).join(", ");
    format!("({parameters}) -> {}", result(binding, names, function))
}

/// The type of a function's result: a pointer to a record that is the caller's is the record.
fn result(binding: &Binding<'_>, names: &Names<'_>, function: &FunctionPlan) -> String {
    let declared = &binding.header.functions[function.function as usize];
    let result = names.returns(function);
    if result != "Pointer" || !binding.additions.new_objects.contains(&declared.name) {
        return result;
    }
    let Type::Pointer { to, .. } = binding.header.resolve(&declared.result) else {
        return result;
    };
    let Type::Record(id) = binding.header.resolve(to) else {
        return result;
    };
    let mut records = binding.plan.records.iter();
    records
        .find(|(record, _)| record == id)
        .map_or(result, |(_, name)| name.clone())
}

/// The plan of a function of C.
fn function<'a>(binding: &Binding<'a>, name: &str) -> Option<&'a FunctionPlan> {
    let mut functions = binding.plan.functions.iter();
    functions.find(|it| binding.header.functions[it.function as usize].name == name)
}

/// True for a method that all objects have, whose types others may not have.
fn is_of_object(name: &str) -> bool {
    matches!(
        name,
        "__eq__" | "__ne__" | "__hash__" | "__str__" | "__repr__"
    )
}
