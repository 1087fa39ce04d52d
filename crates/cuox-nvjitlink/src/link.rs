//! A link in progress: its options, its inputs, and its result.

use core::ffi::c_int;
use std::ffi::CString;

use crate::status::{Failure, INVALID_INPUT, LTO_NOT_ENABLED, MISSING_ARCH, NULL_INPUT, Res};
use crate::{driver, real};

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// PTX, or a fat binary with PTX.
    Ptx,
    LtoIr,
    /// Something else, by its number in `nvJitLinkInputType`, which NVIDIA's library knows.
    Other(c_int),
}

impl Kind {
    /// The number in `nvJitLinkInputType`.
    pub fn number(self) -> c_int {
        match self {
            Kind::Ptx => input_type::PTX,
            Kind::LtoIr => input_type::LTOIR,
            Kind::Other(number) => number,
        }
    }
}

/// An input.
pub struct Input {
    pub kind: Kind,
    pub data: Vec<u8>,
    pub name: CString,
}

/// Numbers of `nvJitLinkInputType`.
mod input_type {
    use core::ffi::c_int;

    pub const CUBIN: c_int = 1;
    pub const PTX: c_int = 2;
    pub const LTOIR: c_int = 3;
    pub const FATBIN: c_int = 4;
    pub const OBJECT: c_int = 5;
    pub const LIBRARY: c_int = 6;
    pub const INDEX: c_int = 7;
    pub const ANY: c_int = 10;
}

/// First bytes of formats.
const LTOIR_MAGIC: [u8; 4] = [0xed, 0x43, 0x4e, 0x7f];
const FATBIN_MAGIC: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
const ELF_MAGIC: [u8; 4] = *b"\x7fELF";
/// The number of NVIDIA's machine code among ELF's machines.
const ELF_MACHINE_CUDA: u16 = 190;

/// A link.
#[derive(Default)]
pub struct Link {
    options: Vec<CString>,
    inputs: Vec<Input>,
    /// What is loaded: PTX, or a fat binary of PTX.
    pub image: Option<Vec<u8>>,
    /// PTX by itself, with its zero byte; only if all of it comes from LTO-IR.
    pub ptx: Option<Vec<u8>>,
    pub errors: String,
    pub information: String,
}

impl Link {
    pub fn new(options: Vec<CString>) -> Res<Link> {
        if !options
            .iter()
            .any(|option| option.as_bytes().starts_with(b"-arch"))
        {
            return Err(MISSING_ARCH.into());
        }
        Ok(Link {
            options,
            ..Link::default()
        })
    }

    /// The number of `-maxrregcount=…`.
    fn max_registers(&self) -> Option<u32> {
        let mut options = self
            .options
            .iter()
            .filter_map(|option| option.to_str().ok());
        let number = options.find_map(|option| option.strip_prefix("-maxrregcount="))?;
        number.parse().ok().filter(|&n| n > 0)
    }

    fn optimizes(&self) -> bool {
        self.options
            .iter()
            .any(|option| option.as_bytes() == b"-lto")
    }

    /// Adds an input; says at once if it is one that cannot be linked.
    pub fn add(&mut self, type_: c_int, data: &[u8], name: CString) -> Res {
        if data.is_empty() {
            return Err(NULL_INPUT.into());
        }
        let kind = match type_ {
            input_type::ANY => kind_of(data),
            input_type::PTX => Kind::Ptx,
            input_type::LTOIR => Kind::LtoIr,
            // A fat binary may hold either; with -lto NVIDIA's library takes the LTO-IR.
            input_type::FATBIN if !self.optimizes() => Kind::Ptx,
            input_type::CUBIN..=input_type::INDEX => Kind::Other(type_),
            _ => {
                return Err(Failure::new(
                    INVALID_INPUT,
                    format!("no input has the type {type_}"),
                ));
            }
        };
        let label = name.to_string_lossy().into_owned();
        match kind {
            // The driver has the device runtime, and NVIDIA's library would want machine code of it.
            Kind::Other(input_type::LIBRARY) if is_device_runtime(data) => Ok(()),
            Kind::Other(input_type::CUBIN) => Err(Failure::new(
                INVALID_INPUT,
                format!("{label}: machine code for a GPU; the software GPU needs PTX or LTO-IR"),
            )),
            Kind::LtoIr if !self.optimizes() => Err(Failure::new(
                LTO_NOT_ENABLED,
                format!("{label}: LTO-IR needs the option -lto"),
            )),
            Kind::Other(_) if !self.optimizes() => Err(Failure::new(
                INVALID_INPUT,
                format!(
                    "{label}: cuox's stand-in for nvJitLink links PTX, fat binaries and, with -lto, LTO-IR"
                ),
            )),
            kind => {
                self.inputs.push(Input {
                    kind,
                    data: data.to_vec(),
                    name,
                });
                Ok(())
            }
        }
    }

    /// Links all inputs.
    pub fn complete(&mut self) -> Res {
        let (texts, rest): (Vec<&Input>, Vec<&Input>) = self
            .inputs
            .iter()
            .partition(|input| input.kind == Kind::Ptx);
        let max_registers = self.max_registers();
        if texts.is_empty() && rest.is_empty() {
            return Err(Failure::new(INVALID_INPUT, "there is nothing to link"));
        }
        if rest.is_empty() {
            self.image = Some(driver::link(&texts, max_registers)?);
            return Ok(());
        }
        let (mut ptx, information) = real::compile(&self.options, &rest)?;
        ptx.push(0);
        self.image = Some(if texts.is_empty() && max_registers.is_none() {
            ptx.clone()
        } else {
            let compiled = Input {
                kind: Kind::Ptx,
                data: ptx.clone(),
                name: c"LTO-IR".to_owned(),
            };
            driver::link(&[texts, vec![&compiled]].concat(), max_registers)?
        });
        self.ptx = texts_are_none(&self.inputs).then_some(ptx);
        self.information = information;
        Ok(())
    }
}

fn texts_are_none(inputs: &[Input]) -> bool {
    !inputs.iter().any(|input| input.kind == Kind::Ptx)
}

/// True for `libcudadevrt.a`, by the name of its member.
fn is_device_runtime(archive: &[u8]) -> bool {
    const MEMBER: &[u8] = b"cuda_device_runtime.";
    archive.starts_with(b"!<arch>\n") && archive.windows(MEMBER.len()).any(|w| w == MEMBER)
}

/// The kind of an input whose caller does not say it.
fn kind_of(data: &[u8]) -> Kind {
    let starts = |magic: [u8; 4]| data.starts_with(&magic);
    if starts(LTOIR_MAGIC) {
        Kind::LtoIr
    } else if starts(ELF_MAGIC) {
        let machine = data.get(18..20).map(|m| u16::from_le_bytes([m[0], m[1]]));
        match machine {
            Some(ELF_MACHINE_CUDA) => Kind::Other(input_type::CUBIN),
            _ => Kind::Other(input_type::OBJECT),
        }
    } else if starts(FATBIN_MAGIC) {
        Kind::Ptx
    } else if data.starts_with(b"!<arch>\n") {
        Kind::Other(input_type::LIBRARY)
    } else {
        Kind::Ptx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(options: &[&str]) -> Res<Link> {
        Link::new(options.iter().map(|o| CString::new(*o).unwrap()).collect())
    }

    #[test]
    fn inputs_that_cannot_be_linked_are_refused_by_name() {
        assert_eq!(link(&["-lto"]).err().unwrap().status, MISSING_ARCH);
        let mut plain = link(&["-arch=sm_90"]).unwrap();
        let mut add = |type_, data: &[u8]| plain.add(type_, data, c"it".to_owned()).unwrap_err();
        assert_eq!(add(input_type::PTX, b"").status, NULL_INPUT);
        assert_eq!(add(99, b"x").status, INVALID_INPUT);
        assert_eq!(add(0, b"x").status, INVALID_INPUT);
        assert!(
            add(input_type::CUBIN, b"x")
                .log
                .starts_with("it: machine code")
        );
        assert_eq!(add(input_type::LTOIR, b"x").status, LTO_NOT_ENABLED);
        assert_eq!(add(input_type::OBJECT, b"x").status, INVALID_INPUT);
        assert_eq!(plain.complete().unwrap_err().status, INVALID_INPUT);
    }

    #[test]
    fn options_and_the_device_runtime_are_understood() {
        let limited = link(&["-arch=sm_90", "-lto", "-maxrregcount=40"]).unwrap();
        assert_eq!(limited.max_registers(), Some(40));
        assert_eq!(link(&["-arch=sm_90"]).unwrap().max_registers(), None);
        let mut link = link(&["-arch=sm_90", "-lto"]).unwrap();
        let library = b"!<arch>\ncuda_device_runtime.o/ ...";
        assert!(
            link.add(input_type::LIBRARY, library, c"it".to_owned())
                .is_ok()
        );
        assert!(link.inputs.is_empty());
    }

    #[test]
    fn kinds_are_told_by_first_bytes() {
        assert_eq!(kind_of(b".version 9.0"), Kind::Ptx);
        assert_eq!(kind_of(&LTOIR_MAGIC), Kind::LtoIr);
        assert_eq!(kind_of(&FATBIN_MAGIC), Kind::Ptx);
        assert_eq!(kind_of(b"\x7fELF"), Kind::Other(input_type::OBJECT));
        assert_eq!(kind_of(b"!<arch>\n"), Kind::Other(input_type::LIBRARY));
        assert!(is_device_runtime(b"!<arch>\ncuda_device_runtime.o/"));
        assert!(!is_device_runtime(b"!<arch>\nother.o/"));
        let mut cubin = [0u8; 20];
        cubin[..4].copy_from_slice(&ELF_MAGIC);
        cubin[18..].copy_from_slice(&ELF_MACHINE_CUDA.to_le_bytes());
        assert_eq!(kind_of(&cubin), Kind::Other(input_type::CUBIN));
    }
}
