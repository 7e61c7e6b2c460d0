//! The statements of imports.

pub(crate) mod chunks;
pub(crate) mod existing;
pub(crate) mod files;
pub(crate) mod incoming;
pub(crate) mod jobs;
pub(crate) mod journal;
pub(crate) mod lists;
pub(crate) mod log;
pub(crate) mod parts;
pub(crate) mod runs;
