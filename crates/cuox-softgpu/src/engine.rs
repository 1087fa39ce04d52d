//! Private stand-in for the parts of cuox-simt that are still being written: same signatures.
#![allow(missing_docs)]
pub use cuox_simt::{Engine, Fault, FaultKind, Host, Launch};
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Diagnostics(pub String);
impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub ptx: (u32, u32),
    pub sm: u32,
}
#[derive(Clone, Debug)]
pub struct ParamInfo {
    pub name: String,
    pub offset: u32,
    pub size: u32,
    pub align: u32,
}
#[derive(Clone, Debug)]
pub struct KernelInfo {
    pub name: String,
    pub params: Vec<ParamInfo>,
    pub param_bytes: u32,
    pub static_shared: u32,
    pub local_bytes: u32,
    pub registers: u32,
    pub max_threads: u32,
    pub required_block: Option<[u32; 3]>,
}
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarSpace {
    Global,
    Const,
}
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub space: VarSpace,
    pub size: u64,
    pub align: u32,
    pub visible: bool,
    pub managed: bool,
}
pub struct Program {
    infos: Vec<KernelInfo>,
    vars: Vec<Variable>,
    sm: u32,
}
impl Program {
    pub fn from_ptx(text: &str) -> Result<Program, Diagnostics> {
        let mut infos = Vec::new();
        let mut vars = Vec::new();
        let sm = text.split(".target sm_").nth(1).and_then(|t| {
            t.chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
                .parse()
                .ok()
        });
        let Some(sm) = sm else {
            return Err(Diagnostics("line 1: no .target".into()));
        };
        for line in text.lines() {
            if let Some(r) = line.split(".global .align ").nth(1) {
                let w: Vec<_> = r.split([' ', '[', ']', ';']).collect();
                vars.push(Variable {
                    name: w[2].into(),
                    space: VarSpace::Global,
                    size: w[3].parse().unwrap_or(4),
                    align: 4,
                    visible: true,
                    managed: line.contains(".managed"),
                });
            }
        }
        for part in text.split(".entry ").skip(1) {
            let name: String = part.chars().take_while(|c| !"( \n".contains(*c)).collect();
            let list = part
                .split('(')
                .nth(1)
                .and_then(|t| t.split(')').next())
                .unwrap_or("");
            let mut params = Vec::new();
            let mut offset = 0u32;
            for p in list.split(',').filter(|p| p.contains(".param")) {
                let size = if p.contains("64") { 8 } else { 4 };
                offset = offset.next_multiple_of(size);
                params.push(ParamInfo {
                    name: p.trim().into(),
                    offset,
                    size,
                    align: size,
                });
                offset += size;
            }
            infos.push(KernelInfo {
                name,
                params,
                param_bytes: offset,
                static_shared: 0,
                local_bytes: 0,
                registers: 16,
                max_threads: 1024,
                required_block: None,
            });
        }
        Ok(Program { infos, vars, sm })
    }
    pub fn target(&self) -> Target {
        Target {
            ptx: (9, 0),
            sm: self.sm,
        }
    }
    pub fn kernels(&self) -> Vec<&str> {
        self.infos.iter().map(|k| k.name.as_str()).collect()
    }
    pub fn kernel_info(&self, name: &str) -> Option<&KernelInfo> {
        self.infos.iter().find(|k| k.name == name)
    }
    pub fn variables(&self) -> &[Variable] {
        &self.vars
    }
}
pub struct Module {
    program: Arc<Program>,
}
pub enum LoadError {
    NotFound,
    Unsupported(Diagnostics),
    Invalid(Diagnostics),
}
pub struct Kernel {
    info: KernelInfo,
}
impl Module {
    /// # Safety
    /// see spec
    pub unsafe fn load(program: Arc<Program>, _addresses: Vec<u64>) -> Result<Module, Diagnostics> {
        Ok(Module { program })
    }
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
    pub fn kernel(&self, name: &str) -> Result<Arc<Kernel>, LoadError> {
        let info = self.program.kernel_info(name).ok_or(LoadError::NotFound)?;
        Ok(Arc::new(Kernel { info: info.clone() }))
    }
}
impl Kernel {
    pub fn info(&self) -> &KernelInfo {
        &self.info
    }
    pub fn launch(&self, l: &Launch<'_>) -> Result<(), Fault> {
        if self.info.name == "spin" {
            while !l.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            return Err(Fault::new(FaultKind::Cancelled, "cancelled"));
        }
        if self.info.name == "bad" {
            return Err(Fault::new(FaultKind::IllegalAddress, "store to 0x10"));
        }
        Ok(())
    }
}
