//! Checks that the parts of a header fit together, as they do after parsing: for headers that come from a file.

use super::{Elements, Field, Float, Header, Place, RecordId, Type, TypedefId};

/// The greatest depth of records, arrays and typedefs in each other, so that code that walks them may recurse.
const MOST_DEPTH: u32 = 256;

/// State of a record or typedef while containment is walked.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Unseen,
    Open,
    Depth(u32),
}

struct Walk<'a> {
    header: &'a Header,
    records: Vec<Mark>,
    typedefs: Vec<Mark>,
}

impl Header {
    /// The size of a type in bytes; `None` if it has none that is known (`void`, functions, opaque records,
    /// inexpressible types).
    pub fn size_of(&self, ty: &Type) -> Option<u64> {
        Some(match ty {
            Type::Bool => 1,
            Type::Int(int) => int.size() as u64,
            Type::Float(float) => float_size(*float),
            Type::Complex(float) => 2 * float_size(*float),
            Type::Pointer { .. } => 8,
            Type::Array { of, length } => self.size_of(of)?.saturating_mul(length.unwrap_or(0)),
            Type::Record(id) => self.record(*id).size?,
            Type::Enum(id) => self.enumeration(*id).underlying.size() as u64,
            Type::Typedef(id) => return self.size_of(&self.typedef(*id).ty),
            Type::VaList => 24,
            Type::Void | Type::Function(_) | Type::Other(_) => return None,
        })
    }

    /// Finds parts that do not fit together: an index of nothing, a type that contains itself, a field beyond its
    /// record's end.
    ///
    /// # Errors
    /// The first thing that is found, in words.
    pub fn check(&self) -> Result<(), String> {
        let mut walk = Walk {
            header: self,
            records: vec![Mark::Unseen; self.records.len()],
            typedefs: vec![Mark::Unseen; self.typedefs.len()],
        };
        for index in 0..self.typedefs.len() {
            walk.typedef(TypedefId(index as u32), 0)?;
        }
        for (index, record) in self.records.iter().enumerate() {
            walk.record(RecordId(index as u32), 0)?;
            let align = record.align;
            if record.size.is_some() && !align.is_power_of_two() {
                return Err(format!("`{}` is aligned to {align} bytes", record.name));
            }
        }
        // Now that containment ends, sizes can be asked for.
        for record in &self.records {
            self.place_ok(record.place)?;
            for field in &record.fields {
                self.field_ok(field, record.size.unwrap_or(0))
                    .map_err(|error| format!("`{}`: {error}", record.name))?;
            }
        }
        for function in &self.functions {
            let named = |error: String| format!("`{}`: {error}", function.name);
            self.place_ok(function.place)?;
            walk.anywhere(&function.result, 0).map_err(named)?;
            self.passable(&function.result, true).map_err(named)?;
            for parameter in &function.parameters {
                walk.anywhere(&parameter.ty, 0).map_err(named)?;
                self.passable(&parameter.ty, false).map_err(named)?;
                if let Some(Elements::Parameter(index)) = parameter.elements
                    && index as usize >= function.parameters.len()
                {
                    return Err(named(format!("there is no parameter {index}")));
                }
            }
        }
        for variable in &self.variables {
            self.place_ok(variable.place)?;
            walk.anywhere(&variable.ty, 0)?;
        }
        let places = (self.enums.iter().map(|e| e.place))
            .chain(self.typedefs.iter().map(|t| t.place))
            .chain(self.constants.iter().map(|c| c.place))
            .chain(self.refused.iter().map(|r| r.place));
        places
            .into_iter()
            .try_for_each(|place| self.place_ok(place))
    }

    fn place_ok(&self, place: Place) -> Result<(), String> {
        match (place.file as usize) < self.files.len() {
            true => Ok(()),
            false => Err(format!("there is no file {}", place.file)),
        }
    }

    fn field_ok(&self, field: &Field, size: u64) -> Result<(), String> {
        if let Type::Void | Type::Function(_) = self.resolve(&field.ty) {
            let ty = self.c_type(&field.ty);
            return Err(format!("field `{}` is `{ty}`", field.name));
        }
        let end = match field.bits {
            Some(bits) => {
                let holds = self.size_of(&field.ty).unwrap_or(0).saturating_mul(8);
                if bits == 0 || u64::from(bits) > holds {
                    return Err(format!("field `{}` has {bits} bits", field.name));
                }
                field.offset.checked_add(u64::from(bits))
            }
            // A type that cannot be expressed has an unknown size, and lies where it may.
            None if !field.offset.is_multiple_of(8) => None,
            None => {
                let bytes = self.size_of(&field.ty).unwrap_or(0);
                bytes
                    .checked_mul(8)
                    .and_then(|b| b.checked_add(field.offset))
            }
        };
        match end {
            Some(end) if end <= size.saturating_mul(8) => Ok(()),
            _ => Err(format!("field `{}` is not inside", field.name)),
        }
    }

    /// True if a type is one that a function can take or give.
    fn passable(&self, ty: &Type, result: bool) -> Result<(), String> {
        match self.resolve(ty) {
            Type::Void if result => Ok(()),
            Type::Void | Type::Array { .. } | Type::Function(_) | Type::Other(_) => {
                Err(format!("it cannot take or give `{}`", self.c_type(ty)))
            }
            _ => Ok(()),
        }
    }
}

const fn float_size(float: Float) -> u64 {
    match float {
        Float::F32 => 4,
        Float::F64 => 8,
        Float::Long => 16,
    }
}

impl Walk<'_> {
    fn typedef(&mut self, id: TypedefId, level: u32) -> Result<u32, String> {
        let header = self.header;
        let typedef = header.typedefs.get(id.0 as usize);
        let typedef = typedef.ok_or_else(|| format!("there is no typedef {}", id.0))?;
        match self.typedefs[id.0 as usize] {
            Mark::Depth(depth) => return Ok(depth),
            Mark::Open => return Err(format!("typedef `{}` is of itself", typedef.name)),
            Mark::Unseen => self.typedefs[id.0 as usize] = Mark::Open,
        }
        let depth = self.contains(&typedef.ty, level + 1)? + 1;
        self.typedefs[id.0 as usize] = Mark::Depth(depth);
        Ok(depth)
    }

    fn record(&mut self, id: RecordId, level: u32) -> Result<u32, String> {
        let header = self.header;
        let record = header.records.get(id.0 as usize);
        let record = record.ok_or_else(|| format!("there is no record {}", id.0))?;
        match self.records[id.0 as usize] {
            Mark::Depth(depth) => return Ok(depth),
            Mark::Open => return Err(format!("`{}` contains itself", record.name)),
            Mark::Unseen => self.records[id.0 as usize] = Mark::Open,
        }
        let mut depth = 0;
        for field in &record.fields {
            depth = depth.max(self.contains(&field.ty, level + 1)? + 1);
        }
        self.records[id.0 as usize] = Mark::Depth(depth);
        Ok(depth)
    }

    /// The depth of a type by the types that it contains; pointees are checked without being gone into.
    fn contains(&mut self, ty: &Type, level: u32) -> Result<u32, String> {
        let too_deep = || Err("types contain each other too deep".to_owned());
        if level > MOST_DEPTH {
            return too_deep();
        }
        let depth = match ty {
            Type::Array { of, .. } => self.contains(of, level + 1)? + 1,
            Type::Record(id) => self.record(*id, level)?,
            Type::Typedef(id) => self.typedef(*id, level)?,
            _ => {
                self.anywhere(ty, level)?;
                0
            }
        };
        match depth > MOST_DEPTH {
            true => too_deep(),
            false => Ok(depth),
        }
    }

    /// True if all indices in a type are of something.
    fn anywhere(&self, ty: &Type, level: u32) -> Result<(), String> {
        if level > 2 * MOST_DEPTH {
            return Err("a type is nested too deep".to_owned());
        }
        let header = self.header;
        let known = |index: u32, count: usize, what: &str| match (index as usize) < count {
            true => Ok(()),
            false => Err(format!("there is no {what} {index}")),
        };
        match ty {
            Type::Record(id) => known(id.0, header.records.len(), "record"),
            Type::Enum(id) => known(id.0, header.enums.len(), "enumeration"),
            Type::Typedef(id) => known(id.0, header.typedefs.len(), "typedef"),
            Type::Pointer { to: of, .. } | Type::Array { of, .. } => self.anywhere(of, level + 1),
            Type::Function(function) => {
                self.anywhere(&function.result, level + 1)?;
                let mut types = function.parameters.iter().map(|(_, ty)| ty);
                types.try_for_each(|ty| self.anywhere(ty, level + 1))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decl::{Record, Typedef};

    fn record(ty: Type) -> Header {
        let field = Field {
            name: "f".into(),
            ty,
            offset: 0,
            bits: None,
            constant: false,
            doc: None,
        };
        let record = Record {
            name: "R".into(),
            tagged: true,
            union: false,
            size: Some(4),
            align: 4,
            fields: vec![field],
            doc: None,
            place: Place::default(),
        };
        Header {
            files: vec!["f.h".into()],
            records: vec![record],
            ..Header::default()
        }
    }

    fn typedefs(types: impl IntoIterator<Item = Type>) -> Header {
        let typedef = |ty| Typedef {
            name: "t".into(),
            ty,
            doc: None,
            place: Place::default(),
        };
        Header {
            files: vec!["f.h".into()],
            typedefs: types.into_iter().map(typedef).collect(),
            ..Header::default()
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let int = Type::Int(crate::decl::Int::I32);
        let array = |length| Type::Array {
            of: int.clone().into(),
            length: Some(length),
        };
        assert_eq!(record(int.clone()).check(), Ok(()));
        assert_eq!(record(array(1)).check(), Ok(()));
        for (header, expected) in [
            (record(array(2)), "`R`: field `f` is not inside"),
            (record(array(u64::MAX)), "`R`: field `f` is not inside"),
            (record(Type::Record(RecordId(0))), "`R` contains itself"),
            (record(Type::Record(RecordId(1))), "there is no record 1"),
            (
                typedefs([Type::Typedef(TypedefId(0))]),
                "typedef `t` is of itself",
            ),
            (
                typedefs([Type::Typedef(TypedefId(7))]),
                "there is no typedef 7",
            ),
        ] {
            assert_eq!(header.check().unwrap_err(), expected);
        }
    }

    #[test]
    fn long_chains_end_in_words() {
        for reverse in [false, true] {
            let mut chain: Vec<Type> = (1..100_000).map(|i| Type::Typedef(TypedefId(i))).collect();
            chain.push(Type::Bool);
            if reverse {
                chain = (0..100_000)
                    .map(|i: u32| {
                        i.checked_sub(1)
                            .map_or(Type::Bool, |i| Type::Typedef(TypedefId(i)))
                    })
                    .collect();
            }
            let message = typedefs(chain).check().unwrap_err();
            assert_eq!(message, "types contain each other too deep");
        }
    }
}
