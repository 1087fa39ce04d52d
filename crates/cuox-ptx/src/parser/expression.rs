//! Constant expressions: 64-bit integers with C's operators, signed unless an operand is unsigned.

use super::{Parsed, Parser};
use crate::lexer::Kind;
use crate::source::Span;

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Integer { value: u64, unsigned: bool },
    Float32(u32),
    Float64(u64),
}

#[derive(Clone, Copy)]
struct Int {
    value: u64,
    unsigned: bool,
}

impl Int {
    fn truth(value: bool) -> Self {
        Self {
            value: u64::from(value),
            unsigned: false,
        }
    }
}

/// Threads in a warp: the value of `WARP_SZ`.
const WARP_SIZE: u64 = 32;

/// Binding strength of sums; stronger operators bind inside an offset.
const SUM: u8 = 9;

impl Parser<'_> {
    /// True if a constant expression starts here.
    pub(super) fn at_constant(&self) -> bool {
        match self.token.kind {
            Kind::Int { .. } | Kind::F32(_) | Kind::F64(_) => true,
            Kind::Punct(b'-' | b'+' | b'~' | b'(') => true,
            Kind::Ident => self.word() == "WARP_SZ",
            _ => false,
        }
    }

    /// A constant expression, or a floating-point number with an optional sign.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        match self.token.kind {
            Kind::F32(bits) => {
                self.advance();
                return Ok(Constant::Float32(bits));
            }
            Kind::F64(bits) => {
                self.advance();
                return Ok(Constant::Float64(bits));
            }
            Kind::Punct(sign @ (b'-' | b'+')) => {
                // Look one token ahead: a sign in front of a float belongs to the float.
                let saved = self.token;
                self.advance();
                let flip = sign == b'-';
                match self.token.kind {
                    Kind::F32(bits) => {
                        self.advance();
                        return Ok(Constant::Float32(bits ^ u32::from(flip) << 31));
                    }
                    Kind::F64(bits) => {
                        self.advance();
                        return Ok(Constant::Float64(bits ^ u64::from(flip) << 63));
                    }
                    _ => {
                        self.lexer.seek(saved.span.end as usize);
                        self.token = saved;
                    }
                }
            }
            _ => {}
        }
        let v = self.conditional()?;
        Ok(Constant::Integer {
            value: v.value,
            unsigned: v.unsigned,
        })
    }

    /// An integer constant expression; its value in two's complement.
    pub(super) fn integer(&mut self) -> Parsed<u64> {
        Ok(self.conditional()?.value)
    }

    /// `+ 4`, `-8`, `+-4` after a name: the sum of the terms; 0 if there are none.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let mut sum = 0i64;
        loop {
            let sign = match self.token.kind {
                Kind::Punct(c @ (b'+' | b'-')) => c,
                _ => return Ok(sum),
            };
            self.advance();
            let term = self.nested(|p| p.binary(SUM + 1))?.value as i64;
            sum = match sign {
                b'+' => sum.wrapping_add(term),
                _ => sum.wrapping_sub(term),
            };
        }
    }

    fn conditional(&mut self) -> Parsed<Int> {
        self.nested(|p| {
            let condition = p.binary(1)?;
            if !p.eat(b'?') {
                return Ok(condition);
            }
            let yes = p.conditional()?;
            p.expect(b':')?;
            let no = p.conditional()?;
            Ok(if condition.value != 0 { yes } else { no })
        })
    }

    fn operator(&self) -> Option<(u8, Kind)> {
        let strength = match self.token.kind {
            Kind::OrOr => 1,
            Kind::AndAnd => 2,
            Kind::Punct(b'|') => 3,
            Kind::Punct(b'^') => 4,
            Kind::Punct(b'&') => 5,
            Kind::EqualEqual | Kind::NotEqual => 6,
            Kind::Punct(b'<' | b'>') | Kind::LessEqual | Kind::GreaterEqual => 7,
            Kind::Shl | Kind::Shr => 8,
            Kind::Punct(b'+' | b'-') => SUM,
            Kind::Punct(b'*' | b'/' | b'%') => 10,
            _ => return None,
        };
        Some((strength, self.token.kind))
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Int> {
        let mut left = self.unary()?;
        while let Some((strength, operator)) = self.operator() {
            if strength < weakest {
                break;
            }
            let span = self.advance().span;
            let right = self.nested(|p| p.binary(strength + 1))?;
            left = self.apply(operator, left, right, span)?;
        }
        Ok(left)
    }

    fn apply(&mut self, operator: Kind, a: Int, b: Int, span: Span) -> Parsed<Int> {
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.value, b.value);
        let (sx, sy) = (x as i64, y as i64);
        let of = |value| Int { value, unsigned };
        let less = |p: u64, q: u64| {
            if unsigned {
                p < q
            } else {
                (p as i64) < (q as i64)
            }
        };
        Ok(match operator {
            Kind::OrOr => Int::truth(x != 0 || y != 0),
            Kind::AndAnd => Int::truth(x != 0 && y != 0),
            Kind::Punct(b'|') => of(x | y),
            Kind::Punct(b'^') => of(x ^ y),
            Kind::Punct(b'&') => of(x & y),
            Kind::EqualEqual => Int::truth(x == y),
            Kind::NotEqual => Int::truth(x != y),
            Kind::Punct(b'<') => Int::truth(less(x, y)),
            Kind::Punct(b'>') => Int::truth(less(y, x)),
            Kind::LessEqual => Int::truth(!less(y, x)),
            Kind::GreaterEqual => Int::truth(!less(x, y)),
            // A shift has its left operand's type, whatever the amount's.
            Kind::Shl => Int {
                value: u32::try_from(y)
                    .ok()
                    .and_then(|n| x.checked_shl(n))
                    .unwrap_or(0),
                unsigned: a.unsigned,
            },
            Kind::Shr => Int {
                value: if a.unsigned {
                    u32::try_from(y)
                        .ok()
                        .and_then(|n| x.checked_shr(n))
                        .unwrap_or(0)
                } else {
                    (sx >> y.min(63)) as u64
                },
                unsigned: a.unsigned,
            },
            Kind::Punct(b'+') => of(x.wrapping_add(y)),
            Kind::Punct(b'-') => of(x.wrapping_sub(y)),
            Kind::Punct(b'*') => of(x.wrapping_mul(y)),
            _ if y == 0 => {
                return Err(self.error(span, "division by zero in a constant expression"));
            }
            Kind::Punct(b'/') if unsigned => of(x / y),
            Kind::Punct(b'/') => of(sx.wrapping_div(sy) as u64),
            _ if unsigned => of(x % y),
            _ => of(sx.wrapping_rem(sy) as u64),
        })
    }

    fn unary(&mut self) -> Parsed<Int> {
        match self.token.kind {
            Kind::Int { value, unsigned } => {
                self.advance();
                Ok(Int { value, unsigned })
            }
            Kind::Ident if self.word() == "WARP_SZ" => {
                self.advance();
                Ok(Int {
                    value: WARP_SIZE,
                    unsigned: false,
                })
            }
            Kind::Punct(sign @ (b'-' | b'+' | b'~' | b'!')) => {
                self.advance();
                let v = self.nested(Self::unary)?;
                Ok(match sign {
                    b'-' => Int {
                        value: v.value.wrapping_neg(),
                        ..v
                    },
                    b'~' => Int {
                        value: !v.value,
                        ..v
                    },
                    b'!' => Int::truth(v.value == 0),
                    _ => v,
                })
            }
            Kind::Punct(b'(') => {
                self.advance();
                if self.token.kind == Kind::Dotted {
                    let unsigned = match self.word() {
                        ".u64" => true,
                        ".s64" => false,
                        _ => return Err(self.expected("`.s64` or `.u64`")),
                    };
                    self.advance();
                    self.expect(b')')?;
                    let v = self.nested(Self::unary)?;
                    return Ok(Int { unsigned, ..v });
                }
                let v = self.conditional()?;
                self.expect(b')')?;
                Ok(v)
            }
            Kind::F32(_) | Kind::F64(_) => {
                let span = self.token.span;
                Err(self.error(
                    span,
                    "a floating-point number cannot be part of an integer expression",
                ))
            }
            _ => Err(self.expected("a constant")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<(i64, bool), String> {
        let mut p = Parser::new(text);
        match p.constant() {
            Ok(Constant::Integer { value, unsigned }) => Ok((value as i64, unsigned)),
            Ok(other) => Err(format!("{other:?}")),
            Err(_) => Err(p.found[0].message.clone()),
        }
    }

    #[test]
    fn operators() {
        for (text, want) in [
            ("1+2*3", (7, false)),
            ("(1+2)*3", (9, false)),
            ("-7/2", (-3, false)),
            ("-7%3", (-1, false)),
            ("10U/3", (3, true)),
            ("1<<4|1", (17, false)),
            ("-1>>1", (-1, false)),
            ("1<<64", (0, false)),
            ("~0&0xF^1", (14, false)),
            ("!5", (0, false)),
            ("3>2?10:20", (10, false)),
            ("-1<1U", (0, false)),
            ("(.u64)-1 > 1", (1, false)),
            ("5>=5&&4!=4||0", (0, false)),
            ("WARP_SZ-1", (31, false)),
            ("0x8000000000000000", (i64::MIN, true)),
            ("-9223372036854775807-1", (i64::MIN, false)),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_has_no_value() {
        assert_eq!(
            value("1/0"),
            Err("division by zero in a constant expression".into())
        );
        assert!(value("1+").is_err());
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
    }
}
