//! Rules that cuox itself has for well-known headers.
//!
//! They are for all versions of a header: what one of its versions does not have, or has otherwise, is passed over.

use super::{FunctionRule, Rules};
use crate::decl::Header;

/// Headers by the names they are included with, and the rules for them.
const KNOWN: [(&str, &str, &str); 1] = [(
    "cuda_runtime_api.h",
    "cuox:cuda_runtime.toml",
    include_str!("known/cuda_runtime.toml"),
)];

/// The rules for a header, as far as they name what it has.
pub fn rules(header: &Header) -> Rules {
    let mut all = Rules::default();
    for (name, file, text) in KNOWN {
        let has = header.files.iter().any(|it| {
            it.strip_suffix(name)
                .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
        });
        // A test reads them; nothing else can be wrong with them.
        if let (true, Ok(rules)) = (has, Rules::from_toml(text, file)) {
            all.add(rules);
        }
    }
    let declared = |name: &str| header.functions.iter().any(|it| it.name == name);
    all.functions
        .retain(|rule| !rule.functions.is_exact() || declared(&rule.functions.0));
    all
}

/// The index of the known rule that an error is about.
pub fn misfit(known: &[FunctionRule], place: Option<&str>) -> Option<usize> {
    let place = place?;
    let (file, line) = KNOWN.iter().find_map(|(_, file, _)| {
        let rest = place.strip_prefix(file)?.strip_prefix(':')?;
        Some((*file, rest.split(':').next()?.parse::<u32>().ok()?))
    })?;
    let of_file = |rule: &&FunctionRule| &*rule.at.file == file && rule.at.line <= line;
    let last = known
        .iter()
        .filter(of_file)
        .map(|rule| rule.at.line)
        .max()?;
    known
        .iter()
        .position(|rule| &*rule.at.file == file && rule.at.line == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rules_can_be_read() {
        for (_, file, text) in KNOWN {
            let rules = Rules::from_toml(text, file).unwrap();
            assert!(!rules.functions.is_empty(), "{file}");
        }
    }

    #[test]
    fn the_rule_that_an_error_is_about_is_found() {
        let text = "[a]\ngil = \"hold\"\n[b]\ngil = \"hold\"\nparams.x = \"output\"\n";
        let rules = Rules::from_toml(text, KNOWN[0].1).unwrap();
        let at = |place: &str| misfit(&rules.functions, Some(place));
        assert_eq!(at("cuox:cuda_runtime.toml:5:10"), Some(1));
        assert_eq!(at("cuox:cuda_runtime.toml:2"), Some(0));
        assert_eq!(at("other.toml:5"), None);
    }
}
