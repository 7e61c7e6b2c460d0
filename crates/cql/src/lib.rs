//! CQL text to a syntax tree and back, with errors that name line and column. No I/O.
