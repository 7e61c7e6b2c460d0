//! Operations on organizations.

mod announce;
pub mod credentials;
pub mod keep;
pub mod look_up;
mod refusal;
pub mod remove_type;

pub use refusal::Refusal;

/// A refusal of this area, or an error of the record store.
pub type Declined = octavo_records::OperationError<Refusal>;
