//! Device `printf`: formats packed arguments as C does in the "C" locale.

/// Reads device memory into the buffer; returns false if the address is bad.
pub type Reader<'a> = dyn FnMut(u64, &mut [u8]) -> bool + 'a;

/// The longest string that is read, and the largest field width and precision that are honoured.
const LONGEST: usize = 1 << 20;

/// The error for a pointer that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadAddress(pub u64);

/// Returns the bytes of a string in device memory, without the final zero.
pub fn read_string(read: &mut Reader<'_>, address: u64) -> Result<Vec<u8>, BadAddress> {
    let mut bytes = Vec::new();
    while bytes.len() < LONGEST {
        let at = address.wrapping_add(bytes.len() as u64);
        let mut byte = [0];
        if !read(at, &mut byte) {
            return Err(BadAddress(at));
        }
        if byte[0] == 0 {
            break;
        }
        bytes.push(byte[0]);
    }
    Ok(bytes)
}

/// Returns the output of `vprintf`, and the number of arguments that it consumed. Each argument lies at a multiple of
/// its size: `int`s take 4 bytes; `long`s, pointers and `double`s take 8.
pub fn vprintf(
    read: &mut Reader<'_>,
    format: u64,
    arguments: u64,
) -> Result<(Vec<u8>, u32), BadAddress> {
    let text = read_string(read, format)?;
    let mut source = Arguments {
        read,
        at: arguments,
        taken: 0,
    };
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_slice();
    while let Some((&first, tail)) = rest.split_first() {
        if first != b'%' {
            out.push(first);
            rest = tail;
            continue;
        }
        match Spec::parse(tail, &mut source)? {
            Some((spec, after)) => {
                spec.print(&mut source, &mut out)?;
                rest = after;
            }
            None => {
                // Not a conversion: printed unchanged.
                out.push(b'%');
                rest = tail;
            }
        }
    }
    Ok((out, source.taken))
}

struct Arguments<'a, 'b> {
    read: &'a mut Reader<'b>,
    at: u64,
    taken: u32,
}

impl Arguments<'_, '_> {
    fn next<const N: usize>(&mut self) -> Result<[u8; N], BadAddress> {
        self.at = self.at.wrapping_add(N as u64 - 1) & !(N as u64 - 1);
        let mut bytes = [0; N];
        if !(self.read)(self.at, &mut bytes) {
            return Err(BadAddress(self.at));
        }
        self.at = self.at.wrapping_add(N as u64);
        self.taken += 1;
        Ok(bytes)
    }

    fn int(&mut self) -> Result<i32, BadAddress> {
        self.next().map(i32::from_le_bytes)
    }

    fn long(&mut self) -> Result<u64, BadAddress> {
        self.next().map(u64::from_le_bytes)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    Int,
    Long,
}

/// A conversion specification.
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    conversion: u8,
}

impl Spec {
    /// Parses the text after a `%`; `None` if it is not a conversion.
    fn parse<'t>(
        text: &'t [u8],
        source: &mut Arguments<'_, '_>,
    ) -> Result<Option<(Spec, &'t [u8])>, BadAddress> {
        let mut s = Spec {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Int,
            conversion: 0,
        };
        let mut i = 0;
        let peek = |i: usize| text.get(i).copied().unwrap_or(0);
        loop {
            match peek(i) {
                b'-' => s.left = true,
                b'+' => s.plus = true,
                b' ' => s.space = true,
                b'#' => s.alternate = true,
                b'0' => s.zero = true,
                _ => break,
            }
            i += 1;
        }
        if peek(i) == b'*' {
            let width = source.int()?;
            s.left |= width < 0;
            s.width = (width.unsigned_abs() as usize).min(LONGEST);
            i += 1;
        } else {
            s.width = number(text, &mut i);
        }
        if peek(i) == b'.' {
            i += 1;
            s.precision = if peek(i) == b'*' {
                i += 1;
                usize::try_from(source.int()?).ok().map(|p| p.min(LONGEST))
            } else {
                Some(number(text, &mut i))
            };
        }
        s.length = match (peek(i), peek(i + 1)) {
            (b'h', b'h') => {
                i += 2;
                Length::Char
            }
            (b'l', b'l') => {
                i += 2;
                Length::Long
            }
            (b'h', _) => {
                i += 1;
                Length::Short
            }
            (b'l' | b'z' | b't' | b'j' | b'q', _) => {
                i += 1;
                Length::Long
            }
            _ => Length::Int,
        };
        s.conversion = peek(i);
        let known = b"diuxXoscpfFeEgGaA%n".contains(&s.conversion) && s.conversion != 0;
        Ok(known.then(|| (s, &text[i + 1..])))
    }

    fn print(&self, source: &mut Arguments<'_, '_>, out: &mut Vec<u8>) -> Result<(), BadAddress> {
        match self.conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let v = match self.length {
                    Length::Long => source.long()? as i64,
                    Length::Int => i64::from(source.int()?),
                    Length::Short => i64::from(source.int()? as i16),
                    Length::Char => i64::from(source.int()? as i8),
                };
                self.integer(v < 0, v.unsigned_abs(), out);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let v = match self.length {
                    Length::Long => source.long()?,
                    Length::Int => u64::from(source.int()? as u32),
                    Length::Short => u64::from(source.int()? as u16),
                    Length::Char => u64::from(source.int()? as u8),
                };
                self.integer(false, v, out);
            }
            b'c' => {
                let c = source.int()? as u8;
                self.pad(b"", &[c], false, out);
            }
            b's' => {
                let address = source.long()?;
                let mut text = if address == 0 {
                    b"(null)".to_vec()
                } else {
                    read_string(source.read, address)?
                };
                text.truncate(self.precision.unwrap_or(LONGEST));
                self.pad(b"", &text, false, out);
            }
            b'p' => {
                let address = source.long()?;
                if address == 0 {
                    self.pad(b"", b"(nil)", false, out);
                } else {
                    self.pad(b"", format!("{address:#x}").as_bytes(), false, out);
                }
            }
            b'n' => {
                // Device printf does not store through the pointer of `%n`.
                source.long()?;
            }
            _ => self.float(f64::from_bits(source.long()?), out),
        }
        Ok(())
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, _, _) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }

    /// Appends `prefix` (sign, `0x`) and `body`, padded to the width.
    fn pad(&self, prefix: &[u8], body: &[u8], zero: bool, out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        let zero = zero && !self.left;
        if !self.left && !zero {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(prefix);
        if zero {
            out.resize(out.len() + fill, b'0');
        }
        out.extend_from_slice(body);
        if self.left {
            out.resize(out.len() + fill, b' ');
        }
    }

    fn integer(&self, negative: bool, magnitude: u64, out: &mut Vec<u8>) {
        let mut digits = match self.conversion {
            b'x' => format!("{magnitude:x}"),
            b'X' => format!("{magnitude:X}"),
            b'o' => format!("{magnitude:o}"),
            _ => format!("{magnitude}"),
        };
        if magnitude == 0 && self.precision == Some(0) {
            digits.clear();
        }
        let mut least = self.precision.unwrap_or(1);
        if self.alternate && self.conversion == b'o' && !digits.starts_with('0') {
            least = least.max(digits.len() + 1);
        }
        let mut body = vec![b'0'; least.saturating_sub(digits.len())];
        body.extend_from_slice(digits.as_bytes());
        let prefix: &[u8] = match self.conversion {
            b'd' | b'i' => self.sign(negative),
            b'x' if self.alternate && magnitude != 0 => b"0x",
            b'X' if self.alternate && magnitude != 0 => b"0X",
            _ => b"",
        };
        self.pad(prefix, &body, self.zero && self.precision.is_none(), out);
    }

    fn float(&self, v: f64, out: &mut Vec<u8>) {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = self.sign(v.is_sign_negative());
        let magnitude = v.abs();
        if !v.is_finite() {
            let name = if v.is_nan() { "nan" } else { "inf" };
            let name = if upper {
                name.to_uppercase()
            } else {
                name.to_string()
            };
            return self.pad(sign, name.as_bytes(), false, out);
        }
        let mut prefix = sign.to_vec();
        let body = match self.conversion.to_ascii_lowercase() {
            b'f' => {
                let precision = self.precision.unwrap_or(6);
                let mut text = format!("{magnitude:.precision$}");
                if self.alternate && precision == 0 {
                    text.push('.');
                }
                text
            }
            b'e' => self.scientific(magnitude, self.precision.unwrap_or(6)),
            b'g' => self.general(magnitude),
            _ => {
                prefix.extend_from_slice(b"0x");
                self.hexadecimal(magnitude)
            }
        };
        let (prefix, body) = if upper {
            (prefix.to_ascii_uppercase(), body.to_ascii_uppercase())
        } else {
            (prefix, body)
        };
        self.pad(&prefix, body.as_bytes(), self.zero, out);
    }

    fn scientific(&self, magnitude: f64, precision: usize) -> String {
        let (digits, exponent) = decimal(magnitude, precision);
        let point = if self.alternate && precision == 0 {
            "."
        } else {
            ""
        };
        format!("{digits}{point}e{}", exponent_text(exponent))
    }

    fn general(&self, magnitude: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let (digits, exponent) = decimal(magnitude, precision - 1);
        let fixed = exponent >= -4 && exponent < precision as i32;
        let mut text = if fixed {
            let places = (precision as i32 - 1 - exponent) as usize;
            format!("{magnitude:.places$}")
        } else {
            digits
        };
        if self.alternate {
            if !text.contains('.') {
                text.push('.');
            }
        } else if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        if !fixed {
            text.push('e');
            text.push_str(&exponent_text(exponent));
        }
        text
    }

    /// Returns a number as `1.8p+3`, in glibc's form: normal numbers have a leading 1, subnormal ones a leading 0.
    fn hexadecimal(&self, magnitude: f64) -> String {
        let bits = magnitude.to_bits();
        let field = (bits >> 52) as i32;
        let mut mant = bits & ((1 << 52) - 1);
        let mut exponent = match (field, mant) {
            (0, 0) => 0,
            (0, _) => -1022,
            (e, _) => e - 1023,
        };
        if field != 0 {
            mant |= 1 << 52;
        }
        if let Some(precision) = self.precision.filter(|&p| p < 13) {
            let drop = 4 * (13 - precision as u32);
            let (kept, rest) = (mant >> drop, mant & ((1 << drop) - 1));
            let half = 1u64 << (drop - 1);
            let up = rest > half || (rest == half && kept & 1 == 1);
            mant = (kept + u64::from(up)) << drop;
            if mant >> 53 != 0 && field == 0 {
                exponent = -1022;
            }
        }
        let mut digits = format!("{:013x}", mant & ((1 << 52) - 1));
        match self.precision {
            Some(p) if p <= 13 => digits.truncate(p),
            Some(p) => digits.push_str(&"0".repeat(p - 13)),
            None => digits.truncate(digits.trim_end_matches('0').len()),
        }
        let point = if digits.is_empty() && !self.alternate {
            ""
        } else {
            "."
        };
        format!("{}{point}{digits}p{exponent:+}", mant >> 52)
    }
}

/// Returns digits, `precision` of them behind the point, and the exponent of ten.
fn decimal(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_string(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{:02}", exponent.abs())
}

fn number(text: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = text.get(*at).filter(|c| c.is_ascii_digit()) {
        value = (value * 10 + usize::from(digit - b'0')).min(LONGEST);
        *at += 1;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    /// Prints `format` with arguments laid out by hand; strings live at address 1000.
    fn print(format: &str, arguments: &[u8], string: &str) -> (String, u32) {
        let mut memory = vec![0u8; 3000];
        memory[1..=format.len()].copy_from_slice(format.as_bytes());
        memory[1000..1000 + string.len()].copy_from_slice(string.as_bytes());
        memory[2000..2000 + arguments.len()].copy_from_slice(arguments);
        let mut read = |addr: u64, buf: &mut [u8]| {
            let Some(from) = memory.get(addr as usize..addr as usize + buf.len()) else {
                return false;
            };
            buf.copy_from_slice(from);
            true
        };
        let (bytes, taken) = vprintf(&mut read, 1, 2000).unwrap();
        (String::from_utf8(bytes).unwrap(), taken)
    }

    #[test]
    fn arguments_are_aligned_to_their_size() {
        let mut packed = Vec::new();
        packed.extend_from_slice(&(-5i32).to_le_bytes());
        packed.extend_from_slice(&[0xee; 4]);
        packed.extend_from_slice(&2.5f64.to_le_bytes());
        packed.extend_from_slice(&7u32.to_le_bytes());
        packed.extend_from_slice(&[0xee; 4]);
        packed.extend_from_slice(&1000u64.to_le_bytes());
        packed.extend_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(
            print("%d %f %03u [%5s] %llx 100%%\n", &packed, "abc"),
            ("-5 2.500000 007 [  abc] ffffffffffffffff 100%\n".into(), 5)
        );
    }

    #[test]
    fn stars_and_oddities() {
        let ints = |v: &[i32]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>();
        assert_eq!(print("[%*d]", &ints(&[-4, 3]), "").0, "[3   ]");
        assert_eq!(print("[%.*d]", &ints(&[3, 7]), "").0, "[007]");
        assert_eq!(print("[%hhd %hu]", &ints(&[257, 65537]), "").0, "[1 1]");
        assert_eq!(print("%y %", &[], ""), ("%y %".into(), 0));
        assert_eq!(print("%c%c", &ints(&[72, 105]), "").0, "Hi");
        assert_eq!(print("%p", &0x7f00u64.to_le_bytes(), "").0, "0x7f00");
        assert_eq!(print("%.2s", &1000u64.to_le_bytes(), "abc").0, "ab");
        assert_eq!(print("%99999999999999d", &ints(&[1]), "").0.len(), LONGEST);
        let mut none = |_: u64, _: &mut [u8]| false;
        assert_eq!(vprintf(&mut none, 5, 0), Err(BadAddress(5)));
    }

    fn c_print(
        format: &str,
        call: impl Fn(*mut libc::c_char, usize, *const libc::c_char) -> i32,
    ) -> String {
        let format = CString::new(format).unwrap();
        let mut buffer = vec![0u8; 4096];
        let n = call(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr());
        buffer.truncate(n as usize);
        String::from_utf8(buffer).unwrap()
    }

    #[test]
    fn floats_print_as_c_prints_them() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.5,
            2.5,
            0.125,
            1e10,
            1e-5,
            123456789.0,
            0.0001,
            0.00012345,
            999999.5,
            9.9999995,
            1e300,
            5e-324,
            2.2e-308,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            100000.0,
            1000000.0,
            0.1,
            3.9999,
        ];
        let flags = ["", "-", "+", " ", "#", "0", "+0", "-#"];
        let sizes = ["", "12", ".0", ".1", ".3", "20.10", ".13", ".17", "30.20"];
        for conversion in ["f", "e", "E", "g", "G", "a", "A", "F"] {
            for flag in flags {
                for size in sizes {
                    let format = format!("%{flag}{size}{conversion}");
                    for v in values {
                        // glibc drops the zeros of `%#g` when rounding carries into a new digit.
                        if flag.contains('#')
                            && "gG".contains(conversion)
                            && (v == 999999.5 || v == 9.9999995)
                        {
                            continue;
                        }
                        // SAFETY: the format takes one double and the buffer's size is passed.
                        let want =
                            c_print(&format, |b, n, f| unsafe { libc::snprintf(b, n, f, v) });
                        let got = print(&format, &v.to_le_bytes(), "").0;
                        assert_eq!(got, want, "{format} of {v:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_print_as_c_prints_them() {
        for conversion in ["d", "i", "u", "x", "X", "o"] {
            for flag in ["", "-", "+", " ", "#", "0", "#0", "-0+"] {
                for size in ["", "8", ".0", ".5", "10.4", "3"] {
                    let format = format!("%{flag}{size}{conversion}");
                    for v in [0i32, 1, -1, 42, i32::MIN, i32::MAX, 511] {
                        // SAFETY: the format takes one int and the buffer's size is passed.
                        let want =
                            c_print(&format, |b, n, f| unsafe { libc::snprintf(b, n, f, v) });
                        let got = print(&format, &v.to_le_bytes(), "").0;
                        assert_eq!(got, want, "{format} of {v}");
                    }
                }
            }
        }
    }
}
