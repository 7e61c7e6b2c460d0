#![doc = include_str!("../README.md")]

mod ast;
mod cursor;
mod display;
mod error;
mod level;
mod lexer;
pub mod limits;
mod parser;
mod render;
mod shape;
mod term;

pub use ast::{
    ALL_RECORDS, Boolean, Clause, Clauses, Comparison, Link, Modifier, Node, Operator, Prefix,
    Query, Relation, SERVER_CHOICE, SortKey,
};
pub use error::{Error, ErrorKind, position};
pub use parser::parse;
pub use term::{Piece, Term};
