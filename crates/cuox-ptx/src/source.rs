//! Positions in PTX text: byte spans and the index that turns them into lines and columns.

/// A half-open range of bytes in the text that was parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, but not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Number of bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// True if the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

/// A line and a column, both counted from 1; the column counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line number, from 1.
    pub line: u32,
    /// Byte column in the line, from 1.
    pub column: u32,
}

/// The offsets at which the lines of a text start.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        Self {
            starts,
            len: text.len() as u32,
        }
    }

    /// The position of a byte offset; offsets past the end count as the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|&s| s <= offset).max(1);
        Position {
            line: line as u32,
            column: offset - self.starts[line - 1] + 1,
        }
    }

    /// The span of a line (counted from 1) without its line break; `None` past the last line.
    pub fn line(&self, text: &str, line: u32) -> Option<Span> {
        let i = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(i)?;
        let mut end = self.starts.get(i + 1).map_or(self.len, |&n| n - 1);
        if end > start && text.as_bytes().get(end as usize - 1) == Some(&b'\r') {
            end -= 1;
        }
        Some(Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one() {
        let text = "ab\r\ncd\n\nx";
        let index = LineIndex::new(text);
        let at = |o| {
            let p = index.position(o);
            (p.line, p.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(7), (3, 1));
        assert_eq!(at(8), (4, 1));
        assert_eq!(at(99), (4, 2));
        assert_eq!(index.line(text, 1), Some(Span::new(0, 2)));
        assert_eq!(index.line(text, 4), Some(Span::new(8, 9)));
        assert_eq!(index.line(text, 5), None);
    }
}
