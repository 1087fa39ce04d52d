//! The state of reading one translation unit: the [`Header`] made so far, and the declarations that are known by name
//! or cursor.
//!
//! `types` and `declare` add functions to [`Reader`] for types and for declarations; `macros` and `wrappers` complete
//! the header with it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Language;
use super::arguments::Setup;
use super::cursor::Cursor;
use super::files::Files;
use crate::decl::{EnumId, Function, Header, Place, RecordId, Refused, Type};

/// The state of reading a unit.
pub struct Reader<'u> {
    pub files: Files,
    pub is_cxx: bool,
    pub header: Header,
    pub records: HashMap<Cursor<'u>, RecordId>,
    pub enums: HashMap<Cursor<'u>, EnumId>,
    pub typedefs: HashMap<Cursor<'u>, Type>,
    /// Records whose fields are still to be read.
    pub queue: VecDeque<(RecordId, Cursor<'u>)>,
    /// Reasons why records cannot be passed by value.
    pub unfit: HashMap<RecordId, String>,
    /// Functions by their symbols, as indices into the header's.
    pub functions: HashMap<String, usize>,
    pub variables: HashMap<String, usize>,
    /// Names of refused declarations.
    refused: HashSet<String>,
    /// Functions that are static, by their names.
    pub statics: HashMap<String, Cursor<'u>>,
}

impl<'u> Reader<'u> {
    /// A reader with nothing in its header but the name.
    pub fn new(files: Files, setup: &Setup) -> Self {
        Reader {
            files,
            is_cxx: setup.language != Language::C,
            header: Header {
                name: setup.name.clone(),
                ..Header::default()
            },
            records: HashMap::new(),
            enums: HashMap::new(),
            typedefs: HashMap::new(),
            queue: VecDeque::new(),
            unfit: HashMap::new(),
            functions: HashMap::new(),
            variables: HashMap::new(),
            refused: HashSet::new(),
            statics: HashMap::new(),
        }
    }

    /// The header, with the names of its files.
    pub fn into_header(self) -> Header {
        Header {
            files: self.files.into_names(),
            ..self.header
        }
    }

    /// Notes that something is not expressed.
    pub fn refuse(&mut self, cursor: Cursor<'u>, scope: &str, kind: &str, reason: &str) {
        let name = format!("{scope}{}", cursor.spelling());
        let place = self.files.place(cursor.location());
        // An overloaded function or one that is declared twice is said once.
        if !self.refused.insert(name.clone()) {
            return;
        }
        self.header.refused.push(Refused {
            reason: format!("`{name}` {reason}"),
            name,
            kind: kind.to_owned(),
            place,
        });
    }

    /// Makes a function known by another name too, unless that is taken.
    pub fn rename(&mut self, name: &str, function: &str) -> Option<&mut Function> {
        let index = *self.functions.get(function)?;
        let known = self.functions.get(name).copied();
        let index = known.unwrap_or_else(|| {
            let mut renamed = self.header.functions[index].clone();
            renamed.name = name.to_owned();
            let new = self.header.functions.len();
            self.functions.insert(name.to_owned(), new);
            self.header.functions.push(renamed);
            new
        });
        Some(&mut self.header.functions[index])
    }

    /// Makes a variable known by another name too, unless that is taken. Answers whether there is such a variable.
    pub fn rename_variable(&mut self, name: &str, variable: &str, place: Place) -> bool {
        let Some(&index) = self.variables.get(variable) else {
            return false;
        };
        if !self.variables.contains_key(name) && !self.functions.contains_key(name) {
            let mut renamed = self.header.variables[index].clone();
            renamed.name = name.to_owned();
            renamed.place = place;
            self.variables
                .insert(name.to_owned(), self.header.variables.len());
            self.header.variables.push(renamed);
        }
        true
    }

    /// Says where a function is declared.
    pub fn placed(&mut self, name: &str, place: Place) {
        if let Some(&index) = self.functions.get(name) {
            self.header.functions[index].place = place;
        }
    }

    /// True if a function of that name is declared.
    pub fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }
}
