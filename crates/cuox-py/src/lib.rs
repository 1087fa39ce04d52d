//! The extension module cuox._native
