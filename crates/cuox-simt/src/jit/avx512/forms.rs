//! Opcodes of the vector instructions that wide code uses.

use crate::ir::{Float, Round};
use crate::jit::avx512::encode::Form;

pub const LOAD: Form = Form::new(1, 2, true, 0x6f);
pub const STORE32: Form = Form::new(1, 2, false, 0x7f);
pub const STORE64: Form = Form::new(1, 2, true, 0x7f);
pub const STORE_HALF: Form = Form {
    length: 1,
    ..STORE64
};
pub const BROADCAST_WORD: Form = Form::new(2, 1, false, 0x58);
pub const BROADCAST_LONG: Form = Form::new(2, 1, true, 0x59);
pub const ADD32: Form = Form::new(1, 1, false, 0xfe);
pub const ADD64: Form = Form::new(1, 1, true, 0xd4);
pub const SUB32: Form = Form::new(1, 1, false, 0xfa);
pub const SUB64: Form = Form::new(1, 1, true, 0xfb);
pub const MUL32: Form = Form::new(2, 1, false, 0x40);
pub const MUL64: Form = Form::new(2, 1, true, 0x40);
pub const MUL_EVEN_S: Form = Form::new(2, 1, true, 0x28);
pub const MUL_EVEN_U: Form = Form::new(1, 1, true, 0xf4);
pub const AND: Form = Form::new(1, 1, false, 0xdb);
pub const AND64: Form = Form::new(1, 1, true, 0xdb);
pub const OR: Form = Form::new(1, 1, false, 0xeb);
pub const OR64: Form = Form::new(1, 1, true, 0xeb);
pub const XOR: Form = Form::new(1, 1, false, 0xef);
pub const XOR64: Form = Form::new(1, 1, true, 0xef);
/// `!a & b`.
pub const AND_NOT: Form = Form::new(1, 1, false, 0xdf);
pub const TERNARY: Form = Form::new(3, 1, false, 0x25);
pub const SHIFT_LEFT: Form = Form::new(2, 1, false, 0x47);
pub const SHIFT_RIGHT: Form = Form::new(2, 1, false, 0x45);
pub const SHIFT_RIGHT_S: Form = Form::new(2, 1, false, 0x46);
pub const MIN_S: Form = Form::new(2, 1, false, 0x39);
pub const MAX_S: Form = Form::new(2, 1, false, 0x3d);
pub const MIN_U: Form = Form::new(2, 1, false, 0x3b);
pub const MAX_U: Form = Form::new(2, 1, false, 0x3f);
pub const ABS32: Form = Form::new(2, 1, false, 0x1e);
pub const ABS64: Form = Form::new(2, 1, true, 0x1f);
pub const LEADING_ZEROS: Form = Form::new(2, 1, false, 0x44);
pub const BLEND: Form = Form::new(2, 1, false, 0x64);
pub const COMPARE_S: Form = Form::new(3, 1, false, 0x1f);
pub const COMPARE_U: Form = Form::new(3, 1, false, 0x1e);
/// Sets a mask bit for every lane in which `a & b` is not 0.
pub const TEST: Form = Form::new(2, 1, false, 0x27);
pub const TEST64: Form = Form::new(2, 1, true, 0x27);
pub const SIGN_EXTEND: Form = Form::new(2, 1, false, 0x25);
pub const ZERO_EXTEND: Form = Form::new(2, 1, false, 0x35);
/// Low halves of 64-bit lanes.
pub const TRUNCATE: Form = Form::new(2, 2, false, 0x35);
pub const UPPER_HALF: Form = Form::new(3, 1, true, 0x3b);
/// Lower half of `a`, with `b` above it.
pub const JOIN_HALVES: Form = Form::new(3, 1, true, 0x3a);
pub const FLOAT_OF_S: Form = Form::new(1, 0, false, 0x5b);
pub const FLOAT_OF_U: Form = Form::new(1, 3, false, 0x7a);
pub const DOUBLE_OF_S: Form = Form::new(1, 2, false, 0xe6);
pub const DOUBLE_OF_U: Form = Form::new(1, 2, false, 0x7a);
pub const S_OF_FLOAT: Form = Form::new(1, 1, false, 0x5b);
pub const U_OF_FLOAT: Form = Form::new(1, 0, false, 0x79);
/// Conversion that rounds towards zero.
pub const S_OF_DOUBLE_CUT: Form = Form::new(1, 1, true, 0xe6);
pub const U_OF_DOUBLE_CUT: Form = Form::new(1, 0, true, 0x78);
pub const DOUBLE_OF_FLOAT: Form = Form::new(1, 0, false, 0x5a);
pub const FLOAT_OF_DOUBLE: Form = Form::new(1, 1, true, 0x5a);
pub const HALF_OF_FLOAT: Form = Form::new(3, 1, false, 0x1d);
pub const FLOAT_OF_HALF: Form = Form::new(2, 1, false, 0x13);
pub const WORDS_OF_HALVES: Form = Form::new(2, 1, false, 0x33);
/// Selects from two vectors by an index; the destination holds the first one on entry.
pub const PERMUTE: Form = Form::new(2, 1, false, 0x7e);
/// Lower halves of words.
pub const HALVES_OF_WORDS: Form = Form::new(2, 2, false, 0x33);
/// Products of 16-bit values, added in pairs.
pub const DOT: Form = Form::new(1, 1, false, 0xf5);
/// Products of unsigned and signed bytes, added in pairs.
pub const DOT_BYTES: Form = Form::new(2, 1, false, 0x04);
pub const ADD_HALVES: Form = Form::new(1, 1, false, 0xfd);
/// Selects bytes within 16 bytes by an index; 0 where the index's top bit is set.
pub const PICK_BYTES: Form = Form::new(2, 1, false, 0x00);
pub const ROUND: Form = Form::new(3, 1, false, 0x08);
pub const CLASS: Form = Form::new(3, 1, false, 0x66);

/// Class bit of [`CLASS`].
pub const SUBNORMAL: u8 = 0x20;
/// Comparison code.
pub const LESS: u8 = 0x11;
/// Rounding direction towards zero.
pub const TOWARD_ZERO: Option<u8> = Some(3);

pub const NAN: u32 = 0x7fff_ffff;
pub const SIGN: u32 = 0x8000_0000;

/// Returns the form for 64-bit elements.
pub const fn long(form: Form) -> Form {
    Form { wide: true, ..form }
}

/// Returns the form of a floating-point instruction for f32 or f64, which differ in prefix and W.
pub const fn float(code: u8, ty: Float) -> Form {
    match ty {
        Float::F64 => Form::new(1, 1, true, code),
        _ => Form::new(1, 0, false, code),
    }
}

/// Returns the form of a fused multiply-add instruction.
pub const fn fused(code: u8, ty: Float) -> Form {
    Form::new(2, 1, matches!(ty, Float::F64), code)
}

pub fn rounding(round: Round) -> Option<Option<u8>> {
    Some(match round {
        Round::Nearest => None,
        Round::Down => Some(1),
        Round::Up => Some(2),
        Round::Zero => Some(3),
        Round::Away => return None,
    })
}

/// Load of a whole vector of 32-bit lanes, for merging.
pub const LOAD32: Form = Form::new(1, 2, false, 0x6f);
