//! What generated code depends on: all of a signature but names, classes, texts, constants and addresses.

use crate::callable::{self, Callable};
use crate::gil::Gil;
use crate::layout::Layout;
use crate::objects::{Kind, Passing};
use crate::signature::{Element, Errno, Extent, Outputs, Return, Role, Scalar, Stored, Success};
use crate::without::sysv::Place;

/// A signature's shape. Callables of one shape share their code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The parameters.
    pub passes: Vec<Pass>,
    /// How much memory parameters have to have: the parameter, and in terms of which others.
    pub extents: Vec<(usize, Extent)>,
    /// What becomes of the result.
    pub end: End,
    /// Where C leaves it.
    pub place: Place,
    /// How much storage the outputs need.
    pub storage: usize,
    /// Where in it they lie: offsets and sizes.
    pub rooms: Vec<(usize, usize)>,
    /// Whether the status and all outputs are returned as a tuple.
    pub tuple: bool,
    /// What is done about the interpreter's lock during the call.
    pub gil: Gil,
    /// Whether it is for calls while there are callbacks, or others who may want a lock that is kept only if nobody does; else the code leaves
    /// when there are.
    pub watched: bool,
    /// Which results `errno` says the reason of.
    pub errno: Option<Errno>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Read from an argument.
    Take(Take),
    /// The address of zeroed storage at this offset.
    Out(usize, Give),
    /// The address of storage at this offset, into which an argument is read.
    InOut(usize, Take, Give),
    /// A constant in the callable's words.
    Fixed(Scalar),
    /// The length of another parameter's memory in such units.
    Length { of: usize, unit: usize, most: u64 },
}

/// How an argument is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Role`")]
pub enum Take {
    Integer(Scalar),
    Float(Scalar),
    Text {
        nullable: bool,
    },
    Pointer {
        to: To,
        writable: bool,
        nullable: bool,
    },
    Handle {
        integer: Option<Scalar>,
        nullable: bool,
        consumed: bool,
        numbers: bool,
    },
    /// `registers` says for each eightbyte whether it goes to a vector register; it is empty for a record that is passed in memory.
    Record {
        registers: Vec<bool>,
        size: usize,
        align: usize,
    },
}

/// What a pointer points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Element`")]
pub enum To {
    Untyped,
    Scalar(Scalar),
    Record,
}

/// How a value becomes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Give {
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
    /// Something that Rust makes.
    Object,
}

/// What becomes of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "as in `Return`")]
pub enum End {
    Nothing,
    Give(Give),
    NotNull(Give),
    Status(Scalar, Check),
}

/// Which codes mean success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Zero alone.
    Zero,
    /// All but zero.
    NonZero,
    /// Zero and all above.
    NotNegative,
    /// Zero, and others that Rust knows.
    ZeroAndOthers,
    /// Some that Rust knows.
    Others,
}

/// The largest size of an element, in bytes, of memory whose extent generated code checks: with counts below [`MOST_COUNT`] nothing overflows.
const MOST_UNIT: usize = 1 << 16;
/// What counts in such extents have to be below; others are the careful way's.
pub const MOST_COUNT: i64 = 1 << 40;

/// The largest record, in bytes, that generated code copies to the stack.
const MOST_RECORD: usize = 256;

fn give(stored: &Stored, callable: &Callable) -> Option<Give> {
    Some(match stored {
        Stored::Scalar(Scalar::Bool) => Give::Bool,
        Stored::Scalar(scalar @ (Scalar::F32 | Scalar::F64)) => Give::Float(*scalar),
        Stored::Scalar(scalar) if scalar.size() <= 8 => Give::Integer(*scalar),
        Stored::Text { free: None } => Give::Text,
        Stored::Handle { class, owned } => match &class.kind {
            Kind::Handle(kind) if is_simple(kind.scalar, *owned, callable) => Give::Handle {
                scalar: kind.scalar,
                owned: *owned,
                plain: kind.plain && !*owned,
            },
            _ => Give::Object,
        },
        _ => Give::Object,
    })
}

/// Whether a handle is a word that keeps no argument alive.
fn is_simple(scalar: Scalar, owned: bool, callable: &Callable) -> bool {
    let parents = callable
        .signature
        .parameters
        .iter()
        .any(|parameter| matches!(parameter.role, Role::Handle { .. }));
    let word = scalar.size() <= 8 && !scalar.is_float();
    word && !(owned && parents) && callable.signature.keep.is_none()
}

fn scalar(scalar: Scalar, layout: &Layout) -> Option<Take> {
    match scalar {
        Scalar::F32 | Scalar::F64 => layout.float.then_some(Take::Float(scalar)),
        Scalar::Pointer => pointer(To::Untyped, false, true, layout),
        Scalar::I128 | Scalar::U128 | Scalar::Long => None,
        _ => layout.long.is_some().then_some(Take::Integer(scalar)),
    }
}

fn pointer(to: To, writable: bool, nullable: bool, layout: &Layout) -> Option<Take> {
    layout.long?;
    Some(Take::Pointer {
        to,
        writable,
        nullable,
    })
}

fn take(role: &Role, layout: &Layout) -> Option<Take> {
    match role {
        Role::Scalar(kind) => scalar(*kind, layout),
        Role::Text { nullable } => {
            (layout.ascii.is_some() && layout.bytes.is_some()).then_some(Take::Text {
                nullable: *nullable,
            })
        }
        Role::Pointer {
            to,
            writable,
            nullable,
        } => {
            let to = match to {
                Element::Untyped | Element::Field(_) => To::Untyped,
                Element::Scalar(scalar) => To::Scalar(*scalar),
                Element::Record(_) => To::Record,
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
                Some(Take::Handle {
                    integer: (kind.scalar != Scalar::Pointer).then_some(kind.scalar),
                    nullable: *nullable,
                    consumed: *consumed,
                    numbers: kind.takes_int && layout.long.is_some(),
                })
            }
            _ => None,
        },
        // One that there is already; to make one is the careful way's.
        Role::Callback { nullable, .. } => Some(Take::Handle {
            integer: None,
            nullable: *nullable,
            consumed: false,
            numbers: false,
        }),
        Role::Record(class) => match &class.kind {
            Kind::Record(kind) => match kind.passing() {
                Passing::Refused(_) => None,
                // Each word of it is an instruction or two.
                Passing::Memory if kind.size > MOST_RECORD => None,
                passing => Some(Take::Record {
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
pub fn shape(callable: &Callable, layout: &Layout) -> Option<Shape> {
    let signature = &callable.signature;
    let tuple = signature.outputs == Outputs::StatusTuple;
    if signature.variadic || callable.place == Place::X87 || callable.place == Place::Integers {
        return None;
    }
    let mut passes = Vec::new();
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let offset = callable.rooms[index].map_or(0, |room| room.offset);
        let pass = match &parameter.role {
            Role::Output(stored) => Pass::Out(offset, give(stored, callable)?),
            Role::InOut(Stored::Scalar(kind)) => Pass::InOut(
                offset,
                scalar(*kind, layout)?,
                give(&Stored::Scalar(*kind), callable)?,
            ),
            Role::Fixed(kind, _) if kind.size() <= 8 => Pass::Fixed(*kind),
            Role::Length { of, unit, scalar } => Pass::Length {
                of: *of,
                unit: *unit,
                most: u64::try_from(scalar.range()?.1).ok()?,
            },
            role => Pass::Take(take(role, layout)?),
        };
        passes.push(pass);
    }
    let extents: Vec<_> = (signature.parameters.iter().enumerate())
        .filter_map(|(index, parameter)| Some((index, parameter.extent?)))
        .collect();
    let integer = |index: usize| matches!(passes[index], Pass::Take(Take::Integer(_)));
    // Others are the careful way's.
    if !extents.iter().all(|(_, extent)| {
        extent.counts().all(integer) && extent.unit <= MOST_UNIT && extent.plus.abs() < 1 << 16
    }) {
        return None;
    }
    let end = match &signature.result {
        Return::Nothing => End::Nothing,
        Return::Char => End::Give(Give::Object),
        Return::Value(stored) => End::Give(give(stored, callable)?),
        // Null is told by all 64 bits.
        Return::NotNull(stored) if callable::extent(stored)?.0 != 8 => return None,
        Return::NotNull(stored) => End::NotNull(give(stored, callable)?),
        Return::Status(status) => End::Status(
            status.scalar,
            match &status.success {
                Success::Zero => Check::Zero,
                Success::NonZero => Check::NonZero,
                Success::NotNegative => Check::NotNegative,
                Success::OneOf(codes) if codes.contains(&0) => Check::ZeroAndOthers,
                Success::OneOf(_) => Check::Others,
            },
        ),
    };
    Some(Shape {
        passes,
        extents,
        end,
        place: callable.place.clone(),
        storage: callable.storage,
        rooms: callable
            .rooms
            .iter()
            .flatten()
            .map(|room| (room.offset, room.size))
            .collect(),
        tuple,
        gil: signature.gil,
        watched: false,
        errno: signature.errno,
    })
}
