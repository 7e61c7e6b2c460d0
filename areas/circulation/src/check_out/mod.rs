//! The decision to lend an item: a request and the facts in, a plan or refusals out. Nothing here reads
//! or writes; time and the loan's id are arguments, so every test case is a table row.

mod decide;
mod facts;
mod overrides;
mod plan;
mod request;
#[cfg(test)]
mod tests;

pub use decide::decide;
pub use facts::{CheckOutFacts, LoanTerms, OpenLoanCounts};
pub use plan::{CheckOutPlan, FilledRequest, NewLoan, UseAtLocation};
pub use request::{CheckOutRequest, ItemNotLoanableOverride, OverrideBlocks, Requested};
