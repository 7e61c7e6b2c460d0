//! Decides on replacing requests and reordering queues. Documents and facts in, a plan or a refusal out;
//! nothing here reads or writes.

mod decide;
mod record;
mod reorder;
#[cfg(test)]
mod tests;

use octavo_library::RequestId;
use serde_json::{Map, Value};

use crate::facts::LogItem;

pub use decide::{ChangeFacts, ChangePlan, decide, item_status_after, status_of, stripped};
pub use record::{Related, summarize};
pub use reorder::{WantedPosition, reorder};

/// The kind of change of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestAct {
    /// It was edited and is still open.
    Edited,
    /// It was cancelled.
    Cancelled,
    /// It expired unfilled, or waited on the hold shelf for too long.
    Expired,
    /// It has a new position in its queue.
    Reordered,
}

/// A changed request, before and after, with data for the log.
#[derive(Debug, Clone)]
pub struct RequestChanged {
    /// The kind of change.
    pub act: RequestAct,
    pub id: RequestId,
    /// The stored document before.
    pub before: Map<String, Value>,
    /// The stored document now.
    pub after: Map<String, Value>,
    /// The requester's barcode.
    pub user_barcode: Option<String>,
    /// The item, or the title alone.
    pub item: LogItem,
    /// The name of the cancellation reason.
    pub reason: Option<String>,
}
