#![no_main]

use cuox_bind::clang::{Input, ParseOptions, parse};

libfuzzer_sys::fuzz_target!(|input: &str| {
    let text = Input::Text {
        name: "fuzz.h".into(),
        text: input.into(),
    };
    // Whatever it says, it says it.
    let _ = parse(&ParseOptions {
        inputs: vec![text],
        ..ParseOptions::default()
    });
});
