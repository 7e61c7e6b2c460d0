//! The operations on events, one a file. They know nothing of HTTP routes.

pub mod declare;
pub mod deliver;
pub mod describe;
pub mod publish;
pub mod wake;

use octavo_records::OperationError;

use crate::rules::Refusal;

/// The outcome of an operation.
pub type Outcome<T> = Result<T, OperationError<Refusal>>;
