//! The software GPU as a libcuda.so.1
