//! Directives inside a record's braces: `struct foo { int x; %extend { … } };`.

use super::super::RulePlace;
use super::scan::{Scanner, matching, without_comments};
use super::tokens::is_name;
use super::{Interface, extend};

/// A record's definition without the directives in it, which are read. `None` if there are none.
pub(super) fn without_directives(
    text: &str,
    at: &RulePlace,
    interface: &mut Interface,
) -> super::Result<Option<String>> {
    let mut probe = Scanner::new(text, "");
    probe.space();
    let start = probe.offset();
    let Some(open) = text[start..].find('{').map(|open| start + open) else {
        return Ok(None);
    };
    let Some(length) = matching(&text[open..]) else {
        return Ok(None);
    };
    let (head, inside, behind) = (
        &text[..open],
        &text[open + 1..open + length - 1],
        &text[open + length..],
    );
    let Some(name) = record_name(&head[start..], behind) else {
        return Ok(None);
    };
    let mut scanner = Scanner::new(inside, &at.file);
    let mut made = format!("{head}{{");
    let mut found = false;
    while !scanner.done() {
        let before = scanner.offset();
        scanner.space();
        made.push_str(&inside[before..scanner.offset()]);
        if scanner.done() {
            break;
        }
        let directive = scanner.offset();
        let constant = starts_member(&inside[..directive])
            .then(|| constant(&inside[directive..]))
            .flatten();
        if !scanner.peek_is(b'%') && constant.is_none() {
            // A nested record's braces are its own.
            made.push_str(scanner.one());
            continue;
        }
        found = true;
        let place = RulePlace {
            file: at.file.clone(),
            line: at.line + line_of(text, open + 1 + directive),
            column: 0,
        };
        if scanner.take("%include") {
            let file = scanner.take_to_line_end().trim().to_owned();
            made.push_str(&format!("\n#include {file}"));
            continue;
        }
        match constant {
            Some((declared, value)) => {
                scanner.take_to_semicolon();
                extend::constant(&name, declared, value, &place, interface)?;
            }
            None => extend::member_directive(&name, &mut scanner, &place, interface)?,
        }
        made.push_str(&"\n".repeat(inside[directive..scanner.offset()].matches('\n').count()));
    }
    made.push('}');
    made.push_str(behind);
    Ok(found.then_some(made))
}

/// True if a member may begin behind a text.
fn starts_member(before: &str) -> bool {
    let plain = without_comments(before);
    let mut lines = plain.lines().rev().map(str::trim);
    // Lines of the preprocessor are no part of a member.
    let last = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    last.is_none_or(|line| line.ends_with([';', '}']))
}

/// `static const T name = value;`: a value that the class has, as in C++. Its declaration, and the value.
fn constant(text: &str) -> Option<(&str, &str)> {
    let text = text.get(..text.find(';')?)?;
    let (declared, value) = text.split_once('=')?;
    (declared.starts_with("static ") && declared.contains("const ")).then_some((declared, value))
}

fn line_of(text: &str, place: usize) -> u32 {
    let lines = text.as_bytes()[..place]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    u32::try_from(lines).unwrap_or(u32::MAX)
}

/// A record's name as C writes it: the typedef's, or the tag with its word.
fn record_name(head: &str, behind: &str) -> Option<String> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let first = behind.trim_start();
    let end = first
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(first.len());
    if words.first() == Some(&"typedef") && end > 0 {
        return Some(first[..end].to_owned());
    }
    let at = words
        .iter()
        .position(|word| ["struct", "union"].contains(word))?;
    Some(format!("{} {}", words[at], words.get(at + 1)?))
}

/// The name of the record that a text defines, without its word.
pub(super) fn defined(text: &str) -> Option<String> {
    let plain = without_comments(text);
    let open = plain.find('{')?;
    let length = matching(&plain[open..])?;
    let name = record_name(&plain[..open], &plain[open + length..])?;
    Some(extend::plain_name(&name).to_owned()).filter(|name| is_name(name))
}

/// Python code for fields that cannot be set.
pub(super) fn finish(interface: &mut Interface) {
    let fields = std::mem::take(&mut interface.immutable_fields);
    for (record, field) in &fields {
        let names = match field {
            Some(field) => {
                let renamed = interface.fields.iter();
                let mut renamed = renamed.filter(|it| it.record == *record && it.field == *field);
                let name = renamed.next().map_or(field, |it| &it.name);
                format!("[\"{name}\"]")
            }
            None => "None".to_owned(),
        };
        interface
            .python
            .push_str(&format!("read_only(_record, \"{record}\", {names})\n"));
        interface.imported.push("read_only".to_owned());
    }
}

/// A directive about records: `%feature record;`, or `%feature;` for all that follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RecordFeature {
    /// True for all that follow.
    following: bool,
    /// Records, and whether they have it: the last that names one counts.
    records: Vec<(String, bool)>,
}

impl RecordFeature {
    pub(super) fn set(&mut self, text: &str, set: bool, at: &RulePlace) -> super::Result<()> {
        match text.trim().is_empty() {
            true => self.following = set,
            false => self.records.push((super::rename::target(text, at)?, set)),
        }
        Ok(())
    }

    /// A record is defined.
    pub(super) fn defined(&mut self, name: &str) {
        if self.following {
            self.records.push((name.to_owned(), true));
        }
    }

    /// The records that have it.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<(&str, bool)> = Vec::new();
        for (name, set) in &self.records {
            names.retain(|(known, _)| known != name);
            names.push((name, *set));
        }
        names.retain(|(_, set)| *set);
        names.into_iter().map(|(name, _)| name).collect()
    }
}

/// Python code for records that take no attributes but their own.
pub(super) fn fixed(interface: &mut Interface) {
    for name in std::mem::take(&mut interface.fixed).names() {
        let line = format!("fixed_attributes(_record, \"{name}\")\n");
        interface.python.push_str(&line);
        interface.imported.push("fixed_attributes".to_owned());
    }
}

/// Python code for records that Python cannot make.
pub(super) fn constructors(interface: &mut Interface) {
    let lacking = std::mem::take(&mut interface.no_constructors);
    for name in lacking.names() {
        let mut members = interface.members.iter();
        if members.any(|it| it.record == name && it.name == "__init__") {
            continue;
        }
        interface
            .python
            .push_str(&format!("no_constructor(_record, \"{name}\")\n"));
        interface.imported.push("no_constructor".to_owned());
    }
}

/// True if a text defines a record or an enumeration that the code of `%{ %}`, or a header of the project that it
/// includes, defines as well.
pub(super) fn is_defined(text: &str, interface: &Interface) -> bool {
    let plain = without_comments(text);
    let text = plain.trim();
    let Some(open) = text.find('{') else {
        return false;
    };
    let head: Vec<&str> = text[..open].split_whitespace().collect();
    let first = head.iter().find(|word| **word != "typedef");
    if !first.is_some_and(|word| ["struct", "union", "enum"].contains(word)) {
        return false;
    }
    let Some(length) = matching(&text[open..]) else {
        return false;
    };
    let behind = text[open + length..].trim().trim_end_matches(';').trim();
    let name = match head.first() == Some(&"typedef") && is_name(behind) {
        true => behind,
        false => head.last().copied().unwrap_or(""),
    };
    let defines = |code: &str| {
        let plain = without_comments(code);
        let mut before = "";
        let mut rest = plain.as_str();
        while let Some(at) = rest.find(|letter: char| letter.is_alphanumeric() || letter == '_') {
            let (gap, word) = rest.split_at(at);
            let end = word
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(word.len());
            let (word, behind) = word.split_at(end);
            if word == name {
                let tag = ["struct", "union", "enum"].contains(&before)
                    && behind.trim_start().starts_with('{');
                let typedef = gap.trim_end().ends_with('}');
                if tag || typedef {
                    return true;
                }
            }
            (before, rest) = (word, behind);
        }
        false
    };
    let known = [
        &interface.types,
        &interface.header_texts,
        &interface.later_types,
    ];
    is_name(name) && known.into_iter().any(|code| defines(code))
}

/// The lines of the preprocessor in an enumeration without constants.
pub(super) fn empty_enumeration(text: &str) -> Option<String> {
    let plain = without_comments(text);
    if !plain.trim_start().starts_with("enum") {
        return None;
    }
    let inside = &plain[plain.find('{')? + 1..plain.rfind('}')?];
    let (lines, rest): (Vec<&str>, Vec<&str>) = inside
        .lines()
        .partition(|line| line.trim_start().starts_with('#'));
    let breaks = text.matches('\n').count().saturating_sub(lines.len());
    rest.iter().all(|line| line.trim().is_empty()).then(|| {
        format!(
            "\n{}\n{}",
            lines.join("\n"),
            "\n".repeat(breaks.saturating_sub(1))
        )
    })
}
