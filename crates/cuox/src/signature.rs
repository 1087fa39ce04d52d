//! The parameters that a kernel really has.
//!
//! The PTX of a kernel gives each parameter's size, alignment and machine type; the CUDA C++ source, where it is at
//! hand, gives names and the difference between what PTX cannot tell apart (a pointer and a 64-bit integer, a
//! `bool` and a byte). [`Signature::merge`] joins both. (PTX ISA manual, *Kernel Function Directives: .entry* and
//! *Kernel Function Parameters*.)

mod cxx;
mod element;
mod names;
mod ptx;

pub use cxx::{CxxParam, kernel_params};
pub(crate) use cxx::{
    base_name, example_instance, kernel_overloads, mangled_params, tokens_with_directives,
};
pub use element::{Element, Scalar};
pub use names::readable;
pub(crate) use names::{parameter_types, readable_text};
pub use ptx::{entry_names, entry_params};

use std::fmt;

/// The type of a kernel parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamKind {
    /// A device pointer, 8 bytes.
    Pointer {
        /// The pointed-to type as the source spells it.
        pointee: Option<String>,
    },
    /// An integer.
    Int {
        /// 8, 16, 32, 64 or 128.
        bits: u8,
        /// Unknown where only the PTX is at hand.
        signed: Option<bool>,
    },
    /// A floating-point number in an IEEE format.
    Float {
        /// 16 (`__half`), 32 or 64.
        bits: u8,
    },
    /// A `__nv_bfloat16`.
    BFloat16,
    /// A `bool`, one byte.
    Bool,
    /// Eight bytes of which only the PTX is known: a pointer or a 64-bit integer.
    PointerOrInt,
    /// A structure or array passed by value.
    Struct {
        /// In bytes.
        size: u32,
        /// In bytes.
        align: u32,
    },
    /// Nothing but the size is known (code without PTX).
    Unknown {
        /// In bytes.
        size: u32,
    },
}

impl ParamKind {
    /// Size in bytes.
    pub fn size(&self) -> u32 {
        match self {
            Self::Pointer { .. } | Self::PointerOrInt => 8,
            Self::Int { bits, .. } | Self::Float { bits } => u32::from(*bits) / 8,
            Self::BFloat16 => 2,
            Self::Bool => 1,
            Self::Struct { size, .. } | Self::Unknown { size } => *size,
        }
    }

    /// Alignment in bytes.
    pub fn align(&self) -> u32 {
        match self {
            Self::Struct { align, .. } => *align,
            Self::Unknown { size } => match size {
                0 => 1,
                n => 1 << n.trailing_zeros().min(3),
            },
            other => other.size(),
        }
    }

    /// The values that it takes, for messages: `a device pointer`, `a 32-bit integer`.
    pub fn takes(&self) -> String {
        match self {
            Self::Pointer { .. } => "a device pointer".into(),
            Self::Int {
                bits,
                signed: Some(false),
            } => format!("an unsigned {bits}-bit integer"),
            Self::Int { bits, .. } => {
                format!("{} {bits}-bit integer", if *bits == 8 { "an" } else { "a" })
            }
            Self::Float { bits } => format!("a {bits}-bit floating-point number"),
            Self::BFloat16 => "a bfloat16 number".into(),
            Self::Bool => "a bool".into(),
            Self::PointerOrInt => "a device pointer or a 64-bit integer".into(),
            Self::Struct { size, .. } => format!("a structure of {size} bytes"),
            Self::Unknown { size } => format!("a value of {size} bytes"),
        }
    }
}

impl fmt::Display for ParamKind {
    /// The type in C++ as far as it is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer { pointee: Some(p) } => write!(f, "{p} *"),
            Self::Pointer { pointee: None } => f.write_str("void *"),
            Self::Int {
                bits,
                signed: Some(false),
            } => write!(f, "uint{bits}_t"),
            Self::Int { bits, .. } => write!(f, "int{bits}_t"),
            Self::Float { bits: 16 } => f.write_str("__half"),
            Self::Float { bits: 32 } => f.write_str("float"),
            Self::Float { .. } => f.write_str("double"),
            Self::BFloat16 => f.write_str("__nv_bfloat16"),
            Self::Bool => f.write_str("bool"),
            Self::PointerOrInt => f.write_str(".u64"),
            Self::Struct { size, align } => write!(f, "struct of {size} bytes, aligned to {align}"),
            Self::Unknown { size } => write!(f, "{size} bytes"),
        }
    }
}

/// One parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its type.
    pub kind: ParamKind,
    /// Its offset in the kernel's parameter buffer, in bytes.
    pub offset: u32,
    /// Its name in the source.
    pub name: Option<String>,
    /// Its type as the source spells it.
    pub cxx_type: Option<String>,
}

impl Param {
    /// The type for messages: the source's spelling, else what the PTX says.
    pub fn type_text(&self) -> String {
        self.cxx_type
            .clone()
            .unwrap_or_else(|| self.kind.to_string())
    }
}

/// The parameters of one kernel, with their places in its parameter buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    name: String,
    params: Box<[Param]>,
    size: u32,
}

impl Signature {
    /// A signature from kinds in order; offsets follow the C layout rules that kernels use.
    pub fn from_kinds(name: impl Into<String>, kinds: impl IntoIterator<Item = ParamKind>) -> Self {
        let mut end = 0u32;
        let params: Box<[Param]> = kinds
            .into_iter()
            .map(|kind| {
                let align = kind.align().max(1);
                let offset = end.next_multiple_of(align);
                end = offset + kind.size();
                Param {
                    kind,
                    offset,
                    name: None,
                    cxx_type: None,
                }
            })
            .collect();
        Self {
            name: name.into(),
            params,
            size: end,
        }
    }

    /// A signature from the driver's `(offset, size)` pairs (`cuKernelGetParamInfo`), for code without PTX.
    pub fn from_layout(name: impl Into<String>, layout: &[(usize, usize)]) -> Self {
        let params: Box<[Param]> = layout
            .iter()
            .map(|&(offset, size)| Param {
                kind: ParamKind::Unknown { size: size as u32 },
                offset: offset as u32,
                name: None,
                cxx_type: None,
            })
            .collect();
        let size = params
            .iter()
            .map(|p| p.offset + p.kind.size())
            .max()
            .unwrap_or(0);
        Self {
            name: name.into(),
            params,
            size,
        }
    }

    /// The signature of the kernel `name` from its PTX and the driver's `(offset, size)` pairs, as far as there are
    /// any. Where the two differ, the driver is right: the PTX is not that of the code that runs. `title` is the name
    /// for messages.
    pub fn of_kernel(
        title: &str,
        name: &str,
        ptx: Option<&str>,
        layout: Option<&[(usize, usize)]>,
    ) -> Option<Self> {
        let kinds = ptx.and_then(|ptx| entry_params(ptx, name));
        let from_ptx = kinds.map(|kinds| Self::from_kinds(title, kinds));
        match (from_ptx, layout) {
            (Some(signature), Some(layout)) if signature.layout() != layout => {
                Some(Self::from_layout(title, layout))
            }
            (Some(signature), _) => Some(signature),
            (None, layout) => layout.map(|layout| Self::from_layout(title, layout)),
        }
    }

    /// The kernel's name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parameters in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// Bytes of the whole parameter buffer.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// The `(offset, size)` of each parameter.
    pub fn layout(&self) -> Vec<(usize, usize)> {
        self.params
            .iter()
            .map(|p| (p.offset as usize, p.kind.size() as usize))
            .collect()
    }

    /// Adds what the source says: names, types, and the kinds that PTX cannot tell apart. With another number of
    /// parameters than this signature has, nothing is taken: the text was not this kernel's.
    pub fn merge(&mut self, name: &str, source: &[CxxParam]) {
        if source.len() != self.params.len() {
            return;
        }
        self.name = name.to_owned();
        for (param, from) in self.params.iter_mut().zip(source) {
            param.kind = from.refine(&param.kind);
            param.name.clone_from(&from.name);
            param.cxx_type = Some(from.type_text.clone());
        }
    }
}

impl Signature {
    /// Puts what templates' parameters and type aliases stand for in place of them, where a pointer points to one: from
    /// the types that the kernel's mangled name tells.
    pub(crate) fn resolve(&mut self, exact: &[CxxParam]) {
        if exact.len() != self.params.len() {
            return;
        }
        for (param, exact) in self.params.iter_mut().zip(exact) {
            if let ParamKind::Pointer {
                pointee: Some(pointee),
            } = &mut param.kind
                && Element::is_unknown(pointee)
                && let Some(found) = &exact.pointee
                && Element::of(found).is_some()
            {
                pointee.clone_from(found);
                param.cxx_type = Some(exact.type_text.clone());
            }
        }
    }
}

impl fmt::Display for Signature {
    /// As in C++: `saxpy(float a, const float *x)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, param) in self.params.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            let text = param.type_text();
            f.write_str(&text)?;
            if let Some(name) = &param.name {
                let space = if text.ends_with(['*', '&']) { "" } else { " " };
                write!(f, "{space}{name}")?;
            }
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
.visible .entry saxpy(
	.param .f32 saxpy_param_0,
	.param .u64 saxpy_param_1,
	.param .u64 saxpy_param_2,
	.param .u32 saxpy_param_3
)
{ ret; }";

    #[test]
    fn source_and_ptx_join() {
        let kinds = entry_params(PTX, "saxpy").unwrap();
        let mut s = Signature::from_kinds("saxpy", kinds);
        assert_eq!(s.layout(), [(0, 4), (8, 8), (16, 8), (24, 4)]);
        assert_eq!(s.to_string(), "saxpy(float, .u64, .u64, int32_t)");
        let source =
            "extern \"C\" __global__ void saxpy(float a, const float *x, float *y, int n) {}";
        s.merge("saxpy", &kernel_params(source, "saxpy").unwrap());
        assert_eq!(
            s.to_string(),
            "saxpy(float a, const float *x, float *y, int n)"
        );
        assert_eq!(
            s.params()[1].kind,
            ParamKind::Pointer {
                pointee: Some("const float".into())
            }
        );
        assert_eq!(
            s.params()[3].kind,
            ParamKind::Int {
                bits: 32,
                signed: Some(true)
            }
        );
    }

    #[test]
    fn another_count_takes_nothing() {
        let mut s = Signature::from_kinds("saxpy", entry_params(PTX, "saxpy").unwrap());
        let before = s.clone();
        s.merge(
            "saxpy",
            &kernel_params("__global__ void saxpy(float a) {}", "saxpy").unwrap(),
        );
        assert_eq!(s, before);
    }

    #[test]
    fn layout_without_ptx() {
        let s = Signature::from_layout("k", &[(0, 4), (8, 8), (16, 24)]);
        assert_eq!(s.size(), 40);
        assert_eq!(s.params()[1].kind, ParamKind::Unknown { size: 8 });
    }
}
