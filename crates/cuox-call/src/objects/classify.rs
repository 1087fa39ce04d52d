//! How a record travels by value: System V x86-64 psABI, 3.2.3, "Parameter Passing".

use super::{FieldInfo, FieldKind, Passing, field};
use crate::signature::{Scalar, Stored};

/// The class of eight bytes. The order is that in which a later one wins when two meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Nothing,
    Vector,
    Integer,
}

/// Why a record has no class in registers.
enum Not {
    Memory,
    Refused(&'static str),
}

/// How a record of this size is passed.
pub fn passing(size: usize, fields: &[FieldInfo]) -> Passing {
    if size > 16 {
        return Passing::Memory;
    }
    let mut parts = [Part::Nothing; 2];
    match merge(&mut parts, fields, 0) {
        Ok(()) => {}
        Err(Not::Memory) => return Passing::Memory,
        Err(Not::Refused(why)) => return Passing::Refused(why),
    }
    match parts {
        [Part::Nothing, Part::Nothing] => Passing::Registers(Vec::new()),
        [Part::Nothing, _] => Passing::Refused("its first eight bytes are padding"),
        [first, Part::Nothing] => Passing::Registers(vec![first == Part::Vector]),
        [first, second] => Passing::Registers(vec![first == Part::Vector, second == Part::Vector]),
    }
}

fn merge(parts: &mut [Part; 2], fields: &[FieldInfo], base: u64) -> Result<(), Not> {
    for field in fields {
        merge_kind(parts, &field.kind, base + field.offset)?;
    }
    Ok(())
}

/// `offset` is in bits from the outermost record's start.
fn merge_kind(parts: &mut [Part; 2], kind: &FieldKind, offset: u64) -> Result<(), Not> {
    match kind {
        FieldKind::Bits(_, width) => {
            // Wherever it lies, it is an integer's part.
            let last = offset + u64::from((*width).max(1)) - 1;
            mark(parts, offset, last, Part::Integer)
        }
        FieldKind::One(Stored::Record(class)) => match class.as_record() {
            Some(record) => merge(parts, record.fields(), offset),
            None => Err(Not::Memory),
        },
        FieldKind::One(stored) => {
            let size = 8 * field::stored_size(stored) as u64;
            if !offset.is_multiple_of(8 * field::stored_align(stored) as u64) {
                return Err(Not::Memory);
            }
            let part = match stored {
                Stored::Scalar(Scalar::F32 | Scalar::F64) => Part::Vector,
                Stored::Scalar(Scalar::Long) => {
                    return Err(Not::Refused("it has a long double"));
                }
                _ => Part::Integer,
            };
            mark(parts, offset, offset + size - 1, part)
        }
        FieldKind::List(_) => match offset.is_multiple_of(64) {
            true => mark(parts, offset, offset + 63, Part::Integer),
            false => Err(Not::Memory),
        },
        FieldKind::Array(element, lengths, _) => {
            let size = 8 * field::size(element) as u64;
            let count: u64 = match lengths.as_slice() {
                [] => 0,
                lengths => lengths.iter().product(),
            };
            // A record that is passed in registers has at most 16 bytes; elements of no size say nothing.
            if size > 0 {
                for i in 0..count {
                    merge_kind(parts, element, offset + i * size)?;
                }
            }
            Ok(())
        }
    }
}

fn mark(parts: &mut [Part; 2], first: u64, last: u64, part: Part) -> Result<(), Not> {
    for eight in first / 64..=last / 64 {
        let place = parts.get_mut(eight as usize).ok_or(Not::Memory)?;
        *place = part.max(*place);
    }
    Ok(())
}
