//! Runs a file and compares.

use crate::Size;
use crate::buffer::{Buffer, TestHost};
use crate::directives::{self, Param, Run};
use crate::values::{self, Item};
use cuox_simt::{Engine, Fault, FaultKind, Launch, LoadError, Module, Program};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// After this long a launch is told to stop.
const PATIENCE: Duration = Duration::from_secs(30);
/// Blocks that make progress together.
const RESIDENT: u64 = 512;
/// Differences shown of one buffer.
const SHOWN: usize = 6;

/// The outcome of a launch.
pub struct Outcome {
    /// Elements of each parameter.
    pub data: Vec<Vec<u64>>,
    /// The fault that ended it, if one did.
    pub fault: Option<Fault>,
    /// The text that it printed.
    pub printed: String,
}

/// A program with its variables in memory.
pub struct Loaded {
    module: Module,
    // Keeps the variables' memory.
    variables: Vec<Buffer>,
    /// Accesses are checked against the buffers and variables.
    checked: bool,
}

impl Loaded {
    /// Loads PTX text.
    pub fn new(text: &str) -> Result<Loaded, String> {
        let program = Program::from_ptx(text).map_err(|e| e.to_string())?;
        let variables: Vec<Buffer> = program
            .variables()
            .iter()
            .map(|v| Buffer::new(v.size as usize, u64::from(v.align).max(16)))
            .collect::<Result<_, _>>()?;
        let addresses = variables.iter().map(Buffer::address).collect();
        // SAFETY: the buffers are as long as the variables and live as long as the module.
        let module =
            unsafe { Module::load(Arc::new(program), addresses) }.map_err(|e| e.to_string())?;
        Ok(Loaded {
            module,
            variables,
            checked: false,
        })
    }

    /// The same, to run with checks of all accesses if `checked`.
    pub fn checked(mut self, checked: bool) -> Loaded {
        self.checked = checked;
        self
    }

    /// The reason why there is no kernel.
    pub fn refusal(&self, kernel: &str) -> Option<String> {
        match self.module.kernel(kernel) {
            Ok(_) => None,
            Err(LoadError::NotFound) => Some(format!("no kernel `{kernel}`")),
            Err(LoadError::Unsupported(d) | LoadError::Invalid(d)) => Some(d.to_string()),
        }
    }

    /// Runs the launches that a kernel has asked for, each with those that it asks for.
    fn launch_children(&self, parent: &Launch<'_>, host: &TestHost) -> Result<(), Fault> {
        for child in host.take_launches() {
            let program = self.module.program();
            let name = program.kernel_of_handle(child.kernel).unwrap_or("");
            let kernel = self.module.kernel(name).map_err(|e| {
                let message = format!("launched kernel `{name}`: {e:?}");
                Fault::new(FaultKind::Unsupported, message)
            })?;
            let bytes = kernel.info().param_bytes as usize;
            let launch = Launch {
                grid: child.grid,
                block: child.block,
                cluster: None,
                dynamic_shared: child.shared,
                params: &child.params[..bytes],
                cooperative: false,
                ..*parent
            };
            kernel.launch(&launch)?;
            self.launch_children(&launch, host)?;
        }
        Ok(())
    }

    /// Runs a kernel once.
    pub fn launch(
        &self,
        run: &Run,
        kernel: &str,
        block: [u32; 3],
        engine: Engine,
    ) -> Result<Outcome, String> {
        let kernel = self.module.kernel(kernel).map_err(|e| match e {
            LoadError::NotFound => format!("no kernel `{kernel}`"),
            LoadError::Unsupported(d) | LoadError::Invalid(d) => d.to_string(),
        })?;
        let wanted = &kernel.info().params;
        if wanted.len() != run.params.len() {
            return Err(format!(
                "the kernel has {} parameters, the file gives {}",
                wanted.len(),
                run.params.len()
            ));
        }
        let mut params = vec![0u8; kernel.info().param_bytes as usize];
        let mut buffers = Vec::new();
        let mut host = match self.checked {
            true => TestHost::checking(self.variables.iter().map(Buffer::range).collect()),
            false => TestHost::default(),
        };
        for (want, param) in wanted.iter().zip(&run.params) {
            let bytes = to_bytes(param, &param.init);
            let value = if param.by_value {
                buffers.push(None);
                bytes
            } else {
                let align = if param.tensor.is_some() { 64 } else { 16 };
                let buffer = Buffer::new(bytes.len(), align)?;
                buffer.write(&bytes);
                host.allow(buffer.range());
                let address = buffer.address();
                let value = match (&param.image, &param.tensor) {
                    (Some(image), _) => host.add(image.at(address)).to_le_bytes().to_vec(),
                    (None, Some(tensor)) => tensor.at(address).to_vec(),
                    (None, None) => address.to_le_bytes().to_vec(),
                };
                buffers.push(Some(buffer));
                value
            };
            if value.len() != want.size as usize {
                return Err(format!(
                    "parameter `{}` has {} bytes, not {}",
                    want.name,
                    want.size,
                    value.len()
                ));
            }
            params[want.offset as usize..][..value.len()].copy_from_slice(&value);
        }
        let grid = match run.threads {
            Some(threads) => [threads.div_ceil(block.iter().product()), 1, 1],
            None => run.grid,
        };
        let cancel = AtomicBool::new(false);
        let launch = Launch {
            grid,
            block,
            cluster: run.cluster,
            dynamic_shared: run.shared,
            stack: run.stack,
            params: &params,
            cooperative: run.cooperative,
            resident: RESIDENT,
            multiprocessors: &[],
            timeout: None,
            engine,
            cancel: &cancel,
            host: &host,
        };
        let result = std::thread::scope(|scope| {
            let (done, watch) = mpsc::channel::<()>();
            let cancel = &cancel;
            scope.spawn(move || {
                if watch.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    cancel.store(true, Ordering::Relaxed);
                }
            });
            let result = kernel
                .launch(&launch)
                .and_then(|()| self.launch_children(&launch, &host));
            drop(done);
            result
        });
        let data = run
            .params
            .iter()
            .zip(&buffers)
            .map(|(param, buffer)| match buffer {
                Some(buffer) => from_bytes(param, &buffer.read()),
                None => param.init.clone(),
            })
            .collect();
        Ok(Outcome {
            data,
            fault: result.err(),
            printed: host.printed(),
        })
    }
}

fn to_bytes(param: &Param, elements: &[u64]) -> Vec<u8> {
    let width = param.elem.bytes as usize;
    elements
        .iter()
        .flat_map(|v| v.to_le_bytes()[..width].to_vec())
        .collect()
}

fn from_bytes(param: &Param, bytes: &[u8]) -> Vec<u64> {
    let width = param.elem.bytes as usize;
    bytes
        .chunks_exact(width)
        .map(|chunk| {
            let mut wide = [0; 8];
            wide[..width].copy_from_slice(chunk);
            u64::from_le_bytes(wide)
        })
        .collect()
}

/// Runs all of a file, or [a few](Size::Few) of its kernels and shapes, with checks of all accesses if
/// `CUOX_SOFT_CHECK=memory`; the error lists every difference.
pub fn file(header: &str, ptx: &str) -> Result<(), String> {
    let runs = directives::parse(header)?;
    let checked = std::env::var_os("CUOX_SOFT_CHECK").is_some_and(|v| v == "memory");
    let few = Size::get() == Size::Few;
    let loaded = Loaded::new(ptx)?.checked(checked);
    let mut report = String::new();
    for run in runs.iter().filter(|run| !(checked && run.unchecked)) {
        for (n, (kernel, once)) in run.kernels.iter().enumerate() {
            // Of a long list of kernels that differ little, a few are every fourth, and not the same in each file.
            if few && run.kernels.len() > 4 && (n + run.line) % 4 != 0 {
                continue;
            }
            let shapes = if *once || few { 1 } else { run.blocks.len() };
            for &block in &run.blocks[..shapes] {
                if let Err(e) = one(&loaded, run, kernel, block) {
                    let _ = writeln!(
                        report,
                        "line {}: kernel {kernel}, block {block:?}:\n{e}",
                        run.line
                    );
                }
            }
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

fn one(loaded: &Loaded, run: &Run, kernel: &str, block: [u32; 3]) -> Result<(), String> {
    let mut outcomes = Vec::new();
    for &engine in &run.engines {
        let outcome = loaded
            .launch(run, kernel, block, engine)
            .map_err(|e| format!("  {engine:?}: {e}"))?;
        outcomes.push((engine, outcome));
    }
    let mut report = String::new();
    for (engine, outcome) in &outcomes {
        ending(run, *engine, outcome, &mut report);
    }
    if run.fault.is_none() {
        for (n, param) in run.params.iter().enumerate() {
            compare(run, n, param, &outcomes, &mut report)?;
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

fn ending(run: &Run, engine: Engine, outcome: &Outcome, report: &mut String) {
    let _ = match (&run.fault, &outcome.fault) {
        (None, Some(fault)) => writeln!(report, "  {engine:?}: {:?}: {fault}", fault.kind),
        (Some((kind, _)), None) => {
            writeln!(report, "  {engine:?}: ended well, but should with {kind}")
        }
        (Some((kind, part)), Some(fault))
            if format!("{:?}", fault.kind) != *kind || !fault.to_string().contains(part) =>
        {
            writeln!(
                report,
                "  {engine:?}: ended with {:?}: {fault}\n    not with {kind}: {part}",
                fault.kind
            )
        }
        _ => Ok(()),
    };
    let wanted = run.print.as_deref().unwrap_or("");
    if wanted != outcome.printed {
        let _ = writeln!(
            report,
            "  {engine:?}: printed {:?}\n    not {wanted:?}",
            outcome.printed
        );
    }
}

fn compare(
    run: &Run,
    n: usize,
    param: &Param,
    outcomes: &[(Engine, Outcome)],
    report: &mut String,
) -> Result<(), String> {
    let expect = run.expects.iter().find(|e| e.name == param.name);
    let (expected, ulps) = match expect {
        Some(expect) => (Some(run.items(expect)?), expect.ulps),
        None => (None, 0),
    };
    let agree = run.agrees.contains(&param.name);
    // Parameters that are no outputs keep their values.
    let kept: Option<Vec<Item>> =
        (!param.is_out).then(|| param.init.iter().map(|&bits| Item::Bits(bits)).collect());
    let mut shown = 0;
    for index in 0..param.init.len() {
        let values: Vec<u64> = outcomes.iter().map(|(_, o)| o.data[n][index]).collect();
        let wanted = expected
            .as_ref()
            .or(kept.as_ref())
            .map(|items| items[index]);
        let right = values.iter().all(|&got| match wanted {
            None => true,
            Some(Item::Nan) => param.elem.is_nan(got),
            Some(Item::Bits(bits)) if ulps > 0 => {
                values::ulps(param.elem, bits, got).is_some_and(|d| d <= ulps)
            }
            Some(Item::Bits(bits)) => bits == got,
        });
        let together = !agree || values.iter().all(|&v| v == values[0]);
        if right && together {
            continue;
        }
        shown += 1;
        if shown > SHOWN {
            continue;
        }
        let hex = |bits: u64| {
            format!(
                "{bits:#0width$x} ({})",
                param.elem.show(bits),
                width = 2 + 2 * param.elem.bytes as usize
            )
        };
        let _ = write!(
            report,
            "  {}[{index}] (warp {}, lane {}):",
            param.name,
            index / 32,
            index % 32
        );
        for ((engine, _), &value) in outcomes.iter().zip(&values) {
            let _ = write!(report, " {engine:?} {}", hex(value));
        }
        match wanted {
            Some(Item::Nan) => report.push_str(", expected a NaN"),
            Some(Item::Bits(bits)) => {
                let _ = write!(report, ", expected {}", hex(bits));
            }
            None => {}
        }
        report.push('\n');
        for input in run
            .params
            .iter()
            .filter(|p| p.is_in && p.init.len() > index)
        {
            let bits = input.init[index];
            let _ = writeln!(
                report,
                "      {} = {bits:#x} ({})",
                input.name,
                input.elem.show(bits)
            );
        }
    }
    if shown > SHOWN {
        let _ = writeln!(report, "  {}: {shown} differences in all", param.name);
    }
    Ok(())
}

/// The file with its exact expectations (and printed text) rewritten to the interpreter's results.
pub fn bless(header: &str, ptx: &str) -> Result<String, String> {
    let runs = directives::parse(header)?;
    let loaded = Loaded::new(ptx)?;
    let mut lines: Vec<Option<String>> = header.lines().map(|l| Some(l.to_owned())).collect();
    for run in &runs {
        let outcome = loaded.launch(run, &run.kernels[0].0, run.blocks[0], Engine::Interpreter)?;
        for expect in &run.expects {
            let Some(n) = run.params.iter().position(|p| p.name == expect.name) else {
                continue;
            };
            let (elem, data) = (run.params[n].elem, &outcome.data[n]);
            let right = run.items(expect).is_ok_and(|items| {
                items.iter().zip(data).all(|(item, &got)| match *item {
                    Item::Nan => elem.is_nan(got),
                    Item::Bits(bits) => {
                        values::ulps(elem, bits, got).is_some_and(|d| d <= expect.ulps)
                    }
                })
            });
            if right {
                continue;
            }
            let head = match expect.ulps {
                0 => format!("// expect {} =", expect.name),
                ulps => format!("// expect {} ~{ulps} =", expect.name),
            };
            let words: Vec<String> = data.iter().map(|&bits| elem.show(bits)).collect();
            let text = wrapped(&head, &words);
            for (k, &line) in expect.lines.iter().enumerate() {
                lines[line] = (k == 0).then(|| text.clone());
            }
        }
    }
    let kept: Vec<String> = lines.into_iter().flatten().collect();
    Ok(kept.join("\n") + "\n")
}

fn wrapped(head: &str, words: &[String]) -> String {
    let mut text = String::new();
    let mut line = head.to_owned();
    for word in words {
        if line.len() + word.len() > 118 {
            text.push_str(&line);
            text.push('\n');
            line = head.to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    text + &line
}
