//! Objects of Python's `ast` as `cuox_pykernel::ast`.

use std::collections::HashMap;

use cuox_pykernel::ast::{
    BinaryOp, CompareOp, Constant, Expr, ExprKind, FStringPart, Function, Parameter, ParameterKind,
    Span, Stmt, StmtKind, UnaryOp,
};
use pyo3::exceptions::{PyRecursionError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyList, PyString};

use crate::support::names::type_name;

/// Trees that are deeper than this are refused.
const MOST_NESTED: u32 = 400;

/// Reads trees whose lines are `offset` less than those of the file.
pub struct Reader {
    offset: i64,
    depth: u32,
    /// Functions around the node, itself included.
    functions: u32,
}

/// The classes of nodes.
const CLASSES: &[&str] = &[
    "Add",
    "And",
    "AnnAssign",
    "Assert",
    "Assign",
    "AsyncFor",
    "AsyncFunctionDef",
    "AsyncWith",
    "Attribute",
    "AugAssign",
    "Await",
    "BinOp",
    "BitAnd",
    "BitOr",
    "BitXor",
    "BoolOp",
    "Break",
    "Call",
    "ClassDef",
    "Compare",
    "Constant",
    "Continue",
    "Delete",
    "Dict",
    "DictComp",
    "Div",
    "Eq",
    "Expr",
    "FloorDiv",
    "For",
    "FormattedValue",
    "FunctionDef",
    "GeneratorExp",
    "Global",
    "Gt",
    "GtE",
    "If",
    "IfExp",
    "Import",
    "ImportFrom",
    "In",
    "Interpolation",
    "Invert",
    "Is",
    "IsNot",
    "JoinedStr",
    "LShift",
    "Lambda",
    "List",
    "ListComp",
    "Lt",
    "LtE",
    "MatMult",
    "Match",
    "Mod",
    "Mult",
    "Name",
    "NamedExpr",
    "Nonlocal",
    "Not",
    "NotEq",
    "NotIn",
    "Or",
    "Pass",
    "Pow",
    "RShift",
    "Raise",
    "Return",
    "Set",
    "SetComp",
    "Slice",
    "Starred",
    "Sub",
    "Subscript",
    "TemplateStr",
    "Try",
    "TryStar",
    "Tuple",
    "TypeAlias",
    "UAdd",
    "USub",
    "UnaryOp",
    "While",
    "With",
    "Yield",
    "YieldFrom",
];

type Node<'a, 'py> = &'a Bound<'py, PyAny>;
type Name<'a, 'py> = &'a Bound<'py, PyString>;

/// Python's words for nodes that kernels cannot have.
fn described(class: &str) -> String {
    match class {
        "With" | "AsyncWith" => "a with statement",
        "Try" | "TryStar" => "a try statement",
        "Match" => "a match statement",
        "ClassDef" => "a class definition",
        "AsyncFunctionDef" => "an async function",
        "AsyncFor" => "an async for statement",
        "Global" => "a global statement",
        "Nonlocal" => "a nonlocal statement",
        "ImportFrom" => "a from … import statement",
        "Import" => "an import statement",
        "Dict" => "a dictionary",
        "Set" => "a set",
        "ListComp" => "a list comprehension",
        "SetComp" => "a set comprehension",
        "DictComp" => "a dictionary comprehension",
        "GeneratorExp" => "a generator expression",
        "Await" => "await",
        "Yield" | "YieldFrom" => "yield",
        "TypeAlias" => "a type statement",
        "TemplateStr" | "Interpolation" => "a t-string",
        other => return format!("a {other} node"),
    }
    .to_owned()
}

/// The name of a node's class, told by the class's address.
fn class_name(node: Node<'_, '_>) -> PyResult<&'static str> {
    static NAMES: PyOnceLock<HashMap<usize, &'static str>> = PyOnceLock::new();
    let py = node.py();
    let names = NAMES.get_or_try_init(py, || -> PyResult<_> {
        let module = py.import("ast")?;
        let mut names = HashMap::new();
        for name in CLASSES {
            // Not every version of Python has all of them.
            if let Some(class) = module.getattr_opt(*name)? {
                names.insert(class.as_ptr() as usize, *name);
            }
        }
        Ok::<_, PyErr>(names)
    })?;
    match names.get(&(node.get_type_ptr() as usize)) {
        Some(name) => Ok(name),
        None => Err(PyTypeError::new_err(format!(
            "{} is not a node of the ast module that kernels know",
            type_name(node)
        ))),
    }
}

impl Reader {
    pub fn new(offset: i64) -> Self {
        Self {
            offset,
            depth: 0,
            functions: 0,
        }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> PyResult<T>) -> PyResult<T> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(PyRecursionError::new_err(
                "the kernel's source is nested too deeply",
            ));
        }
        let done = inner(self);
        self.depth -= 1;
        done
    }

    fn span(&self, node: Node<'_, '_>) -> PyResult<Span> {
        let py = node.py();
        let line = |value: Bound<'_, PyAny>| -> PyResult<u32> {
            let line: i64 = value.extract()?;
            Ok(u32::try_from(line + self.offset).unwrap_or(0))
        };
        let column = |value: Bound<'_, PyAny>| -> u32 { value.extract().unwrap_or(0) };
        Ok(Span {
            line: line(node.getattr(intern!(py, "lineno"))?)?,
            column: column(node.getattr(intern!(py, "col_offset"))?),
            end_line: line(node.getattr(intern!(py, "end_lineno"))?)?,
            end_column: column(node.getattr(intern!(py, "end_col_offset"))?),
        })
    }

    /// A `FunctionDef` or `Lambda`.
    pub fn function(&mut self, node: Node<'_, '_>) -> PyResult<Function> {
        self.deeper(|reader| reader.function_inner(node))
    }

    fn function_inner(&mut self, node: Node<'_, '_>) -> PyResult<Function> {
        let py = node.py();
        let span = self.span(node)?;
        self.functions += 1;
        let arguments = node.getattr(intern!(py, "args"))?;
        let parameters = self.parameters(&arguments)?;
        let body = node.getattr(intern!(py, "body"))?;
        let (name, mut body) = match body.cast::<PyList>() {
            Ok(body) => {
                let name: String = node.getattr(intern!(py, "name"))?.extract()?;
                (name, self.body(body)?)
            }
            Err(_) => {
                let value = self.expr(&body)?;
                let span = value.span;
                let kind = StmtKind::Return(Some(value));
                ("<lambda>".to_owned(), vec![Stmt { kind, span }])
            }
        };
        // A reason to refuse the function stands in it as its first statement.
        let refused = if !arguments.getattr(intern!(py, "kwarg"))?.is_none() {
            Some("**keywords as a parameter")
        } else if self.functions > 1 && has_decorators(node)? {
            Some("a decorator of a function inside of it")
        } else {
            None
        };
        self.functions -= 1;
        if let Some(refused) = refused {
            let kind = StmtKind::Unsupported(refused.to_owned());
            body.insert(0, Stmt { kind, span });
        }
        Ok(Function {
            name,
            parameters,
            body,
            span,
        })
    }

    fn parameters(&mut self, arguments: Node<'_, '_>) -> PyResult<Vec<Parameter>> {
        let py = arguments.py();
        let mut all = Vec::new();
        let list = |name| -> PyResult<Vec<Bound<'_, PyAny>>> { arguments.getattr(name)?.extract() };
        let mut plain = list(intern!(py, "posonlyargs"))?;
        plain.extend(list(intern!(py, "args"))?);
        let defaults = list(intern!(py, "defaults"))?;
        let without = plain.len().saturating_sub(defaults.len());
        for (index, argument) in plain.iter().enumerate() {
            let default = index
                .checked_sub(without)
                .and_then(|index| defaults.get(index));
            all.push(Parameter {
                name: argument.getattr(intern!(py, "arg"))?.extract()?,
                kind: ParameterKind::Plain,
                default: default.map(|default| self.expr(default)).transpose()?,
            });
        }
        let variadic = arguments.getattr(intern!(py, "vararg"))?;
        if !variadic.is_none() {
            all.push(Parameter {
                name: variadic.getattr(intern!(py, "arg"))?.extract()?,
                kind: ParameterKind::Variadic,
                default: None,
            });
        }
        let named = list(intern!(py, "kwonlyargs"))?;
        let defaults = list(intern!(py, "kw_defaults"))?;
        for (argument, default) in named.iter().zip(defaults) {
            all.push(Parameter {
                name: argument.getattr(intern!(py, "arg"))?.extract()?,
                kind: ParameterKind::KeywordOnly,
                default: if default.is_none() {
                    None
                } else {
                    Some(self.expr(&default)?)
                },
            });
        }
        Ok(all)
    }

    fn body(&mut self, body: &Bound<'_, PyList>) -> PyResult<Vec<Stmt>> {
        body.iter().map(|stmt| self.stmt(&stmt)).collect()
    }

    fn field_body<'py>(&mut self, node: Node<'_, 'py>, name: Name<'_, 'py>) -> PyResult<Vec<Stmt>> {
        let body = node.getattr(name)?;
        self.body(body.cast::<PyList>()?)
    }

    fn field<'py>(&mut self, node: Node<'_, 'py>, name: Name<'_, 'py>) -> PyResult<Expr> {
        self.expr(&node.getattr(name)?)
    }

    fn optional<'py>(
        &mut self,
        node: Node<'_, 'py>,
        name: Name<'_, 'py>,
    ) -> PyResult<Option<Expr>> {
        let value = node.getattr(name)?;
        if value.is_none() {
            Ok(None)
        } else {
            self.expr(&value).map(Some)
        }
    }

    fn list<'py>(&mut self, node: Node<'_, 'py>, name: Name<'_, 'py>) -> PyResult<Vec<Expr>> {
        let list = node.getattr(name)?;
        let list = list.cast::<PyList>()?;
        list.iter().map(|item| self.expr(&item)).collect()
    }

    fn stmt(&mut self, node: Node<'_, '_>) -> PyResult<Stmt> {
        self.deeper(|reader| {
            Ok(Stmt {
                kind: reader.stmt_kind(node)?,
                span: reader.span(node)?,
            })
        })
    }

    fn stmt_kind(&mut self, node: Node<'_, '_>) -> PyResult<StmtKind> {
        let py = node.py();
        Ok(match class_name(node)? {
            "Assign" => StmtKind::Assign {
                targets: self.list(node, intern!(py, "targets"))?,
                value: self.field(node, intern!(py, "value"))?,
            },
            "AnnAssign" => match self.optional(node, intern!(py, "value"))? {
                Some(value) => StmtKind::Assign {
                    targets: vec![self.field(node, intern!(py, "target"))?],
                    value,
                },
                None => StmtKind::Pass,
            },
            "AugAssign" => StmtKind::AugAssign {
                target: self.field(node, intern!(py, "target"))?,
                operator: binary_operator(&node.getattr(intern!(py, "op"))?)?,
                value: self.field(node, intern!(py, "value"))?,
            },
            "Expr" => StmtKind::Expr(self.field(node, intern!(py, "value"))?),
            "If" => StmtKind::If {
                test: self.field(node, intern!(py, "test"))?,
                body: self.field_body(node, intern!(py, "body"))?,
                orelse: self.field_body(node, intern!(py, "orelse"))?,
            },
            "While" => StmtKind::While {
                test: self.field(node, intern!(py, "test"))?,
                body: self.field_body(node, intern!(py, "body"))?,
                orelse: self.field_body(node, intern!(py, "orelse"))?,
            },
            "For" => StmtKind::For {
                target: self.field(node, intern!(py, "target"))?,
                iterable: self.field(node, intern!(py, "iter"))?,
                body: self.field_body(node, intern!(py, "body"))?,
                orelse: self.field_body(node, intern!(py, "orelse"))?,
            },
            "Break" => StmtKind::Break,
            "Continue" => StmtKind::Continue,
            "Pass" => StmtKind::Pass,
            "Return" => StmtKind::Return(self.optional(node, intern!(py, "value"))?),
            "Raise" => StmtKind::Raise(self.optional(node, intern!(py, "exc"))?),
            "Assert" => StmtKind::Assert {
                test: self.field(node, intern!(py, "test"))?,
                message: self.optional(node, intern!(py, "msg"))?,
            },
            "FunctionDef" => StmtKind::FunctionDef(Box::new(self.function(node)?)),
            "Delete" => StmtKind::Delete(self.list(node, intern!(py, "targets"))?),
            other => StmtKind::Unsupported(described(other)),
        })
    }

    fn expr(&mut self, node: Node<'_, '_>) -> PyResult<Expr> {
        self.deeper(|reader| {
            Ok(Expr {
                kind: reader.expr_kind(node)?,
                span: reader.span(node)?,
            })
        })
    }

    fn boxed<'py>(&mut self, node: Node<'_, 'py>, name: Name<'_, 'py>) -> PyResult<Box<Expr>> {
        self.field(node, name).map(Box::new)
    }

    fn expr_kind(&mut self, node: Node<'_, '_>) -> PyResult<ExprKind> {
        let py = node.py();
        Ok(match class_name(node)? {
            "Name" => ExprKind::Name(node.getattr(intern!(py, "id"))?.extract()?),
            "Constant" => return constant(&node.getattr(intern!(py, "value"))?),
            "Attribute" => ExprKind::Attribute {
                value: self.boxed(node, intern!(py, "value"))?,
                name: node.getattr(intern!(py, "attr"))?.extract()?,
            },
            "Subscript" => ExprKind::Subscript {
                value: self.boxed(node, intern!(py, "value"))?,
                index: self.boxed(node, intern!(py, "slice"))?,
            },
            "Slice" => ExprKind::Slice {
                lower: self.optional(node, intern!(py, "lower"))?.map(Box::new),
                upper: self.optional(node, intern!(py, "upper"))?.map(Box::new),
                step: self.optional(node, intern!(py, "step"))?.map(Box::new),
            },
            "Tuple" => ExprKind::Tuple(self.list(node, intern!(py, "elts"))?),
            "List" => ExprKind::List(self.list(node, intern!(py, "elts"))?),
            "BinOp" => ExprKind::Binary {
                operator: binary_operator(&node.getattr(intern!(py, "op"))?)?,
                left: self.boxed(node, intern!(py, "left"))?,
                right: self.boxed(node, intern!(py, "right"))?,
            },
            "UnaryOp" => {
                let operator = node.getattr(intern!(py, "op"))?;
                ExprKind::Unary {
                    operator: match class_name(&operator)? {
                        "USub" => UnaryOp::Neg,
                        "UAdd" => UnaryOp::Pos,
                        "Invert" => UnaryOp::Invert,
                        _ => UnaryOp::Not,
                    },
                    operand: self.boxed(node, intern!(py, "operand"))?,
                }
            }
            "BoolOp" => {
                let values = self.list(node, intern!(py, "values"))?;
                let operator = node.getattr(intern!(py, "op"))?;
                match class_name(&operator)? {
                    "And" => ExprKind::And(values),
                    _ => ExprKind::Or(values),
                }
            }
            "Compare" => {
                let operators: Vec<Bound<'_, PyAny>> =
                    node.getattr(intern!(py, "ops"))?.extract()?;
                let others = self.list(node, intern!(py, "comparators"))?;
                let mut rest = Vec::with_capacity(others.len());
                for (operator, other) in operators.iter().zip(others) {
                    rest.push((compare_operator(operator)?, other));
                }
                ExprKind::Compare {
                    first: self.boxed(node, intern!(py, "left"))?,
                    rest,
                }
            }
            "Call" => {
                let keywords: Vec<Bound<'_, PyAny>> =
                    node.getattr(intern!(py, "keywords"))?.extract()?;
                let mut named = Vec::with_capacity(keywords.len());
                for keyword in &keywords {
                    let name = keyword.getattr(intern!(py, "arg"))?;
                    if name.is_none() {
                        return Ok(ExprKind::Unsupported("**keywords in a call".to_owned()));
                    }
                    named.push((name.extract()?, self.field(keyword, intern!(py, "value"))?));
                }
                ExprKind::Call {
                    function: self.boxed(node, intern!(py, "func"))?,
                    arguments: self.list(node, intern!(py, "args"))?,
                    keywords: named,
                }
            }
            "IfExp" => ExprKind::Conditional {
                test: self.boxed(node, intern!(py, "test"))?,
                body: self.boxed(node, intern!(py, "body"))?,
                orelse: self.boxed(node, intern!(py, "orelse"))?,
            },
            "Lambda" => ExprKind::Lambda(Box::new(self.function(node)?)),
            "JoinedStr" => {
                let values: Vec<Bound<'_, PyAny>> =
                    node.getattr(intern!(py, "values"))?.extract()?;
                let mut parts = Vec::with_capacity(values.len());
                for value in &values {
                    parts.push(self.fstring_part(value)?);
                }
                ExprKind::FString(parts)
            }
            "Starred" => ExprKind::Starred(self.boxed(node, intern!(py, "value"))?),
            "NamedExpr" => {
                let target = node.getattr(intern!(py, "target"))?;
                ExprKind::Named {
                    target: target.getattr(intern!(py, "id"))?.extract()?,
                    value: self.boxed(node, intern!(py, "value"))?,
                }
            }
            other => ExprKind::Unsupported(described(other)),
        })
    }

    fn fstring_part(&mut self, node: Node<'_, '_>) -> PyResult<FStringPart> {
        let py = node.py();
        if class_name(node)? == "Constant" {
            return Ok(FStringPart::Text(
                node.getattr(intern!(py, "value"))?.extract()?,
            ));
        }
        let format = node.getattr(intern!(py, "format_spec"))?;
        let mut text = String::new();
        if !format.is_none() {
            let parts: Vec<Bound<'_, PyAny>> = format.getattr(intern!(py, "values"))?.extract()?;
            for part in parts {
                match part.getattr(intern!(py, "value"))?.extract::<String>() {
                    Ok(part) => text.push_str(&part),
                    // A value inside of the format: no format of printf's has that.
                    Err(_) => text.push_str("{}"),
                }
            }
        }
        let mut value = self.field(node, intern!(py, "value"))?;
        let conversion: i64 = node.getattr(intern!(py, "conversion"))?.extract()?;
        if let Some(sign) = u32::try_from(conversion).ok().and_then(char::from_u32)
            // `{x=}` asks for !r; of numbers and of what is known it is the same text.
            && !matches!(sign, 's' | 'r')
        {
            value.kind = ExprKind::Unsupported(format!("!{sign} in an f-string"));
        }
        Ok(FStringPart::Value {
            value,
            format: text,
        })
    }
}

fn has_decorators(node: Node<'_, '_>) -> PyResult<bool> {
    let py = node.py();
    match node.getattr_opt(intern!(py, "decorator_list"))? {
        Some(list) => Ok(list.len()? > 0),
        None => Ok(false),
    }
}

fn constant(value: Node<'_, '_>) -> PyResult<ExprKind> {
    let constant = if value.is_none() {
        Constant::None
    } else if let Ok(value) = value.cast::<PyBool>() {
        Constant::Bool(value.is_true())
    } else if value.is_instance_of::<PyInt>() {
        match value.extract::<i128>() {
            Ok(value) => Constant::Int(value),
            Err(_) => {
                return Ok(ExprKind::Unsupported(
                    "an int of more than 64 bits".to_owned(),
                ));
            }
        }
    } else if let Ok(value) = value.cast::<PyFloat>() {
        Constant::Float(value.value())
    } else if let Ok(value) = value.cast::<PyString>() {
        Constant::Str(value.to_str()?.to_owned())
    } else if let Ok(value) = value.cast::<PyBytes>() {
        Constant::Bytes(value.as_bytes().to_vec())
    } else if let Ok(value) = value.cast::<PyComplex>() {
        let part: f64 = value.getattr(intern!(value.py(), "imag"))?.extract()?;
        Constant::Imaginary(part)
    } else {
        Constant::Ellipsis
    };
    Ok(ExprKind::Constant(constant))
}

fn binary_operator(node: Node<'_, '_>) -> PyResult<BinaryOp> {
    Ok(match class_name(node)? {
        "Add" => BinaryOp::Add,
        "Sub" => BinaryOp::Sub,
        "Mult" => BinaryOp::Mul,
        "MatMult" => BinaryOp::MatMul,
        "Div" => BinaryOp::Div,
        "FloorDiv" => BinaryOp::FloorDiv,
        "Mod" => BinaryOp::Mod,
        "Pow" => BinaryOp::Pow,
        "LShift" => BinaryOp::LShift,
        "RShift" => BinaryOp::RShift,
        "BitAnd" => BinaryOp::BitAnd,
        "BitOr" => BinaryOp::BitOr,
        _ => BinaryOp::BitXor,
    })
}

fn compare_operator(node: Node<'_, '_>) -> PyResult<CompareOp> {
    Ok(match class_name(node)? {
        "Eq" => CompareOp::Eq,
        "NotEq" => CompareOp::NotEq,
        "Lt" => CompareOp::Lt,
        "LtE" => CompareOp::LtE,
        "Gt" => CompareOp::Gt,
        "GtE" => CompareOp::GtE,
        "Is" => CompareOp::Is,
        "IsNot" => CompareOp::IsNot,
        "In" => CompareOp::In,
        _ => CompareOp::NotIn,
    })
}
