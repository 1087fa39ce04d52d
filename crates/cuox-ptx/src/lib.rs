//! The PTX language: instruction table, lexer, parser, AST, printer, diagnostics
