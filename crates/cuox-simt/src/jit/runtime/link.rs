//! Addresses, in this process, of the symbols that machine code refers to.

use crate::ir::Op;
use crate::jit::avx512::helpers as wide_helpers;
use crate::jit::code::helper::{Helper, helpers};
use crate::jit::code::symbol::{Symbol, TABLES};
use crate::jit::runtime::guard::guarded;
use crate::jit::runtime::helpers::{self, SiteId};
use crate::jit::runtime::layout::{Env, Gang};

macro_rules! link {
    ($($helper:ident => $module:ident::$function:ident($($param:ident: $ty:ty),*);)*) => {
        /// Entry points of helpers for generated code: with the C calling convention, and guarded against panics.
        mod entry {
            use super::*;
            $(
                pub(super) unsafe extern "C" fn $function($($param: $ty),*) -> u64 {
                    // SAFETY: only generated code knows this address. It calls every helper with arguments that fulfil
                    // the helper's requirements, inside a protected call.
                    unsafe { guarded(Helper::$helper, || $module::$function($($param),*)) }
                }
            )*
        }

        /// Returns the address at which generated code calls a helper.
        fn helper_address(helper: Helper) -> usize {
            match helper {
                $(Helper::$helper => entry::$function as *const () as usize,)*
            }
        }
    };
}
helpers!(link);

/// Returns a symbol's address in this process, or `None` for an operation or table that does not exist. Operations are
/// looked up in `ops`.
pub fn address(symbol: Symbol, ops: &[Op]) -> Option<usize> {
    match symbol {
        Symbol::Helper(helper) => Some(helper_address(helper)),
        Symbol::Op(number) => ops.get(number as usize).map(|op| &raw const *op as usize),
        Symbol::Table(number) => TABLES.get(number as usize).map(|t| t.as_ptr() as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::approx::tables;

    #[test]
    fn symbols_have_addresses_if_what_they_name_exists() {
        for &helper in Helper::ALL {
            assert!(address(Symbol::Helper(helper), &[]).is_some());
        }
        assert_eq!(address(Symbol::Op(0), &[]), None);
        let table = Symbol::of_table(&tables::SIN.0);
        let expected = tables::SIN.0.as_ptr() as usize;
        assert_eq!(address(table, &[]), Some(expected));
        let other = Symbol::of_table(&tables::SIN.0[1..]);
        assert_eq!(address(other, &[]), None);
    }
}
