//! Helper functions that generated code calls. One table defines the enum and the signatures here, and the guarded
//! entry points in [`crate::jit::runtime::link`].

/// Passes the table to a macro. Each row has a variant of [`Helper`], its function and that function's parameters, each
/// of which takes a general-purpose register. Every helper returns a word, 0 if it has no result.
macro_rules! helpers {
    ($expand:ident) => {
        $expand! {
            Eval => helpers::eval(op: *const Op, a: u64, b: u64, c: u64, d: u64);
            WarpOp => helpers::warp_op(env: *mut Env, gang: *mut Gang, block: u64);
            Syscall => helpers::syscall(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64);
            PendingFault => helpers::pending_fault(env: *mut Env);
            Atomic => helpers::atomic(env: *mut Env, site: SiteId, address: u64, a: u64, b: u64);
            WideAtomic => helpers::wide_atomic(env: *mut Env, gang: *mut Gang, site: SiteId, address: u64, private: u64);
            Clock => helpers::clock(which: u64);
            ImageOfFour => helpers::image_of_four(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64);
            ImageOfOne => helpers::image_of_one(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64);
            CheckOne => helpers::check_one(env: *mut Env, gang: *mut Gang, site: SiteId, lane: u64, address: u64);
            CheckLine => helpers::check_line(env: *mut Env, gang: *mut Gang, site: SiteId, stride: u64, address: u64);
            EvalLanes => wide_helpers::eval_lanes(area: *mut u8, env: *mut Env, op: *const Op, none: u64, mask: u64);
            AtomicLanes => wide_helpers::atomic_lanes(area: *mut u8, env: *mut Env, site: SiteId, private: u64, mask: u64);
            AddLater => wide_helpers::add_later(area: *mut u8, env: *mut Env, wide: u64, none: u64, mask: u64);
            AtomicNeighbours => wide_helpers::atomic_neighbours(area: *mut u8, env: *mut Env, site: SiteId, count: u64, mask: u64);
            CheckLanes => wide_helpers::check_lanes(area: *mut u8, env: *mut Env, site: SiteId, gang: *mut Gang, mask: u64, lane: u64);
            ImageLanes => wide_helpers::image_lanes(area: *mut u8, env: *mut Env, site: SiteId, gang: *mut Gang, mask: u64, lane: u64);
            EvalFour => wide_helpers::eval_four(area: *mut u8, op: *const Op);
        }
    };
}
pub(crate) use helpers;

macro_rules! describe {
    ($($helper:ident => $module:ident::$function:ident($($param:ident: $ty:ty),*);)*) => {
        /// Helper function that generated code calls.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Helper {
            $(
                #[doc = concat!("`", stringify!($module), "::", stringify!($function), "`.")]
                $helper,
            )*
        }

        impl Helper {
            /// All helpers, by number.
            pub const ALL: &[Helper] = &[$(Helper::$helper),*];

            /// Returns the function's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Helper::$helper => stringify!($function),)*
                }
            }

            /// Returns the number of parameters.
            pub fn params(self) -> usize {
                match self {
                    $(Helper::$helper => [$(stringify!($param)),*].len(),)*
                }
            }
        }
    };
}
helpers!(describe);
