//! The operations on profiles, one per file. They know nothing of HTTP.

pub mod associate;
pub mod import;
pub mod protected_fields;
pub mod refusal;
pub mod remove;
pub mod save;
pub mod settings;
pub mod snapshots;

pub use protected_fields::protected_fields;
pub use refusal::Refusal;
pub use snapshots::{profile_tree, start_snapshot, stored_tree};

use octavo_records::Context;
