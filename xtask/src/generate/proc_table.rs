//! The `cuGetProcAddress` table.
//!
//! The headers name the versions (`PFN_<base>_v<version>[_ptds|_ptsz]` in `cudaTypedefs.h`) and the symbols
//! (`<base>[_v<n>][_ptds|_ptsz]` in `cuda.h`), but not which belongs to which. Within a base name and a class both are
//! ordered by age, so they pair up from the newest; a symbol older than every version is from CUDA 2.0.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Class, Header, split_symbol};

/// The function that `cuGetProcAddress` answers with from a version on.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub base: String,
    pub class: Class,
    pub min_version: u32,
    pub symbol: String,
}

/// The version of symbols that no typedef describes any more.
const FIRST_VERSION: u32 = 2000;

/// Pairs symbols and versions; the rows come sorted.
pub fn derive(header: &Header, typedefs: &str) -> Result<Vec<Row>, String> {
    let mut versions: BTreeMap<(String, Class), BTreeSet<u32>> = BTreeMap::new();
    for word in typedefs.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let Some(name) = word.strip_prefix("PFN_") else {
            continue;
        };
        let (base, version, class, plain) = split_symbol(name);
        if plain != base {
            versions.entry((base, class)).or_default().insert(version);
        }
    }
    let mut symbols: BTreeMap<(String, Class), Vec<(u32, String)>> = BTreeMap::new();
    for function in &header.functions {
        let (base, number, class, _) = split_symbol(&function.symbol);
        symbols
            .entry((base, class))
            .or_default()
            .push((number, function.symbol.clone()));
    }
    for key in versions.keys() {
        if !symbols.contains_key(key) {
            return Err(format!("{} has a typedef but no declaration", key.0));
        }
    }
    let mut rows = Vec::new();
    for ((base, class), mut list) in symbols {
        list.sort_by(|a, b| b.cmp(a));
        let known = versions.remove(&(base.clone(), class)).unwrap_or_default();
        if known.len() > list.len() {
            return Err(format!(
                "{base} has more versions than symbols: {known:?}, {list:?}"
            ));
        }
        let mut newest_first = known.into_iter().rev();
        for (_, symbol) in list {
            rows.push(Row {
                base: base.clone(),
                class,
                min_version: newest_first.next().unwrap_or(FIRST_VERSION),
                symbol,
            });
        }
    }
    rows.sort();
    for pair in rows.windows(2) {
        let same = |a: &Row, b: &Row| {
            (&a.base, a.class, a.min_version) == (&b.base, b.class, b.min_version)
        };
        if same(&pair[0], &pair[1]) {
            return Err(format!(
                "{} and {} share a version",
                pair[0].symbol, pair[1].symbol
            ));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{lex, parse};

    #[test]
    fn symbols_and_versions_pair_from_the_newest() {
        let text = "CUresult cuF(void); CUresult cuF_v2(void); CUresult cuF_v2_ptsz(void);";
        let header = parse::header(&lex::tokens(text).unwrap()).unwrap();
        let rows = derive(
            &header,
            "(*PFN_cuF_v4000)(void) (*PFN_cuF_v7000_ptsz)(void)",
        )
        .unwrap();
        let short: Vec<_> = rows
            .iter()
            .map(|row| (row.min_version, row.symbol.as_str()))
            .collect();
        assert_eq!(
            short,
            [(2000, "cuF"), (4000, "cuF_v2"), (7000, "cuF_v2_ptsz")]
        );
    }
}
