//! Lists of numbers as the directives write them.

use crate::random::Rng;

/// The type of a buffer's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elem {
    /// The notation of numbers.
    pub kind: Kind,
    /// Bytes: 1, 2, 4 or 8.
    pub bytes: u32,
}

/// The type that bits are read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Unsigned, shown in decimal.
    Unsigned,
    /// Signed.
    Signed,
    /// Bits, shown in hexadecimal.
    Bits,
    /// f32 or f64.
    Float,
}

/// An expected element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// Exactly these bits.
    Bits(u64),
    /// Any NaN.
    Nan,
}

impl Elem {
    /// The type named `u8` … `b64`, `f32`, `f64`.
    pub fn parse(name: &str) -> Result<Elem, String> {
        let unknown = || format!("unknown element type `{name}`");
        let (letter, bits) = name.split_at_checked(1).ok_or_else(unknown)?;
        let bits: u32 = bits.parse().map_err(|_| unknown())?;
        let kind = match letter {
            "u" => Kind::Unsigned,
            "s" => Kind::Signed,
            "b" => Kind::Bits,
            "f" => Kind::Float,
            _ => return Err(unknown()),
        };
        let fine = match kind {
            Kind::Float => matches!(bits, 32 | 64),
            _ => matches!(bits, 8 | 16 | 32 | 64),
        };
        if fine {
            Ok(Elem {
                kind,
                bytes: bits / 8,
            })
        } else {
            Err(unknown())
        }
    }

    /// All ones of the element's width.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes)
    }

    fn canonical_nan(self) -> u64 {
        if self.bytes == 4 {
            0x7fff_ffff
        } else {
            0x7fff_ffff_ffff_ffff
        }
    }

    /// True if the bits are a NaN of this float type.
    pub fn is_nan(self, bits: u64) -> bool {
        match (self.kind, self.bytes) {
            (Kind::Float, 4) => f32::from_bits(bits as u32).is_nan(),
            (Kind::Float, _) => f64::from_bits(bits).is_nan(),
            _ => false,
        }
    }

    /// One number, as the directives write it.
    pub fn item(self, word: &str) -> Result<Item, String> {
        let wrong = || format!("`{word}` is not a value of this type");
        if self.kind == Kind::Float {
            let (negative, plain) = match word.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, word),
            };
            if plain == "nan" {
                return Ok(Item::Nan);
            }
            let raw = if self.bytes == 4 { "0f" } else { "0d" };
            if let Some(hex) = plain
                .strip_prefix(raw)
                .filter(|h| h.len() as u32 == 2 * self.bytes)
            {
                return u64::from_str_radix(hex, 16)
                    .map(Item::Bits)
                    .map_err(|_| wrong());
            }
            let bits = if plain.starts_with("0x") {
                let value = hex_float(plain).ok_or_else(wrong)?;
                if self.bytes == 4 {
                    if f64::from(value as f32) != value {
                        return Err(format!("`{word}` is not exact"));
                    }
                    u64::from((value as f32).to_bits())
                } else {
                    value.to_bits()
                }
            } else if self.bytes == 4 {
                u64::from(plain.parse::<f32>().map_err(|_| wrong())?.to_bits())
            } else {
                plain.parse::<f64>().map_err(|_| wrong())?.to_bits()
            };
            let sign = u64::from(negative) << (8 * self.bytes - 1);
            return Ok(Item::Bits(bits ^ sign));
        }
        let (negative, plain) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let magnitude = match plain.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => plain.parse(),
        }
        .map_err(|_| wrong())?;
        if magnitude & !self.mask() != 0 {
            return Err(format!("`{word}` does not fit in {} bits", 8 * self.bytes));
        }
        let value = if negative {
            magnitude.wrapping_neg()
        } else {
            magnitude
        };
        Ok(Item::Bits(value & self.mask()))
    }

    /// The number in the form [`Elem::item`] reads.
    pub fn show(self, bits: u64) -> String {
        let shift = 64 - 8 * self.bytes;
        match self.kind {
            Kind::Unsigned => bits.to_string(),
            Kind::Signed => ((bits << shift) as i64 >> shift).to_string(),
            Kind::Bits => format!("{bits:#x}"),
            Kind::Float if self.is_nan(bits) && self.bytes == 4 => format!("0f{bits:08x}"),
            Kind::Float if self.is_nan(bits) => format!("0d{bits:016x}"),
            Kind::Float if self.bytes == 4 => format!("{:?}", f32::from_bits(bits as u32)),
            Kind::Float => format!("{:?}", f64::from_bits(bits)),
        }
    }

    /// Values at which operations of this type change their ways.
    pub fn specials(self) -> Vec<u64> {
        let bits = 8 * self.bytes;
        if self.kind == Kind::Float {
            let (fraction, bias) = if self.bytes == 4 {
                (23, 127u64)
            } else {
                (52, 1023)
            };
            let one = bias << fraction;
            let infinity = (2 * bias + 1) << fraction;
            let positive = [
                0,
                1,
                (1 << fraction) - 1,
                1 << fraction,
                one,
                one + 1,
                one + (1 << (fraction - 1)),
                one - 1,
                (bias + 24) << fraction | 1,
                infinity - 1,
                infinity,
                infinity | 1 << (fraction - 1),
                infinity | 1,
            ];
            return positive
                .iter()
                .flat_map(|&v| [v, v | 1 << (bits - 1)])
                .collect();
        }
        let top = 1u64 << (bits - 1);
        [
            0,
            1,
            2,
            3,
            7,
            bits.into(),
            top - 1,
            top,
            top + 1,
            self.mask() - 1,
            self.mask(),
        ]
        .to_vec()
    }

    fn random(self, rng: &mut Rng) -> u64 {
        let specials = self.specials();
        let value = match rng.below(8) {
            0 => specials[rng.below(specials.len() as u32) as usize],
            1 => rng.next_u64() & 0xff,
            // Numbers of ordinary size, for floats.
            2..=5 if self.kind == Kind::Float => {
                let value = (rng.next_u64() as i64 >> 40) as f64 / 4096.0;
                if self.bytes == 4 {
                    u64::from((value as f32).to_bits())
                } else {
                    value.to_bits()
                }
            }
            _ => rng.next_u64(),
        };
        value & self.mask()
    }
}

/// `0x1.8p-3`.
fn hex_float(text: &str) -> Option<f64> {
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    if mantissa >> 53 != 0 {
        return None;
    }
    let mut value = mantissa as f64;
    let mut by = exponent - 4 * fraction.len() as i32;
    while by != 0 {
        let step = by.clamp(-1000, 1000);
        let scaled = value * f64::powi(2.0, step);
        if scaled / f64::powi(2.0, step) != value {
            return None;
        }
        value = scaled;
        by -= step;
    }
    Some(value)
}

/// Reads a list of `len` elements, or of as many as it spells out.
pub fn list(text: &str, elem: Elem, len: Option<usize>) -> Result<Vec<Item>, String> {
    let mut items: Vec<Item> = Vec::new();
    let mut words = text.split_whitespace();
    let fill =
        |word: &str| len.ok_or_else(|| format!("`{word}` needs a length: `name: type[length]`"));
    for word in words.by_ref() {
        let specials = || elem.specials().into_iter();
        if word == "..." {
            let (end, period) = (fill(word)?, items.len());
            if period == 0 {
                return Err("`...` repeats what stands before it, and nothing does".to_owned());
            }
            while items.len() < end {
                items.push(items[items.len() - period]);
            }
        } else if let Some(rule) = word.strip_prefix("iota") {
            let (scale, offset) = iota(rule)?;
            for n in 0..(fill(word)?.saturating_sub(items.len())) as u64 {
                let value = n.wrapping_mul(scale).wrapping_add(offset);
                items.push(Item::Bits(match (elem.kind, elem.bytes) {
                    (Kind::Float, 4) => u64::from((value as i64 as f32).to_bits()),
                    (Kind::Float, _) => (value as i64 as f64).to_bits(),
                    _ => value & elem.mask(),
                }));
            }
        } else if let Some(seed) = word
            .strip_prefix("random(")
            .and_then(|w| w.strip_suffix(')'))
        {
            let seed = seed
                .parse()
                .map_err(|_| format!("`{word}`: a seed is a number"))?;
            let (end, mut rng) = (fill(word)?, Rng::new(seed));
            while items.len() < end {
                items.push(Item::Bits(elem.random(&mut rng)));
            }
        } else if word == "special" {
            items.extend(specials().map(Item::Bits));
        } else if word == "rows" {
            let count = elem.specials().len();
            items.extend(specials().flat_map(|v| std::iter::repeat_n(Item::Bits(v), count)));
        } else if word == "columns" {
            let count = elem.specials().len();
            items.extend((0..count).flat_map(|_| specials()).map(Item::Bits));
        } else if let Some((value, times)) = word.split_once('*') {
            let times = times
                .parse()
                .map_err(|_| format!("`{word}`: a count is a number"))?;
            items.extend(std::iter::repeat_n(elem.item(value)?, times));
        } else {
            items.push(elem.item(word)?);
        }
    }
    match len {
        Some(len) if items.len() != len => {
            Err(format!("{} values for {len} elements", items.len()))
        }
        _ => Ok(items),
    }
}

/// `*3+1`, `*-1`, `+5` or nothing.
fn iota(rule: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("`iota{rule}`: write iota, iota*K, iota+C or iota*K+C");
    let number = |text: &str| -> Result<u64, String> {
        let whole = Elem {
            kind: Kind::Signed,
            bytes: 8,
        };
        match whole.item(text) {
            Ok(Item::Bits(bits)) => Ok(bits),
            _ => Err(wrong()),
        }
    };
    let (scale, offset) = match rule.split_once('+') {
        Some((scale, offset)) => (scale, number(offset)?),
        None => (rule, 0),
    };
    let scale = match scale.strip_prefix('*') {
        Some(scale) => number(scale)?,
        None if scale.is_empty() => 1,
        None => return Err(wrong()),
    };
    Ok((scale, offset))
}

/// Items as bits; a NaN becomes the canonical one.
pub fn bits(items: &[Item], elem: Elem) -> Vec<u64> {
    let of = |item: &Item| match *item {
        Item::Bits(bits) => bits,
        Item::Nan => elem.canonical_nan(),
    };
    items.iter().map(of).collect()
}

/// The number of representable values between two floats of that type; `None` where one is NaN and the other not.
pub fn ulps(elem: Elem, a: u64, b: u64) -> Option<u64> {
    match (elem.is_nan(a), elem.is_nan(b)) {
        (true, true) => return Some(0),
        (false, false) => {}
        _ => return None,
    }
    let ordered = |v: u64| -> i128 {
        let sign = 1u64 << (8 * elem.bytes - 1);
        if v & sign != 0 {
            -i128::from(v & !sign)
        } else {
            i128::from(v)
        }
    };
    u64::try_from((ordered(a) - ordered(b)).abs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, ty: &str, len: Option<usize>) -> Result<Vec<u64>, String> {
        let elem = Elem::parse(ty)?;
        Ok(bits(&list(text, elem, len)?, elem))
    }

    #[test]
    fn numbers_and_rules() {
        assert_eq!(
            read("1 -1 0x10 7*2", "u16", None).unwrap(),
            [1, 0xffff, 16, 7, 7]
        );
        assert_eq!(read("5 iota*3+1", "u32", Some(4)).unwrap(), [5, 1, 4, 7]);
        assert_eq!(read("1 2 ...", "u8", Some(5)).unwrap(), [1, 2, 1, 2, 1]);
        assert_eq!(
            read("1.5 -0 0x1.8p1 0fffc00000", "f32", None).unwrap(),
            [0x3fc0_0000, 0x8000_0000, 0x4040_0000, 0xffc0_0000]
        );
        assert_eq!(
            read("0x1p-1074 -inf", "f64", None).unwrap(),
            [1, 0xfff0 << 48]
        );
        assert_eq!(
            read("random(1)", "u32", Some(9)).unwrap(),
            read("random(1)", "u32", Some(9)).unwrap()
        );
        let (rows, columns) = (
            read("rows", "s32", None).unwrap(),
            read("columns", "s32", None).unwrap(),
        );
        assert_eq!((rows.len(), rows[1], columns[1]), (121, 0, 1));
    }

    #[test]
    fn mistakes() {
        for (text, ty) in [
            ("300", "u8"),
            ("x", "u32"),
            ("0x1.000002p-3p", "f32"),
            ("0x1.0000001p0", "f32"),
        ] {
            assert!(read(text, ty, None).is_err(), "{text}");
        }
        assert!(read("1 2", "u8", Some(3)).is_err());
        assert!(read("iota", "u8", None).is_err());
        assert!(read("1", "u24", None).is_err());
    }

    #[test]
    fn distance() {
        let f32s = Elem::parse("f32").unwrap();
        assert_eq!(ulps(f32s, 0x8000_0001, 1), Some(2));
        assert_eq!(ulps(f32s, 0x7fff_ffff, 0), None);
    }
}
