//! The headers of C and C++ that NVRTC lacks, in memory.
//!
//! nvcc finds them in the system's folders, and its device code uses little of them: macros, a few types, templates.
//! What it uses is in `include/`, written so that it costs little to read. A header costs nothing unless it is
//! included.

use std::path::Path;

/// Whose header of a name is taken, if there are two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The user's; ours before that of the system's C and C++ library, which a host compiler's own macros are needed
    /// for.
    Standard,
    /// Any other.
    Cuda,
    /// Always ours.
    Umbrella,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub name: &'static str,
    pub text: &'static str,
    kind: Kind,
}

impl Header {
    /// True if the compiler takes this one although a folder that it searches has one of this name.
    pub fn hides_others(&self) -> bool {
        self.kind == Kind::Umbrella
    }
}

macro_rules! headers {
    ($kind:ident: $($name:literal = $file:literal,)*) => {
        [$(Header { name: $name, text: include_str!(concat!("include/", $file)), kind: Kind::$kind }),*]
    };
}

const STANDARD: &[Header] = &headers! { Standard:
    "algorithm" = "algorithm",
    "array" = "array",
    "assert.h" = "assert.h",
    "bit" = "bit",
    "cassert" = "cassert",
    "cfloat" = "cfloat",
    "chrono" = "chrono",
    "cinttypes" = "inttypes.h",
    "ciso646" = "iso646.h",
    "climits" = "climits",
    "cmath" = "cmath",
    "complex" = "complex",
    "concepts" = "concepts",
    "cstdarg" = "cstdarg",
    "cstddef" = "cstddef",
    "cstdint" = "cstdint",
    "cstdio" = "cstdio",
    "cstdlib" = "cstdlib",
    "cstring" = "cstring",
    "ctime" = "ctime",
    "float.h" = "float.h",
    "functional" = "functional",
    "initializer_list" = "initializer_list",
    "inttypes.h" = "inttypes.h",
    "iso646.h" = "iso646.h",
    "limits" = "limits",
    "limits.h" = "limits.h",
    "math.h" = "math.h",
    "memory.h" = "memory.h",
    "new" = "new",
    "numbers" = "numbers",
    "numeric" = "numeric",
    "stdarg.h" = "stdarg.h",
    "stdbool.h" = "stdbool.h",
    "stddef.h" = "stddef.h",
    "stdint.h" = "stdint.h",
    "stdio.h" = "stdio.h",
    "stdlib.h" = "stdlib.h",
    "string.h" = "string.h",
    "sys/types.h" = "types.h",
    "time.h" = "time.h",
    "tuple" = "tuple",
    "type_traits" = "type_traits",
    "utility" = "utility",
    "iosfwd" = "iosfwd",
    "ios" = "stream",
    "iostream" = "stream",
    "istream" = "stream",
    "ostream" = "stream",
    "fstream" = "stream",
    "iomanip" = "stream",
    "sstream" = "stream",
    "streambuf" = "stream",
    "memory" = "memory",
};

/// Headers of which device code uses nothing.
const HOST_ONLY: &[&str] = &[
    "alloca.h",
    "any",
    "argp.h",
    "arpa/inet.h",
    "atomic",
    "barrier",
    "bitset",
    "cctype",
    "cerrno",
    "cfenv",
    "charconv",
    "clocale",
    "codecvt",
    "complex.h",
    "condition_variable",
    "csetjmp",
    "csignal",
    "ctype.h",
    "cwchar",
    "cwctype",
    "deque",
    "dirent.h",
    "dlfcn.h",
    "emmintrin.h",
    "endian.h",
    "err.h",
    "errno.h",
    "exception",
    "execution",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "filesystem",
    "forward_list",
    "future",
    "getopt.h",
    "glob.h",
    "immintrin.h",
    "iterator",
    "latch",
    "libgen.h",
    "linux/limits.h",
    "list",
    "locale",
    "locale.h",
    "malloc.h",
    "map",
    "memory_resource",
    "mutex",
    "netdb.h",
    "netinet/in.h",
    "omp.h",
    "optional",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "sched.h",
    "scoped_allocator",
    "semaphore",
    "semaphore.h",
    "set",
    "setjmp.h",
    "shared_mutex",
    "signal.h",
    "source_location",
    "span",
    "stack",
    "stdatomic.h",
    "stdexcept",
    "stop_token",
    "string",
    "string_view",
    "strings.h",
    "sys/file.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/timeb.h",
    "sys/times.h",
    "sys/uio.h",
    "sys/utsname.h",
    "sys/wait.h",
    "sysexits.h",
    "syslog.h",
    "system_error",
    "termios.h",
    "thread",
    "typeindex",
    "typeinfo",
    "unistd.h",
    "unordered_map",
    "unordered_set",
    "valarray",
    "values.h",
    "variant",
    "vector",
    "wchar.h",
    "wctype.h",
    "x86intrin.h",
    "xmmintrin.h",
];

/// Headers of CUDA that NVRTC needs nothing of, for where they are not installed.
const IMPLICIT: &[&str] = &[
    "builtin_types.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cudaProfiler.h",
    "device_atomic_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_types.h",
    "host_defines.h",
    "math_functions.h",
    "texture_types.h",
    "surface_types.h",
    "vector_functions.h",
    "vector_types.h",
];

const NOTHING: &str = include_str!("include/host_only.h");
/// CUB without what launches kernels: its own `cub.cuh` has host functions, which NVRTC refuses.
const CUB: Header = Header {
    name: "cub/cub.cuh",
    text: include_str!("include/cub.cuh"),
    kind: Kind::Umbrella,
};

/// All of them.
pub(super) fn all() -> impl Iterator<Item = Header> {
    let empty = |kind| {
        move |name: &&'static str| Header {
            name,
            text: NOTHING,
            kind,
        }
    };
    let standard = STANDARD.iter().map(|h| Header { ..*h });
    standard
        .chain(HOST_ONLY.iter().map(empty(Kind::Standard)))
        .chain(IMPLICIT.iter().map(empty(Kind::Cuda)))
        .chain([CUB])
}

/// The text of a header of the C or C++ library.
pub(super) fn text(name: &str) -> Option<&'static str> {
    STANDARD.iter().find(|h| h.name == name).map(|h| h.text)
}

/// The headers for a program that searches these folders, the user's first: all that no folder has itself.
pub(super) fn handed(user: &[&Path], cuda: &[&Path]) -> Vec<Header> {
    // The system's headers need what only a host compiler defines.
    let of_system =
        |folder: &&&Path| folder.join("features.h").is_file() || folder.join("bits").is_dir();
    let own: Vec<&&Path> = user.iter().filter(|f| !of_system(f)).collect();
    let is_in = |folders: &[&&Path], name: &str| folders.iter().any(|f| f.join(name).is_file());
    let cuda: Vec<&&Path> = cuda.iter().collect();
    all()
        .filter(|h| match h.kind {
            Kind::Standard => !is_in(&own, h.name),
            Kind::Cuda => !is_in(&own, h.name) && !is_in(&cuda, h.name),
            Kind::Umbrella => is_in(&own, h.name) || is_in(&cuda, h.name),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        let mut names: Vec<_> = all().map(|h| h.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_users_header_goes_before_ours_and_ours_before_the_systems() {
        let folder = std::env::temp_dir().join(format!("cuox-headers-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sys")).unwrap();
        std::fs::write(folder.join("math.h"), "").unwrap();
        let has = |user: &[&Path], cuda: &[&Path], name: &str| {
            handed(user, cuda).iter().any(|h| h.name == name)
        };
        assert!(has(&[], &[], "math.h") && has(&[], &[], "cuda_runtime.h"));
        assert!(!has(&[&folder], &[], "math.h"));
        assert!(has(&[], &[&folder], "math.h") && has(&[&folder], &[], "stdint.h"));
        std::fs::write(folder.join("features.h"), "").unwrap();
        assert!(has(&[&folder], &[], "math.h"));
        std::fs::write(folder.join("cuda_runtime.h"), "").unwrap();
        assert!(!has(&[], &[&folder], "cuda_runtime.h") && !has(&[], &[&folder], "cub/cub.cuh"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
