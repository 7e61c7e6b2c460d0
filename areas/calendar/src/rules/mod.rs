//! Validation of calendars. Pure: no clock, no database.

mod overlaps;
mod problem;
pub mod read;
#[cfg(test)]
mod tests;
mod validate;
mod words;

pub use problem::Problem;
pub use validate::{Overlap, validate};
