//! What operations mean: pure functions on bits, the same for both engines.
