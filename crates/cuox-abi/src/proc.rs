//! The rules of `cuGetProcAddress`.

use crate::{
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, CUdriverProcAddressQueryResult, PROC_TABLE,
    ProcEntry, StreamClass,
};

/// Why a name has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcMiss {
    /// The name is unknown.
    NotFound,
    /// The name is of a later version than the one asked for.
    VersionNotSufficient,
}

impl ProcMiss {
    /// The status that `cuGetProcAddress_v2` reports for it.
    pub fn status(self) -> CUdriverProcAddressQueryResult {
        match self {
            ProcMiss::NotFound => {
                CUdriverProcAddressQueryResult::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
            }
            ProcMiss::VersionNotSufficient => {
                CUdriverProcAddressQueryResult::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
            }
        }
    }
}

/// The table's entry for a base name, a version (`1000 * major + 10 * minor`) and the flags of `cuGetProcAddress`.
///
/// The newest entry that is not newer than the version counts. When the flags ask for the per-thread default stream
/// and the name has forms for that, only those count.
pub fn proc_lookup_entry(
    name: &str,
    version: i32,
    flags: u64,
) -> Result<&'static ProcEntry, ProcMiss> {
    let start = PROC_TABLE.partition_point(|entry| entry.base < name);
    let length = PROC_TABLE[start..].partition_point(|entry| entry.base == name);
    let entries = &PROC_TABLE[start..start + length];
    if entries.is_empty() {
        return Err(ProcMiss::NotFound);
    }
    let per_thread = flags & u64::from(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.0) != 0;
    let special = |entry: &&ProcEntry| entry.class != StreamClass::Plain;
    let want_special = per_thread && entries.iter().any(|entry| special(&entry));
    entries
        .iter()
        .filter(|entry| special(entry) == want_special && entry.min_version <= version)
        .max_by_key(|entry| entry.min_version)
        .ok_or(ProcMiss::VersionNotSufficient)
}

/// The symbol of [`proc_lookup_entry`]'s answer.
pub fn proc_lookup(name: &str, version: i32, flags: u64) -> Result<&'static str, ProcMiss> {
    proc_lookup_entry(name, version, flags).map(|entry| entry.symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEWEST: i32 = 13000;

    #[test]
    fn each_version_has_its_symbol() {
        let cases: &[(&str, &[(i32, &str)])] = &[
            (
                "cuCtxCreate",
                &[
                    (2000, "cuCtxCreate"),
                    (3020, "cuCtxCreate_v2"),
                    (11040, "cuCtxCreate_v3"),
                    (12050, "cuCtxCreate_v4"),
                ],
            ),
            (
                "cuDeviceGetUuid",
                &[(9020, "cuDeviceGetUuid"), (11040, "cuDeviceGetUuid_v2")],
            ),
            (
                "cuCtxGetDevice",
                &[(2000, "cuCtxGetDevice"), (13000, "cuCtxGetDevice_v2")],
            ),
            (
                "cuCtxSynchronize",
                &[(2000, "cuCtxSynchronize"), (13000, "cuCtxSynchronize_v2")],
            ),
            (
                "cuEventElapsedTime",
                &[
                    (2000, "cuEventElapsedTime"),
                    (12080, "cuEventElapsedTime_v2"),
                ],
            ),
            (
                "cuStreamGetCaptureInfo",
                &[
                    (10010, "cuStreamGetCaptureInfo"),
                    (11030, "cuStreamGetCaptureInfo_v2"),
                    (12030, "cuStreamGetCaptureInfo_v3"),
                ],
            ),
            (
                "cuMemAdvise",
                &[(8000, "cuMemAdvise"), (12020, "cuMemAdvise_v2")],
            ),
            (
                "cuMemPrefetchAsync",
                &[
                    (8000, "cuMemPrefetchAsync"),
                    (12020, "cuMemPrefetchAsync_v2"),
                ],
            ),
            (
                "cuMemcpyHtoD",
                &[(2000, "cuMemcpyHtoD"), (3020, "cuMemcpyHtoD_v2")],
            ),
            (
                "cuGraphInstantiate",
                &[
                    (10000, "cuGraphInstantiate"),
                    (11000, "cuGraphInstantiate_v2"),
                ],
            ),
            (
                "cuGetProcAddress",
                &[(11030, "cuGetProcAddress"), (12000, "cuGetProcAddress_v2")],
            ),
            ("cuProfilerStart", &[(4000, "cuProfilerStart")]),
        ];
        for (name, steps) in cases {
            for (index, (version, symbol)) in steps.iter().enumerate() {
                for flags in [0, 1] {
                    assert_eq!(
                        proc_lookup(name, *version, flags),
                        Ok(*symbol),
                        "{name} {version}"
                    );
                }
                let before = if index == 0 {
                    Err(ProcMiss::VersionNotSufficient)
                } else {
                    Ok(steps[index - 1].1)
                };
                assert_eq!(
                    proc_lookup(name, version - 10, 0),
                    before,
                    "{name} {version} - 10"
                );
            }
            assert_eq!(proc_lookup(name, NEWEST, 0), Ok(steps[steps.len() - 1].1));
        }
    }

    #[test]
    fn per_thread_streams_have_their_own_list() {
        assert_eq!(
            proc_lookup("cuMemcpyHtoD", 7000, 2),
            Ok("cuMemcpyHtoD_v2_ptds")
        );
        assert_eq!(
            proc_lookup("cuMemcpyHtoD", 6050, 2),
            Err(ProcMiss::VersionNotSufficient)
        );
        assert_eq!(
            proc_lookup("cuLaunchKernel", NEWEST, 2),
            Ok("cuLaunchKernel_ptsz")
        );
        assert_eq!(
            proc_lookup("cuLaunchKernel", NEWEST, 1),
            Ok("cuLaunchKernel")
        );
        assert_eq!(proc_lookup("cuCtxCreate", NEWEST, 2), Ok("cuCtxCreate_v4"));
    }

    #[test]
    fn unknown_names_are_not_found() {
        for name in ["", "cu", "cuMemAlloc_v2", "cuNothing", "zzz"] {
            assert_eq!(
                proc_lookup(name, NEWEST, 0),
                Err(ProcMiss::NotFound),
                "{name:?}"
            );
        }
        assert_eq!(ProcMiss::NotFound.status().0, 1);
        assert_eq!(ProcMiss::VersionNotSufficient.status().0, 2);
    }

    #[test]
    fn the_table_is_sorted_and_points_at_its_functions() {
        let key = |entry: &ProcEntry| (entry.base, entry.class, entry.min_version);
        assert!(
            PROC_TABLE
                .windows(2)
                .all(|pair| key(&pair[0]) < key(&pair[1]))
        );
        for entry in PROC_TABLE {
            let function = &crate::FUNCTIONS[entry.function];
            assert_eq!(
                (function.symbol, function.base, function.class),
                (entry.symbol, entry.base, entry.class)
            );
        }
    }
}
