#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| cuox_filetests::fuzz::fatbin(input));
