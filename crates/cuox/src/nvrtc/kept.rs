//! Output of NVRTC, kept on disk.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::attempt::{Job, Made};
use super::fit::{Fit, Target};
use super::library::{Nvrtc, identity_of};
use crate::cache::{Cache, Digest, Fields, Files, Writer, names_the_time};
use crate::error::Result;
use crate::pathfinder;

/// Ends an identity that all files belong to.
const ALL: &[u8] = b"all";

/// Facts about the compiler that are known without loading it.
pub(super) struct Compiler {
    /// Its version, `(major, minor)`, and the architectures it compiles for, ascending.
    pub version: (i32, i32),
    pub archs: Vec<u32>,
    /// Its file.
    pub path: PathBuf,
    /// The driver that it was chosen for.
    pub target: Target,
    /// Stands for the driver, its file and those that would go before it.
    identity: Vec<u8>,
}

impl Compiler {
    /// The compiler that is loaded or will be: from what was kept of it, or by loading it.
    pub fn get(cache: Option<&Cache>) -> Result<Self> {
        let target = Target::of_process();
        if let Some(nvrtc) = Nvrtc::loaded() {
            return Self::of(nvrtc, target).map(|(compiler, _)| compiler);
        }
        if let Some(cache) = cache {
            // A kept entry records a list of files: those up to the one that was taken, or all.
            let mut identity = target.identity();
            for part in pathfinder::nvrtc_files()?.map(Some).chain([None]) {
                identity.extend(part.map_or_else(|| ALL.to_vec(), |path| identity_of(&path)));
                if let Some(facts) = cache.load(&digest_of(&identity), Facts::decode) {
                    return Ok(Self {
                        version: facts.version,
                        archs: facts.archs,
                        path: facts.path,
                        target,
                        identity,
                    });
                }
            }
        }
        let (compiler, is_current) = Self::of(Nvrtc::get_for(target)?, target)?;
        if let Some(cache) = cache.filter(|_| is_current) {
            let digest = digest_of(&compiler.identity);
            cache.save(&digest, &Files::default(), &compiler.encode());
        }
        Ok(compiler)
    }

    /// The part of its output that the driver takes.
    pub fn fit(&self) -> Fit {
        self.target.takes(self.version)
    }

    /// A compiler that is loaded, and whether a new process would load it too.
    fn of(nvrtc: &Nvrtc, target: Target) -> Result<(Self, bool)> {
        let mut identity = target.identity();
        let mut is_current = false;
        // One whose machine code alone fits is taken if no file fits better: all of them decide.
        let all_decide = target.takes(nvrtc.version()) != Fit::All;
        for path in pathfinder::nvrtc_files()? {
            let own = identity_of(&path);
            is_current |= own == nvrtc.identity();
            identity.extend(own);
            if is_current && !all_decide {
                break;
            }
        }
        if all_decide {
            identity.extend_from_slice(ALL);
        }
        if !is_current {
            // It stays loaded when its file has become another, or another is found by now.
            identity.extend_from_slice(b"loaded");
            identity.extend_from_slice(nvrtc.identity());
        }
        let compiler = Self {
            version: nvrtc.version(),
            archs: nvrtc.supported_archs().to_vec(),
            path: nvrtc.path().to_owned(),
            target,
            identity,
        };
        Ok((compiler, is_current))
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.number(self.version.0 as u64);
        out.number(self.version.1 as u64);
        out.bytes(self.path.as_os_str().as_encoded_bytes());
        self.archs.iter().for_each(|a| out.number((*a).into()));
        out.into_bytes()
    }
}

/// What is kept of a compiler.
struct Facts {
    version: (i32, i32),
    path: PathBuf,
    archs: Vec<u32>,
}

impl Facts {
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let mut version = || fields.number().and_then(|n| i32::try_from(n).ok());
        let version = (version()?, version()?);
        let path = PathBuf::from(OsStr::from_bytes(fields.bytes()?));
        let mut archs = Vec::new();
        while let Some(arch) = fields.number() {
            archs.push(u32::try_from(arch).ok()?);
        }
        Some(Self {
            version,
            path,
            archs,
        })
    }
}

/// The name of what is kept of a compiler.
fn digest_of(identity: &[u8]) -> Digest {
    let mut digest = Digest::new();
    ("compiler", env!("CARGO_PKG_VERSION"), identity).hash(&mut digest);
    digest
}

/// Options, without their dashes, with which NVRTC reads or writes other files, or says what is another time another
/// thing.
const NOT_KEPT: &[&str] = &[
    "no-cache",
    "pch",
    "create-pch",
    "use-pch",
    "time",
    "fdevice-time-trace",
];

/// True if the output for a program may be kept.
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
            folders: Vec::new(),
            handed: Vec::new(),
            before: String::new(),
            // What asks for precompiled headers is not kept.
            pch: None,
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
