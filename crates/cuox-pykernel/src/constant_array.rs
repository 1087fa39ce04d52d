//! Host arrays and records that a function captures: constants of the module.

use std::sync::Arc;

use crate::diagnostic::{Code, Failure, Result};
use crate::host::ArrayOrder;
use crate::infer::Frame;
use crate::operand::Expr;
use crate::types::{ArrayType, Layout, Type};

/// More is refused: constant memory has 64 KiB.
const MOST_BYTES: usize = 65536;

/// The layout of an array of this order.
pub(crate) fn layout(order: &ArrayOrder) -> Layout {
    match order {
        ArrayOrder::C => Layout::C,
        ArrayOrder::Fortran => Layout::F,
        ArrayOrder::Strides(..) => Layout::A,
    }
}

/// The array as a value; its elements are declared once.
pub(crate) fn value(
    frame: &mut Frame<'_, '_>,
    element: &Type,
    shape: &[usize],
    data: &[u8],
    order: &ArrayOrder,
) -> Result<Expr> {
    let lengths: Arc<[u64]> = shape.iter().map(|n| *n as u64).collect();
    let ty = Type::Array(Arc::new(ArrayType {
        element: element.clone(),
        ndim: u8::try_from(shape.len()).unwrap_or(u8::MAX),
        layout: layout(order),
        mutable: false,
        shape: Some(lengths),
    }));
    frame.need_type(&ty);
    let name = declared(frame, data)?;
    let lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
    if let ArrayOrder::Strides(strides, first) = order {
        frame.need("slice");
        let strides: Vec<_> = strides.iter().map(i64::to_string).collect();
        let text = format!(
            "py::strided<{0}, {1}>(({0} *)((char *){name} + {first}), {{{2}}}, {{{3}}})",
            element.storage(),
            shape.len(),
            lengths.join(", "),
            strides.join(", "),
        );
        return Ok(Expr::new(ty, text));
    }
    let inside = if shape.is_empty() {
        String::new()
    } else {
        format!(", {{{}}}", lengths.join(", "))
    };
    let text = format!("{}{{({} *){name}{inside}}}", ty.cxx(), element.storage());
    Ok(Expr::new(ty, text))
}

/// A record as a value: a copy in the thread, since constants cannot be written.
pub(crate) fn record(frame: &mut Frame<'_, '_>, ty: &Type, data: &[u8]) -> Result<Expr> {
    frame.need_type(ty);
    let constant = declared(frame, data)?;
    let (name, storage) = (frame.new_name("fields"), ty.storage());
    frame.code.statement(format!(
        "{storage} {name} = *(const {storage} *){constant};"
    ));
    Ok(Expr::new(ty.clone(), format!("(&{name})")))
}

/// The name of a constant of these bytes, which is declared once.
fn declared(frame: &mut Frame<'_, '_>, data: &[u8]) -> Result<String> {
    if data.len() > MOST_BYTES {
        return Err(Failure::new(
            Code::Range,
            format!(
                "a captured array has {} bytes; constants of a kernel have at most {MOST_BYTES}",
                data.len()
            ),
        )
        .help("pass the array to the kernel as an argument"));
    }
    // Bytes in words of eight, which any type's alignment divides.
    let words: Vec<_> = data
        .chunks(8)
        .map(|chunk| {
            let mut word = [0_u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            format!("{:#x}", u64::from_le_bytes(word))
        })
        .collect();
    let count = words.len().max(1);
    let start = "__constant__ alignas(16) unsigned long long constant_";
    let content = format!("[{count}] = {{{}}};", words.join(", "));
    let known = frame.program.declarations.iter().find_map(|text| {
        let rest = text.strip_prefix(start)?;
        let end = rest.find('[')?;
        (rest[end..] == content).then(|| format!("constant_{}", &rest[..end]))
    });
    Ok(match known {
        Some(name) => name,
        None => {
            let number = frame.program.declarations.len();
            frame
                .program
                .declarations
                .push(format!("{start}{number}{content}"));
            format!("constant_{number}")
        }
    })
}
