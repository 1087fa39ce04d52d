//! Objects of Python's `ast` as `cuox_pykernel::ast`.

use cuox_pykernel::ast::{
    BinaryOp, CompareOp, Constant, Expr, ExprKind, FStringPart, Function, Parameter, ParameterKind,
    Span, Stmt, StmtKind, UnaryOp,
};
use pyo3::exceptions::PyRecursionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyList, PyString};

/// Trees that are deeper than this are refused.
const MOST_NESTED: u32 = 400;

/// Reads trees whose lines are `offset` less than those of the file.
pub struct Reader {
    offset: i64,
    depth: u32,
}

type Node<'a, 'py> = &'a Bound<'py, PyAny>;

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
        other => return format!("a {other} node"),
    }
    .to_owned()
}

impl Reader {
    pub fn new(offset: i64) -> Self {
        Self { offset, depth: 0 }
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
        let parameters = self.parameters(&node.getattr(intern!(py, "args"))?)?;
        let body = node.getattr(intern!(py, "body"))?;
        let (name, body) = match body.cast::<PyList>() {
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

    fn field_body(&mut self, node: Node<'_, '_>, name: &str) -> PyResult<Vec<Stmt>> {
        let body = node.getattr(name)?;
        self.body(body.cast::<PyList>()?)
    }

    fn field(&mut self, node: Node<'_, '_>, name: &str) -> PyResult<Expr> {
        self.expr(&node.getattr(name)?)
    }

    fn optional(&mut self, node: Node<'_, '_>, name: &str) -> PyResult<Option<Expr>> {
        let value = node.getattr(name)?;
        if value.is_none() {
            Ok(None)
        } else {
            self.expr(&value).map(Some)
        }
    }

    fn list(&mut self, node: Node<'_, '_>, name: &str) -> PyResult<Vec<Expr>> {
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
        let class = node.get_type().name()?;
        let class = class.to_str()?;
        Ok(match class {
            "Assign" => StmtKind::Assign {
                targets: self.list(node, "targets")?,
                value: self.field(node, "value")?,
            },
            "AnnAssign" => match self.optional(node, "value")? {
                Some(value) => StmtKind::Assign {
                    targets: vec![self.field(node, "target")?],
                    value,
                },
                None => StmtKind::Pass,
            },
            "AugAssign" => StmtKind::AugAssign {
                target: self.field(node, "target")?,
                operator: binary_operator(&node.getattr("op")?)?,
                value: self.field(node, "value")?,
            },
            "Expr" => StmtKind::Expr(self.field(node, "value")?),
            "If" => StmtKind::If {
                test: self.field(node, "test")?,
                body: self.field_body(node, "body")?,
                orelse: self.field_body(node, "orelse")?,
            },
            "While" => StmtKind::While {
                test: self.field(node, "test")?,
                body: self.field_body(node, "body")?,
                orelse: self.field_body(node, "orelse")?,
            },
            "For" => StmtKind::For {
                target: self.field(node, "target")?,
                iterable: self.field(node, "iter")?,
                body: self.field_body(node, "body")?,
                orelse: self.field_body(node, "orelse")?,
            },
            "Break" => StmtKind::Break,
            "Continue" => StmtKind::Continue,
            "Pass" => StmtKind::Pass,
            "Return" => StmtKind::Return(self.optional(node, "value")?),
            "Raise" => StmtKind::Raise(self.optional(node, "exc")?),
            "Assert" => StmtKind::Assert {
                test: self.field(node, "test")?,
                message: self.optional(node, "msg")?,
            },
            "FunctionDef" => StmtKind::FunctionDef(Box::new(self.function(node)?)),
            "Delete" => StmtKind::Delete(self.list(node, "targets")?),
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

    fn boxed(&mut self, node: Node<'_, '_>, name: &str) -> PyResult<Box<Expr>> {
        self.field(node, name).map(Box::new)
    }

    fn expr_kind(&mut self, node: Node<'_, '_>) -> PyResult<ExprKind> {
        let py = node.py();
        let class = node.get_type().name()?;
        Ok(match class.to_str()? {
            "Name" => ExprKind::Name(node.getattr(intern!(py, "id"))?.extract()?),
            "Constant" => return constant(&node.getattr(intern!(py, "value"))?),
            "Attribute" => ExprKind::Attribute {
                value: self.boxed(node, "value")?,
                name: node.getattr(intern!(py, "attr"))?.extract()?,
            },
            "Subscript" => ExprKind::Subscript {
                value: self.boxed(node, "value")?,
                index: self.boxed(node, "slice")?,
            },
            "Slice" => ExprKind::Slice {
                lower: self.optional(node, "lower")?.map(Box::new),
                upper: self.optional(node, "upper")?.map(Box::new),
                step: self.optional(node, "step")?.map(Box::new),
            },
            "Tuple" => ExprKind::Tuple(self.list(node, "elts")?),
            "List" => ExprKind::List(self.list(node, "elts")?),
            "BinOp" => ExprKind::Binary {
                operator: binary_operator(&node.getattr("op")?)?,
                left: self.boxed(node, "left")?,
                right: self.boxed(node, "right")?,
            },
            "UnaryOp" => {
                let operator = node.getattr("op")?.get_type().name()?;
                ExprKind::Unary {
                    operator: match operator.to_str()? {
                        "USub" => UnaryOp::Neg,
                        "UAdd" => UnaryOp::Pos,
                        "Invert" => UnaryOp::Invert,
                        _ => UnaryOp::Not,
                    },
                    operand: self.boxed(node, "operand")?,
                }
            }
            "BoolOp" => {
                let values = self.list(node, "values")?;
                let operator = node.getattr("op")?.get_type().name()?;
                match operator.to_str()? {
                    "And" => ExprKind::And(values),
                    _ => ExprKind::Or(values),
                }
            }
            "Compare" => {
                let operators: Vec<Bound<'_, PyAny>> = node.getattr("ops")?.extract()?;
                let others = self.list(node, "comparators")?;
                let mut rest = Vec::with_capacity(others.len());
                for (operator, other) in operators.iter().zip(others) {
                    rest.push((compare_operator(operator)?, other));
                }
                ExprKind::Compare {
                    first: self.boxed(node, "left")?,
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
                    named.push((name.extract()?, self.field(keyword, "value")?));
                }
                ExprKind::Call {
                    function: self.boxed(node, "func")?,
                    arguments: self.list(node, "args")?,
                    keywords: named,
                }
            }
            "IfExp" => ExprKind::Conditional {
                test: self.boxed(node, "test")?,
                body: self.boxed(node, "body")?,
                orelse: self.boxed(node, "orelse")?,
            },
            "Lambda" => ExprKind::Lambda(Box::new(self.function(node)?)),
            "JoinedStr" => {
                let values: Vec<Bound<'_, PyAny>> = node.getattr("values")?.extract()?;
                let mut parts = Vec::with_capacity(values.len());
                for value in &values {
                    parts.push(self.fstring_part(value)?);
                }
                ExprKind::FString(parts)
            }
            "Starred" => ExprKind::Starred(self.boxed(node, "value")?),
            "NamedExpr" => {
                let target = node.getattr("target")?;
                ExprKind::Named {
                    target: target.getattr(intern!(py, "id"))?.extract()?,
                    value: self.boxed(node, "value")?,
                }
            }
            other => ExprKind::Unsupported(described(other)),
        })
    }

    fn fstring_part(&mut self, node: Node<'_, '_>) -> PyResult<FStringPart> {
        let class = node.get_type().name()?;
        if class.to_str()? == "Constant" {
            return Ok(FStringPart::Text(node.getattr("value")?.extract()?));
        }
        let format = node.getattr("format_spec")?;
        let mut text = String::new();
        if !format.is_none() {
            let parts: Vec<Bound<'_, PyAny>> = format.getattr("values")?.extract()?;
            for part in parts {
                match part.getattr("value")?.extract::<String>() {
                    Ok(part) => text.push_str(&part),
                    // A value inside of the format: no format of printf's has that.
                    Err(_) => text.push_str("{}"),
                }
            }
        }
        Ok(FStringPart::Value {
            value: self.field(node, "value")?,
            format: text,
        })
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
        let part: f64 = value.getattr("imag")?.extract()?;
        Constant::Imaginary(part)
    } else {
        Constant::Ellipsis
    };
    Ok(ExprKind::Constant(constant))
}

fn binary_operator(node: Node<'_, '_>) -> PyResult<BinaryOp> {
    let class = node.get_type().name()?;
    Ok(match class.to_str()? {
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
    let class = node.get_type().name()?;
    Ok(match class.to_str()? {
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
