//! Types, and the records, enumerations and typedefs that they name.

use clang_sys::*;

use super::comments;
use super::cursor::{Cursor, Ty};
use super::reader::Reader;
use crate::decl::{
    Constant, Enum, EnumId, EnumValue, Field, Float, FunctionType, Int, Record, RecordId, Type,
    Typedef, TypedefId, Value,
};

/// Types that nest deeper are not expressed.
const MOST_DEPTH: u32 = 64;

/// Name and declaration for a type that has none of its own.
#[derive(Clone, Copy)]
pub struct TypeContext<'a, 'u> {
    /// The name for a record or enumeration without one.
    pub name: &'a str,
    /// The declaration it is part of: its parameters' names are a callback's.
    pub declaration: Option<Cursor<'u>>,
    /// The depth in other types.
    depth: u32,
}

impl<'a, 'u> TypeContext<'a, 'u> {
    /// For the type of a declaration.
    pub fn new(name: &'a str, declaration: Option<Cursor<'u>>) -> TypeContext<'a, 'u> {
        TypeContext {
            name,
            declaration,
            depth: 0,
        }
    }

    fn deeper(self) -> TypeContext<'a, 'u> {
        TypeContext {
            depth: self.depth + 1,
            ..self
        }
    }
}

impl<'u> Reader<'u> {
    /// A type.
    pub fn ty(&mut self, ty: Ty<'u>, context: TypeContext<'_, 'u>) -> Type {
        if context.depth > MOST_DEPTH {
            return Type::Other(ty.spelling());
        }
        let inner = context.deeper();
        match ty.kind() {
            CXType_Void => Type::Void,
            CXType_Bool => Type::Bool,
            CXType_Char_U | CXType_Char_S => Type::Int(Int::Char),
            CXType_WChar => Type::Int(Int::WChar),
            CXType_SChar | CXType_UChar | CXType_Short | CXType_UShort | CXType_Int
            | CXType_UInt | CXType_Long | CXType_ULong | CXType_LongLong | CXType_ULongLong
            | CXType_Int128 | CXType_UInt128 | CXType_Char16 | CXType_Char32 => {
                int(ty).map_or_else(|| Type::Other(ty.spelling()), Type::Int)
            }
            CXType_Float | CXType_Double | CXType_LongDouble => float(ty),
            CXType_Complex => match self.ty(ty.element(), inner) {
                Type::Float(float) => Type::Complex(float),
                _ => Type::Other(ty.spelling()),
            },
            CXType_Pointer | CXType_LValueReference => {
                let to = ty.pointee();
                Type::Pointer {
                    constant: is_const(to),
                    to: self.ty(to, inner).into(),
                }
            }
            CXType_ConstantArray | CXType_IncompleteArray => Type::Array {
                of: self.ty(ty.array_element(), inner).into(),
                length: ty.array_size().try_into().ok(),
            },
            CXType_FunctionProto | CXType_FunctionNoProto => self.function_type(ty, inner),
            CXType_Elaborated => self.ty(ty.named(), inner),
            CXType_Attributed => self.ty(ty.modified(), inner),
            CXType_Typedef => self.typedef(ty.declaration(), inner),
            CXType_Record => self.record(ty.declaration(), context.name),
            CXType_Enum => Type::Enum(self.enumeration(ty.declaration(), context.name)),
            // `__typeof__`, `auto` and C++'s `decltype`.
            _ => {
                let canonical = ty.canonical();
                match canonical.kind() == ty.kind() || canonical.kind() == CXType_Invalid {
                    true => Type::Other(ty.spelling()),
                    false => self.ty(canonical, inner),
                }
            }
        }
    }

    /// A parameter's type: an array or a function is a pointer there.
    pub fn parameter_type(&mut self, ty: Ty<'u>, context: TypeContext<'_, 'u>) -> Type {
        let inner = context.deeper();
        let canonical = ty.canonical();
        match canonical.kind() {
            CXType_ConstantArray
            | CXType_IncompleteArray
            | CXType_VariableArray
            | CXType_DependentSizedArray => {
                // A `va_list` is an array of one, too.
                let own = self.ty(ty, inner);
                if let Type::VaList = self.header.resolve(&own) {
                    return Type::VaList;
                }
                let mut array = ty;
                while let CXType_Elaborated | CXType_Attributed | CXType_Typedef = array.kind() {
                    array = match array.kind() {
                        CXType_Elaborated => array.named(),
                        CXType_Attributed => array.modified(),
                        _ => array.declaration().underlying(),
                    };
                }
                let of = array.array_element();
                Type::Pointer {
                    // `const` before a typedef of an array is of the elements.
                    constant: is_const(of) || is_const(canonical),
                    to: self.ty(of, inner).into(),
                }
            }
            CXType_FunctionProto | CXType_FunctionNoProto => Type::Pointer {
                to: self.ty(ty, inner).into(),
                constant: false,
            },
            _ => self.ty(ty, context),
        }
    }

    fn function_type(&mut self, ty: Ty<'u>, context: TypeContext<'_, 'u>) -> Type {
        if let Some(convention) = foreign_convention(ty) {
            return Type::Other(format!("{} ({convention})", ty.spelling()));
        }
        let count = ty.argument_count().max(0) as u32;
        let declared = context
            .declaration
            .map(Cursor::children)
            .unwrap_or_default();
        let declared: Vec<Cursor<'u>> = declared
            .into_iter()
            .filter(|c| c.kind() == CXCursor_ParmDecl)
            .collect();
        let declared = (declared.len() == count as usize).then_some(declared);
        let mut parameters = Vec::new();
        for index in 0..count {
            let parameter = declared.as_ref().map(|all| all[index as usize]);
            let name = parameter.map(Cursor::name).unwrap_or_default();
            let ty = parameter.map_or_else(|| ty.argument(index), Cursor::ty);
            let own = format!("{}_{}", context.name, or_index(&name, index));
            let inner = TypeContext {
                name: &own,
                declaration: parameter,
                depth: context.depth,
            };
            parameters.push((name, self.parameter_type(ty, inner)));
        }
        let own = format!("{}_result", context.name);
        let inner = TypeContext {
            name: &own,
            declaration: None,
            depth: context.depth,
        };
        Type::Function(Box::new(FunctionType {
            parameters,
            result: self.ty(ty.result(), inner),
            variadic: is_variadic(ty),
        }))
    }

    /// The type that a typedef's name stands for.
    pub fn typedef(&mut self, declaration: Cursor<'u>, context: TypeContext<'_, 'u>) -> Type {
        let declaration = declaration.canonical();
        if let Some(known) = self.typedefs.get(&declaration) {
            return known.clone();
        }
        let name = declaration.name();
        let underlying = declaration.underlying();
        let kept = self.files.kept(declaration.location());
        let ty = match name.as_str() {
            "va_list" | "__builtin_va_list" | "__gnuc_va_list" | "__va_list" if !kept => {
                Type::VaList
            }
            "wchar_t" if !kept => Type::Int(Int::WChar),
            _ => {
                // A record without a name that the typedef itself does not name, as it is of a pointer to that.
                let own = format!("{name}_target");
                let inner = TypeContext {
                    name: &own,
                    declaration: Some(declaration),
                    depth: context.depth,
                };
                // `int8_t` is `__int8_t` to the C library, and nobody else knows that name.
                let canonical = underlying.canonical();
                let ty = match kept || int(canonical).is_none() {
                    true => self.ty(underlying, inner),
                    false => self.ty(canonical, inner),
                };
                match self.is_name_of(&ty, &name) {
                    true => {
                        self.describe(&ty, || doc(declaration));
                        ty
                    }
                    false => {
                        let place = self.files.place(declaration.location());
                        let doc = doc(declaration);
                        self.header.typedefs.push(Typedef {
                            name,
                            ty,
                            doc,
                            place,
                        });
                        Type::Typedef(TypedefId(self.header.typedefs.len() as u32 - 1))
                    }
                }
            }
        };
        self.typedefs.insert(declaration, ty.clone());
        ty
    }

    /// True if a type is a record or an enumeration that has this name and no tag.
    fn is_name_of(&self, ty: &Type, name: &str) -> bool {
        match ty {
            Type::Record(id) => {
                let record = self.header.record(*id);
                !record.tagged && record.name == name
            }
            Type::Enum(id) => {
                let enumeration = self.header.enumeration(*id);
                !enumeration.tagged && enumeration.name == name
            }
            _ => false,
        }
    }

    /// Gives a type without a comment the comment of the typedef that names it.
    fn describe(&mut self, ty: &Type, doc: impl FnOnce() -> Option<String>) {
        let own = match ty {
            Type::Record(id) => &mut self.header.records[id.0 as usize].doc,
            Type::Enum(id) => &mut self.header.enums[id.0 as usize].doc,
            _ => return,
        };
        if own.is_none() {
            *own = doc();
        }
    }

    /// A structure, union or class.
    pub fn record(&mut self, declaration: Cursor<'u>, context: &str) -> Type {
        let declaration = declaration.canonical();
        if let Some(&id) = self.records.get(&declaration) {
            return Type::Record(id);
        }
        let (mut name, tagged) = tag_of(declaration);
        if name == "__va_list_tag" {
            return Type::VaList;
        }
        if name.is_empty() {
            name = context.to_owned();
        }
        let definition = declaration.definition();
        let id = RecordId(self.header.records.len() as u32);
        let known = if definition.is_null() {
            declaration
        } else {
            definition
        };
        let place = self.files.place(known.location());
        self.header.records.push(Record {
            name,
            tagged,
            union: declaration.kind() == CXCursor_UnionDecl,
            size: None,
            align: 0,
            fields: Vec::new(),
            doc: doc(known),
            place,
        });
        self.records.insert(declaration, id);
        if !definition.is_null() {
            // Records refer to each other; one at a time keeps the stack short.
            self.queue.push_back((id, definition));
        }
        Type::Record(id)
    }

    /// Fills in records until all that are known are complete.
    pub fn complete(&mut self) {
        while let Some((id, definition)) = self.queue.pop_front() {
            if let Some(reason) = unfit(definition) {
                self.unfit.insert(id, reason);
                continue;
            }
            let ty = definition.ty();
            let (Ok(size), Ok(align)) = (u64::try_from(ty.size()), u64::try_from(ty.align()))
            else {
                self.unfit.insert(id, "has no size".into());
                continue;
            };
            let fields = self.fields(id, ty);
            let record = &mut self.header.records[id.0 as usize];
            match fields {
                Some(fields) => {
                    if fields.is_empty() {
                        self.unfit.insert(id, "has no fields".into());
                    }
                    record.fields = fields;
                    record.size = Some(size);
                    record.align = align;
                }
                None => {
                    self.unfit
                        .insert(id, "has a field that cannot be placed".into());
                }
            }
        }
    }

    fn fields(&mut self, id: RecordId, ty: Ty<'u>) -> Option<Vec<Field>> {
        let outer = self.header.record(id).name.clone();
        let mut fields = Vec::new();
        let mut anonymous = 0;
        for field in ty.fields() {
            let name = field.name();
            let bits = match field.is_bit_field() {
                true => Some(u32::try_from(field.bit_width()).ok()?),
                false => None,
            };
            if bits.is_some() && name.is_empty() {
                // Such a field only moves the next ones.
                continue;
            }
            let own = match name.is_empty() {
                false => format!("{outer}_{name}"),
                true => {
                    anonymous += 1;
                    format!("{outer}_anonymous{anonymous}")
                }
            };
            let ty = self.ty(field.ty(), TypeContext::new(&own, Some(field)));
            fields.push(Field {
                name,
                ty,
                offset: field.field_offset().try_into().ok()?,
                bits,
                constant: is_const(field.ty()),
                doc: doc(field),
            });
        }
        Some(fields)
    }

    /// An enumeration.
    pub fn enumeration(&mut self, declaration: Cursor<'u>, context: &str) -> EnumId {
        let declaration = declaration.canonical();
        if let Some(&id) = self.enums.get(&declaration) {
            return id;
        }
        let definition = declaration.definition();
        let known = if definition.is_null() {
            declaration
        } else {
            definition
        };
        let (mut name, tagged) = tag_of(declaration);
        let anonymous = name.is_empty();
        if anonymous {
            name = context.to_owned();
        }
        let held_by = known.enum_type().canonical();
        let underlying = match held_by.kind() {
            CXType_Bool => Int::U8,
            // Clang says `unsigned int` where no value is negative, as GCC does.
            _ => int(held_by).unwrap_or(Int::U32),
        };
        let mut values = Vec::new();
        for constant in known.children() {
            if constant.kind() != CXCursor_EnumConstantDecl {
                continue;
            }
            let value = match underlying.signed() {
                true => constant.enum_value().into(),
                false => constant.enum_value_unsigned().into(),
            };
            let named = EnumValue {
                name: constant.name(),
                value,
                doc: doc(constant),
            };
            if anonymous {
                self.header.constants.push(Constant {
                    name: named.name.clone(),
                    value: Value::Int(value),
                    function: None,
                    doc: named.doc.clone(),
                    place: self.files.place(constant.location()),
                });
            }
            values.push(named);
        }
        let place = self.files.place(known.location());
        let id = EnumId(self.header.enums.len() as u32);
        self.header.enums.push(Enum {
            name,
            tagged,
            underlying,
            values,
            doc: doc(known),
            place,
        });
        self.enums.insert(declaration, id);
        id
    }
}

/// A name, or where there is none, the place in a list.
pub fn or_index(name: &str, index: u32) -> String {
    match name.is_empty() {
        true => format!("arg{index}"),
        false => name.to_owned(),
    }
}

/// The comment that belongs to a declaration. One that is not marked as documentation must stand directly before it, or
/// behind it on its line.
pub fn doc(declaration: Cursor<'_>) -> Option<String> {
    let raw = declaration.comment();
    if raw.is_empty() {
        let (first, _) = declaration.extent();
        let raw =
            comments::before_condition(declaration.source(first.file), first.offset as usize)?;
        return comments::text(&raw);
    }
    if !comments::is_marked(&raw) {
        let (start, end) = declaration.comment_range();
        let (first, last) = declaration.extent();
        let before = end.line + 1 >= first.line && start.line <= first.line;
        let behind = start.line >= first.line && start.line <= last.line;
        if start.file != first.file || !(before || behind) {
            return None;
        }
    }
    comments::text(&raw)
}

/// A record's or enumeration's name and whether that is a tag; the name is a typedef's or empty otherwise.
pub(super) fn tag_of(declaration: Cursor<'_>) -> (String, bool) {
    // libclang's own spelling has changed over the versions; this has not: `c:@S@tag`, `c:@SA@typedef`.
    let usr = declaration.usr();
    let Some((before, name)) = usr.rsplit_once('@') else {
        return (String::new(), false);
    };
    match before.rsplit('@').next() {
        Some("S" | "U" | "E") => (name.to_owned(), true),
        Some("SA" | "UA" | "EA") => (name.to_owned(), false),
        _ => (String::new(), false),
    }
}

/// The reason why a C++ class is not a plain record that C knows too.
fn unfit(definition: Cursor<'_>) -> Option<String> {
    for child in definition.children() {
        let reason = match child.kind() {
            CXCursor_CXXBaseSpecifier => "has a base class",
            CXCursor_CXXMethod if child.is_virtual() => "has virtual functions",
            CXCursor_Destructor if !child.is_defaulted() => "has a destructor",
            CXCursor_Constructor
                if (child.is_copy() || child.is_move()) && !child.is_defaulted() =>
            {
                "is copied by a function of its own"
            }
            _ => continue,
        };
        return Some(reason.to_owned());
    }
    None
}

/// The integer type of that size and sign.
pub(super) fn int(ty: Ty<'_>) -> Option<Int> {
    let signed = match ty.kind() {
        CXType_SChar | CXType_Short | CXType_Int | CXType_Long | CXType_LongLong
        | CXType_Int128 => true,
        CXType_UChar | CXType_UShort | CXType_UInt | CXType_ULong | CXType_ULongLong
        | CXType_UInt128 | CXType_Char16 | CXType_Char32 => false,
        CXType_Char_U | CXType_Char_S => return Some(Int::Char),
        CXType_WChar => return Some(Int::WChar),
        _ => return None,
    };
    Some(match (ty.size(), signed) {
        (1, true) => Int::I8,
        (1, false) => Int::U8,
        (2, true) => Int::I16,
        (2, false) => Int::U16,
        (4, true) => Int::I32,
        (4, false) => Int::U32,
        (8, true) => Int::I64,
        (8, false) => Int::U64,
        (16, true) => Int::I128,
        (16, false) => Int::U128,
        _ => return None,
    })
}

pub(super) fn float(ty: Ty<'_>) -> Type {
    match (ty.kind(), ty.size()) {
        (CXType_LongDouble, 16) => Type::Float(Float::Long),
        (_, 4) => Type::Float(Float::F32),
        (_, 8) => Type::Float(Float::F64),
        _ => Type::Other(ty.spelling()),
    }
}

/// True if the type is `const`; of an array, if its elements are.
pub(super) fn is_const(ty: Ty<'_>) -> bool {
    let mut ty = ty.canonical();
    while let CXType_ConstantArray | CXType_IncompleteArray = ty.kind() {
        if ty.is_const() {
            return true;
        }
        ty = ty.array_element().canonical();
    }
    ty.is_const()
}

/// True if a function takes more arguments than it names. One without a prototype is called in that way too.
pub fn is_variadic(ty: Ty<'_>) -> bool {
    ty.kind() == CXType_FunctionNoProto || ty.is_variadic()
}

/// The name of a calling convention that is not the target's usual one.
pub fn foreign_convention(ty: Ty<'_>) -> Option<&'static str> {
    Some(match ty.convention() {
        CXCallingConv_Default
        | CXCallingConv_C
        | CXCallingConv_X86_64SysV
        | CXCallingConv_Invalid
        | CXCallingConv_Unexposed => return None,
        CXCallingConv_X86_64Win64 => "called as on Windows",
        CXCallingConv_X86VectorCall => "__vectorcall",
        CXCallingConv_X86RegCall => "__regcall",
        CXCallingConv_X86StdCall => "__stdcall",
        CXCallingConv_X86FastCall => "__fastcall",
        _ => "not called as C functions are",
    })
}
