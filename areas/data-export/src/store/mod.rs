//! The statements of this area.

pub mod files;
pub mod jobs;
pub mod records;
pub mod references;
pub mod users;
