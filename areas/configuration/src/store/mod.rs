//! The statements of this area.

pub mod settings;
pub mod tenant;
