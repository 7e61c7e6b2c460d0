//! The statements of this area, one file per table or subject.

pub mod authorities;
pub mod links;
pub mod reindex;
pub mod rules;
pub mod settings;
pub mod source_files;
pub mod stats;
