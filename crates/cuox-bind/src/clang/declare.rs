//! Declarations of a file: functions, variables, and the dispatch to types.

use clang_sys::*;

use super::arguments::Setup;
use super::cursor::{Cursor, Unit};
use super::diagnostic::ParseError;
use super::files::Files;
use super::macros;
use super::reader::Reader;
use super::types::{TypeContext, doc, foreign_convention, is_variadic, or_index};
use crate::decl::{
    Constant, Elements, Function, Header, Parameter, Refused, Type, Value, Variable,
};

/// Everything that a unit declares in files that are kept.
pub fn read(unit: &Unit, files: Files, setup: &Setup) -> Result<Header, ParseError> {
    let mut reader = Reader::new(files, setup);
    reader.declarations(unit.root());
    reader.complete();
    reader.refuse_unpassable();
    macros::read(&mut reader, unit, setup)?;
    reader.inline_functions();
    Ok(reader.into_header())
}

impl<'u> Reader<'u> {
    fn declarations(&mut self, root: Cursor<'u>) {
        // Namespaces and `extern "C" { }` are gone into; the first of the stack is next.
        let mut stack: Vec<(Cursor<'u>, String)> = Vec::new();
        let enter = |stack: &mut Vec<_>, cursor: Cursor<'u>, scope: &str| {
            let children = cursor.children().into_iter().rev();
            stack.extend(children.map(|child| (child, scope.to_owned())));
        };
        enter(&mut stack, root, "");
        while let Some((cursor, scope)) = stack.pop() {
            match cursor.kind() {
                CXCursor_LinkageSpec | CXCursor_UnexposedDecl => enter(&mut stack, cursor, &scope),
                CXCursor_Namespace => {
                    enter(
                        &mut stack,
                        cursor,
                        &format!("{scope}{}::", cursor.spelling()),
                    );
                }
                _ if !self.files.kept(cursor.location()) => {}
                kind => self.declaration(cursor, kind, &scope),
            }
        }
    }

    fn declaration(&mut self, cursor: Cursor<'u>, kind: CXCursorKind, scope: &str) {
        match kind {
            CXCursor_FunctionDecl => self.function(cursor, scope),
            CXCursor_VarDecl => self.variable(cursor, scope),
            CXCursor_TypedefDecl | CXCursor_TypeAliasDecl => {
                let name = cursor.name();
                self.typedef(cursor, TypeContext::new(&name, Some(cursor)));
            }
            CXCursor_EnumDecl => {
                self.enumeration(cursor, "");
            }
            // A record without a name is known by the declaration that uses it.
            CXCursor_StructDecl | CXCursor_UnionDecl | CXCursor_ClassDecl
                if !cursor.name().is_empty() =>
            {
                self.record(cursor, "");
                self.members(cursor, scope);
            }
            CXCursor_FunctionTemplate => {
                self.refuse(cursor, scope, "function", "is a C++ template")
            }
            CXCursor_ClassTemplate | CXCursor_ClassTemplatePartialSpecialization => {
                self.refuse(cursor, scope, "class", "is a C++ template");
            }
            CXCursor_CXXMethod => {
                self.refuse(cursor, scope, "function", "is a member of a C++ class");
            }
            _ => {}
        }
    }

    /// Says which functions a C++ class has.
    fn members(&mut self, class: Cursor<'u>, scope: &str) {
        let scope = format!("{scope}{}::", class.spelling());
        for member in class.children() {
            if member.kind() == CXCursor_CXXMethod {
                self.refuse(member, &scope, "function", "is a member of a C++ class");
            }
        }
    }

    fn function(&mut self, cursor: Cursor<'u>, scope: &str) {
        let is_cxx = is_mangled(cursor);
        let reason = match () {
            () if cursor.linkage() == CXLinkage_Internal
                || cursor.storage_class() == CX_SC_Static =>
            {
                "is static: no library exports it"
            }
            () if self.is_cxx && cursor.is_inline() => {
                "is an inline function of C++: no library exports it"
            }
            () if is_cxx => "is a C++ function, not `extern \"C\"`",
            () => "",
        };
        if !reason.is_empty() {
            self.statics.insert(cursor.name(), cursor);
            return self.refuse(cursor, scope, "function", reason);
        }
        if let Some(convention) = foreign_convention(cursor.ty().canonical()) {
            return self.refuse(cursor, scope, "function", &format!("is {convention}"));
        }
        let name = cursor.name();
        let label = cursor
            .children()
            .into_iter()
            .find(|c| c.kind() == CXCursor_AsmLabelAttr);
        let symbol = label.map_or_else(|| name.clone(), Cursor::spelling);
        let function = self.declared(cursor, symbol);
        match self.functions.get(&name) {
            Some(&index) => merge(&mut self.header.functions[index], function),
            None => {
                self.functions.insert(name, self.header.functions.len());
                self.header.functions.push(function);
            }
        }
    }

    /// Functions of C that are only in the header and do more than call another one.
    fn inline_functions(&mut self) {
        if self.is_cxx {
            return;
        }
        let mut found: Vec<Cursor<'u>> = (self.statics.values().copied())
            .filter(|it| it.is_inline())
            .filter(|it| !self.functions.contains_key(&it.name()))
            .filter(|it| foreign_convention(it.ty().canonical()).is_none())
            .collect();
        found.sort_by_key(|it| {
            let place = self.files.place(it.location());
            (place.file, place.line, it.name())
        });
        let made: Vec<Function> = found
            .into_iter()
            .map(|cursor| self.declared(cursor, format!("{}{}", Function::INLINE, cursor.name())))
            .collect();
        self.complete();
        let mut verdicts = vec![None; self.header.records.len()];
        for function in made {
            let parameters = function.parameters.iter().map(|it| &it.ty);
            let types: Vec<&Type> = parameters.chain([&function.result]).collect();
            let passable = types
                .into_iter()
                .all(|ty| self.unpassable(ty, &mut verdicts).is_none());
            if passable {
                self.header.refused.retain(|it| it.name != function.name);
                self.functions
                    .insert(function.name.clone(), self.header.functions.len());
                self.header.functions.push(function);
            }
        }
    }

    /// A function as it is declared.
    fn declared(&mut self, cursor: Cursor<'u>, symbol: String) -> Function {
        let name = cursor.name();
        let ty = cursor.ty().canonical();
        let pretty = cursor.pretty();
        let nonnull = Nonnull::of(&pretty);
        let mut parameters = Vec::new();
        for index in 0..cursor.argument_count().max(0) as u32 {
            let parameter = cursor.argument(index);
            let parameter_name = parameter.name();
            let own = format!("{name}_{}", or_index(&parameter_name, index));
            let ty = parameter.ty();
            let is_pointer = matches!(
                ty.canonical().kind(),
                CXType_Pointer
                    | CXType_ConstantArray
                    | CXType_IncompleteArray
                    | CXType_VariableArray
            );
            let marked = is_pointer
                && (nonnull.has(index) || (nonnull.some && mentions_nonnull(&parameter.pretty())));
            parameters.push(Parameter {
                ty: self.parameter_type(ty, TypeContext::new(&own, Some(parameter))),
                default: default_of(parameter),
                nonnull: marked
                    || ty.nullability() == CXTypeNullability_NonNull
                    || ty.canonical().kind() == CXType_LValueReference,
                elements: elements(cursor, parameter),
                name: parameter_name,
            });
        }
        let own = format!("{name}_result");
        let result = cursor.ty().canonical().result();
        // The sugar is lost where a function's type is a typedef's.
        let written = cursor.result();
        let result = if written.kind() == CXType_Invalid {
            result
        } else {
            written
        };
        Function {
            result: self.ty(result, TypeContext::new(&own, None)),
            variadic: is_variadic(ty),
            doc: doc(cursor),
            deprecated: cursor.deprecated(),
            place: self.files.place(cursor.location()),
            name,
            symbol,
            parameters,
        }
    }

    fn variable(&mut self, cursor: Cursor<'u>, scope: &str) {
        let name = cursor.name();
        let value = cursor.ty().is_const().then(|| cursor.evaluate()).flatten();
        let is_internal = cursor.linkage() == CXLinkage_Internal;
        // With a value that its header gives, it needs no symbol.
        if is_internal || value.is_some() {
            let place = self.files.place(cursor.location());
            match value {
                Some(value) => self.header.constants.push(Constant {
                    name: format!("{scope}{name}"),
                    value,
                    function: None,
                    doc: doc(cursor),
                    place,
                }),
                None => self.refuse(
                    cursor,
                    scope,
                    "variable",
                    "is static: no library exports it",
                ),
            }
            return;
        }
        if is_mangled(cursor) {
            return self.refuse(
                cursor,
                scope,
                "variable",
                "is a C++ variable, not `extern \"C\"`",
            );
        }
        if let Some(&index) = self.variables.get(&name) {
            let known = &mut self.header.variables[index];
            known.doc = known.doc.take().or_else(|| doc(cursor));
            return;
        }
        let ty = self.ty(cursor.ty(), TypeContext::new(&name, Some(cursor)));
        self.variables
            .insert(name.clone(), self.header.variables.len());
        let place = self.files.place(cursor.location());
        let label = cursor.children().into_iter();
        let label = label
            .filter(|c| c.kind() == CXCursor_AsmLabelAttr)
            .map(Cursor::spelling)
            .next();
        self.header.variables.push(Variable {
            symbol: label.unwrap_or_else(|| name.clone()),
            name,
            ty,
            constant: cursor.ty().canonical().is_const(),
            doc: doc(cursor),
            place,
        });
    }

    /// Takes out functions whose parameters or results cannot be passed, now that all records are known.
    fn refuse_unpassable(&mut self) {
        let mut verdicts = vec![None; self.header.records.len()];
        let functions = std::mem::take(&mut self.header.functions);
        for function in functions {
            let parameters = function.parameters.iter().enumerate();
            let types = parameters.map(|(index, parameter)| {
                let name = match parameter.name.is_empty() {
                    true => String::new(),
                    false => format!(" `{}`", parameter.name),
                };
                (format!("parameter {}{name}", index + 1), &parameter.ty)
            });
            let result = ("the result".to_owned(), &function.result);
            let problem = types.chain([result]).find_map(|(what, ty)| {
                Some(format!("{what} is {}", self.unpassable(ty, &mut verdicts)?))
            });
            match problem {
                None => self.header.functions.push(function),
                Some(problem) => self.header.refused.push(Refused {
                    reason: format!("`{}`: {problem}", function.name),
                    name: function.name,
                    kind: "function".into(),
                    place: function.place,
                }),
            }
        }
        self.functions = (self.header.functions.iter().enumerate())
            .map(|(index, function)| (function.name.clone(), index))
            .collect();
        let variables = std::mem::take(&mut self.header.variables);
        for variable in variables {
            match self.unpassable(&variable.ty, &mut verdicts) {
                Some(problem) if !is_opaque(&self.header, &variable.ty) => {
                    self.header.refused.push(Refused {
                        reason: format!("`{}` is {problem}", variable.name),
                        name: variable.name,
                        kind: "variable".into(),
                        place: variable.place,
                    });
                }
                _ => self.header.variables.push(variable),
            }
        }
    }

    /// The reason why a value of a type cannot be passed; `None` if it can.
    fn unpassable(&self, ty: &Type, verdicts: &mut Vec<Option<Option<String>>>) -> Option<String> {
        match ty {
            Type::Other(text) => Some(format!("of type `{text}`, which cannot be passed")),
            Type::Typedef(id) => self.unpassable(&self.header.typedef(*id).ty, verdicts),
            Type::Array { of, .. } => self.unpassable(of, verdicts),
            Type::Record(id) => {
                let index = id.0 as usize;
                if let Some(verdict) = &verdicts[index] {
                    return verdict.clone();
                }
                let record = self.header.record(*id);
                let name = self.header.c_type(ty);
                let verdict = match (self.unfit.get(id), record.size) {
                    (Some(reason), _) => Some(format!("`{name}`, which {reason}")),
                    (None, None) => Some(format!("`{name}`, of which only the name is declared")),
                    (None, Some(_)) => record.fields.iter().find_map(|field| {
                        let problem = self.unpassable(&field.ty, verdicts)?;
                        Some(format!(
                            "`{name}`, whose field `{}` is {problem}",
                            field.name
                        ))
                    }),
                };
                verdicts[index] = Some(verdict.clone());
                verdict
            }
            _ => None,
        }
    }
}

/// True if a variable's type is a record that is only declared: its address can still be passed on.
fn is_opaque(header: &Header, ty: &Type) -> bool {
    matches!(header.resolve(ty), Type::Record(id) if header.record(*id).size.is_none())
}

/// Completes a function's declaration from another declaration of it.
fn merge(known: &mut Function, again: Function) {
    known.doc = known.doc.take().or(again.doc);
    known.deprecated = known.deprecated.take().or(again.deprecated);
    if known.symbol == known.name {
        known.symbol = again.symbol;
    }
    // `int f();` says less than a later prototype.
    if known.parameters.is_empty() && known.variadic && !again.parameters.is_empty() {
        known.variadic = again.variadic;
        known.parameters = again.parameters;
        return;
    }
    for (parameter, again) in known.parameters.iter_mut().zip(again.parameters) {
        if parameter.name.is_empty() {
            parameter.name = again.name;
        }
        parameter.nonnull |= again.nonnull;
        parameter.default = parameter.default.take().or(again.default);
    }
}

/// True if a symbol has C++'s mangling, or would have.
fn is_mangled(cursor: Cursor<'_>) -> bool {
    cursor
        .mangling()
        .trim_start_matches('\u{1}')
        .starts_with("_Z")
        && !cursor.name().starts_with("_Z")
}

/// A parameter's default, where that is a constant.
fn default_of(parameter: Cursor<'_>) -> Option<Value> {
    let children = parameter.children();
    let expression = children.into_iter().rfind(|child| {
        let kind = child.kind();
        (CXCursor_UnexposedExpr..CXCursor_UnexposedStmt).contains(&kind)
    })?;
    let is_pointer = parameter.ty().canonical().kind() == CXType_Pointer;
    // An array's length is a child of its declaration too.
    if !parameter.pretty().contains('=') {
        return None;
    }
    match parameter.evaluate().or_else(|| expression.evaluate()) {
        Some(Value::Int(0)) if is_pointer => Some(Value::Null),
        None if is_pointer
            && matches!(
                expression.bare().kind(),
                CXCursor_CXXNullPtrLiteralExpr | CXCursor_GNUNullExpr
            ) =>
        {
            Some(Value::Null)
        }
        value => value,
    }
}

/// The number of elements of a parameter that is declared as an array, if it is a constant or another parameter.
fn elements(function: Cursor<'_>, parameter: Cursor<'_>) -> Option<Elements> {
    let array = parameter.ty().canonical();
    match array.kind() {
        CXType_ConstantArray => array.array_size().try_into().ok().map(Elements::Number),
        CXType_VariableArray => {
            let children = parameter.children();
            let mut lengths = children.iter().map(|child| child.bare());
            let length = lengths.find(|child| child.kind() == CXCursor_DeclRefExpr)?;
            let count = u32::try_from(function.argument_count()).ok()?;
            let index = (0..count).find(|at| function.argument(*at) == length.referenced())?;
            Some(Elements::Parameter(index))
        }
        _ => None,
    }
}

/// The parameters that a function's attributes declare to be never null.
struct Nonnull {
    /// True if the word is there at all.
    some: bool,
    all: bool,
    indices: Vec<u32>,
}

impl Nonnull {
    /// From a declaration as the compiler writes it, with macros expanded.
    fn of(pretty: &str) -> Nonnull {
        let mut nonnull = Nonnull {
            some: mentions_nonnull(pretty),
            all: false,
            indices: Vec::new(),
        };
        if !nonnull.some {
            return nonnull;
        }
        // Attributes of the function itself stand behind its parameters.
        let mut depth = 0;
        let mut end = 0;
        for (at, c) in pretty.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    if depth == 0 && end == 0 {
                        end = at + 1;
                    }
                }
                _ => {}
            }
        }
        let mut rest = &pretty[end..];
        while let Some(at) = find_nonnull(rest) {
            rest = &rest[at + "nonnull".len()..];
            match rest.strip_prefix('(').and_then(|list| list.split_once(')')) {
                Some((list, _)) => {
                    let numbers = list.split(',').filter_map(|n| n.trim().parse::<u32>().ok());
                    nonnull.indices.extend(numbers.map(|n| n.wrapping_sub(1)));
                }
                None => nonnull.all = true,
            }
        }
        nonnull
    }

    fn has(&self, index: u32) -> bool {
        self.all || self.indices.contains(&index)
    }
}

/// The index of the attribute's name; `returns_nonnull` is another attribute.
fn find_nonnull(text: &str) -> Option<usize> {
    let mut found = text.match_indices("nonnull").map(|(at, _)| at);
    found.find(|&at| !text[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric()))
}

fn mentions_nonnull(text: &str) -> bool {
    find_nonnull(text).is_some()
}
