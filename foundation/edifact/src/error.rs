//! What is wrong with an interchange, and where.

use thiserror::Error;

/// A fault at a place of an interchange.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("segment {segment}: {fault}")]
pub struct EdifactError {
    /// The number of the segment, from 1.
    pub segment: usize,
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    #[error("the interchange does not begin with UNA or UNB")]
    NoInterchange,
    #[error("the UNA segment does not have six service characters")]
    ServiceString,
    #[error("the service characters of UNA are not distinct")]
    AmbiguousServiceString,
    #[error("a tag has three capital letters or digits, not \"{0}\"")]
    Tag(String),
    #[error("the last segment does not end with the segment terminator")]
    Unterminated,
    #[error("the release character stands before nothing")]
    DanglingRelease,
    #[error("a message begins (UNH) within another")]
    NestedMessage,
    #[error("a message ends (UNT) that did not begin")]
    UnopenedMessage,
    #[error("a message does not end (UNT)")]
    UnclosedMessage,
    #[error("the message ends with the reference {found}, and began with {begun}")]
    Reference { begun: String, found: String },
    #[error("the message has {found} segments, and says {said}")]
    Count { said: String, found: usize },
    #[error("the interchange has no message")]
    NoMessage,
}
