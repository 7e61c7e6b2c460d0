//! Passes the events of one tenant on, portion by portion: while one is sent the next is read, and what is
//! sent is acknowledged before more is sent.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use octavo_records::store::{Cursor, Portion, PortionSize, UnreadEvent, read_on};
use octavo_records::{Store, StoreError, Tenant};

use crate::lease::Lease;
use crate::message::{Message, Sender};
use crate::naming::Naming;
use crate::sink::{NewTopic, Outcome, Sink};
use crate::status::Status;
use crate::store::parked::Parked;
use crate::store::state;
use crate::topics::{Known, Topic, known};

/// The name of the relay to Kafka in the tables.
pub const KAFKA: &str = "kafka";

/// How much is read at once: enough to fill a request of Kafka's client, little enough for memory.
const SIZE: PortionSize = PortionSize {
    events: 4_000,
    bytes: 4 * 1024 * 1024,
};
/// The pause before messages that were not taken are sent again, and how long it becomes.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// What the pump of every tenant uses.
#[derive(Debug, Clone)]
pub struct Parts {
    pub store: Store,
    pub sink: Arc<dyn Sink>,
    pub naming: Naming,
    pub status: Arc<Status>,
    /// The address of this server.
    pub url: Option<String>,
    /// The ids of modules by their names.
    pub modules: Arc<HashMap<&'static str, String>>,
    pub size: PortionSize,
}

impl Parts {
    /// Parts with the usual size of portions.
    #[must_use]
    pub fn new(store: Store, sink: Arc<dyn Sink>, naming: Naming) -> Parts {
        Parts {
            store,
            sink,
            naming,
            status: Arc::default(),
            url: None,
            modules: Arc::default(),
            size: SIZE,
        }
    }
}

/// Why a pump has stopped.
#[derive(Debug, thiserror::Error)]
pub enum PumpError {
    /// Another process has the lease, or had it.
    #[error("the lease is lost")]
    Lost,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The pump of one tenant under one lease.
#[derive(Debug)]
pub struct Pump {
    parts: Parts,
    tenant: Tenant,
    sender: Sender,
    cursor: Cursor,
    topics: HashMap<String, Option<Arc<Named>>>,
}

/// A topic with its full name and the id of its module.
#[derive(Debug)]
struct Named {
    topic: Topic,
    name: Arc<str>,
    module_id: String,
}

/// A portion as messages.
#[derive(Debug, Default)]
struct Batch {
    messages: Vec<Message>,
    count: u64,
    bytes: u64,
    events: i64,
    skipped: u64,
    parked: Vec<Parked>,
}

impl Pump {
    /// A pump that goes on at a cursor.
    #[must_use]
    pub fn new(parts: Parts, tenant: Tenant, cursor: Cursor) -> Pump {
        Pump {
            sender: Sender {
                tenant: tenant.id().to_owned(),
                url: parts.url.clone(),
            },
            parts,
            tenant,
            cursor,
            topics: HashMap::new(),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    /// Sends what has been committed, so many portions at most; gives whether there may be more.
    ///
    /// # Errors
    /// When the lease is lost or the database fails. Everything that was acknowledged stays so.
    pub async fn drain(&mut self, lease: &Lease, portions: usize) -> Result<bool, PumpError> {
        let mut next = self.read(&self.cursor).await?;
        for _ in 0..portions {
            let portion = next;
            if portion.cursor == self.cursor {
                return Ok(false);
            }
            let mut batch = self.batch(&portion);
            let messages = std::mem::take(&mut batch.messages);
            // The next is read while this one is sent, which takes about as long.
            let (delivered, read) =
                tokio::join!(self.deliver(messages, lease), self.read(&portion.cursor));
            let parked = delivered?;
            let parked: Vec<Parked> = batch.parked.iter().cloned().chain(parked).collect();
            let named = (KAFKA, lease.token);
            let upto = (&self.cursor, &portion.cursor);
            let database = &self.parts.store.database;
            let acknowledging =
                state::acknowledge(database, &self.tenant, named, upto, batch.events, &parked);
            if !acknowledging.await? {
                return Err(PumpError::Lost);
            }
            self.count(&batch, parked.len());
            self.cursor = portion.cursor;
            next = read?;
        }
        Ok(true)
    }

    async fn read(&self, cursor: &Cursor) -> Result<Portion, StoreError> {
        let database = &self.parts.store.database;
        read_on(database, &self.tenant, cursor, self.parts.size).await
    }

    fn batch(&mut self, portion: &Portion) -> Batch {
        let mut batch = Batch::default();
        for event in portion.events() {
            batch.events += 1;
            match self.named(event.topic) {
                Destination::Topic(named) => {
                    let topic = (&named.topic, &named.name);
                    match self.sender.message(&event, topic, &named.module_id) {
                        Some(message) => {
                            batch.count += 1;
                            batch.bytes += message.value.len() as u64;
                            batch.messages.push(message);
                        }
                        None => batch.skipped += 1,
                    }
                }
                Destination::Nowhere => batch.skipped += 1,
                Destination::Illegal => batch.parked.push(illegal(&event)),
            }
        }
        batch
    }

    fn named(&mut self, outbox: &str) -> Destination {
        let topic = match known(outbox) {
            Some(Known::Unpublished) => return Destination::Nowhere,
            Some(Known::Published(topic)) => Some(topic),
            None => None,
        };
        if let Some(named) = self.topics.get(outbox) {
            return named
                .clone()
                .map_or(Destination::Illegal, Destination::Topic);
        }
        let (naming, tenant) = (&self.parts.naming, self.tenant.id());
        let named = match topic {
            Some(topic) => {
                let module_id = self.parts.modules.get(topic.module);
                Some(Named {
                    topic: topic.clone(),
                    name: naming.topic(topic, tenant).into(),
                    module_id: module_id
                        .cloned()
                        .unwrap_or_else(|| topic.module.to_owned()),
                })
            }
            // The iteration of instances takes the topic from its caller.
            None => naming.of_client(outbox, tenant).map(|name| Named {
                topic: Topic::of_client(),
                name: name.into(),
                module_id: String::new(),
            }),
        };
        let named = named.map(Arc::new);
        self.topics.insert(outbox.to_owned(), named.clone());
        named.map_or(Destination::Illegal, Destination::Topic)
    }

    /// Sends messages until each is taken or refused for good; gives the refused ones.
    async fn deliver(
        &self,
        messages: Vec<Message>,
        lease: &Lease,
    ) -> Result<Vec<Parked>, PumpError> {
        let mut parked = Vec::new();
        let mut left = messages;
        let mut pause = RETRY.0;
        while !left.is_empty() {
            if !lease.is_held() {
                return Err(PumpError::Lost);
            }
            let outcomes = tokio::select! {
                outcomes = self.parts.sink.send(&left) => outcomes,
                () = lease.lost() => return Err(PumpError::Lost),
            };
            let reason = outcomes.iter().find_map(|outcome| match outcome {
                Outcome::Failed(reason) => Some(reason.clone()),
                _ => None,
            });
            let again = still_to_send(&left, &outcomes, &mut parked);
            let failed = again.len() as u64;
            self.parts
                .status
                .failed
                .fetch_add(failed, Ordering::Relaxed);
            self.parts.status.trouble(reason.clone());
            left = again;
            if let Some(reason) = reason {
                tracing::warn!(
                    tenant = self.tenant.id(),
                    messages = failed,
                    reason,
                    "messages were not taken; they are sent again"
                );
                self.make_missing(&left).await;
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = lease.lost() => return Err(PumpError::Lost),
                }
                pause = (pause * 2).min(RETRY.1);
            }
        }
        Ok(parked)
    }

    /// Makes the topics of messages that were not taken: somebody may have deleted one, or the broker makes
    /// none by itself.
    async fn make_missing(&self, messages: &[Message]) {
        let wanted: HashSet<&str> = messages.iter().map(|message| &*message.topic).collect();
        let named = self.topics.values().flatten();
        let missing = named.filter(|named| wanted.contains(&*named.name));
        let topics: Vec<NewTopic> = missing
            .map(|named| NewTopic::of(&named.topic, named.name.to_string()))
            .collect();
        if let Err(error) = self.parts.sink.make(&topics).await {
            tracing::debug!(
                error,
                "topics of messages that were not taken could not be made"
            );
        }
    }

    fn count(&self, batch: &Batch, parked: usize) {
        let status = &self.parts.status;
        let refused = (parked - batch.parked.len()) as u64;
        status
            .sent
            .fetch_add(batch.count - refused, Ordering::Relaxed);
        status.sent_bytes.fetch_add(batch.bytes, Ordering::Relaxed);
        status.skipped.fetch_add(batch.skipped, Ordering::Relaxed);
        status.parked.fetch_add(parked as u64, Ordering::Relaxed);
        if parked > 0 {
            tracing::warn!(
                tenant = self.tenant.id(),
                parked,
                "events are parked: the broker never takes them (GET /_/octavo/relay)"
            );
        }
    }
}

/// The topic of an event.
enum Destination {
    Topic(Arc<Named>),
    Nowhere,
    Illegal,
}

fn illegal(event: &UnreadEvent<'_>) -> Parked {
    Parked {
        position: event.position,
        bytes: 0,
        reason: "Kafka takes no topic of this name".to_owned(),
    }
}

/// The messages to send again, in order: those that were not taken, and those behind one of them with the same
/// key, so that the order of a key is kept. Refused ones are added to `parked`.
fn still_to_send(sent: &[Message], outcomes: &[Outcome], parked: &mut Vec<Parked>) -> Vec<Message> {
    let mut held: HashSet<(&str, Option<&str>)> = HashSet::new();
    let mut again = Vec::new();
    for (at, message) in sent.iter().enumerate() {
        let key = (&*message.topic, message.key.as_deref());
        match outcomes.get(at) {
            Some(Outcome::Refused(reason)) => parked.push(Parked {
                position: message.position,
                bytes: message.value.len() as i64,
                reason: reason.clone(),
            }),
            Some(Outcome::Sent) if !held.contains(&key) => {}
            _ => {
                held.insert(key);
                again.push(message.clone());
            }
        }
    }
    again
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(position: i64, key: &str) -> Message {
        Message {
            position,
            topic: "t".into(),
            key: Some(key.to_owned()),
            headers: Vec::new(),
            value: vec![b'x'; 10],
        }
    }

    #[test]
    fn what_follows_a_message_of_the_same_key_is_sent_again_with_it() {
        let sent: Vec<Message> = [(1, "a"), (2, "b"), (3, "a"), (4, "b"), (5, "a")]
            .map(|(position, key)| message(position, key))
            .into();
        let failed = || Outcome::Failed("away".to_owned());
        let refused = || Outcome::Refused("too large".to_owned());
        let outcomes = [
            Outcome::Sent,
            failed(),
            refused(),
            Outcome::Sent,
            Outcome::Sent,
        ];
        let mut parked = Vec::new();
        let again = still_to_send(&sent, &outcomes, &mut parked);
        let positions: Vec<i64> = again.iter().map(|message| message.position).collect();
        assert_eq!(positions, [2, 4]);
        assert_eq!(parked.len(), 1);
        assert_eq!((parked[0].position, parked[0].bytes), (3, 10));
        // A missing outcome counts as none.
        let again = still_to_send(&sent, &[], &mut parked);
        assert_eq!(again.len(), 5);
    }
}
