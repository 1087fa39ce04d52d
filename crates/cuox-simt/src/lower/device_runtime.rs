//! Calls of CUDA's device runtime, by which kernels launch kernels.

use super::build::Lower;
use super::control::{check_size, slot_of};
use super::names::slot_size;
use super::{Result, fail};
use crate::ir::{Address, Inst, IntOp, Operand, Order, Reg, RuntimeCall, Space, Syscall, Ty};
use cuox_ptx::ast::{self, CallOperands, ScalarType, Span};
use cuox_ptx::diagnostic::Diagnostic;

/// The form of a function of the device runtime.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As the service: the result is its own.
    Same,
    /// Its first argument is the address of a 32-bit value or of a 64-bit one, which it sets; it answers with an error.
    Sets(Ty),
}

/// Returns the service for a function of the device runtime, by its name without prefix and without the suffix of
/// per-thread streams, which are all the same on the device.
fn service(name: &str) -> Option<(RuntimeCall, Form)> {
    use RuntimeCall as R;
    let name = name
        .strip_prefix("__cudaCDP2")
        .or_else(|| name.strip_prefix("cuda"))?;
    let set32 = Form::Sets(Ty::B32);
    let set64 = Form::Sets(Ty::B64);
    Some(match name.strip_suffix("_ptsz").unwrap_or(name) {
        "GetParameterBufferV2" => (R::ParameterBuffer, Form::Same),
        "LaunchDeviceV2" => (R::Launch, Form::Same),
        "GetLastError" => (R::LastError, Form::Same),
        "PeekAtLastError" => (R::PeekError, Form::Same),
        "GetErrorName" => (R::ErrorName, Form::Same),
        "GetErrorString" => (R::ErrorString, Form::Same),
        "StreamCreateWithFlags" => (R::CreateStream, set64),
        "StreamDestroy" => (R::DestroyStream, Form::Same),
        "StreamWaitEvent" => (R::WaitEvent, Form::Same),
        "EventCreateWithFlags" => (R::CreateEvent, set64),
        "EventDestroy" => (R::DestroyEvent, Form::Same),
        "EventRecord" | "EventRecordWithFlags" => (R::RecordEvent, Form::Same),
        "Malloc" => (R::Malloc, set64),
        "Free" => (R::Free, Form::Same),
        "MemcpyAsync" => (R::Copy, Form::Same),
        "MemsetAsync" => (R::Fill, Form::Same),
        "GetDevice" => (R::Device, set32),
        "GetDeviceCount" => (R::DeviceCount, set32),
        "DeviceGetAttribute" => (R::Attribute, set32),
        "DeviceGetLimit" => (R::Limit, set64),
        "RuntimeGetVersion" => (R::Version, set32),
        "Memcpy2DAsync" => (R::Copy2d, Form::Same),
        "Memset2DAsync" => (R::Fill2d, Form::Same),
        "DeviceGetCacheConfig" => (R::CacheConfig, set32),
        "OccupancyMaxActiveBlocksPerMultiprocessor"
        | "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => (R::Occupancy, set32),
        "GraphSetConditional" => (R::SetCondition, Form::Same),
        "GraphLaunch" => (R::LaunchGraph, Form::Same),
        "FuncGetAttributes" => (R::FunctionAttributes, Form::Same),
        _ => return None,
    })
}

/// Lowers a call of a function of the device runtime, which is declared with `params`.
pub(super) fn call(
    l: &mut Lower<'_>,
    call: &CallOperands,
    name: &str,
    params: &[ast::Variable],
) -> Result<()> {
    let span = call.callee.span;
    let Some((service, form)) = service(name) else {
        return unsupported(span, name);
    };
    let (types, result) = service.signature();
    let mut words = Vec::new();
    if call.args.len() != params.len() {
        return mismatch(span, name);
    }
    for (operand, formal) in call.args.iter().zip(params) {
        words.extend(argument(l, operand, formal)?);
    }
    let address = match form {
        Form::Same => None,
        Form::Sets(_) if words.is_empty() => return mismatch(span, name),
        Form::Sets(_) => Some(words.remove(0).0),
    };
    // The flags of a recording, and those about caches, have no meaning on the device.
    match service {
        RuntimeCall::RecordEvent => words.truncate(2),
        RuntimeCall::Occupancy => words.truncate(3),
        _ => {}
    }
    if words.len() != types.len()
        || words
            .iter()
            .zip(types)
            .any(|((_, have), want)| have != want)
    {
        return mismatch(span, name);
    }
    let dst = l.temp(result);
    l.emit(Inst::Syscall {
        dst: Some(dst),
        call: Syscall::Runtime(service),
        args: words.into_iter().map(|(value, _)| value).collect(),
    });
    let answer = match (form, address) {
        (Form::Sets(ty), Some(address)) => set(l, dst, ty, address),
        _ => Operand::Reg(dst),
    };
    let ty = if form == Form::Same { result } else { Ty::B32 };
    let Some(operand) = call.returns.first() else {
        return Ok(());
    };
    match slot_of(l, operand) {
        Some(slot) => {
            check_size(l, slot, ty.bytes(), operand.span)?;
            l.store(answer, ty, Space::Slot(slot), 0);
        }
        None => {
            let dest = l.dest_of(operand, ty)?;
            l.assign(dest, ty, answer);
        }
    }
    Ok(())
}

/// Stores a result of the service at an address, or 0 if it is an error; returns the error.
fn set(l: &mut Lower<'_>, result: Reg, ty: Ty, address: Operand) -> Operand {
    let result = Operand::Reg(result);
    let failed = l.int(IntOp::ShrU, Ty::B64, &[result, Operand::Imm(63)]);
    let error = l.int(IntOp::And, Ty::B64, &[result, Operand::Imm(0xffff)]);
    let error = l.int(IntOp::Mul, Ty::B64, &[error, failed]);
    let worked = l.int(IntOp::Xor, Ty::B64, &[failed, Operand::Imm(1)]);
    let value = l.int(IntOp::Mul, Ty::B64, &[result, worked]);
    let value = l.resize(value, Ty::B64, ty, false);
    l.emit(Inst::Store {
        srcs: vec![value],
        ty,
        addr: Address {
            space: Space::Flat,
            base: address,
            offset: 0,
        },
        order: Order::Plain,
    });
    l.resize(error, Ty::B64, Ty::B32, false)
}

/// Returns the words of an argument with their types: a `dim3` has three.
fn argument(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    formal: &ast::Variable,
) -> Result<Vec<(Operand, Ty)>> {
    let (size, _) = slot_size(formal)?;
    let Some(slot) = slot_of(l, operand) else {
        return Ok(match size {
            4 => vec![(l.value(operand, ScalarType::B32)?, Ty::B32)],
            8 => vec![(l.value(operand, ScalarType::B64)?, Ty::B64)],
            _ => return fail(operand.span, "this argument requires a `.param` variable"),
        });
    };
    check_size(l, slot, size, operand.span)?;
    Ok(match size {
        8 => vec![(l.load(Ty::B64, Space::Slot(slot), 0), Ty::B64)],
        _ => (0..size / 4)
            .map(|n| {
                let word = l.load(Ty::B32, Space::Slot(slot), i64::from(4 * n));
                (word, Ty::B32)
            })
            .collect(),
    })
}

fn mismatch<T>(span: Span, name: &str) -> Result<T> {
    fail(
        span,
        format!("the call does not match the prototype of `{name}`"),
    )
}

fn unsupported<T>(span: Span, name: &str) -> Result<T> {
    Err(Box::new(Diagnostic::unsupported(
        "E-unsupported",
        span,
        format!("dynamic parallelism ({name})"),
    )))
}
