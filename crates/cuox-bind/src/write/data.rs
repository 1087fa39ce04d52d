//! A binding as one text: the header and the plan without unneeded parts.

use serde::{Deserialize, Serialize};

use crate::decl::file::{self, FileContents, FileError};
use crate::decl::{EnumId, FunctionType, Header, RecordId, Type, TypedefId};
use crate::plan::{HandleOf, Plan};

/// A header and its plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// The declarations.
    pub header: Header,
    /// The plan for calling them.
    pub plan: Plan,
}

impl FileContents for Bound {
    const KIND: [u8; 4] = *b"bind";
    /// The header is part of it.
    const VERSION: u32 = Header::VERSION << 8 | 5;

    fn check(&self) -> Result<(), String> {
        self.header.check()?;
        self.plan
            .check(&self.header)
            .map_err(|error| error.to_string())
    }
}

/// A header and its plan as text, with the declarations that the plan needs.
///
/// # Errors
/// If they are too large.
pub fn pack(header: &Header, plan: &Plan) -> Result<String, FileError> {
    let bound = trim(header, plan);
    Ok(encode(&file::write(&bound)?))
}

/// The bytes that [`pack`] wrote as text; white space does not matter.
///
/// # Errors
/// For any other text.
pub fn unpack(text: &str) -> Result<Bound, FileError> {
    let bytes = decode(text).ok_or(FileError::NotOurs)?;
    file::read(&bytes)
}

/// The digits of base 85, as Python's `base64.b85encode` has them: none needs escaping in a string literal.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The value of each byte as a digit.
const VALUES: [Option<u8>; 256] = {
    let mut values = [None; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = Some(value as u8);
        value += 1;
    }
    values
};

fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 5 / 4 + 5);
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let mut value = u32::from_be_bytes(word);
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[(value % 85) as usize];
            value /= 85;
        }
        text.extend(digits[..chunk.len() + 1].iter().map(|digit| *digit as char));
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let mut bytes = Vec::with_capacity(digits.len() / 5 * 4 + 4);
    for chunk in digits.chunks(5) {
        if chunk.len() == 1 {
            return None;
        }
        let mut value: u64 = 0;
        for at in 0..5 {
            // Digits missing at the end count as the largest digit, and are cut off again.
            let digit = match chunk.get(at) {
                Some(byte) => VALUES[usize::from(*byte)]?,
                None => 84,
            };
            value = value * 85 + u64::from(digit);
        }
        let word = u32::try_from(value).ok()?;
        bytes.extend_from_slice(&word.to_be_bytes()[..chunk.len() - 1]);
    }
    Some(bytes)
}

/// The declarations that can be reached.
struct Reached {
    records: Vec<bool>,
    enums: Vec<bool>,
    typedefs: Vec<bool>,
}

/// A header and a plan with only the declarations that can be reached from bound ones.
fn trim(header: &Header, plan: &Plan) -> Bound {
    let mut kept = Reached {
        records: vec![false; header.records.len()],
        enums: vec![false; header.enums.len()],
        typedefs: vec![false; header.typedefs.len()],
    };
    let functions = plan
        .functions
        .iter()
        .map(|plan| &header.functions[plan.function as usize]);
    for function in functions.clone() {
        kept.keep(header, &function.result);
        for parameter in &function.parameters {
            kept.keep(header, &parameter.ty);
        }
    }
    for (id, _) in &plan.records {
        kept.keep(header, &Type::Record(*id));
    }
    for (id, _) in &plan.enums {
        kept.keep(header, &Type::Enum(*id));
    }
    for (index, _) in &plan.variables {
        kept.keep(header, &header.variables[*index as usize].ty);
    }
    for handle in &plan.handles {
        match handle.of {
            HandleOf::Pointer(id) => kept.keep(header, &Type::Record(id)),
            HandleOf::Typedef(id) | HandleOf::PointerTo(id) => {
                kept.keep(header, &Type::Typedef(id))
            }
        }
    }
    kept.keep_names(header);
    let moved = NewIndices {
        records: places(&kept.records),
        enums: places(&kept.enums),
        typedefs: places(&kept.typedefs),
    };
    let mut small = Header {
        name: header.name.clone(),
        target: header.target.clone(),
        files: header.files.clone(),
        records: chosen(&header.records, &kept.records),
        enums: chosen(&header.enums, &kept.enums),
        typedefs: chosen(&header.typedefs, &kept.typedefs),
        functions: functions.cloned().collect(),
        variables: Vec::new(),
        constants: Vec::new(),
        refused: Vec::new(),
    };
    let mut plan = plan.clone();
    for (at, function) in plan.functions.iter_mut().enumerate() {
        function.function = at as u32;
    }
    for (index, _) in &mut plan.variables {
        small
            .variables
            .push(header.variables[*index as usize].clone());
        *index = small.variables.len() as u32 - 1;
    }
    for record in &mut small.records {
        for field in &mut record.fields {
            moved.ty(&mut field.ty);
        }
    }
    for typedef in &mut small.typedefs {
        moved.ty(&mut typedef.ty);
    }
    for function in &mut small.functions {
        moved.ty(&mut function.result);
        for parameter in &mut function.parameters {
            moved.ty(&mut parameter.ty);
        }
    }
    for variable in &mut small.variables {
        moved.ty(&mut variable.ty);
    }
    for (id, _) in &mut plan.records {
        *id = RecordId(moved.records[id.0 as usize]);
    }
    for (id, _) in &mut plan.enums {
        *id = EnumId(moved.enums[id.0 as usize]);
    }
    for handle in &mut plan.handles {
        handle.of = match handle.of {
            HandleOf::Pointer(id) => HandleOf::Pointer(RecordId(moved.records[id.0 as usize])),
            HandleOf::Typedef(id) => HandleOf::Typedef(TypedefId(moved.typedefs[id.0 as usize])),
            HandleOf::PointerTo(id) => {
                HandleOf::PointerTo(TypedefId(moved.typedefs[id.0 as usize]))
            }
        };
    }
    plan.left_out.clear();
    Bound {
        header: small,
        plan,
    }
}

impl Reached {
    fn keep(&mut self, header: &Header, ty: &Type) {
        match ty {
            Type::Pointer { to, .. } => self.keep(header, to),
            Type::Array { of, .. } => self.keep(header, of),
            Type::Typedef(id) if !mark(&mut self.typedefs, id.0) => {
                self.keep(header, &header.typedef(*id).ty);
            }
            Type::Enum(id) => self.enums[id.0 as usize] = true,
            Type::Record(id) if !mark(&mut self.records, id.0) => {
                for field in &header.record(*id).fields {
                    self.keep(header, &field.ty);
                }
            }
            Type::Function(function) => {
                self.keep(header, &function.result);
                for (_, ty) in &function.parameters {
                    self.keep(header, ty);
                }
            }
            _ => {}
        }
    }
}

/// Marks one; says whether it was marked already.
fn mark(marks: &mut [bool], index: u32) -> bool {
    std::mem::replace(&mut marks[index as usize], true)
}

impl Reached {
    /// Keeps further names of kept declarations, and names of function types: they are names of classes.
    fn keep_names(&mut self, header: &Header) {
        for (at, typedef) in header.typedefs.iter().enumerate() {
            let wanted = match header.resolve(&typedef.ty) {
                Type::Record(id) => self.records[id.0 as usize],
                Type::Enum(id) => self.enums[id.0 as usize],
                Type::Pointer { to, .. } => match header.resolve(to) {
                    Type::Record(id) => self.records[id.0 as usize],
                    Type::Function(_) => true,
                    _ => false,
                },
                _ => matches!(&typedef.ty, Type::Typedef(id) if self.typedefs[id.0 as usize]),
            };
            if wanted {
                self.keep(header, &Type::Typedef(TypedefId(at as u32)));
            }
        }
    }
}

/// New indices of the declarations that are kept.
struct NewIndices {
    records: Vec<u32>,
    enums: Vec<u32>,
    typedefs: Vec<u32>,
}

impl NewIndices {
    fn ty(&self, ty: &mut Type) {
        match ty {
            Type::Pointer { to, .. } => self.ty(to),
            Type::Array { of, .. } => self.ty(of),
            Type::Typedef(id) => id.0 = self.typedefs[id.0 as usize],
            Type::Enum(id) => id.0 = self.enums[id.0 as usize],
            Type::Record(id) => id.0 = self.records[id.0 as usize],
            Type::Function(function) => {
                let FunctionType {
                    parameters, result, ..
                } = &mut **function;
                self.ty(result);
                for (_, ty) in parameters {
                    self.ty(ty);
                }
            }
            _ => {}
        }
    }
}

fn places(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let place = |kept: &bool| {
        let place = next;
        next += u32::from(*kept);
        place
    };
    kept.iter().map(place).collect()
}

fn chosen<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    let pairs = all.iter().zip(kept);
    pairs
        .filter(|(_, kept)| **kept)
        .map(|(it, _)| it.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base85_is_pythons() {
        // python3 -c "import base64; print(base64.b85encode(b'cuox bind'))"
        assert_eq!(encode(b"cuox bind"), "V|8zMAYy55WB");
        for length in 0..40u8 {
            let bytes: Vec<u8> = (0..length).map(|at| at.wrapping_mul(37)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(decode("~~~~~"), None);
        assert_eq!(decode("a"), None);
        assert_eq!(decode("\""), None);
    }
}
