//! A request that is placed or moved, decided: from its body and what was read to the record that is
//! stored and to what happens to item and loan, or to all that prevents it. Nothing here reads or
//! writes.

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
