//! Exact binary floating point: numbers are unpacked, computed without error, and rounded once.
//!
//! Every format and every rounding direction goes through [`Exact::round`], the one place that decides about ties,
//! subnormals and overflow.

use crate::ir::{Float, Round};

/// The bit layout of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The exponent field's bits.
    exp_bits: u32,
    /// The fraction field's bits.
    man_bits: u32,
}

impl Format {
    /// Returns the layout of `float`.
    pub const fn of(float: Float) -> Format {
        let (exp_bits, man_bits) = match float {
            Float::F16 => (5, 10),
            Float::BF16 => (8, 7),
            Float::F32 => (8, 23),
            Float::F64 => (11, 52),
        };
        Format { exp_bits, man_bits }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exp_bits - 1)) - 1
    }

    /// Returns the sign bit.
    pub const fn sign_bit(self) -> u64 {
        1 << (self.exp_bits + self.man_bits)
    }

    /// Returns +infinity.
    pub const fn infinity(self) -> u64 {
        ((1 << self.exp_bits) - 1) << self.man_bits
    }

    /// Returns 1.
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.man_bits
    }

    /// Returns zero with a sign.
    pub const fn zero(self, negative: bool) -> u64 {
        if negative { self.sign_bit() } else { 0 }
    }

    /// Returns the fraction's highest bit, which is set in quiet NaNs.
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.man_bits - 1)
    }

    /// Converts a NaN to another format: its sign and as much of its fraction as fits, made quiet.
    pub const fn convert_nan(self, bits: u64, to: Format) -> u64 {
        let fraction = bits & ((1 << self.man_bits) - 1);
        let fraction = if self.man_bits < to.man_bits {
            fraction << (to.man_bits - self.man_bits)
        } else {
            fraction >> (self.man_bits - to.man_bits)
        };
        to.zero(bits & self.sign_bit() != 0) | to.infinity() | fraction | to.quiet_bit()
    }

    /// Returns true if the bits are a NaN.
    pub const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign_bit() - 1) > self.infinity()
    }

    /// Returns true if the bits are a subnormal number (not zero).
    pub const fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        magnitude != 0 && magnitude < 1 << self.man_bits
    }

    /// Returns the value of a number of at most 16 bits.
    #[inline(always)]
    pub fn f16_to_f64(self, bits: u64) -> f64 {
        let sign = (bits & self.sign_bit()) << (63 - self.exp_bits - self.man_bits);
        let magnitude = bits & (self.sign_bit() - 1);
        let up = 52 - self.man_bits;
        let value = if magnitude >= self.infinity() {
            f64::from_bits(0x7ff << 52 | magnitude << up)
        } else if magnitude < 1 << self.man_bits {
            magnitude as f64 * power(1 - self.bias() - self.man_bits as i32)
        } else {
            f64::from_bits((magnitude << up) + (((1023 - self.bias()) as u64) << 52))
        };
        f64::from_bits(value.to_bits() | sign)
    }

    /// Rounds a value to the nearest number of a format of at most 16 bits, ties to even; NaNs become canonical.
    #[inline(always)]
    pub fn f16_from_f64(self, value: f64) -> u64 {
        if value.is_nan() {
            return self.sign_bit() - 1;
        }
        let sign = self.zero(value.is_sign_negative());
        let magnitude = value.abs();
        let over = power(self.bias() + 1);
        if magnitude >= over {
            return sign | self.infinity();
        }
        let least = 1 - self.bias();
        let lead = ((magnitude.to_bits() >> 52) as i32 - 1023).max(least);
        // Adding a number whose last bit weighs as much as the format's rounds to the format.
        let ruler = 1.5 * power(lead - self.man_bits as i32 + 52);
        let rounded = (magnitude + ruler) - ruler;
        let bits = if rounded < power(least) {
            (rounded * power(self.bias() - 1 + self.man_bits as i32)) as u64
        } else {
            let bits = rounded.to_bits() >> (52 - self.man_bits);
            bits - (((1023 - self.bias()) as u64) << self.man_bits)
        };
        sign | bits
    }

    /// Returns `bits`, or a zero of the same sign if they are subnormal.
    pub const fn flush(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & self.sign_bit()
        } else {
            bits
        }
    }

    /// Flushes the result of rounding `value`. A value that reaches the smallest normal number only because subnormal
    /// numbers have fewer bits counts as subnormal.
    #[inline(always)]
    pub fn flush_result(self, bits: u64, value: impl FnOnce() -> Value, round: Round) -> u64 {
        let least = bits & (self.sign_bit() - 1) == 1 << self.man_bits;
        if least && value().is_subnormal(self, round) {
            bits & self.sign_bit()
        } else {
            self.flush(bits)
        }
    }

    /// Unpacks bits.
    pub fn unpack(self, bits: u64) -> Value {
        let negative = bits & self.sign_bit() != 0;
        let field = (bits & (self.sign_bit() - 1)) >> self.man_bits;
        let fraction = bits & ((1 << self.man_bits) - 1);
        if field == (1 << self.exp_bits) - 1 {
            return if fraction == 0 {
                Value::Infinite(negative)
            } else {
                Value::Nan
            };
        }
        let (mant, exp) = match field {
            0 => (fraction, 1),
            e => (fraction | 1 << self.man_bits, e as i32),
        };
        Exact::new(
            negative,
            u128::from(mant),
            exp - self.bias() - self.man_bits as i32,
        )
        .map_or(Value::Zero(negative), Value::Finite)
    }
}

/// Returns the NaN that the format's arithmetic produces on NVIDIA hardware.
pub const fn canonical_nan(float: Float) -> u64 {
    match float {
        Float::F16 | Float::BF16 => 0x7fff,
        Float::F32 => 0x7fff_ffff,
        Float::F64 => 0xfff8_0000_0000_0000,
    }
}

/// The value of a format's bits; the flag is "negative".
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite(bool),
    /// A zero.
    Zero(bool),
    /// Any other number.
    Finite(Exact),
}

impl Value {
    /// Returns true if the sign is minus (never for a NaN).
    pub fn negative(self) -> bool {
        match self {
            Value::Nan => false,
            Value::Infinite(n) | Value::Zero(n) => n,
            Value::Finite(x) => x.negative,
        }
    }

    /// Returns the value's bits in a format.
    pub fn pack(self, float: Float, round: Round) -> u64 {
        let format = Format::of(float);
        match self {
            Value::Nan => canonical_nan(float),
            Value::Infinite(negative) => format.infinity() | format.zero(negative),
            Value::Zero(negative) => format.zero(negative),
            Value::Finite(x) => x.round(format, round),
        }
    }

    /// Returns true if the value, rounded to as many bits as normal numbers have, is less than the format's smallest
    /// normal number.
    fn is_subnormal(self, format: Format, round: Round) -> bool {
        let Value::Finite(x) = self else {
            return false;
        };
        let up = format.man_bits + 1;
        let exp = x.exp + up as i32;
        let rounded = Exact { exp, ..x }.round(format, round) & (format.sign_bit() - 1);
        rounded < u64::from(1 + up) << format.man_bits
    }

    /// Returns the number with the other sign.
    pub fn negate(self) -> Value {
        match self {
            Value::Nan => Value::Nan,
            Value::Infinite(n) => Value::Infinite(!n),
            Value::Zero(n) => Value::Zero(!n),
            Value::Finite(x) => Value::Finite(Exact {
                negative: !x.negative,
                ..x
            }),
        }
    }

    /// Returns `self + other`; `round` decides the sign of an exact zero.
    pub fn add(self, other: Value, round: Round) -> Value {
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Infinite(a), Value::Infinite(b)) if a != b => Value::Nan,
            (Value::Infinite(n), _) | (_, Value::Infinite(n)) => Value::Infinite(n),
            (Value::Zero(a), Value::Zero(b)) => {
                Value::Zero(if a == b { a } else { round == Round::Down })
            }
            (Value::Zero(_), x) | (x, Value::Zero(_)) => x,
            (Value::Finite(a), Value::Finite(b)) => a
                .add(b)
                .map_or(Value::Zero(round == Round::Down), Value::Finite),
        }
    }

    /// Returns `self * other`.
    pub fn mul(self, other: Value) -> Value {
        let negative = self.negative() != other.negative();
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Infinite(_), Value::Zero(_)) | (Value::Zero(_), Value::Infinite(_)) => {
                Value::Nan
            }
            (Value::Infinite(_), _) | (_, Value::Infinite(_)) => Value::Infinite(negative),
            (Value::Zero(_), _) | (_, Value::Zero(_)) => Value::Zero(negative),
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.mul(b)),
        }
    }

    /// Returns `self / other`, to more than 60 bits.
    pub fn div(self, other: Value) -> Value {
        let negative = self.negative() != other.negative();
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Infinite(_), Value::Infinite(_)) | (Value::Zero(_), Value::Zero(_)) => {
                Value::Nan
            }
            (Value::Infinite(_), _) | (_, Value::Zero(_)) => Value::Infinite(negative),
            (Value::Zero(_), _) | (_, Value::Infinite(_)) => Value::Zero(negative),
            (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.div(b)),
        }
    }

    /// Returns the square root, to more than 60 bits.
    pub fn sqrt(self) -> Value {
        match self {
            Value::Zero(_) | Value::Nan => self,
            Value::Infinite(false) => self,
            Value::Finite(x) if !x.negative => Value::Finite(x.sqrt()),
            _ => Value::Nan,
        }
    }

    /// Rounds to an integer; a zero result keeps the sign.
    pub fn integral(self, round: Round) -> Value {
        match self {
            Value::Finite(x) if x.exp < 0 => {
                let whole = x.whole(round);
                Exact::new(x.negative, whole, 0).map_or(Value::Zero(x.negative), Value::Finite)
            }
            _ => self,
        }
    }
}

/// The position of the leading bit of [`Exact::mant`].
const TOP: u32 = 126;

/// A nonzero number `mant * 2^exp`, plus something less than `2^exp` if `sticky`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    /// True for a negative number.
    pub negative: bool,
    exp: i32,
    /// The significand; bit 126 is its highest.
    mant: u128,
    sticky: bool,
}

impl Exact {
    /// Returns `±mant * 2^exp`; `None` for zero.
    pub fn new(negative: bool, mant: u128, exp: i32) -> Option<Exact> {
        Self::normalised(negative, mant, exp, false)
    }

    fn normalised(negative: bool, mant: u128, exp: i32, sticky: bool) -> Option<Exact> {
        let lead = mant.checked_ilog2()?;
        Some(if lead > TOP {
            Exact {
                negative,
                exp: exp + 1,
                mant: mant >> 1,
                sticky: sticky || mant & 1 != 0,
            }
        } else {
            Exact {
                negative,
                exp: exp - (TOP - lead) as i32,
                mant: mant << (TOP - lead),
                sticky,
            }
        })
    }

    fn add(self, other: Exact) -> Option<Exact> {
        let (a, b) = if (self.exp, self.mant) >= (other.exp, other.mant) {
            (self, other)
        } else {
            (other, self)
        };
        let distance = (a.exp - b.exp) as u32;
        // Operands have at most 106 significant bits, so bits are lost only if they are far apart. At most one
        // leading bit cancels then, and more bits remain than any format has.
        let (small, lost) = match distance {
            0..=TOP => (
                b.mant >> distance,
                b.mant & ((1u128 << distance) - 1) != 0 || b.sticky,
            ),
            _ => (0, true),
        };
        let sticky = a.sticky || lost;
        let mant = if a.negative == b.negative {
            a.mant + small
        } else {
            a.mant - small - u128::from(lost)
        };
        Self::normalised(a.negative, mant, a.exp, sticky)
    }

    fn mul(self, other: Exact) -> Exact {
        // Significands have at most 53 bits, so the lower halves are zero.
        let product = (self.mant >> 63) * (other.mant >> 63);
        Self::normalised(
            self.negative != other.negative,
            product,
            self.exp + other.exp + 126,
            self.sticky || other.sticky,
        )
        .unwrap_or(self)
    }

    fn div(self, other: Exact) -> Exact {
        let divisor = other.mant >> 63;
        Self::normalised(
            self.negative != other.negative,
            self.mant / divisor,
            self.exp - other.exp - 63,
            !self.mant.is_multiple_of(divisor),
        )
        .unwrap_or(self)
    }

    fn sqrt(self) -> Exact {
        let (mant, exp) = if self.exp % 2 == 0 {
            (self.mant, self.exp)
        } else {
            (self.mant >> 1, self.exp + 1)
        };
        let root = mant.isqrt();
        Self::normalised(false, root, exp / 2, root * root != mant).unwrap_or(self)
    }

    /// Returns `|self| / 2^(exp + shift)` rounded to an integer.
    fn shifted(self, shift: u32, round: Round) -> u128 {
        let (kept, rest) = match shift {
            0 => return self.mant,
            1..=127 => (self.mant >> shift, self.mant & ((1 << shift) - 1)),
            // Less than half of the last kept bit.
            _ => (0, 1),
        };
        let half = match shift {
            1..=127 => 1u128 << (shift - 1),
            _ => u128::MAX,
        };
        let inexact = rest != 0 || self.sticky;
        let up = match round {
            Round::Nearest => rest > half || (rest == half && (self.sticky || kept & 1 == 1)),
            Round::Away => rest >= half,
            Round::Zero => false,
            Round::Down => self.negative && inexact,
            Round::Up => !self.negative && inexact,
        };
        kept + u128::from(up)
    }

    /// Returns the magnitude rounded to an integer, at most `u128::MAX`.
    pub fn whole(self, round: Round) -> u128 {
        match self.exp {
            0 => self.mant,
            e if e > 0 => u128::MAX,
            e => self.shifted(e.unsigned_abs(), round),
        }
    }

    /// Rounds to a format.
    pub fn round(self, format: Format, round: Round) -> u64 {
        let sign = format.zero(self.negative);
        let lead = self.exp + TOP as i32;
        let least = 1 - format.bias();
        if lead <= format.bias() {
            let quantum = lead.max(least) - format.man_bits as i32;
            let kept = self.shifted((quantum - self.exp) as u32, round) as u64;
            // The hidden bit of a normal number adds the missing 1 to the exponent field, and so does a carry out of
            // the fraction.
            let magnitude =
                (((lead.max(least) + format.bias() - 1) as u64) << format.man_bits) + kept;
            if magnitude < format.infinity() {
                return sign | magnitude;
            }
        }
        let to_infinity = match round {
            Round::Nearest | Round::Away => true,
            Round::Zero => false,
            Round::Down => self.negative,
            Round::Up => !self.negative,
        };
        sign | (format.infinity() - u64::from(!to_infinity))
    }
}

/// Returns a power of two that is a normal f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
