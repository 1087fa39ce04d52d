//! `cuox.LaunchConfig`.

use std::hash::{DefaultHasher, Hash, Hasher};

use cuox::Dim3;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

use crate::stream::Stream;
use crate::support::names;
use crate::support::plain_args;

/// The number of threads that a kernel is launched with: `grid` blocks of `block` threads.
///
/// grid, block, cluster: an int, or a tuple of up to three: x, y, z. With `cluster`, the grid counts clusters.
/// shmem_size: dynamic shared memory of a block, in bytes.
/// is_cooperative: all blocks run at once, so that they can wait for each other.
/// programmatic_stream_serialization: permission to overlap with the kernel before, of which no use is made yet.
///
/// Raises TypeError and ValueError. Programming guide, *Thread Hierarchy*.
#[pyclass(frozen, weakref, module = "cuox", name = "LaunchConfig")]
pub struct LaunchConfig {
    pub config: cuox::LaunchConfig,
    /// As the user gave it: in clusters, where there are clusters.
    grid: Dim3,
    programmatic: bool,
}

/// A size that is a plain int. Reading it runs no Python code.
#[inline]
pub fn plain_size(value: &Bound<'_, PyAny>) -> Option<u32> {
    // SAFETY: a live object, whose exact class is looked at: reading an int runs no Python code and cannot fail but
    // for an overflow.
    let size = unsafe {
        if ffi::PyLong_CheckExact(value.as_ptr()) == 0 {
            return None;
        }
        ffi::PyLong_AsSsize_t(value.as_ptr())
    };
    if size == -1 {
        drop(PyErr::take(value.py()));
    }
    u32::try_from(size).ok()
}

/// The configuration that stands in the brackets of `kernel[grid, block, …]`.
#[inline]
pub fn in_brackets(
    grid: Option<&Bound<'_, PyAny>>,
    block: Option<&Bound<'_, PyAny>>,
    shared: Option<&Bound<'_, PyAny>>,
    cluster: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::LaunchConfig> {
    // Plain ints of plausible values are what most launches have; the others are read, or refused, with more ado.
    let one = |size: Option<&Bound<'_, PyAny>>| size.and_then(plain_size).filter(|size| *size > 0);
    match (one(grid), one(block), shared, cluster) {
        (Some(grid), Some(block), None, None) => Ok(cuox::LaunchConfig::new(grid, block)),
        _ => Ok(LaunchConfig::build(grid, block, shared, cluster)?.config),
    }
}

/// The stream that stands in the brackets of `kernel[grid, block, stream]`. 0 and None are the default stream, as in
/// other libraries.
#[inline]
pub fn named_stream<'a, 'py>(
    stream: Option<&'a Bound<'py, PyAny>>,
) -> Option<&'a Bound<'py, PyAny>> {
    stream.filter(|stream| {
        stream.is_instance_of::<Stream>()
            || !(stream.is_none()
                || stream.is_instance_of::<PyInt>()
                    && stream.extract::<i64>().is_ok_and(|n| n == 0))
    })
}

/// One to three sizes: an int, or a tuple of ints.
fn dimensions(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Dim3> {
    let one = |value: &Bound<'_, PyAny>| -> PyResult<u32> {
        // SAFETY: a live object.
        if unsafe { ffi::PyIndex_Check(value.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err(format!(
                "LaunchConfig: {what} must be an int or a tuple of up to 3 ints, not {}",
                names::type_name(value)
            )));
        }
        match value.extract::<u32>() {
            Ok(0) => Err(PyValueError::new_err(format!(
                "LaunchConfig: {what} must be at least 1 in each dimension, not 0"
            ))),
            Ok(size) => Ok(size),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                Err(PyValueError::new_err(format!(
                    "LaunchConfig: {what} must be from 1 to 2^32 - 1, not {value}"
                )))
            }
            Err(error) => Err(error),
        }
    };
    let sizes = match value.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect::<Vec<_>>(),
        Err(_) => match value.cast::<pyo3::types::PyList>() {
            Ok(list) => list.iter().collect(),
            Err(_) => {
                return Ok(Dim3 {
                    x: one(value)?,
                    y: 1,
                    z: 1,
                });
            }
        },
    };
    match &sizes[..] {
        [x] => Ok(Dim3 {
            x: one(x)?,
            y: 1,
            z: 1,
        }),
        [x, y] => Ok(Dim3 {
            x: one(x)?,
            y: one(y)?,
            z: 1,
        }),
        [x, y, z] => Ok(Dim3 {
            x: one(x)?,
            y: one(y)?,
            z: one(z)?,
        }),
        other => Err(PyValueError::new_err(format!(
            "LaunchConfig: {what} must have 1 to 3 sizes, not {}",
            other.len()
        ))),
    }
}

impl LaunchConfig {
    pub fn build(
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        shared: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let needed = |what: &str, value: Option<&Bound<'_, PyAny>>| match value {
            Some(value) if !value.is_none() => dimensions(what, value),
            _ => Err(PyTypeError::new_err(format!(
                "LaunchConfig: {what} is missing"
            ))),
        };
        let (grid, block) = (needed("grid", grid)?, needed("block", block)?);
        let shared_bytes = match shared {
            Some(shared) if !shared.is_none() => shared.extract::<u32>().map_err(|error| {
                let py = shared.py();
                if error.is_instance_of::<PyTypeError>(py) {
                    return plain_args::wrong_kind("LaunchConfig: shmem_size", "an int", shared);
                }
                if !error.is_instance_of::<PyOverflowError>(py) {
                    return error;
                }
                PyValueError::new_err(format!(
                    "LaunchConfig: shmem_size: expected a number of bytes from 0 to 2^32 - 1, got {shared}"
                ))
            })?,
            _ => 0,
        };
        let cluster = match cluster {
            Some(cluster) if !cluster.is_none() => Some(dimensions("cluster", cluster)?),
            _ => None,
        };
        let blocks = match cluster {
            None => grid,
            Some(c) => {
                let times = |a: u32, b: u32| {
                    a.checked_mul(b).ok_or_else(|| {
                        PyValueError::new_err("LaunchConfig: grid times cluster is too large")
                    })
                };
                Dim3 {
                    x: times(grid.x, c.x)?,
                    y: times(grid.y, c.y)?,
                    z: times(grid.z, c.z)?,
                }
            }
        };
        let config = cuox::LaunchConfig {
            grid: blocks,
            block,
            shared_bytes,
            cooperative: false,
            cluster,
        };
        Ok(Self {
            config,
            grid,
            programmatic: false,
        })
    }
}

fn triple(size: Dim3) -> (u32, u32, u32) {
    (size.x, size.y, size.z)
}

#[pymethods]
impl LaunchConfig {
    /// `grid` blocks of `block` threads: each an int or a tuple of up to three. With `cluster`, the grid counts
    /// clusters. `programmatic_stream_serialization` is permission to overlap, of which no use is made yet.
    #[new]
    #[pyo3(
        signature = (
            grid=None, cluster=None, block=None, shmem_size=None, is_cooperative=None,
            programmatic_stream_serialization=None
        ),
        text_signature = "(grid=None, cluster=None, block=None, shmem_size=None, is_cooperative=False, programmatic_stream_serialization=False)"
    )]
    fn py_new(
        grid: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        shmem_size: Option<&Bound<'_, PyAny>>,
        is_cooperative: Option<&Bound<'_, PyAny>>,
        programmatic_stream_serialization: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let flag = |what: &str, value: Option<&Bound<'_, PyAny>>| {
            value.map_or(Ok(false), |value| plain_args::truth(what, value))
        };
        let mut made = Self::build(grid, block, shmem_size, cluster)?;
        made.config.cooperative = flag("LaunchConfig: is_cooperative", is_cooperative)?;
        made.programmatic = flag(
            "LaunchConfig: programmatic_stream_serialization",
            programmatic_stream_serialization,
        )?;
        Ok(made)
    }

    /// The blocks in x, y and z; with `cluster`, the clusters.
    #[getter]
    fn grid(&self) -> (u32, u32, u32) {
        triple(self.grid)
    }

    /// The threads of a block in x, y and z.
    #[getter]
    fn block(&self) -> (u32, u32, u32) {
        triple(self.config.block)
    }

    /// The blocks of a cluster in x, y and z, or None.
    #[getter]
    fn cluster(&self) -> Option<(u32, u32, u32)> {
        self.config.cluster.map(triple)
    }

    /// The dynamic shared memory of a block, in bytes.
    #[getter]
    fn shmem_size(&self) -> u32 {
        self.config.shared_bytes
    }

    /// True if all blocks run at once.
    #[getter]
    fn is_cooperative(&self) -> bool {
        self.config.cooperative
    }

    /// True if the kernel may overlap with the one before it in its stream.
    #[getter]
    fn programmatic_stream_serialization(&self) -> bool {
        self.programmatic
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            other.get().config == self.config && other.get().programmatic == self.programmatic
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let c = &self.config;
        (
            c.grid,
            c.block,
            c.cluster,
            c.shared_bytes,
            c.cooperative,
            self.programmatic,
        )
            .hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let this = slf.get();
        let arguments = (
            this.grid(),
            this.cluster(),
            this.block(),
            this.shmem_size(),
            this.is_cooperative(),
            this.programmatic,
        );
        let arguments = arguments.into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), arguments))
    }

    fn __repr__(&self) -> String {
        let cluster = self
            .cluster()
            .map_or("None".into(), |cluster| format!("{cluster:?}"));
        format!(
            "LaunchConfig(grid={:?}, cluster={cluster}, block={:?}, shmem_size={}, is_cooperative={}{})",
            self.grid(),
            self.block(),
            self.config.shared_bytes,
            python_bool(self.config.cooperative),
            if self.programmatic {
                ", programmatic_stream_serialization=True"
            } else {
                ""
            },
        )
    }
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
