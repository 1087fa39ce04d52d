//! Linking PTX texts of separately compiled modules into one.
//!
//! A text that declares a symbol `.extern` which another one defines cannot be loaded alone. Texts are joined by
//! dropping all but one header and declarations that came before; a name that a text keeps to itself gets a suffix when
//! another text has it too, and a `.common` variable is one for all. Texts that do not need each other stay apart.

use super::ptx_bridge;
use super::ptx_statements::{
    directive, is_definition, is_extern, is_name, is_private, statements, symbol, uncommented,
};
use std::collections::{HashMap, HashSet};

/// Joins the texts that refer to each other; otherwise answers them as they are.
pub fn link(texts: Vec<String>) -> Vec<String> {
    if texts.len() < 2 {
        return texts;
    }
    let split: Vec<Vec<&str>> = texts.iter().map(|t| statements(t)).collect();
    let defined: HashSet<&str> = split
        .iter()
        .flatten()
        .filter(|s| is_definition(s))
        .filter_map(|s| symbol(s))
        .collect();
    let wanted = |s: &&&str| is_extern(s) && symbol(s).is_some_and(|n| defined.contains(n));
    let commons = Commons::of(&split);
    if !commons.shared && !split.iter().flatten().any(|s| wanted(&s)) {
        return texts;
    }
    let functions = definitions_of_functions(&split);
    let mut joined = String::new();
    let mut bridges = String::new();
    let mut externs = HashSet::new();
    let mut weak = HashSet::new();
    let mut placed = HashSet::new();
    let mut seen = HashSet::new();
    for (i, part) in split.iter().enumerate() {
        let own: HashSet<&str> = part
            .iter()
            .filter(|s| is_private(s))
            .filter_map(|s| symbol(s))
            .collect();
        let mut renamed: HashMap<&str, String> = own
            .into_iter()
            .filter(|n| seen.contains(n) || defined.contains(n))
            .map(|n| (n, format!("{n}$of{i}")))
            .collect();
        seen.extend(part.iter().filter_map(|s| symbol(s)));
        for s in part.iter().filter(|s| is_extern(s)) {
            let name = symbol(s).unwrap_or("");
            // A text must agree with itself.
            let definition = functions.get(name).copied().filter(|d| !part.contains(d));
            let own_name = format!("{name}$as{i}");
            if let Some(bridge) = definition.and_then(|d| ptx_bridge::write(s, d, &own_name)) {
                bridges.push_str(&bridge);
                renamed.insert(name, own_name);
            }
        }
        for &s in part {
            let head = directive(s);
            let header = [".version", ".target", ".address_size"].contains(&head);
            if header && i > 0 {
                continue;
            }
            let name = symbol(s);
            let bridged = is_extern(s) && name.is_some_and(|n| renamed.contains_key(n));
            // The same outside function may be declared in each text, and a weak one be defined in each.
            if is_extern(s) && !bridged && name.is_some_and(|n| !externs.insert(n)) {
                continue;
            }
            if head == ".weak" && is_definition(s) && name.is_some_and(|n| !weak.insert(n)) {
                continue;
            }
            let common = name.and_then(|n| commons.chosen.get(n)).copied();
            let statement = match common {
                Some(_) if head == ".common" && !name.is_some_and(|n| placed.insert(n)) => continue,
                Some(chosen) if head == ".common" => chosen,
                _ if bridged => uncommented(s).trim_start_matches(".extern"),
                _ => s,
            };
            push_renamed(&mut joined, statement, &renamed);
            joined.push('\n');
        }
    }
    joined.push_str(&bridges);
    vec![joined]
}

/// Variables that any number of texts may define, of which there is one.
struct Commons<'a> {
    /// The statement to keep for each name: the first of the largest.
    chosen: HashMap<&'a str, &'a str>,
    /// True if two texts have the same.
    shared: bool,
}

impl<'a> Commons<'a> {
    fn of(split: &[Vec<&'a str>]) -> Commons<'a> {
        let mut found = Commons {
            chosen: HashMap::new(),
            shared: false,
        };
        let statements = split.iter().flatten().copied();
        for s in statements.filter(|s| directive(s) == ".common") {
            let Some(name) = symbol(s) else { continue };
            let Some(known) = found.chosen.get_mut(name) else {
                found.chosen.insert(name, s);
                continue;
            };
            found.shared = true;
            let size = |s| ptx_bridge::Variable::read(s).map_or(0, |v| v.bytes());
            // Only one of them may have an initial value.
            if size(s) > size(known) || s.contains('=') {
                *known = s;
            }
        }
        found
    }
}

/// The statements that define functions which other texts can see, by name.
fn definitions_of_functions<'a>(split: &[Vec<&'a str>]) -> HashMap<&'a str, &'a str> {
    let all = split.iter().flatten().copied();
    let functions = all.filter(|s| is_definition(s) && s.trim_end().ends_with('}'));
    let mut found = HashMap::new();
    for s in functions {
        if let Some(name) = symbol(s) {
            found.entry(name).or_insert(s);
        }
    }
    found
}

/// Appends a statement in which names are replaced, but not instructions of the same name: a function may be called
/// `add` or `exit`.
fn push_renamed(to: &mut String, statement: &str, names: &HashMap<&str, String>) {
    if names.is_empty() {
        to.push_str(statement);
        return;
    }
    let mut at = 0;
    while let Some(start) = statement[at..].find(is_name).map(|n| at + n) {
        let rest = &statement[start..];
        let end = start + rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let word = &statement[start..end];
        let new = names.get(word).map(String::as_str);
        let new = new.filter(|_| !is_instruction(&statement[..start], &statement[end..]));
        to.push_str(&statement[at..start]);
        to.push_str(new.unwrap_or(word));
        at = end;
    }
    to.push_str(&statement[at..]);
}

/// True if the word between two texts is an instruction or a part of one.
fn is_instruction(before: &str, after: &str) -> bool {
    if before.ends_with('.') || after.starts_with('.') {
        return true;
    }
    // `exit;` at the start of a statement, which may have a guard.
    let before = before.trim_end();
    let guarded = before
        .split_whitespace()
        .next_back()
        .is_some_and(|word| word.starts_with('@'));
    after.trim_start().starts_with(';') && (guarded || before.ends_with([';', '{', '}', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "// first { ;\n.version 9.0\n.target sm_90\n.address_size 64\n\n.extern .func (.param .b32 r) twice\n(\n\t.param .b32 a\n)\n;\n.extern .func (.param .b32 r) vprintf (.param .b64 f);\n.extern .global .align 4 .u32 total;\n.visible .entry k(\n.param .u64 p\n)\n{\n\tret; // }\n}\n";
    const B: &str = ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) vprintf (.param .b64 f);\n.visible .global .align 4 .u32 total = 3;\n.global .align 1 .b8 $str[3] = {37, 100, 0};\n.visible .func (.param .b32 r) twice(\n.param .b32 a\n)\n{\n\tret;\n}\n";

    #[test]
    fn texts_that_need_each_other_are_joined() {
        let joined = link(vec![A.into(), B.into()]);
        assert_eq!(joined.len(), 1);
        let text = &joined[0];
        assert_eq!(text.matches(".version").count(), 1);
        // Declared, then defined.
        assert_eq!(text.matches("twice").count(), 2);
        assert_eq!(text.matches("total").count(), 2);
        assert_eq!(text.matches("vprintf").count(), 1);
        assert!(text.contains("$str[3] = {37, 100, 0};") && text.contains(".entry k"));
    }

    #[test]
    fn private_names_do_not_collide() {
        let mine =
            ".global .align 1 .b8 $str[2] = {1, 0};\n.func helper()\n{\n\tmov.u64 %rd1, $str;\n}\n";
        let joined = link(vec![format!("{A}{mine}"), format!("{B}{mine}")]).remove(0);
        assert_eq!(joined.matches(".b8 $str[").count(), 1);
        assert_eq!(
            joined.matches("$str$of1[").count(),
            2,
            "B has two of its own"
        );
        assert!(
            joined.contains("mov.u64 %rd1, $str;") && joined.contains("mov.u64 %rd1, $str$of1;")
        );
        assert!(joined.contains("helper()") && joined.contains("helper$of1()"));
    }

    #[test]
    fn common_variables_are_one() {
        let text = |size| {
            format!(".version 9.0\n.target sm_90\n.common .global .align 8 .b8 env[{size}];\n")
        };
        let joined = link(vec![text(8), text(32), text(16)]);
        assert_eq!(joined.len(), 1);
        assert_eq!(joined[0].matches(".common").count(), 1);
        assert!(joined[0].contains("env[32]"));
    }

    #[test]
    fn functions_may_have_names_of_instructions() {
        let user = ".version 9.0\n.extern .func (.param .b32 r) add(.param .b32 a);\n.extern .func (.param .b32 r) exit();\n.entry k()\n{\n\tatom.global.add.u32 %r1, [%rd1], 1;\n@%p1 exit;\nL: exit;\n\tadd.s32 %r1, %r1, 1;\n\tcall.uni (r), add, (a);\n\tcall.uni (r), exit, ();\n\tmov.u64 %rd1, exit;\n}\n";
        let other = ".version 9.0\n.visible .func add(.param .b32 a)\n{\n\tret;\n}\n.visible .func exit()\n{\n\tret;\n}\n";
        let joined = link(vec![user.into(), other.into()]).remove(0);
        for kept in ["atom.global.add.u32", "@%p1 exit;", "L: exit;", "\tadd.s32"] {
            assert!(joined.contains(kept), "{kept}: {joined}");
        }
        for renamed in ["(r), add$as0, (a)", "(r), exit$as0, ()", "%rd1, exit$as0;"] {
            assert!(joined.contains(renamed), "{renamed}: {joined}");
        }
    }

    #[test]
    fn results_that_differ_are_bridged() {
        let user = A.replace("twice", "once").replace("total", "sum");
        let other = ".version 9.0\n.visible .func once(.param .b32 a)\n{\n\tret;\n}\n";
        let joined = link(vec![user, other.into()]).remove(0);
        // Declared and defined under another name, which calls the definition.
        assert_eq!(joined.matches("once$as0").count(), 2);
        assert!(joined.contains("call.uni once, ("));
        assert!(joined.contains(".visible .func once("));
    }

    #[test]
    fn others_stay_apart() {
        let two = vec![A.to_string(), A.to_string()];
        assert_eq!(link(two.clone()), two);
        assert_eq!(link(vec!["{ unbalanced".into(), "\" open".into()]).len(), 2);
    }
}
