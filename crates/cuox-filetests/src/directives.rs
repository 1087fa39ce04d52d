//! The directives of a test file: comments that begin with a known word and a colon, or with `in`, `out`, `arg`,
//! `texture`, `surface`, `tensor`, `expect` or `agree`.
//!
//! ```text
//! // in a: u32[64] = special random(3)      an input; parameters are matched in the order of these lines
//! // arg n: u32 = 64                        a number passed by value
//! // out r: u32[64]                         an output, filled with 0xa5 bytes first
//! // inout h: u32[8] = 0 ...                both
//! // texture t: f32x4[8,2] linear wrap normalized = 0 ...   a texture object, one, two or three extents; also
//! //                                        point, clamp, mirror, border, integers, srgb, seamless, layered, cube, memory (linear)
//! // surface s: u32[8,2] = 0 ...            a surface object, whose elements are a result
//! // tensor t: u16[6,16] box=4,8 = 0 ...  a tensor map, passed by value, and its tensor, whose elements may be a result; also
//! //                                        step=1,2 dims=6,15 type=6 swizzle=3 interleave=1 nan (the driver's numbers); for
//! //                                        pixels lower=-1,0 upper=0,0 channels=8 pixels=20 in place of box=
//! // run: kernel=k,l@1 threads=64 block=32|33|7,5 grid=2 cluster=2 shared=64 stack=1024 engines=interpreter,jit,jit-narrow,auto cooperative unchecked
//! // expect r = 1 2 3                       exact; several such lines are one list
//! // expect r ~2 = 1.0 2.0                  floats within two units in the last place
//! // agree r                                no values: both engines give the same, bit for bit
//! // fault: Trap "a part of the message"    the fault that ends the launch
//! // print: "text\n"                        the printed text; several lines are one text
//! ```
//!
//! `l@1` runs in the first block shape only. An `unchecked` run makes accesses that are no faults on a GPU and are
//! where all are checked (`CUOX_SOFT_CHECK=memory`): there it is left out. Directives before the first `run` belong to
//! every run, directives behind one to that run only.

use crate::values::{self, Elem, Item};
use crate::{image, tensor};
use cuox_simt::Engine;

/// A parameter of the kernel.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Element type.
    pub elem: Elem,
    /// Initial elements.
    pub init: Vec<u64>,
    /// Passed by value.
    pub by_value: bool,
    /// True if its contents are a result.
    pub is_out: bool,
    /// True if its initial contents mean something.
    pub is_in: bool,
    /// The image that it is, if it is not plain memory.
    pub image: Option<image::Spec>,
    /// The tensor map that is passed in place of its address.
    pub tensor: Option<tensor::Spec>,
}

/// The expectation of an output.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Name of the buffer.
    pub name: String,
    /// Units in the last place that a result may be off.
    pub ulps: u64,
    /// The values as text.
    pub text: String,
    /// Lines (from 0) of the file that hold them.
    pub lines: Vec<usize>,
}

/// One `run` line with its directives.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Line of the directive, from 1.
    pub line: usize,
    /// Kernels that all must give the same, and whether they run in the first block shape only.
    pub kernels: Vec<(String, bool)>,
    /// Blocks; computed from `threads` if that is given.
    pub grid: [u32; 3],
    /// Threads in all.
    pub threads: Option<u32>,
    /// Block shapes.
    pub blocks: Vec<[u32; 3]>,
    /// Blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// Left out where all accesses are checked.
    pub unchecked: bool,
    /// Dynamic shared memory.
    pub shared: u32,
    /// Stack of a thread.
    pub stack: u32,
    /// The engines to run in.
    pub engines: Vec<Engine>,
    /// A cooperative launch.
    pub cooperative: bool,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Expected values.
    pub expects: Vec<Expect>,
    /// Outputs on which the engines must agree.
    pub agrees: Vec<String>,
    /// Expected fault: kind, part of the message.
    pub fault: Option<(String, String)>,
    /// Expected output.
    pub print: Option<String>,
}

impl Run {
    /// A buffer by name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.name == name)
    }

    /// The expected items of a list.
    pub fn items(&self, expect: &Expect) -> Result<Vec<Item>, String> {
        let param = self
            .param(&expect.name)
            .ok_or_else(|| format!("no buffer `{}`", expect.name))?;
        values::list(&expect.text, param.elem, Some(param.init.len())).map_err(|e| {
            format!(
                "line {}: expect {}: {e}",
                expect.lines.first().map_or(0, |l| l + 1),
                expect.name
            )
        })
    }
}

/// `"text"` with `\n`, `\t`, `\"`, `\\`.
fn quoted(text: &str) -> Result<String, String> {
    let wrong = || format!("expected a text in quotes, not {text}");
    let inner = text
        .trim()
        .strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .ok_or_else(wrong)?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(c @ ('"' | '\\')) => c,
                _ => return Err(format!("unknown escape in {text}")),
            },
            c => c,
        });
    }
    Ok(out)
}

fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut dims = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err(format!("`{text}` has more than three dimensions"));
    }
    for (dim, part) in dims.iter_mut().zip(parts) {
        *dim = part
            .parse()
            .map_err(|_| format!("expected a dimension, found `{part}`"))?;
    }
    Ok(dims)
}

fn run_line(text: &str, line: usize) -> Result<Run, String> {
    let mut run = Run {
        line,
        grid: [1; 3],
        engines: crate::engines(),
        ..Run::default()
    };
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "kernel" => {
                let kernel = |name: &str| match name.strip_suffix("@1") {
                    Some(name) => (name.to_owned(), true),
                    None => (name.to_owned(), false),
                };
                run.kernels = value.split(',').map(kernel).collect();
            }
            "grid" => run.grid = dimensions(value)?,
            "cluster" => run.cluster = Some(dimensions(value)?),
            "threads" => {
                run.threads = Some(value.parse().map_err(|_| "threads= must be a number")?)
            }
            "block" => run.blocks = value.split('|').map(dimensions).collect::<Result<_, _>>()?,
            "shared" => run.shared = value.parse().map_err(|_| "shared= must be a number")?,
            "stack" => run.stack = value.parse().map_err(|_| "stack= must be a number")?,
            "engines" => {
                let engine = |name| match name {
                    "interpreter" => Ok(Engine::Interpreter),
                    "jit" => Ok(Engine::Jit),
                    "jit-narrow" => Ok(Engine::JitNarrow),
                    "llvm" => Ok(Engine::Llvm),
                    "auto" => Ok(Engine::Auto),
                    _ => Err(format!("unknown engine `{name}`")),
                };
                run.engines = value.split(',').map(engine).collect::<Result<_, _>>()?;
            }
            "cooperative" => run.cooperative = true,
            "unchecked" => run.unchecked = true,
            _ => return Err(format!("unknown word `{word}` after `run:`")),
        }
    }
    if run.kernels.is_empty() {
        return Err("`run:` needs kernel=".to_owned());
    }
    if run.blocks.is_empty() {
        run.blocks.push([32, 1, 1]);
    }
    Ok(run)
}

fn param(kind: &str, rest: &str) -> Result<Param, String> {
    let (left, list) = match rest.split_once('=') {
        Some((left, list)) => (left, Some(list)),
        None => (rest, None),
    };
    let (name, ty) = left.split_once(':').ok_or("expected `name: type`")?;
    let (ty, len) = match ty.trim().split_once('[') {
        Some((ty, len)) => {
            let len = len.strip_suffix(']').and_then(|l| l.parse::<usize>().ok());
            (ty, Some(len.ok_or("a length is a number in brackets")?))
        }
        None => (ty.trim(), None),
    };
    let elem = Elem::parse(ty)?;
    let init = match (list, len) {
        (Some(list), len) => values::bits(&values::list(list, elem, len)?, elem),
        (None, Some(len)) if kind == "out" => vec![0xa5a5_a5a5_a5a5_a5a5 & elem.mask(); len],
        _ => return Err(format!("`{kind}` needs `= values`, and `out` a length")),
    };
    if kind == "arg" && init.len() != 1 {
        return Err("an `arg` is one number".to_owned());
    }
    if kind == "out" && list.is_some() {
        return Err("an `out` has no initial values; use `inout`".to_owned());
    }
    Ok(Param {
        name: name.trim().to_owned(),
        elem,
        init,
        by_value: kind == "arg",
        is_out: kind.ends_with("out"),
        is_in: kind != "out",
        image: None,
        tensor: None,
    })
}

fn object(kind: &str, rest: &str) -> Result<Param, String> {
    let (left, list) = rest.split_once('=').ok_or("expected `= values`")?;
    let (name, what) = left.split_once(':').ok_or("expected `name: type`")?;
    let surface = kind == "surface";
    let (spec, elem, count) = image::parse(what, surface)?;
    Ok(Param {
        name: name.trim().to_owned(),
        elem,
        init: values::bits(&values::list(list, elem, Some(count))?, elem),
        by_value: false,
        is_out: surface,
        is_in: true,
        image: Some(spec),
        tensor: None,
    })
}

fn tensor_map(rest: &str) -> Result<Param, String> {
    let wrong = "expected `name: type[extents] words = values`";
    let (name, rest) = rest.split_once(':').ok_or(wrong)?;
    let (what, list) = rest.split_once(" = ").ok_or(wrong)?;
    let (spec, elem, count) = tensor::parse(what)?;
    Ok(Param {
        name: name.trim().to_owned(),
        elem,
        init: values::bits(&values::list(list, elem, Some(count))?, elem),
        by_value: false,
        is_out: true,
        is_in: true,
        image: None,
        tensor: Some(spec),
    })
}

/// Reads the runs of a file.
pub fn parse(text: &str) -> Result<Vec<Run>, String> {
    let mut common: Vec<Param> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(comment) = line.strip_prefix("//") else {
            continue;
        };
        directive(comment.trim(), index, &mut common, &mut runs)
            .map_err(|e| format!("line {}: {e}", index + 1))?;
    }
    if runs.is_empty() {
        return Err("no `// run:` line".to_owned());
    }
    for run in &mut runs {
        let own = std::mem::replace(&mut run.params, common.clone());
        run.params.extend(own);
        check(run).map_err(|e| format!("line {}: {e}", run.line))?;
    }
    Ok(runs)
}

fn directive(
    comment: &str,
    index: usize,
    common: &mut Vec<Param>,
    runs: &mut Vec<Run>,
) -> Result<(), String> {
    // A remark begins with `#`.
    if comment.is_empty() || comment.starts_with('#') {
        return Ok(());
    }
    let (word, rest) = comment.split_once(' ').unwrap_or((comment, ""));
    if matches!(word, "in" | "out" | "inout" | "arg") {
        let list = runs.last_mut().map_or(common, |run| &mut run.params);
        list.push(param(word, rest)?);
        return Ok(());
    }
    if matches!(word, "texture" | "surface") {
        let list = runs.last_mut().map_or(common, |run| &mut run.params);
        list.push(object(word, rest)?);
        return Ok(());
    }
    if word == "tensor" {
        let list = runs.last_mut().map_or(common, |run| &mut run.params);
        list.push(tensor_map(rest)?);
        return Ok(());
    }
    if word == "run:" {
        runs.push(run_line(rest, index + 1)?);
        return Ok(());
    }
    let run = runs
        .last_mut()
        .ok_or_else(|| format!("`{word}` stands before the first `run:`"))?;
    match word {
        "expect" => {
            let (left, list) = rest
                .split_once('=')
                .ok_or("expected `expect name = values`")?;
            let (name, ulps) = match left.split_once('~') {
                Some((name, ulps)) => (
                    name,
                    ulps.trim()
                        .parse()
                        .map_err(|_| "`~` must be followed by a number of ulps")?,
                ),
                None => (left, 0),
            };
            let name = name.trim();
            match run.expects.iter_mut().find(|e| e.name == name) {
                Some(expect) => {
                    expect.text.push(' ');
                    expect.text.push_str(list);
                    expect.lines.push(index);
                }
                None => run.expects.push(Expect {
                    name: name.to_owned(),
                    ulps,
                    text: list.to_owned(),
                    lines: vec![index],
                }),
            }
        }
        "agree" => run.agrees.push(rest.trim().to_owned()),
        "fault:" => {
            let (kind, message) = rest.split_once(' ').unwrap_or((rest, "\"\""));
            run.fault = Some((kind.to_owned(), quoted(message)?));
        }
        "print:" => run.print.get_or_insert_default().push_str(&quoted(rest)?),
        _ => {
            return Err(format!(
                "unknown directive `{word}`; remarks begin with `// #`"
            ));
        }
    }
    Ok(())
}

fn check(run: &Run) -> Result<(), String> {
    let named = run.expects.iter().map(|e| &e.name).chain(&run.agrees);
    for name in named {
        if !run.param(name).is_some_and(|p| p.is_out) {
            return Err(format!("`{name}` is not an output"));
        }
    }
    if run.fault.is_some() {
        return Ok(());
    }
    // A copy from a tensor leaves it as it is.
    let outs = |p: &&Param| p.is_out && p.tensor.is_none();
    for param in run.params.iter().filter(outs) {
        let expected = run.expects.iter().any(|e| e.name == param.name);
        if !expected && !run.agrees.contains(&param.name) {
            return Err(format!(
                "output `{}` has neither `expect` nor `agree`",
                param.name
            ));
        }
    }
    Ok(())
}
