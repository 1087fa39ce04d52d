#![no_main]

use cuox_bind::decl::{Header, file};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(header) = file::read::<Header>(input) {
        assert!(file::write(&header).is_ok());
    }
});
