//! Decisions and computations about orders: pure functions over their JSON. Time and new ids are arguments.

pub mod amount;
pub mod arrival;
pub mod completed;
pub mod doc;
pub mod elsewhere;
pub mod encumbrance;
pub mod imported;
pub mod invoiced;
pub mod line;
pub mod line_checks;
pub mod numbers;
pub mod patterns;
pub mod piece;
pub mod price;
pub mod protected;
pub mod receipt;
pub mod rollover;
pub mod shares;
pub mod statuses;
pub mod title;
pub mod units;
pub mod view_query;
pub mod wanted;
