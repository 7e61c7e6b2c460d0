//! Patron notice policies and scheduled notices: sent upon an event, or at a time calculated from a due
//! date, an expiration or a fee. No I/O; rules and names are FOLIO's.

mod event;
mod period;
mod policy;
mod relevance;
mod scheduled;
#[cfg(test)]
mod tests;

pub use event::{Event, Format, Timing};
pub use period::{NoticePeriod, Unit};
pub use policy::{NoticePolicy, NoticeSetting, Preferences};
pub use relevance::{Decision, LoanState, NoticeUpdate, of_fee, of_loan, of_request};
pub use scheduled::{About, ScheduledConfig, ScheduledNotice, of_due_date, of_fees, of_requests};
