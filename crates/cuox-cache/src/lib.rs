//! Files that keep results which took long to make for a program's next run: machine code, PTX, cubins. A file is found
//! by its [`Key`], a hash of everything that it depends on: any change leads to another file. All stores of one
//! directory share its limit.
//!
//! * `key`: hashes; `location`: the path of the directory.
//! * `private_dir`: a directory that nobody else can write.
//! * `store`: reading, writing and tidying the files.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod key;
mod location;
mod private_dir;
mod store;

pub use key::{Digest, Key};
pub use location::{complain, directory, root};
pub use private_dir::{Dir, in_words};
pub use store::{Body, Store, Usage, limit, seal, unseal};
