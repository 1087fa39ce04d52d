//! Rules that are given as a dictionary.

use cuox_bind::rules::{Located, Node, RulePlace, Tree};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

/// The depth of a dictionary of rules; no rule needs more than four.
const DEPTH: u32 = 16;

/// Rules that are given as a dictionary.
pub fn tree(value: &Bound<'_, PyAny>, at: &RulePlace, depth: u32) -> PyResult<Node> {
    if depth > DEPTH {
        let text = format!("rules: expected a dict of at most {DEPTH} levels, got more");
        return Err(PyValueError::new_err(text));
    }
    let node = |value| {
        Ok(Node {
            value,
            at: at.clone(),
        })
    };
    let items = |values: Vec<Bound<'_, PyAny>>| {
        let nodes = values.iter().map(|item| tree(item, at, depth + 1));
        nodes.collect::<PyResult<Vec<Node>>>()
    };
    if let Ok(text) = value.cast::<PyString>() {
        return node(Tree::Text(text.to_str()?.to_owned()));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return node(Tree::Bool(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return node(Tree::Int(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return node(Tree::Float(value.extract()?));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return node(Tree::List(items(list.iter().collect())?));
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return node(Tree::List(items(tuple.iter().collect())?));
    }
    let Ok(mapping) = value.cast::<PyMapping>() else {
        let kind = value.get_type();
        return Err(PyTypeError::new_err(format!(
            "rules: expected a str, int, float, bool, list or dict, got {}",
            kind.name()?
        )));
    };
    let entries = mapping.items()?;
    let entries = entries.iter().map(|item| {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let key: String = key
            .extract()
            .map_err(|_| PyTypeError::new_err("rules: expected strings as the keys of a dict"))?;
        // With no lines, the keys that lead to a value are its place.
        let inner = RulePlace::whole(&format!("{}[{key:?}]", at.file));
        let name = Located {
            value: key,
            at: inner.clone(),
        };
        Ok((name, tree(&value, &inner, depth + 1)?))
    });
    let entries: PyResult<Vec<_>> = entries.collect();
    node(Tree::Table(entries?))
}
