//! Signatures of planned functions.

use cuox_bind::decl::{Function, Parameter as Declared, Type, Value};
use cuox_bind::plan::{
    CallbackLife, Extent as PlannedExtent, Failure, FunctionPlan, Output, ParameterPlan,
    ResultPlan, Role as Planned, StatusStyle, Success as PlannedSuccess, TextOwnership, Unit,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString};

use crate::library::bound::{BoundLibrary, Refusal};
use crate::library::classes::is_char;
use crate::signature::{Errno, Extent, Outputs, Parameter, Return, Role, Rows, Signature};
use crate::types::class::Kind;
use crate::types::scalar::Scalar;
use crate::types::status::{Status, Success};
use crate::types::value::Stored;

impl BoundLibrary {
    /// The signature of a planned function whose symbol is at `target`.
    ///
    /// # Errors
    /// The reason why it cannot be called, with the parameter's name.
    pub fn signature(
        &self,
        py: Python<'_>,
        plan: &FunctionPlan,
        target: usize,
    ) -> Result<Signature, Refusal> {
        let declared = &self.header.functions[plan.function as usize];
        let mut parameters = Vec::with_capacity(plan.parameters.len());
        for (planned, declared_parameter) in plan.parameters.iter().zip(&declared.parameters) {
            let role = self.role(py, declared, planned, declared_parameter);
            let role = role.map_err(|refusal| refusal.at(&planned.name))?;
            parameters.push(Parameter {
                name: planned.name.clone(),
                c_type: self.header.c_type(&declared_parameter.ty),
                role,
                default: planned.default.as_ref().map(|value| object(py, value)),
                extent: planned
                    .extent
                    .as_ref()
                    .map(|extent| self.extent(&declared_parameter.ty, extent))
                    .transpose()
                    .map_err(|refusal| refusal.at(&planned.name))?,
                check: planned.check,
            });
        }
        let result = self
            .result(py, plan.result.usual(), declared)
            .map_err(|refusal| refusal.at("its result"))?;
        let tuple = matches!(
            plan.result.usual(),
            ResultPlan::Status {
                style: StatusStyle::Tuple,
                ..
            }
        );
        Ok(Signature {
            name: plan.name.clone(),
            doc: declared.doc.clone().unwrap_or_default(),
            module: self.module().map(str::to_owned),
            target,
            parameters,
            result,
            gil: plan.gil,
            errno: match plan.result {
                ResultPlan::Errno { failure, .. } => Some(match failure {
                    Failure::Result(result) => Errno::Result(result),
                    Failure::Status => Errno::Status,
                    Failure::Set => Errno::Set,
                }),
                _ => None,
            },
            variadic: plan.variadic,
            cuts_floats: self.plain,
            outputs: if tuple {
                Outputs::StatusTuple
            } else if self.as_swig {
                Outputs::List
            } else {
                Outputs::Plain
            },
            keep: None,
        })
    }

    fn role(
        &self,
        py: Python<'_>,
        declared_function: &Function,
        planned: &ParameterPlan,
        declared: &Declared,
    ) -> Result<Role, Refusal> {
        let ty = &declared.ty;
        Ok(match &planned.role {
            Planned::Input { nullable } => self.input(py, ty, *nullable)?,
            Planned::Text { nullable } => Role::Text {
                nullable: *nullable,
            },
            Planned::Memory { nullable, writable } => {
                let (to, _) = self.pointee(ty)?;
                Role::Pointer {
                    to: self.element(py, to)?,
                    writable: *writable,
                    nullable: *nullable,
                }
            }
            Planned::Handle {
                handle,
                nullable,
                consumed,
                by_address,
            } => Role::Handle {
                class: self.handle_class(py, *handle)?,
                nullable: *nullable || self.plain,
                consumed: *consumed && !self.plain,
                by_address: *by_address,
            },
            Planned::Callback {
                nullable,
                user_data,
                life,
            } => {
                let (to, _) = self.pointee(ty)?;
                let Type::Function(called) = self.header.resolve(to) else {
                    return Err(Refusal::new("expected a pointer to a function".into()));
                };
                Role::Callback {
                    info: self.callback(py, called, ty, user_data.map(|data| data.argument))?,
                    nullable: *nullable,
                    persistent: *life == CallbackLife::Kept,
                }
            }
            Planned::Output(output) => self.output(py, declared_function, ty, output)?,
            Planned::InOut => Role::InOut(self.stored(py, self.pointee(ty)?.0)?),
            Planned::Pointed => Role::Pointed(self.stored(py, self.pointee(ty)?.0)?),
            Planned::Edited {
                returned,
                nullable,
                room,
                more,
            } => Role::Edited {
                returned: *returned,
                nullable: *nullable,
                room: room.map(|room| room as usize),
                more: *more as usize,
            },
            Planned::Counter => Role::Counter(self.stored(py, self.pointee(ty)?.0)?),
            Planned::Texts { nullable } => Role::Texts {
                nullable: *nullable,
            },
            Planned::Object => Role::Object,
            Planned::Rest => Role::Rest,
            Planned::Length { of, unit } => {
                let other = &declared_function.parameters[*of as usize].ty;
                let scalar = self.scalar(py, ty)?;
                Role::Length {
                    of: *of as usize,
                    unit: self.unit(other, *unit)?,
                    scalar,
                }
            }
            Planned::Fixed(value) => {
                let scalar = self.scalar(py, ty)?;
                Role::Fixed(scalar, bits(value, scalar)?)
            }
        })
    }

    fn input(&self, py: Python<'_>, ty: &Type, nullable: bool) -> Result<Role, Refusal> {
        if is_char(&self.header, ty) {
            return Ok(Role::Char);
        }
        Ok(match self.header.resolve(ty) {
            Type::Pointer { to, constant } => match self.header.resolve(to) {
                Type::Function(called) => {
                    let info = self.callback(py, called, ty, None)?;
                    Role::Callback {
                        info,
                        nullable,
                        persistent: true,
                    }
                }
                _ => Role::Pointer {
                    to: self.element(py, to)?,
                    writable: !constant,
                    nullable,
                },
            },
            Type::Record(id) => Role::Record(self.record_class(py, *id)?),
            Type::Complex(part) => Role::Record(self.complex_class(py, *part)?),
            _ => Role::Scalar(self.scalar(py, ty)?),
        })
    }

    fn output(
        &self,
        py: Python<'_>,
        declared: &Function,
        ty: &Type,
        output: &Output,
    ) -> Result<Role, Refusal> {
        let (to, _) = self.pointee(ty)?;
        Ok(Role::Output(match output {
            // CUDA's own bindings give addresses as ints.
            Output::Value if self.plain && self.is_address(to) => Stored::Scalar(Scalar::U64),
            Output::Value => self.stored(py, to)?,
            Output::Handle { handle, ownership } => self.stored_handle(py, *handle, *ownership)?,
            Output::Text {
                ownership,
                length: Some(length),
            } => {
                return Ok(Role::OutputText {
                    length: *length as usize,
                    free: self.free(*ownership)?,
                });
            }
            Output::Text { ownership, .. } => Stored::Text {
                free: self.free(*ownership)?,
                copied: false,
            },
            Output::Room { bytes, whole } => {
                return Ok(Role::OutputRoom {
                    size: *bytes as usize,
                    text: is_char(&self.header, to),
                    whole: *whole,
                });
            }
            Output::Buffer { length, unit } => {
                let length = *length as usize;
                if length >= declared.parameters.len() {
                    return Err(Refusal::new(
                        "its length must be a parameter of the function".into(),
                    ));
                }
                return Ok(Role::OutputBuffer {
                    length,
                    unit: self.unit(ty, *unit)?,
                    text: is_char(&self.header, to),
                });
            }
        }))
    }

    fn result(
        &self,
        py: Python<'_>,
        plan: &ResultPlan,
        declared: &Function,
    ) -> Result<Return, Refusal> {
        let ty = &declared.result;
        Ok(match plan {
            // `usual` has unwrapped it.
            ResultPlan::Errno { .. } => {
                return Err(Refusal::new(
                    "an errno result must not be inside another".into(),
                ));
            }
            ResultPlan::Nothing => match self.header.resolve(ty) {
                // A result that is a record changes how the ABI passes arguments.
                Type::Record(_) => Return::Value(self.stored(py, ty)?),
                _ => Return::Nothing,
            },
            ResultPlan::Value if is_char(&self.header, ty) => Return::Char,
            ResultPlan::Value => match self.header.resolve(ty) {
                Type::Void => Return::Nothing,
                _ => Return::Value(self.stored(py, ty)?),
            },
            ResultPlan::Object => Return::Object,
            ResultPlan::Text { ownership } => Return::Value(Stored::Text {
                free: self.free(*ownership)?,
                copied: false,
            }),
            ResultPlan::Handle {
                handle,
                ownership,
                null_raises,
            } => {
                let stored = self.stored_handle(py, *handle, *ownership)?;
                if *null_raises {
                    Return::NotNull(stored)
                } else {
                    Return::Value(stored)
                }
            }
            ResultPlan::Status {
                success,
                style,
                text,
            } => {
                let class = match self.header.resolve(ty) {
                    Type::Enum(id) => self.enum_class(py, *id)?,
                    _ => None,
                };
                let raise = match style {
                    StatusStyle::Tuple => None,
                    StatusStyle::Raise | StatusStyle::Value => {
                        let text = match text {
                            Some(index) => Some(self.function(py, *index)?),
                            None => None,
                        };
                        let class = class.as_ref().map(|class| class.clone_ref(py));
                        Some(self.hooks.make_raise.call1(py, (class, text))?)
                    }
                };
                let success = match success {
                    PlannedSuccess::Zero => Success::Zero,
                    PlannedSuccess::NonZero => Success::NonZero,
                    PlannedSuccess::NotNegative => Success::NotNegative,
                    PlannedSuccess::OneOf(codes) => Success::OneOf(codes.clone()),
                };
                Return::Status(Status {
                    scalar: self.scalar(py, ty)?,
                    class,
                    success,
                    raise,
                    returned: *style == StatusStyle::Value,
                })
            }
        })
    }

    /// True if a type is a pointer that no class of its own stands for.
    fn is_address(&self, ty: &Type) -> bool {
        let Type::Pointer { to, .. } = self.header.resolve(ty) else {
            return false;
        };
        self.handle_of(ty).is_none() && matches!(self.header.resolve(to), Type::Void)
    }

    /// The type that a pointer type points at, and `true` if it is constant.
    fn pointee<'a>(&'a self, ty: &'a Type) -> Result<(&'a Type, bool), Refusal> {
        match self.header.resolve(ty) {
            Type::Pointer { to, constant } => Ok((to, *constant)),
            _ => Err(Refusal::new(format!(
                "'{}' is not a pointer",
                self.header.c_type(ty)
            ))),
        }
    }

    /// The scalar that a type is passed as.
    fn scalar(&self, py: Python<'_>, ty: &Type) -> Result<Scalar, Refusal> {
        match self.header.resolve(ty) {
            Type::Pointer { .. } => Ok(Scalar::Pointer),
            _ => match self.stored(py, ty)? {
                Stored::Scalar(scalar) | Stored::Enum(scalar, _) => Ok(scalar),
                Stored::Handle { class, .. } => match &class.kind {
                    Kind::Handle(kind) => Ok(kind.scalar),
                    _ => Ok(Scalar::Pointer),
                },
                _ => Err(Refusal::new(format!(
                    "'{}' is not a number",
                    self.header.c_type(ty)
                ))),
            },
        }
    }

    fn extent(&self, ty: &Type, planned: &PlannedExtent) -> Result<Extent, Refusal> {
        Ok(Extent {
            of: planned.of.map(|of| of as usize),
            plus: planned.plus,
            unit: self.unit(ty, planned.unit)?,
            rows: match planned.rows {
                Some(rows) => Some(Rows {
                    count: rows.count as usize,
                    pitch: rows.pitch as usize,
                    unit: self.unit(ty, rows.unit)?,
                }),
                None => None,
            },
        })
    }

    /// The size in bytes of one counted unit of the memory that `pointer` points at.
    fn unit(&self, pointer: &Type, unit: Unit) -> Result<usize, Refusal> {
        let (to, _) = self.pointee(pointer)?;
        match unit {
            Unit::Bytes => Ok(1),
            Unit::Elements => self.size(to),
        }
    }

    /// A type's size; 1 for `void`, as in pointer arithmetic of GNU C.
    fn size(&self, ty: &Type) -> Result<usize, Refusal> {
        let unknown = || {
            Refusal::new(format!(
                "the size of '{}' is not known",
                self.header.c_type(ty)
            ))
        };
        Ok(match self.header.resolve(ty) {
            Type::Void | Type::Bool => 1,
            Type::Int(int) => int.size(),
            Type::Float(kind) => super::classes::float(*kind).size(),
            Type::Enum(id) => self.header.enumeration(*id).underlying.size(),
            Type::Pointer { .. } => 8,
            Type::Record(id) => self.header.record(*id).size.ok_or_else(unknown)? as usize,
            Type::Array { of, length } => {
                let length = length.ok_or_else(unknown)? as usize;
                self.size(of)?.checked_mul(length).ok_or_else(unknown)?
            }
            _ => return Err(unknown()),
        })
    }

    /// The address of the function that frees a text, if it is to be freed.
    fn free(&self, ownership: TextOwnership) -> Result<Option<usize>, Refusal> {
        let symbol = match ownership {
            TextOwnership::Borrowed => return Ok(None),
            TextOwnership::Owned(None) => "free",
            TextOwnership::Owned(Some(index)) => {
                let function = self.plan.functions[index as usize].function;
                self.header.functions[function as usize].plain_symbol()
            }
        };
        let own = || (symbol == "free").then_some(libc::free as *const () as usize);
        match self.symbols.find(symbol).or_else(own) {
            Some(address) => Ok(Some(address)),
            None => Err(Refusal::new(format!(
                "its text is freed by {symbol}, which is not in {}",
                self.symbols.searched()
            ))),
        }
    }
}

/// A constant as a Python object.
pub fn object(py: Python<'_>, value: &Value) -> Py<PyAny> {
    match value {
        Value::Int(value) => match value.into_pyobject(py) {
            Ok(int) => int.unbind().into_any(),
            Err(_) => PyInt::new(py, 0).unbind().into_any(),
        },
        Value::Float(value) => PyFloat::new(py, *value).unbind().into_any(),
        Value::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => PyString::new(py, text).unbind().into_any(),
            Err(_) => PyBytes::new(py, bytes).unbind().into_any(),
        },
        Value::Null => py.None(),
    }
}

/// A constant as it is passed.
fn bits(value: &Value, scalar: Scalar) -> Result<u64, Refusal> {
    Ok(match (value, scalar) {
        (Value::Null, _) => 0,
        (Value::Int(value), Scalar::F64) => (*value as f64).to_bits(),
        (Value::Int(value), Scalar::F32) => u64::from((*value as f32).to_bits()),
        (Value::Int(value), _) => *value as u64,
        (Value::Float(value), Scalar::F64) => value.to_bits(),
        (Value::Float(value), Scalar::F32) => u64::from((*value as f32).to_bits()),
        _ => return Err(Refusal::new("its fixed value does not fit its type".into())),
    })
}
