//! Guesses how long arrays have to be.

use super::names;
use crate::decl::{Elements, Function, Header, Int, Type};
use crate::plan::types::{passable, pointee};
use crate::plan::{Extent, Role, Rows, Unit, Why};
use crate::words::words;

/// Extents of arrays: those that are declared, and those that the names of numbers say.
pub(crate) fn guess(header: &Header, function: &Function, roles: &[Role]) -> Vec<Option<Extent>> {
    let mut extents = vec![None; roles.len()];
    counted(header, function, roles, &mut extents);
    for (at, extent) in extents.iter_mut().enumerate() {
        *extent = extent
            .take()
            .or_else(|| moved(header, function, roles, at))
            .or_else(|| room(header, function, roles, at));
    }
    for (at, extent) in extents.iter_mut().enumerate() {
        if let Some(declared) = declared(header, function, roles, at) {
            *extent = Some(declared);
        }
    }
    extents
}

fn elements(of: Option<usize>, plus: i32, why: Why) -> Extent {
    Extent {
        of: of.map(|of| of as u32),
        plus,
        unit: Unit::Elements,
        rows: None,
        why,
    }
}

/// `const double a[3]`, or `(int n, const double a[n])`. A text may be shorter.
fn declared(header: &Header, function: &Function, roles: &[Role], at: usize) -> Option<Extent> {
    let parameter = &function.parameters[at];
    let (to, _) = pointee(header, &parameter.ty)?;
    if !matches!(roles[at], Role::Memory { .. } | Role::Input { .. })
        || passable(header, to).is_err()
    {
        return None;
    }
    match parameter.elements? {
        Elements::Number(number) => {
            let number = i32::try_from(number).ok().filter(|number| *number > 0)?;
            Some(elements(None, number, Why::Type))
        }
        Elements::Parameter(count) => {
            let count = count as usize;
            let number = matches!(header.resolve(&function.parameters[count].ty), Type::Int(int) if int.size() <= 8)
                && matches!(roles[count], Role::Input { .. });
            number.then(|| elements(Some(count), 0, Why::Type))
        }
    }
}

/// `(void *buf, size_t len)`: bytes that C writes, and the room for them behind it.
fn room(header: &Header, function: &Function, roles: &[Role], at: usize) -> Option<Extent> {
    let bytes = matches!(
        pointee(header, &function.parameters[at].ty),
        Some((Type::Void | Type::Int(Int::Char | Int::I8 | Int::U8), false))
    );
    if !bytes || !matches!(roles[at], Role::Memory { .. } | Role::Input { .. }) {
        return None;
    }
    let length = function.parameters.get(at + 1)?;
    let (name, of) = (words(&length.name), words(&function.parameters[at].name));
    // `(unsigned char *buf, int num)`, where nothing else could be counted.
    let alone = || {
        let others = function
            .parameters
            .iter()
            .enumerate()
            .filter(|(other, it)| {
                *other != at && pointee(header, &it.ty).is_some()
                    || *other != at + 1 && matches!(header.resolve(&it.ty), Type::Int(_))
            });
        let is_void = matches!(
            pointee(header, &function.parameters[at].ty),
            Some((Type::Void, _))
        );
        !is_void
            && names::is_number(&name)
            && names::any(&of, &names::BINARY).is_some()
            && others.count() == 0
    };
    let named = names::length_of(&name, &of)
        || names::is_general(&name) && names::is_size(&name)
        || alone();
    let counts = match roles[at + 1] {
        Role::Input { .. } => {
            matches!(header.resolve(&length.ty), Type::Int(int) if int.size() <= 8)
        }
        Role::InOut => {
            matches!(pointee(header, &length.ty), Some((Type::Int(int), _)) if int.size() <= 8)
        }
        _ => false,
    };
    (named && counts).then(|| Extent {
        unit: Unit::Bytes,
        ..elements(
            Some(at + 1),
            0,
            Why::Guess(format!(
                "{} behind it says how much room there is",
                length.name
            )),
        )
    })
}

/// `memcpy(void *dest, const void *src, size_t n)` and its like: all pointers are to that many bytes.
fn moved(header: &Header, function: &Function, roles: &[Role], at: usize) -> Option<Extent> {
    const NAMES: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "mempcpy"];
    let name = words(&function.name);
    let verb = NAMES
        .iter()
        .find(|verb| name.last().is_some_and(|last| last == *verb))?;
    let count = function.parameters.len().checked_sub(1)?;
    let bytes = |ty: &Type| matches!(pointee(header, ty), Some((Type::Void, _)));
    let is_count = *header.resolve(&function.parameters[count].ty) == Type::Int(Int::U64)
        && matches!(roles[count], Role::Input { .. });
    let is_byte = |ty: &Type| *header.resolve(ty) == Type::Int(Int::I32);
    let others = &function.parameters[..count];
    let fits = others
        .iter()
        .all(|it| bytes(&it.ty) || *verb == "memset" && is_byte(&it.ty));
    let taken = matches!(roles[at], Role::Memory { .. } | Role::Input { .. });
    (count == 2 && is_count && fits && taken && bytes(&function.parameters[at].ty)).then(|| {
        Extent {
            unit: Unit::Bytes,
            ..elements(
                Some(count),
                0,
                Why::Guess(format!(
                    "“{verb}” in the name says that so many bytes are read or written"
                )),
            )
        }
    })
}

/// Arrays that are all as long as the function's only number says: `axpy(int n, double a, const double *x,
/// double *y)`, where each may have an increment behind it.
fn counted(header: &Header, function: &Function, roles: &[Role], extents: &mut [Option<Extent>]) {
    let parameters = || function.parameters.iter().zip(roles).enumerate();
    let name = |at: usize| words(&function.parameters[at].name);
    let is_integer = |at: usize| {
        let parameter = function.parameters.get(at);
        parameter.is_some_and(|it| matches!(header.resolve(&it.ty), Type::Int(_)))
    };
    let step = |at: usize| {
        let step = at + 1;
        // `(const double *data, size_t stride, size_t n)`
        let bare = || is_integer(step + 1) && name(step) == ["stride"];
        let is = is_integer(step)
            && matches!(roles[step], Role::Input { .. })
            && (names::is_step(&name(step), &name(at)) || bare());
        is.then_some(step)
    };
    let steps: Vec<usize> = (0..roles.len()).filter_map(step).collect();
    let integers: Vec<usize> = (0..roles.len())
        .filter(|at| is_integer(*at) && !steps.contains(at))
        .collect();
    let [count] = integers[..] else { return };
    let counts = name(count);
    if !matches!(roles[count], Role::Input { .. })
        || !(names::is_number(&counts) || names::is_length(&counts))
    {
        return;
    }
    let mut arrays: Vec<(usize, &Type, bool)> = Vec::new();
    for (at, (parameter, role)) in parameters() {
        let Some((to, constant)) = pointee(header, &parameter.ty) else {
            continue;
        };
        match (role, to) {
            (Role::Handle { .. } | Role::Fixed(_), _) => {}
            (
                Role::Memory { .. },
                Type::Float(_)
                | Type::Complex(_)
                | Type::Int(Int::I16 | Int::U16 | Int::I32 | Int::U32 | Int::I64 | Int::U64),
            ) if names::is_array(&words(&parameter.name)) || step(at).is_some() => {
                arrays.push((at, to, constant));
            }
            // One value is no array, if an increment says which the arrays are.
            (Role::Memory { .. }, _) if !steps.is_empty() => {}
            _ => return,
        }
    }
    let alike = arrays.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let read = arrays.iter().any(|(_, _, constant)| *constant);
    if steps.is_empty() && (arrays.len() < 2 || !alike || !read) {
        return;
    }
    let shown = &function.parameters[count].name;
    for (at, _, _) in arrays {
        let extent = match step(at) {
            Some(step) => {
                let why = format!(
                    "{} is the distance of its elements, and {shown} the only number that could count them",
                    function.parameters[step].name
                );
                Extent {
                    rows: Some(Rows {
                        count: count as u32,
                        pitch: step as u32,
                        unit: Unit::Elements,
                    }),
                    ..elements(None, 1, Why::Guess(why))
                }
            }
            // In a function with increments an array without one may be of any length.
            None if !steps.is_empty() => continue,
            None => elements(
                Some(count),
                0,
                Why::Guess(format!(
                    "{shown} is the only number that could count its elements"
                )),
            ),
        };
        extents[at] = Some(extent);
    }
}
