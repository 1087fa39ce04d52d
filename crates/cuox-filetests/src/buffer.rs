//! Device memory for a launch.

use crate::image::Object;
use crate::launches::{Child, Launches};
use cuox_simt::image::{Surface, Texture};
use cuox_simt::{Host, RuntimeCall, memcheck, space};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

const PAGE: u64 = 4096;
/// The first bits of handles of objects.
const TEXTURES: u64 = 0x7e00_0000_0000;
const SURFACES: u64 = 0x5f00_0000_0000;

/// Memory that begins at an address and ends right before a page that nothing may touch.
pub struct Buffer {
    start: u64,
    pages: u64,
    address: u64,
    len: usize,
}

impl Buffer {
    /// Zeroed memory of `len` bytes, aligned to `align`.
    pub fn new(len: usize, align: u64) -> Result<Buffer, String> {
        let pages = (len as u64).next_multiple_of(PAGE).max(PAGE);
        let start = space::reserve(pages + PAGE, align).ok_or("no address space is left")?;
        // SAFETY: the range was reserved just now, and is this buffer's.
        unsafe { space::commit(start, pages) }.map_err(|e| e.to_string())?;
        let address = (start + pages - len as u64) & !(align - 1);
        Ok(Buffer {
            start,
            pages,
            address,
            len,
        })
    }

    /// Its start and length.
    pub fn range(&self) -> (u64, u64) {
        (self.address, self.len as u64)
    }

    /// The address of the first byte.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Replaces the contents.
    pub fn write(&self, bytes: &[u8]) {
        let len = bytes.len().min(self.len);
        // SAFETY: `len` bytes at `address` are committed and no kernel runs on them.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.address as *mut u8, len) };
    }

    /// The contents.
    pub fn read(&self) -> Vec<u8> {
        // SAFETY: `len` bytes at `address` are committed, initialised with zeros, and no kernel runs on them.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.len) }.to_vec()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the range is this buffer's, and no kernel runs on it any more.
        unsafe {
            space::decommit(self.start, self.pages);
            space::unreserve(self.start, self.pages + PAGE);
        }
    }
}

/// A driver that keeps the text that kernels print and gives them memory.
#[derive(Default)]
pub struct TestHost {
    printed: Mutex<Vec<u8>>,
    heap: Mutex<Vec<Buffer>>,
    /// Start and length of the ranges that kernels may access, if that is checked.
    allowed: Option<Vec<(u64, u64)>>,
    textures: Vec<Arc<Texture>>,
    surfaces: Vec<Arc<Surface>>,
    launches: Mutex<Launches>,
}

impl TestHost {
    /// The text that was printed.
    pub fn printed(&self) -> String {
        let bytes = self.printed.lock().unwrap_or_else(|e| e.into_inner());
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A driver that checks all accesses against these allocations, each by start and length, and the kernels' own.
    pub fn checking(allowed: Vec<(u64, u64)>) -> TestHost {
        TestHost {
            allowed: Some(allowed),
            ..TestHost::default()
        }
    }

    /// Lets kernels access one more, if that is checked.
    pub fn allow(&mut self, range: (u64, u64)) {
        self.allowed.iter_mut().for_each(|all| all.push(range));
    }

    /// Makes an object known; gives its handle.
    pub fn add(&mut self, object: Object) -> u64 {
        match object {
            Object::Texture(texture) => {
                self.textures.push(Arc::new(texture));
                TEXTURES + self.textures.len() as u64
            }
            Object::Surface(surface) => {
                self.surfaces.push(Arc::new(surface));
                SURFACES + self.surfaces.len() as u64
            }
        }
    }

    /// Takes the launches that kernels have asked for.
    pub fn take_launches(&self) -> VecDeque<Child> {
        let mut launches = self.launches.lock().unwrap_or_else(|e| e.into_inner());
        launches.take()
    }

    /// Allocations not freed.
    pub fn allocations(&self) -> usize {
        self.heap.lock().unwrap_or_else(|e| e.into_inner()).len()
    }
}

impl Host for TestHost {
    fn checks_memory(&self) -> bool {
        self.allowed.is_some()
    }

    fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        let heap = self.heap.lock().unwrap_or_else(|e| e.into_inner());
        let own = heap.iter().map(Buffer::range);
        let allowed = self.allowed.iter().flatten().copied();
        let launches = self.launches.lock().unwrap_or_else(|e| e.into_inner());
        allowed
            .chain(own)
            .find(|&(start, len)| address.wrapping_sub(start) < len)
            .or_else(|| launches.range_of(address))
    }

    fn runtime(&self, call: RuntimeCall, _thread: ([u32; 3], u32), args: &[u64]) -> u64 {
        let mut launches = self.launches.lock().unwrap_or_else(|e| e.into_inner());
        match (call, args) {
            (RuntimeCall::ParameterBuffer, args) => launches.prepare(args),
            (RuntimeCall::Launch, [buffer, _]) => {
                memcheck::memory_freed();
                launches.launch(*buffer)
            }
            (RuntimeCall::LastError | RuntimeCall::PeekError, _) => 0,
            _ => 801,
        }
    }

    fn texture(&self, handle: u64) -> Option<Arc<Texture>> {
        let index = handle.checked_sub(TEXTURES + 1)?;
        self.textures.get(index as usize).cloned()
    }

    fn surface(&self, handle: u64) -> Option<Arc<Surface>> {
        let index = handle.checked_sub(SURFACES + 1)?;
        self.surfaces.get(index as usize).cloned()
    }

    fn print(&self, bytes: &[u8]) {
        self.printed
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .extend_from_slice(bytes);
    }

    fn malloc(&self, size: u64) -> u64 {
        let Ok(buffer) = Buffer::new(size.min(1 << 24) as usize, 16) else {
            return 0;
        };
        let address = if size > 1 << 24 {
            return 0;
        } else {
            buffer.address()
        };
        self.heap
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .push(buffer);
        address
    }

    fn free(&self, address: u64) {
        self.heap
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .retain(|b| b.address() != address);
        memcheck::memory_freed();
    }
}
