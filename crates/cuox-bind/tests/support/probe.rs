//! Asks GCC if the declarations read of a header are right.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use cuox_bind::decl::{Header, Type, Value};
use libtest_mimic::Failed;

/// Compiles a text that includes a header and asserts the facts that were read.
pub fn check(header: &Header, name: &str) -> Result<(), Failed> {
    let text = assertions(header, name);
    let compiler = Command::new("gcc")
        .args([
            "-x",
            "c",
            "-std=gnu17",
            "-fsyntax-only",
            "-w",
            "-fmax-errors=20",
            "-",
        ])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut compiler) = compiler else {
        // There is none to ask.
        return Ok(());
    };
    let mut input = compiler.stdin.take().ok_or("no pipe")?;
    input
        .write_all(text.as_bytes())
        .map_err(|e| e.to_string())?;
    drop(input);
    let output = compiler.wait_with_output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// True if C can say a type: one without a tag or typedef has a name here only, which has its outer record's before it.
fn can_say(header: &Header, ty: &Type) -> bool {
    match ty {
        Type::Pointer { to: of, .. } | Type::Array { of, .. } => can_say(header, of),
        Type::Record(id) => {
            let record = header.record(*id);
            record.tagged || is_typedef(header, &record.name)
        }
        Type::Enum(id) => {
            let enumeration = header.enumeration(*id);
            enumeration.tagged || is_typedef(header, &enumeration.name)
        }
        Type::Function(function) => {
            let types = function.parameters.iter().map(|(_, ty)| ty);
            let unprototyped = function.variadic && function.parameters.is_empty();
            !unprototyped
                && types
                    .chain([&function.result])
                    .all(|ty| can_say(header, ty))
        }
        Type::Other(_) => false,
        _ => true,
    }
}

/// Our names for nameless records hold an underscore and the outer one's name.
fn is_typedef(header: &Header, name: &str) -> bool {
    let outer = header.records.iter().map(|r| r.name.as_str());
    let mut outer = outer.chain(header.typedefs.iter().map(|t| t.name.as_str()));
    let made_up = |outer: &str| {
        let rest = name
            .strip_prefix(outer)
            .and_then(|rest| rest.strip_prefix('_'));
        rest.is_some()
    };
    !name.is_empty() && !outer.any(made_up)
}

fn assertions(header: &Header, name: &str) -> String {
    // It is not kept of what is pointed at.
    let mut text = "#define volatile\n#define __volatile__\n".to_owned();
    text.push_str(&match name.starts_with('/') {
        true => format!("#include \"{name}\"\n"),
        false => format!("#include <{name}>\n"),
    });
    text.push_str("#include <stdarg.h>\n#define SAY(x) _Static_assert(x, #x)\n");
    // Names that are reserved for the C library differ by compiler.
    let reserved = |name: &str| name.starts_with("__");
    for record in header.records.iter().filter(|r| !reserved(&r.name)) {
        let keyword = if record.union { "union " } else { "struct " };
        let c_name = match record.tagged {
            true => format!("{keyword}{}", record.name),
            false if is_typedef(header, &record.name) => record.name.clone(),
            false => continue,
        };
        let Some(size) = record.size else { continue };
        let _ = writeln!(text, "SAY(sizeof({c_name}) == {size});");
        let _ = writeln!(text, "SAY(_Alignof({c_name}) == {});", record.align);
        for field in &record.fields {
            if field.bits.is_some() || field.name.is_empty() {
                continue;
            }
            let (name, offset) = (&field.name, field.offset / 8);
            let _ = writeln!(
                text,
                "SAY(__builtin_offsetof({c_name}, {name}) == {offset});"
            );
            if can_say(header, &field.ty) {
                let ty = header.c_type(&field.ty);
                compatible(&mut text, &format!("(({c_name} *)0)->{name}"), &ty);
            }
        }
    }
    for enumeration in &header.enums {
        for value in &enumeration.values {
            let _ = writeln!(text, "SAY({} == ({}));", value.name, literal(value.value));
        }
    }
    for constant in &header.constants {
        let name = &constant.name;
        // A pointer's value is no constant to GCC.
        if let Value::Int(value) = constant.value {
            let _ = writeln!(
                text,
                "SAY(__builtin_choose_expr(__builtin_constant_p((long)({name})), (long)({name}) == (long)({}), 1));",
                literal(value)
            );
        }
        if let Value::Text(bytes) = &constant.value {
            let _ = writeln!(text, "SAY(__builtin_strlen({name}) == {});", bytes.len());
        }
    }
    for function in header.functions.iter().filter(|f| !reserved(&f.name)) {
        let types = function.parameters.iter().map(|p| &p.ty);
        let sayable = types
            .chain([&function.result])
            .all(|ty| can_say(header, ty));
        let unprototyped = function.variadic && function.parameters.is_empty();
        // An inline function that forwards has the other's types.
        let own = function.symbol == function.name;
        if sayable && own && !unprototyped {
            let declaration = header.prototype(function);
            let rest = &declaration[declaration
                .find(&format!("{}(", function.name))
                .unwrap_or(0)..];
            let before = &declaration[..declaration.len() - rest.len()];
            // Without its name it is a type.
            let parameters = &rest[function.name.len()..];
            compatible(&mut text, &function.name, &format!("{before}{parameters}"));
        }
    }
    text
}

/// Says that something has a type, in which `long` may be `long long`: both have 64 bits here.
fn compatible(text: &mut String, what: &str, ty: &str) {
    let longs: Vec<usize> = ty
        .match_indices("long")
        .map(|(at, _)| at)
        .filter(|&at| {
            let is_word = !ty[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric());
            is_word
                && matches!(
                    ty[at + 4..].chars().next(),
                    None | Some(' ' | ',' | ')' | '[')
                )
                && !ty[at..].starts_with("long double")
        })
        .collect();
    if longs.len() > 5 {
        return;
    }
    let variants = (0..1_u32 << longs.len()).map(|chosen| {
        let mut variant = ty.to_owned();
        for (index, at) in longs.iter().enumerate().rev() {
            if chosen >> index & 1 == 1 {
                variant.insert_str(*at, "long ");
            }
        }
        format!("__builtin_types_compatible_p(__typeof__({what}), {variant})")
    });
    let variants: Vec<String> = variants.collect();
    let _ = writeln!(text, "SAY({});", variants.join(" || "));
}

fn literal(value: i128) -> String {
    match value {
        _ if value == i128::from(i64::MIN) => "-0x7fffffffffffffffLL - 1".into(),
        _ if value < 0 => format!("{value}LL"),
        _ => format!("{value}ULL"),
    }
}
