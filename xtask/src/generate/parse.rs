//! A parser for the declarations that `cuda.h` holds: typedefs, structures, unions, enumerations, prototypes.
//!
//! The parser is strict: text that it does not know is an error with the place, so that a new header cannot be half read.

use super::lex::Token;
use super::model::{
    CType, Enum, Field, FieldKind, Function, Header, Item, Param, Record, rust_builtin,
};

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    header: Header,
}

/// Reads all declarations.
pub fn header(tokens: &[Token]) -> Result<Header, String> {
    let mut parser = Parser {
        tokens,
        at: 0,
        header: Header::default(),
    };
    while parser.at < tokens.len() {
        parser.declaration()?;
    }
    Ok(parser.header)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| token.as_str())
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_owned();
        self.at += 1;
        token
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.at += 1;
        }
        found
    }

    fn error(&self, what: &str) -> String {
        let from = self.at.saturating_sub(12);
        let to = (self.at + 6).min(self.tokens.len());
        format!(
            "cannot read the header: {what} at {:?} in: {}",
            self.peek(),
            self.tokens[from.min(to)..to].join(" ")
        )
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.error(&format!("expected {token:?}")))
        }
    }

    fn name(&mut self) -> Result<String, String> {
        if is_name(self.peek()) {
            Ok(self.next())
        } else {
            Err(self.error("expected a name"))
        }
    }

    fn declaration(&mut self) -> Result<(), String> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("typedef") {
            return self.typedef();
        }
        let result = self.base_type()?;
        let symbol = self.name()?;
        let params = self.params()?;
        self.expect(";")?;
        if result.spelled() != "CUresult" {
            return Err(self.error("a function that does not return CUresult"));
        }
        self.header.functions.push(Function { symbol, params });
        Ok(())
    }

    fn typedef(&mut self) -> Result<(), String> {
        match self.peek() {
            "enum" => self.typedef_enum(),
            "struct" | "union" => self.typedef_record(),
            _ => self.typedef_other(),
        }
    }

    fn typedef_enum(&mut self) -> Result<(), String> {
        self.expect("enum")?;
        if self.peek() != "{" {
            self.name()?;
        }
        self.expect("{")?;
        let mut constants = Vec::new();
        while !self.eat("}") {
            constants.push(self.name()?);
            while self.peek() != "," && self.peek() != "}" {
                if self.at >= self.tokens.len() {
                    return Err(self.error("an enumeration without an end"));
                }
                self.at += 1;
            }
            self.eat(",");
        }
        let name = self.name()?;
        self.expect(";")?;
        self.header.items.push(Item::Enum(Enum { name, constants }));
        Ok(())
    }

    fn typedef_record(&mut self) -> Result<(), String> {
        let is_union = self.next() == "union";
        let tag = if self.peek() == "{" {
            None
        } else {
            Some(self.name()?)
        };
        if self.eat("*") {
            let name = self.name()?;
            self.expect(";")?;
            self.header.items.push(Item::Handle { name });
            return Ok(());
        }
        if self.peek() != "{" {
            // `typedef struct tag name;`: another name for a structure defined before.
            let name = self.name()?;
            return Err(self.error(&format!("a typedef {name} of the tag {tag:?} alone")));
        }
        // The body refers to itself by the name that follows it.
        let name = self.name_after_body()?;
        self.record_body(name.clone(), name.clone(), String::new(), is_union)?;
        self.expect(&name)?;
        self.expect(";")?;
        Ok(())
    }

    fn name_after_body(&self) -> Result<String, String> {
        let mut depth = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return self
                    .tokens
                    .get(index + 1)
                    .cloned()
                    .ok_or_else(|| self.error("a body without a name"));
            }
        }
        Err(self.error("a body without an end"))
    }

    fn record_body(
        &mut self,
        name: String,
        root: String,
        path: String,
        is_union: bool,
    ) -> Result<usize, String> {
        self.expect("{")?;
        let index = self.header.records.len();
        self.header.records.push(Record {
            name: name.clone(),
            root: root.clone(),
            path: path.clone(),
            is_union,
            over_aligned: false,
            fields: Vec::new(),
        });
        let mut fields = Vec::new();
        let mut anonymous = 0;
        while !self.eat("}") {
            if self.eat("_Alignas") {
                self.expect("(")?;
                while !self.eat(")") {
                    self.at += 1;
                    if self.at >= self.tokens.len() {
                        return Err(self.error("an alignment without an end"));
                    }
                }
                self.header.records[index].over_aligned = true;
            }
            if matches!(self.peek(), "struct" | "union") {
                let nested_union = self.next() == "union";
                if self.peek() != "{" {
                    self.name()?;
                }
                let after = self.name_after_body()?;
                let (field, nested_name, nested_path) = if after == ";" {
                    let nested_name = format!("{name}_anon{anonymous}");
                    anonymous += 1;
                    (None, nested_name, path.clone())
                } else {
                    (
                        Some(after.clone()),
                        format!("{name}_{after}"),
                        join(&path, &after),
                    )
                };
                let nested =
                    self.record_body(nested_name, root.clone(), nested_path, nested_union)?;
                if field.is_some() {
                    self.expect(&after)?;
                }
                self.expect(";")?;
                fields.push(Field {
                    name: field,
                    kind: FieldKind::Nested(nested),
                });
                continue;
            }
            let base = self.base_type()?;
            loop {
                let (field, ctype) = self.declarator(base.clone())?;
                fields.push(Field {
                    name: Some(field),
                    kind: FieldKind::Plain(ctype),
                });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        self.header.records[index].fields = fields;
        Ok(index)
    }

    fn typedef_other(&mut self) -> Result<(), String> {
        let base = self.base_type()?;
        let base = self.pointers(base);
        if self.eat("(") {
            self.expect("*")?;
            let name = self.name()?;
            self.expect(")")?;
            let params = self.params()?;
            self.expect(";")?;
            self.header.items.push(Item::Callback {
                name,
                result: base,
                params,
            });
            return Ok(());
        }
        let name = self.name()?;
        self.expect(";")?;
        self.header.items.push(Item::Alias { name, target: base });
        Ok(())
    }

    /// A type without pointers: qualifiers and one name or the words of a built-in type.
    fn base_type(&mut self) -> Result<CType, String> {
        let mut is_const = self.eat("const");
        let mut words = Vec::new();
        loop {
            match self.peek() {
                "const" => {
                    is_const = true;
                    self.at += 1;
                }
                "unsigned" | "signed" | "char" | "short" | "int" | "long" | "float" | "double"
                | "void" => {
                    words.push(self.next());
                }
                "struct" | "union" | "enum" => {
                    return Err(self.error("a tag where a type name is expected"));
                }
                _ => break,
            }
        }
        let name = if words.is_empty() {
            let name = self.name()?;
            is_const |= self.eat("const");
            name
        } else {
            normal_builtin(&words)
        };
        if words_unknown(&words, &name) {
            return Err(self.error("an unknown built-in type"));
        }
        Ok(CType::Base { name, is_const })
    }

    fn pointers(&mut self, mut ctype: CType) -> CType {
        while self.eat("*") {
            let is_const = self.eat("const");
            ctype = CType::Pointer {
                to: Box::new(ctype),
                is_const,
            };
        }
        ctype
    }

    fn declarator(&mut self, base: CType) -> Result<(String, CType), String> {
        let mut ctype = self.pointers(base);
        let name = self.name()?;
        if self.eat("[") {
            let mut length = Vec::new();
            while !self.eat("]") {
                if self.at >= self.tokens.len() {
                    return Err(self.error("an array without an end"));
                }
                length.push(self.next());
            }
            ctype = CType::Array {
                of: Box::new(ctype),
                length: length.join(" "),
            };
        }
        Ok((name, ctype))
    }

    fn params(&mut self) -> Result<Vec<Param>, String> {
        self.expect("(")?;
        let mut params = Vec::new();
        if self.peek() == "void"
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|token| token == ")")
        {
            self.at += 2;
            return Ok(params);
        }
        while !self.eat(")") {
            let base = self.base_type()?;
            let ctype = self.pointers(base);
            let name = if is_name(self.peek()) {
                self.next()
            } else {
                format!("arg{}", params.len())
            };
            if self.peek() == "[" {
                return Err(self.error("an array parameter"));
            }
            params.push(Param { name, ctype });
            if self.peek() != ")" {
                self.expect(",")?;
            }
        }
        Ok(params)
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() {
        field.to_owned()
    } else {
        format!("{path}.{field}")
    }
}

/// `long unsigned int` and its like in their usual order.
fn normal_builtin(words: &[String]) -> String {
    let has = |word: &str| words.iter().any(|other| other == word);
    let longs = words.iter().filter(|word| *word == "long").count();
    let sign = if has("unsigned") {
        "unsigned "
    } else if has("signed") && has("char") {
        "signed "
    } else {
        ""
    };
    let core = match longs {
        0 => ["char", "short", "float", "double", "void"]
            .into_iter()
            .find(|word| has(word))
            .unwrap_or("int"),
        1 => "long",
        _ => "long long",
    };
    format!("{sign}{core}")
}

fn words_unknown(words: &[String], name: &str) -> bool {
    !words.is_empty() && rust_builtin(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::lex;

    fn read(text: &str) -> Result<Header, String> {
        header(&lex::tokens(text)?)
    }

    #[test]
    fn prototypes_keep_names_and_pointer_types() {
        let header =
            read("CUresult cuF(const char **text, unsigned long long flags, void *const *list);")
                .unwrap();
        let params: Vec<_> = header.functions[0]
            .params
            .iter()
            .map(|param| (param.name.as_str(), param.ctype.rust("")))
            .collect();
        assert_eq!(
            params,
            [
                ("text", "*mut *const ::core::ffi::c_char".into()),
                ("flags", "u64".into()),
                ("list", "*const *mut ::core::ffi::c_void".into()),
            ]
        );
    }

    #[test]
    fn nested_and_anonymous_records_know_their_path() {
        let header =
            read("typedef struct S_st { int a; union { struct { int b; } c; int d; }; } S;")
                .unwrap();
        let shape: Vec<_> = header
            .records
            .iter()
            .map(|record| (record.name.as_str(), record.path.as_str(), record.is_union))
            .collect();
        assert_eq!(
            shape,
            [
                ("S", "", false),
                ("S_anon0", "", true),
                ("S_anon0_c", "c", false)
            ]
        );
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        assert!(read("typedef struct S_st { int a : 3; } S;").is_err());
        assert!(read("int f(void);").is_err());
        assert!(read("typedef enum E { A").is_err());
    }
}
