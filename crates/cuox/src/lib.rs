//! Rust API over the CUDA driver: loader, Result layer, safe objects, NVRTC, pathfinder
