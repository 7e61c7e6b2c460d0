//! Why an act on accounts does not take place; the sentences are FOLIO's.

use octavo_library::AccountId;

/// Why an act on accounts does not take place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// An account does not exist; FOLIO answers 404.
    #[error("Fee/fine ID {0} not found")]
    NotFound(AccountId),
    /// The amount is not a number.
    #[error("Invalid amount entered")]
    NoAmount,
    /// The amount is zero or negative.
    #[error("Amount must be positive")]
    NotPositive,
    /// An account is closed and nothing of it remains.
    #[error("Fee/fine is already closed")]
    Closed,
    /// More than remains of all accounts together.
    #[error("Requested amount exceeds remaining amount")]
    MoreThanRemains,
    /// More than was paid and transferred and not refunded yet.
    #[error("Refund amount must be greater than zero and less than or equal to Selected amount")]
    MoreThanRefundable,
    /// The reason of a cancellation is none that an account can have as its status.
    #[error(
        "Cancellation reason \"{0}\" is not known: it must be Cancelled as error, Cancelled item \
         returned, Cancelled item renewed or Cancelled item declared lost"
    )]
    UnknownReason(String),
}
