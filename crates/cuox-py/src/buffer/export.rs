//! Buffers as DLPack capsules.

use cuox_interpreter::dlpack;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;

use crate::buffer::{Buffer, Reach};
use crate::error::{OrRaise, wait};
use crate::idle;
use crate::portability;

/// Elements in a buffer, as DLPack describes them.
pub struct Exported {
    /// From the buffer's start to the first element, in bytes.
    pub offset: usize,
    pub dtype: dlpack::DataType,
    pub shape: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    pub read_only: bool,
    /// The way to copy it to the host, for messages.
    pub copy: &'static str,
}

impl Buffer {
    /// A DLPack capsule of elements in this buffer.
    pub fn export(
        &self,
        py: Python<'_>,
        what: Exported,
        stream: Option<&Bound<'_, PyAny>>,
        versioned: bool,
    ) -> PyResult<Py<PyAny>> {
        let device = self.__dlpack_device__(py)?;
        if device.0 == dlpack::CPU && self.is_device_accessible(py)? {
            portability::exported_to_the_cpu(py, what.copy)?;
        }
        if let Some(producer) = &self.producer(py)? {
            self.gather(py, producer)?;
            if device.0 == dlpack::CUDA {
                self.before_consumer(py, producer, stream)?;
            } else {
                wait(py, "__dlpack__()", |stop| producer.sync_with(stop))?;
            }
        }
        let owner = self.keeper(py)?.into_any();
        let read_only = self.is_read_only_at(py, device.0)?;
        let export = dlpack::Export {
            owner,
            data: self.address + what.offset as u64,
            device: dlpack::Device {
                device_type: device.0,
                device_id: device.1,
            },
            dtype: what.dtype,
            shape: what.shape,
            strides: what.strides,
            read_only: what.read_only || read_only,
        };
        dlpack::export(py, export, versioned)
    }

    /// DLPack's rule: the consumer's stream waits for the producer's. None is the legacy default stream, -1 asks
    /// for nothing.
    fn before_consumer(
        &self,
        py: Python<'_>,
        producer: &cuox::Stream,
        consumer: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let handle: i64 = match consumer {
            Some(consumer) if !consumer.is_none() => consumer.extract()?,
            _ => cuox::stream::LEGACY as i64,
        };
        if handle == -1 {
            return Ok(());
        }
        let Some(handle) = usize::try_from(handle).ok().filter(|handle| *handle != 0) else {
            return Err(PyValueError::new_err(format!(
                "__dlpack__: stream must be 1, 2, a stream's handle, -1 or None, got {handle}"
            )));
        };
        put_behind(py, handle, producer)
    }

    /// Puts a stream of another library behind all that uses the memory.
    pub fn hand_over(&self, py: Python<'_>, consumer: usize) -> PyResult<()> {
        let Some(producer) = &self.producer(py)? else {
            return Ok(());
        };
        self.gather(py, producer)?;
        put_behind(py, consumer, producer)
    }
}

/// Puts the stream `consumer` of the same device behind another one.
fn put_behind(py: Python<'_>, consumer: usize, producer: &cuox::Stream) -> PyResult<()> {
    if consumer == producer.handle() {
        return Ok(());
    }
    // SAFETY: the consumer promises a live stream of the buffer's device.
    let consumer = unsafe { cuox::Stream::from_raw(producer.context(), consumer) };
    idle::submit_at_once(py, &consumer, || consumer.wait_stream(producer))
        .or_raise_in(py, "buffer.__dlpack__()")
}

/// True if a consumer knows DLPack's capsules of version 1.
pub fn is_versioned(max_version: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let Some(version) = max_version.filter(|version| !version.is_none()) else {
        return Ok(false);
    };
    match version.extract::<(u32, u32)>() {
        Ok((major, _)) => Ok(major >= 1),
        Err(_) => Err(PyBufferError::new_err(format!(
            "Expected max_version tuple[int, int], got {version}"
        ))),
    }
}

/// True if a consumer wants the memory where it is.
pub fn is_place(wanted: &Bound<'_, PyAny>, place: (i32, i32)) -> bool {
    wanted
        .extract::<(i32, i32)>()
        .is_ok_and(|wanted| wanted == place)
}

/// Where DLPack says that memory is: the type of device, and its number. The software GPU's is the CPU's.
pub fn dlpack_place(reach: Reach, is_soft: bool) -> PyResult<(i32, i32)> {
    let device = reach.device_id as i32;
    match reach {
        _ if reach.is_managed => Ok((dlpack::CUDA_MANAGED, device)),
        _ if reach.by_device && reach.by_host => Ok((dlpack::CUDA_HOST, 0)),
        _ if reach.by_device && !is_soft => Ok((dlpack::CUDA, device)),
        _ if reach.by_device || reach.by_host => Ok((dlpack::CPU, 0)),
        _ => Err(PyBufferError::new_err(
            "buffer is neither device-accessible nor host-accessible",
        )),
    }
}
