//! What NVRTC made, kept on disk.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::attempt::{Job, Made};
use super::headers;
use super::library::Nvrtc;
use crate::cache::{Cache, Digest, Fields, Files, Writer, names_the_time};
use crate::error::Result;
use crate::pathfinder;

/// What is known of the compiler without loading it.
pub(super) struct Compiler {
    /// Its version, `(major, minor)`, and the architectures it compiles for, ascending.
    pub version: (i32, i32),
    pub archs: Vec<u32>,
    /// Stands for its file.
    identity: Vec<u8>,
}

impl Compiler {
    /// The compiler that will be loaded: from what was kept of it, or by loading it.
    pub fn get(cache: Option<&Cache>) -> Result<Self> {
        let candidates = pathfinder::library_candidates("nvrtc")?.paths;
        let mut identity = Writer::default();
        for path in &candidates {
            let meta = std::fs::metadata(path);
            identity.bytes(path.as_os_str().as_encoded_bytes());
            if let Ok(meta) = meta {
                for number in [
                    meta.ino() as i64,
                    meta.size() as i64,
                    meta.mtime(),
                    meta.mtime_nsec(),
                ] {
                    identity.number(number as u64);
                }
            }
        }
        let identity = identity.into_bytes();
        let mut digest = Digest::new();
        ("compiler", env!("CARGO_PKG_VERSION"), &identity).hash(&mut digest);
        let loaded = match cache.filter(|_| !Nvrtc::is_loaded()) {
            Some(cache) => cache.load(&digest).and_then(|bytes| Self::decode(&bytes)),
            None => None,
        };
        if let Some((version, archs)) = loaded {
            return Ok(Self {
                version,
                archs,
                identity,
            });
        }
        let was_loaded = Nvrtc::is_loaded();
        let nvrtc = Nvrtc::get()?;
        let compiler = Self {
            version: nvrtc.version(),
            archs: nvrtc.supported_archs().to_vec(),
            identity: match candidates.iter().any(|path| path == nvrtc.path()) {
                true => identity,
                // One that is loaded stays, wherever another is found by now.
                false => [
                    identity,
                    nvrtc.path().as_os_str().as_encoded_bytes().to_vec(),
                ]
                .concat(),
            },
        };
        if let Some(cache) = cache.filter(|_| !was_loaded) {
            let mut out = Writer::default();
            out.number(compiler.version.0 as u64);
            out.number(compiler.version.1 as u64);
            compiler.archs.iter().for_each(|a| out.number((*a).into()));
            cache.save(&digest, &Files::default(), &out.into_bytes());
        }
        Ok(compiler)
    }

    fn decode(bytes: &[u8]) -> Option<((i32, i32), Vec<u32>)> {
        let mut fields = Fields::new(bytes);
        let mut version = || fields.number().and_then(|n| i32::try_from(n).ok());
        let version = (version()?, version()?);
        let mut archs = Vec::new();
        while let Some(arch) = fields.number() {
            archs.push(u32::try_from(arch).ok()?);
        }
        Some((version, archs))
    }
}

/// Options, without their dashes, with which NVRTC reads or writes other files, or says what is another time another thing.
const NOT_KEPT: &[&str] = &[
    "no-cache",
    "pch",
    "create-pch",
    "use-pch",
    "time",
    "fdevice-time-trace",
];

/// Whether what is made of a program may be kept.
pub(super) fn is_kept(args: &[String]) -> bool {
    !args.iter().any(|arg| {
        let name = arg.trim_start_matches('-');
        let is_option = name.len() < arg.len();
        (is_option && NOT_KEPT.iter().any(|n| name.starts_with(n)))
            // Macros may be defined as these.
            || names_the_time(arg)
            || arg.contains("__has_include")
    })
}

impl Job<'_> {
    /// The name of what is made of it.
    pub fn digest(&self, compiler: &Compiler) -> Digest {
        let mut digest = Digest::new();
        (
            "nvrtc",
            env!("CARGO_PKG_VERSION"),
            env!("CUOX_NVRTC_SOURCES"),
            compiler.version,
            &compiler.identity,
        )
            .hash(&mut digest);
        for header in headers::all() {
            (header.name, header.text).hash(&mut digest);
        }
        (
            self.source,
            self.name,
            self.headers,
            &self.args,
            &self.cuda_folders,
        )
            .hash(&mut digest);
        (self.expressions, self.output as u8).hash(&mut digest);
        // Paths in line tables, and includes, begin where the program runs.
        if let Ok(here) = std::env::current_dir() {
            here.hash(&mut digest);
        }
        digest.write_u8(0);
        digest
    }
}

impl Made {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(&self.bytes);
        out.number(self.ptx.is_some().into());
        out.bytes(self.ptx.as_deref().unwrap_or_default().as_bytes());
        out.bytes(self.log.as_bytes());
        for (name, lowered) in &self.lowered_names {
            out.bytes(name.as_bytes());
            out.bytes(lowered.as_bytes());
        }
        out.into_bytes()
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let bytes = fields.bytes()?.to_vec();
        let has_ptx = fields.number()? != 0;
        let ptx = fields.text()?;
        let log = fields.text()?;
        let mut lowered_names = BTreeMap::new();
        while !fields.rest().is_empty() {
            lowered_names.insert(fields.text()?, fields.text()?);
        }
        Some(Self {
            bytes,
            ptx: has_ptx.then_some(ptx),
            log,
            lowered_names,
            folders: Vec::<PathBuf>::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_read_or_tell_the_time_are_not_kept() {
        let kept = |arg: &str| is_kept(&[arg.to_owned()]);
        for name in [
            "create-pch=a",
            "use-pch",
            "pch-dir=a",
            "fdevice-time-trace=a",
            "time=a",
            "no-cache",
        ] {
            assert!(
                !kept(&format!("-{name}")) && !kept(&format!("--{name}")),
                "{name}"
            );
        }
        assert!(
            !kept("-DNOW=__TIME__")
                && !kept("--define-macro=X=__DATE__")
                && !kept("X=__TIMESTAMP__")
        );
        assert!(kept("-lineinfo") && kept("-DTIME=1") && kept("pch"));
    }
}
