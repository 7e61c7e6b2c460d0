//! Renewal: what it is asked with, what it is decided on, the decision and what it changes. Nothing
//! here reads or writes; `app::renew` carries it out.

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
