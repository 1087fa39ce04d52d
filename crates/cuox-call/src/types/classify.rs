//! Records by value: System V x86-64 psABI, 3.2.3, "Parameter Passing".

use crate::types::abi::Passing;
use crate::types::scalar::Scalar;
use crate::types::value::{FieldInfo, FieldKind, Stored};

/// The class of an eightbyte. If two meet in one, the later of this order wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EightbyteClass {
    Nothing,
    Vector,
    Integer,
}

/// The reason why a record is not passed in registers.
enum Unpassable {
    Memory,
    Refused(&'static str),
}

/// The way a record of this size is passed by value.
pub fn passing(size: usize, fields: &[FieldInfo]) -> Passing {
    if size > 16 {
        return Passing::Memory;
    }
    let mut classes = [EightbyteClass::Nothing; 2];
    match merge(&mut classes, fields, 0) {
        Ok(()) => {}
        Err(Unpassable::Memory) => return Passing::Memory,
        Err(Unpassable::Refused(why)) => return Passing::Refused(why),
    }
    match classes {
        [EightbyteClass::Nothing, EightbyteClass::Nothing] => Passing::Registers(Vec::new()),
        [EightbyteClass::Nothing, _] => Passing::Refused("its first eight bytes are padding"),
        [first, EightbyteClass::Nothing] => {
            Passing::Registers(vec![first == EightbyteClass::Vector])
        }
        [first, second] => Passing::Registers(vec![
            first == EightbyteClass::Vector,
            second == EightbyteClass::Vector,
        ]),
    }
}

fn merge(
    classes: &mut [EightbyteClass; 2],
    fields: &[FieldInfo],
    base: u64,
) -> Result<(), Unpassable> {
    for field in fields {
        merge_kind(classes, &field.kind, base + field.offset)?;
    }
    Ok(())
}

/// `offset` is in bits from the outermost record's start.
fn merge_kind(
    classes: &mut [EightbyteClass; 2],
    kind: &FieldKind,
    offset: u64,
) -> Result<(), Unpassable> {
    match kind {
        FieldKind::Bits(_, width) => {
            // A bit-field is part of an integer, aligned or not.
            let last = offset + u64::from((*width).max(1)) - 1;
            mark(classes, offset, last, EightbyteClass::Integer)
        }
        FieldKind::One(Stored::Record(class)) => match class.as_record() {
            Some(record) => merge(classes, record.fields(), offset),
            None => Err(Unpassable::Memory),
        },
        FieldKind::One(stored) => {
            let size = 8 * stored.size() as u64;
            if !offset.is_multiple_of(8 * stored.align() as u64) {
                return Err(Unpassable::Memory);
            }
            let class = match stored {
                Stored::Scalar(Scalar::F32 | Scalar::F64) => EightbyteClass::Vector,
                Stored::Scalar(Scalar::Long) => {
                    return Err(Unpassable::Refused("it has a long double"));
                }
                _ => EightbyteClass::Integer,
            };
            mark(classes, offset, offset + size - 1, class)
        }
        FieldKind::List(_) => match offset.is_multiple_of(64) {
            true => mark(classes, offset, offset + 63, EightbyteClass::Integer),
            false => Err(Unpassable::Memory),
        },
        FieldKind::Array(element, lengths, _) => {
            let size = 8 * element.size() as u64;
            let count: u64 = match lengths.as_slice() {
                [] => 0,
                lengths => lengths.iter().product(),
            };
            // A record that is passed in registers has at most 16 bytes; elements of no size say nothing.
            if size > 0 {
                for i in 0..count {
                    merge_kind(classes, element, offset + i * size)?;
                }
            }
            Ok(())
        }
    }
}

fn mark(
    classes: &mut [EightbyteClass; 2],
    first: u64,
    last: u64,
    class: EightbyteClass,
) -> Result<(), Unpassable> {
    for index in first / 64..=last / 64 {
        let eightbyte = classes.get_mut(index as usize).ok_or(Unpassable::Memory)?;
        *eightbyte = class.max(*eightbyte);
    }
    Ok(())
}
