//! Renewal: request, facts, decision and plan. Nothing here reads or writes; `app::renew` executes it.

mod decide;
mod facts;
mod overrides;
mod plan;
mod request;
#[cfg(test)]
mod tests;

pub use decide::decide;
pub use facts::{RenewalFacts, RenewalTerms};
pub use plan::RenewalPlan;
pub use request::{RenewalBody, RenewalKey, RenewalOverrides, RenewalRequest};
