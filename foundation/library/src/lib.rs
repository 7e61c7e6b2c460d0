//! The library's vocabulary as types: ids, closed sets of names, views of stored records, and the
//! SQL joins between them. Code that decides something reads records through these; documents that
//! only pass through stay raw. Nothing here does I/O or knows HTTP.

mod account;
mod closed_set;
mod ids;
mod item_status;
mod joins;
mod lenient;
mod loan;
mod location;
mod patron;
mod request;
pub mod wire_time;

pub use account::{AccountStatus, ActualCostStatus};
pub use ids::*;
pub use item_status::{DatedStatus, ItemStatus};
pub use joins::ItemJoins;
pub use lenient::ClosedSet;
pub use loan::{AgedToLost, Loan, LoanAction, LoanStatus};
pub use location::Place;
pub use patron::{Patron, PersonalName, ProxyRelationship, ProxyStatus};
pub use request::{FulfillmentPreference, RequestLevel, RequestStatus, RequestType};
