//! Files of what took long to make, so that a program's next run need not make it again: machine code, PTX, cubins.
//!
//! A file is found by its [`Key`], a hash of all that it depends on: a change of anything is another file. [`Store`] reads and writes
//! them, in a directory that nobody else can write. All stores of one directory share its limit.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod key;
mod location;
mod private_dir;
mod store;

pub use key::{Digest, Key};
pub use location::directory;
pub use private_dir::Dir;
pub use store::{Body, LIMIT, Store, Usage, seal, unseal};
