//! The process that has LLVM: finding it, starting it, asking it.

use crate::sys::level::{Level, level};
use std::ffi::CStr;
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Time after which a compilation is given up, and with it the process.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest object.
const MOST: u32 = 256 << 20;
/// The variable with the path of LLVM's library.
pub const LIBRARY: &str = "CUOX_LLVM";
/// The path of the program.
const PROGRAM: &str = "CUOX_LLVM_PROGRAM";

/// What starts programs that may not be executed themselves.
#[cfg(target_arch = "x86_64")]
const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";
#[cfg(not(target_arch = "x86_64"))]
const LOADER: &str = "/lib/ld-linux-aarch64.so.1";

/// An LLVM that answers.
pub struct Llvm {
    /// "LLVM 20.1.8".
    pub version: String,
    pub cpu: &'static str,
    pub features: &'static str,
    place: Place,
    running: Mutex<Option<Running>>,
}

/// The program, and the library that it is to load.
struct Place {
    program: PathBuf,
    library: Option<PathBuf>,
}

/// A process that waits for a module.
struct Running {
    child: Arc<Mutex<Child>>,
    /// A socket, as a pipe that nobody reads any more would end this process by a signal.
    input: UnixStream,
    output: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Returns the LLVM of this process, or why there is none.
pub fn get() -> Result<&'static Llvm, String> {
    static FOUND: OnceLock<Result<Llvm, String>> = OnceLock::new();
    FOUND.get_or_init(find).as_ref().map_err(Clone::clone)
}

/// Returns what is to be started, or why nothing is.
fn wanted() -> Result<Place, String> {
    // Before, a fused multiply-add is a call of libm's for each lane.
    if level() == Level::V2 {
        return Err("code by LLVM needs AVX2 and FMA (x86-64-v3)".to_owned());
    }
    Ok(Place {
        program: program()?,
        library: library()?,
    })
}

/// Tells whether code by LLVM is wanted where there is any.
pub fn is_wanted() -> bool {
    wanted().is_ok()
}

fn find() -> Result<Llvm, String> {
    let place = wanted()?;
    let (cpu, features) = machine();
    let (version, running) = start(&place, cpu, features)?;
    Ok(Llvm {
        version,
        cpu,
        features,
        place,
        running: Mutex::new(Some(running)),
    })
}

/// The folder of the library, or program, that this code is in.
fn own_folder() -> Option<PathBuf> {
    // SAFETY: the record is plain data, and `dladdr` writes it for an address of this very code.
    let path = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(own_folder as *const libc::c_void, &mut info) == 0
            || info.dli_fname.is_null()
        {
            return None;
        }
        CStr::from_ptr(info.dli_fname).to_str().ok()?.to_owned()
    };
    let path = Path::new(&path).canonicalize().ok()?;
    Some(path.parent()?.to_owned())
}

fn program() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os(PROGRAM).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let own = own_folder().ok_or("the software GPU does not find the folder it is in")?;
    // In a wheel beside the driver; for tests in the folder above theirs.
    let names = [own.join("cuox-llvm"), own.join("../cuox-llvm")];
    let found = names.iter().find(|path| path.is_file());
    found.cloned().ok_or_else(|| {
        format!(
            "the program cuox-llvm is not in {} (set {PROGRAM} to its path)",
            own.display()
        )
    })
}

/// The library that is asked for. Without one the program looks for it.
fn library() -> Result<Option<PathBuf>, String> {
    match std::env::var_os(LIBRARY) {
        Some(path) if path.is_empty() => Err(format!("{LIBRARY} is empty: no LLVM is to be used")),
        path => Ok(path.map(PathBuf::from)),
    }
}

/// LLVM's names of the processor that code is made for, and of features besides.
fn machine() -> (&'static str, &'static str) {
    let level = level();
    // A gather of the processor's is faster than a branch for each lane on all that have one.
    let features = match level {
        Level::V2 => "",
        Level::V3 => "+fast-gather",
        Level::V4 => "+fast-gather,-prefer-256-bit",
    };
    (level.name(), features)
}

fn start(place: &Place, cpu: &str, features: &str) -> Result<(String, Running), String> {
    let failed = |error: io::Error| format!("cuox-llvm cannot be started: {error}");
    let (input, theirs) = UnixStream::pair().map_err(failed)?;
    let spawn = |mut command: Command| {
        command.args([cpu, features]).args(&place.library);
        command.stdin(OwnedFd::from(theirs.try_clone()?));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn()
    };
    let spawned = match spawn(Command::new(&place.program)) {
        // Some installers drop the permission.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let mut command = Command::new(LOADER);
            command.arg(&place.program);
            spawn(command)
        }
        spawned => spawned,
    };
    let mut child = spawned.map_err(failed)?;
    let Some(output) = child.stdout.take() else {
        return Err("cuox-llvm has no pipe".to_owned());
    };
    let mut running = Running {
        child: Arc::new(Mutex::new(child)),
        input,
        output: BufReader::new(output),
    };
    let mut line = String::new();
    let read = running.watched(|running| running.output.read_line(&mut line));
    match (read, line.trim().strip_prefix('!')) {
        (Ok(1..), None) if line.starts_with("LLVM ") => Ok((line.trim().to_owned(), running)),
        (Ok(1..), Some(why)) => Err(format!("cuox-llvm: {}", why.trim())),
        _ => Err("cuox-llvm ended, or did not answer".to_owned()),
    }
}

impl Running {
    /// Does something that waits for the process, which is killed if it takes too long.
    fn watched<T>(&mut self, wait: impl FnOnce(&mut Running) -> io::Result<T>) -> io::Result<T> {
        let (done, watch) = mpsc::channel::<()>();
        let child = self.child.clone();
        let watcher = std::thread::Builder::new()
            .name("cuox-llvm".into())
            .spawn(move || {
                if watch.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
                }
            });
        let found = wait(self);
        drop(done);
        if let Ok(watcher) = watcher {
            let _ = watcher.join();
        }
        found
    }

    fn ask(&mut self, text: &str) -> io::Result<(u8, Vec<u8>)> {
        self.watched(|running| {
            send(&running.input, &(text.len() as u32).to_le_bytes())?;
            send(&running.input, text.as_bytes())?;
            let mut head = [0; 5];
            running.output.read_exact(&mut head)?;
            let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
            if length > MOST {
                return Err(io::Error::other("the object is too large"));
            }
            let mut bytes = vec![0; length as usize];
            running.output.read_exact(&mut bytes)?;
            Ok((head[0], bytes))
        })
    }
}

/// Writes to a socket, without a signal where nobody reads any more.
fn send(to: &UnixStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        // SAFETY: the bytes are readable, and the socket is open.
        let sent = unsafe {
            libc::send(
                to.as_raw_fd(),
                bytes.as_ptr().cast(),
                bytes.len(),
                libc::MSG_NOSIGNAL,
            )
        };
        match usize::try_from(sent) {
            Ok(sent) => bytes = bytes.get(sent..).unwrap_or_default(),
            Err(_) => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
    Ok(())
}

impl Llvm {
    /// Compiles a module's text to an object.
    pub fn compile(&self, text: &str) -> Result<Vec<u8>, String> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asked = match running.take() {
            Some(asked) => asked,
            // The last one ended over what it was given.
            None => start(&self.place, self.cpu, self.features)?.1,
        };
        let (status, bytes) = asked
            .ask(text)
            .map_err(|_| "cuox-llvm ended, or took longer than 10 s".to_owned())?;
        *running = Some(asked);
        match status {
            0 => Ok(bytes),
            _ => Err(format!("LLVM: {}", String::from_utf8_lossy(&bytes))),
        }
    }
}
