//! Precompiled headers.

/// What has become of a precompiled header that a compilation was asked to write. NVRTC manual, *Precompiled Headers*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PchStatus {
    /// It was written.
    Created,
    /// NVRTC saw no reason to write one: there is a fitting one, or the program has nothing for it.
    NotAttempted,
    /// NVRTC tried, and failed.
    Failed,
}

impl PchStatus {
    /// The word of `cuda.core`'s `PCHStatusType`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::NotAttempted => "not_attempted",
            Self::Failed => "failed",
        }
    }
}

/// `nvrtcResult` as `nvrtcGetPCHCreateStatus` gives it (nvrtc.h).
pub(super) const NOT_ATTEMPTED: i32 = 13;
/// The heap of headers was too small.
pub(super) const HEAP_EXHAUSTED: i32 = 14;

impl PchStatus {
    pub(super) fn of(code: i32) -> Self {
        match code {
            0 => Self::Created,
            NOT_ATTEMPTED => Self::NotAttempted,
            _ => Self::Failed,
        }
    }
}

/// True if these options ask for a precompiled header to be written.
pub(super) fn is_asked_for(args: &[String]) -> bool {
    args.iter().any(|arg| {
        let name = arg.trim_start_matches('-');
        name.len() < arg.len()
            && (name == "pch" || name == "create-pch" || name.starts_with("create-pch="))
    })
}
