//! Writes random kernels to be run on a GPU: `kernels FROM TO FOLDER`.
//!
//! `kernels.ptx` has them all, each as a module behind a line `// seed`; `kernels.txt` says how each is launched;
//! `pool.bin` has the words that inputs are taken from.

use cuox_filetests::random::recorded::{Recorded, pool};
use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, folder] = args.as_slice() else {
        return Err("kernels FROM TO FOLDER".into());
    };
    let (mut ptx, mut list) = (String::new(), String::new());
    for seed in from.parse::<u64>()?..to.parse()? {
        let recorded = Recorded::new(seed);
        let [x, y, z] = recorded.block;
        let [u0, u1] = recorded.uniform;
        let kernel = &recorded.kernel;
        let packed = u8::from(kernel.packed);
        writeln!(
            list,
            "{seed} {x} {y} {z} {} {packed} {u0} {u1}",
            kernel.outputs()
        )?;
        write!(ptx, "// {seed}\n{}", kernel.ptx())?;
    }
    let folder = Path::new(folder);
    std::fs::write(folder.join("kernels.ptx"), ptx)?;
    std::fs::write(folder.join("kernels.txt"), list)?;
    let words: Vec<u8> = pool().iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(folder.join("pool.bin"), words)?;
    Ok(())
}
