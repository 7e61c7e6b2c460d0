//! The decision of a check-in: a request and the facts in, a plan or a refusal out. Nothing here reads
//! or writes. A check-in date before the loan date is accepted: book drops are emptied in the morning
//! and back-dated.

mod decide;
mod facts;
mod plan;
mod request;
#[cfg(test)]
mod tests;

pub use decide::decide;
pub use facts::{CheckInFacts, OpenLoan};
pub use plan::{
    CheckInPlan, CheckInRecord, HoldShelfExpiration, ItemReturn, LastCheckIn, LoanClosure,
    RequestChange,
};
pub use request::{CheckInRequest, ClaimResolution, Modifiers};
