//! The statements of this area.

pub mod documents;
pub mod files;
pub mod jobs;
pub mod parts;
pub mod records;
pub mod references;
pub mod uploads;
pub mod users;
