//! Tree to text. What is printed parses to the same tree, spans aside.

use crate::ast::*;
use std::fmt::{self, Display, Formatter, Write as _};

/// Prints a module as PTX text.
pub fn print(module: &Module) -> String {
    module.to_string()
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, ".version {}.{}", self.version.0, self.version.1)?;
        write!(f, ".target sm_{}", self.target.sm)?;
        if let Some(c) = self.target.suffix {
            f.write_char(c)?;
        }
        for option in &self.target.options {
            write!(f, ", {option}")?;
        }
        writeln!(f, "\n.address_size {}", self.address_size)?;
        for item in &self.items {
            match item {
                Item::Variable(v) => writeln!(f, "{v};")?,
                Item::Function(function) => write!(f, "\n{function}")?,
                Item::Alias { name, target, .. } => writeln!(f, ".alias {name}, {target};")?,
                Item::Pragma(strings) => writeln!(f, "{}", Pragma(strings))?,
            }
        }
        for file in &self.files {
            write!(f, ".file {} \"{}\"", file.index, file.path)?;
            match file.stamp {
                Some((time, size)) => writeln!(f, ", {time}, {size}")?,
                None => writeln!(f)?,
            }
        }
        for section in &self.sections {
            writeln!(f, ".section {}\n{{\n{}\n}}", section.name, section.text)?;
        }
        Ok(())
    }
}

/// Writes items with commas between them.
fn list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

struct Pragma<'a>(&'a [String]);

impl Display for Pragma<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(".pragma ")?;
        for (i, s) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}\"{s}\"")?;
        }
        f.write_char(';')
    }
}

impl Display for Linkage {
    /// The directive with a blank behind it; nothing for `None`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::Visible => ".visible ",
            Self::Extern => ".extern ",
            Self::Weak => ".weak ",
            Self::Common => ".common ",
        })
    }
}

impl Display for Variable {
    /// The declaration without its semicolon.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.linkage, self.space)?;
        if let Some(bank) = self.bank {
            write!(f, "[{bank}]")?;
        }
        if self.managed {
            f.write_str(" .attribute(.managed)")?;
        }
        if let Some((high, low)) = self.unified {
            write!(f, " .attribute(.unified({high}, {low}))")?;
        }
        if let Some(align) = self.align {
            write!(f, " .align {align}")?;
        }
        if self.vector > 1 {
            write!(f, " .v{}", self.vector)?;
        }
        write!(f, " {}", self.ty)?;
        if let Some(ptr) = &self.ptr {
            f.write_str(" .ptr")?;
            if let Some(space) = ptr.space {
                write!(f, " {space}")?;
            }
            if let Some(align) = ptr.align {
                write!(f, " .align {align}")?;
            }
        }
        write!(f, " {}", self.name)?;
        if let Some(range) = self.range {
            write!(f, "<{range}>")?;
        }
        for dim in &self.dims {
            match dim {
                0 => f.write_str("[]")?,
                n => write!(f, "[{n}]")?,
            }
        }
        match &self.init {
            Some(init) => write!(f, " = {init}"),
            None => Ok(()),
        }
    }
}

/// `+4` or `+-4`; nothing for 0.
struct Offset(i64);

impl Display for Offset {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            n => write!(f, "+{n}"),
        }
    }
}

impl Display for Init {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::List(items) => {
                f.write_char('{')?;
                list(f, items)?;
                f.write_char('}')
            }
            Self::Integer(value) => write!(f, "{}", *value as i64),
            Self::Float32(bits) => write!(f, "0f{bits:08X}"),
            Self::Float64(bits) => write!(f, "0d{bits:016X}"),
            Self::Symbol {
                name,
                offset,
                generic,
                mask,
                ..
            } => {
                if let Some(mask) = mask {
                    write!(f, "0x{mask:X}(")?;
                }
                if *generic {
                    write!(f, "generic({name})")?;
                } else {
                    write!(f, "{name}")?;
                }
                write!(f, "{}", Offset(*offset))?;
                if mask.is_some() {
                    f.write_char(')')?;
                }
                Ok(())
            }
        }
    }
}

fn parameters(f: &mut Formatter<'_>, params: &[Variable]) -> fmt::Result {
    f.write_char('(')?;
    list(f, params)?;
    f.write_char(')')
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FunctionKind::Entry => ".entry",
            FunctionKind::Func => ".func",
        };
        write!(f, "{}{kind} ", self.linkage)?;
        if !self.returns.is_empty() {
            parameters(f, &self.returns)?;
            f.write_char(' ')?;
        }
        write!(f, "{}", self.name)?;
        parameters(f, &self.params)?;
        for directive in &self.directives {
            write!(f, "\n{directive}")?;
        }
        match &self.body {
            None => f.write_str("\n;\n"),
            Some(body) => {
                f.write_char('\n')?;
                block(f, body, 0)
            }
        }
    }
}

impl Display for FunctionDirective {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (word, numbers): (&str, &[u32]) = match self {
            Self::MaxNTid(v) => (".maxntid", v),
            Self::ReqNTid(v) => (".reqntid", v),
            Self::ReqNCtaPerCluster(v) => (".reqnctapercluster", v),
            Self::MinNCtaPerSm(n) => (".minnctapersm", std::slice::from_ref(n)),
            Self::MaxNCtaPerSm(n) => (".maxnctapersm", std::slice::from_ref(n)),
            Self::MaxNReg(n) => (".maxnreg", std::slice::from_ref(n)),
            Self::MaxClusterRank(n) => (".maxclusterrank", std::slice::from_ref(n)),
            Self::AbiPreserve(n) => (".abi_preserve", std::slice::from_ref(n)),
            Self::AbiPreserveControl(n) => (".abi_preserve_control", std::slice::from_ref(n)),
            Self::ExplicitCluster => (".explicitcluster", &[]),
            Self::BlocksAreClusters => (".blocksareclusters", &[]),
            Self::NoReturn => (".noreturn", &[]),
            Self::Pragma(strings) => return write!(f, "{}", Pragma(strings)),
            Self::Other(word) => return write!(f, ".{word}"),
        };
        f.write_str(word)?;
        if !numbers.is_empty() {
            f.write_char(' ')?;
        }
        list(f, numbers)
    }
}

fn block(f: &mut Formatter<'_>, body: &[Statement], depth: usize) -> fmt::Result {
    let indent = "\t".repeat(depth);
    writeln!(f, "{indent}{{")?;
    for statement in body {
        match statement {
            Statement::Block(inner) => block(f, inner, depth + 1)?,
            Statement::Label { .. } => writeln!(f, "{indent}{statement}")?,
            _ => writeln!(f, "{indent}\t{statement}")?,
        }
    }
    writeln!(f, "{indent}}}")
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(v) => write!(f, "{v};"),
            Self::Label { name, .. } => write!(f, "{name}:"),
            Self::Instruction(i) => write!(f, "{i}"),
            Self::Block(body) => block(f, body, 0),
            Self::Loc(loc) => write!(f, "{loc}"),
            Self::Pragma(strings) => write!(f, "{}", Pragma(strings)),
            Self::BranchTargets { name, labels, .. } => {
                write!(f, "{name}: .branchtargets ")?;
                list(f, labels)?;
                f.write_char(';')
            }
            Self::CallTargets {
                name, functions, ..
            } => {
                write!(f, "{name}: .calltargets ")?;
                list(f, functions)?;
                f.write_char(';')
            }
            Self::Unknown(d) => write!(f, "// {}", d.message),
            Self::CallPrototype(p) => {
                write!(f, "{}: .callprototype ", p.name)?;
                parameters(f, &p.returns)?;
                f.write_str(" _ ")?;
                parameters(f, &p.params)?;
                f.write_str(if p.noreturn { " .noreturn;" } else { ";" })
            }
        }
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        match &self.inlined_at {
            None => Ok(()),
            Some(at) => write!(
                f,
                ", function_name {}{}, inlined_at {} {} {}",
                at.function_name,
                Offset(at.offset.into()),
                at.file,
                at.line,
                at.column
            ),
        }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            let not = if guard.negated { "!" } else { "" };
            write!(f, "@{not}{} ", guard.register)?;
        }
        write!(f, "{}{}", self.opcode, self.modifiers)?;
        if !self.operands.is_empty() {
            f.write_char(' ')?;
            list(f, &self.operands)?;
        }
        if let Some(call) = &self.call {
            write!(f, " {call}")?;
        }
        f.write_char(';')
    }
}

impl Display for CallOperands {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.returns.is_empty() {
            f.write_char('(')?;
            list(f, &self.returns)?;
            f.write_str("), ")?;
        }
        write!(f, "{}", self.callee)?;
        if !self.args.is_empty() {
            f.write_str(", (")?;
            list(f, &self.args)?;
            f.write_char(')')?;
        }
        match &self.prototype {
            Some(p) => write!(f, ", {p}"),
            None => Ok(()),
        }
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

struct Place<'a>(&'a AddressBase, i64);

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            AddressBase::Register(name) | AddressBase::Symbol(name) => {
                write!(f, "{name}{}", Offset(self.1))
            }
            AddressBase::Absolute => write!(f, "{}", self.1),
        }
    }
}

impl Display for OperandKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(name) => write!(f, "{name}"),
            Self::Selected { register, selector } => write!(f, "{register}.{selector}"),
            Self::Symbol { name, offset } => write!(f, "{name}{}", Offset(*offset)),
            Self::Special {
                register,
                component,
            } => match component {
                Some(c) => write!(f, "{register}.{}", c.text()),
                None => write!(f, "{register}"),
            },
            Self::Integer {
                value, unsigned, ..
            } => match (*unsigned, *value as i64) {
                (true, _) => write!(f, "{value}U"),
                // Its magnitude alone would read as an unsigned constant.
                (false, i64::MIN) => f.write_str("(-9223372036854775807-1)"),
                (false, v) => write!(f, "{v}"),
            },
            Self::Float32(bits) => write!(f, "0f{bits:08X}"),
            Self::Float64(bits) => write!(f, "0d{bits:016X}"),
            Self::Address { base, offset } => write!(f, "[{}]", Place(base, *offset)),
            Self::Bracketed(items) => {
                f.write_char('[')?;
                for (i, item) in items.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    match &item.kind {
                        Self::Address { base, offset } => {
                            write!(f, "{comma}{}", Place(base, *offset))?;
                        }
                        other => write!(f, "{comma}{other}")?,
                    }
                }
                f.write_char(']')
            }
            Self::Vector(items) => {
                f.write_char('{')?;
                list(f, items)?;
                f.write_char('}')
            }
            Self::Pair(a, b) => write!(f, "{a}|{b}"),
            Self::Negated(inner) => write!(f, "!{inner}"),
            Self::Minus(inner) => write!(f, "-{inner}"),
            Self::Sink => f.write_char('_'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_in_full() {
        let text = "\
.version 9.0
.target sm_90a, debug
.address_size 64
.visible .global .attribute(.managed) .align 4 .b8 g[4] = {0xFF00(h+4), 1, -2, 0x3F};
.global .u64 p = generic(g)+8;
.func (.param .b32 r) f(.param .b32 a, .param .b32 b);
.entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24]) .maxntid 128, 1 {
  .reg .pred %p<2>; .reg .b32 x, y; .reg .b64 %rd<3>; .reg .f32 %f<5>; { .reg .f32 f; mov.f32 f, -1.5; }
  @!%p1 ld.global.v2.u32 {x, y}, [%rd1-8];
L: setp.eq.and.u32 %p1|_, x, 5U, !%p0;
  mov.u32 x, %tid.x; mov.b64 %rd1, g+16; shfl.sync.idx.b32 x|%p1, y, 0, 31, -1;
  call.uni (x), f, (y, 3);
  tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd2, {x, y}];
  ret;
}";
        let want = "\
.version 9.0
.target sm_90a, debug
.address_size 64
.visible .global .attribute(.managed) .align 4 .b8 g[4] = {0xFF00(h+4), 1, -2, 63};
.global .u64 p = generic(g)+8;

.func (.param .b32 r) f(.param .b32 a, .param .b32 b)
;

.entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24])
.maxntid 128, 1
{
\t.reg .pred %p<2>;
\t.reg .b32 x;
\t.reg .b32 y;
\t.reg .b64 %rd<3>;
\t.reg .f32 %f<5>;
\t{
\t\t.reg .f32 f;
\t\tmov.f32 f, 0dBFF8000000000000;
\t}
\t@!%p1 ld.global.v2.u32 {x, y}, [%rd1+-8];
L:
\tsetp.eq.and.u32 %p1|_, x, 5U, !%p0;
\tmov.u32 x, %tid.x;
\tmov.b64 %rd1, g+16;
\tshfl.sync.idx.b32 x|%p1, y, 0, 31, -1;
\tcall.uni (x), f, (y, 3);
\ttex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {x, y}];
\tret;
}
";
        let mut first = crate::parse(text).expect("valid");
        assert_eq!(print(&first), want);
        let mut second = crate::parse(want).expect("printed text is valid");
        first.clear_spans();
        second.clear_spans();
        assert_eq!(first, second);
    }
}
