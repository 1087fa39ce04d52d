//! Rules as a tree of values with places: the form of TOML files and dictionaries before they are understood.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::{Located, RuleError, RulePlace};

/// A value and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Tree,
    /// The place in its file.
    pub at: RulePlace,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Tree {
    Text(String),
    Int(i128),
    Float(f64),
    Bool(bool),
    List(Vec<Node>),
    /// In the order of the file.
    Table(Vec<(Located<String>, Node)>),
}

impl Tree {
    /// The kind of value, for error messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Bool(_) => "a truth value",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

/// Turns byte offsets into lines and columns.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    file: Arc<str>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str, file: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            text,
            starts: std::iter::once(0)
                .chain(breaks.map(|(at, _)| at + 1))
                .collect(),
            file: file.into(),
        }
    }

    fn at(&self, offset: usize) -> RulePlace {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let before = self.text.as_bytes().get(start..offset).unwrap_or_default();
        let column = 1 + before.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        RulePlace {
            file: self.file.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}

/// Parses TOML.
pub(super) fn from_toml(text: &str, file: &str) -> Result<Node, RuleError> {
    let lines = Lines::new(text, file);
    let table = DeTable::parse(text).map_err(|error| {
        let at = lines.at(error.span().map_or(0, |span| span.start));
        RuleError::new(&at, format!("this is not TOML: {}", error.message()))
    })?;
    Ok(Node {
        value: from_table(table.get_ref(), &lines)?,
        at: lines.at(0),
    })
}

fn from_table(table: &DeTable<'_>, lines: &Lines<'_>) -> Result<Tree, RuleError> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entries = entries.into_iter().map(|(key, value)| {
        let name = Located {
            value: key.get_ref().to_string(),
            at: lines.at(key.span().start),
        };
        let node = Node {
            value: from_value(value.get_ref(), &lines.at(value.span().start), lines)?,
            at: lines.at(value.span().start),
        };
        Ok((name, node))
    });
    Ok(Tree::Table(entries.collect::<Result<_, _>>()?))
}

fn from_value(value: &DeValue<'_>, at: &RulePlace, lines: &Lines<'_>) -> Result<Tree, RuleError> {
    Ok(match value {
        DeValue::String(text) => Tree::Text(text.to_string()),
        DeValue::Integer(integer) => {
            let number = i128::from_str_radix(integer.as_str(), integer.radix());
            Tree::Int(number.map_err(|_| RuleError::new(at, "this integer is too large"))?)
        }
        DeValue::Float(float) => {
            let number = float.as_str().parse();
            Tree::Float(number.map_err(|_| RuleError::new(at, "this is not a number"))?)
        }
        DeValue::Boolean(truth) => Tree::Bool(*truth),
        DeValue::Datetime(_) => return Err(RuleError::new(at, "no rule takes a date")),
        DeValue::Array(items) => {
            let nodes = items.iter().map(|item| {
                let at = lines.at(item.span().start);
                Ok(Node {
                    value: from_value(item.get_ref(), &at, lines)?,
                    at,
                })
            });
            Tree::List(nodes.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => from_table(table, lines)?,
    })
}
