//! Guesses from types and names.
