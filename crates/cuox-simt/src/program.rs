//! A parsed PTX module and its static attributes: kernels, parameters, variables.

use crate::ir::{self, FuncId};
use crate::lower;
use cuox_ptx::ast::{self, Item, Linkage, StateSpace, Statement};
use cuox_ptx::diagnostic::{Diagnostic, Diagnostics};
use cuox_ptx::source::LineIndex;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

mod info;
mod initial;
mod library;

pub use info::{KernelInfo, ParamInfo, Program, Target, VarSpace, Variable};
pub(crate) use info::{Symbol, declaration_key};
pub use initial::Initial;

impl Program {
    /// Parses PTX text.
    pub fn from_ptx(text: &str) -> Result<Program, Diagnostics> {
        let mut module = cuox_ptx::parse(text)?;
        let completed = library::complete(&module, text);
        let text = completed.as_deref().unwrap_or(text);
        if completed.is_some() {
            module = cuox_ptx::parse(text)?;
        }
        let mut program = Program {
            text: text.to_owned(),
            lines: LineIndex::new(text),
            module,
            kernels: Vec::new(),
            kernel_by_name: FxHashMap::default(),
            symbols: FxHashMap::default(),
            variables: Vec::new(),
            body_variables: FxHashMap::default(),
            functions: Vec::new(),
            function_ids: FxHashMap::default(),
            address_taken: OnceLock::new(),
        };
        let mut errors = Vec::new();
        if program.module.address_size == 32 {
            errors.push(Diagnostic::unsupported(
                "E-address-size",
                ast::Span::default(),
                "modules with 32-bit addresses are not supported",
            ));
        }
        program.index(&mut errors);
        if errors.is_empty() {
            program.describe_kernels(&mut errors);
        }
        if errors.is_empty() {
            Ok(program)
        } else {
            Err(Diagnostics::new(errors, text))
        }
    }

    /// Returns PTX version and architecture.
    pub fn target(&self) -> Target {
        Target {
            ptx: self.module.version,
            sm: self.module.target.sm,
            suffix: self.module.target.suffix,
        }
    }

    /// Returns the names of the kernels in order.
    pub fn kernels(&self) -> Vec<&str> {
        self.kernels.iter().map(|(_, k)| k.name.as_str()).collect()
    }

    /// Returns a kernel's attributes.
    pub fn kernel_info(&self, name: &str) -> Option<&KernelInfo> {
        let &index = self.kernel_by_name.get(name)?;
        Some(&self.kernels[index as usize].1)
    }

    /// Returns the value of a kernel's address in device code.
    pub(crate) fn kernel_handle(&self, name: &str) -> Option<u64> {
        let &index = self.kernel_by_name.get(name)?;
        Some(KERNEL_HANDLE | u64::from(index))
    }

    /// Returns the name of the kernel whose address device code has.
    pub fn kernel_of_handle(&self, handle: u64) -> Option<&str> {
        let index = usize::try_from(handle ^ KERNEL_HANDLE).ok()?;
        Some(self.kernels.get(index)?.1.name.as_str())
    }

    /// Returns the variables in global and constant memory.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the bytes of constant memory that the module's variables take, those of its functions included: every
    /// kernel of a module has all of them.
    pub fn constant_bytes(&self) -> u64 {
        let constants = self.variables.iter().filter(|v| v.space == VarSpace::Const);
        constants.fold(0, |end: u64, v| {
            let start = end.checked_next_multiple_of(u64::from(v.align));
            start.unwrap_or(u64::MAX).saturating_add(v.size)
        })
    }

    /// Returns the initial bytes of variable `index`, where `addresses[i]` is the address of variable `i`; `None` for
    /// all zeros.
    pub fn initial_bytes(&self, index: usize, addresses: &[u64]) -> Option<Vec<u8>> {
        let initial = self.variables.get(index)?.initial.as_ref()?;
        Some(initial.bytes(addresses))
    }

    /// Lowers a kernel and the functions that it calls, inlines them and cleans up, for the verifier and the engines.
    pub fn lower(&self, kernel: &str) -> Result<ir::Unit, Diagnostics> {
        let Some(&index) = self.kernel_by_name.get(kernel) else {
            return Err(Diagnostics::from(vec![Diagnostic::error(
                "E-kernel",
                ast::Span::default(),
                format!("the module has no kernel `{kernel}`"),
            )]));
        };
        let item = self.kernels[index as usize].0;
        lower::unit(self, item).map_err(|list| Diagnostics::new(list, &self.text))
    }

    /// Returns the parsed module.
    pub fn ast(&self) -> &ast::Module {
        &self.module
    }

    /// Returns the PTX text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the source location of an instruction on that line of the text, as `file:line`, if there is a `.loc`.
    /// For inlined code it is the location of the code, followed by that of the call.
    pub fn source_of(&self, line: u32) -> Option<String> {
        let loc = self.module.items.iter().find_map(|item| match item {
            Item::Function(f) => {
                let mut loc = None;
                self.find_loc(f.body.as_deref()?, line, &mut loc)
                    .then_some(loc)
                    .flatten()
            }
            _ => None,
        })?;
        let place = |index: u32, line: u32| {
            let file = self.module.files.iter().find(|f| f.index == index)?;
            Some(format!("{}:{line}", file.path))
        };
        let own = match loc.line {
            // The compiler's line number for code without a source line, such as its expansion of `memset`.
            0 => None,
            line => place(loc.file, line),
        };
        let called = loc.inlined_at.as_ref();
        match (own, called.and_then(|at| place(at.file, at.line))) {
            (Some(own), Some(called)) => Some(format!("{own}, inlined at {called}")),
            (own, called) => own.or(called),
        }
    }

    /// Returns true if the instruction of that line is in a body; stores the last `.loc` before it.
    fn find_loc<'a>(
        &self,
        body: &'a [Statement],
        line: u32,
        loc: &mut Option<&'a ast::Loc>,
    ) -> bool {
        body.iter().any(|statement| match statement {
            Statement::Loc(this) => {
                *loc = Some(this);
                false
            }
            Statement::Instruction(i) => self.line(i.span) == line,
            Statement::Block(inner) => self.find_loc(inner, line, loc),
            _ => false,
        })
    }

    pub(crate) fn line(&self, span: ast::Span) -> u32 {
        self.lines.position(span.start).line
    }

    pub(crate) fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    pub(crate) fn function_at(&self, item: u32) -> Option<&ast::Function> {
        match self.module.items.get(item as usize)? {
            Item::Function(f) => Some(f),
            _ => None,
        }
    }

    pub(crate) fn variable_at(&self, item: u32) -> Option<&ast::Variable> {
        match self.module.items.get(item as usize)? {
            Item::Variable(v) => Some(v),
            _ => None,
        }
    }

    pub(crate) fn body_variable(&self, v: &ast::Variable) -> Option<u32> {
        self.body_variables.get(&declaration_key(v)).copied()
    }

    /// Returns the handle of the device function `name`, if it has a body.
    pub(crate) fn function_id(&self, name: &str) -> Option<FuncId> {
        match self.symbol(name)? {
            Symbol::Function(item) => self.function_ids.get(&item).copied(),
            _ => None,
        }
    }

    pub(crate) fn function(&self, id: FuncId) -> Option<&ast::Function> {
        self.function_at(*self.functions.get(id.0 as usize)?)
    }

    pub(crate) fn info_at(&self, item: u32) -> Option<&KernelInfo> {
        let at = self.kernels.iter().position(|(i, _)| *i == item)?;
        Some(&self.kernels[at].1)
    }

    /// Returns the device functions whose address is taken anywhere in the module.
    pub(crate) fn address_taken(&self) -> &[FuncId] {
        self.address_taken.get_or_init(|| {
            let mut taken: Vec<FuncId> = Vec::new();
            for v in &self.variables {
                taken.extend(v.initial.iter().flat_map(Initial::functions));
            }
            for f in self.module.functions() {
                lower::visit(f.body.as_deref().unwrap_or_default(), &mut |event| {
                    if let lower::Event::Name(name) = event {
                        taken.extend(self.function_id(name));
                    }
                });
            }
            taken.sort_unstable_by_key(|f| f.0);
            taken.dedup();
            taken
        })
    }

    fn index(&mut self, errors: &mut Vec<Diagnostic>) {
        // Initial values may refer to any name, so they are evaluated when every name is known.
        let mut inits: Vec<(u32, &ast::Variable)> = Vec::new();
        let mut aliases = Vec::new();
        for (i, item) in self.module.items.iter().enumerate() {
            let item_index = i as u32;
            match item {
                Item::Variable(v) => match variable_space(v.space) {
                    Some(space) => {
                        let index = match self.symbols.get(v.name.as_str()) {
                            Some(&Symbol::Variable(index)) => {
                                if v.linkage == Linkage::Extern {
                                    continue;
                                }
                                self.variables[index as usize] = describe(v, space);
                                index
                            }
                            _ => {
                                self.variables.push(describe(v, space));
                                self.variables.len() as u32 - 1
                            }
                        };
                        self.symbols.insert(v.name.clone(), Symbol::Variable(index));
                        inits.push((index, v));
                    }
                    None if v.space == StateSpace::Shared => {
                        self.symbols
                            .insert(v.name.clone(), Symbol::Shared(item_index));
                    }
                    None => {}
                },
                Item::Function(f) => {
                    let known = match self.symbols.get(f.name.as_str()) {
                        Some(&Symbol::Function(at)) => self.function_at(at),
                        _ => None,
                    };
                    if known.is_none_or(|k| k.body.is_none()) {
                        self.symbols
                            .insert(f.name.clone(), Symbol::Function(item_index));
                    } else if f.body.is_some() {
                        errors.push(Diagnostic::error(
                            "E-duplicate",
                            f.span,
                            format!("`{}` is defined twice", f.name),
                        ));
                    }
                    if f.body.is_some() && !f.is_entry() {
                        let id = FuncId(self.functions.len() as u32);
                        self.function_ids.insert(item_index, id);
                        self.functions.push(item_index);
                    }
                    let mut found = Vec::new();
                    variables_of(f.body.as_deref().unwrap_or_default(), &mut found);
                    for v in found {
                        let Some(space) = variable_space(v.space) else {
                            continue;
                        };
                        let index = self.variables.len() as u32;
                        self.variables.push(describe(v, space));
                        self.body_variables.insert(declaration_key(v), index);
                        inits.push((index, v));
                    }
                }
                Item::Alias { name, target, .. } => aliases.push((name, target)),
                Item::Pragma(_) => {}
            }
        }
        for (name, target) in aliases {
            if let Some(&symbol) = self.symbols.get(target.as_str()) {
                self.symbols.insert(name.clone(), symbol);
            }
        }
        let mut done = Vec::with_capacity(inits.len());
        for (index, v) in inits {
            match initial::evaluate(self, v) {
                Ok(initial) => done.push((index, initial)),
                Err(error) => errors.push(*error),
            }
        }
        for (index, initial) in done {
            self.variables[index as usize].initial = initial;
        }
    }

    fn describe_kernels(&mut self, errors: &mut Vec<Diagnostic>) {
        let mut kernels = Vec::new();
        for (i, item) in self.module.items.iter().enumerate() {
            let Item::Function(f) = item else { continue };
            if !f.is_entry() {
                continue;
            }
            // A declaration: of a kernel further down, or of another module that is linked with this one.
            if f.body.is_none() {
                continue;
            }
            match self.describe_kernel(f) {
                Ok(info) => {
                    self.kernel_by_name
                        .insert(info.name.clone(), kernels.len() as u32);
                    kernels.push((i as u32, info));
                }
                Err(error) => errors.push(*error),
            }
        }
        self.kernels = kernels;
    }

    fn describe_kernel(&self, f: &ast::Function) -> Result<KernelInfo, Box<Diagnostic>> {
        let mut params = Vec::with_capacity(f.params.len());
        let mut end = 0u64;
        for v in &f.params {
            let align = v.alignment().max(1);
            let offset = end.next_multiple_of(u64::from(align));
            end = offset.saturating_add(v.size());
            if end > MAX_PARAM_BYTES || v.is_unsized() {
                return Err(Box::new(Diagnostic::error(
                    "E-params",
                    v.span,
                    format!("parameter `{}` has no size, or is too large", v.name),
                )));
            }
            params.push(ParamInfo {
                name: v.name.as_str().to_owned(),
                offset: offset as u32,
                size: v.size() as u32,
                align,
            });
        }
        use ast::FunctionDirective as D;
        let required_block = f.required_threads();
        let product = |d: [u32; 3]| {
            d.iter()
                .fold(1u32, |n, &x| n.saturating_mul(x))
                .clamp(1, 1024)
        };
        let max_threads = required_block.or(f.max_threads()).map_or(1024, product);
        let mut declared = Vec::new();
        variables_of(f.body.as_deref().unwrap_or_default(), &mut declared);
        let mut local = 0u64;
        for v in declared.iter().filter(|v| v.space == StateSpace::Local) {
            local = local
                .checked_next_multiple_of(u64::from(v.alignment().max(1)))
                .unwrap_or(u64::MAX)
                .saturating_add(v.size());
        }
        let reach = lower::reach(self, f)?;
        Ok(KernelInfo {
            name: f.name.as_str().to_owned(),
            params,
            param_bytes: end as u32,
            static_shared: reach.static_shared - reach.reserved_shared,
            local_bytes: local.min(u64::from(u32::MAX)) as u32,
            registers: estimate_registers(f, &declared, max_threads),
            missing: reach.missing,
            max_threads,
            required_block,
            required_cluster: f.required_cluster(),
            explicit_cluster: f.directives.contains(&D::ExplicitCluster),
            grid_of_clusters: f.directives.contains(&D::BlocksAreClusters),
            max_cluster: f.directives.iter().find_map(|d| match d {
                D::MaxClusterRank(n) => Some(*n),
                _ => None,
            }),
        })
    }
}

/// The upper half of kernels' addresses in device code: no address of anything else looks like them.
const KERNEL_HANDLE: u64 = 0x6b65_726e << 32;

/// The largest size of kernel parameters: above the manual's limit since PTX 8.1.
const MAX_PARAM_BYTES: u64 = 65536;

fn variable_space(space: StateSpace) -> Option<VarSpace> {
    match space {
        StateSpace::Global | StateSpace::Tex => Some(VarSpace::Global),
        StateSpace::Const => Some(VarSpace::Const),
        _ => None,
    }
}

fn describe(v: &ast::Variable, space: VarSpace) -> Variable {
    Variable {
        name: v.name.as_str().to_owned(),
        space,
        size: initial::size(v),
        align: v.alignment().max(1),
        visible: !matches!(v.linkage, Linkage::None),
        managed: v.managed,
        initial: None,
    }
}

/// Collects the variables that a body declares, those of nested scopes included.
fn variables_of<'a>(body: &'a [Statement], found: &mut Vec<&'a ast::Variable>) {
    for statement in body {
        match statement {
            Statement::Variable(v) => found.push(v),
            Statement::Block(inner) => variables_of(inner, found),
            _ => {}
        }
    }
}

/// PTX registers are virtual and mostly short-lived. For small kernels, compilers end up with about half of them live
/// at once, within the limits of the hardware and of `.maxnreg`.
fn estimate_registers(f: &ast::Function, declared: &[&ast::Variable], max_threads: u32) -> u32 {
    let words: u64 = declared
        .iter()
        .filter(|v| v.space == StateSpace::Reg && v.ty.bits() >= 16)
        .map(|v| u64::from(v.range.unwrap_or(1)) * u64::from(v.ty.bits().div_ceil(32)))
        .fold(0, u64::saturating_add);
    let limit = f
        .directives
        .iter()
        .find_map(|d| match d {
            ast::FunctionDirective::MaxNReg(n) => Some(u64::from(*n)),
            _ => None,
        })
        .unwrap_or(255)
        .clamp(16, 255);
    let fits = u64::from(65536 / max_threads.max(1)).clamp(16, 255);
    (words / 2)
        .next_multiple_of(8)
        .clamp(16, limit.min(fits).min(128)) as u32
}

#[cfg(test)]
mod tests;
