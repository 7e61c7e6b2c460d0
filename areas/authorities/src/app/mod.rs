//! The operations on authorities and links, one per file. They know nothing of HTTP.
//!
//! For areas to the right: [`store_authority`], [`replace_authority`], [`delete_authority`],
//! [`put_links`] and [`source_file_by_prefix`] work within the caller's transaction; after it is
//! committed, the worker of [`propagation::QUEUE`] lets linked records follow.

pub mod archive;
pub mod authorities;
pub mod jobs;
pub mod links;
pub mod propagation;
pub mod refusal;
pub mod source_files;
pub mod sources;
pub mod suggest;

pub use authorities::{Checked, delete_authority, replace_authority, store_authority};
pub use links::{NewLink, put_links};
use octavo_records::Context;
pub use refusal::Refusal;
pub use source_files::{SourceFile, source_file_by_prefix};
