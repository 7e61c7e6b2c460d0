//! What is decided about imports, without I/O: time and ids come in as arguments.

pub(crate) mod cut;
pub(crate) mod details;
pub(crate) mod expression;
pub(crate) mod filter;
pub(crate) mod log;
pub(crate) mod matching;
pub(crate) mod modify;
pub(crate) mod parse;
pub(crate) mod patience;
pub(crate) mod status;
pub(crate) mod taken;
pub(crate) mod tally;
pub(crate) mod tree;
pub(crate) mod wanted;
