//! Refusals of actions on accounts, with FOLIO's messages.

use octavo_library::AccountId;

/// Why an action on accounts is refused.
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
    /// An account is closed with nothing remaining.
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
