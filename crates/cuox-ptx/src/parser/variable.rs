//! Declarations of variables, registers and parameters, and initial values.

use super::expression::Constant;
use super::symbols::{Register, Symbol, VariableRole, VariableSymbol};
use super::{Parsed, Parser};
use crate::ast::{Init, Linkage, Name, PtrInfo, ScalarType, StateSpace, TypeKind, Variable};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::source::Span;

/// The space that a dotted word names in a declaration.
pub(super) fn declared_space(word: &str) -> Option<StateSpace> {
    Some(match word {
        ".reg" => StateSpace::Reg,
        ".sreg" => StateSpace::SReg,
        ".const" => StateSpace::Const,
        ".global" => StateSpace::Global,
        ".local" => StateSpace::Local,
        ".param" => StateSpace::Param,
        ".shared" => StateSpace::Shared,
        ".tex" => StateSpace::Tex,
        _ => return None,
    })
}

/// No variable is larger: sums of sizes then stay far from overflow.
const MAX_SIZE: u64 = 1 << 48;

impl<'a> Parser<'a> {
    /// A declaration with all its declarators, up to and including `;`; the current token is the space.
    pub(super) fn variables(
        &mut self,
        linkage: Linkage,
        mut add: impl FnMut(Variable),
    ) -> Parsed<()> {
        let lost = std::mem::replace(&mut self.lost, true);
        let model = self.variable_type(linkage)?;
        loop {
            let v = self.declarator(model.clone(), true)?;
            if self.narrows_doubles && v.space == StateSpace::Reg && v.ty == ScalarType::F64 {
                let message =
                    "the target maps `.f64` to `.f32` (`map_f64_to_f32`), which is not supported";
                self.report(Diagnostic::error("E-target", v.span, message));
            }
            self.declare_variable(&v, VariableRole::Plain);
            add(v);
            if !self.eat(b',') {
                break;
            }
        }
        // Until here a mistake leaves names undeclared.
        self.lost = lost;
        self.expect_semicolon()
    }

    /// Parameters in parentheses; the current token is `(`.
    pub(super) fn parameters(&mut self, role: VariableRole) -> Parsed<Vec<Variable>> {
        self.expect(b'(')?;
        let mut list = Vec::new();
        if self.eat(b')') {
            return Ok(list);
        }
        loop {
            let model = self.variable_type(Linkage::None)?;
            if !matches!(model.space, StateSpace::Param | StateSpace::Reg) {
                let d = format!(
                    "a parameter lives in `.param` or `.reg`, not `{}`",
                    model.space
                );
                return Err(self.error(model.span, d));
            }
            let v = self.declarator(model, false)?;
            self.declare_variable(&v, role);
            list.push(v);
            if self.eat(b')') {
                return Ok(list);
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    fn declare_variable(&mut self, v: &Variable, role: VariableRole) {
        // `_` in a prototype names nothing.
        if v.name == *"_" {
            return;
        }
        let symbol = match v.space {
            StateSpace::Reg => Symbol::Register(Register {
                ty: v.ty,
                vector: v.vector,
            }),
            _ => Symbol::Variable(VariableSymbol::of(v, role)),
        };
        let text = self.slice(v.span);
        self.declare(text, v.range, symbol, v.span);
    }

    /// Space, attributes, alignment, vector and type, in any order after the space.
    fn variable_type(&mut self, linkage: Linkage) -> Parsed<Variable> {
        let start = self.token.span;
        let space = match self.token.kind {
            Kind::Dotted => declared_space(self.word()),
            _ => None,
        };
        let Some(space) = space else {
            return Err(self.expected("a state space such as `.reg` or `.param`"));
        };
        self.advance();
        let mut v = Variable {
            linkage,
            space,
            bank: None,
            align: None,
            vector: 1,
            ty: ScalarType::B8,
            name: self.name("_"),
            range: None,
            dims: Vec::new(),
            init: None,
            ptr: None,
            managed: false,
            unified: None,
            span: start,
        };
        if space == StateSpace::Const && self.eat(b'[') {
            v.bank = Some(self.expect_u32("a constant bank")?);
            self.expect(b']')?;
        }
        let mut ty = None;
        while self.token.kind == Kind::Dotted {
            let word = self.word();
            match word {
                ".align" => {
                    self.advance();
                    v.align = Some(self.alignment()?);
                }
                ".attribute" => {
                    self.advance();
                    self.attributes(&mut v)?;
                }
                ".ptr" => {
                    self.advance();
                    v.ptr = Some(self.ptr_info()?);
                }
                ".v2" | ".v4" => {
                    v.vector = word.as_bytes()[2] - b'0';
                    self.advance();
                }
                _ => match ScalarType::from_text(&word[1..]) {
                    Some(t) if ty.is_none() => {
                        ty = Some(t);
                        self.advance();
                    }
                    _ => return Err(self.expected("a type")),
                },
            }
        }
        match ty {
            Some(t) => v.ty = t,
            None => return Err(self.expected("a type such as `.b32`")),
        }
        v.span = Span::new(start.start, self.last_end);
        Ok(v)
    }

    fn alignment(&mut self) -> Parsed<u32> {
        let span = self.token.span;
        let n = self.expect_u32("an alignment")?;
        if !n.is_power_of_two() {
            return Err(self.report(Diagnostic::error(
                "E-align",
                span,
                format!("the alignment {n} is not a power of two"),
            )));
        }
        Ok(n)
    }

    fn ptr_info(&mut self) -> Parsed<PtrInfo> {
        let mut info = PtrInfo {
            space: None,
            align: None,
        };
        while self.token.kind == Kind::Dotted {
            match self.word() {
                ".align" => {
                    self.advance();
                    info.align = Some(self.alignment()?);
                }
                ".generic" => {
                    self.advance();
                }
                word => match declared_space(word) {
                    Some(s) => {
                        self.advance();
                        info.space = Some(s);
                    }
                    None => break,
                },
            }
        }
        Ok(info)
    }

    fn attributes(&mut self, v: &mut Variable) -> Parsed<()> {
        self.expect(b'(')?;
        loop {
            match self.word() {
                ".managed" => {
                    self.advance();
                    v.managed = true;
                }
                ".unified" => {
                    self.advance();
                    self.expect(b'(')?;
                    let high = self.integer()?;
                    self.expect(b',')?;
                    let low = self.integer()?;
                    self.expect(b')')?;
                    v.unified = Some((high, low));
                }
                _ => return Err(self.expected("`.managed` or `.unified`")),
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(())
    }

    /// The name with the text that belongs to it. Only a parameter may go without a name.
    fn declarator(&mut self, mut v: Variable, named: bool) -> Parsed<Variable> {
        if named || self.token.kind == Kind::Ident {
            let (name, span) = self.expect_ident("a name")?;
            v.name = name;
            v.span = span;
        }
        if self.at(b'<') {
            self.advance();
            v.range = Some(self.expect_u32("a number of registers")?);
            self.expect(b'>')?;
        }
        while self.eat(b'[') {
            if self.eat(b']') {
                v.dims.push(0);
            } else {
                v.dims.push(self.integer()?);
                self.expect(b']')?;
            }
        }
        if self.eat(b'=') {
            v.init = Some(self.init()?);
        }
        self.check_declaration(&v)?;
        self.check_size(&v)?;
        // `.b8 x[] = {…}` gets its size from the values.
        if let (Some(Init::List(list)), [0]) = (&v.init, v.dims.as_slice()) {
            v.dims[0] = list.len() as u64;
        }
        Ok(v)
    }

    /// The rules in the manual's sections on state spaces and types.
    fn check_declaration(&mut self, v: &Variable) -> Parsed<()> {
        use StateSpace as S;
        let register = v.space == S::Reg;
        let memory = matches!(v.space, S::Global | S::Const);
        let no_size = match v.dims.split_first() {
            Some((0, rest)) => v.init.is_none() || rest.contains(&0),
            Some((_, rest)) => rest.contains(&0),
            None => false,
        };
        let why = if !is_fundamental(v.ty) {
            format!("`{}` is a type of instructions, not of variables", v.ty)
        } else if v.ty == ScalarType::Pred && (!register || v.vector > 1) {
            "a predicate is a register by itself".into()
        } else if v.ty.kind() == TypeKind::Opaque && !matches!(v.space, S::Global | S::Param) {
            "textures, samplers and surfaces are declared in `.global`".into()
        } else if v.managed && v.space != S::Global {
            "only a variable in `.global` is managed".into()
        } else if v.element_size() > 16 {
            "a vector has at most 128 bits".into()
        } else if register && !v.dims.is_empty() {
            "a register cannot be an array".into()
        } else if let Some(why) = v
            .init
            .as_ref()
            .and_then(|init| wrong_init(v.ty, &v.dims, init))
        {
            why
        } else if v.init.is_some() && !memory {
            format!("a variable in `{}` has no initial value", v.space)
        } else if v.init.is_some() && matches!(v.ty, ScalarType::F16 | ScalarType::F16x2) {
            format!("a `{}` has no initial value", v.ty)
        } else if no_size && v.linkage != Linkage::Extern && v.space != S::Param {
            "an array needs its size, unless it is `.extern`".into()
        } else {
            return Ok(());
        };
        Err(self.report(Diagnostic::error(
            "E-declaration",
            v.span,
            format!("`{}`: {why}", v.name),
        )))
    }

    fn check_size(&mut self, v: &Variable) -> Parsed<()> {
        let elements = v
            .dims
            .iter()
            .try_fold(1u64, |n, &d| n.checked_mul(d.max(1)));
        let size = elements.and_then(|n| n.checked_mul(v.element_size().max(1)));
        if size.is_none_or(|s| s > MAX_SIZE) {
            return Err(self.report(Diagnostic::error(
                "E-size",
                v.span,
                format!("`{}` is larger than any memory", v.name),
            )));
        }
        Ok(())
    }

    fn init(&mut self) -> Parsed<Init> {
        if self.at(b'{') {
            self.advance();
            return self.nested(|p| {
                let mut list = Vec::new();
                while !p.at(b'}') {
                    list.push(p.init()?);
                    if !p.eat(b',') {
                        break;
                    }
                }
                p.expect(b'}')?;
                Ok(Init::List(list))
            });
        }
        if self.token.kind == Kind::Ident && self.word() != "WARP_SZ" {
            return self.symbol_init(None);
        }
        if let Kind::Int { value, .. } = self.token.kind {
            // Most initial values are plain numbers, and `0xFF(symbol)` starts like one.
            let saved = self.token;
            self.advance();
            match self.token.kind {
                Kind::Punct(b',' | b'}' | b';') => return Ok(Init::Integer(value)),
                Kind::Punct(b'(') => {
                    self.advance();
                    let init = self.symbol_init(Some(value))?;
                    self.expect(b')')?;
                    return Ok(init);
                }
                _ => {
                    self.lexer.seek(saved.span.end as usize);
                    self.token = saved;
                }
            }
        }
        Ok(match self.constant()? {
            Constant::Integer { value, .. } => Init::Integer(value),
            Constant::Float32(bits) => Init::Float32(bits),
            Constant::Float64(bits) => Init::Float64(bits),
        })
    }

    fn symbol_init(&mut self, mask: Option<u64>) -> Parsed<Init> {
        let (first, mut span) = self.expect_ident("a symbol")?;
        let generic = &*first == "generic" && self.at(b'(');
        let mut name: Name = first;
        if generic {
            self.advance();
            (name, span) = self.expect_ident("a symbol")?;
        }
        let mut offset = if generic { self.offset()? } else { 0 };
        if generic {
            self.expect(b')')?;
        }
        offset = offset.wrapping_add(self.offset()?);
        Ok(Init::Symbol {
            name,
            offset,
            generic,
            mask,
            span,
        })
    }
}

/// The reason why a variable of a type cannot begin with a value.
fn wrong_init(ty: ScalarType, dims: &[u64], init: &Init) -> Option<String> {
    match init {
        Init::List(list) => {
            let inner = match dims.split_first() {
                Some((&most, inner)) if most == 0 || list.len() as u64 <= most => inner,
                Some((most, _)) => {
                    return Some(format!("{} initial values for {most} elements", list.len()));
                }
                None => dims,
            };
            list.iter().find_map(|init| wrong_init(ty, inner, init))
        }
        Init::Integer(_) if ty.is_float() => Some(format!("an integer is not a value of `{ty}`")),
        Init::Float32(_) | Init::Float64(_) if ty.is_integer() => {
            Some(format!("a floating-point number is not a value of `{ty}`"))
        }
        _ => None,
    }
}

/// True if variables may have that type: the fundamental types, and handles.
fn is_fundamental(ty: ScalarType) -> bool {
    use ScalarType as T;
    match ty {
        T::F16 | T::F16x2 | T::F32 | T::F64 | T::B128 => true,
        T::TexRef | T::SamplerRef | T::SurfRef | T::Pred => true,
        _ => {
            !ty.is_float()
                && matches!(
                    ty.text().trim_start_matches(['b', 's', 'u']),
                    "8" | "16" | "32" | "64"
                )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> Vec<Variable> {
        let mut p = Parser::new(text);
        let mut list = Vec::new();
        let result = p.variables(Linkage::None, |v| list.push(v));
        assert!(result.is_ok(), "{:?}", p.found);
        list
    }

    #[test]
    fn sizes_and_alignments() {
        for (text, size, align) in [
            (".global .u32 x;", 4, 4),
            (".global .v4 .f32 x;", 16, 16),
            (".shared .align 16 .b8 x[24];", 24, 16),
            (".local .f64 x[2][3];", 48, 8),
            (".global .b8 x[] = {1, 2, 3};", 3, 1),
            (".global .b8 x[2+2];", 4, 1),
        ] {
            let v = &declared(text)[0];
            assert_eq!((v.size(), v.alignment()), (size, align), "{text}");
        }
        let mut p = Parser::new(".shared .b8 x[];");
        let mut list = Vec::new();
        assert!(p.variables(Linkage::Extern, |v| list.push(v)).is_ok());
        assert!(list[0].is_unsized());
    }

    #[test]
    fn doubles_that_are_singles_are_refused() {
        let text = |ty: &str| {
            format!(
                ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k () {{\n.reg .{ty} x;\nexit;\n}}\n"
            )
        };
        assert!(crate::parse(&text("f32")).is_ok());
        let refused = crate::parse(&text("f64")).expect_err("doubles");
        assert!(
            format!("{refused:?}").contains("map_f64_to_f32"),
            "{refused:?}"
        );
    }

    #[test]
    fn registers_in_ranges_and_lists() {
        let list = declared(".reg .pred p, %q<4>, z;");
        let seen: Vec<_> = list.iter().map(|v| (v.name.as_str(), v.range)).collect();
        assert_eq!(seen, [("p", None), ("%q", Some(4)), ("z", None)]);
        assert!(list.iter().all(|v| v.ty == ScalarType::Pred));
    }

    #[test]
    fn initial_values() {
        for (text, want) in [
            ("{1, -2, 0x10}", "{1, -2, 16}"),
            ("{{1}, {2, 3}}", "{{1}, {2, 3}}"),
            ("1+2*3", "7"),
            ("-1.5", "0dBFF8000000000000"),
            ("0f3F800000", "0f3F800000"),
            ("foo", "foo"),
            ("foo-4", "foo+-4"),
            ("generic(foo)+4", "generic(foo)+4"),
            ("generic(foo+4)", "generic(foo)+4"),
            (
                "{0xFF(foo), 0xFF00(generic(foo)+8)}",
                "{0xFF(foo), 0xFF00(generic(foo)+8)}",
            ),
        ] {
            let v = &declared(&format!(".global .b64 x = {text};"))[0];
            let init = v.init.as_ref().map(ToString::to_string);
            assert_eq!(init.as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn pointers_and_attributes() {
        let mut p = Parser::new(
            "(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[12], .param .b32 _)",
        );
        let list = p.parameters(VariableRole::Input).unwrap_or_default();
        assert_eq!(list.len(), 3);
        let ptr = PtrInfo {
            space: Some(StateSpace::Global),
            align: Some(16),
        };
        assert_eq!(list[0].ptr, Some(ptr));
        assert_eq!((list[1].size(), list[1].alignment()), (12, 8));
        assert!(declared(".global .attribute(.managed) .u32 m;")[0].managed);
    }
}
