//! Plans for well-known headers.

use super::{Options, Plan, PlanError, make};
use crate::decl::Header;
use crate::rules::{Rules, known};

/// Makes a plan as [`make`] does, with the rules that cuox knows for the header, over which the given ones win.
///
/// # Errors
/// As [`make`], for the given rules.
pub fn make_known(header: &Header, rules: &Rules, options: &Options) -> Result<Plan, PlanError> {
    let mut known = known::rules(header);
    loop {
        let mut all = known.clone();
        all.add(rules.clone());
        let error = match make(header, &all, options) {
            Ok(plan) => return Ok(plan),
            Err(error) => error,
        };
        // This version of the header has it otherwise.
        let Some(at) = known::misfit(&known.functions, error.place.as_deref()) else {
            return Err(error);
        };
        known.functions.remove(at);
    }
}
