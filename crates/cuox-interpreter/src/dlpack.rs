//! The DLPack structures (dlpack.h, version 1) and the capsules that carry them.

pub mod exchange_api;

use std::ffi::{CStr, c_void};

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::gate;

// `DLDeviceType` values that matter to CUDA.

/// Host memory.
pub const CPU: i32 = 1;

/// A CUDA device's memory.
pub const CUDA: i32 = 2;

/// Page-locked host memory.
pub const CUDA_HOST: i32 = 3;

/// Managed memory.
pub const CUDA_MANAGED: i32 = 13;

const PLAIN: &CStr = c"dltensor";

const PLAIN_USED: &CStr = c"used_dltensor";

const VERSIONED: &CStr = c"dltensor_versioned";

const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

const READ_ONLY: u64 = 1;

/// `DLDevice`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Device {
    /// The kind of memory.
    pub device_type: i32,
    /// The device's index.
    pub device_id: i32,
}

/// `DLDataType`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DataType {
    /// Integer, float and so on.
    pub code: u8,
    /// The bits of one lane.
    pub bits: u8,
    /// The lanes of a vector.
    pub lanes: u16,
}

/// `DLTensor`: a view, which says nothing about who has the memory and the dimensions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Tensor {
    data: *mut c_void,
    device: Device,
    ndim: i32,
    dtype: DataType,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// No memory is below: Linux does not map it (`vm.mmap_min_addr`), and no device has addresses there.
const LOWEST: u64 = 64 << 10;

impl Tensor {
    /// A view of memory whose dimensions lie in `shape` and `strides`.
    pub fn new(
        data: u64,
        device: Device,
        dtype: DataType,
        shape: &[i64],
        strides: Option<&[i64]>,
    ) -> Self {
        Self {
            data: data as *mut c_void,
            device,
            ndim: shape.len() as i32,
            dtype,
            shape: shape.as_ptr(),
            strides: strides.map_or(std::ptr::null(), <[i64]>::as_ptr),
            byte_offset: 0,
        }
    }

    /// The address of the first element.
    pub fn address(&self) -> u64 {
        (self.data as u64).wrapping_add(self.byte_offset)
    }

    /// Refuses elements that are nowhere, as those of PyTorch's fake tensors, whose views have their offset as the
    /// address, with a BufferError.
    ///
    /// # Safety
    /// As for `shape`.
    pub unsafe fn check_memory(&self) -> PyResult<()> {
        // SAFETY: as the caller says.
        match self.address() < LOWEST && !unsafe { self.shape() }.contains(&0) {
            true => Err(PyBufferError::new_err(format!(
                "DLPack: an array with elements has the address {}",
                self.address()
            ))),
            false => Ok(()),
        }
    }

    /// Where the memory is.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The type of its elements.
    pub fn dtype(&self) -> DataType {
        self.dtype
    }

    /// The dimensions.
    ///
    /// # Safety
    /// Whoever has them is alive, and leaves them as they are.
    pub unsafe fn shape(&self) -> &[i64] {
        // SAFETY: the producer has a number for each dimension there.
        unsafe { self.list(self.shape) }.unwrap_or_default()
    }

    /// The strides, in elements; None in C order without gaps.
    ///
    /// # Safety
    /// As for `shape`.
    pub unsafe fn strides(&self) -> Option<&[i64]> {
        // SAFETY: as in `shape`.
        unsafe { self.list(self.strides) }
    }

    unsafe fn list(&self, numbers: *const i64) -> Option<&[i64]> {
        let count = self.ndim.max(0) as usize;
        // SAFETY: as the caller says.
        (!numbers.is_null()).then(|| unsafe { std::slice::from_raw_parts(numbers, count) })
    }

    /// True if the elements lie in C order without gaps.
    ///
    /// # Safety
    /// As for `shape`.
    pub unsafe fn is_contiguous(&self) -> bool {
        // SAFETY: as the caller says.
        let (shape, strides) = unsafe { (self.shape(), self.strides()) };
        let Some(strides) = strides else { return true };
        let mut elements = 1i64;
        let mut contiguous = true;
        for (&extent, &stride) in shape.iter().zip(strides).rev() {
            contiguous &= extent <= 1 || stride == elements;
            elements = elements.wrapping_mul(extent);
        }
        contiguous
    }
}

#[repr(C)]
struct Managed {
    tensor: Tensor,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`.
#[repr(C)]
pub struct ManagedVersioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: Tensor,
}

/// The object and the dimensions that an exported capsule keeps alive.
struct ExportOwner {
    #[allow(dead_code, reason = "held, never read")]
    owner: Py<PyAny>,
    shape: Box<[i64]>,
    strides: Box<[i64]>,
}

/// An array to export: its memory, its layout and its owner.
pub struct Export {
    /// Kept alive by the capsule.
    pub owner: Py<PyAny>,
    /// The address.
    pub data: u64,
    /// Its address.
    pub device: Device,
    /// The type of its elements.
    pub dtype: DataType,
    /// The dimensions.
    pub shape: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    /// True if it must not be written.
    pub read_only: bool,
}

/// A tensor that belongs to whoever gets it, and the manager that keeps what it shows.
fn managed(what: Export) -> (Tensor, *mut c_void) {
    let keep = Box::new(ExportOwner {
        owner: what.owner,
        shape: what.shape.into(),
        strides: what.strides.into(),
    });
    let tensor = Tensor::new(
        what.data,
        what.device,
        what.dtype,
        &keep.shape,
        Some(&keep.strides),
    );
    (tensor, Box::into_raw(keep).cast())
}

/// The same with its version and flags, as a pointer that is given back by its deleter.
pub fn export_versioned(what: Export) -> *mut ManagedVersioned {
    let flags = if what.read_only { READ_ONLY } else { 0 };
    let (tensor, manager) = managed(what);
    Box::into_raw(Box::new(ManagedVersioned {
        major: 1,
        minor: 0,
        manager,
        deleter: Some(delete_versioned),
        flags,
        tensor,
    }))
}

/// A new capsule, of the versioned kind if the consumer said that it knows it.
pub fn export(py: Python<'_>, what: Export, versioned: bool) -> PyResult<Py<PyAny>> {
    if what.read_only && !versioned {
        return Err(PyBufferError::new_err(
            "read-only memory can only be exported with max_version=(1, 0) or newer",
        ));
    }
    // SAFETY: the names are static, the pointers come from `Box::into_raw` and belong to the capsule, whose destructor
    // frees them unless a consumer has renamed it and taken them over.
    let capsule = unsafe {
        if versioned {
            ffi::PyCapsule_New(
                export_versioned(what).cast(),
                VERSIONED.as_ptr(),
                Some(destroy_versioned),
            )
        } else {
            let (tensor, manager) = managed(what);
            let managed = Managed {
                tensor,
                manager,
                deleter: Some(delete_plain),
            };
            ffi::PyCapsule_New(
                Box::into_raw(Box::new(managed)).cast(),
                PLAIN.as_ptr(),
                Some(destroy_plain),
            )
        }
    };
    // SAFETY: PyCapsule_New returns a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, capsule) }.map(Bound::unbind)
}

/// Gives back what a capsule kept, under the GIL, since a consumer may call its deleter from any thread.
fn release(manager: *mut c_void) {
    // SAFETY: `manager` is the `ExportOwner` that `export` leaked, and each tensor is deleted once.
    let keep = unsafe { Box::from_raw(manager.cast::<ExportOwner>()) };
    // After the interpreter's end there is nobody to give the reference to.
    let mut keep = std::mem::ManuallyDrop::new(keep);
    // SAFETY: dropped once, here, if at all.
    gate::visit(|_| unsafe { std::mem::ManuallyDrop::drop(&mut keep) });
}

unsafe extern "C" fn delete_plain(managed: *mut Managed) {
    // SAFETY: called once, with what `export` made.
    let managed = unsafe { Box::from_raw(managed) };
    release(managed.manager);
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: called once, with what `export` made.
    let managed = unsafe { Box::from_raw(managed) };
    release(managed.manager);
}

unsafe extern "C" fn destroy_plain(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule that still has its first name still owns its tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, PLAIN.as_ptr()) == 1 {
            delete_plain(ffi::PyCapsule_GetPointer(capsule, PLAIN.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn destroy_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: a capsule that still has its first name still owns its tensor, which `export` made.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// The array in another library's capsule. Its tensor is given back when this is dropped.
pub struct Import {
    /// The address.
    pub data: u64,
    /// The type of its elements.
    pub dtype: DataType,
    /// True if it is in C order without gaps.
    pub contiguous: bool,
    /// True if it must not be written.
    pub read_only: bool,
    held: ImportedTensor,
}

enum ImportedTensor {
    Plain(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

impl Import {
    /// The tensor as it is.
    pub fn tensor(&self) -> &Tensor {
        // SAFETY: it is the producer's until this is dropped, and nobody writes to it.
        unsafe {
            match self.held {
                ImportedTensor::Plain(managed) => &(*managed).tensor,
                ImportedTensor::Versioned(managed) => &(*managed).tensor,
            }
        }
    }

    /// The device that it is on.
    pub fn device(&self) -> Device {
        self.tensor().device
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        // SAFETY: as in `tensor`.
        unsafe { self.tensor().shape() }
    }

    /// The strides, in elements; None in C order without gaps.
    pub fn strides(&self) -> Option<&[i64]> {
        // SAFETY: as in `tensor`.
        unsafe { self.tensor().strides() }
    }

    /// Takes over a tensor.
    ///
    /// # Safety
    /// Nobody else deletes it.
    unsafe fn versioned(managed: *mut ManagedVersioned) -> PyResult<Self> {
        // SAFETY: the version and the deleter stand first in all versions of the structure.
        unsafe {
            if (*managed).major != 1 {
                let error = PyBufferError::new_err(format!(
                    "DLPack version {} is not known to cuox",
                    (*managed).major
                ));
                return Err(error);
            }
            let read_only = (*managed).flags & READ_ONLY != 0;
            Ok(Self::of(ImportedTensor::Versioned(managed), read_only))
        }
    }

    /// The same, unless its elements are nowhere.
    fn with_memory(self) -> PyResult<Self> {
        // SAFETY: the tensor is ours.
        unsafe { self.tensor().check_memory() }?;
        Ok(self)
    }

    fn of(held: ImportedTensor, read_only: bool) -> Self {
        let mut import = Self {
            data: 0,
            dtype: DataType {
                code: 0,
                bits: 0,
                lanes: 0,
            },
            contiguous: false,
            read_only,
            held,
        };
        let tensor = *import.tensor();
        import.data = tensor.address();
        import.dtype = tensor.dtype;
        // SAFETY: as in `tensor`.
        import.contiguous = unsafe { tensor.is_contiguous() };
        import
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        // SAFETY: `import` renamed the capsule, so the tensor is ours to delete, once.
        unsafe {
            match self.held {
                ImportedTensor::Plain(managed) => {
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed);
                    }
                }
                ImportedTensor::Versioned(managed) => {
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed);
                    }
                }
            }
        }
    }
}

/// Takes over the tensor in `capsule`.
pub fn import(capsule: &Bound<'_, PyAny>) -> PyResult<Import> {
    let object = capsule.as_ptr();
    // SAFETY: the capsule's name says what it points to; renaming it, as the protocol demands, makes us the owner.
    unsafe {
        if ffi::PyCapsule_IsValid(object, VERSIONED.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(object, VERSIONED.as_ptr());
            let import = Import::versioned(managed.cast())?;
            ffi::PyCapsule_SetName(object, VERSIONED_USED.as_ptr());
            import.with_memory()
        } else if ffi::PyCapsule_IsValid(object, PLAIN.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(object, PLAIN.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(object, PLAIN_USED.as_ptr());
            Import::of(ImportedTensor::Plain(managed), false).with_memory()
        } else {
            Err(PyTypeError::new_err(
                "__dlpack__ did not return an unused DLPack capsule",
            ))
        }
    }
}
