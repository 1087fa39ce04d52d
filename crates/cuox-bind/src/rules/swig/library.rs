//! Directives of SWIG's library that stand for functions of C: those of `cmalloc.i`, `cdata.i` and `%pointer_cast`.

use super::super::{RuleError, RulePlace};
use super::Interface;
use super::scan::split;
use crate::words::is_identifier;

/// The directives.
pub(super) const NAMES: [&str; 8] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "sizeof",
    "allocators",
    "cdata",
    "pointer_cast",
];

/// Adds the functions that a directive stands for.
pub(super) fn function(
    directive: &str,
    options: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> Result<(), RuleError> {
    let given = split(options);
    let text = match (directive, &given[..]) {
        ("pointer_cast", [from, to, name]) => {
            check(name, at)?;
            format!("%inline %{{\n{to} {name}({from} x) {{ return ({to})x; }}\n%}}\n")
        }
        ("pointer_cast", _) => {
            return Err(RuleError::new(
                at,
                "%pointer_cast takes two types and a name",
            ));
        }
        (_, [c_type]) => allocating(directive, c_type, &c_type.replace(' ', "_"), at)?,
        (_, [c_type, name]) => allocating(directive, c_type, name, at)?,
        _ => {
            return Err(RuleError::new(
                at,
                format!("%{directive} takes a type, and perhaps a name"),
            ));
        }
    };
    interface.read_generated(&text, at)
}

fn check(name: &str, at: &RulePlace) -> Result<(), RuleError> {
    match is_identifier(name) {
        true => Ok(()),
        false => Err(RuleError::new(
            at,
            format!("'{name}' is not a name in Python"),
        )),
    }
}

/// `size` in the texts is that of an element.
fn allocating(
    directive: &str,
    c_type: &str,
    name: &str,
    at: &RulePlace,
) -> Result<String, RuleError> {
    check(name, at)?;
    // A `char *` would be text.
    let pointed = if c_type == "char" { "void" } else { c_type };
    let sized = c_type != "void";
    let (default, size) = match sized {
        true => (format!(" = sizeof({c_type})"), format!("sizeof({c_type})")),
        false => (String::new(), "1".to_owned()),
    };
    let malloc =
        format!("{pointed} *malloc_{name}(size_t nbytes{default}) {{ return malloc(nbytes); }}\n");
    let calloc = format!(
        "{pointed} *calloc_{name}(size_t nobj = 1, size_t sz = {size}) {{ return calloc(nobj, sz); }}\n"
    );
    let realloc = format!(
        "{pointed} *realloc_{name}({pointed} *ptr, size_t nitems) {{ return realloc(ptr, nitems * {size}); }}\n"
    );
    let free = format!("void free_{name}({pointed} *ptr) {{ free(ptr); }}\n");
    let constant = match sized {
        true => format!("%constant size_t sizeof_{name} = sizeof({c_type});\n"),
        false => String::new(),
    };
    let code = match directive {
        "malloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "free" => free,
        "sizeof" => return Ok(constant),
        "cdata" => return Ok(bytes(&format!("cdata_{name}"), c_type)),
        _ => format!("{malloc}{calloc}{realloc}{free}"),
    };
    let constant = if directive == "allocators" {
        constant
    } else {
        String::new()
    };
    Ok(format!("%inline %{{\n{code}%}}\n{constant}"))
}

/// A function that returns elements in memory as bytes.
fn bytes(name: &str, c_type: &str) -> String {
    // Text would end at a NUL.
    let out = match c_type {
        "char" | "void" => "signed char",
        other => other,
    };
    format!(
        "%cstring_output_maxsize({out} *cuox_cdata, size_t nelements);\n%inline %{{\nvoid {name}(const {c_type} *ptr, {out} *cuox_cdata, size_t nelements = 1) {{ memcpy(cuox_cdata, ptr, nelements * sizeof({out})); }}\n%}}\n"
    )
}

/// The functions of `cdata.i` itself.
pub(super) fn memory(at: &RulePlace, interface: &mut Interface) -> Result<(), RuleError> {
    let write = "%cstring_input_binary(const void *indata, size_t inlen);\n%rename(memmove) cuox_memmove;\n%inline %{\nvoid cuox_memmove(void *data, const void *indata, size_t inlen) { memmove(data, indata, inlen); }\n%}\n";
    interface.read_generated(&bytes("cdata", "void"), at)?;
    interface.read_generated(write, at)
}
