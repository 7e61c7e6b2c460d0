//! Where messages go: Kafka, or memory in tests.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use crate::message::Message;
use crate::topics::Topic;

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is stored as safely as the broker was asked to.
    Sent,
    /// It will never be taken, for this reason.
    Refused(String),
    /// It was not taken now.
    Failed(String),
}

/// A topic to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTopic {
    /// Its full name.
    pub name: String,
    pub partitions: i32,
    /// The broker's settings of it.
    pub settings: Vec<(&'static str, &'static str)>,
}

impl NewTopic {
    /// A topic of the table under its full name.
    #[must_use]
    pub fn of(topic: &Topic, name: String) -> NewTopic {
        NewTopic {
            name,
            partitions: topic.partitions,
            settings: topic.settings.clone(),
        }
    }
}

/// Takes messages.
pub trait Sink: Debug + Send + Sync {
    /// Sends messages in order; gives an outcome for each. It waits for as long as the broker is away. When the
    /// future is dropped, nothing of it is sent any more, and what is on its way may arrive.
    fn send<'a>(&'a self, messages: &'a [Message]) -> BoxFuture<'a, Vec<Outcome>>;

    /// Makes topics that do not exist.
    fn make<'a>(&'a self, topics: &'a [NewTopic]) -> BoxFuture<'a, Result<(), String>>;

    /// Removes topics, with everything in them.
    fn remove<'a>(&'a self, names: &'a [String]) -> BoxFuture<'a, Result<(), String>>;
}
