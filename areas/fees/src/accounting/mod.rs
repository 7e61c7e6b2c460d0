//! Payments, waivers, transfers, refunds and cancellations: pure decisions from a request and the
//! accounts' state to a plan or a refusal. Nothing here reads, writes or asks the clock.

mod action_kind;
mod allocation;
mod cancel;
mod facts;
mod give_back;
mod money;
mod plan;
mod rate;
mod refund;
mod refusal;
mod request;
mod settle;
#[cfg(test)]
mod tests;

pub use action_kind::{ActionKind, CANCELLED_AS_ERROR, STAFF_INFORMATION};
pub use allocation::spread;
pub use cancel::cancel;
pub use facts::{Account, Action};
pub use give_back::{GiveBack, give_back};
pub use money::{AMOUNT_MAX, Money};
pub use plan::{Changed, NewAction, Plan};
pub use rate::Rate;
pub use refund::{refund, refundable};
pub use refusal::Refusal;
pub use request::{ACCOUNTS_MAX, ActRequest, CheckRequest};
pub use settle::{check, settle};
