//! Code between Python and C, as interface files write it: bodies of `%typemap`, `%exception`, `%fragment` and
//! `%feature("action")`. It is kept here until the functions are known that it is for.

use std::collections::{HashMap, HashSet};

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::parameter::parameters;
use super::scan::{Scanner, end, feature_target, split, unquoted};
use crate::decl::{Function, Header, Place, Type};

type Result<T> = std::result::Result<T, RuleError>;

/// A type without spaces, and a name, which may be empty for any.
pub(super) type Pattern = (String, String);

/// Methods of `%typemap` whose code is compiled.
pub(super) const METHODS: [&str; 10] = [
    "arginit", "in", "check", "out", "argout", "ret", "freearg", "memberin", "varin", "varout",
];

/// Types that SWIG has typemaps of its own for, which are nearer than any for what the type stands for.
const OWN: [&str; 4] = ["constchar*", "size_t", "ptrdiff_t", "constwchar_t*"];

/// The code of a typemap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TypemapCode {
    method: String,
    pub(super) parameters: Vec<Pattern>,
    /// Declarations of variables: `int t`.
    pub(super) locals: String,
    /// `None` if an earlier one ends here.
    code: Option<String>,
    pub(super) fragments: Vec<String>,
    /// True if the caller gives nothing.
    pub(super) hidden: bool,
    pub(super) at: RulePlace,
    since: Since,
}

impl TypemapCode {
    pub(super) fn code(&self) -> &str {
        self.code.as_deref().unwrap_or("")
    }
}

/// The names and headers that were known at a place of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Since {
    names: usize,
    headers: usize,
    /// The number of pieces of code before it.
    code: usize,
}

/// The code of `%exception`: of a function, or of all that follow.
#[derive(Clone, Debug, PartialEq)]
struct ExceptionCode {
    function: Option<String>,
    code: Option<String>,
    at: RulePlace,
    since: Since,
}

/// `%fragment("name", "header", fragment="other") { … }`
#[derive(Clone, Debug, PartialEq)]
struct Fragment {
    name: String,
    needs: Vec<String>,
    code: String,
    at: RulePlace,
}

/// All such code of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConversionCode {
    typemaps: Vec<TypemapCode>,
    exceptions: Vec<ExceptionCode>,
    fragments: Vec<Fragment>,
    /// Fragments that are there whether or not anything needs them.
    forced: Vec<String>,
    actions: Vec<(String, String, RulePlace)>,
    /// The names of parameters in the file's own declarations: a header may have others.
    names: HashMap<String, Vec<String>>,
    /// The places of functions of `%extend`, which are declared behind all others.
    places: HashMap<String, Since>,
}

/// A `%typemap` as it is written.
pub(super) struct Written {
    /// Parameters that belong together, with the variables of the code.
    pub(super) targets: Vec<(Vec<Pattern>, String)>,
    /// `None` where the directive ends typemaps.
    pub(super) code: Option<String>,
    /// The typemap that is copied: `%typemap(in) T = U;`.
    copied: Option<Vec<Pattern>>,
}

/// Reads what is behind `%typemap(…)`.
pub(super) fn written(
    scanner: &mut Scanner<'_>,
    kind: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<Written> {
    let mut targets = Vec::new();
    let mut copied = None;
    loop {
        let target = target(scanner, at)?;
        scanner.space();
        targets.push(target);
        if !scanner.take(",") {
            break;
        }
    }
    if scanner.take("=") {
        copied = Some(target(scanner, at)?.0);
    }
    scanner.space();
    let code = match scanner.peek_is(b';') {
        true => None,
        false => Some(body(scanner, &format!("typemap({kind})"), at, interface)?),
    };
    end(scanner);
    Ok(Written {
        targets,
        code,
        copied,
    })
}

/// Parameters, alone or in brackets, and variables behind them.
fn target(scanner: &mut Scanner<'_>, at: &RulePlace) -> Result<(Vec<Pattern>, String)> {
    scanner.space();
    let mut text = String::new();
    let several = scanner.peek_is(b'(');
    if several {
        text.push_str(scanner.bracket()?.unwrap_or(""));
    }
    let mut locals = String::new();
    let ends = [b'"', b'{', b';', b',', b'='];
    while !scanner.done()
        && !scanner.starts_with("%{")
        && !ends.iter().any(|byte| scanner.peek_is(*byte))
    {
        if scanner.peek_is(b'(') {
            let inside = scanner.bracket()?.unwrap_or("");
            // A pointer to a function has brackets of its own.
            match inside.trim_start().starts_with('*') {
                true => text.push_str(&format!("({inside})")),
                false => inside.trim().clone_into(&mut locals),
            }
        } else {
            let one = scanner.one();
            if several && !one.trim().is_empty() {
                let message = format!("expected code behind ({text})");
                return Err(RuleError::new(at, message));
            }
            text.push_str(one);
        }
    }
    Ok((parameters(&text, at)?, locals))
}

/// Code in any of SWIG's forms.
fn body(
    scanner: &mut Scanner<'_>,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<String> {
    if let Some(text) = scanner.string() {
        return Ok(unquoted(text));
    }
    let as_it_is = scanner.starts_with("%{");
    let code = interface.macros.block(scanner, name, at)?;
    // `%#if` is for the compiler.
    Ok(match as_it_is {
        true => code,
        false => code.replace("%#", "#"),
    })
}

pub(super) fn since(interface: &Interface) -> Since {
    Since {
        names: interface.declared.len(),
        headers: interface.headers.len(),
        code: interface.conversions.typemaps.len() + interface.conversions.exceptions.len(),
    }
}

/// The texts of options such as `fragment="a,b"`.
fn fragments(options: &[&str]) -> Vec<String> {
    let named = options.iter().filter_map(|option| {
        let (name, value) = option.split_once('=')?;
        (name.trim() == "fragment").then(|| unquoted(value.trim()))
    });
    let lists: Vec<String> = named.collect();
    let names = lists.iter().flat_map(|list| list.split(','));
    names.map(|name| name.trim().to_owned()).collect()
}

/// Keeps the code of a typemap.
pub(super) fn keep(
    method: &str,
    options: &[&str],
    written: &Written,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let since = since(interface);
    let code = &mut interface.conversions;
    if let Some(from) = &written.copied {
        let found: Vec<TypemapCode> = code.named(from).filter(|it| it.method == method).collect();
        if found.is_empty() {
            return Err(RuleError::new(
                at,
                format!("no %typemap({method}) has such parameters"),
            ));
        }
        for (target, _) in &written.targets {
            code.copy(&found, target, since, at);
        }
        return Ok(());
    }
    for (target, locals) in &written.targets {
        code.typemaps.push(TypemapCode {
            method: method.to_owned(),
            parameters: target.clone(),
            locals: locals.clone(),
            code: written.code.clone(),
            fragments: fragments(options),
            hidden: options.contains(&"numinputs=0"),
            at: at.clone(),
            since,
        });
    }
    Ok(())
}

/// `%apply` of typemaps that the file has code for; `false` if it has none.
pub(super) fn apply(
    from: &[Pattern],
    to: &[Pattern],
    at: &RulePlace,
    interface: &mut Interface,
) -> bool {
    let since = since(interface);
    let code = &mut interface.conversions;
    let found: Vec<TypemapCode> = code.named(from).collect();
    code.copy(&found, to, since, at);
    !found.is_empty()
}

/// `%clear`.
pub(super) fn clear(parameters: &[Pattern], at: &RulePlace, interface: &mut Interface) {
    let since = since(interface);
    let code = &mut interface.conversions;
    let mut ended: Vec<TypemapCode> = code.named(parameters).collect();
    for typemap in &mut ended {
        typemap.code = None;
    }
    code.copy(&ended, parameters, since, at);
}

/// `%exception { … }`, `%exception name { … }`; without code it ends.
pub(super) fn exception(
    scanner: &mut Scanner<'_>,
    ends: bool,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let text = feature_target(scanner);
    let code = match ends || scanner.peek_is(b';') {
        true => None,
        false => Some(body(scanner, "exception", at, interface)?),
    };
    end(scanner);
    let function = match text.trim() {
        "" => None,
        name => Some(super::rename::function_target(name, at)?),
    };
    let exception = ExceptionCode {
        function,
        code,
        at: at.clone(),
        since: since(interface),
    };
    interface.conversions.exceptions.push(exception);
    Ok(())
}

/// `%fragment(…) { … }`, or `%fragment("name");`, which asks for one.
pub(super) fn fragment(
    scanner: &mut Scanner<'_>,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let options = split(options);
    let Some(name) = options.first().map(|name| unquoted(name)) else {
        return Err(RuleError::new(at, "%fragment takes a name"));
    };
    scanner.space();
    if scanner.peek_is(b';') || options.len() == 1 {
        end(scanner);
        interface.conversions.forced.push(name);
        return Ok(());
    }
    let code = body(scanner, "fragment", at, interface)?;
    end(scanner);
    let fragment = Fragment {
        name,
        needs: fragments(&options[1..]),
        code,
        at: at.clone(),
    };
    interface.conversions.fragments.push(fragment);
    Ok(())
}

/// `%feature("action") name { … }`: code in place of the call.
pub(super) fn action(
    scanner: &mut Scanner<'_>,
    name: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<()> {
    let function = super::rename::function_target(name, at)?;
    let code = body(scanner, "feature(\"action\")", at, interface)?;
    end(scanner);
    let action = (function, code, at.clone());
    interface.conversions.actions.push(action);
    Ok(())
}

impl ConversionCode {
    /// True if there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.typemaps.is_empty() && self.exceptions.is_empty() && self.actions.is_empty()
    }

    /// Keeps the names of a function's parameters.
    pub(super) fn declared(&mut self, function: &str, names: Vec<String>) {
        self.names.insert(function.to_owned(), names);
    }

    /// Keeps the place of functions that are declared later than they are written.
    pub(super) fn place(&mut self, functions: &[String], since: Since) {
        let places = functions.iter().map(|name| (name.clone(), since));
        self.places.extend(places);
    }

    /// The typemaps of all methods that have these parameters now.
    fn named(&self, parameters: &[Pattern]) -> impl Iterator<Item = TypemapCode> {
        let last = METHODS.iter().filter_map(|method| {
            let mut all = self.typemaps.iter().rev();
            all.find(|it| it.method == *method && it.parameters == parameters)
        });
        let found: Vec<TypemapCode> = last.filter(|it| it.code.is_some()).cloned().collect();
        found.into_iter()
    }

    fn copy(&mut self, found: &[TypemapCode], to: &[Pattern], since: Since, at: &RulePlace) {
        let copies = found.iter().filter(|it| it.parameters.len() == to.len());
        let copies = copies.map(|it| TypemapCode {
            parameters: to.to_vec(),
            since,
            at: at.clone(),
            ..it.clone()
        });
        self.typemaps.extend(copies);
    }

    /// True if a parameter has more code than what gives it a value.
    pub(super) fn goes_on(&self, of: &Pattern) -> bool {
        let fits = |it: &Pattern| it.0 == of.0 && (it.1.is_empty() || it.1 == of.1);
        let goes_on = |it: &&TypemapCode| ["argout", "freearg", "check"].contains(&&*it.method);
        self.typemaps
            .iter()
            .filter(goes_on)
            .any(|it| it.code.is_some() && matches!(&it.parameters[..], [one] if fits(one)))
    }

    /// The typemap of a method for the parameters of a function from one on.
    pub(super) fn find(
        &self,
        method: &str,
        signature: &Signature<'_>,
        at: usize,
    ) -> Option<&TypemapCode> {
        let left = &signature.types[at..];
        let mut known: Vec<&TypemapCode> = Vec::new();
        for typemap in self.typemaps.iter().rev() {
            let same = |it: &&TypemapCode| it.parameters == typemap.parameters;
            if typemap.method == method
                && signature.is_behind(typemap.since)
                && signature.is_below(&typemap.at)
                && !known.iter().any(same)
            {
                known.push(typemap);
            }
        }
        known.retain(|it| it.code.is_some() && it.parameters.len() <= left.len());
        // A type that is nearer wins, then a name.
        let rank = |it: &TypemapCode| -> Option<(usize, usize, usize)> {
            let (mut distance, mut unnamed) = (0, 0);
            for ((ty, name), (types, own)) in it.parameters.iter().zip(left) {
                let place = types.iter().position(|known| known == ty)?;
                let swigs = types.iter().position(|known| OWN.contains(&known.as_str()));
                if it.parameters.len() == 1 && swigs.is_some_and(|swigs| swigs < place) {
                    return None;
                }
                distance += place;
                unnamed += usize::from(name.is_empty());
                if !name.is_empty() && name != own {
                    return None;
                }
            }
            Some((usize::MAX - it.parameters.len(), distance, unnamed))
        };
        known
            .into_iter()
            .filter_map(|it| Some((rank(it)?, it)))
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, it)| it)
    }

    /// The code that a call is put into.
    pub(super) fn exception(&self, signature: &Signature<'_>) -> Option<(&str, &RulePlace)> {
        let mut all = self.exceptions.iter().rev();
        let own = all.find(|it| it.function.as_deref() == Some(signature.name));
        let general = || {
            let mut all = self.exceptions.iter().rev();
            all.find(|it| it.function.is_none() && signature.is_behind(it.since))
        };
        let found = own.or_else(general)?;
        Some((found.code.as_deref()?, &found.at))
    }

    /// The code in place of a call.
    pub(super) fn action(&self, function: &str) -> Option<(&str, &RulePlace)> {
        let mut all = self.actions.iter().rev();
        let (_, code, at) = all.find(|(name, ..)| name == function)?;
        Some((code, at))
    }

    /// Fragments with these names, behind those that they need, each once.
    pub(super) fn fragments(&self, names: &[String]) -> Vec<(&str, &RulePlace)> {
        // Of fragments with one name the last counts. SWIG's own are always there, and not among these.
        let known = self.fragments.iter().map(|it| (it.name.as_str(), it));
        let known: HashMap<&str, &Fragment> = known.collect();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut made = Vec::new();
        let mut waiting = Vec::new();
        let mut next = |name: &str| known.get(name).filter(|it| seen.insert(&it.name)).copied();
        for name in self.forced.iter().chain(names) {
            waiting.extend(next(name).map(|it| (it, it.needs.iter())));
            while let Some((fragment, needs)) = waiting.last_mut() {
                match needs.next() {
                    Some(name) => waiting.extend(next(name).map(|it| (it, it.needs.iter()))),
                    None => {
                        made.push((fragment.code.as_str(), &fragment.at));
                        waiting.pop();
                    }
                }
            }
        }
        made
    }
}

/// A function as typemaps look at it.
pub(super) struct Signature<'a> {
    name: &'a str,
    /// For each parameter, and for `...`, its types, the nearest first, and its name.
    types: Vec<(Vec<String>, String)>,
    /// The number of pieces of code before it, if it is declared later than it is written.
    placed: Option<usize>,
    /// Its place among the names that the file declares.
    declared: Option<usize>,
    /// Its header's place among those that the file includes.
    header: Option<usize>,
    /// The file and line of a value.
    line: Option<(String, u32)>,
}

impl<'a> Signature<'a> {
    pub(super) fn of(header: &Header, function: &'a Function, interface: &Interface) -> Self {
        let names = interface.conversions.names.get(&function.name);
        let own = |at: usize| names?.get(at).filter(|name| !name.is_empty());
        let parameters = function.parameters.iter().enumerate();
        let mut types: Vec<(Vec<String>, String)> = parameters
            .map(|(at, it)| {
                (
                    reductions(header, &it.ty),
                    own(at).unwrap_or(&it.name).clone(),
                )
            })
            .collect();
        if function.variadic {
            types.push((vec!["...".to_owned()], String::new()));
        }
        let declared = interface.declared.iter();
        let placed = interface.conversions.places.get(&function.name);
        let file = header.files.get(function.place.file as usize);
        let headers = interface.headers.iter();
        Self {
            name: &function.name,
            types,
            placed: placed.map(|it| it.code),
            declared: declared.clone().position(|it| *it == function.name),
            header: file.and_then(|file| headers.clone().position(|it| file.ends_with(it))),
            line: None,
        }
    }

    /// The same for its result, which has its name.
    pub(super) fn result(&self, header: &Header, function: &Function) -> Self {
        Self {
            types: vec![(reductions(header, &function.result), function.name.clone())],
            line: self.line.clone(),
            ..*self
        }
    }

    /// The same for a field or a variable, which is declared at a place.
    pub(super) fn of_value(
        header: &Header,
        ty: &Type,
        name: &'a str,
        at: Place,
        interface: &Interface,
    ) -> Self {
        let file = header.files.get(at.file as usize);
        let mut headers = interface.headers.iter();
        Self {
            name,
            types: vec![(reductions(header, ty), name.to_owned())],
            placed: None,
            declared: None,
            header: file.and_then(|file| headers.position(|it| file.ends_with(it))),
            line: file.map(|file| (file.clone(), at.line)),
        }
    }

    /// The value is `const`: typemaps for such ones are nearer.
    pub(super) fn add_constant(&mut self) {
        for (types, _) in &mut self.types {
            if let Some(first) = types.first().filter(|it| !it.ends_with('*')) {
                types.insert(0, format!("const{first}"));
            }
        }
    }

    /// False if it stands above a typemap in the same file.
    fn is_below(&self, typemap: &RulePlace) -> bool {
        let line = self.line.as_ref();
        line.is_none_or(|(file, line)| **file != *typemap.file || typemap.line < *line)
    }

    pub(super) fn is_behind(&self, since: Since) -> bool {
        if let Some(code) = self.placed {
            return since.code < code;
        }
        match (self.declared, self.header) {
            (Some(place), _) => place >= since.names,
            (None, Some(place)) => place >= since.headers,
            (None, None) => true,
        }
    }
}

/// A type without spaces, then without qualifiers, then the same for what its name stands for.
fn reductions(header: &Header, ty: &Type) -> Vec<String> {
    let mut made = Vec::new();
    let mut ty = ty.clone();
    for _ in 0..32 {
        for ty in [&ty, &unqualified(&ty)] {
            let text: String = header.c_type(ty).split_whitespace().collect();
            // A tag's word may be left out where a name is the same.
            let bare = ["struct", "union", "enum"]
                .iter()
                .find_map(|word| text.strip_prefix(word));
            let bare = bare.map(str::to_owned);
            for text in [Some(text), bare].into_iter().flatten() {
                if !made.contains(&text) {
                    made.push(text);
                }
            }
        }
        match reduced(header, &ty) {
            Some(next) => ty = next,
            None => break,
        }
    }
    made
}

/// The type with the innermost name replaced by what it stands for.
fn reduced(header: &Header, ty: &Type) -> Option<Type> {
    match ty {
        Type::Typedef(id) => Some(header.typedef(*id).ty.clone()),
        Type::Pointer { to, constant } => Some(Type::Pointer {
            to: Box::new(reduced(header, to)?),
            constant: *constant,
        }),
        _ => None,
    }
}

/// The type without `const`.
pub(super) fn unqualified(ty: &Type) -> Type {
    match ty {
        Type::Pointer { to, .. } => Type::pointer_to(unqualified(to)),
        other => other.clone(),
    }
}
