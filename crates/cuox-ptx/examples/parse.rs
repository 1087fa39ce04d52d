//! Parses PTX files and says how long that took: `cargo run --release --example parse -- file.ptx`.

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut failed = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let start = Instant::now();
        let result = cuox_ptx::parse(&text);
        let time = start.elapsed();
        let rate = text.len() as f64 / time.as_secs_f64() / 1e6;
        match result {
            Ok(module) => println!(
                "{path}: {} functions, {} bytes, {time:?}, {rate:.0} MB/s",
                module.functions().count(),
                text.len()
            ),
            Err(diagnostics) => {
                failed += 1;
                println!("{path}:\n{diagnostics}");
            }
        }
    }
    if failed > 0 {
        return Err(format!("{failed} files were refused").into());
    }
    Ok(())
}
