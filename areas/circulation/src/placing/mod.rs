//! Decides on placing and moving requests: from a body and facts to the record to store and the changes
//! of item and loan, or to all refusals. Nothing here reads or writes.

mod allowed;
mod choice;
mod decide;
mod facts;
mod form;
mod moving;
mod record;
mod request;
#[cfg(test)]
mod tests;

pub use allowed::allows;
pub use choice::{Choice, choose};
pub use decide::{PlacePlan, decide};
pub use facts::{Copy, CopyLoan, ItemLoan, OwnRequest, PlaceFacts};
pub use form::{Form, Unfit};
pub use moving::{MoveFacts, MovePlan, MoveRequest, decide_move, may_move};
pub use record::{ItemRecord, Parts, moved, stored};
pub use request::PlaceRequest;
