//! A parser for the declarations that `cuda.h` holds: typedefs, structures, unions, enumerations, prototypes.
//!
//! The runtime's headers have tags besides (`struct cudaDeviceProp { … };`).
//!
//! The parser is strict: text that it does not know is an error with the place, so that a new header cannot be half
//! read.

use std::collections::BTreeMap;

use super::lex::Token;
use super::model::{
    CType, Enum, Field, FieldKind, Function, Header, Item, Param, Record, rust_builtin,
};

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    header: Header,
    /// The handle type that points to a structure of this tag.
    handles: BTreeMap<String, String>,
}

/// Reads all declarations.
pub fn header(tokens: &[Token]) -> Result<Header, String> {
    let mut parser = Parser {
        tokens,
        at: 0,
        header: Header::default(),
        handles: BTreeMap::new(),
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
        if self.tagged()? {
            return Ok(());
        }
        self.eat("extern");
        let result = self.base_type()?;
        let result = self.pointers(result);
        let symbol = self.name()?;
        let params = self.params()?;
        self.expect(";")?;
        // The header repeats declarations without their macros' suffixes.
        let known = |function: &Function| function.symbol == symbol;
        if !self.header.functions.iter().any(known) {
            self.header.functions.push(Function {
                symbol,
                result,
                params,
            });
        }
        Ok(())
    }

    fn token(&self, ahead: usize) -> &str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| token.as_str())
    }

    /// `struct tag;`, `struct tag { … };` and their like; false if something else stands here.
    fn tagged(&mut self) -> Result<bool, String> {
        let kind = self.peek().to_owned();
        if !matches!(kind.as_str(), "struct" | "union" | "enum")
            || !matches!(self.token(2), "{" | ";")
        {
            return Ok(false);
        }
        self.at += 1;
        let tag = self.name()?;
        if self.eat(";") {
            return Ok(true);
        }
        if kind == "enum" {
            let constants = self.enum_body()?;
            self.header.items.push(Item::Enum(Enum {
                name: tag,
                constants,
            }));
        } else {
            let is_union = kind == "union";
            self.header.tags.push((is_union, tag.clone()));
            self.record_body(tag.clone(), tag, String::new(), is_union)?;
        }
        self.expect(";")?;
        Ok(true)
    }

    /// `typedef struct tag name;` of a tag that has been defined.
    fn typedef_tag(&mut self) -> Result<bool, String> {
        if !matches!(self.peek(), "struct" | "union" | "enum") || self.token(3) != ";" {
            return Ok(false);
        }
        self.at += 1;
        let tag = self.name()?;
        let name = self.name()?;
        self.expect(";")?;
        let record = self.header.records.iter().any(|record| record.name == tag);
        let is_tag = |item: &Item| matches!(item, Item::Enum(item) if item.name == tag);
        if !record && !self.header.items.iter().any(is_tag) {
            return Err(self.error(&format!("a typedef {name} of the tag {tag:?} alone")));
        }
        if name != tag {
            let target = CType::Base {
                name: tag,
                is_const: false,
            };
            self.header.items.push(Item::Alias { name, target });
        }
        Ok(true)
    }

    /// `typedef const struct tag *name;` beside `typedef struct tag *other;`: the same handle.
    fn typedef_const_handle(&mut self) -> Result<bool, String> {
        if self.peek() != "const" || self.token(1) != "struct" || self.token(3) != "*" {
            return Ok(false);
        }
        self.at += 2;
        let tag = self.name()?;
        self.expect("*")?;
        let name = self.name()?;
        self.expect(";")?;
        let Some(handle) = self.handles.get(&tag).cloned() else {
            return Err(self.error(&format!("a pointer to the unknown tag {tag:?}")));
        };
        let target = CType::Base {
            name: handle,
            is_const: false,
        };
        self.header.items.push(Item::Alias { name, target });
        Ok(true)
    }

    fn typedef(&mut self) -> Result<(), String> {
        if self.typedef_tag()? || self.typedef_const_handle()? {
            return Ok(());
        }
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
        let constants = self.enum_body()?;
        let name = self.name()?;
        self.expect(";")?;
        self.header.items.push(Item::Enum(Enum { name, constants }));
        Ok(())
    }

    fn enum_body(&mut self) -> Result<Vec<String>, String> {
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
        Ok(constants)
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
            if let Some(tag) = tag {
                self.handles.insert(tag, name.clone());
            }
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
        // `typedef struct { … } name, other;`
        while self.eat(",") {
            let target = CType::Base {
                name: name.clone(),
                is_const: false,
            };
            let other = self.name()?;
            self.header.items.push(Item::Alias {
                name: other,
                target,
            });
        }
        self.expect(";")?;
        Ok(())
    }

    fn name_after_body(&self) -> Result<String, String> {
        let index = self.body_end()?;
        self.tokens
            .get(index + 1)
            .cloned()
            .ok_or_else(|| self.error("a body without a name"))
    }

    /// True if the body here is that of the elements of an array: `{ … } name[2];`.
    fn array_after_body(&self) -> Result<bool, String> {
        let index = self.body_end()?;
        Ok(self.tokens.get(index + 2).is_some_and(|token| token == "["))
    }

    /// The index of the brace that ends the body here.
    fn body_end(&self) -> Result<usize, String> {
        let mut depth = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(index);
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
            if matches!(self.peek(), "struct" | "union")
                && (self.token(1) == "{" || self.token(2) == "{")
            {
                let nested_union = self.next() == "union";
                if self.peek() != "{" {
                    self.name()?;
                }
                let after = self.name_after_body()?;
                if self.array_after_body()? {
                    // The path leads to its first element.
                    let nested = format!("{name}_{after}");
                    let path = format!("{}[0]", join(&path, &after));
                    self.record_body(nested.clone(), root.clone(), path, nested_union)?;
                    let (field, ctype) = self.declarator(CType::Base {
                        name: nested,
                        is_const: false,
                    })?;
                    self.expect(";")?;
                    fields.push(Field {
                        name: Some(field),
                        kind: FieldKind::Plain(ctype),
                    });
                    continue;
                }
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
                "struct" | "union" | "enum" if words.is_empty() => {
                    // The tag of a type that has no other name; its name here.
                    self.at += 1;
                    let name = self.name()?;
                    is_const |= self.eat("const");
                    return Ok(CType::Base { name, is_const });
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
        let header = read(
            "extern CUresult cuF(const char **text, unsigned long long flags, void *const *list);",
        )
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
    fn records_may_have_several_names_and_be_elements_of_arrays() {
        let header = read("typedef struct S_st { struct { int b; } c[2]; } S, T;").unwrap();
        let paths: Vec<_> = header
            .records
            .iter()
            .map(|record| (record.name.as_str(), record.path.as_str()))
            .collect();
        assert_eq!(paths, [("S", ""), ("S_c", "c[0]")]);
        let FieldKind::Plain(ctype) = &header.records[0].fields[0].kind else {
            panic!("no array");
        };
        assert_eq!(ctype.rust(""), "[S_c; 2]");
        assert!(matches!(&header.items[0], Item::Alias { name, target }
            if name == "T" && target.spelled() == "S"));
    }

    #[test]
    fn tags_are_names_of_types() {
        let header = read(
            "struct P; enum E { A, B }; typedef enum E E_t; typedef struct H *H_t; typedef const struct H *HC_t;
             struct S { enum E e; struct H *h; }; const char *f(struct S s, enum E e); E_t f(int again);",
        )
        .unwrap();
        assert_eq!(header.tags, [(false, "S".to_owned())]);
        assert_eq!(header.functions.len(), 1);
        assert_eq!(header.functions[0].result.spelled(), "const char *");
        let params = &header.functions[0].params;
        assert_eq!(params[0].ctype.rust("x::"), "x::S");
        assert_eq!(params[1].ctype.rust("x::"), "x::E");
        let alias = |wanted: &str| {
            header.items.iter().find_map(|item| match item {
                Item::Alias { name, target } if name == wanted => Some(target.spelled()),
                _ => None,
            })
        };
        assert_eq!(alias("E_t").as_deref(), Some("E"));
        assert_eq!(alias("HC_t").as_deref(), Some("H_t"));
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        assert!(read("typedef struct S_st { int a : 3; } S;").is_err());
        assert!(read("typedef struct T U;").is_err());
        assert!(read("typedef const struct T *U;").is_err());
        assert!(read("typedef enum E { A").is_err());
    }
}
