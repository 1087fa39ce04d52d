//! `cuox.DeviceProperties`.

use cuox::driver::sys::EnumInfo;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::OrRaise;
use crate::support::names::not_by_hand;

/// The attributes of a device, by their names in `cuda.h` in lower case: `properties.warp_size`.
///
/// Driver API manual, `CUdevice_attribute`.
#[pyclass(frozen, module = "cuox", name = "DeviceProperties")]
pub struct DeviceProperties {
    pub device: cuox::Device,
}

/// Attributes that the header calls deprecated, for others in their place: they can be asked for, and are not listed.
const OLDER: &[&str] = &[
    "can_use_stream_mem_ops_v1",
    "can_use_64_bit_stream_mem_ops_v1",
    "can_use_stream_wait_value_nor_v1",
    "cooperative_multi_device_launch",
    "virtual_address_management_supported",
];

const PREFIX: &str = "CU_DEVICE_ATTRIBUTE_";

/// Attributes that say yes or no.
fn is_flag(name: &str) -> bool {
    const FLAGS: &[&str] = &[
        "cluster_launch",
        "gpu_overlap",
        "mps_enabled",
        "unified_function_pointers",
        "kernel_exec_timeout",
        "integrated",
        "concurrent_kernels",
        "ecc_enabled",
        "tcc_driver",
        "unified_addressing",
        "managed_memory",
        "multi_gpu_board",
        "pageable_memory_access",
        "concurrent_managed_access",
        "cooperative_launch",
        "pageable_memory_access_uses_host_page_tables",
        "direct_managed_mem_access_from_host",
    ];
    FLAGS.contains(&name) || name.ends_with("_supported") || name.starts_with("can_")
}

fn attributes() -> impl Iterator<Item = (String, i64)> {
    let constants = EnumInfo::find("CUdevice_attribute").map_or(&[][..], |info| info.constants);
    constants
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?.to_ascii_lowercase(), *value)))
        .filter(|(name, _)| name != "max")
}

#[pymethods]
impl DeviceProperties {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand("DeviceProperties", "Device.properties is one"))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some((_, number)) = attributes().find(|(known, _)| known == name) else {
            let bare = |name: &str| name.replace('_', "").to_ascii_lowercase();
            let meant = attributes().find(|(known, _)| bare(known) == bare(name));
            let hint = meant.map_or_else(String::new, |(known, _)| {
                format!("; did you mean '{known}'?")
            });
            return Err(PyAttributeError::new_err(format!(
                "cuda.h has no device attribute '{name}'{hint}"
            )));
        };
        let value = {
            let user = format!("device.properties.{name}");
            self.device
                .attribute(number as u32)
                .or_raise_in(py, &user)?
        };
        if is_flag(name) {
            return Ok((value != 0).into_pyobject(py)?.to_owned().into_any());
        }
        Ok(value.into_pyobject(py)?.into_any())
    }

    fn __dir__(&self) -> Vec<String> {
        let mut listed = Vec::new();
        for (name, value) in attributes() {
            let is_older =
                OLDER.contains(&name.as_str()) || listed.iter().any(|(_, v)| *v == value);
            if !is_older {
                listed.push((name, value));
            }
        }
        listed.into_iter().map(|(name, _)| name).collect()
    }

    fn __repr__(&self) -> String {
        format!("<DeviceProperties of {}>", self.device.name())
    }
}
