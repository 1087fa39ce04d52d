//! Statements of CUDA C++ while a function is translated, and their text.
//!
//! Python's variables belong to the function, those of CUDA C++ to a block. So text names a variable by a token until
//! the function is complete; then each is declared where its first assignment stands, if no other block needs it, else
//! at the top.

use std::collections::HashMap;
use std::fmt::Write as _;

/// A variable of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// The mark around a variable's number in text. Python sources cannot have it outside of string literals, where it is
/// escaped.
const MARK: char = '\u{1}';

impl Variable {
    /// The variable in text.
    pub fn token(self) -> String {
        format!("{MARK}{}{MARK}", self.0)
    }

    /// The variable that a text is, if it is nothing else.
    pub fn of(text: &str) -> Option<Self> {
        let number = text.strip_prefix(MARK)?.strip_suffix(MARK)?;
        number.parse().ok().map(Self)
    }
}

/// What is declared of a variable.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The name in CUDA C++.
    pub name: String,
    /// The type in CUDA C++.
    pub ty: String,
    /// True if something else declares it: a parameter, the head of a loop.
    pub is_declared: bool,
}

/// A place before a jump, where assignments may be put later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fixup(pub u32);

/// A statement.
#[derive(Debug, Clone)]
pub enum Item {
    /// A whole statement.
    Line { text: String, line: u32 },
    /// `variable = text;`
    Assign {
        variable: Variable,
        text: String,
        line: u32,
    },
    /// `head { body } tail`
    Block {
        head: String,
        body: Vec<Item>,
        tail: String,
        line: u32,
    },
    /// The assignments of a [`Fixup`].
    Fixup(Fixup),
}

/// The statements of a function that is being translated.
#[derive(Debug, Default)]
pub struct Code {
    /// The blocks that are open, the innermost last.
    open: Vec<Vec<Item>>,
    fixups: Vec<Vec<Item>>,
    /// The line of the source that is being translated.
    pub line: u32,
    /// The number of statements so far that may change memory.
    pub effects: u32,
}

impl Code {
    pub fn new() -> Self {
        Self {
            open: vec![Vec::new()],
            ..Self::default()
        }
    }

    fn push(&mut self, item: Item) {
        if let Some(block) = self.open.last_mut() {
            block.push(item);
        }
    }

    /// Adds a whole statement.
    pub fn statement(&mut self, text: impl Into<String>) {
        let (text, line) = (text.into(), self.line);
        self.effects += 1;
        self.push(Item::Line { text, line });
    }

    /// Adds an assignment.
    pub fn assign(&mut self, variable: Variable, text: impl Into<String>) {
        let (text, line) = (text.into(), self.line);
        self.push(Item::Assign {
            variable,
            text,
            line,
        });
    }

    /// Opens a block; statements go into it until it is taken.
    pub fn begin(&mut self) {
        self.open.push(Vec::new());
    }

    /// The statements since [`Code::begin`].
    pub fn take(&mut self) -> Vec<Item> {
        match self.open.len() {
            0 | 1 => Vec::new(),
            _ => self.open.pop().unwrap_or_default(),
        }
    }

    /// Adds a block of statements that were taken.
    pub fn block(&mut self, head: impl Into<String>, body: Vec<Item>, line: u32) {
        self.push(Item::Block {
            head: head.into(),
            body,
            tail: String::new(),
            line,
        });
    }

    /// Adds a block of statements that were taken, with a text behind it.
    pub fn closed_block(&mut self, head: String, body: Vec<Item>, tail: &str, line: u32) {
        self.effects += 1;
        self.push(Item::Block {
            head,
            body,
            tail: tail.to_owned(),
            line,
        });
    }

    /// Adds statements that were taken.
    pub fn append(&mut self, items: Vec<Item>) {
        if let Some(block) = self.open.last_mut() {
            block.extend(items);
        }
    }

    /// Takes the statements behind the first ones of the innermost block.
    pub fn split_off(&mut self, at: usize) -> Vec<Item> {
        match self.open.last_mut() {
            Some(block) if at <= block.len() => block.split_off(at),
            _ => Vec::new(),
        }
    }

    /// The number of statements in the innermost block.
    pub fn len(&self) -> usize {
        self.open.last().map_or(0, Vec::len)
    }

    /// A place for assignments here.
    pub fn fixup(&mut self) -> Fixup {
        let fixup = Fixup(u32::try_from(self.fixups.len()).unwrap_or(u32::MAX));
        self.fixups.push(Vec::new());
        self.push(Item::Fixup(fixup));
        fixup
    }

    /// Puts an assignment at a place.
    pub fn fix(&mut self, fixup: Fixup, variable: Variable, text: String) {
        let line = self.line;
        if let Some(items) = self.fixups.get_mut(fixup.0 as usize) {
            items.push(Item::Assign {
                variable,
                text,
                line,
            });
        }
    }

    /// True if assignments were put at a place.
    pub fn is_fixed(&self, fixup: Fixup) -> bool {
        let items = self.fixups.get(fixup.0 as usize);
        items.is_some_and(|items| !items.is_empty())
    }

    /// All statements, with the assignments in their places.
    pub fn finish(mut self) -> Vec<Item> {
        let items = std::mem::take(&mut self.open).into_iter().next();
        self.resolve(items.unwrap_or_default())
    }

    fn resolve(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Fixup(Fixup(index)) => {
                    if let Some(fixes) = self.fixups.get_mut(index as usize) {
                        all.append(fixes);
                    }
                }
                Item::Block {
                    head,
                    body,
                    tail,
                    line,
                } => {
                    let body = self.resolve(body);
                    all.push(Item::Block {
                        head,
                        body,
                        tail,
                        line,
                    });
                }
                other => all.push(other),
            }
        }
        all
    }
}

/// Calls `found` with the number of each variable in a text.
pub fn variables_in(text: &str, mut found: impl FnMut(Variable)) {
    for (index, part) in text.split(MARK).enumerate() {
        if index % 2 == 1
            && let Ok(number) = part.parse()
        {
            found(Variable(number));
        }
    }
}

/// The text with names in place of tokens.
pub fn named(text: &str, variables: &[Declaration]) -> String {
    let mut all = String::with_capacity(text.len());
    for (index, part) in text.split(MARK).enumerate() {
        match (index % 2, part.parse::<usize>()) {
            (1, Ok(number)) => {
                all.push_str(variables.get(number).map_or("", |known| &known.name));
            }
            _ => all.push_str(part),
        }
    }
    all
}

/// The places of a variable's mentions.
#[derive(Debug)]
struct Mentions {
    /// The path of the blocks that have them all.
    common: Vec<usize>,
    /// The path of the first, with the statement's number at the end.
    first: Vec<usize>,
    /// True if the first is its assignment.
    begins: bool,
}

struct Mentioned {
    all: HashMap<Variable, Mentions>,
    path: Vec<usize>,
}

impl Mentioned {
    fn note(&mut self, variable: Variable, is_assignment: bool) {
        let path = &self.path;
        let block = &path[..path.len().saturating_sub(1)];
        self.all
            .entry(variable)
            .and_modify(|mentions| {
                let shared = mentions.common.iter().zip(block);
                let shared = shared.take_while(|(a, b)| a == b).count();
                mentions.common.truncate(shared);
            })
            .or_insert_with(|| Mentions {
                common: block.to_vec(),
                first: path.clone(),
                begins: is_assignment,
            });
    }

    fn walk(&mut self, items: &[Item]) {
        for (index, item) in items.iter().enumerate() {
            self.path.push(index);
            match item {
                Item::Line { text, .. } => variables_in(text, |found| self.note(found, false)),
                Item::Assign { variable, text, .. } => {
                    variables_in(text, |found| self.note(found, false));
                    self.note(*variable, true);
                }
                Item::Block {
                    head, body, tail, ..
                } => {
                    variables_in(head, |found| self.note(found, false));
                    self.walk(body);
                    variables_in(tail, |found| self.note(found, false));
                }
                Item::Fixup(_) => {}
            }
            self.path.pop();
        }
    }
}

/// The text of a function's body.
pub struct Printer<'a> {
    variables: &'a [Declaration],
    file: &'a str,
    text: String,
    /// The line that the compiler of CUDA C++ takes the next one to be.
    next_line: Option<u32>,
    /// The line of the source that the last statement came from, if it was a simple one.
    last_simple: Option<u32>,
    declared: HashMap<Variable, bool>,
}

/// A line of text is not made longer than this by joining statements of one line of the source.
const MOST_COLUMNS: usize = 150;

impl<'a> Printer<'a> {
    /// Appends the body of a function to its head: `head {` … `}`.
    pub fn function(
        head: &str,
        items: &[Item],
        variables: &'a [Declaration],
        file: &'a str,
        line: u32,
    ) -> String {
        let mut mentioned = Mentioned {
            all: HashMap::new(),
            path: Vec::new(),
        };
        mentioned.walk(items);
        let mut printer = Self {
            variables,
            file,
            text: String::new(),
            next_line: None,
            last_simple: None,
            declared: HashMap::new(),
        };
        printer.line(0, line, &format!("{head} {{"));
        let mut top: Vec<_> = mentioned.all.iter().collect();
        top.sort_by_key(|(variable, _)| **variable);
        for (variable, mentions) in top {
            let Some(declaration) = variables.get(variable.0 as usize) else {
                continue;
            };
            if declaration.is_declared {
                continue;
            }
            let inline = mentions.begins && mentions.first.len() == mentions.common.len() + 1;
            if !inline {
                let text = format!("{} {};", declaration.ty, declaration.name);
                printer.line(1, 0, &text);
            }
            printer.declared.insert(*variable, !inline);
        }
        printer.items(items, 1);
        printer.line(0, printer.next_line.unwrap_or(line), "}");
        printer.text
    }

    /// A statement, on the line of the one before if both come from one line of the source.
    fn simple(&mut self, depth: usize, line: u32, text: &str) {
        let start = self.text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        let length = self.text.len() - start;
        if self.last_simple == Some(line) && length + text.len() < MOST_COLUMNS {
            self.text.truncate(self.text.trim_end().len());
            let _ = writeln!(self.text, " {text}");
            return;
        }
        self.line(depth, line, text);
        self.last_simple = Some(line);
    }

    fn line(&mut self, depth: usize, line: u32, text: &str) {
        self.last_simple = None;
        if line != 0 && self.next_line != Some(line) {
            let file = escaped(self.file);
            let _ = writeln!(self.text, "#line {line} \"{file}\"");
        }
        self.next_line = Some(
            if line == 0 {
                self.next_line.unwrap_or(0)
            } else {
                line
            } + 1,
        );
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }

    fn items(&mut self, items: &[Item], depth: usize) {
        for item in items {
            match item {
                Item::Line { text, line } => {
                    let text = named(text, self.variables);
                    self.simple(depth, *line, &text);
                }
                Item::Assign {
                    variable,
                    text,
                    line,
                } => {
                    let text = named(text, self.variables);
                    let Some(known) = self.variables.get(variable.0 as usize) else {
                        continue;
                    };
                    let text = if self.declared.insert(*variable, true) == Some(false) {
                        format!("{} {} = {text};", known.ty, known.name)
                    } else if text == known.name {
                        continue;
                    } else {
                        format!("{} = {text};", known.name)
                    };
                    self.simple(depth, *line, &text);
                }
                Item::Block {
                    head,
                    body,
                    tail,
                    line,
                } => {
                    if body.is_empty() && head == "else" {
                        continue;
                    }
                    let head = named(head, self.variables);
                    let open = if head.is_empty() {
                        "{".to_owned()
                    } else {
                        format!("{head} {{")
                    };
                    self.line(depth, *line, &open);
                    self.items(body, depth + 1);
                    let tail = named(tail, self.variables);
                    let last = self.next_line.unwrap_or(*line);
                    self.line(depth, last, &format!("}}{tail}"));
                }
                Item::Fixup(_) => {}
            }
        }
    }
}

/// Text inside of a string literal of CUDA C++.
pub fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                all.push('\\');
                all.push(char::from(byte));
            }
            b'\n' => all.push_str("\\n"),
            b'\r' => all.push_str("\\r"),
            b'\t' => all.push_str("\\t"),
            b'?' => all.push_str("\\?"),
            0x20..=0x7e => all.push(char::from(byte)),
            _ => {
                // Three digits: more would join with digits behind.
                let _ = write!(all, "\\{byte:03o}");
            }
        }
    }
    all
}
