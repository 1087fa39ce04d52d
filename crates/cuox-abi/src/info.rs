//! The shapes of the tables.

/// The meaning of stream 0 for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamClass {
    /// The legacy default stream, or the function has nothing to do with streams.
    Plain,
    /// `_ptds`: a function without a stream argument that works on the calling thread's default stream.
    Ptds,
    /// `_ptsz`: a function with a stream argument whose 0 is the calling thread's default stream.
    Ptsz,
}

/// A parameter of a driver function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// The header's name for it.
    pub name: &'static str,
    /// Its type in C.
    pub c_type: &'static str,
    /// Its type in Rust, with this crate's names.
    pub rust_type: &'static str,
}

/// A driver function; all of them return [`CUresult`](crate::CUresult).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// The exported name, such as `cuMemcpyHtoD_v2_ptds`.
    pub symbol: &'static str,
    /// The symbol without `_ptds` or `_ptsz`.
    pub plain: &'static str,
    /// The name that `cuGetProcAddress` knows.
    pub base: &'static str,
    /// The meaning of stream 0.
    pub class: StreamClass,
    /// The header's chapter, such as `CUDA_MEM`; `CUDA_LEGACY` for functions declared for old binaries only.
    pub group: &'static str,
    /// Its parameters.
    pub params: &'static [ParamInfo],
}

impl FunctionInfo {
    /// Finds a function by its symbol.
    pub fn find(symbol: &str) -> Option<&'static FunctionInfo> {
        let index = crate::FUNCTIONS.binary_search_by(|function| function.symbol.cmp(symbol));
        index.ok().map(|index| &crate::FUNCTIONS[index])
    }
}

/// An enumeration of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumInfo {
    /// The header's name for it.
    pub name: &'static str,
    /// True if it holds negative values.
    pub signed: bool,
    /// Names and values in the header's order; two names may share a value.
    pub constants: &'static [(&'static str, i64)],
}

impl EnumInfo {
    /// Finds an enumeration by its name.
    pub fn find(name: &str) -> Option<&'static EnumInfo> {
        let index = crate::ENUMS.binary_search_by(|info| info.name.cmp(name));
        index.ok().map(|index| crate::ENUMS[index])
    }

    /// The first name with this value.
    pub fn name_of(&self, value: i64) -> Option<&'static str> {
        let found = self.constants.iter().find(|(_, known)| *known == value);
        found.map(|(name, _)| *name)
    }
}

/// A field of a structure or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// The header's name for it; empty for an anonymous member.
    pub name: &'static str,
    /// Its type in Rust, with this crate's names.
    pub rust_type: &'static str,
    /// Where it lies, in bytes.
    pub offset: usize,
}

/// A structure or union of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordInfo {
    /// The header's name for it, or the outer record's and the field's for one that is defined in place.
    pub name: &'static str,
    /// True for a union.
    pub is_union: bool,
    /// Its size in bytes.
    pub size: usize,
    /// Its alignment in bytes.
    pub align: usize,
    /// Its fields in order.
    pub fields: &'static [FieldInfo],
}

impl RecordInfo {
    /// Finds a structure or union by its name; [`ALIASES`](crate::ALIASES) has the header's other names for it.
    pub fn find(name: &str) -> Option<&'static RecordInfo> {
        let index = crate::RECORDS.binary_search_by(|record| record.name.cmp(name));
        index.ok().map(|index| &crate::RECORDS[index])
    }
}

/// A name that stands for another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AliasInfo {
    /// The name.
    pub name: &'static str,
    /// The type that it stands for, in Rust with this crate's names.
    pub target: &'static str,
}

/// From which version on `cuGetProcAddress` answers a name with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcEntry {
    /// The name that is asked for.
    pub base: &'static str,
    /// Which kind of default stream is asked for.
    pub class: StreamClass,
    /// The first version with this answer, as `1000 * major + 10 * minor`.
    pub min_version: i32,
    /// The answer.
    pub symbol: &'static str,
    /// The answer's place in [`FUNCTIONS`](crate::FUNCTIONS).
    pub function: usize,
}
