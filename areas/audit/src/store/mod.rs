//! This area's statements.

pub mod acquisitions;
pub mod inventory;
pub mod marc;
pub mod retention;
pub mod settings;
