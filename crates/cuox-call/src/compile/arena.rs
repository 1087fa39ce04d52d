//! Executable memory.

use std::ptr::null_mut;

/// The number of bytes that are mapped at a time.
const CHUNK: usize = 1 << 20;

/// Memory mapped twice: written at one address and run at another, so that no page is ever writable and executable, and
/// adding code costs a copy and no system call. It is never unmapped: code is shared by callables and lives as long as
/// the process.
pub struct Arena {
    write: *mut u8,
    run: *mut u8,
    used: usize,
    /// The process that may add code. A child shares the pages, so it begins a chunk of its own.
    process: libc::pid_t,
}

// SAFETY: the memory belongs to the value, whose methods take it by unique reference.
unsafe impl Send for Arena {}

impl Arena {
    /// Maps the first chunk, or says why that is not allowed here.
    pub fn new() -> std::io::Result<Self> {
        let (write, run) = map()?;
        // SAFETY: getpid has no preconditions.
        let process = unsafe { libc::getpid() };
        Ok(Self {
            write,
            run,
            used: 0,
            process,
        })
    }

    /// Adds code; returns the address where it runs.
    pub fn add(&mut self, code: &[u8]) -> std::io::Result<usize> {
        let at = self.used.next_multiple_of(64);
        // SAFETY: getpid has no preconditions.
        if at + code.len() > CHUNK || self.process != unsafe { libc::getpid() } {
            if code.len() > CHUNK {
                return Err(std::io::Error::other("code is larger than a chunk"));
            }
            *self = Self::new()?;
            return self.add(code);
        }
        // SAFETY: there is room, which nothing runs yet.
        unsafe {
            self.write
                .add(at)
                .copy_from_nonoverlapping(code.as_ptr(), code.len())
        }
        self.used = at + code.len();
        Ok(self.run as usize + at)
    }
}

fn map() -> std::io::Result<(*mut u8, *mut u8)> {
    const MFD_EXEC: libc::c_uint = 0x10;
    // SAFETY: system calls whose results are checked; the name is constant.
    unsafe {
        let create = |flags| libc::memfd_create(c"cuox-calls".as_ptr(), libc::MFD_CLOEXEC | flags);
        let mut file = create(MFD_EXEC);
        if file < 0 {
            // Kernels before 6.3 do not know the flag.
            file = create(0);
        }
        if file < 0 {
            return Err(std::io::Error::last_os_error());
        }
        let mapped = (|| {
            if libc::ftruncate(file, CHUNK as libc::off_t) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            let map = |protection| match libc::mmap(
                null_mut(),
                CHUNK,
                protection,
                libc::MAP_SHARED,
                file,
                0,
            ) {
                libc::MAP_FAILED => Err(std::io::Error::last_os_error()),
                address => Ok(address.cast::<u8>()),
            };
            let write = map(libc::PROT_READ | libc::PROT_WRITE)?;
            match map(libc::PROT_READ | libc::PROT_EXEC) {
                Ok(run) => Ok((write, run)),
                Err(error) => {
                    libc::munmap(write.cast(), CHUNK);
                    Err(error)
                }
            }
        })();
        libc::close(file);
        mapped
    }
}
