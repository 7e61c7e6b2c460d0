//! The operations on source records, one per file. They know nothing of HTTP.

pub mod batch_records;
pub mod current_record;
pub mod keep_terms;
pub mod marc_search;
pub mod mark_deleted;
pub mod match_records;
pub mod migrate;
pub mod record_form;
pub mod refusal;
pub mod snapshots;
pub mod store_record;

pub use crate::search::{self, IdType};
pub use current_record::{Current, current_records, hold_record};
pub use keep_terms::Freshness;
pub use marc_search::{MarcQuery, MarcSearchResult, SearchRefusal, marc_search};
pub use match_records::{Identified, MatchFilter, Matched, Matching, match_records};
pub use refusal::Refusal;
pub use store_record::{Stored, store_generation};

use octavo_records::Context;
