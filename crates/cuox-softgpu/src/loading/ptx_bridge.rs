//! Functions that one PTX text declares with another result than the text that defines them.
//!
//! Compilers call a C function by the prototype that they were given: numba declares a `void` function with a result,
//! for example. On a GPU's machine code that works, since results are registers that nobody looks at. Here a function
//! between the two has the result that is declared: what the definition gives, cut or extended with zeros.

use super::ptx_statements::uncommented;
use std::fmt::Write as _;

/// A declared variable: the size of its elements, their number, and its alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    element: u64,
    /// `None` for one that is not an array.
    count: Option<u64>,
    align: u64,
}

impl Variable {
    /// Reads a declaration such as `.param .align 8 .b8 name[12]`, if it is one of known size.
    pub fn read(declaration: &str) -> Option<Variable> {
        let text = uncommented(declaration).split(['=', ';']).next()?;
        let (words, dims) = text.split_at(text.find('[').unwrap_or(text.len()));
        let mut words = words.split_whitespace();
        let (mut element, mut align) = (None, None);
        while let Some(word) = words.next() {
            match word {
                ".align" => align = Some(words.next()?.parse().ok()?),
                _ => element = element.or(scalar_bytes(word)),
            }
        }
        let element = element?;
        let mut count = None;
        for dim in dims.split('[').skip(1) {
            let n: u64 = dim.trim_end().strip_suffix(']')?.trim().parse().ok()?;
            count = Some(count.unwrap_or(1u64).checked_mul(n)?);
        }
        Some(Variable {
            element,
            count,
            align: align.unwrap_or(element),
        })
    }

    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.element.saturating_mul(self.count.unwrap_or(1))
    }

    /// Its declaration as `.param` variable of that name.
    fn declare(&self, name: &str) -> String {
        match self.count {
            None => format!(".param .b{} {name}", 8 * self.element),
            Some(_) => format!(".param .align {} .b8 {name}[{}]", self.align, self.bytes()),
        }
    }
}

/// The size of a scalar type by its name in PTX.
fn scalar_bytes(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('.')?.strip_prefix(['b', 'u', 's', 'f'])?;
    match digits {
        "8" => Some(1),
        "16" => Some(2),
        "32" => Some(4),
        "64" => Some(8),
        _ => None,
    }
}

/// The result and the parameters of a function.
#[derive(PartialEq, Eq, Debug)]
struct Prototype {
    result: Option<Variable>,
    params: Vec<Variable>,
}

impl Prototype {
    /// Reads the head of a `.func`.
    fn read(statement: &str) -> Option<Prototype> {
        let text = uncommented(statement);
        let mut rest = text.split_once(".func")?.1.trim_start();
        let mut result = None;
        if let Some(after) = rest.strip_prefix('(') {
            let (inside, after) = after.split_once(')')?;
            result = Some(Variable::read(inside)?);
            rest = after;
        }
        let params = match rest.split(['{', ';']).next()?.split_once('(') {
            None => Vec::new(),
            Some((_, after)) => {
                let inside = after.split_once(')')?.0;
                let list = inside.split(',').filter(|p| !p.trim().is_empty());
                list.map(Variable::read).collect::<Option<_>>()?
            }
        };
        Some(Prototype { result, params })
    }
}

/// More bytes of parameters than functions have whose arguments are copied here.
const MOST_BYTES: u64 = 4096;

/// Returns a function of that name with the declared prototype, which calls the defined one; `None` if there is no
/// need, or no way: parameters must agree, and results be scalars.
pub fn write(declaration: &str, definition: &str, name: &str) -> Option<String> {
    let (declared, defined) = (Prototype::read(declaration)?, Prototype::read(definition)?);
    let sizes = |p: &Prototype| p.params.iter().map(Variable::bytes).collect::<Vec<_>>();
    let result = |p: &Prototype| p.result.map(|v| v.bytes());
    let scalar = |p: &Prototype| p.result.is_none_or(|v| v.count.is_none());
    let copied: u64 = sizes(&declared).iter().sum();
    let needed = result(&declared) != result(&defined);
    let possible = sizes(&declared) == sizes(&defined) && scalar(&declared) && scalar(&defined);
    if !needed || !possible || copied > MOST_BYTES {
        return None;
    }
    let target = super::ptx_statements::symbol(definition)?;
    let mut text = String::from("\n.func ");
    if let Some(result) = declared.result {
        let _ = write!(text, "({}) ", result.declare("result"));
    }
    let numbered = |list: &[Variable], prefix: &str| {
        let all = list.iter().enumerate();
        all.map(|(n, v)| v.declare(&format!("{prefix}{n}")))
            .collect::<Vec<_>>()
    };
    let formals = numbered(&declared.params, "formal").join(", ");
    let _ = writeln!(text, "{name}({formals})\n{{\n\t.reg .b64 %word;");
    for local in numbered(&defined.params, "actual") {
        let _ = writeln!(text, "\t{local};");
    }
    for (n, param) in declared.params.iter().enumerate() {
        let (size, count) = match param.count {
            None => (param.element, 1),
            Some(_) => (1, param.bytes()),
        };
        for at in (0..count).map(|i| i * size) {
            let bits = 8 * size;
            let _ = writeln!(text, "\tld.param.u{bits} %word, [formal{n}+{at}];");
            let _ = writeln!(text, "\tst.param.b{bits} [actual{n}+{at}], %word;");
        }
    }
    let actuals: Vec<String> = (0..defined.params.len())
        .map(|n| format!("actual{n}"))
        .collect();
    let actuals = actuals.join(", ");
    match defined.result {
        None => {
            let _ = writeln!(
                text,
                "\tcall.uni {target}, ({actuals});\n\tmov.u64 %word, 0;"
            );
        }
        Some(inner) => {
            let _ = writeln!(text, "\t{};", inner.declare("inner"));
            let _ = writeln!(text, "\tcall.uni (inner), {target}, ({actuals});");
            let _ = writeln!(text, "\tld.param.u{} %word, [inner];", 8 * inner.element);
        }
    }
    if let Some(outer) = declared.result {
        let _ = writeln!(text, "\tst.param.b{} [result], %word;", 8 * outer.element);
    }
    text.push_str("\tret;\n}\n");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let read = |text| Variable::read(text).map(|v| (v.bytes(), v.align));
        assert_eq!(read(".param .b64 x"), Some((8, 8)));
        assert_eq!(read("\n\t.param .align 4 .b8 x[12]\n"), Some((12, 4)));
        assert_eq!(read(".common .global .align 8 .u64 x;"), Some((8, 8)));
        assert_eq!(read(".global .f32 x[2][3] = {1, 2};"), Some((24, 4)));
        assert_eq!(read(".param .u32"), Some((4, 4)));
        for text in [
            "",
            ".param",
            ".global .b32 x[]",
            ".param .b32 x[",
            ".param .b128 x",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn bridges_are_for_results_that_differ() {
        let decl = |result: &str| format!(".extern .func {result} f(.param .b32 a);");
        let def = |result: &str| format!(".visible .func {result} f(.param .u32 a)\n{{\n}}");
        let (none, narrow, wide) = ("", "(.param .b32 r)", "(.param .b64 r)");
        let other = ".visible .func f(.param .u64 a) { }";
        let same = "(.param .s32 q)";
        assert_eq!(write(&decl(narrow), &def(same), "g"), None);
        assert_eq!(write(&decl(wide), other, "g"), None);
        assert_eq!(
            write(&decl("(.param .align 4 .b8 r[12])"), &def(none), "g"),
            None
        );
        for (outer, inner) in [
            (none, narrow),
            (narrow, none),
            (narrow, wide),
            (wide, narrow),
        ] {
            let bridge = write(&decl(outer), &def(inner), "g").unwrap();
            let texts = format!(
                ".version 8.0\n.target sm_75\n.address_size 64\n{}\n{bridge}",
                def(inner)
            );
            cuox_simt::Program::from_ptx(&texts).unwrap_or_else(|e| panic!("{e}\n{texts}"));
        }
    }
}
