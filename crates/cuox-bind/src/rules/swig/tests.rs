//! Whole interface files, and the errors of wrong ones.

use super::super::{
    FunctionRule, Glob, OutputRule, ParameterKey, Rename, ResultRule, RoleRule, Typemap,
};
use super::*;

fn parsed(text: &str) -> Interface {
    let mut none = |name: &str, _: &str| Err(format!("no {name}"));
    parse(text, "foo.i", &[], &mut none).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    let mut none = |name: &str, _: &str| Err(format!("there is no file {name}"));
    let error = parse(text, "foo.i", &[], &mut none).unwrap_err();
    error
        .to_string()
        .split('\n')
        .next()
        .unwrap_or("")
        .to_owned()
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
    assert_eq!(
        interface.declared,
        ["LIMIT", "RATIO", "foo_size", "FOO_MAX"]
    );
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
    // Those for any type are of typemaps.i itself.
    let own = |it: &&Typemap| !it.parameters[0].0.is_empty();
    let maps: Vec<&Typemap> = rules.typemaps.iter().filter(own).collect();
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
    assert!(error("%typemap(globalin) int { }").starts_with("foo.i:1:1: %typemap(globalin) "));
    assert!(error("\n%pythonappend f { x }").starts_with("foo.i:2:1: %pythonappend "));
    assert!(error("%extend foo { int x[3]; }").contains("%extend foo: expected a function"));
    assert!(error("%pythonprepend f %{ x %}").contains("%pythonprepend"));
    assert!(error("%template(a) b<int>;").contains("%template"));
    assert!(error("%renam(a) b;").ends_with("unknown directive %renam; did you mean '%rename'?"));
    assert!(error("%{ never closed").contains("%}"));
    assert!(error("%include \"other.i\"").ends_with("there is no file other.i"));
    let notes = parsed("%include \"std_string.i\"").notes;
    assert!(notes[0].contains("std_string.i"), "{notes:?}");
    assert!(error("%apply int *NONSENSE { int *x };").contains("NONSENSE"));
}

#[test]
fn an_error_shows_the_line() {
    let mut none = |_: &str, _: &str| Err("no".to_owned());
    let error = parse("%module x\n  %renam(a) b;\n", "foo.i", &[], &mut none).unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with("\n      %renam(a) b;\n      ^"), "{text}");
}

#[test]
fn code_is_collected_for_a_compiler() {
    let interface = parsed(
        "%module x\n%{\n#include <math.h>\ntypedef struct { int a; } pair;\nstatic int helper(int x) { return x; }\nstatic int hidden(void) { return 1; }\n%}\nint helper(int x);\n%inline %{\n/** Doubles. */\nstatic inline int twice(int x) { return 2 * x; }\nint counter = 3;\n%}\n%init %{ import_array(); %}\n",
    );
    assert!(interface.needs_compiler);
    assert_eq!(interface.declared, ["helper", "twice", "counter"]);
    assert_eq!(interface.defined, ["helper", "hidden"]);
    assert_eq!(interface.prelude, ["math.h"]);
    assert!(interface.types.contains("typedef struct { int a; } pair;"));
    assert!(interface.source.contains("int twice(int x);"));
    assert!(interface.source.contains("/** Doubles. */"));
    assert!(!interface.source.contains("return"));
    // What is bound can be seen from outside, and nothing else.
    assert!(
        interface
            .code
            .contains("       int helper(int x) { return x; }")
    );
    assert!(interface.code.contains("static int hidden(void)"));
    assert!(
        interface
            .code
            .contains("int twice(int x) { return 2 * x; }")
    );
    assert!(!interface.code.contains("inline int twice"));
    assert!(interface.code.contains("#line 9 \"foo.i\""));
    assert!(!interface.code.contains("import_array"));
    let unused = parsed("%{\nstatic int hidden(void) { return 1; }\n%}\nint other(void);\n");
    assert!(!unused.needs_compiler);
    assert!(unused.notes[0].contains("hidden"), "{:?}", unused.notes);
}

#[test]
fn records_are_extended() {
    let interface = parsed(
        "%extend Vec {\n  Vec(double x) { return 0; }\n  ~Vec() { free($self); }\n  /* The length. */\n  double norm(void) { return $self->x; }\n  static struct it *add(const Vec *b, int n);\n};\n",
    );
    assert_eq!(
        interface.declared,
        ["new_Vec", "delete_Vec", "Vec_norm", "Vec_add"]
    );
    let methods: Vec<(&str, &str)> = interface
        .members
        .iter()
        .filter(|it| it.kind == MemberKind::Method)
        .map(|it| (it.name.as_str(), it.function.as_str()))
        .collect();
    assert_eq!(methods, [("norm", "Vec_norm"), ("add", "Vec_add")]);
    for text in [
        "Vec *new_Vec(double x);",
        "void delete_Vec(Vec *self);",
        "double Vec_norm(Vec *self);",
        "struct it *Vec_add(Vec *self, const Vec *b, int n);",
    ] {
        assert!(interface.source.contains(text), "{}", interface.source);
    }
    assert!(
        interface
            .code
            .contains("double Vec_norm(Vec *self) { return self->x; }")
    );
    assert!(!interface.code.contains("Vec_add"));
}

#[test]
fn conditions_and_macros() {
    let text = "#ifdef SWIG\n%ignore a;\n#else\n%ignore b;\n#endif\n#define N 2\n#if N == 1\n%nonsense\n#elif N == 2 && defined(SWIGPYTHON)\n%ignore c;\n#else\n# if 1\n%ignore d;\n# endif\n#endif\n#if 0\n%{ never\n#endif\nint last(void);\n%define GET(T, name)\nT get_##name(void);\n%ignore old_ ## name;\n%enddef\nGET(int, x)\n%GET(double, y);\nint after(void);\n";
    let interface = parsed(text);
    let ignored: Vec<&str> = interface
        .rules
        .ignore
        .iter()
        .map(|it| it.value.0.as_str())
        .collect();
    assert_eq!(ignored, ["a", "c", "old_x", "old_y"]);
    assert_eq!(interface.declared, ["N", "last", "get_x", "get_y", "after"]);
    let lines: Vec<&str> = interface.source.lines().collect();
    let at = |name: &str| lines.iter().position(|line| line.contains(name));
    assert_eq!((at("last"), at("after")), (Some(18), Some(25)));
    assert!(error("#if 1\n").ends_with("foo.i:1:1: this condition is not closed by #endif"));
    assert!(error("#if 0\n").ends_with("this condition is not closed by #endif"));
    assert!(error("#endif\n").ends_with("#endif without #if"));
    assert!(error("#if (\n#endif\n").contains("expected an expression"));
    assert!(error("%define X\nX\n%enddef\nX\n").contains("uses itself"));
    // Macros that use others twice each.
    let mut bomb = String::from("%define M0\nint x;\n%enddef\n");
    for n in 1..15 {
        let before = n - 1;
        bomb.push_str(&format!("%define M{n}\nM{before}\nM{before}\nM{before}\nM{before}\nM{before}\nM{before}\n%enddef\n"));
    }
    assert!(error(&format!("{bomb}M14\n")).contains("become too long a text"));
    assert!(error("%define X(a)\n%enddef\nX(1, 2)\n").contains("takes 1 arguments, got 2"));
    assert!(error("%define X\n").contains("%enddef"));
    assert!(
        error("%define X\n%renam(a) b;\n%enddef\n\nX\n")
            .starts_with("foo.i:5:1: unknown directive %renam")
    );
}

#[test]
fn helpers_and_python_code() {
    let interface = parsed(
        "%module(docstring=\"A \\\"module\\\".\") x\n%include \"cpointer.i\"\n%pointer_functions(unsigned int, uintp);\n%array_class(double, Doubles)\n%pythoncode %{\n    def f():\n        return 1\n%}\n%feature(\"docstring\") g \"Does it.\";\n%ignore \"\";\n%rename(\"%s\") g;\n",
    );
    assert_eq!(interface.docstring.as_deref(), Some("A \"module\"."));
    assert_eq!(
        interface.exports,
        [
            "new_uintp",
            "copy_uintp",
            "delete_uintp",
            "uintp_assign",
            "uintp_value",
            "Doubles"
        ]
    );
    assert!(
        interface
            .python
            .contains("uintp_value = pointer_functions(\"unsigned int\", _record)\n")
    );
    assert!(
        interface
            .python
            .contains("Doubles = array_class(\"double\", \"Doubles\", _record)\n")
    );
    assert!(interface.python.contains("\ndef f():\n    return 1\n"));
    assert_eq!(interface.docs, [("g".to_owned(), "Does it.".to_owned())]);
    assert!(interface.only.contains(&"g".to_owned()) && interface.rules.ignore.is_empty());
    assert!(error("%array_functions(int)").contains("takes a type and a name"));
}

#[test]
fn interface_files_include_one_another() {
    let mut open = |name: &str, _: &str| match name {
        "more.i" => Ok(("%ignore bar;".to_owned(), name.to_owned())),
        "loop.i" => Ok(("%include \"loop.i\"".to_owned(), name.to_owned())),
        _ => Err("no".to_owned()),
    };
    let interface = parse("%include \"more.i\"", "foo.i", &[], &mut open).unwrap();
    assert_eq!(interface.rules.ignore[0].at.line(), "more.i:1");
    let error = parse("%include \"loop.i\"", "foo.i", &[], &mut open).unwrap_err();
    assert!(error.message.contains("include one another"), "{error}");
}

/// Typemaps of all kinds, for the function `f` of [`some_header`].
const CONVERSIONS: &str = "%typemap(in, fragment=\"é\") (int a, char *b) (int t = 1, char u[4]) { $1 = $*2_ltype $2_name $argnum; %append_output(t$argnum) }\n%typemap(argout) char *b \"$result = %argument_fail($input, \\\"x\\\", $symname, 1);\"\n%typemap(out) int %{ $result = $descriptor(int *) $&1_descriptor; %}\n%fragment(\"é\", \"header\") { é }\n%exception f { $action }\n%apply char *b { char *c };\n%typemap(check) char *c = char *b;\n%clear char *c;\nint f(int a, char *b);\n";

fn some_header() -> crate::decl::Header {
    let place = crate::decl::Place::default();
    let int = crate::decl::Type::Int(crate::decl::Int::I32);
    let text = crate::decl::Type::pointer_to(crate::decl::Type::Int(crate::decl::Int::Char));
    let parameter = |name: &str, ty: &crate::decl::Type| crate::decl::Parameter {
        name: name.to_owned(),
        ty: ty.clone(),
        default: None,
        nonnull: false,
        elements: None,
    };
    let function = crate::decl::Function {
        name: "f".to_owned(),
        symbol: "f".to_owned(),
        parameters: vec![parameter("a", &int), parameter("b", &text)],
        result: int,
        variadic: true,
        doc: None,
        deprecated: None,
        place,
    };
    crate::decl::Header {
        functions: vec![function],
        ..crate::decl::Header::default()
    }
}

#[test]
fn damaged_files_are_errors_and_never_panics() {
    let text = "%module a\n%{\n#include <x.h>\n%}\n%apply (char *STRING, size_t LENGTH) { (char *é, int n) };\n%rename(\"%(strip:[f_])s\") \"\";\n%cstring_output_maxsize(char *p, int n);\nint f(int x[3]) { return '\"'; }\n%constant char *S = \"a\\\"b\";\n#if defined(SWIG) && 1\n%inline %{ static int g(void) { return 1; } %}\n#else\nx\n#endif\n%define M(a)\nint a##_b;\n%enddef\nM(q)\n%extend foo { foo(int x) { } int m(); }\n%pythoncode { x = 1 }\n%array_class(int, A);\n%feature(\"docstring\") f \"d\";\n";
    let mut open = |_: &str, _: &str| Ok((String::new(), String::new()));
    let mut read = |text: &str| {
        if let Ok(interface) = parse(text, "x.i", &[], &mut open) {
            let mut rules = interface.rules.clone();
            let _ = convert(
                &interface,
                &mut some_header(),
                &mut rules,
                |_| true,
                |_, _| true,
            );
        }
    };
    let text = format!("{text}{CONVERSIONS}");
    for end in 0..text.len() {
        if text.is_char_boundary(end) {
            read(&text[..end]);
        }
    }
    let bytes = text.as_bytes();
    let mut seed = 1u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize
    };
    for round in 0..12_000 {
        // What stands first ends the reading soonest.
        let bytes = [bytes, CONVERSIONS.as_bytes()][round % 2];
        let mut damaged = bytes.to_vec();
        for _ in 0..1 + next() % 4 {
            let at = next() % damaged.len();
            match next() % 3 {
                0 => damaged[at] = b"%{}()\"';,*#/\\ \n\0a"[next() % 17],
                1 => drop(damaged.remove(at)),
                _ => damaged.insert(at, b"%{}()\"';,*#/\\ \n\0a"[next() % 17]),
            }
        }
        read(&String::from_utf8_lossy(&damaged));
    }
}
