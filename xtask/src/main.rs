//! Project chores: gen, check, bless.

fn main() {}
