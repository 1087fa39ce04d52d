//! Facts from the C compiler: sizes, alignments, offsets, array lengths, and the values of constants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::headers;
use super::model::{CType, Field, FieldKind, Header, Item};
use super::profile::Profile;

/// The measurements.
#[derive(Default)]
pub struct Facts {
    /// Size and alignment by record index; an anonymous member has no name in C and so no entry.
    pub records: BTreeMap<usize, (u64, u64)>,
    /// Offset within its record, by record and field index.
    pub offsets: BTreeMap<(usize, usize), u64>,
    /// Value by constant's name (enumerations and macros).
    pub constants: BTreeMap<String, i128>,
    /// Macros that are pointers or handles: the type's name as the header casts it.
    pub casts: BTreeMap<String, String>,
}

fn joined(path: &str, field: &str) -> String {
    if path.is_empty() {
        field.to_owned()
    } else {
        format!("{path}.{field}")
    }
}

/// The C member expression of the first named thing in a field, from the root record.
fn reach(header: &Header, path: &str, field: &Field) -> Option<String> {
    match (&field.name, &field.kind) {
        (Some(name), _) => Some(joined(path, name)),
        (None, FieldKind::Nested(index)) => {
            let nested = &header.records[*index];
            nested
                .fields
                .first()
                .and_then(|field| reach(header, path, field))
        }
        (None, FieldKind::Plain(_)) => None,
    }
}

/// The type that a macro of the form `((type)value)` casts to.
fn cast_of(value: &str) -> Option<String> {
    let inner = value.strip_prefix("((")?;
    let (cast, _) = inner.split_once(')')?;
    Some(cast.trim().to_owned())
}

/// Measures everything in the header, and replaces the lengths of its arrays by numbers.
pub fn measure(include: &Path, header: &mut Header, profile: &Profile) -> Result<Facts, String> {
    let mut facts = Facts::default();
    let program = program(header, &mut facts, profile)?;
    let output = build_and_run(include, &program, profile)?;
    let mut lengths = BTreeMap::new();
    for line in output.lines() {
        let mut words = line.split(' ');
        let (kind, key, value) = (words.next(), words.next(), words.next());
        let (Some(kind), Some(key), Some(value)) = (kind, key, value) else {
            return Err(format!("the probe printed {line:?}"));
        };
        let number: i128 = value
            .parse()
            .map_err(|_| format!("the probe printed {line:?}"))?;
        let index = |text: &str| {
            text.parse::<usize>()
                .map_err(|_| format!("the probe printed {line:?}"))
        };
        let pair = || -> Result<(usize, usize), String> {
            let (record, field) = key
                .split_once(',')
                .ok_or_else(|| format!("the probe printed {line:?}"))?;
            Ok((index(record)?, index(field)?))
        };
        match kind {
            "size" => facts.records.entry(index(key)?).or_default().0 = number as u64,
            "align" => facts.records.entry(index(key)?).or_default().1 = number as u64,
            "offset" => {
                facts.offsets.insert(pair()?, number as u64);
            }
            "length" => {
                lengths.insert(pair()?, number as u64);
            }
            "value" => {
                facts.constants.insert(key.to_owned(), number);
            }
            _ => return Err(format!("the probe printed {line:?}")),
        }
    }
    for ((record, field), value) in lengths {
        if let FieldKind::Plain(CType::Array { length, .. }) =
            &mut header.records[record].fields[field].kind
        {
            *length = value.to_string();
        }
    }
    Ok(facts)
}

fn program(header: &Header, facts: &mut Facts, profile: &Profile) -> Result<String, String> {
    let mut text = profile.prelude.to_owned();
    for (is_union, tag) in &header.tags {
        let kind = if *is_union { "union" } else { "struct" };
        let _ = writeln!(text, "typedef {kind} {tag} {tag};");
    }
    text.push_str("#include <stdio.h>\n#include <stddef.h>\nint main(void) {\n");
    let mut print = |kind: &str, key: &str, value: &str| {
        let _ = writeln!(
            text,
            "printf(\"{kind} {key} %lld\\n\", (long long)({value}));"
        );
    };
    for (index, record) in header.records.iter().enumerate() {
        let root = &record.root;
        let anonymous = record.name != *root && {
            // A nested record without a field of its own shares its parent's path.
            header.records.iter().any(|outer| {
                outer.fields.iter().any(|field| {
                    field.name.is_none()
                        && matches!(field.kind, FieldKind::Nested(nested) if nested == index)
                })
            })
        };
        if !anonymous {
            let object = if record.path.is_empty() {
                format!("*({root} *)0")
            } else {
                format!("(({root} *)0)->{}", record.path)
            };
            print("size", &index.to_string(), &format!("sizeof({object})"));
            print(
                "align",
                &index.to_string(),
                &format!("_Alignof(__typeof__({object}))"),
            );
        }
        let mut start = None;
        for (number, field) in record.fields.iter().enumerate() {
            let path = reach(header, &record.path, field)
                .ok_or_else(|| format!("{} has a field that cannot be reached", record.name))?;
            let start = start.get_or_insert_with(|| path.clone());
            let key = format!("{index},{number}");
            print(
                "offset",
                &key,
                &format!("offsetof({root}, {path}) - offsetof({root}, {start})"),
            );
            if let FieldKind::Plain(CType::Array { .. }) = field.kind {
                let member = format!("(({root} *)0)->{path}");
                print(
                    "length",
                    &key,
                    &format!("sizeof({member}) / sizeof({member}[0])"),
                );
            }
        }
    }
    for item in &header.items {
        if let Item::Enum(item) = item {
            for constant in &item.constants {
                print("value", constant, constant);
            }
        }
    }
    for (name, value) in &header.macros {
        if let Some(cast) = cast_of(value) {
            facts.casts.insert(name.clone(), cast);
        }
        print("value", name, name);
    }
    text.push_str("return 0;\n}\n");
    Ok(text)
}

fn build_and_run(include: &Path, program: &str, profile: &Profile) -> Result<String, String> {
    let folder = headers::scratch()?;
    let source = folder.join("probe.c");
    let binary = folder.join("probe");
    let result = (|| {
        std::fs::write(&source, program)
            .map_err(|error| format!("cannot write the probe: {error}"))?;
        let build = Command::new("gcc")
            .args(["-std=gnu11", "-w", "-O0"])
            .args(profile.defines)
            .arg("-I")
            .arg(include)
            .arg(&source)
            .arg("-o")
            .arg(&binary)
            .output()
            .map_err(|error| format!("gcc does not start: {error}"))?;
        if !build.status.success() {
            return Err(format!(
                "the probe does not compile:\n{}",
                String::from_utf8_lossy(&build.stderr)
            ));
        }
        let run = Command::new(&binary)
            .output()
            .map_err(|error| format!("the probe does not run: {error}"))?;
        String::from_utf8(run.stdout).map_err(|error| format!("the probe printed no text: {error}"))
    })();
    let _ = std::fs::remove_dir_all(&folder);
    result
}
