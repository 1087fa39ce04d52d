//! Copies and fills by kernels.

use cuox::array::Layout;
use cuox_parallel::copy::{self, Moved};
use cuox_parallel::elementwise::{Elementwise, Indices, Plan, Shaped};
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::elementwise::{self, launch};
use crate::array::OrRaiseLayout;
use crate::error::OrRaise;

/// True if a kernel can be launched at once, or be compiled first: there is a compiler, and the stream is not being
/// captured, in which no code can be loaded.
fn is_possible(
    py: Python<'_>,
    kernel: &Elementwise,
    plan: &Plan,
    stream: &cuox::Stream,
) -> PyResult<bool> {
    if kernel.loaded(plan, stream.device()).is_some() {
        return Ok(true);
    }
    if stream.is_capturing().or_raise(py)? {
        return Ok(false);
    }
    match elementwise::load(py, kernel, plan, stream.device()) {
        Ok(_) => Ok(true),
        Err(error) if crate::error::is_not_found(py, &error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Copies all elements of one layout to those of another in the stream's order. False if no kernel can.
pub fn copy(
    py: Python<'_>,
    to: (&Layout, u64),
    from: (&Layout, u64),
    stream: &cuox::Stream,
) -> PyResult<bool> {
    let moved = Moved::new(to, from).or_raise(py)?;
    let kernel = moved.kernel().or_raise(py)?;
    let mut plans: SmallVec<[_; 1]> = SmallVec::new();
    for part in &moved.parts {
        let shaped = |(layout, offset): &'_ (Layout, isize), first: u64| {
            (layout.clone(), first.wrapping_add_signed(*offset as i64))
        };
        let (to, from) = (shaped(&part.to, to.1), shaped(&part.from, from.1));
        let arguments = [&to, &from].map(|(layout, address)| Shaped {
            layout: Some(layout),
            address: *address,
        });
        let plan = kernel
            .plan(&arguments, Indices::All, stream.device())
            .or_raise(py)?;
        // All or nothing.
        if !plan.is_empty() && !is_possible(py, kernel, &plan, stream)? {
            return Ok(false);
        }
        plans.push((plan, [to.1, from.1]));
    }
    for (plan, addresses) in plans.iter().filter(|(plan, _)| !plan.is_empty()) {
        launch(py, kernel, plan, stream, |arguments, buffer| {
            let parameters = arguments.parameters;
            for (index, &address) in addresses.iter().enumerate() {
                let (slot, offset) = parameters.slots()[index];
                let target = &mut buffer.bytes(parameters)[offset as usize..];
                slot.put_address(address, target)
                    .map_err(|refusal| parameters.refused(index, refusal, "an address"))
                    .or_raise(py)?;
            }
            Ok(())
        })?;
    }
    Ok(true)
}

/// Sets all elements to these bytes in the stream's order. False if no kernel can.
pub fn fill(
    py: Python<'_>,
    (layout, address): (&Layout, u64),
    item: &[u8],
    stream: &cuox::Stream,
) -> PyResult<bool> {
    let Some(kernel) = copy::fill(layout, address).or_raise(py)? else {
        return Ok(false);
    };
    let arguments = [
        Shaped {
            layout: Some(layout),
            address,
        },
        Shaped {
            layout: None,
            address: 0,
        },
    ];
    let plan = kernel
        .plan(&arguments, Indices::All, stream.device())
        .or_raise(py)?;
    if !is_possible(py, kernel, &plan, stream)? {
        return Ok(false);
    }
    launch(py, kernel, &plan, stream, |arguments, buffer| {
        let parameters = arguments.parameters;
        for index in 0..2 {
            let (slot, offset) = parameters.slots()[index];
            let target = &mut buffer.bytes(parameters)[offset as usize..];
            match index {
                0 => slot.put_address(address, target),
                _ => slot.put_bytes(item, None, target),
            }
            .map_err(|refusal| parameters.refused(index, refusal, "an element"))
            .or_raise(py)?;
        }
        Ok(())
    })?;
    Ok(true)
}
