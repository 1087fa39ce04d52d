//! Textures and surfaces: `tex`, `tld4`, `txq`, `istypep`, `suld`, `sust`, `sured`, `suq`.

use super::build::{Lower, conversion};
use super::names::Entity;
use super::operand::{arg, first_type, number, width};
use super::{Result, fail, unsupported};
use crate::ir::{
    AtomOp, Bounds, Fetch, Float, Geometry, ImageOp, ImageQuery, Inst, Lod, Num, Op, Operand, Reg,
    Space, Ty,
};
use cuox_ptx::ast::{self, AddressBase, Instruction, Modifier, Opcode, OperandKind, ScalarType};
use cuox_ptx::diagnostic::Diagnostic;

pub(super) fn image(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    match i.opcode {
        Opcode::Tex => fetch(l, i),
        Opcode::Tld4 => gather(l, i),
        Opcode::Txq | Opcode::Suq => query(l, i),
        Opcode::IsTypeP => is_type(l, i),
        Opcode::SuLd => load(l, i),
        Opcode::SuSt => store(l, i),
        Opcode::SuRed => reduce(l, i),
        _ => unsupported(i),
    }
}

fn geometry(i: &Instruction) -> Result<Geometry> {
    let found = i.modifiers.as_slice().iter().find_map(|m| {
        Some(match m {
            Modifier::D1 => Geometry::D1,
            Modifier::D2 => Geometry::D2,
            Modifier::D3 => Geometry::D3,
            Modifier::A1d => Geometry::A1d,
            Modifier::A2d => Geometry::A2d,
            Modifier::Cube => Geometry::Cube,
            Modifier::Acube => Geometry::Acube,
            _ => return None,
        })
    });
    match found {
        Some(found) => Ok(found),
        // Multi-sample images exist in graphics only.
        None => unsupported(i),
    }
}

fn bounds(i: &Instruction) -> Bounds {
    match &i.modifiers {
        m if m.has(Modifier::Clamp) => Bounds::Clamp,
        m if m.has(Modifier::Zero) => Bounds::Zero,
        _ => Bounds::Trap,
    }
}

/// Returns the handle in a register or of a named object.
fn handle(l: &mut Lower<'_>, operand: &ast::Operand) -> Result<Operand> {
    let name = match &operand.kind {
        OperandKind::Register(name)
        | OperandKind::Address {
            base: AddressBase::Register(name),
            offset: 0,
        } => {
            let reg = l.register(name, operand.span)?;
            if l.ty(reg) == Ty::B64 {
                return Ok(reg.into());
            }
            return fail(
                operand.span,
                format!(
                    "a texture or surface object must be b64; `{name}` is {}",
                    l.ty(reg)
                ),
            );
        }
        OperandKind::Symbol { name, offset: 0 }
        | OperandKind::Address {
            base: AddressBase::Symbol(name),
            offset: 0,
        } => name,
        _ => return fail(operand.span, "expected a texture or surface object"),
    };
    match l.resolve(name, operand.span)? {
        // A kernel parameter may be named for its value.
        Entity::Param(at) => Ok(l.load(Ty::B64, Space::Param, i64::from(at))),
        Entity::Variable(_) => Err(Box::new(Diagnostic::unsupported(
            "E-texref",
            operand.span,
            format!(
                "`{name}` is a texture, sampler or surface reference, which are not supported: use objects"
            ),
        ))),
        _ => fail(
            operand.span,
            format!("`{name}` is not a texture or surface"),
        ),
    }
}

/// Returns the elements of a vector operand, or the single value.
fn elements(l: &mut Lower<'_>, operand: &ast::Operand, ty: ScalarType) -> Result<Vec<Operand>> {
    match &operand.kind {
        OperandKind::Vector(list) => list.iter().map(|o| l.value(o, ty)).collect(),
        OperandKind::Register(name) => match l.resolve(name, operand.span)? {
            Entity::Regs { first, count } if l.ty(first) == Ty::B32 => Ok((0..u32::from(count))
                .map(|n| Operand::Reg(Reg(first.0 + n)))
                .collect()),
            _ => fail(operand.span, format!("`{name}` is not a 32-bit register")),
        },
        _ => Ok(vec![l.value(operand, ty)?]),
    }
}

/// Returns the first `count` elements of a vector operand.
fn first_elements(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    ty: ScalarType,
    count: usize,
) -> Result<Vec<Operand>> {
    let mut list = elements(l, operand, ty)?;
    if list.len() < count {
        return fail(
            operand.span,
            format!("{} values; expected {count}", list.len()),
        );
    }
    list.truncate(count);
    Ok(list)
}

/// Returns the handle and the coordinates in `[a, c]`, the layer first.
fn handle_and_coordinates(
    l: &mut Lower<'_>,
    operand: &ast::Operand,
    geometry: Geometry,
    ty: ScalarType,
) -> Result<Vec<Operand>> {
    let OperandKind::Bracketed(items) = &operand.kind else {
        return fail(operand.span, "expected an object and its coordinates");
    };
    let [object, coordinates] = items.as_slice() else {
        return Err(Box::new(Diagnostic::unsupported(
            "E-sampler",
            operand.span,
            "separate samplers are not supported: use texture objects",
        )));
    };
    let mut args = vec![handle(l, object)?];
    let count = geometry.axes() + usize::from(geometry.layered());
    let OperandKind::Vector(list) = &coordinates.kind else {
        args.extend(first_elements(l, coordinates, ty, count)?);
        return Ok(args);
    };
    if list.len() < count {
        return fail(
            coordinates.span,
            format!("{} coordinates; expected {count}", list.len()),
        );
    }
    for (n, one) in list[..count].iter().enumerate() {
        // The layer is u32 whatever the coordinates' type.
        let layer = n == 0 && geometry.layered();
        args.push(l.value(one, if layer { ScalarType::U32 } else { ty })?);
    }
    Ok(args)
}

/// Returns the result type and the coordinates' type.
fn types(i: &Instruction) -> Result<(ScalarType, ScalarType)> {
    match i.modifiers.types() {
        [of, coordinates] => Ok((*of, *coordinates)),
        _ => unsupported(i),
    }
}

/// Emits the operation; returns its results.
fn emit(l: &mut Lower<'_>, op: ImageOp, args: Vec<Operand>) -> Vec<Operand> {
    let results: Vec<Reg> = (0..op.words().1).map(|_| l.temp(Ty::B32)).collect();
    l.emit(Inst::Image {
        dsts: results.iter().copied().map(Some).collect(),
        op,
        args,
    });
    results.into_iter().map(Operand::Reg).collect()
}

/// Writes four channels to the destinations, or one channel to each of them.
fn put_channels(
    l: &mut Lower<'_>,
    i: &Instruction,
    of: ScalarType,
    words: &[Operand],
) -> Result<()> {
    let half = |l: &mut Lower<'_>, word| {
        let convert = conversion(Num::F(Float::F32), Num::F(Float::F16));
        l.op(Op::Convert(convert), &[word])
    };
    let (ty, values): (Ty, Vec<Operand>) = match of {
        ScalarType::F32 | ScalarType::S32 | ScalarType::U32 => (Ty::B32, words.to_vec()),
        ScalarType::F16 => (Ty::B16, words.iter().map(|&w| half(l, w)).collect()),
        ScalarType::F16x2 => {
            let pairs = words.chunks(2).map(|pair| {
                let (low, high) = (half(l, pair[0]), half(l, pair[1]));
                l.join(low, high, Ty::B32)
            });
            (Ty::B32, pairs.collect())
        }
        _ => return unsupported(i),
    };
    let operand = arg(i, 0)?;
    let dests = l.vector_dests(operand, values.len())?;
    for (&dest, &value) in dests.iter().zip(&values) {
        if let Some(reg) = dest
            && l.ty(reg) != ty
        {
            return fail(
                operand.span,
                format!(
                    "the destination is {}; the instruction writes {ty}",
                    l.ty(reg)
                ),
            );
        }
        l.assign(dest, ty, value);
    }
    Ok(())
}

/// Returns the texel offsets in operand `n`, if it is present.
fn offsets(
    l: &mut Lower<'_>,
    i: &Instruction,
    n: usize,
    geometry: Geometry,
    args: &mut Vec<Operand>,
) -> Result<bool> {
    let Some(operand) = i.operands.get(n) else {
        return Ok(false);
    };
    let vector = matches!(operand.kind, OperandKind::Vector(_));
    if geometry.cube() || !vector || i.operands.len() > n + 1 {
        return Err(Box::new(Diagnostic::unsupported(
            "E-depth-compare",
            operand.span,
            "depth comparison is not supported",
        )));
    }
    args.extend(first_elements(
        l,
        operand,
        ScalarType::S32,
        geometry.axes(),
    )?);
    Ok(true)
}

/// `tex{.level|.grad|.base}.geom.v4.dtype.ctype d, [a, c]{, lod | dPdx, dPdy}{, e}`.
fn fetch(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let geometry = geometry(i)?;
    let (of, by) = types(i)?;
    let want = if of == ScalarType::F16x2 { 2 } else { 4 };
    if i.modifiers.vector() != Some(want) {
        return unsupported(i);
    }
    if geometry.cube() && by != ScalarType::F32 {
        return fail(i.span, "the coordinates of a cube must be f32");
    }
    let m = &i.modifiers;
    let lod = match m {
        m if m.has(Modifier::Level) => Lod::Level,
        m if m.has(Modifier::Grad) => Lod::Grad,
        m if m.has(Modifier::Base) => Lod::Base,
        _ => Lod::Implicit,
    };
    let mut args = handle_and_coordinates(l, arg(i, 1)?, geometry, by)?;
    let mut next = 2;
    match lod {
        Lod::Implicit | Lod::Base => {}
        Lod::Level => {
            args.push(l.src(i, next, ScalarType::F32)?);
            next += 1;
        }
        Lod::Grad => {
            for n in [next, next + 1] {
                let axes = geometry.axes();
                args.extend(first_elements(l, arg(i, n)?, ScalarType::F32, axes)?);
            }
            next += 2;
        }
    }
    let offset = offsets(l, i, next, geometry, &mut args)?;
    let op = ImageOp::Fetch(Fetch {
        geometry,
        int_coords: by == ScalarType::S32,
        lod,
        offset,
    });
    let words = emit(l, op, args);
    put_channels(l, i, of, &words)
}

/// `tld4.comp.geom.v4.dtype.f32 d, [a, c]{, e}`.
fn gather(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let geometry = geometry(i)?;
    let (of, by) = types(i)?;
    let m = &i.modifiers;
    let channel = [Modifier::R, Modifier::G, Modifier::B, Modifier::A]
        .iter()
        .position(|&word| m.has(word));
    let Some(channel) = channel else {
        return unsupported(i);
    };
    let mut args = handle_and_coordinates(l, arg(i, 1)?, geometry, by)?;
    let offset = offsets(l, i, 2, geometry, &mut args)?;
    let op = ImageOp::Gather {
        geometry,
        channel: channel as u8,
        offset,
    };
    let words = emit(l, op, args);
    put_channels(l, i, of, &words)
}

/// `txq.query.b32 d, [a]`, `txq.level.query.b32 d, [a], lod`, `suq.query.b32 d, [a]`.
fn query(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let query = i.modifiers.as_slice().iter().find_map(|m| {
        Some(match m {
            Modifier::Width => ImageQuery::Width,
            Modifier::Height => ImageQuery::Height,
            Modifier::Depth => ImageQuery::Depth,
            Modifier::ChannelDataType => ImageQuery::ChannelDataType,
            Modifier::ChannelOrder => ImageQuery::ChannelOrder,
            Modifier::NormalizedCoords => ImageQuery::NormalizedCoords,
            Modifier::ArraySize => ImageQuery::ArraySize,
            Modifier::NumMipmapLevels => ImageQuery::NumMipmapLevels,
            Modifier::NumSamples => ImageQuery::NumSamples,
            Modifier::MemoryLayout => ImageQuery::MemoryLayout,
            _ => return None,
        })
    });
    // Sampler queries exist for texture references only.
    let Some(query) = query else {
        return unsupported(i);
    };
    let mut args = vec![handle(l, arg(i, 1)?)?];
    let level = i.modifiers.has(Modifier::Level);
    if level {
        args.push(l.src(i, 2, ScalarType::U32)?);
    }
    let op = match i.opcode {
        Opcode::Txq => ImageOp::QueryTexture { query, level },
        _ => ImageOp::QuerySurface(query),
    };
    let words = emit(l, op, args);
    l.put_value(i, Ty::B32, words[0])
}

/// `istypep.type p, a`: always false, since it is true for references only and handles are of objects.
fn is_type(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    handle(l, arg(i, 1)?)?;
    l.put_value(i, Ty::Pred, Operand::Imm(0))
}

/// Returns the element type of a surface access, the size of an element in bytes, and the number of elements.
fn vector(i: &Instruction) -> Result<(ScalarType, u8, u8)> {
    let pt = first_type(i)?;
    let size = width(i, pt)?.bytes() as u8;
    let count = i.modifiers.vector().unwrap_or(1);
    if size > 8 || u32::from(size) * u32::from(count) > 16 {
        return fail(i.opcode_span, "a surface access moves at most 16 bytes");
    }
    Ok((pt, size, count))
}

/// `suld.b.geom{.vec}.dtype.clampm d, [a, b]`.
fn load(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let geometry = surface_geometry(i)?;
    let (_, size, count) = vector(i)?;
    let args = handle_and_coordinates(l, arg(i, 1)?, geometry, ScalarType::S32)?;
    let op = ImageOp::Load {
        geometry,
        size,
        count,
        bounds: bounds(i),
    };
    let words = emit(l, op, args);
    let operand = arg(i, 0)?;
    let dests = l.vector_dests(operand, usize::from(count))?;
    for (n, dest) in dests.into_iter().enumerate() {
        let Some(reg) = dest else { continue };
        let ty = l.ty(reg);
        if ty.bytes() < u32::from(size) || matches!(ty, Ty::Pred | Ty::B128) {
            return fail(
                operand.span,
                format!("the destination is {ty}; the instruction writes {size} bytes"),
            );
        }
        let value = if size == 8 {
            l.join(words[2 * n], words[2 * n + 1], Ty::B64)
        } else {
            l.resize(words[n], Ty::B32, ty, false)
        };
        l.assign(dest, ty, value);
    }
    Ok(())
}

fn surface_geometry(i: &Instruction) -> Result<Geometry> {
    match geometry(i)? {
        Geometry::Cube | Geometry::Acube => fail(i.opcode_span, "surfaces have no `.cube` access"),
        geometry => Ok(geometry),
    }
}

/// `sust.b.geom{.vec}.ctype.clampm [a, b], c` and `sust.p`.
fn store(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let geometry = surface_geometry(i)?;
    let (pt, size, count) = vector(i)?;
    let mut args = handle_and_coordinates(l, arg(i, 0)?, geometry, ScalarType::S32)?;
    let operand = arg(i, 1)?;
    for (value, ty) in l.vector_values(operand, usize::from(count), pt)? {
        if ty.bytes() < u32::from(size) || matches!(ty, Ty::Pred | Ty::B128) {
            return fail(
                operand.span,
                format!("the source is {ty}; the instruction expects {size} bytes"),
            );
        }
        if size == 8 {
            args.extend([l.half(value, Ty::B64, false), l.half(value, Ty::B64, true)]);
        } else {
            args.push(l.resize(value, ty, Ty::B32, false));
        }
    }
    let bounds = bounds(i);
    let op = if i.modifiers.has(Modifier::P) {
        ImageOp::StoreFormatted {
            geometry,
            count,
            bounds,
        }
    } else {
        ImageOp::Store {
            geometry,
            size,
            count,
            bounds,
        }
    };
    emit(l, op, args);
    Ok(())
}

/// `sured.b.op.geom.ctype.clampm [a, b], c` and `sured.p`.
fn reduce(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let geometry = surface_geometry(i)?;
    let pt = first_type(i)?;
    let num = number(i, pt)?;
    let op = match i.modifiers.atom_op() {
        Some(ast::AtomOp::Add) => AtomOp::Add,
        Some(ast::AtomOp::Min) => AtomOp::Min,
        Some(ast::AtomOp::Max) => AtomOp::Max,
        Some(ast::AtomOp::And) => AtomOp::And,
        Some(ast::AtomOp::Or) => AtomOp::Or,
        _ => return unsupported(i),
    };
    let mut args = handle_and_coordinates(l, arg(i, 0)?, geometry, ScalarType::S32)?;
    let value = l.src(i, 1, pt)?;
    if num.ty() == Ty::B64 {
        args.extend([l.half(value, Ty::B64, false), l.half(value, Ty::B64, true)]);
    } else {
        args.push(value);
    }
    let op = ImageOp::Reduce {
        geometry,
        op,
        num,
        scaled: i.modifiers.has(Modifier::P),
        bounds: bounds(i),
    };
    emit(l, op, args);
    Ok(())
}
