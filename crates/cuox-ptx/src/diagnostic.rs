//! Errors and warnings of the front end, and their rendering with source lines.

use crate::source::{LineIndex, Span};
use std::fmt;

/// The severity of a diagnostic, which also tells errors of the text from unsupported features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text is not valid PTX.
    Error,
    /// The text may be valid PTX, but this implementation does not do it.
    Unsupported,
    /// The implementation itself is at fault.
    Bug,
    /// Worth knowing; nothing is refused.
    Warning,
}

impl Severity {
    /// The word that a rendered diagnostic starts with.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Unsupported => "not supported",
            Self::Bug => "internal error",
            Self::Warning => "warning",
        }
    }
}

/// A second place in the text that helps to understand a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark about it.
    pub message: String,
}

/// One thing said about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `E-syntax`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// A sentence that can be understood without the source line.
    pub message: String,
    /// The token it is about.
    pub span: Span,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// Further hints, each shown on a line of its own.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error: the text is invalid.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A refusal: the text may be valid, but this implementation does not do it.
    pub fn unsupported(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Unsupported, code, span, message)
    }

    /// A failure of the implementation itself.
    pub fn bug(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Bug, code, span, message)
    }

    /// A diagnostic of the given severity.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            span,
            labels: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a label.
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds a note.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Shows the diagnostic with its source line and a caret line under the token.
    pub fn render(&self, text: &str, index: &LineIndex) -> String {
        let mut out = String::new();
        self.render_into(&mut out, text, index);
        out
    }

    fn render_into(&self, out: &mut String, text: &str, index: &LineIndex) {
        let p = index.position(self.span.start);
        out.push_str(&format!(
            "ptx:{}:{}: {}[{}]: {}\n",
            p.line,
            p.column,
            self.severity.word(),
            self.code,
            self.message
        ));
        excerpt(out, text, index, self.span);
        for label in &self.labels {
            let p = index.position(label.span.start);
            out.push_str(&format!(
                "ptx:{}:{}: note: {}\n",
                p.line, p.column, label.message
            ));
            excerpt(out, text, index, label.span);
        }
        for note in &self.notes {
            out.push_str(&format!("  = {note}\n"));
        }
    }
}

/// Longest part of a source line that is shown: generated modules have lines of many kilobytes.
const SHOWN: usize = 160;

fn excerpt(out: &mut String, text: &str, index: &LineIndex, span: Span) {
    let line_number = index.position(span.start).line;
    let Some(line) = index.line(text, line_number) else {
        return;
    };
    let start = (span.start.min(line.end)) as usize;
    let from = floor_char(
        text,
        (line.start as usize).max(start.saturating_sub(SHOWN / 2)),
    );
    let to = floor_char(text, (line.end as usize).min(from + SHOWN)).max(from);
    let start = floor_char(text, start).max(from);
    let end = floor_char(text, (span.end as usize).min(to)).max(start);
    // A tab would make the caret line disagree with the source line, so both show it as one space.
    let show = |s: &str| -> String {
        s.chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect()
    };
    let source = show(&text[from..to]);
    let before = text[from..start].chars().count();
    let under = text[start..end].chars().count().max(1);
    out.push_str(&format!(
        "  | {}\n  | {}{}\n",
        source.trim_end(),
        " ".repeat(before),
        "^".repeat(under)
    ));
}

fn floor_char(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// All diagnostics of one text, with the rendered form that shows the source lines.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    rendered: String,
}

impl Diagnostics {
    /// Diagnostics about `text`; they are rendered now, so that the text need not be kept.
    pub fn new(list: Vec<Diagnostic>, text: &str) -> Self {
        let index = LineIndex::new(text);
        let mut rendered = String::new();
        for d in &list {
            d.render_into(&mut rendered, text, &index);
        }
        Self { list, rendered }
    }

    /// The diagnostics, in the order of discovery.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Iterates over the diagnostics.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// True if nothing was said.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// True if everything that was refused is merely not supported.
    pub fn is_unsupported(&self) -> bool {
        !self.list.is_empty()
            && self
                .list
                .iter()
                .all(|d| matches!(d.severity, Severity::Unsupported | Severity::Warning))
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    /// Diagnostics whose text is not at hand: rendered without source lines.
    fn from(list: Vec<Diagnostic>) -> Self {
        let mut rendered = String::new();
        for d in &list {
            rendered.push_str(&format!(
                "ptx: {}[{}]: {}\n",
                d.severity.word(),
                d.code,
                d.message
            ));
            for note in &d.notes {
                rendered.push_str(&format!("  = {note}\n"));
            }
        }
        Self { list, rendered }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rendered.trim_end())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caret_is_under_the_token() {
        let text = "\tadd.s32 x;\n";
        let d = Diagnostic::error("E-test", Span::new(9, 10), "bad `x`").with_note("try `y`");
        assert_eq!(
            Diagnostics::new(vec![d], text).to_string(),
            "ptx:1:10: error[E-test]: bad `x`\n  |  add.s32 x;\n  |          ^\n  = try `y`"
        );
    }

    #[test]
    fn long_lines_and_wide_characters_are_cut_safely() {
        let text = "é".repeat(4000);
        let d = Diagnostic::error("E-test", Span::new(3001, 7000), "x");
        let shown = Diagnostics::new(vec![d], &text).to_string();
        assert!(shown.lines().all(|l| l.chars().count() < 200), "{shown}");
    }
}
