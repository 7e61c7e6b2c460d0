//! A scan at the desk in one request: what staff have to answer before an item is taken in or lent.
//!
//! FOLIO's own client asks these questions itself, with three to six requests a scan. Here they are asked by
//! [`Question`], in the transaction that would do the act: `POST /_/octavo/desk/check-in` and `check-out` answer
//! with the outcome, or with the questions and nothing changed.

mod answers;
mod question;
mod request;
#[cfg(test)]
mod tests;

pub use answers::{Answers, Confirmed};
pub use question::{Act, ClaimFacts, Question, questions};
pub use request::{CheckInScan, CheckOutScan, ScanError};

use serde_json::Value;

use crate::refusal::Refusal;

/// The result of a scan.
#[derive(Debug)]
pub enum Scanned<T> {
    /// Nothing was changed: staff have to answer first.
    Asked {
        /// In the order in which they are shown.
        questions: Vec<Question>,
        /// The item as FOLIO shows it in loans.
        item: Value,
    },
    /// Nothing was changed: the act is refused, whatever staff would answer.
    Refused {
        refusals: Vec<Refusal>,
        /// The item as FOLIO shows it in loans; `None` if there is none.
        item: Option<Value>,
    },
    /// The act was done.
    Done(T),
}
