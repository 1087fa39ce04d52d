//! The file a parsed header is kept in.
