//! Entries as bytes: fields with their lengths before them.

/// Writes fields.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// A number.
    pub fn number(&mut self, n: u64) {
        self.0.extend_from_slice(&n.to_le_bytes());
    }

    /// Numbers, as many as the reader knows there are.
    pub fn numbers(&mut self, numbers: &[i64]) {
        numbers.iter().for_each(|n| self.number(*n as u64));
    }

    /// Bytes of any length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads fields in the order in which they were written; `None` where there are no more.
pub struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// From the first.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// So many numbers.
    pub fn numbers<const N: usize>(&mut self) -> Option<[i64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()? as i64;
        }
        Some(numbers)
    }

    /// Bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Text.
    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }
}
