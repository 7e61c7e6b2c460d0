//! Small changes of a loan, decided without I/O and written into the loan's document: a new due date, a
//! recall, information for staff or patron, use at the location, and a loan written as a record.

mod at_location;
mod due_date;
mod information;
mod recall;
mod record;
#[cfg(test)]
mod tests;

pub use at_location::{PlaceOfUse, UseChange};
pub use due_date::{DueDateChange, change_due_date, keeps_due_date};
pub use information::{Information, InformationKind};
pub use recall::{RecallPlan, recall};
pub use record::{
    LoanRecord, RecordFacts, RecordPlan, decide_creation, decide_replacement, is_same,
};
