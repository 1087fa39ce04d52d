//! C tokens of preprocessed text.

/// One token: a word, a number, or a punctuation mark.
pub type Token = String;

/// Splits preprocessed text into tokens. Line markers and pragmas are dropped.
pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with('#') {
            continue;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let byte = bytes[at];
            if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
            } else if b"(){}[];,*=+-/<>|&~:".contains(&byte) {
                at += 1;
            } else {
                return Err(format!(
                    "unexpected character {:?} in {line:?}",
                    byte as char
                ));
            }
            tokens.push(line[start..at].to_owned());
        }
    }
    Ok(tokens)
}
