//! How a grid runs: typed IR, verifier, interpreter, Cranelift JIT, block scheduler
