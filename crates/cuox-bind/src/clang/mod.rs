//! Declarations from libclang, which is loaded when it is first needed.
//!
//! [`parse`] reads headers as a compiler does and gives their declarations as a [`Header`]. A header is read twice: once for
//! its declarations, and once with a variable for every macro that may be a constant, so that the compiler says its
//! value.

#![allow(
    non_upper_case_globals,
    reason = "libclang's constants have the names that its documentation has"
)]

mod arguments;
mod cache;
mod comments;
mod computed;
mod cursor;
mod declare;
mod diagnostic;
mod files;
mod library;
mod macros;
mod reader;
mod types;
mod wrappers;

use std::path::{Path, PathBuf};

use clang_sys::{
    CXTranslationUnit_DetailedPreprocessingRecord, CXTranslationUnit_IncludeAttributedTypes,
    CXTranslationUnit_SkipFunctionBodies,
};

pub use cache::{Cache, parse_cached};
pub use diagnostic::{Diagnostic, ParseError, Severity};

use crate::decl::Header;
use arguments::Setup;
use cursor::Unit;
use library::Libclang;

/// The headers to read, and the way to read them.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The headers, in order.
    pub inputs: Vec<Input>,
    /// The language they are read as.
    pub language: Language,
    /// Directories that are searched for headers, before the system's.
    pub include_dirs: Vec<PathBuf>,
    /// Directories that are searched after the system's, and before those of [`Self::site_dirs`].
    pub fallback_dirs: Vec<PathBuf>,
    /// Macros that are defined before anything is read; without a value they are 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Further arguments for the compiler.
    pub arguments: Vec<String>,
    /// The files whose declarations are kept.
    pub keep: Keep,
    /// libclang, or a directory that has it; else `CUOX_LIBCLANG`, or the one that is found.
    pub libclang: Option<PathBuf>,
    /// Python's directories of packages: where pip puts libclang, and NVIDIA's headers.
    pub site_dirs: Vec<PathBuf>,
}

/// A header.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A file: by its path, or by its name in one of the directories that are searched.
    File(String),
    /// Text that is not in a file.
    Text {
        /// A name for messages and [`Header::files`].
        name: String,
        /// The text.
        text: String,
    },
}

/// A language of headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, with GNU's extensions.
    #[default]
    C,
    /// C++. What C can call is kept.
    Cxx,
    /// CUDA C++: `cuda_runtime.h` is read first, so that `__host__` and the like are known.
    Cuda,
}

/// The files whose declarations are kept. Records, enumerations and typedefs that these refer to are kept too, wherever
/// they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Keep {
    /// Of the headers themselves, and of headers that they include of their own project: from the directories below
    /// theirs, or, for headers in a directory of the system, with `#include "..."` or from a subdirectory of the same
    /// name.
    #[default]
    Project,
    /// Of every file.
    All,
    /// Of files whose path, or name as it is included, matches one of these: `*` and `?` stand for any characters and
    /// any one.
    Globs(Vec<String>),
}

/// A header with further results of reading it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations.
    pub header: Header,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
    /// All files that were read, the system's too: by the names they were included with, and their paths.
    pub read: Vec<(String, PathBuf)>,
    /// True if it comes from a [`Cache`].
    pub cached: bool,
}

/// The path of libclang, by the rules for [`ParseOptions::libclang`]; it is not loaded.
///
/// # Errors
/// If there is none; the error says where was looked.
pub fn find_libclang(
    explicit: Option<&Path>,
    site_dirs: &[PathBuf],
) -> Result<PathBuf, ParseError> {
    library::find(explicit, site_dirs)
}

/// Reads headers.
///
/// # Errors
/// If there is no libclang, or the compiler finds errors in them.
pub fn parse(options: &ParseOptions) -> Result<Header, ParseError> {
    parse_all(options).map(|parsed| parsed.header)
}

/// Reads headers, and lists the files that were read.
///
/// # Errors
/// If there is no libclang, or the compiler finds errors in them.
pub fn parse_all(options: &ParseOptions) -> Result<Parsed, ParseError> {
    let path = library::find(options.libclang.as_deref(), &options.site_dirs)?;
    let clang = Libclang::load(&path)?;
    let setup = Setup::new(options, clang)?;
    let flags = CXTranslationUnit_DetailedPreprocessingRecord
        | CXTranslationUnit_IncludeAttributedTypes
        | CXTranslationUnit_SkipFunctionBodies;
    let unit = Unit::parse(
        clang,
        arguments::MAIN,
        &setup.arguments,
        &setup.files,
        flags,
    )?;
    let diagnostics = setup.diagnostics(&unit);
    if diagnostics.iter().any(|d| d.severity >= Severity::Error) {
        let advice = diagnostic::missing_include(&diagnostics, &setup.searched)
            .or_else(|| diagnostic::missing_names(&diagnostics));
        return Err(ParseError::Compile {
            diagnostics,
            advice,
        });
    }
    let (target, pointer_bits) = unit.target();
    if pointer_bits != 64 {
        return Err(ParseError::Option(format!(
            "the target {target} has pointers of {pointer_bits} bits; 64 are supported"
        )));
    }
    let files = files::Files::new(&unit, &setup, &options.keep);
    let read = files.read();
    let mut header = declare::read(&unit, files, &setup)?;
    header.target = target;
    header.check().map_err(ParseError::Failed)?;
    Ok(Parsed {
        header,
        warnings: diagnostics,
        read,
        cached: false,
    })
}
