//! The statements of this area, a file for each table or thing.

pub mod authorities;
pub mod links;
pub mod reindex;
pub mod rules;
pub mod settings;
pub mod source_files;
pub mod stats;
