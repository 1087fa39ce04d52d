//! A scanner of `.entry` headers in PTX text. It reads what the headers need and steps over the rest.

use super::ParamKind;

/// The names of all kernels in this PTX, in order.
pub fn entry_names(ptx: &str) -> Vec<String> {
    let mut scan = Scan::new(ptx);
    let mut names = Vec::new();
    while let Some(token) = scan.next() {
        if token == ".entry"
            && let Some(name) = scan.next()
            && is_name(name)
            && !names.iter().any(|n| n == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// The parameters of one kernel, or nothing when the text has no such kernel or its header cannot be read.
pub fn entry_params(ptx: &str, kernel: &str) -> Option<Vec<ParamKind>> {
    let mut scan = Scan::new(ptx);
    while let Some(token) = scan.next() {
        if token == ".entry" && scan.next() == Some(kernel) {
            return header(&mut scan);
        }
    }
    None
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
}

/// Reads from behind the kernel's name to the end of its parameter list.
fn header(scan: &mut Scan<'_>) -> Option<Vec<ParamKind>> {
    let mut params = Vec::new();
    let mut token = scan.next()?;
    if token != "(" {
        // A kernel without a list has no parameters.
        return Some(params);
    }
    token = scan.next()?;
    while token != ")" {
        if token == "," {
            token = scan.next()?;
        }
        if token != ".param" {
            return None;
        }
        let (kind, after) = param(scan)?;
        params.push(kind);
        token = after;
    }
    Some(params)
}

/// Reads one parameter behind its `.param`; gives back the token behind it.
fn param<'a>(scan: &mut Scan<'a>) -> Option<(ParamKind, &'a str)> {
    let mut align = None;
    let mut pointer = false;
    let mut scalar = None;
    let mut token = scan.next()?;
    while token.starts_with('.') {
        match token {
            ".ptr" => pointer = true,
            ".align" => {
                let n: u32 = scan.next()?.parse().ok()?;
                // Behind `.ptr` it is the alignment of what is pointed to.
                if !pointer {
                    align = Some(n);
                }
            }
            ".global" | ".shared" | ".local" | ".const" => {}
            other => scalar = Some(type_of(other)?),
        }
        token = scan.next()?;
    }
    if !is_name(token) {
        return None;
    }
    let mut kind = scalar?;
    if pointer {
        kind = ParamKind::Pointer { pointee: None };
    }
    let mut after = scan.next()?;
    let mut elements: Option<u32> = None;
    while after == "[" {
        let n: u32 = scan.next()?.parse().ok()?;
        elements = Some(elements.unwrap_or(1).checked_mul(n)?);
        if scan.next()? != "]" {
            return None;
        }
        after = scan.next()?;
    }
    if let Some(n) = elements {
        let size = kind.size().checked_mul(n)?;
        kind = ParamKind::Struct {
            size,
            align: align.unwrap_or(kind.align()),
        };
    }
    Some((kind, after))
}

fn type_of(token: &str) -> Option<ParamKind> {
    Some(match token {
        ".f16" => ParamKind::Float { bits: 16 },
        ".bf16" => ParamKind::BFloat16,
        ".f32" => ParamKind::Float { bits: 32 },
        ".f64" => ParamKind::Float { bits: 64 },
        ".u64" | ".s64" | ".b64" => ParamKind::PointerOrInt,
        // PTX uses .u8/.u16/.u32 for signed values too, so the sign stays open.
        ".u8" | ".s8" | ".b8" => ParamKind::Int {
            bits: 8,
            signed: None,
        },
        ".u16" | ".s16" | ".b16" => ParamKind::Int {
            bits: 16,
            signed: None,
        },
        ".u32" | ".s32" | ".b32" => ParamKind::Int {
            bits: 32,
            signed: None,
        },
        ".f16x2" => ParamKind::Struct { size: 4, align: 4 },
        ".b128" => ParamKind::Struct {
            size: 16,
            align: 16,
        },
        ".texref" | ".samplerref" | ".surfref" => ParamKind::PointerOrInt,
        _ => return None,
    })
}

/// Words, dotted words and single marks; comments and strings are stepped over.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if bytes[self.at..].starts_with(b"//") {
                self.at = bytes[self.at..]
                    .iter()
                    .position(|&b| b == b'\n')
                    .map_or(bytes.len(), |n| self.at + n);
            } else if bytes[self.at..].starts_with(b"/*") {
                self.at = self.text[self.at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |n| self.at + n + 4);
            } else if byte == b'"' {
                self.at += 1;
                while let Some(&b) = bytes.get(self.at) {
                    self.at += if b == b'\\' { 2 } else { 1 };
                    if b == b'"' {
                        break;
                    }
                }
            } else {
                break;
            }
        }
        let start = self.at;
        let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'%');
        let dot = usize::from(bytes[start] == b'.');
        let mut end = start + dot;
        while end < bytes.len() && word(bytes[end]) {
            end += 1;
        }
        if end == start + dot {
            // One mark; a character of several bytes (only ever in a bad text) is taken whole.
            end = start + self.text[start..].chars().next().map_or(1, char::len_utf8);
        }
        self.at = end;
        Some(&self.text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
// .entry in_a_comment(
/* .entry also_here( */
.version 9.0
.visible .entry a(
	.param .f32 a_param_0,
	.param .u64 .ptr .global .align 4 a_param_1,
	.param .align 8 .b8 a_param_2[24],
	.param .u8 a_param_3, .param .f64 p, .param .s64 q,.param .b8 r[2]
)
.maxntid 128, 1, 1
{ ret; }
.weak .entry b() { ret; }
.entry c { ret; }
";

    #[test]
    fn names_in_order() {
        assert_eq!(entry_names(TEXT), ["a", "b", "c"]);
    }

    #[test]
    fn every_form_of_parameter() {
        assert_eq!(
            entry_params(TEXT, "a").unwrap(),
            [
                ParamKind::Float { bits: 32 },
                ParamKind::Pointer { pointee: None },
                ParamKind::Struct { size: 24, align: 8 },
                ParamKind::Int {
                    bits: 8,
                    signed: None
                },
                ParamKind::Float { bits: 64 },
                ParamKind::PointerOrInt,
                ParamKind::Struct { size: 2, align: 1 },
            ]
        );
        assert_eq!(entry_params(TEXT, "b").unwrap(), []);
        assert_eq!(entry_params(TEXT, "c").unwrap(), []);
        assert_eq!(entry_params(TEXT, "in_a_comment"), None);
    }

    #[test]
    fn broken_headers_are_not_guessed() {
        for bad in [
            "k(.param .f32",
            "k(.param .v4 x)",
            "k(.param .f32 x[)",
            "k(.reg .f32 x)",
            "k(.param .b8 é)",
            "k(\"",
            "k(/*",
        ] {
            assert_eq!(entry_params(&format!(".entry {bad}"), "k"), None, "{bad}");
        }
        assert_eq!(
            entry_params(".entry k(.param .b8 x[4294967295][4294967295])", "k"),
            None
        );
    }

    #[test]
    fn damaged_texts_never_panic() {
        for (at, _) in TEXT.char_indices() {
            let (head, tail) = TEXT.split_at(at);
            for mark in ["", "(", ")", ".", "\"", "é", "/*", ".entry a(", "[", "\\"] {
                let text = format!("{head}{mark}{tail}");
                for name in entry_names(&text) {
                    entry_params(&text, &name);
                }
            }
        }
    }
}
