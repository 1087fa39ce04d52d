//! Parameters and arguments.

use std::mem::MaybeUninit;

use cuox::array::Layout;
use cuox::launch::{ArrayMemory, ParamBuffer, Parameters, Refusal, Slot};
use cuox::{Error, Result};

use crate::elementwise::Shaped;

/// A parameter of a kernel that is made from expressions: a vector (`float *x`) or a scalar (`int n0`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The type of the scalar, or of the vector's elements. `const` makes a vector read-only.
    pub c_type: String,
    /// The name in expressions.
    pub name: String,
    /// A vector, which is indexed.
    pub vector: bool,
}

impl Parameter {
    /// A parameter.
    pub fn new(c_type: impl Into<String>, name: impl Into<String>, vector: bool) -> Self {
        Self {
            c_type: c_type.into(),
            name: name.into(),
            vector,
        }
    }

    /// True if the elements may only be read.
    pub fn is_read_only(&self) -> bool {
        let mut words = self
            .c_type
            .split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == "const")
    }

    /// The parameter as C++ declares it.
    pub fn declaration(&self) -> String {
        let star = if self.vector { "*" } else { "" };
        format!("{} {star}{}", self.c_type, self.name)
    }

    /// The parameters as C++ declares them.
    pub fn declarations(parameters: &[Self]) -> String {
        let list: Vec<String> = parameters.iter().map(Self::declaration).collect();
        list.join(", ")
    }

    /// The error text for so many arguments of the kernel `name`, if it takes another number.
    pub fn miscounted(name: &str, parameters: &[Self], got: usize) -> Option<String> {
        (parameters.len() != got).then(|| {
            format!(
                "{name}() takes {} argument{}, got {got}: {name}({})",
                parameters.len(),
                if parameters.len() == 1 { "" } else { "s" },
                Self::declarations(parameters)
            )
        })
    }

    /// Refuses another number of arguments than that of the parameters.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_count(name: &str, parameters: &[Self], got: usize) -> Result<()> {
        Self::miscounted(name, parameters, got).map_or(Ok(()), |text| Err(Error::invalid(text)))
    }

    /// Refuses names that are no identifiers, names that are there twice, and missing types.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_all(parameters: &[Self]) -> Result<()> {
        for (place, parameter) in parameters.iter().enumerate() {
            check_identifier("a parameter's name", &parameter.name)?;
            if parameter.c_type.trim().is_empty() {
                return Err(Error::invalid(format!(
                    "the parameter {} has no type",
                    parameter.name
                )));
            }
            if parameters[..place].iter().any(|p| p.name == parameter.name) {
                return Err(Error::invalid(format!(
                    "two parameters have the name {}",
                    parameter.name
                )));
            }
        }
        Ok(())
    }
}

/// Refuses text that is no identifier of C++.
///
/// # Errors
/// [`Error::Invalid`].
pub fn check_identifier(what: &str, text: &str) -> Result<()> {
    let good = |c: char| c.is_alphanumeric() || c == '_';
    if !text.is_empty() && text.chars().all(good) && !text.starts_with(|c: char| c.is_numeric()) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{what} must be an identifier of C++, got {text:?}"
    )))
}

/// An argument for a [`Parameter`].
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// An array of any strides.
    Array {
        /// The first element, and what is known of the elements.
        memory: ArrayMemory,
        /// Shape and strides.
        layout: &'a Layout,
    },
    /// The address of elements that lie one behind the other.
    Pointer(u64),
    /// A scalar in the layout that C++ gives its type.
    Scalar(&'a [u8]),
}

impl<'a> Argument<'a> {
    /// Shape and strides, of an array.
    pub fn layout(&self) -> Option<&'a Layout> {
        match self {
            Self::Array { layout, .. } => Some(layout),
            _ => None,
        }
    }

    /// The address of the first element; 0 for scalars.
    pub fn address(&self) -> u64 {
        match self {
            Self::Array { memory, .. } => memory.address,
            Self::Pointer(address) => *address,
            Self::Scalar(_) => 0,
        }
    }

    fn given(&self) -> String {
        match self {
            Self::Array { .. } => "an array".into(),
            Self::Pointer(_) => "a device address".into(),
            Self::Scalar(bytes) => format!("{} bytes", bytes.len()),
        }
    }

    /// Puts the argument where the kernel expects it. The kernel's declaration decides whether it fits.
    ///
    /// # Errors
    /// [`Refusal`].
    pub fn put(&self, slot: Slot, target: &mut [MaybeUninit<u8>]) -> Result<(), Refusal> {
        match self {
            Self::Array { memory, .. } => put_array(slot, memory, target),
            Self::Pointer(address) => slot.put_address(*address, target),
            Self::Scalar(bytes) => slot.put_bytes(bytes, None, target),
        }
    }
}

impl<'a> From<&Argument<'a>> for Shaped<'a> {
    fn from(argument: &Argument<'a>) -> Self {
        Self {
            layout: argument.layout(),
            address: argument.address(),
        }
    }
}

/// Puts a kernel's first arguments where it expects them.
///
/// # Errors
/// [`Error::Argument`] for an argument that its parameter does not take.
pub fn put_all(
    arguments: &[Argument<'_>],
    parameters: &Parameters,
    buffer: &mut ParamBuffer,
) -> Result<()> {
    let bytes = buffer.bytes(parameters);
    for (place, (argument, &(slot, offset))) in arguments.iter().zip(parameters.slots()).enumerate()
    {
        argument
            .put(slot, &mut bytes[offset as usize..])
            .map_err(|refusal| parameters.refused(place, refusal, &argument.given()))?;
    }
    Ok(())
}

/// Puts an array's address, whose elements must have the size of those that the parameter points to.
///
/// # Errors
/// [`Refusal`].
#[inline]
pub fn put_array(
    slot: Slot,
    memory: &ArrayMemory,
    target: &mut [MaybeUninit<u8>],
) -> Result<(), Refusal> {
    if let (
        Slot::Pointer {
            element: Some(element),
            ..
        },
        Some(dtype),
    ) = (slot, memory.dtype)
        && dtype.size() != element.size()
    {
        return Err(Refusal::Elements { element, dtype });
    }
    slot.put_array(
        &ArrayMemory {
            dtype: None,
            ..*memory
        },
        target,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn const_is_a_word() {
        assert!(Parameter::new("const float", "x", true).is_read_only());
        assert!(Parameter::new("float const", "x", true).is_read_only());
        assert!(!Parameter::new("constant", "x", true).is_read_only());
        assert_eq!(Parameter::new("int", "n", false).declaration(), "int n");
    }

    #[test]
    fn names_are_identifiers() {
        let list = |names: &[&str]| -> Vec<Parameter> {
            names
                .iter()
                .map(|n| Parameter::new("int", *n, false))
                .collect()
        };
        assert!(Parameter::check_all(&list(&["a", "_b2"])).is_ok());
        for wrong in [&["2a"][..], &[""], &["a b"], &["a", "a"]] {
            assert!(Parameter::check_all(&list(wrong)).is_err(), "{wrong:?}");
        }
    }
}
