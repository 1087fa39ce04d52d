#![no_main]

use cuox_filetests::fuzz;

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::ir(input));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let data = &mut data[..max_size];
    match seed % 4 {
        0 => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
        _ => fuzz::damage_in_place(data, size, seed),
    }
});
