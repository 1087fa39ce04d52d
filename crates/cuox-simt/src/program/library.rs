//! The functions of CUDA's device runtime that are PTX of our own: they are added to texts that declare them without a
//! definition.

use cuox_ptx::ast;

const COOPERATIVE_GROUPS: &str = include_str!("cooperative_groups.ptx");
/// The beginning of the names of the functions in it.
const PREFIX: &str = "cudaCG";

/// Returns the text with the functions that it declares and lacks, or `None` if it needs none. A text that defines one
/// of them has its own library.
pub(super) fn complete(module: &ast::Module, text: &str) -> Option<String> {
    if !text.contains(PREFIX) {
        return None;
    }
    let mut ours = module
        .functions()
        .filter(|f| f.name.starts_with(PREFIX))
        .peekable();
    let needed = ours.peek().is_some() && ours.all(|f| f.body.is_none());
    needed.then(|| format!("{}\n{COOPERATIVE_GROUPS}", text.trim_end_matches('\0')))
}
