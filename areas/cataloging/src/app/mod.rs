//! The operations of cataloging, one per file. They know nothing of HTTP.

pub mod change_rules;
pub mod edit;
pub mod job_rules;
pub mod links;
mod mapping_cache;
pub mod parameters;
pub mod parsed_record;
pub mod show;

pub use mapping_cache::{Mapping, mapping_of, references_of, rules_of};

use octavo_records::Context;
