//! `%include` and `%import`.

use std::path::Path;

use super::super::{RuleError, RulePlace};
use super::scan::{Scanner, without_comments};
use super::{DEPTH, Interface, KNOWN, Open, library, typemap};

type Result<T> = std::result::Result<T, RuleError>;

/// A header that stands beside the file that names it, by its name from the first file's folder.
fn beside(name: &str, at: &RulePlace, interface: &Interface, open: Open<'_>) -> Option<String> {
    let here = Path::new(&*at.file).parent()?;
    let here = here.strip_prefix(&interface.folder).ok()?;
    let whole = here.join(name).display().to_string();
    (whole != name && open(&whole, "").is_ok()).then_some(whole)
}

/// Reads what follows the directive, and the file that it names if that is an interface file.
pub(super) fn include(
    scanner: &mut Scanner<'_>,
    directive: &str,
    at: &RulePlace,
    interface: &mut Interface,
    open: Open<'_>,
    depth: u32,
) -> Result<()> {
    if scanner.bracket()?.is_some() {
        scanner.space();
    }
    let name = match scanner.string() {
        Some(name) => name.to_owned(),
        None => {
            let line = scanner.take_to_line_end();
            let whole = match line.trim_start().starts_with('<') {
                true => None,
                false => interface.macros.expand(line, at)?,
            };
            let line = without_comments(whole.as_deref().unwrap_or(line));
            let line = line.trim().trim_end_matches(';').trim();
            let quoted = line
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            let line = quoted.unwrap_or(line);
            line.trim_start_matches('<')
                .trim_end_matches('>')
                .to_owned()
        }
    };
    scanner.take(";");
    if name.is_empty() {
        return Err(RuleError::new(
            at,
            format!("%{directive} is followed by a file's name"),
        ));
    }
    let base = name.rsplit('/').next().unwrap_or(&name);
    if KNOWN.contains(&base) {
        if ["wchar.i", "cwstring.i"].contains(&base) {
            interface.has_wide_text = true;
            interface.code.push_str("\n#include <wchar.h>\n");
        }
        interface.has_typemaps |= ["typemaps.i", "constraints.i"].contains(&base);
        if base == "argcargv.i" {
            let named = |ty: &str, name: &str| (ty.to_owned(), name.to_owned());
            let parameters = vec![named("int", "ARGC"), named("char**", "ARGV")];
            let roles = typemap::roles(&["ARGC", "ARGV"], at)?;
            typemap::add(parameters, roles, at, interface);
        }
        return match base {
            "cdata.i" => library::memory(at, interface),
            _ => Ok(()),
        };
    }
    if !name.ends_with(".i") && !name.ends_with(".swg") {
        let name = beside(&name, at, interface, open).unwrap_or(name);
        interface.header_places.push((name.clone(), at.clone()));
        match directive {
            "import" => {
                interface.types.push_str(&format!("#include \"{name}\"\n"));
                interface.prelude.push(name);
            }
            _ => interface.headers.push(name),
        }
        return Ok(());
    }
    if base.starts_with("std_") || base.starts_with("boost_") {
        interface.notes.push(format!(
            "{at}: {name} is about classes of C++ and has no effect on functions of C"
        ));
        return Ok(());
    }
    if base == "pybuffer.i" {
        return Err(RuleError::new(
            at,
            format!(
                "{name} is not supported: pass buffers and arrays as they are, and see docs/bind.md for lengths"
            ),
        ));
    }
    if depth >= DEPTH {
        return Err(RuleError::new(at, "too many files include one another"));
    }
    let asked = name.clone();
    let (text, name) = open(&name, &at.file)
        .map_err(|reason| RuleError::new(at, format!("%{directive} \"{asked}\": {reason}")))?;
    super::read(&text, &name, interface, open, depth + 1)
}
