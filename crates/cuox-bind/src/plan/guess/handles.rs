//! Guesses which types are handles, and which functions make and end them.

use std::collections::{HashMap, HashSet};

use crate::decl::{Function, Header, Record, RecordId, Type, TypedefId};
use crate::plan::{HandleOf, HandlePlan, OBJECT, PlanError, Why};
use crate::rules::{HandleRule, Rules};
use crate::words::{did_you_mean, words};

/// Words in the names of functions that end a handle; an earlier one is preferred.
const ENDS: [&str; 18] = [
    "destroy",
    "close",
    "free",
    "delete",
    "finalize",
    "cleanup",
    "release",
    "unref",
    "dispose",
    "unload",
    "end",
    "fini",
    "finish",
    "deinit",
    "term",
    "terminate",
    "drop",
    "decref",
];

/// Of these, the ones that something else may have to follow.
const PREPARES: [&str; 8] = [
    "finalize",
    "cleanup",
    "end",
    "fini",
    "finish",
    "deinit",
    "term",
    "terminate",
];

/// Words in the names of functions that make a handle.
const MAKES: [&str; 22] = [
    "create",
    "new",
    "open",
    "init",
    "initialize",
    "alloc",
    "allocate",
    "make",
    "dup",
    "duplicate",
    "copy",
    "clone",
    "prepare",
    "load",
    "instantiate",
    "connect",
    "build",
    "construct",
    "start",
    "begin",
    "compile",
    "parse",
];

/// Of these, the ones that may be given a handle of the type that they make.
const COPIES: [&str; 5] = ["dup", "duplicate", "copy", "clone", "instantiate"];

/// Words for pointers to anything, which are no handles.
const GENERIC: [&str; 8] = [
    "glvoid",
    "pointer",
    "ptr",
    "data",
    "addr",
    "address",
    "any",
    "deviceptr",
];

/// The handle types of a header.
#[derive(Default)]
pub(crate) struct Handles {
    pub(crate) plans: Vec<HandlePlan>,
    by_type: HashMap<HandleOf, u32>,
}

impl Handles {
    /// The handle type of a value of this type, and whether it points at something constant.
    pub(crate) fn of(&self, header: &Header, ty: &Type) -> Option<(u32, bool)> {
        let mut ty = ty;
        loop {
            match ty {
                Type::Typedef(id) => {
                    if let Some(handle) = self.by_type.get(&HandleOf::Typedef(*id)) {
                        return Some((*handle, false));
                    }
                    ty = &header.typedef(*id).ty;
                }
                Type::Pointer { to, constant } => {
                    let mut inner = &**to;
                    while let Type::Typedef(id) = inner {
                        if let Some(handle) = self.by_type.get(&HandleOf::PointerTo(*id)) {
                            return Some((*handle, *constant));
                        }
                        inner = &header.typedef(*id).ty;
                    }
                    let Type::Record(id) = inner else { return None };
                    let handle = self.by_type.get(&HandleOf::Pointer(*id))?;
                    return Some((*handle, *constant));
                }
                _ => return None,
            }
        }
    }

    /// The handle type that this type is a pointer to a variable of.
    pub(crate) fn pointed(&self, header: &Header, ty: &Type) -> Option<u32> {
        match header.resolve(ty) {
            Type::Pointer {
                to,
                constant: false,
            } => self.of(header, to).map(|(handle, _)| handle),
            _ => None,
        }
    }

    /// A handle type by its name in Python.
    pub(crate) fn named(&self, name: &str) -> Option<u32> {
        let at = self.plans.iter().position(|plan| plan.name == name)?;
        u32::try_from(at).ok()
    }

    fn add(&mut self, name: String, of: HandleOf, why: Why) {
        if self.by_type.contains_key(&of) {
            return;
        }
        let index = u32::try_from(self.plans.len()).unwrap_or(u32::MAX);
        self.by_type.insert(of, index);
        self.plans.push(HandlePlan {
            name,
            of,
            destroy: None,
            why,
            destroy_why: None,
        });
    }
}

/// Finds the handle types of a header: those of rules first.
pub(crate) fn find(header: &Header, rules: &Rules) -> Result<Handles, PlanError> {
    let mut handles = Handles::default();
    for rule in &rules.handles {
        let of = ruled(header, rule)?;
        handles.add(rule.class.clone(), of, Why::Rule(rule.at.line()));
    }
    let mut seen = TypeUses::default();
    for function in &header.functions {
        let of_this = function.parameters.iter().map(|parameter| &parameter.ty);
        let mut once = HashSet::new();
        for ty in of_this.chain([&function.result]) {
            seen.look(header, ty, &mut once, 0);
        }
        for typedef in once {
            *seen.typedefs.entry(typedef).or_default() += 1;
        }
    }
    for record in &header.records {
        for field in &record.fields {
            seen.look(header, &field.ty, &mut HashSet::new(), 0);
        }
    }
    let names = RecordNames::new(header);
    for index in 0..header.records.len() {
        let id = RecordId(u32::try_from(index).unwrap_or(u32::MAX));
        let record = header.record(id);
        let object = rules.as_swig && record.name == OBJECT;
        if record.size.is_none() && seen.records.contains(&id) && !object {
            let text = format!(
                "{} is declared and not defined, so that only the library can look into it",
                header.c_type(&Type::Record(id))
            );
            let name = names.of(id, record);
            handles.add(name, HandleOf::Pointer(id), Why::Guess(text));
        }
    }
    for (index, typedef) in header.typedefs.iter().enumerate() {
        let id = TypedefId(u32::try_from(index).unwrap_or(u32::MAX));
        let Some(&uses) = seen.typedefs.get(&id) else {
            continue;
        };
        if uses < 2 || is_generic(&words(&typedef.name)) {
            continue;
        }
        let (of, what) = match typedef.ty {
            Type::Void => (HandleOf::PointerTo(id), "void"),
            _ => (HandleOf::Typedef(id), "void *"),
        };
        let text = format!(
            "{} is a name for {what} that {uses} functions use, so it stands for something of the library's",
            typedef.name
        );
        handles.add(typedef.name.clone(), of, Why::Guess(text));
    }
    Ok(handles)
}

/// True if a typedef's name says that it points at anything: `gpointer`, `gconstpointer`, `png_voidp`.
fn is_generic(name: &[String]) -> bool {
    name.iter().any(|word| {
        GENERIC.contains(&word.as_str()) || word.starts_with("void") || word.ends_with("pointer")
    })
}

/// The uses of types in functions and fields.
#[derive(Default)]
struct TypeUses {
    /// Records behind pointers.
    records: HashSet<RecordId>,
    /// Typedefs of `void` behind pointers, and of `void *`, with the number of functions.
    typedefs: HashMap<TypedefId, u32>,
}

impl TypeUses {
    fn look(&mut self, header: &Header, ty: &Type, once: &mut HashSet<TypedefId>, depth: u32) {
        if depth > 16 {
            return;
        }
        match ty {
            Type::Pointer { to, .. } => {
                match header.resolve(to) {
                    Type::Record(id) => {
                        self.records.insert(*id);
                    }
                    Type::Void => {
                        if let Type::Typedef(id) = **to {
                            once.insert(id);
                        }
                    }
                    _ => {}
                }
                self.look(header, to, once, depth + 1);
            }
            Type::Array { of, .. } => self.look(header, of, once, depth + 1),
            Type::Typedef(id) => {
                let target = &header.typedef(*id).ty;
                if let Type::Pointer { to, .. } = target
                    && **to == Type::Void
                {
                    once.insert(*id);
                }
                self.look(header, target, once, depth + 1);
            }
            Type::Function(function) => {
                for (_, ty) in &function.parameters {
                    self.look(header, ty, once, depth + 1);
                }
                self.look(header, &function.result, once, depth + 1);
            }
            _ => {}
        }
    }
}

/// Typedefs' names for records and for pointers to them; the first in the header counts.
#[derive(Default)]
struct RecordNames<'a> {
    /// `typedef struct x_st x`.
    direct: HashMap<RecordId, &'a str>,
    /// `typedef struct x_st *x_ptr`.
    pointer: HashMap<RecordId, &'a str>,
    /// `typedef x *x_ptr`.
    through: HashMap<RecordId, &'a str>,
}

impl<'a> RecordNames<'a> {
    fn new(header: &'a Header) -> Self {
        let mut names = Self::default();
        for typedef in &header.typedefs {
            match &typedef.ty {
                Type::Record(id) => {
                    names.direct.entry(*id).or_insert(&typedef.name);
                }
                Type::Pointer {
                    to,
                    constant: false,
                } => {
                    if let Type::Record(id) = **to {
                        names.pointer.entry(id).or_insert(&typedef.name);
                    }
                    if let Type::Record(id) = header.resolve(to) {
                        names.through.entry(*id).or_insert(&typedef.name);
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// The name of a handle class: a pointer typedef's (`CUstream`), the record's typedef's (`sqlite3`), or the tag.
    fn of(&self, id: RecordId, record: &Record) -> String {
        let direct = self.direct.get(&id);
        let typedef = match record.tagged {
            // `typedef struct x_st x; typedef x *x_ptr`: the record has a name of its own.
            true => direct
                .or_else(|| self.pointer.get(&id))
                .or_else(|| self.through.get(&id)),
            false => direct,
        };
        typedef.map_or_else(|| record.name.clone(), |name| (*name).to_owned())
    }
}

/// The handle that a rule's C type names.
fn ruled(header: &Header, rule: &HandleRule) -> Result<HandleOf, PlanError> {
    let error = |message: String| PlanError {
        function: None,
        parameter: None,
        place: Some(rule.at.to_string()),
        message,
    };
    let text = rule.c_type.replace("const ", " ");
    let text = text.trim();
    let (name, pointer) = match text.strip_suffix('*') {
        Some(name) => (name.trim(), true),
        None => (text, false),
    };
    let tag = name
        .strip_prefix("struct ")
        .or_else(|| name.strip_prefix("union "))
        .map(str::trim);
    let name = tag.unwrap_or(name);
    let by_tag = || {
        let at = header.records.iter().position(|it| it.name == name)?;
        u32::try_from(at).ok().map(RecordId)
    };
    let typedef = match tag {
        Some(_) => None,
        None => header.typedefs.iter().position(|it| it.name == name),
    };
    let Some(index) = typedef else {
        return match by_tag() {
            Some(id) if pointer => Ok(HandleOf::Pointer(id)),
            Some(_) => Err(error(format!(
                "'{text}' is a record and no handle; a pointer to one can be: '{text} *'"
            ))),
            None => {
                let typedefs = header.typedefs.iter().map(|it| it.name.as_str());
                let records = header.records.iter().map(|it| it.name.as_str());
                let hint = did_you_mean(name, typedefs.chain(records));
                Err(error(format!(
                    "the handle '{}' is of the type '{name}', which the header does not declare{hint}",
                    rule.class
                )))
            }
        };
    };
    let id = TypedefId(u32::try_from(index).unwrap_or(u32::MAX));
    match (header.resolve(&Type::Typedef(id)), pointer) {
        (Type::Record(record), true) => Ok(HandleOf::Pointer(*record)),
        (Type::Void, true) => Ok(HandleOf::PointerTo(id)),
        (Type::Pointer { to, .. }, false) => match header.resolve(to) {
            Type::Record(record) if header.record(*record).size.is_none() => {
                Ok(HandleOf::Pointer(*record))
            }
            _ => Ok(HandleOf::Typedef(id)),
        },
        (Type::Int(_), false) => Ok(HandleOf::Typedef(id)),
        (other, _) => Err(error(format!(
            "'{text}' cannot be a handle: it is {}{}; a handle is a pointer to a record, a name for void *, or a name for an integer",
            header.c_type(other),
            if pointer { " *" } else { "" }
        ))),
    }
}

/// Functions that make and end handles.
#[derive(Default)]
pub(crate) struct Pairs {
    /// For a handle type, the function of the header that ends one, and why that is so.
    pub(crate) ends: HashMap<u32, (usize, Why)>,
    /// Functions that end the handle they are given: which parameter.
    pub(crate) enders: HashMap<usize, usize>,
}

/// A name's words without empty ones: versions.
fn bare(name: &str) -> Vec<String> {
    let version = |word: &String| {
        let digits = word.strip_prefix('v').unwrap_or("-");
        digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty()
            || ["ptsz", "ptds", "ex"].contains(&word.as_str())
    };
    let mut words = words(name);
    words.retain(|word| !version(word));
    words
}

/// The word of a list that a name has, and the name's other words. Short prefixes may be grown together with it
/// (`gzclose`).
fn verb<'a>(name: &[String], verbs: &[&'a str]) -> Option<(&'a str, Vec<String>)> {
    // The last one counts: `plan_destroy`, `close_notify_free`.
    name.iter().enumerate().rev().find_map(|(at, word)| {
        let found = verbs.iter().find(|verb| {
            let rest = word.strip_suffix(**verb);
            rest.is_some_and(|rest| {
                rest.is_empty() || verb.len() > 3 && ["gz", "f", "p"].contains(&rest)
            })
        })?;
        let mut rest = name.to_vec();
        let grown = rest.remove(at);
        if grown.len() > found.len() {
            rest.insert(0, grown[..grown.len() - found.len()].to_owned());
        }
        Some((*found, rest))
    })
}

/// Finds the function that ends each type of handle.
pub(crate) fn pairs(header: &Header, handles: &Handles, rules: &Rules) -> Result<Pairs, PlanError> {
    let mut pairs = Pairs::default();
    let library = common_word(header);
    // The maker of a handle, by its type and the words of the maker's name that are not the verb: the first in the
    // header.
    let mut makers: HashMap<(u32, Vec<String>), &Function> = HashMap::new();
    for maker in &header.functions {
        if let Some(handle) = gives(header, handles, maker)
            && let Some((_, rest)) = verb(&bare(&maker.name), &MAKES)
        {
            makers.entry((handle, rest)).or_insert(maker);
        }
    }
    let mut best: HashMap<u32, (bool, usize, usize, usize, String)> = HashMap::new();
    for (index, function) in header.functions.iter().enumerate() {
        let [parameter] = &function.parameters[..] else {
            continue;
        };
        let by_value = handles.of(header, &parameter.ty).map(|(handle, _)| handle);
        let Some(handle) = by_value.or_else(|| handles.pointed(header, &parameter.ty)) else {
            continue;
        };
        let Some((word, rest)) = verb(&bare(&function.name), &ENDS) else {
            continue;
        };
        let (known, whole) = type_words(header, &handles.plans[handle as usize]);
        let plain = rest
            .iter()
            .all(|word| known.contains(word) || Some(word) == library.as_ref());
        // `cuLibraryUnload` and `CUlibrary`, whatever words that is made of.
        let plain = plain || whole.contains(&rest.concat());
        let maker = makers.get(&(handle, rest));
        if !plain && maker.is_none() {
            continue;
        }
        pairs.enders.insert(index, 0);
        let why = match maker {
            Some(maker) => format!(
                "{} and {} pair up by their names",
                maker.name, function.name
            ),
            None => format!(
                "{} takes nothing but one, and its name says that it ends it",
                function.name
            ),
        };
        let order = ENDS
            .iter()
            .position(|end| *end == word)
            .unwrap_or(ENDS.len());
        let candidate = (by_value.is_none(), order, function.name.len(), index, why);
        match best.get(&handle) {
            Some(known) if *known <= candidate => {}
            _ => {
                best.insert(handle, candidate);
            }
        }
    }
    // `ncclCommFinalize` comes before `ncclCommDestroy`; it only ends one where nothing else does.
    pairs.enders.retain(|index, at| {
        let function = &header.functions[*index];
        let ty = &function.parameters[*at].ty;
        let of = handles.of(header, ty).map(|(handle, _)| handle);
        let handle = of.or_else(|| handles.pointed(header, ty));
        let chosen = handle.and_then(|handle| best.get(&handle));
        let own = verb(&bare(&function.name), &ENDS).map(|(word, _)| word);
        let best = chosen.and_then(|(_, order, ..)| ENDS.get(*order)).copied();
        own == best || own.is_some_and(|word| !PREPARES.contains(&word))
    });
    for (handle, (_, _, _, function, why)) in best {
        pairs.ends.insert(handle, (function, Why::Guess(why)));
    }
    for rule in &rules.handles {
        let Some(name) = &rule.destroy else { continue };
        let Some(handle) = handles.named(&rule.class) else {
            continue;
        };
        if name.is_empty() {
            pairs.ends.remove(&handle);
            continue;
        }
        let names = || {
            header
                .functions
                .iter()
                .map(|function| function.name.as_str())
        };
        let Some(index) = names().position(|it| it == name) else {
            return Err(PlanError {
                function: None,
                parameter: None,
                place: Some(rule.at.to_string()),
                message: format!(
                    "the handle '{}' is to be destroyed by '{name}', which the header does not declare{}",
                    rule.class,
                    did_you_mean(name, names())
                ),
            });
        };
        pairs.enders.insert(index, 0);
        let why = Why::Rule(rule.at.line());
        pairs.ends.insert(handle, (index, why));
    }
    Ok(pairs)
}

/// The handle type that a function returns or, in its first or last place, fills in.
pub(super) fn gives(header: &Header, handles: &Handles, function: &Function) -> Option<u32> {
    if let Some((handle, false)) = handles.of(header, &function.result) {
        return Some(handle);
    }
    let parameters = &function.parameters;
    let ends = [parameters.first(), parameters.last()];
    let mut ends = ends.into_iter().flatten();
    ends.find_map(|parameter| handles.pointed(header, &parameter.ty))
}

/// The reason why the caller destroys the result of a function, if the function's name gives one.
pub(crate) fn makes(
    header: &Header,
    handles: &Handles,
    function: &Function,
    handle: u32,
) -> Option<String> {
    let name = bare(&function.name);
    let takes = |wanted: Option<u32>| {
        function.parameters.iter().any(|parameter| {
            let taken = handles.of(header, &parameter.ty).map(|(handle, _)| handle);
            taken.is_some() && (wanted.is_none() || taken == wanted)
        })
    };
    if name.iter().any(|word| {
        ["get", "current", "find", "lookup", "default", "shared"].contains(&word.as_str())
    }) {
        return None;
    }
    if let Some((word, _)) = verb(&name, &MAKES) {
        if takes(Some(handle)) && !COPIES.contains(&word) {
            return None;
        }
        return Some(format!("“{word}” in the name says that it makes one"));
    }
    // `fftw_plan_dft` gives a `fftw_plan`, and has nothing to find an old one in.
    let class = &handles.plans[handle as usize].name;
    let named_after = function.name.strip_prefix(class.as_str());
    (named_after.is_some_and(|rest| rest.starts_with('_')) && !takes(None))
        .then(|| format!("it is named after {class} and is given nothing to find an old one in"))
}

/// The words of a handle type's names, and the names without their breaks.
fn type_words(header: &Header, plan: &HandlePlan) -> (HashSet<String>, HashSet<String>) {
    let mut names = vec![plan.name.as_str()];
    if let HandleOf::Pointer(id) = plan.of {
        names.push(&header.record(id).name);
        let named = header.typedefs.iter().filter(|typedef| match &typedef.ty {
            Type::Pointer { to, .. } => header.resolve(to) == &Type::Record(id),
            other => header.resolve(other) == &Type::Record(id),
        });
        names.extend(named.map(|typedef| typedef.name.as_str()));
    }
    let split = names.iter().flat_map(|name| words(name)).collect();
    let whole = names.iter().map(|name| {
        let name = ["_t", "_st", "_s"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name);
        name.replace('_', "").to_lowercase()
    });
    (split, whole.collect())
}

/// The word that most functions begin with.
fn common_word(header: &Header) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for function in &header.functions {
        if let Some(first) = words(&function.name).into_iter().next() {
            *counts.entry(first).or_default() += 1;
        }
    }
    let most = counts
        .into_iter()
        .max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)));
    most.map(|(word, _)| word)
}
