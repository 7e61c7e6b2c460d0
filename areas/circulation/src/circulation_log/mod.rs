//! What check-out and check-in leave in the circulation log: from a plan and what it was decided on
//! to the log's lines. Nothing here reads or writes; names of service points are asked for.

mod check_in;
mod check_out;
mod request;
#[cfg(test)]
mod tests;

use uuid::Uuid;

use crate::facts::LogLinks;

pub use check_in::{CheckedInWith, log_of_check_in};
pub use check_out::{CheckedOutWith, log_of_check_out};

/// Finds the names of service points.
pub type PointNames<'a> = &'a dyn Fn(Uuid) -> Option<String>;

/// The name that the statement which stores a line will put in: so that nobody has to read it first.
/// One in each description.
#[must_use]
pub fn named_when_stored(service_point_id: Uuid) -> Option<String> {
    Some(format!("{{point:{service_point_id}}}"))
}

fn about(user_id: Option<Uuid>, request_id: Option<Uuid>) -> LogLinks {
    LogLinks {
        user_id,
        request_id,
        ..LogLinks::default()
    }
}
