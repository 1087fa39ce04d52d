//! A header, perhaps with rules, and the plan in words: `plans/*.h`, `*.toml`, `*.explain.txt`.
//!
//! The texts are read by people before they are kept: `CUOX_BLESS=1 cargo test -p cuox-bind --test plans` writes them
//! anew.

use std::path::{Path, PathBuf};

use cuox_bind::clang::{self, Input, ParseError, ParseOptions};
use cuox_bind::decl::Header;
use cuox_bind::plan::{self, Options, PlanError, explain};
use cuox_bind::rules::Rules;
use cuox_bind::write::{self, data};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plans")
}

/// A header's declarations; `None`, with a word about it, where there is no libclang.
fn parsed(input: Input) -> Option<Header> {
    let options = ParseOptions {
        inputs: vec![input],
        ..ParseOptions::default()
    };
    match clang::parse(&options) {
        Ok(header) => Some(header),
        Err(error @ ParseError::NoLibclang { .. }) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn text(source: &str) -> Option<Header> {
    parsed(Input::Text {
        name: "test.h".into(),
        text: source.into(),
    })
}

#[test]
fn plans_in_words() {
    let mut headers: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "h"))
        .collect();
    headers.sort();
    let mut wrong = Vec::new();
    for path in headers {
        let Some(header) = parsed(Input::File(path.display().to_string())) else {
            return;
        };
        let rules = match std::fs::read_to_string(path.with_extension("toml")) {
            Ok(text) => {
                let name = path.with_extension("toml");
                let name = name.file_name().unwrap().to_string_lossy().into_owned();
                Rules::from_toml(&text, &name).unwrap_or_else(|error| panic!("{error}"))
            }
            Err(_) => Rules::default(),
        };
        let plan = plan::make(&header, &rules, &Options::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let found = explain::header(&header, &plan);
        let expected = path.with_extension("explain.txt");
        if std::env::var_os("CUOX_BLESS").is_some() {
            std::fs::write(&expected, &found).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(path.display().to_string());
            println!("{}\n{found}", path.display());
        }
        // A plan that has been written can be read again, and is the same.
        let packed = data::pack(&header, &plan).unwrap();
        let bound = data::unpack(&packed).unwrap();
        let same = |text: &str| -> String {
            text.split("not bound\n")
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(
            same(&explain::header(&bound.header, &bound.plan)),
            same(&found)
        );
        let binding = write::Binding {
            inline: None,
            header: &header,
            plan: &plan,
            libraries: &["libtest.so".into()],
            command: "test",
            additions: &Default::default(),
        };
        assert!(write::module(&binding).unwrap().contains("__all__"));
        assert!(write::stub(&binding).contains("import"));
    }
    assert!(
        wrong.is_empty(),
        "these are explained differently: {wrong:?}"
    );
}

/// Plans with rules that cannot be carried out are errors, which name function, parameter and place.
#[test]
fn impossible_rules() {
    let source = "typedef struct foo foo;\nfoo *foo_new(int n);\nint foo_get(const foo *f, int a, int *x, const int *c, void *p, char *s);\nvoid foo_pair(foo *f, foo *g);\nvoid foo_cb(void (*cb)(int), void *u);\n";
    let Some(header) = text(source) else { return };
    let error = |rules: &str| -> String {
        let rules = Rules::from_toml(rules, "r.toml").unwrap_or_else(|error| panic!("{error}"));
        let made: Result<_, PlanError> = plan::make(&header, &rules, &Options::default());
        made.map(|_| ()).unwrap_err().to_string()
    };
    for (rules, expected) in [
        (
            "[foo_get]\nparams.a = 'output'",
            "r.toml:2: foo_get(): parameter 'a': an output needs a pointer, and this is int",
        ),
        (
            "[foo_get]\nparams.c = 'output'",
            "r.toml:2: foo_get(): parameter 'c': an output is written by C, and const int * is constant",
        ),
        (
            "[foo_get]\nparams.p = 'output'",
            "r.toml:2: foo_get(): parameter 'p': there is no place for an output behind void *: void is not a value",
        ),
        (
            "[foo_get]\nparams.a = { length_of = 'f' }",
            "r.toml:2: foo_get(): parameter 'a': it is the length of 'f', which is neither memory nor text",
        ),
        (
            "[foo_get]\nparams.x = { length_of = 'c' }",
            "r.toml:2: foo_get(): parameter 'x': a length needs an integer, and this is int *",
        ),
        (
            "[foo_get]\nparams.a = { length_of = 'a' }",
            "r.toml:2: foo_get(): parameter 'a': it is the length of no parameter",
        ),
        (
            "[foo_get]\nparams.b = 'input'",
            "r.toml:2:8: foo_get has no parameter 'b'",
        ),
        (
            "[foo_gte]\nname = 'x'",
            "r.toml:1:2: the header declares no function 'foo_gte'; did you mean 'foo_get'?",
        ),
        (
            "[foo_get]\nparams.a = 'text'",
            "r.toml:2: foo_get(): parameter 'a': text needs a pointer to char, and this is int",
        ),
        (
            "[foo_get]\nparams.a = { fixed = 5000000000 }",
            "r.toml:2: foo_get(): parameter 'a': 5000000000 does not fit int",
        ),
        (
            "[foo_get]\nparams.s = { role = 'output', length = 'x' }",
            "r.toml:2: foo_get(): parameter 's': 'x' is not an integer that the caller gives, so it cannot be a buffer's length",
        ),
        (
            "[foo_get]\nresult = { handle = 'foo' }",
            "r.toml:2: foo_get(): int cannot hold a foo",
        ),
        (
            "[foo_new]\nresult = 'status'",
            "r.toml:2: foo_new(): a status needs an integer, and the result is foo *",
        ),
        (
            "[foo_new]\nresult = { handle = 'foo', owned = true }",
            "r.toml:2:10: foo_new(): an owned foo needs a function that ends it: [handles] foo = { type = \"…\", destroy = \"…\" }",
        ),
        (
            "[handles]\nfoo = { type = 'foo *', destroy = 'foo_pair' }",
            "r.toml:2: foo_pair(): it cannot end a foo: it must take one and nothing else",
        ),
        (
            "[handles]\nfoo = { type = 'bar *' }",
            "r.toml:2:1: the handle 'foo' is of the type 'bar', which the header does not declare",
        ),
        (
            "[foo_cb]\nparams.cb = { user_data = 'u' }",
            "r.toml:2:8: foo_cb(): parameter 'cb': the callback takes no void *, which could be its user data",
        ),
        (
            "[library]\nerror_text = 'foo_why'",
            "r.toml:2:14: no bound function is named 'foo_why'",
        ),
        (
            "[library]\nsuccess = ['FOO_OK']\n[foo_get]\nresult = 'status'",
            "r.toml:2:11: the header has no integer constant 'FOO_OK'",
        ),
        (
            "[foo_get]\nname = 'foo_new'",
            "r.toml:2:8: foo_get(): it would be called 'foo_new' in Python, as foo_new is",
        ),
        (
            "[foo_pair]\nresult = 'value'",
            "r.toml:2: foo_pair(): void is not a value",
        ),
    ] {
        assert_eq!(error(rules), expected, "{rules}");
    }
}

/// Any text as rules: an error or a plan that has been checked, and never a panic.
#[test]
fn damaged_rules() {
    let Some(header) = parsed(Input::File(folder().join("ruled.h").display().to_string())) else {
        return;
    };
    let text = std::fs::read_to_string(folder().join("ruled.toml")).unwrap();
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let mut seed = 7u32;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let mut made = 0;
    for round in 0..4000 {
        let mut damaged: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        for _ in 0..1 + next(3) {
            let at = next(damaged.len());
            match next(3) {
                0 => drop(damaged.remove(at)),
                1 => damaged[at] = words[next(words.len())].to_owned(),
                _ => {
                    let other = next(damaged.len());
                    damaged.swap(at, other);
                }
            }
        }
        let mut text = damaged.concat();
        if round % 4 == 0 {
            let mut bytes = text.into_bytes();
            let at = next(bytes.len());
            bytes[at] = b"[]{}='\",\n#x0."[next(13)];
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        let Ok(rules) = Rules::from_toml(&text, "r.toml") else {
            continue;
        };
        if let Ok(plan) = plan::make(&header, &rules, &Options::default()) {
            plan.check(&header).unwrap();
            let _ = explain::header(&header, &plan);
            made += 1;
        }
    }
    assert!(made > 20, "only {made} of the damaged files could be used");
}
