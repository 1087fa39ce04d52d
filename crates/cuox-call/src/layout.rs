//! What this interpreter looks like inside.
