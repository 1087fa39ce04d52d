//! `cuLink…`: PTX goes in, a fat binary of that PTX comes out.

use crate::code::{INVALID_IMAGE, INVALID_SOURCE, INVALID_VALUE, NO_BINARY_FOR_GPU, Res};
use crate::loading::jit_options::JitOptions;
use crate::loading::module::{self, LoadFailure};
use crate::loading::module_image::fatbin::{self, Text};
use crate::loading::module_image::reader::Reader;
use crate::loading::module_image::{self, Image};
use crate::{fault, settings};
use cuox_abi::CUjitInputType as Input;
use parking_lot::Mutex;

/// A link in progress.
pub struct Linker {
    pub handle: u64,
    pub options: JitOptions,
    inner: Mutex<Inputs>,
}

#[derive(Default)]
struct Inputs {
    texts: Vec<Text>,
    /// Handed out by the first completion; it lives as long as the linker.
    image: Option<Vec<u8>>,
}

impl Linker {
    pub fn new(handle: u64, options: JitOptions) -> Linker {
        Linker {
            handle,
            options,
            inner: Mutex::default(),
        }
    }

    /// Adds an input of that type at an address.
    pub fn add(&self, kind: Input, data: Reader, name: &str) -> Res {
        let mut image = match kind {
            Input::CU_JIT_INPUT_PTX | Input::CU_JIT_INPUT_FATBINARY => {
                module_image::read(data, settings::sm())?
            }
            // Only NVIDIA's device runtime comes this way, and only kernels that launch kernels need it.
            Input::CU_JIT_INPUT_LIBRARY => Image::default(),
            Input::CU_JIT_INPUT_CUBIN | Input::CU_JIT_INPUT_OBJECT => {
                fault::explain(format!(
                    "link input {name} is machine code for a GPU; the software GPU needs PTX: link PTX, or a fat binary with PTX"
                ));
                return Err(NO_BINARY_FOR_GPU);
            }
            _ => return Err(INVALID_VALUE),
        };
        for text in &image.texts {
            if let Err(failure) = module::program(text) {
                self.options
                    .write_error(&format!("{name}: {}", failure.log));
                return Err(failure.code);
            }
        }
        let max_registers = self.options.max_registers.or(image.max_registers);
        let texts = image.texts.drain(..).map(|text| Text {
            bytes: text.into_bytes(),
            max_registers,
        });
        self.inner.lock().texts.extend(texts);
        Ok(())
    }

    /// The image: its address and size.
    pub fn complete(&self) -> Result<(u64, usize), LoadFailure> {
        let mut inner = self.inner.lock();
        if inner.texts.is_empty() {
            return Err(INVALID_IMAGE.into());
        }
        if inner.image.is_none() {
            let texts = inner.texts.iter();
            let texts = texts.map(|text| String::from_utf8_lossy(&text.bytes).into_owned());
            let programs = module::linked(texts.collect())?;
            if let Some((kernel, name)) = module::missing(&programs) {
                return Err(LoadFailure {
                    code: INVALID_SOURCE,
                    // The first words are NVIDIA's.
                    log: format!(
                        "error   : Undefined reference to '{name}', which the kernel {kernel} uses"
                    ),
                });
            }
            let (mut sm, mut version) = (0, (0, 0));
            for program in &programs {
                let target = program.target();
                sm = sm.max(target.sm);
                version = version.max(target.ptx);
            }
            inner.image = Some(fatbin::write(&inner.texts, sm, version));
        }
        let image = inner.image.as_deref().unwrap_or_default();
        Ok((image.as_ptr() as u64, image.len()))
    }
}
