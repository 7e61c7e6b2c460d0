//! The statements of this area.

pub mod entities;
pub mod references;
pub mod rules;
