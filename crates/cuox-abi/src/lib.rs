//! The CUDA driver ABI: types, codes, function and cuGetProcAddress tables
