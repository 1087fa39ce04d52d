//! Declarations of other projects' headers that nothing bound needs.

use std::collections::HashSet;

use super::{Header, Place, RecordId, Type};

impl Header {
    /// Leaves functions and variables only where `keep` says so, and makes records of other files opaque where nothing
    /// that is left uses them. `own` tells the files whose types are all kept.
    pub fn hide(&mut self, keep: impl Fn(&str) -> bool, own: impl Fn(&str) -> bool) {
        self.functions.retain(|it| keep(&it.name));
        self.variables.retain(|it| keep(&it.name));
        self.refused.retain(|it| keep(&it.name));
        let files = self.files.clone();
        let is_own = |place: Place| files.get(place.file as usize).is_some_and(|file| own(file));
        let mut uses = Uses::default();
        for function in &self.functions {
            let types = function.parameters.iter().map(|it| &it.ty);
            types
                .chain([&function.result])
                .for_each(|ty| uses.look(self, ty, true, 0));
        }
        self.variables
            .iter()
            .for_each(|it| uses.look(self, &it.ty, true, 0));
        for typedef in self.typedefs.iter().filter(|it| is_own(it.place)) {
            uses.look(self, &typedef.ty, true, 0);
        }
        for (index, record) in self.records.iter().enumerate() {
            if is_own(record.place) {
                uses.record(self, RecordId(index as u32), 0);
            }
        }
        for (index, record) in self.records.iter_mut().enumerate() {
            let id = RecordId(index as u32);
            // The insides of what C's own library has a reserved name for are not for users.
            let reserved = record.name.starts_with('_') && !uses.values.contains(&id);
            if is_own(record.place) {
                continue;
            }
            if !uses.seen.contains(&id) {
                (record.size, record.align) = (None, 0);
                record.fields.clear();
            } else if reserved {
                record.fields.clear();
            }
        }
    }
}

/// The records that declarations use.
#[derive(Default)]
struct Uses {
    seen: HashSet<RecordId>,
    /// Those that are used by value.
    values: HashSet<RecordId>,
}

impl Uses {
    fn look(&mut self, header: &Header, ty: &Type, value: bool, depth: u32) {
        if depth > 32 {
            return;
        }
        match ty {
            Type::Pointer { to, .. } => self.look(header, to, false, depth + 1),
            Type::Array { of, .. } => self.look(header, of, value, depth + 1),
            Type::Typedef(_) => self.look(header, header.resolve(ty), value, depth + 1),
            Type::Function(function) => {
                let types = function.parameters.iter().map(|(_, ty)| ty);
                for ty in types.chain([&function.result]) {
                    self.look(header, ty, true, depth + 1);
                }
            }
            Type::Record(id) => {
                if value && self.values.insert(*id) || !header.record(*id).name.starts_with('_') {
                    self.record(header, *id, depth);
                }
                self.seen.insert(*id);
            }
            _ => {}
        }
    }

    /// A record, and what its fields are made of.
    fn record(&mut self, header: &Header, id: RecordId, depth: u32) {
        if self.seen.insert(id) {
            for field in &header.record(id).fields {
                self.look(header, &field.ty, true, depth + 1);
            }
        }
    }
}
