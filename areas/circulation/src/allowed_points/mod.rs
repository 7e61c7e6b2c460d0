//! At which service points a requested item may be picked up: pure, from request policies and the
//! statuses of items.

mod decide;
mod question;

pub use decide::{Allowed, allowed_by, combine};
pub use question::{Given, Operation, Question};
