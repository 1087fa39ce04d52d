//! `print`.

use crate::code::escaped;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{FLOAT64, INT64, Type, UINT64};

/// printf takes no more arguments than this.
const MOST_VALUES: usize = 32;

/// The format and the arguments of one call of printf.
#[derive(Default)]
struct Line {
    format: String,
    values: Vec<String>,
}

/// `print(a, b, sep=" ", end="\n")`: one call of printf, so that lines of threads do not mix.
pub fn print(frame: &mut Frame<'_, '_>, _: &str, arguments: Arguments) -> Result<Operand> {
    let (mut separator, mut end) = (" ".to_owned(), "\n".to_owned());
    for (name, operand) in arguments.keywords {
        let text = match operand.constant() {
            Some(Value::Str(text)) => text,
            Some(Value::None) => continue,
            _ => {
                return Err(Failure::new(
                    Code::NotConstant,
                    format!("print(): {name} must be plain text"),
                ));
            }
        };
        match name.as_str() {
            "sep" => separator = text,
            "end" => end = text,
            _ => {
                return Err(Failure::new(
                    Code::Arguments,
                    format!("print() has no argument '{name}' in kernels"),
                ));
            }
        }
    }
    let mut line = Line::default();
    for (index, operand) in arguments.positional.into_iter().enumerate() {
        if index > 0 {
            line.text(&separator);
        }
        line.operand(frame, operand, "")?;
    }
    line.text(&end);
    if line.values.len() > MOST_VALUES {
        return Err(Failure::new(
            Code::Unsupported,
            format!(
                "print() takes at most {MOST_VALUES} values in a kernel, {} given",
                line.values.len()
            ),
        ));
    }
    let mut list = vec![format!("\"{}\"", escaped(&line.format))];
    list.append(&mut line.values);
    frame
        .code
        .statement(format!("::printf({});", list.join(", ")));
    Ok(Operand::Constant(Value::None))
}

impl Line {
    fn text(&mut self, text: &str) {
        self.format.push_str(&text.replace('%', "%%"));
    }

    fn operand(&mut self, frame: &mut Frame<'_, '_>, operand: Operand, format: &str) -> Result<()> {
        match operand {
            Operand::Constant(Value::Str(text)) => {
                self.text(&text);
                Ok(())
            }
            Operand::Constant(Value::None) => {
                self.text("None");
                Ok(())
            }
            Operand::Constant(Value::Path(path)) => {
                match path.strip_prefix("cuda.").and_then(super::thread::whole) {
                    Some(tuple) => self.operand(frame, tuple, format),
                    None => {
                        self.text(&path);
                        Ok(())
                    }
                }
            }
            Operand::Special("f-string", parts) => {
                for part in parts {
                    if let Operand::Tuple(mut part) = part {
                        let format = match part.len() {
                            2 => part.pop().and_then(|format| match format {
                                Operand::Constant(Value::Str(format)) => Some(format),
                                _ => None,
                            }),
                            _ => None,
                        };
                        if let Some(value) = part.pop() {
                            self.operand(frame, value, format.as_deref().unwrap_or(""))?;
                        }
                    }
                }
                Ok(())
            }
            Operand::Tuple(items) => self.items(frame, items),
            Operand::Value(value) if value.ty.as_tuple().is_some() => {
                let items = frame.items(value.into())?;
                self.items(frame, items)
            }
            other => {
                let value = frame.value(other)?;
                self.value(frame, value, format)
            }
        }
    }

    fn items(&mut self, frame: &mut Frame<'_, '_>, items: Vec<Operand>) -> Result<()> {
        let is_single = items.len() == 1;
        self.text("(");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.operand(frame, item, "")?;
        }
        self.text(if is_single { ",)" } else { ")" });
        Ok(())
    }

    fn value(&mut self, frame: &mut Frame<'_, '_>, value: Expr, format: &str) -> Result<()> {
        let ty = value.ty.clone();
        let bad = |format: &str| {
            Failure::new(
                Code::Unsupported,
                format!(
                    "print() in a kernel does not know the format '{format}' for {}",
                    ty.shown()
                ),
            )
        };
        match &value.ty {
            Type::Bool if format.is_empty() => {
                self.format.push_str("%s");
                let text = format!("{} ? \"True\" : \"False\"", value.inside(Binding::Or));
                self.values.push(text);
            }
            ty if ty.is_integral() => {
                let unsigned = ty.is_unsigned();
                let wide = if unsigned { UINT64 } else { INT64 };
                let (flags, kind) = split_format(format).ok_or_else(|| bad(format))?;
                if matches!(kind, 'f' | 'e' | 'g' | 'E' | 'G') {
                    let value = frame.convert(value, &FLOAT64)?;
                    self.format.push_str(&format!("%{flags}{kind}"));
                    self.values.push(value.text);
                    return Ok(());
                }
                let letter = match kind {
                    '\0' | 'd' => {
                        if unsigned {
                            'u'
                        } else {
                            'd'
                        }
                    }
                    'x' | 'X' | 'o' => kind,
                    _ => return Err(bad(format)),
                };
                let value = frame.convert(value, &wide)?;
                self.format.push_str(&format!("%{flags}ll{letter}"));
                self.values.push(value.text);
            }
            ty if ty.is_float() => {
                let (flags, kind) = split_format(format).ok_or_else(|| bad(format))?;
                let kind = match kind {
                    // A width alone, or nothing: as printf shows floats. A precision alone: digits, as in Python.
                    '\0' if flags.contains('.') => 'g',
                    '\0' => 'f',
                    'f' | 'F' | 'e' | 'E' | 'g' | 'G' => kind,
                    _ => return Err(bad(format)),
                };
                let value = frame.convert(value, &FLOAT64)?;
                self.format.push_str(&format!("%{flags}{kind}"));
                self.values.push(value.text);
            }
            Type::Complex(_) => {
                let value = frame.hoist(value);
                let base = value.inside(Binding::Primary);
                self.format.push_str("(%f%+fj)");
                self.values.push(format!("float64({base}.real())"));
                self.values.push(format!("float64({base}.imag())"));
            }
            Type::Time { .. } => {
                self.format.push_str("%lld");
                self.values.push(value.text);
            }
            Type::Pointer(_) => {
                self.format.push_str("%p");
                self.values.push(value.text);
            }
            Type::Record(record) => {
                let record = record.clone();
                let value = frame.hoist(value);
                let items = record
                    .fields
                    .iter()
                    .map(|field| frame.record_field(&value, field));
                let items = items.collect::<Result<_>>()?;
                self.items(frame, items)?;
            }
            ty => {
                return Err(Failure::new(
                    Code::Unsupported,
                    format!("print() cannot show {} in a kernel", ty.shown()),
                )
                .help("print its elements one by one"));
            }
        }
        Ok(())
    }
}

/// A format of Python's as flags, width and precision of printf's, and the letter. `None`: it is no such.
fn split_format(format: &str) -> Option<(String, char)> {
    let mut rest = format;
    let mut flags = String::new();
    if let Some(behind) = rest.strip_prefix('<') {
        flags.push('-');
        rest = behind;
    } else if let Some(behind) = rest.strip_prefix('>') {
        rest = behind;
    }
    while let Some(c @ ('+' | ' ' | '#' | '0')) = rest.chars().next() {
        flags.push(c);
        rest = &rest[1..];
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(rest.len());
    let (width, kind) = rest.split_at(digits);
    if width.len() > 8 || width.matches('.').count() > 1 {
        return None;
    }
    flags.push_str(width);
    let mut letters = kind.chars();
    match (letters.next(), letters.next()) {
        (None, _) => Some((flags, '\0')),
        (Some(letter), None) if letter.is_ascii_alphabetic() => Some((flags, letter)),
        _ => None,
    }
}
