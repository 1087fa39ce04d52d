//! SWIG interface files.
//!
//! Names, parameters and ownership in an interface file become [`Rules`]; the headers and declarations in it are for clang to read.
//! Nothing is compiled here: a directive that needs C or Python code of its own is refused by name. `docs/bind.md` has the table of directives.

mod constant;
mod directive;
mod parameter;
mod scan;

use super::{RuleError, RulePlace, Rules};
use scan::Scanner;

/// The contents of an interface file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The module's name.
    pub module: Option<String>,
    /// Headers to bind, from `%include`.
    pub headers: Vec<String>,
    /// Headers that only the declarations need, from `%{ %}`.
    pub prelude: Vec<String>,
    /// C declarations in the file itself, with a line for every line of the file.
    pub source: String,
    /// The names that these declare.
    pub declared: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// Directives that were understood and have no effect, as sentences with their places.
    pub notes: Vec<String>,
    /// The function that frees texts that `%newobject` names: the last `%typemap(newfree)`.
    newfree: Option<String>,
    /// The number of the line that `source` ends in.
    lines: u32,
}

/// SWIG's own files, whose typemaps and macros are known here.
const KNOWN: [&str; 9] = [
    "typemaps.i",
    "stdint.i",
    "cpointer.i",
    "carrays.i",
    "cstring.i",
    "inttypes.i",
    "exception.i",
    "stddef.i",
    "swigarch.i",
];

/// The greatest depth of files that include one another.
const DEPTH: u32 = 16;

/// Reads an interface file. `open` gives the text of another interface file that it includes, or says why it cannot.
///
/// # Errors
/// If a directive is not understood or not supported; the message names it.
pub fn parse(
    text: &str,
    file: &str,
    open: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Interface, RuleError> {
    let mut interface = Interface {
        lines: 1,
        ..Interface::default()
    };
    read(text, file, &mut interface, open, 0)?;
    Ok(interface)
}

fn read(
    text: &str,
    file: &str,
    interface: &mut Interface,
    open: &mut dyn FnMut(&str) -> Result<String, String>,
    depth: u32,
) -> Result<(), RuleError> {
    let mut scanner = Scanner::new(text, file);
    loop {
        let at = scanner.at();
        if scanner.done() {
            return Ok(());
        }
        // Declarations keep their lines, so that the compiler's messages are right.
        while depth == 0 && interface.lines < at.line {
            interface.source.push('\n');
            interface.lines += 1;
        }
        if scanner.take("%{") {
            let code = scanner.until_close(&at)?;
            header_code(code, &at, interface);
        } else if scanner.peek_is(b'%') {
            directive::read(&mut scanner, interface, open, depth)?;
        } else {
            let statement = scanner.statement();
            declarations(statement, interface);
        }
    }
}

/// The code of `%{ %}`, of which only the includes matter.
fn header_code(code: &str, at: &RulePlace, interface: &mut Interface) {
    let mut other = false;
    for line in code.lines() {
        let line = line.trim();
        match line.strip_prefix('#').map(str::trim_start) {
            Some(directive) if directive.starts_with("include") => {
                let name = directive["include".len()..].trim();
                let name = name.trim_matches(|quote| matches!(quote, '<' | '>' | '"'));
                if !name.is_empty() && !interface.prelude.iter().any(|known| known == name) {
                    interface.prelude.push(name.to_owned());
                }
            }
            Some(_) => {}
            None => {
                other |= !line.is_empty()
                    && !line.starts_with("//")
                    && !line.starts_with("/*")
                    && !line.starts_with('*')
            }
        }
    }
    if other {
        interface.notes.push(format!(
            "{at}: the code in %{{ %}} is not compiled; only its #include lines are used"
        ));
    }
}

/// C text between directives.
fn declarations(text: &str, interface: &mut Interface) {
    interface.source.push_str(text);
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    interface.lines = interface
        .lines
        .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    let trimmed = text.trim();
    if let Some(directive) = trimmed.strip_prefix('#') {
        let mut words = directive.split_whitespace();
        if words.next() == Some("define")
            && let Some(name) = words.next().filter(|name| !name.contains('('))
        {
            interface.declared.push(name.to_owned());
        }
        return;
    }
    if trimmed.is_empty() {
        return;
    }
    let code = scan::without_comments(trimmed);
    let head = code.split('{').next().unwrap_or_default();
    let before = head.split('(').next().unwrap_or_default();
    let mut names = before.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    if let Some(name) = names.rfind(|name| !name.is_empty())
        && !interface.declared.iter().any(|known| known == name)
    {
        interface.declared.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        FunctionRule, Glob, OutputRule, ParameterKey, Rename, ResultRule, RoleRule, Typemap,
    };
    use super::*;

    fn parsed(text: &str) -> Interface {
        let mut none = |name: &str| Err(format!("no {name}"));
        parse(text, "foo.i", &mut none).unwrap_or_else(|error| panic!("{error}"))
    }

    fn error(text: &str) -> String {
        let mut none = |name: &str| Err(format!("there is no file {name}"));
        parse(text, "foo.i", &mut none).unwrap_err().to_string()
    }

    #[test]
    fn a_usual_interface() {
        let interface = parsed(
            r#"/* An interface */
%module(docstring="x, y") driver
%{
#include "cuda_runtime.h"
#  include <stdio.h>
static int helper(void) { return 1; }
%}
%include "typemaps.i"
%include <cuda_runtime.h>
%rename(release) foo_free;
%rename("%(strip:[foo_])s") "";
%ignore foo_internal;
%apply int *OUTPUT { int *width, unsigned *height };
%apply (char *STRING, size_t LENGTH) { (const char *data, size_t n) };
%newobject foo_name;
%delobject foo_done;
%typemap(newfree) char * "foo_free($1);"
%constant int LIMIT = 0x10;
%constant double RATIO = 1.5;
%thread foo_wait;
int foo_size(struct foo *it);
#define FOO_MAX 3
"#,
        );
        assert_eq!(interface.module.as_deref(), Some("driver"));
        assert_eq!(interface.headers, ["cuda_runtime.h"]);
        assert_eq!(interface.prelude, ["cuda_runtime.h", "stdio.h"]);
        assert_eq!(interface.declared, ["foo_size", "FOO_MAX"]);
        let line = interface
            .source
            .lines()
            .position(|line| line.contains("foo_size"));
        assert_eq!(line, Some(20));
        assert!(interface.source.contains("int foo_size(struct foo *it);"));
        assert!(interface.source.contains("#define FOO_MAX 3"));
        assert_eq!(interface.notes.len(), 1, "{:?}", interface.notes);
        let rules = &interface.rules;
        assert_eq!(rules.rename[0].to, Rename::To("release".into()));
        assert_eq!(rules.rename[1].names, Glob("*".into()));
        assert_eq!(rules.rename[1].to, Rename::Strip("foo_".into()));
        assert_eq!(rules.ignore[0].value, Glob("foo_internal".into()));
        assert_eq!(rules.ignore[0].at.line(), "foo.i:12");
        let maps: Vec<&Typemap> = rules.typemaps.iter().collect();
        assert_eq!(maps[0].parameters, [("int*".into(), "width".into())]);
        assert_eq!(maps[0].roles, [RoleRule::Output(OutputRule::default())]);
        assert_eq!(
            maps[1].parameters,
            [("unsignedint*".into(), "height".into())]
        );
        assert_eq!(
            maps[2].parameters,
            [
                ("constchar*".into(), "data".into()),
                ("size_t".into(), "n".into())
            ]
        );
        let named = |name: &str| -> &FunctionRule {
            rules
                .functions
                .iter()
                .find(|rule| rule.functions.0 == name)
                .unwrap()
        };
        assert_eq!(
            named("foo_name").result.as_ref().unwrap().value,
            ResultRule::Owned {
                free: Some("foo_free".into())
            }
        );
        let done = &named("foo_done").parameters[0];
        assert_eq!(done.parameter, ParameterKey::Index(0));
        assert!(named("foo_wait").gil.is_some());
        assert_eq!(rules.constants[0].value.0, "LIMIT");
    }

    #[test]
    fn what_needs_code_is_refused_by_name() {
        assert_eq!(
            error("%module x\n%inline %{ int f(void) { return 1; } %}"),
            "foo.i:2:1: %inline compiles C code, and a binding has no compiler: put the code into a library"
        );
        assert!(error("%typemap(in) int { }").starts_with("foo.i:1:1: %typemap(in) "));
        assert!(error("\n%exception { $action }").starts_with("foo.i:2:1: %exception "));
        assert!(error("%extend foo { int x(); }").contains("%extend"));
        assert!(error("%template(a) b<int>;").contains("%template"));
        assert!(
            error("%renam(a) b;").ends_with("unknown directive %renam; did you mean '%rename'?")
        );
        assert!(error("%{ never closed").contains("%}"));
        assert!(error("%include \"other.i\"").ends_with("there is no file other.i"));
        assert!(error("%include \"std_string.i\"").contains("std_string.i"));
        assert!(error("%apply int *NONSENSE { int *x };").contains("NONSENSE"));
    }

    #[test]
    fn interface_files_include_one_another() {
        let mut open = |name: &str| match name {
            "more.i" => Ok("%ignore bar;".to_owned()),
            "loop.i" => Ok("%include \"loop.i\"".to_owned()),
            _ => Err("no".to_owned()),
        };
        let interface = parse("%include \"more.i\"", "foo.i", &mut open).unwrap();
        assert_eq!(interface.rules.ignore[0].at.line(), "more.i:1");
        let error = parse("%include \"loop.i\"", "foo.i", &mut open).unwrap_err();
        assert!(error.message.contains("include one another"), "{error}");
    }

    #[test]
    fn damaged_files_are_errors_and_never_panics() {
        let text = "%module a\n%{\n#include <x.h>\n%}\n%apply (char *STRING, size_t LENGTH) { (char *é, int n) };\n%rename(\"%(strip:[f_])s\") \"\";\n%cstring_output_maxsize(char *p, int n);\nint f(int x[3]) { return '\"'; }\n%constant char *S = \"a\\\"b\";\n";
        let mut open = |_: &str| Ok(String::new());
        for end in 0..text.len() {
            if text.is_char_boundary(end) {
                let _ = parse(&text[..end], "x.i", &mut open);
            }
        }
        let bytes = text.as_bytes();
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize
        };
        for _ in 0..20_000 {
            let mut damaged = bytes.to_vec();
            for _ in 0..1 + next() % 4 {
                let at = next() % damaged.len();
                match next() % 3 {
                    0 => damaged[at] = b"%{}()\"';,*#/\\ \n\0a"[next() % 17],
                    1 => drop(damaged.remove(at)),
                    _ => damaged.insert(at, b"%{}()\"';,*#/\\ \n\0a"[next() % 17]),
                }
            }
            let _ = parse(&String::from_utf8_lossy(&damaged), "x.i", &mut open);
        }
    }
}
