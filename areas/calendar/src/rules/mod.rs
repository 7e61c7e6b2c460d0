//! Validation of calendars. Pure: no clock, no database.

mod overlaps;
mod problem;
pub mod read;
#[cfg(test)]
mod tests;
mod validator;
mod words;

pub use problem::Problem;
pub use validator::{Overlap, validate};
