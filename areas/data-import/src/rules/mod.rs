//! Decisions about imports, without I/O: time and ids are arguments.

pub(crate) mod expression;
pub(crate) mod filter;
pub(crate) mod job_summary;
pub(crate) mod log;
pub(crate) mod mapping_profile;
pub(crate) mod match_profile;
pub(crate) mod modify;
pub(crate) mod parse;
pub(crate) mod record_splitter;
pub(crate) mod status;
pub(crate) mod taken;
pub(crate) mod tree;
pub(crate) mod wanted;
