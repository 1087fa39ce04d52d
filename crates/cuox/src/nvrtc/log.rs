//! `CUOX_LOG=compile`: a line on standard error for each program that NVRTC compiles, or that is found among those kept
//! on disk.

use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Instant;

use super::attempt::Origin;
use crate::code::ObjectCode;
use crate::error::Error;
use crate::kernel;

/// Kernels named in a line; programs with templates may have hundreds.
const MOST: usize = 4;

/// A compilation that is to be logged.
pub(super) struct Line {
    program: String,
    target: String,
    begin: Instant,
}

impl Line {
    /// None unless `CUOX_LOG` lists `compile`.
    pub fn begin(name: &str, target: impl FnOnce() -> String) -> Option<Self> {
        static LOGGING: OnceLock<bool> = OnceLock::new();
        let logging = *LOGGING.get_or_init(|| {
            let topics = std::env::var("CUOX_LOG").unwrap_or_default();
            topics.split(',').any(|topic| topic.trim() == "compile")
        });
        logging.then(|| Self {
            program: name.to_owned(),
            target: target(),
            begin: Instant::now(),
        })
    }

    /// The program was compiled, or found.
    pub fn end(self, origin: Origin, code: &ObjectCode) {
        let kernels = kernels(code);
        let from = match origin {
            Origin::Compiler => "compiled in",
            Origin::Disk => "from the cache in",
        };
        self.write(&format!("{from} {}{kernels}", self.duration()));
    }

    /// It was not.
    pub fn failed(self, error: &Error) {
        let how = match error {
            Error::Interrupted => "interrupted",
            _ => "failed",
        };
        self.write(&format!("{how} after {}", self.duration()));
    }

    fn duration(&self) -> String {
        format!("{:.1} ms", self.begin.elapsed().as_secs_f64() * 1e3)
    }

    fn write(&self, what: &str) {
        let (program, target) = (&self.program, &self.target);
        // One call, so that lines of several threads do not mix. The program may have closed its standard error; that
        // is no reason to fail.
        let line = format!("cuox compile: {program} ({target}) {what}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// The kernels with their parameters, as far as the code tells them.
fn kernels(code: &ObjectCode) -> String {
    let names = code.kernel_names();
    let shown = code.shown_kernel_names();
    let mut text = String::new();
    for (number, (name, shown)) in names.iter().zip(&shown).enumerate() {
        text += if number == 0 { ": " } else { ", " };
        if number == MOST {
            text += &format!("and {} more", names.len() - MOST);
            break;
        }
        match kernel::signature(code, shown, name, None) {
            Some(signature) => text += &signature.to_string(),
            None => text += shown,
        }
    }
    text
}
