//! mod-organizations-storage and mod-organizations over HTTP.

pub mod banking;
pub mod credentials;
pub mod organizations;
mod refusal;
pub mod storage;
