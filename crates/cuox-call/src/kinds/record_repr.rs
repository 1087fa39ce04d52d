//! Records as people see them, and as `==` compares them.

use crate::objects::load as load_values;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::objects::elements::to_list;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::types::class::{Kind, RecordKind};
use crate::types::scalar::Scalar;
use crate::types::value::{FieldInfo, FieldKind, Stored};

/// `repr()`.
pub fn repr<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let name = this.object.get_type().name()?;
    if this.value() == 0 {
        let state = if this.closed() { "closed" } else { "null" };
        return Ok(format!("<{name} {state}>").into_pyobject(py)?.into_any());
    }
    let text = match this.class().as_record() {
        Some(kind) if kind.plain => lines(this, kind)?.join("\n"),
        _ => format!("{name}({})", shown(this)?),
    };
    Ok(text.into_pyobject(py)?.into_any())
}

/// A record as `cuda.bindings` shows it: `field : value`, in a line each, and what is inside a record further right.
fn lines(this: ObjectRef<'_, '_>, kind: &RecordKind) -> PyResult<Vec<String>> {
    let address = this.address()?;
    let mut lines = Vec::new();
    for info in kind.fields() {
        let at = address + (info.offset / 8) as usize;
        let name = &info.name;
        if let FieldKind::List(_) = info.kind {
            // In a union the field may hold something else: only a list that was assigned is read.
            // SAFETY: a pointer inside the record.
            let word = unsafe { (at as *const u64).read_unaligned() };
            let held = as_object(&this.owner()).and_then(|owner| owner.held(at));
            lines.push(match held.as_ref().and_then(as_object) {
                Some(held)
                    if held.value() == word && matches!(held.class().kind, Kind::Array(_)) =>
                {
                    format!("{name} : {}", to_list(held, false)?.str()?)
                }
                _ if word == 0 => format!("{name} : []"),
                _ => format!("{name} : {word:#x}"),
            });
            continue;
        }
        // SAFETY: `at` is the place of `info` in the record, and `define` has checked that each field lies inside.
        let value = unsafe { load(this, at, info)? };
        if let Some(inner) = as_object(&value)
            && let Some(kind) = inner.class().as_record()
        {
            lines.push(format!("{name} :"));
            lines.extend(
                self::lines(inner, kind)?
                    .iter()
                    .map(|line| format!("    {line}")),
            );
        } else if matches!(info.kind, FieldKind::One(Stored::Scalar(Scalar::Pointer)))
            && info.c_type.trim_start_matches("const ") == "void *"
        {
            lines.push(format!("{name} : {:#x}", value.extract::<u64>()?));
        } else {
            lines.push(format!("{name} : {}", value.str()?));
        }
    }
    Ok(lines)
}

/// The names that `dir()` gives. Those that are in no record of `cuda.bindings` are left out where records are as
/// there.
pub fn names<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    const OURS: [&str; 5] = ["address", "array", "copy", "from_address", "from_buffer"];
    let py = this.py();
    let names = py
        .get_type::<PyAny>()
        .call_method1(pyo3::intern!(py, "__dir__"), (this,))?;
    let Some(kind) = ObjectRef { object: this }.class().as_record() else {
        return Ok(names);
    };
    if !kind.plain {
        return Ok(names);
    }
    let shown = PyList::empty(py);
    for name in names.try_iter()? {
        let name = name?;
        let text: String = name.extract()?;
        if !OURS.contains(&text.as_str()) || kind.fields().iter().any(|field| field.name == text) {
            shown.append(name)?;
        }
    }
    Ok(shown.into_any())
}

/// The fields of a record as text. In a union any field may be the valid one, so no pointer is followed.
fn shown(this: ObjectRef<'_, '_>) -> PyResult<String> {
    let Some(kind) = this.class().as_record() else {
        return Ok(String::new());
    };
    let address = this.address()?;
    let mut parts = Vec::new();
    for (index, info) in kind.fields().iter().enumerate() {
        let at = address + (info.offset / 8) as usize;
        let text = match &info.kind {
            FieldKind::One(Stored::Text { .. }) if kind.union || kind.overlaps(index) => {
                // SAFETY: a pointer inside the record.
                format!("{:#x}", unsafe { (at as *const u64).read_unaligned() })
            }
            FieldKind::Array(element, lengths, form) => {
                if matches!(lengths.as_slice(), [] | [0, ..]) {
                    "[...]".to_owned()
                } else if form.is_whole() && lengths.len() == 1 {
                    // SAFETY: `at` is the place of `info` in the record, and `define` has checked that each field lies
                    // inside.
                    let value = unsafe { load(this, at, info)? };
                    value.repr()?.to_string()
                } else {
                    let risky =
                        kind.union && matches!(**element, FieldKind::One(Stored::Text { .. }));
                    if risky {
                        format!("[{} pointers]", lengths[0])
                    } else {
                        // SAFETY: `at` is the place of `info` in the record, and `define` has checked that each field
                        // lies inside.
                        unsafe { load(this, at, info)? }.repr()?.to_string()
                    }
                }
            }
            // SAFETY: `at` is the place of `info` in the record, and `define` has checked that each field lies inside.
            _ => unsafe { load(this, at, info)? }.repr()?.to_string(),
        };
        parts.push(format!("{}={text}", info.name));
    }
    Ok(parts.join(", "))
}

/// For each field `true` if another overlaps it, as in an anonymous union.
pub fn overlapping(fields: &[FieldInfo]) -> Vec<bool> {
    let range = |index: usize| {
        let info: &FieldInfo = &fields[index];
        let bits = 8 * info.kind.size() as u64;
        (info.offset, info.offset.saturating_add(bits))
    };
    let mut order: Vec<usize> = (0..fields.len()).collect();
    order.sort_by_key(|index| range(*index));
    let mut found = vec![false; fields.len()];
    // The field that reaches farthest of those that begin before.
    let mut farthest: Option<usize> = None;
    for index in order {
        let (start, end) = range(index);
        if let Some(before) = farthest
            && start < range(before).1
            && start < end
        {
            found[index] = true;
            found[before] = true;
        }
        if farthest.is_none_or(|before| end > range(before).1) {
            farthest = Some(index);
        }
    }
    found
}

unsafe fn load<'py>(
    this: ObjectRef<'_, 'py>,
    address: usize,
    info: &FieldInfo,
) -> PyResult<Bound<'py, PyAny>> {
    let bit = (info.offset % 8) as u32;
    let inner = OnceLock::new();
    // SAFETY: such a field lies at `address`, in memory of `this` (`# Safety`).
    unsafe {
        load_values::load_field(
            this.py(),
            address,
            bit,
            &info.kind,
            this,
            &inner,
            &info.c_type,
        )
    }
}

/// `==`.
pub fn same(a: ObjectRef<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    match as_object(other).filter(|b| a.is(b.class())) {
        Some(b) => equal(a, b).map(Some),
        None => Ok(None),
    }
}

/// True if two records of a class are equal: field by field, since padding may differ; a union by its bytes.
fn equal(a: ObjectRef<'_, '_>, b: ObjectRef<'_, '_>) -> PyResult<bool> {
    let (from, to) = (a.address()?, b.address()?);
    let Some(kind) = a.class().as_record() else {
        return Ok(false);
    };
    if from == to {
        return Ok(true);
    }
    if kind.union {
        // SAFETY: two records of this size.
        return Ok(unsafe {
            std::slice::from_raw_parts(from as *const u8, kind.size)
                == std::slice::from_raw_parts(to as *const u8, kind.size)
        });
    }
    for (index, info) in kind.fields().iter().enumerate() {
        let at = (info.offset / 8) as usize;
        let list = matches!(info.kind, FieldKind::List(_));
        if list || kind.overlaps(index) && !matches!(info.kind, FieldKind::Bits(..)) {
            // SAFETY: a field of both records.
            let same = unsafe {
                let size = info.kind.size();
                std::slice::from_raw_parts((from + at) as *const u8, size)
                    == std::slice::from_raw_parts((to + at) as *const u8, size)
            };
            if !same {
                return Ok(false);
            }
            continue;
        }
        // SAFETY: a field of both records.
        let (x, y) = unsafe { (load(a, from + at, info)?, load(b, to + at, info)?) };
        if !x.eq(y)? {
            return Ok(false);
        }
    }
    Ok(true)
}
