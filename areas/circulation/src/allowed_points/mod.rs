//! At which service points a requested item may be picked up: pure, from request policies and the
//! statuses of items.

mod decide;
mod kinds;
mod question;

pub use decide::{Allowed, allowed_by, combine};
pub use kinds::{KINDS, kinds_for_status};
pub use question::{Operation, Question, RawParameters};
