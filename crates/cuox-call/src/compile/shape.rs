//! Shapes of signatures: all that generated code depends on, which is everything but names, classes, texts, constants
//! and addresses.

use crate::callable;
use crate::callable::Callable;
use crate::interpreter::layout::ObjectLayout;
use crate::signature::{Errno, Extent, Outputs, Return, Role};
use crate::types::abi::{Passing, ResultLocation};
use crate::types::class::Kind;
use crate::types::scalar::Scalar;
use crate::types::status::Success;
use crate::types::value::{Element, Stored};
use cuox_bind::plan::Gil;

/// A signature's shape. Callables of one shape share their code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The parameters.
    pub passes: Vec<ParamPlan>,
    /// Parameters with an extent, and the extents.
    pub extents: Vec<(usize, Extent)>,
    /// The use of the result.
    pub end: ResultPlan,
    /// The place where C leaves the result.
    pub result_location: ResultLocation,
    /// The number of bytes of storage for the outputs.
    pub storage: usize,
    /// The outputs in that storage: offsets and sizes.
    pub slots: Vec<(usize, usize)>,
    /// True if the status and all outputs are returned as a tuple.
    pub tuple: bool,
    /// True if several are returned as a list.
    pub list: bool,
    /// Keeping or giving up the interpreter's lock during the call.
    pub gil: Gil,
    /// True for code that makes calls while there are callbacks or other Python threads: it watches callbacks and gives
    /// the lock up. Other code leaves such calls to this one.
    pub watched: bool,
    /// The results whose reason is in `errno`.
    pub errno: Option<Errno>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamPlan {
    /// Read from an argument.
    Unbox(Unbox),
    /// The address of zeroed storage at this offset.
    Output(usize, Boxing),
    /// The address of storage at this offset, into which an argument is read.
    InOut(usize, Unbox, Boxing),
    /// A constant in the callable's words.
    Fixed(Scalar),
    /// The length of another parameter's memory in such units.
    Length { of: usize, unit: usize, most: u64 },
}

/// The way an argument is read (unboxed).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Role`")]
pub enum Unbox {
    Object,
    Integer(Scalar),
    Float(Scalar),
    Text {
        nullable: bool,
    },
    Pointer {
        to: Pointee,
        writable: bool,
        nullable: bool,
    },
    Handle {
        integer: Option<Scalar>,
        nullable: bool,
        consumed: bool,
        numbers: bool,
    },
    /// `registers` says for each eightbyte whether it goes to a vector register; it is empty for a record that is
    /// passed in memory.
    Record {
        registers: Vec<bool>,
        size: usize,
        align: usize,
    },
}

/// The element that a pointer points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Element`")]
pub enum Pointee {
    Untyped,
    Scalar(Scalar),
    Record,
}

/// The way a value becomes an object (boxed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boxing {
    /// An int.
    Integer(Scalar),
    /// A bool.
    Bool,
    /// A float.
    Float(Scalar),
    /// Text that C keeps.
    Text,
    /// A handle of at most 64 bits that keeps nothing alive; `plain` if it is nothing but a value.
    Handle {
        scalar: Scalar,
        owned: bool,
        plain: bool,
    },
    /// An object that Rust code makes.
    Object,
}

/// The use of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Return`")]
pub enum ResultPlan {
    Nothing,
    /// An object that C has made.
    Object,
    Boxing(Boxing),
    NotNull(Boxing),
    /// With `true` a status that is no failure is returned.
    Status(Scalar, SuccessTest, bool),
}

/// The codes that mean success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SuccessTest {
    /// Zero alone.
    Zero,
    /// All but zero.
    NonZero,
    /// Zero and all above.
    NotNegative,
    /// Zero, and others that Rust code tests.
    ZeroAndOthers,
    /// Some that Rust code tests.
    Others,
}

/// The largest size of an element, in bytes, of memory whose extent generated code checks: with counts below
/// [`MAX_COUNT`] nothing overflows.
const MAX_UNIT: usize = 1 << 16;

/// The bound of counts in such extents; calls with larger ones go to the generic call path.
pub const MAX_COUNT: i64 = 1 << 40;

/// The largest record, in bytes, that generated code copies to the stack.
const MAX_RECORD: usize = 256;

fn boxing(stored: &Stored, callable: &Callable) -> Option<Boxing> {
    Some(match stored {
        Stored::Scalar(Scalar::Bool) => Boxing::Bool,
        Stored::Scalar(scalar @ (Scalar::F32 | Scalar::F64)) => Boxing::Float(*scalar),
        Stored::Scalar(scalar) if scalar.size() <= 8 => Boxing::Integer(*scalar),
        Stored::Text { free: None, .. } => Boxing::Text,
        Stored::Handle { class, owned } => match &class.kind {
            Kind::Handle(kind) if is_simple(kind.scalar, *owned, callable) => Boxing::Handle {
                scalar: kind.scalar,
                owned: *owned,
                plain: kind.plain && !*owned,
            },
            _ => Boxing::Object,
        },
        _ => Boxing::Object,
    })
}

/// True if a handle is a word that keeps no argument alive.
fn is_simple(scalar: Scalar, owned: bool, callable: &Callable) -> bool {
    let parents = callable
        .signature
        .parameters
        .iter()
        .any(|parameter| matches!(parameter.role, Role::Handle { .. }));
    let word = scalar.size() <= 8 && !scalar.is_float();
    word && !(owned && parents) && callable.signature.keep.is_none()
}

fn scalar(scalar: Scalar, layout: &ObjectLayout) -> Option<Unbox> {
    match scalar {
        Scalar::F32 | Scalar::F64 => layout.float.then_some(Unbox::Float(scalar)),
        Scalar::Pointer => pointer(Pointee::Untyped, false, true, layout),
        Scalar::I128 | Scalar::U128 | Scalar::Long => None,
        _ => layout.long.is_some().then_some(Unbox::Integer(scalar)),
    }
}

fn pointer(to: Pointee, writable: bool, nullable: bool, layout: &ObjectLayout) -> Option<Unbox> {
    layout.long?;
    Some(Unbox::Pointer {
        to,
        writable,
        nullable,
    })
}

fn unboxing(role: &Role, layout: &ObjectLayout) -> Option<Unbox> {
    match role {
        Role::Object => Some(Unbox::Object),
        Role::Scalar(kind) => scalar(*kind, layout),
        Role::Text { nullable } => {
            (layout.ascii.is_some() && layout.bytes.is_some()).then_some(Unbox::Text {
                nullable: *nullable,
            })
        }
        Role::Pointer {
            to,
            writable,
            nullable,
        } => {
            let to = match to {
                Element::Untyped | Element::Field(_) => Pointee::Untyped,
                Element::Scalar(scalar) => Pointee::Scalar(*scalar),
                Element::Record(_) => Pointee::Record,
            };
            pointer(to, *writable, *nullable, layout)
        }
        Role::Handle {
            class,
            nullable,
            consumed,
            by_address: false,
        } => match &class.kind {
            Kind::Handle(kind) if !kind.scalar.is_float() && kind.scalar.size() <= 8 => {
                Some(Unbox::Handle {
                    integer: (kind.scalar != Scalar::Pointer).then_some(kind.scalar),
                    nullable: *nullable,
                    consumed: *consumed,
                    numbers: kind.takes_int && layout.long.is_some(),
                })
            }
            _ => None,
        },
        // A callback object that exists already; the generic call path makes new ones.
        Role::Callback { nullable, .. } => Some(Unbox::Handle {
            integer: None,
            nullable: *nullable,
            consumed: false,
            numbers: false,
        }),
        Role::Record(class) => match &class.kind {
            Kind::Record(kind) => match kind.passing() {
                Passing::Refused(_) => None,
                // Copying a word takes an instruction or two, so large records would make large code.
                Passing::Memory if kind.size > MAX_RECORD => None,
                passing => Some(Unbox::Record {
                    registers: match passing {
                        Passing::Registers(registers) => registers.clone(),
                        _ => Vec::new(),
                    },
                    size: kind.size,
                    align: kind.align,
                }),
            },
            _ => None,
        },
        _ => None,
    }
}

/// A callable's shape; `None` if generated code does not cover it.
pub fn shape(callable: &Callable, layout: &ObjectLayout) -> Option<Shape> {
    let signature = &callable.signature;
    let tuple = signature.outputs == Outputs::StatusTuple;
    if signature.variadic
        || callable.result_location == ResultLocation::X87
        || callable.result_location == ResultLocation::IntegerPair
    {
        return None;
    }
    let mut passes = Vec::new();
    // The generic call path has checks, and makes what a call returns for text that C changes.
    let generic = |it: &crate::signature::Parameter| {
        it.check.is_some()
            || matches!(
                it.role,
                Role::Pointed(_)
                    | Role::Edited { .. }
                    | Role::OutputRoom { .. }
                    | Role::OutputText { .. }
                    | Role::Counter(_)
            )
    };
    if signature.parameters.iter().any(generic) {
        return None;
    }
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let offset = callable.slots[index].map_or(0, |room| room.offset);
        let pass = match &parameter.role {
            Role::Output(stored) => ParamPlan::Output(offset, boxing(stored, callable)?),
            Role::InOut(Stored::Scalar(kind)) => ParamPlan::InOut(
                offset,
                scalar(*kind, layout)?,
                boxing(&Stored::Scalar(*kind), callable)?,
            ),
            Role::Fixed(kind, _) if kind.size() <= 8 => ParamPlan::Fixed(*kind),
            Role::Length { of, unit, scalar } => ParamPlan::Length {
                of: *of,
                unit: *unit,
                most: u64::try_from(scalar.range()?.1).ok()?,
            },
            role => ParamPlan::Unbox(unboxing(role, layout)?),
        };
        passes.push(pass);
    }
    let extents: Vec<_> = (signature.parameters.iter().enumerate())
        .filter_map(|(index, parameter)| Some((index, parameter.extent?)))
        .collect();
    let integer = |index: usize| matches!(passes[index], ParamPlan::Unbox(Unbox::Integer(_)));
    // Other extents are checked by the generic call path.
    if !extents.iter().all(|(_, extent)| {
        extent.counts().all(integer) && extent.unit <= MAX_UNIT && extent.plus.abs() < 1 << 16
    }) {
        return None;
    }
    let slots: Vec<_> = callable
        .slots
        .iter()
        .flatten()
        .map(|room| (room.offset, room.size))
        .collect();
    let end = match &signature.result {
        Return::Nothing => ResultPlan::Nothing,
        Return::Char => ResultPlan::Boxing(Boxing::Object),
        // What is returned beside it may have to go into it.
        Return::Object if !slots.is_empty() => return None,
        Return::Object => ResultPlan::Object,
        Return::Value(stored) => ResultPlan::Boxing(boxing(stored, callable)?),
        // The comparison with null looks at all 64 bits.
        Return::NotNull(stored) if callable::extent(stored)?.0 != 8 => return None,
        Return::NotNull(stored) => ResultPlan::NotNull(boxing(stored, callable)?),
        Return::Status(status) => ResultPlan::Status(
            status.scalar,
            match &status.success {
                Success::Zero => SuccessTest::Zero,
                Success::NonZero => SuccessTest::NonZero,
                Success::NotNegative => SuccessTest::NotNegative,
                Success::OneOf(codes) if codes.contains(&0) => SuccessTest::ZeroAndOthers,
                Success::OneOf(_) => SuccessTest::Others,
            },
            status.returned,
        ),
    };
    Some(Shape {
        passes,
        extents,
        end,
        result_location: callable.result_location.clone(),
        storage: callable.storage,
        slots,
        tuple,
        list: signature.outputs == Outputs::List,
        gil: signature.gil,
        watched: false,
        errno: signature.errno,
    })
}
