//! Guesses from the words of names.

/// Functions that call back before they return, and not later.
pub(super) const CALLS_AT_ONCE: [&str; 17] = [
    "sort",
    "qsort",
    "bsearch",
    "search",
    "each",
    "foreach",
    "walk",
    "visit",
    "iterate",
    "enum",
    "enumerate",
    "traverse",
    "exec",
    "scan",
    "map",
    "reduce",
    "ftw",
];

/// Functions that end the thing whose address they are given.
pub(super) const ENDS_ALL: [&str; 7] = [
    "destroy", "free", "delete", "release", "close", "dispose", "cleanup",
];

/// Functions that do not, whatever else their names say.
pub(super) const ADDS: [&str; 9] = [
    "add", "create", "new", "get", "append", "insert", "open", "make", "init",
];

/// Things that a function which makes another one asks for how to make it.
pub(super) const SETTINGS: [&str; 9] = [
    "general",
    "allocator",
    "alloc",
    "attr",
    "attributes",
    "options",
    "opts",
    "settings",
    "params",
];

/// Words for text.
pub(super) const TEXTS: [&str; 9] = [
    "string", "str", "text", "name", "path", "file", "filename", "url", "sql",
];

/// `const char *` that is no text.
pub(super) const BINARY: [&str; 12] = [
    "data", "buf", "buffer", "bytes", "blob", "ptr", "mem", "payload", "image", "input", "block",
    "chunk",
];

/// Memory that is read, and written, by functions that copy or convert bytes.
pub(super) const SOURCES: [&str; 9] = [
    "src",
    "source",
    "in",
    "from",
    "input",
    "compressed",
    "plain",
    "original",
    "msg",
];
pub(super) const TARGETS: [&str; 9] = [
    "dst",
    "dest",
    "destination",
    "out",
    "to",
    "output",
    "target",
    "compressed",
    "decompressed",
];

/// Functions that do so.
pub(super) const PACKS: [&str; 14] = [
    "compress",
    "decompress",
    "uncompress",
    "deflate",
    "inflate",
    "encode",
    "decode",
    "encrypt",
    "decrypt",
    "pack",
    "unpack",
    "hash",
    "digest",
    "crc",
];

/// Functions that tell something.
pub(super) const GETS: [&str; 6] = ["get", "query", "lookup", "find", "fetch", "read"];

/// Functions that give memory.
pub(super) const ALLOCATES: [&str; 9] = [
    "malloc",
    "alloc",
    "allocate",
    "memalign",
    "calloc",
    "hostalloc",
    "mallochost",
    "managed",
    "map",
];

/// One of the words that a name has.
pub(super) fn any<'a>(name: &'a [String], list: &[&str]) -> Option<&'a String> {
    name.iter().find(|word| list.contains(&word.as_str()))
}

fn is(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

/// True if it names a function that tells of an earlier error: `foo_last_error`, `XML_GetErrorCode`, `get_errno`.
pub(super) fn tells_error(name: &[String]) -> bool {
    const ERRORS: [&str; 7] = [
        "status",
        "error",
        "errcode",
        "errorcode",
        "result",
        "err",
        "errno",
    ];
    // `code`, `number`: of an error.
    let bare = match name {
        [rest @ .., last] if is(last, &["code", "number", "no", "num", "value"]) => rest,
        _ => name,
    };
    bare.last().is_some_and(|last| is(last, &ERRORS))
}

/// True if it names the data that a callback is given, and nothing else that it could be given.
pub(super) fn is_surely_user_data(name: &[String]) -> bool {
    const DATA: [&str; 13] = [
        "user", "userdata", "udata", "ud", "ctx", "context", "closure", "cookie", "opaque",
        "baton", "userp", "clientp", "cls",
    ];
    name.iter().any(|word| is(word, &DATA))
}

/// True if it names the data that a callback is given.
pub(super) fn is_user_data(name: &[String]) -> bool {
    const DATA: [&str; 25] = [
        "u",
        "user",
        "data",
        "userdata",
        "arg",
        "args",
        "ctx",
        "context",
        "closure",
        "cookie",
        "opaque",
        "param",
        "parameter",
        "udata",
        "ud",
        "priv",
        "private",
        "p",
        "cls",
        "baton",
        "thunk",
        "userp",
        "clientp",
        "state",
        "env",
    ];
    name.iter().any(|word| is(word, &DATA))
}

/// True if it names several things.
pub(super) fn is_plural(name: &[String]) -> bool {
    const SEVERAL: [&str; 14] = [
        "array", "arr", "list", "vec", "vector", "table", "argv", "buf", "buffer", "data",
        "matrix", "values", "items", "xs",
    ];
    // A number of things is one number.
    if is_scalar(name) {
        return false;
    }
    let last_plural = name.last().is_some_and(|word| {
        let word = word.trim_end_matches(|last: char| last.is_ascii_digit());
        word.len() > 3
            && word.ends_with('s')
            && !["ss", "us", "is", "as", "os"]
                .iter()
                .any(|end| word.ends_with(end))
            && !is(
                word,
                &[
                    "bytes",
                    "flags",
                    "props",
                    "attributes",
                    "params",
                    "ns",
                    "ms",
                ],
            )
    });
    last_plural || any(name, &SEVERAL).is_some()
}

/// True if it names an array as mathematics does (`x`, `y2`), or several things.
pub(super) fn is_array(name: &[String]) -> bool {
    let letter = match name {
        [word] => {
            word.trim_end_matches(|last: char| last.is_ascii_digit())
                .len()
                == 1
        }
        _ => false,
    };
    letter || is_plural(name) || any(name, &SOURCES).is_some() || any(name, &TARGETS).is_some()
}

/// True if it is the distance of an array's elements, as BLAS names it: `incx` of `x`, `incX` of `X`, `incx` of `dx`.
pub(super) fn is_step(step: &[String], of: &[String]) -> bool {
    let (step, of) = (step.concat(), of.concat());
    let whose = ["inc", "stride"]
        .iter()
        .find_map(|word| step.strip_prefix(word));
    let kind = of.strip_prefix(['s', 'd', 'c', 'z']).unwrap_or(&of);
    whose.is_some_and(|whose| !whose.is_empty() && (whose == of || whose == kind))
}

/// True if it names one number, of anything.
pub(super) fn is_scalar(name: &[String]) -> bool {
    const NUMBER: [&str; 33] = [
        "version",
        "count",
        "cnt",
        "num",
        "number",
        "size",
        "length",
        "len",
        "mode",
        "type",
        "status",
        "flag",
        "flags",
        "id",
        "index",
        "rank",
        "major",
        "minor",
        "patch",
        "width",
        "height",
        "depth",
        "capacity",
        "offset",
        "pitch",
        "written",
        "total",
        "free",
        "used",
        "device",
        "bytes",
        "attribute",
        "precision",
    ];
    name.iter().any(|word| is(word, &NUMBER))
        || name
            .first()
            .is_some_and(|word| word == "n" && name.len() > 1)
}

/// True if it is marked as a place for a returned value: `out`, `count_out`, `pCountOut`, `rows_ret`.
pub(super) fn is_out(name: &[String]) -> bool {
    let first = name.first().map_or("", String::as_str);
    let last = name.last().map_or("", String::as_str);
    let hungarian = first == "pp"
        || first
            .strip_prefix("pp")
            .is_some_and(|rest| !rest.is_empty() && name.len() > 1);
    let pointer_to_text = name.len() > 1 && first == "pz";
    hungarian
        || pointer_to_text
        || is(first, &["out", "output", "ret", "returned"])
        || is(
            last,
            &["out", "ret", "return", "result", "returned", "output"],
        )
}

/// True if it names a number of bytes or elements.
pub(super) fn is_count(name: &[String]) -> bool {
    is_size(name) || is_number(name) || ends_as_length(name)
}

/// True if one word ends as a length: `destlen`, `outl`, `siglen`.
fn ends_as_length(name: &[String]) -> bool {
    name.last().is_some_and(|word| {
        ["len", "length", "size", "count"]
            .iter()
            .any(|end| word.ends_with(end))
            || is(word, &["outl", "inl"])
    })
}

/// A size in bytes, or a length.
pub(super) fn is_size(name: &[String]) -> bool {
    any(
        name,
        &[
            "size", "len", "length", "bytes", "nbytes", "nbyte", "byte", "cb", "sz", "bytesize",
        ],
    )
    .is_some()
        || ends_as_length(name) && any(name, &["count"]).is_none()
}

/// A number, of bytes if bytes are counted.
pub(super) fn is_number(name: &[String]) -> bool {
    name.len() == 1 && is(&name[0], &["n", "num", "count", "cnt"])
}

/// A number of elements that is sure to be the whole.
pub(super) fn is_length(name: &[String]) -> bool {
    name.len() == 1
        && is(
            &name[0],
            &["len", "length", "count", "nelem", "nelems", "nmemb"],
        )
}

/// True if a name says that bytes are counted.
pub(super) fn bytes(name: &[String]) -> bool {
    any(name, &["bytes", "nbytes", "nbyte", "byte", "cb"]).is_some()
}

/// True if it may be a number of elements.
pub(super) fn may_count(name: &[String]) -> bool {
    let first = name.first().map_or("", String::as_str);
    is_number(name)
        || any(name, &["num", "count", "cnt", "len", "length", "number", "nelem", "nmemb", "max"]).is_some()
        || name.len() == 1 && is(first, &["m", "k"])
        // `ndev`, `nranks`, `nItems`.
        || first == "n"
        || first.len() > 3 && first.starts_with('n') && !is(first, &["name", "node", "next", "null", "native", "names", "normal", "none"])
            && !first.starts_with("node")
}

/// True if a name gives the kind of number, and not the counted thing.
pub(super) fn is_general(name: &[String]) -> bool {
    const GENERAL: [&str; 20] = [
        "n", "num", "count", "cnt", "len", "length", "size", "byte", "bytes", "nbyte", "nbytes",
        "cb", "sz", "in", "buf", "buffer", "data", "total", "bytesize", "nelems",
    ];
    name.iter().all(|word| is(word, &GENERAL))
}

/// True if it may name a number for each of several directions.
pub(super) fn may_be_pair(name: &[String]) -> bool {
    let last = name.last().map_or("", String::as_str);
    is(last, &["size", "offset", "pitch", "index", "position"])
}

/// True if it names one number that a caller would not give: a version, but not a size.
pub(super) fn is_told(name: &[String]) -> bool {
    const TOLD: [&str; 16] = [
        "version",
        "major",
        "minor",
        "patch",
        "mode",
        "type",
        "status",
        "id",
        "rank",
        "width",
        "height",
        "depth",
        "written",
        "used",
        "device",
        "precision",
    ];
    name.last().is_some_and(|word| is(word, &TOLD))
}

/// The length of a text that stands before it: a text ends by itself, so it must be no number of anything else.
pub(super) fn is_text_length(name: &[String]) -> bool {
    is_general(name) && any(name, &["len", "length", "nbyte", "nbytes", "byte", "bytes"]).is_some()
}

/// True if it is a size, of whatever.
pub(super) fn is_bare_size(name: &[String]) -> bool {
    matches!(name, [word] if is(word, &["size", "sz"]))
}

/// True if a length's name says whose length it is: `source` and `sourceLen`, `in` and `inl`, `options` and
/// `num_options`.
pub(super) fn length_of(length: &[String], of: &[String]) -> bool {
    const MEANS: [&str; 12] = [
        "len", "length", "size", "n", "num", "count", "cnt", "bytes", "nbytes", "sz", "number",
        "of",
    ];
    let owner = of.concat();
    if owner.is_empty() || length.is_empty() {
        return false;
    }
    let rest: String = length
        .iter()
        .filter(|word| !is(word, &MEANS))
        .map(String::as_str)
        .collect();
    let whole = length.concat();
    let grown = ["len", "length", "size", "l", "sz", "_n"]
        .iter()
        .any(|end| whole.strip_suffix(end) == Some(&owner));
    let counted = whole.strip_prefix('n').is_some_and(|rest| rest == owner);
    let split =
        rest.len() < whole.len() && (rest == owner || rest.len() >= 3 && owner.starts_with(&rest));
    grown || counted || split
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn lengths_belong_to_what_they_are_named_after() {
        let related = |length: &str, of: &str| length_of(&words(length), &words(of));
        assert!(related("sourceLen", "source"));
        assert!(related("inl", "in"));
        assert!(related("num_options", "options"));
        assert!(related("dictLength", "dictionary"));
        assert!(related("nitems", "items"));
        assert!(!related("numOptions", "image"));
        assert!(!related("len", "data"));
        assert!(!related("n", "A"));
    }

    #[test]
    fn steps() {
        let step = |step: &str, of: &str| is_step(&words(step), &words(of));
        assert!(step("incx", "x"));
        assert!(step("incX", "X"));
        assert!(step("incx", "dx"));
        assert!(step("inc_y", "y"));
        assert!(step("strideA", "A"));
        assert!(!step("inc", "x"));
        assert!(!step("incx", "y"));
        assert!(!step("include", "lude2"));
    }

    #[test]
    fn plurals() {
        let plural = |name: &str| is_plural(&words(name));
        assert!(plural("nodes"));
        assert!(plural("pDevices"));
        assert!(!plural("numBlocks"));
        assert!(!plural("address"));
        assert!(!plural("status"));
    }

    #[test]
    fn outs() {
        let out = |name: &str| is_out(&words(name));
        assert!(out("ppStmt"));
        assert!(out("pzTail"));
        assert!(out("count_out"));
        assert!(out("out"));
        assert!(out("result"));
        assert!(!out("outer"));
        assert!(!out("p"));
    }
}
