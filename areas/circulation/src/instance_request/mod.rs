//! A request for any item of an instance when title level requests are disabled: the order of tried
//! items and request types. Nothing here reads or writes.

use octavo_library::RequestType;

mod candidate;
mod wish;

pub use candidate::{Candidate, in_order, tries};
pub use wish::Wish;

/// The kinds of request in the order in which they are tried.
pub const TRIED: [RequestType; 3] = [RequestType::Page, RequestType::Recall, RequestType::Hold];
